/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole program with streams, call by call: real streams, events, and pinned or mapped memory.
 * The list of calls says which copies and kernels there are, and who waits for whom. If the list
 * forgets a wait, the card and this process do too.
 *
 * The host's clock is read around each call. In the stream stand two events around each copy and
 * each kernel, so its time begins when its stream has come to it. A first run, which makes the
 * driver ready, is not told.
 */
#include "dev/gpu/process-parts.h"

#include "os/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct both_sides { /* an array of the program */
    uint32_t *host;
    uint64_t device;
    uint32_t *data;    /* all that the host writes, and then what it has read */
    uint64_t original; /* the launch's array, which has the same */
    bool read;
};

struct stream_program {
    struct process_streams *of;
    const struct driver *d;
    struct stream_plan plan;
    struct stream_op *ops;
    struct both_sides arrays[STREAM_ARRAYS];
    void *streams[STREAMS_MOST]; /* the default stream is NULL */
    void **events;               /* those of the list */
    void **marks;                /* two for each operation, and the one that the times begin at */
    double start;                /* by the host's clock */
};

static size_t bytes_of(uint64_t elements)
{
    return (size_t)elements * sizeof(uint32_t);
}

/* ---- memory ---------------------------------------------------------------------------- */

static int allocate_sides(struct stream_program *p, uint32_t i)
{
    struct both_sides *a = &p->arrays[i];
    const size_t bytes = bytes_of(p->plan.size[i]);
    const bool mapped = p->plan.memory[i] == BUFFER_MAPPED;
    void *host = NULL;
    int status = DRIVER_OK;
    if (p->plan.memory[i] != BUFFER_PAGEABLE)
        status = p->d->cuMemHostAlloc(&host, bytes, mapped ? HOST_MAPPED : 0);
    else if (!(host = malloc(bytes)))
        status = DRIVER_OUT_OF_MEMORY;
    if (status != DRIVER_OK)
        return status;
    a->host = host;
    memset(host, 0, bytes);
    if (mapped)
        return p->d->cuMemHostGetDevicePointer_v2(&a->device, host, 0);
    status = p->d->cuMemAlloc_v2(&a->device, bytes);
    return status == DRIVER_OK ? p->d->cuMemsetD8_v2(a->device, 0, bytes) : status;
}

static int fetch_data(struct stream_program *p, uint32_t i)
{
    struct both_sides *a = &p->arrays[i];
    const size_t bytes = bytes_of(p->plan.total[i]);
    memcpy(&a->original, p->of->params[i], sizeof a->original);
    a->data = malloc(bytes);
    return a->data ? p->d->cuMemcpyDtoH_v2(a->data, a->original, bytes) : DRIVER_OUT_OF_MEMORY;
}

static int make_events(const struct stream_program *p, void **events, size_t count)
{
    int status = events ? DRIVER_OK : DRIVER_OUT_OF_MEMORY;
    for (size_t i = 0; i < count && status == DRIVER_OK; i++)
        status = p->d->cuEventCreate(&events[i], 0);
    return status;
}

static size_t mark_count(const struct stream_program *p)
{
    return 2 * (size_t)p->plan.count + 1;
}

static int set_up(struct stream_program *p)
{
    int status = DRIVER_OK;
    p->events = calloc(p->plan.events + (size_t)1, sizeof *p->events);
    p->marks = calloc(mark_count(p), sizeof *p->marks);
    for (uint32_t i = 0; i < p->plan.arrays && status == DRIVER_OK; i++) {
        status = fetch_data(p, i);
        if (status == DRIVER_OK)
            status = allocate_sides(p, i);
    }
    for (uint32_t k = 1; k < p->plan.streams && status == DRIVER_OK; k++)
        status = p->d->cuStreamCreate(&p->streams[k], 0);
    if (status == DRIVER_OK)
        status = make_events(p, p->events, p->plan.events);
    return status == DRIVER_OK ? make_events(p, p->marks, mark_count(p)) : status;
}

static void drop_events(const struct stream_program *p, void **events, size_t count)
{
    for (size_t i = 0; events && i < count; i++)
        if (events[i])
            p->d->cuEventDestroy_v2(events[i]);
    free(events);
}

static void clear_away(struct stream_program *p)
{
    for (uint32_t k = 1; k < p->plan.streams; k++)
        if (p->streams[k])
            p->d->cuStreamDestroy_v2(p->streams[k]);
    drop_events(p, p->events, p->plan.events);
    drop_events(p, p->marks, mark_count(p));
    for (uint32_t i = 0; i < p->plan.arrays; i++) {
        struct both_sides *a = &p->arrays[i];
        if (a->device && p->plan.memory[i] != BUFFER_MAPPED)
            p->d->cuMemFree_v2(a->device);
        if (a->host && p->plan.memory[i] != BUFFER_PAGEABLE)
            p->d->cuMemFreeHost(a->host);
        else
            free(a->host);
        free(a->data);
    }
}

