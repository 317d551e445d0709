/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Managed memory: advice and prefetches, which change no result, and what is known of them.
 */
#include "run/client/client.h"
#include "run/memory.h"

#include <stdlib.h>

API cudaError_t cudaMemPrefetchAsync(const void *at, size_t n, struct cudaMemLocation to,
                                     unsigned flags, cudaStream_t stream)
{
    (void)flags, (void)stream;
    return CALL(ADVISE, number_of(at), n, 0, to.type, (uint64_t)(int64_t)to.id);
}

API cudaError_t cudaMemPrefetchAsync_v2(const void *at, size_t n, struct cudaMemLocation to,
                                        unsigned flags, cudaStream_t stream)
{
    return cudaMemPrefetchAsync(at, n, to, flags, stream);
}

API cudaError_t cudaMemAdvise(const void *at, size_t n, enum cudaMemoryAdvise advice,
                              struct cudaMemLocation to)
{
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return run_failed(__func__, cudaErrorInvalidValue);
    return CALL(ADVISE, number_of(at), n, advice, to.type, (uint64_t)(int64_t)to.id);
}

API cudaError_t cudaMemAdvise_v2(const void *at, size_t n, enum cudaMemoryAdvise advice,
                                 struct cudaMemLocation to)
{
    return cudaMemAdvise(at, n, advice, to);
}

/* ---- many ranges ------------------------------------------------------------------------ */

/* The calls of a batch need a stream of their own, and ranges of managed memory. */
static cudaError_t check_batch(void **at, const size_t *bytes, size_t count,
                               unsigned long long flags, cudaStream_t s)
{
    return at && bytes && count && !flags && s && s != cudaStreamLegacy ? cudaSuccess
                                                                         : cudaErrorInvalidValue;
}

/* Each place is for the ranges from its first one to that of the next place. */
static cudaError_t prefetch_batch(const char *name, void **at, const size_t *bytes, size_t count,
                                  const struct cudaMemLocation *places, const size_t *first,
                                  size_t place_count, unsigned long long flags, cudaStream_t s)
{
    cudaError_t error = check_batch(at, bytes, count, flags, s);
    if (!error && (!places || !first || !place_count || place_count > count || first[0]))
        error = cudaErrorInvalidValue;
    for (size_t i = 1; i < place_count && !error; i++)
        if (first[i] <= first[i - 1] || first[i] >= count)
            error = cudaErrorInvalidValue;
    if (error)
        return run_failed(name, error);
    for (size_t i = 0, place = 0; i < count && !error; i++) {
        place += place + 1 < place_count && first[place + 1] == i;
        error = run_call(name, &REQUEST(ADVISE, number_of(at[i]), bytes[i], 0, places[place].type,
                                        (uint64_t)(int64_t)places[place].id));
    }
    return error;
}

API cudaError_t cudaMemPrefetchBatchAsync(void **at, size_t *bytes, size_t count,
                                          struct cudaMemLocation *places, size_t *first,
                                          size_t place_count, unsigned long long flags,
                                          cudaStream_t s)
{
    return prefetch_batch(__func__, at, bytes, count, places, first, place_count, flags, s);
}

/* What is discarded may keep its bytes, and keeps them here. */
API cudaError_t cudaMemDiscardBatchAsync(void **at, size_t *bytes, size_t count,
                                         unsigned long long flags, cudaStream_t s)
{
    cudaError_t error = check_batch(at, bytes, count, flags, s);
    if (error)
        return run_failed(__func__, error);
    for (size_t i = 0; i < count && !error; i++) {
        struct run_message m = REQUEST(ADVICE, number_of(at[i]), bytes[i],
                                       cudaMemRangeAttributeReadMostly);
        error = run_call(__func__, &m);
    }
    return error;
}

API cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **at, size_t *bytes, size_t count,
                                                    struct cudaMemLocation *places, size_t *first,
                                                    size_t place_count, unsigned long long flags,
                                                    cudaStream_t s)
{
    return prefetch_batch(__func__, at, bytes, count, places, first, place_count, flags, s);
}

/* ---- what is known ----------------------------------------------------------------------- */

/* Of the places that use it the first is told, and no place fills up the rest. */
static cudaError_t get(const char *name, void *out, size_t bytes, enum cudaMemRangeAttribute id,
                       const void *at, size_t n)
{
    struct run_message m = REQUEST(ADVICE, number_of(at), n, id);
    int *all = out;
    const bool one = id != cudaMemRangeAttributeAccessedBy;
    if (!out || bytes < sizeof *all || bytes % sizeof *all || (one && bytes != sizeof *all))
        return run_failed(name, cudaErrorInvalidValue);
    cudaError_t error = run_call(name, &m);
    if (error)
        return error;
    for (size_t i = 0; i < bytes / sizeof *all; i++)
        all[i] = i < 2 ? (int)(int64_t)m.number[i] : cudaInvalidDeviceId;
    return cudaSuccess;
}

API cudaError_t cudaMemRangeGetAttribute(void *out, size_t bytes, enum cudaMemRangeAttribute id,
                                         const void *at, size_t n)
{
    return get(__func__, out, bytes, id, at, n);
}

API cudaError_t cudaMemRangeGetAttributes(void **out, size_t *bytes,
                                          enum cudaMemRangeAttribute *ids, size_t count,
                                          const void *at, size_t n)
{
    cudaError_t error = out && bytes && ids && count
                            ? cudaSuccess : run_failed(__func__, cudaErrorInvalidValue);
    for (size_t i = 0; i < count && !error; i++)
        error = get(__func__, out[i], bytes[i], ids[i], at, n);
    return error;
}
