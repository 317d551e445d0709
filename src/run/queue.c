/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queue of operations. An operation waits for others: the one before it in its stream, an event,
 * and the default stream. It is done when the host waits for it, and not earlier. So what the host
 * does without waiting shows.
 *
 * An operation has a number, from 1 on. The list has those that may still be open.
 */
#include "run/run.h"

#include "base/mem.h"
#include "base/philox.h"
#include "labkit/run.h"

#include "cudalab_runtime_types.h"

#include <stdlib.h>
#include <string.h>

enum { OPEN_MOST = 1024 }; /* a device, too, waits when so many are open */

struct run_operation {
    struct run_message message; /* the request */
    struct run_stamp stamp;
    void *params;               /* of a launch */
    size_t param_bytes;
    size_t own;                 /* the operation before it in its stream; 0: none */
    size_t *after;              /* other operations that come first */
    unsigned after_count;
    uint64_t ready, end;        /* the modelled times when it can begin, as far as known, and ends */
    bool done, needed, queried;
    bool awaited; /* the host goes on when it is done */
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

const struct run_message *run_open_at(const struct run *r, size_t *i)
{
    while (*i < r->operation_count && r->operations[*i].done)
        ++*i;
    return *i < r->operation_count ? &r->operations[*i].message : NULL;
}

/* The number of the operation that came last, and of the first one that the list has. */
static size_t last_number(const struct run *r) { return r->forgotten + r->operation_count; }
static size_t first_number(const struct run *r) { return r->forgotten + 1; }

/* ---- events ---------------------------------------------------------------------------- */

static int32_t make_event(struct run *r, struct run_message *m)
{
    struct run_event *grown = mem_resize(&allocator_libc, r->events, r->event_count * sizeof *grown,
                                         (r->event_count + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->events = grown;
    grown[r->event_count] = (struct run_event){
        .used = true, .untimed = m->number[0] & cudaEventDisableTiming};
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
    run_clock_free(&o->stamp.clock);
    o->params = NULL;
    o->after = NULL;
    o->after_count = 0;
}

/* A function of the host runs in the program. What it must not touch yet is closed. */
static void call_now(struct run *r, const struct run_operation *o)
{
    const uint64_t *n = o->message.number;
    r->calling = &o->stamp;
    run_order_close(r, &o->stamp);
    run_callback(r, (const uint64_t[]){n[1], n[2], n[3], n[0]});
    run_order_open(r, &o->stamp);
    r->calling = NULL;
    run_guard_again(r);
}

static int32_t do_now(struct run *r, struct run_operation *o, struct touched *touched)
{
    const uint64_t *n = o->message.number;
    switch (o->message.what) {
    case RUN_LAUNCH: return run_launch_now(r, &o->message, o->params, touched);
    case RUN_COPY:
    case RUN_FILL:
        run_cost_copy(&r->cost, r, &o->message);
        run_time_copy(r, &o->message);
        return o->message.what == RUN_COPY ? run_copy_now(r, &o->message)
                                           : run_fill_now(r, &o->message);
    case RUN_COME: return n[COME_IS_THERE] ? 0 : run_come_now(r, n[0]);
    case RUN_RELEASE: return run_leave_now(r, n[0]);
    case RUN_STREAM_CALL: call_now(r, o); return 0;
    case RUN_CONDITION: return run_condition_now(r, &o->message, o->stamp.number);
    case RUN_EVENT_RECORD: run_time_event(r); return 0;
    default: return 0;
    }
}

/* ---- when it is done ------------------------------------------------------------------- */

static void be_behind(struct run_operation *o, uint64_t end)
{
    if (end > o->ready)
        o->ready = end;
}

/* The operations that come first have ended. Those that have left the list have said when. */
static void begin_time(struct run *r, struct run_operation *o)
{
    const struct run_operation *own = operation(r, o->own);
    if (own)
        be_behind(o, own->end);
    for (unsigned k = 0; k < o->after_count; k++) {
        const struct run_operation *first = operation(r, o->after[k]);
        if (first)
            be_behind(o, first->end);
    }
    run_time_begin(r, o->ready);
}

static void end_time(struct run *r, struct run_operation *o)
{
    struct run_stream *s = &r->streams[o->stamp.stream];
    struct run_event *e = o->message.what == RUN_EVENT_RECORD ? event_of(r, o->message.number[0])
                                                              : NULL;
    o->end = run_time_end(r);
    if (o->end > s->until)
        s->until = o->end;
    if (e && e->after == o->stamp.number)
        e->at = o->end;
}

/* ---- those without an order ------------------------------------------------------------ */

const struct run_stamp *run_stamp_of(const struct run *r, size_t number)
{
    const struct run_operation *o = operation(r, number);
    return o ? &o->stamp : NULL;
}

static bool uses_memory(const struct run_operation *o)
{
    const uint32_t what = o->message.what;
    return what == RUN_LAUNCH || what == RUN_COPY || what == RUN_FILL || what == RUN_COME ||
           what == RUN_RELEASE || what == RUN_STREAM_CALL || what == RUN_CONDITION;
}

/* If no other stream has open operations, there is nothing to look at. */
static bool others_are_open(const struct run *r, unsigned stream)
{
    for (unsigned i = 0; i < r->stream_count; i++)
        if (i != stream && r->streams[i].open)
            return true;
    return false;
}

bool run_open_meets(const struct run *r, const struct run_stamp *s)
{
    if (!others_are_open(r, s->stream))
        return false;
    for (size_t i = 0; i < r->operation_count; i++) {
        const struct run_operation *o = &r->operations[i];
        if (!o->done && uses_memory(o) && !run_stamps_ordered(&o->stamp, s))
            return true;
    }
    return false;
}

/* May what comes later in another stream have no order with this stream's work? */
static bool may_meet_later(const struct run *r, unsigned stream)
{
    for (unsigned i = 0; i < r->stream_count; i++)
        if (i != stream && r->streams[i].used &&
            !((i == 0 || stream == 0) && r->streams[i].blocking && r->streams[stream].blocking))
            return true;
    return false;
}

/* Does the work, and compares what it uses with the others that have no order with it. */
static int32_t perform(struct run *r, struct run_operation *o)
{
    struct touched touched = {.read = {0}};
    const bool watched = run_open_meets(r, &o->stamp) || run_order_meets(r, &o->stamp) ||
                         (!o->awaited && may_meet_later(r, o->stamp.stream)) ||
                         run_guard_was_touched(r, o->stamp.number);
    const unsigned faults = r->report->fault_count;
    begin_time(r, o);
    int32_t error = r->broken ? r->broken : do_now(r, o, watched ? &touched : NULL);
    end_time(r, o);
    if (watched) /* also what a kernel has touched before its fault */
        run_guard_judge(r, o->stamp.number, &touched);
    if (watched && !error)
        run_order_done(r, &o->stamp, &o->message, &touched, faults);
    touched_free(&touched);
    if (o->message.what == RUN_LAUNCH && error)
        r->broken = error;
    return error;
}

int32_t run_do_within(struct run *r, size_t number, const struct run_message *m,
                      const void *params)
{
    const struct run_operation *outer = operation(r, number);
    struct run_operation inner = {.message = *m, .stamp = outer->stamp,
                                  .params = (void *)(uintptr_t)params,
                                  .awaited = outer->awaited, .done = true};
    return perform(r, &inner);
}

/* `awaited`: the host goes on when it is done. */
static int32_t do_one(struct run *r, size_t number, bool awaited)
{
    struct run_operation *o = operation(r, number);
    o->done = true;
    o->awaited = awaited;
    r->streams[o->stamp.stream].open--;
    int32_t error = perform(r, o);
    free_operation(o);
    run_guard_end(r, number);
    return error;
}

/* ---- the order in which they are done -------------------------------------------------- */

static uint32_t draw(struct run *r)
{
    const uint64_t seed = session_how(&r->session, NULL, 0, false).seed, n = r->drawn++;
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)n, (uint32_t)(n >> 32), 0, 0};
    uint32_t out[4];
    philox(key, counter, out);
    return out[0];
}

bool run_order_is_drawn(struct run *r)
{
    return strcmp(session_how(&r->session, NULL, 0, false).schedule, "lockstep") != 0;
}

static bool can_begin(const struct run *r, const struct run_operation *o)
{
    bool can = !o->done && !is_open(r, o->own);
    for (unsigned k = 0; can && k < o->after_count; k++)
        can = !is_open(r, o->after[k]);
    return can;
}

/* Draws one of the operations that can begin; 0: there is none. */
static size_t draw_operation(struct run *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->operation_count; i++)
        count += can_begin(r, &r->operations[i]);
    size_t skip = count ? draw(r) % count : 0;
    for (size_t i = 0; count && i < r->operation_count; i++)
        if (can_begin(r, &r->operations[i]) && skip-- == 0)
            return first_number(r) + i;
    return 0;
}

