/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last explanation again, and `explain time`: the parts of a modelled time, the part that takes
 * longest, and what a launch would take if a part were faster.
 */
#include "repl/commands.h"

#include "base/near.h"
#include "base/num.h"
#include "labkit/lab.h"
#include "repl/help-option.h"
#include "screen/pen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is kept of a command ------------------------------------------------------------- */

void modelled_forget(struct modelled *t)
{
    free(t->command);
    free(t->models);
    *t = (struct modelled){.command = NULL};
}

void modelled_keep(struct shell *sh, const char *command, const struct report *r)
{
    const struct device_props *p = &sh->session.device->props;
    if (!r->model_count)
        return;
    modelled_forget(&sh->modelled);
    struct modelled t = {.command = strdup(command), .count = r->model_count,
                      .models = malloc(r->model_count * sizeof *t.models),
                      .sure = model_is_sure(p)};
    if (!t.command || !t.models) {
        modelled_forget(&t);
        return;
    }
    memcpy(t.models, r->models, t.count * sizeof *t.models);
    snprintf(t.card, sizeof t.card, "%s", p->name ? p->name : p->profile);
    sh->modelled = t;
}

/* ---- if a part were faster ----------------------------------------------------------------- */

/* A part by another name, or several parts at once. */
static const struct { const char *name; enum model_part part; } other_names[] = {
    {"bandwidth", MODEL_MEMORY}, {"dram", MODEL_MEMORY}, {"cache", MODEL_L2},
    {"instructions", MODEL_ISSUE}, {"instruction", MODEL_ISSUE}, {"atomic", MODEL_ADDRESS},
    {"barrier", MODEL_BARRIERS}, {"launches", MODEL_LAUNCH}, {"banks", MODEL_SHARED},
};

static int part_named(struct span word)
{
    for (int i = 0; i < MODEL_PARTS; i++)
        if (same_text(word, model_part_names[i].name))
            return i;
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++)
        if (same_text(word, other_names[i].name))
            return (int)other_names[i].part;
    return -1;
}

/* "what if 2x bandwidth": the factor and the part. */
struct change { double factor; int part; };

static int read_factor(struct span word, double *factor)
{
    char text[NUM_TEXT];
    struct err ignored;
    if (same_text(word, "half")) /* of the work: twice as fast */
        *factor = 2;
    else {
        snprintf(text, sizeof text, "%.*s", (int)word.n, word.at);
        const size_t n = strlen(text);
        if (n && text[n - 1] == 'x')
            text[n - 1] = '\0';
        if (num_real(text, factor, &ignored) != 0)
            return -1;
    }
    return *factor > 0 ? 0 : -1;
}

static int refuse(struct report *r, struct span word)
{
    char names[400] = "", typed[60];
    struct near near = {.word = typed};
    snprintf(typed, sizeof typed, "%.*s", word.n < sizeof typed ? (int)word.n : 0, word.at);
    for (int i = 0; i < MODEL_PARTS; i++) {
        near_try(&near, model_part_names[i].name);
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                 model_part_names[i].name);
    }
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++)
        near_try(&near, other_names[i].name);
    if (near.best && part_named(word) < 0)
        return report_fail(r, "`%s` is not a part of a time: did you mean %s?", typed, near.best);
    return report_fail(r, "write a factor and a part, as in explain time what if 2x memory; the "
                          "parts are %s", names);
}

static int read_change(const char *text, struct change *c, struct report *r)
{
    struct span left = {text, strlen(text)}, word;
    bool has_factor = false;
    *c = (struct change){.part = -1};
    while ((word = next_blank_word(&left)).n) {
        const bool filler = same_text(word, "what") || same_text(word, "if") ||
                            same_text(word, "the") || same_text(word, "of");
        if (filler)
            continue;
        if (!has_factor) {
            if (read_factor(word, &c->factor) != 0)
                return refuse(r, word);
            has_factor = true;
        } else if (c->part >= 0 || (c->part = part_named(word)) < 0)
            return refuse(r, word);
    }
    return c->part >= 0 ? 0 : refuse(r, (struct span){text, strlen(text)});
}

/* Launches that differ are combined one by one, so a sum keeps its own ratio of parts. */
static double seconds_with(const struct report_model *m, enum model_part part, double factor)
{
    struct model_time t = m->time;
    const double before = t.seconds;
    model_combine(&t);
    const double by_parts = t.seconds;
    t.part[part] /= factor;
    model_combine(&t);
    return by_parts > 0 ? before * t.seconds / by_parts : before;
}

/* ---- telling ------------------------------------------------------------------------------- */

