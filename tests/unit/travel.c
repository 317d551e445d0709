/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch that travels has at each place the state that a plain launch has there, whichever way it
 * came. `travel N` takes N commands in each walk, and prints how long they took and how much memory.
 * `travel FILE.ptx...` walks through all kernels of these files. Their arrays are all alike, so some
 * kernels fault, which is as good as any other end.
 */
#include "sim/travel.h"

#include "base/hash.h"
#include "os/clock.h"
#include "sim/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* calls: threads call a function, which has memory of its own.
 * loop: each block mixes numbers in shared memory, with barriers, two ways in a branch, and atomics.
 * pieces: threads get memory, write to it, print, and free a part of it. */
static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    ".extern .func free (.param .b64 p);\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 words[7] = {112, 105, 101, 99, 101, 10, 0};\n"
    ".func (.param .b32 r) mixed(.param .b32 v)\n{\n"
    "    .local .align 4 .b8 own[16];\n    .reg .b32 %r<4>;\n    .reg .b64 %d<4>;\n"
    "    ld.param.u32 %r1, [v];\n    mov.u64 %d1, own;\n    cvta.local.u64 %d1, %d1;\n"
    "    st.u32 [%d1+4], %r1;\n    ld.u32 %r2, [%d1+4];\n"
    "    mad.lo.u32 %r2, %r2, 1664525, 1013904223;\n    st.param.b32 [r], %r2;\n    ret;\n}\n"
    ".visible .entry calls(.param .u64 x, .param .u32 turns)\n{\n"
    "    .reg .pred %p<4>;\n    .reg .b32 %r<16>;\n    .reg .b64 %d<8>;\n"
    "    ld.param.u64 %d1, [x];\n    ld.param.u32 %r1, [turns];\n    mov.u32 %r2, %tid.x;\n"
    "    mov.u32 %r3, %ctaid.x;\n    mov.u32 %r4, %ntid.x;\n"
    "    mad.lo.u32 %r5, %r3, %r4, %r2;\n    mov.u32 %r6, %r5;\n    mov.u32 %r7, 0;\n"
    "    mul.wide.u32 %d2, %r5, 4;\n    add.u64 %d2, %d2, %d1;\n"
    "AGAIN:\n    {\n    .param .b32 v;\n    .param .b32 r;\n    st.param.b32 [v], %r6;\n"
    "    call.uni (r), mixed, (v);\n    ld.param.b32 %r6, [r];\n    }\n"
    "    st.global.u32 [%d2], %r6;\n    add.u32 %r7, %r7, 1;\n"
    "    setp.lt.u32 %p1, %r7, %r1;\n    @%p1 bra AGAIN;\n    ret;\n}\n"
    ".visible .entry loop(.param .u64 x, .param .u32 turns)\n{\n"
    "    .reg .pred %p<4>;\n    .reg .b32 %r<16>;\n    .reg .b64 %d<8>;\n"
    "    .shared .align 4 .b8 s[1024];\n"
    "    ld.param.u64 %d1, [x];\n    ld.param.u32 %r1, [turns];\n"
    "    mov.u32 %r2, %tid.x;\n    mov.u32 %r3, %ctaid.x;\n    mov.u32 %r4, %ntid.x;\n"
    "    mad.lo.u32 %r5, %r3, %r4, %r2;\n    mov.u32 %r6, %r5;\n    mov.u32 %r7, 0;\n"
    "    shl.b32 %r8, %r2, 2;\n    mov.u32 %r9, s;\n    add.u32 %r9, %r9, %r8;\n"
    "    mul.wide.u32 %d2, %r5, 4;\n    add.u64 %d2, %d2, %d1;\n"
    "LOOP:\n"
    "    mad.lo.u32 %r6, %r6, 1664525, 1013904223;\n    st.shared.u32 [%r9], %r6;\n"
    "    bar.sync 0;\n"
    "    xor.b32 %r10, %r8, 64;\n    mov.u32 %r11, s;\n    add.u32 %r10, %r10, %r11;\n"
    "    ld.shared.u32 %r12, [%r10];\n    bar.sync 0;\n"
    "    and.b32 %r13, %r12, 4;\n    setp.eq.u32 %p1, %r13, 0;\n    @%p1 bra OTHER;\n"
    "    add.u32 %r6, %r6, %r12;\n    shr.u32 %r6, %r6, 1;\n    bra DONE;\n"
    "OTHER:\n    sub.u32 %r6, %r12, %r6;\n"
    "DONE:\n    st.global.u32 [%d2], %r6;\n    atom.global.add.u32 %r14, [%d1], %r6;\n"
    "    add.u32 %r7, %r7, 1;\n    setp.lt.u32 %p2, %r7, %r1;\n    @%p2 bra LOOP;\n"
    "    ret;\n}\n"
    ".visible .entry pieces(.param .u64 x, .param .u32 turns)\n{\n"
    "    .reg .pred %p<4>;\n    .reg .b32 %r<16>;\n    .reg .b64 %d<8>;\n"
    "    ld.param.u64 %d1, [x];\n    mov.u32 %r2, %tid.x;\n    mov.u32 %r3, %ctaid.x;\n"
    "    mov.u32 %r4, %ntid.x;\n    mad.lo.u32 %r5, %r3, %r4, %r2;\n"
    "    mul.wide.u32 %d2, %r5, 4;\n    add.u64 %d2, %d2, %d1;\n"
    "    {\n    .param .b64 n;\n    .param .b64 r;\n    mov.u64 %d3, 24;\n"
    "    st.param.b64 [n], %d3;\n    call.uni (r), malloc, (n);\n    ld.param.b64 %d4, [r];\n    }\n"
    "    st.u32 [%d4+8], %r5;\n    ld.u32 %r6, [%d4+8];\n    st.global.u32 [%d2], %r6;\n"
    "    and.b32 %r7, %r2, 15;\n    setp.ne.u32 %p1, %r7, 0;\n    @%p1 bra KEEP;\n"
    "    {\n    .param .b64 f;\n    .param .b64 a;\n    .param .b32 r;\n    mov.u64 %d5, words;\n"
    "    cvta.global.u64 %d5, %d5;\n    mov.u64 %d6, 0;\n    st.param.b64 [f], %d5;\n"
    "    st.param.b64 [a], %d6;\n    call.uni (r), vprintf, (f, a);\n    }\n"
    "KEEP:\n"
    "    {\n    .param .b64 p;\n    st.param.b64 [p], %d4;\n    call.uni free, (p);\n    }\n"
    "    ret;\n}\n";

