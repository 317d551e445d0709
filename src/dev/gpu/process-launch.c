/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This part of the process that works with the GPU launches kernels, once or many times. Many runs
 * are timed, and each starts from the same bytes. A job (dev/jobs.h) is done in place of a launch.
 */
#include "dev/gpu/process-parts.h"

#include "base/mem.h"
#include "os/clock.h"

#include <stdio.h>
#include <string.h>

enum { PARAMS_MOST = 1024 };

struct launch {
    const struct gpu_launch *g;
    uint64_t count; /* as in struct driver_module */
    void *function; /* NULL: the job has none, and is this one */
    union library_job library;
    uint64_t module;
    const char *given; /* all parameters, as they lie in a row */
    const char *job;   /* what the job is told */
    void *params[PARAMS_MOST];
    struct host_clocks clocks;
};

static int library_refuses(struct process *p, const struct err *e)
{
    snprintf(p->say, sizeof p->say, "%s", e->text);
    return GPU_NOT_RUN;
}

static int call_library(struct process *p, const struct launch *l, struct err *e)
{
    switch (l->g->job) {
    case JOB_DOT: return blas_dot(&p->blas, &l->library.dot, e);
    case JOB_PRODUCT: return blas_product(&p->blas, &l->library.product, e);
    default: return rand_uniform(&p->rand, &l->library.random, e);
    }
}

/* A library may fail because the context is ruined: then the driver says what happened. */
static int start_library(struct process *p, const struct launch *l)
{
    struct err e;
    if (call_library(p, l, &e) == 0)
        return DRIVER_OK;
    int status = p->d.cuStreamSynchronize(p->stream);
    return status == DRIVER_OK ? library_refuses(p, &e) : status;
}

static int start_clusters(struct process *p, struct launch *l)
{
    const struct gpu_launch *g = l->g;
    struct launch_attribute attributes[2] = {{.id = ATTRIBUTE_CLUSTER}};
    struct launch_config config = {.shared_bytes = (unsigned)g->shared_bytes,
                                   .stream = p->stream,
                                   .attributes = attributes,
                                   .attribute_count = g->cooperative ? 2 : 1};
    memcpy(config.grid, g->grid, sizeof config.grid);
    memcpy(config.block, g->block, sizeof config.block);
    memcpy(attributes[0].value.cluster, g->cluster, sizeof g->cluster);
    attributes[1].id = ATTRIBUTE_COOPERATIVE;
    attributes[1].value.cooperative = 1;
    return p->d.cuLaunchKernelEx(&config, l->function, l->params, NULL);
}

static int start_run(struct process *p, struct launch *l)
{
    const struct gpu_launch *g = l->g;
    const unsigned *n = g->grid, *b = g->block;
    unsigned shared = (unsigned)g->shared_bytes;
    if (!l->function)
        return start_library(p, l);
    if (g->cluster[0])
        return start_clusters(p, l);
    if (g->cooperative)
        return p->d.cuLaunchCooperativeKernel(l->function, n[0], n[1], n[2], b[0], b[1], b[2],
                                              shared, p->stream, l->params);
    return p->d.cuLaunchKernel(l->function, n[0], n[1], n[2], b[0], b[1], b[2], shared,
                               p->stream, l->params, NULL);
}

/*
 * Work that goes before a timed run: a spare piece of memory is filled. That takes longer than to
 * queue the run. So the run starts when the card is ready, not when this process has come to
 * launch it, and fifty runs of some microseconds differ by a hundredth instead of a quarter. A
 * card with too little memory left does without.
 */
enum { COVER_BYTES = 32 << 20 };

static int cover(struct process *p, uint64_t *spare, unsigned runs)
{
    int status = DRIVER_OK;
    if (!*spare && p->d.cuMemAlloc_v2(spare, COVER_BYTES) != DRIVER_OK) {
        *spare = 0;
        return DRIVER_OK;
    }
    for (unsigned i = 0; i < runs && status == DRIVER_OK; i++)
        status = p->d.cuMemsetD8Async(*spare, 0, COVER_BYTES, p->stream);
    return status;
}

