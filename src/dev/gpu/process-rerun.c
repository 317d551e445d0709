/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running a kept sequence again, in the process that works with the GPU.
 *
 * Each run begins with the same memory. What a run has changed is set back behind it, where it is
 * not timed. Only a number, such as the start of a sum, is set within the run, since its answer
 * needs it.
 *
 * The runs use several copies of the arrays in turn, together more than twice as large as the
 * cache. So a run finds in the cache nothing that an earlier run left there. Arrays to which an
 * address in memory leads can't be moved: then all runs use the arrays themselves.
 *
 * Before each run one thread waits, while the host queues the run. So the card never waits for the
 * host within a run.
 *
 * Short launches that follow each other are queued as one graph. Queued one by one, each takes the
 * card some 2 microseconds to begin, and that differs by a tenth from process to process. From a
 * graph it takes about one, each time.
 */
#include "dev/gpu/process-rerun.h"

#include "base/mem.h"
#include "os/clock.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 256, CLOCK_KHZ = 13, L2_BYTES = 38, IN_A_ROW = 16 };

/* ---- the kernels of this file -------------------------------------------------------------- */

int rerunner_open(struct rerunner *r)
{
    struct process *p = r->p;
    int khz = 0, l2 = 0;
    int status = process_own_kernel(p, "cudalab_wait", &r->wait);
    if (status == DRIVER_OK)
        status = process_own_kernel(p, "cudalab_differ", &r->differ);
    if (status == DRIVER_OK)
        status = p->d.cuDeviceGetAttribute(&khz, CLOCK_KHZ, p->device);
    if (status == DRIVER_OK)
        status = p->d.cuDeviceGetAttribute(&l2, L2_BYTES, p->device);
    r->clock_hz = khz * 1e3;
    r->l2_bytes = (uint64_t)l2;
    return status;
}

int rerunner_start_wait(const struct rerunner *r)
{
    unsigned long long cycles = (unsigned long long)(r->wait_s * r->clock_hz);
    return r->p->d.cuLaunchKernel(r->wait, 1, 1, 1, 1, 1, 1, 0, r->p->stream, (void *[]){&cycles},
                                  NULL);
}

static int start_differ(struct rerunner *r, const struct kept_area *k, uint64_t flag)
{
    enum { BLOCKS_MOST = 1024, THREADS = 256, EACH = 16 };
    uint64_t a = k->address, b = k->before, bytes = k->bytes;
    uint64_t blocks = bytes / (THREADS * EACH) + 1;
    return r->p->d.cuLaunchKernel(r->differ, blocks < BLOCKS_MOST ? (unsigned)blocks : BLOCKS_MOST,
                                  1, 1, THREADS, 1, 1, 0, r->p->stream,
                                  (void *[]){&a, &b, &bytes, &flag}, NULL);
}

/* ---- what has changed ---------------------------------------------------------------------- */

static int number_differs(struct rerunner *r, const struct kept_area *k, uint32_t *differs)
{
    uint32_t now;
    int status = r->p->d.cuMemcpyDtoH_v2(&now, k->address, sizeof now);
    *differs = now != k->number;
    return status;
}

/* Compares all that is kept with what is there now; a flag for each. */
static int compare(struct rerunner *r, const struct sequence *s, uint32_t *differs)
{
    const struct driver *d = &r->p->d;
    const size_t room = (s->kept_count + 1) * sizeof *differs;
    uint64_t flags;
    int status = d->cuMemAlloc_v2(&flags, room);
    if (status != DRIVER_OK)
        return status;
    status = d->cuMemsetD8Async(flags, 0, room, r->p->stream);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++)
        if (s->kept[i].before)
            status = start_differ(r, &s->kept[i], flags + i * sizeof *differs);
    if (status == DRIVER_OK)
        status = d->cuStreamSynchronize(r->p->stream);
    if (status == DRIVER_OK)
        status = d->cuMemcpyDtoH_v2(differs, flags, s->kept_count * sizeof *differs);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++)
        if (!s->kept[i].before && !s->kept[i].fixed)
            status = number_differs(r, &s->kept[i], &differs[i]);
    d->cuMemFree_v2(flags);
    return status;
}

static int copy_on_card(struct rerunner *r, uint64_t to, uint64_t from, uint64_t bytes)
{
    return r->p->d.cuMemcpyDtoDAsync_v2(to, from, bytes, r->p->stream);
}

