/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * While a launch travels, all its memory comes from an allocator of this file. So the whole state
 * of the launch is known: the pieces that it has allocated, a few that were there before, and the
 * pages of global memory that it has written. A moment is a copy of that state. To come to a place,
 * the last moment before it is put back, and the launch runs from there.
 *
 * A launch takes the same course each time. So it allocates the same pieces in the same order, and
 * gets them at the same addresses. Nothing is freed before the end. A piece that has not changed
 * from one moment to the next is not copied again.
 *
 * The simulator stops only between two turns of warps without changing the course. A choice cuts a
 * turn short: the launch then takes another course, and is cut there whenever it comes by. From the
 * last such stop before a place, a launch goes to the place by its step limit. That part is thrown
 * away: what it allocates is freed when another moment is put back.
 */
#include "sim/travel.h"

#include "sim/run.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 4096,
    TURN = 1 << 16,         /* warp instructions of the longest turn of a warp, and a few */
    NEAR = 2 * TURN,        /* so far before a place a moment is made */
    SPACING = 1 << 18,      /* between two moments, at first */
    MOMENTS = 64,           /* more than so many are thinned out */
    COPIES_MOST = 128 << 20 /* and so are more than so many bytes */
};

/* A piece of memory that belongs to the state. */
struct travel_piece {
    unsigned char *at;
    size_t bytes;
    bool own; /* the launch has allocated it */
};

/* The bytes of a chunk, which several moments may have. */
struct travel_copy {
    unsigned users;
    unsigned char bytes[];
};

struct travel_moment {
    uint64_t place;
    size_t pieces;              /* those that there were; */
    struct travel_copy **chunk; /* their bytes, chunk by chunk */
    size_t chunks;
    size_t pages;              /* of global memory, as many as were written; */
    struct travel_copy **page; /* their bytes */
};

struct sim_travel {
    struct sim *sim;
    struct sim_run *run;
    struct allocator before; /* the handle's own */
    struct travel_piece *pieces;
    size_t piece_count, piece_room;
    size_t used;    /* pieces that are allocated now: the first ones */
    void **scratch; /* allocated after the last stop */
    size_t scratch_count, scratch_room;
    bool is_scratch, broken;
    struct travel_moment *moments[MOMENTS + 1], *near; /* in order of their places */
    unsigned moment_count;
    const struct travel_moment *now;        /* the state was so when it was last known */
    struct travel_moment *origin;           /* before the launch: the old pieces alone */
    struct sim_choice choices[SIM_CHOICES]; /* by their places */
    unsigned choice_count;
    uint64_t end; /* where the launch ends; UINT64_MAX: it is not known yet */
    uint64_t spacing;
    size_t bytes;
};

/* ---- the allocator ------------------------------------------------------------------------ */

static void *take_scratch(struct sim_travel *t, size_t size)
{
    if (mem_grow(&t->before, (void **)&t->scratch, &t->scratch_room, t->scratch_count,
                 sizeof *t->scratch) < 0)
        return NULL;
    void *p = calloc(1, size);
    if (p)
        t->scratch[t->scratch_count++] = p;
    return p;
}

/* Zeros, since the state must not depend on what was there. */
static void *take_piece(struct sim_travel *t, size_t size)
{
    if (t->used < t->piece_count) {
        struct travel_piece *p = &t->pieces[t->used];
        t->broken |= p->bytes != size;
        if (t->broken)
            return NULL;
        memset(p->at, 0, size);
        t->used++;
        return p->at;
    }
    if (mem_grow(&t->before, (void **)&t->pieces, &t->piece_room, t->piece_count,
                 sizeof *t->pieces) < 0)
        return NULL;
    void *at = calloc(1, size);
    if (at) {
        t->pieces[t->piece_count++] = (struct travel_piece){at, size, true};
        t->used = t->piece_count;
    }
    return at;
}

static void *travel_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct sim_travel *t = ctx;
    if (!new_size)
        return NULL;
    void *now = t->is_scratch ? take_scratch(t, new_size) : take_piece(t, new_size);
    if (now && p)
        memcpy(now, p, old_size < new_size ? old_size : new_size);
    return now;
}

