/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programs of streams, as lists of calls. A frame is a part of the vectors, the last one may be
 * shorter; frame j belongs to stream j mod S.
 */
#include "labs/streams/work.h"

#include "labkit/shape.h"

struct building {
    const struct streams_lab *w;
    struct streams *s;
    int tag;
};

static uint64_t frame_count(const struct building *b)
{
    return divide_up((uint64_t)b->w->n, b->w->frame);
}

static uint32_t stream_of(const struct building *b, uint64_t frame)
{
    return b->tag & ONE_STREAM ? 1 : (uint32_t)(frame % (unsigned)b->w->streams_used) + 1;
}

/* An operation on one frame. */
static struct stream_op on_frame(const struct building *b, enum stream_op_kind kind,
                                 uint64_t frame, uint32_t stream)
{
    const uint64_t first = frame * b->w->frame, left = (uint64_t)b->w->n - first;
    const uint64_t count = left < b->w->frame ? left : b->w->frame;
    return (struct stream_op){.kind = kind, .stream = stream, .first = first, .count = count,
                              .blocks = (uint32_t)divide_up(count, b->w->threads),
                              .reads = 1u << X | 1u << Y, .writes = 1u << Z};
}

/* And on the whole vectors. */
static struct stream_op on_all(const struct building *b, enum stream_op_kind kind)
{
    struct stream_op o = on_frame(b, kind, 0, 0);
    o.count = (uint64_t)b->w->n;
    o.blocks = (uint32_t)divide_up(o.count, b->w->threads);
    o.waits = kind == STREAM_COPY_IN || kind == STREAM_COPY_OUT;
    return o;
}

static void add_on(const struct building *b, struct stream_op o, uint32_t array)
{
    o.array = array;
    streams_add(b->s, o);
}

static void add_in(const struct building *b, uint64_t frame, uint32_t stream)
{
    struct stream_op o = on_frame(b, STREAM_COPY_IN, frame, stream);
    o.waits = stream == 0;
    add_on(b, o, X);
    add_on(b, o, Y);
}

static void add_kernel(const struct building *b, uint64_t frame, uint32_t stream)
{
    streams_add(b->s, on_frame(b, STREAM_KERNEL, frame, stream));
}

static void add_out(const struct building *b, uint64_t frame, uint32_t stream)
{
    struct stream_op o = on_frame(b, STREAM_COPY_OUT, frame, stream);
    o.waits = stream == 0;
    add_on(b, o, Z);
}

/* ---- programs ----------------------------------------------------------------------------- */

/* stream 0: one by one, in the default stream. */
static void in_depth(const struct building *b, bool in_streams)
{
    for (uint64_t f = 0; f < frame_count(b); f++) {
        const uint32_t stream = in_streams ? stream_of(b, f) : 0;
        add_in(b, f, stream);
        add_kernel(b, f, stream);
        add_out(b, f, stream);
    }
}

static void in_breadth(const struct building *b)
{
    const uint64_t frames = frame_count(b), at_once = (unsigned)b->w->streams_used;
    for (uint64_t first = 0; first < frames; first += at_once) {
        const uint64_t end = first + at_once < frames ? first + at_once : frames;
        for (uint64_t f = first; f < end; f++)
            add_in(b, f, stream_of(b, f));
        for (uint64_t f = first; f < end; f++)
            add_kernel(b, f, stream_of(b, f));
        for (uint64_t f = first; f < end && b->tag & WAITS_BETWEEN; f++)
            streams_add(b->s, on_frame(b, HOST_WAITS_STREAM, f, stream_of(b, f)));
        for (uint64_t f = first; f < end; f++)
            add_out(b, f, stream_of(b, f));
    }
}

static void at_once(const struct building *b)
{
    add_on(b, on_all(b, STREAM_COPY_IN), X);
    add_on(b, on_all(b, STREAM_COPY_IN), Y);
    streams_add(b->s, on_all(b, STREAM_KERNEL));
    add_on(b, on_all(b, STREAM_COPY_OUT), Z);
}

/* An event, recorded in one stream, that another one waits for. */
static void add_event(const struct building *b, uint64_t frame, uint32_t from, uint32_t to)
{
    struct stream_op o = on_frame(b, STREAM_RECORD, frame, from);
    if (b->tag & NO_EVENTS)
        return;
    o.event = streams_event(b->s);
    streams_add(b->s, o);
    o.kind = STREAM_WAIT_EVENT;
    o.stream = to;
    streams_add(b->s, o);
}

static void by_kind(const struct building *b)
{
    enum { IN = 1, KERNEL, OUT };
    for (uint64_t f = 0; f < frame_count(b); f++) {
        add_in(b, f, IN);
        add_event(b, f, IN, KERNEL);
        add_kernel(b, f, KERNEL);
        add_event(b, f, KERNEL, OUT);
        add_out(b, f, OUT);
    }
}

static void kernels_alone(const struct building *b)
{
    add_on(b, on_all(b, STREAM_COPY_IN), X);
    add_on(b, on_all(b, STREAM_COPY_IN), Y);
    for (uint64_t f = 0; f < frame_count(b); f++)
        add_kernel(b, f, stream_of(b, f));
    streams_add(b->s, on_all(b, HOST_WAITS_ALL));
    add_on(b, on_all(b, STREAM_COPY_OUT), Z);
}

/* The wait at the end, as far as the program has one. */
static void last_wait(const struct building *b)
{
    const int program = b->tag & STREAMS_PROGRAM;
    struct stream_op o = on_all(b, HOST_WAITS_ALL);
    if (program == AT_ONCE || program == ONE_BY_ONE || program == KERNELS || b->tag & WAITS_NOT)
        return;
    if (b->tag & WAITS_FOR_ONE) {
        o.kind = HOST_WAITS_STREAM;
        o.stream = stream_of(b, 0);
    }
    streams_add(b->s, o);
}

void streams_build(const struct streams_lab *w, int tag, struct streams *s)
{
    const struct building b = {w, s, tag};
    const enum host_memory memory = tag & FROM_PAGEABLE ? BUFFER_PAGEABLE : BUFFER_PINNED;
    const uint64_t n = (uint64_t)w->n;
    streams_free(s);
    s->plan.streams = 1;
    streams_array(s, "x", memory, n, w->x, n);
    streams_array(s, "y", memory, n, w->y, n);
    streams_array(s, "z", memory, n, w->z, n);
    add_on(&b, on_all(&b, HOST_WRITES), X);
    add_on(&b, on_all(&b, HOST_WRITES), Y);
    switch (tag & STREAMS_PROGRAM) {
    case IN_DEPTH: in_depth(&b, true); break;
    case IN_BREADTH: in_breadth(&b); break;
    case ONE_BY_ONE: in_depth(&b, false); break;
    case AT_ONCE: at_once(&b); break;
    case BY_KIND: by_kind(&b); break;
    default: kernels_alone(&b); break;
    }
    last_wait(&b);
    add_on(&b, on_all(&b, HOST_READS), Z);
}