static int set_number(struct rerunner *r, uint64_t address, uint32_t number)
{
    return r->p->d.cuMemsetD32Async(address, number, 1, r->p->stream);
}

static int keep_after(struct rerunner *r, struct kept_area *k)
{
    if (!k->before)
        return r->p->d.cuMemcpyDtoH_v2(&k->number_after, k->address, sizeof k->number_after);
    int status = r->p->d.cuMemAlloc_v2(&k->after, k->bytes);
    return status == DRIVER_OK ? copy_on_card(r, k->after, k->address, k->bytes) : status;
}

/* Memory is as it was before the sequence. */
static int go_back(struct rerunner *r, const struct sequence *s)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++) {
        const struct kept_area *k = &s->kept[i];
        if (k->differs || k->changed)
            status = k->before ? copy_on_card(r, k->address, k->before, k->bytes)
                               : set_number(r, k->address, k->number);
    }
    return status;
}

/* Memory is as it was before all this. */
int rerun_go_forth(struct rerunner *r, const struct rerun *of)
{
    const struct sequence *s = of->s;
    int status = go_back(r, s);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++) {
        const struct kept_area *k = &s->kept[i];
        if (k->differs)
            status = k->before ? copy_on_card(r, k->address, k->after, k->bytes)
                               : set_number(r, k->address, k->number_after);
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

static int add_pointer(struct rerun *of, char *word, struct kept_area *to, uint64_t own)
{
    if (mem_grow(&allocator_libc, (void **)&of->pointers, &of->pointer_capacity, of->pointer_count,
                 sizeof *of->pointers) < 0)
        return DRIVER_OUT_OF_MEMORY;
    to->moves = !to->variable;
    of->pointers[of->pointer_count++] = (struct pointer){word, to, own};
    return DRIVER_OK;
}

/* Finds the addresses among what a launch is given. */
static int find_pointers(struct rerun *of, struct step *step)
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
        if (k && !seen && !kept_is_number(k))
            of->array_bytes += k->bytes;
        if (k)
            status = add_pointer(of, words + at, k, word);
    }
    return status;
}

static uint64_t moved(const struct rerun *of, const struct kept_area *k, uint64_t address,
                      uint32_t copy)
{
    return copy && k->moves
               ? of->further + (copy - 1) * of->stride + k->place + (address - k->address)
               : address;
}

static void point_to(const struct rerun *of, uint32_t copy)
{
    for (size_t i = 0; i < of->pointer_count; i++) {
        const struct pointer *p = &of->pointers[i];
        const uint64_t now = moved(of, p->to, p->own, copy);
        memcpy(p->word, &now, sizeof now);
    }
}

/* Each copy has all arrays; the first half of the copies is filled first, and copied then. */
static int fill_copies(struct rerunner *r, const struct rerun *of)
{
    const uint32_t count = of->copies - 1;
    int status = DRIVER_OK;
    for (size_t i = 0; i < of->s->kept_count && status == DRIVER_OK; i++) {
        const struct kept_area *k = &of->s->kept[i];
        if (k->moves)
            status = copy_on_card(r, of->further + k->place, k->address, k->bytes);
    }
    for (uint32_t have = 1; have < count && status == DRIVER_OK; have *= 2) {
        const uint32_t more = have < count - have ? have : count - have;
        status = copy_on_card(r, of->further + have * of->stride, of->further, more * of->stride);
    }
    return status;
}

static void drop_copies(struct rerunner *r, struct rerun *of)
{
    if (of->further)
        r->p->d.cuMemFree_v2(of->further);
    of->further = 0;
    of->copies = 1;
}

static uint64_t places_for_areas(struct sequence *s, bool *arrays)
{
    uint64_t end = 0;
    *arrays = false;
    for (size_t i = 0; i < s->kept_count; i++)
        if (s->kept[i].moves) {
            s->kept[i].place = end;
            end += (s->kept[i].bytes + ALIGN - 1) / ALIGN * ALIGN;
            *arrays |= !kept_is_number(&s->kept[i]);
        }
    return end;
}

/* Numbers alone are no input, so they need not exceed the cache. */
static uint64_t copies_wanted(const struct rerunner *r, const struct rerun *of, bool arrays)
{
    const uint64_t enough = 2 * r->l2_bytes;
    uint64_t n = 1;
    if (!of->stride || r->p->images.count)
        return 1;
    if (arrays && !r->want->warm && of->stride <= enough)
        n = enough / of->stride + 2;
    return n > r->want->places ? n : r->want->places;
}

