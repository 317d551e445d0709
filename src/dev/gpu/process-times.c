/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that works with the GPU times the sequences that it has kept (process-sequence.c). Each
 * run is timed by events of the card, from before its first launch to after its last one.
 *
 * Each run begins with the same memory. What a run has changed is set back behind it, where it is not
 * timed. Only a number, such as the start of a sum, is set within the run, since its answer needs it.
 *
 * The runs use several copies of the arrays in turn, together more than twice as large as the cache.
 * So a run finds in the cache nothing that an earlier run left there. Arrays to which only memory
 * leads can't be moved: then all runs use the arrays themselves.
 *
 * Before each run one thread waits, while the host queues the run. So the card never waits for the
 * host within a run.
 */
#include "dev/gpu/process-sequence.h"

#include "base/buf.h"
#include "base/mem.h"
#include "dev/gpu/gpu.h"
#include "os/asset.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_S 0.1
enum { ALIGN = 256, CLOCK_KHZ = 13, L2_BYTES = 38, EVENTS_MOST = 8192 };

struct pointer { char *word; const struct kept_area *to; uint64_t own; };

/* A sequence that is ready to run. */
struct timed_sequence {
    struct sequence *s;
    size_t steps;          /* without what the host stored behind the last launch */
    struct pointer *pointers;
    size_t pointer_count, pointer_capacity;
    uint64_t further, stride; /* the copies of its arrays but the first, which is the arrays */
    uint32_t copies, next, events;
    float *ms;
};

struct timer {
    struct process *p;
    const struct timing_want *want;
    struct timing_facts *facts;
    struct timed_sequence of[TIMING_SEQUENCES];
    void *wait, *differ;   /* functions of kernels/gpu-times.cu */
    double clock_hz, wait_s;
    void **events;
    size_t event_count, event_room;
};

/* ---- the kernels of this file -------------------------------------------------------------- */

static int load_kernels(struct process *p)
{
    const struct asset *asset = asset_find("kernels/ptx/gpu-times.ptx");
    struct buf text = {0};
    struct err e = {0};
    bool prints;
    int version = 0;
    int status = p->d.cuDriverGetVersion(&version);
    if (p->times_module || status != DRIVER_OK)
        return status;
    if (!asset || gpu_ptx((const char *)asset->data, asset->size, gpu_ptx_version(version), false,
                          &text, &prints, NULL, &e) != 0) {
        buf_free(&text);
        return DRIVER_INVALID_PTX;
    }
    status = p->d.cuModuleLoadDataEx(&p->times_module, buf_text(&text), 0, NULL, NULL);
    buf_free(&text);
    return status;
}

static int find_kernels(struct timer *t)
{
    struct process *p = t->p;
    int khz = 0;
    int status = load_kernels(p);
    if (status == DRIVER_OK)
        status = p->d.cuModuleGetFunction(&t->wait, p->times_module, "cudalab_wait");
    if (status == DRIVER_OK)
        status = p->d.cuModuleGetFunction(&t->differ, p->times_module, "cudalab_differ");
    if (status == DRIVER_OK)
        status = p->d.cuDeviceGetAttribute(&khz, CLOCK_KHZ, p->device);
    t->clock_hz = khz * 1e3;
    return status;
}

static int start_wait(struct timer *t)
{
    unsigned long long cycles = (unsigned long long)(t->wait_s * t->clock_hz);
    return t->p->d.cuLaunchKernel(t->wait, 1, 1, 1, 1, 1, 1, 0, t->p->stream,
                                  (void *[]){&cycles}, NULL);
}

static int start_differ(struct timer *t, const struct kept_area *k, uint64_t flag)
{
    enum { BLOCKS_MOST = 1024, THREADS = 256, EACH = 16 };
    uint64_t a = k->address, b = k->before, bytes = k->bytes;
    uint64_t blocks = bytes / (THREADS * EACH) + 1;
    return t->p->d.cuLaunchKernel(t->differ, blocks < BLOCKS_MOST ? (unsigned)blocks : BLOCKS_MOST,
                                  1, 1, THREADS, 1, 1, 0, t->p->stream,
                                  (void *[]){&a, &b, &bytes, &flag}, NULL);
}

/* ---- what has changed ---------------------------------------------------------------------- */

static int number_differs(struct timer *t, const struct kept_area *k, uint32_t *differs)
{
    uint32_t now;
    int status = t->p->d.cuMemcpyDtoH_v2(&now, k->address, sizeof now);
    *differs = now != k->number;
    return status;
}

