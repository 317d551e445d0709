/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An access of a warp becomes strips, cut at the lines of the shadow. Lanes that lie nowhere near
 * each other are looked at one by one.
 */
#include "check/race/inside.h"
#include "check/race/quick.h"

#include "base/mem.h"

#include <string.h>

/* ---- cutting an access into pieces ----------------------------------------------------- */

static struct page *page_of(const struct look *k, uint64_t number)
{
    struct race *r = k->r;
    if (k->a->space != SIM_GLOBAL)
        return k->of->shared && number < r->shared_pages ? &k->of->shared[number] : NULL;
    struct page **at = &r->hint[number % HINTS];
    if (!*at || (*at)->number != number)
        *at = shadow_page(&r->shadow, number);
    return *at;
}

/* Lines so large that the access of a whole warp fills about one. */
static inline unsigned shift_for(uint64_t step)
{
    unsigned shift = step ? 63 - (unsigned)__builtin_clzll(step * WARP) : LINE_SHIFT;
    return shift < LINE_LEAST_SHIFT ? LINE_LEAST_SHIFT : shift;
}

static uint32_t lanes_of_page(const struct look *k, uint32_t lanes, uint64_t page)
{
    uint32_t in = 0;
    EACH_LANE(lane, lanes)
        in |= (uint32_t)(k->a->address[lane] / PAGE == page) << lane;
    return in;
}

/* Lanes at start + (lane + turn) % 32 * step. The turn is 0 unless all lanes take part. */
static void add_strip(const struct look *k, uint32_t lanes, uint64_t start, int64_t step,
                      unsigned turn)
{
    struct race *r = k->r;
    unsigned first = lane_first(lanes), last = 31 - (unsigned)__builtin_clz(lanes);
    uint64_t apart = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
    if (apart > MOST_STEP || first == last) {
        r->singles |= lanes;
        return;
    }
    struct strip s = {.key = k->key, .warp = k->me, .lanes = lanes, .step = (int16_t)step,
                      .turn = (uint16_t)turn, .bytes = (uint16_t)k->a->bytes};
    uint64_t lo = start + (uint64_t)(first * step), hi = start + (uint64_t)(last * step);
    uint64_t top = (step < 0 ? lo : hi) + k->a->bytes - 1;
    for (uint64_t number = (step < 0 ? hi : lo) / PAGE; number <= top / PAGE; number++) {
        struct page *p = page_of(k, number);
        if (!p || !page_ready(&r->shadow, p, shift_for(apart)) || r->pieces == MOST_PIECES)
            continue;
        s.start = (int16_t)(start - number * PAGE);
        if (p->step && !page_takes(p, &s) && !page_cut(&r->shadow, p, LINE_SHIFT))
            continue;
        if (apart >> p->shift) {
            r->singles |= lanes_of_page(k, lanes, number);
            continue;
        }
        r->piece[r->pieces++] = (struct piece){p, s};
    }
}

static void add_halves(const struct look *k)
{
    const uint64_t *a = k->a->address, step = k->a->step;
    const uint32_t low = (1u << WARP / 2) - 1;
    add_strip(k, low, a[0], (int64_t)step, 0);
    add_strip(k, ~low, a[WARP / 2] - WARP / 2 * step, (int64_t)step, 0);
}

/* Do all lanes take part, with no evenly spaced run among them that is long enough? */
static bool no_runs(const struct look *k)
{
    const uint64_t *a = k->a->address;
    uint32_t runs = 0;
    if (k->at->mask != ALL_LANES)
        return false;
    for (int i = 0; i + SHORT_RUN <= WARP; i++)
        runs |= (a[i + 1] - a[i] == a[i + 2] - a[i + 1]) &
                (a[i + 2] - a[i + 1] == a[i + 3] - a[i + 2]);
    return !runs;
}

