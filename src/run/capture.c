/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams that are captured. What a program asks of such a stream becomes a node of a graph, and is
 * not done. A line says which nodes the next one waits for: each stream of a capture has one, and
 * each event that was recorded there. A stream that waits for such an event joins the capture.
 *
 * What would need the work that is only captured is refused, and ends the capture: it is invalid.
 */
#include "run/graph.h"

#include "base/mem.h"

#include <string.h>

struct capture_line {
    uint64_t handle; /* of the stream or the event */
    bool of_event;
    uint64_t *nodes;
    size_t count;
};

struct run_capture {
    uint64_t number, graph, origin; /* origin: the stream where it began */
    uint32_t mode, thread;
    bool is_invalid;
    bool has_graph; /* the graph was there before */
    struct capture_line *lines;
    size_t line_count;
};

/* ---- lines ----------------------------------------------------------------------------- */

static struct capture_line *line_in(const struct run_capture *c, uint64_t handle, bool of_event)
{
    for (size_t i = 0; i < c->line_count; i++)
        if (c->lines[i].handle == handle && c->lines[i].of_event == of_event)
            return &c->lines[i];
    return NULL;
}

/* The capture that a stream or an event is in; NULL: none. */
static struct run_capture *capture_with(const struct run *r, uint64_t handle, bool of_event)
{
    for (size_t i = 0; i < r->capture_count; i++)
        if (line_in(r->captures[i], handle, of_event))
            return r->captures[i];
    return NULL;
}

static void clear_line(struct capture_line *l)
{
    mem_free(&allocator_libc, l->nodes, l->count * sizeof *l->nodes);
    l->nodes = NULL;
    l->count = 0;
}

static int32_t add_to_line(struct capture_line *l, const uint64_t *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool there = false;
        for (size_t k = 0; k < l->count; k++)
            there = there || l->nodes[k] == nodes[i];
        if (there)
            continue;
        uint64_t *grown = mem_resize(&allocator_libc, l->nodes, l->count * sizeof *grown,
                                     (l->count + 1) * sizeof *grown);
        if (!grown)
            return cudaErrorMemoryAllocation;
        l->nodes = grown;
        l->nodes[l->count++] = nodes[i];
    }
    return 0;
}

