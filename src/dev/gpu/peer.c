/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plain copy from this card to another card of the computer, timed by events of this card. At
 * first the cards can't reach each other's memory, and the driver copies through memory of the
 * host. If the cards can, the copy is then made once more with peer access, directly.
 */
#include "dev/gpu/process-parts.h"

enum { ROUNDS = 5 }; /* of which the fastest counts; one before them makes the driver ready */

struct peer {
    struct process *process;
    const struct peer_job *job;
    int device; /* the other one */
    void *context, *other;
    uint64_t here, there;
    void *events[2];
};

/* Memory on the other card, and what the copy begins with. */
static int prepare(struct peer *p)
{
    const struct driver *d = &p->process->d;
    int status = d->cuDeviceGet(&p->device, p->job->card);
    if (status == DRIVER_OK)
        status = d->cuCtxGetCurrent(&p->context);
    if (status == DRIVER_OK)
        status = d->cuDevicePrimaryCtxRetain(&p->other, p->device);
    if (status == DRIVER_OK)
        status = d->cuCtxSetCurrent(p->other);
    if (status == DRIVER_OK)
        status = d->cuMemAlloc_v2(&p->there, p->job->bytes);
    if (p->context && d->cuCtxSetCurrent(p->context) != DRIVER_OK)
        status = DRIVER_INVALID_VALUE;
    if (status == DRIVER_OK)
        status = d->cuMemAlloc_v2(&p->here, p->job->bytes);
    for (int i = 0; i < 2 && status == DRIVER_OK; i++)
        status = d->cuEventCreate(&p->events[i], 0);
    if (status == DRIVER_OK)
        status = d->cuMemsetD8Async(p->here, 1, p->job->bytes, p->process->stream);
    return status;
}

static int copy_once(const struct peer *p, float *ms)
{
    const struct driver *d = &p->process->d;
    void *stream = p->process->stream;
    int status = d->cuEventRecord(p->events[0], stream);
    if (status == DRIVER_OK)
        status = d->cuMemcpyPeerAsync(p->there, p->other, p->here, p->context, p->job->bytes,
                                      stream);
    if (status == DRIVER_OK)
        status = d->cuEventRecord(p->events[1], stream);
    if (status == DRIVER_OK)
        status = d->cuStreamSynchronize(stream);
    return status == DRIVER_OK ? d->cuEventElapsedTime(ms, p->events[0], p->events[1]) : status;
}

static int time_copies(const struct peer *p, double *seconds)
{
    float ms = 0;
    int status = copy_once(p, &ms);
    for (int i = 0; i < ROUNDS && status == DRIVER_OK; i++) {
        status = copy_once(p, &ms);
        const double now = (double)ms / 1e3;
        *seconds = i == 0 || now < *seconds ? now : *seconds;
    }
    return status;
}

static void release(struct peer *p)
{
    const struct driver *d = &p->process->d;
    for (int i = 0; i < 2; i++)
        if (p->events[i])
            d->cuEventDestroy_v2(p->events[i]);
    if (p->here)
        d->cuMemFree_v2(p->here);
    if (p->there && d->cuCtxSetCurrent(p->other) == DRIVER_OK)
        d->cuMemFree_v2(p->there);
    if (p->context)
        d->cuCtxSetCurrent(p->context);
    if (p->other)
        d->cuDevicePrimaryCtxRelease_v2(p->device);
}

int process_copy_to_peer(struct process *process, const struct peer_job *job,
                         double seconds[PEER_WAYS])
{
    struct peer p = {.process = process, .job = job};
    const struct driver *d = &process->d;
    int can = 0, status = prepare(&p);
    if (status == DRIVER_OK)
        status = time_copies(&p, &seconds[PEER_BY_HOST]);
    if (status == DRIVER_OK)
        status = d->cuDeviceCanAccessPeer(&can, process->device, p.device);
    if (status == DRIVER_OK && can && d->cuCtxEnablePeerAccess(p.other, 0) == DRIVER_OK) {
        status = time_copies(&p, &seconds[PEER_DIRECT]);
        d->cuCtxDisablePeerAccess(p.other);
    }
    release(&p);
    return status;
}
