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

#include "base/philox.h"
#include "labkit/lab.h"

#include <stdio.h>
#include <string.h>

enum { WARP = 32, USUAL_THREADS = 256 };

/* ---- shape ------------------------------------------------------------------------------ */

static int64_t typed(const struct vecadd *a, const char *name)
{
    return arg_given(a->args, name) ? arg_int(a->args, name) : 0;
}

static bool runs_all(const struct vecadd *a)
{
    return strcmp(arg_text(a->args, "variant"), "all") == 0;
}

/* One thread a block, or one block: the other number is settled. */
static int shape_one(struct vecadd *a, const struct lab_variant *v, struct shape *s,
                     char not_run[160])
{
    const struct device_props *p = &a->session->device->props;
    bool by_blocks = (v->tag & VECADD_SHAPE) == ADDS_BLOCKS_ONLY;
    const char *own = by_blocks ? "blocks" : "threads", *other = by_blocks ? "threads" : "blocks";
    int64_t most = by_blocks ? p->max_grid[0] : p->max_threads_per_block;
    int64_t count = typed(a, own) && !runs_all(a) ? typed(a, own) : a->v.n;
    char n[NUM_TEXT], limit[NUM_TEXT];
    if (typed(a, other) > 1 && !runs_all(a))
        return report_fail(a->report, "%s has %s; leave --%s out, or take --variant both", v->name,
                           by_blocks ? "one thread in each block" : "one block", other);
    if (count < a->v.n)
        return report_fail(a->report, "--%s %lld: n = %s needs a thread each, so at least %s %s "
                                      "here; --variant gridstride takes any number", own,
                           (long long)count, num_group(a->v.n, n), n, own);
    if (most && count > most)
        snprintf(not_run, 160, "%s has at most %s %s here, and n is %s; --variant both takes any n",
                 by_blocks ? "a grid" : "a block", num_group(most, limit), own,
                 num_group(a->v.n, n));
    *s = by_blocks ? (struct shape){(unsigned)count, 1} : (struct shape){1, (unsigned)count};
    return 0;
}

/* -1: the report says what would fit. not_run: what this device lacks for it, or empty. */
static int shape_of(struct vecadd *a, const struct lab_variant *v, struct shape *s,
                    char not_run[160])
{
    const struct device_props *p = &a->session->device->props;
    unsigned kind = (unsigned)v->tag & VECADD_SHAPE;
    not_run[0] = '\0';
    if (kind == ADDS_BLOCKS_ONLY || kind == ADDS_THREADS_ONLY)
        return shape_one(a, v, s, not_run);
    bool walks = kind == ADDS_WALKING;
    s->threads = typed(a, "threads") ? (unsigned)typed(a, "threads") : USUAL_THREADS;
    uint64_t elements = (uint64_t)a->v.n;
    if (walks) /* so few that there is something to walk on for */
        elements = divide_up(elements, 2);
    s->blocks = shape_blocks(elements, s->threads, walks, p);
    if (v->tag & NO_GUARD)
        s->blocks = (unsigned)a->v.n / s->threads + 1;
    if (typed(a, "blocks") && !(runs_all(a) && v->mended_by))
        s->blocks = (unsigned)typed(a, "blocks");
    return shape_fits(*s, a->v.n, walks, p, a->report);
}

/* Loads by warps: each segment of consecutive elements that a block takes at once is so many
 * warps wide, and there are x and y. */
static uint64_t loads_of(struct shape s, int n)
{
    uint64_t whole = (uint64_t)n / s.threads, rest = (uint64_t)n % s.threads;
    return 2 * (whole * divide_up(s.threads, WARP) + divide_up(rest, WARP));
}

static uint64_t idle_of(struct shape s, int n)
{
    uint64_t all = shape_threads(s);
    return all > (uint64_t)n ? all - (uint64_t)n : 0;
}

/* ---- one run ---------------------------------------------------------------------------- */

struct addresses { uint64_t x, y, z; };

