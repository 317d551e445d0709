/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timing sequences of launches, on the side that survives the process. All of it is one request:
 * the process has kept the launches (process-sequence.c).
 */
#include "dev/gpu/gpu.h"

#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_reply(struct gpu_device *g, enum gpu_silence why, int signal,
                    const struct launch_how *how, struct err *e)
{
    char seconds[NUM_TEXT];
    gpu_start_anew(g);
    if (why == GPU_STOPPED)
        return fail(e, "interrupted");
    if (why == GPU_LATE)
        return fail(e, "the runs to be timed came to no end within %s s, the time limit",
                    num_f64(how->time_limit, seconds));
    return fail(e, "the process that works with the GPU was ended (signal %d) while it timed",
                signal);
}

/* A status that is not GPU_NOT_RUN may have ruined the context. */
static int refused(struct gpu_device *g, int status, const char *says, struct err *e)
{
    if (status != GPU_NOT_RUN)
        gpu_start_anew(g);
    return fail(e, "%s", says);
}

static int take(const char *reply, uint32_t sequences, struct timing *out, struct err *e)
{
    memcpy(&out->facts, reply, sizeof out->facts);
    const float *ms = (const float *)(const void *)(reply + sizeof out->facts);
    const uint32_t runs = out->facts.runs;
    for (uint32_t k = 0; k < sequences; k++, ms += runs) {
        out->seconds[k] = arena_alloc(&out->memory, (runs + 1) * sizeof(double));
        if (!out->seconds[k])
            return fail_memory(e);
        for (uint32_t i = 0; i < runs; i++)
            out->seconds[k][i] = (double)ms[i] / 1e3;
    }
    return 0;
}

static int ask(struct gpu_device *g, const struct timing_want *want, const struct launch_how *how,
               char *reply, size_t room, struct timing *out, struct err *e)
{
    const struct gpu_patience patience = {
        .stop = how->stop, .progress = how->progress, .seconds = gpu_seconds_left(how)};
    const size_t steps = want->steps ? g->step_count * sizeof *g->steps : 0;
    struct gpu_message m = {.op = GPU_TIME, .payload = sizeof *want + steps};
    char *payload = malloc(sizeof *want + steps);
    int signal;
    if (!payload)
        return fail_memory(e);
    memcpy(payload, want, sizeof *want);
    if (steps)
        memcpy(payload + sizeof *want, g->steps, steps);
    enum gpu_silence why = gpu_ask(&g->link, &m, payload, reply, room, &patience, &signal);
    free(payload);
    if (why != GPU_ANSWERED)
        return no_reply(g, why, signal, how, e);
    return m.status ? refused(g, m.status, reply, e) : take(reply, want->sequences, out, e);
}

int gpu_time(struct device *d, const struct timing_want *want, const struct launch_how *how,
             struct timing *out, struct err *e)
{
    const size_t times = want->sequences * (size_t)want->most * sizeof(float);
    const size_t room = sizeof out->facts + times + GPU_TEXT;
    char *reply = malloc(room);
    *out = (struct timing){.memory = {.from = NULL}};
    int rc = !reply                          ? fail_memory(e)
             : gpu_ensure(gpu_of(d), e) != 0 ? -1
                                             : ask(gpu_of(d), want, how, reply, room, out, e);
    free(reply);
    if (rc != 0)
        timing_free(out);
    return rc;
}

/* Where there is no process, its sequences are forgotten already. */
void gpu_keep_launches(struct device *d, unsigned sequence)
{
    struct gpu_device *g = gpu_of(d);
    struct gpu_message m = {.op = GPU_FORGET};
    struct err ignored;
    g->sequence = sequence;
    if (sequence)
        return;
    g->step_count = 0;
    if (g->link.greeted && !gpu_link_lost(&g->link))
        gpu_request(g, &m, NULL, NULL, 0, &ignored);
}

/* Without memory for it a step is left out: then it is not timed. */
void gpu_note_step(struct gpu_device *g, enum host_step kind, uint64_t bytes)
{
    if (g->sequence != 1 || mem_grow(&allocator_libc, (void **)&g->steps, &g->step_capacity,
                                     g->step_count, sizeof *g->steps) < 0)
        return;
    g->steps[g->step_count++] = (struct gpu_step){kind, bytes};
}
