/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An answer is put to a run. The run has a session of its own: a simulator of an H100, no arrays, no
 * kernels, no aliases, and settings that change no result. So an answer gets the same verdict on
 * every machine, and the student's arrays, kernels and findings stay as they are.
 */
#include "repl/quiz/quiz.h"

#include "base/json-find.h"
#include "dev/cards.h"
#include "labkit/run.h"
#include "own/arrays.h"
#include "own/unit.h"
#include "programs/programs.h"
#include "repl/inner.h"
#include "repl/settings.h"

#include <stdio.h>
#include <string.h>

enum { STEPS_MOST = 1 << 22 }; /* warp instructions of a student's line: a loop may never end */

/* ---- a question --------------------------------------------------------------------------- */

void quiz_begin(struct quiz_trial *t, const struct quiz_item *item, uint64_t seed)
{
    *t = (struct quiz_trial){.item = *item, .seed = seed};
    quiz_draw(item, seed, &t->values);
    quiz_order(item, seed, t->order);
}

void quiz_end(struct quiz_trial *t)
{
    struct buf *all[] = {&t->ran, &t->came, &t->found, &t->why, &t->objects};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        buf_free(all[i]);
}

void quiz_text(const struct quiz_trial *t, struct buf *out)
{
    quiz_fill(out, t->item.text, &t->values);
}

static int number_fits(const struct quiz_item *q, const char *answer, struct err *e)
{
    struct span range;
    struct err why;
    char text[64];
    long lo, hi;
    double v;
    if (num_real(answer, &v, &why) != 0)
        return fail(e, "the answer is a number, and `%.60s` is none", answer);
    if (!quiz_line(q->body, "range", 0, &range))
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)range.n, range.at);
    if (sscanf(text, "%ld..%ld", &lo, &hi) == 2 &&
        (v < (double)lo || v > (double)hi || !num_whole(v)))
        return fail(e, "the answer is a whole number from %ld to %ld", lo, hi);
    return 0;
}

/* An expression stands in a line between quotes. */
static int expression_fits(const char *answer, struct err *e)
{
    static const char marks[] = " _.+-*/%()<>=!&|^~?:,";
    for (const char *at = answer; *at; at++)
        if (!in_word(*at) && !strchr(marks, *at))
            return fail(e, "the answer is an expression in C, and it can't have `%c`",
                        (unsigned char)*at < ' ' || (unsigned char)*at > '~' ? '?' : *at);
    return 0;
}

int quiz_answer_fits(const struct quiz_trial *t, const char *answer, struct err *e)
{
    const unsigned choices = quiz_choices(&t->item);
    if (!*answer || strlen(answer) >= QUIZ_VALUE)
        return fail(e, "an answer has 1 to %d characters", QUIZ_VALUE - 1);
    switch (t->item.kind) {
    case QUIZ_CHOICE:
        if (answer[1] || answer[0] < 'a' || answer[0] >= (char)('a' + (int)choices))
            return fail(e, "the answer is a letter from a to %c", 'a' + (int)choices - 1);
        return 0;
    case QUIZ_EXPRESSION: return expression_fits(answer, e);
    case QUIZ_CODE:
        return strchr(answer, '\n') ? fail(e, "the answer is one line of CUDA C") : 0;
    default: return number_fits(&t->item, answer, e);
    }
}

bool quiz_closed(const struct shell *sh, const struct quiz_item *q)
{
    return q->kind == QUIZ_CODE && !(sh->programs && sh->programs->has_compiler(sh->safe));
}

/* ---- a session of its own ----------------------------------------------------------------- */

/* What the student's session has while the run has its own. */
struct quiz_aside {
    struct gpu_aside device;
    struct arrays *own;
    struct units *units;
    struct settings settings;
    struct last last;
    struct found found;
    struct modelled modelled;
    struct buf explain, tries;
    struct course_place course;
    unsigned alias_count;
    bool prompting;
};

static void set_up(struct settings *s, uint64_t seed, bool code)
{
    s->seed = seed;
    s->arch = 0;
    s->include[0] = s->define[0] = '\0';
    s->counters = s->volatile_on = false;
    snprintf(s->schedule, sizeof s->schedule, "lockstep");
    if (code && s->step_limit > STEPS_MOST)
        s->step_limit = STEPS_MOST;
}

