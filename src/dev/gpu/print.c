/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the ring that kernels/gpu-print.cu writes. After a fault the ring is as the GPU left it, so
 * incomplete records and empty room are skipped.
 *
 * Text is made by the same rules as on the simulator, and as many bytes of it are kept, by block
 * and thread. So what is lost does not depend on which thread came first.
 *
 * Records don't say of which grid they are. Where device code may have launched grids, blocks and
 * threads of several grids have the same numbers. Then the records stay as they came.
 */
#include "dev/gpu/gpu.h"

#include "base/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED, ASSERTED };
enum { HEAD = 4 };
enum { TEXT_MOST = 1 << 20 }; /* bytes kept of what one launch prints, as on the simulator */

void gpu_ring_clear(struct gpu_ring *ring)
{
    const uint64_t size = (GPU_RING_BYTES - sizeof *ring) / sizeof ring->at[0];
    uint64_t used = ring->used < size ? ring->used : size;
    memset(ring->at, 0, used * sizeof ring->at[0]);
    *ring = (struct gpu_ring){.size = size};
}

void gpu_ring_abandon(struct gpu_ring *ring)
{
    ring->used = ring->size;
}

struct ring_record {
    uint64_t kind, block, thread, words;
    const char *format;
    size_t format_bytes;
    const uint64_t *rest, *end;
};

/* Reads the record at *at and moves *at behind it; false: there are no more. */
static bool next_record(const struct gpu_ring *ring, uint64_t *at, struct ring_record *r)
{
    uint64_t all = ring->used < ring->size ? ring->used : ring->size;
    const uint64_t *w;
    for (;;) {
        while (*at < all && ring->at[*at] == 0)
            ++*at;
        w = &ring->at[*at];
        uint64_t unfinished = *at < all ? 0 - w[0] : 0;
        if (unfinished == 0 || unfinished > all - *at)
            break;
        *at += unfinished;
    }
    if (*at + HEAD > all || w[0] < HEAD || w[0] > all - *at)
        return false;
    *r = (struct ring_record){.kind = w[1] & 0xffffffff, .block = w[2], .thread = w[3],
                              .words = w[0], .format = (const char *)(w + HEAD),
                              .format_bytes = w[1] >> 32, .end = w + w[0]};
    size_t format_words = (r->format_bytes + 7) / 8;
    if (format_words > w[0] - HEAD)
        return false;
    r->rest = w + HEAD + format_words;
    *at += w[0];
    return true;
}

static bool take_word(void *self, void *out, size_t bytes)
{
    struct ring_record *r = self;
    memset(out, 0, bytes);
    if (r->rest >= r->end)
        return false;
    memcpy(out, r->rest++, bytes < 8 ? bytes : 8);
    return true;
}

/* A string's length and bytes follow its address. */
static const char *take_text(void *self, uint64_t address, size_t *length)
{
    struct ring_record *r = self;
    uint64_t n = 0;
    if (!take_word(r, &n, sizeof n) || (n + 7) / 8 > (uint64_t)(r->end - r->rest))
        return NULL;
    const char *at = (const char *)r->rest;
    r->rest += (n + 7) / 8;
    *length = n;
    return address ? at : NULL;
}

struct fault *gpu_fault_add(struct launch_result *result, const char *kind)
{
    struct fault *all = arena_alloc(&result->memory, (result->fault_count + 1) * sizeof *all);
    if (!all)
        return NULL;
    if (result->fault_count)
        memcpy(all, result->faults, result->fault_count * sizeof *all);
    result->faults = all;
    struct fault *f = &all[result->fault_count++];
    f->count = 1;
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    return f;
}

/* ---- the lines, in order ---------------------------------------------------------------- */

struct print_line {
    struct ring_record record;
    size_t number;
};

