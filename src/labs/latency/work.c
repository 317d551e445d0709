/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings, and the launches that walk them.
 *
 * To hit in a cache, the ring fits into it and is walked once before the clock starts. To miss, the
 * ring is so large, and its places are so far apart, that each step reads a line that no cache
 * holds. The simulator has no caches, and a small ring counts the same as a large one.
 */
#include "labs/latency/work.h"

#include "labkit/lab.h"
#include <string.h>

enum { USUAL_STEPS = 1024, MOST_PLACES = 1 << 24, ADDRESS = 8, OFFSET = 4, END = 2 };
#define MOST_RING      (UINT64_C(1) << 30)
#define MOST_SIMULATED (UINT64_C(1) << 26) /* no cache there has to be exceeded */

static const struct level {
    uint64_t bytes, stride; /* without --bytes and --stride */
    int unit;               /* bytes of a place: an address, an offset; 0: there is no ring */
    bool miss;
    size_t counter;
} levels[CHASE_LEVELS] = {
    [CHASE_REGISTER] = {0, 0, 0, false, 0},
    [CHASE_SHARED] = {4096, 4, OFFSET, false, offsetof(struct counters, shared_load_requests)},
    [CHASE_L1] = {8192, 32, ADDRESS, false, offsetof(struct counters, global_load_requests)},
    [CHASE_L2] = {256 * 1024, 128, ADDRESS, false, offsetof(struct counters, global_load_requests)},
    [CHASE_GLOBAL] = {256 * 1024, 256, ADDRESS, true,
                      offsetof(struct counters, global_load_requests)},
    [CHASE_CONSTANT] = {1024, 4, OFFSET, false, offsetof(struct counters, constant_load_requests)},
    [CHASE_CONSTANT_MISS] = {65536, 256, OFFSET, true,
                             offsetof(struct counters, constant_load_requests)},
};

static const struct level *level_of(const struct chase *c)
{
    return &levels[c->variant->tag];
}

/* ---- what to walk ----------------------------------------------------------------------- */

static uint64_t usual_bytes(const struct chase *c, const struct session *s)
{
    const uint64_t l2 = s->device->props.l2_bytes, usual = level_of(c)->bytes;
    if (c->variant->tag == CHASE_GLOBAL && session_on_gpu(s))
        return l2 ? 4 * l2 / 256 * 256 : MOST_RING / 4; /* more than L2 holds */
    if (c->variant->tag == CHASE_L2 && l2 && l2 < 2 * usual)
        return l2 / 2 / 128 * 128;
    return usual;
}

static uint64_t most_bytes(const struct chase *c, const struct session *s)
{
    const struct device_props *p = &s->device->props;
    switch (c->variant->tag) {
    case CHASE_SHARED:
        return p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
    case CHASE_CONSTANT:
    case CHASE_CONSTANT_MISS: return 65536;
    default: return session_on_gpu(s) ? MOST_RING : MOST_SIMULATED;
    }
}

static int ring_fits(const struct chase *c, const struct session *s, struct report *r)
{
    char bytes[NUM_TEXT], most[NUM_TEXT];
    const struct level *l = level_of(c);
    if (c->stride % (unsigned)l->unit)
        return report_fail(r,
                           "--stride %llu: a place is %d bytes here, so the stride must be a "
                           "multiple of %d",
                           (unsigned long long)c->stride, l->unit, l->unit);
    if (c->bytes % c->stride)
        return report_fail(r,
                           "a ring of %llu bytes can't have places %llu bytes apart; --bytes must "
                           "be a multiple of --stride, for example %llu",
                           (unsigned long long)c->bytes, (unsigned long long)c->stride,
                           (unsigned long long)((c->bytes / c->stride + 1) * c->stride));
    if (c->bytes > most_bytes(c, s))
        return report_fail(r, "a ring of %s bytes: %s takes at most %s here",
                           num_group((int64_t)c->bytes, bytes), c->variant->name,
                           num_group((int64_t)most_bytes(c, s), most));
    if (c->bytes / c->stride > MOST_PLACES)
        return report_fail(r,
                           "%s places are too many: a chase has at most %s; take a larger --stride",
                           num_group((int64_t)(c->bytes / c->stride), bytes),
                           num_group(MOST_PLACES, most));
    return 0;
}

