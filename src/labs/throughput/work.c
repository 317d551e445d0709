/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the kernels of the throughput lab, and the same sums in plain C: in float with one
 * rounding where the kernel has one. For special functions it is the number that a chain converges
 * to, so that the host's mathematical library is not used.
 */
#include "labs/throughput/work.h"

#include "base/half.h"
#include "labkit/lab.h"
#include "labkit/shape.h"
#include <stdio.h>
#include <string.h>

enum { WARP = 32, MOST_WARPS = 32 };

static enum rate_kind kind_of(const struct pace *p)
{
    return (enum rate_kind)(p->variant->tag & PACE_KIND);
}

/* ---- plain C ---------------------------------------------------------------------------- */

static bool near_enough(float got, double want)
{
    double off = (double)got - want;
    return off <= 1e-4 * want && -off <= 1e-4 * want;
}

/* The fixed points that the chains of special functions converge to; 1/x returns to its start. */
static bool special_right(const struct pace *p, const float got[PACE_CHAINS])
{
    static const struct {
        const char *name;
        double rest;
    } rests[] = {
        {"rsqrt", 1},                  /* 1 / sqrt(x) = x */
        {"lg2", 2},                    /* log2(x + 2) = x */
        {"ex2", 0.641185744504985984}, /* 2^-x = x */
        {"sin", 0.934563210752024287}, /* sin(x + 1) = x */
        {"cos", 0.739085133215160642}, /* cos(x) = x */
    };
    static const double first[PACE_CHAINS] = {0.25, 0.5, 1, 4};
    bool right = true;
    for (int c = 0; c < PACE_CHAINS; c++) {
        double want = first[c];
        for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++)
            if (strcmp(p->function, rests[i].name) == 0)
                want = rests[i].rest;
        right = right && near_enough(got[c], want);
    }
    return right;
}

static bool floats_right(const struct pace *p, unsigned thread, const float got[PACE_CHAINS])
{
    for (unsigned c = 0; c < PACE_CHAINS; c++) {
        float x = (float)(thread + c);
        for (unsigned k = 0; k < p->steps; k++)
            x = p->variant->tag & PACE_PROMOTED ? (float)(0.7 - (double)x) : 0.7f - x;
        if (got[c] != x)
            return false;
    }
    return true;
}

static bool doubles_right(const struct pace *p, unsigned thread, const double got[PACE_CHAINS])
{
    for (unsigned c = 0; c < PACE_CHAINS; c++) {
        double x = thread + c;
        for (unsigned k = 0; k < p->steps; k++)
            x = 0.7 - x;
        if (got[c] != x)
            return false;
    }
    return true;
}

static bool integers_right(const struct pace *p, unsigned thread, const uint32_t got[PACE_CHAINS])
{
    uint32_t x[PACE_CHAINS];
    for (unsigned c = 0; c < PACE_CHAINS; c++)
        x[c] = thread + c;
    for (unsigned k = 0; k < p->steps; k++)
        for (unsigned c = 0; c < PACE_CHAINS; c++)
            x[c] = kind_of(p) == RATE_INT_ADD ? x[c] + x[(c + 1) % PACE_CHAINS]
                                              : x[c] * 1664525u + 1013904223u;
    return memcmp(x, got, sizeof x) == 0;
}

/* 1 - x, applied an even number of times to numbers that a half can hold, gives them back. */
static bool halves_right(unsigned thread, const uint32_t got[PACE_CHAINS])
{
    for (unsigned c = 0; c < PACE_CHAINS; c++)
        if (got[c] != half_from_double(thread + c) * 0x10001u)
            return false;
    return true;
}

