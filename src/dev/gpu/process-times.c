/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that works with the GPU times the sequences that it has kept, by events of the card,
 * from before the first launch of a run to after its last one. How a sequence is run again is in
 * process-rerun.c.
 */
#include "dev/gpu/process-rerun.h"

#include "base/mem.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_S 0.1
enum { EVENTS_MOST = 8192, SLOTS_MOST = 512, BUS_NAME = 16 };

struct timer {
    struct rerunner r;
    struct timing_facts *facts;
    struct rerun of[TIMING_SEQUENCES];
    float *ms[TIMING_SEQUENCES];
    size_t event_count, event_room;
    uint32_t slots, slot_events; /* a slot has the events of a run */
    double queue_s;              /* that the host took to queue a round, at the most */
};

/* ---- many runs ------------------------------------------------------------------------------- */

/* A round has one run of each sequence. Of two, one goes first in the first round of a pair and the
 * other in the second; which one, looks like chance. So nothing that comes in turns in the driver
 * or in the card falls always to the same one. */
static uint32_t whose_turn(const struct timer *t, uint32_t round, uint32_t position)
{
    const uint32_t chance = (round / 2 + 1) * UINT32_C(2654435761) >> 31;
    return t->r.want->sequences == 1 ? 0 : (position ^ round ^ chance) & 1;
}

/* The events of a run, by its number. Runs use them in turn. */
static void **events_of(const struct timer *t, uint32_t run)
{
    return t->r.events + (size_t)(run % t->slots) * t->slot_events;
}

static int queue_round(struct timer *t, uint32_t round, uint32_t run)
{
    int status = DRIVER_OK;
    for (uint32_t i = 0; i < t->r.want->sequences && status == DRIVER_OK; i++)
        status = rerun_queue(&t->r, &t->of[whose_turn(t, round, i)], events_of(t, run + i));
    return status;
}

static int read_round(struct timer *t, uint32_t round, uint32_t run)
{
    int status = DRIVER_OK;
    for (uint32_t i = 0; i < t->r.want->sequences && status == DRIVER_OK; i++) {
        const uint32_t k = whose_turn(t, round, i);
        status = rerun_read(&t->r, &t->of[k], events_of(t, run + i), &t->ms[k][round]);
    }
    return status;
}

/* The card waits until the host has surely queued so many rounds: a host that is slow for a moment
 * would be a part of the times else. */
static int give_lead(const struct timer *t, uint32_t rounds)
{
    const double lead_most = 20e-3, lead = 1.5 * rounds * t->queue_s;
    struct rerunner ahead = t->r;
    ahead.wait_s = lead < lead_most ? lead : lead_most;
    return rerunner_start_wait(&ahead);
}

/* Queues so many rounds, waits for them, and reads their times. There were `at` before them. */
static int do_rounds(struct timer *t, uint32_t at, uint32_t rounds)
{
    const uint32_t each = t->r.want->sequences;
    int status = give_lead(t, rounds);
    for (uint32_t i = at; i < at + rounds && status == DRIVER_OK; i++)
        status = queue_round(t, i, i * each);
    if (status == DRIVER_OK)
        status = t->r.p->d.cuStreamSynchronize(t->r.p->stream);
    for (uint32_t i = at; i < at + rounds && status == DRIVER_OK; i++)
        status = read_round(t, i, i * each);
    return status;
}

static bool has_graphs(const struct timer *t)
{
    bool has = false;
    for (uint32_t i = 0; i < t->r.want->sequences; i++)
        has |= !t->of[i].no_graphs && t->of[i].s->launches > 1;
    return has;
}

/* How long the host takes to queue a round is measured too: the wait before each run is longer. The
 * first runs have no graphs yet. */
