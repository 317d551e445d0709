/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each place of the pool has one copy at a time. This process waits for what the copies write,
 * looks at the clock and at Ctrl-C, and starts the next piece where a place is free.
 *
 * If there are places for all processors, a copy and all that it starts stay on one of them. So a hand-in
 * with a thousand threads takes no time from those beside it, and none of these reaches its time
 * limit by another's fault.
 */
#define _GNU_SOURCE
#include "grade/pool.h"

#include "base/mem.h"
#include "base/threads.h"
#include "os/clock.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { LOOK_MS = 50, PLACES_MOST = 256, RESULT_MOST = 64 << 20 };
#define END_SECONDS 5.0 /* for a copy that has closed its pipe */

struct pool_place {
    struct self_copy copy;
    unsigned number;
    double since;
    struct buf result;
};

struct pool_state {
    const struct pool *pool;
    struct pool_place *place;
    struct pollfd *fds;
    unsigned places, begun, taken;
};

/* What a process starts is where that process is. */
#ifdef __linux__
static int copy_at(struct pool_state *s, struct pool_place *at, struct err *e)
{
    const struct pool *p = s->pool;
    cpu_set_t all, one;
    const bool known = sched_getaffinity(0, sizeof all, &all) == 0 &&
                       s->places >= (unsigned)CPU_COUNT(&all); /* else others use processors too */
    unsigned skip = known ? (unsigned)(at - s->place) % (unsigned)CPU_COUNT(&all) : 0, cpu = 0;
    while (known && (!CPU_ISSET(cpu, &all) || skip--))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    const bool moved = known && sched_setaffinity(0, sizeof one, &one) == 0;
    const int rc = p->programs->copy(p->work, p->self, at->number, &at->copy, e);
    if (moved)
        sched_setaffinity(0, sizeof all, &all);
    return rc;
}
#else
static int copy_at(struct pool_state *s, struct pool_place *at, struct err *e)
{
    const struct pool *p = s->pool;
    return p->programs->copy(p->work, p->self, at->number, &at->copy, e);
}
#endif

static int begin_next(struct pool_state *s, struct pool_place *at, struct err *e)
{
    const struct pool *p = s->pool;
    buf_clear(&at->result);
    at->result.most = p->most ? p->most : RESULT_MOST;
    at->number = s->begun;
    at->since = clock_seconds();
    if (copy_at(s, at, e) != 0)
        return -1;
    s->begun++;
    return 0;
}

/* A system that has no more processes may have one again when a copy has ended. */
static int begin_all(struct pool_state *s, struct err *e)
{
    unsigned running = 0;
    for (unsigned i = 0; i < s->places; i++)
        running += s->place[i].copy.pid != 0;
    for (unsigned i = 0; i < s->places && s->begun < s->pool->count; i++) {
        if (s->place[i].copy.pid)
            continue;
        if (begin_next(s, &s->place[i], e) != 0)
            return running ? 0 : -1;
        running++;
    }
    return 0;
}

static int take_end(struct pool_state *s, struct pool_place *at, bool late, struct err *e)
{
    static const enum pool_end ends[] = {
        [COPY_DONE] = POOL_DONE, [COPY_FAILED] = POOL_FAILED, [COPY_BROKEN] = POOL_CRASHED};
    const struct pool *p = s->pool;
    int code;
    const bool whole = !late && !at->result.failed;
    const enum copy_end end = p->programs->copy_end(&at->copy, whole ? END_SECONDS : 0, &code);
    const enum pool_end is = late ? POOL_OUT_OF_TIME : whole ? ends[end] : POOL_CRASHED;
    s->taken++;
    return p->take(p->self, at->number, is, (struct span){buf_text(&at->result), at->result.len},
                   e);
}

/* Reads what a copy has written. Takes its result at the end. */
static int read_copy(struct pool_state *s, struct pool_place *at, struct err *e)
{
    char bytes[1 << 14];
    const ssize_t n = read(at->copy.fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return 0;
    if (n > 0 && buf_add(&at->result, bytes, (size_t)n) == 0)
        return 0;
    return take_end(s, at, false, e);
}

static int wait_for_some(struct pool_state *s, struct err *e)
{
    for (unsigned i = 0; i < s->places; i++)
        s->fds[i] = (struct pollfd){.fd = s->place[i].copy.pid ? s->place[i].copy.fd : -1,
                                    .events = POLLIN};
    if (poll(s->fds, s->places, LOOK_MS) < 0 && errno != EINTR)
        return fail(e, "cannot wait for processes");
    for (unsigned i = 0; i < s->places; i++) {
        struct pool_place *at = &s->place[i];
        const bool late =
            at->copy.pid && s->pool->seconds > 0 && clock_seconds() - at->since > s->pool->seconds;
        if (at->copy.pid && s->fds[i].revents ? read_copy(s, at, e) != 0
                                              : late && take_end(s, at, true, e) != 0)
            return -1;
    }
    return 0;
}

static int run_all(struct pool_state *s, struct err *e)
{
    const struct pool *p = s->pool;
    while (s->taken < p->count) {
        if (go_on(p->go_on, e) != 0 || begin_all(s, e) != 0 || wait_for_some(s, e) != 0)
            return -1;
        progress_tell(p->progress, (double)s->taken / (double)p->count);
    }
    return 0;
}

/* All get the signal first, so that they end side by side. */
static void end_all(struct pool_state *s)
{
    int code;
    for (unsigned i = 0; s->place && i < s->places; i++)
        if (s->place[i].copy.pid)
            kill(s->place[i].copy.pid, SIGTERM);
    for (unsigned i = 0; s->place && i < s->places; i++) {
        if (s->place[i].copy.pid)
            s->pool->programs->copy_end(&s->place[i].copy, 0, &code);
        buf_free(&s->place[i].result);
    }
}

int pool_run(const struct pool *p, struct err *e)
{
    struct pool_state s = {.pool = p, .places = p->at_once ? p->at_once : threads_most()};
    s.places = s.places < PLACES_MOST ? s.places : PLACES_MOST;
    s.place = calloc(s.places, sizeof *s.place);
    s.fds = calloc(s.places, sizeof *s.fds);
    const int rc = s.place && s.fds ? run_all(&s, e) : fail_memory(e);
    end_all(&s);
    free(s.place);
    free(s.fds);
    return rc;
}
