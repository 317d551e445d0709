/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the trap lab shows: the answer and whether it is right, then the counts that matter,
 * then why, from help/trap.txt with this run's numbers.
 */
#include "labs/trap/say.h"

#include "labs/trap/trapezoid.h"
#include "labs/trap/work.h"
#include "labkit/lab.h"

#include <stdio.h>
#include <string.h>

enum { SMALL_N = 1000, SAMEBANK_READS = 11 }; /* of warp 0: two in each of 5 steps, and the sum */

/* ---- opening ---------------------------------------------------------------------------- */

int trap_open(struct trap *t, struct session *s, const struct args *args,
              const struct lab_variant *variants, struct report *r)
{
    *t = (struct trap){.session = s, .args = args, .report = r, .variants = variants,
                       .module = "trap"};
    if (integrand_open(&t->f, arg_text(args, "f"), r))
        return -1;
    if (t->f.typed) {
        t->module = "trap-f";
        if (integrand_load(&t->f, s, t->module, "trap_f", r))
            return -1;
    }
    double a = arg_real(args, "a"), b = arg_real(args, "b");
    int n = (int)arg_int(args, "n");
    bool all = strcmp(arg_text(args, "variant"), "all") == 0;
    int small = (all || !arg_given(args, "n")) && n > SMALL_N ? SMALL_N : n;
    return trapezoid_solve(&t->f, a, b, n, s, &t->rule, r) ||
                   trapezoid_solve(&t->f, a, b, small, s, &t->small, r)
               ? -1
               : 0;
}

void trap_close(struct trap *t)
{
    integrand_close(&t->f);
}

static const struct trapezoid *rule_of(const struct trap *t, const struct lab_variant *v)
{
    return v->mended_by ? &t->small : &t->rule;
}

static int shape_of(struct trap *t, const struct lab_variant *v, struct shape *shape)
{
    return trap_choose(v, rule_of(t, v)->n, arg_int(t->args, "blocks"),
                       arg_int(t->args, "threads"), &t->session->device->props, shape,
                       t->report);
}

/* ---- pieces of a screen ----------------------------------------------------------------- */

static int head(void *self, const struct lab_variant *v)
{
    struct trap *t = self;
    struct shape shape;
    char line[200], n[NUM_TEXT];
    const struct trapezoid *rule = v ? rule_of(t, v) : &t->rule;
    if (v && v->kernel && shape_of(t, v, &shape))
        return -1;
    int used = snprintf(line, sizeof line, "f(x) = %.60s on [%.6g, %.6g], n = %s", t->f.text,
                        (double)rule->a, (double)rule->b, num_count((uint64_t)rule->n, n));
    if (v && v->kernel)
        snprintf(line + used, sizeof line - (size_t)used, ", %u x %u threads", shape.blocks,
                 shape.threads);
    say_head(t->report, t->session, line);
    return 0;
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct trap *t = self;
    struct json *j = &t->report->result;
    const struct trapezoid *rule = v ? rule_of(t, v) : &t->rule;
    struct shape shape = {0, 0};
    json_f64(j, "exact", rule->exact);
    json_int(j, "n", rule->n);
    if (!v || (v->kernel && shape_of(t, v, &shape)))
        return;
    double chain = v->kernel ? trap_chain(v, rule->n, shape) : (double)rule->n;
    json_f32(j, "area", (float)got->value);
    json_f64(j, "error", got->error);
    json_text(j, "variant", v->name);
    attempt_put_ok(got, j);
    json_text(j, "f", t->f.text);
    json_f64(j, "in_double", rule->in_double);
    json_f64(j, "bound", trapezoid_bound(rule, chain));
    if (!v->kernel)
        return;
    json_uint(j, "blocks", shape.blocks);
    json_uint(j, "threads", shape.threads);
}