static int put_aside(struct shell *sh, const struct quiz_trial *t, struct quiz_aside *a,
                     struct report *r)
{
    const struct device_props h100 = card_props(card_named("h100"));
    struct session *s = &sh->session;
    if (session_put_aside(s, &h100, &a->device, r) != 0)
        return -1;
    s->device->stop = &s->stop;
    s->device->progress = &s->progress;
    s->device->go_on = &s->go_on;
    a->own = s->own;
    a->units = s->units;
    a->settings = s->settings;
    a->last = sh->last;
    a->found = sh->found;
    a->modelled = sh->modelled;
    a->explain = sh->explain;
    a->tries = sh->tries;
    a->course = sh->course;
    a->alias_count = sh->alias_count;
    a->prompting = sh->prompting;
    s->own = NULL;
    s->units = NULL;
    sh->last = (struct last){.call = NULL};
    sh->found = (struct found){.command = NULL};
    sh->modelled = (struct modelled){.command = NULL};
    report_init(&sh->found.report);
    sh->explain = sh->tries = (struct buf){0};
    sh->alias_count = 0;
    sh->prompting = false; /* the course does not note what runs here */
    set_up(&s->settings, t->seed, t->item.kind == QUIZ_CODE);
    return 0;
}

static void take_back(struct shell *sh, struct quiz_aside *a)
{
    struct session *s = &sh->session;
    units_free(s);
    arrays_free(s);
    last_forget(&sh->last);
    found_forget(&sh->found);
    modelled_forget(&sh->modelled);
    report_free(&sh->found.report);
    buf_free(&sh->explain);
    buf_free(&sh->tries);
    session_take_gpu_back(s, &a->device);
    s->own = a->own;
    s->units = a->units;
    s->settings = a->settings;
    sh->last = a->last;
    sh->found = a->found;
    sh->modelled = a->modelled;
    sh->explain = a->explain;
    sh->tries = a->tries;
    sh->course = a->course;
    sh->alias_count = a->alias_count;
    sh->prompting = a->prompting;
}

/* ---- what runs ---------------------------------------------------------------------------- */

/* The kernel with the answer in the place of the word ANSWER. */
static void write_code(const struct quiz_trial *t, const char *answer, struct buf *out)
{
    static const char place[] = "ANSWER";
    struct span line;
    struct buf filled = {0};
    for (unsigned k = 0; quiz_line(t->item.body, "|", k, &line); k++) {
        buf_clear(&filled);
        quiz_fill(&filled, line, &t->values);
        const char *text = buf_text(&filled), *at = strstr(text, place);
        buf_add(out, text, at ? (size_t)(at - text) : strlen(text));
        if (at)
            buf_printf(out, "%s%s", answer, at + sizeof place - 1);
        buf_putc(out, '\n');
    }
    out->failed = out->failed || filled.failed;
    buf_free(&filled);
}

static void catch_line(struct shell *sh, const char *line, struct buf *objects)
{
    struct caught caught;
    caught_begin(&caught, sh);
    record_run(sh, line, &caught);
    buf_puts(objects, objects->len && caught.objects.len ? "," : "");
    buf_add(objects, buf_text(&caught.objects), caught.objects.len);
    objects->failed = objects->failed || caught.objects.failed;
    caught_free(&caught);
}

/* Runs the lines of a part of the entry. The objects of all commands are one array. */
static void run_part(struct shell *sh, struct quiz_trial *t, struct span body, const char *answer)
{
    struct buf code = {0}, line = {0};
    struct span run;
    buf_clear(&t->objects);
    buf_putc(&t->objects, '[');
    struct buf inside = {0};
    if (t->item.kind == QUIZ_CODE) {
        write_code(t, answer, &code);
        sh->example = &code;
        catch_line(sh, "load quiz:answer", &inside);
        sh->example = NULL;
    }
    for (unsigned k = 0; quiz_line(body, "run", k, &run); k++) {
        buf_clear(&line);
        quiz_fill(&line, run, &t->values);
        buf_printf(&t->ran, "%s%s", t->ran.len ? "; " : "", buf_text(&line));
        catch_line(sh, buf_text(&line), &inside);
    }
    buf_add(&t->objects, buf_text(&inside), inside.len);
    buf_putc(&t->objects, ']');
    t->objects.failed = t->objects.failed || inside.failed || code.failed || line.failed;
    t->values.objects = (struct span){buf_text(&t->objects), t->objects.len};
    buf_free(&inside);
    buf_free(&code);
    buf_free(&line);
}

/* ---- the verdict -------------------------------------------------------------------------- */

static void add_at(struct span object, const char *path, const char *before, struct buf *out)
{
    struct span value;
    if (json_at(object, path, &value)) {
        buf_puts(out, before);
        json_plain(value, out);
    }
}

/* What went wrong: a fault, or an error. */
static void say_failure(struct span object, struct buf *out)
{
    add_at(object, "faults.0.kind", "", out);
    if (out->len)
        add_at(object, "faults.0.message", ": ", out);
    else
        add_at(object, "error.message", "", out);
}