/* With a schedule that is drawn, the device may do work that nobody waits for yet. */
static void do_some(struct run *r)
{
    size_t number;
    while (draw(r) % 2 && (number = draw_operation(r)))
        do_one(r, number, false);
}

static void need(struct run *r, size_t number)
{
    struct run_operation *o = operation(r, number);
    if (o)
        o->needed = true;
}

/* Tells those that stay when the first ones have ended, which leave the list. */
static void tell_ends(struct run *r, size_t leaving)
{
    const size_t last = r->forgotten + leaving;
    for (size_t i = leaving; i < r->operation_count; i++) {
        struct run_operation *o = &r->operations[i];
        if (o->own && o->own <= last && operation(r, o->own))
            be_behind(o, operation(r, o->own)->end);
        for (unsigned k = 0; k < o->after_count; k++)
            if (o->after[k] <= last && operation(r, o->after[k]))
                be_behind(o, operation(r, o->after[k])->end);
    }
}

/* The operations that are done at the beginning of the list leave it. */
static void shorten(struct run *r)
{
    size_t done = 0;
    run_order_shorten(r);
    while (done < r->operation_count && r->operations[done].done)
        done++;
    if (done == 0 || (done < r->operation_count && done < OPEN_MOST))
        return;
    const size_t kept = r->operation_count - done;
    tell_ends(r, done);
    if (done && kept)
        memmove(r->operations, r->operations + done, kept * sizeof *r->operations);
    r->operations = mem_resize(&allocator_libc, r->operations,
                               r->operation_count * sizeof *r->operations,
                               kept * sizeof *r->operations);
    r->operation_count = kept;
    r->forgotten += done;
}