static bool thread_right(const struct pace *p, const void *out, unsigned thread)
{
    double d[PACE_CHAINS];
    float f[PACE_CHAINS];
    uint32_t u[PACE_CHAINS];
    const size_t size = kind_of(p) == RATE_F64 ? sizeof d[0] : sizeof u[0];
    for (unsigned c = 0; c < PACE_CHAINS; c++) {
        const char *at = (const char *)out + ((size_t)c * p->threads + thread) * size;
        memcpy(size == sizeof d[0] ? (void *)&d[c] : &u[c], at, size);
    }
    memcpy(f, u, sizeof f);
    switch (kind_of(p)) {
    case RATE_F16: return halves_right(thread, u);
    case RATE_F32: return floats_right(p, thread, f);
    case RATE_F64: return doubles_right(p, thread, d);
    case RATE_SPECIAL: return special_right(p, f);
    default: return integers_right(p, thread, u);
    }
}

/* ---- one run ---------------------------------------------------------------------------- */

static int launch(struct pace *p, struct session *s, unsigned steps, uint64_t out, uint64_t clocks,
                  struct report *r)
{
    char kernel[40];
    bool special = kind_of(p) == RATE_SPECIAL;
    snprintf(kernel, sizeof kernel, "%s%s", special ? "run_" : p->variant->kernel,
             special ? p->function : "");
    const struct lab_launch l = {.module = "throughput",
                                 .kernel = kernel,
                                 .grid = {1, 1, 1},
                                 .block = {p->threads, 1, 1},
                                 .trace = p->trace,
                                 .quiet = p->quiet};
    return lab_launch(s, &l, &p->result, r, PARAMS(-1.0f, (int)steps, out, clocks));
}

static int64_t clocks_between(const int64_t (*warp)[2], unsigned warps)
{
    int64_t from = warp[0][0], to = warp[0][1];
    for (unsigned w = 1; w < warps; w++) {
        from = warp[w][0] < from ? warp[w][0] : from;
        to = warp[w][1] > to ? warp[w][1] : to;
    }
    return to - from;
}

static int look_at(struct pace *p, struct session *s, uint64_t out, uint64_t clocks, size_t bytes,
                   struct report *r)
{
    int64_t warp[MOST_WARPS][2];
    const unsigned warps = (p->threads + WARP - 1) / WARP;
    void *got = mem_alloc(&allocator_libc, bytes);
    if (!got)
        return report_fail_limit(r, "out of memory; fewer threads need less");
    int failed =
        session_fetch(s, got, out, bytes, r) ||
        session_fetch(s, warp, clocks, warps * sizeof warp[0], r);
    p->right = !failed && !launch_result_failed(&p->result);
    for (unsigned t = 0; t < p->threads && p->right; t++)
        p->right = thread_right(p, got, t);
    p->clocks =
        !failed && session_on_gpu(s) ? clocks_between((const int64_t(*)[2])warp, warps) : -1;
    mem_free(&allocator_libc, got, bytes);
    return failed ? -1 : 0;
}

int pace_run(struct pace *p, struct session *s, struct report *r)
{
    uint64_t out, clocks;
    const size_t size = kind_of(p) == RATE_F64 ? sizeof(double) : sizeof(float);
    const size_t bytes = (size_t)p->threads * PACE_CHAINS * size;
    p->result = (struct launch_result){0};
    p->results = (uint64_t)p->threads * PACE_CHAINS * p->steps * (kind_of(p) == RATE_F16 ? 2 : 1);
    return threads_in_block(p->threads, &s->device->props, r) ||
                   lab_array(s, bytes, "out", NULL, &out, r) ||
                   lab_array(s, MOST_WARPS * 2 * sizeof(int64_t), "clocks", NULL, &clocks, r) ||
                   launch(p, s, p->steps, out, clocks, r) || look_at(p, s, out, clocks, bytes, r)
               ? -1
               : 0;
}

/* ---- a turn of the loop, by kind -------------------------------------------------------- */

/* "fma.rn.f32", without what it works on and without the predicate before it. */
static void kind_name(const char *text, char name[32])
{
    if (text[0] == '@')
        text += strcspn(text, " ") + strspn(text + strcspn(text, " "), " ");
    snprintf(name, 32, "%.*s", (int)strcspn(text, " ;"), text);
}

