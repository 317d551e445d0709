/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every lab does with the options that labs share, its host calls and its explanation. The
 * labs themselves are in src/labs.
 */
#include "labkit/lab.h"
#include "base/lines.h"
#include "base/philox.h"
#include "os/bug.h"
#include "text/explain.h"

#include <stdio.h>
#include <string.h>

void lab_extras(const struct session *s, const struct lab_options *o,
                const struct launch_result *result, struct report *r)
{
    if (o->trace)
        say_trace(r, result, 0);
    say_time(r, result);
    lab_counters(s, o, result, r);
}

void lab_counters(const struct session *s, const struct lab_options *o,
                  const struct launch_result *result, struct report *r)
{
    if (result->has_counters && (o->counters || s->settings.counters))
        say_counters(r, &result->counters);
}

void lab_explain(struct report *r, const char *file, const char *which, const struct fact *facts,
                 const void *found)
{
    struct slots s = {0};
    if (facts)
        slots_facts(&s, facts, found);
    lab_explain_slots(r, file, which, &s);
}

void lab_explain_slots(struct report *r, const char *file, const char *which, const struct slots *s)
{
    if (explain_why(r, file, which, s) || explain_try(r, file, which, s))
        bug("help/%s.txt lacks why or try for %s", file, which);
}

/* ---- host calls ------------------------------------------------------------------------- */

struct host_call {
    struct span call, moves, waits;
};

/* The text behind `mark`, where the line begins with it. */
static bool take_marked(struct span line, const char *mark, struct span *text)
{
    const size_t n = strlen(mark);
    if (!begins(line, mark))
        return false;
    *text = (struct span){line.at + n, line.n - n};
    return true;
}

/* Who waits is said of each call, and said last. */
static bool next_call(struct span *rest, struct host_call *c)
{
    struct span line;
    *c = (struct host_call){0};
    while (!c->waits.n && next_line(rest, &line))
        if (line.n && !take_marked(line, "  moves: ", &c->moves) &&
            !take_marked(line, "  waits: ", &c->waits))
            c->call = line;
    return c->waits.n > 0;
}

static void put_call(struct json *j, const char *key, struct span text)
{
    char line[200];
    snprintf(line, sizeof line, "%.*s", (int)text.n, text.at);
    if (text.n)
        json_text(j, key, line);
}

/* Its number, and the call; a long one goes on in the next line, at a blank. */
static void say_call(struct report *r, unsigned i, struct span call)
{
    enum { BEFORE = 5, FURTHER = 2 }; /* remarks are set in by both */
    struct buf wrapped = {0};
    struct span rest, line;
    text_wrap(&wrapped, call.at, call.n, r->width - BEFORE, FURTHER);
    rest = (struct span){buf_text(&wrapped), wrapped.len};
    for (bool first = true; next_line(&rest, &line); first = false) {
        if (first)
            say(r, "%3u  ", i);
        else
            say(r, "%*s", BEFORE, "");
        say_in(r, INK_COMMAND, "%.*s\n", (int)line.n, line.at);
    }
    buf_free(&wrapped);
}

void say_calls_of(struct report *r, const struct buf *text)
{
    struct host_call c;
    struct json *j = &r->result;
    struct span rest = {buf_text(text), text->len};
    json_array(j, "calls");
    for (unsigned i = 1; next_call(&rest, &c); i++) {
        struct buf remark = {0};
        say_call(r, i, c.call);
        buf_printf(&remark, "%.*s%s%.*s", (int)c.moves.n, c.moves.at, c.moves.n ? "; " : "",
                   (int)c.waits.n, c.waits.at);
        pen_tell(r, &remark, 7);
        json_object(j, NULL);
        put_call(j, "call", c.call);
        put_call(j, "moves", c.moves);
        put_call(j, "waits", c.waits);
        json_end_object(j);
    }
    json_end_array(j);
}

void say_calls(struct report *r, const char *file, const char *variant, const struct slots *s)
{
    struct buf text = {0};
    if (help_filled(&text, file, "calls", variant, s))
        bug("help/%s.txt lacks calls for %s", file, variant ? variant : "all");
    say_calls_of(r, &text);
    buf_free(&text);
}

void lab_calls(struct report *r, const char *file, const char *variant, const struct fact *facts,
               const void *found)
{
    struct slots s = {0};
    slots_facts(&s, facts, found);
    say_calls(r, file, variant, &s);
}

void lab_explain_calls(struct report *r, const char *file, const char *variant,
                       const struct slots *s)
{
    char own[64];
    size_t ignored;
    snprintf(own, sizeof own, "calls-%s", variant);
    if (explain_why(r, file, help_section(file, "why", own, &ignored) ? own : "calls", s) ||
        explain_try(r, file, help_section(file, "try", own, &ignored) ? own : "calls", s))
        bug("help/%s.txt lacks why or try for the calls of %s", file, variant);
}

uint32_t lab_drawn(uint64_t seed, uint32_t i)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, counter[4] = {i};
    uint32_t four[4];
    philox(key, counter, four);
    return four[0];
}

void lab_expected(struct report *r, const char *kind)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < r->fault_count; i++)
        if (strcmp(r->faults[i].kind, kind) != 0)
            r->faults[kept++] = r->faults[i];
    r->fault_count = kept;
    if (r->status == REPORT_FAULT && kept == 0)
        r->status = REPORT_OK;
}
