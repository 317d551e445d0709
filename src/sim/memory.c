/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Global memory: a sorted list of allocations, each with host memory behind it, never two
 * at one address during the life of a handle, so that a stale pointer is always seen.
 *
 * Addresses are made up, so allocations lie far apart: no 32-bit index of one array leads into
 * another, and the array that is nearest to a wrong address is the one it was computed from.
 * The distance shrinks when a program makes very many allocations.
 *
 * A launch that faults must leave memory as it was: the first write to a page of an
 * allocation keeps a copy of that page (memory_save), and memory_restore puts them back.
 */
#include "sim/run.h"

#include <inttypes.h>
#include <string.h>

enum { GAP = 512 };
#define APART_MOST (UINT64_C(1) << 37) /* from the end of one to the start of the next */
#define REACH      (UINT64_C(1) << 36) /* a 32-bit index of elements of 16 bytes */

/* The addresses of arrays and of device malloc's pieces: below those of the host's own memory and
 * of 47 bits, as a GPU's are. What does not fit goes above all of them. */
#define ARRAY_ROOM ((struct room){UINT64_C(0x010000000000), UINT64_C(0x550000000000)})
#define HEAP_ROOM  ((struct room){UINT64_C(0x640000000000), UINT64_C(0x7f0000000000)})
#define SMALL_ROOM ((struct room){UINT64_C(0x638000000000), UINT64_C(0x638000000000)})
#define SPARE_ROOM ((struct room){UINT64_C(1) << 48, UINT64_C(1) << 62})

void memory_rooms(struct sim *s)
{
    s->arrays = ARRAY_ROOM;
    s->heap = HEAP_ROOM;
    s->spare = SPARE_ROOM;
    s->small = SMALL_ROOM; /* it has no place yet, and grows */
}