/* ---- calls ------------------------------------------------------------------------------ */

static int copy(const struct stream_program *p, const struct stream_op *o)
{
    const struct both_sides *a = &p->arrays[o->array];
    const size_t bytes = bytes_of(o->count);
    const uint64_t device = a->device + bytes_of(o->first);
    uint32_t *host = a->host + o->first;
    void *stream = p->streams[o->stream];
    if (o->kind == STREAM_COPY_IN)
        return o->waits ? p->d->cuMemcpyHtoD_v2(device, host, bytes)
                        : p->d->cuMemcpyHtoDAsync_v2(device, host, bytes, stream);
    return o->waits ? p->d->cuMemcpyDtoH_v2(host, device, bytes)
                    : p->d->cuMemcpyDtoHAsync_v2(host, device, bytes, stream);
}

static int launch(const struct stream_program *p, const struct stream_op *o)
{
    const struct gpu_launch *l = p->of->launch;
    const unsigned *b = l->block;
    uint64_t address[STREAM_ARRAYS];
    void *params[STREAM_ARRAYS + 4] = {NULL};
    int count = (int)o->count;
    for (uint32_t i = 0; i < l->param_count && i < STREAM_ARRAYS + 4; i++)
        params[i] = p->of->params[i];
    for (uint32_t i = 0; i < p->plan.arrays; i++) {
        address[i] = p->arrays[i].device + bytes_of(o->first);
        params[i] = &address[i];
    }
    params[p->plan.arrays] = &count;
    return p->d->cuLaunchKernel(p->of->function, o->blocks, 1, 1, b[0], b[1], b[2],
                                (unsigned)l->shared_bytes, p->streams[o->stream], params, NULL);
}

static int call(struct stream_program *p, const struct stream_op *o)
{
    struct both_sides *a = &p->arrays[o->array];
    void *stream = p->streams[o->stream];
    switch (o->kind) {
    case STREAM_COPY_IN:
    case STREAM_COPY_OUT: return copy(p, o);
    case STREAM_KERNEL: return launch(p, o);
    case STREAM_RECORD: return p->d->cuEventRecord(p->events[o->event], stream);
    case STREAM_WAIT_EVENT: return p->d->cuStreamWaitEvent(stream, p->events[o->event], 0);
    case HOST_WAITS_STREAM: return p->d->cuStreamSynchronize(stream);
    case HOST_WAITS_ALL: return p->d->cuCtxSynchronize();
    case HOST_WRITES:
        memcpy(a->host + o->first, a->data + o->from, bytes_of(o->count));
        return DRIVER_OK;
    default:
        memcpy(a->data + o->from, a->host + o->first, bytes_of(o->count));
        a->read = true;
        return DRIVER_OK;
    }
}

static int marked_call(struct stream_program *p, uint32_t i, double *times)
{
    const struct stream_op *o = &p->ops[i];
    void *stream = p->streams[o->stream];
    const bool marked = stream_op_works(o);
    int status = marked ? p->d->cuEventRecord(p->marks[2 * i], stream) : DRIVER_OK;
    times[STREAM_CALLED] = clock_seconds() - p->start;
    if (status == DRIVER_OK)
        status = call(p, o);
    times[STREAM_RETURNED] = clock_seconds() - p->start;
    return status == DRIVER_OK && marked ? p->d->cuEventRecord(p->marks[2 * i + 1], stream)
                                         : status;
}

/* ---- runs ------------------------------------------------------------------------------- */

static int read_marks(const struct stream_program *p, double *times)
{
    void *origin = p->marks[2 * p->plan.count];
    int status = DRIVER_OK;
    for (uint32_t i = 0; i < p->plan.count && status == DRIVER_OK; i++) {
        double *of = times + (size_t)i * STREAM_TIMES;
        float began = 0, ended = 0;
        of[STREAM_BEGAN] = of[STREAM_CALLED];
        of[STREAM_ENDED] = of[STREAM_RETURNED];
        if (!stream_op_works(&p->ops[i]))
            continue;
        status = p->d->cuEventElapsedTime(&began, origin, p->marks[2 * i]);
        if (status == DRIVER_OK)
            status = p->d->cuEventElapsedTime(&ended, origin, p->marks[2 * i + 1]);
        of[STREAM_BEGAN] = (double)began / 1e3;
        of[STREAM_ENDED] = (double)ended / 1e3;
    }
    return status;
}

static int clear_sides(const struct stream_program *p)
{
    int status = DRIVER_OK;
    for (uint32_t i = 0; i < p->plan.arrays && status == DRIVER_OK; i++) {
        memset(p->arrays[i].host, 0, bytes_of(p->plan.size[i]));
        if (p->plan.memory[i] != BUFFER_MAPPED)
            status = p->d->cuMemsetD8_v2(p->arrays[i].device, 0, bytes_of(p->plan.size[i]));
    }
    return status == DRIVER_OK ? p->d->cuCtxSynchronize() : status;
}

