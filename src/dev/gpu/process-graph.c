/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launches as a graph, in the process that works with the GPU. What is put into the stream is
 * captured, and the graph that it makes takes the place of the one before. Only the addresses
 * differ from run to run, so the driver has little to do.
 */
#include "dev/gpu/process-rerun.h"

enum { CAPTURE_RELAXED = 2 };

int graph_begin(struct process *p)
{
    return p->d.cuStreamBeginCapture_v2(p->stream, CAPTURE_RELAXED);
}

static void drop(struct process *p, void **ready)
{
    if (*ready)
        p->d.cuGraphExecDestroy(*ready);
    *ready = NULL;
}

static int make_ready(struct process *p, void *graph, void **ready)
{
    void *node;
    int why;
    if (*ready && p->d.cuGraphExecUpdate(*ready, graph, &node, &why) == DRIVER_OK)
        return DRIVER_OK;
    drop(p, ready);
    return p->d.cuGraphInstantiateWithFlags(ready, graph, 0);
}

/* It is brought to the card here: else the first launch would do it, and that would be timed. */
int graph_end(struct process *p, void **ready)
{
    void *graph = NULL;
    int status = p->d.cuStreamEndCapture(p->stream, &graph);
    if (status == DRIVER_OK)
        status = make_ready(p, graph, ready);
    if (status == DRIVER_OK)
        status = p->d.cuGraphUpload(*ready, p->stream);
    if (graph)
        p->d.cuGraphDestroy(graph);
    return status;
}

void graphs_drop(struct process *p, void **graphs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        drop(p, &graphs[i]);
}
