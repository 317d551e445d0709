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

/* As numbers of a request say it: bytes of a row, rows, layers. */
static void add(struct run_cost *c, enum run_way way, uint64_t width, uint64_t height,
                uint64_t depth)
{
    c->transfers[way].count++;
    c->transfers[way].bytes += width * height * depth;
}

/* The kind of the copy says which way it goes; a copy within the host is none of the device's. */
void run_cost_copy(struct run_cost *c, const struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number; /* to, from, width, height, depth, ... kind */
    uint64_t from, to;
    switch (m->what == RUN_FILL ? UINT64_MAX : n[9]) {
    case UINT64_MAX: add(c, RUN_WAY_FILL, n[2], n[3], 1); return;
    case cudaMemcpyHostToDevice: add(c, RUN_WAY_IN, n[2], n[3], n[4]); return;
    case cudaMemcpyDeviceToHost: add(c, RUN_WAY_OUT, n[2], n[3], n[4]); return;
    case cudaMemcpyDeviceToDevice: add(c, RUN_WAY_WITHIN, n[2], n[3], n[4]); return;
    case cudaMemcpyDefault: break;
    default: return;
    }
    const bool to_device = run_area_range(r, n[0], &from, &to);
    const bool from_device = run_area_range(r, n[1], &from, &to);
    if (to_device || from_device)
        add(c, !from_device ? RUN_WAY_IN : !to_device ? RUN_WAY_OUT : RUN_WAY_WITHIN, n[2], n[3],
            n[4]);
}
