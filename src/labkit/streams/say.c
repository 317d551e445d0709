/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program with streams as a timeline and as its list of calls: what each call moves, and what it
 * waits for.
 */
#include "labkit/streams/streams.h"

#include "base/buf.h"
#include "screen/picture.h"

#include <stdio.h>
#include <string.h>

/* ---- names -------------------------------------------------------------------------------- */

enum { NAME = 32, PLACE = 48, NAMES = 120 };

static const char *stream_name(uint32_t stream, char out[NAME])
{
    if (stream)
        snprintf(out, NAME, "s%u", stream);
    else
        snprintf(out, NAME, "the default stream");
    return out;
}

static void name_op(const struct streams *s, uint32_t op, char *out, size_t size)
{
    const struct stream_op *o = &s->ops[op];
    const char *array = s->names[o->array];
    char in[NAME], first[NUM_TEXT];
    num_group((int64_t)o->first, first);
    stream_name(o->stream, in);
    switch (o->kind) {
    case STREAM_COPY_IN:
        snprintf(out, size, "the copy of h%s to d%s from %s on, in %s", array, array, first, in);
        return;
    case STREAM_COPY_OUT:
        snprintf(out, size, "the copy of d%s to h%s from %s on, in %s", array, array, first, in);
        return;
    case STREAM_KERNEL: snprintf(out, size, "the kernel from %s on, in %s", first, in); return;
    case HOST_READS:
        snprintf(out, size, "the host, which reads h%s from %s on", array, first);
        return;
    case HOST_WRITES:
        snprintf(out, size, "the host, which writes h%s from %s on", array, first);
        return;
    default: snprintf(out, size, "call %u", op + 1);
    }
}

bool streams_find_race(const struct streams *s, char *out, size_t size)
{
    char first[NAMES], second[NAMES];
    if (!s->spans || !s->races)
        return false;
    name_op(s, s->race.first, first, sizeof first);
    name_op(s, s->race.second, second, sizeof second);
    snprintf(out, size, "%s, wait for %s", second, first);
    return true;
}

/* ---- the timeline ------------------------------------------------------------------------- */

enum { SPAN_IN, SPAN_KERNEL, SPAN_OUT, SPAN_WAITS, SPAN_HOST, SPAN_KINDS };

static double us(uint64_t ps)
{
    return (double)ps / 1e6;
}

static int kind_of(const struct stream_op *o)
{
    switch (o->kind) {
    case STREAM_COPY_IN: return SPAN_IN;
    case STREAM_COPY_OUT: return SPAN_OUT;
    case STREAM_KERNEL: return SPAN_KERNEL;
    case HOST_READS:
    case HOST_WRITES: return SPAN_HOST;
    default: return SPAN_WAITS;
    }
}

/* Does the host stay in this call? */
static bool host_stays(const struct streams *s, uint32_t i)
{
    const struct stream_op *o = &s->ops[i];
    return o->kind == HOST_WAITS_STREAM || o->kind == HOST_WAITS_ALL || o->waits ||
           stream_op_is_staged(&s->plan, o);
}

static void span_add(struct timeline *t, struct time_span *spans, struct time_span span)
{
    if (t->span_count && spans[t->span_count - 1].row == span.row &&
        spans[t->span_count - 1].kind == span.kind && spans[t->span_count - 1].to >= span.from) {
        if (span.to > spans[t->span_count - 1].to)
            spans[t->span_count - 1].to = span.to; /* one after the other is one for the eye */
        return;
    }
    spans[t->span_count++] = span;
}

/* Kinds that are there get letters in a row. */
static void name_kinds(struct timeline *t, struct time_span *spans, const char *names[SPAN_KINDS])
{
    static const char *const all[SPAN_KINDS] = {"copy in", "kernel", "copy out", "host waits",
                                                "host uses data"};
    unsigned letter[SPAN_KINDS];
    t->kind_count = 0;
    for (unsigned k = 0; k < SPAN_KINDS; k++) {
        bool there = false;
        for (unsigned i = 0; i < t->span_count; i++)
            there |= spans[i].kind == k;
        letter[k] = t->kind_count;
        if (there)
            names[t->kind_count++] = all[k];
    }
    for (unsigned i = 0; i < t->span_count; i++)
        spans[i].kind = letter[spans[i].kind];
}

