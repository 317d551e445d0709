/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Atomics of workers on global memory. One whose result is used, or that is for its block alone,
 * is done in place, as a read and a write. Sums and the like of integers come to the same in
 * every order: a worker adds up its own, and they are added to memory at the end. All others are
 * kept by chunk, and done once all chunks before are through: then they come in the order of
 * one core, as long as no cluster was left before its end.
 */
#include "sim/cores.h"

#include "sim/exec/op.h"

#include <string.h>

#define MOST_KEPT ((size_t)256 << 20) /* bytes of all logs */
enum { MOST_SUMMED = 1 << 20 };       /* bytes of an allocation of which workers have a copy */

/* The operations whose order makes no difference, and with what a sum of none begins. */
static const struct combining {
    const char *op;
    uint64_t none;
} combining[] = {
    {"*atomic.add.u32", 0}, {"*atomic.add.s32", 0}, {"*atomic.add.u64", 0}, {"*atomic.add.s64", 0},
    {"*atomic.min.u32", UINT32_MAX}, {"*atomic.min.s32", INT32_MAX},
    {"*atomic.min.u64", UINT64_MAX}, {"*atomic.min.s64", INT64_MAX},
    {"*atomic.max.u32", 0}, {"*atomic.max.s32", UINT32_C(1) << 31},
    {"*atomic.max.u64", 0}, {"*atomic.max.s64", UINT64_C(1) << 63},
    {"*atomic.and.b32", UINT32_MAX}, {"*atomic.and.b64", UINT64_MAX},
    {"*atomic.or.b32", 0}, {"*atomic.or.b64", 0}, {"*atomic.xor.b32", 0}, {"*atomic.xor.b64", 0}};
enum { COMBINING = sizeof combining / sizeof *combining };

static bool reads(const struct sim_operands *o, uint32_t reg)
{
    bool found = o->guard == reg || o->base == reg;
    for (uint32_t i = o->written; i < o->written + o->read; i++)
        found |= o->number[i] == reg;
    return found;
}

bool atomics_result_used(const struct sim_module *m, const struct function *f, uint32_t pc)
{
    const struct sim_operands *o = m->shown[pc].operands, *other;
    if (!m->code[pc].d)
        return false;
    if (!o || m->shown[pc].part || m->shown[pc].elements > 1)
        return true;
    for (uint32_t i = 0; i < o->written; i++)
        for (uint32_t k = f->entry; o->number[i] && k < f->end; k++)
            if ((other = m->shown[k].operands) && reads(other, o->number[i]))
                return true;
    return false;
}

/* Which of the combining operations it is, plus ATOMIC_COMBINED; or one of the other ways. */
static uint8_t way_of(const struct sim_run *r, const struct function *f, uint32_t pc)
{
    const struct sim_module *m = r->module;
    const enum sim_scope scope = m->shown[pc].scope;
    if (scope == SIM_BLOCK_SCOPE || scope == SIM_CLUSTER_SCOPE || m->code[pc].bytes > 8 ||
        atomics_result_used(m, f, pc))
        return ATOMIC_IN_PLACE;
    for (uint8_t i = 0; i < COMBINING; i++) {
        const struct op *op = ops_find(r->sim, combining[i].op);
        if (op && op->run == m->code[pc].run)
            return (uint8_t)(ATOMIC_COMBINED + i);
    }
    return ATOMIC_LOGGED;
}

bool atomics_begin(struct cores *c)
{
    struct sim_run *r = c->run;
    const struct sim_module *m = r->module;
    struct arena *arena = &r->of_grid;
    c->chunks = (r->clusters + c->chunk - 1) / c->chunk;
    c->atomics = arena_alloc(arena, m->count + 1);
    c->summed = arena_alloc(arena, (r->sim->allocation_count + 1) * sizeof *c->summed);
    const struct op *adds = ops_find(r->sim, "*atomic.add.f32");
    c->adds_floats = adds ? adds->run : NULL;
    c->logs = mem_alloc(&r->sim->allocator, c->chunks * sizeof *c->logs);
    if (!c->atomics || !c->summed || !c->logs)
        return false;
    for (uint32_t i = 0; i < m->reached_count; i++) {
        const struct function *f = &m->functions[m->reached[i]];
        for (uint32_t pc = f->entry; pc < f->end; pc++)
            if (m->code[pc].access >= SIM_ATOMIC)
                c->atomics[pc] = way_of(r, f, pc);
    }
    return true;
}

/* ---- combining ------------------------------------------------------------------------- */

