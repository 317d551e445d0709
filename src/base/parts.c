/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts are begun in their order. Each has a place in a ring from then on until it is taken over.
 * So threads that are fast wait for the caller's thread, and memory for a few parts is enough.
 * Where no part is ready, the caller's thread makes one too.
 */
#include "base/parts.h"

#include "base/mem.h"
#include "base/threads.h"

#include <string.h>

static void tell(const struct parts *p, uint64_t done)
{
    progress_tell(p->progress, (double)done / (double)p->count);
}

static int take(const struct parts *p, uint64_t part, const void *made, struct err *e)
{
    if (go_on(p->go_on, e) != 0 || (p->take && p->take(p->self, part, made, e) != 0))
        return -1;
    tell(p, part + 1);
    return 0;
}

static int do_alone(const struct parts *p, struct err *e)
{
    void *made = p->bytes ? mem_alloc(&allocator_libc, p->bytes) : NULL;
    int failed = p->bytes && !made ? fail_memory(e) : 0;
    for (uint64_t i = 0; i < p->count && !failed; i++)
        failed = p->make(p->self, i, made, e) != 0 || take(p, i, made, e) != 0;
    mem_free(&allocator_libc, made, made ? p->bytes : 0);
    return failed ? -1 : 0;
}

#ifdef HAVE_THREADS

#include <pthread.h>
#include <time.h>

enum { THREADS_MOST = 64, PLACES = 3, LOOK_MS = 100 };

/* The ring has so many places for each thread. */
struct part_place {
    enum { PLACE_EMPTY, PLACE_MADE, PLACE_FAILED } state;
    void *made;
    struct err why;
};

struct parts_ring {
    const struct parts *p;
    struct part_place *place;
    unsigned places;
    uint64_t next, taken; /* parts that were begun, and taken over */
    bool stop, failed;
    struct err *why;
    pthread_mutex_t lock;         /* of all above */
    pthread_cond_t made, emptied; /* a part; a place */
};

static bool may_begin(const struct parts_ring *r)
{
    return !r->stop && r->next < r->p->count && r->next - r->taken < r->places;
}

/* Begins the next part and makes it. Here and below, the lock is held by the caller, before and
 * after. */
static void make_next(struct parts_ring *r)
{
    const uint64_t part = r->next++;
    struct part_place *at = &r->place[part % r->places];
    pthread_mutex_unlock(&r->lock);
    const int failed = r->p->make(r->p->self, part, at->made, &at->why);
    pthread_mutex_lock(&r->lock);
    at->state = failed ? PLACE_FAILED : PLACE_MADE;
    if (part == r->taken)
        pthread_cond_signal(&r->made);
}

/* What a thread does that only makes parts. */
static void make_parts(struct parts_ring *r)
{
    while (!r->stop && r->next < r->p->count)
        if (may_begin(r))
            make_next(r);
        else
            pthread_cond_wait(&r->emptied, &r->lock);
}

static void wait_for_part(struct parts_ring *r)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&r->made, &r->lock, &until);
    pthread_mutex_unlock(&r->lock);
    tell(r->p, r->taken);
    r->failed = go_on(r->p->go_on, r->why) != 0;
    pthread_mutex_lock(&r->lock);
}

static void take_next(struct parts_ring *r, struct part_place *at)
{
    pthread_mutex_unlock(&r->lock);
    r->failed = take(r->p, r->taken, at->made, r->why) != 0;
    pthread_mutex_lock(&r->lock);
    at->state = PLACE_EMPTY;
    r->taken++;
    pthread_cond_broadcast(&r->emptied);
}

static void take_parts(struct parts_ring *r)
{
    while (r->taken < r->p->count && !r->failed) {
        struct part_place *at = &r->place[r->taken % r->places];
        if (at->state == PLACE_MADE)
            take_next(r, at);
        else if (at->state == PLACE_FAILED) {
            *r->why = at->why;
            r->failed = true;
        } else if (may_begin(r))
            make_next(r);
        else
            wait_for_part(r);
    }
    r->stop = true;
    pthread_cond_broadcast(&r->emptied);
}

static void work(void *ring, unsigned number)
{
    struct parts_ring *r = ring;
    pthread_mutex_lock(&r->lock);
    if (number)
        make_parts(r);
    else
        take_parts(r);
    pthread_mutex_unlock(&r->lock);
}

static void free_places(struct parts_ring *r)
{
    for (unsigned i = 0; r->place && i < r->places; i++)
        mem_free(&allocator_libc, r->place[i].made, r->place[i].made ? r->p->bytes : 0);
    mem_free(&allocator_libc, r->place, r->place ? r->places * sizeof *r->place : 0);
}

static bool make_places(struct parts_ring *r)
{
    r->place = mem_alloc(&allocator_libc, r->places * sizeof *r->place);
    for (unsigned i = 0; r->place && r->p->bytes && i < r->places; i++)
        if (!(r->place[i].made = mem_alloc(&allocator_libc, r->p->bytes)))
            return false;
    return r->place != NULL;
}

/* False: there is no memory for several threads, or they can't be started. Nothing was done. */
static bool do_together(const struct parts *p, unsigned count, int *failed, struct err *e)
{
    struct parts_ring r = {.p = p, .places = count * PLACES, .why = e};
    struct threads *threads = NULL;
    const bool ready = make_places(&r) && threads_ready(&threads, &allocator_libc, count - 1);
    if (ready) {
        pthread_mutex_init(&r.lock, NULL);
        pthread_cond_init(&r.made, NULL);
        pthread_cond_init(&r.emptied, NULL);
        threads_do(threads, count, work, &r);
        pthread_cond_destroy(&r.emptied);
        pthread_cond_destroy(&r.made);
        pthread_mutex_destroy(&r.lock);
        *failed = r.failed ? -1 : 0;
    }
    threads_close(&threads, &allocator_libc);
    free_places(&r);
    return ready;
}

int parts_do(const struct parts *p, struct err *e)
{
    uint64_t count = p->threads ? p->threads : threads_most();
    int failed;
    count = count < THREADS_MOST ? count : THREADS_MOST;
    count = count < p->count ? count : p->count;
    return count > 1 && do_together(p, (unsigned)count, &failed, e) ? failed : do_alone(p, e);
}

#else

int parts_do(const struct parts *p, struct err *e)
{
    return do_alone(p, e);
}

#endif
