/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole small programs, made by grammar.c out of the bytes, launched with 1 to 3 blocks of 1 to 70
 * threads in all schedules. Each runs four times: watched by the counter and the checkers for races
 * and for unwritten memory; so once more, in small slices; unwatched; and without this processor's
 * vector instructions. All must agree in everything that a launch leaves. A crash, a hang, a
 * sanitizer's report and a program that can't be loaded are findings too.
 */
#include "grammar.h"
#include "limit.h"
#include "obs/count.h"
#include "check/check.h"

#include "../gpu/forms.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEMORY = 64 << 20, STEPS = 20000, SMALL_SLICE = 37, MOST_BLOCKS = 3, MOST_THREADS = 70,
    IN = GRAMMAR_IN * MOST_THREADS, OUT = GRAMMAR_OUT * MOST_BLOCKS * MOST_THREADS
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct grammar *grammar;

struct how {
    bool watched, plain;
    uint64_t slice;
};

/* What came of one run, as text: of the launch itself, and of those who watched. */
struct outcome {
    struct buf launch, seen;
};

struct params {
    uint64_t x, out;
    unsigned char given[GIVEN];
};

static void finding(const struct buf *ptx, const char *what, const struct buf *a,
                    const struct buf *b)
{
    fprintf(stderr, "%.*s\nfuzz: %s\n", (int)ptx->len, ptx->data, what);
    if (a && b)
        fprintf(stderr, "---- one\n%.*s\n---- the other\n%.*s\n", (int)a->len, a->data,
                (int)b->len, b->data);
    abort();
}

/* ---- one run --------------------------------------------------------------------------- */

static void tell_fault(struct buf *to, const char *kind, const struct sim_fault *f)
{
    buf_printf(to, "%s at %d: %s, %llu times, thread %u of block %u\n", kind, f->ptx_line,
               f->message, (unsigned long long)f->count, f->at.thread[0], f->at.block[0]);
}

static void tell_launch(struct buf *to, const struct sim_result *r)
{
    buf_printf(to, "%llu steps\n", (unsigned long long)r->steps);
    for (unsigned i = 0; i < r->fault_count; i++)
        tell_fault(to, sim_fault_name(r->faults[i].kind), &r->faults[i]);
    for (size_t i = 0; i < r->print_count; i++)
        buf_add(to, r->prints[i].text, r->prints[i].length);
    for (uint32_t i = 0; i < r->code_count; i++)
        buf_printf(to, "%d %s %llu %llu %llu\n", r->code[i].ptx_line, r->code[i].text,
                   (unsigned long long)r->tally[i].warps, (unsigned long long)r->tally[i].lanes,
                   (unsigned long long)r->tally[i].diverged);
}

static void tell_memory(struct buf *to, struct sim *s, uint64_t address, size_t bytes)
{
    uint64_t words[OUT / 8];
    sim_read(s, address, words, bytes);
    for (size_t i = 0; i < bytes / 8; i++)
        buf_printf(to, "%llx%c", (unsigned long long)words[i], i % 8 == 7 ? '\n' : ' ');
}

static void tell_seen(struct buf *to, const struct counters *counted, const struct findings *found)
{
    for (const struct counter_name *c = counter_names; c->name; c++)
        buf_printf(to, "%s %llu\n", c->name,
                   (unsigned long long)*(const uint64_t *)(const void *)((const char *)counted +
                                                                         c->offset));
    for (size_t i = 0; i < found->count; i++)
        tell_fault(to, found->items[i].kind->name, &found->items[i].fault);
}

static enum sim_status finish(struct sim_run *r, uint64_t slice)
{
    enum sim_status status;
    while ((status = sim_step(r, slice)) == SIM_RUNNING)
        continue;
    return status;
}

static void watch(struct sim *s, struct sim_launch *l, const struct params *p,
                  const struct how *how, struct outcome *to)
{
    struct counters counted = {0};
    struct sim_observer observers[1 + CHECKER_COUNT] = {count_observer(&counted)};
    struct checks checks;
    struct checking checking;
    if (checks_open(&checks) != 0)
        abort();
    checks_memory(&checks, MEMORY_ALLOCATED, p->x, IN);
    checks_memory(&checks, MEMORY_WRITTEN, p->x, IN);
    checks_memory(&checks, MEMORY_ALLOCATED, p->out, OUT);
    if (checking_begin(&checking, &checks, check_all()) != 0)
        abort();
    memcpy(observers + 1, checking.observers, checking.count * sizeof *observers);
    l->observers = observers;
    l->observer_count = how->watched ? 1 + checking.count : 0;
    struct sim_run *r = sim_start(s, l);
    enum sim_status status = r ? finish(r, how->slice) : SIM_FAULTED;
    if (r) {
        count_tally(&counted, sim_result(r));
        tell_launch(&to->launch, sim_result(r));
        tell_seen(&to->seen, &counted, &checking.found);
    } else
        buf_printf(&to->launch, "no start: %s\n", sim_message(s));
    checking_end(&checking, status == SIM_DONE);
    sim_finish(r);
    findings_free(&checking.found);
    checks_close(&checks);
}

