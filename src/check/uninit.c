/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One bit for each byte: of arrays and pieces of the heap in pages, of shared memory for each block
 * under way, of local memory for each warp.
 *
 * A page of an array is all written, all fresh, or has its bits; what a launch adds stands in a
 * second row of bits until the launch has ended well. A block's bits are made when it starts.
 * Local memory is watched only in modules without calls of device functions, since the copies
 * that a call makes are no accesses.
 *
 * An element of a vector that is read counts like a read of its own. But compilers read a struct
 * by vectors, and then the padding comes along: see is_padding().
 */
#include "check/uninit.h"

#include "check/chosen.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 32, PAGE = 4096, HINTS = 64, WIDEST = 256, OFTEN = 64, MOST_FREED = 4096 };

/* Where a page's pointer stands is known to the page, so that it can be put in its place. */
struct page {
    struct page **place;
    size_t listed; /* its number on the list of those with fresh bits, from 1; 0: it is not there */
    size_t words;  /* of each row; bits beyond the array's end are set */
    uint64_t *fresh;
    uint64_t written[]; /* the fresh ones stand behind these */
};

struct span {
    uint64_t address, bytes;
    bool all;            /* every byte is written */
    bool heap, freed;    /* a piece that malloc gave; that was given back */
    struct page **pages; /* NULL: nothing of the page is; PAGE_ALL: all of it is */
    size_t page_count;
};

/* Shared and local memory of a block under way. */
struct block_bits {
    uint64_t index;
    struct block_bits *next;
    uint64_t *shared, *local; /* one piece of memory, shared first */
    bool whole;               /* all of its shared memory is written: so it stays */
    unsigned asked;           /* accesses to it */
};

struct uninit {
    struct span **spans; /* by address */
    size_t count, capacity;
    size_t freed; /* of these, pieces of the heap that were given back */
    /* of the launch that is watched */
    struct findings *out;
    struct chosen chosen;
    unsigned grid[3], block_size[3];
    size_t shared_bytes, shared_words, local_words; /* of a block */
    size_t local_bytes;                             /* of a thread */
    struct block_bits *blocks, *spare;
    struct span *hint[HINTS]; /* by pc: the array reached last time */
    struct page **changed;    /* those with fresh bits */
    size_t changed_count, changed_capacity;
    bool watch_local;
};

static const struct allocator *const from = &allocator_libc;

/* Stands for pages that are written from end to end. */
static struct page *const PAGE_ALL = (struct page *)(uintptr_t)1;

/* ---- rows of bits ---------------------------------------------------------------------- */

