/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that host and device share, while the device may still use it. The program's pages are
 * closed until the operation is done: those that it writes, and for writing those that it reads. So
 * a host that does not wait is caught in the act (run/client/touched.c).
 *
 * Which bytes of its arrays a kernel uses is known when it has run. So the bytes that the host has
 * touched before are kept. A byte is told if the kernel has then used it too, and one of the two
 * has written it.
 */
#include "run/run.h"

#include "base/mem.h"

#include "cudalab_runtime_types.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
/* If the host touches the memory of a kernel this often, it may wait for what the kernel writes. So
 * the kernel is done. */
enum { TOUCHES_MOST = 4096 };
enum { POLLS = 64 }; /* reads of one address, and no other between them, by a host that waits so */

enum guard_kind { OF_KERNEL, OF_SOURCE, OF_DESTINATION, OF_FILL };

struct run_guard {
    size_t operation;
    enum guard_kind kind;
    uint64_t from, to;      /* the bytes that the operation uses */
    struct run_place where; /* of the operation */
    /* Of a kernel: what the host has touched meanwhile, and where first. */
    struct { struct byte_set bytes; struct run_place first; } host[RUN_TOUCHES];
    unsigned touches, polls;
    uint64_t polled; /* where the last read was */
};

static void protect(struct run *r, uint64_t from, uint64_t to, int how)
{
    from = from / PAGE * PAGE;
    run_protect(r, from, (to - from + PAGE - 1) / PAGE * PAGE, how);
}

static int closed(const struct run_guard *g)
{
    return g->kind == OF_SOURCE ? PROT_READ : PROT_NONE;
}

/* Does another guard, of the first n, keep all these pages closed in this way? With many launches
 * on the same arrays there is no need to close and open them for each. */
static bool is_kept_closed(const struct run *r, size_t n, const struct run_guard *g)
{
    for (size_t i = 0; i < n; i++) {
        const struct run_guard *h = r->guards[i];
        if (h != g && h->from <= g->from && h->to >= g->to &&
            (closed(h) == PROT_NONE || closed(h) == closed(g)))
            return true;
    }
    return false;
}

/* A kernel may have the same array twice. */
static bool is_there(const struct run *r, const struct run_guard *g)
{
    for (size_t i = r->guard_count; i-- > 0 && r->guards[i]->operation == g->operation;)
        if (r->guards[i]->from == g->from && r->guards[i]->to == g->to &&
            r->guards[i]->kind == g->kind)
            return true;
    return false;
}

/* Without memory for it the program runs unwatched. */
static void add(struct run *r, size_t operation, enum guard_kind kind, uint64_t from, uint64_t to,
                const struct run_message *m)
{
    const struct run_guard made = {.operation = operation, .kind = kind, .from = from, .to = to,
                                   .where = run_place_of(r, m)};
    if (is_there(r, &made))
        return;
    struct run_guard *g = mem_alloc(&allocator_libc, sizeof *g);
    if (!g || mem_grow(&allocator_libc, (void **)&r->guards, &r->guard_capacity, r->guard_count,
                       sizeof(struct run_guard *)) < 0) {
        mem_free(&allocator_libc, g, g ? sizeof *g : 0);
        return;
    }
    *g = made;
    if (!is_kept_closed(r, r->guard_count, g))
        protect(r, from, to, closed(g));
    r->guards[r->guard_count++] = g;
}

static void add_range(struct run *r, size_t operation, enum guard_kind kind, uint64_t at,
                      uint64_t bytes, const struct run_message *m)
{
    const uint64_t offset = at - RUN_SHARED_BASE;
    if (bytes && offset < RUN_SHARED_BYTES && bytes <= RUN_SHARED_BYTES - offset)
        add(r, operation, kind, at, at + bytes, m);
}

/* A kernel uses the arrays that its parameters lead to, and perhaps __managed__ variables. */
static void add_launch(struct run *r, size_t operation, const struct run_message *m,
                       const char *params)
{
    uint64_t from, to;
    for (uint64_t at = 0; params && at + sizeof(uint64_t) <= m->bytes; at += sizeof(uint64_t)) {
        uint64_t value;
        memcpy(&value, params + at, sizeof value);
        if (value - RUN_SHARED_BASE < RUN_SHARED_BYTES && run_area_range(r, value, &from, &to))
            add(r, operation, OF_KERNEL, from, to, m);
    }
    for (size_t i = 0; run_next_variable(r, &i, &from, &to);)
        add(r, operation, OF_KERNEL, from, to, m);
}

