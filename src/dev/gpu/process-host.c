/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the host does around a sequence of launches, in the process that works with the GPU: it
 * allocates arrays, copies bytes to them and copies results back. All this is done once more, in
 * memory of its own and as a program does it, with plain memory of the host. Each step is timed by
 * the clock of the host, to its end.
 */
#include "dev/gpu/process-rerun.h"

#include "base/mem.h"
#include "os/clock.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5 };

struct host {
    struct process *p;
    const struct gpu_step *steps;
    size_t count;
    uint64_t *arrays;     /* one for each that is allocated */
    uint64_t there, most; /* bytes that a copy may have: memory of the card, and of the host */
    void *here;
    double seconds[HOST_STEPS][ROUNDS];
};

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int allocate_all(struct host *h)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < h->count && status == DRIVER_OK; i++)
        if (h->steps[i].kind == HOST_ALLOCATE)
            status =
                h->p->d.cuMemAlloc_v2(&h->arrays[i], h->steps[i].bytes ? h->steps[i].bytes : 1);
    return status;
}

static void free_all(struct host *h)
{
    for (size_t i = 0; i < h->count; i++) {
        if (h->arrays[i])
            h->p->d.cuMemFree_v2(h->arrays[i]);
        h->arrays[i] = 0;
    }
}

static int copy_all(struct host *h, uint64_t kind)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < h->count && status == DRIVER_OK; i++) {
        const uint64_t bytes = h->steps[i].bytes;
        if (h->steps[i].kind != kind || !bytes)
            continue;
        status = kind == HOST_COPY_IN ? h->p->d.cuMemcpyHtoD_v2(h->there, h->here, bytes)
                                      : h->p->d.cuMemcpyDtoH_v2(h->here, h->there, bytes);
    }
    return status == DRIVER_OK ? h->p->d.cuStreamSynchronize(NULL) : status;
}

static int one_round(struct host *h, int round)
{
    const double begin = clock_seconds();
    int status = allocate_all(h);
    const double allocated = clock_seconds();
    if (status == DRIVER_OK)
        status = copy_all(h, HOST_COPY_IN);
    const double in = clock_seconds();
    if (status == DRIVER_OK)
        status = copy_all(h, HOST_COPY_OUT);
    h->seconds[HOST_ALLOCATE][round] = allocated - begin;
    h->seconds[HOST_COPY_IN][round] = in - allocated;
    h->seconds[HOST_COPY_OUT][round] = clock_seconds() - in;
    free_all(h);
    return status;
}

static int all_rounds(struct host *h, struct timing_facts *facts)
{
    int status = one_round(h, 0); /* the driver gets ready */
    for (int i = 0; i < ROUNDS && status == DRIVER_OK; i++)
        status = one_round(h, i);
    for (int k = 0; k < HOST_STEPS && status == DRIVER_OK; k++) {
        if (k == HOST_LAUNCH || k == HOST_KERNELS || !facts->steps[k].count)
            continue;
        qsort(h->seconds[k], ROUNDS, sizeof(double), by_size);
        facts->steps[k].seconds = h->seconds[k][ROUNDS / 2];
    }
    return status;
}

/* Without memory for it nothing is timed, and what there is to do is told all the same. */
int process_time_host(struct process *p, const struct gpu_step *steps, size_t count,
                      struct timing_facts *facts)
{
    struct host h = {.p = p, .steps = steps, .count = count};
    int status = DRIVER_OK;
    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind >= HOST_STEPS)
            return DRIVER_INVALID_VALUE;
        facts->steps[steps[i].kind].count++;
        facts->steps[steps[i].kind].bytes += steps[i].bytes;
        if (steps[i].kind != HOST_ALLOCATE && steps[i].bytes > h.most)
            h.most = steps[i].bytes;
    }
    h.arrays = mem_alloc(&allocator_libc, (count + 1) * sizeof *h.arrays);
    h.here = mem_alloc(&allocator_libc, (size_t)h.most + 1);
    if (h.here)
        memset(h.here, 1, (size_t)h.most + 1); /* its pages are there before they are copied */
    if (h.arrays && h.here && p->d.cuMemAlloc_v2(&h.there, h.most + 1) == DRIVER_OK) {
        status = all_rounds(&h, facts);
        free_all(&h);
        p->d.cuMemFree_v2(h.there);
    }
    mem_free(&allocator_libc, h.arrays, (count + 1) * sizeof *h.arrays);
    mem_free(&allocator_libc, h.here, (size_t)h.most + 1);
    return status == DRIVER_OUT_OF_MEMORY ? DRIVER_OK : status;
}
