/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of an exercise: one function for each word that a line can begin with, and one table of
 * them. The first line says the kind. What belongs to the arguments of the kernel is in
 * exercise-inputs.c, and what belongs to testcases in exercise-test.c.
 */
#include "dev/cards.h"
#include "grade/exercise.h"

#include "base/near.h"
#include "command/command.h"
#include "os/file.h"
#include "screen/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const exercise_kinds[EXERCISE_KINDS + 1] = {"kernel", "program", "configuration",
                                                        "question", "script"};

/* ---- what is wrong ------------------------------------------------------------------------ */

void exercise_complain(struct exercise *x, const struct err *e)
{
    const struct span line = line_at((struct span){buf_text(&x->text), x->text.len}, e->line);
    if (e->line)
        buf_printf(&x->errors, "%s:%d: %s\n", x->path, e->line, e->text);
    else
        buf_printf(&x->errors, "%s: %s\n", x->path, e->text);
    x->error_count++;
    if (!e->line || !line.n)
        return;
    buf_puts(&x->errors, "  ");
    buf_add(&x->errors, line.at, line.n);
    buf_puts(&x->errors, "\n  ");
    for (int k = 1; k < e->column && (size_t)k <= line.n; k++)
        buf_putc(&x->errors, line.at[k - 1] == '\t' ? '\t' : ' ');
    buf_puts(&x->errors, "^\n");
}

/* The error of a part of a statement, in the whole file. */
static void place_error(const struct statement *st, struct err *e)
{
    e->line = st->line;
    e->column = st->column + (e->column ? e->column - 1 : 0);
}

void *exercise_add(struct exercise *x, void *array, unsigned *count, size_t size)
{
    void **items = array;
    if ((*count & (*count - 1)) == 0) { /* full at each power of two */
        void *more = arena_alloc(&x->memory, size * (*count ? 2 * *count : 1));
        if (!more)
            return NULL;
        if (*count)
            memcpy(more, *items, size * *count);
        *items = more;
    }
    return (char *)*items + size * (*count)++;
}

/* ---- words of a line ---------------------------------------------------------------------- */

struct exercise_reading exercise_reading(struct exercise *x, const struct statement *st,
                                         struct err *e)
{
    struct exercise_reading in = {.x = x, .at = st, .e = e};
    in.r = (struct script_reading){.text = st->text, .e = e, .at = strcspn(st->text, " \t")};
    return in;
}

char *exercise_copy(struct exercise_reading *in, const char *text, size_t n)
{
    char *copy = arena_text(&in->x->memory, text, n);
    if (!copy)
        fail_memory(in->e);
    return copy;
}

char *exercise_word(struct exercise_reading *in)
{
    reading_skip(&in->r);
    const char *text = in->r.text + in->r.at;
    const size_t n = strcspn(text, " \t");
    in->r.at += n;
    return n ? exercise_copy(in, text, n) : NULL;
}

char *exercise_rest(struct exercise_reading *in)
{
    reading_skip(&in->r);
    const char *text = in->r.text + in->r.at;
    const size_t n = strlen(text);
    in->r.at += n;
    return n ? exercise_copy(in, text, n) : NULL;
}

/* Its $ are left for later. */
char *exercise_quoted(struct exercise_reading *in, const char *what)
{
    struct buf text = {0};
    if (!reading_quoted(&in->r)) {
        fail_at(in->e, 0, (int)in->r.at + 1, "%s is a text in quotes", what);
        return NULL;
    }
    const char quote = in->r.text[in->r.at++];
    for (; in->r.text[in->r.at] && in->r.text[in->r.at] != quote; in->r.at++) {
        const char *at = in->r.text + in->r.at;
        const bool pair = at[0] == '\\' && (at[1] == '"' || at[1] == '\\');
        buf_putc(&text, at[pair]);
        in->r.at += pair;
    }
    char *copy = NULL;
    if (!in->r.text[in->r.at])
        fail_at(in->e, 0, (int)in->r.at, "this quote is not closed");
    else
        copy = exercise_copy(in, buf_text(&text), text.len);
    in->r.at++;
    buf_free(&text);
    return copy;
}