/* Cuts the lanes into runs that are evenly spaced. */
static void add_runs(const struct look *k)
{
    const uint64_t *a = k->a->address;
    if (no_runs(k)) {
        k->r->singles = ALL_LANES;
        return;
    }
    for (uint32_t left = k->at->mask; left;) {
        unsigned first = lane_first(left);
        uint32_t run = 1u << first, rest = left & ~run;
        int64_t step = 0;
        if (rest) {
            unsigned second = lane_first(rest);
            int64_t apart = (int64_t)(a[second] - a[first]);
            bool even = apart % (int64_t)(second - first) == 0;
            step = even ? apart / (int64_t)(second - first) : 0;
            for (; even && rest; rest &= rest - 1) {
                unsigned lane = lane_first(rest);
                if (a[lane] != a[first] + (uint64_t)(step * (int64_t)(lane - first)))
                    break;
                run |= 1u << lane;
            }
        }
        if (lanes_in(run) < SHORT_RUN)
            k->r->singles |= run;
        else
            add_strip(k, run, a[first] - (uint64_t)(step * (int64_t)first), step, 0);
        left &= ~run;
    }
}

/* ---- an access ------------------------------------------------------------------------- */

static uint64_t place_of(const struct look *k, unsigned lane)
{
    uint64_t at = k->a->address[lane];
    return k->a->space == SIM_GLOBAL ? at : UINT64_C(1) << 63 | k->of->order.index << 20 | at;
}

enum fence_scope race_scope(uint8_t says)
{
    return says & PC_NARROW ? FOR_BLOCK : FOR_ALL;
}

/* Does it take over what others left only once a fence follows? A load does, and an atomic that
 * polls. An atomic that is done once, as the ticket of the last block, is in wide use without. */
static bool needs_fence(const struct look *k, uint8_t says)
{
    return !(says & PC_ACQUIRE) &&
           (k->a->kind == SIM_LOAD || chosen_is(&k->r->chosen, CHOSEN_POLLS, k->at->pc));
}

/* Does any instruction take what others left? Without one, nothing has to be left of reads. */
static bool words_are_taken(struct race *r)
{
    for (; !r->words_taken && r->words_asked < r->code_count; r->words_asked++) {
        const uint32_t pc = r->words_asked;
        const struct sim_instruction *i = &r->code[pc];
        r->words_taken =
            !i->group_sync && i->space != SIM_SHARED &&
            ((i->kind == SIM_CLASS_LOAD && r->says[pc] & (PC_STRONG | PC_VOLATILE)) ||
             (i->kind == SIM_CLASS_ATOMIC && !chosen_is(&r->chosen, CHOSEN_UNUSED, pc)));
    }
    return r->words_taken;
}

/* At each address that they reach, the lanes leave word, and take over what others left there. */
static void pass_word(struct look *k, uint8_t says)
{
    const struct sim_at *at = k->at;
    const enum sim_access_kind kind = k->a->kind;
    struct race *r = k->r;
    bool gives = k->writes && (k->w->fences[FOR_BLOCK].lanes & at->mask || k->b->order.passes_on ||
                               says & PC_RELEASE);
    const bool gives_reads = k->writes && k->a->space == SIM_GLOBAL && !(says & PC_NARROW) &&
                             words_are_taken(r);
    bool takes = r->order.place_count &&
                 (kind == SIM_LOAD ||
                  (kind == SIM_ATOMIC && !chosen_is(&r->chosen, CHOSEN_UNUSED, at->pc)));
    const bool pending = takes && needs_fence(k, says);
    if (!gives && !gives_reads && !takes)
        return;
    if (!k->writes)
        race_find_groups(k);
    if (takes)
        race_proxy_learn(r, k->b, at->warp, at->mask);
    EACH_LANE(lane, k->group->first) {
        const uint32_t same = k->again ? k->group->same[lane] : 1u << lane;
        if (takes)
            order_acquire(&r->order, &k->b->order, at->warp, same, place_of(k, lane),
                          race_scope(says), pending);
        if (gives)
            order_release(&r->order, &k->b->order, at->warp, same, place_of(k, lane),
                          says & PC_RELEASE ? race_scope(says) : FOR_NOBODY);
        if (gives_reads)
            order_release_reads(&r->order, &k->b->order, at->warp, place_of(k, lane));
    }
}

/* Fills in what is asked of each access. True: the access may order other accesses, as a flag
 * does. */
