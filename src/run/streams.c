/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams, by their handles: those that a program makes, and the default stream of each thread.
 *
 * A clock has a place for each stream. Operations of graphs have no stream, but they need a place
 * too. So each of them comes into a lane, a stream that the program has no handle of. All that was
 * in the lane before comes before it, so operations without an order are in different lanes.
 */
#include "run/run.h"

#include "base/mem.h"

#include "cudalab_runtime_types.h"

enum { LEGACY = 1, OF_THREAD }; /* cudaStreamLegacy, cudaStreamPerThread */

/* A stream that was destroyed, if there are many of them and the host has waited for its work. */
static unsigned free_stream(const struct run *r)
{
    enum { MANY = 64 };
    for (unsigned i = 1; r->stream_count > MANY && i < r->stream_count; i++)
        if (!r->streams[i].used && run_clock_has(&r->host, i, r->streams[i].last))
            return i;
    return r->stream_count;
}

/* Its index; 0: memory is out. */
static size_t add_stream(struct run *r, bool blocking, uint32_t thread)
{
    const unsigned i = free_stream(r);
    if (i == r->stream_count) {
        struct run_stream *grown = mem_resize(&allocator_libc, r->streams,
                                              r->stream_count * sizeof *grown,
                                              (r->stream_count + 1) * sizeof *grown);
        if (!grown)
            return 0;
        r->streams = grown;
        r->stream_count++;
    } else
        run_clock_free(&r->streams[i].clock);
    r->streams[i] = (struct run_stream){.used = true, .blocking = blocking, .thread = thread};
    return i;
}

size_t run_add_lane(struct run *r, const struct run_clock *before)
{
    for (unsigned i = 1; i < r->stream_count; i++)
        if (r->streams[i].of_graphs && run_clock_has(before, i, r->streams[i].last))
            return i;
    const size_t i = add_stream(r, false, 0);
    if (i) {
        r->streams[i].used = false;
        r->streams[i].of_graphs = true;
    }
    return i;
}

/* The default stream of a thread is made when it is first used. It is a blocking one. */
static size_t stream_of_thread(struct run *r, uint32_t thread)
{
    for (size_t i = 1; i < r->stream_count; i++)
        if (r->streams[i].used && r->streams[i].thread == thread)
            return i;
    return add_stream(r, true, thread);
}

struct run_stream *run_stream_of(struct run *r, uint64_t handle, size_t *index)
{
    *index = handle <= LEGACY ? 0 : (size_t)(handle - OF_THREAD);
    if (handle == OF_THREAD)
        return NULL;
    return *index < r->stream_count && r->streams[*index].used ? &r->streams[*index] : NULL;
}

bool run_stream_blocks(const struct run *r, uint64_t handle)
{
    return handle <= LEGACY ||
           (handle - OF_THREAD < r->stream_count && r->streams[handle - OF_THREAD].blocking);
}

uint64_t *run_stream_in(struct run_message *m)
{
    static const signed char where[RUN_WHATS] = { /* and one */
        [RUN_COPY] = COPY_STREAM + 1, [RUN_FILL] = FILL_STREAM + 1,
        [RUN_LAUNCH] = LAUNCH_STREAM + 1,
        [RUN_EMPTY] = 1, [RUN_STREAM_END] = 1, [RUN_STREAM_INFO] = 1, [RUN_STREAM_WAIT] = 1,
        [RUN_STREAM_QUERY] = 1, [RUN_STREAM_AFTER] = 1, [RUN_STREAM_CALL] = 1,
        [RUN_EVENT_RECORD] = 2, [RUN_GRAPH_LAUNCH] = 2, [RUN_CAPTURE] = 1, [RUN_CAPTURE_END] = 1,
        [RUN_CAPTURE_INFO] = 1, [RUN_CAPTURE_SET] = 1, [RUN_ALLOCATE] = ALLOCATE_STREAM + 1,
        [RUN_RELEASE] = RELEASE_STREAM + 1};
    return m->what < RUN_WHATS && where[m->what] ? &m->number[where[m->what] - 1] : NULL;
}

int32_t run_resolve_stream(struct run *r, struct run_message *m)
{
    uint64_t *stream = run_stream_in(m);
    if (!stream || !(*stream == OF_THREAD || (*stream == 0 && m->how & RUN_PER_THREAD)))
        return 0;
    const size_t index = stream_of_thread(r, m->thread);
    *stream = index + OF_THREAD;
    return index ? 0 : cudaErrorMemoryAllocation;
}

/* ---- requests -------------------------------------------------------------------------- */

/* A card takes the nearest priority that it has. */
static int within_range(int64_t priority)
{
    enum { GREATEST = -5, LEAST = 0 };
    return priority < GREATEST ? GREATEST : priority > LEAST ? LEAST : (int)priority;
}

static int32_t make_stream(struct run *r, struct run_message *m)
{
    const size_t index = add_stream(r, !(m->number[0] & cudaStreamNonBlocking), 0);
    if (!index)
        return cudaErrorMemoryAllocation;
    r->streams[index].flags = (unsigned)m->number[0];
    r->streams[index].priority = within_range((int64_t)m->number[1]);
    m->number[0] = index + OF_THREAD;
    return 0;
}

static int32_t stream_info(struct run *r, struct run_message *m)
{
    size_t index;
    struct run_stream *s = run_stream_of(r, m->number[0], &index);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (m->number[1])
        s->priority = within_range((int64_t)m->number[2]);
    m->number[0] = s->flags;
    m->number[1] = (uint64_t)(int64_t)s->priority;
    m->number[2] = index + 1;
    return 0;
}

static int32_t end_stream(struct run *r, const struct run_message *m)
{
    size_t index;
    struct run_stream *s = run_stream_of(r, m->number[0], &index);
    if (!s || index == 0)
        return cudaErrorInvalidResourceHandle;
    s->used = false; /* its work goes on */
    return 0;
}

int32_t run_stream_request(struct run *r, struct run_message *m, bool *known)
{
    switch (m->what) {
    case RUN_STREAM: return make_stream(r, m);
    case RUN_STREAM_INFO: return stream_info(r, m);
    case RUN_STREAM_END: return end_stream(r, m);
    default: *known = false; return 0;
    }
}