int exercise_number(struct exercise_reading *in, struct exercise_number *out)
{
    struct value v;
    reading_skip(&in->r);
    const size_t at = in->r.at;
    in->r.script = &in->empty;
    const int rc = reading_value(&in->r, &v);
    if (rc != 0)
        return rc < 0 ? -1 : fail_at(in->e, 0, (int)at + 1, "a number is missing here");
    const bool number = value_is_number(&v);
    *out = (struct exercise_number){.whole = v.type == VALUE_WHOLE, .i = v.whole,
                                    .real = value_real(&v)};
    value_free(&v);
    return number ? 0 : fail_at(in->e, 0, (int)at + 1, "this is not a number");
}

int exercise_whole(struct exercise_reading *in, int64_t lo, int64_t hi, const char *what,
                   int64_t *out)
{
    struct exercise_number n;
    reading_skip(&in->r);
    const size_t at = in->r.at;
    if (exercise_number(in, &n) != 0)
        return -1;
    *out = n.i;
    return n.whole && n.i >= lo && n.i <= hi
               ? 0 : fail_at(in->e, 0, (int)at + 1, "%s is a whole number of %lld or more", what,
                             (long long)lo);
}

static int at_end(struct exercise_reading *in)
{
    return reading_ends(&in->r);
}

bool exercise_is_name(const char *text)
{
    size_t n = 0;
    while (in_word(text[n]))
        n++;
    return n && !text[n] && !is_digit(text[0]);
}

/* ---- the first line ----------------------------------------------------------------------- */

static int read_kind(struct exercise_reading *in, const char *word)
{
    struct near near = {.word = word};
    for (int k = 0; k < EXERCISE_KINDS; k++) {
        if (strcmp(exercise_kinds[k], word) == 0) {
            in->x->kind = (enum exercise_kind)k;
            return 0;
        }
        near_try(&near, exercise_kinds[k]);
    }
    return near.best ? fail(in->e, "there is no kind `%.40s`: did you mean %s?", word, near.best)
                     : fail(in->e, "there is no kind `%.40s`: write kernel, program, configuration, "
                            "question or script", word);
}

/* exercise NAME KIND [SIGNATURE] */
static int read_header(struct exercise *x, const struct statement *st, struct err *e)
{
    struct exercise_reading in = exercise_reading(x, st, e);
    const char *kind = NULL;
    x->name = exercise_word(&in);
    reading_skip(&in.r);
    const size_t at = in.r.at;
    if (x->name)
        kind = exercise_word(&in);
    if (!kind)
        return fail(e, "an exercise begins with its name and its kind, as in exercise saxpy kernel "
                    "saxpy(int n, float *y)");
    if (read_kind(&in, kind) != 0) {
        e->column = (int)at + 1;
        return -1;
    }
    reading_skip(&in.r);
    return x->kind == EXERCISE_KERNEL ? exercise_read_signature(&in, in.r.text + in.r.at)
                                      : at_end(&in);
}

/* ---- the other lines ---------------------------------------------------------------------- */

static int add_text(struct exercise_reading *in, struct exercise_texts *texts, const char *text)
{
    const char **to = text ? exercise_add(in->x, &texts->text, &texts->count, sizeof *to) : NULL;
    if (!to)
        return text ? fail_memory(in->e) : -1;
    *to = text;
    return 0;
}

static int read_say(struct exercise_reading *in)
{
    return add_text(in, &in->x->say, exercise_quoted(in, "what the exercise says")) ||
                   at_end(in) != 0 ? -1 : 0;
}

