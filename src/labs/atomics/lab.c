/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atomics: threads change one number together, by each of CUDA's atomics, by one made of compare
 * and swap, and by a load, a change and a store, which loses what others did in between. The screen
 * has the order of the threads as it follows from what each found, and the steps of the version
 * that is no atomic. The kernels are in kernels/atomics.cu, the proof in labs/atomics/work.c.
 */
#include "labs/atomics/work.h"

#include "labkit/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct atomic_lab {
    struct lab_run run;
    struct atomic_run now;          /* the last one */
    struct atomic_run aside, plain; /* that one, while others run; and one that loses changes */
    /* What the facts say: */
    struct atomic_kind kind;
    int32_t x, v;  /* x in the end; the v of all threads, where it is the same */
    unsigned last; /* the thread that went last, */
    int32_t found; /* and what it found */
    bool several, same;  /* threads; their v are the same */
    bool instruction;    /* each thread's change is one */
    bool loops, one_answer, any_answer, exchanges;
    char schedule[28]; /* under which a wrong variant left this x */
};

enum { LANES = 32, DRAWN = 8, ROWS = 12, STEPS = 18 };

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"instructions", offsetof(struct counters, warp_instructions)},
    {0},
};

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct atomic_lab *w = self;
    return atomic_launch(&w->now, t, got);
}

/* ---- the steps of load, change, store --------------------------------------------------- */

/* Of the first warp, from its trace: what each lane loaded, and what was stored over what. */
struct steps {
    const struct atomic_run *run;
    int32_t loaded[LANES], x;
    int seen[LANES], last; /* whose store a lane's load saw, and whose is there; -1: the start */
    int kept;              /* changes that are in x */
    unsigned shown;
};

static void put_step(struct steps *s, bool store, uint32_t mask, struct table *t)
{
    unsigned drawn = s->run->threads < DRAWN ? s->run->threads : DRAWN;
    if (!t || s->shown == STEPS || !(mask & ((1u << drawn) - 1)))
        return;
    s->shown++;
    table_cell(t, store ? "store" : "load");
    for (unsigned i = 0; i < drawn; i++)
        if (mask >> i & 1)
            table_cell(t, "%d",
                       store ? atomic_changed(s->run->op, s->loaded[i], s->run->in[i])
                             : s->loaded[i]);
        else
            table_cell(t, ".");
    table_cell(t, "%d", s->x);
}

static void take_step(struct steps *s, const struct trace_step *step, struct table *t)
{
    bool store = step->kind == SIM_CLASS_STORE;
    bool stays = true; /* of several at once one does: here the first lane's */
    if ((!store && step->kind != SIM_CLASS_LOAD) || step->order != SIM_VOLATILE)
        return;
    for (int i = 0; i < LANES; i++) {
        if (!(step->mask >> i & 1))
            continue;
        if (store) {
            int32_t made = atomic_changed(s->run->op, s->loaded[i], s->run->in[i]);
            s->x = stays ? made : s->x;
            s->last = stays ? i : s->last;
            stays = false;
        } else {
            s->loaded[i] = (int32_t)step->values[i];
            s->seen[i] = s->last;
        }
    }
    put_step(s, store, step->mask, t);
}

static struct steps follow(const struct atomic_run *a, const struct launch_result *result,
                           struct table *t)
{
    struct steps s = {.run = a, .x = a->start, .last = -1};
    for (size_t i = 0; i < result->trace_count; i++)
        take_step(&s, &result->trace[i], t);
    for (int i = s.last; i >= 0 && s.kept < LANES; i = s.seen[i])
        s.kept++;
    return s;
}

static void draw_steps(const struct atomic_lab *w, const char *title,
                       const struct launch_result *result)
{
    static const char *const heads[DRAWN] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    static const char *const tells[DRAWN] = {
        "thread 0 has %", "thread 1 has %", "thread 2 has %", "thread 3 has %",
        "thread 4 has %", "thread 5 has %", "thread 6 has %", "thread 7 has %"};
    struct table_column of[DRAWN + 2] = {{.head = "thread"}};
    struct table t;
    unsigned n = w->now.threads < DRAWN ? w->now.threads : DRAWN;
    for (unsigned i = 0; i < n; i++)
        of[i + 1] =
            (struct table_column){.head = heads[i], .right = true, .gives_way = (int)(n - i),
                                  .tells = tells[i]};
    of[n + 1] = (struct table_column){.head = "x", .right = true};
    say(w->run.report, "\n");
    say_item(w->run.report, "", "%s: what each thread loads and stores, and x after that", title);
    table_begin(&t, of, (int)n + 2, 2);
    const struct steps s = follow(&w->now, result, &t);
    say_table(w->run.report, &t);
    if (s.shown == STEPS)
        say_item(w->run.report, "", "and so on");
    say_item(w->run.report, "",
             "%d of %u changes %s in x; %u %s stored over by a thread that had "
             "loaded before",
             s.kept, w->now.threads, s.kept == 1 ? "is" : "are", w->now.threads - (unsigned)s.kept,
             w->now.threads - (unsigned)s.kept == 1 ? "was" : "were");
}

