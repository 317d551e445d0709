/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The facts of a lab's struct: found for a variant and an attempt, then told on the screen, in JSON
 * and in texts. And how an answer is written, as a fact that has the lab's name for it.
 */
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"
#include "text/explain.h"

#include <stdio.h>
#include <string.h>

/* ---- facts ------------------------------------------------------------------------------ */

/* What the texts of each lab may name. */
static const struct fact run_facts[] = {
    {FACT(struct lab_run, kernel)},
    {FACT(struct lab_run, runs)},
    {FACT(struct lab_run, cut_short)},
    {FACT(struct lab_run, major)},
    {FACT(struct lab_run, minor)},
    {FACT(struct lab_run, limit)},
    {.name = "right", FACT_AT(struct lab_run, got.right)},
    {.name = "verdict", FACT_AT(struct lab_run, got.verdict)},
#define X(c) {.name = #c, FACT_AT(struct lab_run, got.counters.c), .as = AS_GROUP},
    COUNTERS(X)
#undef X
    {.name = NULL},
};

int ladder_find(struct lab_run *w, const struct lab_variant *v, const struct attempt *got)
{
    const struct device_props *p = &w->session->device->props;
    w->variant = v ? v->name : "all";
    w->kernel = v && v->kernel ? v->kernel : "";
    w->calls = w->why = w->variant;
    w->runs = w->session->runs;
    w->major = p->major;
    w->minor = p->minor;
    w->limit = p->max_threads_per_block;
    w->got = got ? *got : (struct attempt){.verdict.text = ""};
    return w->ladder->find(w, v);
}

void ladder_slots(struct lab_run *w, struct slots *s)
{
    const struct ladder *l = w->ladder;
    const struct fact *const tables[] = {l->task, l->facts, l->words, run_facts};
    *s = (struct slots){0};
    for (int i = 0; i < SLOT_TABLES; i++)
        if (tables[i])
            slots_facts(s, tables[i], w);
}

void ladder_text(struct lab_run *w, const char *with_slots, struct buf *out)
{
    struct slots s;
    ladder_slots(w, &s);
    slots_fill(out, with_slots, strlen(with_slots), &s, NULL);
}

void ladder_say(struct lab_run *w, const struct fact *facts)
{
    struct slots s;
    ladder_slots(w, &s);
    facts_say_slots(facts, w, &s, w->report);
}

int ladder_head(struct lab_run *w, const struct lab_variant *v)
{
    struct buf text = {0};
    if (ladder_find(w, v, NULL))
        return -1;
    ladder_text(w, v || !w->ladder->head_of_all ? w->ladder->head : w->ladder->head_of_all, &text);
    say_head(w->report, w->session, buf_text(&text));
    buf_free(&text);
    if (w->ladder->task)
        ladder_say(w, w->ladder->task);
    return 0;
}

int ladder_json(struct lab_run *w, const struct lab_variant *v, const struct attempt *got)
{
    if (ladder_find(w, v, got))
        return -1;
    if (w->ladder->task)
        facts_json(w->ladder->task, w, &w->report->result);
    if (v)
        facts_json(w->ladder->facts, w, &w->report->result);
    return 0;
}

void ladder_explain(struct lab_run *w, const char *which)
{
    struct slots s;
    ladder_slots(w, &s);
    lab_explain_slots(w->report, w->lab->module, which, &s);
}

void ladder_try_others(const struct lab_run *w)
{
    static const struct fact facts[] = {
        {.name = "lab", FACT_AT(struct lab, module)},
        {.name = NULL},
    };
    struct slots s = {0};
    slots_facts(&s, facts, w->lab);
    say(w->report, "\n");
    explain_try(w->report, "unsupported-instruction", "variant", &s);
}

/* ---- values ----------------------------------------------------------------------------- */

/* By enum ladder_value: the answer, and how far it is off. */
static const struct fact values[][LADDER_VALUES] = {
    [VALUE_F32] = {{FACT_AT(struct attempt, value_f32), .as = AS_VALUE},
                   {FACT(struct attempt, error), .as = AS_ROUGH}},
    [VALUE_INT] = {{FACT_AT(struct attempt, value), .as = AS_GROUP}},
    [VALUE_ARRAY] = {{FACT_AT(struct attempt, value), .format = "%.5g"},
                     {FACT(struct attempt, wrong), .as = AS_GROUP}},
};

unsigned ladder_value_facts(const struct ladder *l, size_t at, struct fact out[LADDER_VALUES])
{
    unsigned n = l->kind == VALUE_INT ? 1 : 2;
    for (unsigned i = 0; i < n; i++) {
        out[i] = values[l->kind][i];
        out[i].name = i ? out[i].name : l->value;
        out[i].head = out[i].name;
        out[i].at += at;
        out[i].right = out[i].stays = true;
    }
    return n;
}

const char *ladder_value_text(const struct ladder *l, double v, char out[NUM_TEXT])
{
    if (l->kind == VALUE_INT)
        return num_group((int64_t)v, out);
    if (l->kind == VALUE_F32)
        return num_value((float)v, out);
    snprintf(out, NUM_TEXT, "%.5g", v);
    return out;
}