static uint64_t ones(unsigned n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static void set_bits(uint64_t *bits, uint64_t at, uint64_t n)
{
    while (n) {
        unsigned low = at % 64, here = n < 64 - low ? (unsigned)n : 64 - low;
        bits[at / 64] |= ones(here) << low;
        at += here;
        n -= here;
    }
}

/* Are all n bits set in one row or the other? */
static bool all_bits(const uint64_t *a, const uint64_t *b, uint64_t at, uint64_t n)
{
    while (n) {
        unsigned low = at % 64, here = n < 64 - low ? (unsigned)n : 64 - low;
        uint64_t want = ones(here) << low;
        if (((a[at / 64] | b[at / 64]) & want) != want)
            return false;
        at += here;
        n -= here;
    }
    return true;
}

/* Is none of n bits set? */
static bool no_bits(const uint64_t *a, uint64_t at, uint64_t n)
{
    while (n) {
        unsigned low = at % 64, here = n < 64 - low ? (unsigned)n : 64 - low;
        if (a[at / 64] & ones(here) << low)
            return false;
        at += here;
        n -= here;
    }
    return true;
}

static bool any_bits(const uint64_t *a, const uint64_t *b, uint64_t at, unsigned n)
{
    return (a[at / 64] | b[at / 64]) >> at % 64 & ones(n);
}

/* ---- arrays ---------------------------------------------------------------------------- */

static size_t first_above(const struct uninit *u, uint64_t address)
{
    size_t lo = 0, hi = u->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (u->spans[mid]->address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static struct span *find(const struct uninit *u, uint64_t address)
{
    size_t above = first_above(u, address);
    struct span *s = above ? u->spans[above - 1] : NULL;
    return s && address - s->address < s->bytes ? s : NULL;
}

static bool has_bits(const struct page *p)
{
    return p && p != PAGE_ALL;
}

static size_t page_bytes(size_t words)
{
    return sizeof(struct page) + 2 * words * sizeof(uint64_t);
}

/* Off the list of those with fresh bits: the last one takes its place. */
static void free_page(struct uninit *u, struct page *p)
{
    if (!has_bits(p))
        return;
    if (p->listed) {
        struct page *last = u->changed[--u->changed_count];
        u->changed[p->listed - 1] = last;
        last->listed = p->listed;
    }
    mem_put(from, p, page_bytes(p->words));
}

static void free_pages(struct uninit *u, struct span *s)
{
    for (size_t i = 0; i < s->page_count; i++)
        free_page(u, s->pages[i]);
    mem_put(from, s->pages, s->page_count * sizeof *s->pages);
    s->pages = NULL;
    s->page_count = 0;
}

static void free_span(struct uninit *u, struct span *s)
{
    free_pages(u, s);
    mem_put(from, s, sizeof *s);
}

/* Forget the pieces of the heap that were given back, or all of them. */
static void drop_heap(struct uninit *u, bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < u->count; i++) {
        struct span *s = u->spans[i];
        if (s->heap && (all || s->freed))
            free_span(u, s);
        else
            u->spans[kept++] = s;
    }
    u->count = kept;
    u->freed = 0;
    memset(u->hint, 0, sizeof u->hint);
}

void uninit_array(struct uninit *u, uint64_t address, size_t bytes)
{
    struct span *s = bytes ? mem_get(from, sizeof *s) : NULL;
    if (!s || mem_grow(from, (void **)&u->spans, &u->capacity, u->count, sizeof *u->spans) < 0) {
        mem_put(from, s, sizeof *s);
        return;
    }
    size_t at = first_above(u, address);
    *s = (struct span){.address = address, .bytes = bytes};
    s->page_count = (bytes + PAGE - 1) / PAGE;
    s->pages = mem_get(from, s->page_count * sizeof *s->pages);
    if (!s->pages) {
        s->page_count = 0;
        s->all = true;
    }
    memmove(u->spans + at + 1, u->spans + at, (u->count - at) * sizeof *u->spans);
    u->spans[at] = s;
    u->count++;
}

void uninit_drop(struct uninit *u, uint64_t address)
{
    size_t at = first_above(u, address);
    if (!at || u->spans[at - 1]->address != address)
        return;
    free_span(u, u->spans[at - 1]);
    memmove(u->spans + at - 1, u->spans + at, (u->count - at) * sizeof *u->spans);
    u->count--;
}

/* A page of which everything is written, or nothing. */
static void set_page(struct uninit *u, struct span *s, size_t i, struct page *whole)
{
    free_page(u, s->pages[i]);
    s->pages[i] = whole;
}

/* The page with its bits, made where it had none; NULL: it is all written, or there is no room
 * for its bits, and then it counts as all written. */
static struct page *page_to_change(struct span *s, size_t i)
{
    struct page *p = s->pages[i];
    if (p)
        return p == PAGE_ALL ? NULL : p;
    uint64_t left = s->bytes - i * PAGE, bytes = left < PAGE ? left : PAGE;
    size_t words = (bytes + 63) / 64 + 1; /* one more: the last access may reach beyond the end */
    p = mem_get(from, page_bytes(words));
    s->pages[i] = p ? p : PAGE_ALL;
    if (!p)
        return NULL;
    p->place = &s->pages[i];
    p->words = words;
    p->fresh = p->written + words;
    set_bits(p->written, bytes, words * 64 - bytes);
    return p;
}

static void host_wrote(struct uninit *u, struct span *s, uint64_t at, uint64_t n)
{
    while (n && !s->all) {
        size_t i = at / PAGE;
        uint64_t end = (i + 1) * (uint64_t)PAGE < s->bytes ? (i + 1) * (uint64_t)PAGE : s->bytes;
        uint64_t here = n < end - at ? n : end - at;
        if (at % PAGE == 0 && at + here == end) {
            set_page(u, s, i, PAGE_ALL);
        } else {
            struct page *p = page_to_change(s, i);
            if (p)
                set_bits(p->written, at % PAGE, here);
        }
        at += here;
        n -= here;
    }
}

void uninit_wrote(struct uninit *u, uint64_t address, size_t bytes)
{
    struct span *s = bytes ? find(u, address) : NULL;
    if (!s)
        return;
    host_wrote(u, s, address - s->address, bytes);
    if (address == s->address && bytes == s->bytes)
        s->all = true;
}

void uninit_copied(struct uninit *u, uint64_t to, const struct uninit *others, uint64_t at)
{
    struct span *s = find(u, to);
    const struct span *old = find(others, at);
    if (!s || !old || old->all || s->page_count != old->page_count)
        return;
    s->all = false;
    for (size_t i = 0; i < s->page_count; i++) {
        const struct page *bits = has_bits(old->pages[i]) ? old->pages[i] : NULL;
        set_page(u, s, i, bits ? NULL : old->pages[i]);
        struct page *p = bits ? page_to_change(s, i) : NULL;
        size_t words = p && p->words < bits->words ? p->words : bits ? bits->words : 0;
        if (p)
            memcpy(p->written, bits->written, words * sizeof *p->written);
    }
}

void uninit_all(struct uninit *u)
{
    for (size_t i = 0; i < u->count; i++)
        u->spans[i]->all = true;
}

/* ---- what a warp does ------------------------------------------------------------------ */

static const char *const whose[] = {
    [SIM_SHARED] = "no thread of its block has written",
    [SIM_LOCAL] = "it has not written",
    [SIM_GLOBAL] = "nobody has written",
    [SIM_CLUSTER] = "no thread of its cluster has written",
};

/* The first of n bytes of a lane that nobody has written; the same is so for `times` lanes. */
static void found(struct uninit *u, const struct sim_event *e, unsigned lane, unsigned from_byte,
                  unsigned n, unsigned times)
{
    struct finding_side at = {.code = e->code};
    const struct finding_pair *pair = findings_pair(u->out, SIM_UNINITIALIZED, e->code, NULL);
    bool fresh;
    if (pair->seen) {
        struct sim_fault *again = findings_of(u->out, pair);
        if (again)
            again->count += times;
        return;
    }
    memcpy(at.block, e->block, sizeof at.block);
    finding_thread(u->block_size, e->warp * LANES + lane, at.thread);
    struct sim_fault *f = findings_add(u->out, SIM_UNINITIALIZED, &at, NULL, e->when, &fresh);
    if (f)
        f->count += times - 1;
    if (!f || !fresh)
        return;
    char what[FINDING_NAME], who[64];
    finding_name(e->run, e->space, e->address[lane] + from_byte, n, f, what);
    if (e->space == SIM_CLUSTER)
        finding_owner(u->grid, e->owner, what);
    finding_who(&f->at, e->space == SIM_GLOBAL || e->space == SIM_CLUSTER, who);
    snprintf(f->message, sizeof f->message, "%s %s %s, which %s", who,
             e->access == SIM_LOAD ? "reads" : "updates", what, whose[e->space]);
}

/*
 * Could the elements of a vector that nobody has written, a bit each in `none`, be padding of a
 * struct? It begins behind a member and ends at the struct's end, or where the next member begins,
 * whose alignment is more than what the padding fills.
 */
static bool is_padding(unsigned none, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned end = i;
        while (end < count && none >> end & 1)
            end++;
        if (end > i && (i == 0 || (end < count && (end & (0 - end)) <= end - i)))
            return false;
        i = end;
    }
    return true;
}

/* A struct is copied as a whole, and padding is nowhere used. */
static bool only_copied(struct uninit *u, const struct sim_event *e, unsigned none)
{
    for (unsigned k = 0; none >> k; k++)
        if (none >> k & 1 && !chosen_copied(&u->chosen, e->pc, k))
            return false;
    return true;
}

static unsigned elements(const struct sim_event *e)
{
    return e->part && e->access == SIM_LOAD ? e->bytes / e->part : 1;
}

/* Lanes of one access that read the same elements unwritten, of one array. */
struct unwritten {
    uint32_t lanes;
    unsigned none; /* a bit for each element of which no byte is written */
    const struct span *of;
};

static void judge(struct uninit *u, const struct sim_event *e, const struct unwritten *w)
{
    const unsigned count = elements(e), n = e->bytes / count, none = w->none;
    const unsigned lane = (unsigned)__builtin_ctz(w->lanes);
    const unsigned times = (unsigned)__builtin_popcount(w->lanes);
    unsigned read = none; /* not only loaded ahead of the question */
    for (unsigned k = 0; none >> k; k++)
        read &= ~((unsigned)chosen_element(&u->chosen, e->pc, k) << k);
    if (!read)
        return;
    if (none == ones(count)) {
        const bool structs = e->space == SIM_GLOBAL && !sim_scalar_at(e->run, e->address[lane]);
        if (!chosen_filler(&u->chosen, e->pc, structs))
            found(u, e, lane, 0, e->bytes, times);
    } else if (!is_padding(none, count) || !only_copied(u, e, read)) {
        found(u, e, lane, (unsigned)__builtin_ctz(read) * n, n, times);
    }
}

/* What was put together is judged, and the next lanes begin anew. */
static void judge_all(struct uninit *u, const struct sim_event *e, struct unwritten *w)
{
    if (w->lanes)
        judge(u, e, w);
    w->lanes = 0;
}

/* A lane reads: the bits of its bytes are at `at` in the one row or the other. */
static void look(struct uninit *u, const struct sim_event *e, unsigned lane, const uint64_t *a,
                 const uint64_t *b, uint64_t at, const struct span *of, struct unwritten *w)
{
    const unsigned count = elements(e), n = e->bytes / count;
    unsigned none = 0;
    for (unsigned k = 0; k < count; k++)
        none |= (unsigned)!any_bits(a, b, at + k * n, n) << k;
    if (!none)
        return;
    if (w->none != none || w->of != of)
        judge_all(u, e, w);
    w->none = none;
    w->of = of;
    w->lanes |= 1u << lane;
}

/*
 * A number is read of which only some bytes are written: is a whole element of the array among the
 * others? Where the kernel's structs may lie in the array, or the load may copy a part of one,
 * those bytes may be padding.
 */
static void look_inside(struct uninit *u, const struct sim_event *e, unsigned lane,
                        const struct page *p, uint64_t at)
{
    if (e->part != e->bytes || !chosen_single(&u->chosen, e->pc))
        return;
    const unsigned each = sim_scalar_at(e->run, e->address[lane]);
    for (unsigned k = 0; each && any_bits(p->written, p->fresh, at, e->bytes) && k < e->bytes;
         k += each)
        if (each < e->bytes && !any_bits(p->written, p->fresh, at + k, each)) {
            found(u, e, lane, k, each, 1);
            return;
        }
}

static void touch(struct uninit *u, const struct sim_event *e, unsigned lane, uint64_t *bits,
                  uint64_t at, struct unwritten *w)
{
    if (e->access != SIM_STORE)
        look(u, e, lane, bits, bits, at, NULL, w);
    if (e->access != SIM_LOAD)
        bits[at / 64] |= ones(e->bytes) << at % 64;
}

/* Is the byte written, for every lane, where its access begins? If that holds for each element of
 * a vector, nothing is to be found. */
static bool first_bits(const uint64_t *bits, const struct sim_event *e, uint64_t base,
                       uint64_t apart)
{
    uint64_t known = 1;
    for (unsigned i = 0; e->even && !apart && i < LANES; i++) {
        uint64_t at = base + e->first + i * e->step;
        known &= bits[at / 64] >> at % 64;
    }
    if (e->even && !apart)
        return known;
    for (uint32_t left = e->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t at = base + lane * apart + e->address[lane];
        known &= bits[at / 64] >> at % 64;
    }
    return known;
}

static bool parts_begun(const uint64_t *bits, const struct sim_event *e, uint64_t base,
                        uint64_t apart)
{
    bool begun = e->part != 0;
    for (unsigned at = 0; begun && at < e->bytes; at += e->part)
        begun = first_bits(bits, e, base + at, apart);
    return begun;
}

/* Lane i's bits begin at base + i * apart. */
static void touch_flat(struct uninit *u, const struct sim_event *e, uint64_t *bits, uint64_t base,
                       uint64_t apart)
{
    struct unwritten w = {0};
    if (e->even && e->step + WIDEST <= 2 * WIDEST && !apart) {
        const bool down = e->step > WIDEST; /* a negative step */
        const uint64_t reach = (LANES - 1) * (down ? 0 - e->step : e->step);
        const uint64_t at = base + e->first - (down ? reach : 0), n = reach + e->bytes;
        if (e->access == SIM_STORE && e->step == e->bytes) {
            set_bits(bits, at, n);
            return;
        }
        if (all_bits(bits, bits, at, n))
            return;
        if (e->access == SIM_LOAD && no_bits(bits, at, n)) {
            judge(u, e, &(struct unwritten){e->mask, (unsigned)ones(elements(e)), NULL});
            return;
        }
    }
    if (e->access == SIM_LOAD && e->halves && e->step <= WIDEST && !apart) {
        uint64_t n = (LANES / 2 - 1) * e->step + e->bytes;
        if (all_bits(bits, bits, base + e->address[0], n) &&
            all_bits(bits, bits, base + e->address[LANES / 2], n))
            return;
    }
    if (e->access == SIM_LOAD && parts_begun(bits, e, base, apart))
        return;
    for (uint32_t left = e->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        touch(u, e, lane, bits, base + lane * apart + e->address[lane], &w);
    }
    judge_all(u, e, &w);
}

/* The page whose bits are about to change is put on the list once in a launch. */
static struct page *fresh_page(struct uninit *u, struct span *s, size_t i)
{
    struct page *p = page_to_change(s, i);
    if (!p || p->listed)
        return p;
    if (mem_grow(from, (void **)&u->changed, &u->changed_capacity, u->changed_count,
                 sizeof *u->changed) < 0) {
        s->all = true; /* what can't be remembered must count as written */
        return NULL;
    }
    u->changed[u->changed_count++] = p;
    p->listed = u->changed_count;
    return p;
}

/* All lanes next to each other, within one page: stored, or found written as a whole. */
static bool touch_row(struct uninit *u, const struct sim_event *e, struct span *s)
{
    uint64_t at = e->first - s->address, n = (uint64_t)LANES * e->bytes;
    size_t i = at / PAGE;
    if (!e->even || e->step != e->bytes || at % PAGE + n > PAGE)
        return false;
    struct page *p = e->access == SIM_STORE ? fresh_page(u, s, i) : s->pages[i];
    if (e->access == SIM_STORE) {
        if (p)
            set_bits(p->fresh, at % PAGE, n);
        return true;
    }
    return p == PAGE_ALL || (p && all_bits(p->written, p->fresh, at % PAGE, n));
}

static void touch_array(struct uninit *u, const struct sim_event *e, struct span *s, unsigned lane,
                        struct unwritten *w)
{
    uint64_t at = e->address[lane] - s->address;
    static const uint64_t nothing[PAGE / 64];
    struct page *p = s->pages[at / PAGE];
    if (p == PAGE_ALL)
        return;
    if (e->access != SIM_STORE)
        look(u, e, lane, p ? p->written : nothing, p ? p->fresh : nothing, at % PAGE, s, w);
    if (e->access == SIM_LOAD) {
        if (p && !all_bits(p->written, p->fresh, at % PAGE, e->bytes))
            look_inside(u, e, lane, p, at % PAGE);
        return;
    }
    p = fresh_page(u, s, at / PAGE);
    if (p)
        set_bits(p->fresh, at % PAGE, e->bytes);
}

/* Do the ends of both halves, and so all between them, lie in what is written throughout? */
static bool halves_in_all(const struct span *s, const struct sim_event *e)
{
    static const uint8_t ends[] = {0, LANES / 2 - 1, LANES / 2, LANES - 1};
    bool inside = s && s->all && e->halves;
    for (unsigned i = 0; inside && i < sizeof ends; i++)
        inside = e->address[ends[i]] - s->address < s->bytes;
    return inside;
}

static void touch_global(struct uninit *u, const struct sim_event *e)
{
    struct span *s = u->hint[e->pc % HINTS];
    struct unwritten w = {0};
    if (halves_in_all(s, e))
        return;
    for (uint32_t left = e->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (!s || e->address[lane] - s->address >= s->bytes) {
            s = find(u, e->address[lane]);
            u->hint[e->pc % HINTS] = s;
        }
        if (!s)
            continue;
        if (e->even && left == e->mask && (s->all || touch_row(u, e, s)))
            return;
        if (!s->all)
            touch_array(u, e, s, lane, &w);
    }
    judge_all(u, e, &w);
}

static struct block_bits *block_of(struct uninit *u, uint64_t index)
{
    for (struct block_bits **at = &u->blocks; *at; at = &(*at)->next)
        if ((*at)->index == index) {
            struct block_bits *b = *at; /* to the front: the next access is its as well */
            *at = b->next;
            b->next = u->blocks;
            return u->blocks = b;
        }
    return NULL;
}

/* What malloc gives is unwritten, and nobody watches what was given back. */
static void see_heap(struct uninit *u, const struct sim_event *e)
{
    if (e->kind == SIM_EV_HEAP_GET) {
        uninit_array(u, e->first, e->bytes);
        struct span *s = find(u, e->first);
        if (s)
            s->heap = true;
        return;
    }
    struct span *s = find(u, e->first);
    if (!s || s->freed)
        return;
    free_pages(u, s);
    s->all = s->freed = true;
    if (++u->freed > MOST_FREED)
        drop_heap(u, false);
}

static void see_access(struct uninit *u, const struct sim_event *e)
{
    if (e->space == SIM_GLOBAL) {
        touch_global(u, e);
        return;
    }
    bool shared = e->space == SIM_SHARED || e->space == SIM_CLUSTER;
    uint64_t owner = e->space == SIM_CLUSTER ? e->owner : e->block_index;
    if (!shared && (e->space != SIM_LOCAL || e->code->space == SIM_PARAM || !u->watch_local))
        return;
    struct block_bits *b = u->blocks;
    if (!b || b->index != owner)
        b = block_of(u, owner);
    if (b && shared && ++b->asked % OFTEN == 0 && !b->whole)
        b->whole = all_bits(b->shared, b->shared, 0, u->shared_bytes);
    if (b && !(shared && b->whole))
        touch_flat(u, e, shared ? b->shared : b->local,
                   shared ? 0 : (uint64_t)e->warp * LANES * u->local_bytes,
                   shared ? 0 : u->local_bytes);
}

/* ---- a launch -------------------------------------------------------------------------- */

/* printf and assert hand their arguments over in memory that is watched anyway. */
static bool calls_functions(const struct sim_event *e)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->code[i].kind == SIM_CLASS_CALL && e->code[i].callee != SIM_CALL_PRINT &&
            e->code[i].callee != SIM_CALL_ASSERT)
            return true;
    return false;
}