static bool look_at(struct race *r, const struct sim_at *at, const struct sim_access *a,
                    struct block_state *b, struct look *k)
{
    uint8_t says = r->says[at->pc];
    struct warp_order *w = &b->order.warps[at->warp];
    bool update = a->kind == SIM_ATOMIC || a->kind == SIM_REDUCE;
    *k = (struct look){.r = r, .at = at, .a = a, .b = b, .of = b, .w = w,
                       .writes = a->kind != SIM_LOAD, .me = b->order.first_warp + at->warp};
    k->atomic = update || says & PC_STRONG ||
                (says & PC_VOLATILE &&
                 (a->kind == SIM_LOAD || b->order.passes_on ||
                  (at->mask & ~w->fences[FOR_BLOCK].lanes) == 0));
    k->key = mark_make(r->order.now, at->pc, k->atomic);
    if (k->writes)
        race_find_groups(k);
    if (says & PC_COPY)
        k->key |= race_start_copy(r, b, at);
    k->at_once = !k->again && !mark_copy(k->key); /* see remember_piece */
    k->copied = r->other_waits ? 0 : mark_make(b->copied + 1, 0, 0) - 1;
    k->known = mark_make(b->order.known + 1, 0, 0) - 1;
    k->full = mark_make(w->full + 1, 0, 0) - 1;
    return at->code->kind != SIM_CLASS_MBARRIER && (update || says & (PC_STRONG | PC_VOLATILE));
}

/* The strip as it counts from byte `at` of the page. */
static inline struct strip local_strip(const struct strip *s, int at)
{
    struct strip local = *s;
    local.start = (int16_t)(s->start - at);
    return local;
}

/* Does each lane lie in another line? */
static inline bool far_apart(const struct piece *p)
{
    int size = 1 << p->page->shift;
    return p->strip.step >= size || p->strip.step <= -size;
}

static bool lane_strip(const struct piece *p, unsigned lane, struct strip *one, int *line)
{
    int at = strip_at(&p->strip, lane);
    *one = p->strip;
    one->lanes = 1u << lane;
    one->step = 0;
    one->turn = 0;
    *line = at >> p->page->shift;
    one->start = (int16_t)(at & ((1 << p->page->shift) - 1));
    return at >= 0 && at < PAGE;
}

/* The same in a page with columns. False: one of the columns can't remember all of it. */
static bool pass_columns(const struct look *k, const struct piece *p, bool comparing,
                         bool remembering)
{
    const struct page *page = p->page;
    const int size = column_size(page), units = p->strip.bytes / page->unit;
    struct column c[2];
    for (int unit = 0; unit < units; unit++)
        for (unsigned i = page_columns(page, &p->strip, unit, c); i--;) {
            if (comparing)
                race_compare_line(k, c[i].line, size, &c[i].strip);
            if (remembering && !race_remember(k, c[i].line, size, &c[i].strip))
                return false;
        }
    return true;
}

static void compare_piece(const struct look *k, const struct piece *p)
{
    const struct page *page = p->page;
    int lo, hi, line, size = 1 << page->shift;
    struct strip one;
    if (page->step) {
        pass_columns(k, p, true, false);
        return;
    }
    EACH_LANE(lane, far_apart(p) ? p->strip.lanes : 0)
        if (lane_strip(p, lane, &one, &line))
            race_compare_line(k, &page->lines[line], size, &one);
    if (far_apart(p) || !strip_range(&p->strip, PAGE, &lo, &hi))
        return;
    for (int at = lo & -size; at < hi; at += size) {
        one = local_strip(&p->strip, at);
        race_compare_line(k, &page->lines[at >> page->shift], size, &one);
    }
}

static void remember_cut(const struct look *, const struct piece *);

/* A page whose lines are too large is cut on the way. It does no harm that some lines are done
 * twice, except to a copy: compared again, it would race with itself. */
static void remember_piece(const struct look *k, const struct piece *p)
{
    struct page *page = p->page;
    struct strip one;
    int lo, hi, line, size = 1 << page->shift;
    if (page->step) {
        if (!pass_columns(k, p, k->at_once, true) && page_cut(&k->r->shadow, page, LINE_SHIFT))
            remember_piece(k, p);
        return;
    }
    EACH_LANE(lane, far_apart(p) ? p->strip.lanes : 0)
        if (lane_strip(p, lane, &one, &line))
            race_remember(k, &page->lines[line], size, &one);
    if (far_apart(p) || !strip_range(&p->strip, PAGE, &lo, &hi))
        return;
    for (int at = lo & -size; at < hi; at += size) {
        struct line *l = &page->lines[at >> page->shift];
        one = local_strip(&p->strip, at);
        if (k->at_once ? race_pass_line(k, l, size, &one) : race_remember(k, l, size, &one))
            continue;
        remember_cut(k, p);
        return;
    }
}