static void free_scratch(struct sim_travel *t)
{
    while (t->scratch_count)
        free(t->scratch[--t->scratch_count]);
    t->is_scratch = false;
}

/* ---- moments ------------------------------------------------------------------------------ */

static void drop_copy(struct sim_travel *t, struct travel_copy *c, size_t bytes)
{
    if (!c || --c->users)
        return;
    t->bytes -= sizeof *c + bytes;
    free(c);
}

static size_t chunk_bytes(const struct travel_piece *p, size_t at)
{
    return p->bytes - at < CHUNK ? p->bytes - at : CHUNK;
}

static void drop_moment(struct sim_travel *t, struct travel_moment *m)
{
    size_t chunk = 0;
    if (!m)
        return;
    for (size_t i = 0; i < m->pieces && m->chunk; i++)
        for (size_t at = 0; at < t->pieces[i].bytes; at += CHUNK)
            drop_copy(t, m->chunk[chunk++], chunk_bytes(&t->pieces[i], at));
    for (size_t i = 0; i < m->pages && m->page; i++)
        drop_copy(t, m->page[i], PAGE);
    t->bytes -= (m->chunks + m->pages) * sizeof(void *);
    free(m->chunk);
    free(m->page);
    free(m);
}

/* The copy that has these bytes: `like`, where they are the same. */
static struct travel_copy *copy_of(struct sim_travel *t, const unsigned char *bytes, size_t n,
                                   struct travel_copy *like)
{
    if (like && memcmp(like->bytes, bytes, n) == 0) {
        like->users++;
        return like;
    }
    struct travel_copy *c = malloc(sizeof *c + n);
    if (!c)
        return NULL;
    c->users = 1;
    memcpy(c->bytes, bytes, n);
    t->bytes += sizeof *c + n;
    return c;
}

static size_t page_bytes(const struct saved_page *p)
{
    const uint64_t left = p->of->size - p->page * PAGE;
    return left < PAGE ? (size_t)left : PAGE;
}

/* A page's copy has the bytes of a whole page, also where it is the last one of an array. */
static struct travel_copy *copy_page(struct sim_travel *t, const struct saved_page *p,
                                     struct travel_copy *like)
{
    unsigned char bytes[PAGE] = {0};
    memcpy(bytes, p->of->host + p->page * PAGE, page_bytes(p));
    return copy_of(t, bytes, PAGE, like);
}

static size_t count_chunks(const struct sim_travel *t, size_t pieces)
{
    size_t n = 0;
    for (size_t i = 0; i < pieces; i++)
        n += (t->pieces[i].bytes + CHUNK - 1) / CHUNK;
    return n;
}

static bool fill_moment(struct sim_travel *t, struct travel_moment *m)
{
    const struct travel_moment *like = t->now;
    size_t chunk = 0;
    bool good = true;
    for (size_t i = 0; i < m->pieces; i++)
        for (size_t at = 0; at < t->pieces[i].bytes; at += CHUNK, chunk++) {
            struct travel_copy *old = like && chunk < like->chunks ? like->chunk[chunk] : NULL;
            m->chunk[chunk] = copy_of(t, t->pieces[i].at + at, chunk_bytes(&t->pieces[i], at), old);
            good &= m->chunk[chunk] != NULL;
        }
    for (size_t i = 0; i < m->pages; i++) {
        m->page[i] = copy_page(t, t->run->saved[i], like && i < like->pages ? like->page[i] : NULL);
        good &= m->page[i] != NULL;
    }
    return good;
}

static struct travel_moment *make_moment(struct sim_travel *t)
{
    struct travel_moment *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (struct travel_moment){.pieces = t->used, .chunks = count_chunks(t, t->used)};
    if (t->run) {
        m->place = t->run->steps;
        m->pages = t->run->saved_count;
    }
    m->chunk = calloc(m->chunks + 1, sizeof(struct travel_copy *));
    m->page = calloc(m->pages + 1, sizeof(struct travel_copy *));
    t->bytes += (m->chunks + m->pages) * sizeof(void *);
    if (m->chunk && m->page && fill_moment(t, m)) {
        t->now = m;
        return m;
    }
    drop_moment(t, m);
    return NULL;
}

