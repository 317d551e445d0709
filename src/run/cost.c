/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program's launches and copies cost, added up over the whole run.
 */
#include "run/run.h"

#include "base/mem.h"

#include "cudalab_runtime_types.h"

#include <string.h>

const char *const run_way_names[RUN_WAYS] = {"host to device", "device to host",
                                             "within the device", "fill"};

/* ---- lines ----------------------------------------------------------------------------- */

static int by_place(const struct line_count *x, const struct line_count *y)
{
    int files = strcmp(x->file, y->file);
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

/* The first line of the list that is not before this one. */
static size_t place_of(const struct run_cost *c, const struct line_count *l)
{
    size_t lo = 0, hi = c->line_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (by_place(&c->lines[mid], l) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool insert(struct run_cost *c, size_t at, const struct line_count *l)
{
    char *file = arena_text(&c->names, l->file, strlen(l->file));
    if (!file || mem_grow(&allocator_libc, (void **)&c->lines, &c->line_room, c->line_count,
                          sizeof *c->lines) != 0)
        return false;
    memmove(c->lines + at + 1, c->lines + at, (c->line_count - at) * sizeof *c->lines);
    c->lines[at] = *l;
    c->lines[at].file = file;
    c->line_count++;
    return true;
}

/* Both lists are sorted. Without memory for it the costs are not known. */
void run_cost_launch(struct run_cost *c, const struct launch_result *result)
{
    for (size_t i = 0; i < result->line_count && !c->lines_lost; i++) {
        const struct line_count *l = &result->lines[i];
        const size_t at = place_of(c, l);
        if (at < c->line_count && by_place(&c->lines[at], l) == 0)
            counters_add(&c->lines[at].counters, &l->counters);
        else
            c->lines_lost = !insert(c, at, l);
    }
}

void run_cost_free(struct run_cost *c)
{
    mem_free(&allocator_libc, c->lines, c->line_room * sizeof *c->lines);
    arena_free(&c->names);
    *c = (struct run_cost){.lines = NULL};
}

/* ---- transfers ------------------------------------------------------------------------- */

/* As numbers of the request say it: bytes of a row, rows, layers. */
uint64_t run_cost_bytes(const struct run_message *m)
{
    const uint64_t *n = m->number;
    return m->what == RUN_FILL ? n[FILL_WIDTH] * n[FILL_HEIGHT]
                               : n[COPY_WIDTH] * n[COPY_HEIGHT] * n[COPY_DEPTH];
}

/* The kind of the copy says which way it goes. */
enum run_way run_cost_way(const struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    uint64_t from, to;
    if (m->what == RUN_FILL)
        return RUN_WAY_FILL;
    switch (n[COPY_KIND]) {
    case cudaMemcpyHostToDevice: return RUN_WAY_IN;
    case cudaMemcpyDeviceToHost: return RUN_WAY_OUT;
    case cudaMemcpyDeviceToDevice: return RUN_WAY_WITHIN;
    case cudaMemcpyDefault: break;
    default: return RUN_WAYS;
    }
    const bool to_device = run_area_range(r, n[COPY_TO], &from, &to);
    const bool from_device = run_area_range(r, n[COPY_FROM], &from, &to);
    return from_device ? to_device ? RUN_WAY_WITHIN : RUN_WAY_OUT
                       : to_device ? RUN_WAY_IN : RUN_WAYS;
}

void run_cost_copy(struct run_cost *c, const struct run *r, const struct run_message *m)
{
    const enum run_way way = run_cost_way(r, m);
    if (way == RUN_WAYS)
        return;
    c->transfers[way].count++;
    c->transfers[way].bytes += run_cost_bytes(m);
}
