/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clocks, and the operations that are done: see order.h. An operation is kept until all that is to
 * come has an order with it. There is a limit for programs in which that is never so: the oldest
 * ones leave then.
 */
#include "run/order.h"

#include "base/mem.h"
#include "run/area.h"
#include "run/run.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { DONE_MOST = 4096, PAGES_MOST = 1 << 19 }; /* some 270 MB of bits */

/* ---- clocks ---------------------------------------------------------------------------- */

bool run_clock_add(struct run_clock *c, unsigned stream, size_t number)
{
    if (stream >= c->streams) {
        size_t *grown = mem_resize(&allocator_libc, c->last, c->streams * sizeof *grown,
                                   (stream + 1) * sizeof *grown);
        if (!grown)
            return false;
        memset(grown + c->streams, 0, (stream + 1 - c->streams) * sizeof *grown);
        c->last = grown;
        c->streams = stream + 1;
    }
    if (c->last[stream] < number)
        c->last[stream] = number;
    return true;
}

bool run_clock_join(struct run_clock *c, const struct run_clock *other)
{
    for (unsigned i = other->streams; i-- > 0;)
        if (other->last[i] && !run_clock_add(c, i, other->last[i]))
            return false;
    return true;
}

void run_clock_free(struct run_clock *c)
{
    mem_free(&allocator_libc, c->last, c->streams * sizeof *c->last);
    *c = (struct run_clock){0};
}

bool run_clock_has(const struct run_clock *c, unsigned stream, size_t number)
{
    return stream < c->streams && c->last[stream] >= number;
}

bool run_stamps_ordered(const struct run_stamp *a, const struct run_stamp *b)
{
    const struct run_stamp *low = a->number < b->number ? a : b, *high = low == a ? b : a;
    return run_clock_has(&high->clock, low->stream, low->number);
}

/* ---- what an operation touches --------------------------------------------------------- */

static void add_rows(struct byte_set *set, uint64_t at, uint64_t width, uint64_t rows,
                     uint64_t pitch)
{
    if (pitch == width) {
        width *= rows;
        rows = 1;
    }
    for (uint64_t y = 0; y < rows && width; y++)
        byte_set_add(set, at + y * pitch, width);
}

/* Memory comes with cudaMallocAsync and goes with cudaFreeAsync, in the order of a stream. */
static bool is_of_memory(const struct run_message *m)
{
    return m->what == RUN_COME || m->what == RUN_RELEASE;
}

/* A launch was watched. */
static void add_message(const struct run *r, struct touched *t, const struct run_message *m)
{
    const uint64_t *n = m->number;
    const struct run_area *a = is_of_memory(m) ? area_at(r, n[0], false) : NULL;
    if (is_of_memory(m) && !a)
        a = area_at(r, n[0], true);
    if (a)
        byte_set_add(&t->written, a->address, a->bytes);
    if ((m->what == RUN_FILL || m->what == RUN_COPY) && run_span(m, true) == 0)
        return;
    if (m->what == RUN_FILL)
        add_rows(&t->written, n[FILL_TO], n[FILL_WIDTH], n[FILL_HEIGHT], n[FILL_PITCH]);
    for (uint64_t z = 0; m->what == RUN_COPY && z < n[COPY_DEPTH]; z++) {
        add_rows(&t->written, n[COPY_TO] + z * n[COPY_SLICE_TO], n[COPY_WIDTH], n[COPY_HEIGHT],
                 n[COPY_ROW_TO]);
        add_rows(&t->read, n[COPY_FROM] + z * n[COPY_SLICE_FROM], n[COPY_WIDTH], n[COPY_HEIGHT],
                 n[COPY_ROW_FROM]);
    }
}

static size_t pages_of(const struct touched *t)
{
    return t->read.count + t->written.count + t->atomic.count + t->watched.count;
}

/* ---- mistakes -------------------------------------------------------------------------- */

enum use { READS, WRITES, UPDATES, WATCHES, USES };
static const char *const does[] = {"reads", "writes", "updates", "reads"};

static const struct byte_set *set_of(const struct touched *t, enum use use)
{
    return use == READS     ? &t->read
           : use == WRITES  ? &t->written
           : use == UPDATES ? &t->atomic
                            : &t->watched;
}

/* Do these two uses of one byte need an order? */
static bool need_order(enum use a, enum use b)
{
    return a == WRITES || b == WRITES || (a == UPDATES && b == READS) ||
           (a == READS && b == UPDATES);
}

/* A byte that both use, in ways that need an order. */
static bool meet(const struct touched *a, const struct touched *b, enum use *of_a, enum use *of_b,
                 uint64_t *address)
{
    for (enum use i = WRITES; i < USES; i++)
        for (enum use k = READS; k < USES; k++) {
            if (!need_order(i, k))
                continue;
            *of_a = i;
            *of_b = k;
            if (byte_set_meet(set_of(a, i), set_of(b, k), address))
                return true;
            *of_a = k;
            *of_b = i;
            if (byte_set_meet(set_of(a, k), set_of(b, i), address))
                return true;
        }
    return false;
}

