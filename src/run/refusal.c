/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launches that a card refuses at once, with the error that an H100 gives. The error alone says
 * little, so the reason is kept for the report, with its numbers.
 */
#include "run/run.h"

#include "cudalab_runtime_types.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { KERNEL = LAUNCH_KERNEL, GRID = LAUNCH_GRID, BLOCK = LAUNCH_BLOCK, SHARED = LAUNCH_SHARED,
       COOPERATIVE = LAUNCH_COOPERATIVE, CLUSTER = LAUNCH_CLUSTER };

static void because(struct run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void because(struct run *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(r->refused.why, sizeof r->refused.why, fmt, args);
    va_end(args);
}

/* The x, y or z of the grid or the block. */
static bool fits(struct run *r, const char *what, int i, uint64_t n, int most)
{
    if (n == 0)
        because(r, "%s.%c is 0", what, "xyz"[i]);
    else if (n > (uint64_t)most)
        because(r, "%s.%c is %" PRIu64 ", and this device allows %d", what, "xyz"[i], n, most);
    return n && n <= (uint64_t)most;
}

static int32_t check_shape(struct run *r, const struct run_kernel *k, const uint64_t *n)
{
    const struct device_props *p = &r->session.device->props;
    const uint64_t threads = n[BLOCK] * n[BLOCK + 1] * n[BLOCK + 2];
    for (int i = 0; i < 3; i++)
        if (!fits(r, "gridDim", i, n[GRID + i], p->max_grid[i]) ||
            !fits(r, "blockDim", i, n[BLOCK + i], p->max_block[i]))
            return cudaErrorInvalidValue;
    if (threads > (uint64_t)p->max_threads_per_block)
        because(r, "a block has %" PRIu64 " threads, and this device allows %d", threads,
                p->max_threads_per_block);
    else if (k->bound && threads > k->bound)
        because(r, "a block has %" PRIu64 " threads, and __launch_bounds__ of the kernel allows %"
                PRIu64, threads, k->bound);
    else
        return 0;
    return cudaErrorInvalidValue;
}

static int32_t check_shared(struct run *r, const struct run_kernel *k, const uint64_t *n)
{
    const bool asked = k->opted_in > RUN_USUAL_SHARED;
    const uint64_t own = k->kernel->info.static_shared;
    const uint64_t most = asked ? k->opted_in : RUN_USUAL_SHARED;
    if (own <= most && n[SHARED] <= most - own)
        return 0;
    because(r, "a block has %" PRIu64 " bytes of shared memory, and it may have %" PRIu64 " %s",
            own > UINT64_MAX - n[SHARED] ? UINT64_MAX : own + n[SHARED], most,
            asked ? "by cudaFuncSetAttribute" : "without cudaFuncSetAttribute");
    return cudaErrorInvalidValue;
}

static int32_t check_together(struct run *r, const struct run_kernel *k, const uint64_t *n)
{
    const uint64_t blocks = n[GRID] * n[GRID + 1] * n[GRID + 2];
    const uint64_t threads = n[BLOCK] * n[BLOCK + 1] * n[BLOCK + 2];
    int32_t error = n[CLUSTER] ? run_check_cluster(k, n + CLUSTER) : 0;
    if (error) {
        because(r, "the cluster has more blocks than this device allows");
        return error;
    }
    error = n[COOPERATIVE] ? run_check_cooperative(r, k, blocks, threads, n[SHARED]) : 0;
    if (error)
        because(r, "a cooperative grid has %" PRIu64 " blocks, more than the device can run at the "
                "same time", blocks);
    return error;
}

static int32_t check(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    const struct run_kernel *k = run_kernel_of(r, n[KERNEL]);
    if (!k || m->bytes < k->kernel->info.param_bytes)
        return cudaErrorInvalidDeviceFunction;
    int32_t error = check_shape(r, k, n);
    if (!error)
        error = check_shared(r, k, n);
    return error ? error : check_together(r, k, n);
}

int32_t run_check_launch(struct run *r, const struct run_message *m)
{
    const struct run_refused before = r->refused;
    r->refused.why[0] = 0;
    const int32_t error = check(r, m);
    if (!error || !r->refused.why[0]) {
        r->refused = before;
        return error;
    }
    r->refused.error = error;
    r->refused.kernel = run_kernel_of(r, m->number[KERNEL]);
    r->refused.at = run_place_of(r, m);
    r->refused.told = false;
    return error;
}