static void put_page(const struct saved_page *p, const unsigned char *bytes)
{
    memcpy(p->of->host + p->page * PAGE, bytes, page_bytes(p));
}

static void put_back(struct sim_travel *t, const struct travel_moment *m)
{
    size_t chunk = 0;
    for (size_t i = m->pages; t->run && i < t->run->saved_count; i++)
        put_page(t->run->saved[i], t->run->saved[i]->bytes); /* not written yet at the moment */
    for (size_t i = 0; i < m->pieces; i++)
        for (size_t at = 0; at < t->pieces[i].bytes; at += CHUNK, chunk++) {
            const struct travel_piece *p = &t->pieces[i];
            if (memcmp(p->at + at, m->chunk[chunk]->bytes, chunk_bytes(p, at)) != 0)
                memcpy(p->at + at, m->chunk[chunk]->bytes, chunk_bytes(p, at));
        }
    for (size_t i = 0; i < m->pages; i++)
        put_page(t->run->saved[i], m->page[i]->bytes);
    free_scratch(t);
    t->used = m->pieces;
    t->now = m;
}

/* Every second moment goes, but for the first one, the last one and the one that is known to hold.
 */
static void thin_out(struct sim_travel *t)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < t->moment_count; i++)
        if (i % 2 && i + 1 < t->moment_count && t->moments[i] != t->now)
            drop_moment(t, t->moments[i]);
        else
            t->moments[kept++] = t->moments[i];
    t->moment_count = kept;
    t->spacing *= 2;
}

static uint64_t last_place(const struct sim_travel *t)
{
    return t->moments[t->moment_count - 1]->place;
}

/* Where no moment was so far, one is made now and then. */
static int keep_moment(struct sim_travel *t)
{
    if (t->run->status != SIM_RUNNING || t->run->steps < last_place(t) + t->spacing)
        return 0;
    struct travel_moment *m = make_moment(t);
    if (!m)
        return -1;
    t->moments[t->moment_count++] = m;
    while (t->moment_count > MOMENTS || (t->bytes > COPIES_MOST && t->moment_count > 4))
        thin_out(t);
    return 0;
}

static int keep_near(struct sim_travel *t)
{
    struct travel_moment *m = make_moment(t), *old = t->near;
    if (!m)
        return -1;
    t->near = m;
    drop_moment(t, old);
    return 0;
}

static const struct travel_moment *moment_before(const struct sim_travel *t, uint64_t place)
{
    const struct travel_moment *best = t->moments[0];
    for (unsigned i = 1; i < t->moment_count; i++)
        if (t->moments[i]->place <= place)
            best = t->moments[i];
    return t->near && t->near->place <= place && t->near->place > best->place ? t->near : best;
}

/* ---- running ------------------------------------------------------------------------------ */

/* The first choice from here on; NULL: there is none. */
static const struct sim_choice *choice_from(const struct sim_travel *t, uint64_t place)
{
    for (unsigned i = 0; i < t->choice_count; i++)
        if (t->choices[i].place >= place)
            return &t->choices[i];
    return NULL;
}

/* Makes the choice of this place, if there is one. The next choice, or NULL. */
static const struct sim_choice *make_choice(struct sim_travel *t)
{
    const struct sim_choice *c = choice_from(t, t->run->steps);
    if (!c || c->place != t->run->steps)
        return c;
    (void)run_choose(t->run, c->block, c->warp); /* it could be made here before */
    return choice_from(t, t->run->steps + 1);
}

/* Runs `steps` further or a turn more, but never beyond a place. A turn is cut short there. */
static void run_until(struct sim_travel *t, uint64_t place, uint64_t steps)
{
    const uint64_t limit = t->run->launch.step_limit;
    t->run->launch.step_limit = place;
    run_turns(t->run, steps);
    t->run->launch.step_limit = limit;
}

/* Runs to a stop between two turns: `steps` further, or a turn more. A choice ahead is such a stop
 * as well, since it is a part of the course. */
static int run_on(struct sim_travel *t, uint64_t steps)
{
    const uint64_t most = t->spacing < steps ? t->spacing : steps;
    const struct sim_choice *next = make_choice(t);
    if (next)
        run_until(t, next->place, most);
    else
        sim_step(t->run, most);
    if (t->run->status != SIM_RUNNING)
        t->end = t->run->steps;
    return t->broken ? -1 : keep_moment(t);
}