/* Compares all that is kept with what is there now; a flag for each. */
static int compare(struct timer *t, const struct sequence *s, uint32_t *differs)
{
    const struct driver *d = &t->p->d;
    const size_t room = (s->kept_count + 1) * sizeof *differs;
    uint64_t flags;
    int status = d->cuMemAlloc_v2(&flags, room);
    if (status != DRIVER_OK)
        return status;
    status = d->cuMemsetD8Async(flags, 0, room, t->p->stream);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++)
        if (s->kept[i].before)
            status = start_differ(t, &s->kept[i], flags + i * sizeof *differs);
    if (status == DRIVER_OK)
        status = d->cuStreamSynchronize(t->p->stream);
    if (status == DRIVER_OK)
        status = d->cuMemcpyDtoH_v2(differs, flags, s->kept_count * sizeof *differs);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++)
        if (!s->kept[i].before)
            status = number_differs(t, &s->kept[i], &differs[i]);
    d->cuMemFree_v2(flags);
    return status;
}

static int copy_on_card(struct timer *t, uint64_t to, uint64_t from, uint64_t bytes)
{
    return t->p->d.cuMemcpyDtoDAsync_v2(to, from, bytes, t->p->stream);
}

static int set_number(struct timer *t, const struct kept_area *k, uint32_t number)
{
    return t->p->d.cuMemsetD32Async(k->address, number, 1, t->p->stream);
}

static int keep_after(struct timer *t, struct kept_area *k)
{
    if (!k->before)
        return t->p->d.cuMemcpyDtoH_v2(&k->number_after, k->address, sizeof k->number_after);
    int status = t->p->d.cuMemAlloc_v2(&k->after, k->bytes);
    return status == DRIVER_OK ? copy_on_card(t, k->after, k->address, k->bytes) : status;
}

/* Memory is as it was before the sequence. */
static int go_back(struct timer *t, const struct sequence *s)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++) {
        const struct kept_area *k = &s->kept[i];
        if (k->differs || k->changed)
            status = k->before ? copy_on_card(t, k->address, k->before, k->bytes)
                               : set_number(t, k, k->number);
    }
    return status;
}

/* Memory is as it was before all this. */
static int go_forth(struct timer *t, const struct sequence *s)
{
    int status = go_back(t, s);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++) {
        const struct kept_area *k = &s->kept[i];
        if (k->differs)
            status = k->before ? copy_on_card(t, k->address, k->after, k->bytes)
                               : set_number(t, k, k->number_after);
    }
    return status;
}

/* ---- the copies of the arrays ---------------------------------------------------------------- */

static struct kept_area *kept_at(const struct sequence *s, uint64_t address)
{
    for (size_t i = 0; i < s->kept_count; i++)
        if (address - s->kept[i].address < s->kept[i].bytes)
            return &s->kept[i];
    return NULL;
}

static int add_pointer(struct timed_sequence *of, char *word, struct kept_area *to, uint64_t own)
{
    if (mem_grow(&allocator_libc, (void **)&of->pointers, &of->pointer_capacity,
                 of->pointer_count, sizeof *of->pointers) < 0)
        return DRIVER_OUT_OF_MEMORY;
    to->moves = !to->variable && !kept_is_number(to);
    of->pointers[of->pointer_count++] = (struct pointer){word, to, own};
    return DRIVER_OK;
}

/* Finds the addresses among what a launch is given. */
static int find_pointers(struct timer *t, struct timed_sequence *of, struct step *step)
{
    struct launch *l = &step->launch;
    const bool library = !l->function;
    char *words = library ? (char *)&l->library : step->payload + (l->given - step->payload);
    const size_t bytes = library ? l->g.job_bytes : l->g.param_bytes;
    const size_t first = of->pointer_count;
    int status = DRIVER_OK;
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes && status == DRIVER_OK;
         at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, words + at, sizeof word);
        struct kept_area *k = kept_at(of->s, word);
        bool seen = false;
        for (size_t i = first; i < of->pointer_count; i++)
            seen |= of->pointers[i].to == k;
        if (k && !seen)
            t->facts->of[of - t->of].array_bytes += k->bytes;
        if (k)
            status = add_pointer(of, words + at, k, word);
    }
    return status;
}