static int read_seed(struct exercise_reading *in)
{
    int64_t seed;
    if (exercise_whole(in, 0, INT64_MAX, "a seed", &seed) != 0)
        return -1;
    in->x->seed = (uint64_t)seed;
    return at_end(in);
}

static int read_launch(struct exercise_reading *in)
{
    struct exercise *x = in->x;
    reading_skip(&in->r);
    x->launch_line = in->at->line;
    x->launch_column = in->at->column + (int)in->r.at;
    const int column = (int)in->r.at + 1;
    if (x->launch || x->by_hand_in)
        return fail(in->e, "the exercise has its launch already");
    const char *text = exercise_rest(in);
    x->by_hand_in = text && strcmp(text, "by hand-in") == 0;
    if (x->by_hand_in)
        return 0;
    x->launch = text;
    return text && strstr(text, "<<<") && strstr(text, ">>>")
               ? 0 : fail_at(in->e, 0, column, "launch needs <<<GRID, BLOCK>>>, or `by hand-in`");
}

static int read_source(struct exercise_reading *in)
{
    if (in->x->source)
        return fail(in->e, "the exercise has its source already");
    in->x->source = exercise_read_path(in);
    return in->x->source ? at_end(in) : -1;
}

static int read_devices(struct exercise_reading *in)
{
    const char *word;
    while ((word = exercise_word(in)) != NULL) {
        if (!card_simulated(word, in->e)) {
            in->e->column = (int)(in->r.at - strlen(word)) + 1;
            return -1;
        }
        if (add_text(in, &in->x->devices, word) != 0)
            return -1;
    }
    return in->x->devices.count ? 0 : fail(in->e, "devices needs names of cards, as in devices h100 "
                                           "t4");
}

/* ignore KIND... */
static int read_ignored(struct exercise_reading *in)
{
    for (reading_skip(&in->r); in->r.text[in->r.at]; reading_skip(&in->r)) {
        const int column = (int)in->r.at + 1;
        const char *word = exercise_word(in);
        const struct fault_kind *kind = word ? fault_kind_named(word) : NULL;
        struct near near = {.word = word ? word : ""};
        for (const struct fault_kind *k = fault_kinds; k->name; k++)
            if (!k->ends)
                near_try(&near, k->name);
        if (kind && kind->ends)
            return fail_at(in->e, 0, column, "%s can't be ignored: it ends the launch or the program",
                           word);
        if (!kind)
            return near.best ? fail_at(in->e, 0, column, "there is no finding `%.60s`: did you mean "
                                       "%s?", near.word, near.best)
                             : fail_at(in->e, 0, column, "there is no finding `%.60s`; `help faults` "
                                       "and `help host-mistakes` list them", near.word);
        if (add_text(in, &in->x->ignored, word) != 0)
            return -1;
    }
    return in->x->ignored.count ? 0 : fail(in->e, "ignore needs a finding, as in ignore not-freed");
}

/* draw NAME A..B [step S] */
static int read_draw(struct exercise_reading *in)
{
    struct exercise *x = in->x;
    struct exercise_draw d = {.step = 1, .name = exercise_word(in)};
    if (!d.name || !exercise_is_name(d.name))
        return fail(in->e, "draw needs a name and a range, as in draw s 2..33");
    for (unsigned i = 0; i < x->draw_count; i++)
        if (strcmp(x->draw[i].name, d.name) == 0)
            return fail(in->e, "%.60s is drawn already; each number needs a name of its own", d.name);
    if (exercise_whole(in, INT64_MIN / 4, INT64_MAX / 4, "the end of a range", &d.from) != 0)
        return -1;
    reading_skip(&in->r);
    if (strncmp(in->r.text + in->r.at, "..", 2) != 0)
        return fail_at(in->e, 0, (int)in->r.at + 1, "a range needs .. between its ends, as in 2..33");
    in->r.at += 2;
    if (exercise_whole(in, d.from, INT64_MAX / 4, "the end of a range", &d.to) != 0)
        return -1;
    const char *word = exercise_word(in);
    if (word && (strcmp(word, "step") != 0 ||
                 exercise_whole(in, 1, INT64_MAX / 4, "a step", &d.step) != 0))
        return in->e->text[0] ? -1 : fail(in->e, "behind a range only a step can follow, as in step "
                                          "32");
    struct exercise_draw *to = exercise_add(x, &x->draw, &x->draw_count, sizeof d);
    if (!to)
        return fail_memory(in->e);
    *to = d;
    return at_end(in);
}