enum { SHOWN_MOST = MODEL_PARTS, IFS_MOST = 3 };
#define SHARE_LEAST 0.01 /* of the time: a part below it is not drawn */
#define MS 1e3

struct timed_row {
    const char *name, *bound, *says; /* of the part that takes longest */
    unsigned launches;
    double modelled_s, ms, share;
};

static const struct fact row_facts[] = {
    {FACT(struct timed_row, name), .head = "kernel", .stays = true},
    {FACT(struct timed_row, launches), .head = "launches", .right = true, .gives_way = 2},
    {FACT(struct timed_row, modelled_s), .only = FACT_IN_JSON},
    {.name = "modelled_ms", FACT_AT(struct timed_row, ms), .format = "%.3g",
     .head = "modelled ms", .right = true, .stays = true, .only = FACT_IN_TEXT},
    {FACT(struct timed_row, bound), .head = "bound by", .stays = true},
    {FACT(struct timed_row, share), .as = AS_PERCENT, .head = "% of it", .right = true,
     .stays = true},
    {.name = NULL},
};

struct timing_told {
    const char *command, *card, *bound, *says;
    double ms, share, half_ms, gain;
    bool sure, one;
    unsigned launches;
};

static const struct fact told_facts[] = {
    {FACT(struct timing_told, command)},
    {FACT(struct timing_told, card)},
    {FACT(struct timing_told, sure)},
    {FACT(struct timing_told, launches)},
    {FACT(struct timing_told, bound)},
    {FACT(struct timing_told, says), .only = FACT_IN_TEXT},
    {.name = "ms", FACT_AT(struct timing_told, ms), .format = "%.3g", .only = FACT_IN_TEXT},
    {.name = "share", FACT_AT(struct timing_told, share), .as = AS_PERCENT},
    {.name = "half_ms", FACT_AT(struct timing_told, half_ms), .format = "%.3g",
     .only = FACT_IN_TEXT},
    {.name = "gain", FACT_AT(struct timing_told, gain), .format = "%.3g"},
    {.label = "time", .says = "{ms} ms, modelled, for {card}{sure?|: the model was fitted to an "
                              "H100, so this is less sure}"},
    {.label = "bound by", .says = "`{bound}`: {share} % {says}"},
    {.label = NULL},
};

static void by_time(const struct model_time *t, enum model_part order[MODEL_PARTS])
{
    for (int i = 0; i < MODEL_PARTS; i++) {
        int at = i;
        for (; at > 0 && t->part[order[at - 1]] < t->part[i]; at--)
            order[at] = order[at - 1];
        order[at] = (enum model_part)i;
    }
}

static void say_parts(struct report *r, const struct report_model *m)
{
    enum model_part order[MODEL_PARTS];
    struct bar bars[SHOWN_MOST];
    char shown[SHOWN_MOST][NUM_TEXT];
    unsigned n = 0;
    by_time(&m->time, order);
    for (int i = 0; i < MODEL_PARTS; i++) {
        const double s = m->time.part[order[i]];
        if (s < SHARE_LEAST * m->time.seconds)
            break;
        snprintf(shown[n], sizeof shown[n], "%.3g ms", s * MS);
        bars[n] = (struct bar){model_part_names[order[i]].name, s, shown[n]};
        n++;
    }
    say(r, "\n");
    say_heading(r, "the parts of %s, each as if it were alone", m->name);
    say_bars(r, bars, n);
}

struct if_row { const char *part; double factor, ms, times, modelled_s; };
static const struct fact if_facts[] = {
    {FACT(struct if_row, part), .head = "part", .stays = true},
    {FACT(struct if_row, factor), .head = "times as fast", .format = "%.4g", .right = true,
     .stays = true},
    {FACT(struct if_row, modelled_s), .only = FACT_IN_JSON},
    {.name = "modelled_ms", FACT_AT(struct if_row, ms), .format = "%.3g", .head = "modelled ms",
     .right = true, .stays = true, .only = FACT_IN_TEXT},
    {.name = "gain", FACT_AT(struct if_row, times), .format = "%.2f", .head = "gain",
     .right = true, .stays = true},
    {.name = NULL},
};

static struct if_row if_faster(const struct report_model *m, enum model_part part, double factor)
{
    const double s = seconds_with(m, part, factor);
    return (struct if_row){model_part_names[part].name, factor, s * MS,
                           s > 0 ? m->time.seconds / s : 1, s};
}