static void count_kind(struct pace *p, const char *text, int by)
{
    char name[32];
    unsigned i = 0;
    kind_name(text, name);
    while (i < p->kind_count && strcmp(p->kinds[i].name, name) != 0)
        i++;
    if (i == PACE_KINDS)
        return;
    if (i == p->kind_count) {
        memcpy(p->kinds[i].name, name, sizeof name);
        p->kinds[p->kind_count++].count = 0;
    }
    p->kinds[i].count += (unsigned)by;
}

/* Drop the kinds that a turn does not have; the most frequent comes first. */
static void keep_most_first(struct pace *p)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < p->kind_count; i++) {
        struct pace_kind kind = p->kinds[i];
        unsigned at = kept;
        if (!kind.count)
            continue;
        for (; at > 0 && p->kinds[at - 1].count < kind.count; at--)
            p->kinds[at] = p->kinds[at - 1];
        p->kinds[at] = kind;
        kept++;
    }
    p->kind_count = kept;
}

/* Both runs have the kernel's beginning and end, so their difference is one turn. */
int pace_look_inside(struct pace *p, struct session *s, struct report *r)
{
    struct pace twice = *p;
    const unsigned turns[] = {2, 1};
    p->kind_count = 0;
    for (int i = 0; i < 2; i++) {
        twice.steps = PACE_UNROLL * turns[i];
        twice.threads = WARP;
        twice.trace = twice.quiet = true;
        if (pace_run(&twice, s, r)) {
            launch_result_free(&twice.result);
            return -1;
        }
        for (size_t k = 0; k < twice.result.trace_count; k++)
            count_kind(p, twice.result.trace[k].text, i == 0 ? 1 : -1);
        launch_result_free(&twice.result);
    }
    keep_most_first(p);
    return 0;
}

/* ---- what the screens say of it --------------------------------------------------------- */

int pace_ratio(const struct device_props *props, enum rate_kind a, enum rate_kind b)
{
    int x = rate_of(props, a), y = rate_of(props, b);
    return x > 0 && y > 0 ? x / y : 0;
}

static void describe_card(struct pace *p, const struct device_props *props)
{
    const int doubles = pace_ratio(props, RATE_F32, RATE_F64);
    const int functions = pace_ratio(props, RATE_F32, RATE_SPECIAL);
    p->source = rate_source(props);
    snprintf(p->capability, sizeof p->capability, "%d.%d", props->major, props->minor);
    rate_text(rate_of(props, RATE_F32), p->f32);
    rate_text(rate_of(props, RATE_F64), p->f64);
    rate_text(rate_of(props, RATE_SPECIAL), p->functions);
    snprintf(p->times_double, NUM_TEXT, doubles ? "%d" : "?", doubles);
    snprintf(p->times_special, NUM_TEXT, functions ? "%d" : "?", functions);
}

void pace_describe(struct pace *p, const struct device_props *props, const struct report *r)
{
    describe_card(p, props);
    if (!p->variant)
        return;
    p->name = p->variant->name;
    p->special = kind_of(p) == RATE_SPECIAL;
    p->chains = PACE_CHAINS;
    for (unsigned i = 0; i < p->kind_count; i++)
        p->turn += p->kinds[i].count;
    p->rate = rate_of(props, p->variant->tag & PACE_PROMOTED ? RATE_F64 : kind_of(p));
    p->has_rate = p->rate >= 0;
    rate_text(p->rate, p->rate_text);
    if (p->rate > 0)
        p->least_clocks = (p->results + (unsigned)p->rate - 1) / (unsigned)p->rate;
    p->shows_clocks = p->clocks > 0 && r->volatile_on;
    if (!p->shows_clocks)
        p->clock_note = p->clocks > 0 ? "measured; `set volatile on` shows it"
                                      : "none: the simulator counts instructions and measures no time";
    p->results_per_clock = p->clocks > 0 ? (double)p->results / (double)p->clocks : 0;
    p->verdict = (struct verdict){p->right, p->right ? "ok" : "WRONG"};
}
