/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program with streams, run. On a GPU its process makes the calls. On the simulator each
 * operation is done at the moment when the modelled timeline has it end, and what the host writes
 * or reads at the moment of its call. So what nothing orders can be too late here as on a card.
 */
#include "labkit/streams/streams.h"

#include "labkit/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(uint32_t) };

/* One run on the simulator. */
struct stage {
    const struct streams *s;
    const struct streams_kernel *kernel;
    const struct trial *trial;
    struct attempt *got;
    uint64_t device[STREAM_ARRAYS];
    uint32_t *host[STREAM_ARRAYS]; /* NULL: it is mapped, so the device's is the host's */
};

static size_t bytes_of(uint64_t elements)
{
    return (size_t)elements * WORD;
}

/* ---- memory ------------------------------------------------------------------------------- */

/* Both sides begin as zeros. */
static int allocate(struct stage *st)
{
    const struct stream_plan *p = &st->s->plan;
    for (uint32_t i = 0; i < p->arrays; i++) {
        st->host[i] = mem_alloc(&allocator_libc, bytes_of(p->size[i]));
        if (!st->host[i])
            return report_fail_limit(st->trial->report, "out of memory; take a smaller n");
        if (lab_array(st->trial->session, bytes_of(p->size[i]), st->s->names[i], st->host[i],
                      &st->device[i], st->trial->report))
            return -1;
    }
    return 0;
}

static void release(struct stage *st)
{
    for (uint32_t i = 0; i < st->s->plan.arrays; i++)
        mem_free(&allocator_libc, st->host[i], bytes_of(st->s->plan.size[i]));
    lab_arrays_free(st->trial->session);
}

/* ---- what the operations do ---------------------------------------------------------------- */

enum { PARAMS_ROOM = STREAM_ARRAYS + 5 };

/* The parameters, with the arrays from element `first` on; false: there are too many. */
static bool lay_params(const struct streams_kernel *k, const struct stream_plan *p,
                       const uint64_t *arrays, const struct stream_op *o,
                       struct param out[PARAMS_ROOM])
{
    unsigned n = 0;
    for (; k->params[n].size; n++) {
        if (n + 1 == PARAMS_ROOM)
            return false;
        out[n] = k->params[n];
    }
    for (uint32_t i = 0; i < p->arrays; i++)
        out[i] = param_address(arrays[i] + bytes_of(o->first));
    out[p->arrays] = param_int((int)o->count);
    out[n] = (struct param){.size = 0};
    return true;
}

static int launch(const struct stage *st, const struct stream_op *o)
{
    struct param params[PARAMS_ROOM];
    struct lab_launch l = st->kernel->launch;
    l.grid[0] = o->blocks;
    if (!lay_params(st->kernel, &st->s->plan, st->device, o, params))
        return report_fail(st->trial->report, "internal: a kernel of streams has too many "
                                              "parameters; please report this");
    return trial_launch(st->trial, &l, st->got, params);
}

static int do_op(const struct stage *st, const struct stream_op *o)
{
    struct session *s = st->trial->session;
    struct report *r = st->trial->report;
    const size_t bytes = bytes_of(o->count);
    const uint64_t device = st->device[o->array] + bytes_of(o->first);
    const bool mapped = st->s->plan.memory[o->array] == BUFFER_MAPPED;
    uint32_t *host = st->host[o->array] + o->first, *data = st->s->data[o->array] + o->from;
    switch (o->kind) {
    case STREAM_COPY_IN: return session_store(s, device, host, bytes, r);
    case STREAM_COPY_OUT: return session_fetch(s, host, device, bytes, r);
    case STREAM_KERNEL: return launch(st, o);
    case HOST_WRITES:
        memcpy(host, data, bytes);
        return mapped ? session_store(s, device, data, bytes, r) : 0;
    case HOST_READS:
        if (mapped)
            return session_fetch(s, data, device, bytes, r);
        memcpy(data, host, bytes);
        return 0;
    default: return 0;
    }
}

/* ---- in the order of the timeline ------------------------------------------------------------ */

struct stream_moment { uint64_t at; uint32_t op; };

static int by_time(const void *x, const void *y)
{
    const struct stream_moment *a = x, *b = y;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->op < b->op ? -1 : a->op > b->op;
}

static int do_all(const struct stage *st)
{
    const struct streams *s = st->s;
    const size_t room = s->plan.count * sizeof(struct stream_moment);
    struct stream_moment *order = mem_alloc(&allocator_libc, room);
    int failed = order ? 0 : report_fail_limit(st->trial->report, "out of memory; take fewer frames");
    for (uint32_t i = 0; i < s->plan.count && !failed; i++)
        order[i] = (struct stream_moment){
            stream_op_is_host(&s->ops[i]) ? s->spans[i].begin : s->spans[i].end, i};
    if (!failed)
        qsort(order, s->plan.count, sizeof *order, by_time);
    for (uint32_t i = 0; i < s->plan.count && !failed && !st->got->fault[0]; i++)
        failed = do_op(st, &s->ops[order[i].op]);
    mem_free(&allocator_libc, order, room);
    return failed;
}

static int simulate(struct streams *s, const struct streams_kernel *k, const struct trial *t,
                    struct attempt *got)
{
    struct stage st = {s, k, t, got, {0}, {NULL}};
    int failed = allocate(&st) || do_all(&st);
    release(&st);
    return failed ? -1 : 0;
}

/* ---- on a GPU ------------------------------------------------------------------------------- */

static size_t times_of(const struct streams *s)
{
    return (size_t)s->plan.count * STREAM_TIMES + STREAM_LENGTHS;
}

static uint64_t ps_of(double seconds)
{
    return seconds > 0 ? (uint64_t)(seconds * 1e12 + 0.5) : 0;
}