/* ask "TEXT" as NAME [word] */
static int read_ask(struct exercise_reading *in)
{
    struct exercise *x = in->x;
    struct exercise_ask a = {.text = exercise_quoted(in, "a question")};
    const char *as = a.text ? exercise_word(in) : NULL;
    a.answer = as ? exercise_word(in) : NULL;
    if (!a.text)
        return -1;
    if (!a.answer || strcmp(as, "as") != 0 || !exercise_is_name(a.answer))
        return fail(in->e, "a question needs a name for its answer, as in ask \"...\" as degree");
    for (unsigned i = 0; i < x->ask_count; i++)
        if (strcmp(x->ask[i].answer, a.answer) == 0)
            return fail(in->e, "another question has the answer %.60s; each needs a name of its own",
                        a.answer);
    const char *word = exercise_word(in);
    a.word = word && strcmp(word, "word") == 0;
    if (word && !a.word)
        return fail(in->e, "behind the answer's name only `word` can follow: the answer is a word");
    struct exercise_ask *to = exercise_add(x, &x->ask, &x->ask_count, sizeof a);
    if (!to)
        return fail_memory(in->e);
    *to = a;
    return at_end(in);
}

enum { MEMORY_LEAST = 1 << 28 };

/* limit steps N, limit time S, limit memory N, limit output N */
static int read_limit(struct exercise_reading *in)
{
    struct exercise_limits *l = &in->x->limits;
    struct exercise_number n;
    const char *what = exercise_word(in);
    const bool time = what && strcmp(what, "time") == 0;
    uint64_t *to = !what                          ? NULL
                   : strcmp(what, "steps") == 0   ? &l->steps
                   : strcmp(what, "memory") == 0  ? &l->memory
                   : strcmp(what, "output") == 0  ? &l->output
                                                  : NULL;
    if (!to && !time)
        return fail(in->e, "limit needs steps, time, memory or output, and a number");
    reading_skip(&in->r);
    const int column = (int)in->r.at + 1;
    if (exercise_number(in, &n) != 0)
        return -1;
    if (!(n.real > 0) || !(n.real < 1e15) || (to && !n.whole))
        return fail_at(in->e, 0, column, "a limit is a number above 0");
    if (to == &l->memory && n.i < MEMORY_LEAST)
        return fail_at(in->e, 0, column, "a worker and its compiler need at least 256M of memory");
    if (time)
        l->seconds = n.real;
    else
        *to = (uint64_t)n.i;
    return at_end(in);
}

enum { FOR_KERNELS = 1 << EXERCISE_KERNEL, FOR_LAUNCHES = FOR_KERNELS | 1 << EXERCISE_CONFIGURATION,
       FOR_QUESTIONS = 1 << EXERCISE_QUESTION, FOR_ALL = (1 << EXERCISE_KINDS) - 1 };

static const struct exercise_line {
    const char *word;
    int kinds;
    int (*read)(struct exercise_reading *);
} lines[] = {{"say", FOR_ALL, read_say},
             {"seed", FOR_ALL, read_seed},
             {"input", FOR_LAUNCHES, exercise_read_input},
             {"sizes", FOR_LAUNCHES, exercise_read_sizes},
             {"launch", FOR_KERNELS, read_launch},
             {"reference", FOR_LAUNCHES, exercise_read_reference},
             {"source", 1 << EXERCISE_CONFIGURATION, read_source},
             {"devices", FOR_ALL & ~FOR_QUESTIONS, read_devices},
             {"ignore", FOR_ALL & ~FOR_QUESTIONS, read_ignored},
             {"draw", FOR_QUESTIONS, read_draw},
             {"ask", FOR_QUESTIONS, read_ask},
             {"limit", FOR_ALL, read_limit}};

