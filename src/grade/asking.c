/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands to a worker, and what its answers mean. Whatever an answer lacks, or has in another form
 * than cudalab writes it, is an answer of a worker that was taken over: it counts as garbage.
 */
#include "base/json-find.h"
#include "command/command.h"
#include "grade/grading.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    CHUNK = 1 << 16,      /* elements that a worker prints at once under --safe */
    LEAST_CHUNK = 1 << 10 /* and those that it prints whatever the limit of its output is */
};
#define STEPS (UINT64_C(1) << 26)
#define OUTPUT (UINT64_C(256) << 20) /* of a session, for what the hand-in prints */

void grader_options(const struct grading *g, const char *device, struct grader_options *o)
{
    const struct exercise_limits *l = &g->x->limits;
    unsigned k = 0;
    snprintf(o->device, sizeof o->device, "sim%s%.50s", device ? ":" : "", device ? device : "");
    snprintf(o->steps, sizeof o->steps, "%" PRIu64, l->steps ? l->steps : STEPS);
    snprintf(o->output, sizeof o->output, "%" PRIu64,
             (l->output ? l->output : OUTPUT) + g->array_text);
    o->word[k++] = "--device";
    o->word[k++] = o->device;
    o->word[k++] = "--step-limit";
    o->word[k++] = o->steps;
    o->word[k++] = "--output-limit";
    o->word[k++] = o->output;
    o->word[k++] = "--threads";
    o->word[k++] = "1"; /* several hand-ins run side by side */
    o->word[k] = NULL;
}

/* A worker that does not answer before it has seen the hand-in is no fault of the hand-in. */
int asked_start(struct grader_worker *a, struct err *e)
{
    struct buf answer = {0}, why = {0};
    struct span object;
    asked_stop(a);
    a->started = true;
    int rc = worker_start(&a->worker, &a->want, e);
    if (rc == 0 && !asked_do(a, "echo ready", &answer, &object)) {
        worker_say(&a->worker, &why);
        rc = fail(e, "the process for a hand-in can't work: %.200s. It said: %.200s", buf_text(&why),
                  buf_text(&a->worker.said));
    }
    buf_free(&answer);
    buf_free(&why);
    return rc;
}

void asked_stop(struct grader_worker *a)
{
    if (a->started)
        worker_stop(&a->worker);
    a->started = false;
}

bool asked_lives(const struct grader_worker *a)
{
    return a->started && a->worker.end == WORKER_ANSWERED;
}

enum mark_cause asked_cause(const struct grader_worker *a, struct buf *why)
{
    const enum worker_end end = a->worker.end;
    buf_puts(why, "The process that runs your hand-in gave no answer: ");
    worker_say(&a->worker, why);
    buf_puts(why, ".\n");
    return end == WORKER_OUT_OF_TIME || end == WORKER_OUT_OF_CPU || end == WORKER_FLOODED ||
                   end == WORKER_SPENT ||
                   (end == WORKER_DIED && a->worker.code == SIGKILL)
               ? MARK_LIMIT : MARK_FAULT;
}

/* ---- objects ------------------------------------------------------------------------------ */

bool json_is(struct span object, const char *path, const char *value)
{
    struct buf text = {0};
    json_text_at(object, path, &text);
    const bool is = strcmp(buf_text(&text), value) == 0;
    buf_free(&text);
    return is;
}

void json_text_at(struct span object, const char *path, struct buf *out)
{
    struct span value;
    if (json_at(object, path, &value))
        json_string(value, out);
}

bool json_whole_at(struct span object, const char *path, uint64_t *out)
{
    struct span value;
    if (!json_at(object, path, &value) || !value.n || value.n > 20 || !is_digit(value.at[0]))
        return false;
    *out = 0;
    for (size_t i = 0; i < value.n; i++) {
        if (!is_digit(value.at[i]) || *out > UINT64_MAX / 10 - 1)
            return false;
        *out = 10 * *out + (uint64_t)(value.at[i] - '0');
    }
    return true;
}

void put_quoted(struct buf *out, const char *text)
{
    buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\' || *text == '$')
            buf_putc(out, '\\');
        buf_putc(out, *text);
    }
    buf_putc(out, '"');
}

bool asked_do(struct grader_worker *a, const char *commands, struct buf *answer, struct span *last)
{
    bool well = true;
    buf_clear(answer);
    *last = SPAN("");
    if (!asked_lives(a) ||
        worker_ask(&a->worker, (struct span){commands, strlen(commands)}, answer) != WORKER_ANSWERED)
        return false;
    struct span rest = {buf_text(answer), answer->len}, line;
    while (next_line(&rest, &line)) {
        *last = line;
        well = json_is(line, "status", "ok");
        if (!well)
            break;
    }
    return well && last->n;
}

