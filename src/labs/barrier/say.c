/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The barrier lab's screens: how many threads took the right number and who waited for that, then
 * who came to which barrier, then why, from help/barrier.txt.
 */
#include "labs/barrier/say.h"

#include "labs/barrier/work.h"
#include "labkit/lab.h"
#include "labkit/meet.h"
#include <stdio.h>
#include <string.h>

/* ---- shape ------------------------------------------------------------------------------ */

static int64_t wish(const struct barrier *b, const char *name)
{
    return arg_given(b->args, name) ? arg_int(b->args, name) : 0;
}

/* For all at once a size that was typed goes to those that it fits; the others choose. */
static int choose(const struct barrier *b, const struct lab_variant *v, struct barrier_shape *s)
{
    const struct device_props *p = &b->session->device->props;
    struct barrier_wish w = {wish(b, "blocks"), wish(b, "threads"), wish(b, "who"),
                             wish(b, "group")};
    if (strcmp(arg_text(b->args, "variant"), "all") != 0)
        return barrier_choose(v, w, p, s, b->report);
    struct report ignored;
    report_init(&ignored);
    int failed = barrier_choose(v, w, p, s, &ignored);
    report_free(&ignored);
    if (!failed)
        return 0;
    w = (struct barrier_wish){.threads = w.threads};
    report_init(&ignored);
    failed = barrier_choose(v, w, p, s, &ignored);
    report_free(&ignored);
    return failed ? barrier_choose(v, (struct barrier_wish){0}, p, s, b->report) : 0;
}

static bool of_grid(const struct lab_variant *v)
{
    return (v->tag & WAIT_MASK) == WAIT_GRID;
}

static bool is_cooperative(const struct lab_variant *v)
{
    return of_grid(v) && !(v->tag & (COUNTS_ITSELF | TWO_LAUNCHES));
}

static bool of_clusters(const struct lab_variant *v)
{
    return (v->tag & WAIT_MASK) == WAIT_CLUSTER;
}

/* Blocks wait for each other since 6.0, and in clusters since 9.0. */
static bool card_can(const struct barrier *b, const struct lab_variant *v)
{
    int needs = of_clusters(v) ? 9 : is_cooperative(v) ? 6 : 0;
    return b->session->device->props.major >= needs;
}

static int refuse(const struct barrier *b, const struct lab_variant *v)
{
    const struct device_props *p = &b->session->device->props;
    if (of_clusters(v))
        return report_fail(b->report, "a %s (compute capability %d.%d) has no clusters: they came "
                                      "with 9.0, the H100 of 2022; `set device sim:h100` "
                                      "simulates one, and --variant grid waits for all blocks",
                           p->name, p->major, p->minor);
    return report_fail(b->report, "blocks of a %s (compute capability %d.%d) can't wait for each "
                                  "other by grid.sync(): that takes 6.0; --variant "
                                  "two-launches does it on any card", p->name, p->major, p->minor);
}

/* Lanes of a warp, warps of a block, ...: how large a group waits, in threads. */
static uint64_t waiting(const struct lab_variant *v, const struct barrier_shape *s)
{
    switch (v->tag & WAIT_MASK) {
    case WAIT_TILE:
    case WAIT_WARPS: return s->group;
    case WAIT_GRID: return (uint64_t)s->blocks * s->threads;
    case WAIT_CLUSTER: return (uint64_t)CLUSTER_BLOCKS * s->threads;
    default: return s->threads;
    }
}

/* ---- hooks ------------------------------------------------------------------------------ */

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct barrier *b = self;
    struct barrier_shape s;
    if (!card_can(b, how->variant)) { /* head() has said so, but of all */
        snprintf(got->fault, sizeof got->fault, "unsupported-instruction");
        return 0;
    }
    return choose(b, how->variant, &s) ? -1 : barrier_run(how, &s, got, &b->taken);
}

static int head(void *self, const struct lab_variant *v)
{
    struct barrier *b = self;
    struct barrier_shape s;
    char line[120] = "each thread leaves a number, waits, and takes another's";
    if (v && choose(b, v, &s))
        return -1;
    if (v && !card_can(b, v))
        return refuse(b, v);
    if (v)
        snprintf(line, sizeof line, "%u x %u threads: each leaves a number, waits, takes another's",
                 s.blocks, s.threads);
    say_head(b->report, b->session, line);
    return 0;
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    const struct barrier *b = self;
    struct report *r = b->report;
    struct barrier_shape s;
    struct buf check;
    char right[NUM_TEXT], all[NUM_TEXT], sum[NUM_TEXT];
    if (choose(b, v, &s))
        return;
    num_group(b->taken.numbers, all);
    buf_init(&check);
    paint(r, &check, got->right ? INK_GOOD : INK_BAD, got->right ? "right" : "WRONG", 5);
    buf_printf(&check, "    %s of %s took what they should; sum %s",
               num_group(b->taken.right, right), all, num_group((int64_t)got->value, sum));
    say_item_text(r, "check", &check);
    num_group((int64_t)waiting(v, &s), all);
    say_item(r, "together", "%11s    threads wait for each other", all);
    if (got->has_counters)
        say_item(r, "barriers", "%11s    waits of a warp",
                 num_group((int64_t)got->counters.barriers, all));
    if (of_grid(v))
        say_item(r, "room", "%11s    blocks at once: %u on each of %d multiprocessors",
                 num_group(s.fits, all), s.per_sm, b->session->device->props.multiprocessors);
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    const struct barrier *b = self;
    struct json *j = &b->report->result;
    struct barrier_shape s;
    if (!v || choose(b, v, &s))
        return;
    json_text(j, "variant", v->name);
    json_int(j, "sum", (int64_t)got->value);
    json_int(j, "expected", (int64_t)got->expected);
    json_bool(j, "ok", attempt_ok(got));
    json_uint(j, "blocks", s.blocks);
    json_uint(j, "threads", s.threads);
    json_int(j, "numbers", s.numbers);
    json_uint(j, "together", waiting(v, &s));
    if ((v->tag & WAIT_MASK) == WAIT_WHO)
        json_uint(j, "who", s.who);
    if (s.group)
        json_uint(j, "group", s.group);
    if (of_grid(v))
        json_uint(j, "blocks_at_once", s.fits);
}

