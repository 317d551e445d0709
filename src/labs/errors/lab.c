/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * errors: programs that ask none of their calls whether it worked, and what each call would have
 * said. Each launch is done as written, so what the device refuses and what ends the kernel are
 * real. What each call says of it follows from the rules of the runtime API. A launch that can't
 * start is told by cudaGetLastError, once, as is any error that nobody has fetched. What ends a
 * kernel is told by whoever waits for it, and by every call after that. The kernels are in
 * kernels/errors.cu.
 */
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"

#include <string.h>

/* An error as the runtime API has it. */
struct runtime_error {
    const char *name; /* "cudaErrorIllegalAddress" */
    int number;
    const char *text; /* as cudaGetErrorString says it */
    bool stays;       /* every later call of the process fails with it */
};

enum unchecked_tag { UNCHECKED_CONFIG = 1, UNCHECKED_ASYNC = 2, UNCHECKED_NOSYNC = 4 };

struct errors_options {
    struct lab_options lab;
    int n, threads, fault; /* fault: index in fault_names */
    bool threads_given;
};

struct unchecked {
    struct lab_run run;
    const struct errors_options *options;
    int n, fault;
    unsigned blocks, threads;              /* of one variant */
    const struct runtime_error *no_memory; /* of the cudaMalloc that fails; NULL: none does */
    const struct runtime_error *launch;    /* what became of the launch */
    /* What the facts say: */
    int64_t expected;
    bool async;
    const char *cause, *reason, *error;    /* the fault's name, a sentence, the error's name */
};

static const char *const fault_names[] = {"null", "misaligned", "trap", "assert", NULL};
enum { FAULT_NULL, FAULT_MISALIGNED, FAULT_TRAP, FAULT_ASSERT };

/* ---- what the runtime API says ---------------------------------------------------------- */

#define ILLEGAL                                                                          \
    {                                                                                    \
        "cudaErrorIllegalAddress", 700, "an illegal memory access was encountered", true \
    }
static const struct {
    const char *fault;
    struct runtime_error error;
} known[] = {
    {"", {"cudaSuccess", 0, "no error", false}},
    {"bad-launch", {"cudaErrorInvalidConfiguration", 9, "invalid configuration argument", false}},
    {"out-of-memory", {"cudaErrorMemoryAllocation", 2, "out of memory", false}},
    {"null", ILLEGAL},
    {"out-of-bounds", ILLEGAL},
    {"use-after-free", ILLEGAL},
    {"host-pointer", ILLEGAL},
    {"misaligned", {"cudaErrorMisalignedAddress", 716, "misaligned address", true}},
    {"assert", {"cudaErrorAssert", 710, "device-side assert triggered", true}},
    {"trap", {"cudaErrorLaunchFailure", 719, "unspecified launch failure", true}},
    {"timeout", {"cudaErrorLaunchTimeout", 702, "the launch timed out and was terminated", true}},
};

/* What ended a launch, by the name of its fault; the success for "". NULL: it has none. */
static const struct runtime_error *runtime_error_of(const char *fault)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].fault, fault) == 0)
            return &known[i].error;
    return NULL;
}

/* ---- one run ---------------------------------------------------------------------------- */

/* -1: the report says what is wrong with the command. */
static int check_threads(struct unchecked *u)
{
    const struct errors_options *o = u->options;
    const struct device_props *p = &u->run.session->device->props;
    bool config = strcmp(o->lab.variant, "badconfig") == 0;
    int most = p->max_threads_per_block ? p->max_threads_per_block : 1024;
    bool starts = o->threads >= 1 && o->threads <= most;
    if (o->threads_given && config && starts)
        return report_fail(u->run.report,
                           "--threads %d is a valid block; badconfig needs an invalid one: 0, or "
                           "more than %d",
                           o->threads, most);
    if (o->threads_given && !config && !starts)
        return report_fail(u->run.report,
                           "--threads %d: a block has 1 to %d threads here; --variant badconfig "
                           "shows what happens with others",
                           o->threads, most);
    return 0;
}