static uint64_t moved(const struct timed_sequence *of, const struct kept_area *k, uint64_t address, uint32_t copy)
{
    return copy && k->moves ? of->further + (copy - 1) * of->stride + k->place +
                                  (address - k->address)
                            : address;
}

static void point_to(const struct timed_sequence *of, uint32_t copy)
{
    for (size_t i = 0; i < of->pointer_count; i++) {
        const struct pointer *p = &of->pointers[i];
        const uint64_t now = moved(of, p->to, p->own, copy);
        memcpy(p->word, &now, sizeof now);
    }
}

/* Each copy has all arrays; the first half of the copies is filled first, and copied then. */
static int fill_copies(struct timer *t, const struct timed_sequence *of)
{
    const uint32_t count = of->copies - 1;
    int status = DRIVER_OK;
    for (size_t i = 0; i < of->s->kept_count && status == DRIVER_OK; i++) {
        const struct kept_area *k = &of->s->kept[i];
        if (k->moves)
            status = copy_on_card(t, of->further + k->place, k->address, k->bytes);
    }
    for (uint32_t have = 1; have < count && status == DRIVER_OK; have *= 2) {
        const uint32_t more = have < count - have ? have : count - have;
        status = copy_on_card(t, of->further + have * of->stride, of->further,
                              more * of->stride);
    }
    return status;
}

static void drop_copies(struct timer *t, struct timed_sequence *of)
{
    if (of->further)
        t->p->d.cuMemFree_v2(of->further);
    of->further = 0;
    of->copies = 1;
}

static int make_copies(struct timer *t, struct timed_sequence *of)
{
    const uint64_t enough = 2 * t->facts->l2_bytes;
    of->copies = 1;
    of->stride = 0;
    for (size_t i = 0; i < of->s->kept_count; i++)
        if (of->s->kept[i].moves) {
            of->s->kept[i].place = of->stride;
            of->stride += (of->s->kept[i].bytes + ALIGN - 1) / ALIGN * ALIGN;
        }
    if (t->want->warm || t->p->images.count || !of->stride || of->stride > enough)
        return DRIVER_OK;
    of->copies = (uint32_t)(enough / of->stride) + 2;
    while (of->copies > 1 && t->p->d.cuMemAlloc_v2(&of->further,
                                                   (of->copies - 1) * of->stride) != DRIVER_OK) {
        of->further = 0;
        of->copies = of->copies / 2;
        t->facts->too_little_memory = 1;
    }
    return of->further ? fill_copies(t, of) : DRIVER_OK;
}

/* ---- one run --------------------------------------------------------------------------------- */

static int set_numbers(struct timer *t, const struct timed_sequence *of)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < of->s->kept_count && status == DRIVER_OK; i++)
        if (of->s->kept[i].changed && !of->s->kept[i].before)
            status = set_number(t, &of->s->kept[i], of->s->kept[i].number);
    return status;
}

static int set_arrays_back(struct timer *t, const struct timed_sequence *of, uint32_t copy)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < of->s->kept_count && status == DRIVER_OK; i++) {
        const struct kept_area *k = &of->s->kept[i];
        if (k->changed && k->before)
            status = copy_on_card(t, moved(of, k, k->address, copy), k->before, k->bytes);
    }
    return status;
}

/* A run as it is queued. It has parts that are timed, each between two events. */
struct queued {
    struct timer *t;
    struct timed_sequence *of;
    uint32_t copy;
    void **events;
    uint32_t used;
    bool open; /* a timed part has begun and not ended */
};

static int mark(struct queued *q)
{
    return q->t->p->d.cuEventRecord(q->events[q->used++], q->t->p->stream);
}

static int close_part(struct queued *q)
{
    int status = q->open ? mark(q) : DRIVER_OK;
    q->open = false;
    return status;
}

static int open_part(struct queued *q)
{
    const bool first = q->used == 0;
    int status = q->open ? DRIVER_OK : mark(q);
    if (status == DRIVER_OK && first)
        status = set_numbers(q->t, q->of);
    q->open = true;
    return status;
}

static int queue_store(struct queued *q, const struct step *s)
{
    const struct kept_area *k = kept_at(q->of->s, s->address);
    int status = close_part(q);
    return status == DRIVER_OK
               ? copy_on_card(q->t, moved(q->of, k, s->address, q->copy), s->from, s->bytes)
               : status;
}

/* What prepares a launch with images, or one that prints, is not timed. */
static bool stands_apart(const struct process *p, const struct step *s)
{
    return p->images.count || s->launch.count;
}