void say_streams(const struct streams *s, struct report *r)
{
    char row_names[STREAMS_MOST + 1][NAME];
    const char *rows[STREAMS_MOST + 1], *names[SPAN_KINDS];
    unsigned row_of[STREAMS_MOST];
    const size_t room = 2 * (size_t)s->plan.count * sizeof(struct time_span);
    struct time_span *spans = mem_alloc(&allocator_libc, room);
    struct timeline t = {.rows = rows, .row_count = 1, .kinds = names, .spans = spans,
                         .unit = "us"};
    if (!spans)
        return;
    rows[0] = "host";
    for (uint32_t i = 0; i < s->plan.count; i++) {
        const struct stream_span *at = &s->spans[i];
        const unsigned kind = (unsigned)kind_of(&s->ops[i]);
        const bool at_host = kind == SPAN_HOST || host_stays(s, i);
        if (at_host)
            span_add(&t, spans, (struct time_span){0, kind == SPAN_HOST ? SPAN_HOST : SPAN_WAITS,
                                                   us(at->called), us(at->returned)});
    }
    for (uint32_t k = 0; k < s->plan.streams; k++) {
        bool there = false;
        for (uint32_t i = 0; i < s->plan.count; i++) {
            if (s->ops[i].stream != k || !stream_op_works(&s->ops[i]))
                continue;
            if (!there) {
                row_of[k] = t.row_count;
                snprintf(row_names[t.row_count], NAME, k ? "stream %u" : "default", k);
                rows[t.row_count] = row_names[t.row_count];
                t.row_count++;
            }
            there = true;
            span_add(&t, spans, (struct time_span){row_of[k], (unsigned)kind_of(&s->ops[i]),
                                                   us(s->spans[i].begin), us(s->spans[i].end)});
        }
    }
    name_kinds(&t, spans, names);
    say_timeline(r, &t);
    mem_free(&allocator_libc, spans, room);
}

void say_stream_engines(const struct streams *s, struct report *r)
{
    enum { ROWS = 3, LETTERS = 26 };
    static const char *const rows[ROWS] = {"copies in", "copies out", "kernels"}; /* by op kind */
    char names[STREAMS_MOST][NAME];
    const char *kinds[STREAMS_MOST];
    const size_t room = (size_t)s->plan.count * sizeof(struct time_span);
    struct time_span *spans = mem_alloc(&allocator_libc, room);
    struct timeline t = {.rows = rows, .row_count = ROWS, .kinds = kinds, .spans = spans,
                         .unit = "us"};
    for (uint32_t k = 0; spans && s->plan.streams <= LETTERS && k < s->plan.streams; k++) {
        const unsigned before = t.span_count;
        for (uint32_t i = 0; i < s->plan.count; i++)
            if (stream_op_works(&s->ops[i]) && s->ops[i].stream == k)
                span_add(&t, spans, (struct time_span){s->ops[i].kind, t.kind_count,
                                                       us(s->spans[i].begin), us(s->spans[i].end)});
        if (t.span_count == before)
            continue;
        snprintf(names[k], NAME, k ? "stream %u" : "default stream", k);
        kinds[t.kind_count++] = names[k];
    }
    if (t.span_count)
        say_timeline(r, &t);
    mem_free(&allocator_libc, spans, room);
}

