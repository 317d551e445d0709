/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of a program: what it got, what it copied. Pinned and managed memory lies in a file
 * that the program and cudalab have both mapped. The simulator has its own copy of it, which gets
 * the host's bytes before a launch and gives its own back after it.
 */
#include "run/run.h"

#include "base/lines.h"
#include "base/mem.h"

#include "cudalab_runtime_types.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run_area {
    uint64_t address, bytes;
    enum run_memory kind;
    uint64_t variable; /* of a __managed__ variable: where the simulator has it; 0: at `address` */
    bool freed, is_module; /* is_module: it is a variable, and comes and goes with its module */
    struct run_place got, released;
    char name[48];
};

enum { PAGE = 4096 };

static const char *const getters[] = {"", "cudaMalloc", "cudaMallocHost", "cudaMallocManaged"};

/* ---- what there is --------------------------------------------------------------------- */

/* The area that an address lies in, the latest first: memory that was freed may be given again. */
static struct run_area *area_at(const struct run *r, uint64_t address, bool freed)
{
    for (size_t i = r->area_count; i-- > 0;) {
        struct run_area *a = &r->areas[i];
        if (a->freed == freed && address >= a->address &&
            (address - a->address < a->bytes || address == a->address))
            return a;
    }
    return NULL;
}

/* The variable that a call gives memory to: `cudaMalloc(&a_d, ...)` and its kin. */
static void name_area(struct run *r, struct run_area *a)
{
    const struct span line = line_at(r->source, a->got.line);
    const char *at = a->got.line && line.n ? memchr(line.at, '&', line.n) : NULL;
    size_t length = 0;
    while (at && at + 1 + length < line.at + line.n &&
           (at[1 + length] == '_' || isalnum((unsigned char)at[1 + length])))
        length++;
    if (length && length < sizeof a->name)
        snprintf(a->name, sizeof a->name, "%.*s", (int)length, at + 1);
}

static int32_t give_place(struct run *r, struct run_area *a)
{
    struct err e;
    struct device *d = r->session.device;
    const char *name = a->name[0] ? a->name : NULL;
    if (a->address)
        return sim_device_allocate_at(d, a->address, a->bytes, name, &e) == 0
                   ? 0 : cudaErrorMemoryAllocation;
    if (a->kind == MEMORY_DEVICE)
        return d->ops->allocate(d, a->bytes, name, &a->address, &e) == 0
                   ? 0 : cudaErrorMemoryAllocation;
    const uint64_t room = (a->bytes + PAGE - 1) / PAGE * PAGE;
    if (room > RUN_SHARED_BYTES - r->shared_used)
        return cudaErrorMemoryAllocation;
    a->address = RUN_SHARED_BASE + r->shared_used;
    if (sim_device_allocate_at(d, a->address, a->bytes, name, &e) != 0)
        return cudaErrorMemoryAllocation;
    r->shared_used += room;
    return 0;
}

int32_t run_allocate(struct run *r, struct run_message *m)
{
    struct run_area a = {.address = m->number[2], .bytes = m->number[0],
                         .kind = (enum run_memory)m->number[1], .got = run_place_of(r, m)};
    if (a.kind == MEMORY_NONE || a.kind >= MEMORY_KINDS)
        return cudaErrorInvalidValue;
    m->number[0] = 0;
    if (a.bytes == 0)
        return a.kind == MEMORY_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
    struct run_message left = {.what = RUN_MEMORY_INFO};
    run_memory_info(r, &left);
    if (a.bytes > left.number[0])
        return cudaErrorMemoryAllocation;
    struct run_area *grown = mem_resize(&allocator_libc, r->areas, r->area_count * sizeof a,
                                        (r->area_count + 1) * sizeof a);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->areas = grown;
    if (!a.address)
        name_area(r, &a);
    int32_t error = give_place(r, &a);
    if (error) { /* the room stays for the next */
        r->areas = mem_resize(&allocator_libc, r->areas, (r->area_count + 1) * sizeof a,
                              r->area_count * sizeof a);
        return error;
    }
    r->areas[r->area_count++] = a;
    m->number[0] = a.address;
    return 0;
}