/* Another order of the same steps: lanes apart, where the card lets them. Of a few seeds the first
 * that lets a part of the changes through, which one seed in some does. */
static void draw_apart(struct atomic_lab *w, const struct lab_variant *v)
{
    enum { SEEDS = 32 };
    struct launch_result result = {0};
    struct attempt got;
    bool found = false;
    w->aside = w->now;
    struct schedule apart = {.name = "independent", .simulated = true};
    struct trial t = {
        .variant = v, .schedule = &apart, .trace = true, .quiet = true, .result = &result};
    if (!device_drifts(&w->run.session->device->props))
        return;
    while (!found && apart.seed < SEEDS) {
        apart.seed++;
        if (ladder_attempt(&w->run, &t, &got))
            break;
        unsigned kept = (unsigned)follow(&w->now, &result, NULL).kept;
        found = kept > 1 && kept < w->now.threads;
    }
    snprintf(apart.label, sizeof apart.label, "independent:%d", (int)apart.seed);
    if (found) {
        char title[80];
        snprintf(title, sizeof title, "lanes apart, %s", apart.label);
        draw_steps(w, title, &result);
    }
    launch_result_free(&result);
    w->now = w->aside;
}

/* ---- the order of atomics --------------------------------------------------------------- */

static void say_order(struct report *r, const void *found)
{
    static const struct table_column of[] = {
        {.head = "turn", .right = true, .tells = "turn %:"},
        {.head = "thread", .right = true, .tells = "thread %"},
        {.head = "x before", .right = true, .tells = "x was %"},
        {.head = "v", .right = true},
        {.head = "x after", .right = true, .tells = "x became %"},
        {.head = "tries", .right = true, .tells = "and needed % tries"}};
    const struct atomic_run *a = &((const struct atomic_lab *)found)->now;
    unsigned shown = a->threads < ROWS ? a->threads : ROWS;
    struct table t;
    table_begin(&t, of, a->all_tries ? 6 : 5, 2);
    for (unsigned i = 0; i < shown; i++) {
        unsigned k = a->order[i];
        table_cell(&t, "%u", i + 1);
        table_cell(&t, "%u", k);
        table_cell(&t, "%d", a->old[k]);
        table_cell(&t, "%d", a->in[k]);
        table_cell(&t, "%d", atomic_changed(a->op, a->old[k], a->in[k]));
        if (a->all_tries)
            table_cell(&t, "%d", a->tries[k]);
    }
    say_table(r, &t);
    if (shown < a->threads)
        say_item(r, "", "and %u more", a->threads - shown);
}

/* The same in three steps, for what it loses: run, not guessed. -1: it could not be. */
static int plain_loses(struct atomic_lab *w, int *kept)
{
    static const struct schedule together = {"lockstep", 0, "lockstep", true};
    struct launch_result result = {0};
    struct attempt got;
    w->aside = w->now;
    const struct lab_variant *v = w->run.lab->variants;
    while (v->name && !(v->tag & ATOMIC_PLAIN))
        v++;
    struct trial t = {
        .variant = v, .schedule = &together, .trace = true, .quiet = true, .result = &result};
    int failed = ladder_attempt(&w->run, &t, &got);
    w->plain = w->now;
    *kept = follow(&w->plain, &result, NULL).kept;
    launch_result_free(&result);
    w->now = w->aside;
    return failed;
}

static void say_without(struct atomic_lab *w)
{
    int kept;
    if (plain_loses(w, &kept))
        return;
    unsigned lost = w->now.threads - (unsigned)kept;
    say_item(w->run.report, "plain",
             "x = %d with three steps instead of one: %u of %u changes lost", w->plain.left, lost, w->now.threads);
    json_int(&w->run.report->result, "plain_x", w->plain.left);
    json_uint(&w->run.report->result, "plain_lost", lost);
}

