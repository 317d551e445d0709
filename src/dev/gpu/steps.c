/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a program around one launch. The host's clock is read before each step, and again
 * when the step has ended. All of it is in the default stream, so steps wait for each other as in a
 * program. A first round, which makes the driver ready, is not timed. Nor is what only the host
 * does: it writes the input and keeps the result.
 *
 * Host memory that gets a copy has been written before. Otherwise the copy would be timed together
 * with the system's search for pages. Of managed memory the host writes only the input; where the
 * rest lies is decided by the first access, as in a program.
 */
#include "dev/gpu/process-parts.h"

#include "os/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program_array { /* on both sides, or with two addresses */
    const struct steps_array *is;
    void *host;
    uint64_t device;
    uint64_t original; /* the launch's array, whose bytes it gets */
};

struct program {
    struct process_steps *of;
    const struct driver *d;
    enum transfer_kind kind;
    struct program_array arrays[STEPS_ARRAYS];
    unsigned count;
    char *kept; /* room for the bytes of one array, between it and its original */
};

static bool copies(const struct program *p)
{
    return p->kind == BY_COPIES || p->kind == BY_PINNED_COPIES;
}

/* ---- memory ---------------------------------------------------------------------------- */

static int allocate_host(const struct program *p, struct program_array *a)
{
    switch (p->kind) {
    case BY_COPIES:
        a->host = malloc(a->is->bytes);
        return a->host ? DRIVER_OK : DRIVER_OUT_OF_MEMORY;
    case BY_PINNED_COPIES: return p->d->cuMemHostAlloc(&a->host, a->is->bytes, 0);
    case BY_MAPPING: return p->d->cuMemHostAlloc(&a->host, a->is->bytes, HOST_MAPPED);
    default: return DRIVER_OK;
    }
}

static int allocate_device(const struct program *p, struct program_array *a)
{
    if (copies(p))
        return p->d->cuMemAlloc_v2(&a->device, a->is->bytes);
    if (p->kind == BY_MAPPING)
        return p->d->cuMemHostGetDevicePointer_v2(&a->device, a->host, 0);
    int status = p->d->cuMemAllocManaged(&a->device, a->is->bytes, MANAGED_BY_ALL);
    a->host = (void *)(uintptr_t)a->device;
    return status;
}

static int no_such_memory(const struct program *p, const struct program_array *a, int status)
{
    static const char *const kinds[] = {"managed memory", "memory", "pinned memory",
                                        "mapped memory"};
    char why[200];
    driver_describe(p->d, status, why, sizeof why);
    snprintf(p->of->process->say, SAYING, "%s of %llu bytes can't be had: %s", kinds[p->kind],
             (unsigned long long)a->is->bytes, why);
    return GPU_NOT_RUN;
}

static int allocate_array(struct program *p, struct program_array *a)
{
    int status = allocate_host(p, a);
    if (status == DRIVER_OK)
        status = allocate_device(p, a);
    if (status != DRIVER_OK)
        return no_such_memory(p, a, status);
    p->of->params[a->is->param] = &a->device;
    return DRIVER_OK;
}

/* Frees also an array that was allocated only in part. */
static int release_array(struct program *p, struct program_array *a)
{
    int status = DRIVER_OK;
    if (a->device && p->kind != BY_MAPPING)
        status = p->d->cuMemFree_v2(a->device);
    if (a->host && p->kind == BY_COPIES)
        free(a->host);
    else if (a->host && p->kind != BY_PAGES && status == DRIVER_OK)
        status = p->d->cuMemFreeHost(a->host);
    a->host = NULL;
    a->device = 0;
    return status;
}

/* ---- what a program does ---------------------------------------------------------------- */

static int fill_array(struct program *p, struct program_array *a)
{
    int status = a->is->in ? p->d->cuMemcpyDtoH_v2(p->kept, a->original, a->is->bytes) : DRIVER_OK;
    if (a->is->in && status == DRIVER_OK)
        memcpy(a->host, p->kept, a->is->bytes);
    else if (!a->is->in && p->kind != BY_PAGES)
        memset(a->host, 0, a->is->bytes);
    return status;
}

static int copy_in(struct program *p, struct program_array *a)
{
    return a->is->in && copies(p) ? p->d->cuMemcpyHtoD_v2(a->device, a->host, a->is->bytes)
                                  : DRIVER_OK;
}

static int run_kernel(struct program *p)
{
    const struct gpu_launch *l = p->of->launch;
    const unsigned *n = l->grid, *b = l->block;
    return p->d->cuLaunchKernel(p->of->function, n[0], n[1], n[2], b[0], b[1], b[2],
                                (unsigned)l->shared_bytes, NULL, p->of->params, NULL);
}

