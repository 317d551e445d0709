/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams and events of the driver API. They are those of the runtime.
 */
#include "run/client/driver.h"

#include <string.h>

static CUresult make(const char *name, void **out, struct run_message m)
{
    CUresult error = out ? run_driver(name, &m) : run_driver_failed(name, CUDA_ERROR_INVALID_VALUE);
    if (!error)
        *out = pointer_of(m.number[0]);
    return error;
}

API CUresult cuStreamCreate(CUstream *out, unsigned flags)
{
    return make(__func__, (void **)out, REQUEST(STREAM, flags));
}

API CUresult cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority)
{
    return make(__func__, (void **)out, REQUEST(STREAM, flags, (uint64_t)(int64_t)priority));
}

API CUresult cuStreamDestroy_v2(CUstream s)
{
    CUresult error = DRIVE(STREAM_END, number_of(s));
    if (!error)
        run_forget_stream(s);
    return error;
}

API CUresult cuStreamSynchronize(CUstream s) { return DRIVE(STREAM_WAIT, number_of(s)); }
API CUresult cuStreamQuery(CUstream s) { return DRIVE(STREAM_QUERY, number_of(s)); }

API CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags)
{
    return DRIVE(STREAM_AFTER, number_of(s), number_of(e), flags);
}

API CUresult cuStreamGetCtx(CUstream s, CUcontext *out)
{
    CUresult error = run_driver_ready();
    (void)s;
    if (error || !out)
        return run_driver_failed(__func__, error ? error : CUDA_ERROR_INVALID_VALUE);
    *out = run_driver_context();
    return CUDA_SUCCESS;
}

API CUresult cuLaunchHostFunc(CUstream s, cudaHostFn_t function, void *data)
{
    void *at;
    memcpy(&at, &function, sizeof at);
    return DRIVE(STREAM_CALL, number_of(s), number_of(at), number_of(data), 0);
}

API CUresult cuStreamAddCallback(CUstream s, cudaStreamCallback_t function, void *data,
                                 unsigned flags)
{
    void *at;
    (void)flags;
    memcpy(&at, &function, sizeof at);
    return DRIVE(STREAM_CALL, number_of(s), number_of(at), number_of(data), 1);
}

API CUresult cuEventCreate(CUevent *out, unsigned flags)
{
    return make(__func__, (void **)out, REQUEST(EVENT, flags));
}

API CUresult cuEventDestroy_v2(CUevent e) { return DRIVE(EVENT_END, number_of(e)); }
API CUresult cuEventSynchronize(CUevent e) { return DRIVE(EVENT_WAIT, number_of(e)); }
API CUresult cuEventQuery(CUevent e) { return DRIVE(EVENT_QUERY, number_of(e)); }

API CUresult cuEventRecord(CUevent e, CUstream s)
{
    return DRIVE(EVENT_RECORD, number_of(e), number_of(s));
}

API CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned flags)
{
    return DRIVE(EVENT_RECORD, number_of(e), number_of(s), flags);
}

static CUresult elapsed(const char *name, float *ms, CUevent from, CUevent to)
{
    struct run_message m = REQUEST(EVENT_TIME, number_of(from), number_of(to));
    CUresult error = ms ? run_driver(name, &m) : run_driver_failed(name, CUDA_ERROR_INVALID_VALUE);
    if (!error)
        *ms = (float)m.number[0] * 1e-6f;
    return error;
}

API CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
    return elapsed(__func__, ms, from, to);
}

API CUresult cuEventElapsedTime_v2(float *ms, CUevent from, CUevent to)
{
    return elapsed(__func__, ms, from, to);
}
