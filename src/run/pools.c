/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that comes in other ways than by cudaMalloc() and its kin: what nodes of graphs bring and take
 * away, and the program's own that it has registered.
 */
#include "run/area.h"

#include "base/mem.h"

#include "cudalab_runtime_types.h"

enum { PAGE = 4096 };

/* Memory that nodes of graphs bring. It has an address from the start, and is away. */
int32_t run_reserve(struct run *r, struct run_message *m)
{
    int32_t error = run_allocate(r, m);
    if (error || !m->number[0])
        return error ? error : cudaErrorInvalidValue;
    r->areas[r->area_count - 1].of_graph = true;
    return run_leave_now(r, m->number[0]);
}

int32_t run_come_now(struct run *r, uint64_t address)
{
    struct err e;
    struct run_area *a = area_at(r, address, false);
    if (!a || !a->away)
        return cudaErrorInvalidValue;
    if (sim_device_allocate_at(r->session.device, a->address, a->bytes,
                               a->name[0] ? a->name : NULL, &e) != 0)
        return cudaErrorMemoryAllocation;
    a->away = a->leaving = false;
    return 0;
}

bool run_is_there(const struct run *r, uint64_t address)
{
    const struct run_area *a = area_at(r, address, false);
    return a && !a->away && !a->leaving;
}

/* ---- memory of the program's own ------------------------------------------------------- */

static bool meets(const struct run_area *a, uint64_t from, uint64_t to)
{
    return !a->freed && a->address < to && from < a->address + a->bytes;
}

/* The program's pages become pages of the shared file, at an offset that we choose. */
static int32_t add_registered(struct run *r, struct run_message *m)
{
    struct err e;
    struct run_area a = {.address = m->number[0], .bytes = m->number[1], .kind = MEMORY_PINNED,
                         .flags = (unsigned)m->number[2], .got = run_place_of(r, m)};
    const uint64_t first = a.address / PAGE * PAGE;
    if (!a.address || !a.bytes || a.address + a.bytes < a.address ||
        a.bytes > RUN_SHARED_BYTES - r->shared_used)
        return cudaErrorInvalidValue;
    const uint64_t room = (a.address + a.bytes - first + PAGE - 1) / PAGE * PAGE;
    for (size_t i = 0; i < r->area_count; i++)
        if (meets(&r->areas[i], a.address, a.address + a.bytes))
            return r->areas[i].kind == MEMORY_PINNED ? cudaErrorHostMemoryAlreadyRegistered
                                                     : cudaErrorInvalidValue;
        else if (r->areas[i].file && meets(&r->areas[i], first, first + room))
            return cudaErrorNotSupported; /* two that share a page */
    struct run_area *grown = mem_resize(&allocator_libc, r->areas, r->area_count * sizeof a,
                                        (r->area_count + 1) * sizeof a);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->areas = grown;
    a.file = RUN_SHARED_BASE + r->shared_used;
    if (sim_device_allocate_at(r->session.device, a.address, a.bytes, NULL, &e) != 0)
        return cudaErrorMemoryAllocation;
    r->shared_used += room;
    grown[r->area_count++] = a;
    m->number[0] = a.file;
    return 0;
}

static int32_t end_registered(struct run *r, const struct run_message *m)
{
    const struct run_area *a = area_at(r, m->number[0], false);
    if (!a || a->address != m->number[0] || !a->file)
        return cudaErrorHostMemoryNotRegistered;
    int32_t error = run_wait_all(r);
    return error ? error : run_leave_now(r, a->address);
}

int32_t run_memory_request(struct run *r, struct run_message *m, bool *known)
{
    switch (m->what) {
    case RUN_REGISTER: return add_registered(r, m);
    case RUN_REGISTER_END: return end_registered(r, m);
    default: *known = false; return 0;
    }
}