static void begin(struct uninit *u, const struct sim_event *e)
{
    size_t threads = (size_t)e->block_size[0] * e->block_size[1] * e->block_size[2];
    size_t lanes = (threads + LANES - 1) / LANES * LANES;
    memcpy(u->grid, e->grid, sizeof u->grid);
    memcpy(u->block_size, e->block_size, sizeof u->block_size);
    memset(u->hint, 0, sizeof u->hint);
    chosen_begin(&u->chosen, e->code, e->count);
    u->watch_local = e->local_bytes && !calls_functions(e);
    u->local_bytes = e->local_bytes;
    u->shared_bytes = e->shared_bytes;
    u->shared_words = (e->shared_bytes + 63) / 64;
    u->local_words = u->watch_local ? (lanes * e->local_bytes + 63) / 64 : 0;
}

static size_t block_bytes(const struct uninit *u)
{
    return (u->shared_words + u->local_words) * sizeof(uint64_t);
}

static void start_block(struct uninit *u, uint64_t index)
{
    struct block_bits *b = u->spare;
    if (block_bytes(u) == 0)
        return;
    if (b) {
        u->spare = b->next;
        memset(b->shared, 0, block_bytes(u));
    } else {
        uint64_t *bits = mem_get(from, block_bytes(u));
        b = bits ? mem_get(from, sizeof *b) : NULL;
        if (!b) {
            mem_put(from, bits, bits ? block_bytes(u) : 0);
            return;
        }
        b->shared = bits;
        b->local = bits + u->shared_words;
    }
    b->index = index;
    b->whole = false;
    b->asked = 0;
    b->next = u->blocks;
    u->blocks = b;
}