enum { THREADS = 256, WORDS = 64 * THREADS, FILE_MOST = 8 << 20 };

static int tests, bad;

static void check(bool good, const char *what, const char *more)
{
    tests++;
    bad += !good;
    printf("%sok %d - %s%s%s\n", good ? "" : "not ", tests, what, more ? ": " : "", more ? more : "");
}

/* What is launched. */
struct walk {
    const char *name, *ptx;
    size_t ptx_bytes;
    const char *kernel;
    unsigned blocks, threads;
    uint32_t number; /* each parameter that is no pointer */
    enum sim_schedule schedule;
    unsigned commands;
    uint64_t most; /* instructions that are walked through; 0: all */
};

enum { PARAM_BYTES = 4096 };
struct rig {
    struct sim *sim;
    struct sim_module *module;
    uint64_t x;
    unsigned char params[PARAM_BYTES];
    struct sim_launch launch;
};

static void put_param(struct rig *r, const struct sim_param *p, uint32_t number)
{
    const float real = (float)number;
    unsigned char *to = r->params + p->offset;
    if (p->is_array || p->offset + p->size > PARAM_BYTES)
        return;
    if (p->size == 8)
        memcpy(to, &r->x, 8);
    else if (p->type == SIM_F32)
        memcpy(to, &real, 4);
    else
        memcpy(to, &number, p->size < 4 ? p->size : 4);
}

static bool open_rig(struct rig *r, const struct walk *w)
{
    static uint32_t words[WORDS];
    *r = (struct rig){.sim = sim_open(NULL)};
    r->module = r->sim ? sim_module_load(r->sim, "t.ptx", w->ptx, w->ptx_bytes) : NULL;
    const struct sim_kernel *k = r->module ? sim_kernel_find(r->module, w->kernel) : NULL;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i % 61;
    if (!k || sim_malloc(r->sim, sizeof words, "x", &r->x) != 0 ||
        sim_write(r->sim, r->x, words, sizeof words) != 0)
        return false;
    for (unsigned i = 0; i < k->param_count; i++)
        put_param(r, &k->params[i], w->number);
    r->launch = (struct sim_launch){SIM_LAUNCH, .grid = {w->blocks, 1, 1},
                                    .block = {w->threads, 1, 1}, .kernel = k,
                                    .params = r->params, .schedule = w->schedule, .seed = 7,
                                    .shared_bytes = 2048, .step_limit = 1 << 26};
    return true;
}

