/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that comes in other ways than by cudaMalloc() and its kin: what nodes of graphs bring and
 * take away, and the program's own that it has registered.
 */
#include "run/area.h"

#include "base/mem.h"

#include "cudalab_runtime_types.h"

enum { PAGE = 4096 };

static uint64_t in_use(const struct run *r, uint64_t pool, bool of_graph)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->area_count; i++) {
        const struct run_area *a = &r->areas[i];
        if (!a->freed && !a->away && a->of_graph == of_graph && (of_graph || a->pool == pool))
            bytes += a->bytes;
    }
    return bytes;
}

static void lift(uint64_t *mark, uint64_t to)
{
    *mark = to > *mark ? to : *mark;
}

/* What a card gets for graphs is a multiple of this. */
static const uint64_t graph_unit = UINT64_C(32) << 20;

static uint64_t in_units(uint64_t bytes)
{
    return (bytes + graph_unit - 1) / graph_unit * graph_unit;
}

/* What the device keeps for graphs stays until it is trimmed. */
static void keep_for_graphs(struct run *r, uint64_t bytes)
{
    bytes = in_units(bytes);
    lift(&r->graph_memory_kept, bytes);
    lift(&r->graph_memory_high, bytes);
    lift(&r->graph_memory_kept_high, bytes);
}

/* A launch of a graph gets its memory at once, though its nodes come later. */
static void keep_for_open(struct run *r)
{
    uint64_t bytes = in_use(r, 0, true);
    const struct run_message *m;
    for (size_t i = 0; (m = run_open_at(r, &i)); i++) {
        const bool comes = m->what == RUN_COME;
        const struct run_area *a = comes || m->what == RUN_RELEASE
                                       ? area_at(r, m->number[0], false) : NULL;
        if (a && a->of_graph)
            bytes = comes ? bytes + a->bytes : bytes - a->bytes;
        keep_for_graphs(r, bytes);
    }
}

/* Memory that nodes of graphs bring. It has an address from the start, and is away. */
int32_t run_reserve(struct run *r, struct run_message *m)
{
    int32_t error = run_allocate(r, m);
    if (error || !m->number[0])
        return error ? error : cudaErrorInvalidValue;
    r->areas[r->area_count - 1].of_graph = true;
    return run_leave_now(r, m->number[0]);
}

/* With cudaMallocAsync, memory may be used behind its place in the stream. */
int32_t run_allocate_in_order(struct run *r, struct run_message *m)
{
    const uint64_t stream = m->number[ALLOCATE_STREAM];
    const int32_t error = run_allocate(r, m);
    struct run_message come = *m;
    come.what = RUN_COME;
    come.number[COME_IS_THERE] = true;
    return error || stream == RUN_NO_STREAM || !m->number[0] ? error
                                                             : run_enqueue(r, &come, stream, NULL);
}

