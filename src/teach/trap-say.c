/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the trap lab shows: the answer and whether it is right, then the counts that matter,
 * then why, from help/trap.txt with this run's numbers.
 */
#include "teach/trap-say.h"

#include "teach/lab.h"
#include <stdio.h>
#include <string.h>

enum { SMALL_N = 1000, TRACE_STEPS = 12 };

static const struct schedule as_set = {NULL, 0, NULL, false};

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

static int shape_of(struct trap *t, const struct lab_variant *v, struct trap_shape *shape)
{
    return trap_choose(v, rule_of(t, v)->n, arg_int(t->args, "blocks"),
                       arg_int(t->args, "threads"), &t->session->device->props, shape,
                       t->report);
}

static struct trap_launch launch_of(struct trap *t, const struct lab_variant *v,
                                    struct trap_shape shape)
{
    return (struct trap_launch){.session = t->session, .module = t->module, .variant = v,
                                .rule = rule_of(t, v), .shape = shape, .schedule = &as_set};
}

/* ---- pieces of a screen ----------------------------------------------------------------- */

static void say_problem(struct trap *t, const struct lab_variant *v, struct trap_shape shape)
{
    char line[200], n[NUM_TEXT];
    const struct trapezoid *rule = rule_of(t, v);
    int used = snprintf(line, sizeof line, "f(x) = %.60s on [%.6g, %.6g], n = %s", t->f.text,
                        (double)rule->a, (double)rule->b, lab_count((uint64_t)rule->n, n));
    if (v->kernel)
        snprintf(line + used, sizeof line - (size_t)used, ", %u x %u threads", shape.blocks,
                 shape.threads);
    say_head(t->report, t->session, line);
}

static void put_result(struct trap *t, const struct lab_variant *v, struct trap_shape shape,
                       const struct attempt *got)
{
    struct json *j = &t->report->result;
    const struct trapezoid *rule = rule_of(t, v);
    double chain = v->kernel ? trap_chain(v, rule->n, shape) : (double)rule->n;
    json_f32(j, "area", got->value);
    json_f64(j, "exact", rule->exact);
    json_f64(j, "error", got->error);
    json_text(j, "variant", v->name);
    json_int(j, "n", rule->n);
    json_bool(j, "ok", got->ok);
    json_text(j, "f", t->f.text);
    json_f64(j, "in_double", rule->in_double);
    json_f64(j, "bound", trapezoid_bound(rule, chain));
    if (!v->kernel)
        return;
    json_uint(j, "blocks", shape.blocks);
    json_uint(j, "threads", shape.threads);
}

/* Everything that an explanation may name. */
static void fill_slots(struct trap *t, const struct lab_variant *v, struct trap_shape shape,
                       const struct attempt *got, struct slots *s)
{
    char text[NUM_TEXT];
    const struct trapezoid *rule = rule_of(t, v);
    const struct counters *c = &got->counters;
    uint64_t adders = v->kernel ? trap_atomics(v, rule->n, shape) : 0;
    uint64_t threads = (uint64_t)shape.blocks * shape.threads;
    uint64_t warps = (shape.threads + 31) / 32;
    slots_init(s);
    slot(s, "area", "%s", num_f32(got->value, text));
    slot(s, "exact", "%.7g", rule->exact);
    slot(s, "error", "%.1e", got->error);
    slot(s, "n", "%s", num_group(rule->n, text));
    slot(s, "last", "%s", num_group((int64_t)rule->n - 1, text));
    slot(s, "blocks", "%s", num_group(shape.blocks, text));
    slot(s, "threads", "%u", shape.threads);
    slot(s, "all", "%s", num_group((int64_t)threads, text));
    slot(s, "extra", "%s", num_group((int64_t)threads - rule->n, text));
    slot(s, "warps", "%u", (unsigned)warps);
    slot(s, "lanes", "%u", shape.threads % 32 ? shape.threads % 32 : 32);
    slot(s, "atomics", "%s", num_group((int64_t)adders, text));
    slot(s, "fewer", "%.0f", adders ? (double)(rule->n - 1) / (double)adders : 1.0);
    slot(s, "chain", "%.0f", v->kernel ? trap_chain(v, rule->n, shape) : (double)rule->n);
    slot(s, "terms", "%.0f", threads ? (double)rule->n / (double)threads : 0.0);
    /* One bank for all sums of a block: each but the first is a pass more. */
    slot(s, "conflicts", "%s", num_group(got->has_counters ? (int64_t)c->shared_load_conflicts
                                                           : (int64_t)(shape.blocks * (warps - 1)),
                                         text));
    slot(s, "serial", "%s", num_f32((float)rule->in_order, text));
}

static void say_count(struct report *r, const char *what, uint64_t n, const char *remark)
{
    char text[NUM_TEXT];
    say_item(r, what, "%11s    %s", num_group((int64_t)n, text), remark);
}