/* Is the state that of a stop, from which the launch can run on? */
static bool is_stop(const struct sim_travel *t)
{
    return !t->is_scratch;
}

static void go_before(struct sim_travel *t, uint64_t place)
{
    const struct travel_moment *m = moment_before(t, place);
    if (!is_stop(t) || t->run->steps > place || t->run->steps < m->place)
        put_back(t, m);
}

/* Nothing of this is kept. */
static void run_to_limit(struct sim_travel *t, uint64_t place)
{
    t->is_scratch = true;
    while (t->run->status == SIM_RUNNING && t->run->steps < place &&
           (t->run->finished < t->run->blocks || t->run->pending)) {
        const struct sim_choice *next = make_choice(t);
        run_until(t, next && next->place < place ? next->place : place, UINT64_MAX);
    }
}

int sim_travel_to(struct sim_travel *t, uint64_t place)
{
    const uint64_t limit = t->run->launch.step_limit;
    const bool whole = place >= t->end || (limit && place > limit);
    go_before(t, place);
    const uint64_t from = t->run->steps;
    while (t->run->status == SIM_RUNNING && (whole || t->run->steps + NEAR < place))
        if (run_on(t, whole ? SPACING : place - t->run->steps - NEAR) != 0)
            return -1;
    if (t->run->steps > from + NEAR && keep_near(t) != 0)
        return -1;
    if (t->run->status == SIM_RUNNING && t->run->steps < place)
        run_to_limit(t, place);
    return t->broken ? -1 : 0;
}

int sim_travel_scan(struct sim_travel *t, uint64_t from, uint64_t to, const bool *enough)
{
    enum { PART = 1 << 14 };
    go_before(t, from);
    while (t->run->status == SIM_RUNNING && t->run->steps < to && !*enough)
        if (run_on(t, PART) != 0)
            return -1;
    return 0;
}

/* ---- choices ------------------------------------------------------------------------------ */

/* Moments from a place on go, but for the first one. The state is that of one before the place. */
static void forget_from(struct sim_travel *t, uint64_t place)
{
    unsigned kept = 1;
    while (kept < t->moment_count && t->moments[kept]->place < place)
        kept++;
    put_back(t, t->moments[kept - 1]);
    while (t->moment_count > kept)
        drop_moment(t, t->moments[--t->moment_count]);
    drop_moment(t, t->near);
    t->near = NULL;
    while (t->piece_count > t->used) /* the other course allocates others */
        free(t->pieces[--t->piece_count].at);
    while (t->choice_count && t->choices[t->choice_count - 1].place >= place)
        t->choice_count--;
    t->end = UINT64_MAX;
}

int sim_travel_choose(struct sim_travel *t, const struct sim_choice *c)
{
    if (sim_travel_to(t, c->place) != 0)
        return -1;
    const bool ends = t->run->status != SIM_RUNNING || t->run->steps != c->place;
    t->is_scratch = true; /* it is tried first */
    const bool can =
        !ends && t->choice_count < SIM_CHOICES && run_choose(t->run, c->block, c->warp);
    if (can) {
        forget_from(t, c->place);
        t->choices[t->choice_count++] = *c;
    } else {
        put_back(t, moment_before(t, c->place));
    }
    return sim_travel_to(t, c->place) != 0 ? -1 : !can;
}

const struct sim_choice *sim_travel_choices(const struct sim_travel *t, unsigned *count)
{
    *count = t->choice_count;
    return t->choices;
}

void sim_travel_repeat(struct sim_travel *t, const struct sim_choice *choices, unsigned count)
{
    t->choice_count = count < SIM_CHOICES ? count : SIM_CHOICES;
    memcpy(t->choices, choices, t->choice_count * sizeof *choices);
}

uint64_t sim_travel_near(const struct sim_travel *t, uint64_t place)
{
    return moment_before(t, place ? place - 1 : 0)->place;
}

struct sim_run *sim_travel_run(struct sim_travel *t)
{
    return t->run;
}

uint64_t sim_travel_at(const struct sim_travel *t)
{
    return t->run->steps;
}