void put_streams(const struct streams *s, struct json *j)
{
    static const char *const kinds[] = {"copy in", "copy out", "kernel", "record", "wait event",
                                        "wait stream", "wait all", "host writes", "host reads"};
    json_array(j, "timeline");
    for (uint32_t i = 0; i < s->plan.count; i++) {
        const struct stream_op *o = &s->ops[i];
        json_object(j, NULL);
        json_text(j, "what", kinds[o->kind]);
        if (stream_op_works(o) || o->kind == HOST_WRITES || o->kind == HOST_READS) {
            json_uint(j, "first", o->first);
            json_uint(j, "count", o->count);
        }
        if (!stream_op_is_host(o) || o->kind == HOST_WAITS_STREAM)
            json_uint(j, "stream", o->stream);
        json_f64(j, "called_us", us(s->spans[i].called));
        json_f64(j, "returned_us", us(s->spans[i].returned));
        json_f64(j, "begin_us", us(s->spans[i].begin));
        json_f64(j, "end_us", us(s->spans[i].end));
        json_end_object(j);
    }
    json_end_array(j);
}

/* ---- calls -------------------------------------------------------------------------------- */

struct call_list {
    const struct streams *s;
    const struct streams_kernel *kernel;
    unsigned before;
    struct buf *out;
};

static unsigned number(const struct call_list *t, int64_t op)
{
    return t->before + (unsigned)op + 1;
}

/* "dx + 4096", or "dx" */
static void put_place(const struct call_list *t, char side, const struct stream_op *o, char *out)
{
    if (o->first)
        snprintf(out, PLACE, "%c%.8s + %llu", side, t->s->names[o->array],
                 (unsigned long long)o->first);
    else
        snprintf(out, PLACE, "%c%.8s", side, t->s->names[o->array]);
}

static void put_copy(const struct call_list *t, const struct stream_op *o)
{
    const bool in = o->kind == STREAM_COPY_IN;
    const unsigned long long bytes = o->count * sizeof(uint32_t);
    char from[PLACE], to[PLACE], stream[NAME] = "0", amount[NUM_TEXT];
    put_place(t, in ? 'h' : 'd', o, from);
    put_place(t, in ? 'd' : 'h', o, to);
    if (o->stream)
        stream_name(o->stream, stream);
    buf_printf(t->out, "cudaMemcpy%s(%s, %s, %llu, cudaMemcpy%s%s%s)\n", o->waits ? "" : "Async",
               to, from, bytes, in ? "HostToDevice" : "DeviceToHost", o->waits ? "" : ", ",
               o->waits ? "" : stream);
    buf_printf(t->out, "  moves: %s bytes to the %s\n", num_group((int64_t)bytes, amount),
               in ? "device" : "host");
}

static void put_launch(const struct call_list *t, const struct stream_op *o)
{
    const struct lab_launch *l = &t->kernel->launch;
    char stream[NAME];
    buf_printf(t->out, "%s<<<%u, %u", l->kernel, o->blocks, l->block[0]);
    if (o->stream)
        buf_printf(t->out, ", 0, %s", stream_name(o->stream, stream));
    buf_puts(t->out, ">>>(");
    for (uint32_t i = 0; i < t->s->plan.arrays; i++) {
        struct stream_op at = *o;
        char place[PLACE];
        at.array = i;
        put_place(t, 'd', &at, place);
        buf_printf(t->out, "%s, ", place);
    }
    buf_printf(t->out, "%llu%s)\n", (unsigned long long)o->count,
               t->kernel->params[t->s->plan.arrays + 1].size ? ", ..." : "");
}

static void put_call(const struct call_list *t, const struct stream_op *o)
{
    char stream[NAME], place[PLACE];
    stream_name(o->stream, stream);
    put_place(t, 'h', o, place);
    switch (o->kind) {
    case STREAM_COPY_IN:
    case STREAM_COPY_OUT: put_copy(t, o); return;
    case STREAM_KERNEL: put_launch(t, o); return;
    case STREAM_RECORD: buf_printf(t->out, "cudaEventRecord(e%u, %s)\n", o->event, stream); return;
    case STREAM_WAIT_EVENT:
        buf_printf(t->out, "cudaStreamWaitEvent(%s, e%u)\n", stream, o->event);
        return;
    case HOST_WAITS_STREAM: buf_printf(t->out, "cudaStreamSynchronize(%s)\n", stream); return;
    case HOST_WAITS_ALL: buf_puts(t->out, "cudaDeviceSynchronize()\n"); return;
    default:
        buf_printf(t->out, "the host %s %llu elements from %s on\n",
                   o->kind == HOST_READS ? "reads" : "writes", (unsigned long long)o->count, place);
    }
}