/* The entry's own words; else what the run itself says. */
static void say_outcome(struct quiz_trial *t, struct span body)
{
    struct span words, object, is;
    const bool failed = inner_failure(t->values.objects, &object);
    if (quiz_line(body, "then", 0, &words) && quiz_fill(&t->came, words, &t->values) &&
        !(failed && t->item.kind == QUIZ_CODE))
        return;
    buf_clear(&t->came);
    if (failed)
        say_failure(object, &t->came);
    else if (quiz_line(body, "is", 0, &is))
        buf_printf(&t->came, "the run says %s", buf_text(&t->found));
}

/* Is the answer this value of the run? */
static bool is_found(struct quiz_trial *t, struct span path, bool about)
{
    struct buf filled = {0}, rule = {0};
    struct span value;
    quiz_fill(&filled, path, &t->values);
    bool is = quiz_find(&t->values, (struct span){buf_text(&filled), filled.len}, &value);
    if (is)
        json_plain(value, &t->found);
    buf_printf(&rule, "{answer} %s %s", about ? "~" : "=", buf_text(&t->found));
    is = is && quiz_holds((struct span){buf_text(&rule), rule.len}, &t->values);
    buf_free(&filled);
    buf_free(&rule);
    return is;
}

static bool all_hold(struct quiz_trial *t, struct span body)
{
    struct span line;
    bool holds = true;
    for (unsigned k = 0; holds && quiz_line(body, "holds", k, &line); k++)
        holds = quiz_holds(line, &t->values);
    if (holds && quiz_line(body, "is", 0, &line)) {
        const struct span path = next_blank_word(&line);
        holds = is_found(t, path, same_text(trim(line), "about"));
    }
    return holds;
}

static void judge_part(struct shell *sh, struct quiz_trial *t, struct span body, const char *answer)
{
    struct span object;
    run_part(sh, t, body, answer);
    t->right = all_hold(t, body) && !(t->item.kind == QUIZ_CODE && inner_failure(t->values.objects, &object));
    say_outcome(t, body);
}

/* Which choice has the least or the greatest value, where the entry asks for that. */
static void judge_extremes(struct shell *sh, struct quiz_trial *t, unsigned chosen,
                           struct span path, bool least)
{
    const unsigned choices = quiz_choices(&t->item);
    double best = 0, own = 0;
    bool any = false, known = false;
    for (unsigned k = 0; k < choices; k++) {
        struct span text, body, value;
        struct buf number = {0};
        struct err ignored;
        double v;
        quiz_choice(&t->item, k, &text, &body);
        run_part(sh, t, body, "");
        if (quiz_find(&t->values, path, &value))
            json_plain(value, &number);
        if (num_real(buf_text(&number), &v, &ignored) == 0) {
            buf_puts(&t->came, t->came.len ? "; " : "");
            quiz_fill(&t->came, text, &t->values);
            buf_printf(&t->came, ": %.8g", v);
            own = k == chosen ? v : own;
            known = known || k == chosen;
            best = !any || (least ? v < best : v > best) ? v : best;
            any = true;
        }
        buf_free(&number);
    }
    t->right = known && own <= best && own >= best;
}

static void judge(struct shell *sh, struct quiz_trial *t, const char *answer)
{
    struct span text, body = t->item.body, path;
    unsigned chosen = 0;
    char next[32];
    struct err ignored;
    int64_t n;
    quiz_put(&t->values, "answer", answer);
    if (num_int(answer, -INT32_MAX, INT32_MAX, &n, &ignored) == 0) {
        snprintf(next, sizeof next, "%lld", (long long)n - 1);
        quiz_put(&t->values, "less", next);
        snprintf(next, sizeof next, "%lld", (long long)n + 1);
        quiz_put(&t->values, "more", next);
    }
    if (t->item.kind == QUIZ_CHOICE) {
        chosen = t->order[answer[0] - 'a'];
        quiz_choice(&t->item, chosen, &text, &body);
    }
    if (quiz_line(t->item.body, "least", 0, &path))
        judge_extremes(sh, t, chosen, path, true);
    else if (quiz_line(t->item.body, "most", 0, &path))
        judge_extremes(sh, t, chosen, path, false);
    else
        judge_part(sh, t, body, answer);
    if (t->right && quiz_line(t->item.body, "why", 0, &text))
        quiz_fill(&t->why, text, &t->values);
}

int quiz_try(struct shell *sh, struct quiz_trial *t, const char *answer, struct report *r)
{
    struct quiz_aside aside;
    const bool skip = sh->record.skip;
    if (put_aside(sh, t, &aside, r) != 0)
        return -1;
    judge(sh, t, answer);
    take_back(sh, &aside);
    sh->no_object = false;
    sh->record.skip = skip;
    if (sh->session.stop)
        return report_fail(r, "stopped before the answer was checked");
    if (t->objects.failed || t->came.failed || t->ran.failed)
        return report_fail_limit(r, "out of memory");
    return session_goes_on(&sh->session, "the answer was not checked", r);
}
