/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that host and device share, while the device may still use it. The program's pages are
 * closed until the operation is done: those that it writes, and for writing those that it reads. So
 * a host that does not wait is caught in the act (run/client/touched.c).
 *
 * A host that only reads what a kernel only reads does no harm. Such a read is told if the kernel
 * has then changed the bytes of that page.
 */
#include "run/run.h"

#include "base/mem.h"

#include "cudalab_runtime_types.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

enum guard_kind { OF_KERNEL, OF_SOURCE, OF_DESTINATION };

struct run_guard {
    size_t operation;
    enum guard_kind kind;
    uint64_t from, to;      /* the bytes that the operation uses */
    struct run_place where; /* of the operation */
    bool was_read;          /* by the host, and what it found then: */
    uint64_t page;
    unsigned char before[PAGE];
    struct run_place reader;
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

/* Without memory for it the program runs unwatched. */
static void add(struct run *r, size_t operation, enum guard_kind kind, uint64_t from, uint64_t to,
                const struct run_message *m)
{
    struct run_guard *g = mem_alloc(&allocator_libc, sizeof *g);
    struct run_guard **grown = mem_resize(&allocator_libc, r->guards,
                                          r->guard_count * sizeof *grown,
                                          (r->guard_count + 1) * sizeof *grown);
    if (grown)
        r->guards = grown;
    if (!g || !grown) {
        mem_free(&allocator_libc, g, g ? sizeof *g : 0);
        return;
    }
    *g = (struct run_guard){.operation = operation, .kind = kind, .from = from, .to = to,
                            .where = run_place_of(r, m)};
    grown[r->guard_count++] = g;
    protect(r, from, to, closed(g));
}

static void add_range(struct run *r, size_t operation, enum guard_kind kind, uint64_t at,
                      uint64_t bytes, const struct run_message *m)
{
    if (at - RUN_SHARED_BASE < RUN_SHARED_BYTES && bytes)
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
    const uint64_t *n = m->number;
    switch (m->what) {
    case RUN_COPY: /* to, from, width, height, depth, pitches, slices */
        add_range(r, operation, OF_DESTINATION, n[0],
                  (n[4] - 1) * n[7] + (n[3] - 1) * n[5] + n[2], m);
        add_range(r, operation, OF_SOURCE, n[1], (n[4] - 1) * n[8] + (n[3] - 1) * n[6] + n[2], m);
        break;
    case RUN_FILL: /* to, value, width, height, pitch */
        add_range(r, operation, OF_DESTINATION, n[0], (n[3] - 1) * n[4] + n[2], m);
        break;
    case RUN_LAUNCH: add_launch(r, operation, m, params); break;
    default: break;
    }
}

static void judge_read(struct run *r, const struct run_guard *g)
{
    const unsigned char *now = r->shared + (g->page - RUN_SHARED_BASE);
    if (!g->was_read || memcmp(now, g->before, PAGE) == 0)
        return;
    run_mistake(r, "kernel-pending", &g->reader, false,
                "the host reads memory that the kernel of line %d writes, before it has waited for "
                "the kernel", g->where.line);
}

/* The pages open, unless another operation has closed them too. */
void run_guard_end(struct run *r, size_t operation)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->guard_count; i++) {
        struct run_guard *g = r->guards[i];
        if (g->operation != operation) {
            r->guards[kept++] = g;
            continue;
        }
        judge_read(r, g);
        protect(r, g->from, g->to, PROT_READ | PROT_WRITE);
        mem_free(&allocator_libc, g, sizeof *g);
    }
    if (kept == r->guard_count)
        return;
    r->guards = mem_resize(&allocator_libc, r->guards, r->guard_count * sizeof *r->guards,
                           kept * sizeof *r->guards);
    r->guard_count = kept;
    for (size_t i = 0; i < kept; i++)
        protect(r, r->guards[i]->from, r->guards[i]->to, closed(r->guards[i]));
}

void run_guard_forget(struct run *r)
{
    for (size_t i = 0; i < r->guard_count; i++)
        mem_free(&allocator_libc, r->guards[i], sizeof *r->guards[i]);
    mem_free(&allocator_libc, r->guards, r->guard_count * sizeof *r->guards);
    r->guards = NULL;
    r->guard_count = 0;
}

/* ---- what the host touches ------------------------------------------------------------- */

static void tell(struct run *r, struct run_guard *g, uint64_t address, bool is_write,
                 const struct run_place *at)
{
    switch (g->kind) {
    case OF_SOURCE:
        run_mistake(r, "source-changed", at, false,
                    "the host changes memory that the copy of line %d has not read yet",
                    g->where.line);
        return;
    case OF_DESTINATION:
        run_mistake(r, "used-early", at, false,
                    "the host %s memory that the copy of line %d has not written yet",
                    is_write ? "changes" : "reads", g->where.line);
        return;
    case OF_KERNEL: break;
    }
    if (is_write) {
        run_mistake(r, "kernel-pending", at, false,
                    "the host changes memory that the kernel of line %d uses, before it has waited "
                    "for the kernel", g->where.line);
        return;
    }
    if (g->was_read)
        return;
    g->was_read = true;
    g->reader = *at;
    g->page = address / PAGE * PAGE;
    memcpy(g->before, r->shared + (g->page - RUN_SHARED_BASE), PAGE);
}

/* Bytes beside those that are guarded, on the same page: it is closed again afterwards. */
static bool is_beside(const struct run_guard *g, uint64_t address)
{
    return address / PAGE >= g->from / PAGE && address / PAGE <= (g->to - 1) / PAGE;
}

int32_t run_touched(struct run *r, struct run_message *m)
{
    const uint64_t address = m->number[0];
    const struct run_place at = run_place_of(r, m);
    const bool is_write = m->number[1] != 0;
    uint64_t from, to;
    m->number[0] = 0;
    for (size_t i = 0; i < r->guard_count; i++) {
        struct run_guard *g = r->guards[i];
        if (address >= g->from && address < g->to) {
            tell(r, g, address, is_write, &at);
            return 0;
        }
    }
    for (size_t i = 0; i < r->guard_count && !m->number[0]; i++)
        if (is_beside(r->guards[i], address))
            m->number[0] = (uint64_t)closed(r->guards[i]) + 1;
    if (address - RUN_SHARED_BASE < RUN_SHARED_BYTES)
        return 0;
    if (run_area_range(r, address, &from, &to))
        run_mistake(r, "host-crash", &at, false,
                    "the host uses %s, which is memory of the device", run_area_name(r, address));
    else
        run_mistake(r, "host-crash", &at, false, "the host uses an address where no memory is");
    return cudaErrorInvalidValue;
}