int32_t run_come_now(struct run *r, uint64_t address)
{
    struct err e;
    struct run_area *a = area_at(r, address, false);
    if (!a || !a->away)
        return cudaErrorInvalidValue;
    if (sim_device_allocate_at(r->session.device, a->address, a->bytes,
                               a->name[0] ? a->name : NULL, NULL, &e) != 0)
        return cudaErrorMemoryAllocation;
    a->away = a->leaving = false;
    keep_for_graphs(r, in_use(r, 0, true));
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
        else if (r->areas[i].file && meets(&r->areas[i], first, first + room)) {
            run_note_lacking(r, "cudaHostRegister of memory that shares a page of 4096 bytes with "
                                "other registered memory");
            return cudaErrorNotSupported;
        }
    struct run_area *added = run_one_more_area(r);
    if (!added)
        return cudaErrorMemoryAllocation;
    if (!run_give_shared(r, room, &a.file) ||
        sim_device_allocate_at(r->session.device, a.address, a.bytes, NULL,
                               run_shared_at(r, a.file + (a.address - first), a.bytes),
                               &e) != 0) {
        run_no_more_areas(r);
        return cudaErrorMemoryAllocation;
    }
    *added = a;
    r->area_count++;
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

/* ---- pools ----------------------------------------------------------------------------- */

struct run_pool {
    bool used;
    uint64_t most;                 /* bytes; 0: any */
    uint64_t high, kept, kept_high; /* of what is in use; what the pool has from the device */
    uint64_t set[cudaMemPoolAttrReleaseThreshold + 1]; /* attributes by their numbers */
};

static int32_t add_pool(struct run *r, uint64_t most)
{
    struct run_pool *grown = mem_resize(&allocator_libc, r->pools, r->pool_count * sizeof *grown,
                                        (r->pool_count + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->pools = grown;
    grown[r->pool_count++] = (struct run_pool){
        .used = true, .most = most,
        .set = {[cudaMemPoolReuseFollowEventDependencies] = 1,
                [cudaMemPoolReuseAllowOpportunistic] = 1,
                [cudaMemPoolReuseAllowInternalDependencies] = 1}};
    return 0;
}

/* Pool 1 is the device's own, which is there from the start. */
static struct run_pool *pool_of(struct run *r, uint64_t pool)
{
    if (!r->pool_count && add_pool(r, 0))
        return NULL;
    return pool && pool <= r->pool_count && r->pools[pool - 1].used ? &r->pools[pool - 1] : NULL;
}

int32_t run_pool_check(struct run *r, uint64_t pool, uint64_t bytes)
{
    const struct run_pool *p = pool_of(r, pool);
    if (!p)
        return cudaErrorInvalidValue;
    return p->most && bytes > p->most - in_use(r, pool, false) ? cudaErrorMemoryAllocation : 0;
}

void run_pool_took(struct run *r, uint64_t pool)
{
    struct run_pool *p = pool_of(r, pool);
    const uint64_t now = in_use(r, pool, false);
    lift(&p->high, now);
    lift(&p->kept, now);
    lift(&p->kept_high, p->kept);
}

void run_forget_pools(struct run *r)
{
    mem_free(&allocator_libc, r->pools, r->pool_count * sizeof *r->pools);
    r->pools = NULL;
    r->pool_count = 0;
}

/* Whatever is above the threshold goes back to the device when the host waits for it. */
static void give_back(struct run *r, struct run_pool *p, uint64_t pool, uint64_t keep)
{
    const uint64_t now = in_use(r, pool, false);
    if (p->kept > keep)
        p->kept = now > keep ? now : keep;
}

static int32_t pool_attribute(struct run *r, struct run_message *m)
{
    struct run_pool *p = pool_of(r, m->number[0]);
    const uint64_t pool = m->number[0], id = m->number[1], value = m->number[3];
    const bool sets = m->number[2];
    if (!p || !id || id > cudaMemPoolAttrUsedMemHigh)
        return cudaErrorInvalidValue;
    if (run_is_idle(r))
        give_back(r, p, pool, p->set[cudaMemPoolAttrReleaseThreshold]);
    if (id <= cudaMemPoolAttrReleaseThreshold) {
        if (sets)
            p->set[id] = value;
        m->number[0] = p->set[id];
        return 0;
    }
    const bool is_mark = id == cudaMemPoolAttrReservedMemHigh || id == cudaMemPoolAttrUsedMemHigh;
    if (sets && (!is_mark || value))
        return cudaErrorInvalidValue;
    const uint64_t now = in_use(r, pool, false);
    uint64_t *const mark = id == cudaMemPoolAttrUsedMemHigh ? &p->high : &p->kept_high;
    if (sets)
        *mark = id == cudaMemPoolAttrUsedMemHigh ? now : p->kept;
    m->number[0] = is_mark ? *mark : id == cudaMemPoolAttrUsedMemCurrent ? now : p->kept;
    return 0;
}

static int32_t end_pool(struct run *r, const struct run_message *m)
{
    struct run_pool *p = pool_of(r, m->number[0]);
    if (!p || m->number[0] == 1)
        return cudaErrorInvalidValue;
    p->used = false; /* its memory stays until it is freed */
    return 0;
}

static int32_t trim_pool(struct run *r, const struct run_message *m)
{
    struct run_pool *p = pool_of(r, m->number[0]);
    if (!p)
        return cudaErrorInvalidValue;
    give_back(r, p, m->number[0], m->number[1]);
    return 0;
}

/* On a card, memory counts as used until it is trimmed, although its nodes have ended. */
static int32_t graph_memory(struct run *r, struct run_message *m)
{
    const uint64_t id = m->number[0];
    if (id > cudaGraphMemAttrReservedMemHigh)
        return cudaErrorInvalidValue;
    if (m->number[1] && id == cudaGraphMemAttrReservedMemCurrent)
        r->graph_memory_kept = in_units(in_use(r, 0, true));
    keep_for_open(r);
    if (m->number[1] && id == cudaGraphMemAttrUsedMemHigh)
        r->graph_memory_high = r->graph_memory_kept;
    if (m->number[1] && id == cudaGraphMemAttrReservedMemHigh)
        r->graph_memory_kept_high = r->graph_memory_kept;
    const uint64_t values[] = {r->graph_memory_kept, r->graph_memory_high, r->graph_memory_kept,
                               r->graph_memory_kept_high};
    m->number[0] = values[id];
    return 0;
}

/* ---- advice ---------------------------------------------------------------------------- */

enum { ON_DEVICE = 1, ON_HOST = 2 };

static struct run_area *advised(const struct run *r, const struct run_message *m)
{
    struct run_area *a = area_at(r, m->number[0], false);
    const bool fits = a && a->kind == MEMORY_MANAGED && m->number[1] &&
                      m->number[1] <= a->bytes - (m->number[0] - a->address);
    return fits ? a : NULL;
}

static int32_t advise(const struct run *r, const struct run_message *m)
{
    struct run_area *a = advised(r, m);
    const unsigned where = m->number[3] == cudaMemLocationTypeDevice ? ON_DEVICE : ON_HOST;
    if (!a)
        return cudaErrorInvalidValue;
    if (where == ON_DEVICE && m->number[4])
        return cudaErrorInvalidDevice;
    switch (m->number[2]) {
    case 0: a->prefetched = where; break;
    case cudaMemAdviseSetReadMostly: a->read_mostly = 1; break;
    case cudaMemAdviseUnsetReadMostly: a->read_mostly = 0; break;
    case cudaMemAdviseSetPreferredLocation: a->preferred = where; break;
    case cudaMemAdviseUnsetPreferredLocation: a->preferred = 0; break;
    case cudaMemAdviseSetAccessedBy: a->accessed_by |= where; break;
    case cudaMemAdviseUnsetAccessedBy: a->accessed_by &= ~where; break;
    default: return cudaErrorInvalidValue;
    }
    return 0;
}

static int64_t number_of_place(unsigned place)
{
    return place == ON_DEVICE ? 0 : place == ON_HOST ? cudaCpuDeviceId : cudaInvalidDeviceId;
}

static int64_t type_of_place(unsigned place)
{
    return place == ON_DEVICE ? cudaMemLocationTypeDevice
           : place == ON_HOST ? cudaMemLocationTypeHost : cudaMemLocationTypeInvalid;
}

static int32_t tell_advice(const struct run *r, struct run_message *m)
{
    const struct run_area *a = advised(r, m);
    int64_t first, second = cudaInvalidDeviceId;
    if (!a)
        return cudaErrorInvalidValue;
    switch (m->number[2]) {
    case cudaMemRangeAttributeReadMostly: first = a->read_mostly; break;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId: first = number_of_place(a->preferred); break;
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId: first = number_of_place(a->prefetched); break;
    case cudaMemRangeAttributePreferredLocationType: first = type_of_place(a->preferred); break;
    case cudaMemRangeAttributeLastPrefetchLocationType: first = type_of_place(a->prefetched); break;
    case cudaMemRangeAttributeAccessedBy:
        first = number_of_place(a->accessed_by & ON_DEVICE ? ON_DEVICE : a->accessed_by);
        if (a->accessed_by == (ON_DEVICE | ON_HOST))
            second = cudaCpuDeviceId;
        break;
    default: return cudaErrorInvalidValue;
    }
    m->number[0] = (uint64_t)first;
    m->number[1] = (uint64_t)second;
    return 0;
}

int32_t run_memory_request(struct run *r, struct run_message *m, bool *known)
{
    switch (m->what) {
    case RUN_REGISTER: return add_registered(r, m);
    case RUN_REGISTER_END: return end_registered(r, m);
    case RUN_ADVISE: return advise(r, m);
    case RUN_ADVICE: return tell_advice(r, m);
    case RUN_POOL:
        pool_of(r, 1);
        if (add_pool(r, m->number[0]))
            return cudaErrorMemoryAllocation;
        m->number[0] = r->pool_count;
        return 0;
    case RUN_POOL_END: return end_pool(r, m);
    case RUN_POOL_ATTRIBUTE: return pool_attribute(r, m);
    case RUN_POOL_TRIM: return trim_pool(r, m);
    case RUN_GRAPH_MEMORY: return graph_memory(r, m);
    default: *known = false; return 0;
    }
}
