/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of one kernel. The elements are whole numbers, so that right means every bit, and the
 * sectors that were counted must be those of the rule.
 */
#include "labs/coalesce/work.h"

#include "base/philox.h"
#include "labkit/lab.h"
#include "labkit/loop.h"

#include <string.h>

/* All in host memory: x, the results that are expected, those that came. */
struct access_work {
    const struct trial *how;
    const struct access_plan *plan;
    const char *kernel;
    const int *index;
    unsigned char *x, *want, *got;
    size_t x_bytes, y_bytes;
};

/* ---- plain C ---------------------------------------------------------------------------- */

/* Elements narrower than a float are any bits; the others are floats, small and whole. */
static void fill(void *work, uint64_t from, uint64_t to)
{
    const struct access_work *w = work;
    const uint64_t seed = w->plan->seed;
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t four[4];
    for (uint64_t i = from; i < to; i++) {
        const uint32_t counter[4] = {(uint32_t)(i / 4), 0, 0, 0};
        if (i % 4 == 0 || i == from)
            philox(key, counter, four);
        const uint32_t bits = four[i % 4];
        const float value = (float)(bits % 1024);
        memcpy(w->x + i * sizeof value,
               w->plan->width < sizeof value ? (const void *)&bits : (const void *)&value,
               sizeof value);
    }
}

static float field_of(const struct access_work *w, unsigned i, unsigned k)
{
    const struct access_plan *p = w->plan;
    size_t at = p->kind == BY_FIELD   ? (size_t)k * p->pitch + i
                : p->kind == BY_GROUP ? ((size_t)(i / 32) * p->fields + k) * 32 + i % 32
                                      : (size_t)i * p->fields + k;
    float value;
    memcpy(&value, w->x + (at + (p->kind == BY_FOURS ? p->offset : 0)) * sizeof value,
           sizeof value);
    return value;
}

static void expect(void *work, uint64_t from, uint64_t to)
{
    const struct access_work *w = work;
    const struct access_plan *p = w->plan;
    for (unsigned i = (unsigned)from; i < to; i++) {
        float sum = 0;
        size_t element = p->kind == BY_INDEX ? (size_t)w->index[i]
                                             : (size_t)p->stride * i + p->offset;
        if (p->kind == BY_STRIDE || p->kind == BY_INDEX) {
            memcpy(w->want + (size_t)i * p->width, w->x + element * p->width, p->width);
            continue;
        }
        for (unsigned k = 0; k < p->used; k++)
            sum += field_of(w, i, k);
        memcpy(w->want + i * sizeof sum, &sum, sizeof sum);
    }
}

/* ---- the device ------------------------------------------------------------------------- */

static int launch(const struct access_work *w, uint64_t x, uint64_t y, struct attempt *got)
{
    const struct access_plan *p = w->plan;
    struct session *s = w->how->session;
    struct report *r = w->how->report;
    const struct lab_launch l = {.module = "coalesce",
                                 .kernel = w->kernel,
                                 .grid = {p->blocks, 1, 1},
                                 .block = {p->threads, 1, 1},
                                 .shared_bytes = plan_shared(p),
                                 .together = true,
                                 .counts = true};
    int n = (int)p->work, fields = (int)p->fields, used = (int)p->used, offset = (int)p->offset;
    uint64_t index;
    switch (p->kind) {
    case BY_INDEX:
        if (lab_array(s, p->n * sizeof(int), "index", w->index, &index, r))
            return -1;
        return trial_launch(w->how, &l, got, PARAMS(index, x, y, n));
    case BY_STRIDE:
        return trial_launch(w->how, &l, got, PARAMS(x, y, n, (int)p->stride, offset));
    case BY_FIELD: return trial_launch(w->how, &l, got, PARAMS(x, y, n, (int)p->pitch, used));
    case BY_FOURS: return trial_launch(w->how, &l, got, PARAMS(x, y, n, fields, used, offset));
    case THROUGH_SHARED:
        return trial_launch(w->how, &l, got, PARAMS(x, y, n, fields, used, plan_pad(p)));
    default: return trial_launch(w->how, &l, got, PARAMS(x, y, n, fields, used));
    }
}

/* Right are all results, and as many sectors as the rule says. Lanes that run apart ask apart, so
 * that nothing is predicted of them. */
static void judge(const struct access_work *w, const struct access_sums *sums, struct attempt *got)
{
    const struct access_plan *p = w->plan;
    const char *schedule = w->how->schedule->name; /* of several that are tried; else NULL */
    size_t right = 0;
    for (size_t i = 0; i < p->work; i++)
        right += memcmp(w->got + i * p->width, w->want + i * p->width, p->width) == 0;
    got->value = (double)right;
    got->expected = (double)p->work;
    got->error = got->expected - got->value;
    got->right = right == p->work;
    got->predicted = sums->sectors + sums->index_sectors;
    got->has_predicted = !w->how->variant->mended_by &&
                         (!schedule || strcmp(schedule, "independent") != 0);
    if (got->has_counters && got->has_predicted)
        got->right = got->right && got->counters.global_load_sectors == got->predicted;
    got->cost = got->predicted;
}

static int run_on_device(const struct access_work *w, const struct access_sums *sums,
                         struct attempt *got)
{
    struct session *s = w->how->session;
    struct report *r = w->how->report;
    uint64_t x, y;
    if (lab_array(s, w->x_bytes, "x", w->x, &x, r) ||
        lab_array(s, w->y_bytes, "y", NULL, &y, r) || launch(w, x, y, got) ||
        session_fetch(s, w->got, y, w->y_bytes, r))
        return -1;
    judge(w, sums, got);
    return 0;
}

int access_run(const struct trial *how, const struct access_plan *p, const char *kernel,
               const int *index, const struct access_sums *sums, struct attempt *got)
{
    struct access_work w = {.how = how, .plan = p, .kernel = kernel, .index = index};
    w.x_bytes = (size_t)(p->bytes + sizeof(float) - 1) / sizeof(float) * sizeof(float);
    w.y_bytes = (size_t)p->work * p->width;
    size_t bytes = w.x_bytes + 2 * w.y_bytes;
    w.x = mem_alloc(&allocator_libc, bytes);
    if (!w.x)
        return report_fail_limit(how->report, "out of memory; a smaller n needs less");
    w.want = w.x + w.x_bytes;
    w.got = w.want + w.y_bytes;
    int failed = lab_loop(how->session, w.x_bytes / sizeof(float), fill, &w, how->report) ||
                 lab_loop(how->session, p->work, expect, &w, how->report) ||
                 run_on_device(&w, sums, got);
    mem_free(&allocator_libc, w.x, bytes);
    return failed ? -1 : 0;
}