static int warm_up(struct timer *t, double *round_s)
{
    const bool graphs = has_graphs(t);
    const uint32_t least = graphs ? 4 : 2;
    const double wait_least = 10e-6, wait_most = 5e-3, begin = clock_seconds();
    double queued_s = 1; /* at least; the first round is not typical */
    int status = DRIVER_OK;
    t->r.wait_s = wait_least;
    *round_s = 0;
    for (uint32_t i = 0; i < t->r.want->sequences; i++)
        *round_s += t->of[i].s->took;
    if (*round_s > LONG_S && !graphs) /* it has just run for so long */
        return DRIVER_OK;
    for (uint32_t i = 0; status == DRIVER_OK; i++) {
        const double start = clock_seconds();
        status = queue_round(t, i, 0);
        const double queued = clock_seconds();
        if (status == DRIVER_OK)
            status = t->r.p->d.cuStreamSynchronize(t->r.p->stream);
        const double now = clock_seconds();
        *round_s = now - start;
        queued_s = queued - start < queued_s ? queued - start : queued_s;
        if (i > 0 && queued - start > t->queue_s)
            t->queue_s = queued - start;
        if (now - begin >= t->r.want->warm_up &&
            (i + 1 >= least || (!graphs && *round_s >= t->r.want->warm_up)))
            break;
    }
    t->r.wait_s += 1.5 * queued_s / t->r.want->sequences;
    t->r.wait_s = t->r.wait_s < wait_most ? t->r.wait_s : wait_most;
    *round_s += t->r.wait_s * t->r.want->sequences;
    return status;
}

/* What the driver can queue before a call has to wait for the card. The calls of a run besides its
 * launches are few. */
static uint32_t rounds_in_queue(const struct timer *t)
{
    enum { QUEUE_HOLDS = 900, OTHERS = 8 };
    uint32_t calls = 0;
    for (uint32_t i = 0; i < t->r.want->sequences; i++)
        calls += t->of[i].s->launches + t->of[i].events + OTHERS;
    return calls < QUEUE_HOLDS ? QUEUE_HOLDS / calls : 1;
}

/* As many rounds at once as take a twentieth of the time. */
static uint32_t rounds_at_once(const struct timer *t, double round_s, uint32_t done)
{
    const struct timing_want *w = t->r.want;
    const uint32_t queue = rounds_in_queue(t), slots = t->slots / w->sequences;
    const double most = (double)(queue < slots ? queue : slots);
    double n = round_s > 0 ? w->seconds / 20 / round_s : 1;
    n = n < most ? n : most;
    n = n < w->most - done ? n : w->most - done;
    return n < 1 ? 1 : (uint32_t)n;
}

static struct timing_card look_at_card(struct process *p)
{
    char bus[BUS_NAME] = "";
    if (p->d.cuDeviceGetPCIBusId(bus, sizeof bus, p->device) != DRIVER_OK)
        return (struct timing_card){-1, -1, -1, -1, -1};
    return nvml_look(&p->nvml, bus);
}

static int all_rounds(struct timer *t)
{
    const struct timing_want *w = t->r.want;
    double round_s;
    uint32_t done = 0;
    int status = warm_up(t, &round_s);
    if (w->copy)
        t->facts->before = look_at_card(t->r.p);
    for (uint32_t i = 0; i < w->sequences; i++)
        t->of[i].run = 0;
    const double begin = clock_seconds();
    while (done < w->most && (done < w->least || clock_seconds() - begin < w->seconds) &&
           status == DRIVER_OK) {
        const uint32_t n = rounds_at_once(t, round_s, done);
        status = do_rounds(t, done, n);
        done += n;
        round_s = (clock_seconds() - begin) / done;
    }
    if (w->copy)
        t->facts->after = look_at_card(t->r.p);
    t->facts->runs = done;
    return status;
}

/* ---- a plain copy, to compare with ----------------------------------------------------------- */

static int one_copy(struct timer *t, uint64_t to, uint64_t from, uint64_t bytes, float *ms)
{
    int status = rerunner_start_wait(&t->r);
    if (status == DRIVER_OK)
        status = t->r.p->d.cuEventRecord(t->r.events[0], t->r.p->stream);
    if (status == DRIVER_OK)
        status = t->r.p->d.cuMemcpyDtoDAsync_v2(to, from, bytes, t->r.p->stream);
    if (status == DRIVER_OK)
        status = t->r.p->d.cuEventRecord(t->r.events[1], t->r.p->stream);
    if (status == DRIVER_OK)
        status = t->r.p->d.cuStreamSynchronize(t->r.p->stream);
    return status == DRIVER_OK ? t->r.p->d.cuEventElapsedTime(ms, t->r.events[0], t->r.events[1])
                               : status;
}