static size_t first_above(const struct sim *s, uint64_t address)
{
    size_t lo = 0, hi = s->allocation_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->allocations[mid]->address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The live allocation that holds the address; hint is its index last time, or any number. */
struct allocation *memory_find(struct sim *s, uint64_t address, uint32_t *hint)
{
    if (*hint < s->allocation_count) {
        struct allocation *a = s->allocations[*hint];
        if (address - a->address < a->size && !a->freed)
            return a;
    }
    size_t above = first_above(s, address);
    if (above == 0)
        return NULL;
    struct allocation *a = s->allocations[above - 1];
    if (address - a->address >= a->size || a->freed)
        return NULL;
    *hint = (uint32_t)(above - 1);
    return a;
}

uint32_t memory_inside(struct sim *s, uint32_t mask, unsigned bytes, const uint64_t address[LANES])
{
    uint32_t inside = 0, hint = UINT32_MAX;
    EACH_LANE(i, mask) {
        const struct allocation *a = memory_find(s, address[i], &hint);
        if (a && bytes <= a->size - (address[i] - a->address))
            inside |= 1u << i;
    }
    return inside;
}

/* The allocation that a wrong address was most likely computed from: the nearest one. */
struct allocation *memory_near(struct sim *s, uint64_t address)
{
    size_t above = first_above(s, address);
    struct allocation *below = above ? s->allocations[above - 1] : NULL;
    struct allocation *next = above < s->allocation_count ? s->allocations[above] : NULL;
    if (below && address - below->address < below->size)
        return below;
    uint64_t past = below ? address - below->address - below->size : UINT64_MAX;
    uint64_t before = next ? next->address - address : UINT64_MAX;
    if (before < past)
        return before <= REACH ? next : NULL;
    return past <= REACH ? below : NULL;
}

/* Bytes more than the array has, so that it can start at a cache line. Small ones need none: they
 * end where their memory ends, and sanitizers see each byte that is beyond. */
static size_t spare_bytes(uint64_t size)
{
    return size < PAGE ? 0 : HOST_LINE;
}

/* Memory that has no address yet, and room for it on the list; NULL: sim_message() says why. `host`:
 * the caller's bytes; NULL: it gets its own. */
static struct allocation *new_memory(struct sim *s, uint64_t bytes, const char *name, void *host)
{
    struct allocation *a = NULL;
    size_t name_bytes = name ? strlen(name) + 1 : 0;
    if (bytes > s->limits.global_bytes - s->bytes_in_use) {
        sim_fail(s, 0,
                 "%" PRIu64 " bytes are more than the device has left: %" PRIu64
                 " of %" PRIu64 " are in use",
                 bytes, s->bytes_in_use, s->limits.global_bytes);
        return NULL;
    }
    if (s->allocation_count >= UINT32_MAX ||
        mem_grow(&s->allocator, (void **)&s->allocations, &s->allocation_capacity,
                 s->allocation_count, sizeof *s->allocations) < 0 ||
        !(a = mem_alloc(&s->allocator, sizeof *a))) {
        sim_fail(s, 0, "out of memory");
        return NULL;
    }
    a->size = bytes;
    a->given = host ? NULL : mem_alloc(&s->allocator, bytes + spare_bytes(bytes));
    a->name = name_bytes ? mem_alloc(&s->allocator, name_bytes) : NULL;
    if ((!a->given && !host) || (name_bytes && !a->name)) {
        mem_free(&s->allocator, a->given, bytes + spare_bytes(bytes));
        mem_free(&s->allocator, a->name, a->name ? name_bytes : 0);
        mem_free(&s->allocator, a, sizeof *a);
        sim_fail(s, 0, "this computer has no %" PRIu64 " bytes left for the device's memory",
                 bytes);
        return NULL;
    }
    a->host = host ? host : spare_bytes(bytes) ? host_line(a->given) : a->given;
    if (name)
        memcpy(a->name, name, name_bytes);
    return a;
}

static void add_to_list(struct sim *s, struct allocation *a, uint64_t address)
{
    size_t at = first_above(s, address);
    memmove(s->allocations + at + 1, s->allocations + at,
            (s->allocation_count - at) * sizeof *s->allocations);
    s->allocations[at] = a;
    s->allocation_count++;
    a->address = address;
    s->bytes_in_use += a->size;
}

/* The distance from the end of one allocation to the start of the next. It shrinks as room is
 * used. */
static uint64_t distance(const struct room *room)
{
    enum { SHARES = 512 };
    uint64_t apart = APART_MOST;
    while (apart > GAP && apart > (room->end - room->next) / SHARES)
        apart /= 2;
    return apart;
}

static uint64_t rounded_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Finds the next free place of the room. sim_malloc_at() may have taken places there: these are passed
 * over. */
static uint64_t next_place(struct sim *s, struct room *room, uint64_t bytes, uint64_t align)
{
    uint64_t apart = distance(room), at = rounded_up(room->next, align);
    size_t above = first_above(s, at);
    if (above && at - s->allocations[above - 1]->address < s->allocations[above - 1]->size + GAP)
        at = rounded_up(s->allocations[above - 1]->address + s->allocations[above - 1]->size + GAP,
                        align);
    while (above < s->allocation_count && s->allocations[above]->address - at < bytes + GAP) {
        const struct allocation *there = s->allocations[above++];
        at = rounded_up(there->address + there->size + GAP, align);
    }
    if (room != &s->spare && (at > room->end || room->end - at < bytes + apart))
        return next_place(s, &s->spare, bytes, align);
    room->next = at + bytes + apart;
    return at;
}

int memory_allocate(struct sim *s, struct room *room, uint64_t bytes, uint64_t align,
                    const char *name, struct allocation **out)
{
    struct allocation *a = new_memory(s, bytes, name, NULL);
    if (!a)
        return -1;
    add_to_list(s, a, next_place(s, room, bytes, align ? align : 1));
    *out = a;
    return 0;
}

/* In a room of this size, things lie as close together as they can. */
int memory_allocate_small(struct sim *s, uint64_t bytes, uint64_t align, const char *name,
                          struct allocation **out)
{
    enum { ROOM = 1 << 18 };
    if (s->small.end - s->small.next < bytes + align + 2 * GAP)
        s->small = (struct room){s->small.end, s->small.end + ROOM};
    return memory_allocate(s, &s->small, bytes, align, name, out);
}

/* Frees the memory and keeps the record, so that a later use of it can be named. */
void memory_free(struct sim *s, struct allocation *a)
{
    if (a->freed)
        return;
    mem_free(&s->allocator, a->given, a->size + spare_bytes(a->size));
    a->given = a->host = NULL;
    a->freed = true;
    s->bytes_in_use -= a->size;
}

/* Frees the memory and the record. The caller takes it off the list. */
static void memory_release(struct sim *s, struct allocation *a)
{
    memory_free(s, a);
    mem_free(&s->allocator, a->name, a->name ? strlen(a->name) + 1 : 0);
    mem_free(&s->allocator, a, sizeof *a);
}

void memory_drop(struct sim *s, struct allocation *a)
{
    size_t at = first_above(s, a->address) - 1;
    memmove(s->allocations + at, s->allocations + at + 1,
            (s->allocation_count - at - 1) * sizeof *s->allocations);
    s->allocation_count--;
    memory_release(s, a);
}

void memory_drop_later(struct sim *s, struct allocation *a)
{
    memory_free(s, a);
    a->going = true;
}

void memory_drop_now(struct sim *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->allocation_count; i++)
        if (s->allocations[i]->going)
            memory_release(s, s->allocations[i]);
        else
            s->allocations[kept++] = s->allocations[i];
    s->allocation_count = kept;
}