static int read_line(struct exercise *x, const struct statement *st, struct err *e)
{
    const struct span word = {st->text, strcspn(st->text, " \t")};
    char typed[40];
    struct near near = {.word = typed};
    struct exercise_reading in = exercise_reading(x, st, e);
    snprintf(typed, sizeof typed, "%.*s", (int)(word.n < 39 ? word.n : 39), word.at);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (same_text(word, lines[i].word))
            return lines[i].kinds & 1 << x->kind
                       ? lines[i].read(&in)
                       : fail(e, "`%s` has no meaning in an exercise of the kind %s", typed,
                              exercise_kinds[x->kind]);
        near_try(&near, lines[i].word);
    }
    near_try(&near, "testcase");
    if (near.best)
        return fail(e, "an exercise has no line `%s`: did you mean %s?", typed, near.best);
    return fail(e, "an exercise has no line `%s`; `help exercise` lists them", typed);
}

/* ---- the whole file ----------------------------------------------------------------------- */

/* All that must be there, whatever the lines say. */
static void check_whole(struct exercise *x)
{
    const struct err none = {.line = 1};
    struct err e = none;
    for (unsigned i = 0; i < x->parameter_count; i++) {
        const struct exercise_parameter *p = &x->parameter[i];
        bool given = false;
        for (unsigned k = 0; k < x->array_count; k++)
            given |= strcmp(x->array[k].name, p->name) == 0;
        for (unsigned k = 0; k < x->scalar_count; k++)
            given |= strcmp(x->scalar[k].name, p->name) == 0;
        if (!given) {
            fail_at(&e, 1, 1, p->pointer ? "the parameter %s has no `input %s[COUNT] FILL`"
                                         : "the parameter %s has no value: write `input %s VALUE` or "
                                           "`sizes`", p->name, p->name);
            exercise_complain(x, &e);
        }
    }
    e = none;
    if (x->kind == EXERCISE_KERNEL && !x->launch && !x->by_hand_in)
        fail_at(&e, 1, 1, "the exercise has no launch: write `launch <<<GRID, BLOCK>>>` or `launch "
                "by hand-in`");
    else if (x->kind == EXERCISE_CONFIGURATION && !x->source)
        fail_at(&e, 1, 1, "the exercise has no `source FILE` with the kernel that is launched");
    else if (x->kind == EXERCISE_QUESTION && !x->ask_count)
        fail_at(&e, 1, 1, "the exercise asks nothing: write `ask \"QUESTION\" as NAME`");
    else if (!x->test_count)
        fail_at(&e, 1, 1, "the exercise has no testcase");
    if (e.text[0])
        exercise_complain(x, &e);
}

static bool is_bare(struct span line)
{
    line = trim(line);
    return !line.n || line.at[0] == '#';
}