static int one_run(struct stream_program *p, double *times)
{
    int status = clear_sides(p);
    if (status == DRIVER_OK)
        status = p->d->cuEventRecord(p->marks[2 * p->plan.count], NULL);
    if (status == DRIVER_OK)
        status = p->d->cuCtxSynchronize();
    p->start = clock_seconds();
    for (uint32_t i = 0; i < p->plan.count && status == DRIVER_OK; i++)
        status = marked_call(p, i, times + (size_t)i * STREAM_TIMES);
    if (status == DRIVER_OK) /* whatever the program forgets to wait for */
        status = p->d->cuCtxSynchronize();
    return status == DRIVER_OK ? read_marks(p, times) : status;
}

struct timed_run { double length; const double *times; };

static int by_length(const void *a, const void *b)
{
    const double x = ((const struct timed_run *)a)->length;
    const double y = ((const struct timed_run *)b)->length;
    return (x > y) - (x < y);
}

static double length_of(const struct stream_program *p, const double *times)
{
    double length = 0;
    for (size_t i = 0; i < (size_t)p->plan.count * STREAM_TIMES; i++)
        length = times[i] > length ? times[i] : length;
    return length;
}

static int all_runs(struct stream_program *p, double *times)
{
    const unsigned runs = p->of->launch->runs ? p->of->launch->runs : 1;
    const size_t numbers = (size_t)p->plan.count * STREAM_TIMES;
    double *all = calloc(runs, numbers * sizeof *all);
    struct timed_run *order = calloc(runs, sizeof *order);
    int status = all && order ? one_run(p, times) : DRIVER_OUT_OF_MEMORY;
    for (unsigned i = 0; i < runs && status == DRIVER_OK; i++) {
        status = one_run(p, all + i * numbers);
        order[i] = (struct timed_run){length_of(p, all + i * numbers), all + i * numbers};
    }
    if (status == DRIVER_OK) {
        double sum = 0;
        qsort(order, runs, sizeof *order, by_length);
        for (unsigned i = 0; i < runs; i++)
            sum += order[i].length;
        memcpy(times, order[(runs - 1) / 2].times, numbers * sizeof *times);
        times[numbers + STREAM_SHORTEST] = order[0].length;
        times[numbers + STREAM_MEAN] = sum / runs;
    }
    free(all);
    free(order);
    return status;
}

static int return_data(const struct stream_program *p)
{
    int status = DRIVER_OK;
    for (uint32_t i = 0; i < p->plan.arrays && status == DRIVER_OK; i++)
        if (p->arrays[i].read)
            status = p->d->cuMemcpyHtoD_v2(p->arrays[i].original, p->arrays[i].data,
                                           bytes_of(p->plan.total[i]));
    return status == DRIVER_OK ? p->d->cuCtxSynchronize() : status;
}

static int no_such_memory(const struct stream_program *p, int status)
{
    char why[200];
    driver_describe(p->d, status, why, sizeof why);
    snprintf(p->of->process->say, SAYING, "memory for the streams can't be had: %s", why);
    return GPU_NOT_RUN;
}

/* Does the list keep within what the plan and the launch have? */
static bool makes_sense(const struct stream_program *p)
{
    const struct stream_plan *plan = &p->plan;
    if (plan->arrays > STREAM_ARRAYS || plan->streams > STREAMS_MOST || !plan->arrays ||
        plan->arrays >= p->of->launch->param_count ||
        p->of->launch->param_count > STREAM_ARRAYS + 4)
        return false;
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct stream_op *o = &p->ops[i];
        if (o->stream >= plan->streams || o->array >= plan->arrays ||
            (o->kind == STREAM_RECORD && o->event >= plan->events) ||
            (o->kind == STREAM_WAIT_EVENT && o->event >= plan->events))
            return false;
        for (uint32_t k = 0; k < plan->arrays; k++)
            if ((o->kind == STREAM_KERNEL || k == o->array) && o->first + o->count > plan->size[k])
                return false;
        if (o->kind >= HOST_WRITES && o->from + o->count > plan->total[o->array])
            return false;
    }
    return true;
}

int process_run_streams(struct process_streams *s, double *times)
{
    struct stream_program p = {.of = s, .d = &s->process->d};
    memcpy(&p.plan, s->job, sizeof p.plan);
    p.ops = calloc(p.plan.count + (size_t)1, sizeof *p.ops);
    if (!p.ops)
        return DRIVER_OUT_OF_MEMORY;
    memcpy(p.ops, s->job + sizeof p.plan, p.plan.count * sizeof *p.ops);
    if (!makes_sense(&p)) {
        free(p.ops);
        return DRIVER_INVALID_VALUE;
    }
    int status = set_up(&p);
    if (status == DRIVER_OUT_OF_MEMORY)
        status = no_such_memory(&p, status);
    if (status == DRIVER_OK)
        status = all_runs(&p, times);
    if (status == DRIVER_OK)
        status = return_data(&p);
    clear_away(&p);
    free(p.ops);
    return status;
}