/* A line can't remember all of it. So the page is cut first. */
static void remember_cut(const struct look *k, const struct piece *p)
{
    if (page_by_columns(&k->r->shadow, p->page, &p->strip) ||
        page_cut(&k->r->shadow, p->page, LINE_SHIFT))
        remember_piece(k, p);
}

/* ---- lanes one by one ------------------------------------------------------------------ */

/* The access of one lane. `start` counts from the start of its line. */
struct single {
    struct line *line;
    unsigned lane;
    int start, size; /* size: of the line */
};

/* Finds the line that a lane reaches. False: that memory is not watched. `p` is the page of the
 * lane before, and `number` is that page's. */
static inline bool find_single(const struct look *k, unsigned lane, uint64_t *number,
                               struct page **p, struct single *s)
{
    uint64_t at = k->a->address[lane];
    if (at / PAGE != *number) {
        struct page *there = page_of(k, *number = at / PAGE);
        if (there && (there->step ? !page_cut(&k->r->shadow, there, LINE_SHIFT)
                                  : !page_ready(&k->r->shadow, there, LINE_SHIFT)))
            there = NULL;
        *p = there;
    }
    if (!*p)
        return false;
    const unsigned in = at % PAGE, size = 1u << (*p)->shift;
    *s = (struct single){.line = &(*p)->lines[in >> (*p)->shift], .lane = lane,
                         .start = (int)(in & (size - 1)), .size = (int)size};
    return true;
}

/* Can the line's cells take the access without a change? */
static inline bool single_fits(const struct look *k, const struct single *s)
{
    const struct cells *c = &s->line->cells;
    return c->at && !(c->shift && (s->start | (int)k->a->bytes) & 3);
}

/* In a loop, a lane does the same access again, or goes on right behind it. Its strip grows. */
static inline bool goes_on_alone(const struct look *k, const struct single *s)
{
    struct strip *old = k->writes ? &s->line->write[0] : &s->line->read[0];
    const int end = old->start + old->bytes, now = s->start + (int)k->a->bytes;
    if (old->warp != k->me || old->lanes != 1u << s->lane || old->step || s->start < old->start ||
        s->start > end || !shadow_same_deed(&k->r->shadow, old->key, k->key))
        return false;
    old->bytes = (uint16_t)((now > end ? now : end) - old->start);
    old->key = k->key;
    return true;
}

static inline void see_single(const struct look *k, const struct single *s, bool comparing,
                              bool remembering)
{
    struct cells *c = &s->line->cells;
    const int end = s->start + (int)k->a->bytes;
    if (single_fits(k, s)) {
        if (comparing)
            race_compare_bytes(k, c, s->lane, s->start, end);
        if (remembering)
            race_remember_bytes(k, c, 1u << s->lane, s->start, end);
        return;
    }
    const struct strip strip = {.key = k->key, .warp = k->me, .lanes = 1u << s->lane,
                                .start = (int16_t)s->start, .bytes = (uint16_t)k->a->bytes};
    if (comparing)
        race_compare_line(k, s->line, s->size, &strip);
    if (remembering && (c->at || !goes_on_alone(k, s)))
        race_remember(k, s->line, s->size, &strip);
}

/* The cells of lanes that lie far apart are rarely in a cache. So all are fetched before one is
 * used. */
static inline void fetch_ahead(const struct single *s)
{
    const struct cells *c = &s->line->cells;
    if (c->at)
        __builtin_prefetch(&c->at[s->start >> c->shift]);
}

static unsigned find_singles(const struct look *k, uint32_t lanes, struct single s[WARP])
{
    uint64_t number = UINT64_MAX;
    struct page *p = NULL;
    unsigned n = 0;
    EACH_LANE(lane, lanes)
        if (find_single(k, lane, &number, &p, &s[n]))
            __builtin_prefetch(&s[n++].line->cells);
    for (unsigned i = 0; k->a->space == SIM_GLOBAL && i < n; i++)
        fetch_ahead(&s[i]);
    return n;
}

