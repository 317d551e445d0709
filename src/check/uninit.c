/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads of memory that nobody has written. written.c knows which bytes of arrays are; here are
 * shared memory, a bit for each byte and block under way, and local memory, one for each warp.
 * Local memory is watched only in modules without calls of device functions, since the copies
 * that a call makes are no accesses.
 *
 * A read is found where an element of it was never written: all bytes of a plain load, of one
 * element of a vector, or of an element of the array where that is smaller. Compilers read a struct
 * by vectors, and then the padding comes along: see is_padding().
 */
#include "check/blocks.h"
#include "check/checker.h"
#include "check/chosen.h"
#include "check/race/race.h"
#include "check/written.h"

#include "base/lanes.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 32, WIDEST = 256, OFTEN = 64 };

/* Shared and local memory of a block under way. */
struct block_bits {
    struct block_entry entry;
    uint64_t *shared, *local; /* one piece of memory, shared first */
    bool whole;               /* all of its shared memory is written: so it stays */
    unsigned asked;           /* accesses to it */
};

struct uninit {
    struct written written;
    /* of the launch that is watched */
    struct findings *out;
    struct chosen chosen;
    unsigned grid[3], block_size[3];
    size_t shared_bytes, shared_words, local_words; /* of a block */
    uint64_t system_at, system_bytes; /* in its shared memory: the system writes them first */
    size_t local_bytes;                             /* of a thread */
    struct block_table blocks;
    struct block_entry *spare;
    bool watch_local;
};

/* An access of lanes, and who looks at it. */
struct view {
    struct uninit *u;
    const struct sim_at *at;
    const struct sim_access *a;
};

static const struct allocator *const from = &allocator_libc;

/* ---- what a warp does ------------------------------------------------------------------ */

static bool same_place(const struct sim_place *p, int ptx_line, const struct sim_fault *f)
{
    if (!f->at.line)
        return ptx_line == f->ptx_line;
    return p->line == f->at.line && p->file && f->at.file && strcmp(p->file, f->at.file) == 0;
}

/* A read that comes before another thread's write finds nothing written. That is one mistake, and
 * the race tells it. */
static bool told_by_race(const struct finding *own, const struct finding *other)
{
    const struct sim_fault *f = &own->fault, *race = &other->fault;
    return (other->kind == &race_shared || other->kind == &race_global) && f->array &&
           race->array && strcmp(race->array, f->array) == 0 &&
           (same_place(&race->at, race->ptx_line, f) || same_place(&race->other, 0, f));
}

static const char *const cures[] = {"initialize"};
static const struct finding_kind uninitialized = {
    .name = "uninitialized", .cures = cures, .told_by = told_by_race};

static const char *const whose[] = {
    [SIM_SHARED] = "no thread of its block has written",
    [SIM_LOCAL] = "it has not written",
    [SIM_GLOBAL] = "nobody has written",
    [SIM_CLUSTER] = "no thread of its cluster has written",
};