static void end_block(struct uninit *u, uint64_t index)
{
    struct block_bits *b = block_of(u, index);
    if (!b)
        return;
    u->blocks = b->next;
    b->next = u->spare;
    u->spare = b;
}

static void see(void *self, const struct sim_event *e)
{
    struct uninit *u = self;
    switch (e->kind) {
    case SIM_EV_BEGIN: begin(u, e); break;
    case SIM_EV_BLOCK: start_block(u, e->block_index); break;
    case SIM_EV_BLOCK_END: end_block(u, e->block_index); break;
    case SIM_EV_ACCESS: see_access(u, e); break;
    case SIM_EV_HEAP_GET:
    case SIM_EV_HEAP_PUT: see_heap(u, e); break;
    default: break;
    }
}

struct sim_observer uninit_observer(struct uninit *u, struct findings *out)
{
    u->out = out;
    return (struct sim_observer){.wants = SIM_EV_BEGIN | SIM_EV_BLOCK | SIM_EV_BLOCK_END |
                                          SIM_EV_ACCESS | SIM_EV_HEAP_GET | SIM_EV_HEAP_PUT,
                                 .see = see,
                                 .self = u};
}

/* What was fresh is written now, and a page that is full needs no bits. */
static void settle(struct uninit *u, struct page *p, bool finished)
{
    uint64_t both = UINT64_MAX;
    p->listed = 0;
    for (size_t k = 0; k < p->words; k++) {
        p->written[k] |= finished ? p->fresh[k] : 0;
        p->fresh[k] = 0;
        both &= p->written[k];
    }
    if (both != UINT64_MAX)
        return;
    *p->place = PAGE_ALL;
    free_page(u, p);
}

static void free_blocks(struct uninit *u, struct block_bits **list)
{
    while (*list) {
        struct block_bits *b = *list;
        *list = b->next;
        mem_put(from, b->shared, block_bytes(u));
        mem_put(from, b, sizeof *b);
    }
}

void uninit_end(struct uninit *u, bool finished)
{
    for (size_t i = 0; i < u->changed_count; i++)
        settle(u, u->changed[i], finished);
    u->changed_count = 0;
    if (!finished) /* the heap goes with a launch that fails */
        drop_heap(u, true);
    free_blocks(u, &u->blocks);
    free_blocks(u, &u->spare);
    chosen_end(&u->chosen);
    u->out = NULL;
}

struct uninit *uninit_open(void)
{
    return mem_get(from, sizeof(struct uninit));
}

void uninit_close(struct uninit *u)
{
    if (!u)
        return;
    uninit_end(u, false);
    while (u->count)
        uninit_drop(u, u->spans[u->count - 1]->address);
    mem_put(from, u->spans, u->capacity * sizeof *u->spans);
    mem_put(from, u->changed, u->changed_capacity * sizeof *u->changed);
    mem_put(from, u, sizeof *u);
}
