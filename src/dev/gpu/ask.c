/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file sends requests to the process that works with the GPU. If a request ends the process,
 * or is given up, the bytes that were newer on the card than in the mirrors are lost. The next
 * process begins to start at once.
 */
#include "dev/gpu/gpu.h"

enum { ANSWER_SECONDS = 120 }; /* for all but launches: compiling a big module takes its time */

void gpu_start_anew(struct gpu_device *g)
{
    struct err ignored;
    gpu_link_kill(&g->link);
    for (size_t i = 0; i < g->mirror_count; i++)
        mirror_forget_newer(g->mirrors[i]);
    gpu_link_start(&g->link, &ignored);
}

int gpu_request(struct gpu_device *g, struct gpu_message *m, const void *payload, void *to,
                size_t room, struct err *e)
{
    const struct gpu_patience patience = {.stop = g->base.stop, .progress = g->base.progress,
                                          .seconds = ANSWER_SECONDS};
    char text[GPU_TEXT] = "";
    int signal;
    enum gpu_silence why = gpu_ask(&g->link, m, payload, to ? to : text,
                                   to ? room : sizeof text - 1, &patience, &signal);
    if (why == GPU_ANSWERED && m->status == 0)
        return 0;
    if (why == GPU_ANSWERED)
        return fail(e, "%.*s", ERR_TEXT - 1, to ? "the driver refuses" : text);
    gpu_start_anew(g);
    if (why == GPU_STOPPED)
        return fail(e, "interrupted");
    if (why == GPU_LATE)
        return fail(e, "the NVIDIA driver didn't answer for %d s; it is started anew",
                    ANSWER_SECONDS);
    return fail(e, "the process that works with the GPU was ended (signal %d); it is started anew",
                signal);
}