/* The trace has one warp. */
static bool show(void *self, const struct lab_variant *v, const struct launch_result *traced)
{
    struct atomic_lab *w = self;
    if (w->now.threads > LANES)
        return false;
    if (v->tag & ATOMIC_PLAIN) {
        const struct schedule *how = w->run.shown;
        const bool apart = how && strcmp(how->name, "independent") == 0;
        char title[80] = "lanes together";
        if (how)
            snprintf(title, sizeof title, "lanes %s, %s", apart ? "apart" : "together", how->label);
        draw_steps(w, title, traced);
        if (!apart)
            draw_apart(w, v);
    } else if (!(v->tag & (ATOMIC_LOOP | ATOMIC_WIDE)) && w->now.threads > 1)
        say_without(w);
    return true;
}

/* ---- what there is to say --------------------------------------------------------------- */

static void put_each(struct json *j, const char *key, const int32_t *v, unsigned n)
{
    json_array(j, key);
    for (unsigned i = 0; i < n; i++)
        json_int(j, NULL, v[i]);
    json_end_array(j);
}

static void put_threads(struct json *j, const void *found)
{
    const struct atomic_run *a = &((const struct atomic_lab *)found)->now;
    put_each(j, "in", a->in, a->threads);
    put_each(j, "old", a->old, a->threads);
    if (!a->right)
        return;
    json_array(j, "order");
    for (unsigned i = 0; i < a->threads; i++)
        json_uint(j, NULL, a->order[i]);
    json_end_array(j);
}

static const struct fact task[] = {
    {.name = "op", FACT_AT(struct atomic_lab, kind.name)},
    {.name = "threads", FACT_AT(struct atomic_lab, now.threads)},
    {.name = "start", FACT_AT(struct atomic_lab, now.start)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {FACT(struct atomic_lab, x), .label = "x",
     .says = "{x}{any_answer?{exchanges?, the v of the last thread|}; another order can give "
             "another x|}"},
    {.label = "order", WHEN(struct atomic_lab, now.right),
     .says = "a possible order of the threads, computed from the returned values:"},
    {.name = "expected", FACT_AT(struct atomic_lab, run.got.expected),
     WHEN(struct atomic_lab, one_answer)},
    {.put = put_threads, .draw = say_order},
    {.label = "atomics", WHEN(struct atomic_lab, run.got.has_counters),
     .says = "{global_atomics:%.0f}, all at one address, so one after the other"},
    {.name = "tries", FACT_AT(struct atomic_lab, now.all_tries), WHEN(struct atomic_lab, loops),
     .label = "tries",
     .says = "{tries} for {threads} changes: a thread that was too late tried again"},
    FACT_OK,
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "does", FACT_AT(struct atomic_lab, kind.does)},
    {.name = "function", FACT_AT(struct atomic_lab, kind.function)},
    {FACT(struct atomic_lab, several)},
    {FACT(struct atomic_lab, same)},
    {FACT(struct atomic_lab, v)},
    {FACT(struct atomic_lab, instruction)},
    {FACT(struct atomic_lab, any_answer)},
    {FACT(struct atomic_lab, exchanges)},
    {FACT(struct atomic_lab, found)},
    {FACT(struct atomic_lab, last)},
    {FACT(struct atomic_lab, schedule)},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *v)
{
    struct atomic_lab *w = self;
    const struct atomic_run *a = &w->now;
    w->kind = atomic_kinds[a->op];
    w->several = a->threads > 1;
    w->same = true;
    w->v = a->in[0];
    for (unsigned t = 1; t < a->threads; t++)
        w->same = w->same && a->in[t] == w->v;
    w->instruction = v && v->tag == ATOMIC_ONE;
    if (w->instruction)
        w->run.kernel = w->kind.kernel;
    w->loops = v && v->tag & ATOMIC_LOOP;
    w->exchanges = a->op == ATOMIC_EXCH;
    w->one_answer = atomic_has_one_answer(a);
    w->any_answer = !w->one_answer;
    w->x = a->left;
    if (w->run.shown)
        snprintf(w->schedule, sizeof w->schedule, "%s", w->run.shown->label);
    w->last = a->right ? a->order[a->threads - 1] : 0;
    w->found = a->old[w->last];
    return 0;
}

/* ---- the ladder ------------------------------------------------------------------------- */

static const struct ladder ladder = {
    .value = "x",
    .kind = VALUE_INT,
    .order = "Rows are ordered by the number of atomics, which wait in one queue.",
    .columns = columns,
    .head = "{threads} thread{several?s, each|:} {does}{same? with v = {v}|}"
            "{instruction?, by {function}|}; x = {start} at first",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};

/* ---- --list ----------------------------------------------------------------------------- */