int sim_malloc(struct sim *s, uint64_t bytes, const char *name, uint64_t *address)
{
    struct allocation *a = NULL;
    if (memory_allocate(s, &s->arrays, bytes, 256, name, &a) < 0)
        return -1;
    *address = a->address;
    return 0;
}

int memory_allocate_at(struct sim *s, uint64_t address, uint64_t bytes, const char *name, void *host,
                       struct allocation **out)
{
    if (bytes > UINT64_MAX - GAP || address > UINT64_MAX - GAP - bytes)
        return sim_fail(s, 0, "there are no %" PRIu64 " bytes from 0x%" PRIx64 " on", bytes, address);
    for (size_t i = s->allocation_count; i-- > 0;) {
        struct allocation *there = s->allocations[i];
        if (there->address >= address + bytes + GAP || there->address + there->size <= address)
            continue;
        if (!there->freed)
            return sim_fail(s, 0, "0x%" PRIx64 " is in use", address);
        memory_drop(s, there);
    }
    struct allocation *a = new_memory(s, bytes, name, host);
    if (!a)
        return -1;
    add_to_list(s, a, address);
    *out = a;
    return 0;
}

int sim_malloc_at(struct sim *s, uint64_t address, uint64_t bytes, const char *name)
{
    struct allocation *a;
    return memory_allocate_at(s, address, bytes, name, NULL, &a);
}

int sim_malloc_over(struct sim *s, uint64_t address, uint64_t bytes, const char *name, void *host)
{
    struct allocation *a;
    return memory_allocate_at(s, address, bytes, name, host, &a);
}

/* So many freed arrays stay on the list, so that a use after the free can be named. */
enum { REMEMBERED = 1024 };

/* Of the freed arrays only those with the highest addresses stay. This looks at all arrays, so it is
 * done only now and then. */
static void forget_freed(struct sim *s)
{
    size_t freed = 0;
    for (size_t i = 0; i < s->allocation_count; i++)
        freed += s->allocations[i]->freed;
    for (size_t i = 0; i < s->allocation_count; i++)
        s->allocations[i]->going |= s->allocations[i]->freed && freed-- > REMEMBERED;
    memory_drop_now(s);
}

int sim_free(struct sim *s, uint64_t address)
{
    size_t at = first_above(s, address);
    struct allocation *a = at ? s->allocations[at - 1] : NULL;
    if (sim_not_running(s, "memory is freed") != 0)
        return -1;
    if (!a || a->address != address || a->freed || a->module_owned || a->heap)
        return sim_fail(s, 0, "nothing was allocated at 0x%" PRIx64, address);
    memory_free(s, a);
    if (++s->frees % REMEMBERED == 0)
        forget_freed(s);
    return 0;
}

static struct allocation *span(struct sim *s, uint64_t address, uint64_t bytes)
{
    uint32_t hint = UINT32_MAX;
    struct allocation *a = memory_find(s, address, &hint);
    if (a && bytes <= a->size - (address - a->address))
        return a;
    sim_fail(s, 0, "%" PRIu64 " bytes at 0x%" PRIx64 " are not all in one allocation", bytes, address);
    return NULL;
}