/* The first of n bytes of a lane that nobody has written; the same is so for `times` lanes. */
static void found(const struct view *v, unsigned lane, unsigned from_byte, unsigned n,
                  unsigned times)
{
    const struct sim_at *at = v->at;
    const struct sim_access *a = v->a;
    struct finding_side side = {.code = at->code};
    const struct finding_pair *pair = findings_pair(v->u->out, &uninitialized, at->code, NULL);
    bool fresh;
    if (pair->seen) {
        struct finding *again = findings_of(v->u->out, pair);
        if (again)
            again->fault.count += times;
        return;
    }
    memcpy(side.block, at->block, sizeof side.block);
    finding_thread(v->u->block_size, at->warp * LANES + lane, side.thread);
    struct finding *one =
        findings_add(v->u->out, &uninitialized, &side, NULL, at->when, &fresh);
    if (one)
        one->fault.count += times - 1;
    if (!one || !fresh)
        return;
    struct sim_fault *f = &one->fault;
    char what[FINDING_NAME], who[64];
    one->space = a->space;
    finding_name(at->run, a->space, a->address[lane] + from_byte, n, f, what);
    if (a->space == SIM_CLUSTER)
        finding_owner(v->u->grid, a->owner, what);
    finding_who(&f->at, NULL, a->space == SIM_GLOBAL || a->space == SIM_CLUSTER, who);
    snprintf(f->message, sizeof f->message, "%s %s %s, which %s", who,
             a->kind == SIM_LOAD ? "reads" : "updates", what, whose[a->space]);
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
static bool only_copied(const struct view *v, unsigned none)
{
    for (unsigned k = 0; none >> k; k++)
        if (none >> k & 1 && !chosen_copied(&v->u->chosen, v->at->pc, k))
            return false;
    return true;
}

static unsigned elements(const struct sim_access *a)
{
    return a->part && a->kind == SIM_LOAD ? a->bytes / a->part : 1;
}

/* Lanes of one access that read the same elements unwritten, of one array. */
struct unwritten {
    uint32_t lanes;
    unsigned none; /* a bit for each element of which no byte is written */
    const struct written_array *of;
};

/* An exchange stores as well, and perhaps nobody looks at what was there before. */
static bool only_stores(const struct view *v)
{
    return v->a->kind == SIM_ATOMIC && strstr(v->at->code->text, ".exch.") &&
           chosen_is(&v->u->chosen, CHOSEN_UNUSED, v->at->pc);
}

/* A kernel of Thrust or CUB reads ahead in its own shared memory, and does not use what it read: its
 * merge does so at the end of a list. Nothing that a student writes leads to that. */
static bool reads_ahead(const struct view *v)
{
    return v->at->code->of_library && v->a->space != SIM_GLOBAL;
}

static void judge(const struct view *v, const struct unwritten *w)
{
    const unsigned count = elements(v->a), n = v->a->bytes / count, none = w->none;
    const unsigned lane = lane_first(w->lanes);
    const unsigned times = lanes_in(w->lanes);
    if (only_stores(v) || reads_ahead(v))
        return;
    unsigned read = none; /* not only loaded ahead of the question */
    for (unsigned k = 0; none >> k; k++)
        read &= ~((unsigned)chosen_element(&v->u->chosen, v->at->pc, k) << k);
    if (!read)
        return;
    if (none == bits_ones(count)) {
        const bool structs = v->a->space == SIM_GLOBAL &&
                             !sim_scalar_at(v->at->run, v->a->address[lane]);
        if (!chosen_filler(&v->u->chosen, v->at->pc, structs))
            found(v, lane, 0, v->a->bytes, times);
    } else if (!is_padding(none, count) || !only_copied(v, read)) {
        found(v, lane, lane_first(read) * n, n, times);
    }
}

/* Judges the lanes that were collected, and begins with none again. */
static void judge_all(const struct view *v, struct unwritten *w)
{
    if (w->lanes)
        judge(v, w);
    w->lanes = 0;
}

/* A lane reads: the bits of its bytes are at `at` in the one row or the other. */
static void see_read(const struct view *v, unsigned lane, const uint64_t *bits,
                     const uint64_t *fresh, uint64_t at, const struct written_array *of,
                     struct unwritten *w)
{
    const unsigned count = elements(v->a), n = v->a->bytes / count;
    unsigned none = 0;
    for (unsigned k = 0; k < count; k++)
        none |= (unsigned)!bits_any(bits, fresh, at + k * n, n) << k;
    if (!none)
        return;
    if (w->none != none || w->of != of)
        judge_all(v, w);
    w->none = none;
    w->of = of;
    w->lanes |= 1u << lane;
}

/*
 * A number is read of which only some bytes are written: is a whole element of the array among the
 * others? Where the kernel's structs may lie in the array, or the load may copy a part of one,
 * those bytes may be padding.
 */
static void look_inside(const struct view *v, unsigned lane, const struct written_page *p,
                        uint64_t at)
{
    const unsigned bytes = v->a->bytes;
    if (v->a->part != bytes || !chosen_is(&v->u->chosen, CHOSEN_SINGLE, v->at->pc))
        return;
    const unsigned each = sim_scalar_at(v->at->run, v->a->address[lane]);
    for (unsigned k = 0; each && bits_any(p->bits, p->fresh, at, bytes) && k < bytes; k += each)
        if (each < bytes && !bits_any(p->bits, p->fresh, at + k, each)) {
            found(v, lane, k, each, 1);
            return;
        }
}

static void touch(const struct view *v, unsigned lane, uint64_t *bits, uint64_t at,
                  struct unwritten *w)
{
    if (v->a->kind != SIM_STORE)
        see_read(v, lane, bits, bits, at, NULL, w);
    if (v->a->kind != SIM_LOAD)
        bits[at / 64] |= bits_ones(v->a->bytes) << at % 64;
}

/* Is the byte written, for every lane, where its access begins? If that holds for each element of
 * a vector, nothing is to be found. */
static bool first_bits(const uint64_t *bits, const struct view *v, uint64_t base, uint64_t apart)
{
    const struct sim_access *a = v->a;
    uint64_t known = 1;
    for (unsigned i = 0; a->even && !apart && i < LANES; i++) {
        uint64_t at = base + a->first + i * a->step;
        known &= bits[at / 64] >> at % 64;
    }
    if (a->even && !apart)
        return known;
    EACH_LANE(lane, v->at->mask) {
        uint64_t at = base + lane * apart + a->address[lane];
        known &= bits[at / 64] >> at % 64;
    }
    return known;
}

static bool parts_begun(const uint64_t *bits, const struct view *v, uint64_t base, uint64_t apart)
{
    bool begun = v->a->part != 0;
    for (unsigned at = 0; begun && at < v->a->bytes; at += v->a->part)
        begun = first_bits(bits, v, base + at, apart);
    return begun;
}

/* Lane i's bits begin at base + i * apart. */
static void touch_flat(const struct view *v, uint64_t *bits, uint64_t base, uint64_t apart)
{
    const struct sim_access *a = v->a;
    struct unwritten w = {0};
    if (a->even && a->step + WIDEST <= 2 * WIDEST && !apart) {
        const bool down = a->step > WIDEST; /* a negative step */
        const uint64_t reach = (LANES - 1) * (down ? 0 - a->step : a->step);
        const uint64_t at = base + a->first - (down ? reach : 0), n = reach + a->bytes;
        if (a->kind == SIM_STORE && a->step == a->bytes) {
            bits_set(bits, at, n);
            return;
        }
        if (bits_all(bits, bits, at, n))
            return;
        if (a->kind == SIM_LOAD && bits_none(bits, at, n)) {
            judge(v, &(struct unwritten){v->at->mask, (unsigned)bits_ones(elements(a)), NULL});
            return;
        }
    }
    if (a->kind == SIM_LOAD && a->halves && a->step <= WIDEST && !apart) {
        uint64_t n = (LANES / 2 - 1) * a->step + a->bytes;
        if (bits_all(bits, bits, base + a->address[0], n) &&
            bits_all(bits, bits, base + a->address[LANES / 2], n))
            return;
    }
    if (a->kind == SIM_LOAD && parts_begun(bits, v, base, apart))
        return;
    EACH_LANE(lane, v->at->mask)
        touch(v, lane, bits, base + lane * apart + a->address[lane], &w);
    judge_all(v, &w);
}

/* All lanes next to each other, within one page: stored, or found written as a whole. */
static bool touch_row(const struct view *v, struct written_array *s)
{
    const struct sim_access *a = v->a;
    uint64_t at = a->first - s->address, n = (uint64_t)LANES * a->bytes, i = at / WRITTEN_PAGE;
    at %= WRITTEN_PAGE;
    if (!a->even || a->step != a->bytes || at + n > WRITTEN_PAGE)
        return false;
    struct written_page *p =
        a->kind == SIM_STORE ? written_change(&v->u->written, s, i) : s->pages[i];
    if (a->kind == SIM_STORE) {
        if (p)
            bits_set(p->fresh, at, n);
        return true;
    }
    return p == WRITTEN_ALL || (p && bits_all(p->bits, p->fresh, at, n));
}

static void touch_array(const struct view *v, struct written_array *s, unsigned lane,
                        struct unwritten *w)
{
    static const uint64_t nothing[WRITTEN_PAGE / 64];
    const struct sim_access *a = v->a;
    uint64_t at = a->address[lane] - s->address, i = at / WRITTEN_PAGE;
    struct written_page *p = s->pages[i];
    at %= WRITTEN_PAGE;
    if (p == WRITTEN_ALL)
        return;
    if (a->kind != SIM_STORE)
        see_read(v, lane, p ? p->bits : nothing, p ? p->fresh : nothing, at, s, w);
    if (a->kind == SIM_LOAD) {
        if (p && !bits_all(p->bits, p->fresh, at, a->bytes))
            look_inside(v, lane, p, at);
        return;
    }
    p = written_change(&v->u->written, s, i);
    if (p)
        bits_set(p->fresh, at, a->bytes);
}

/* Do the ends of both halves, and so all between them, lie in what is written throughout? */
static inline bool halves_in_all(const struct written_array *s, const struct sim_access *a)
{
    const uint64_t *at = a->address;
    return s && s->all && a->halves && at[0] - s->address < s->bytes &&
           at[LANES / 2 - 1] - s->address < s->bytes && at[LANES / 2] - s->address < s->bytes &&
           at[LANES - 1] - s->address < s->bytes;
}

static void touch_global(const struct view *v)
{
    const struct sim_access *a = v->a;
    struct written_array **hint = &v->u->written.hint[v->at->pc % WRITTEN_HINTS], *s = *hint;
    struct unwritten w = {0};
    if (halves_in_all(s, a))
        return;
    EACH_LANE(lane, v->at->mask) {
        if (!s || a->address[lane] - s->address >= s->bytes)
            *hint = s = written_find(&v->u->written, a->address[lane]);
        if (!s)
            continue;
        if (a->even && lane == 0 && (s->all || touch_row(v, s)))
            return;
        if (!s->all)
            touch_array(v, s, lane, &w);
    }
    judge_all(v, &w);
}

static void see_access(void *self, const struct sim_at *at, const struct sim_access *a)
{
    struct uninit *u = self;
    const struct view v = {u, at, a};
    if (a->space == SIM_GLOBAL) {
        touch_global(&v);
        return;
    }
    bool shared = a->space == SIM_SHARED || a->space == SIM_CLUSTER;
    uint64_t owner = a->space == SIM_CLUSTER ? a->owner : at->block_index;
    if (!shared && (a->space != SIM_LOCAL || at->code->space == SIM_PARAM || !u->watch_local))
        return;
    struct block_bits *b = block_find(&u->blocks, owner);
    if (b && shared && ++b->asked % OFTEN == 0 && !b->whole)
        b->whole = bits_all(b->shared, b->shared, 0, u->shared_bytes);
    if (b && !(shared && b->whole))
        touch_flat(&v, shared ? b->shared : b->local,
                   shared ? 0 : (uint64_t)at->warp * LANES * u->local_bytes,
                   shared ? 0 : u->local_bytes);
}

/* Memory from malloc is unwritten. Memory that was freed is not watched. */
static void see_allocate(void *self, const struct sim_at *at, uint64_t address, uint64_t bytes)
{
    struct uninit *u = self;
    (void)at;
    written_add(&u->written, address, bytes, true);
}

static void see_release(void *self, const struct sim_at *at, uint64_t address)
{
    struct uninit *u = self;
    (void)at;
    written_give_back(&u->written, address);
}

/* ---- a launch -------------------------------------------------------------------------- */

/* printf and assert hand their arguments over in memory that is watched anyway. */
static bool calls_functions(const struct sim_begin *l)
{
    for (uint32_t i = 0; i < l->code_count; i++)
        if (l->code[i].kind == SIM_CLASS_CALL && l->code[i].callee != SIM_CALL_PRINT &&
            l->code[i].callee != SIM_CALL_ASSERT)
            return true;
    return false;
}

/* What a grid needs. */
static void set_sizes(struct uninit *u, const struct sim_begin *l)
{
    size_t threads = (size_t)l->block[0] * l->block[1] * l->block[2];
    size_t lanes = (threads + LANES - 1) / LANES * LANES;
    memcpy(u->grid, l->grid, sizeof u->grid);
    memcpy(u->block_size, l->block, sizeof u->block_size);
    u->watch_local = l->local_bytes && !calls_functions(l);
    u->local_bytes = (size_t)l->local_bytes;
    u->shared_bytes = (size_t)l->shared_bytes;
    u->system_at = l->system_at;
    u->system_bytes = l->system_bytes;
    u->shared_words = (size_t)((l->shared_bytes + 63) / 64);
    u->local_words = u->watch_local ? (size_t)((lanes * l->local_bytes + 63) / 64) : 0;
}

static size_t block_bytes(const struct uninit *u)
{
    return (u->shared_words + u->local_words) * sizeof(uint64_t);
}

static void free_block(struct uninit *u, struct block_bits *b)
{
    mem_free(from, b->shared, block_bytes(u));
    mem_free(from, b, sizeof *b);
}

static void free_blocks(struct uninit *u)
{
    for (struct block_entry *b; (b = block_after(&u->blocks, NULL));)
        free_block(u, block_take(&u->blocks, b->index));
    while (u->spare) {
        struct block_bits *b = (void *)u->spare;
        u->spare = b->entry.next;
        free_block(u, b);
    }
}

static void begin(void *self, const struct sim_begin *l)
{
    struct uninit *u = self;
    written_again(&u->written);
    if (u->chosen.code) { /* the launch starts over */
        free_blocks(u);
        chosen_end(&u->chosen);
    }
    chosen_begin(&u->chosen, l->code, l->code_count);
    set_sizes(u, l);
}

static void begin_block(void *self, const struct sim_block *block)
{
    struct uninit *u = self;
    struct block_bits *b = (void *)u->spare;
    if (block_bytes(u) == 0)
        return;
    if (b) {
        u->spare = b->entry.next;
        memset(b->shared, 0, block_bytes(u));
    } else {
        uint64_t *bits = mem_alloc(from, block_bytes(u));
        b = bits ? mem_alloc(from, sizeof *b) : NULL;
        if (!b) {
            mem_free(from, bits, bits ? block_bytes(u) : 0);
            return;
        }
        b->shared = bits;
        b->local = bits + u->shared_words;
    }
    for (uint64_t at = u->system_at; at < u->system_at + u->system_bytes; at++)
        b->shared[at / 64] |= UINT64_C(1) << at % 64;
    b->whole = false;
    b->asked = 0;
    block_add(&u->blocks, &b->entry, block->index);
}

static void end_block(void *self, const struct sim_block *block)
{
    struct uninit *u = self;
    struct block_bits *b = block_take(&u->blocks, block->index);
    if (!b)
        return;
    b->entry.next = u->spare;
    u->spare = &b->entry;
}

static void begin_grid(void *self, const struct sim_grid *g)
{
    struct uninit *u = self;
    u->out->in_child = true;
    free_blocks(u);
    set_sizes(u, &g->begin);
}

static void *watch(void *kept, struct findings *out)
{
    struct uninit *u = kept;
    u->out = out;
    return u;
}

/* Written memory stays written for later launches. After a launch that failed all is as before
 * it. */
static void end(void *self, bool finished)
{
    struct uninit *u = self;
    written_settle(&u->written, finished);
    free_blocks(u);
    chosen_end(&u->chosen);
    u->out = NULL;
}

/* ---- a device -------------------------------------------------------------------------- */

static void *open_device(void)
{
    return mem_alloc(from, sizeof(struct uninit));
}

static void close_device(void *kept)
{
    struct uninit *u = kept;
    written_free(&u->written);
    mem_free(from, u, sizeof *u);
}

static void host_changes(void *kept, enum checked_memory what, uint64_t address, uint64_t bytes)
{
    struct uninit *u = kept;
    switch (what) {
    case MEMORY_ALLOCATED: written_add(&u->written, address, bytes, false); break;
    case MEMORY_FREED: written_remove(&u->written, address); break;
    case MEMORY_WRITTEN: written_by_host(&u->written, address, bytes); break;
    }
}

static bool has_value(const void *kept, uint64_t address, uint64_t bytes)
{
    const struct uninit *u = kept;
    return written_has(&u->written, address, bytes);
}

static void copied(void *kept, uint64_t to, const void *other, uint64_t at)
{
    struct uninit *u = kept;
    const struct uninit *others = other;
    written_copy(&u->written, to, &others->written, at);
}

/* A launch that is not watched may write anything, so all memory counts as written after it. */
static void unwatched(void *kept)
{
    struct uninit *u = kept;
    written_all(&u->written);
}

/* A part of a launch. It has findings of its own, for which its launch is not shared. */
struct uninit_part {
    struct uninit own;
    struct findings found;
};

static void *split(void *self)
{
    struct uninit *u = self;
    struct uninit_part *part = mem_alloc(from, sizeof *part);
    if (!part)
        return NULL;
    part->own.out = &part->found;
    if (written_part(&part->own.written, &u->written))
        return part;
    written_free(&part->own.written);
    mem_free(from, part, sizeof *part);
    return NULL;
}

static bool is_clean(const void *self)
{
    const struct uninit *u = self;
    return !u->out->count && !u->out->lost;
}

static void join(void *self, void *part, bool counts)
{
    struct uninit *u = self;
    struct uninit_part *p = part;
    if (counts)
        written_join(&u->written, &p->own.written);
    written_free(&p->own.written);
    free_blocks(&p->own);
    chosen_end(&p->own.chosen);
    findings_free(&p->found);
    mem_free(from, p, sizeof *p);
}

static const struct sim_hooks hooks = {
    SIM_HOOKS, .split = split, .clean = is_clean, .join = join, .begin = begin, .block_begin = begin_block, .block_end = end_block,
    .load = see_access, .store = see_access, .atomic = see_access,
    .allocate = see_allocate, .release = see_release, .grid = begin_grid};

const struct checker check_uninit = {
    .name = "uninit",
    .help = "reads of memory that has no value yet, for example of an array for which only "
            "its size was given",
    .open = open_device, .close = close_device,
    .memory = host_changes, .copied = copied, .unwatched = unwatched, .has_value = has_value,
    .hooks = &hooks, .begin = watch, .end = end};
