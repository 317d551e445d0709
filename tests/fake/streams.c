/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams and events of the libcuda for tests.
 *
 * A stream that waits for the default stream, as cudaStreamCreate makes it, is as late as a driver
 * may be: what is put into it is done when somebody waits for it, when another stream waits for an
 * event behind it, or when the default stream has work. The stream that cudalab launches in
 * (STREAM_APART) does everything at once, or, while it is captured, puts it into a graph.
 */
#include "fake.h"

enum { STREAMS = 64 };

struct event {
    struct queue *queue; /* where it was recorded last; NULL: in no queue */
    unsigned place;      /* behind so many tasks */
    unsigned stamp;      /* counts what has happened */
    unsigned launches;   /* there were before it */
};

struct task {
    enum { COPY_IN, COPY_OUT, FILL, LAUNCH, WAIT, STAMP } kind;
    uint64_t device;
    void *host;
    size_t bytes;   /* of FILL: numbers */
    unsigned value; /* of FILL */
    struct fake_launch launch;
    struct event *event;
    struct queue *queue; /* of WAIT: the event's, as it was when the task came */
    unsigned place;
};

struct queue {
    struct task *tasks;
    unsigned count, done, room;
};

static struct queue *queues[STREAMS];
static struct queue *captured; /* a graph is a queue that is done again and again */
static unsigned stamps;

static struct queue *queue_of(void *stream)
{
    return stream == NULL ? NULL : stream == &fake ? captured : stream;
}

static int run_queue(struct queue *q, unsigned until);
static int add_task(struct queue *q, const struct task *t);

static int do_task(const struct task *t)
{
    switch (t->kind) {
    case COPY_IN: return put_bytes(t->device, t->host, t->bytes);
    case COPY_OUT: return get_bytes(t->host, t->device, t->bytes);
    case FILL: return fill_now(t->device, t->value, t->bytes);
    case LAUNCH: return launch_now(&t->launch);
    case WAIT: return t->queue ? run_queue(t->queue, t->place) : DRIVER_OK;
    default: t->event->stamp = ++stamps; return DRIVER_OK;
    }
}

static int run_queue(struct queue *q, unsigned until)
{
    int status = DRIVER_OK;
    while (q->done < until && q->done < q->count && status == DRIVER_OK)
        status = do_task(&q->tasks[q->done++]);
    return status;
}

int run_streams(void)
{
    int status = DRIVER_OK;
    for (int i = STREAMS; i-- > 0 && status == DRIVER_OK;)
        if (queues[i])
            status = run_queue(queues[i], queues[i]->count);
    return status;
}

int add_launch(void *stream, const struct fake_launch *launch)
{
    struct queue *q = queue_of(stream);
    return q ? add_task(q, &(struct task){.kind = LAUNCH, .launch = *launch}) : -1;
}

int add_fill(void *stream, uint64_t address, unsigned value, size_t count)
{
    struct queue *q = queue_of(stream);
    const struct task t = {.kind = FILL, .device = address, .value = value, .bytes = count};
    return q ? add_task(q, &t) : -1;
}

static int add_task(struct queue *q, const struct task *t)
{
    if (q->count == q->room) {
        unsigned room = q->room ? 2 * q->room : 16;
        struct task *tasks = realloc(q->tasks, room * sizeof *tasks);
        if (!tasks)
            return DRIVER_OUT_OF_MEMORY;
        q->tasks = tasks;
        q->room = room;
    }
    q->tasks[q->count++] = *t;
    return state();
}

static int drop_queue(struct queue *q)
{
    free(q->tasks);
    free(q);
    return state();
}

/* ---- the driver's functions -------------------------------------------------------------- */

int cuStreamCreate(void **stream, unsigned flags)
{
    *stream = &fake;
    if (flags & STREAM_APART)
        return state();
    for (int i = 0; i < STREAMS; i++)
        if (!queues[i]) {
            *stream = queues[i] = calloc(1, sizeof(struct queue));
            return queues[i] ? state() : DRIVER_OUT_OF_MEMORY;
        }
    return DRIVER_OUT_OF_MEMORY;
}

int cuStreamDestroy_v2(void *stream)
{
    int status = run_streams();
    for (int i = 0; i < STREAMS; i++)
        if (queues[i] && queues[i] == stream) {
            drop_queue(queues[i]);
            queues[i] = NULL;
        }
    return status == DRIVER_OK ? state() : status;
}