static void say_answer(struct trap *t, const struct lab_variant *v, struct trap_shape shape,
                       const struct attempt *got)
{
    char area[NUM_TEXT];
    struct buf check;
    struct report *r = t->report;
    const struct trapezoid *rule = rule_of(t, v);
    double chain = v->kernel ? trap_chain(v, rule->n, shape) : (double)rule->n;
    say_item(r, "area", "%s    exact %.9g    error %.1e", num_f32(got->value, area), rule->exact,
             got->error);
    say_item(r, "host", "%.10f in double    %.9g in float, in order", rule->in_double,
             rule->in_order);
    buf_init(&check);
    paint(r, &check, got->ok ? INK_GOOD : INK_BAD, got->ok ? "right" : "WRONG", 5);
    buf_printf(&check, ": rounding bound %.1e, for %.0f additions in a chain",
               trapezoid_bound(rule, chain), chain);
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

/* ---- one variant ------------------------------------------------------------------------ */

/* The same launch again; a kernel whose order is left to chance may round differently. */
static void say_repeats(struct trap *t, struct trap_launch *l, const struct attempt *first)
{
    int64_t repeat = arg_int(t->args, "repeat"), same = 1;
    l->quiet = true;
    for (int64_t i = 1; i < repeat && !t->session->stop; i++) {
        struct attempt again;
        if (trap_run(l, &again, NULL, t->report))
            return;
        if (again.fault[0]) {
            report_fault(t->report, again.fault, "run %lld of %lld ended by a %s", (long long)i + 1,
                           (long long)repeat, again.fault);
            return;
        }
        same += again.value == first->value;
    }
    if (t->session->stop) {
        report_fail(t->report, "stopped");
        return;
    }
    if (repeat > 1)
        say_item(t->report, "repeated", "%lld runs, %lld with the same bits", (long long)repeat,
                 (long long)same);
}

int trap_one(struct trap *t, const struct lab_variant *v)
{
    struct trap_shape shape = {0, 0};
    struct launch_result result;
    struct attempt got;
    struct slots s;
    if (v->kernel && shape_of(t, v, &shape))
        return -1;
    struct trap_launch l = launch_of(t, v, shape);
    l.trace = arg_flag(t->args, "trace");
    if (trap_run(&l, &got, &result, t->report))
        return -1;
    say_problem(t, v, shape);
    if (t->report->status != REPORT_OK) { /* stopped by a fault: there is no answer */
        launch_result_free(&result);
        return -1;
    }
    say_answer(t, v, shape, &got);
    put_result(t, v, shape, &got);
    say_counts(t, v, &got);
    say_repeats(t, &l, &got);
    lab_extras(t->session, t->args, &result, t->report);
    launch_result_free(&result);
    if (t->report->status != REPORT_OK)
        return -1;
    fill_slots(t, v, shape, &got, &s);
    lab_explain(t->report, "trap", v->name, &s);
    return got.ok ? 0
                  : report_fail(t->report, "%s: the area is outside its rounding bound", v->name);
}

/* ---- wrong on purpose ------------------------------------------------------------------- */

static int attempt(void *self, const struct lab_variant *v, const struct schedule *how,
                   struct attempt *got)
{
    struct trap *t = self;
    struct trap_shape shape = {0, 0};
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
    struct trap_launch l = launch_of(t, v, shape);
    l.schedule = how;
    l.quiet = true;
    return trap_run(&l, got, NULL, t->report);
}

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"shuffles", offsetof(struct counters, shuffles)},
    {"barriers", offsetof(struct counters, barriers)},
    {"confl", offsetof(struct counters, shared_load_conflicts)},
    {"warp ins", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static struct ladder ladder_of(struct trap *t)
{
    return (struct ladder){.session = t->session, .report = t->report,
                           .variants = t->variants, .value = "area", .columns = columns,
                           .attempt = attempt, .self = t};
}

/* The steps that touch what threads share: memory, other lanes, barriers. */
static bool is_shared_step(const struct trace_step *step)
{
    static const char *const shared[] = {"ld.global", "ld.shared", "ld.volatile", "st.global",
                                         "st.shared", "st.volatile", "atom.", "red.", "shfl.",
                                         "bar", NULL};
    const char *text = step->text;
    if (text[0] == '@')
        text += strcspn(text, " ") + 1;
    for (size_t i = 0; shared[i]; i++)
        if (strncmp(text, shared[i], strlen(shared[i])) == 0)
            return true;
    return false;
}

/* One failure again, with the first warp's steps that matter. */
static int say_failure(struct trap *t, const struct lab_variant *v, struct trap_shape shape,
                       const struct schedule *how)
{
    struct trace_step steps[TRACE_STEPS];
    struct launch_result result, shown = {.trace = steps};
    struct attempt got;
    struct trap_launch l = launch_of(t, v, shape);
    struct gpu_aside aside;
    bool set_aside = session_on_gpu(t->session);
    l.schedule = how;
    l.trace = true;
    if (set_aside && session_put_gpu_aside(t->session, &aside, t->report))
        return -1;
    int failed = trap_run(&l, &got, &result, t->report);
    if (set_aside)
        session_take_gpu_back(t->session, &aside);
    if (failed)
        return -1;
    for (size_t i = 0; i < result.trace_count && shown.trace_count < TRACE_STEPS; i++)
        if (is_shared_step(&result.trace[i]))
            steps[shown.trace_count++] = result.trace[i];
    if (shown.trace_count) {
        say(t->report, "\n");
        say_item(t->report, "", "block 0, warp 0 under %s: its steps on what threads share",
                 how->label);
        say_trace(t->report, &shown, TRACE_STEPS);
    }
    launch_result_free(&result);
    return 0;
}

int trap_wrong(struct trap *t, const struct lab_variant *v)
{
    struct ladder ladder = ladder_of(t);
    struct trap_shape shape;
    struct schedule how = {0};
    struct attempt got = {0};
    struct slots s;
    if (shape_of(t, v, &shape))
        return -1;
    say_problem(t, v, shape);
    say_item(t->report, "", "wrong on purpose: %s; the area should be %.7g", v->summary,
             rule_of(t, v)->exact);
    say(t->report, "\n");
    ladder_wrong(&ladder, v, &how, &got);
    if (!how.label) /* stopped before all schedules were tried */
        return -1;
    put_result(t, v, shape, &got);
    if (say_failure(t, v, shape, &how))
        return -1;
    fill_slots(t, v, shape, &got, &s);
    lab_explain(t->report, "trap", v->name, &s);
    return -1;
}

/* ---- all of them ------------------------------------------------------------------------ */

int trap_all(struct trap *t)
{
    static const char *const why[] = {"all", "all-times", "all-plain"}; /* by ladder_shows */
    char line[160], n[NUM_TEXT];
    struct ladder ladder = ladder_of(t);
    struct slots s;
    snprintf(line, sizeof line, "f(x) = %.60s on [%.6g, %.6g], n = %s", t->f.text,
             (double)t->rule.a, (double)t->rule.b, lab_count((uint64_t)t->rule.n, n));
    say_head(t->report, t->session, line);
    const char *order = "slowest first: atomics queue at one address, the rest is spread out";
    text_wrap(&t->report->screen, order, strlen(order), t->report->width, 0);
    say(t->report, "\n");
    int failed = ladder_all(&ladder);
    json_f64(&t->report->result, "exact", t->rule.exact);
    json_text(&t->report->result, "variant", "all");
    json_int(&t->report->result, "n", t->rule.n);
    json_bool(&t->report->result, "ok", !failed);
    if (failed)
        return -1;
    slots_init(&s);
    slot(&s, "n", "%s", n);
    slot(&s, "small", "%d", t->small.n);
    slot(&s, "runs", "%u", t->session->runs);
    slot(&s, "serial", "%.7g", t->rule.in_order);
    explain_why(t->report, "trap", why[ladder_shows(&ladder)], &s);
    explain_try(t->report, "trap", "all", &s);
    slots_free(&s);
    return failed;
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
    struct attempt got;
    struct json *j = &t->report->variants;
    const struct lab_variant *v = variant_named(t, row->variant);
    struct trap_shape shape = {row->blocks, row->threads};
    struct trap_launch l = launch_of(t, v, shape);
    l.counts = true;
    if (trap_run(&l, &got, NULL, t->report))
        return -1;
    table_cell(table, "%s", v->name);
    table_cell(table, "%u", row->blocks);
    table_cell(table, "%u", row->threads);
    table_cell(table, "%s", num_f32(got.value, area));
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
    json_f32(j, "area", got.value);
    json_f64(j, "error", got.error);
    json_bool(j, "ok", got.ok);
    json_bool(j, "wrong_on_purpose", false);
    json_uint(j, "global_atomics", got.counters.global_atomics);
    json_end_object(j);
    return got.ok ? 0 : report_fail(t->report, "%s: the area is outside its bound", v->name);
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
    const char *serial = "serial, as the book timed it: ARM Cortex-A15 33.6 ms, Core i7 4.48 ms";
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
    lab_explain(t->report, "trap", "table", &s);
    return failed;
}

/* ---- the host's calls ------------------------------------------------------------------- */

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

int trap_calls(struct trap *t, const struct lab_variant *v)
{
    char kernel[80];
    struct trap_shape shape;
    struct slots s;
    if (!v->kernel)
        return report_fail(t->report, "%s runs on the host and calls no device; another "
                                      "--variant does, for example atomic", v->name);
    if (shape_of(t, v, &shape))
        return -1;
    snprintf(kernel, sizeof kernel, "%s<<<%u, %u>>>", v->kernel, shape.blocks, shape.threads);
    say_problem(t, v, shape);
    say_calls(t->report, calls, kernel);
    json_text(&t->report->result, "variant", v->name);
    slots_init(&s);
    lab_explain(t->report, "trap", "calls", &s);
    return 0;
}
