/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of areas, in the order in which they came, and an index by address of those that are
 * there. An area comes into the index when there is room for the next one, so the last is looked at
 * by itself. It takes the place of those that were freed and that it meets. The calls that get memory
 * are kept here too.
 */
#include "run/area.h"

#include "base/mem.h"
#include "own/arrays.h"

#include <string.h>

static bool has(const struct run_area *a, uint64_t address)
{
    return address >= a->address && (address - a->address < a->bytes || address == a->address);
}

/* How many entries of the index lie at this address or below. */
static size_t entries_to(const struct run *r, uint64_t address)
{
    size_t low = 0, high = r->index_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->areas[r->area_index[middle]].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct run_area *area_at(const struct run *r, uint64_t address, bool freed)
{
    const size_t first = freed ? 0 : r->indexed;
    for (size_t i = r->area_count; i-- > first;)
        if (r->areas[i].freed == freed && has(&r->areas[i], address))
            return &r->areas[i];
    const size_t at = freed ? 0 : entries_to(r, address);
    struct run_area *a = at ? &r->areas[r->area_index[at - 1]] : NULL;
    return a && !a->freed && has(a, address) ? a : NULL;
}

/* False: memory is out, and the area is looked at by itself. */
static bool add_to_index(struct run *r, size_t which)
{
    const struct run_area *a = &r->areas[which];
    if (mem_grow(&allocator_libc, (void **)&r->area_index, &r->index_capacity, r->index_count,
                 sizeof *r->area_index) < 0)
        return false;
    size_t from = entries_to(r, a->address), to = from;
    while (from > 0 && has(&r->areas[r->area_index[from - 1]], a->address))
        from--;
    while (to < r->index_count && has(a, r->areas[r->area_index[to]].address))
        to++;
    memmove(r->area_index + from + 1, r->area_index + to,
            (r->index_count - to) * sizeof *r->area_index);
    r->area_index[from] = which;
    r->index_count = r->index_count - (to - from) + 1;
    return true;
}

struct run_area *run_one_more_area(struct run *r)
{
    struct run_area *grown = mem_resize(&allocator_libc, r->areas, r->area_count * sizeof *grown,
                                        (r->area_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    r->areas = grown;
    while (r->indexed < r->area_count && add_to_index(r, r->indexed))
        r->indexed++;
    return &grown[r->area_count];
}

void run_no_more_areas(struct run *r)
{
    r->areas = mem_resize(&allocator_libc, r->areas, (r->area_count + 1) * sizeof *r->areas,
                          r->area_count * sizeof *r->areas);
}

void run_keep_areas(struct run *r, size_t count)
{
    if (count)
        r->areas = mem_resize(&allocator_libc, r->areas, r->area_count * sizeof *r->areas,
                              count * sizeof *r->areas);
    else {
        mem_free(&allocator_libc, r->areas, r->area_count * sizeof *r->areas);
        r->areas = NULL;
    }
    r->area_count = count;
    mem_free(&allocator_libc, r->area_index, r->index_capacity * sizeof *r->area_index);
    r->area_index = NULL;
    r->indexed = r->index_count = r->index_capacity = 0;
}

/* ---- the calls ------------------------------------------------------------------------- */

struct run_site {
    struct run_place at;
    bool failed;
    char name[RUN_NAME];
};

static bool one_line(const struct run_site *s, const struct run_place *at)
{
    return s->at.line == at->line && strcmp(s->at.file, at->file) == 0;
}

const char *run_site_name(struct run *r, const struct run_place *at)
{
    struct run_site made = {.at = *at};
    unsigned number = 0;
    bool in_order = true;
    for (size_t i = 0; i < r->site_count; i++) {
        const struct run_site *s = &r->sites[i];
        if (!one_line(s, at))
            continue;
        if (s->at.call == at->call)
            return s->name;
        in_order = in_order && !s->failed && s->at.call < at->call;
        number++;
    }
    if (!at->line || mem_grow(&allocator_libc, (void **)&r->sites, &r->site_capacity,
                              r->site_count, sizeof *r->sites) < 0)
        return "";
    run_name_of(r, at, number, in_order, made.name, sizeof made.name);
    r->sites[r->site_count] = made;
    return r->sites[r->site_count++].name;
}

void run_site_failed(struct run *r, const struct run_place *at)
{
    for (size_t i = 0; i < r->site_count; i++)
        r->sites[i].failed |= one_line(&r->sites[i], at);
}

void run_forget_sites(struct run *r)
{
    mem_free(&allocator_libc, r->sites, r->site_capacity * sizeof *r->sites);
    r->sites = NULL;
    r->site_count = r->site_capacity = 0;
}

/* ---- names -------------------------------------------------------------------------------- */

void run_name_arrays(struct run *r)
{
    struct err ignored; /* without memory there are fewer names */
    for (size_t i = 0; i < r->area_count; i++) {
        const struct run_area *a = &r->areas[i];
        if (!a->freed && !a->away && !a->is_variable && a->name[0])
            array_add_variable(&r->session, r, a->name, ELEMENT_U8, false, NULL, NULL, a->bytes,
                               a->address, false, &ignored);
    }
}