void run_guard_begin(struct run *r, size_t operation, const struct run_message *m,
                     const void *params)
{
    switch (m->what) {
    case RUN_COPY:
        add_range(r, operation, OF_DESTINATION, m->number[COPY_TO], run_span(m, true), m);
        add_range(r, operation, OF_SOURCE, m->number[COPY_FROM], run_span(m, false), m);
        break;
    case RUN_FILL:
        add_range(r, operation, OF_FILL, m->number[FILL_TO], run_span(m, true), m);
        break;
    case RUN_LAUNCH: add_launch(r, operation, m, params); break;
    default: break;
    }
}

bool run_guard_was_touched(const struct run *r, size_t operation)
{
    for (size_t i = 0; i < r->guard_count; i++)
        if (r->guards[i]->operation == operation && r->guards[i]->touches)
            return true;
    return false;
}

static bool meet(const struct byte_set *a, const struct byte_set *b)
{
    uint64_t at;
    return byte_set_meet(a, b, &at);
}

/* Atomic operations of the host may meet those of the kernel, and the host may read what it then
 * compares and swaps. It may write what the kernel only watches. */
static bool is_mistake(const struct touched *t, enum run_touch touch, struct run_guard *g)
{
    struct byte_set *host = &g->host[touch].bytes;
    if (meet(&t->written, host) || (touch != RUN_TOUCH_READ && meet(&t->read, host)))
        return true;
    if (touch == RUN_TOUCH_READ)
        byte_set_remove(host, &g->host[RUN_TOUCH_ATOMIC].bytes);
    return touch != RUN_TOUCH_ATOMIC && meet(&t->atomic, host);
}

void run_guard_judge(struct run *r, size_t operation, const struct touched *t)
{
    for (size_t i = 0; i < r->guard_count; i++) {
        struct run_guard *g = r->guards[i];
        for (int touch = 0; touch < RUN_TOUCHES && g->operation == operation; touch++)
            if (is_mistake(t, touch, g))
                run_mistake(r, "kernel-pending", &g->host[touch].first, false,
                            "the host %s memory that the kernel of line %d %s, before it has "
                            "waited for the kernel",
                            touch == RUN_TOUCH_READ ? "reads" : "changes", g->where.line,
                            touch == RUN_TOUCH_READ ? "writes" : "uses");
    }
}

static void free_guard(struct run_guard *g)
{
    for (int touch = 0; touch < RUN_TOUCHES; touch++)
        byte_set_clear(&g->host[touch].bytes);
    mem_free(&allocator_libc, g, sizeof *g);
}

static bool shares_page(const struct run_guard *a, const struct run_guard *b)
{
    return a->from / PAGE <= (b->to - 1) / PAGE && b->from / PAGE <= (a->to - 1) / PAGE;
}

/* The pages open, unless another operation has closed them too. */
static void open_pages(struct run *r, const struct run_guard *g)
{
    if (is_kept_closed(r, r->guard_count, g))
        return;
    protect(r, g->from, g->to, PROT_READ | PROT_WRITE);
    for (size_t i = 0; i < r->guard_count; i++)
        if (shares_page(r->guards[i], g))
            protect(r, r->guards[i]->from, r->guards[i]->to, closed(r->guards[i]));
}

void run_guard_end(struct run *r, size_t operation)
{
    const size_t count = r->guard_count;
    r->guard_count = 0;
    for (size_t i = 0; i < count; i++) { /* those of the operation come last */
        struct run_guard *g = r->guards[i];
        if (g->operation == operation)
            continue;
        r->guards[i] = r->guards[r->guard_count];
        r->guards[r->guard_count++] = g;
    }
    for (size_t i = r->guard_count; i < count; i++)
        open_pages(r, r->guards[i]);
    for (size_t i = r->guard_count; i < count; i++)
        free_guard(r->guards[i]);
}

void run_guard_again(struct run *r)
{
    for (size_t i = 0; i < r->guard_count; i++)
        protect(r, r->guards[i]->from, r->guards[i]->to, closed(r->guards[i]));
}

void run_guard_forget(struct run *r)
{
    for (size_t i = 0; i < r->guard_count; i++)
        free_guard(r->guards[i]);
    mem_free(&allocator_libc, r->guards, r->guard_capacity * sizeof *r->guards);
    r->guards = NULL;
    r->guard_count = r->guard_capacity = 0;
}

/* ---- what the host touches ------------------------------------------------------------- */

/* A host that reads one address again and again waits by it, as by atomic operations. */
static void note_poll(struct run_guard *g, uint64_t address)
{
    g->polls = address == g->polled ? g->polls + 1 : 0;
    g->polled = address;
    if (g->polls == POLLS)
        byte_set_add(&g->host[RUN_TOUCH_ATOMIC].bytes, address, 1);
}

