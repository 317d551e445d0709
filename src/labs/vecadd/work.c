/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vector addition, run and shown; see vecadd.h.
 *
 * A host that doesn't wait is one more agent in the race: when it reads z, some blocks have run
 * and the others haven't. How many is drawn from the schedule's seed; in lock step the host is
 * first. The launch is then made in two parts with the reading between them, so that what is
 * read is what memory held at that moment.
 */
#include "labs/vecadd/work.h"

#include "labkit/lab.h"

#include <stdio.h>
#include <string.h>

enum { WARP = 32, USUAL_THREADS = 256 };

/* ---- shape ------------------------------------------------------------------------------ */

/* One thread a block, or one block: the other number is settled. */
static int shape_one(struct vecadd *a, const struct lab_variant *v)
{
    const struct device_props *p = &a->run.session->device->props;
    const struct lab_options *o = a->run.options;
    bool by_blocks = (v->tag & VECADD_SHAPE) == ADDS_BLOCKS_ONLY, all = lab_runs_all(o);
    const char *own = by_blocks ? "blocks" : "threads", *other = by_blocks ? "threads" : "blocks";
    int64_t most = by_blocks ? p->max_grid[0] : p->max_threads_per_block;
    int typed = by_blocks ? o->blocks : o->threads;
    int typed_other = by_blocks ? o->threads : o->blocks;
    int count = typed && !all ? typed : a->v.n;
    char n[NUM_TEXT], limit[NUM_TEXT];
    if (typed_other > 1 && !all)
        return report_fail(a->run.report, "%s has %s; leave --%s out, or take --variant both",
                           v->name, by_blocks ? "one thread in each block" : "one block", other);
    if (count < a->v.n)
        return report_fail(a->run.report, "--%s %d: n = %s needs a thread each, so at least %s %s "
                                          "here; --variant gridstride takes any number", own,
                           count, num_group(a->v.n, n), n, own);
    if (most && count > most)
        snprintf(a->not_run, sizeof a->not_run,
                 "%s has at most %s %s here, and n is %s; --variant both takes any n",
                 by_blocks ? "a grid" : "a block", num_group(most, limit), own,
                 num_group(a->v.n, n));
    a->shape = by_blocks ? (struct launch_shape){(unsigned)count, 1}
                         : (struct launch_shape){1, (unsigned)count};
    return 0;
}

/* -1: the report says what would fit. */
static int choose_shape(struct vecadd *a, const struct lab_variant *v)
{
    const struct device_props *p = &a->run.session->device->props;
    const struct lab_options *o = a->run.options;
    struct launch_shape *s = &a->shape;
    unsigned kind = (unsigned)v->tag & VECADD_SHAPE;
    a->not_run[0] = '\0';
    if (kind == ADDS_BLOCKS_ONLY || kind == ADDS_THREADS_ONLY)
        return shape_one(a, v);
    bool walks = kind == ADDS_WALKING;
    s->threads = o->threads ? (unsigned)o->threads : USUAL_THREADS;
    uint64_t elements = (uint64_t)a->v.n;
    if (walks) /* so few that there is something to walk on for */
        elements = divide_up(elements, 2);
    s->blocks = shape_blocks(elements, s->threads, walks, p);
    if (v->tag & NO_GUARD)
        s->blocks = (unsigned)a->v.n / s->threads + 1;
    if (o->blocks && !(lab_runs_all(o) && v->mended_by))
        s->blocks = (unsigned)o->blocks;
    return shape_fits(*s, a->v.n, walks, p, a->run.report);
}

/* Loads by warps: each segment of consecutive elements that a block takes at once is so many
 * warps wide, and there are x and y. */
static uint64_t loads_of(struct launch_shape s, int n)
{
    uint64_t whole = (uint64_t)n / s.threads, rest = (uint64_t)n % s.threads;
    return 2 * (whole * divide_up(s.threads, WARP) + divide_up(rest, WARP));
}

/* ---- one run ---------------------------------------------------------------------------- */

struct vecadd_addresses { uint64_t x, y, z; };