static int queue_launch(struct queued *q, struct step *s)
{
    struct process *p = q->t->p;
    const bool apart = stands_apart(p, s);
    int status = apart ? close_part(q) : DRIVER_OK;
    if (apart && status == DRIVER_OK)
        status = process_clear_prints(p, &s->launch);
    if (apart && status == DRIVER_OK)
        status = process_fill_images(p);
    if (status == DRIVER_OK)
        status = open_part(q);
    if (status == DRIVER_OK)
        status = process_start(p, &s->launch);
    if (apart && status == DRIVER_OK)
        status = close_part(q);
    return apart && status == DRIVER_OK ? process_return_images(p) : status;
}

static int queue_run(struct timer *t, struct timed_sequence *of, void **events)
{
    struct queued q = {.t = t, .of = of, .copy = of->next, .events = events};
    of->next = (of->next + 1) % of->copies;
    point_to(of, q.copy);
    int status = start_wait(t);
    for (size_t i = 0; i < of->steps && status == DRIVER_OK; i++)
        status = of->s->steps[i].payload ? queue_launch(&q, &of->s->steps[i])
                                         : queue_store(&q, &of->s->steps[i]);
    if (status == DRIVER_OK)
        status = close_part(&q);
    return status == DRIVER_OK ? set_arrays_back(t, of, q.copy) : status;
}

static int read_run(struct timer *t, const struct timed_sequence *of, void **events, float *ms)
{
    int status = DRIVER_OK;
    *ms = 0;
    for (uint32_t i = 0; i < of->events && status == DRIVER_OK; i += 2) {
        float part = 0;
        status = t->p->d.cuEventElapsedTime(&part, events[i], events[i + 1]);
        *ms += part;
    }
    return status;
}

/* ---- many runs ------------------------------------------------------------------------------- */

/* So many events have the runs before i, in one round with one run of each sequence. */
static uint32_t events_before(const struct timer *t, uint32_t i)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < i; k++)
        n += t->of[k].events;
    return n;
}

/* A round has one run of each sequence. Of two, every second round begins with the second one. */
static int queue_round(struct timer *t, uint32_t round, void **events)
{
    const uint32_t count = t->want->sequences;
    int status = DRIVER_OK;
    for (uint32_t i = 0; i < count && status == DRIVER_OK; i++) {
        const uint32_t k = (i + round) % count;
        status = queue_run(t, &t->of[k], events + events_before(t, k));
    }
    return status;
}

/* Queues so many rounds, waits for them, and reads their times. `at`: how many there were before. */
static int do_rounds(struct timer *t, uint32_t at, uint32_t rounds)
{
    const uint32_t each = events_before(t, t->want->sequences);
    int status = DRIVER_OK;
    for (uint32_t i = 0; i < rounds && status == DRIVER_OK; i++)
        status = queue_round(t, at + i, t->events + (size_t)i * each);
    if (status == DRIVER_OK)
        status = t->p->d.cuStreamSynchronize(t->p->stream);
    for (uint32_t i = 0; i < rounds && status == DRIVER_OK; i++)
        for (uint32_t k = 0; k < t->want->sequences && status == DRIVER_OK; k++)
            status = read_run(t, &t->of[k],
                              t->events + (size_t)i * each + events_before(t, k),
                              &t->of[k].ms[at + i]);
    return status;
}

/* How long the host takes to queue a round is measured too: the wait before each run is longer. */
static int warm_up(struct timer *t, double *round_s)
{
    enum { LEAST = 2 };
    const double wait_least = 10e-6, wait_most = 5e-3, begin = clock_seconds();
    double queued_s = 1;
    int status = DRIVER_OK;
    t->wait_s = wait_least;
    *round_s = 0;
    for (uint32_t i = 0; i < t->want->sequences; i++)
        *round_s += t->of[i].s->took;
    if (*round_s > LONG_S) /* it has just run for so long */
        return DRIVER_OK;
    for (uint32_t i = 0; status == DRIVER_OK; i++) {
        const double start = clock_seconds();
        status = queue_round(t, i, t->events);
        const double queued = clock_seconds();
        if (status == DRIVER_OK)
            status = t->p->d.cuStreamSynchronize(t->p->stream);
        const double now = clock_seconds();
        *round_s = now - start;
        queued_s = queued - start < queued_s ? queued - start : queued_s;
        if (now - begin >= t->want->warm_up && (i + 1 >= LEAST || *round_s >= t->want->warm_up))
            break;
    }
    t->wait_s += 1.5 * queued_s / t->want->sequences;
    t->wait_s = t->wait_s < wait_most ? t->wait_s : wait_most;
    *round_s += t->wait_s * t->want->sequences;
    return status;
}

