/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of the program that graphs keep alive. The last one that lets go of an object has its
 * function called.
 */
#include "run/client/client.h"

#include <pthread.h>
#include <stdlib.h>

struct object { void *at; cudaHostFn_t destroy; unsigned count; };
struct held { uint64_t graph; struct object *object; unsigned count; struct held *next; };

static struct { pthread_mutex_t lock; struct held *first; } held = {
    .lock = PTHREAD_MUTEX_INITIALIZER};

static void let_go(struct object *o, unsigned count)
{
    pthread_mutex_lock(&held.lock);
    o->count -= count < o->count ? count : o->count;
    const bool last = o->count == 0;
    pthread_mutex_unlock(&held.lock);
    if (last) {
        o->destroy(o->at);
        free(o);
    }
}

API cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *at, cudaHostFn_t destroy,
                                     unsigned count, unsigned flags)
{
    struct object *o = malloc(sizeof *o);
    if (!o)
        return run_failed(__func__, cudaErrorMemoryAllocation);
    if (!out || !destroy || !count || flags != cudaUserObjectNoDestructorSync) {
        free(o);
        return run_failed(__func__, cudaErrorInvalidValue);
    }
    *o = (struct object){at, destroy, count};
    *out = (cudaUserObject_t)(void *)o;
    return cudaSuccess;
}

API cudaError_t cudaUserObjectRetain(cudaUserObject_t o, unsigned count)
{
    if (!o || !count)
        return run_failed(__func__, cudaErrorInvalidValue);
    pthread_mutex_lock(&held.lock);
    ((struct object *)(void *)o)->count += count;
    pthread_mutex_unlock(&held.lock);
    return cudaSuccess;
}

API cudaError_t cudaUserObjectRelease(cudaUserObject_t o, unsigned count)
{
    if (!o || !count)
        return run_failed(__func__, cudaErrorInvalidValue);
    let_go((struct object *)(void *)o, count);
    return cudaSuccess;
}

/* The lock is the caller's. `moves`: these references were the program's. */
static bool hold(uint64_t graph, struct object *o, unsigned count, bool moves)
{
    struct held *h = malloc(sizeof *h);
    if (!h)
        return false;
    *h = (struct held){graph, o, count, held.first};
    held.first = h;
    o->count += moves ? 0 : count;
    return true;
}

API cudaError_t cudaGraphRetainUserObject(cudaGraph_t g, cudaUserObject_t object, unsigned count,
                                          unsigned flags)
{
    struct object *o = (struct object *)(void *)object;
    if (!g || !o || !count || flags > cudaGraphUserObjectMove)
        return run_failed(__func__, cudaErrorInvalidValue);
    pthread_mutex_lock(&held.lock);
    const bool kept = hold(number_of(g), o, count, flags == cudaGraphUserObjectMove);
    pthread_mutex_unlock(&held.lock);
    return kept ? cudaSuccess : run_failed(__func__, cudaErrorMemoryAllocation);
}

API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t g, cudaUserObject_t object, unsigned count)
{
    struct object *o = (struct object *)(void *)object;
    unsigned released = 0;
    pthread_mutex_lock(&held.lock);
    for (struct held *h = held.first; h && released < count; h = h->next)
        if (h->graph == number_of(g) && h->object == o) {
            unsigned now = h->count < count - released ? h->count : count - released;
            h->count -= now;
            released += now;
        }
    pthread_mutex_unlock(&held.lock);
    if (!released)
        return run_failed(__func__, cudaErrorInvalidValue);
    let_go(o, released);
    return cudaSuccess;
}

/* A copy of a graph holds what the graph holds. */
void run_objects_copy(uint64_t from, uint64_t to)
{
    pthread_mutex_lock(&held.lock);
    for (struct held *h = held.first; h; h = h->next)
        if (h->graph == from && h->count)
            hold(to, h->object, h->count, false);
    pthread_mutex_unlock(&held.lock);
}

/* Takes one of the objects that a graph holds off the list. NULL: there is none. */
static struct held *next_of(uint64_t graph)
{
    pthread_mutex_lock(&held.lock);
    struct held **at = &held.first;
    while (*at && (*at)->graph != graph)
        at = &(*at)->next;
    struct held *h = *at;
    if (h)
        *at = h->next;
    pthread_mutex_unlock(&held.lock);
    return h;
}

void run_objects_end(uint64_t graph)
{
    for (struct held *h; (h = next_of(graph)); free(h))
        if (h->count)
            let_go(h->object, h->count);
}