/* The parts that would gain most, or the one that was asked for. */
static void say_ifs(struct report *r, const struct report_model *m, const struct change *c)
{
    enum model_part order[MODEL_PARTS];
    struct if_row rows[IFS_MOST];
    unsigned n = 0;
    by_time(&m->time, order);
    if (c)
        rows[n++] = if_faster(m, (enum model_part)c->part, c->factor);
    for (unsigned i = 0; !c && i < IFS_MOST; i++)
        rows[n++] = if_faster(m, order[i], 2);
    say(r, "\n");
    say_heading(r, "what if a part were faster, or had less to do");
    facts_say_rows(if_facts, rows, n, sizeof rows[0], 2, r);
    facts_json_rows(if_facts, "what_if", rows, n, sizeof rows[0], &r->result);
}

static struct timed_row row_of(const struct report_model *m)
{
    const struct model_time *t = &m->time;
    return (struct timed_row){
        .name = m->name, .launches = m->launches, .modelled_s = t->seconds,
        .ms = t->seconds * MS, .bound = model_part_names[t->bound].name,
        .says = model_part_names[t->bound].says,
        .share = t->seconds > 0 ? t->part[t->bound] / t->seconds : 0};
}

static int say_kernels(struct report *r, const struct modelled *t)
{
    struct timed_row *rows = malloc(t->count * sizeof *rows);
    if (!rows)
        return report_fail_limit(r, "out of memory");
    for (unsigned i = 0; i < t->count; i++)
        rows[i] = row_of(&t->models[i]);
    if (t->count > 1)
        facts_say_rows(row_facts, rows, t->count, sizeof *rows, 2, r);
    facts_json_rows(row_facts, "kernels", rows, t->count, sizeof *rows, &r->result);
    free(rows);
    return 0;
}

static void put_parts(struct report *r, const struct report_model *m)
{
    json_object(&r->result, "parts_s");
    for (int i = 0; i < MODEL_PARTS; i++)
        if (m->time.part[i] > 0)
            json_f64(&r->result, model_part_names[i].name, m->time.part[i]);
    json_end_object(&r->result);
}

/* The one that takes longest of all that ran. */
static const struct report_model *longest(const struct modelled *t)
{
    const struct report_model *m = t->models;
    for (unsigned i = 1; i < t->count; i++)
        if (t->models[i].time.seconds > m->time.seconds)
            m = &t->models[i];
    return m;
}

static int explain_time(struct shell *sh, const char *what, struct report *r)
{
    const struct modelled *t = &sh->modelled;
    struct change change;
    struct slots s = {0};
    if (what && read_change(what, &change, r) != 0)
        return -1;
    if (!t->command)
        return report_fail(r, "no command has a modelled time yet; run a lab on the simulator "
                              "first, as in `trap`");
    const struct report_model *m = longest(t);
    const struct timed_row row = row_of(m);
    const struct if_row half = if_faster(m, m->time.bound, 2);
    const struct timing_told told = {
        .command = t->command, .card = t->card, .sure = t->sure, .launches = row.launches,
        .bound = row.bound, .says = row.says, .ms = row.ms, .half_ms = half.ms,
        .gain = half.times, .share = row.share < 1 ? row.share : 1, .one = t->count == 1};
    say_head(r, &sh->session, t->command);
    if (say_kernels(r, t) != 0)
        return -1;
    facts_tell(told_facts, &told, r);
    put_parts(r, m);
    say_parts(r, m);
    say_ifs(r, m, what ? &change : NULL);
    slots_facts(&s, told_facts, &told);
    lab_explain_slots(r, "time", row.bound, &s);
    return 0;
}

/* ---- the command --------------------------------------------------------------------------- */

struct explain_options { const char *word, *what; };

static int run_explain(struct session *session, const void *given, struct report *r)
{
    const struct explain_options *o = given;
    struct shell *sh = shell_of(session);
    if (o->word && strcmp(o->word, "time") == 0)
        return explain_time(sh, o->what, r);
    if (o->what)
        return report_fail(r, "explain takes one word; only `explain time` takes more, as in "
                              "explain time what if 2x memory");
    if (o->word)
        return help_on(sh, o->word, r);
    if (!sh->explain.len && !sh->tries.len)
        return report_fail(r, "nothing has been explained yet; run a lab first, as in `trap`");
    explain_again(r, &sh->explain, &sh->tries);
    return 0;
}

const struct command command_explain = {
    .name = "explain", .kind = CLASS_HELP,
    .summary = "explain the last result, a word or a time",
    .operands = (const struct arg_spec[]){
        {.name = "WORD", BIND(struct explain_options, word), .type = ARG_TOPIC,
         .help = "time: the parts of the last modelled time; or a topic, as in `help WORD`"},
        {.name = "WHAT", BIND(struct explain_options, what), .type = ARG_REST,
         .help = "with time: what if 2x memory, or another factor and part"}, {0}},
    .size = sizeof(struct explain_options), .run = run_explain};