static const char *come_name(const struct run_message *m)
{
    return m->number[COME_IS_THERE] ? "cudaMallocAsync" : "memory node";
}

/* "the kernel fill", or "the copy". */
static void name_call(const struct run *r, const struct run_message *m, const char *article,
                      char out[100])
{
    if (m->what == RUN_LAUNCH)
        snprintf(out, 100, "the kernel %.60s", run_kernel_name(r, m->number[0]));
    else
        snprintf(out, 100, "%s %s", article, m->what == RUN_FILL      ? "cudaMemset"
                                             : m->what == RUN_COME    ? come_name(m)
                                             : m->what == RUN_RELEASE ? "cudaFreeAsync"
                                                                      : "copy");
}

static const char *done_to(const struct run_message *m, enum use use)
{
    return m->what == RUN_COME ? "allocates" : m->what == RUN_RELEASE ? "frees" : does[use];
}

static const char *where(const struct run_stamp *s)
{
    return s->of_graph ? "in a node of a graph" : "in another stream";
}

/* What the one before has read is unwritten only since this one, which writes it, came too late. */
static void mark_unwritten(struct run *r, const struct run_done *now, const struct run_done *before)
{
    if (is_of_memory(&now->message))
        return;
    for (unsigned i = before->first_fault; i < before->end_fault; i++) {
        struct fault *f = &r->report->faults[i];
        if (strcmp(f->kind, "uninitialized") == 0 && f->has_address &&
            (byte_set_has(&now->touched.written, f->address) ||
             byte_set_has(&now->touched.atomic, f->address)))
            f->follows = true;
    }
}

/* `a` is done now, and `b` was done before. */
static void tell(struct run *r, const struct run_done *a, const struct run_done *b)
{
    const struct run_done *late = a->stamp.number > b->stamp.number ? a : b;
    const struct run_done *early = late == a ? b : a;
    enum use of_late, of_early;
    uint64_t address;
    char this[100], other[100];
    if (!meet(&late->touched, &early->touched, &of_late, &of_early, &address))
        return;
    const struct run_place at = run_place_of(r, &late->message);
    const struct run_place before = run_place_of(r, &early->message);
    name_call(r, &late->message, "this", this);
    name_call(r, &early->message, "the", other);
    run_mistake_of_two(r, "stream-race", &at, &before,
                       "%s %s %s, and %s of line %d %s it %s, but neither of the two waits for "
                       "the other", this, done_to(&late->message, of_late),
                       run_area_name(r, address), other, before.line, done_to(&early->message, of_early),
                       where(&early->stamp));
    mark_unwritten(r, a, b);
}

/* ---- those that are done --------------------------------------------------------------- */

bool run_order_meets(const struct run *r, const struct run_stamp *s)
{
    for (size_t i = 0; i < r->done_count; i++)
        if (!run_stamps_ordered(&r->done[i]->stamp, s))
            return true;
    return false;
}

static void drop(struct run *r, size_t i)
{
    struct run_done *d = r->done[i];
    r->done_pages -= pages_of(&d->touched);
    touched_free(&d->touched);
    run_clock_free(&d->stamp.clock);
    mem_free(&allocator_libc, d, sizeof *d);
    memmove(r->done + i, r->done + i + 1, (r->done_count - i - 1) * sizeof *r->done);
    r->done_count--;
}

static void widen(struct run_done *d, const struct byte_set *set)
{
    enum { WORDS = BYTE_SET_PAGE / 64 };
    for (size_t i = 0; i < set->slots; i++) {
        const struct byte_set_page *p = set->slot[i];
        int first = 0, last = WORDS - 1;
        while (p && first < WORDS && !p->bits[first])
            first++;
        while (p && last > first && !p->bits[last])
            last--;
        if (!p || first == WORDS)
            continue;
        const uint64_t start = p->number * BYTE_SET_PAGE;
        const uint64_t low = start + 64u * (unsigned)first +
                             (unsigned)__builtin_ctzll(p->bits[first]);
        const uint64_t high = start + 64u * (unsigned)last + 64 -
                              (unsigned)__builtin_clzll(p->bits[last]);
        d->low = low < d->low ? low : d->low;
        d->high = high > d->high ? high : d->high;
    }
}

/* Without memory for it the program runs on, and less is found. */
static void keep(struct run *r, const struct run_done *d)
{
    struct run_done *kept = mem_alloc(&allocator_libc, sizeof *kept);
    struct run_clock clock = {0};
    if (!kept || !run_clock_join(&clock, &d->stamp.clock) ||
        mem_grow(&allocator_libc, (void **)&r->done, &r->done_capacity, r->done_count,
                 sizeof(struct run_done *)) < 0) {
        run_clock_free(&clock);
        mem_free(&allocator_libc, kept, kept ? sizeof *kept : 0);
        struct touched lost = d->touched;
        touched_free(&lost);
        return;
    }
    *kept = *d;
    kept->stamp.clock = clock;
    r->done[r->done_count++] = kept;
    r->done_pages += pages_of(&kept->touched);
    while (r->done_count > DONE_MOST || (r->done_count > 1 && r->done_pages > PAGES_MOST))
        drop(r, 0);
}