int32_t run_know_variable(struct run *r, uint64_t at, uint64_t bytes, const char *name)
{
    struct run_area a = {.address = at, .bytes = bytes, .kind = MEMORY_DEVICE, .is_module = true};
    if (area_at(r, at, false))
        return 0;
    struct run_area *grown = mem_resize(&allocator_libc, r->areas, r->area_count * sizeof a,
                                        (r->area_count + 1) * sizeof a);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->areas = grown;
    snprintf(a.name, sizeof a.name, "%s", name);
    r->areas[r->area_count++] = a;
    return 0;
}

static int32_t bad_release(struct run *r, const struct run_message *m)
{
    const struct run_place at = run_place_of(r, m);
    const struct run_area *a = area_at(r, m->number[0], true);
    if (a && a->address == m->number[0])
        run_mistake(r, "double-free", &at, false,
                    "%s is freed a second time; line %d has freed it before",
                    a->name[0] ? a->name : "this memory", a->released.line);
    else if (!area_at(r, m->number[0], false) || area_at(r, m->number[0], false)->is_module)
        run_mistake(r, "bad-free", &at, false,
                    "0x%" PRIx64 " is not memory of %s", m->number[0],
                    getters[m->number[1] < MEMORY_KINDS ? m->number[1] : MEMORY_DEVICE]);
    else
        run_mistake(r, "bad-free", &at, false, "the address lies in %s, but not at its start",
                    area_at(r, m->number[0], false)->name);
    return cudaErrorInvalidValue;
}

/* cudaFree() waits for all that was started before. */
int32_t run_release(struct run *r, struct run_message *m)
{
    struct err e;
    struct device *d = r->session.device;
    struct run_area *a = area_at(r, m->number[0], false);
    if (m->number[0] == 0)
        return run_wait_all(r);
    bool fits = a && a->address == m->number[0] && !a->is_module &&
                (m->number[1] == MEMORY_PINNED) == (a->kind == MEMORY_PINNED);
    if (!fits)
        return bad_release(r, m);
    int32_t error = run_wait_all(r);
    if (error)
        return error;
    a->freed = true;
    a->released = run_place_of(r, m);
    d->ops->free(d, a->address, &e);
    return 0;
}

static bool is_taken(const struct run_area *a)
{
    return a->kind == MEMORY_DEVICE && !a->freed && !a->is_module;
}

int32_t run_memory_info(const struct run *r, struct run_message *m)
{
    uint64_t used = 0;
    for (size_t i = 0; i < r->area_count; i++)
        used += is_taken(&r->areas[i]) ? r->areas[i].bytes : 0;
    m->number[1] = r->session.device->props.global_bytes;
    m->number[0] = m->number[1] - used;
    return 0;
}

int32_t run_point(struct run *r, struct run_message *m)
{
    const struct run_area *a = area_at(r, m->number[0], false);
    m->number[0] = a ? a->kind : MEMORY_NONE;
    m->number[1] = a ? a->address : 0;
    m->number[2] = a ? a->bytes : 0;
    return 0;
}

bool run_area_range(const struct run *r, uint64_t address, uint64_t *from, uint64_t *to)
{
    const struct run_area *a = area_at(r, address, false);
    if (!a)
        return false;
    *from = a->address;
    *to = a->address + a->bytes;
    return true;
}

bool run_next_variable(const struct run *r, size_t *i, uint64_t *from, uint64_t *to)
{
    while (*i < r->area_count) {
        const struct run_area *a = &r->areas[(*i)++];
        if (a->variable && !a->freed) {
            *from = a->address;
            *to = a->address + a->bytes;
            return true;
        }
    }
    return false;
}

const char *run_area_name(const struct run *r, uint64_t address)
{
    const struct run_area *a = area_at(r, address, false);
    return a && a->name[0] ? a->name : "an array";
}

void run_find_leaks(struct run *r)
{
    for (size_t i = 0; i < r->area_count; i++) {
        const struct run_area *a = &r->areas[i];
        if (!a->freed && !a->variable && !a->is_module)
            run_mistake(r, "not-freed", &a->got, true,
                        "%s has %" PRIu64 " bytes and is never freed",
                        a->name[0] ? a->name : "what this call gives", a->bytes);
    }
}