/* At most a quarter of the memory that is left is used for copies. */
static int make_copies(struct rerunner *r, struct rerun *of)
{
    size_t left = 0, total;
    bool arrays;
    of->stride = places_for_areas(of->s, &arrays);
    uint64_t n = copies_wanted(r, of, arrays);
    int status = r->p->d.cuMemGetInfo_v2(&left, &total);
    of->in_a_row = r->want->warm ? IN_A_ROW : 1;
    while (n > 1 && status == DRIVER_OK &&
           ((n - 1) * of->stride > left / 4 ||
            r->p->d.cuMemAlloc_v2(&of->further, (n - 1) * of->stride) != DRIVER_OK)) {
        of->further = 0;
        n = n * 3 / 4;
        of->crowded = true;
    }
    of->copies = n ? (uint32_t)n : 1;
    return of->further ? fill_copies(r, of) : status;
}

/* ---- one run --------------------------------------------------------------------------------- */

static int set_numbers(struct rerunner *r, const struct rerun *of, uint32_t copy)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < of->s->kept_count && status == DRIVER_OK; i++) {
        const struct kept_area *k = &of->s->kept[i];
        if (k->changed && !k->before)
            status = set_number(r, moved(of, k, k->address, copy), k->number);
    }
    return status;
}

static int set_arrays_back(struct rerunner *r, const struct rerun *of, uint32_t copy)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < of->s->kept_count && status == DRIVER_OK; i++) {
        const struct kept_area *k = &of->s->kept[i];
        if (k->changed && k->before)
            status = copy_on_card(r, moved(of, k, k->address, copy), k->before, k->bytes);
    }
    return status;
}

/* A run as it is queued. It has parts that are timed, each between two events. */
struct queued {
    struct rerunner *r;
    struct rerun *of;
    uint32_t copy;
    void **events;
    uint32_t used;
    bool open;   /* a timed part has begun and not ended */
    bool graph;  /* it is one */
    bool graphs; /* some part was one */
    double launch_s;
};

static int mark(struct queued *q)
{
    return q->r->p->d.cuEventRecord(q->events[q->used++], q->r->p->stream);
}

static int launch_graph(struct queued *q)
{
    struct process *p = q->r->p;
    void **ready = &q->of->graphs[q->used / 2];
    int status = graph_end(p, ready);
    q->of->no_graphs = status != DRIVER_OK;
    if (status == DRIVER_OK)
        status = mark(q);
    return status == DRIVER_OK ? p->d.cuGraphLaunch(*ready, p->stream) : status;
}

static int close_part(struct queued *q)
{
    int status = q->open && q->graph ? launch_graph(q) : DRIVER_OK;
    if (status == DRIVER_OK && q->open)
        status = mark(q);
    q->open = false;
    return status;
}

static int open_part(struct queued *q, bool graph)
{
    const bool first = q->used == 0;
    int status = graph ? graph_begin(q->r->p) : mark(q);
    if (status != DRIVER_OK) {
        q->of->no_graphs |= graph;
        return status;
    }
    q->graph = graph;
    q->graphs |= graph;
    q->open = true;
    return first ? set_numbers(q->r, q->of, q->copy) : DRIVER_OK;
}

static int queue_store(struct queued *q, const struct step *s)
{
    const struct kept_area *k = kept_at(q->of->s, s->address);
    int status = close_part(q);
    return status == DRIVER_OK
               ? copy_on_card(q->r, moved(q->of, k, s->address, q->copy), s->from, s->bytes)
               : status;
}

/* What prepares a launch with images, or one that prints, is not timed. */
static bool stands_apart(const struct process *p, const struct step *s)
{
    return p->images.count || s->launch.count;
}

/* The first runs show how long the host takes to launch, so they have none. */
static bool begins_graph(const struct queued *q, const struct step *s)
{
    enum { ALONE = 2 };
    const struct sequence *all = q->of->s;
    const struct step *next = s + 1;
    return q->of->alone >= ALONE && !q->of->no_graphs && !stands_apart(q->r->p, s) &&
           next < all->steps + q->of->steps && next->payload && !stands_apart(q->r->p, next);
}