void run_order_done(struct run *r, const struct run_stamp *s, const struct run_message *m,
                    struct touched *t, unsigned first_fault)
{
    add_message(r, t, m);
    struct run_done d = {.stamp = *s, .message = *m, .touched = *t, .low = UINT64_MAX,
                         .first_fault = first_fault, .end_fault = r->report->fault_count};
    *t = (struct touched){.read = {0}};
    if (!pages_of(&d.touched))
        return;
    widen(&d, &d.touched.read);
    widen(&d, &d.touched.written);
    widen(&d, &d.touched.atomic);
    widen(&d, &d.touched.watched);
    for (size_t i = 0; i < r->done_count; i++)
        if (r->done[i]->low < d.high && d.low < r->done[i]->high &&
            !run_stamps_ordered(&r->done[i]->stamp, s))
            tell(r, &d, r->done[i]);
    keep(r, &d);
}

void run_order_shorten(struct run *r)
{
    for (size_t i = r->done_count; i-- > 0;) {
        const struct run_stamp *s = &r->done[i]->stamp;
        if (run_clock_has(&r->host, s->stream, s->number) && !run_open_meets(r, s))
            drop(r, i);
    }
}

void run_order_forget(struct run *r)
{
    while (r->done_count)
        drop(r, r->done_count - 1);
    mem_free(&allocator_libc, r->done, r->done_capacity * sizeof *r->done);
    r->done = NULL;
    r->done_capacity = 0;
}

/* ---- functions of the host ------------------------------------------------------------- */

enum { PAGE = BYTE_SET_PAGE };

static void protect_set(struct run *r, const struct byte_set *set, int how)
{
    for (size_t i = 0; i < set->slots; i++) {
        const struct byte_set_page *p = set->slot[i];
        if (p && p->number * PAGE - RUN_SHARED_BASE < RUN_SHARED_BYTES)
            run_protect(r, p->number * PAGE, PAGE, how);
    }
}

static void protect_all(struct run *r, const struct run_stamp *s, bool open)
{
    const int all = PROT_READ | PROT_WRITE;
    for (size_t i = 0; i < r->done_count; i++) {
        const struct touched *t = &r->done[i]->touched;
        if (run_stamps_ordered(&r->done[i]->stamp, s))
            continue;
        protect_set(r, &t->read, open ? all : PROT_READ);
    }
    for (size_t i = 0; i < r->done_count; i++) {
        const struct touched *t = &r->done[i]->touched;
        if (run_stamps_ordered(&r->done[i]->stamp, s))
            continue;
        protect_set(r, &t->written, open ? all : PROT_NONE);
        protect_set(r, &t->atomic, open ? all : PROT_NONE);
    }
}

void run_order_close(struct run *r, const struct run_stamp *s)
{
    protect_all(r, s, false);
}

void run_order_open(struct run *r, const struct run_stamp *s)
{
    protect_all(r, s, true);
}

static bool has_page(const struct byte_set *set, uint64_t address)
{
    for (size_t i = 0; i < set->slots; i++)
        if (set->slot[i] && set->slot[i]->number == address / PAGE)
            return true;
    return false;
}

int run_order_touched(struct run *r, const struct run_stamp *s, const struct run_message *m)
{
    const uint64_t address = m->number[0];
    const bool is_write = m->number[1] != 0;
    const struct run_place at = run_place_of(r, m);
    int how = PROT_READ | PROT_WRITE;
    for (size_t i = 0; i < r->done_count; i++) {
        const struct run_done *d = r->done[i];
        const struct touched *t = &d->touched;
        char other[100];
        if (run_stamps_ordered(&d->stamp, s))
            continue;
        if (has_page(&t->written, address) || has_page(&t->atomic, address))
            how = PROT_NONE;
        else if (has_page(&t->read, address) && how != PROT_NONE)
            how = PROT_READ;
        const bool writes = byte_set_has(&t->written, address) ||
                            byte_set_has(&t->atomic, address);
        if (!writes && !(is_write && byte_set_has(&t->read, address)))
            continue;
        const struct run_place before = run_place_of(r, &d->message);
        name_call(r, &d->message, "the", other);
        run_mistake_of_two(r, "stream-race", &at, &before,
                           "this function of the host %s %s, and %s of line %d %s it %s, but "
                           "neither of the two waits for the other",
                           is_write ? "changes" : "reads", run_area_name(r, address), other,
                           before.line, writes ? "writes" : "reads", where(&d->stamp));
    }
    return how;
}
