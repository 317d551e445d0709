/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams and events.
 */
#include "run/client/client.h"

#include <string.h>

API cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return run_make(__func__, (void **)out, REQUEST(STREAM, cudaStreamDefault));
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    if (flags > cudaStreamNonBlocking)
        return run_failed(__func__, cudaErrorInvalidValue);
    return run_make(__func__, (void **)out, REQUEST(STREAM, flags));
}

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    if (flags > cudaStreamNonBlocking)
        return run_failed(__func__, cudaErrorInvalidValue);
    return run_make(__func__, (void **)out, REQUEST(STREAM, flags, (uint64_t)(int64_t)priority));
}

API cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    cudaError_t error = CALL(STREAM_END, number_of(s));
    if (!error)
        run_forget_stream(s);
    return error;
}

API cudaError_t cudaStreamSynchronize(cudaStream_t s) { return CALL(STREAM_WAIT, number_of(s)); }
API cudaError_t cudaStreamQuery(cudaStream_t s) { return CALL(STREAM_QUERY, number_of(s)); }

API cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
    if (flags > cudaEventWaitExternal)
        return run_failed(__func__, cudaErrorInvalidValue);
    return CALL(STREAM_AFTER, number_of(s), number_of(e), flags);
}

/* Of the function that a pointer leads to. */
static uint64_t address_of(const void *pointer)
{
    void *function;
    memcpy(&function, pointer, sizeof function);
    return number_of(function);
}

API cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t function, void *data)
{
    if (!function)
        return run_failed(__func__, cudaErrorInvalidValue);
    return CALL(STREAM_CALL, number_of(s), address_of(&function), number_of(data), 0);
}

API cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t function, void *data,
                                      unsigned flags)
{
    if (!function || flags)
        return run_failed(__func__, cudaErrorInvalidValue);
    return CALL(STREAM_CALL, number_of(s), address_of(&function), number_of(data), 1);
}

API cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return run_make(__func__, (void **)out, REQUEST(EVENT));
}

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    enum { KNOWN = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess };
    if (flags & ~(unsigned)KNOWN)
        return run_failed(__func__, cudaErrorInvalidValue);
    return run_make(__func__, (void **)out, REQUEST(EVENT, flags));
}

API cudaError_t cudaEventDestroy(cudaEvent_t e) { return CALL(EVENT_END, number_of(e)); }
API cudaError_t cudaEventSynchronize(cudaEvent_t e) { return CALL(EVENT_WAIT, number_of(e)); }
API cudaError_t cudaEventQuery(cudaEvent_t e) { return CALL(EVENT_QUERY, number_of(e)); }

API cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    return CALL(EVENT_RECORD, number_of(e), number_of(s));
}

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags)
{
    return CALL(EVENT_RECORD, number_of(e), number_of(s), flags);
}

API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    struct run_message r = REQUEST(EVENT_TIME, number_of(from), number_of(to));
    if (!ms)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &r);
    if (!error)
        *ms = (float)((double)(int64_t)r.number[0] * 1e-6);
    return error;
}

API cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    return cudaEventElapsedTime(ms, from, to);
}