static bool is_number(const struct area *a)
{
    return a->asked == sizeof a->number;
}

/* Keeps the bytes from which each run starts. */
static int keep_areas(struct process *p)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < p->area_count && status == DRIVER_OK; i++) {
        struct area *a = &p->areas[i];
        if (is_number(a))
            status = p->d.cuMemcpyDtoH_v2(&a->number, a->address, sizeof a->number);
        else if ((status = p->d.cuMemAlloc_v2(&a->spare, a->bytes)) == DRIVER_OK)
            status = p->d.cuMemcpyDtoDAsync_v2(a->spare, a->address, a->bytes, p->stream);
    }
    return status;
}

static int set_back(struct process *p, const struct area *a)
{
    return is_number(a) ? p->d.cuMemsetD32Async(a->address, a->number, 1, p->stream)
                        : p->d.cuMemcpyDtoDAsync_v2(a->address, a->spare, a->bytes, p->stream);
}

static int set_all_back(struct process *p)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < p->area_count && status == DRIVER_OK; i++)
        status = set_back(p, &p->areas[i]);
    return status;
}

/* Tells whether the number is a parameter of the kernel or a variable of its module. The kernel can
 * reach no other number, since no number has room for an address. */
static bool is_reached(const struct launch *l, const struct area *a)
{
    if (a->kind == AREA_VARIABLE)
        return a->module == l->module;
    for (uint32_t at = 0; at + sizeof(uint64_t) <= l->g->param_bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, l->given + at, sizeof word);
        if (word - a->address < a->bytes)
            return true;
    }
    return false;
}

static void drop_copies(struct process *p)
{
    for (size_t i = 0; i < p->area_count; i++) {
        if (p->areas[i].spare)
            p->d.cuMemFree_v2(p->areas[i].spare);
        p->areas[i].spare = 0;
    }
}

/* Launches and waits, by this process's own clocks. The event after the launch is recorded in
 * between. */
static int clocked_run(struct process *p, struct launch *l, void *after)
{
    const double wall = clock_seconds(), cpu = clock_cpu_seconds();
    int status = start_run(p, l);
    l->clocks.call = clock_seconds() - wall;
    l->clocks.call_cpu = clock_cpu_seconds() - cpu;
    if (status == DRIVER_OK)
        status = p->d.cuEventRecord(after, p->stream);
    if (status == DRIVER_OK)
        status = process_return_images(p);
    if (status == DRIVER_OK)
        status = p->d.cuStreamSynchronize(p->stream);
    l->clocks.wait = clock_seconds() - wall;
    l->clocks.wait_cpu = clock_cpu_seconds() - cpu;
    return status;
}

static int one_run(struct process *p, struct launch *l, void *events[2], float *ms)
{
    int status = l->count ? p->d.cuMemsetD8Async(l->count, 0, sizeof(uint64_t[2]), p->stream) : 0;
    if (status == DRIVER_OK)
        status = process_fill_images(p);
    if (status == DRIVER_OK)
        status = p->d.cuEventRecord(events[0], p->stream);
    if (status == DRIVER_OK)
        status = clocked_run(p, l, events[1]);
    return status == DRIVER_OK ? p->d.cuEventElapsedTime(ms, events[0], events[1]) : status;
}

/* One run to warm up, then the wanted ones, each timed by itself. */
static int one_by_one(struct process *p, struct launch *l, void **events, float *ms,
                      uint64_t *covering)
{
    int status = one_run(p, l, events, ms);
    for (unsigned i = 0; i < l->g->runs && status == DRIVER_OK; i++) {
        status = cover(p, covering, 1);
        if (status == DRIVER_OK)
            status = set_all_back(p);
        if (status == DRIVER_OK)
            status = one_run(p, l, events, &ms[i]);
    }
    return status;
}

/* Does the same with all runs queued. The time of a run is from the end of the run before it to its
 * own end. */