/* The first line and the last one hold the others, which are a script for its reader. */
static int split_file(struct exercise *x, struct span *header, int *header_line, struct span *inner,
                      struct err *e)
{
    struct span rest = {buf_text(&x->text), x->text.len}, line, last = {NULL, 0};
    int number = 0, last_line = 0;
    char typed[20] = "";
    *header = (struct span){NULL, 0};
    while (next_line(&rest, &line)) {
        number++;
        if (is_bare(line))
            continue;
        if (!header->at) {
            *header = trim(line);
            *header_line = number;
            inner->at = rest.at;
        } else {
            last = line;
            last_line = number;
        }
    }
    struct span words = *header;
    const struct span first = next_blank_word(&words);
    snprintf(typed, sizeof typed, "%.*s", first.n < sizeof typed ? (int)first.n : 0, first.at);
    if (header->at && !same_text(first, "exercise") && near_distance(typed, "exercise", 2) <= 2)
        return fail_at(e, *header_line, 1, "an exercise begins with a line `exercise NAME KIND`, and not "
                       "with `%s`: did you mean exercise?", typed);
    if (!header->at || !same_text(first, "exercise"))
        return fail_at(e, header->at ? *header_line : 1, 1, "an exercise begins with a line "
                       "`exercise NAME KIND`, as in exercise saxpy kernel saxpy(int n, float *y)");
    struct span end = last;
    const char *comment = end.n ? memchr(end.at, '#', end.n) : NULL;
    if (comment)
        end.n = (size_t)(comment - end.at);
    end = trim(end);
    snprintf(typed, sizeof typed, "%.*s", end.n < sizeof typed ? (int)end.n : 0, end.at);
    if (!same_text(end, "end"))
        return fail_at(e, last_line ? last_line : *header_line, 1, "an exercise ends with a line "
                       "`end`%s", near_distance(typed, "end", 1) <= 1 ? ": did you mean end?" : "");
    inner->n = (size_t)(last.at - inner->at);
    return 0;
}

static void read_all(struct exercise *x, const struct statements *all)
{
    for (unsigned at = 0; at < all->count;) {
        const struct statement *st = &all->all[at];
        struct err e = {0};
        const bool test = st->kind == STATEMENT_TESTCASE;
        int rc;
        if (test)
            rc = exercise_read_test(x, all, at, &e);
        else if (st->kind == STATEMENT_COMMAND)
            rc = read_line(x, st, &e);
        else
            rc = fail(&e, "this belongs into a testcase");
        if (rc != 0) {
            if (!e.line)
                place_error(st, &e);
            exercise_complain(x, &e);
        }
        at = st->kind == STATEMENT_COMMAND ? at + 1 : st->next + (test || st->kind == STATEMENT_REPEAT);
    }
}

static int read_text(struct exercise *x, struct err *e)
{
    struct span header, inner = {NULL, 0};
    struct statements head = {0}, all = {0};
    int line = 1;
    if (memchr(buf_text(&x->text), '\0', x->text.len))
        return fail_at(e, 1, 1, "this is not a text: it has a NUL byte");
    if (split_file(x, &header, &line, &inner, e) != 0)
        return -1;
    int rc = statements_add(&head, header.at, header.n, line, 1, e);
    if (rc == 0 && (rc = read_header(x, &head.all[0], e)) != 0)
        place_error(&head.all[0], e);
    if (rc == 0)
        rc = statements_read(&all, inner.at, inner.n, line + 1, e);
    if (rc == 0)
        rc = statements_ended(&all, e);
    if (rc == 0) {
        read_all(x, &all);
        if (!x->error_count)
            check_whole(x);
    }
    statements_free(&head);
    statements_free(&all);
    return rc;
}

int exercise_fail(const struct exercise *x, struct err *e)
{
    return fail(e, "%s has %u mistake%s", x->path, x->error_count, x->error_count == 1 ? "" : "s");
}

int exercise_read(struct exercise *x, const char *path, struct err *e)
{
    *x = (struct exercise){.path = path, .seed = 1};
    if (file_read(path, EXERCISE_FILE_MOST, &x->text, e) != 0)
        return -1;
    *e = (struct err){0};
    if (read_text(x, e) != 0)
        exercise_complain(x, e);
    if (x->errors.failed)
        return fail_memory(e);
    return x->error_count ? exercise_fail(x, e) : 0;
}

void exercise_free(struct exercise *x)
{
    for (unsigned i = 0; i < x->test_count; i++)
        statements_free(&x->test[i].body);
    buf_free(&x->text);
    buf_free(&x->errors);
    arena_free(&x->memory);
}