/* How this variant launches: too many threads are one block of them all. */
static void shape(struct unchecked *u, const struct lab_variant *v)
{
    const struct errors_options *o = u->options;
    u->threads = o->threads_given && !lab_runs_all(&o->lab) ? (unsigned)o->threads : 256;
    if (v && v->tag & UNCHECKED_CONFIG && !o->threads_given)
        u->threads = 2048;
    u->blocks = u->threads ? ((unsigned)u->n + u->threads - 1) / u->threads : 1;
}

/* The array for the result, which an unchecked program believes to have. */
static int result_array(struct unchecked *u, const struct trial *t, uint64_t *y)
{
    struct device *d = t->session->device;
    uint64_t too_much = 2 * (d->props.global_bytes ? d->props.global_bytes : UINT64_C(1) << 50);
    struct err e = {0};
    u->no_memory = NULL;
    if (!(t->variant->tag & UNCHECKED_ASYNC) || u->fault != FAULT_NULL)
        return lab_array(t->session, (size_t)u->n * sizeof(int32_t), "y", NULL, y, t->report);
    *y = 0;
    if (d->ops->allocate(d, (size_t)too_much, "y", y, &e) == 0) {
        d->ops->free(d, *y, &e);
        return report_fail(t->report, "this device can allocate twice its memory, so the fault "
                                      "does not happen; take another --fault");
    }
    *y = 0; /* what a static pointer holds that cudaMalloc did not set */
    u->no_memory = runtime_error_of("out-of-memory");
    return 0;
}

static const char *kernel_of(const struct unchecked *u, const struct lab_variant *v)
{
    if (v->tag & UNCHECKED_ASYNC && u->fault == FAULT_TRAP)
        return "twice_trap";
    return v->tag & UNCHECKED_ASYNC && u->fault == FAULT_ASSERT ? "twice_assert" : v->kernel;
}

/* What the host finds in its own array in the end. */
static int run_once(struct unchecked *u, const struct trial *t, int32_t *h, struct attempt *got)
{
    const struct lab_variant *v = t->variant;
    size_t bytes = (size_t)u->n * sizeof *h;
    uint64_t x, y;
    bool async = v->tag & UNCHECKED_ASYNC;
    const struct lab_launch l = {.module = "errors",
                                 .kernel = kernel_of(u, v),
                                 .grid = {u->blocks, 1, 1},
                                 .block = {u->threads, 1, 1},
                                 .as_written = true};
    for (int i = 0; i < u->n; i++)
        h[i] = i + 1;
    if (async && u->fault >= FAULT_TRAP)
        h[u->n / 2] = -1;
    if (lab_array(t->session, bytes, "x", h, &x, t->report) || result_array(u, t, &y))
        return -1;
    memset(h, 0, bytes);
    uint64_t given = async && u->fault == FAULT_MISALIGNED ? y + 1 : y;
    if (v->tag & UNCHECKED_NOSYNC && session_fetch(t->session, h, y, bytes, t->report))
        return -1; /* nothing makes the host wait: it may well be here before the kernel */
    if (trial_launch(t, &l, got, PARAMS(given, x, u->n)))
        return -1;
    u->launch = runtime_error_of(got->fault);
    if (v->tag & UNCHECKED_NOSYNC || !y || (u->launch && u->launch->stays))
        return 0; /* the copy fails, and h stays as it was */
    return session_fetch(t->session, h, y, bytes, t->report);
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct unchecked *u = self;
    size_t bytes = (size_t)u->n * sizeof(int32_t);
    if (t->variant->tag & UNCHECKED_NOSYNC && trial_lacks_managed(t, "checked", got))
        return 0;
    int32_t *h = mem_alloc(&allocator_libc, bytes);
    if (!h)
        return report_fail_limit(t->report, "out of memory; take a smaller n");
    int failed = run_once(u, t, h, got);
    int64_t sum = 0;
    for (int i = 0; i < u->n; i++)
        sum += h[i];
    got->value = (double)sum;
    got->expected = (double)u->expected;
    got->right = got->value == got->expected;
    if (!failed && !u->launch)
        failed = report_fail(t->report, "the launch ended with %s, and this lab has no error for "
                                        "it",
                             got->fault);
    mem_free(&allocator_libc, h, bytes);
    return failed;
}