static void take_times(struct streams *s, const double *times, struct attempt *got)
{
    for (uint32_t i = 0; i < s->plan.count; i++, times += STREAM_TIMES) {
        struct stream_span *span = &s->spans[i];
        span->called = ps_of(times[STREAM_CALLED]);
        span->returned = ps_of(times[STREAM_RETURNED]);
        span->begin = ps_of(times[STREAM_BEGAN]);
        span->end = ps_of(times[STREAM_ENDED]);
    }
    s->measured = true;
    got->min_s = times[STREAM_SHORTEST];
    got->mean_s = times[STREAM_MEAN];
    got->median_s = streams_us(s) / 1e6;
}

static int ask_card(struct streams *s, const struct streams_kernel *k, const struct trial *t,
                    struct streams_job *job, size_t job_bytes, double *times,
                    struct launch_result *result)
{
    const struct launch_job as_job = {
        .kind = JOB_STREAMS, .what = job, .what_bytes = job_bytes, .out = times,
        .out_bytes = times_of(s) * sizeof *times,
        .lacking = "this device does not run streams"};
    const struct stream_op whole = {.first = 0, .count = s->plan.size[0]};
    struct lab_launch l = k->launch;
    struct param params[PARAMS_ROOM];
    uint64_t data[STREAM_ARRAYS];
    for (uint32_t i = 0; i < s->plan.arrays; i++)
        if (lab_array(t->session, bytes_of(s->plan.total[i]), s->names[i], s->data[i], &data[i],
                      t->report))
            return -1;
    if (!lay_params(k, &s->plan, data, &whole, params))
        return report_fail(t->report, "internal: a kernel of streams has too many parameters; "
                                      "please report this");
    for (uint32_t i = 0; i < s->plan.count && !l.grid[0]; i++) /* what the report tells of */
        l.grid[0] = s->ops[i].kind == STREAM_KERNEL ? s->ops[i].blocks : 0;
    l.job = &as_job;
    l.quiet = t->quiet;
    if (lab_launch(t->session, &l, result, t->report, params))
        return -1;
    for (uint32_t i = 0; i < s->plan.arrays && !launch_result_failed(result); i++)
        if (session_fetch(t->session, s->data[i], data[i], bytes_of(s->plan.total[i]), t->report))
            return -1;
    return 0;
}

static int run_on_gpu(struct streams *s, const struct streams_kernel *k, const struct trial *t,
                      struct attempt *got)
{
    const size_t ops = s->plan.count * sizeof *s->ops, bytes = sizeof(struct streams_job) + ops;
    const size_t room = times_of(s) * sizeof(double);
    struct streams_job *job = mem_alloc(&allocator_libc, bytes);
    double *times = mem_alloc(&allocator_libc, room);
    struct launch_result own = {0}, *result = t->result ? t->result : &own;
    int failed = job && times ? 0 : report_fail_limit(t->report, "out of memory; take fewer frames");
    if (!failed) {
        job->plan = s->plan;
        memcpy(job->ops, s->ops, ops);
        launch_result_free(result);
        failed = ask_card(s, k, t, job, bytes, times, result);
    }
    if (!failed) {
        trial_note(t, result, got);
        if (!got->not_run[0] && !got->fault[0] && t->report->volatile_on)
            take_times(s, times, got);
    }
    launch_result_free(&own);
    mem_free(&allocator_libc, job, bytes);
    mem_free(&allocator_libc, times, room);
    lab_arrays_free(t->session);
    return failed ? -1 : 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

int streams_count(struct streams_kernel *k, const struct streams *s, const struct trial *t)
{
    const uint64_t count = k->launch.block[0];
    const struct stream_op block = {.first = 0, .count = count};
    struct lab_launch l = k->launch;
    struct launch_result result = {0};
    struct param params[PARAMS_ROOM];
    uint64_t arrays[STREAM_ARRAYS];
    int failed = 0;
    uint32_t *zeros = mem_alloc(&allocator_libc, bytes_of(count));
    if (!zeros)
        return report_fail_limit(t->report, "out of memory");
    for (uint32_t i = 0; i < s->plan.arrays && !failed; i++)
        failed = lab_array(t->session, bytes_of(count), s->names[i], zeros, &arrays[i], t->report);
    l.grid[0] = 1;
    l.schedule = "lockstep";
    l.counts = l.quiet = true;
    if (!failed && lay_params(k, &s->plan, arrays, &block, params))
        failed = lab_launch(t->session, &l, &result, t->report, params);
    k->instructions = result.counters.warp_instructions;
    k->load_sectors = result.counters.global_load_sectors;
    k->store_sectors = result.counters.global_store_sectors;
    launch_result_free(&result);
    mem_free(&allocator_libc, zeros, bytes_of(count));
    lab_arrays_free(t->session);
    return failed ? -1 : 0;
}

/* In lock step the timeline is the plain one; else the schedule's seed draws another. */
static uint64_t seed_of(const struct trial *t)
{
    const struct launch_how how = session_how(t->session, t->schedule->name, t->schedule->seed,
                                              false);
    if (strcmp(how.schedule, "lockstep") == 0)
        return 0;
    return (how.seed << 9) + ((uint64_t)how.schedule[0] << 1) + how.seed % 2;
}

int streams_run(struct streams *s, const struct streams_kernel *k,
                const struct streams_machine *m, const struct trial *t, struct attempt *got)
{
    if (streams_lay_out(s, m, seed_of(t), t->report))
        return -1;
    const uint64_t modelled = streams_length(&s->plan, s->spans);
    if (session_on_gpu(t->session) ? run_on_gpu(s, k, t, got) : simulate(s, k, t, got))
        return -1;
    if (!got->not_run[0])
        got->cost = modelled;
    return 0;
}
