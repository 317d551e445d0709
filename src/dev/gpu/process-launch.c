/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This part of the process that works with the GPU launches a kernel once, between two events. A job
 * (dev/jobs.h) is done in place of a launch. A launch may be kept as a part of a sequence, which is
 * timed later (process-times.c).
 */
#include "dev/gpu/process-parts.h"

#include "base/mem.h"
#include "os/clock.h"

#include <stdio.h>
#include <string.h>

enum { PARAMS_MOST = 1024 };

static int library_refuses(struct process *p, const struct err *e)
{
    snprintf(p->say, sizeof p->say, "%s", e->text);
    return GPU_NOT_RUN;
}

static int call_library(struct process *p, const struct launch *l, struct err *e)
{
    switch (l->g.job) {
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
    const struct gpu_launch *g = &l->g;
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

int process_start(struct process *p, struct launch *l)
{
    const struct gpu_launch *g = &l->g;
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

/* Launches and waits, by this process's own clocks. The event after the launch is recorded in
 * between. */
static int clocked_run(struct process *p, struct launch *l, void *after,
                       struct host_clocks *clocks)
{
    const double wall = clock_seconds(), cpu = clock_cpu_seconds();
    int status = process_start(p, l);
    clocks->call = clock_seconds() - wall;
    clocks->call_cpu = clock_cpu_seconds() - cpu;
    if (status == DRIVER_OK)
        status = p->d.cuEventRecord(after, p->stream);
    if (status == DRIVER_OK)
        status = process_return_images(p);
    if (status == DRIVER_OK)
        status = p->d.cuStreamSynchronize(p->stream);
    clocks->wait = clock_seconds() - wall;
    clocks->wait_cpu = clock_cpu_seconds() - cpu;
    return status;
}

int process_clear_prints(struct process *p, const struct launch *l)
{
    return l->count ? p->d.cuMemsetD8Async(l->count, 0, sizeof(uint64_t[2]), p->stream) : DRIVER_OK;
}

static int one_run(struct process *p, struct launch *l, void *events[2], struct gpu_run *run)
{
    int status = process_clear_prints(p, l);
    if (status == DRIVER_OK)
        status = process_fill_images(p);
    if (status == DRIVER_OK)
        status = p->d.cuEventRecord(events[0], p->stream);
    if (status == DRIVER_OK)
        status = clocked_run(p, l, events[1], &run->clocks);
    if (status == DRIVER_OK)
        status = p->d.cuEventElapsedTime(&run->ms, events[0], events[1]);
    if (status == DRIVER_OK && l->count) /* used and lost come first in the ring */
        status = p->d.cuMemcpyDtoH_v2(p->ring, l->count, sizeof(uint64_t[2]));
    return status;
}

/* Arrays are cleared and filled in the default stream. It may still be busy when the driver's call
 * returns. The stream of the launches does not wait for the default stream. */
static int run_alone(struct process *p, struct launch *l)
{
    struct gpu_run *run = process_reply(p, sizeof *run);
    void *events[2] = {NULL};
    int status = run ? p->d.cuStreamSynchronize(NULL) : DRIVER_OUT_OF_MEMORY;
    for (int i = 0; i < 2 && status == DRIVER_OK; i++)
        status = p->d.cuEventCreate(&events[i], 0);
    if (status == DRIVER_OK)
        status = one_run(p, l, events, run);
    for (int i = 0; i < 2; i++)
        if (events[i])
            p->d.cuEventDestroy_v2(events[i]);
    return status;
}

/* Asks for the launch's dynamic shared memory. Where the program did not ask, only the usual amount
 * is set, since the driver remembers what an earlier launch of the kernel asked for. */
static int opt_in(struct process *p, const struct launch *l)
{
    enum { USUAL = 48 << 10 };
    int own = 0, bytes = (int)l->g.shared_bytes;
    int status = p->d.cuFuncGetAttribute(&own, FUNCTION_SHARED, l->function);
    if (l->g.not_opted_in && bytes > USUAL - own)
        bytes = USUAL - own;
    return status == DRIVER_OK ? p->d.cuFuncSetAttribute(l->function, FUNCTION_MAX_DYNAMIC_SHARED,
                                                         bytes)
                               : status;
}

/* The library loads a kernel when it first needs it. So an untimed call goes before. */
static int prepare_library(struct process *p, struct launch *l)
{
    struct err e;
    if (l->g.job_bytes > sizeof l->library)
        return DRIVER_INVALID_VALUE;
    memcpy(&l->library, l->job, l->g.job_bytes);
    int failed = l->g.job == JOB_RANDOM
                     ? rand_open(&p->rand, (int)l->library.random.type, p->stream, &e)
                     : blas_open(&p->blas, p->stream, &e);
    return failed ? library_refuses(p, &e) : start_library(p, l);
}

static bool is_library(uint32_t job)
{
    return job == JOB_DOT || job == JOB_PRODUCT || job == JOB_RANDOM;
}

int process_prepare(struct process *p, uint64_t id, const char *payload, struct launch *l)
{
    const struct driver_module *module = process_module(p, id);
    *l = (struct launch){.module = id};
    memcpy(&l->g, payload, sizeof l->g);
    const char *name = payload + sizeof l->g, *offsets = name + l->g.name_bytes;
    l->given = offsets + l->g.param_count * sizeof(uint32_t);
    l->job = l->given + l->g.param_bytes;
    if (l->g.job == JOB_PEER)
        return DRIVER_OK;
    if (is_library(l->g.job))
        return prepare_library(p, l);
    if (!module || l->g.param_count > PARAMS_MOST)
        return DRIVER_INVALID_VALUE;
    l->count = module->count;
    l->params = mem_alloc(&allocator_libc, l->g.param_count * sizeof *l->params + 1);
    if (!l->params)
        return DRIVER_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < l->g.param_count; i++) {
        uint32_t offset;
        memcpy(&offset, offsets + i * sizeof offset, sizeof offset);
        l->params[i] = (void *)(uintptr_t)(l->given + offset);
    }
    int status = p->d.cuModuleGetFunction(&l->function, module->module, name);
    return status == DRIVER_OK && l->g.shared_bytes ? opt_in(p, l) : status;
}

void process_drop(struct launch *l)
{
    mem_free(&allocator_libc, l->params, l->g.param_count * sizeof *l->params + 1);
    l->params = NULL;
}

static int time_steps(struct process *p, struct launch *l)
{
    struct process_steps steps = {
        .process = p, .launch = &l->g, .function = l->function, .params = l->params};
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
        .process = p, .launch = &l->g, .job = l->job, .function = l->function, .params = l->params};
    struct stream_plan plan;
    if (l->g.job_bytes < sizeof plan)
        return DRIVER_INVALID_VALUE;
    memcpy(&plan, l->job, sizeof plan);
    if (l->g.job_bytes != sizeof plan + plan.count * sizeof(struct stream_op))
        return DRIVER_INVALID_VALUE;
    const size_t numbers = (size_t)plan.count * STREAM_TIMES + STREAM_LENGTHS;
    double *times = process_reply(p, numbers * sizeof *times);
    return times ? process_run_streams(&streams, times) : DRIVER_OUT_OF_MEMORY;
}

static int launch_as_asked(struct process *p, struct launch *l)
{
    switch (l->g.job) {
    case JOB_STEPS: return time_steps(p, l);
    case JOB_STREAMS: return run_streams(p, l);
    case JOB_PEER: return time_peer(p, l);
    default: return run_alone(p, l);
    }
}

int process_launch(struct process *p, struct gpu_message *m, const char *payload)
{
    struct gpu_launch g;
    struct launch l = {.params = NULL};
    memcpy(&g, payload, sizeof g);
    const bool kept = g.sequence && (!g.job || is_library(g.job));
    int status = kept ? process_keep_memory(p, g.sequence) : DRIVER_OK;
    if (status == DRIVER_OK)
        status = process_prepare(p, m->id, payload, &l);
    if (status == DRIVER_OK)
        status = launch_as_asked(p, &l);
    process_drop(&l);
    if (status == DRIVER_OK && kept)
        status = process_keep_launch(p, m, payload, ((struct gpu_run *)p->reply)->clocks.wait);
    if (status != DRIVER_OK && status != GPU_NOT_RUN)
        driver_describe(&p->d, status, p->say, sizeof p->say);
    return status;
}