/* ---- the calls -------------------------------------------------------------------------- */

enum says {
    SAYS_SUCCESS, SAYS_NO_MEMORY, SAYS_START, SAYS_END, SAYS_LATER, /* errors of the runtime API */
    SAYS_NOTHING, SAYS_SUM
};

struct errors_step {
    const char *call;
    enum says says;
    bool added; /* by who checks */
    int of;     /* tags of the variants that have it; 0: `checked` has it too */
};

#define COPIES (UNCHECKED_CONFIG | UNCHECKED_ASYNC)
static const struct errors_step steps[] = {
    {"cudaMalloc(&y, bytes)", SAYS_NO_MEMORY, false, COPIES},
    {"cudaMallocManaged(&y, bytes)", SAYS_SUCCESS, false, UNCHECKED_NOSYNC},
    {"{kernel}<<<{blocks}, {threads}>>>(y, x, n)", SAYS_NOTHING, false, 0},
    {"cudaGetLastError()", SAYS_START, true, 0},
    {"cudaDeviceSynchronize()", SAYS_END, true, 0},
    {"cudaMemcpy(h, y, bytes, ...)", SAYS_LATER, false, COPIES},
    {"the host adds up", SAYS_SUM, false, 0},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* NULL: it returns nothing. */
static const struct runtime_error *says_of(const struct unchecked *u, const struct errors_step *s)
{
    const struct runtime_error *ok = runtime_error_of("");
    switch (s->says) {
    case SAYS_NOTHING:
    case SAYS_SUM: return NULL;
    case SAYS_NO_MEMORY: return u->no_memory ? u->no_memory : ok;
    case SAYS_START: /* the last error of any call that nobody has fetched yet */
        return u->no_memory ? u->no_memory : u->launch->stays ? ok : u->launch;
    case SAYS_END:
    case SAYS_LATER: return u->launch->stays ? u->launch : ok;
    case SAYS_SUCCESS: break;
    }
    return ok;
}

static void put_step(struct json *j, const char *call, bool added, const struct runtime_error *e)
{
    json_object(j, NULL);
    json_text(j, "call", call);
    json_bool(j, "added", added);
    if (e) {
        json_text(j, "returns", e->name);
        json_int(j, "number", e->number);
        json_text(j, "text", e->text);
    }
    json_end_object(j);
}

static bool show(void *self, const struct lab_variant *v, const struct launch_result *traced)
{
    static const struct table_column of[] = {
        {.head = "", .tells = "Not in the program:"},
        {.head = "call", .tells = "%"},
        {.head = "returns, if checked", .folds = true, .tells = "returns %"}};
    struct unchecked *u = self;
    struct report *r = u->run.report;
    struct json *j = &r->result;
    struct table t;
    char number[NUM_TEXT];
    (void)traced;
    say(r, "\n");
    table_begin(&t, of, 3, 0);
    json_array(j, "checks");
    for (const struct errors_step *s = steps; s < steps + STEPS; s++) {
        if (s->of && !(s->of & (v->tag ? v->tag : COPIES)))
            continue;
        const struct runtime_error *e = says_of(u, s);
        struct buf call = {0};
        ladder_text(&u->run, s->call, &call);
        table_cell(&t, s->added && v->mended_by ? "+" : "");
        table_cell(&t, "%s", buf_text(&call));
        if (e && e->number)
            table_cell_in(&t, INK_BAD, "%s (%d), %s", e->name, e->number, e->text);
        else if (e)
            table_cell_in(&t, INK_GOOD, "%s", e->name);
        else if (s->says == SAYS_NOTHING)
            table_cell(&t, "nothing: a launch has no return value");
        else
            table_cell(&t, "%s", num_group((int64_t)u->run.got.value, number));
        put_step(j, buf_text(&call), s->added && v->mended_by, e);
        buf_free(&call);
    }
    json_end_array(j);
    say_table(r, &t);
    if (v->mended_by)
        say_item(r, "", "%s not in the program: a check would add %s",
                 r->plain ? "Some calls are" : "+ is", r->plain ? "them" : "it");
    return true;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {FACT(struct unchecked, n), .as = AS_GROUP},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "sum", FACT_AT(struct unchecked, run.got.value), .as = AS_GROUP, .label = "sum",
     .says = "{sum}, as it should be"},
    {FACT(struct unchecked, expected), .as = AS_GROUP},
    {FACT(struct unchecked, cause), WHEN(struct unchecked, async)},
    FACT_OK,
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct unchecked, blocks)},
    {FACT(struct unchecked, threads)},
    {FACT(struct unchecked, reason)},
    {FACT(struct unchecked, error)},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *v)
{
    static const char *const reasons[] = {
        ("cudaMalloc found no memory, and no check read its error (cudaGetLastError() still "
         "could), and the kernel stored through a pointer that was never set"),
        "the pointer was one byte off, so no int could be stored there",
        "one element was below 0, and the kernel stops itself there",
        "one element was below 0, and the kernel asserts that none is"};
    struct unchecked *u = self;
    shape(u, v);
    u->run.kernel = v ? kernel_of(u, v) : "";
    u->expected = u->n * (u->n + INT64_C(1));
    u->async = v && v->tag & UNCHECKED_ASYNC;
    u->cause = fault_names[u->fault];
    u->reason = reasons[u->fault];
    u->error = u->launch ? u->launch->name : "";
    return 0;
}