static int by_length(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Copies eight times the cache: what is measured is the memory. Without room for that there is no
 * copy. */
static int time_copy(struct timer *t)
{
    enum { RUNS = 11 };
    const uint64_t bytes = 8 * t->r.l2_bytes;
    uint64_t from = 0, to = 0;
    float ms[RUNS];
    int status = DRIVER_OK;
    if (bytes && t->r.p->d.cuMemAlloc_v2(&from, bytes) == DRIVER_OK &&
        t->r.p->d.cuMemAlloc_v2(&to, bytes) == DRIVER_OK) {
        status = t->r.p->d.cuMemsetD8Async(from, 1, bytes, t->r.p->stream);
        for (int i = -1; i < RUNS && status == DRIVER_OK; i++)
            status = one_copy(t, to, from, bytes, &ms[i < 0 ? 0 : i]);
        if (status == DRIVER_OK) {
            qsort(ms, RUNS, sizeof ms[0], by_length);
            t->facts->copy_s = (double)ms[RUNS / 2] / 1e3;
            t->facts->copy_bytes = bytes;
        }
    }
    if (from)
        t->r.p->d.cuMemFree_v2(from);
    if (to)
        t->r.p->d.cuMemFree_v2(to);
    return status;
}

/* ---- the request ----------------------------------------------------------------------------- */

/* An odd number of slots, so that a sequence does not get the same ones again and again. */
static int make_events(struct timer *t)
{
    const uint32_t runs = t->r.want->most < SLOTS_MOST ? t->r.want->most : SLOTS_MOST;
    for (uint32_t i = 0; i < t->r.want->sequences; i++)
        t->slot_events = t->of[i].events > t->slot_events ? t->of[i].events : t->slot_events;
    const uint32_t fit = EVENTS_MOST / t->slot_events;
    t->slots = (runs < fit ? runs : fit) | 1;
    t->slots = t->slots < TIMING_SEQUENCES ? TIMING_SEQUENCES : t->slots;
    t->event_room = (size_t)t->slots * t->slot_events;
    t->r.events = mem_alloc(&allocator_libc, t->event_room * sizeof *t->r.events);
    int status = t->r.events ? DRIVER_OK : DRIVER_OUT_OF_MEMORY;
    for (; t->event_count < t->event_room && status == DRIVER_OK; t->event_count++)
        status = t->r.p->d.cuEventCreate(&t->r.events[t->event_count], 0);
    return status;
}

static int begin(struct timer *t)
{
    int status = rerunner_open(&t->r);
    if (status == DRIVER_OK)
        status = t->r.p->d.cuStreamSynchronize(NULL);
    for (uint32_t i = 0; i < t->r.want->sequences && status == DRIVER_OK; i++)
        status = rerun_prepare(&t->r, &t->of[i], t->r.p->sequences[i]);
    return status == DRIVER_OK ? make_events(t) : status;
}

static void tell(struct timer *t, uint32_t i)
{
    const struct rerun *of = &t->of[i];
    t->facts->of[i] = (struct timing_sequence){.launches = of->s->launches,
                                               .copies = of->copies,
                                               .runs_of_a_copy = of->in_a_row,
                                               .graph = of->graphs_used,
                                               .array_bytes = of->array_bytes,
                                               .rotated_bytes = of->copies * of->stride};
    t->facts->too_little_memory |= of->crowded;
}

/* The kernels are timed by the card, as the median of the runs: whoever asked has it. */
static int time_host(struct timer *t, const char *steps, size_t bytes)
{
    struct timing_step *to = t->facts->steps;
    const size_t count = bytes / sizeof(struct gpu_step);
    struct gpu_step *all = mem_alloc(&allocator_libc, bytes + 1);
    if (!all)
        return DRIVER_OUT_OF_MEMORY;
    memcpy(all, steps, count * sizeof *all);
    int status = process_time_host(t->r.p, all, count, t->facts);
    mem_free(&allocator_libc, all, bytes + 1);
    to[HOST_LAUNCH] = to[HOST_KERNELS] = (struct timing_step){.count = t->of[0].s->launches};
    to[HOST_LAUNCH].seconds = t->of[0].launch_s;
    return status;
}

static int time_all(struct timer *t, const char *steps, size_t bytes)
{
    uint32_t ready = 0;
    int status = begin(t);
    for (uint32_t i = 0; i < t->r.want->sequences && status == DRIVER_OK; i++) {
        status = rerun_make_ready(&t->r, &t->of[i]);
        ready = i + 1;
    }
    if (status == DRIVER_OK)
        status = all_rounds(t);
    for (uint32_t i = 0; i < ready; i++)
        tell(t, i);
    if (status == DRIVER_OK && t->r.want->copy)
        status = time_copy(t);
    if (status == DRIVER_OK && t->r.want->steps)
        status = time_host(t, steps, bytes);
    t->facts->l2_bytes = t->r.l2_bytes;
    return status;
}

/* All memory is as it was, also where there was too little of it for the copies, or where a library
 * gave up. The last sequence that was made ready goes first. */
static int leave(struct timer *t, int status)
{
    const bool harmless = status == DRIVER_OUT_OF_MEMORY || status == GPU_NOT_RUN;
    int back = harmless ? DRIVER_OK : status;
    for (uint32_t i = t->r.want->sequences; i-- > 0 && back == DRIVER_OK;)
        if (t->of[i].s)
            back = rerun_go_forth(&t->r, &t->of[i]);
    if (back == DRIVER_OK)
        back = t->r.p->d.cuStreamSynchronize(t->r.p->stream);
    if (back != DRIVER_OK || status != DRIVER_OUT_OF_MEMORY)
        return back != DRIVER_OK ? back : status;
    snprintf(t->r.p->say, sizeof t->r.p->say, "the GPU has too little memory left to time this");
    return GPU_NOT_RUN;
}

static void end(struct timer *t)
{
    for (uint32_t i = 0; i < t->r.want->sequences; i++) {
        rerun_end(&t->r, &t->of[i]);
        mem_free(&allocator_libc, t->ms[i], t->r.want->most * sizeof(float));
    }
    for (size_t i = 0; i < t->event_count; i++)
        if (t->r.events[i])
            t->r.p->d.cuEventDestroy_v2(t->r.events[i]);
    mem_free(&allocator_libc, t->r.events, t->event_room * sizeof *t->r.events);
}

static int answer(struct timer *t)
{
    const size_t each = t->facts->runs * sizeof(float);
    char *reply = process_reply(t->r.p, sizeof *t->facts + t->r.want->sequences * each);
    if (!reply)
        return DRIVER_OUT_OF_MEMORY;
    memcpy(reply, t->facts, sizeof *t->facts);
    for (uint32_t i = 0; i < t->r.want->sequences; i++)
        memcpy(reply + sizeof *t->facts + i * each, t->ms[i], each);
    return DRIVER_OK;
}

static const char *not_to_be_timed(const struct process *p, const struct timing_want *w)
{
    for (uint32_t i = 0; i < w->sequences; i++) {
        const struct sequence *s = p->sequences[i];
        if (s && s->broken)
            return s->broken;
        if (!s || !s->launches)
            return "the process that works with the GPU has lost its launches";
    }
    return NULL;
}

int process_time(struct process *p, struct gpu_message *m, const char *payload)
{
    struct timing_want want;
    struct timing_facts facts = {0};
    struct timer t = {.r = {.p = p, .want = &want}, .facts = &facts};
    int status = DRIVER_OK;
    memcpy(&want, payload, sizeof want);
    if (m->payload < sizeof want || want.sequences > TIMING_SEQUENCES || !want.most ||
        want.most > TIMING_RUNS_MOST)
        return process_refuse(p, DRIVER_INVALID_VALUE, "no such timing");
    const char *why = not_to_be_timed(p, &want);
    if (why) {
        snprintf(p->say, sizeof p->say, "%s", why);
        return GPU_NOT_RUN;
    }
    for (uint32_t i = 0; i < want.sequences; i++) {
        t.ms[i] = mem_alloc(&allocator_libc, want.most * sizeof(float));
        status = t.ms[i] ? status : DRIVER_OUT_OF_MEMORY;
    }
    if (status == DRIVER_OK)
        status = leave(&t, time_all(&t, payload + sizeof want, m->payload - sizeof want));
    if (status == DRIVER_OK)
        status = answer(&t);
    end(&t);
    return status == DRIVER_OK || status == GPU_NOT_RUN
               ? status
               : process_refuse(p, status, "the runs can't be timed");
}
