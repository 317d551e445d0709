/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launches that come again. A kernel with the same arguments that finds the same bytes in memory
 * does the same again: the simulator has one order for its threads. Programs that measure time
 * launch a kernel a hundred times in this way. So cudalab keeps, of a launch that came twice, the
 * bytes that it read, the bytes that it wrote, and its result. When it comes again and memory has
 * the bytes that it read, they are compared with memory, and what it wrote is copied there.
 *
 * What a launch uses is only known after it has run. If it has not written to what it has read,
 * the bytes that it read are still there. Otherwise they are kept before the next execution, which
 * then has to use the same bytes.
 *
 * Launches are executed each time if they depend on more than their bytes: on the moment when they
 * begin, on malloc() of device code, on what the host writes meanwhile. So are those that print,
 * fail or launch child grids, and all while there are surfaces, since nobody sees what a kernel does there.
 */
#include "run/area.h"

#include "base/mem.h"

#include <string.h>

enum {
    REPEATS_MOST = 64,
    CHANGES_MOST = 3,         /* in a row: then it is a loop that computes, and is left alone */
    KEPT_MOST = 512 << 20,    /* bytes of all of them */
    SAME = LAUNCH_PRIORITY,   /* these numbers of a launch must be the same, but for its stream */
    CHUNK = BYTE_SET_PAGE
};

struct run_repeat {
    struct run_message message;
    void *params;
    size_t param_bytes;
    uint64_t opted_in, stack_bytes;
    uint64_t seen, last; /* how often it came; the number of its last launch */
    unsigned changes;    /* how often in a row memory was not the same */
    bool never;          /* it depends on more than its bytes, or computes on */

    bool has_touched;
    struct touched touched;  /* of its last execution */
    struct byte_set constant; /* what else it may read: __constant__ variables and textures */
    bool uses_textures;
    uint64_t textures_made;  /* when it ran */
    unsigned char *before, *after; /* what it reads, and what it has written */
    uint64_t before_bytes, after_bytes;
    bool has_after;
    bool has_result;
    struct launch_result result;
};

static const struct allocator *const from = &allocator_libc;

/* ---- the list -------------------------------------------------------------------------- */

static void drop(struct run *r, unsigned char **bytes, uint64_t *n)
{
    if (*bytes)
        r->repeat_bytes -= *n;
    mem_free(from, *bytes, (size_t)*n);
    *bytes = NULL;
    *n = 0;
}

/* Its launch stays on the list, without what it used and did. */
static void forget_bytes(struct run *r, struct run_repeat *p)
{
    drop(r, &p->before, &p->before_bytes);
    drop(r, &p->after, &p->after_bytes);
    p->has_after = p->has_touched = false;
    touched_free(&p->touched);
    byte_set_clear(&p->constant);
    if (p->has_result)
        launch_result_free(&p->result);
    p->has_result = false;
}

static void give_up(struct run *r, struct run_repeat *p)
{
    forget_bytes(r, p);
    p->never = true;
}

static void forget(struct run *r, struct run_repeat *p)
{
    forget_bytes(r, p);
    mem_free(from, p->params, p->param_bytes);
    *p = (struct run_repeat){.params = NULL};
}

void run_forget_repeats(struct run *r)
{
    for (size_t i = 0; i < r->repeat_count; i++)
        forget(r, &r->repeats[i]);
    mem_free(from, r->repeats, r->repeats ? REPEATS_MOST * sizeof *r->repeats : 0);
    r->repeats = NULL;
    r->repeat_count = 0;
}

static bool is_same_launch(const struct run *r, const struct run_repeat *p,
                           const struct run_message *m, const void *params)
{
    for (unsigned i = 0; i < SAME; i++)
        if (i != LAUNCH_STREAM && m->number[i] != p->message.number[i])
            return false;
    return p->opted_in == run_kernel_of(r, m->number[LAUNCH_KERNEL])->opted_in &&
           p->stack_bytes == r->stack_bytes &&
           (!p->param_bytes || memcmp(params, p->params, p->param_bytes) == 0);
}

/* A free place, or that of the launch that has not come for the longest time. */
static struct run_repeat *place_for_one(struct run *r)
{
    if (!r->repeats && !(r->repeats = mem_alloc(from, REPEATS_MOST * sizeof *r->repeats)))
        return NULL;
    if (r->repeat_count < REPEATS_MOST)
        return &r->repeats[r->repeat_count++];
    struct run_repeat *oldest = r->repeats;
    for (size_t i = 1; i < r->repeat_count; i++)
        if (r->repeats[i].last < oldest->last)
            oldest = &r->repeats[i];
    forget(r, oldest);
    return oldest;
}

