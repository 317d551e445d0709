/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds `program`, `question` and `script`. A program is run by the lines `run` of a testcase. A
 * script is run once, and its last command and its arrays are judged. A question is answered by
 * computing it, with the numbers of the student, in a worker of the grader's own.
 */
#include "base/hash.h"
#include "base/json-find.h"
#include "grade/grading.h"
#include "os/fd.h"
#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MOST = 1 << 20 };

/* The host of a testcase's script, of all three kinds. */
struct judging_other {
    struct judging judging; /* first */
    struct graded *of;
    struct of_other *own;
    bool has_input;         /* of the program: in a file */
    struct err why;
    bool broken;
};

struct of_other {
    const char *source[HAND_IN_FILES + 1];
    unsigned source_count;
    struct buf object;      /* of a script: of its last command */
    struct buf refused;     /* of a program that does not compile: of its first run */
    struct buf answers;     /* of questions: JSON members */
    struct script drawn;    /* the numbers of the student */
    struct grader_worker computer;  /* the grader's own worker */
    struct grader_options options;
    bool missing;           /* an answer is not there, or is no number */
};

/* ---- what they share ---------------------------------------------------------------------- */

/* Files with the first ending come first: s.lab before README.txt. */
static int find_files(struct graded *of, struct of_other *own, const char *const *endings,
                      const char *what)
{
    const struct hand_in *h = of->hand_in;
    for (const char *const *end = endings; *end; end++)
        for (unsigned i = 0; i < h->count; i++)
            if (h->file[i].path && !h->file[i].wrong && ends_in(h->file[i].path, *end))
                own->source[own->source_count++] = h->file[i].path;
    if (own->source_count)
        return 0;
    of->cause = MARK_CHECK;
    buf_printf(&of->says, "The hand-in has no %s.\n", what);
    return 1;
}

static int judge(struct judging_other *j, unsigned test, struct test_end *end)
{
    asked_begins_run(&j->of->asked);
    script_run(&j->judging.script, &j->of->g->x->test[test].body);
    if (j->broken) {
        end->state = MARK_UNGRADED;
        buf_printf(&end->note, "%s\n", j->why.text);
    } else if (j->judging.lost)
        judging_lost(&j->of->asked, NULL, end);
    else
        judging_ends(&j->judging, NULL, end);
    script_free(&j->judging.script);
    return j->of->g->stop && *j->of->g->stop ? fail(&j->why, "stopped") : 0;
}

static void end_other(void *self)
{
    struct of_other *own = self;
    if (!own)
        return;
    buf_free(&own->object);
    buf_free(&own->refused);
    buf_free(&own->answers);
    script_free(&own->drawn);
    asked_stop(&own->computer);
    free(own);
}

static struct of_other *new_other(void **self, struct err *e)
{
    *self = calloc(1, sizeof(struct of_other));
    if (!*self)
        fail_memory(e);
    return *self;
}

static int start(struct graded *of, struct err *e)
{
    const struct exercise *x = of->g->x;
    grader_options(of->g, x->devices.count ? x->devices.text[0] : NULL, &of->options);
    return asked_start(&of->asked, e);
}

/* ---- programs ----------------------------------------------------------------------------- */

/* What a program reads lies in one file, which has the input of the run that is on. So no program
 * and no compiler can read the input of another testcase. The file keeps its place on the disk, by
 * which the worker may read it. No file of a hand-in has a name that begins with a dot. */
static const char input_name[] = ".given-input.txt";