/* The cells of shared memory that a lane reaches. NULL: there are none, or they can't take the
 * access without a change. *start: the byte of their line. */
static inline struct cells *cells_at_hand(const struct look *k, unsigned lane, int *start)
{
    const uint64_t at = k->a->address[lane], number = at / PAGE;
    const struct page *p = number < k->r->shared_pages ? &k->of->shared[number] : NULL;
    if (!p || !p->lines || p->shift != LINE_SHIFT || p->step)
        return NULL;
    struct cells *c = &p->lines[at % PAGE / LINE].cells;
    *start = (int)(at % LINE);
    return c->at && !(c->shift && (at | k->a->bytes) & 3) ? c : NULL;
}

/* All lanes at one place are compared and remembered together: here in cells, */
static inline void pass_in_cells(const struct look *k, struct cells *all, int start, uint32_t lanes)
{
    const int end = start + (int)k->a->bytes;
    const uint32_t alone = lanes & (lanes - 1) ? 0 : lanes;
    bool clear = true;
    for (int i = start >> all->shift; clear && i <= (end - 1) >> all->shift; i++)
        clear = race_cell_clear(k, all, &all->at[i], alone);
    if (!clear)
        race_compare_place(k, lanes, all, start, end);
    race_remember_bytes(k, all, lanes, start, end);
}

/* and here in cells, or else as a strip whose step is 0. */
static void pass_place(const struct look *k, const struct single *s, uint32_t lanes)
{
    const struct strip strip = {.key = k->key, .warp = k->me, .lanes = lanes,
                                .start = (int16_t)s->start, .bytes = (uint16_t)k->a->bytes};
    if (single_fits(k, s)) {
        pass_in_cells(k, &s->line->cells, s->start, lanes);
        return;
    }
    race_compare_line(k, s->line, s->size, &strip);
    race_remember(k, s->line, s->size, &strip);
}

/* Compares and remembers the lanes that reach such cells: each by itself, or for all lanes at its
 * place. The result is the lanes that reach other memory. */
static inline uint32_t pass_at_hand(const struct look *k, uint32_t lanes, bool places)
{
    uint32_t rest = 0;
    int start;
    if (k->a->space != SIM_SHARED || !k->of->shared)
        return lanes;
    EACH_LANE(lane, lanes) {
        struct cells *c = cells_at_hand(k, lane, &start);
        if (!c)
            rest |= 1u << lane;
        else if (places)
            pass_in_cells(k, c, start, k->group->same[lane]);
        else
            race_pass_bytes(k, c, lane, start, start + (int)k->a->bytes);
    }
    return rest;
}

static void see_singles(const struct look *k, uint32_t lanes, bool comparing, bool remembering)
{
    struct single s[WARP];
    if (!lanes)
        return;
    if (comparing && remembering)
        lanes = pass_at_hand(k, lanes, false);
    const unsigned n = find_singles(k, lanes, s);
    for (unsigned i = 0; i < n; i++)
        see_single(k, &s[i], comparing, remembering);
}

/* Some lanes reach the same place. So the places are looked at, not the lanes. */
static void see_places(const struct look *k)
{
    struct single s[WARP];
    const unsigned n = find_singles(k, pass_at_hand(k, k->group->first, true), s);
    for (unsigned i = 0; i < n; i++)
        pass_place(k, &s[i], k->group->same[s[i].lane]);
}

/* ---- all of an access ------------------------------------------------------------------ */

/* A load of which each half of the warp stays within one line of shared memory, as when threads
 * read a tile: no pieces are needed for that. False: it is none. */
static bool see_halves(const struct look *k)
{
    const struct sim_access *a = k->a;
    const uint64_t bytes = (WARP / 2 - 1) * a->step + a->bytes;
    if (!a->halves || a->even || k->writes || a->space != SIM_SHARED || bytes > LINE)
        return false;
    struct line *line[2];
    uint64_t start[2];
    for (int i = 0; i < 2; i++) {
        start[i] = a->address[i * WARP / 2];
        const struct page *p = page_of(k, start[i] / PAGE);
        if (!p || !p->lines || p->shift != LINE_SHIFT || start[i] % LINE + bytes > LINE)
            return false;
        line[i] = &p->lines[start[i] % PAGE / LINE];
    }
    for (int i = 0; i < 2; i++) {
        const uint32_t low = (1u << WARP / 2) - 1;
        const struct strip s = {
            .key = k->key, .warp = k->me, .lanes = i ? ~low : low,
            .start = (int16_t)((int)(start[i] % LINE) - i * WARP / 2 * (int)a->step),
            .step = (int16_t)a->step, .bytes = (uint16_t)a->bytes};
        race_pass_line(k, line[i], LINE, &s);
    }
    return true;
}

