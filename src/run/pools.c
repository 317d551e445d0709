/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory in the order of streams: what nodes of graphs bring and take away.
 */
#include "run/area.h"

#include "cudalab_runtime_types.h"

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