void run_forget_memory(struct run *r)
{
    struct err e;
    struct device *d = r->session.device;
    for (size_t i = 0; i < r->area_count; i++)
        if (!r->areas[i].freed && !r->areas[i].is_module)
            d->ops->free(d, r->areas[i].address, &e);
    mem_free(&allocator_libc, r->areas, r->area_count * sizeof *r->areas);
    r->areas = NULL;
    r->area_count = 0;
}

/* ---- copies ---------------------------------------------------------------------------- */

enum { TO, FROM, WIDTH, HEIGHT, DEPTH, ROW_TO, ROW_FROM, SLICE_TO, SLICE_FROM, KIND, STREAM, WAITS,
       SYMBOL, OFFSET };

static bool on_device(const struct run_area *a, uint64_t symbol)
{
    return symbol || (a && a->kind == MEMORY_DEVICE);
}

/* From the first byte that is copied to the last, and one more. */
static uint64_t span_of(const uint64_t *n, uint64_t row, uint64_t slice)
{
    if (!n[WIDTH] || !n[HEIGHT] || !n[DEPTH])
        return 0;
    return (n[DEPTH] - 1) * slice + (n[HEIGHT] - 1) * row + n[WIDTH];
}

static const char *name_of(const struct run_area *a)
{
    return a && a->name[0] ? a->name : "the array";
}

/* One side of a copy: it must be where the kind says, and all of it in its array. */
static int32_t check_side(struct run *r, const struct run_message *m, bool is_to, bool device)
{
    const uint64_t *n = m->number;
    const uint64_t at = n[is_to ? TO : FROM];
    const uint64_t row = n[is_to ? ROW_TO : ROW_FROM], slice = n[is_to ? SLICE_TO : SLICE_FROM];
    const uint64_t bytes = span_of(n, row, slice);
    const struct run_area *a = area_at(r, at, false);
    const char *const side = is_to ? "destination" : "source";
    const struct run_place place = run_place_of(r, m);
    if (device && !a) {
        const struct run_area *old = area_at(r, at, true);
        if (old)
            run_mistake(r, "copy-after-free", &place, false,
                        "the %s of the copy, %s, was freed in line %d", side, name_of(old),
                        old->released.line);
        else
            run_mistake(r, "wrong-direction", &place, false,
                        "the %s should be on the device, and 0x%" PRIx64 " is memory of the host",
                        side, at);
        return cudaErrorInvalidValue;
    }
    if (!device && a && a->kind == MEMORY_DEVICE) {
        run_mistake(r, "wrong-direction", &place, false,
                    "the %s should be on the host, and %s is memory of the device", side,
                    name_of(a));
        return cudaErrorInvalidValue;
    }
    if (a && bytes > a->bytes - (at - a->address)) {
        run_mistake(r, "copy-too-large", &place, false,
                    "%" PRIu64 " bytes from byte %" PRIu64 " of %s on: it has %" PRIu64, bytes,
                    at - a->address, name_of(a), a->bytes);
        return cudaErrorInvalidValue;
    }
    return 0;
}

int32_t run_check_copy(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    const bool within = n[KIND] == cudaMemcpyDeviceToDevice;
    const bool to_device = within || n[KIND] == cudaMemcpyHostToDevice;
    const bool from_device = within || n[KIND] == cudaMemcpyDeviceToHost;
    if (n[SYMBOL] && (n[OFFSET] > n[SYMBOL] || n[WIDTH] > n[SYMBOL] - n[OFFSET])) {
        const struct run_place place = run_place_of(r, m);
        run_mistake(r, "copy-too-large", &place, false,
                    "%" PRIu64 " bytes from byte %" PRIu64 " of the variable on: it has %" PRIu64,
                    n[WIDTH], n[OFFSET], n[SYMBOL]);
        return cudaErrorInvalidValue;
    }
    if (span_of(n, n[ROW_TO], n[SLICE_TO]) == 0 || n[SYMBOL] || n[KIND] == cudaMemcpyDefault)
        return 0;
    int32_t error = check_side(r, m, true, to_device);
    return error ? error : check_side(r, m, false, from_device);
}

