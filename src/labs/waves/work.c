/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of blocks on SMs, and what follows from where and when each block ran.
 */
#include "labs/waves/work.h"

#include "base/mem.h"
#include "labkit/lab.h"

/* ---- lengths ---------------------------------------------------------------------------- */

/* Uneven lengths are drawn from the seed, between half and one and a half times the average. */
static void draw_rounds(struct waves *w)
{
    const struct waves_want *want = &w->want;
    for (unsigned b = 0; b < want->blocks; b++) {
        uint64_t more = (uint64_t)lab_drawn(want->seed, b) * (want->work + 1) >> 32;
        w->rounds[b] = want->uneven ? want->work / 2 + (unsigned)more : want->work;
    }
}

/* ---- the model -------------------------------------------------------------------------- */

/* Places for blocks in a heap: the one that is free first, then the lowest number. */
struct block_place { uint64_t free_at; unsigned number, blocks; };

static bool goes_first(const struct block_place *a, const struct block_place *b)
{
    return a->free_at != b->free_at ? a->free_at < b->free_at : a->number < b->number;
}

static void sink(struct block_place *heap, unsigned count)
{
    unsigned at = 0;
    for (unsigned child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && goes_first(&heap[child + 1], &heap[child]);
        if (!goes_first(&heap[child], &heap[at]))
            return;
        struct block_place p = heap[at];
        heap[at] = heap[child];
        heap[child] = p;
    }
}

int waves_place(struct waves *w, struct report *r)
{
    const unsigned count = w->sms * w->places;
    const double unit = w->want.work;
    struct block_place *heap = mem_alloc(&allocator_libc, count * sizeof *heap);
    if (!heap)
        return report_fail_limit(r, "out of memory; fewer blocks need less");
    for (unsigned i = 0; i < count; i++)
        heap[i] = (struct block_place){0, i, 0};
    for (unsigned b = 0; b < w->want.blocks; b++) {
        struct block_place *p = &heap[0];
        const uint64_t begin = p->free_at;
        p->free_at += w->rounds[b];
        w->block[b] = (struct waves_block){p->number % w->sms, p->number / w->sms, p->blocks++,
                                           (double)begin / unit, (double)p->free_at / unit};
        sink(heap, count);
    }
    mem_free(&allocator_libc, heap, count * sizeof *heap);
    return 0;
}

/* ---- what follows ----------------------------------------------------------------------- */

int waves_sum_up(struct waves *w, struct report *r)
{
    const unsigned slots = w->sms * w->places, blocks = w->want.blocks;
    double used = 0;
    unsigned char *seen = mem_alloc(&allocator_libc, w->sms);
    if (!seen)
        return report_fail_limit(r, "out of memory");
    w->at_once = slots;
    w->one_more = slots + 1;
    w->twice = 2 * slots;
    w->threads = blocks * w->want.threads;
    w->waves = (blocks + slots - 1) / slots;
    w->last_wave = blocks - (w->waves - 1) * slots;
    w->free = slots - w->last_wave;
    w->open = slots > blocks ? slots - blocks : 0;
    w->waits = blocks > slots ? blocks - slots : 0;
    w->one_waits = w->waits == 1;
    w->modelled = !w->measured;
    w->shows_times = w->modelled || r->volatile_on;
    w->shows_measured = w->measured && r->volatile_on;
    w->idle_sms = w->sms;
    for (unsigned b = 0; b < blocks; b++) {
        const struct waves_block *k = &w->block[b];
        if (k->sm < w->sms && !seen[k->sm]++)
            w->idle_sms--;
        used += k->end - k->begin;
        w->span = k->end > w->span ? k->end : w->span;
    }
    w->busy = w->span > 0 ? used / (w->span * slots) : 0;
    mem_free(&allocator_libc, seen, w->sms);
    return 0;
}

int waves_prepare(struct waves *w, const struct waves_want *want, const struct device_props *p,
                   struct report *r)
{
    const struct occupancy_want each = {(int)want->threads, 0, want->shared};
    const struct occupancy o = occupancy_of(p, &each);
    *w = (struct waves){.want = *want, .sms = (unsigned)p->multiprocessors,
                        .places = (unsigned)o.blocks, .right = true};
    if (o.blocks == 0)
        return report_fail(r, "no block of %u threads with %llu bytes of shared memory fits on an "
                              "SM here; `occupancy --threads %u --smem %llu` shows why",
                           want->threads, (unsigned long long)want->shared, want->threads,
                           (unsigned long long)want->shared);
    w->block = mem_alloc(&allocator_libc, want->blocks * sizeof *w->block);
    w->rounds = mem_alloc(&allocator_libc, want->blocks * sizeof *w->rounds);
    if (!w->block || !w->rounds)
        return report_fail_limit(r, "out of memory; fewer blocks need less");
    draw_rounds(w);
    return 0;
}

int waves_model(struct waves *w, const struct waves_want *want, const struct device_props *p,
                struct report *r)
{
    return waves_prepare(w, want, p, r) || waves_place(w, r) || waves_sum_up(w, r) ? -1 : 0;
}

void waves_free(struct waves *w)
{
    mem_free(&allocator_libc, w->block, w->block ? w->want.blocks * sizeof *w->block : 0);
    mem_free(&allocator_libc, w->rounds, w->rounds ? w->want.blocks * sizeof *w->rounds : 0);
    launch_result_free(&w->result);
    w->block = NULL;
    w->rounds = NULL;
}