static int by_thread(const void *a, const void *b)
{
    const struct print_line *x = a, *y = b;
    if (x->record.block != y->record.block)
        return x->record.block < y->record.block ? -1 : 1;
    if (x->record.thread != y->record.thread)
        return x->record.thread < y->record.thread ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static struct print_line *all_lines(const struct gpu_ring *ring, bool many_grids, size_t *count,
                                    struct arena *memory)
{
    struct ring_record r;
    uint64_t at = 0;
    *count = 0;
    while (next_record(ring, &at, &r))
        ++*count;
    struct print_line *lines = arena_alloc(memory, (*count + 1) * sizeof *lines);
    at = 0;
    for (size_t i = 0; lines && next_record(ring, &at, &r); i++) {
        if (many_grids) {
            r.block = i;
            r.thread = 0;
        }
        lines[i] = (struct print_line){r, i};
    }
    if (lines)
        qsort(lines, *count, sizeof *lines, by_thread);
    return lines;
}

/* A print's place is the number of its record, since records are in order of execution. */
static int add_print(struct print_line *l, size_t *bytes, struct launch_result *result)
{
    struct ring_record *r = &l->record;
    const struct format_source from = {take_word, take_text, r};
    struct buf out = {0};
    int rc = 0;
    out.most = TEXT_MOST;
    format_like_printf(&from, r->format, r->format_bytes, &out);
    if (out.full || *bytes + out.len > TEXT_MOST)
        result->prints_lost++;
    else {
        char *copy = arena_text(&result->memory, buf_text(&out), out.len);
        result->prints[l->number] = (struct launch_print){r->block, r->thread, copy, out.len};
        *bytes += out.len;
        rc = copy ? 0 : -1;
    }
    rc = out.failed && !out.full ? -1 : rc;
    buf_free(&out);
    return rc;
}

/* ---- what is wrong ----------------------------------------------------------------------- */

static void split_index(uint64_t linear, const unsigned size[3], unsigned out[3])
{
    unsigned x = size[0] ? size[0] : 1, y = size[1] ? size[1] : 1;
    out[0] = (unsigned)(linear % x);
    out[1] = (unsigned)(linear / x % y);
    out[2] = (unsigned)(linear / x / y);
}

static int add_assertion(struct ring_record *r, const struct launch_want *want,
                         bool many_grids, struct launch_result *result)
{
    struct fault *f = gpu_fault_add(result, "assert");
    uint64_t line = 0;
    size_t n = 0;
    if (!f)
        return -1;
    take_word(r, &line, sizeof line);
    const char *file = take_text(r, 1, &n);
    f->ends = true;
    f->has_place = !many_grids;
    f->at.line = (int)line;
    split_index(r->block, want->grid, f->at.block);
    split_index(r->thread, want->block, f->at.thread);
    snprintf(f->at.file, sizeof f->at.file, "%.*s", (int)n, file ? file : "");
    snprintf(f->message, sizeof f->message, "%.*s:%u: the assertion `%.*s` failed",
             (int)(n < 80 ? n : 80), file ? file : "", (unsigned)line,
             (int)(r->format_bytes < 100 ? r->format_bytes : 100), r->format);
    return 0;
}

static int add_lost(struct launch_result *result)
{
    struct fault *f = result->prints_lost ? gpu_fault_add(result, "printf-overflow") : NULL;
    if (!f)
        return result->prints_lost ? -1 : 0;
    f->benign = true;
    snprintf(f->message, sizeof f->message,
             "%zu printf calls did not fit into the buffer of %d bytes and were lost",
             result->prints_lost, TEXT_MOST);
    return 0;
}

int gpu_prints(const struct gpu_ring *ring, const struct launch_want *want, bool many_grids,
               struct launch_result *result)
{
    size_t count, bytes = 0;
    bool asserted = false;
    struct print_line *lines = all_lines(ring, many_grids, &count, &result->memory);
    result->prints = arena_alloc(&result->memory, (count + 1) * sizeof *result->prints);
    if (!lines || !result->prints)
        return -1;
    result->prints_lost = ring->lost;
    for (size_t i = 0; i < count; i++) {
        struct ring_record *r = &lines[i].record;
        if (r->kind == PRINTED && add_print(&lines[i], &bytes, result) != 0)
            return -1;
        if (r->kind == ASSERTED && !asserted &&
            add_assertion(r, want, many_grids, result) != 0)
            return -1;
        asserted = asserted || r->kind == ASSERTED;
    }
    for (size_t i = 0; i < count; i++)
        if (result->prints[i].text)
            result->prints[result->print_count++] = result->prints[i];
    return add_lost(result);
}