static bool is_symbol(const struct run_message *m, bool is_to)
{
    return m->number[SYMBOL] && is_to != (m->number[KIND] == cudaMemcpyDeviceToHost);
}

/* A copy of memory that is neither pinned nor the device's: the call returns when it is done. */
bool run_waits_for_copy(const struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    bool to = !area_at(r, n[TO], false) && !is_symbol(m, true);
    bool from = !area_at(r, n[FROM], false) && !is_symbol(m, false);
    return n[WAITS] || to || from;
}

static unsigned char *shared_at(const struct run *r, uint64_t address)
{
    return address - RUN_SHARED_BASE < RUN_SHARED_BYTES ? r->shared + (address - RUN_SHARED_BASE)
                                                        : NULL;
}

static int32_t get_row(struct run *r, const struct run_message *m, uint64_t at, unsigned char *row,
                       uint64_t n)
{
    struct err e;
    struct device *d = r->session.device;
    unsigned char *shared = shared_at(r, at);
    if (shared) {
        memcpy(row, shared, n);
        return 0;
    }
    if (on_device(area_at(r, at, false), is_symbol(m, false)))
        return d->ops->read(d, row, at, n, &e) == 0 ? 0 : cudaErrorInvalidValue;
    return run_fetch(r, at, row, n);
}

static int32_t put_row(struct run *r, const struct run_message *m, uint64_t at,
                       const unsigned char *row, uint64_t n)
{
    struct err e;
    struct device *d = r->session.device;
    unsigned char *shared = shared_at(r, at);
    if (shared) {
        memcpy(shared, row, n);
        return 0;
    }
    if (on_device(area_at(r, at, false), is_symbol(m, true)))
        return d->ops->write(d, at, row, n, &e) == 0 ? 0 : cudaErrorInvalidValue;
    return run_store(r, at, 0, 0, row, n);
}

/* Within the device it also goes along what nobody wrote. */
static int32_t copy_row(struct run *r, const struct run_message *m, uint64_t to, uint64_t from,
                        unsigned char *row, uint64_t n)
{
    struct err e;
    struct device *d = r->session.device;
    if (on_device(area_at(r, to, false), 0) && on_device(area_at(r, from, false), 0))
        return device_copy(d, from, d, to, n, &e) == 0 ? 0 : cudaErrorInvalidValue;
    int32_t error = get_row(r, m, from, row, n);
    return error ? error : put_row(r, m, to, row, n);
}

int32_t run_copy_now(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    uint64_t width = n[WIDTH], height = n[HEIGHT];
    if (height > 1 && n[ROW_TO] == width && n[ROW_FROM] == width) { /* one piece */
        width *= height;
        height = 1;
    }
    unsigned char *row = mem_alloc(&allocator_libc, width ? width : 1);
    int32_t error = row ? 0 : cudaErrorMemoryAllocation;
    for (uint64_t z = 0; z < n[DEPTH] && !error; z++)
        for (uint64_t y = 0; y < height && !error; y++)
            error = copy_row(r, m, n[TO] + z * n[SLICE_TO] + y * n[ROW_TO],
                             n[FROM] + z * n[SLICE_FROM] + y * n[ROW_FROM], row, width);
    mem_free(&allocator_libc, row, row ? (width ? width : 1) : 0);
    return error;
}

/* ---- filling --------------------------------------------------------------------------- */

enum { FILL_TO, FILL_VALUE, FILL_WIDTH, FILL_HEIGHT, FILL_PITCH, FILL_ELEMENT = 7 };

int32_t run_check_fill(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    const struct run_area *a = area_at(r, n[FILL_TO], false);
    const struct run_place place = run_place_of(r, m);
    uint64_t bytes = n[FILL_HEIGHT] ? (n[FILL_HEIGHT] - 1) * n[FILL_PITCH] + n[FILL_WIDTH] : 0;
    if (bytes == 0)
        return 0;
    const struct run_area *old = area_at(r, n[FILL_TO], true);
    if (!a && old)
        run_mistake(r, "copy-after-free", &place, false, "%s was freed in line %d", name_of(old),
                    old->released.line);
    else if (!a)
        return 0; /* perhaps a variable of the device: filling it tells */
    else if (bytes > a->bytes - (n[FILL_TO] - a->address))
        run_mistake(r, "copy-too-large", &place, false,
                    "%" PRIu64 " bytes from byte %" PRIu64 " of %s on: it has %" PRIu64, bytes,
                    n[FILL_TO] - a->address, name_of(a), a->bytes);
    else
        return 0;
    return cudaErrorInvalidValue;
}