int chase_choose(struct chase *c, struct session *s, struct report *r)
{
    const struct level *l = level_of(c);
    if (!l->unit) {
        if (c->bytes || c->stride)
            return report_fail(r, "a register has no place in memory: leave out --bytes and "
                                  "--stride here");
        c->steps = c->steps ? c->steps : USUAL_STEPS;
        return 0;
    }
    c->stride = c->stride ? c->stride : l->stride;
    c->bytes = c->bytes ? c->bytes : usual_bytes(c, s);
    if (ring_fits(c, s, r))
        return -1;
    c->places = c->bytes / c->stride;
    if (!c->steps)
        c->steps = l->miss && c->places < USUAL_STEPS ? c->places : USUAL_STEPS;
    /* To hit, all of the ring is read before the clock starts; to miss, no timed place is. */
    c->warm = !l->miss ? c->places : c->places > c->steps ? c->places - c->steps : 0;
    return 0;
}

/* next[i] is the place after place i; one ring through all of them (Sattolo's algorithm). */
static void make_ring(const struct chase *c, uint32_t *next)
{
    const uint32_t n = (uint32_t)c->places;
    for (uint32_t i = 0; i < n; i++)
        next[i] = c->forward ? (i + 1) % n : i;
    for (uint32_t i = n - 1; !c->forward && i > 0; i--) {
        uint32_t kept = next[i];
        uint32_t k = (uint32_t)(((uint64_t)lab_drawn(c->seed, i) * i) >> 32); /* below i */
        next[i] = next[k];
        next[k] = kept;
    }
}

static uint32_t walk(const uint32_t *next, uint32_t at, uint64_t steps)
{
    for (uint64_t k = 0; k < steps; k++)
        at = next[at];
    return at;
}

/* The ring as it lies in memory: at each place the next one, from `base` on. */
static void lay_out(const struct chase *c, const uint32_t *next, uint64_t base, void *memory)
{
    for (uint64_t i = 0; i < c->places; i++) {
        uint64_t to = base + next[i] * c->stride;
        uint32_t offset = (uint32_t)to;
        if (level_of(c)->unit == ADDRESS)
            memcpy((char *)memory + i * c->stride, &to, sizeof to);
        else
            memcpy((char *)memory + i * c->stride, &offset, sizeof offset);
    }
}

/* ---- one run ---------------------------------------------------------------------------- */

struct walk {
    struct chase *chase;
    struct session *session;
    struct report *report;
    uint64_t ring, end, cycles; /* addresses */
};

static int launch(const struct walk *w, uint64_t shared, const char *types, uint64_t first,
                  unsigned words)
{
    struct chase *c = w->chase;
    const struct lab_launch l = {.module = "latency",
                                 .kernel = c->variant->kernel,
                                 .grid = {1, 1, 1},
                                 .block = {1, 1, 1},
                                 .shared_bytes = shared,
                                 .trace = c->trace,
                                 .quiet = c->quiet};
    const int warm = (int)c->warm, steps = (int)c->steps;
    switch (types[0]) {
    case 'f': /* of registers */
        return lab_launch(w->session, &l, &c->result, w->report,
                          PARAMS(3.0f, -1.0f, 1.0f, warm, steps, w->end, w->cycles));
    case 'w': /* of shared memory: what is to be copied */
        return lab_launch(w->session, &l, &c->result, w->report,
                          PARAMS(first, (int)words, warm, steps, w->end, w->cycles));
    case 'q': /* where the ring begins */
        return lab_launch(w->session, &l, &c->result, w->report,
                          PARAMS(first, warm, steps, w->end, w->cycles));
    default:
        return lab_launch(w->session, &l, &c->result, w->report,
                          PARAMS(warm, steps, w->end, w->cycles));
    }
}