/* Everything that an explanation may name. */
static void fill_slots(struct trap *t, const struct lab_variant *v, struct shape shape,
                       const struct attempt *got, struct slots *s)
{
    char text[NUM_TEXT];
    const struct trapezoid *rule = rule_of(t, v);
    const struct counters *c = &got->counters;
    uint64_t adders = v->kernel ? trap_atomics(v, rule->n, shape) : 0;
    uint64_t threads = (uint64_t)shape.blocks * shape.threads;
    uint64_t warps = (shape.threads + 31) / 32;
    slot(s, "area", "%s", num_f32((float)got->value, text));
    slot(s, "exact", "%.7g", rule->exact);
    slot(s, "error", "%s", num_rough(got->error, text));
    slot(s, "n", "%s", num_group(rule->n, text));
    slot(s, "last", "%s", num_group((int64_t)rule->n - 1, text));
    slot(s, "blocks", "%s", num_group(shape.blocks, text));
    slot(s, "threads", "%u", shape.threads);
    slot(s, "all", "%s", num_group((int64_t)threads, text));
    slot(s, "warps", "%u", (unsigned)warps);
    slot(s, "lanes", "%u", shape.threads % 32 ? shape.threads % 32 : 32);
    slot(s, "atomics", "%s", num_group((int64_t)adders, text));
    slot(s, "fewer", "%.0f", adders ? (double)(rule->n - 1) / (double)adders : 1.0);
    slot(s, "chain", "%s",
         num_group(v->kernel ? (int64_t)trap_chain(v, rule->n, shape) : rule->n, text));
    slot(s, "terms", "%.0f", threads ? (double)rule->n / (double)threads : 0.0);
    /* One bank for all that warp 0 of a block reads: of 32 passes each time 31 are too many. */
    uint64_t too_many = warps > 1 ? (uint64_t)shape.blocks * SAMEBANK_READS * 31 : 0;
    slot(s, "conflicts", "%s", num_group(got->has_counters ? (int64_t)c->shared_load_conflicts
                                                           : (int64_t)too_many,
                                         text));
    slot(s, "serial", "%s", num_f32((float)rule->in_order, text));
}

static void slots_of(void *self, const struct lab_variant *v, const struct attempt *got,
                     struct slots *s)
{
    struct trap *t = self;
    struct shape shape = {0, 0};
    char n[NUM_TEXT];
    if (v && got && (!v->kernel || shape_of(t, v, &shape) == 0)) {
        fill_slots(t, v, shape, got, s);
        return;
    }
    slot(s, "n", "%s", num_count((uint64_t)t->rule.n, n));
    slot(s, "small", "%s", num_group(t->small.n, n));
    slot(s, "runs", "%u", t->session->runs);
    slot(s, "serial", "%.7g", t->rule.in_order);
}

static void say_count(struct report *r, const char *what, uint64_t n, const char *remark)
{
    char text[NUM_TEXT];
    say_item(r, what, "%11s    %s", num_group((int64_t)n, text), remark);
}

static void say_answer(struct trap *t, const struct lab_variant *v, const struct attempt *got)
{
    char area[NUM_TEXT], error[NUM_TEXT], additions[NUM_TEXT];
    struct buf check;
    struct report *r = t->report;
    const struct trapezoid *rule = rule_of(t, v);
    struct shape shape = {0, 0};
    if (v->kernel && shape_of(t, v, &shape))
        return;
    double chain = v->kernel ? trap_chain(v, rule->n, shape) : (double)rule->n;
    say_item(r, "area", "%s    exact %.9g    error %s", num_f32((float)got->value, area),
             rule->exact, num_rough(got->error, error));
    say_item(r, "host", "%.10f in double    %.9g in float, in order", rule->in_double,
             rule->in_order);
    buf_init(&check);
    attempt_say(got, r, &check);
    buf_printf(&check, ": rounding bound %s, for %s additions in a chain",
               num_rough(trapezoid_bound(rule, chain), error),
               num_group((int64_t)chain, additions));
    say_item_text(r, "check", &check);
}

