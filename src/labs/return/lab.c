/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * return: a kernel is void, so what it has worked out must be left in memory that the host can
 * reach. Three ways that do, and the pointer to the host's own variable, which doesn't.
 */
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"

enum returning_tag { BY_POINTER, BY_NAME, BY_MANAGED, BY_HOST_POINTER };

static const struct lab_variant variants[] = {
    {"copy", "return_pointer", "device memory, copied back to the host", .tag = BY_POINTER},
    {"managed", "return_pointer", "managed memory, which host and device can read",
     .tag = BY_MANAGED},
    {"global", "return_global", "a device variable, copied by its name", .tag = BY_NAME},
    {"hostptr", "return_pointer", "a pointer to a variable of the host", "copy",
     "host-pointer out-of-bounds", BY_HOST_POINTER},
    {0},
};

struct return_options {
    struct lab_options lab;
    int x, y;
};

struct returning {
    struct lab_run run;
    int x, y;
    const char *argument, *moved; /* the kernel's last argument; how the sum gets to the host */
    bool reads_pages;             /* the device can read the host's own pages */
};

/* Where a 64-bit Linux puts a variable of main(); our own would be another at every start. */
static const uint64_t stack_address = UINT64_C(0x7ffdc0ffee04);

/* ---- one run ---------------------------------------------------------------------------- */

static int launch(struct returning *w, const struct trial *t, struct attempt *got, int *sum)
{
    uint64_t at = stack_address;
    int tag = t->variant->tag;
    const struct lab_launch l = {.module = "return", .kernel = t->variant->kernel, .grid = {1},
                                 .block = {1}};
    if (tag == BY_NAME)
        return lab_variable(t->session, l.module, "sum", &at, t->report) ||
               trial_launch(t, &l, got, PARAMS(w->x, w->y)) ||
               session_fetch(t->session, sum, at, sizeof *sum, t->report);
    if (tag != BY_HOST_POINTER && lab_array(t->session, sizeof *sum, "sum", NULL, &at, t->report))
        return -1;
    return trial_launch(t, &l, got, PARAMS(w->x, w->y, at)) ||
           (tag != BY_HOST_POINTER && session_fetch(t->session, sum, at, sizeof *sum, t->report));
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct returning *w = self;
    int sum = 0; /* the host's variable */
    if (t->variant->tag == BY_MANAGED && trial_lacks_managed(t, "copy", got))
        return 0;
    if (launch(w, t, got, &sum))
        return -1;
    lab_arrays_free(t->session);
    got->value = sum;
    got->expected = w->x + w->y;
    got->right = t->variant->tag != BY_HOST_POINTER && sum == w->x + w->y;
    return 0;
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {FACT(struct returning, x)},
    {FACT(struct returning, y)},
    {.label = "", WHEN(struct returning, reads_pages),
     .says = "this GPU can read the host's pages (pageableMemoryAccess): in a program of your own "
             "this would work here. cudalab runs kernels in a process of their own, which has no "
             "such page."},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "sum", FACT_AT(struct returning, run.got.value), .label = "sum",
     .says = "{sum}    {right?right: the host gets the sum of the kernel|WRONG}"},
    {.name = "expected", FACT_AT(struct returning, run.got.expected)},
    FACT_OK,
    {FACT(struct returning, moved), .only = FACT_IN_TEXT, .label = "moved"},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct returning, argument)},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *v)
{
    static const char *const argument[] = {", dsum_p", "", ", sum_p", ", &sum"};
    static const char *const moved[] = {"4 bytes to the host, by cudaMemcpy, which waits",
                                        "4 bytes to the host, by cudaMemcpyFromSymbol, which waits",
                                        "by the page that the host touches, after it has waited",
                                        ""};
    struct returning *w = self;
    w->argument = argument[v ? v->tag : 0];
    w->moved = moved[v ? v->tag : 0];
    w->reads_pages = v && v->tag == BY_HOST_POINTER &&
                     w->run.session->device->props.reads_host_pages == 1;
    return 0;
}

static const struct ladder_column columns[] = {
    {"stores", offsetof(struct counters, global_store_requests)}, {NULL, 0}};

static const struct ladder ladder = {
    .value = "sum",
    .kind = VALUE_INT,
    .columns = columns,
    .head = "{kernel}<<<1, 1>>>({x}, {y}{argument})",
    .head_of_all = "{x} + {y} by a kernel, back to the host",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct arg_spec operands[] = {
    {.name = "X", BIND(struct return_options, x), .type = ARG_INT, .lo = -1000000000,
     .hi = 1000000000, .initial = "2", .help = "the first number"},
    {.name = "Y", BIND(struct return_options, y), .type = ARG_INT, .lo = -1000000000,
     .hi = 1000000000, .initial = "3", .help = "the second number"},
    {0},
};
static const struct lab lab = {
    .module = "return",
    .takes = TAKES_LADDER,
    .variants = variants};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct return_options *o = given;
    struct returning w = {.run = {s, r, &o->lab, &lab}, .x = o->x, .y = o->y};
    return ladder_run(&ladder, &w.run);
}

const struct command lab_return = {
    LAB_COMMAND(struct return_options),
    .name = "return",
    .summary = "how a kernel returns a result, and why it has no return value",
    .operands = operands,
};
