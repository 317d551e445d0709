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
 */
#include "dev/gpu/process-rerun.h"

#include "base/buf.h"
#include "base/mem.h"
#include "dev/gpu/gpu.h"
#include "os/asset.h"
#include "os/clock.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 256, CLOCK_KHZ = 13, L2_BYTES = 38, IN_A_ROW = 16 };

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

int rerunner_open(struct rerunner *r)
{
    struct process *p = r->p;
    int khz = 0, l2 = 0;
    int status = load_kernels(p);
    if (status == DRIVER_OK)
        status = p->d.cuModuleGetFunction(&r->wait, p->times_module, "cudalab_wait");
    if (status == DRIVER_OK)
        status = p->d.cuModuleGetFunction(&r->differ, p->times_module, "cudalab_differ");
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
        if (!s->kept[i].before)
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
    bool open; /* a timed part has begun and not ended */
    double launch_s;
};

static int mark(struct queued *q)
{
    return q->r->p->d.cuEventRecord(q->events[q->used++], q->r->p->stream);
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
        status = set_numbers(q->r, q->of, q->copy);
    q->open = true;
    return status;
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

static int queue_launch(struct queued *q, struct step *s)
{
    struct process *p = q->r->p;
    const bool apart = stands_apart(p, s);
    int status = apart ? close_part(q) : DRIVER_OK;
    if (apart && status == DRIVER_OK)
        status = process_clear_prints(p, &s->launch);
    if (apart && status == DRIVER_OK)
        status = process_fill_images(p);
    if (status == DRIVER_OK)
        status = open_part(q);
    const double begin = clock_seconds();
    if (status == DRIVER_OK)
        status = process_start(p, &s->launch);
    q->launch_s += clock_seconds() - begin;
    if (apart && status == DRIVER_OK)
        status = close_part(q);
    return apart && status == DRIVER_OK ? process_return_images(p) : status;
}

int rerun_queue(struct rerunner *r, struct rerun *of, void **events)
{
    struct queued q = {.r = r, .of = of, .events = events};
    q.copy = of->run++ / of->in_a_row % of->copies;
    point_to(of, q.copy);
    int status = rerunner_start_wait(r);
    for (size_t i = 0; i < of->steps && status == DRIVER_OK; i++)
        status = of->s->steps[i].payload ? queue_launch(&q, &of->s->steps[i])
                                         : queue_store(&q, &of->s->steps[i]);
    if (status == DRIVER_OK)
        status = close_part(&q);
    of->launch_s = of->launch_s > 0 && of->launch_s < q.launch_s ? of->launch_s : q.launch_s;
    return status == DRIVER_OK ? set_arrays_back(r, of, q.copy) : status;
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

/* ---- getting ready -----------------------------------------------------------------------------
 */

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
        status = make_copies(r, of);
    if (status == DRIVER_OK && of->copies > 1)
        status = try_copy(r, of, differs);
    mem_free(&allocator_libc, differs, room);
    return status;
}

int rerun_prepare(struct rerunner *r, struct rerun *of, struct sequence *s)
{
    *of = (struct rerun){.s = s, .copies = 1, .in_a_row = 1};
    int status = prepare_launches(r, of);
    count_events(r, of);
    return status;
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
    *of = (struct rerun){.s = NULL};
}