static struct capture_line *need_line(struct run_capture *c, uint64_t handle, bool of_event)
{
    struct capture_line *l = line_in(c, handle, of_event);
    if (l)
        return l;
    struct capture_line *grown = mem_resize(&allocator_libc, c->lines,
                                            c->line_count * sizeof *grown,
                                            (c->line_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    c->lines = grown;
    grown[c->line_count] = (struct capture_line){.handle = handle, .of_event = of_event};
    return &grown[c->line_count++];
}

/* The line becomes a copy of the other one, or gets its nodes too. */
static int32_t follow(struct run_capture *c, uint64_t to, bool to_event, uint64_t from,
                      bool from_event)
{
    struct capture_line *l = need_line(c, to, to_event);
    const struct capture_line *other = line_in(c, from, from_event);
    if (l && to_event)
        clear_line(l);
    return l ? add_to_line(l, other->nodes, other->count) : cudaErrorMemoryAllocation;
}

static void forget_event(struct run *r, uint64_t event)
{
    for (size_t i = 0; i < r->capture_count; i++) {
        struct capture_line *l = line_in(r->captures[i], event, true);
        if (l) {
            clear_line(l);
            l->handle = 0;
        }
    }
}

/* ---- captures -------------------------------------------------------------------------- */

static void free_capture(struct run_capture *c)
{
    for (size_t i = 0; i < c->line_count; i++)
        clear_line(&c->lines[i]);
    mem_free(&allocator_libc, c->lines, c->line_count * sizeof *c->lines);
    mem_free(&allocator_libc, c, sizeof *c);
}

void run_forget_captures(struct run *r)
{
    for (size_t i = 0; i < r->capture_count; i++)
        free_capture(r->captures[i]);
    mem_free(&allocator_libc, r->captures, r->capture_count * sizeof *r->captures);
    r->captures = NULL;
    r->capture_count = 0;
}

static int32_t begin(struct run *r, const struct run_message *m, const struct buf *bytes)
{
    const uint64_t stream = m->number[0];
    uint64_t graph = m->number[2];
    if (m->number[1] > cudaStreamCaptureModeRelaxed || (graph && !graph_of(r, graph, false)))
        return cudaErrorInvalidValue;
    if (stream <= 1)
        return cudaErrorStreamCaptureUnsupported;
    if (capture_with(r, stream, false))
        return cudaErrorIllegalState;
    struct run_capture *c = mem_alloc(&allocator_libc, sizeof *c);
    struct run_capture **grown = mem_resize(&allocator_libc, r->captures,
                                            r->capture_count * sizeof *grown,
                                            (r->capture_count + 1) * sizeof *grown);
    if (grown)
        r->captures = grown;
    int32_t error = c && grown ? 0 : cudaErrorMemoryAllocation;
    if (!error && !graph)
        error = graph_make(r, 0, &graph);
    if (c)
        *c = (struct run_capture){.number = r->capture_number + 1, .graph = graph,
                                  .origin = stream, .mode = (uint32_t)m->number[1],
                                  .thread = m->thread, .has_graph = m->number[2] != 0};
    struct capture_line *l = !error ? need_line(c, stream, false) : NULL;
    if (!error)
        error = l ? add_to_line(l, (const void *)bytes->data, bytes->len / sizeof(uint64_t))
                  : cudaErrorMemoryAllocation;
    if (error) {
        if (c)
            free_capture(c);
        return error;
    }
    r->capture_number++;
    r->captures[r->capture_count++] = c;
    return 0;
}

/* Marks the node by the number that only a launch uses otherwise. Returns whether that is new. */
static bool mark(struct run_node *n)
{
    const bool is_new = n && !n->operation;
    if (is_new)
        n->operation = 1;
    return is_new;
}

/* Marks what comes before marked nodes. Most edges lead to earlier nodes of the list, so it is gone
 * through from the end, and seldom more than twice. */
static void mark_before(const struct run_graph *g)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = g->count; i-- > 0;)
            for (size_t k = 0; g->nodes[i]->operation && k < g->nodes[i]->after_count; k++)
                more |= mark(g->nodes[graph_index(g, g->nodes[i]->after[k])]);
    }
}

/* Does the stream of the beginning wait for all that the others did? */
static bool is_joined(const struct run *r, const struct run_capture *c)
{
    const struct run_graph *g = graph_of(r, c->graph, false);
    const struct capture_line *origin = line_in(c, c->origin, false);
    bool joined = g != NULL;
    for (size_t i = 0; g && i < g->count; i++)
        g->nodes[i]->operation = 0;
    for (size_t i = 0; i < origin->count; i++)
        mark(graph_node(g, origin->nodes[i]));
    if (g)
        mark_before(g);
    for (size_t i = 0; i < c->line_count && joined; i++)
        for (size_t k = 0; k < c->lines[i].count && !c->lines[i].of_event; k++) {
            const struct run_node *n = graph_node(g, c->lines[i].nodes[k]);
            joined = joined && n && n->operation;
        }
    return joined;
}