static uint64_t frame_digest(uint64_t h, const struct frame *f)
{
    for (; f; f = f->parent)
        h = hash_words(h, f->rows, f->of->frame_bytes);
    return h;
}

static uint64_t warp_digest(uint64_t h, const struct warp *w)
{
    const uint32_t facts[] = {w->alive, w->split_count, w->joins_used};
    h = hash_words(h, facts, sizeof facts);
    for (unsigned i = 0; i < w->split_count; i++) {
        const struct split *s = &w->splits[i];
        const uint32_t of_split[] = {s->pc, s->mask, s->state, s->state == READY ? 0 : s->wait};
        h = frame_digest(hash_words(h, of_split, sizeof of_split), s->frame);
    }
    return h;
}

/* Of all that a student could look at. */
static uint64_t digest(const struct sim_run *r)
{
    uint64_t h = HASH_START;
    for (const struct block *b = r->resident; b; b = b->next) {
        h = hash_words(h, &b->index, sizeof b->index);
        h = hash_words(h, b->shared, (size_t)r->shared_bytes);
        for (unsigned i = 0; i < b->warp_count; i++)
            h = warp_digest(h, &b->warps[i]);
    }
    for (size_t i = 0; i < r->sim->allocation_count; i++) {
        const struct allocation *a = r->sim->allocations[i];
        const uint64_t facts[] = {a->address, a->size, a->freed};
        h = hash_words(h, facts, sizeof facts);
        if (!a->freed)
            h = hash_words(h, a->host, (size_t)a->size & ~(size_t)3);
    }
    h = hash_words(h, &r->print_count, sizeof r->print_count);
    return hash_words(h, &r->steps, sizeof r->steps);
}

static uint64_t plain_digest(const struct walk *w, uint64_t place, uint64_t *steps)
{
    struct rig r;
    uint64_t h = 0;
    *steps = UINT64_MAX;
    if (open_rig(&r, w)) {
        sim_set_cores(r.sim, 1);
        struct sim_run *run = sim_start(r.sim, &r.launch);
        if (run) { /* a limit that no launch of this size can keep is refused at the start */
            run->launch.step_limit = place;
            run->trial = false;
            while (run->status == SIM_RUNNING && run->steps < place &&
                   (run->finished < run->blocks || run->pending))
                run_turns(run, UINT64_MAX);
            h = digest(run);
            *steps = run->steps;
            sim_finish(run);
        }
    }
    sim_close(r.sim);
    return h;
}

static uint64_t random_place(uint64_t *dice, uint64_t at, uint64_t end)
{
    switch (random_next(dice) % 4) {
    case 0: return at ? at - 1 : 0;
    case 1: return at + 1 < end ? at + 1 : end - 1; /* at the end it may have found a deadlock */
    case 2: return at > 1000 ? at - random_next(dice) % 1000 : at / 2;
    default: return random_next(dice) % end;
    }
}

/* Goes here and there; at some places compares with a plain launch, at others with what it had when
 * it was there before. */
