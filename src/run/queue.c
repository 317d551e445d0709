/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams. An operation waits for others: the one before it in its stream, an event, and the
 * default stream. It is done when the host waits for it, and not earlier. So what the host does
 * without waiting shows.
 *
 * An operation has a number, from 1 on. The list has those that may still be open.
 */
#include "run/run.h"

#include "base/mem.h"
#include "os/clock.h"

#include "cudalab_runtime_types.h"

#include <stdlib.h>
#include <string.h>

enum { AFTER_MOST = 66, OPEN_MOST = 1024 }; /* a device, too, waits when so many are open */

struct run_operation {
    struct run_message message; /* the request */
    void *params;               /* of a launch */
    size_t param_bytes;
    size_t own;                 /* the operation before it in its stream; 0: none */
    size_t *after;              /* other operations that come first */
    unsigned after_count;
    bool done, needed, queried;
};

/* NULL: there is none of this number, or it is done and forgotten. */
static struct run_operation *operation(const struct run *r, size_t number)
{
    return number > r->forgotten ? &r->operations[number - r->forgotten - 1] : NULL;
}

static bool is_open(const struct run *r, size_t number)
{
    const struct run_operation *o = operation(r, number);
    return o && !o->done;
}

/* The number of the operation that came last, and of the first one that the list has. */
static size_t last_number(const struct run *r) { return r->forgotten + r->operation_count; }
static size_t first_number(const struct run *r) { return r->forgotten + 1; }

/* ---- streams --------------------------------------------------------------------------- */

/* 0 and 1 are the default stream; 2, that of each thread, is like a stream of one's own. */
static struct run_stream *stream_of(struct run *r, uint64_t handle, size_t *index)
{
    *index = handle <= 2 ? 0 : (size_t)(handle - 2);
    return *index < r->stream_count && r->streams[*index].used ? &r->streams[*index] : NULL;
}

