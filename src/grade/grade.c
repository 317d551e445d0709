/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each hand-in is graded by a copy of this process, which gives back its marks as JSON. So a grader
 * that crashes loses one hand-in, which is ungraded then, and two hand-ins never share anything.
 */
#include "grade/grade.h"

#include "base/hash.h"
#include "base/json-check.h"
#include "base/visible.h"
#include "grade/grading.h"
#include "grade/journal.h"
#include "grade/marks-json.h"
#include "grade/pool.h"
#include "grade/student.h"
#include "os/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is graded ---------------------------------------------------------------------- */

int ground_begin(struct grading_ground *g, struct exercise *x, const struct grade_want *want,
                 struct grade_said *said, struct err *e)
{
    *g = (struct grading_ground){
        .grading = {.x = x, .programs = want->programs, .temporary = g->scratch.path,
                    .cached = want->cached, .stop = want->stop}};
    exercise_lint(x);
    if (x->error_count)
        return exercise_fail(x, e);
    if (want->programs->scratch_make(&g->scratch, e) != 0)
        return -1;
    const struct hand_ins_want read = {.folder = g->scratch.path, .go_on = want->go_on};
    const int rc = hand_ins_read(&g->hand_ins, want->hand_ins, want->count, &read, e);
    said->asked_wrong = rc != 0;
    return rc;
}

void ground_free(struct grading_ground *g)
{
    references_free(&g->grading.references);
    hand_ins_free(&g->hand_ins);
    if (g->scratch.path[0])
        g->grading.programs->scratch_remove(&g->scratch);
}

int ground_references(struct grading_ground *g, struct err *e)
{
    const int rc = references_make(&g->grading, e);
    if (rc != 0 && e->line)
        exercise_complain(g->grading.x, e);
    return rc;
}

/* ---- one hand-in -------------------------------------------------------------------------- */

const struct grader_kind *const grader_kinds[EXERCISE_KINDS] = {
    [EXERCISE_KERNEL] = &grader_of_kernels,        [EXERCISE_PROGRAM] = &grader_of_programs,
    [EXERCISE_CONFIGURATION] = &grader_of_kernels, [EXERCISE_QUESTION] = &grader_of_questions,
    [EXERCISE_SCRIPT] = &grader_of_scripts};

static int set_all(const struct exercise *x, struct marks *m, struct marked *to,
                   enum mark_state state, enum mark_cause cause, struct err *e)
{
    for (unsigned i = 0; i < x->test_count; i++)
        if (mark_set(m, to, i, state, cause, NULL, NULL, e) != 0)
            return -1;
    return 0;
}

static int set_end(struct marks *m, struct marked *to, unsigned test, struct test_end *end,
                   struct err *e)
{
    const bool failed = end->feedback.failed || end->note.failed;
    const int rc = failed ? fail_memory(e)
                          : mark_set(m, to, test, end->state, end->cause, buf_text(&end->feedback),
                                     buf_text(&end->note), e);
    buf_free(&end->feedback);
    buf_free(&end->note);
    return rc;
}

static int grade_tests(struct graded *of, struct marks *m, struct marked *to, struct err *e)
{
    const struct exercise *x = of->g->x;
    const struct grader_kind *kind = grader_kinds[x->kind];
    void *own = NULL;
    int rc = kind->begin(of, &own, e);
    if (rc > 0)
        rc = set_all(x, m, to, MARK_FAILED, of->cause, e);
    else
        for (unsigned i = 0; rc == 0 && i < x->test_count; i++) {
            const int needs = x->test[i].needs;
            struct test_end end = {.state = MARK_UNGRADED};
            const enum mark_state before = needs < 0 ? MARK_PASSED : to->mark[needs].state;
            if (before == MARK_UNGRADED)
                buf_puts(&end.note, "The test that it needs was not graded.\n");
            else if (before != MARK_PASSED)
                end.state = MARK_SKIPPED;
            else
                rc = kind->test(of, own, i, &end, e);
            const int set = rc == 0 ? set_end(m, to, i, &end, e) : 0;
            rc = rc == 0 ? set : rc;
        }
    kind->end(own);
    return rc;
}

int graded_allows(struct graded *of, const char *name, struct err *e)
{
    unsigned n = 0;
    while (of->files && of->files[n])
        n++;
    const char **files = realloc(of->files, (n + 2) * sizeof *files);
    const char *copy = files ? arena_text(&of->memory, name, strlen(name)) : NULL;
    if (files) {
        of->files = files;
        of->asked.want.files = files;
        files[n] = copy;
        files[n + (copy != NULL)] = NULL;
    }
    return copy ? 0 : fail_memory(e);
}