struct run_repeat *run_repeat_of(struct run *r, const struct run_message *m, const void *params)
{
    const struct run_kernel *k = run_kernel_of(r, m->number[LAUNCH_KERNEL]);
    const size_t bytes = k->kernel->info.param_bytes;
    if (k->kernel->info.needs_clock || run_has_surfaces(r))
        return NULL;
    for (size_t i = 0; i < r->repeat_count; i++)
        if (r->repeats[i].params && is_same_launch(r, &r->repeats[i], m, params)) {
            r->repeats[i].last = r->launches;
            r->repeats[i].seen++;
            return r->repeats[i].never ? NULL : &r->repeats[i];
        }
    void *copy = mem_alloc(from, bytes);
    struct run_repeat *p = copy ? place_for_one(r) : NULL;
    if (!p) {
        mem_free(from, copy, copy ? bytes : 0);
        return NULL;
    }
    if (bytes)
        memcpy(copy, params, bytes);
    *p = (struct run_repeat){.message = *m, .params = copy, .param_bytes = bytes,
                             .opted_in = k->opted_in, .stack_bytes = r->stack_bytes,
                             .last = r->launches, .seen = 1};
    return p;
}

/* A kernel that reads a clock may only wait by it, for a long time. To note what it touches costs
 * little beside that. */
bool run_repeat_wants(const struct run *r, const struct run_repeat *p)
{
    const struct run_kernel *k = run_kernel_of(r, p->message.number[LAUNCH_KERNEL]);
    return (p->seen > 1 || k->kernel->info.reads_clock) && !p->never;
}

/* ---- bytes of memory ------------------------------------------------------------------- */

/* Runs of bytes that stand one after the other in `bytes`. */
struct bytes_of {
    struct run *r;
    unsigned char *at;
    bool differ; /* memory has others */
};

static bool fetch(void *ctx, uint64_t address, unsigned n)
{
    struct bytes_of *b = ctx;
    struct device *d = b->r->session.device;
    struct err e;
    const bool ok = d->ops->read(d, b->at, address, n, &e) == 0;
    b->at += n;
    return ok;
}

static bool is_same(void *ctx, uint64_t address, unsigned n)
{
    struct bytes_of *b = ctx;
    struct device *d = b->r->session.device;
    unsigned char now[CHUNK];
    struct err e;
    const bool same = d->ops->read(d, now, address, n, &e) == 0 && memcmp(now, b->at, n) == 0 &&
                      d->ops->has_value(d, address, n);
    b->at += n;
    return same;
}

static bool is_there(void *ctx, uint64_t address, unsigned n)
{
    struct bytes_of *b = ctx;
    struct device *d = b->r->session.device;
    unsigned char now[CHUNK];
    struct err e;
    if (d->ops->read(d, now, address, n, &e) != 0)
        return false;
    b->differ |= memcmp(now, b->at, n) != 0 || !d->ops->has_value(d, address, n);
    b->at += n;
    return true;
}

static bool put(void *ctx, uint64_t address, unsigned n)
{
    struct bytes_of *b = ctx;
    struct device *d = b->r->session.device;
    struct err e;
    const bool ok = d->ops->write(d, address, b->at, n, &e) == 0;
    b->at += n;
    return ok;
}

/* What a launch reads: by plain and by other loads, by atomic operations, and unseen. */
static bool each_read(const struct run_repeat *p, bool (*take)(void *, uint64_t, unsigned),
                      struct bytes_of *b)
{
    return byte_set_each(&p->touched.read, take, b) &&
           byte_set_each(&p->touched.watched, take, b) &&
           byte_set_each(&p->touched.atomic, take, b) && byte_set_each(&p->constant, take, b);
}

static bool each_written(const struct run_repeat *p, bool (*take)(void *, uint64_t, unsigned),
                         struct bytes_of *b)
{
    return byte_set_each(&p->touched.written, take, b) &&
           byte_set_each(&p->touched.atomic, take, b);
}

/* Makes room for so many bytes. What has not come for the longest time goes first. */
static unsigned char *room(struct run *r, const struct run_repeat *keep, uint64_t n)
{
    while (r->repeat_bytes + n > KEPT_MOST) {
        struct run_repeat *oldest = NULL;
        for (size_t i = 0; i < r->repeat_count; i++) {
            struct run_repeat *p = &r->repeats[i];
            if (p != keep && (p->before || p->after) && (!oldest || p->last < oldest->last))
                oldest = p;
        }
        if (!oldest)
            return NULL;
        forget_bytes(r, oldest);
    }
    unsigned char *bytes = mem_alloc(from, (size_t)n);
    if (bytes)
        r->repeat_bytes += n;
    return bytes;
}

static bool gather_before(struct run *r, struct run_repeat *p)
{
    drop(r, &p->before, &p->before_bytes);
    const uint64_t n = byte_set_bytes(&p->touched.read) + byte_set_bytes(&p->touched.watched) +
                       byte_set_bytes(&p->touched.atomic) + byte_set_bytes(&p->constant);
    if (!(p->before = room(r, p, n)))
        return false;
    p->before_bytes = n;
    struct bytes_of b = {r, p->before, false};
    return each_read(p, fetch, &b);
}