static void say_counts(struct trap *t, const struct lab_variant *v, const struct attempt *got)
{
    static const char *const who[] = {"one a term", "one a warp", "one a block", "one a block"};
    struct report *r = t->report;
    const struct counters *c = &got->counters;
    unsigned adds = (unsigned)v->tag & ADDS_MASK;
    char remark[80], terms[NUM_TEXT];
    if (!got->has_counters)
        return;
    int used = snprintf(remark, sizeof remark, "%s", who[adds]);
    if (adds != ADDS_THREADS)
        snprintf(remark + used, sizeof remark - (size_t)used, "; `atomic` needs %s, one a term",
                 num_group(rule_of(t, v)->n - 1, terms));
    say_count(r, "atomics", c->global_atomics, remark);
    if (c->shuffles)
        say_count(r, "shuffles", c->shuffles, "5 steps a warp: 16 8 4 2 1");
    if (c->barriers)
        say_count(r, "barriers", c->barriers, "waits of a warp, for its lanes or its block");
    if (c->shared_load_conflicts)
        say_count(r, "conflicts", c->shared_load_conflicts, "extra passes over the banks");
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    say_answer(self, v, got);
    say_counts(self, v, got);
}

/* ---- the ladder ------------------------------------------------------------------------- */

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct trap *t = self;
    const struct lab_variant *v = how->variant;
    struct shape shape = {0, 0};
    int64_t threads = arg_int(t->args, "threads"), blocks = arg_int(t->args, "blocks");
    if (strcmp(arg_text(t->args, "variant"), "all") == 0) {
        /* A size typed goes to those that it fits; the others choose their own. */
        bool fits = v->tag & ODD_WARP     ? threads % 32 != 0
                    : v->tag & FULL_WARPS ? threads % 32 == 0
                                          : true;
        threads = fits ? threads : 0;
        blocks = v->mended_by || !fits ? 0 : blocks;
    }
    if (v->kernel && trap_choose(v, rule_of(t, v)->n, blocks, threads,
                                 &t->session->device->props, &shape, t->report))
        return -1;
    return trap_run(t->module, rule_of(t, v), shape, how, got);
}

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"shuffles", offsetof(struct counters, shuffles)},
    {"barriers", offsetof(struct counters, barriers)},
    {"confl", offsetof(struct counters, shared_load_conflicts)},
    {"warp ins", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct host_call calls[] = {
    {"cudaMalloc(&trap_p, 4)", NULL, "the host waits for the address"},
    {"cudaMemcpy(trap_p, &start, 4, cudaMemcpyHostToDevice)", "4 bytes to the device",
     "the host waits until they are copied"},
    {"%s(a, b, h, n, trap_p)", NULL, "the host does not wait: the call returns at once"},
    {"cudaMemcpy(&trap, trap_p, 4, cudaMemcpyDeviceToHost)", "4 bytes to the host",
     "the copy waits for the kernel, the host for the copy"},
    {"cudaFree(trap_p)", NULL, "the host multiplies trap by h: that is the area"},
    {NULL, NULL, NULL},
};

static void call_of(void *self, const struct lab_variant *v, char *out, size_t size)
{
    struct shape shape;
    if (shape_of(self, v, &shape) == 0)
        snprintf(out, size, "%s<<<%u, %u>>>", v->kernel, shape.blocks, shape.threads);
}

struct ladder trap_ladder(struct trap *t)
{
    return (struct ladder){
        .session = t->session, .report = t->report, .args = t->args, .variants = t->variants,
        .file = "trap", .value = "area", .kind = VALUE_F32,
        .order = "slowest first: atomics queue at one address, the rest is spread out",
        .columns = columns, .calls = calls, .self = t, .attempt = attempt, .head = head,
        .tell = tell, .put = put, .slots = slots_of, .call = call_of};
}

/* ---- the textbook's launches ------------------------------------------------------------ */

/* Its tables 6.8 and 6.10: f, a, b and n as the defaults here, mean of 50 runs or more. */
static const struct book_row {
    unsigned blocks, threads;
    const char *variant, *gk20a, *titan;
} book[] = {
    {1024, 1024, "atomic", "20.7", "3.08"},        {32768, 32, "atomic", "-", "-"},
    {32768, 32, "shuffle", "14.4", "0.210"},       {32768, 32, "shared", "15.0", "0.206"},
    {1024, 1024, "block-shuffle", "12.8", "0.141"}, {1024, 1024, "block-shared", "14.3", "0.150"},
};

static const struct lab_variant *variant_named(const struct trap *t, const char *name)
{
    const struct lab_variant *v = t->variants;
    while (strcmp(v->name, name) != 0)
        v++;
    return v;
}

/* On a GPU its own times stand beside the book's. */
static bool table_times(const struct trap *t)
{
    return session_on_gpu(t->session) && t->report->volatile_on;
}

static int put_book_row(struct trap *t, const struct book_row *row, struct table *table)
{
    char area[NUM_TEXT];
    struct attempt got = {0};
    struct json *j = &t->report->variants;
    const struct lab_variant *v = variant_named(t, row->variant);
    struct shape shape = {row->blocks, row->threads};
    const struct schedule as_set = {.name = NULL};
    const struct trial how = {.session = t->session, .report = t->report, .variant = v,
                              .schedule = &as_set, .counts = true};
    if (trap_run(t->module, &t->rule, shape, &how, &got))
        return -1;
    table_cell(table, "%s", v->name);
    table_cell(table, "%u", row->blocks);
    table_cell(table, "%u", row->threads);
    table_cell(table, "%s", num_f32((float)got.value, area));
    table_cell(table, "%llu", (unsigned long long)got.counters.global_atomics);
    if (table_times(t))
        table_cell(table, "%.3g", got.median_s * 1e3);
    else
        table_cell(table, "%llu", (unsigned long long)got.counters.warp_instructions);
    table_cell(table, "%s", row->gk20a);
    table_cell(table, "%s", row->titan);
    json_object(j, NULL);
    json_text(j, "variant", v->name);
    json_uint(j, "blocks", row->blocks);
    json_uint(j, "threads", row->threads);
    json_f32(j, "area", (float)got.value);
    json_f64(j, "error", got.error);
    json_bool(j, "ok", attempt_ok(&got));
    json_bool(j, "wrong_on_purpose", false);
    json_uint(j, "global_atomics", got.counters.global_atomics);
    json_end_object(j);
    return attempt_ok(&got) ? 0
                            : report_fail(t->report, "%s: the area is outside its bound", v->name);
}

int trap_table(struct trap *t)
{
    const struct table_column heads[] = {
        {.head = "variant"},
        {.head = "blocks", .right = true},
        {.head = "threads", .right = true},
        {.head = "area", .right = true, .gives_way = 1},
        {.head = "atomics", .right = true, .gives_way = 3},
        {.head = table_times(t) ? "here ms" : "warp ins", .right = true, .gives_way = 2},
        {.head = "GK20A ms", .right = true},
        {.head = "TitanX ms", .right = true},
    };
    const char *serial = "serial, as the book timed it: ARM Cortex-A15 (2.3 GHz) 33.6 ms, Core i7 "
                         "(3.5 GHz) 4.48 ms";
    struct table table;
    struct slots s;
    int failed = 0;
    t->session->runs = t->session->runs ? t->session->runs : 50;
    if (t->rule.n > 1024 * 1024)
        return report_fail(t->report, "--table is the textbook's launches of 2^20 threads; "
                                      "leave -n out, or take at most 2^20");
    say_head(t->report, t->session, "the textbook's own launches, tables 6.8 and 6.10");
    table_begin(&table, heads, sizeof heads / sizeof heads[0], 0);
    for (size_t i = 0; i < sizeof book / sizeof book[0] && !failed; i++)
        failed = put_book_row(t, &book[i], &table);
    say_table(t->report, &table);
    text_wrap(&t->report->screen, serial, strlen(serial), t->report->width, 0);
    json_bool(&t->report->result, "ok", !failed);
    slots_init(&s);
    lab_explain_slots(t->report, "trap", "table", &s);
    return failed;
}