/* Who came to which barrier. */
static bool show(void *self, const struct lab_variant *v, const struct attempt *got,
                 const struct launch_result *result)
{
    const struct barrier *b = self;
    struct barrier_shape s;
    (void)got;
    if (choose(b, v, &s) == 0)
        say_meetings(b->report, result, s.threads);
    return false;
}

static void put_slots(const struct barrier *b, const struct barrier_shape *s,
                      struct slots *to)
{
    char text[NUM_TEXT];
    unsigned warps = (s->threads + 31) / 32;
    slot(to, "threads", "%u", s->threads);
    slot(to, "blocks", "%s", num_group(s->blocks, text));
    slot(to, "all", "%s", num_group((int64_t)s->blocks * s->threads, text));
    slot(to, "numbers", "%s", num_group(s->numbers, text));
    slot(to, "who", "%u", s->who);
    slot(to, "rest", "%u", s->threads > s->who ? s->threads - s->who : 0);
    slot(to, "warps", "%u", warps);
    slot(to, "group", "%u", s->group);
    slot(to, "lanes", "%u lane%s", s->group, s->group == 1 ? "" : "s");
    slot(to, "groups", "%u", s->group ? s->threads / s->group : 1);
    slot(to, "together", "%s", num_group((int64_t)CLUSTER_BLOCKS * s->threads, text));
    slot(to, "cluster", "%d", CLUSTER_BLOCKS);
    slot(to, "clusters", "%s", num_group(s->blocks / CLUSTER_BLOCKS, text));
    slot(to, "fits", "%s", num_group(s->fits, text));
    slot(to, "over", "%s", num_group(s->blocks > s->fits ? s->blocks - s->fits : 0, text));
    slot(to, "per_sm", "%u", s->per_sm);
    slot(to, "sms", "%d", b->session->device->props.multiprocessors);
    slot(to, "steps", "%s", num_group(BARRIER_STEPS, text));
}

static void slots_of(void *self, const struct lab_variant *v, const struct attempt *got,
                     struct slots *to)
{
    const struct barrier *b = self;
    struct barrier_shape s;
    (void)got;
    if (!v)
        for (v = b->variants; !of_grid(v);)
            v++;
    if (choose(b, v, &s) == 0)
        put_slots(b, &s, to);
}

/* ---- host calls ------------------------------------------------------------------------- */

#define FETCH                                                                                    \
    {"cudaMemcpy(found, found_d, bytes, cudaMemcpyDeviceToHost)", "the numbers, to the host",    \
     "the copy waits for the kernel, the host for the copy"}

static const struct host_call plain_calls[] = {
    {"cudaMalloc(&found_d, bytes)", NULL, "the host waits for the address"},
    {"%s(...)", NULL, "the host does not wait; threads of a block can, for each other"},
    FETCH,
    {NULL, NULL, NULL},
};

static const struct host_call cooperative_calls[] = {
    {"cudaMalloc(&found_d, bytes)", NULL, "the host waits for the address"},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, threads, 0)", NULL,
     "nobody: times the multiprocessors it is how many blocks run at once"},
    {"cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments)", NULL,
     "the host does not wait; refused where the blocks do not all fit; they wait for each other"},
    FETCH,
    {NULL, NULL, NULL},
};

static const struct host_call two_calls[] = {
    {"cudaMalloc(&found_d, bytes)", NULL, "the host waits for the address"},
    {"barrier_leave<<<blocks, threads>>>(left_d)", NULL, "the host does not wait"},
    {"barrier_take<<<blocks, threads>>>(left_d, found_d)", NULL,
     "this kernel waits for all blocks of the one before: one stream runs them in order"},
    FETCH,
    {NULL, NULL, NULL},
};

static const struct host_call *calls_of(void *self, const struct lab_variant *v)
{
    (void)self;
    if (v->tag & TWO_LAUNCHES)
        return two_calls;
    return is_cooperative(v) && !(v->tag & PLAINLY) ? cooperative_calls : plain_calls;
}

static void call(void *self, const struct lab_variant *v, char *out, size_t size)
{
    struct barrier_shape s;
    if (choose(self, v, &s) == 0)
        snprintf(out, size, "%s<<<%u, %u>>>", v->kernel, s.blocks, s.threads);
}

/* ---- the ladder ------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"barriers", offsetof(struct counters, barriers)},
    {"warp ins", offsetof(struct counters, warp_instructions)},
    {"atomics", offsetof(struct counters, global_atomics)},
    {NULL, 0},
};

struct old_ladder barrier_ladder(struct barrier *b)
{
    return (struct old_ladder){
        .session = b->session, .report = b->report, .args = b->args, .variants = b->variants,
        .file = "barrier", .value = "sum", .kind = VALUE_INT,
        .order = "most work first: blocks that wait for each other are many, lanes of a warp few",
        .columns = columns, .calls_of = calls_of, .self = b, .attempt = attempt, .head = head,
        .tell = tell, .put = put, .show = show, .slots = slots_of, .call = call};
}