int cuStreamSynchronize(void *stream)
{
    struct queue *q = queue_of(stream);
    if (q) {
        int status = run_late();
        return status == DRIVER_OK ? run_queue(q, q->count) : status;
    }
    return stream ? state() : catch_up();
}

int cuCtxSynchronize(void)
{
    return catch_up();
}

int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    const struct event *e = event;
    struct queue *q = queue_of(stream);
    (void)flags;
    return q ? add_task(q, &(struct task){.kind = WAIT, .queue = e->queue, .place = e->place})
             : state();
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream)
{
    struct queue *q = queue_of(stream);
    struct task t = {.kind = COPY_IN, .device = to, .bytes = bytes};
    memcpy(&t.host, &from, sizeof from);
    return q ? add_task(q, &t) : cuMemcpyHtoD_v2(to, from, bytes);
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    struct queue *q = queue_of(stream);
    const struct task t = {.kind = COPY_OUT, .device = from, .host = to, .bytes = bytes};
    return q ? add_task(q, &t) : cuMemcpyDtoH_v2(to, from, bytes);
}

int cuEventCreate(void **event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof(struct event));
    return *event ? state() : DRIVER_OUT_OF_MEMORY;
}

int cuEventRecord(void *event, void *stream)
{
    struct event *e = event;
    struct queue *q = queue_of(stream);
    e->queue = q;
    e->launches = fake.launches;
    if (!q) {
        e->stamp = ++stamps;
        return state();
    }
    int status = add_task(q, &(struct task){.kind = STAMP, .event = e});
    e->place = q->count;
    return status;
}

/* How fast the card is after so many launches, as FAKE_PACE says: steady, slower and slower (tires),
 * or now this and now that (wavers). */
static float pace(unsigned launches)
{
    const char *set = getenv("FAKE_PACE");
    if (set && strcmp(set, "tires") == 0)
        return 1 + (float)launches / 1000;
    if (set && strcmp(set, "wavers") == 0)
        return 1 + (float)(launches * 2654435761u >> 24) / 1024;
    return 1;
}

/* Each launch takes half a millisecond, and so does all that has none. */
int cuEventElapsedTime(float *milliseconds, void *start, void *end)
{
    const struct event *a = start, *b = end;
    const unsigned launches = b->launches - a->launches;
    *milliseconds = 0.5f * pace(a->launches) * (float)(launches ? launches : 1);
    if (a->queue || b->queue)
        *milliseconds = 0.125f * (float)(int)(b->stamp - a->stamp);
    return state();
}

int cuEventDestroy_v2(void *event)
{
    free(event);
    return state();
}

/* ---- graphs ------------------------------------------------------------------------------- */

int cuStreamBeginCapture_v2(void *stream, int mode)
{
    (void)mode;
    if (stream != &fake || captured)
        return DRIVER_INVALID_VALUE;
    captured = calloc(1, sizeof *captured);
    return captured ? state() : DRIVER_OUT_OF_MEMORY;
}

int cuStreamEndCapture(void *stream, void **graph)
{
    if (stream != &fake || !captured)
        return DRIVER_INVALID_VALUE;
    *graph = captured;
    captured = NULL;
    return is("ungraphed") ? DRIVER_INVALID_VALUE : state();
}

static int copy_tasks(struct queue *to, const struct queue *from)
{
    int status = DRIVER_OK;
    to->count = 0;
    for (unsigned i = 0; i < from->count && status == DRIVER_OK; i++)
        status = add_task(to, &from->tasks[i]);
    return status;
}

int cuGraphInstantiateWithFlags(void **ready, void *graph, unsigned long long flags)
{
    (void)flags;
    *ready = calloc(1, sizeof(struct queue));
    return *ready ? copy_tasks(*ready, graph) : DRIVER_OUT_OF_MEMORY;
}

int cuGraphExecUpdate(void *ready, void *graph, void **node, int *result)
{
    const struct queue *old = ready, *now = graph;
    (void)node, (void)result;
    return old->count == now->count ? copy_tasks(ready, graph) : DRIVER_INVALID_VALUE;
}

int cuGraphUpload(void *ready, void *stream)
{
    (void)ready, (void)stream;
    return state();
}

int cuGraphLaunch(void *ready, void *stream)
{
    struct queue *q = ready;
    (void)stream;
    note("FAKE_GRAPHS", '.');
    q->done = 0;
    return run_queue(q, q->count);
}

int cuGraphDestroy(void *graph)
{
    return drop_queue(graph);
}

int cuGraphExecDestroy(void *ready)
{
    return drop_queue(ready);
}