static void walk(const struct walk *w)
{
    enum { SEEN = 512 };
    static struct { uint64_t place, digest; } seen[SEEN];
    struct rig r;
    char more[240];
    uint32_t word, changed = 0;
    struct sim_travel *t = open_rig(&r, w) ? sim_travel_begin(r.sim, &r.launch) : NULL;
    bool good = t && sim_travel_to(t, w->most ? w->most : UINT64_MAX) == 0;
    const uint64_t end = t ? sim_travel_at(t) : 0;
    uint64_t dice = 1, wrong = 0, plain = 0, steps = 0, again = 0;
    double longest = 0;
    memset(seen, 0, sizeof seen);
    for (unsigned i = 0; i < w->commands && good && end; i++) {
        const uint64_t place = random_place(&dice, sim_travel_at(t), end);
        const double begin = clock_seconds();
        good = sim_travel_to(t, place) == 0 && sim_travel_at(t) == place;
        const double took = clock_seconds() - begin;
        longest = took > longest ? took : longest;
        const uint64_t h = digest(sim_travel_run(t));
        const unsigned slot = (unsigned)(place % SEEN);
        if (seen[slot].place == place && seen[slot].digest) {
            wrong += seen[slot].digest != h;
            again++;
        }
        seen[slot].place = place;
        seen[slot].digest = h;
        if (place && i % (1 + w->commands / 40) == 0) {
            wrong += plain_digest(w, place, &steps) != h || steps != place;
            plain++;
        }
    }
    snprintf(more, sizeof more,
             "%" PRIu64 " instructions, %u commands, %" PRIu64 " beside a plain launch, %" PRIu64
             " again, %" PRIu64 " wrong%s%s",
             end, w->commands, plain, again, wrong, t ? "" : ": ", t || !r.sim ? "" : sim_message(r.sim));
    check(good && !wrong && (plain || !end), w->name, more);
    if (w->commands >= 1000)
        printf("# %s: the longest command took %.1f ms, the copies %.1f MB\n", w->name, longest * 1e3,
               (double)sim_travel_bytes(t) / 1e6);
    if (t) {
        check(sim_travel_bytes(t) < (size_t)200 << 20, "its copies take less than 200 MB", NULL);
        sim_travel_end(t);
    }
    for (uint32_t i = 0; t && i < WORDS; i++)
        changed += sim_read(r.sim, r.x + 4 * i, &word, 4) != 0 || word != i % 61;
    check(!changed, "the array is as it was before", NULL);
    struct sim_run *run = t ? sim_start(r.sim, &r.launch) : NULL;
    while (run && run->steps < end && sim_step(run, 1 << 14) == SIM_RUNNING) { }
    check(run && (w->most ? run->steps >= end : run->steps == end),
          "then the launch runs as if nothing had been", NULL);
    sim_finish(run);
    check(sim_close(r.sim) == 0, "and the handle can be closed", NULL);
}

static void walk_here(const char *name, const char *kernel, unsigned blocks, uint32_t number,
                      enum sim_schedule schedule, unsigned commands)
{
    walk(&(struct walk){.name = name, .ptx = text, .ptx_bytes = sizeof text - 1, .kernel = kernel,
                        .blocks = blocks, .threads = THREADS, .number = number,
                        .schedule = schedule, .commands = commands});
}

/* ---- choices -------------------------------------------------------------------------------- */

enum { PLACES = 40 };

static void places_digest(struct sim_travel *t, const uint64_t place[PLACES], uint64_t out[PLACES])
{
    for (unsigned i = 0; i < PLACES; i++)
        out[i] = sim_travel_to(t, place[i]) == 0 ? digest(sim_travel_run(t)) : 0;
}

static unsigned different(const uint64_t a[PLACES], const uint64_t b[PLACES], const uint64_t place[PLACES],
                          uint64_t from, uint64_t to)
{
    unsigned n = 0;
    for (unsigned i = 0; i < PLACES; i++)
        n += place[i] >= from && place[i] < to && a[i] != b[i];
    return n;
}