static int in_a_row(struct process *p, struct launch *l, void **events, float *ms,
                    uint64_t *covering)
{
    int status = cover(p, covering, 2 * l->g->runs);
    for (unsigned i = 0; i <= l->g->runs && status == DRIVER_OK; i++) {
        for (size_t k = 0; k < p->area_count && status == DRIVER_OK; k++)
            if (is_reached(l, &p->areas[k]))
                status = set_back(p, &p->areas[k]);
        if (status == DRIVER_OK)
            status = start_run(p, l);
        if (status == DRIVER_OK)
            status = p->d.cuEventRecord(events[i], p->stream);
    }
    if (status == DRIVER_OK)
        status = p->d.cuStreamSynchronize(p->stream);
    for (unsigned i = 0; i < l->g->runs && status == DRIVER_OK; i++)
        status = p->d.cuEventElapsedTime(&ms[i], events[i], events[i + 1]);
    return status;
}

/* A kernel that adds to a number, such as a sum or a count, is timed with the setting of that
 * number, since its answer needs it. What is larger is input, and is there before. */
static bool sets_only_numbers(const struct process *p, const struct launch *l)
{
    bool only = !l->count && !p->images.count;
    for (size_t i = 0; i < p->area_count; i++)
        only &= is_number(&p->areas[i]);
    return only;
}

static int all_runs(struct process *p, struct launch *l, void **events, float *ms)
{
    uint64_t covering = 0;
    /* Arrays are cleared and filled in the default stream. It may still be busy when the driver's
     * call returns. The stream of the launches does not wait for the default stream. */
    int status = p->d.cuStreamSynchronize(NULL);
    if (status != DRIVER_OK)
        return status;
    if (l->g->runs > 1) {
        status = keep_areas(p);
        if (status == DRIVER_OK)
            status = (sets_only_numbers(p, l) ? in_a_row : one_by_one)(p, l, events, ms,
                                                                       &covering);
        if (covering)
            p->d.cuMemFree_v2(covering);
        drop_copies(p);
    } else {
        status = one_run(p, l, events, ms);
    }
    if (status == DRIVER_OK && l->count) /* used and lost come first in the ring */
        status = p->d.cuMemcpyDtoH_v2(p->ring, l->count, sizeof(uint64_t[2]));
    return status;
}

/* Asks for the launch's dynamic shared memory. Where the program did not ask, only the usual amount
 * is set, since the driver remembers what an earlier launch of the kernel asked for. */
static int opt_in(struct process *p, const struct launch *l)
{
    enum { USUAL = 48 << 10 };
    int own = 0, bytes = (int)l->g->shared_bytes;
    int status = p->d.cuFuncGetAttribute(&own, FUNCTION_SHARED, l->function);
    if (l->g->not_opted_in && bytes > USUAL - own)
        bytes = USUAL - own;
    return status == DRIVER_OK ? p->d.cuFuncSetAttribute(l->function, FUNCTION_MAX_DYNAMIC_SHARED,
                                                         bytes)
                               : status;
}

/* The library loads a kernel when it first needs it. So an untimed call goes before. */
static int prepare_library(struct process *p, struct launch *l)
{
    struct err e;
    if (l->g->job_bytes > sizeof l->library)
        return DRIVER_INVALID_VALUE;
    memcpy(&l->library, l->job, l->g->job_bytes);
    int failed = l->g->job == JOB_RANDOM
                     ? rand_open(&p->rand, (int)l->library.random.type, p->stream, &e)
                     : blas_open(&p->blas, p->stream, &e);
    return failed ? library_refuses(p, &e) : start_library(p, l);
}