static int32_t end(struct run *r, struct run_message *m)
{
    struct run_capture *c = capture_with(r, m->number[0], false);
    size_t kept = 0;
    if (!c)
        return cudaErrorIllegalState;
    if (c->origin != m->number[0]) {
        c->is_invalid = true;
        return cudaErrorStreamCaptureUnmatched;
    }
    if (c->thread != m->thread && c->mode != cudaStreamCaptureModeRelaxed)
        return cudaErrorStreamCaptureWrongThread;
    int32_t error = c->is_invalid ? cudaErrorStreamCaptureInvalidated
                    : is_joined(r, c) ? 0 : cudaErrorStreamCaptureUnjoined;
    for (size_t i = 0; i < r->capture_count; i++)
        if (r->captures[i] != c)
            r->captures[kept++] = r->captures[i];
    r->captures = mem_resize(&allocator_libc, r->captures, r->capture_count * sizeof *r->captures,
                             kept * sizeof *r->captures);
    r->capture_count = kept;
    const bool is_lost = error || m->number[1]; /* nobody will know the graph */
    m->number[0] = error ? 0 : c->graph;
    if (is_lost && !c->has_graph && graph_of(r, c->graph, false))
        graph_free(r, c->graph);
    free_capture(c);
    return error;
}

static bool legacy_is_taken(const struct run *r)
{
    for (size_t i = 0; i < r->capture_count; i++)
        for (size_t k = 0; k < r->captures[i]->line_count; k++)
            if (!r->captures[i]->lines[k].of_event &&
                run_stream_blocks(r, r->captures[i]->lines[k].handle))
                return true;
    return false;
}

static int32_t tell(const struct run *r, struct run_message *m, struct buf *answer)
{
    const uint64_t stream = m->number[0], most = m->number[1];
    const struct run_capture *c = capture_with(r, stream, false);
    if (stream <= 1 && legacy_is_taken(r))
        return cudaErrorStreamCaptureImplicit;
    m->number[0] = !c ? cudaStreamCaptureStatusNone
                   : c->is_invalid ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
    const struct capture_line *l = c ? line_in(c, stream, false) : NULL;
    m->number[1] = c ? c->number : 0;
    m->number[2] = c ? c->graph : 0;
    m->number[3] = l ? l->count : 0;
    for (size_t i = 0; l && i < l->count && i < most; i++)
        buf_add(answer, (const char *)&l->nodes[i], sizeof l->nodes[i]);
    return answer->failed ? cudaErrorMemoryAllocation : 0;
}

static int32_t set(struct run *r, const struct run_message *m, const struct buf *bytes)
{
    struct run_capture *c = capture_with(r, m->number[0], false);
    if (!c)
        return cudaErrorIllegalState;
    struct capture_line *l = line_in(c, m->number[0], false);
    const uint64_t *nodes = (const void *)bytes->data;
    const size_t count = bytes->len / sizeof *nodes;
    for (size_t i = 0; i < count; i++)
        if (!graph_node(graph_of(r, c->graph, false), nodes[i]))
            return cudaErrorInvalidValue;
    if (m->number[1])
        clear_line(l);
    return add_to_line(l, nodes, count);
}

/* ---- what is captured ------------------------------------------------------------------ */

static int32_t refuse(struct run_capture *c, int32_t error)
{
    c->is_invalid = true;
    return error;
}

/* The node comes behind those of the stream's line, and is what the line waits for. */
static int32_t add_node(struct run *r, struct run_capture *c, uint64_t stream,
                        enum cudaGraphNodeType type, struct run_message *m, const void *params,
                        uint64_t child)
{
    struct capture_line *l = line_in(c, stream, false);
    struct run_node *made;
    int32_t error = graph_add_request(r, c->graph, type, m, params, l->nodes, l->count, child,
                                      &made);
    if (error)
        return error;
    clear_line(l);
    return add_to_line(l, &made->number, 1);
}

static int32_t add_memory(struct run *r, struct run_capture *c, struct run_message *m)
{
    struct run_message come;
    const struct capture_line *l = line_in(c, m->number[ALLOCATE_STREAM], false);
    int32_t error = graph_memory(r, m, c->graph, l->nodes, l->count, m->number[0], &come);
    memcpy(come.frame, m->frame, sizeof m->frame);
    if (!error)
        error = add_node(r, c, m->number[ALLOCATE_STREAM], cudaGraphNodeTypeMemAlloc, &come,
                         NULL, 0);
    m->number[0] = come.number[0];
    return error;
}