/* With choices a launch has one state at each place as well, and they count from their places on. */
static void walk_chosen(const char *name, const char *kernel, unsigned blocks, uint32_t number,
                        enum sim_schedule schedule)
{
    const struct walk w = {.name = name, .ptx = text, .ptx_bytes = sizeof text - 1, .kernel = kernel,
                           .blocks = blocks, .threads = THREADS, .number = number,
                           .schedule = schedule};
    struct rig r;
    uint64_t place[PLACES], plain[PLACES], first[PLACES], again[PLACES], other[PLACES], dice = 3;
    uint32_t word, changed = 0;
    char more[200];
    struct sim_travel *t = open_rig(&r, &w) ? sim_travel_begin(r.sim, &r.launch) : NULL;
    bool good = t && sim_travel_to(t, UINT64_MAX) == 0;
    const uint64_t end = t ? sim_travel_at(t) : 1;
    for (unsigned i = 0; i < PLACES; i++)
        place[i] = random_next(&dice) % (end - 1);
    const struct sim_choice a = {end / 3, blocks - 1, SIM_ALL_WARPS}, nobody = {7, blocks, 0};
    struct sim_choice b = {end / 2, 0, 0};
    if (good) {
        places_digest(t, place, plain);
        good = sim_travel_choose(t, &nobody) == 1;
        places_digest(t, place, again);
        check(good && !different(plain, again, place, 0, end),
              "a block that there is not can't be chosen, and nothing changes", name);
        good = sim_travel_choose(t, &a) == 0 && sim_travel_at(t) == a.place;
        bool second = false; /* some warp can go on */
        for (unsigned block = 0; block < blocks && !second; block++)
            for (unsigned warp = THREADS / 32; warp-- > 0 && !second;) {
                b.block = block;
                b.warp = warp;
                second = sim_travel_choose(t, &b) == 0;
            }
        good = good && second;
        places_digest(t, place, first);
        places_digest(t, place, again);
        snprintf(more, sizeof more, "%s: %u of %d places have another state", name,
                 different(plain, first, place, 0, end), PLACES);
        check(good && !different(first, again, place, 0, end), "each place has one state", more);
        check(!different(plain, first, place, 0, a.place), "before the choice nothing is new", name);
        check(different(plain, first, place, a.place, end) > 0, "behind it there is", name);
    }
    if (t)
        sim_travel_end(t);
    t = t ? sim_travel_begin(r.sim, &r.launch) : NULL;
    if (t) {
        const struct sim_choice both[] = {a, b};
        unsigned count;
        sim_travel_repeat(t, both, 2);
        places_digest(t, place, other);
        check(!different(first, other, place, 0, end), "another launch with these choices is alike", name);
        good = sim_travel_choose(t, &(struct sim_choice){0, 0, 0}) == 0;
        (void)sim_travel_choices(t, &count);
        check(good && count == 1, "an earlier choice takes the place of later ones", name);
        good = sim_travel_to(t, UINT64_MAX) == 0;
        sim_travel_end(t);
        check(good, "it comes to its end", name);
    }
    for (uint32_t i = 0; t && i < WORDS; i++)
        changed += sim_read(r.sim, r.x + 4 * i, &word, 4) != 0 || word != i % 61;
    check(t && !changed, "the array is as it was before", name);
    check(sim_close(r.sim) == 0, "and the handle can be closed", name);
}

/* ---- files ---------------------------------------------------------------------------------- */

static void walk_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *ptx = malloc(FILE_MOST), name[300];
    const size_t n = f && ptx ? fread(ptx, 1, FILE_MOST, f) : 0;
    struct sim *s = sim_open(NULL);
    struct sim_module *m = n && s ? sim_module_load(s, path, ptx, n) : NULL;
    const char *slash = strrchr(path, '/');
    if (!m)
        check(false, path, s ? sim_message(s) : "out of memory");
    for (size_t i = 0; m && i < sim_kernel_count(m); i++) {
        const struct sim_kernel *k = sim_kernel_at(m, i);
        snprintf(name, sizeof name, "%s %s", slash ? slash + 1 : path, k->name);
        if (!k->closed)
            walk(&(struct walk){.name = name, .ptx = ptx, .ptx_bytes = n, .kernel = k->name,
                                .blocks = k->cluster[0] ? 2 * k->cluster[0] : 3, .threads = 96,
                                .number = 64, .schedule = i % 3 == 2 ? SIM_INDEPENDENT : SIM_LOCKSTEP,
                                .commands = 24, .most = 200000});
    }
    sim_close(s);
    free(ptx);
    if (f)
        fclose(f);
}

int main(int argc, char **argv)
{
    const unsigned commands = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 120;
    if (argc > 1 && !commands) {
        for (int i = 1; i < argc; i++)
            walk_file(argv[i]);
    } else {
        walk_here("lockstep", "loop", 5, 20, SIM_LOCKSTEP, commands);
        walk_here("random", "loop", 5, 20, SIM_RANDOM, commands);
        walk_here("independent", "loop", 3, 12, SIM_INDEPENDENT, commands);
        walk_here("malloc and printf", "pieces", 6, 0, SIM_LOCKSTEP, commands);
        walk_here("malloc and printf, independent", "pieces", 6, 0, SIM_INDEPENDENT, commands);
        walk_here("calls", "calls", 4, 9, SIM_LOCKSTEP, commands);
        walk_chosen("choices", "loop", 5, 20, SIM_LOCKSTEP);
        walk_chosen("choices, random", "loop", 5, 20, SIM_RANDOM);
        walk_chosen("choices, independent", "loop", 3, 12, SIM_INDEPENDENT);
        walk_chosen("choices, malloc and printf", "pieces", 6, 0, SIM_LOCKSTEP);
        walk_chosen("choices, calls", "calls", 4, 9, SIM_LOCKSTEP);
        if (commands >= 1000)
            walk_here("long", "loop", 64, 1100, SIM_LOCKSTEP, commands);
    }
    printf("1..%d\n", tests);
    return bad != 0;
}