/* Does an operation and all that must come before it: in the order in which they were asked for, or
 * in one that is drawn. `awaited`: the host waits for it. */
static int32_t complete(struct run *r, size_t last, bool awaited)
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
    while (run_order_is_drawn(r) && is_open(r, last)) {
        const size_t next = draw_operation(r);
        if (!next)
            break;
        const int32_t now = do_one(r, next, awaited && operation(r, next)->needed);
        error = next == last ? now : error;
    }
    for (size_t i = first_number(r); i <= last; i++) {
        const struct run_operation *o = operation(r, i);
        if (o->needed && !o->done)
            error = do_one(r, i, awaited);
    }
    return r->broken ? r->broken : error;
}

/* As the calls that wait do it; the clock is that of the operation. */
static int32_t wait_for(struct run *r, size_t number, const struct run_clock *clock)
{
    int32_t error = complete(r, number, true);
    const struct run_operation *o = operation(r, number);
    run_time_wait(r, o ? o->end : 0);
    if (!run_clock_join(&r->host, clock))
        error = error ? error : cudaErrorMemoryAllocation;
    shorten(r);
    return error;
}

void run_do_open(struct run *r, size_t number)
{
    complete(r, number, false);
}

int32_t run_wait_all(struct run *r)
{
    for (size_t i = first_number(r); i <= last_number(r); i++)
        complete(r, i, true);
    for (unsigned i = 0; i < r->stream_count; i++) {
        run_clock_join(&r->host, &r->streams[i].clock);
        run_time_wait(r, r->streams[i].until);
    }
    shorten(r);
    return r->broken;
}

bool run_is_idle(const struct run *r)
{
    for (size_t i = 0; i < r->operation_count; i++)
        if (!r->operations[i].done)
            return false;
    return true;
}

static int32_t wait_stream(struct run *r, const struct run_message *m)
{
    size_t index;
    const struct run_stream *s = run_stream_of(r, m->number[0], &index);
    return s ? wait_for(r, s->last, &s->clock) : cudaErrorInvalidResourceHandle;
}

static bool is_sync(const struct run *r, const struct run_message *m)
{
    return (m->what == RUN_COPY && run_waits_for_copy(r, m)) ||
           (m->what == RUN_FILL && run_waits_for_fill(r, m));
}

void run_make_room(struct run *r)
{
    if (r->operation_count >= 2 * OPEN_MOST) {
        complete(r, first_number(r) + OPEN_MOST, false);
        shorten(r);
    }
}