static int queue_launch(struct queued *q, struct step *s)
{
    struct process *p = q->r->p;
    const bool apart = stands_apart(p, s);
    int status = apart ? close_part(q) : DRIVER_OK;
    if (apart && status == DRIVER_OK)
        status = process_clear_prints(p, &s->launch);
    if (apart && status == DRIVER_OK)
        status = process_fill_images(p);
    if (status == DRIVER_OK && !q->open)
        status = open_part(q, begins_graph(q, s));
    const double begin = clock_seconds();
    if (status == DRIVER_OK)
        status = process_start(p, &s->launch);
    q->launch_s += clock_seconds() - begin;
    if (apart && status == DRIVER_OK)
        status = close_part(q);
    return apart && status == DRIVER_OK ? process_return_images(p) : status;
}

static int queue_steps(struct queued *q)
{
    struct rerun *of = q->of;
    int status = rerunner_start_wait(q->r);
    for (size_t i = 0; i < of->steps && status == DRIVER_OK; i++)
        status = of->s->steps[i].payload ? queue_launch(q, &of->s->steps[i])
                                         : queue_store(q, &of->s->steps[i]);
    if (status == DRIVER_OK)
        return close_part(q);
    if (q->open && q->graph) /* it ends here, whatever it has become */
        graph_end(q->r->p, &of->graphs[q->used / 2]);
    of->no_graphs |= q->open && q->graph;
    return status;
}

/* Where a graph can't be had, the run begins again without. */
int rerun_queue(struct rerunner *r, struct rerun *of, void **events)
{
    const uint32_t copy = of->run++ / of->in_a_row % of->copies;
    const bool had_graphs = !of->no_graphs;
    struct queued q = {.r = r, .of = of, .copy = copy, .events = events};
    point_to(of, copy);
    int status = queue_steps(&q);
    if (status != DRIVER_OK && had_graphs && of->no_graphs) {
        status = set_arrays_back(r, of, copy);
        q = (struct queued){.r = r, .of = of, .copy = copy, .events = events};
        status = status == DRIVER_OK ? queue_steps(&q) : status;
    }
    of->graphs_used = q.graphs;
    if (!q.graphs) {
        of->launch_s = of->alone && of->launch_s < q.launch_s ? of->launch_s : q.launch_s;
        of->alone++;
    }
    return status == DRIVER_OK ? set_arrays_back(r, of, copy) : status;
}

int rerun_read(struct rerunner *r, const struct rerun *of, void **events, float *ms)
{
    int status = DRIVER_OK;
    *ms = 0;
    for (uint32_t i = 0; i < of->events && status == DRIVER_OK; i += 2) {
        float part = 0;
        status = r->p->d.cuEventElapsedTime(&part, events[i], events[i + 1]);
        *ms += part;
    }
    return status;
}

/* ---- getting ready --------------------------------------------------------------------------- */

static int by_shared_bytes(const void *a, const void *b)
{
    const struct step *x = *(struct step *const *)a, *y = *(struct step *const *)b;
    return (x->launch.g.shared_bytes > y->launch.g.shared_bytes) -
           (x->launch.g.shared_bytes < y->launch.g.shared_bytes);
}

/* The driver keeps for each kernel how much shared memory it may have. So the launch with the most
 * of it comes last. */
static int prepare_launches(struct rerunner *r, struct rerun *of)
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
        status = process_prepare(r->p, order[i]->module, order[i]->payload, &order[i]->launch);
    for (size_t i = 0; i < of->steps && status == DRIVER_OK; i++)
        if (s->steps[i].payload)
            status = find_pointers(of, &s->steps[i]);
    mem_free(&allocator_libc, order, room);
    return status;
}

/* Two events for each part. */
static void count_events(const struct rerunner *r, struct rerun *of)
{
    bool open = false;
    of->events = 0;
    for (size_t i = 0; i < of->steps; i++) {
        const struct step *s = &of->s->steps[i];
        const bool apart = !s->payload || stands_apart(r->p, s);
        of->events += s->payload && (apart || !open) ? 2 : 0;
        open = !apart;
    }
}

static size_t graphs_room(const struct rerun *of)
{
    return (of->events / 2 + 1) * sizeof *of->graphs;
}

/* The host has stored something since, or another sequence has run: what a run changes is not what
 * differs now. */
static bool needs_a_run(const struct rerunner *r, const struct rerun *of)
{
    return r->want->sequences > 1 || of->steps < of->s->step_count;
}