static int get_arrays(struct vecadd *a, const struct trial *t, struct addresses *at)
{
    size_t bytes = (size_t)a->v.n * sizeof(float);
    memset(a->v.z, 0, bytes); /* what z holds before */
    return lab_array(t->session, bytes, "x", a->v.x, &at->x, t->report) ||
                   lab_array(t->session, bytes, "y", a->v.y, &at->y, t->report) ||
                   lab_array(t->session, bytes, "z", a->v.z, &at->z, t->report)
               ? -1
               : 0;
}

/* Blocks from `first` on: what they would find at those indices lies `first` blocks further. */
static int launch_part(struct vecadd *a, const struct trial *t, const struct addresses *at,
                       struct shape s, unsigned first, unsigned count, struct attempt *got)
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
    const uint32_t key[2] = {(uint32_t)s->seed, (uint32_t)(s->seed >> 32)};
    const uint32_t counter[4] = {s->name ? (uint32_t)s->name[0] : 0};
    uint32_t word[4];
    if (!s->name || strcmp(s->name, "lockstep") == 0)
        return 0;
    philox(key, counter, word);
    return (unsigned)(((uint64_t)word[0] * (blocks + 1)) >> 32);
}

static int add_vectors(struct vecadd *a, const struct trial *t, const struct addresses *at,
                       struct shape s, struct attempt *got)
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
static int time_steps(struct vecadd *a, const struct trial *t, const struct addresses *at,
                      struct shape s, struct attempt *got)
{
    const size_t bytes = (size_t)a->v.n * sizeof(float);
    const struct lab_launch l = {.module = "vecadd", .kernel = t->variant->kernel,
                                 .grid = {s.blocks}, .block = {s.threads}};
    if (t->quiet || !attempt_ok(got) || t->variant->mended_by ||
        !steps_wanted(t->session, t->report))
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
    unsigned sms = (unsigned)a->session->device->props.multiprocessors;
    struct addresses at;
    struct shape s;
    if (shape_of(a, v, &s, got->not_run))
        return -1;
    if (v->tag & NO_WAIT && session_on_gpu(a->session))
        snprintf(got->not_run, sizeof got->not_run,
                 "on a GPU cudalab always waits for a launch; a simulator shows it");
    if (got->not_run[0])
        return 0;
    got->has_predicted = v->mended_by == NULL;
    got->predicted = loads_of(s, a->v.n);
    int failed = get_arrays(a, t, &at) || add_vectors(a, t, &at, s, got) ||
                 time_steps(a, t, &at, s, got);
    lab_arrays_free(t->session);
    if (got->has_counters) /* multiprocessors share the warps, as far as there are blocks */
        got->cost = got->counters.warp_instructions / (s.blocks < sms || !sms ? s.blocks : sms);
    return failed ? -1 : 0;
}

/* ---- what is shown ---------------------------------------------------------------------- */

static int head(void *self, const struct lab_variant *v)
{
    struct vecadd *a = self;
    struct shape s;
    char line[160], n[NUM_TEXT], not_run[160];
    if (v && shape_of(a, v, &s, not_run))
        return -1;
    int used = snprintf(line, sizeof line, "z = x + y, n = %s", num_count((uint64_t)a->v.n, n));
    if (v)
        snprintf(line + used, sizeof line - (size_t)used, ", %u x %u threads", s.blocks, s.threads);
    say_head(a->report, a->session, line);
    if (!v)
        say_vectors_host(&a->v, a->report);
    return 0;
}

static void say_answer(struct vecadd *a, const struct attempt *got)
{
    struct buf check;
    char n[NUM_TEXT], wrong[NUM_TEXT];
    buf_init(&check);
    paint(a->report, &check, got->right ? INK_GOOD : INK_BAD, got->right ? "right" : "WRONG", 5);
    num_group(a->v.n, n);
    if (got->right)
        buf_printf(&check, ": all %s as plain C adds them", n);
    else
        buf_printf(&check, ": %s of %s elements differ from plain C",
                   num_group((int64_t)got->wrong, wrong), n);
    buf_printf(&check, "; two-norm of the error %g", got->value);
    say_item_text(a->report, "check", &check);
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct vecadd *a = self;
    struct report *r = a->report;
    struct shape s;
    char all[NUM_TEXT], text[NUM_TEXT], not_run[160];
    if (shape_of(a, v, &s, not_run))
        return;
    uint64_t idle = idle_of(s, a->v.n);
    say_answer(a, got);
    num_group((int64_t)shape_threads(s), all);
    if (idle)
        say_item(r, "threads", "%s, %s of them idle: their i is not below n", all,
                 num_group((int64_t)idle, text));
    else
        say_item(r, "threads", "%s, none idle", all);
    if (got->has_counters)
        say_item(r, "loads", "%s by warps, two for each that has work",
                 num_group((int64_t)got->counters.global_load_requests, text));
    say_transfer(&a->moves, r);
    say_steps(&a->steps, &a->moves, r);
    say_vectors_host(&a->v, r);
    say_vectors(&a->v, "z", r);
}