int sim_write(struct sim *s, uint64_t address, const void *from, uint64_t bytes)
{
    struct allocation *a = bytes ? span(s, address, bytes) : NULL;
    if (a)
        memcpy(a->host + (address - a->address), from, (size_t)bytes);
    return a || !bytes ? 0 : -1;
}

int sim_read(struct sim *s, uint64_t address, void *to, uint64_t bytes)
{
    struct allocation *a = bytes ? span(s, address, bytes) : NULL;
    if (a)
        memcpy(to, a->host + (address - a->address), (size_t)bytes);
    return a || !bytes ? 0 : -1;
}

/* ---- undo ---------------------------------------------------------------------------- */

static size_t slot_of(const struct sim_run *r, uint64_t key)
{
    size_t at = (size_t)(key / PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 20);
    for (;; at++) {
        uint64_t there = r->saved_set[at & (r->saved_slots - 1)];
        if (there == key || there == 0)
            return at & (r->saved_slots - 1);
    }
}

static int widen_set(struct sim_run *r)
{
    struct allocator *from = &r->sim->allocator;
    uint64_t *old = r->saved_set;
    size_t old_slots = r->saved_slots, slots = old_slots ? old_slots * 2 : 1024;
    uint64_t *wider = mem_alloc(from, slots * sizeof *wider);
    if (!wider)
        return -1;
    r->saved_set = wider;
    r->saved_slots = slots;
    for (size_t i = 0; i < old_slots; i++)
        if (old[i])
            wider[slot_of(r, old[i])] = old[i];
    mem_free(from, old, old_slots * sizeof *old);
    return 0;
}

static int save_page(struct sim_run *r, struct allocation *a, uint64_t page)
{
    uint64_t start = page * PAGE, left = a->size - start;
    if (mem_grow(&r->sim->allocator, (void **)&r->saved, &r->saved_capacity, r->saved_count,
                 sizeof *r->saved) < 0)
        return -1;
    struct saved_page *p = arena_take(&r->arena, sizeof *p);
    if (!p)
        return -1;
    p->of = a;
    p->page = page;
    memcpy(p->bytes, a->host + start, left < PAGE ? (size_t)left : PAGE);
    r->saved[r->saved_count++] = p;
    return 0;
}

/* The same where workers share the pages: the first one that writes to a page saves it, and the
 * others wait for that. */
static int save_shared(struct sim_run *r, struct allocation *a, uint64_t page)
{
    unsigned char *saved = &a->saved[page], fresh = PAGE_FRESH;
    while (__atomic_load_n(saved, __ATOMIC_ACQUIRE) != PAGE_SAVED) {
        fresh = PAGE_FRESH;
        if (!__atomic_compare_exchange_n(saved, &fresh, PAGE_BEING_SAVED, false, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED))
            continue;
        const int rc = save_page(r, a, page);
        __atomic_store_n(saved, rc < 0 ? PAGE_FRESH : PAGE_SAVED, __ATOMIC_RELEASE);
        if (rc < 0)
            return -1;
    }
    return 0;
}

/* Bytes from..to (offsets, to excluded) of an allocation are about to be written. */
int memory_save(struct sim_run *r, struct allocation *a, uint64_t from, uint64_t to)
{
    for (uint64_t page = from / PAGE; a->saved && page <= (to - 1) / PAGE; page++)
        if (save_shared(r, a, page) < 0)
            return -1;
    if (a->saved)
        return 0;
    if (a->heap || a->address == r->workspace) /* goes as a whole, before the launch ends */
        return 0;
    for (uint64_t page = from / PAGE; page <= (to - 1) / PAGE; page++) {
        uint64_t key = a->address + page * PAGE;
        if (2 * r->saved_count >= r->saved_slots && widen_set(r) < 0)
            return -1;
        size_t at = slot_of(r, key);
        if (r->saved_set[at])
            continue;
        if (save_page(r, a, page) < 0)
            return -1;
        r->saved_set[at] = key;
    }
    return 0;
}

void memory_restore(struct sim_run *r)
{
    for (size_t i = 0; i < r->saved_count; i++) {
        struct saved_page *p = r->saved[i];
        uint64_t start = p->page * PAGE, left = p->of->size - start;
        memcpy(p->of->host + start, p->bytes, left < PAGE ? (size_t)left : PAGE);
    }
}