static int plain_run(struct rerunner *r, struct rerun *of, uint32_t copy)
{
    of->run = copy * of->in_a_row;
    int status = rerun_queue(r, of, r->events);
    return status == DRIVER_OK ? r->p->d.cuStreamSynchronize(r->p->stream) : status;
}

static int find_changes(struct rerunner *r, struct rerun *of, uint32_t *differs)
{
    struct sequence *s = of->s;
    int status = compare(r, s, differs);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++) {
        if (differs[i])
            status = keep_after(r, &s->kept[i]);
        s->kept[i].differs = s->kept[i].changed = differs[i] && status == DRIVER_OK;
    }
    if (status == DRIVER_OK)
        status = go_back(r, s);
    if (status != DRIVER_OK || !needs_a_run(r, of))
        return status;
    for (size_t i = 0; i < s->kept_count; i++)
        s->kept[i].changed = false;
    status = plain_run(r, of, 0);
    if (status == DRIVER_OK)
        status = compare(r, s, differs);
    for (size_t i = 0; i < s->kept_count && status == DRIVER_OK; i++)
        s->kept[i].changed = differs[i];
    return status == DRIVER_OK ? go_back(r, s) : status;
}

/* What no run changes needs no setting back. */
static void drop_unchanged(struct rerunner *r, struct sequence *s)
{
    for (size_t i = 0; i < s->kept_count; i++) {
        struct kept_area *k = &s->kept[i];
        if (k->differs || k->changed || !k->before)
            continue;
        r->p->d.cuMemFree_v2(k->before);
        k->before = 0;
        k->fixed = true;
    }
}

/* A run that was given a copy of the arrays must not change the arrays themselves: then some
 * address is in memory. */
static int try_copy(struct rerunner *r, struct rerun *of, uint32_t *differs)
{
    bool stays = false;
    int status = plain_run(r, of, 1);
    if (status == DRIVER_OK)
        status = compare(r, of->s, differs);
    for (size_t i = 0; i < of->s->kept_count && status == DRIVER_OK; i++)
        stays |= differs[i] && of->s->kept[i].moves;
    if (stays)
        drop_copies(r, of);
    return status == DRIVER_OK ? go_back(r, of->s) : status;
}

int rerun_make_ready(struct rerunner *r, struct rerun *of)
{
    const size_t room = (of->s->kept_count + 1) * sizeof(uint32_t);
    uint32_t *differs = mem_alloc(&allocator_libc, room);
    int status = differs ? find_changes(r, of, differs) : DRIVER_OUT_OF_MEMORY;
    if (status == DRIVER_OK)
        drop_unchanged(r, of->s);
    if (status == DRIVER_OK)
        status = make_copies(r, of);
    if (status == DRIVER_OK && of->copies > 1)
        status = try_copy(r, of, differs);
    mem_free(&allocator_libc, differs, room);
    return status;
}

/* Where all launches take longer, the time from one to the next hardly counts. */
static bool has_short(const struct sequence *s)
{
    const double short_s = 200e-6, all_s = 1;
    return s->shortest < short_s && s->took < all_s;
}

int rerun_prepare(struct rerunner *r, struct rerun *of, struct sequence *s)
{
    *of = (struct rerun){.s = s, .copies = 1, .in_a_row = 1, .no_graphs = !has_short(s)};
    int status = prepare_launches(r, of);
    count_events(r, of);
    of->graphs = mem_alloc(&allocator_libc, graphs_room(of));
    return of->graphs ? status : DRIVER_OUT_OF_MEMORY;
}

void rerun_end(struct rerunner *r, struct rerun *of)
{
    if (!of->s)
        return;
    drop_copies(r, of);
    for (size_t i = 0; i < of->s->kept_count; i++) {
        struct kept_area *k = &of->s->kept[i];
        if (k->after)
            r->p->d.cuMemFree_v2(k->after);
        k->after = 0;
        k->moves = k->differs = k->changed = false;
    }
    for (size_t i = 0; i < of->s->step_count; i++)
        process_drop(&of->s->steps[i].launch);
    mem_free(&allocator_libc, of->pointers, of->pointer_capacity * sizeof *of->pointers);
    if (of->graphs)
        graphs_drop(r->p, of->graphs, of->events / 2);
    mem_free(&allocator_libc, of->graphs, graphs_room(of));
    *of = (struct rerun){.s = NULL};
}