/* Of a host that doesn't wait: what it did, and what it read. */
static bool show(void *self, const struct lab_variant *v, const struct attempt *got,
                 const struct launch_result *traced)
{
    struct vecadd *a = self;
    struct shape s;
    char n[NUM_TEXT], wrong[NUM_TEXT], not_run[160];
    (void)traced;
    if (!(v->tag & NO_WAIT) || shape_of(a, v, &s, not_run))
        return false;
    say(a->report, "\n");
    say_item(a->report, "1", "the host launches %u blocks; the call returns at once", s.blocks);
    if (a->done)
        say_item(a->report, "2", "%u of them %s run", a->done, a->done == 1 ? "has" : "have");
    else
        say_item(a->report, "2", "none of them has run");
    say_item(a->report, "3", "the host reads z: %s of %s values are what was there before",
             num_group((int64_t)got->wrong, wrong), num_group(a->v.n, n));
    say_item(a->report, "4", "%u more blocks run, and nobody looks again", s.blocks - a->done);
    if (a->session->device->props.major < 6)
        say_item(a->report, "", "on this device (%d.%d) step 3 would end the program: before 6.0 "
                                "the host must not touch managed memory while a kernel runs",
                 a->session->device->props.major, a->session->device->props.minor);
    say_vectors(&a->v, "z as read", a->report);
    return true;
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct vecadd *a = self;
    struct json *j = &a->report->result;
    struct shape s;
    char not_run[160];
    json_int(j, "n", a->v.n);
    if (!v || shape_of(a, v, &s, not_run))
        return;
    json_text(j, "variant", v->name);
    json_bool(j, "ok", attempt_ok(got));
    json_f64(j, "norm", got->value);
    json_uint(j, "wrong", got->wrong);
    json_uint(j, "blocks", s.blocks);
    json_uint(j, "threads", s.threads);
    json_uint(j, "idle", idle_of(s, a->v.n));
    if (v->tag & NO_WAIT)
        json_uint(j, "blocks_done", a->done);
    put_transfer(&a->moves, j);
    put_steps(&a->steps, &a->moves, j);
    put_vectors(&a->v, j);
}

/* ---- explanation and host calls --------------------------------------------------------- */

static void slots_of(void *self, const struct lab_variant *v, const struct attempt *got,
                     struct slots *s)
{
    struct vecadd *a = self;
    struct shape shape;
    char text[NUM_TEXT], not_run[160];
    slot(s, "n", "%s", num_group(a->v.n, text));
    slot(s, "runs", "%u", a->session->runs);
    slot(s, "mem", "%s", transfer_names[a->moves.kind]);
    slot(s, "in", "%s", num_group((int64_t)transfer_bytes(a->arrays, true), text));
    slot(s, "out", "%s", num_group((int64_t)transfer_bytes(a->arrays, false), text));
    slot(s, "one", "%s", num_group(2 * (int64_t)a->v.n, text)); /* loads, a warp an element */
    slot(s, "packed", "%s", num_group(2 * (int64_t)divide_up((uint64_t)a->v.n, WARP), text));
    if (!v || shape_of(a, v, &shape, not_run))
        return;
    uint64_t all = shape_threads(shape), n = (uint64_t)a->v.n;
    slot(s, "blocks", "%s", num_group(shape.blocks, text));
    slot(s, "threads", "%s", num_group(shape.threads, text));
    slot(s, "all", "%s", num_group((int64_t)all, text));
    slot(s, "idle", "%s", num_group((int64_t)idle_of(shape, a->v.n), text));
    slot(s, "last", "%s", num_group((int64_t)all - 1, text));
    slot(s, "most", "%s", num_group((int64_t)divide_up(n, all), text));
    slot(s, "warps", "%s", num_group((int64_t)divide_up(shape.threads, WARP), text));
    slot(s, "loads", "%s", num_group((int64_t)loads_of(shape, a->v.n), text));
    slot(s, "limit", "%d", a->session->device->props.max_threads_per_block);
    slot(s, "wrong", "%s", num_group(got ? (int64_t)got->wrong : 0, text));
    slot(s, "done", "%u", a->done);
}