static int run_ring(struct walk *w, const uint32_t *next, void *memory)
{
    struct chase *c = w->chase;
    struct session *s = w->session;
    if (c->variant->tag == CHASE_CONSTANT || c->variant->tag == CHASE_CONSTANT_MISS) {
        lay_out(c, next, 0, memory);
        return lab_symbol_store(s, "latency", "ring_c", memory, c->bytes, w->report) ||
                       launch(w, 0, "c", 0, 0)
                   ? -1
                   : 0;
    }
    if (lab_array(s, c->bytes, "ring", NULL, &w->ring, w->report))
        return -1;
    bool shared = c->variant->tag == CHASE_SHARED;
    lay_out(c, next, shared ? 0 : w->ring, memory);
    return session_store(s, w->ring, memory, c->bytes, w->report) ||
                   launch(w, shared ? c->bytes : 0, shared ? "w" : "q", w->ring,
                          (unsigned)(c->bytes / OFFSET))
               ? -1
               : 0;
}

/* Did the walk end where plain C does, both after warming up and after the timed steps? */
static bool ends_right(const struct walk *w, const uint32_t *next, const uint64_t end[END])
{
    const struct chase *c = w->chase;
    const int unit = level_of(c)->unit;
    uint32_t at = 0;
    float values[END], first = c->warm % 2 ? -2.0f : 3.0f; /* v becomes 1 - v */
    memcpy(values, end, sizeof values);
    if (!unit)
        return values[0] == first && values[1] == (c->steps % 2 ? 1 - first : first);
    for (int k = 0; k < END; k++) {
        uint64_t want;
        uint32_t offset;
        memcpy(&offset, (const char *)end + k * OFFSET, sizeof offset);
        at = walk(next, at, k ? c->steps : c->warm);
        want = (unit == ADDRESS ? w->ring : 0) + at * c->stride;
        if ((unit == ADDRESS ? end[k] : offset) != want)
            return false;
    }
    return true;
}

static int look_at(struct walk *w, const uint32_t *next)
{
    struct chase *c = w->chase;
    const struct level *l = level_of(c);
    uint64_t end[END];
    int64_t cycles;
    if (session_fetch(w->session, end, w->end, sizeof end, w->report) ||
        session_fetch(w->session, &cycles, w->cycles, sizeof cycles, w->report))
        return -1;
    c->right = ends_right(w, next, end) && !launch_result_failed(&c->result);
    c->cycles = session_on_gpu(w->session) ? cycles : -1;
    c->predicted = l->unit ? c->warm + c->steps : 0;
    c->has_loads = c->result.has_counters;
    c->loads = l->unit ? counter_at(&c->result.counters, l->counter) : 0;
    c->right = c->right && (!c->has_loads || c->loads == c->predicted);
    return 0;
}

int chase_run(struct chase *c, struct session *s, struct report *r)
{
    struct walk w = {.chase = c, .session = s, .report = r};
    const uint64_t bytes = c->places * sizeof(uint32_t) + c->bytes;
    int failed = lab_array(s, END * ADDRESS, "end", NULL, &w.end, r) ||
                 lab_array(s, sizeof c->cycles, "cycles", NULL, &w.cycles, r);
    c->result = (struct launch_result){0};
    if (failed)
        return -1;
    if (!level_of(c)->unit)
        return launch(&w, 0, "f", 0, 0) || look_at(&w, NULL) ? -1 : 0;
    uint32_t *next = mem_alloc(&allocator_libc, bytes);
    if (!next)
        return report_fail_limit(r, "out of memory; a smaller ring needs less");
    make_ring(c, next);
    failed = run_ring(&w, next, next + c->places) || look_at(&w, next);
    mem_free(&allocator_libc, next, bytes);
    return failed ? -1 : 0;
}