static const struct ladder_column columns[] = {
    {"instructions", offsetof(struct counters, warp_instructions)}, {0}};

static const struct ladder ladder = {
    .value = "sum",
    .kind = VALUE_INT,
    .columns = columns,
    .head = "{kernel}<<<{blocks}, {threads}>>>(y, x, n): y = 2 x, n = {n}",
    .head_of_all = "y = 2 x, n = {n}: what unchecked calls hide",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};

/* ---- the command ------------------------------------------------------------------------ */

enum { MOST_N = 1 << 24, MOST_THREADS = 1 << 20 };

static const struct lab_variant variants[] = {
    {"checked", "twice", "every call is checked", .tag = 0},
    {"badconfig", "twice", "a block that is too large, without a check", "checked", "bad-launch",
     UNCHECKED_CONFIG},
    {"async", "twice", "the kernel fails after a correct launch", "checked",
     "null misaligned trap assert out-of-bounds", UNCHECKED_ASYNC},
    {"nosync", "twice", "the host reads the result without waiting",
     "checked", NULL, UNCHECKED_NOSYNC},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct errors_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_N,
     .initial = "1000", .help = "elements"},
    {OPTION(struct errors_options, threads), GIVEN(struct errors_options, threads), .value = "T",
     .type = ARG_INT, .lo = 0, .hi = MOST_THREADS,
     .help = "threads per block; badconfig takes a number that is not possible, 2048 if not given"},
    {OPTION(struct errors_options, fault), .type = ARG_CHOICE, .choices = fault_names,
     .initial = "null", .help = "the fault in the kernel of async"},
    {0},
};

static const struct lab lab = {
    .module = "errors",
    .takes = TAKES_LADDER,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct errors_options *o = given;
    struct unchecked u = {.run = {s, r, &o->lab, &lab}, .options = o, .n = o->n, .fault = o->fault};
    return check_threads(&u) ? -1 : ladder_run(&ladder, &u.run);
}

const struct command lab_errors = {
    LAB_COMMAND(struct errors_options),
    .name = "errors",
    .summary = "CUDA calls without a check, and the errors that they hide",
    .options = options,
};