/* The last operation before i that a stream has; -1: it has none. */
static int64_t last_in(const struct streams *s, uint32_t i, uint32_t stream)
{
    while (i-- > 0)
        if (!stream_op_is_host(&s->ops[i]) && s->ops[i].stream == stream)
            return i;
    return -1;
}

static int64_t last_recorded(const struct streams *s, uint32_t i)
{
    const uint32_t event = s->ops[i].event;
    while (i-- > 0)
        if (s->ops[i].kind == STREAM_RECORD && s->ops[i].event == event)
            return i;
    return -1;
}

/* What comes before it in its stream. */
static void put_order(const struct call_list *t, uint32_t i)
{
    const struct stream_op *o = &t->s->ops[i];
    int64_t before = last_in(t->s, i, o->stream), other = last_in(t->s, i, 0);
    char stream[NAME];
    stream_name(o->stream, stream);
    if (o->stream == 0)
        buf_puts(t->out, "after all earlier work");
    else if (other > before)
        buf_printf(t->out, "after call %u in the default stream", number(t, other));
    else if (before >= 0)
        buf_printf(t->out, "after call %u in %s", number(t, before), stream);
    else
        buf_printf(t->out, "the first work in %s", stream);
}

static void put_host_wait(const struct call_list *t, const struct stream_op *o)
{
    if (o->waits)
        buf_puts(t->out, "the host waits until it is complete");
    else if (stream_op_is_staged(&t->s->plan, o))
        buf_printf(t->out, "h%s is pageable, so the host waits until the driver has %s it",
                   t->s->names[o->array], o->kind == STREAM_COPY_IN ? "read" : "written");
    else
        buf_puts(t->out, "the host does not wait");
}

static void put_waits(const struct call_list *t, uint32_t i)
{
    const struct stream_op *o = &t->s->ops[i];
    const int32_t with = t->s->with[i];
    char stream[NAME];
    stream_name(o->stream, stream);
    buf_puts(t->out, "  waits: ");
    switch (o->kind) {
    case STREAM_RECORD:
        buf_printf(t->out, "e%u is complete when call %u is; the host does not wait", o->event,
                   number(t, last_in(t->s, i, o->stream)));
        break;
    case STREAM_WAIT_EVENT:
        buf_printf(t->out, "later work in %s waits for e%u of call %u; the host does not wait",
                   stream, o->event, number(t, last_recorded(t->s, i)));
        break;
    case HOST_WAITS_STREAM:
        buf_printf(t->out, "the host waits for all work in %s, up to call %u", stream,
                   number(t, last_in(t->s, i, o->stream)));
        break;
    case HOST_WAITS_ALL: buf_puts(t->out, "the host waits for the work in all streams"); break;
    case HOST_WRITES:
    case HOST_READS:
        buf_puts(t->out, with < 0 ? "all work that it meets here is complete"
                                  : "the host did not wait");
        break;
    default:
        put_order(t, i);
        buf_puts(t->out, "; ");
        put_host_wait(t, o);
    }
    if (with >= 0)
        buf_printf(t->out, "; WRONG: nothing makes it wait for call %u", number(t, with));
    buf_putc(t->out, '\n');
}

void streams_calls(const struct streams *s, const struct streams_kernel *k, unsigned before,
                   struct buf *out)
{
    const struct call_list t = {s, k, before, out};
    for (uint32_t i = 0; i < s->plan.count; i++) {
        put_call(&t, &s->ops[i]);
        put_waits(&t, i);
    }
}