static const struct fact kind_facts[] = {
    {.name = "op", FACT_AT(struct atomic_kind, name)},
    {FACT(struct atomic_kind, function)},
    {.name = "int_global", FACT_AT(struct atomic_kind, since.global), .if_set = true},
    {.name = "int_shared", FACT_AT(struct atomic_kind, since.shared), .if_set = true},
    {.name = "int64_global", FACT_AT(struct atomic_kind, since.wide), .if_set = true},
    {.name = "float", FACT_AT(struct atomic_kind, since.f32), .if_set = true},
    {.name = "double", FACT_AT(struct atomic_kind, since.f64), .if_set = true},
    {.name = NULL},
};

static void since_cell(const struct session *s, const char *since, struct table *t)
{
    if (!since) {
        table_cell(t, "-");
        return;
    }
    const struct device_props *p = &s->device->props;
    bool here = p->major * 10 + p->minor >= (since[0] - '0') * 10 + (since[2] - '0');
    table_cell_in(t, here ? INK_PLAIN : INK_BAD, "%s%s", since, here ? "" : " no");
}

static void say_atomic_kinds(struct report *r, const struct session *s)
{
    static const struct table_column of[] = {
        {.head = "function"},
        {.head = "int: global", .right = true, .tells = "for int in global memory since %"},
        {.head = "shared", .right = true, .tells = "in shared memory since %"},
        {.head = "64 bits", .right = true, .tells = "for 64 bits since %"},
        {.head = "float", .right = true, .tells = "for float since %"},
        {.head = "double", .right = true, .tells = "for double since %"}};
    struct table t;
    say_head(r, s, "Atomic operations, and the first compute capability of each");
    table_begin(&t, of, 6, 2);
    for (const struct atomic_kind *k = atomic_kinds; k < atomic_kinds + ATOMIC_KINDS; k++) {
        table_cell(&t, "%s", k->function);
        since_cell(s, k->since.global, &t);
        since_cell(s, k->since.shared, &t);
        since_cell(s, k->since.wide, &t);
        since_cell(s, k->since.f32, &t);
        since_cell(s, k->since.f64, &t);
        table_note(&t, "%s", k->does);
    }
    facts_json_rows(kind_facts, "ops", atomic_kinds, ATOMIC_KINDS, sizeof atomic_kinds[0],
                    &r->result);
    say_table(r, &t);
    lab_explain(r, "atomics", "list", NULL, NULL);
}

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"atomic", "atomics_add", "one atomic operation per thread", .tag = ATOMIC_ONE},
    {"cas-loop", "atomics_cas_loop", "compare and swap in a loop, until it succeeds",
     .tag = ATOMIC_LOOP},
    {"f64", "atomics_f64", "doubles, with one instruction", .tag = ATOMIC_WIDE | ATOMIC_ONE},
    {"f64-cas", "atomics_f64_cas", "doubles, with compare and swap of 64 bits",
     .tag = ATOMIC_WIDE | ATOMIC_LOOP},
    {"plain", "atomics_plain", "load, change and store: not atomic",
     "atomic", "race-global", ATOMIC_PLAIN},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct atomics_options, start), GIVEN(struct atomics_options, start), .value = "X",
     .type = ARG_INT, .lo = INT32_MIN, .hi = INT32_MAX,
     .help = "the value of x before the first operation; each operation has its own default"},
    {OPTION(struct atomics_options, values), .type = ARG_LIST, .lo = INT32_MIN, .hi = INT32_MAX,
     .help = "the operands v of the threads, as in 3,5,2; a short list is repeated"},
    {OPTION(struct atomics_options, list), .type = ARG_FLAG,
     .help = "list all operations, and the first compute capability of each"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "OP", BIND(struct atomics_options, op), .type = ARG_CHOICE, .choices = atomic_names,
     .initial = "add", .help = "the operation of each thread on x"},
    {0},
};

static const struct lab lab = {
    .module = "atomics",
    .takes = TAKES_LADDER | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct atomics_options *o = given;
    if (o->list) {
        say_atomic_kinds(r, s);
        return 0;
    }
    struct atomic_lab *work = calloc(1, sizeof *work); /* too much for a stack */
    if (!work)
        return report_fail_limit(r, "out of memory");
    work->run = (struct lab_run){.session = s, .report = r, .options = &o->lab, .lab = &lab};
    int rc = atomic_read(o, lab_seed(s, &o->lab), &work->now, r);
    if (rc == 0)
        rc = ladder_run(&ladder, &work->run);
    free(work);
    return rc;
}

const struct command lab_atomics = {
    LAB_COMMAND(struct atomics_options),
    .name = "atomics",
    .summary = "threads that change one number, with and without atomics",
    .options = options,
    .operands = operands,
};