static const struct host_call *calls_of(void *self, const struct lab_variant *v)
{
    struct vecadd *a = self;
    a->moves.forgets = v->tag & NO_WAIT;
    return transfer_calls(&a->moves, a->moves.kind == BY_PAGES ? "%s(x, y, z, n)"
                                                               : "%s(dx, dy, dz, n)");
}

static void call_of(void *self, const struct lab_variant *v, char *out, size_t size)
{
    struct shape s;
    char not_run[160];
    if (shape_of(self, v, &s, not_run) == 0)
        snprintf(out, size, "%s<<<%u, %u>>>", v->kernel, s.blocks, s.threads);
}

/* ---- the lab ---------------------------------------------------------------------------- */

/* A host that doesn't wait has memory that both sides reach: a copy would wait for it. */
static int choose_memory(struct vecadd *a)
{
    const struct lab_variant *v = a->variants;
    const char *name = arg_text(a->args, "variant");
    a->moves.kind = (enum transfer_kind)arg_choice(a->args, "mem");
    while (v->name && strcmp(v->name, name) != 0)
        v++;
    if (v->name && v->tag & NO_WAIT) {
        bool copied = a->moves.kind == BY_COPIES || a->moves.kind == BY_PINNED_COPIES;
        if (copied && arg_given(a->args, "mem"))
            return report_fail(a->report, "%s is about memory that both sides reach: cudaMemcpy "
                                          "waits for the kernel by itself; take --mem managed or "
                                          "--mem mapped", v->name);
        a->moves.kind = copied ? BY_PAGES : a->moves.kind;
    }
    const char *refused = transfer_refused(a->moves.kind, &a->session->device->props);
    return refused ? report_fail(a->report, "%s", refused) : 0;
}

int vecadd_open(struct vecadd *a, struct session *s, const struct args *args,
                const struct lab_variant *variants, struct report *r)
{
    static const char *const name[] = {"x", "y", "z"};
    *a = (struct vecadd){.session = s, .args = args, .report = r, .variants = variants};
    if (choose_memory(a) || vectors_open(&a->v, s, args, r) ||
        (arg_given(args, "host-threads") &&
         vectors_host(&a->v, (unsigned)arg_int(args, "host-threads"), r)))
        return -1;
    for (int k = 0; k < 3; k++)
        a->arrays[k] = (struct transfer_array){name[k], (size_t)a->v.n * sizeof(float), k < 2,
                                               k == 2};
    a->moves.arrays = a->arrays;
    a->moves.major = s->device->props.major;
    return 0;
}

void vecadd_close(struct vecadd *a)
{
    transfer_free(&a->moves);
    vectors_close(&a->v);
}

static const struct ladder_column columns[] = {
    {"loads", offsetof(struct counters, global_load_requests)},
    {"sectors", offsetof(struct counters, global_load_sectors)},
    {"stores", offsetof(struct counters, global_store_requests)},
    {"warp ins", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

struct old_ladder vecadd_ladder(struct vecadd *a)
{
    return (struct old_ladder){
        .session = a->session, .report = a->report, .args = a->args, .variants = a->variants,
        .file = "vecadd", .value = "norm", .kind = VALUE_ARRAY,
        .order = "slowest first: instructions of warps, shared by as many multiprocessors as "
                 "there are blocks",
        .columns = columns, .calls_of = calls_of, .self = a, .attempt = attempt, .head = head,
        .tell = tell, .show = show, .put = put, .slots = slots_of, .call = call_of};
}