/* ---- what makes its state again ------------------------------------------------------------ */

void asked_runs(struct grader_worker *a, const char *commands)
{
    const size_t n = strlen(commands);
    struct err ignored;
    size_t end;
    int mark = ';';
    for (size_t at = 0; a->lines && mark == ';'; at = end + 1) {
        mark = words_end(commands, n, at, &end, &ignored);
        const struct span one = mark < 0 ? (struct span){"", 0}
                                         : trim((struct span){commands + at, end - at});
        buf_add(&a->lines->text, one.at, one.n);
        buf_puts(&a->lines->text, one.n ? "\n" : "");
    }
}

void asked_begins_run(struct grader_worker *a)
{
    if (a->lines && a->lines->text.len > a->lines->loaded) {
        a->lines->text.len = a->lines->loaded;
        a->lines->text.data[a->lines->loaded] = '\0';
    }
}

void asked_loads(struct grader_worker *a, const char *command)
{
    if (!a->lines)
        return;
    buf_clear(&a->lines->text);
    asked_runs(a, command);
    a->lines->loaded = a->lines->text.len;
}

/* ---- what went wrong ---------------------------------------------------------------------- */

/* The kinds of all faults, or the message of the error, or the whole log of a compiler. */
void asked_say(struct span object, struct buf *out)
{
    struct span list, item;
    bool said = false;
    if (json_at(object, "result.log", &list))
        for (struct json_walk w = json_walk(list); json_next_element(&w, &item); said = true) {
            json_string(item, out);
            buf_putc(out, '\n');
        }
    if (!said && json_at(object, "faults", &list))
        for (struct json_walk w = json_walk(list); json_next_element(&w, &item); said = true) {
            json_text_at(item, "kind", out);
            buf_puts(out, ": ");
            json_text_at(item, "message", out);
            buf_putc(out, '\n');
        }
    if (!said && json_at(object, "error.message", &item)) {
        json_string(item, out);
        buf_putc(out, '\n');
    }
}

/* ---- arrays ------------------------------------------------------------------------------- */

static int take_element(enum element type, struct span text, unsigned char *to)
{
    char word[NUM_TEXT];
    struct err ignored;
    if (text.n >= 2 && text.at[0] == '"')
        text = (struct span){text.at + 1, text.n - 2};
    if (!text.n || text.n >= sizeof word)
        return -1;
    memcpy(word, text.at, text.n);
    word[text.n] = '\0';
    return element_parse(type, word, to, &ignored);
}

static int take_elements(struct span object, const char *name, enum element type, uint64_t lo,
                         uint64_t n, unsigned char *to)
{
    const size_t size = element_size(type);
    struct span values, item;
    uint64_t first, last, taken = 0;
    if (!json_is(object, "result.name", name) ||
        !json_is(object, "result.type", element_names[type]) ||
        !json_whole_at(object, "result.lo", &first) || first != lo ||
        !json_whole_at(object, "result.hi", &last) || last != lo + n - 1 ||
        !json_at(object, "result.values", &values))
        return -1;
    for (struct json_walk w = json_walk(values); json_next_element(&w, &item); taken++)
        if (taken == n || take_element(type, item, to + taken * size) != 0)
            return -1;
    return taken == n ? 0 : -1;
}

int asked_array(struct grader_worker *a, const char *name, enum element type, uint64_t count,
                unsigned char *to, struct err *e)
{
    struct buf answer = {0};
    char command[LAUNCH_NAME + 80];
    int rc = 0;
    uint64_t most = CHUNK, n;
    for (uint64_t lo = 0; rc == 0 && lo < count; lo += n) {
        struct span object;
        n = count - lo < most ? count - lo : most;
        snprintf(command, sizeof command, "print %s[%" PRIu64 "..%" PRIu64 "]", name, lo, lo + n - 1);
        if (!asked_do(a, command, &answer, &object)) {
            struct buf why = {0};
            if (n > LEAST_CHUNK && asked_lives(a) && json_is(object, "cause", "limit")) {
                most = LEAST_CHUNK;
                n = 0;
                continue;
            }
            asked_say(object, &why);
            rc = fail(e, "%.300s can't be read: %.200s", name, buf_text(&why));
            buf_free(&why);
        } else if (take_elements(object, name, type, lo, n, to + lo * element_size(type)) != 0)
            rc = fail(e, "the elements of %.300s are not what was asked for", name);
    }
    buf_free(&answer);
    return rc;
}