/* Where nothing is copied, the host reads the result, which brings its pages back. */
static int copy_out(struct program *p, struct program_array *a)
{
    if (a->is->out && copies(p))
        return p->d->cuMemcpyDtoH_v2(a->host, a->device, a->is->bytes);
    if (a->is->out)
        memcpy(p->kept, a->host, a->is->bytes);
    return DRIVER_OK;
}

static int keep_result(struct program *p, struct program_array *a)
{
    if (!a->is->out)
        return DRIVER_OK;
    memcpy(p->kept, a->host, a->is->bytes);
    return p->d->cuMemcpyHtoD_v2(a->original, p->kept, a->is->bytes);
}

/* ---- rounds ------------------------------------------------------------------------------ */

enum { UNTIMED = PROGRAM_STEPS };

struct program_part {
    int (*array)(struct program *, struct program_array *); /* it is done for each array */
    int (*once)(struct program *);                          /* NULL: nothing is done once */
    bool waits;                                             /* for the card, at its end */
    int step;
};

static int do_part(struct program *p, const struct program_part *part)
{
    int status = DRIVER_OK;
    for (unsigned i = 0; part->array && i < p->count && status == DRIVER_OK; i++)
        status = part->array(p, &p->arrays[i]);
    if (part->once)
        status = part->once(p);
    return part->waits && status == DRIVER_OK ? p->d->cuStreamSynchronize(NULL) : status;
}

static int one_round(struct program *p, double took[PROGRAM_STEPS])
{
    static const struct program_part all[] = {
        {allocate_array, NULL, false, STEP_ALLOCATE}, {fill_array, NULL, false, UNTIMED},
        {copy_in, NULL, true, STEP_IN},         {NULL, run_kernel, true, STEP_KERNEL},
        {copy_out, NULL, false, STEP_OUT},      {keep_result, NULL, true, UNTIMED},
        {release_array, NULL, false, STEP_FREE}};
    int status = DRIVER_OK;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && status == DRIVER_OK; i++) {
        const double start = clock_seconds();
        status = do_part(p, &all[i]);
        if (all[i].step != UNTIMED)
            took[all[i].step] = clock_seconds() - start;
    }
    for (unsigned i = 0; i < p->count && status != DRIVER_OK; i++)
        release_array(p, &p->arrays[i]);
    if (!copies(p))
        took[STEP_IN] = 0;
    return status;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* `all` has the times of all runs, step after step. */
static int all_rounds(struct program *p, unsigned runs, double *all, double seconds[PROGRAM_STEPS])
{
    int status = one_round(p, seconds);
    for (unsigned i = 0; i < runs && status == DRIVER_OK; i++) {
        status = one_round(p, seconds);
        for (int k = 0; k < PROGRAM_STEPS; k++)
            all[(size_t)k * runs + i] = seconds[k];
    }
    for (int k = 0; k < PROGRAM_STEPS && status == DRIVER_OK; k++) {
        double *of = all + (size_t)k * runs;
        qsort(of, runs, sizeof *of, by_size);
        seconds[k] = (of[(runs - 1) / 2] + of[runs / 2]) / 2;
    }
    return status;
}

/* Returns the bytes of the largest array; 0: the job makes no sense. */
static uint64_t set_up(struct program *p)
{
    const struct steps_job *steps = &p->of->job;
    uint64_t most = 0;
    if (steps->count > STEPS_ARRAYS)
        return 0;
    for (p->count = 0; p->count < steps->count; p->count++) {
        struct program_array *a = &p->arrays[p->count];
        a->is = &steps->arrays[p->count];
        if (a->is->param >= p->of->launch->param_count)
            return 0;
        memcpy(&a->original, p->of->params[a->is->param], sizeof a->original);
        most = a->is->bytes > most ? a->is->bytes : most;
    }
    return most;
}

int process_time_steps(struct process_steps *s, double seconds[PROGRAM_STEPS])
{
    struct program p = {.of = s, .d = &s->process->d, .kind = s->job.kind};
    const unsigned runs = s->launch->runs ? s->launch->runs : 1;
    const uint64_t most = set_up(&p);
    if (!most)
        return DRIVER_INVALID_VALUE;
    double *all = calloc(runs, sizeof *all * PROGRAM_STEPS);
    p.kept = malloc(most);
    int status = all && p.kept ? all_rounds(&p, runs, all, seconds) : DRIVER_OUT_OF_MEMORY;
    free(p.kept);
    free(all);
    return status;
}