static int prepare(struct process *p, const struct gpu_message *m, const char *payload,
                   struct launch *l)
{
    const struct driver_module *module = process_module(p, m->id);
    const char *name = payload + sizeof *l->g, *offsets = name + l->g->name_bytes;
    const char *params = offsets + l->g->param_count * sizeof(uint32_t);
    l->given = params;
    l->job = params + l->g->param_bytes;
    if (l->g->job == JOB_PEER)
        return DRIVER_OK;
    if (l->g->job == JOB_DOT || l->g->job == JOB_PRODUCT || l->g->job == JOB_RANDOM)
        return prepare_library(p, l);
    if (!module || l->g->param_count > PARAMS_MOST)
        return DRIVER_INVALID_VALUE;
    l->count = module->count;
    l->module = m->id;
    for (uint32_t i = 0; i < l->g->param_count; i++) {
        uint32_t offset;
        memcpy(&offset, offsets + i * sizeof offset, sizeof offset);
        l->params[i] = (void *)(uintptr_t)(params + offset);
    }
    int status = p->d.cuModuleGetFunction(&l->function, module->module, name);
    return status == DRIVER_OK && l->g->shared_bytes ? opt_in(p, l) : status;
}

/* Times all runs: float milliseconds in the reply, then the clocks of the last one. */
static int time_runs(struct process *p, struct launch *l)
{
    const struct gpu_launch *g = l->g;
    const size_t count = g->runs > 1 ? g->runs + (size_t)1 : 2;
    const size_t times = (g->runs ? g->runs : 1) * sizeof(float);
    void **events = mem_alloc(&allocator_libc, count * sizeof *events);
    char *reply = process_reply(p, times + sizeof l->clocks);
    int status = events && reply ? DRIVER_OK : DRIVER_OUT_OF_MEMORY;
    for (size_t i = 0; i < count && status == DRIVER_OK; i++)
        status = p->d.cuEventCreate(&events[i], 0);
    if (status == DRIVER_OK)
        status = all_runs(p, l, events, (float *)(void *)reply);
    for (size_t i = 0; events && i < count; i++)
        if (events[i])
            p->d.cuEventDestroy_v2(events[i]);
    mem_free(&allocator_libc, events, count * sizeof *events);
    if (reply)
        memcpy(reply + times, &l->clocks, sizeof l->clocks);
    return status;
}

static int time_steps(struct process *p, struct launch *l)
{
    struct process_steps steps = {
        .process = p, .launch = l->g, .function = l->function, .params = l->params};
    double *seconds = process_reply(p, PROGRAM_STEPS * sizeof *seconds);
    memcpy(&steps.job, l->job, sizeof steps.job);
    return seconds ? process_time_steps(&steps, seconds) : DRIVER_OUT_OF_MEMORY;
}

static int time_peer(struct process *p, const struct launch *l)
{
    struct peer_job job;
    double *seconds = process_reply(p, PEER_WAYS * sizeof *seconds);
    memcpy(&job, l->job, sizeof job);
    return seconds ? process_copy_to_peer(p, &job, seconds) : DRIVER_OUT_OF_MEMORY;
}

static int run_streams(struct process *p, struct launch *l)
{
    struct process_streams streams = {
        .process = p, .launch = l->g, .job = l->job, .function = l->function, .params = l->params};
    struct stream_plan plan;
    if (l->g->job_bytes < sizeof plan)
        return DRIVER_INVALID_VALUE;
    memcpy(&plan, l->job, sizeof plan);
    if (l->g->job_bytes != sizeof plan + plan.count * sizeof(struct stream_op))
        return DRIVER_INVALID_VALUE;
    const size_t numbers = (size_t)plan.count * STREAM_TIMES + STREAM_LENGTHS;
    double *times = process_reply(p, numbers * sizeof *times);
    return times ? process_run_streams(&streams, times) : DRIVER_OUT_OF_MEMORY;
}

int process_launch(struct process *p, struct gpu_message *m, const char *payload)
{
    struct gpu_launch g;
    memcpy(&g, payload, sizeof g);
    struct launch l = {.g = &g};
    int status = prepare(p, m, payload, &l);
    if (status == DRIVER_OK)
        status = g.job == JOB_STEPS     ? time_steps(p, &l)
                 : g.job == JOB_STREAMS ? run_streams(p, &l)
                 : g.job == JOB_PEER    ? time_peer(p, &l)
                                        : time_runs(p, &l);
    if (status != DRIVER_OK && status != GPU_NOT_RUN)
        driver_describe(&p->d, status, p->say, sizeof p->say);
    return status;
}