int32_t run_fill_now(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    struct err e;
    struct device *d = r->session.device;
    unsigned char *row = mem_alloc(&allocator_libc, n[FILL_WIDTH] + 1);
    int32_t error = row ? 0 : cudaErrorMemoryAllocation;
    const uint64_t element = n[FILL_ELEMENT] ? n[FILL_ELEMENT] : 1;
    for (uint64_t i = 0; row && i < n[FILL_WIDTH]; i++) /* of an element the lowest byte first */
        row[i] = (unsigned char)(n[FILL_VALUE] >> 8 * (i % element));
    for (uint64_t y = 0; y < n[FILL_HEIGHT] && !error && n[FILL_WIDTH]; y++) {
        uint64_t at = n[FILL_TO] + y * n[FILL_PITCH];
        unsigned char *shared = shared_at(r, at);
        if (shared)
            memcpy(shared, row, n[FILL_WIDTH]);
        else if (d->ops->write(d, at, row, n[FILL_WIDTH], &e) != 0)
            error = cudaErrorInvalidValue;
    }
    mem_free(&allocator_libc, row, row ? n[FILL_WIDTH] + 1 : 0);
    return error;
}

/* ---- memory of both -------------------------------------------------------------------- */

int32_t run_share_variable(struct run *r, struct run_message *m, uint64_t at)
{
    struct err e;
    const uint64_t bytes = m->number[1];
    m->number[0] = bytes;
    m->number[1] = MEMORY_MANAGED;
    m->number[2] = 0;
    int32_t error = run_allocate(r, m);
    if (error)
        return error;
    struct run_area *a = &r->areas[r->area_count - 1];
    struct device *d = r->session.device;
    a->variable = at;
    return d->ops->read(d, shared_at(r, a->address), at, bytes, &e) == 0 ? 0
                                                                         : cudaErrorInvalidSymbol;
}

void run_share_in(struct run *r)
{
    struct err e;
    struct device *d = r->session.device;
    for (size_t i = 0; i < r->area_count; i++) {
        const struct run_area *a = &r->areas[i];
        if (a->kind == MEMORY_DEVICE || a->freed)
            continue;
        d->ops->write(d, a->address, shared_at(r, a->address), a->bytes, &e);
        if (a->variable)
            d->ops->write(d, a->variable, shared_at(r, a->address), a->bytes, &e);
    }
}

/* The simulator has a __managed__ variable twice: where kernels know it, and where a pointer of the
 * host leads to. What a launch has changed in either of them is the new value. */
static void merge_variable(struct run *r, const struct run_area *a)
{
    struct err e;
    struct device *d = r->session.device;
    unsigned char *host = shared_at(r, a->address);
    unsigned char *now = mem_alloc(&allocator_libc, 2 * a->bytes);
    if (now && d->ops->read(d, now, a->address, a->bytes, &e) == 0 &&
        d->ops->read(d, now + a->bytes, a->variable, a->bytes, &e) == 0)
        for (uint64_t i = 0; i < a->bytes; i++)
            host[i] = now[i] != host[i] ? now[i] : now[a->bytes + i];
    mem_free(&allocator_libc, now, now ? 2 * a->bytes : 0);
}

void run_share_out(struct run *r)
{
    struct err e;
    struct device *d = r->session.device;
    for (size_t i = 0; i < r->area_count; i++) {
        const struct run_area *a = &r->areas[i];
        if (a->kind == MEMORY_DEVICE || a->freed)
            continue;
        if (a->variable)
            merge_variable(r, a);
        else
            d->ops->read(d, shared_at(r, a->address), a->address, a->bytes, &e);
    }
}