static int32_t make_stream(struct run *r, struct run_message *m)
{
    struct run_stream *grown = mem_resize(&allocator_libc, r->streams,
                                          r->stream_count * sizeof *grown,
                                          (r->stream_count + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->streams = grown;
    grown[r->stream_count] = (struct run_stream){
        .used = true, .blocking = !(m->number[0] & cudaStreamNonBlocking)};
    m->number[0] = r->stream_count++ + 2;
    return 0;
}

static int32_t make_event(struct run *r, struct run_message *m)
{
    struct run_event *grown = mem_resize(&allocator_libc, r->events, r->event_count * sizeof *grown,
                                         (r->event_count + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->events = grown;
    grown[r->event_count] = (struct run_event){.used = true};
    m->number[0] = ++r->event_count;
    return 0;
}

static struct run_event *event_of(struct run *r, uint64_t handle)
{
    return handle && handle <= r->event_count && r->events[handle - 1].used
               ? &r->events[handle - 1] : NULL;
}

/* ---- operations ------------------------------------------------------------------------ */

static bool add_after(struct run_operation *o, size_t which)
{
    if (!which)
        return true;
    size_t *grown = mem_resize(&allocator_libc, o->after, o->after_count * sizeof *grown,
                               (o->after_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    o->after = grown;
    o->after[o->after_count++] = which;
    return true;
}

static void free_operation(struct run_operation *o)
{
    mem_free(&allocator_libc, o->params, o->param_bytes);
    mem_free(&allocator_libc, o->after, o->after_count * sizeof *o->after);
    o->params = NULL;
    o->after = NULL;
    o->after_count = 0;
}

static int32_t do_now(struct run *r, struct run_operation *o)
{
    const uint64_t *n = o->message.number;
    switch (o->message.what) {
    case RUN_LAUNCH: return run_launch_now(r, &o->message, o->params);
    case RUN_COPY: run_cost_copy(&r->cost, r, &o->message); return run_copy_now(r, &o->message);
    case RUN_FILL: run_cost_copy(&r->cost, r, &o->message); return run_fill_now(r, &o->message);
    case RUN_STREAM_CALL:
        run_callback(r, (const uint64_t[]){n[1], n[2], n[3], n[0]});
        return 0;
    case RUN_EVENT_RECORD: {
        struct run_event *e = event_of(r, n[0]);
        if (e)
            e->at = clock_seconds();
        return 0;
    }
    default: return 0;
    }
}

static void need(struct run *r, size_t number)
{
    struct run_operation *o = operation(r, number);
    if (o)
        o->needed = true;
}

/* The operations that are done at the beginning of the list leave it. */
static void shorten(struct run *r)
{
    size_t done = 0;
    while (done < r->operation_count && r->operations[done].done)
        done++;
    if (!done || (done < r->operation_count && done < OPEN_MOST))
        return;
    const size_t kept = r->operation_count - done;
    memmove(r->operations, r->operations + done, kept * sizeof *r->operations);
    r->operations = mem_resize(&allocator_libc, r->operations,
                               r->operation_count * sizeof *r->operations,
                               kept * sizeof *r->operations);
    r->operation_count = kept;
    r->forgotten += done;
}

/* Does an operation and all that must come before it, in the order in which they were asked for. */
static int32_t complete(struct run *r, size_t last)
{
    int32_t error = 0;
    if (!is_open(r, last))
        return r->broken;
    need(r, last);
    for (size_t i = last; i >= first_number(r); i--) {
        const struct run_operation *o = operation(r, i);
        if (!o->needed || o->done)
            continue;
        need(r, o->own);
        for (unsigned k = 0; k < o->after_count; k++)
            need(r, o->after[k]);
    }
    for (size_t i = first_number(r); i <= last; i++) {
        struct run_operation *o = operation(r, i);
        if (!o->needed || o->done)
            continue;
        o->done = true;
        error = r->broken ? r->broken : do_now(r, o);
        if (o->message.what == RUN_LAUNCH && error)
            r->broken = error;
        free_operation(o);
        run_guard_end(r, i);
    }
    return r->broken ? r->broken : error;
}

/* As the calls that wait do it. */
static int32_t wait_for(struct run *r, size_t number)
{
    int32_t error = complete(r, number);
    shorten(r);
    return error;
}

int32_t run_wait_all(struct run *r)
{
    for (size_t i = first_number(r); i <= last_number(r); i++)
        complete(r, i);
    shorten(r);
    return r->broken;
}

int32_t run_wait_stream(struct run *r, uint64_t handle)
{
    size_t index;
    const struct run_stream *s = stream_of(r, handle, &index);
    return s ? wait_for(r, s->last) : cudaErrorInvalidResourceHandle;
}

static bool is_sync(const struct run *r, const struct run_message *m)
{
    return m->what == RUN_COPY && run_waits_for_copy(r, m);
}

/* Takes the params. What the default stream and the others wait for is CUDA's legacy rule. */
int32_t run_enqueue(struct run *r, const struct run_message *m, uint64_t handle, void *params)
{
    size_t index;
    if (r->operation_count >= 2 * OPEN_MOST) {
        complete(r, first_number(r) + OPEN_MOST);
        shorten(r);
    }
    if (!stream_of(r, handle, &index))
        return cudaErrorInvalidResourceHandle;
    struct run_operation *grown = mem_resize(
        &allocator_libc, r->operations, r->operation_count * sizeof *grown,
        (r->operation_count + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->operations = grown;
    struct run_operation *o = &grown[r->operation_count];
    *o = (struct run_operation){.message = *m, .own = r->streams[index].last};
    bool added = true;
    if (index == 0)
        for (unsigned i = 1; i < r->stream_count && added; i++)
            added = !r->streams[i].blocking || add_after(o, r->streams[i].last);
    else if (r->streams[index].blocking)
        added = add_after(o, r->last_default);
    if (m->what == RUN_STREAM_AFTER && event_of(r, m->number[1]))
        added = added && add_after(o, event_of(r, m->number[1])->after);
    if (m->what == RUN_LAUNCH && m->bytes) {
        o->params = mem_alloc(&allocator_libc, m->bytes);
        o->param_bytes = o->params ? m->bytes : 0;
        added = added && o->params;
        if (o->params)
            memcpy(o->params, params, m->bytes);
    }
    if (!added) {
        free_operation(o);
        return cudaErrorMemoryAllocation;
    }
    r->operation_count++;
    const size_t number = r->streams[index].last = last_number(r);
    if (index == 0)
        r->last_default = number;
    if (is_sync(r, m))
        return wait_for(r, number);
    run_guard_begin(r, number, m, params);
    return 0;
}

/* ---- requests -------------------------------------------------------------------------- */

static int32_t record(struct run *r, const struct run_message *m)
{
    struct run_event *e = event_of(r, m->number[0]);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    int32_t error = run_enqueue(r, m, m->number[1], NULL);
    if (error)
        return error;
    e = event_of(r, m->number[0]);
    e->recorded = true;
    e->after = last_number(r);
    return 0;
}

static int32_t wait_event(struct run *r, const struct run_message *m)
{
    struct run_event *e = event_of(r, m->number[0]);
    struct run_place at = run_place_of(r, m);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    if (!e->recorded)
        run_mistake(r, "event-unrecorded", &at, false,
                    "this event was never recorded, so there is nothing to wait for");
    return wait_for(r, e->after);
}

static int32_t stream_after(struct run *r, const struct run_message *m)
{
    struct run_event *e = event_of(r, m->number[1]);
    struct run_place at = run_place_of(r, m);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    if (!e->recorded)
        run_mistake(r, "event-unrecorded", &at, false,
                    "this event was never recorded, so the stream does not wait");
    return run_enqueue(r, m, m->number[0], NULL);
}

/* The first question finds the work under way, the second one finds it done. */
static int32_t query(struct run *r, size_t last)
{
    struct run_operation *o = operation(r, last);
    if (!is_open(r, last))
        return r->broken;
    if (o->queried)
        return wait_for(r, last);
    o->queried = true;
    return cudaErrorNotReady;
}

static int32_t event_time(struct run *r, struct run_message *m)
{
    r->timed = true;
    const struct run_event *from = event_of(r, m->number[0]), *to = event_of(r, m->number[1]);
    if (!from || !to || !from->recorded || !to->recorded)
        return cudaErrorInvalidResourceHandle;
    if (is_open(r, from->after) || is_open(r, to->after))
        return cudaErrorNotReady;
    double seconds = to->at - from->at;
    m->number[0] = seconds > 0 ? (uint64_t)(seconds * 1e9) + 1 : 1;
    return 0;
}

static int32_t end_stream(struct run *r, const struct run_message *m)
{
    size_t index;
    struct run_stream *s = stream_of(r, m->number[0], &index);
    if (!s || index == 0)
        return cudaErrorInvalidResourceHandle;
    s->used = false; /* its work goes on */
    return 0;
}

static int32_t end_event(struct run *r, const struct run_message *m)
{
    struct run_event *e = event_of(r, m->number[0]);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    e->used = false;
    return 0;
}

static int32_t query_stream(struct run *r, const struct run_message *m)
{
    size_t index;
    const struct run_stream *s = stream_of(r, m->number[0], &index);
    return s ? query(r, s->last) : cudaErrorInvalidResourceHandle;
}

static int32_t query_event(struct run *r, const struct run_message *m)
{
    const struct run_event *e = event_of(r, m->number[0]);
    return e ? query(r, e->after) : cudaErrorInvalidResourceHandle;
}

int32_t run_queue_request(struct run *r, struct run_message *m, bool *known)
{
    int32_t error;
    switch (m->what) {
    case RUN_COPY:
        error = run_check_copy(r, m);
        return error ? error : run_enqueue(r, m, m->number[10], NULL);
    case RUN_FILL:
        error = run_check_fill(r, m);
        return error ? error : run_enqueue(r, m, m->number[5], NULL);
    case RUN_STREAM: return make_stream(r, m);
    case RUN_STREAM_END: return end_stream(r, m);
    case RUN_STREAM_WAIT: return run_wait_stream(r, m->number[0]);
    case RUN_STREAM_QUERY: return query_stream(r, m);
    case RUN_STREAM_AFTER: return stream_after(r, m);
    case RUN_STREAM_CALL: return run_enqueue(r, m, m->number[0], NULL);
    case RUN_EVENT: return make_event(r, m);
    case RUN_EVENT_END: return end_event(r, m);
    case RUN_EVENT_RECORD: return record(r, m);
    case RUN_EVENT_WAIT: return wait_event(r, m);
    case RUN_EVENT_QUERY: return query_event(r, m);
    case RUN_EVENT_TIME: return event_time(r, m);
    case RUN_DEVICE_WAIT: return run_wait_all(r);
    default: *known = false; return 0;
    }
}

/* At the end of the program: a card might not have come to this work. */
void run_find_unwaited(struct run *r)
{
    for (size_t i = first_number(r); i <= last_number(r); i++) {
        const struct run_operation *o = operation(r, i);
        struct run_place at = run_place_of(r, &o->message);
        if (!o->done && o->message.what == RUN_LAUNCH)
            run_mistake(r, "not-waited", &at, false,
                        "the program ends, and nothing has waited for this kernel");
    }
    run_wait_all(r);
}

void run_forget_queue(struct run *r)
{
    for (size_t i = 0; i < r->operation_count; i++)
        free_operation(&r->operations[i]);
    mem_free(&allocator_libc, r->operations, r->operation_count * sizeof *r->operations);
    r->forgotten += r->operation_count;
    r->operations = NULL;
    r->operation_count = 0;
}