/* Feedback has the names that students gave their files. The worker gets those of the copies. */
static int begin_files(struct graded *of, struct err *e)
{
    static const char *const headers[] = {".h", ".cuh", ".hpp", NULL};
    const struct hand_in *h = of->hand_in;
    for (unsigned i = 0; i < h->count; i++) {
        const struct hand_in_file *f = &h->file[i];
        if (f->wrong)
            buf_printf(&of->says, "%s %s.\n", f->name, f->wrong);
        else if (f->path) {
            if (graded_allows(of, f->path, e) != 0)
                return -1;
            of->has_headers |= student_ends_in((struct span){f->path, strlen(f->path)}, headers);
        }
    }
    /* a compiler finds headers by their folder, which has nothing else */
    return of->has_headers ? graded_allows(of, ".", e) : 0;
}

int graded_begin(struct graded *of, const struct grading *g, const struct hand_in *h, struct err *e)
{
    *of = (struct graded){.g = g, .hand_in = h, .student = h->id[0] ? h->id : h->student};
    if (h->note)
        buf_puts(&of->note, h->note);
    buf_printf(&of->folder, "%s/%s", g->temporary, h->folder);
    of->asked.want = (struct worker_want){
        .programs = g->programs, .temporary = g->temporary, .folder = buf_text(&of->folder),
        .options = of->options.word, .cached = g->cached, .stop = g->stop, .progress = g->progress,
        .limits = {.memory = g->x->limits.memory, .command_s = g->x->limits.seconds}};
    return begin_files(of, e);
}

void graded_free(struct graded *of)
{
    asked_stop(&of->asked);
    buf_free(&of->says);
    buf_free(&of->note);
    buf_free(&of->folder);
    free(of->files);
    arena_free(&of->memory);
}

int grade_hand_in(const struct grading *g, const struct hand_in *h, struct marks *m, struct err *e)
{
    struct marked *to = marks_add(m, h->student, h->id, e);
    struct graded of;
    if (!to)
        return -1;
    int rc = graded_begin(&of, g, h, e);
    if (rc == 0 && h->wrong && !h->at_fault) {
        buf_printf(&of.note, "%s%s", of.note.len ? "\n" : "", h->wrong);
        buf_clear(&of.says);
    } else if (rc == 0 && h->wrong) {
        of.cause = MARK_CHECK;
        rc = set_all(g->x, m, to, MARK_FAILED, MARK_CHECK, e);
        if (!of.says.len)
            buf_printf(&of.says, "%s\n", h->wrong);
    } else if (rc == 0)
        rc = grade_tests(&of, m, to, e);
    if (rc == 0)
        rc = marked_say(m, to, of.cause, buf_text(&of.says), buf_text(&of.note), e);
    graded_free(&of);
    return rc;
}

/* ---- all of them -------------------------------------------------------------------------- */

struct grade_run {
    struct grading_ground ground;
    struct marks *marks;
    unsigned *number; /* of the pool: the hand-in */
    char (*key)[40];  /* of each hand-in */
    struct journal *journal;
};

static int work(void *self, unsigned number, struct buf *result, struct err *e)
{
    struct grade_run *r = self;
    struct marks *m = r->marks; /* of this copy */
    const unsigned before = m->count;
    if (grade_hand_in(&r->ground.grading, &r->ground.hand_ins.at[r->number[number]], m, e) != 0)
        return -1;
    struct json j;
    json_begin(&j, result);
    marked_json(m, m->of[before], &j, NULL);
    return result->failed ? fail_memory(e) : 0;
}

static int add_ungraded(struct grade_run *r, const struct hand_in *h, const char *why, struct err *e)
{
    struct marked *to = marks_add(r->marks, h->student, h->id, e);
    return to ? marked_say(r->marks, to, MARK_NO_CAUSE, "", why, e) : -1;
}

static int take(void *self, unsigned number, enum pool_end end, struct span result, struct err *e)
{
    struct grade_run *r = self;
    const unsigned which = r->number[number];
    const struct hand_in *h = &r->ground.hand_ins.at[which];
    struct err why = {0};
    const struct marked *got = NULL;
    if (end == POOL_DONE && json_check(result, &why) == 0)
        got = marked_read(r->marks, result, &why);
    if (got)
        return r->journal ? journal_add(r->journal, r->key[which], r->marks, got, e) : 0;
    struct buf note = {0};
    if (end == POOL_FAILED)
        buf_add(&note, result.at, result.n);
    else
        buf_puts(&note, end == POOL_OUT_OF_TIME ? "The grader took too long for this hand-in."
                        : end == POOL_DONE      ? why.text
                                                : "The grader crashed at this hand-in.");
    const int rc = add_ungraded(r, h, buf_text(&note), e);
    buf_free(&note);
    return rc;
}