/* A new operation at the end of the list, which counts when `operation_count` does. */
static struct run_operation *new_operation(struct run *r, const struct run_message *m,
                                           const void *params)
{
    struct run_operation *grown = mem_resize(
        &allocator_libc, r->operations, r->operation_count * sizeof *grown,
        (r->operation_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    r->operations = grown;
    struct run_operation *o = &grown[r->operation_count];
    *o = (struct run_operation){.message = *m};
    if (m->what == RUN_LAUNCH && m->bytes) {
        o->params = mem_alloc(&allocator_libc, m->bytes);
        if (!o->params)
            return NULL;
        o->param_bytes = m->bytes;
        memcpy(o->params, params, m->bytes);
    }
    return o;
}

/* What the default stream and the others wait for is CUDA's legacy rule. */
static bool wait_for_streams(struct run *r, struct run_operation *o, size_t index)
{
    struct run_clock *clock = &o->stamp.clock;
    bool added = run_clock_join(clock, &r->streams[index].clock);
    o->own = r->streams[index].last;
    be_behind(o, r->streams[index].until);
    for (unsigned i = 0; i < r->stream_count && added; i++) {
        const struct run_stream *s = &r->streams[i];
        if ((i == 0) == (index == 0) || !s->blocking || !r->streams[index].blocking)
            continue;
        be_behind(o, s->until);
        added = add_after(o, i ? s->last : r->last_default) && run_clock_join(clock, &s->clock);
    }
    return added;
}

static bool wait_for_others(struct run *r, struct run_operation *o, const size_t *after,
                            unsigned count)
{
    const struct run_event *e =
        o->message.what == RUN_STREAM_AFTER ? event_of(r, o->message.number[1]) : NULL;
    bool added = !e || (add_after(o, e->after) && run_clock_join(&o->stamp.clock, &e->clock));
    if (e && !is_open(r, e->after))
        be_behind(o, e->at);
    for (unsigned i = 0; i < count && added; i++) {
        const struct run_stamp *s = run_stamp_of(r, after[i]);
        added = add_after(o, after[i]) && (!s || run_clock_join(&o->stamp.clock, &s->clock));
    }
    return added;
}

/* The operation takes its place in its stream, or in a lane. */
static bool stamp(struct run *r, struct run_operation *o, size_t index)
{
    struct run_clock *clock = &o->stamp.clock;
    if (o->stamp.of_graph && !(index = run_add_lane(r, clock)))
        return false;
    o->stamp.number = last_number(r) + 1;
    o->stamp.stream = (unsigned)index;
    return run_clock_add(clock, o->stamp.stream, o->stamp.number) &&
           run_clock_join(&r->streams[index].clock, clock);
}

/* The event happens when the operation of this number is done. */
static int32_t record_in(const struct run *r, struct run_event *e, const struct run_operation *o)
{
    e->recorded = true;
    e->program = r->time.program;
    e->after = o->stamp.number;
    run_clock_free(&e->clock);
    return run_clock_join(&e->clock, &o->stamp.clock) ? 0 : cudaErrorMemoryAllocation;
}

int32_t run_enqueue_after(struct run *r, const struct run_message *m, uint64_t handle,
                          const void *params, const size_t *after, unsigned count, size_t *number)
{
    size_t index = 0;
    const bool of_graph = handle == RUN_NO_STREAM;
    if (!of_graph && !run_stream_of(r, handle, &index))
        return cudaErrorInvalidResourceHandle;
    struct run_operation *o = new_operation(r, m, params);
    if (!o)
        return cudaErrorMemoryAllocation;
    o->stamp.of_graph = of_graph;
    o->ready = r->time.host;
    if (!run_clock_join(&o->stamp.clock, &r->host) ||
        !(of_graph || wait_for_streams(r, o, index)) ||
        !wait_for_others(r, o, after, count) || !stamp(r, o, index)) {
        free_operation(o);
        return cudaErrorMemoryAllocation;
    }
    r->operation_count++;
    *number = o->stamp.number;
    struct run_stream *s = &r->streams[o->stamp.stream];
    s->last = *number;
    s->open++;
    if (o->stamp.stream == 0)
        r->last_default = *number;
    struct run_event *e = m->what == RUN_EVENT_RECORD ? event_of(r, m->number[0]) : NULL;
    int32_t error = e ? record_in(r, e, o) : 0;
    if (of_graph || !is_sync(r, m))
        run_guard_begin(r, *number, m, params);
    return error;
}

int32_t run_stream_behind(struct run *r, uint64_t handle, const struct run_clock *clock)
{
    size_t index;
    struct run_stream *s = run_stream_of(r, handle, &index);
    return !s ? cudaErrorInvalidResourceHandle
           : run_clock_join(&s->clock, clock) ? 0 : cudaErrorMemoryAllocation;
}

void run_begin_some(struct run *r)
{
    if (run_order_is_drawn(r))
        do_some(r);
}

int32_t run_enqueue(struct run *r, const struct run_message *m, uint64_t handle, const void *params)
{
    size_t number, index;
    run_make_room(r);
    int32_t error = run_enqueue_after(r, m, handle, params, NULL, 0, &number);
    if (error)
        return error;
    if (is_sync(r, m))
        return wait_for(r, number, &run_stream_of(r, handle, &index)->clock);
    run_begin_some(r);
    return 0;
}

/* ---- requests -------------------------------------------------------------------------- */

static int32_t record(struct run *r, const struct run_message *m)
{
    return event_of(r, m->number[0]) ? run_enqueue(r, m, m->number[1], NULL)
                                     : cudaErrorInvalidResourceHandle;
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
    return wait_for(r, e->after, &e->clock);
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
static int32_t query(struct run *r, size_t last, const struct run_clock *clock)
{
    struct run_operation *o = operation(r, last);
    if (!is_open(r, last) || o->queried)
        return wait_for(r, last, clock);
    o->queried = true;
    return cudaErrorNotReady;
}

/* The functions of the host that can be called. A function may add others. */
static int32_t call_functions(struct run *r)
{
    for (size_t i = first_number(r); i <= last_number(r); i++) {
        const struct run_operation *o = operation(r, i);
        if (o && !o->done && o->message.what == RUN_STREAM_CALL)
            complete(r, i, false);
    }
    shorten(r);
    return 0;
}

/* The answer is in nanoseconds. Without work between the two, what passes is the program's own
 * time. */
static int32_t event_time(struct run *r, struct run_message *m)
{
    const struct run_event *from = event_of(r, m->number[0]), *to = event_of(r, m->number[1]);
    if (!from || !to || !from->recorded || !to->recorded || from->untimed || to->untimed)
        return cudaErrorInvalidResourceHandle;
    if (is_open(r, from->after) || is_open(r, to->after))
        return cudaErrorNotReady;
    const int64_t modelled = ((int64_t)to->at - (int64_t)from->at) / 1000;
    const int64_t program = (int64_t)((to->program - from->program) * 1e9);
    const bool of_program = to->after == from->after + 1 && program > modelled;
    r->time.told_host |= of_program;
    r->time.told_modelled |= !of_program;
    m->number[0] = (uint64_t)(of_program ? program : modelled);
    return 0;
}

static int32_t end_event(struct run *r, const struct run_message *m)
{
    struct run_event *e = event_of(r, m->number[0]);
    if (!e)
        return cudaErrorInvalidResourceHandle;
    e->used = false;
    run_clock_free(&e->clock);
    return 0;
}

static int32_t query_stream(struct run *r, const struct run_message *m)
{
    size_t index;
    const struct run_stream *s = run_stream_of(r, m->number[0], &index);
    return s ? query(r, s->last, &s->clock) : cudaErrorInvalidResourceHandle;
}

static int32_t query_event(struct run *r, const struct run_message *m)
{
    const struct run_event *e = event_of(r, m->number[0]);
    return e ? query(r, e->after, &e->clock) : cudaErrorInvalidResourceHandle;
}

int32_t run_queue_request(struct run *r, struct run_message *m, bool *known)
{
    int32_t error;
    switch (m->what) {
    case RUN_COPY:
        error = run_check_copy(r, m);
        if (!error)
            run_find_short(r, m);
        return error ? error : run_enqueue(r, m, m->number[COPY_STREAM], NULL);
    case RUN_FILL:
        error = run_check_fill(r, m);
        if (!error)
            run_find_short(r, m);
        return error ? error : run_enqueue(r, m, m->number[FILL_STREAM], NULL);
    case RUN_STREAM_WAIT: return wait_stream(r, m);
    case RUN_STREAM_QUERY: return query_stream(r, m);
    case RUN_STREAM_AFTER: return stream_after(r, m);
    case RUN_STREAM_CALL: return run_enqueue(r, m, m->number[0], NULL);
    case RUN_CALLS_DUE: return call_functions(r);
    case RUN_EVENT: return make_event(r, m);
    case RUN_EVENT_END: return end_event(r, m);
    case RUN_EVENT_RECORD: return record(r, m);
    case RUN_EVENT_WAIT: return wait_event(r, m);
    case RUN_EVENT_QUERY: return query_event(r, m);
    case RUN_EVENT_TIME: return event_time(r, m);
    case RUN_DEVICE_WAIT: return run_wait_all(r);
    default: return run_stream_request(r, m, known);
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
    for (unsigned i = 0; i < r->stream_count; i++)
        r->streams[i].open = 0;
    run_order_forget(r);
    r->operations = NULL;
    r->operation_count = 0;
}
