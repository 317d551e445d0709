/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The limits of the device that a program may change. Those of the stack, of printf's buffer and of
 * the heap hold for what is launched from then on.
 */
#include "run/run.h"

#include "cudalab_runtime_types.h"

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
    case cudaLimitDevRuntimeSyncDepth: return cudaErrorUnsupportedLimit;
    default: return cudaErrorNotSupported;
    }
    if (sets && value == 0)
        return cudaErrorInvalidValue;
    if (sets)
        run_wait_all(r);
    if (m->number[0] == cudaLimitStackSize) {
        if (sets)
            r->stack_bytes = value;
        value = r->stack_bytes ? r->stack_bytes : 1024; /* what a card begins with */
        if (!sets) {
            m->number[0] = value;
            return 0;
        }
    }
    m->number[0] = sim_device_limit(r->session.device, which[m->number[0]], sets ? value : 0);
    return m->number[0] ? 0 : cudaErrorInvalidValue;
}