/* As many rounds at once as take a twentieth of the time. */
static uint32_t rounds_at_once(const struct timer *t, double round_s, uint32_t done)
{
    const struct timing_want *w = t->want;
    const uint32_t each = events_before(t, w->sequences);
    double n = round_s > 0 ? w->seconds / 20 / round_s : 1;
    if (n > (double)(t->event_count / each))
        n = (double)(t->event_count / each);
    if (n > w->most - done)
        n = w->most - done;
    return n < 1 ? 1 : (uint32_t)n;
}

static int all_rounds(struct timer *t)
{
    const struct timing_want *w = t->want;
    double round_s;
    uint32_t done = 0;
    int status = warm_up(t, &round_s);
    const double begin = clock_seconds();
    while (done < w->most && (done < w->least || clock_seconds() - begin < w->seconds) &&
           status == DRIVER_OK) {
        const uint32_t n = rounds_at_once(t, round_s, done);
        status = do_rounds(t, done, n);
        done += n;
        round_s = (clock_seconds() - begin) / done;
    }
    t->facts->runs = done;
    return status;
}

/* ---- getting ready ----------------------------------------------------------------------------- */

static int by_shared_bytes(const void *a, const void *b)
{
    const struct step *x = *(struct step *const *)a, *y = *(struct step *const *)b;
    return (x->launch.g.shared_bytes > y->launch.g.shared_bytes) -
           (x->launch.g.shared_bytes < y->launch.g.shared_bytes);
}

/* The driver keeps for each kernel how much shared memory it may have. So the launch with the most of
 * it comes last. */
static int prepare_launches(struct timer *t, struct timed_sequence *of)
{
    struct sequence *s = of->s;
    const size_t room = (s->step_count + 1) * sizeof(struct step *);
    struct step **order = mem_alloc(&allocator_libc, room);
    size_t count = 0;
    int status = order ? DRIVER_OK : DRIVER_OUT_OF_MEMORY;
    for (size_t i = 0; i < s->step_count && order; i++)
        if (s->steps[i].payload) {
            memcpy(&s->steps[i].launch.g, s->steps[i].payload, sizeof s->steps[i].launch.g);
            order[count++] = &s->steps[i];
            of->steps = i + 1;
        }
    if (order)
        qsort(order, count, sizeof *order, by_shared_bytes);
    for (size_t i = 0; i < count && status == DRIVER_OK; i++)
        status = process_prepare(t->p, order[i]->module, order[i]->payload, &order[i]->launch);
    for (size_t i = 0; i < of->steps && status == DRIVER_OK; i++)
        if (s->steps[i].payload)
            status = find_pointers(t, of, &s->steps[i]);
    mem_free(&allocator_libc, order, room);
    return status;
}

/* Two events for each part. */
static void count_events(const struct timer *t, struct timed_sequence *of)
{
    bool open = false;
    of->events = 0;
    for (size_t i = 0; i < of->steps; i++) {
        const struct step *s = &of->s->steps[i];
        const bool apart = !s->payload || stands_apart(t->p, s);
        of->events += s->payload && (apart || !open) ? 2 : 0;
        open = !apart;
    }
}

/* The host has stored something since, or another sequence has run: what a run changes is not what
 * differs now. */
static bool needs_a_run(const struct timer *t, const struct timed_sequence *of)
{
    return t->want->sequences > 1 || of->steps < of->s->step_count;
}

static int plain_run(struct timer *t, struct timed_sequence *of, uint32_t copy)
{
    of->next = copy;
    int status = queue_run(t, of, t->events);
    of->next = 0;
    return status == DRIVER_OK ? t->p->d.cuStreamSynchronize(t->p->stream) : status;
}

static int find_changes(struct timer *t, struct timed_sequence *of, uint32_t *differs)
{
    struct sequence *s = of->s;
    int status = compare(t, s, differs);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++) {
        s->kept[i].differs = s->kept[i].changed = differs[i];
        if (differs[i])
            status = keep_after(t, &s->kept[i]);
    }
    if (status == DRIVER_OK)
        status = go_back(t, s);
    if (status != DRIVER_OK || !needs_a_run(t, of))
        return status;
    for (size_t i = 0; i < s->kept_count; i++)
        s->kept[i].changed = false;
    status = plain_run(t, of, 0);
    if (status == DRIVER_OK)
        status = compare(t, s, differs);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++)
        s->kept[i].changed = differs[i];
    return status == DRIVER_OK ? go_back(t, s) : status;
}