/* A graph that was instantiated becomes a child: a copy of what it would do now. */
static int32_t add_graph(struct run *r, struct run_capture *c, struct run_message *m)
{
    struct run_message empty = {.what = RUN_EMPTY};
    struct run_graph *exec = graph_of(r, m->number[0], true);
    if (!exec)
        return cudaErrorInvalidValue;
    exec->is_exec = false;
    int32_t error = add_node(r, c, m->number[1], cudaGraphNodeTypeGraph, &empty, NULL,
                             m->number[0]);
    exec->is_exec = true;
    return error;
}

static int32_t wait_for_event(struct run *r, struct run_capture *c, struct run_message *m)
{
    struct run_capture *other = capture_with(r, m->number[1], true);
    const bool is_external = m->number[2] == cudaEventWaitExternal;
    if (is_external)
        return add_node(r, c, m->number[0], cudaGraphNodeTypeWaitEvent, m, NULL, 0);
    if (!other)
        return refuse(c, cudaErrorStreamCaptureIsolation);
    if (other != c) {
        other->is_invalid = true;
        return refuse(c, cudaErrorStreamCaptureMerge);
    }
    return follow(c, m->number[0], false, m->number[1], true);
}

static int32_t capture(struct run *r, struct run_capture *c, struct run_message *m,
                       const void *params)
{
    size_t index;
    if (c->is_invalid)
        return cudaErrorStreamCaptureInvalidated;
    switch (m->what) {
    case RUN_LAUNCH:
        if (!m->number[LAUNCH_PRIORITY]) /* the node takes that of the stream */
            m->number[LAUNCH_PRIORITY] = (uint64_t)(int64_t)run_stream_of(
                r, m->number[LAUNCH_STREAM], &index)->priority;
        return add_node(r, c, m->number[LAUNCH_STREAM], cudaGraphNodeTypeKernel, m, params, 0);
    case RUN_COPY:
        return m->number[COPY_WAITS]
                   ? refuse(c, cudaErrorStreamCaptureUnsupported)
                   : add_node(r, c, m->number[COPY_STREAM], cudaGraphNodeTypeMemcpy, m, NULL, 0);
    case RUN_FILL:
        return add_node(r, c, m->number[FILL_STREAM], cudaGraphNodeTypeMemset, m, NULL, 0);
    case RUN_STREAM_CALL:
        return m->number[3] ? refuse(c, cudaErrorStreamCaptureUnsupported)
                            : add_node(r, c, m->number[0], cudaGraphNodeTypeHost, m, NULL, 0);
    case RUN_ALLOCATE: return add_memory(r, c, m);
    case RUN_RELEASE:
        return !m->number[RELEASE_ADDRESS]
                   ? 0 : add_node(r, c, m->number[RELEASE_STREAM], cudaGraphNodeTypeMemFree, m,
                                  NULL, 0);
    case RUN_GRAPH_LAUNCH: return add_graph(r, c, m);
    case RUN_STREAM_AFTER: return wait_for_event(r, c, m);
    case RUN_EVENT_RECORD:
        if (m->number[2] == cudaEventRecordExternal)
            return add_node(r, c, m->number[1], cudaGraphNodeTypeEventRecord, m, NULL, 0);
        forget_event(r, m->number[0]);
        return follow(c, m->number[0], true, m->number[1], false);
    default: return refuse(c, cudaErrorStreamCaptureUnsupported);
    }
}

/* A stream ends while it is captured. It may, if the stream of the beginning waits for it. */
static bool leaves(struct run *r, struct run_capture *c, const struct run_message *m)
{
    size_t kept = 0;
    if (m->what != RUN_STREAM_END || m->number[0] == c->origin || c->is_invalid ||
        !is_joined(r, c))
        return false;
    for (size_t i = 0; i < c->line_count; i++) {
        if (c->lines[i].handle == m->number[0] && !c->lines[i].of_event)
            clear_line(&c->lines[i]);
        else
            c->lines[kept++] = c->lines[i];
    }
    c->lines = mem_resize(&allocator_libc, c->lines, c->line_count * sizeof *c->lines,
                          kept * sizeof *c->lines);
    c->line_count = kept;
    return true;
}