/* All workers combine one operation only for each allocation: that of the first one. */
static bool agrees(struct cores *c, size_t number, uint32_t pc)
{
    const struct insn *code = c->run->module->code;
    uint32_t there = 0;
    if (__atomic_compare_exchange_n(&c->summed[number], &there, pc + 1, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        return true;
    return code[there - 1].run == code[pc].run;
}

static unsigned char *make_sums(struct worker *w, const struct allocation *a, uint64_t none,
                                unsigned bytes)
{
    unsigned char *sums = arena_take(&w->run.arena, (size_t)a->size);
    const uint32_t narrow = (uint32_t)none;
    for (uint64_t at = 0; sums && at + bytes <= a->size; at += bytes)
        memcpy(sums + at, bytes == sizeof narrow ? (const void *)&narrow : &none, bytes);
    return sums;
}

/* Leads the atomic to the worker's own sums. False: it has none for this operation. */
static bool combine(struct worker *w, size_t number, uint32_t pc, struct reach *r, unsigned bytes)
{
    const struct allocation *a = w->run.sim->allocations[number];
    const uint8_t way = w->cores->atomics[pc];
    if (way < ATOMIC_COMBINED || a->size > MOST_SUMMED || a->address % bytes ||
        !agrees(w->cores, number, pc))
        return false;
    if (!w->sums[number])
        w->sums[number] = make_sums(w, a, combining[way - ATOMIC_COMBINED].none, bytes);
    r->base = (uintptr_t)w->sums[number] - (uintptr_t)a->address;
    return w->sums[number] != NULL;
}

/* ---- keeping --------------------------------------------------------------------------- */

/* Atomics of a warp, as they are kept: this, then the addresses of the lanes if they differ, then
 * what the lanes give. */
struct kept {
    uint64_t address; /* of the first lane */
    uint32_t pc, lanes;
    bool same; /* all lanes of the warp, at one address */
};

static bool grow(struct cores *c, struct atomic_log *log, size_t more)
{
    const size_t before = log->capacity, wider = before ? 2 * before : 4096;
    if (log->count + more <= before)
        return true;
    if (__atomic_add_fetch(&c->kept_bytes, wider - before, __ATOMIC_RELAXED) > MOST_KEPT)
        return false;
    void *bytes = mem_resize(&c->run->sim->allocator, log->bytes, before, wider);
    if (!bytes)
        return false;
    log->bytes = bytes;
    log->capacity = wider;
    return true;
}

static void put(struct atomic_log *log, const void *from, size_t bytes)
{
    memcpy(log->bytes + log->count, from, bytes);
    log->count += bytes;
}

static void put_row(struct atomic_log *log, const void *row, uint32_t lanes, unsigned bytes)
{
    const unsigned char *from = row;
    if (lanes == ALL_LANES) {
        put(log, row, (size_t)LANES * bytes);
        return;
    }
    EACH_LANE(i, lanes)
        put(log, from + (size_t)i * bytes, bytes);
}

static struct known_float *known_at(struct cores *c, const unsigned char *place)
{
    return &c->known[(uintptr_t)place / sizeof(float) % KNOWN_PLACES];
}

static void lock_known(struct cores *c)
{
    while (__atomic_test_and_set(&c->knowing, __ATOMIC_ACQUIRE))
        ;
}

static void know(struct known_float *k, const unsigned char *place)
{
    uint32_t bits;
    memcpy(&bits, place, sizeof bits);
    __atomic_store_n(&k->bits, bits, __ATOMIC_RELAXED);
    __atomic_store_n(&k->place, place, __ATOMIC_RELAXED);
}

/* Before atomics are done, memory has what it had before the launch. */
static void know_first(struct cores *c, struct known_float *k, const unsigned char *place)
{
    lock_known(c);
    if (!c->atomics_begun && !k->place)
        know(k, place);
    __atomic_clear(&c->knowing, __ATOMIC_RELEASE);
}

/* How large the float at the place is, as far as it is known. Whoever does atomics changes it
 * meanwhile. If the worker has guessed wrong, that is seen when its count is added. */
static float known_float(struct cores *c, const unsigned char *place)
{
    struct known_float *k = known_at(c, place);
    float value = 0;
    if (!__atomic_load_n(&k->place, __ATOMIC_RELAXED))
        know_first(c, k, place);
    const uint32_t bits = __atomic_load_n(&k->bits, __ATOMIC_RELAXED);
    if (__atomic_load_n(&k->place, __ATOMIC_RELAXED) == place)
        memcpy(&value, &bits, sizeof value);
    return value;
}

/* The next chunks count for floats as large as these are now. */
static void know_floats(struct cores *c, const struct atomic_log *log)
{
    for (unsigned i = 0; i < log->places; i++)
        know(known_at(c, log->counted[i].place), log->counted[i].place);
}

static struct counted_place *place_in(struct cores *c, struct atomic_log *log, unsigned char *place)
{
    for (unsigned i = 0; i < log->places; i++)
        if (log->counted[i].place == place)
            return &log->counted[i];
    if (log->places == COUNTED_PLACES)
        return NULL;
    struct counted_place *p = &log->counted[log->places++];
    *p = (struct counted_place){.place = place, .units.like = known_float(c, place)};
    return p;
}

/* Counts what a warp adds, if it adds floats to one place. */
static bool count(struct warp *w, const struct insn *in, const uint64_t address[LANES],
                  uint32_t lanes, const struct allocation *a)
{
    struct worker *own = w->launch->worker;
    const float *row = row_of(w, in->b);
    const uint64_t at = address[lane_first(lanes)];
    float value[LANES] = {0};
    if (in->run != own->cores->adds_floats)
        return false;
    EACH_LANE(i, lanes) {
        if (address[i] != at)
            return false;
        value[i] = row[i];
    }
    struct counted_place *p = place_in(own->cores, &own->log, a->host + (at - a->address));
    return p && w->launch->sim->exec.count_floats(&p->units, value);
}

static bool keep(struct warp *w, const struct insn *in, const uint64_t address[LANES],
                 const struct reach *r, bool same, const struct allocation *a)
{
    struct worker *own = w->launch->worker;
    struct atomic_log *log = &own->log;
    const uint32_t lanes = r->lanes;
    const unsigned bytes = in->bytes;
    const struct kept k = {
        .address = address[lane_first(lanes)], .pc = w->pc - 1, .lanes = lanes, .same = same};
    if (!grow(own->cores, log, sizeof k + LANES * (sizeof *address + 2 * (size_t)bytes)))
        return false;
    put(log, &k, sizeof k);
    if (!same)
        put_row(log, address, lanes, sizeof *address);
    put_row(log, row_of(w, in->b), lanes, bytes);
    if (in->c)
        put_row(log, row_of(w, in->c), lanes, bytes);
    log->uncounted = log->uncounted || !count(w, in, address, lanes, a);
    own->logged = true;
    return true;
}

/* ---- memory of logs -------------------------------------------------------------------- */

/* A worker gets its own logs back: they are in the cache of its core. */
static void lock_spares(struct worker *w)
{
    while (__atomic_test_and_set(&w->sparing, __ATOMIC_ACQUIRE))
        ;
}

static struct atomic_log new_log(struct worker *w)
{
    struct atomic_log log = {NULL};
    lock_spares(w);
    if (w->spares)
        log = w->spare[--w->spares];
    __atomic_clear(&w->sparing, __ATOMIC_RELEASE);
    return log;
}

static void free_log(struct cores *c, struct atomic_log *log)
{
    mem_free(&c->run->sim->allocator, log->bytes, log->capacity);
    __atomic_sub_fetch(&c->kept_bytes, log->capacity, __ATOMIC_RELAXED);
    *log = (struct atomic_log){NULL};
}

/* Its atomics are done. */
static void spare_log(struct cores *c, struct chunk_log *l)
{
    struct worker *w = l->of;
    const struct atomic_log empty = {.bytes = l->log.bytes, .capacity = l->log.capacity};
    lock_spares(w);
    if (empty.bytes && w->spares < SPARE_LOGS) {
        w->spare[w->spares++] = empty;
        l->log = (struct atomic_log){NULL};
    }
    __atomic_clear(&w->sparing, __ATOMIC_RELEASE);
    free_log(c, &l->log);
}

/* ---- doing what was kept --------------------------------------------------------------- */

/* A warp that does one atomic after the other, for the launch's own run. */
struct doer {
    struct warp warp;
    struct insn in;
    _Alignas(64) unsigned char rows[64 + 3 * LANES * sizeof(uint64_t)];
};
enum { ROW_A = 64, ROW_B = ROW_A + 256, ROW_C = ROW_B + 256 };

static void prepare(struct doer *d, struct sim_run *r, uint32_t pc)
{
    const struct insn *in = &r->module->code[pc];
    if (d->in.run && d->warp.pc == pc + 1)
        return;
    d->warp.launch = r;
    d->warp.base[0] = d->warp.base[1] = d->rows;
    d->warp.pc = pc + 1;
    d->in = (struct insn){.run = in->run, .a = ROW_A, .b = ROW_B, .c = in->c ? ROW_C : 0,
                          .bytes = in->bytes, .count = in->count, .space = SIM_GLOBAL,
                          .access = in->access, .type = in->type};
}

static const unsigned char *take_row(void *row, const unsigned char *from, uint32_t lanes,
                                     unsigned bytes)
{
    unsigned char *to = row;
    if (lanes == ALL_LANES) {
        memcpy(to, from, (size_t)LANES * bytes);
        return from + (size_t)LANES * bytes;
    }
    EACH_LANE(i, lanes) {
        memcpy(to + (size_t)i * bytes, from, bytes);
        from += bytes;
    }
    return from;
}

/* Adds what was counted to the float at the place. False: it is not as large as was thought. */
static bool add_units(const struct cores *c, unsigned char *place, const struct float_units *units)
{
    float sum;
    memcpy(&sum, place, sizeof sum);
    if (!c->run->sim->exec.add_units(&sum, units))
        return false;
    memcpy(place, &sum, sizeof sum);
    return true;
}

/* A warp adds floats to one place. False: not in this way, and nothing has happened. The worker has
 * saved the page before. */
static bool add_floats(struct cores *c, const struct kept *k, const unsigned char *row)
{
    struct sim_run *r = c->run;
    const struct allocation *a;
    struct float_units units = {0};
    float value[LANES];
    if (!k->same || r->module->code[k->pc].run != c->adds_floats ||
        !(a = memory_find(r->sim, k->address, &r->hint[k->pc])))
        return false;
    unsigned char *place = a->host + (k->address - a->address);
    memcpy(&units.like, place, sizeof units.like);
    memcpy(value, row, sizeof value);
    return r->sim->exec.count_floats(&units, value) && add_units(c, place, &units);
}

/* The log is in the cache of the core that wrote it. It takes longer to come from there than to be
 * done. */
static inline void fetch_ahead(const unsigned char *at, const unsigned char *end)
{
    enum { AHEAD = 2048, PART = 192 };
    for (unsigned i = AHEAD; i < AHEAD + PART && at + i < end; i += HOST_LINE)
        __builtin_prefetch(at + i);
}

/* Adds what the worker has counted. Where one float is not as large as it thought, none is changed. */
static bool add_counted(const struct cores *c, const struct atomic_log *log)
{
    float before[COUNTED_PLACES];
    unsigned added = 0;
    for (; !log->uncounted && added < log->places; added++) {
        memcpy(&before[added], log->counted[added].place, sizeof *before);
        if (!add_units(c, log->counted[added].place, &log->counted[added].units))
            break;
    }
    if (!log->uncounted && added == log->places)
        return true;
    while (added--)
        memcpy(log->counted[added].place, &before[added], sizeof *before);
    return false;
}

static bool do_all(struct cores *c, const struct atomic_log *log)
{
    struct doer d = {.in = {.run = NULL}};
    const unsigned char *at = log->bytes, *end = at ? at + log->count : at;
    bool done = true;
    for (struct kept k; done && at < end;) {
        memcpy(&k, at, sizeof k);
        at += sizeof k;
        fetch_ahead(at, end);
        if (add_floats(c, &k, at)) {
            at += LANES * sizeof(float);
            continue;
        }
        prepare(&d, c->run, k.pc);
        const unsigned bytes = d.in.bytes;
        d.in.flags = k.same ? INSN_UNIFORM_ADDRESS : 0;
        d.in.offset = k.same ? (int64_t)k.address : 0;
        if (!k.same)
            at = take_row(d.rows + ROW_A, at, k.lanes, sizeof k.address);
        at = take_row(d.rows + ROW_B, at, k.lanes, bytes);
        if (d.in.c)
            at = take_row(d.rows + ROW_C, at, k.lanes, bytes);
        done = d.in.run(&d.warp, &d.in, k.lanes) != FAULTED;
    }
    return done;
}

/* Does what is due. One worker at a time does so. */
static bool do_due(struct cores *c)
{
    bool done = true;
    lock_known(c);
    c->atomics_begun = true;
    __atomic_clear(&c->knowing, __ATOMIC_RELEASE);
    for (; done && c->committed < c->chunks; c->committed++) {
        struct chunk_log *l = &c->logs[c->committed];
        if (!__atomic_load_n(&l->done, __ATOMIC_SEQ_CST))
            break;
        done = add_counted(c, &l->log) || do_all(c, &l->log);
        know_floats(c, &l->log);
        spare_log(c, l);
    }
    return done;
}

void atomics_chunk_done(struct worker *w)
{
    struct cores *c = w->cores;
    if (w->chunk == UINT64_MAX)
        return;
    struct chunk_log *l = &c->logs[w->chunk];
    l->log = w->log;
    l->of = w;
    w->log = w->log.bytes ? new_log(w) : w->log;
    w->chunk = UINT64_MAX;
    __atomic_store_n(&l->done, true, __ATOMIC_SEQ_CST);
    if (__atomic_test_and_set(&c->committing, __ATOMIC_SEQ_CST))
        return; /* whoever is at it, or the end of the launch, does this one too */
    if (!do_due(c))
        __atomic_store_n(&c->stop, true, __ATOMIC_RELAXED);
    __atomic_clear(&c->committing, __ATOMIC_SEQ_CST);
}

/* Adds what one worker's atomics on an allocation come to. */
static bool do_sums(struct cores *c, const struct worker *w, size_t number)
{
    const struct allocation *a = c->run->sim->allocations[number];
    uint64_t *const *pages = w->touched.map[number].page[TOUCH_COMBINED];
    struct doer d = {.in = {.run = NULL}};
    bool done = true;
    if (!pages)
        return true;
    prepare(&d, c->run, c->summed[number] - 1);
    const unsigned bytes = d.in.bytes;
    for (uint64_t at = 0; done && at + bytes <= a->size; at += bytes) {
        const uint64_t *bits = pages[at / PAGE];
        if (!bits || !(bits[at % PAGE / 64] >> at % 64 & 1))
            continue;
        memcpy(d.rows + ROW_B, w->sums[number] + at, bytes);
        for (unsigned i = 0; i < LANES; i++)
            memcpy(d.rows + ROW_A + i * sizeof at, &(uint64_t){a->address + at}, sizeof at);
        done = d.in.run(&d.warp, &d.in, 1) != FAULTED;
    }
    return done;
}

bool atomics_finish(struct cores *c)
{
    for (unsigned i = 0; i < c->count; i++)
        atomics_chunk_done(c->workers[i]);
    bool done = do_due(c) && c->committed == c->chunks;
    for (unsigned i = 0; i < c->count; i++)
        for (size_t k = 0; done && k < c->run->sim->allocation_count; k++)
            done = do_sums(c, c->workers[i], k);
    return done;
}

void atomics_free(struct cores *c)
{
    for (uint64_t i = 0; c->logs && i < c->chunks; i++)
        free_log(c, &c->logs[i].log);
    for (unsigned i = 0; i < c->count; i++) {
        struct worker *w = c->workers[i];
        free_log(c, &w->log);
        while (w->spares)
            free_log(c, &w->spare[--w->spares]);
    }
    mem_free(&c->run->sim->allocator, c->logs, c->chunks * sizeof *c->logs);
    c->logs = NULL;
}

/* ---- an atomic ------------------------------------------------------------------------- */

static bool note(struct sim_run *r, size_t number, enum touch how, const uint64_t address[LANES],
                 uint32_t lanes, unsigned bytes)
{
    const uint64_t start = r->sim->allocations[number]->address;
    bool noted = true;
    EACH_LANE(i, lanes)
        noted &= touched_add(r, number, how, address[i] - start, bytes);
    return noted;
}

static enum atomic_way stops(struct sim_run *r)
{
    cores_give_up(r);
    r->status = SIM_FAULTED;
    return ATOMIC_STOPS;
}

enum atomic_way cores_atomic(struct warp *w, const struct insn *in, const uint64_t address[LANES],
                             bool same, struct reach *reach)
{
    struct sim_run *r = w->launch;
    const uint32_t pc = w->pc - 1, lanes = reach->lanes;
    const unsigned bytes = in->bytes;
    const uint32_t places = same ? lanes & (0 - lanes) : lanes;
    const size_t number = r->hint[pc]; /* reach found it there */
    if (r->worker->cores->atomics[pc] == ATOMIC_IN_PLACE)
        return note(r, number, TOUCH_READ, address, places, bytes) &&
                       note(r, number, TOUCH_WRITTEN, address, places, bytes)
                   ? ATOMIC_NOW
                   : stops(r);
    if (combine(r->worker, number, pc, reach, bytes))
        return note(r, number, TOUCH_COMBINED, address, places, bytes) ? ATOMIC_NOW : stops(r);
    return note(r, number, TOUCH_LOGGED, address, places, bytes) &&
                   keep(w, in, address, reach, same, r->sim->allocations[number])
               ? ATOMIC_LATER
               : stops(r);
}
