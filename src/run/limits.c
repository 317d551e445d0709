/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The limits of the device that a program may change. Those of the stack, of printf's buffer and of
 * the heap hold for what is launched from then on.
 */
#include "run/run.h"

#include "cudalab_runtime_types.h"

/* What an H100 begins with. */
enum { STACK = 1024, PRINTF = 8650752, PENDING = 2048, FETCH = 64 };

void run_usual_limits(struct run *r)
{
    sim_device_limit(r->session.device, SIM_DEVICE_PRINTF, PRINTF);
}

int32_t run_limit_request(struct run *r, struct run_message *m, bool *known)
{
    static const enum sim_device_limit which[] = {
        [cudaLimitStackSize] = SIM_DEVICE_STACK, [cudaLimitPrintfFifoSize] = SIM_DEVICE_PRINTF,
        [cudaLimitMallocHeapSize] = SIM_DEVICE_HEAP};
    const bool sets = m->number[2];
    uint64_t value = m->number[1];
    if (m->what != RUN_LIMIT) {
        *known = false;
        return 0;
    }
    switch (m->number[0]) {
    case cudaLimitStackSize:
    case cudaLimitPrintfFifoSize:
    case cudaLimitMallocHeapSize: break;
    case cudaLimitPersistingL2CacheSize: /* a hint for a cache, which changes no result */
        if (sets)
            r->persisting_l2 = value;
        m->number[0] = r->persisting_l2;
        return 0;
    case cudaLimitDevRuntimePendingLaunchCount: /* the simulator has room for more */
        if (sets)
            r->pending_launches = value;
        m->number[0] = r->pending_launches ? r->pending_launches : PENDING;
        return 0;
    case cudaLimitMaxL2FetchGranularity:
        m->number[0] = FETCH;
        return 0;
    case cudaLimitDevRuntimeSyncDepth: return cudaErrorUnsupportedLimit;
    default: return cudaErrorInvalidValue;
    }
    if (sets && value == 0)
        return cudaErrorInvalidValue;
    if (sets)
        run_wait_all(r);
    if (m->number[0] == cudaLimitStackSize) {
        if (sets)
            r->stack_bytes = value;
        value = r->stack_bytes ? r->stack_bytes : STACK;
        if (!sets) {
            m->number[0] = value;
            return 0;
        }
    }
    m->number[0] = sim_device_limit(r->session.device, which[m->number[0]], sets ? value : 0);
    return m->number[0] ? 0 : cudaErrorInvalidValue;
}
