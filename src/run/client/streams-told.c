/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program asks about its streams, and what it sets there. Nothing of it changes a result.
 */
#include "run/client/client.h"
#include "run/memory.h"

#include <pthread.h>
#include <stdlib.h>

static cudaError_t ask(const char *name, cudaStream_t s, const void *out, struct run_message *m)
{
    *m = REQUEST(STREAM_INFO, number_of(s));
    return out ? run_call(name, m) : run_failed(name, cudaErrorInvalidValue);
}

API cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *flags)
{
    struct run_message m;
    cudaError_t error = ask(__func__, s, flags, &m);
    if (!error)
        *flags = (unsigned)m.number[0];
    return error;
}

API cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority)
{
    struct run_message m;
    cudaError_t error = ask(__func__, s, priority, &m);
    if (!error)
        *priority = (int)(int64_t)m.number[1];
    return error;
}

API cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id)
{
    struct run_message m;
    cudaError_t error = ask(__func__, s, id, &m);
    if (!error)
        *id = m.number[2];
    return error;
}

API cudaError_t cudaStreamGetDevice(cudaStream_t s, int *device)
{
    struct run_message m;
    cudaError_t error = ask(__func__, s, device, &m);
    if (!error)
        *device = 0;
    return error;
}

API cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *at, size_t n, unsigned flags)
{
    struct run_message m, where = REQUEST(POINTER, number_of(at));
    cudaError_t error = ask(__func__, s, at, &m);
    if (error)
        return error;
    error = run_call(__func__, &where);
    if (error)
        return error;
    const bool fits = where.number[0] == MEMORY_MANAGED && (n == 0 || n == where.number[2]) &&
                      (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
                       flags == cudaMemAttachSingle);
    return fits ? cudaSuccess : run_failed(__func__, cudaErrorInvalidValue);
}

/* ---- attributes ------------------------------------------------------------------------ */

struct kept_attributes {
    cudaStream_t stream;
    struct cudaAccessPolicyWindow window;
    enum cudaSynchronizationPolicy policy;
    struct kept_attributes *next;
};
static struct { pthread_mutex_t lock; struct kept_attributes *first; } all = {
    .lock = PTHREAD_MUTEX_INITIALIZER};

/* NULL: out of memory. */
static struct kept_attributes *kept_of(cudaStream_t s)
{
    pthread_mutex_lock(&all.lock);
    struct kept_attributes *k = all.first;
    while (k && k->stream != s)
        k = k->next;
    if (!k && (k = calloc(1, sizeof *k))) {
        *k = (struct kept_attributes){.stream = s, .policy = cudaSyncPolicyAuto, .next = all.first};
        all.first = k;
    }
    pthread_mutex_unlock(&all.lock);
    return k;
}

void run_forget_stream(cudaStream_t s)
{
    pthread_mutex_lock(&all.lock);
    struct kept_attributes **at = &all.first;
    while (*at && (*at)->stream != s)
        at = &(*at)->next;
    struct kept_attributes *k = *at;
    if (k)
        *at = k->next;
    pthread_mutex_unlock(&all.lock);
    free(k);
}

API cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID id,
                                       cudaStreamAttrValue *out)
{
    struct run_message m;
    cudaError_t error = ask(__func__, s, out, &m);
    const struct kept_attributes *k = error ? NULL : kept_of(s);
    if (error || !k)
        return error ? error : run_failed(__func__, cudaErrorMemoryAllocation);
    switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow: out->accessPolicyWindow = k->window; break;
    case cudaLaunchAttributeSynchronizationPolicy: out->syncPolicy = k->policy; break;
    case cudaLaunchAttributePriority: out->priority = (int)(int64_t)m.number[1]; break;
    default: return run_failed(__func__, cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

API cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID id,
                                       const cudaStreamAttrValue *value)
{
    struct run_message m;
    cudaError_t error = ask(__func__, s, value, &m);
    struct kept_attributes *k = error ? NULL : kept_of(s);
    if (error || !k)
        return error ? error : run_failed(__func__, cudaErrorMemoryAllocation);
    switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow: k->window = value->accessPolicyWindow; break;
    case cudaLaunchAttributeSynchronizationPolicy: k->policy = value->syncPolicy; break;
    case cudaLaunchAttributePriority:
        m = REQUEST(STREAM_INFO, number_of(s), true, (uint64_t)(int64_t)value->priority);
        return run_call(__func__, &m);
    default: return run_failed(__func__, cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

API cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    struct run_message m;
    cudaError_t error = ask(__func__, from, &m, &m);
    if (error)
        return error;
    m = REQUEST(STREAM_INFO, number_of(to), true, m.number[1]);
    error = run_call(__func__, &m);
    if (error)
        return error;
    struct kept_attributes *a = kept_of(from), *b = kept_of(to);
    if (!a || !b)
        return run_failed(__func__, cudaErrorMemoryAllocation);
    b->window = a->window;
    b->policy = a->policy;
    return cudaSuccess;
}