/* An evenly spaced access that stays within one line of global memory, as when threads read or
 * write a row: no pieces are needed for that. False: it is none. */
static bool see_row(const struct look *k)
{
    const struct sim_access *a = k->a;
    const uint64_t start = a->first % PAGE;
    if (!a->even || !k->at_once || a->space != SIM_GLOBAL || a->step > MOST_STEP ||
        !(k->at->mask & (k->at->mask - 1)))
        return false;
    struct page *p = page_of(k, a->first / PAGE);
    if (!p || !p->lines || p->step || (p->shift > LINE_SHIFT && p->shift > shift_for(a->step)))
        return false;
    const uint64_t size = UINT64_C(1) << p->shift, in = start % size;
    if (in + (WARP - 1) * a->step + a->bytes > size)
        return false;
    struct piece row = {p, {.key = k->key, .warp = k->me, .lanes = k->at->mask,
                            .start = (int16_t)in, .step = (int16_t)a->step,
                            .turn = (uint16_t)a->turn, .bytes = (uint16_t)a->bytes}};
    if (!race_pass_line(k, &p->lines[start >> p->shift], (int)size, &row.strip)) {
        row.strip.start = (int16_t)start;
        remember_cut(k, &row);
    }
    return true;
}

/* Lanes of one instruction are not compared with each other here. So all of the access is compared
 * before any of it is remembered, unless no two lanes reach one place. */
static void see_pieces(struct look *k)
{
    const struct sim_access *a = k->a;
    struct race *r = k->r;
    r->pieces = 0;
    r->singles = 0;
    if (!a->even && !a->halves && !k->writes && r->out->count) { /* these may race as well */
        race_find_groups(k);
        if (lanes_in(k->again) < FEW)
            k->again = 0;
    }
    if (a->even)
        add_strip(k, k->at->mask, a->first, (int64_t)a->step, a->turn);
    else if (a->halves)
        add_halves(k);
    else if (!k->again)
        add_runs(k);
    if (k->again && !r->pieces) {
        see_places(k);
        return;
    }
    for (unsigned i = 0; i < r->pieces; i++)
        if (!k->at_once || far_apart(&r->piece[i]))
            compare_piece(k, &r->piece[i]);
    if (!k->at_once)
        see_singles(k, r->singles, true, false);
    for (unsigned i = 0; i < r->pieces; i++)
        remember_piece(k, &r->piece[i]);
    see_singles(k, r->singles, k->at_once, true);
}

/* The bytes of an access: compared and remembered. */
static inline void see_memory(struct look *k)
{
    k->r->shadow.settled = k->settled;
    if (!see_halves(k) && !see_row(k))
        see_pieces(k);
}

void race_see_memory(struct look *k)
{
    see_memory(k);
}

/* A bulk copy reads from memory, by one lane. */
static void see_bulk_read(const struct look *k)
{
    uint64_t number = UINT64_MAX;
    struct page *p = NULL;
    struct single s;
    if (find_single(k, lane_first(k->at->mask), &number, &p, &s))
        race_see_bulk_read(k, s.line, s.start);
}

void race_see_access(struct race *r, const struct sim_at *at, const struct sim_access *a,
                     struct block_state *b)
{
    struct look k;
    bool strong = look_at(r, at, a, b, &k);
    if (a->space == SIM_CLUSTER && !(k.of = block_find(&r->blocks, a->owner)))
        return;
    k.settled = a->space == SIM_SHARED && !b->order.cluster && !(r->proxies && k.writes) ? k.known
                                                                                         : 0;
    if (a->space == SIM_GLOBAL || !race_put_off(&k))
        see_memory(&k);
    if (at->code->kind == SIM_CLASS_BULK)
        see_bulk_read(&k);
    if (a->kind == SIM_STORE)
        race_compare_together(&k);
    if (strong)
        pass_word(&k, r->says[at->pc]);
}
