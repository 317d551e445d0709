/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the lab `shared` shows: the score, what a block holds of shared memory and uses of it, and
 * the accesses, beside what they should be.
 */
#include "labs/shared/work.h"
#include "labkit/lab.h"

#include <stdio.h>
#include <string.h>

static const struct ladder_column columns[] = {
    {"stores", offsetof(struct counters, shared_store_requests)},
    {"loads", offsetof(struct counters, shared_load_requests)},
    {"barriers", offsetof(struct counters, barriers)},
    {0},
};

static size_t held(const struct mirror *m, const struct lab_variant *v)
{
    return v->tag & MIRROR_FIXED ? MIRROR_FIXED_BYTES : m->asked;
}

/* mirror_extern<<<4, 256, 1024>>>(x, y, n) */
static void call(void *self, const struct lab_variant *v, char *out, size_t size)
{
    const struct mirror_lab *w = self;
    const struct mirror m = mirror_of(w->args, v);
    char third[24] = "";
    if (m.asked)
        snprintf(third, sizeof third, ", %zu", m.asked);
    snprintf(out, size, "%s<<<%u, %u%s>>>", v->kernel, m.blocks, m.threads, third);
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    const struct mirror_lab *w = self;
    const struct mirror m = mirror_of(w->args, t->variant);
    return mirror_run(&m, t, got);
}

/* ---- what is shown ---------------------------------------------------------------------- */

static int head(void *self, const struct lab_variant *v)
{
    const struct mirror_lab *w = self;
    char text[160], number[NUM_TEXT];
    const struct mirror m = mirror_of(w->args, v ? v : w->variants);
    if (v) {
        call(self, v, text, sizeof text);
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ", n = %s", num_group(m.n, number));
    } else
        snprintf(text, sizeof text, "pieces turned around in shared memory, n = %s, blocks of %u",
                 num_group(m.n, number), m.threads);
    say_head(w->report, w->session, text);
    return 0;
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    const struct mirror_lab *w = self;
    const struct mirror m = mirror_of(w->args, v);
    char right[NUM_TEXT], n[NUM_TEXT], bytes[NUM_TEXT], used[NUM_TEXT];
    say_item(w->report, "score", "%s of %s elements came where they belong",
             num_group((int64_t)got->value, right), num_group(m.n, n));
    say_item(w->report, "shared", "%s bytes a block, %s used  (%s)",
             num_group((int64_t)held(&m, v), bytes), num_group((int64_t)m.used, used),
             v->tag & MIRROR_FIXED ? "fixed when compiled" : "the launch's third number");
    if (got->has_counters)
        say_item(w->report, "stores", "%llu, loads %llu: one of each warp  (%llu predicted)",
                 (unsigned long long)got->counters.shared_store_requests,
                 (unsigned long long)got->counters.shared_load_requests,
                 (unsigned long long)got->predicted);
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    const struct mirror_lab *w = self;
    const struct mirror m = mirror_of(w->args, v ? v : w->variants);
    struct json *j = &w->report->result;
    json_int(j, "n", m.n);
    json_uint(j, "threads", m.threads);
    if (!v)
        return;
    json_text(j, "variant", v->name);
    json_int(j, "score", (int64_t)got->value);
    json_uint(j, "blocks", m.blocks);
    json_uint(j, "piece", m.piece);
    json_uint(j, "asked_bytes", m.asked);
    json_uint(j, "held_bytes", held(&m, v));
    json_uint(j, "used_bytes", m.used);
    json_uint(j, "blocks_fit", mirror_fit(&w->session->device->props, held(&m, v)));
    if (got->has_predicted)
        json_uint(j, "predicted", got->predicted);
    json_bool(j, "ok", attempt_ok(got));
}

/* What a block may have, where the launch asked for so much, as the texts go on about it. */
static void slot_limits(const struct device_props *p, const struct mirror *m, struct slots *s)
{
    char most[NUM_TEXT], free[NUM_TEXT];
    bool beyond = mirror_most(p) > p->shared_per_block;
    num_group((int64_t)mirror_most(p), most);
    num_group((int64_t)p->shared_per_block, free);
    slot(s, "free", "%s", free);
    slot(s, "most", "%s", most);
    if (m->used > p->shared_per_block)
        slot(s, "against", "are more than the %s that come by themselves", free);
    else
        slot(s, "against", "would come by themselves, as all up to %s do", free);
    if (beyond && m->used <= mirror_most(p))
        slot(s, "could", "This device could give %s, but nobody asked", most);
    else
        slot(s, "could", "This device never gives more than %s", most);
}

static void slots(void *self, const struct lab_variant *v, const struct attempt *got,
                  struct slots *s)
{
    const struct mirror_lab *w = self;
    const struct device_props *p = &w->session->device->props;
    const struct mirror m = mirror_of(w->args, v ? v : w->variants);
    char text[NUM_TEXT];
    slot(s, "n", "%s", num_group(m.n, text));
    slot(s, "right", "%s", num_group(got ? (int64_t)got->value : 0, text));
    slot(s, "threads", "%u", m.threads);
    slot(s, "last", "%u", m.threads - 1);
    slot(s, "bytes", "%s", num_group((int64_t)m.used, text));
    slot(s, "half", "%s", num_group((int64_t)m.used / 2, text));
    slot(s, "fixed", "%s", num_group(MIRROR_FIXED_BYTES, text));
    slot_limits(p, &m, s);
    slot(s, "sm", "%llu", (unsigned long long)p->shared_per_sm / 1024);
    slot(s, "fit", "%u", mirror_fit(p, v ? held(&m, v) : m.used));
}

/* ---- host calls ------------------------------------------------------------------------- */

static const struct host_call *calls(void *self, const struct lab_variant *v)
{
    struct mirror_lab *w = self;
    const struct mirror m = mirror_of(w->args, v);
    struct host_call *c = w->calls;
    for (int i = 0; i < 2; i++)
        snprintf(w->moves[i], sizeof w->moves[i], "%zu bytes %s the device",
                 (size_t)m.n * sizeof(float), i ? "from" : "to");
    *c++ = (struct host_call){"cudaMemcpy(x, ..., cudaMemcpyHostToDevice)", w->moves[0],
                              "the host waits until they are there"};
    if (v->tag == MIRROR_BIG)
        *c++ = (struct host_call){"cudaFuncSetAttribute(mirror_big, ...)", NULL,
                                  "asks for more than 48 KB, with the attribute "
                                  "MaxDynamicSharedMemorySize; once, and nobody waits"};
    *c++ = (struct host_call){"%s(x, y, n)", NULL, "the host does not wait"};
    *c++ = (struct host_call){"cudaGetLastError()", NULL,
                              "nobody waits; it tells of a launch that could not start"};
    *c++ = (struct host_call){"cudaMemcpy(..., y, cudaMemcpyDeviceToHost)", w->moves[1],
                              "waits for the kernel, then for the bytes"};
    *c = (struct host_call){0};
    return w->calls;
}

struct old_ladder mirror_ladder(struct mirror_lab *w)
{
    return (struct old_ladder){
        .session = w->session, .report = w->report, .args = w->args, .variants = w->variants,
        .file = "shared", .value = "score", .kind = VALUE_INT,
        .order = "Rows go by what they do; stores and loads are of shared memory, one of each "
                 "warp.",
        .columns = columns, .calls_of = calls, .self = w, .attempt = attempt, .head = head,
        .tell = tell, .put = put, .slots = slots, .call = call};
}