static void fill_in(struct sim *s, uint64_t x)
{
    uint64_t words[IN / 8];
    for (unsigned i = 0; i < IN / 8; i++) {
        unsigned word = i % (GRAMMAR_IN / 8);
        words[i] = operand_value(kinds[word / 8 % 5], word % 8, i / (GRAMMAR_IN / 8));
    }
    sim_write(s, x, words, sizeof words);
}

static void run(const struct buf *ptx, const struct sim_launch *shape, const struct how *how,
                struct outcome *to)
{
    struct limit limit = {.bytes = MEMORY};
    struct sim_allocator from = limit_allocator(&limit);
    struct sim *s = sim_open(&from);
    struct params p = {0};
    struct sim_launch l = *shape;
    if (how->plain)
        sim_use_plain(s);
    struct sim_module *m = sim_module_load(s, "program.ptx", ptx->data, ptx->len);
    if (!m)
        finding(ptx, sim_message(s), NULL, NULL);
    l.kernel = sim_kernel_at(m, 0);
    if (l.kernel->closed)
        finding(ptx, l.kernel->closed, NULL, NULL);
    sim_malloc(s, IN, "x", &p.x);
    sim_malloc(s, OUT, "out", &p.out);
    fill_in(s, p.x);
    given_bytes(p.given);
    l.params = &p;
    watch(s, &l, &p, how, to);
    tell_memory(&to->launch, s, p.x, IN);
    tell_memory(&to->launch, s, p.out, OUT);
    sim_close(s);
    limit_end(&limit);
}

/* ---- all of them ----------------------------------------------------------------------- */

static void outcome_free(struct outcome *o)
{
    buf_free(&o->launch);
    buf_free(&o->seen);
}

static bool same(const struct buf *a, const struct buf *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static void compare(const struct buf *ptx, const struct sim_launch *l)
{
    static const struct how ways[] = {{.watched = true, .slice = STEPS},
                                      {.watched = true, .slice = SMALL_SLICE},
                                      {.slice = STEPS},
                                      {.plain = true, .slice = STEPS}};
    static const char *const wrong[] = {"", "slices change the launch", "watching changes it",
                                        "vector instructions change it"};
    struct outcome first = {0};
    run(ptx, l, &ways[0], &first);
    for (int i = 1; i < 4; i++) {
        struct outcome next = {0};
        run(ptx, l, &ways[i], &next);
        if (!same(&first.launch, &next.launch))
            finding(ptx, wrong[i], &first.launch, &next.launch);
        if (ways[i].watched && !same(&first.seen, &next.seen))
            finding(ptx, "watchers see another launch", &first.seen, &next.seen);
        outcome_free(&next);
    }
    outcome_free(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const enum sim_schedule schedules[] = {SIM_LOCKSTEP, SIM_RANDOM, SIM_INDEPENDENT};
    struct choices c = {data, data + n};
    struct sim_launch l = {SIM_LAUNCH, .step_limit = STEPS};
    struct buf ptx = {0};
    l.grid[0] = 1 + choose(&c, MOST_BLOCKS);
    l.grid[1] = l.grid[2] = l.block[1] = l.block[2] = 1;
    l.block[0] = 1 + choose(&c, MOST_THREADS);
    l.schedule = schedules[choose(&c, 3)];
    l.seed = choose(&c, 256);
    grammar_program(grammar, &c, &ptx);
    compare(&ptx, &l);
    buf_free(&ptx);
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *path = getenv("FUZZ_FORMS");
    (void)argc, (void)argv;
    grammar = grammar_open(path ? path : "tests/data/forms.txt");
    if (!grammar)
        fprintf(stderr, "fuzz: FUZZ_FORMS should be tests/data/forms.txt\n");
    return grammar ? 0 : (exit(1), 1);
}