static int place_input(struct graded *of, struct span text, struct err *e)
{
    struct buf path = {0};
    buf_printf(&path, "%s/%s", of->asked.want.folder, input_name);
    const int fd = open(buf_text(&path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int wrong = fd < 0 ? errno : fd_write(fd, text.at, text.n);
    if (fd >= 0 && close(fd) != 0 && !wrong)
        wrong = errno;
    buf_free(&path);
    return wrong ? fail(e, "the input of a program can't be written: %s", strerror(wrong)) : 0;
}

static int write_input(struct graded *of, const struct statement *st, struct err *e)
{
    struct script none = {.test_count = 0};
    struct script_reading r = {.script = &none, .text = st->text, .at = strlen("input-text"), .e = e};
    struct buf text = {0};
    size_t k = 0;
    int rc = reading_word(&r, &text);
    for (size_t i = 0; rc == 0 && i < text.len; i++) { /* \n is a new line */
        const bool line = text.data[i] == '\\' && text.data[i + 1] == 'n';
        text.data[k++] = line ? '\n' : text.data[i];
        i += line;
    }
    if (rc == 0)
        rc = place_input(of, (struct span){buf_text(&text), k}, e);
    buf_free(&text);
    return rc;
}

static int begin_program(struct graded *of, void **self, struct err *e)
{
    static const char *const endings[] = {".cu", ".cpp", ".cc", ".c", NULL};
    struct of_other *own = new_other(self, e);
    if (!own)
        return -1;
    int rc = find_files(of, own, endings, "source: its name must end in .cu, .cpp or .c");
    if (rc == 0)
        rc = place_input(of, (struct span){"", 0}, e);
    if (rc == 0)
        rc = graded_allows(of, input_name, e);
    return rc == 0 ? start(of, e) : rc;
}

/* The exit status is `exit`, and what is on the screen is `output`. */
static void program_more(const void *self, struct json *j)
{
    const struct span *object = self;
    uint64_t status;
    if (json_whole_at(*object, "result.exit_status", &status))
        json_uint(j, "exit", status);
}

static bool has_run(struct span object)
{
    struct span value;
    return json_find(object, SPAN("result.exit_status"), &value) ||
           json_find(object, SPAN("result.signal"), &value) ||
           json_find(object, SPAN("result.launches"), &value);
}

static int run_program(struct judging_other *j, const char *arguments, struct err *e)
{
    struct graded *of = j->of;
    struct of_other *own = j->own;
    struct script *s = &j->judging.script;
    struct buf command = {0}, answer = {0}, judged = {0};
    struct span object;
    if (!asked_lives(&of->asked) && start(of, e) != 0) {
        j->broken = true;
        j->why = *e;
        return -1;
    }
    buf_puts(&command, "run ");
    if (j->has_input)
        buf_printf(&command, "--input %s ", input_name);
    for (unsigned i = 0; i < own->source_count; i++) {
        put_quoted(&command, own->source[i]);
        buf_putc(&command, ' ');
    }
    buf_puts(&command, "-- ");
    const int rc = script_expand(s, arguments, strlen(arguments), &command, e);
    if (rc == 0 && own->refused.len) { /* it would be refused again, for the same reason */
        object = (struct span){buf_text(&own->refused), own->refused.len};
    } else if (rc == 0) {
        asked_runs(&of->asked, buf_text(&command));
        asked_do(&of->asked, buf_text(&command), &answer, &object);
    }
    const bool lives = asked_lives(&of->asked);
    if (rc != 0)
        j->broken = true;
    else if (lives && json_is(object, "cause", "script") && !has_run(object)) { /* no compiler? */
        struct buf why = {0};
        asked_say(object, &why);
        j->broken = true;
        fail(e, "the program can't be run here: %.400s", buf_text(&why));
        buf_free(&why);
    } else if (lives && judged_lacks(object, e)) {
        j->broken = true;
    } else if (lives && object.n) {
        const bool again = own->refused.len != 0;
        while (again && command.data[command.len - 1] == ' ') /* as the worker shows it */
            command.data[--command.len] = '\0';
        const struct judged_object with = {.command = again ? buf_text(&command) : NULL,
                                           .more = program_more, .self = &object,
                                           .x = of->g->x};
        judged_object(object, &with, &judged);
        script_ran(s, buf_text(&judged), judged.len);
        if (json_is(object, "cause", "compile")) {
            if (!again)
                buf_add(&own->refused, object.at, object.n);
            struct buf log = {0};
            asked_say(object, &log);
            buf_clear(&j->judging.end->feedback);
            buf_add(&j->judging.end->feedback, buf_text(&log), log.len);
            buf_free(&log);
        }
    } else
        j->judging.lost = true;
    buf_free(&command);
    buf_free(&answer);
    buf_free(&judged);
    if (j->broken)
        j->why = *e;
    return j->judging.lost || j->broken ? -1 : 0;
}

/* `input-text "..."`: the next runs read it. */
static int give_input(struct judging_other *j, const struct statement *st, struct err *e)
{
    j->has_input = true;
    if (write_input(j->of, st, e) == 0)
        return 0;
    j->broken = true;
    j->why = *e;
    return -1;
}

static int program_statement(void *self, const struct statement *st, struct err *e)
{
    struct judging_other *j = self;
    const size_t n = strcspn(st->text, " \t");
    return same_text((struct span){st->text, n}, "run") ? run_program(j, st->text + n, e)
                                                        : give_input(j, st, e);
}

static int test_program(struct graded *of, void *self, unsigned test, struct test_end *end,
                        struct err *e)
{
    struct judging_other j = {.of = of, .own = self, .judging.end = end};
    j.judging.script.host = (struct script_host){.self = &j, .run = program_statement,
                                                 .failed = judging_failed, .check_fault = of->g->x->check_fault,
        .seed = of->g->x->seed};
    int rc = place_input(of, (struct span){"", 0}, e); /* that of the test before is gone */
    if (rc == 0) {
        rc = judge(&j, test, end);
        *e = rc != 0 ? j.why : *e;
    }
    return rc;
}

const struct grader_kind grader_of_programs = {begin_program, test_program, end_other};

/* ---- scripts ------------------------------------------------------------------------------ */

/* Is this what `show` says? A student sets the settings, and some have the names of what a lab or a
 * launch finds, as `threads` has. */
static bool tells_settings(struct span object)
{
    struct span value;
    return json_find(object, (struct span){"result.session-time", 19}, &value);
}

static int begin_script(struct graded *of, void **self, struct err *e)
{
    static const char *const endings[] = {".lab", ".txt", NULL};
    struct of_other *own = new_other(self, e);
    struct buf command = {0}, answer = {0};
    if (!own)
        return -1;
    int rc = find_files(of, own, endings, "script: its name must end in .lab");
    if (rc == 0)
        rc = start(of, e);
    if (rc == 0) {
        buf_puts(&command, "source ");
        put_quoted(&command, own->source[0]);
        struct span object, rest, line;
        asked_loads(&of->asked, buf_text(&command));
        asked_do(&of->asked, buf_text(&command), &answer, &object);
        object = (struct span){"", 0};
        for (rest = (struct span){buf_text(&answer), answer.len}; next_line(&rest, &line);) {
            if (!json_is(line, "command", "quit") && !json_is(line, "command", "quit 0") &&
                !tells_settings(line))
                object = line;
            if (!json_is(line, "status", "ok")) { /* what went wrong is told, and counts below */
                struct buf text = {0};
                json_text_at(line, "command", &text);
                buf_puts(&text, ": ");
                asked_say(line, &text);
                buf_add(&of->says, buf_text(&text), text.len);
                buf_free(&text);
            }
        }
        buf_add(&own->object, object.at, object.n);
        if (!asked_lives(&of->asked)) { /* first the reason, since a long text is cut */
            struct buf before = of->says;
            of->says = (struct buf){0};
            of->cause = asked_cause(&of->asked, &of->says);
            if (of->asked.worker.end == WORKER_ENDED && of->asked.worker.code == 0)
                buf_puts(&of->says, "A hand-in must not end its session by `quit`.\n");
            buf_add(&of->says, buf_text(&before), before.len);
            buf_free(&before);
            rc = 1;
        }
    }
    buf_free(&command);
    buf_free(&answer);
    return rc;
}

static int script_statement(void *self, const struct statement *st, struct err *e)
{
    struct judging_other *j = self;
    struct buf judged = {0};
    const struct judged_object with = {.x = j->of->g->x};
    const struct span object = {buf_text(&j->own->object), j->own->object.len};
    (void)st;
    if (judged_lacks(object, e)) {
        j->broken = true;
        j->why = *e;
        return -1;
    }
    if (object.n) {
        judged_object(object, &with, &judged);
        script_ran(&j->judging.script, buf_text(&judged), judged.len);
    }
    buf_free(&judged);
    return 0;
}

static int script_array(void *self, const char *name, struct host_array *a, struct err *e)
{
    struct judging_other *j = self;
    struct buf answer = {0}, type = {0};
    struct span object;
    const size_t n = strcspn(name, "[");
    char bare[100];
    int rc = -1;
    *a = (struct host_array){.of = NULL};
    snprintf(bare, sizeof bare, "%.*s", n < 99 ? (int)n : 99, name);
    for (const char *at = bare; *at; at++)
        if (!in_word(*at))
            return fail(e, "there is no array %.60s", name);
    if (asked_do(&j->of->asked, "arrays", &answer, &object)) {
        struct span list, item;
        if (json_find(object, SPAN("result.arrays"), &list))
            for (struct json_walk w = json_walk(list); json_next_element(&w, &item);)
                if (json_is(item, "name", bare) && json_whole_at(item, "count", &a->whole)) {
                    json_text_at(item, "type", &type);
                    rc = element_named(buf_text(&type), &a->type);
                }
    } else
        j->judging.lost = true;
    if (rc != 0)
        fail(e, "there is no array %.60s", name);
    else
        rc = judged_part(name + n, a->whole, a, e);
    char *kept = rc == 0 ? arena_text(&j->of->g->x->memory, bare, strlen(bare)) : NULL;
    a->of = kept;
    if (rc == 0 && !kept)
        rc = fail_memory(e);
    buf_free(&answer);
    buf_free(&type);
    return rc;
}

static int script_elements(void *self, const struct host_array *a, uint64_t first, uint64_t n,
                           void *to, struct err *e)
{
    struct judging_other *j = self;
    const size_t size = element_size(a->type);
    const uint64_t upto = a->lo + first + n;
    unsigned char *all = upto < SIZE_MAX / 16 ? malloc((size_t)upto * size) : NULL;
    if (!all)
        return fail_memory(e);
    const int rc = asked_array(&j->of->asked, a->of, a->type, upto, all, e);
    if (rc == 0)
        memcpy(to, all + (a->lo + first) * size, (size_t)n * size);
    else
        j->judging.lost = !asked_lives(&j->of->asked);
    free(all);
    return rc;
}

/* The session is the student's: what is not there to be judged is the student's mistake. */
static int test_script(struct graded *of, void *self, unsigned test, struct test_end *end,
                       struct err *e)
{
    struct judging_other j = {.of = of, .own = self, .judging.end = end,
                              .judging.of_hand_in = true};
    j.judging.script.host = (struct script_host){
        .self = &j, .run = script_statement, .array = script_array, .elements = script_elements,
        .index_needed = true,
        .failed = judging_failed, .check_fault = of->g->x->check_fault,
        .seed = of->g->x->seed};
    const int rc = judge(&j, test, end);
    *e = rc != 0 ? j.why : *e;
    return rc;
}

const struct grader_kind grader_of_scripts = {begin_script, test_script, end_other};

/* ---- questions ---------------------------------------------------------------------------- */

/* Philox, by the exercise's seed and the student: one counter for each number. */
int question_draw(const struct exercise *x, const char *student, struct script *s, struct err *e)
{
    const uint64_t who = hash_bytes(HASH_START, student, strlen(student));
    for (unsigned i = 0; i < x->draw_count; i++) {
        const struct exercise_draw *d = &x->draw[i];
        const uint64_t choices = (uint64_t)(d->to - d->from) / (uint64_t)d->step + 1;
        uint64_t h = hash_bytes(who ^ x->seed * HASH_PRIME, d->name, strlen(d->name));
        h ^= h >> 29;
        h *= HASH_PRIME;
        h ^= h >> 32;
        struct value v = {.type = VALUE_WHOLE,
                          .whole = d->from + (int64_t)(h % choices) * d->step};
        if (script_set(s, d->name, &v, e) != 0)
            return -1;
    }
    return 0;
}

/* The value of `degree: 4` where it is the only one of this name. *count: how many there are. */
static struct span answer_in(struct span text, const char *name, unsigned *count)
{
    struct span line, found = {NULL, 0};
    *count = 0;
    while (next_line(&text, &line)) {
        const char *colon = line.n ? memchr(line.at, ':', line.n) : NULL;
        if (!colon || !same_text(trim((struct span){line.at, (size_t)(colon - line.at)}), name))
            continue;
        found = trim((struct span){colon + 1, line.n - (size_t)(colon - line.at) - 1});
        ++*count;
    }
    return *count == 1 ? found : (struct span){NULL, 0};
}

static bool put_answer(struct json *j, const struct exercise_ask *a, struct span text)
{
    char word[NUM_TEXT];
    int64_t whole;
    double real;
    struct err ignored;
    if (!text.n || text.n >= sizeof word) {
        json_null(j, a->answer);
        return false;
    }
    snprintf(word, sizeof word, "%.*s", (int)text.n, text.at);
    if (a->word)
        json_text(j, a->answer, word);
    else if (num_int(word, INT64_MIN, INT64_MAX, &whole, &ignored) == 0)
        json_int(j, a->answer, whole);
    else if (num_real(word, &real, &ignored) == 0)
        json_f64(j, a->answer, real);
    else {
        json_null(j, a->answer);
        return false;
    }
    return true;
}

static void read_answers(struct graded *of, struct of_other *own, struct span text)
{
    const struct exercise *x = of->g->x;
    struct json j;
    json_begin(&j, &own->answers);
    json_object(&j, NULL);
    for (unsigned i = 0; i < x->ask_count; i++) {
        const struct exercise_ask *ask = &x->ask[i];
        unsigned count;
        const struct span answer = answer_in(text, ask->answer, &count);
        const bool taken = put_answer(&j, ask, answer);
        own->missing |= !taken;
        if (count != 1)
            buf_printf(&of->says, "There %s with the name %s. Write one into a line of its own, as "
                       "in %s: %s\n", count ? "are several answers" : "is no answer", ask->answer,
                       ask->answer, ask->word ? "WORD" : "4");
        else if (!taken)
            buf_printf(&of->says, "The answer %s is not %s: %.*s\n", ask->answer,
                       ask->word ? "a word" : "a number", answer.n < 60 ? (int)answer.n : 60,
                       answer.at);
    }
    json_end_object(&j);
}

static int check_text(struct graded *of, const char *path)
{
    const struct hand_in *h = of->hand_in;
    for (unsigned i = 0; i < h->count; i++)
        if (h->file[i].path && strcmp(h->file[i].path, path) == 0 && h->file[i].size > TEXT_MOST) {
            of->cause = MARK_LIMIT;
            buf_printf(&of->says, "%s has more than the %d MiB that a file with answers may have.\n",
                       h->file[i].name, TEXT_MOST >> 20);
            return 1;
        }
    return 0;
}

static int begin_question(struct graded *of, void **self, struct err *e)
{
    static const char *const endings[] = {".txt", ".md", NULL};
    struct of_other *own = new_other(self, e);
    struct buf path = {0}, text = {0};
    if (!own)
        return -1;
    int rc = find_files(of, own, endings, "text: its name must end in .txt");
    if (rc == 0)
        rc = check_text(of, own->source[0]);
    if (rc == 0) {
        buf_printf(&path, "%s/%s", of->asked.want.folder, own->source[0]);
        rc = file_read(buf_text(&path), TEXT_MOST, &text, e);
    }
    if (rc == 0) {
        read_answers(of, own, (struct span){buf_text(&text), text.len});
        rc = question_draw(of->g->x, of->student, &own->drawn, e);
    }
    if (rc == 0) {
        grader_options(of->g, NULL, &own->options);
        own->computer.lines = of->asked.lines;
        own->computer.want = (struct worker_want){
            .programs = of->g->programs, .temporary = of->g->temporary,
            .options = own->options.word, .stop = of->g->stop};
        rc = asked_start(&own->computer, e);
    }
    buf_free(&path);
    buf_free(&text);
    return rc;
}

static void answers_more(const void *self, struct json *j)
{
    const struct of_other *own = self;
    json_raw(j, "answer", buf_text(&own->answers), own->answers.len);
}

/* `compute banks $s` runs in the grader's own worker. Whatever fails there is no student's fault. */
static int question_statement(void *self, const struct statement *st, struct err *e)
{
    struct judging_other *j = self;
    struct script *s = &j->judging.script;
    struct buf command = {0}, answer = {0}, judged = {0};
    struct span object = {NULL, 0};
    const char *text = st->text + strcspn(st->text, " \t");
    int rc = script_expand(s, text, strlen(text), &command, e);
    if (rc == 0)
        asked_runs(&j->own->computer, buf_text(&command));
    if (rc == 0 && !asked_do(&j->own->computer, buf_text(&command), &answer, &object)) {
        struct buf why = {0};
        asked_say(object, &why);
        rc = fail(e, "line %d of the exercise: `%.200s` fails: %.200s", st->line,
                  buf_text(&command), buf_text(&why));
        buf_free(&why);
    }
    if (rc == 0) {
        const struct judged_object with = {.more = answers_more, .self = j->own};
        judged_object(object, &with, &judged);
        script_ran(s, buf_text(&judged), judged.len);
    } else {
        j->broken = true;
        j->why = *e;
    }
    buf_free(&command);
    buf_free(&answer);
    buf_free(&judged);
    return rc;
}

static int test_question(struct graded *of, void *self, unsigned test, struct test_end *end,
                         struct err *e)
{
    struct of_other *own = self;
    struct judging_other j = {.of = of, .own = own, .judging.end = end,
                              .judging.of_hand_in = own->missing};
    struct script *s = &j.judging.script;
    s->host = (struct script_host){.self = &j, .run = question_statement, .failed = judging_failed,
                                   .check_fault = of->g->x->check_fault,
        .seed = of->g->x->seed};
    int rc = question_draw(of->g->x, of->student, s, e);
    if (rc == 0) {
        struct buf object = {0};
        const struct judged_object with = {.more = answers_more, .self = own};
        judged_object(SPAN("{}"), &with, &object); /* also where nothing is computed */
        script_ran(s, buf_text(&object), object.len);
        buf_free(&object);
        rc = judge(&j, test, end);
        *e = rc != 0 ? j.why : *e;
    }
    return rc;
}

const struct grader_kind grader_of_questions = {begin_question, test_question, end_other};