/* Returns whether the page can stay open: the mistake is told. */
static bool tell(struct run *r, struct run_guard *g, uint64_t address, uint64_t touch,
                 const struct run_place *at)
{
    const bool is_write = touch != RUN_TOUCH_READ;
    const unsigned set = touch < RUN_TOUCHES ? (unsigned)touch : RUN_TOUCH_WRITE;
    switch (g->kind) {
    case OF_SOURCE:
        if (!is_write)
            return false;
        run_mistake(r, "source-changed", at, false,
                    "the host changes memory that the copy of line %d has not read yet",
                    g->where.line);
        return true;
    case OF_DESTINATION:
    case OF_FILL:
        run_mistake(r, "used-early", at, false,
                    "the host %s memory that the %s of line %d has not written yet",
                    is_write ? "changes" : "reads",
                    g->kind == OF_FILL ? "cudaMemsetAsync" : "copy", g->where.line);
        return true;
    case OF_KERNEL:
        if (!g->host[set].bytes.count)
            g->host[set].first = *at;
        byte_set_add(&g->host[set].bytes, address, 1);
        g->touches++;
        if (!is_write)
            note_poll(g, address);
        return false;
    }
    return false;
}

/* Bytes beside those that are guarded, on the same page: it is closed again afterwards. */
static bool is_beside(const struct run_guard *g, uint64_t address)
{
    return address / PAGE >= g->from / PAGE && address / PAGE <= (g->to - 1) / PAGE;
}

/* A function that a stream calls may use what later operations of its stream use. */
static bool concerns(const struct run *r, const struct run_guard *g)
{
    const struct run_stamp *s = run_stamp_of(r, g->operation);
    return !r->calling || (s && !run_stamps_ordered(s, r->calling));
}

/* While a function is called, a page is always closed again: other bytes of it may be touched. */
static void touched_by_call(struct run *r, struct run_message *m, const struct run_place *at)
{
    const uint64_t address = m->number[0];
    int how = run_order_touched(r, r->calling, m);
    for (size_t i = 0; i < r->guard_count; i++) {
        struct run_guard *g = r->guards[i];
        if (is_beside(g, address))
            how &= closed(g);
        if (address >= g->from && address < g->to && concerns(r, g))
            tell(r, g, address, m->number[1], at);
    }
    m->number[0] = (uint64_t)how + 1;
}

/* The kernel that the host has touched so often that it may wait for it; 0: there is none. */
static size_t find_touched_often(const struct run *r)
{
    for (size_t i = 0; i < r->guard_count; i++)
        if (r->guards[i]->touches >= TOUCHES_MOST)
            return r->guards[i]->operation;
    return 0;
}

/* How the page of the address is to be closed. */
static int closed_page(const struct run *r, uint64_t address)
{
    int how = PROT_READ | PROT_WRITE;
    for (size_t i = 0; i < r->guard_count; i++)
        if (is_beside(r->guards[i], address))
            how &= closed(r->guards[i]);
    return how;
}

int32_t run_touched(struct run *r, struct run_message *m)
{
    const uint64_t address = m->number[0];
    const struct run_place at = run_place_of(r, m);
    uint64_t from, to;
    if (r->calling && address - RUN_SHARED_BASE < RUN_SHARED_BYTES) {
        touched_by_call(r, m, &at);
        return 0;
    }
    bool stays_open = false;
    for (size_t i = 0; i < r->guard_count; i++) {
        struct run_guard *g = r->guards[i];
        if (address >= g->from && address < g->to)
            stays_open |= tell(r, g, address, m->number[1], &at);
    }
    for (size_t often; (often = find_touched_often(r));)
        run_do_open(r, often);
    m->number[0] = stays_open ? 0 : (uint64_t)closed_page(r, address) + 1;
    if (address - RUN_SHARED_BASE < RUN_SHARED_BYTES)
        return 0;
    r->crashed = true;
    if (run_area_range(r, address, &from, &to))
        run_mistake(r, "host-crash", &at, false,
                    "the host uses %s, which is memory of the device", run_area_name(r, address));
    else
        run_mistake(r, "host-crash", &at, false, "the host %s",
                    m->number[2] == RUN_SEGV_CLOSED
                        ? m->number[1] != RUN_TOUCH_READ
                              ? "changes memory that can only be read"
                              : "uses memory that is closed to it"
                    : m->number[2] == RUN_SEGV_STACK
                        ? "has no room left on its stack: a function calls itself too often, or "
                          "a local array is too large"
                    : m->number[2] == RUN_SEGV_UNKNOWN
                        ? "uses an address that no memory can have, or one that is not aligned"
                        : "uses an address where no memory is");
    return cudaErrorInvalidValue;
}