int grade_begin(const struct exercise *x, struct marks *m, struct err *e)
{
    if (marks_begin(m, x->name, e) != 0)
        return -1;
    for (unsigned i = 0; i < x->test_count; i++)
        if (marks_test(m, x->test[i].name, x->test[i].points, x->test[i].hidden, x->test[i].needs,
                       e) != 0)
            return -1;
    return 0;
}

/* ---- what was graded before --------------------------------------------------------------- */

static uint64_t hash_text(uint64_t h, const char *text)
{
    return hash_bytes(h, text, strlen(text) + 1);
}

static int hash_file(uint64_t h[2], const char *path, struct err *e)
{
    struct buf text = {0};
    const int rc = file_read(path, HAND_IN_BYTES, &text, e);
    h[0] = hash_bytes(h[0], buf_text(&text), text.len);
    h[1] = hash_words(h[1] ^ text.len, buf_text(&text), text.len);
    buf_free(&text);
    return rc;
}

/* All that the exercise's marks depend on. */
static int hash_exercise(const struct exercise *x, const char *version, uint64_t h[2], struct err *e)
{
    h[0] = hash_text(HASH_START, version);
    h[1] = hash_words(h[0] * HASH_PRIME, buf_text(&x->text), x->text.len);
    h[0] = hash_bytes(h[0], buf_text(&x->text), x->text.len);
    for (unsigned i = 0; i < x->reference_count; i++)
        if (x->reference[i].from != SOURCE_FORMULA && hash_file(h, x->reference[i].text, e) != 0)
            return -1;
    for (unsigned i = 0; i < x->array_count; i++)
        if (x->array[i].file && hash_file(h, x->array[i].file, e) != 0)
            return -1;
    return x->source ? hash_file(h, x->source, e) : 0;
}

static int make_key(const struct grade_run *r, const uint64_t exercise[2], const struct hand_in *in,
                    char key[40], struct err *e)
{
    uint64_t h[2] = {hash_text(exercise[0], in->student), hash_text(exercise[1], in->id)};
    h[1] = hash_text(h[1], in->student);
    for (unsigned i = 0; i < in->count; i++) {
        struct buf path = {0};
        h[0] = hash_text(hash_text(h[0], in->file[i].name), in->file[i].wrong ? in->file[i].wrong : "");
        h[1] = hash_text(h[1], in->file[i].name);
        buf_printf(&path, "%s/%s/%s", r->ground.grading.temporary, in->folder,
                   in->file[i].path ? in->file[i].path : "");
        const int rc = in->file[i].path ? hash_file(h, buf_text(&path), e) : 0;
        buf_free(&path);
        if (rc != 0)
            return -1;
    }
    h[0] = hash_text(hash_text(h[0], in->wrong ? in->wrong : ""), in->note ? in->note : "");
    h[1] = hash_text(h[1], in->note ? in->note : "");
    snprintf(key, 40, "%016" PRIx64 "%016" PRIx64, h[0], h[1]);
    return 0;
}

/* -1: an error. 1: it is there. */
static int take_kept(struct grade_run *r, const struct grade_want *want, const uint64_t exercise[2],
                     unsigned which, struct grade_said *said, struct err *e)
{
    if (make_key(r, exercise, &r->ground.hand_ins.at[which], r->key[which], e) != 0)
        return -1;
    if (want->again || !journal_take(r->journal, r->key[which], r->marks))
        return 0;
    said->kept++;
    return 1;
}

static bool is_asked_for(const struct grade_want *want, const struct hand_in *h)
{
    return !want->student || strcmp(h->student, want->student) == 0 ||
           (h->id[0] && strcmp(h->id, want->student) == 0);
}