uint64_t sim_travel_last(const struct sim_travel *t)
{
    return t->end;
}

enum sim_status sim_travel_status(const struct sim_travel *t)
{
    return t->run->status;
}

size_t sim_travel_bytes(const struct sim_travel *t)
{
    return t->bytes;
}

/* ---- begin and end ------------------------------------------------------------------------ */

static int add_piece(struct sim_travel *t, void *at, size_t bytes)
{
    if (mem_grow(&t->before, (void **)&t->pieces, &t->piece_room, t->piece_count,
                 sizeof *t->pieces) < 0)
        return -1;
    t->pieces[t->piece_count++] = (struct travel_piece){at, bytes, false};
    t->used = t->piece_count;
    return 0;
}

/* What a launch changes of what was there before, but for the pages of arrays. The memory that
 * device code got in an earlier launch has no such pages. */
static int add_old_pieces(struct sim_travel *t)
{
    struct sim *s = t->sim;
    int rc = add_piece(t, s, sizeof *s);
    for (struct sim_module *m = s->modules; m && rc == 0; m = m->next) {
        rc = add_piece(t, m, sizeof *m);
        if (rc == 0 && m->function_count) /* what module_reach() has found last */
            rc = add_piece(t, m->functions, m->function_count * sizeof *m->functions);
        if (rc == 0 && m->function_count)
            rc = add_piece(t, m->reached, m->function_count * sizeof *m->reached);
    }
    if (rc == 0 && s->allocations) /* what is not in use may have any bytes */
        memset(s->allocations + s->allocation_count, 0,
               (s->allocation_capacity - s->allocation_count) * sizeof *s->allocations);
    if (rc == 0 && s->allocations)
        rc = add_piece(t, s->allocations, s->allocation_capacity * sizeof *s->allocations);
    for (size_t i = 0; i < s->allocation_count && rc == 0; i++) {
        struct allocation *a = s->allocations[i];
        rc = add_piece(t, a, sizeof *a);
        if (rc == 0 && a->heap && !a->freed)
            rc = add_piece(t, a->host, (size_t)a->size);
    }
    return rc;
}

static struct sim_travel *begin_failed(struct sim *s, struct sim_travel *t)
{
    if (t)
        sim_travel_end(t);
    sim_fail(s, 0, "out of memory");
    return NULL;
}

struct sim_travel *sim_travel_begin(struct sim *s, const struct sim_launch *launch)
{
    if (sim_not_running(s, "another one starts") != 0)
        return NULL;
    struct sim_travel *t = mem_alloc(&s->allocator, sizeof *t);
    if (!t)
        return begin_failed(s, NULL);
    *t = (struct sim_travel){
        .sim = s, .before = s->allocator, .spacing = SPACING, .end = UINT64_MAX};
    if (add_old_pieces(t) != 0 || !(t->origin = make_moment(t)))
        return begin_failed(s, t);
    s->allocator = (struct allocator){travel_resize, t};
    t->run = sim_start(s, launch);
    if (!t->run) {
        sim_travel_end(t);
        return NULL;
    }
    if (t->run->status == SIM_RUNNING)
        run_has_block(t->run);
    t->moments[0] = make_moment(t);
    t->moment_count = t->moments[0] != NULL;
    return t->moment_count ? t : begin_failed(s, t);
}

/* The launch is gone without an end: what there was before it has its bytes again, and what it has
 * allocated is freed. */
void sim_travel_end(struct sim_travel *t)
{
    struct sim *s = t->sim;
    struct allocator before = t->before;
    if (t->origin)
        put_back(t, t->origin);
    s->allocator = before;
    drop_moment(t, t->near);
    drop_moment(t, t->origin);
    while (t->moment_count)
        drop_moment(t, t->moments[--t->moment_count]);
    free_scratch(t);
    for (size_t i = 0; i < t->piece_count; i++)
        if (t->pieces[i].own)
            free(t->pieces[i].at);
    mem_free(&before, t->pieces, t->piece_room * sizeof *t->pieces);
    mem_free(&before, t->scratch, t->scratch_room * sizeof *t->scratch);
    mem_free(&before, t, sizeof *t);
}