/* ---- what a capture forbids to others -------------------------------------------------- */

/* Calls that may need work which is only captured. */
static bool is_unsafe(const struct run_message *m)
{
    return (m->what == RUN_ALLOCATE && m->number[ALLOCATE_STREAM] == RUN_NO_STREAM) ||
           (m->what == RUN_RELEASE && m->number[RELEASE_STREAM] == RUN_NO_STREAM) ||
           (m->what == RUN_COPY && m->number[COPY_WAITS]) || m->what == RUN_EVENT_QUERY ||
           m->what == RUN_EVENT_WAIT || m->what == RUN_STREAM_WAIT || m->what == RUN_STREAM_QUERY;
}

static bool forbids(const struct run_capture *c, const struct run_message *m)
{
    const uint32_t mode = m->how >> RUN_MODE_SHIFT;
    if (m->what == RUN_DEVICE_WAIT)
        return true;
    if (!is_unsafe(m) || mode == cudaStreamCaptureModeRelaxed)
        return false;
    return c->thread == m->thread
               ? c->mode != cudaStreamCaptureModeRelaxed
               : c->mode == cudaStreamCaptureModeGlobal && mode == cudaStreamCaptureModeGlobal;
}

static int32_t invalidate(struct run *r, const struct run_message *m, int32_t error)
{
    int32_t result = 0;
    for (size_t i = 0; i < r->capture_count; i++)
        if (error || forbids(r->captures[i], m))
            result = refuse(r->captures[i], error ? error : cudaErrorStreamCaptureUnsupported);
    return result;
}

/* A request that no captured stream takes. *taken: it is refused, or joins a capture. */
static int32_t beside(struct run *r, struct run_message *m, const uint64_t *stream, bool *taken)
{
    const bool of_event = m->what == RUN_EVENT_WAIT || m->what == RUN_EVENT_QUERY;
    struct run_capture *c = m->what == RUN_STREAM_AFTER ? capture_with(r, m->number[1], true)
                            : of_event ? capture_with(r, m->number[0], true) : NULL;
    *taken = true;
    if (c && of_event)
        return refuse(c, cudaErrorCapturedEvent);
    if (stream && *stream <= 1 && legacy_is_taken(r))
        return invalidate(r, m, cudaErrorStreamCaptureImplicit);
    if (c)
        return c->is_invalid ? cudaErrorStreamCaptureInvalidated
                             : follow(c, *stream, false, m->number[1], true);
    if (m->what == RUN_EVENT_RECORD)
        forget_event(r, m->number[0]);
    int32_t error = invalidate(r, m, 0);
    *taken = error != 0;
    return error;
}

int32_t run_capture_request(struct run *r, struct run_message *m, const struct buf *bytes,
                            struct buf *answer, bool *taken)
{
    const uint64_t *stream = run_stream_in(m);
    *taken = true;
    switch (m->what) {
    case RUN_CAPTURE: r->capture_broken = false; return begin(r, m, bytes);
    case RUN_CAPTURE_END: return end(r, m);
    case RUN_CAPTURE_INFO: return tell(r, m, answer);
    case RUN_CAPTURE_SET: return set(r, m, bytes);
    default: break;
    }
    *taken = false;
    if (!r->capture_count)
        return 0;
    struct run_capture *c = stream ? capture_with(r, *stream, false) : NULL;
    if (!c)
        return beside(r, m, stream, taken);
    *taken = !leaves(r, c, m);
    return *taken ? capture(r, c, m, buf_text(bytes)) : 0;
}