static int choose(struct grade_run *r, const struct grade_want *want, unsigned *count,
                  struct grade_said *said, struct err *e)
{
    uint64_t exercise[2];
    const struct hand_ins *all = &r->ground.hand_ins;
    int rc = r->journal ? hash_exercise(r->ground.grading.x, PACKAGE_VERSION, exercise, e) : 0;
    unsigned asked = 0;
    *count = 0;
    for (unsigned i = 0; rc >= 0 && i < all->count; i++) {
        if (!is_asked_for(want, &all->at[i]))
            continue;
        asked++;
        rc = r->journal ? take_kept(r, want, exercise, i, said, e) : 0;
        if (rc == 0)
            r->number[(*count)++] = i;
    }
    said->asked_wrong = rc >= 0 && !asked;
    if (said->asked_wrong)
        return want->student ? fail(e, "the student %.100s has no hand-in", want->student)
                             : fail(e, "there is no hand-in");
    return rc < 0 ? -1 : 0;
}

static int grade_chosen(struct grade_run *r, const struct grade_want *want, unsigned count,
                        struct err *e)
{
    const struct pool pool = {.programs = want->programs, .count = count, .at_once = want->jobs,
                              .self = r, .work = work, .take = take, .go_on = want->go_on,
                              .progress = want->progress};
    if (!count)
        return 0;
    return ground_references(&r->ground, e) != 0 ? -1 : pool_run(&pool, e);
}

static int grade_in(struct grade_run *r, const struct grade_want *want, struct grade_said *said,
                    struct err *e)
{
    const unsigned n = r->ground.hand_ins.count;
    unsigned count = 0;
    r->number = calloc(n ? n : 1, sizeof *r->number);
    r->key = calloc(n ? n : 1, sizeof *r->key);
    int rc = r->number && r->key ? choose(r, want, &count, said, e) : fail_memory(e);
    if (rc == 0)
        rc = grade_chosen(r, want, count, e);
    if (rc == 0)
        rc = marks_sort(r->marks, e);
    free(r->number);
    free(r->key);
    return rc;
}

int grade_all(struct exercise *x, const struct grade_want *want, struct marks *m,
              struct grade_said *said, struct err *e)
{
    struct journal journal = {.fd = -1};
    struct grade_run r = {.marks = m};
    *m = (struct marks){0};
    int rc = ground_begin(&r.ground, x, want, said, e);
    if (rc == 0)
        rc = grade_begin(x, m, e);
    if (rc == 0 && want->journal && (rc = journal_open(&journal, want->journal, e)) == 0) {
        r.journal = &journal;
        if (journal.dropped)
            buf_printf(&said->text, "%s has %u line%s that can't be read; what they had is graded "
                       "again.\n", want->journal, journal.dropped, journal.dropped == 1 ? "" : "s");
    }
    if (rc == 0)
        rc = grade_in(&r, want, said, e);
    if (r.journal)
        journal_close(&journal);
    ground_free(&r.ground);
    return rc;
}

/* ---- other answers ------------------------------------------------------------------------ */

int grade_from_journal(const char *path, struct marks *m, struct err *e)
{
    struct journal journal;
    if (journal_open(&journal, path, e) != 0)
        return -1;
    for (size_t i = journal.count; i-- > 0;) {
        struct err ignored;
        const struct marked *got = marked_read(m, journal.line[i].hand_in, &ignored);
        for (unsigned k = 0; got && k + 1 < m->count; k++)
            if (strcmp(m->of[k]->student, got->student) == 0 && strcmp(m->of[k]->id, got->id) == 0) {
                m->count--; /* it is an older one */
                break;
            }
    }
    journal_close(&journal);
    return marks_sort(m, e);
}

int grade_questions(const struct exercise *x, const char *student, struct buf *out, struct err *e)
{
    struct script s = {.test_count = 0};
    int rc = x->kind == EXERCISE_QUESTION ? question_draw(x, student, &s, e)
                                          : fail(e, "this exercise has no questions");
    for (unsigned i = 0; rc == 0 && i < x->say.count; i++)
        buf_printf(out, "%s\n", x->say.text[i]);
    for (unsigned i = 0; rc == 0 && i < x->ask_count; i++) {
        buf_printf(out, "\n%u. ", i + 1);
        rc = script_expand(&s, x->ask[i].text, strlen(x->ask[i].text), out, e);
        buf_printf(out, "\n   %s: \n", x->ask[i].answer);
    }
    script_free(&s);
    return rc == 0 && out->failed ? fail_memory(e) : rc;
}

int grade_lint(struct exercise *x, const struct programs *programs,
               const volatile sig_atomic_t *stop, struct err *e)
{
    struct grading g = {.x = x, .programs = programs, .stop = stop};
    exercise_lint(x);
    if (!x->error_count && references_make(&g, e) != 0)
        exercise_complain(x, e);
    references_free(&g.references);
    return x->error_count ? exercise_fail(x, e) : 0;
}