/* A run that was given a copy of the arrays must not change the arrays themselves: then some address
 * is in memory. */
static int try_copy(struct timer *t, struct timed_sequence *of, uint32_t *differs)
{
    bool stays = false;
    int status = plain_run(t, of, 1);
    if (status == DRIVER_OK)
        status = compare(t, of->s, differs);
    for (size_t i = 0; i < of->s->kept_count && status == DRIVER_OK; i++)
        stays |= differs[i] && of->s->kept[i].moves;
    if (stays)
        drop_copies(t, of);
    return status == DRIVER_OK ? go_back(t, of->s) : status;
}

static int make_memory_ready(struct timer *t, struct timed_sequence *of)
{
    struct sequence *s = of->s;
    struct timing_sequence *facts = &t->facts->of[of - t->of];
    const size_t room = (s->kept_count + 1) * sizeof(uint32_t);
    uint32_t *differs = mem_alloc(&allocator_libc, room);
    int status = differs ? find_changes(t, of, differs) : DRIVER_OUT_OF_MEMORY;
    if (status == DRIVER_OK)
        status = make_copies(t, of);
    if (status == DRIVER_OK && of->copies > 1)
        status = try_copy(t, of, differs);
    facts->launches = s->launches;
    facts->copies = of->copies;
    facts->rotated_bytes = of->copies * of->stride;
    mem_free(&allocator_libc, differs, room);
    return status;
}

static void finish(struct timer *t, struct timed_sequence *of)
{
    drop_copies(t, of);
    for (size_t i = 0; i < of->s->kept_count; i++) {
        struct kept_area *k = &of->s->kept[i];
        if (k->after)
            t->p->d.cuMemFree_v2(k->after);
        k->after = 0;
        k->moves = k->differs = k->changed = false;
    }
    for (size_t i = 0; i < of->s->step_count; i++)
        process_drop(&of->s->steps[i].launch);
    mem_free(&allocator_libc, of->pointers, of->pointer_capacity * sizeof *of->pointers);
}

/* ---- a plain copy, to compare with ------------------------------------------------------------- */

static int one_copy(struct timer *t, uint64_t to, uint64_t from, uint64_t bytes, float *ms)
{
    int status = start_wait(t);
    if (status == DRIVER_OK)
        status = t->p->d.cuEventRecord(t->events[0], t->p->stream);
    if (status == DRIVER_OK)
        status = copy_on_card(t, to, from, bytes);
    if (status == DRIVER_OK)
        status = t->p->d.cuEventRecord(t->events[1], t->p->stream);
    if (status == DRIVER_OK)
        status = t->p->d.cuStreamSynchronize(t->p->stream);
    return status == DRIVER_OK ? t->p->d.cuEventElapsedTime(ms, t->events[0], t->events[1])
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
    const uint64_t bytes = 8 * t->facts->l2_bytes;
    uint64_t from = 0, to = 0;
    float ms[RUNS];
    int status = DRIVER_OK;
    if (bytes && t->p->d.cuMemAlloc_v2(&from, bytes) == DRIVER_OK &&
        t->p->d.cuMemAlloc_v2(&to, bytes) == DRIVER_OK) {
        status = t->p->d.cuMemsetD8Async(from, 1, bytes, t->p->stream);
        for (int i = -1; i < RUNS && status == DRIVER_OK; i++)
            status = one_copy(t, to, from, bytes, &ms[i < 0 ? 0 : i]);
        if (status == DRIVER_OK) {
            qsort(ms, RUNS, sizeof ms[0], by_length);
            t->facts->copy_s = (double)ms[RUNS / 2] / 1e3;
            t->facts->copy_bytes = bytes;
        }
    }
    if (from)
        t->p->d.cuMemFree_v2(from);
    if (to)
        t->p->d.cuMemFree_v2(to);
    return status;
}

/* ---- the request ------------------------------------------------------------------------------- */