static int get_arrays(struct vecadd *a, const struct trial *t, struct vecadd_addresses *at)
{
    size_t bytes = (size_t)a->v.n * sizeof(float);
    const bool on_gpu = session_on_gpu(t->session);
    if (!on_gpu) /* a new array of a GPU holds zeros */
        memset(a->v.z, 0, bytes);
    return vectors_send(&a->v, t->session, &at->x, &at->y, t->report) ||
                   lab_array(t->session, bytes, "z", on_gpu ? NULL : a->v.z, &at->z, t->report)
               ? -1
               : 0;
}

/* Blocks from `first` on: what they would find at those indices lies `first` blocks further. */
static int launch_part(struct vecadd *a, const struct trial *t, const struct vecadd_addresses *at,
                       struct launch_shape s, unsigned first, unsigned count, struct attempt *got)
{
    uint64_t skip = (uint64_t)first * s.threads;
    const struct lab_launch l = {.module = "vecadd", .kernel = t->variant->kernel,
                                 .grid = {count}, .block = {s.threads}};
    if (!count)
        return 0;
    return trial_launch(
        t, &l, got,
        PARAMS(at->x + 4 * skip, at->y + 4 * skip, at->z + 4 * skip, a->v.n - (int)skip));
}

static unsigned blocks_done(const struct schedule *s, unsigned blocks)
{
    if (!s->name || strcmp(s->name, "lockstep") == 0)
        return 0;
    const uint32_t drawn = lab_drawn(s->seed, (uint32_t)s->name[0]);
    return (unsigned)(((uint64_t)drawn * (blocks + 1)) >> 32);
}

static int add_vectors(struct vecadd *a, const struct trial *t, const struct vecadd_addresses *at,
                       struct launch_shape s, struct attempt *got)
{
    size_t bytes = (size_t)a->v.n * sizeof(float);
    bool waits = !(t->variant->tag & NO_WAIT);
    a->done = waits ? s.blocks : blocks_done(t->schedule, s.blocks);
    if (launch_part(a, t, at, s, 0, a->done, got) ||
        session_fetch(t->session, a->v.z, at->z, bytes, t->report) ||
        launch_part(a, t, at, s, a->done, s.blocks - a->done, got))
        return -1;
    attempt_array(got, a->v.z, a->v.want, (size_t)a->v.n);
    return 0;
}

/* The same once more as a program has it, for the time of each step; what comes out is the answer
 * that counts. */
static int time_steps(struct vecadd *a, const struct trial *t, const struct vecadd_addresses *at,
                      struct launch_shape s, struct attempt *got)
{
    const size_t bytes = (size_t)a->v.n * sizeof(float);
    const struct lab_launch l = {.module = "vecadd", .kernel = t->variant->kernel,
                                 .grid = {s.blocks}, .block = {s.threads}};
    if (t->quiet || !attempt_ok(got) || t->variant->mended_by || !session_on_gpu(t->session) ||
        !t->report->volatile_on || t->session->benching)
        return 0;
    memset(a->v.z, 0, bytes);
    if (session_store(t->session, at->z, a->v.z, bytes, t->report) ||
        steps_time(&a->steps, &a->moves, t, &l, PARAMS(at->x, at->y, at->z, a->v.n)) ||
        session_fetch(t->session, a->v.z, at->z, bytes, t->report))
        return -1;
    attempt_array(got, a->v.z, a->v.want, (size_t)a->v.n);
    return 0;
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct vecadd *a = self;
    const struct lab_variant *v = t->variant;
    unsigned sms = (unsigned)t->session->device->props.multiprocessors;
    struct vecadd_addresses at;
    const struct launch_shape s = a->shape;
    memcpy(got->not_run, a->not_run, sizeof got->not_run);
    if (v->tag & NO_WAIT && session_on_gpu(t->session))
        snprintf(got->not_run, sizeof got->not_run,
                 "on a GPU cudalab always waits for a launch; a simulator shows it");
    if (got->not_run[0])
        return 0;
    got->has_predicted = v->mended_by == NULL;
    got->predicted = a->loads;
    int failed = get_arrays(a, t, &at) || add_vectors(a, t, &at, s, got) ||
                 time_steps(a, t, &at, s, got);
    lab_arrays_free(t->session);
    if (got->has_counters) /* multiprocessors share the warps, as far as there are blocks */
        got->cost = got->counters.warp_instructions / (s.blocks < sms || !sms ? s.blocks : sms);
    return failed ? -1 : 0;
}