static bool gather_after(struct run *r, struct run_repeat *p)
{
    drop(r, &p->after, &p->after_bytes);
    const uint64_t n =
        byte_set_bytes(&p->touched.written) + byte_set_bytes(&p->touched.atomic);
    if (!(p->after = room(r, p, n)))
        return false;
    p->after_bytes = n;
    struct bytes_of b = {r, p->after, false};
    return each_written(p, fetch, &b);
}

/* ---- a launch -------------------------------------------------------------------------- */

static bool textures_changed(const struct run *r, const struct run_repeat *p)
{
    return p->uses_textures && p->textures_made != r->textures_made;
}

const struct launch_result *run_repeat_take(struct run *r, struct run_repeat *p,
                                            struct touched *touched)
{
    if (!p->has_after)
        return NULL;
    struct bytes_of b = {r, p->before, false}, w = {r, p->after, false};
    if (textures_changed(r, p) || !each_read(p, is_same, &b) || !each_written(p, is_there, &w)) {
        if (++p->changes >= CHANGES_MOST)
            give_up(r, p);
        return NULL;
    }
    if (touched && touched_copy(touched, &p->touched) != 0) {
        touched_free(touched);
        return NULL;
    }
    const bool differ = w.differ;
    w = (struct bytes_of){r, p->after, false};
    if (differ && !each_written(p, put, &w)) { /* can't be: it was there */
        give_up(r, p);
        return NULL;
    }
    p->changes = 0;
    return &p->result;
}

void run_repeat_before(struct run *r, struct run_repeat *p)
{
    p->has_after = false;
    if (p->has_result)
        launch_result_free(&p->result);
    p->has_result = false;
    if (p->has_touched && (textures_changed(r, p) || !gather_before(r, p)))
        forget_bytes(r, p);
}

/* The host can't write there while the kernel runs. */
static bool is_of_device(void *ctx, uint64_t address, unsigned n)
{
    const struct bytes_of *b = ctx;
    (void)n;
    const struct run_area *a = area_at(b->r, address, false);
    return !a || a->kind == MEMORY_DEVICE;
}

/* Has it written to what it has read? A texture can lie in memory that the kernel writes to. */
static bool meets_itself(const struct run_repeat *p)
{
    const struct touched *t = &p->touched;
    uint64_t address;
    return t->atomic.count || t->watched.count ||
           byte_set_meet(&t->read, &t->written, &address) ||
           byte_set_meet(&p->constant, &t->written, &address);
}

/* The variables in constant memory of all files that the kernel is linked of, and textures. */
static bool find_constant(struct run *r, struct run_repeat *p, bool textures)
{
    struct device *d = r->session.device;
    const struct unit *of = run_kernel_of(r, p->message.number[LAUNCH_KERNEL])->unit;
    struct variable_info v;
    for (unsigned u = 0; u < r->session.units->count; u++) {
        const struct unit *unit = r->session.units->all[u];
        for (size_t i = 0; unit->leader == of->leader && unit->module &&
                           d->ops->variable_at(d, unit->module, i, &v) == 0; i++)
            if (v.constant && byte_set_add(&p->constant, v.address, v.size) != 0)
                return false;
    }
    p->uses_textures = textures;
    p->textures_made = r->textures_made;
    return !textures || run_texture_bytes(r, &p->constant);
}

/* Takes what this execution has touched in place of what was known. */
static bool note_touched(struct run *r, struct run_repeat *p, const struct touched *t,
                         bool textures)
{
    forget_bytes(r, p);
    p->has_touched = touched_copy(&p->touched, t) == 0 && find_constant(r, p, textures);
    return p->has_touched;
}

/* When it comes again, another launch has gone before. */
static void model_again(const struct run *r, struct launch_result *result)
{
    result->modelled.follows = true;
    if (result->has_model)
        result->model = model_time(&r->session.device->props, &result->modelled,
                                   &result->counters, &result->cost);
}

bool run_repeat_keep(struct run *r, struct run_repeat *p, const struct touched *touched,
                     const struct launch_result *result)
{
    struct bytes_of b = {r, NULL, false};
    if (touched->heap || touched->lost || result->print_count || result->prints_lost || result->child_grids ||
        result->child_refused || launch_result_ended(result) || !result->has_counters ||
        !byte_set_each(&touched->watched, is_of_device, &b) ||
        !byte_set_each(&touched->atomic, is_of_device, &b)) {
        give_up(r, p);
        return false;
    }
    const bool was_before = p->has_touched && p->before && touched_same(&p->touched, touched);
    if (!was_before && !note_touched(r, p, touched, result->counters.texture_requests > 0)) {
        give_up(r, p);
        return false;
    }
    if (!was_before && (meets_itself(p) || !each_read(p, is_of_device, &b) ||
                        !each_written(p, is_of_device, &b)))
        return false;
    if ((!was_before && !gather_before(r, p)) || !gather_after(r, p)) {
        give_up(r, p);
        return false;
    }
    p->result = *result;
    model_again(r, &p->result);
    return p->has_after = p->has_result = true;
}
