/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that works with the GPU keeps sequences of launches, so that process-times.c can run
 * them again. Before the first launch all memory is copied on the card. Then each launch is kept,
 * with what the host stores between two of them. Nothing that a sequence may use goes away before
 * it is forgotten: what is freed meanwhile is only marked.
 *
 * A sequence that can't be kept, most often for lack of memory, does no harm to its launches. It
 * says so when it is to be timed.
 */
#include "dev/gpu/process-sequence.h"

#include "base/mem.h"
#include "os/clock.h"

#include <string.h>

static const char no_memory_here[] = "this computer has no memory left to keep its launches";
static const char no_memory_there[] = "the GPU has too little memory left for a copy of its arrays";

bool kept_is_number(const struct kept_area *k)
{
    return k->bytes == sizeof k->number && k->address % sizeof k->number == 0;
}

bool process_keeps(const struct process *p)
{
    for (int i = 0; i < TIMING_SEQUENCES; i++)
        if (p->sequences[i])
            return true;
    return false;
}

/* The one that was begun last: what happens now belongs to it. */
static struct sequence *current(const struct process *p)
{
    for (int i = TIMING_SEQUENCES; i-- > 0;)
        if (p->sequences[i])
            return p->sequences[i];
    return NULL;
}

/* ---- memory ------------------------------------------------------------------------------ */

static int copy_area(struct process *p, struct kept_area *k)
{
    if (kept_is_number(k))
        return p->d.cuMemcpyDtoH_v2(&k->number, k->address, sizeof k->number);
    int status = p->d.cuMemAlloc_v2(&k->before, k->bytes);
    return status == DRIVER_OK
               ? p->d.cuMemcpyDtoDAsync_v2(k->before, k->address, k->bytes, p->stream)
               : status;
}

static int keep_area(struct process *p, struct sequence *s, const struct area *a)
{
    struct kept_area k = {
        .address = a->address, .bytes = a->asked, .variable = a->kind == AREA_VARIABLE};
    if (mem_grow(&allocator_libc, (void **)&s->kept, &s->kept_capacity, s->kept_count,
                 sizeof *s->kept) < 0) {
        s->broken = no_memory_here;
        return DRIVER_OK;
    }
    int status = copy_area(p, &k);
    if (status == DRIVER_OUT_OF_MEMORY)
        s->broken = no_memory_there;
    s->kept[s->kept_count++] = k;
    return status == DRIVER_OUT_OF_MEMORY ? DRIVER_OK : status;
}

static bool is_kept(const struct sequence *s, uint64_t address)
{
    for (size_t i = 0; i < s->kept_count; i++)
        if (s->kept[i].address == address)
            return true;
    return false;
}

/* Copies all areas that are not kept yet: at the begin all of them, later those that have come
 * since. A later one was filled by the host only, so its bytes are the same before each run. */
int process_keep_memory(struct process *p, uint32_t number)
{
    struct sequence **at = &p->sequences[(number - 1) % TIMING_SEQUENCES];
    if (!*at && !(*at = mem_alloc(&allocator_libc, sizeof **at)))
        return DRIVER_OUT_OF_MEMORY;
    int status = p->d.cuStreamSynchronize(NULL);
    for (size_t i = 0; i < p->area_count && status == DRIVER_OK && !(*at)->broken; i++)
        if (!p->areas[i].gone && p->areas[i].asked && !is_kept(*at, p->areas[i].address))
            status = keep_area(p, *at, &p->areas[i]);
    return status == DRIVER_OK ? p->d.cuStreamSynchronize(p->stream) : status;
}

/* ---- steps ------------------------------------------------------------------------------- */

static struct step *add_step(struct sequence *s)
{
    if (mem_grow(&allocator_libc, (void **)&s->steps, &s->step_capacity, s->step_count,
                 sizeof *s->steps) < 0) {
        s->broken = no_memory_here;
        return NULL;
    }
    s->steps[s->step_count] = (struct step){.payload = NULL};
    return &s->steps[s->step_count++];
}

int process_keep_launch(struct process *p, const struct gpu_message *m, const char *payload,
                        double took)
{
    struct sequence *s = current(p);
    struct step *step = s && !s->broken ? add_step(s) : NULL;
    if (!step)
        return DRIVER_OK;
    s->shortest = s->launches++ && s->shortest < took ? s->shortest : took;
    s->took += took;
    step->payload = mem_alloc(&allocator_libc, (size_t)m->payload + 1);
    if (!step->payload) {
        s->broken = no_memory_here;
        return DRIVER_OK;
    }
    step->room = (size_t)m->payload + 1;
    memcpy(step->payload, payload, (size_t)m->payload);
    step->module = m->id;
    return DRIVER_OK;
}

/* Bytes of an area that is not kept yet will be, with them. */
int process_keep_store(struct process *p, uint64_t address, uint64_t bytes)
{
    struct sequence *s = current(p);
    bool kept = false;
    for (size_t i = 0; s && i < s->kept_count; i++)
        kept |= address - s->kept[i].address < s->kept[i].bytes;
    struct step *step = kept && bytes && !s->broken && s->launches ? add_step(s) : NULL;
    if (!step)
        return DRIVER_OK;
    *step = (struct step){.address = address, .bytes = bytes};
    int status = p->d.cuStreamSynchronize(NULL);
    if (status == DRIVER_OK)
        status = p->d.cuMemAlloc_v2(&step->from, bytes);
    if (status == DRIVER_OUT_OF_MEMORY) {
        s->broken = no_memory_there;
        return DRIVER_OK;
    }
    if (status == DRIVER_OK)
        status = p->d.cuMemcpyDtoDAsync_v2(step->from, address, bytes, p->stream);
    return status == DRIVER_OK ? p->d.cuStreamSynchronize(p->stream) : status;
}

/* ---- forgetting -------------------------------------------------------------------------- */

static void forget(struct process *p, struct sequence *s)
{
    for (size_t i = 0; i < s->kept_count; i++)
        if (s->kept[i].before)
            p->d.cuMemFree_v2(s->kept[i].before);
    for (size_t i = 0; i < s->step_count; i++) {
        mem_free(&allocator_libc, s->steps[i].payload, s->steps[i].room);
        if (s->steps[i].from)
            p->d.cuMemFree_v2(s->steps[i].from);
    }
    mem_free(&allocator_libc, s->kept, s->kept_capacity * sizeof *s->kept);
    mem_free(&allocator_libc, s->steps, s->step_capacity * sizeof *s->steps);
    mem_free(&allocator_libc, s, sizeof *s);
}

int process_forget(struct process *p, struct gpu_message *m, const char *payload)
{
    (void)m, (void)payload;
    for (int i = 0; i < TIMING_SEQUENCES; i++) {
        if (p->sequences[i])
            forget(p, p->sequences[i]);
        p->sequences[i] = NULL;
    }
    process_release_images(p);
    process_release_modules(p);
    process_release_areas(p);
    return DRIVER_OK;
}