/* ---- what there is to say --------------------------------------------------------------- */

static void draw_host(struct report *r, const void *found)
{
    say_vectors_host(&((const struct vecadd *)found)->v, r);
}

static void draw_rest(struct report *r, const void *found)
{
    const struct vecadd *a = found;
    say_steps(&a->steps, &a->moves, r);
    say_vectors_host(&a->v, r);
    say_vectors(&a->v, "z", r);
}

static void put_rest(struct json *j, const void *found)
{
    const struct vecadd *a = found;
    put_steps(&a->steps, &a->moves, j);
    put_vectors(&a->v, j);
}

static const struct fact task[] = {
    {.name = "n", FACT_AT(struct vecadd, v.n), .as = AS_GROUP},
    {.draw = draw_host, WHEN(struct vecadd, all)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    FACT_OK,
    {.name = "norm", FACT_AT(struct vecadd, run.got.value), .label = "check",
     .says = "{verdict}: {right?all {n} sums are as in plain C|{wrong} of {n} elements differ from "
             "plain C}; two-norm of the error {norm:%g}"},
    {.name = "wrong", FACT_AT(struct vecadd, run.got.wrong), .as = AS_GROUP},
    {.name = "blocks", FACT_AT(struct vecadd, shape.blocks), .as = AS_GROUP},
    {.name = "threads", FACT_AT(struct vecadd, shape.threads), .as = AS_GROUP},
    {FACT(struct vecadd, idle), .as = AS_GROUP, .label = "threads",
     .says = "{all}, {idle?{idle} of them idle: their i is not below n|none idle}"},
    {.name = "blocks_done", FACT_AT(struct vecadd, done), WHEN(struct vecadd, waits_not)},
    {.label = "loads", WHEN(struct vecadd, run.got.has_counters),
     .says = "{global_load_requests}: each warp that has elements makes two"},
    {FACT(struct vecadd, mem), .label = "moved",
     .says = "{bytes_to_device} bytes to the device, {bytes_to_host} back, {how}"},
    {.name = "bytes_to_device", FACT_AT(struct vecadd, in), .as = AS_GROUP},
    {.name = "bytes_to_host", FACT_AT(struct vecadd, out), .as = AS_GROUP},
    {.put = put_rest, .draw = draw_rest},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "each_sm", FACT_AT(struct vecadd, run.got.cost), .as = AS_GROUP,
     WHEN(struct vecadd, run.got.has_counters)},
    {.name = "count", FACT_AT(struct vecadd, v.n), .as = AS_COUNT},
    {FACT(struct vecadd, one), .as = AS_GROUP},
    {FACT(struct vecadd, packed), .as = AS_GROUP},
    {.name = "all", FACT_AT(struct vecadd, threads), .as = AS_GROUP},
    {FACT(struct vecadd, how)},
    {FACT(struct vecadd, bytes)},
    {FACT(struct vecadd, waits_not)},
    {FACT(struct vecadd, old)},
    {FACT(struct vecadd, last), .as = AS_GROUP},
    {FACT(struct vecadd, most), .as = AS_GROUP},
    {FACT(struct vecadd, warps), .as = AS_GROUP},
    {FACT(struct vecadd, loads), .as = AS_GROUP},
    {FACT(struct vecadd, one_done)},
    {FACT(struct vecadd, more)},
    {.name = NULL},
};

/* What a host that doesn't wait did, and what it read. */
static const struct fact hasty[] = {
    {.label = "1", .says = "the host launches {blocks:%.0f} blocks; the call returns at once"},
    {.label = "2",
     .says = "{blocks_done?{blocks_done} of them {one_done?has|have}|none of them has} run"},
    {.label = "3", .says = "the host reads z: {wrong} of {n} values are what was there before"},
    {.label = "4", .says = "{more} more blocks run, and the host does not look again"},
    {.label = "", WHEN(struct vecadd, old),
     .says = "on this device ({major}.{minor}) step 3 would end the program: before 6.0 the host "
             "must not touch managed memory while a kernel runs"},
    {.name = NULL},
};