static int make_events(struct timer *t)
{
    const uint32_t each = events_before(t, t->want->sequences);
    size_t count = (size_t)each * t->want->most;
    count = count < EVENTS_MOST ? count : EVENTS_MOST;
    count = count > each ? count : each;
    t->events = mem_alloc(&allocator_libc, count * sizeof *t->events);
    t->event_room = count;
    int status = t->events ? DRIVER_OK : DRIVER_OUT_OF_MEMORY;
    for (; t->event_count < count && status == DRIVER_OK; t->event_count++)
        status = t->p->d.cuEventCreate(&t->events[t->event_count], 0);
    return status;
}

static int begin(struct timer *t)
{
    int l2 = 0;
    int status = find_kernels(t);
    if (status == DRIVER_OK)
        status = t->p->d.cuStreamSynchronize(NULL);
    if (status == DRIVER_OK)
        status = t->p->d.cuDeviceGetAttribute(&l2, L2_BYTES, t->p->device);
    t->facts->l2_bytes = (uint64_t)l2;
    for (uint32_t i = 0; i < t->want->sequences && status == DRIVER_OK; i++) {
        status = prepare_launches(t, &t->of[i]);
        count_events(t, &t->of[i]);
    }
    return status == DRIVER_OK ? make_events(t) : status;
}

static int time_all(struct timer *t)
{
    int status = begin(t);
    for (uint32_t i = 0; i < t->want->sequences && status == DRIVER_OK; i++)
        status = make_memory_ready(t, &t->of[i]);
    if (status == DRIVER_OK)
        status = all_rounds(t);
    if (status == DRIVER_OK && t->want->copy)
        status = time_copy(t);
    for (uint32_t i = 0; i < t->want->sequences && status == DRIVER_OK; i++)
        status = go_forth(t, t->of[i].s);
    return status == DRIVER_OK ? t->p->d.cuStreamSynchronize(t->p->stream) : status;
}

static void end(struct timer *t)
{
    for (uint32_t i = 0; i < t->want->sequences; i++) {
        finish(t, &t->of[i]);
        mem_free(&allocator_libc, t->of[i].ms, t->want->most * sizeof(float));
    }
    for (size_t i = 0; i < t->event_count; i++)
        if (t->events[i])
            t->p->d.cuEventDestroy_v2(t->events[i]);
    mem_free(&allocator_libc, t->events, t->event_room * sizeof *t->events);
}

static int answer(struct timer *t)
{
    const size_t each = t->facts->runs * sizeof(float);
    char *reply = process_reply(t->p, sizeof *t->facts + t->want->sequences * each);
    if (!reply)
        return DRIVER_OUT_OF_MEMORY;
    memcpy(reply, t->facts, sizeof *t->facts);
    for (uint32_t i = 0; i < t->want->sequences; i++)
        memcpy(reply + sizeof *t->facts + i * each, t->of[i].ms, each);
    return DRIVER_OK;
}

static const char *not_to_be_timed(const struct process *p, const struct timing_want *w)
{
    for (uint32_t i = 0; i < w->sequences; i++) {
        const struct sequence *s = p->sequences[i];
        if (!s || !s->launches)
            return "the process that works with the GPU has lost its launches";
        if (s->broken)
            return s->broken;
    }
    return NULL;
}

int process_time(struct process *p, struct gpu_message *m, const char *payload)
{
    struct timing_want want;
    struct timing_facts facts = {0};
    struct timer t = {.p = p, .want = &want, .facts = &facts};
    int status = DRIVER_OK;
    (void)m;
    memcpy(&want, payload, sizeof want);
    if (want.sequences > TIMING_SEQUENCES || !want.most || want.most > TIMING_RUNS_MOST)
        return process_refuse(p, DRIVER_INVALID_VALUE, "no such timing");
    const char *why = not_to_be_timed(p, &want);
    if (why) {
        snprintf(p->say, sizeof p->say, "%s", why);
        return GPU_NOT_RUN;
    }
    for (uint32_t i = 0; i < want.sequences; i++) {
        t.of[i] = (struct timed_sequence){.s = p->sequences[i], .copies = 1,
                                 .ms = mem_alloc(&allocator_libc, want.most * sizeof(float))};
        status = t.of[i].ms ? status : DRIVER_OUT_OF_MEMORY;
    }
    if (status == DRIVER_OK)
        status = time_all(&t);
    if (status == DRIVER_OK)
        status = answer(&t);
    end(&t);
    return status == DRIVER_OK || status == GPU_NOT_RUN
               ? status
               : process_refuse(p, status, "the runs can't be timed");
}