static bool show(void *self, const struct lab_variant *v, const struct launch_result *traced)
{
    struct vecadd *a = self;
    (void)traced;
    if (!(v->tag & NO_WAIT))
        return false;
    say(a->run.report, "\n");
    ladder_say(&a->run, hasty);
    say_vectors(&a->v, "z as read", a->run.report);
    return true;
}

static int find(void *self, const struct lab_variant *v)
{
    struct vecadd *a = self;
    uint64_t n = (uint64_t)a->v.n;
    a->all = !v;
    a->mem = transfer_names[a->moves.kind];
    a->how = transfer_how[a->moves.kind];
    a->run.calls = a->mem;
    a->bytes = n * sizeof(float);
    a->in = transfer_bytes(a->arrays, true);
    a->out = transfer_bytes(a->arrays, false);
    a->one = 2 * n;
    a->packed = 2 * divide_up(n, WARP);
    if (!v)
        return 0;
    if (choose_shape(a, v))
        return -1;
    a->waits_not = v->tag & NO_WAIT;
    a->threads = shape_threads(a->shape);
    a->idle = a->threads > n ? a->threads - n : 0;
    a->last = a->threads - 1;
    a->most = divide_up(n, a->threads);
    a->warps = divide_up(a->shape.threads, WARP);
    a->loads = loads_of(a->shape, a->v.n);
    a->one_done = a->done == 1;
    a->more = a->shape.blocks - a->done;
    a->old = a->run.session->device->props.major < 6;
    return 0;
}

/* ---- the lab ---------------------------------------------------------------------------- */

/* A host that doesn't wait has memory that both sides reach: a copy would wait for it. */
static int choose_memory(struct vecadd *a)
{
    const struct vecadd_options *o = a->options;
    const struct lab_variant *v = lab_variant_named(a->run.lab, o->lab.variant);
    a->moves.kind = (enum transfer_kind)o->mem;
    if (v && v->tag & NO_WAIT) {
        bool copied = a->moves.kind == BY_COPIES || a->moves.kind == BY_PINNED_COPIES;
        if (copied && o->mem_given)
            return report_fail(a->run.report,
                               "%s needs memory that both sides can use, because cudaMemcpy waits "
                               "for the kernel; take --mem managed or --mem mapped", v->name);
        a->moves.kind = copied ? BY_PAGES : a->moves.kind;
    }
    const char *refused = transfer_refused(a->moves.kind, &a->run.session->device->props);
    return refused ? report_fail(a->run.report, "%s", refused) : 0;
}

int vecadd_open(struct vecadd *a)
{
    static const char *const name[] = {"x", "y", "z"};
    const struct vecadd_options *o = a->options;
    struct session *s = a->run.session;
    struct report *r = a->run.report;
    if (choose_memory(a) || vectors_open(&a->v, s, &o->vectors, lab_seed(s, &o->lab), r) ||
        (o->host_threads && vectors_host(&a->v, (unsigned)o->host_threads, r)))
        return -1;
    for (int k = 0; k < 3; k++)
        a->arrays[k] = (struct transfer_array){name[k], (size_t)a->v.n * sizeof(float), k < 2,
                                               k == 2};
    a->moves.arrays = a->arrays;
    return 0;
}

static const struct ladder_column columns[] = {
    {"loads", offsetof(struct counters, global_load_requests)},
    {"sectors", offsetof(struct counters, global_load_sectors)},
    {"stores", offsetof(struct counters, global_store_requests)},
    {"instructions", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

const struct ladder vecadd_ladder = {
    .value = "norm",
    .kind = VALUE_ARRAY,
    .order = "slowest first: by the instructions of one multiprocessor, in the column per SM",
    .beside_head = "per SM",
    .beside = "{each_sm?{each_sm}|}",
    .columns = columns,
    .head = "z = x + y, n = {count}, {blocks:%.0f} x {threads:%.0f} threads",
    .head_of_all = "z = x + y, n = {count}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
};
