/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of a program: what it got, what it copied. Pinned and managed memory lies in a file
 * that the program and cudalab have both mapped. The simulator works in these pages, too.
 */
#define _GNU_SOURCE /* fallocate */
#include "run/area.h"

#include "base/lines.h"
#include "base/mem.h"

#include "cudalab_runtime_types.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

static const char *const getters[] = {"", "cudaMalloc", "cudaMallocHost", "cudaMallocManaged"};

/* ---- what there is --------------------------------------------------------------------- */

unsigned char *run_shared_at(const struct run *r, uint64_t address, uint64_t bytes)
{
    const uint64_t offset = address - RUN_SHARED_BASE;
    if (offset < RUN_SHARED_BYTES)
        return bytes <= RUN_SHARED_BYTES - offset ? r->shared + offset : NULL;
    const struct run_area *a = area_at(r, address, false);
    return a && a->file && bytes <= a->bytes - (address - a->address)
               ? r->shared + (a->file - RUN_SHARED_BASE) + (address - a->address / PAGE * PAGE)
               : NULL;
}

static uint64_t in_pages(uint64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* What is freed has no pages any more. */
static uint64_t shared_there(const struct run *r)
{
    uint64_t all = 0;
    for (size_t i = 0; i < r->area_count; i++)
        if (r->areas[i].kind != MEMORY_DEVICE && !r->areas[i].freed && !r->areas[i].away)
            all += in_pages(r->areas[i].bytes);
    return all;
}

bool run_give_shared(struct run *r, uint64_t bytes, uint64_t *address)
{
    const uint64_t room = in_pages(bytes);
    const uint64_t all = RUN_MANAGED_BASE - RUN_SHARED_BASE;
    if (bytes > all || room > all - r->shared_used ||
        (r->shared_most && room + shared_there(r) > r->shared_most))
        return false;
    *address = RUN_SHARED_BASE + r->shared_used;
    r->shared_used += room;
    return true;
}

static int32_t give_place(struct run *r, struct run_area *a)
{
    struct err e;
    struct device *d = r->session.device;
    const char *name = a->name[0] ? a->name : NULL;
    if (a->address) /* the program has chosen it */
        return sim_device_allocate_at(d, a->address, a->bytes, name, NULL, &e) == 0
                   ? 0 : cudaErrorMemoryAllocation;
    if (a->kind == MEMORY_DEVICE)
        return d->ops->allocate(d, a->bytes, name, &a->address, &e) == 0
                   ? 0 : cudaErrorMemoryAllocation;
    if (!run_give_shared(r, a->bytes, &a->address) ||
        sim_device_allocate_at(d, a->address, a->bytes, name,
                               run_shared_at(r, a->address, a->bytes), &e) != 0)
        return cudaErrorMemoryAllocation;
    return 0;
}

/* The program has it at a place of its own: see requests.def. */
int32_t run_want_variable(struct run *r, const struct run_message *m, const char *name)
{
    struct run_wanted *grown = mem_resize(&allocator_libc, r->wanted,
                                          r->wanted_count * sizeof *grown,
                                          (r->wanted_count + 1) * sizeof *grown);
    char *kept = arena_text(&r->wanted_names, name, strlen(name));
    if (grown)
        r->wanted = grown;
    if (!grown || !kept)
        return cudaErrorMemoryAllocation;
    if (m->number[0] - RUN_MANAGED_BASE >= RUN_MANAGED_BYTES)
        return cudaErrorInvalidValue;
    grown[r->wanted_count++] = (struct run_wanted){kept, m->number[0]};
    return 0;
}

void run_forget_wanted(struct run *r)
{
    mem_free(&allocator_libc, r->wanted, r->wanted_count * sizeof *r->wanted);
    arena_free(&r->wanted_names);
    r->wanted = NULL;
    r->wanted_count = 0;
}

static bool is_wanted(const struct run *r, const char *name, uint64_t *address)
{
    for (size_t i = 0; i < r->wanted_count; i++)
        if (strcmp(r->wanted[i].name, name) == 0) {
            *address = r->wanted[i].address;
            return true;
        }
    return false;
}

/* A variable of a module that is loaded: those that are __managed__ get shared memory. */
enum sim_place_answer run_place_variable(void *ctx, const char *name, bool is_managed,
                                         uint64_t bytes, uint64_t *address, void **host)
{
    struct run *r = ctx;
    const bool wanted = is_wanted(r, name, address);
    if (!wanted && !is_managed)
        return SIM_PLACE_OWN;
    struct run_area *a = run_one_more_area(r);
    if (!a)
        return SIM_NO_PLACE;
    const bool there = wanted || run_give_shared(r, bytes, address);
    *host = there ? run_shared_at(r, *address, bytes) : NULL;
    if (!*host) {
        run_no_more_areas(r);
        return SIM_NO_PLACE;
    }
    *a = (struct run_area){
        .address = *address, .bytes = bytes, .kind = MEMORY_MANAGED, .is_variable = true};
    snprintf(a->name, sizeof a->name, "a __managed__ variable");
    r->area_count++;
    return SIM_PLACED;
}

static int32_t allocate(struct run *r, struct run_message *m, const struct run_place *at,
                        const char *name)
{
    struct run_area a = {.address = m->number[ALLOCATE_ADDRESS], .bytes = m->number[0],
                         .kind = (enum run_memory)m->number[1], .pitch = m->number[ALLOCATE_PITCH],
                         .got = *at};
    if (a.kind == MEMORY_NONE || a.kind >= MEMORY_KINDS)
        return cudaErrorInvalidValue;
    m->number[0] = 0;
    a.flags = (unsigned)m->number[2];
    a.pool = m->number[3];
    if (a.bytes == 0)
        return cudaSuccess;
    struct run_message left = {.what = RUN_MEMORY_INFO};
    run_memory_info(r, &left);
    if (a.bytes > left.number[0])
        return cudaErrorMemoryAllocation;
    int32_t refused = a.pool ? run_pool_check(r, a.pool, a.bytes) : 0;
    if (refused)
        return refused;
    if (!run_one_more_area(r))
        return cudaErrorMemoryAllocation;
    a.is_mapped = a.address != 0;
    snprintf(a.name, sizeof a.name, "%s", a.is_mapped ? "" : name);
    int32_t error = give_place(r, &a);
    if (error) {
        run_no_more_areas(r);
        return error;
    }
    r->areas[r->area_count++] = a;
    if (a.pool)
        run_pool_took(r, a.pool);
    m->number[0] = a.address;
    return 0;
}

int32_t run_allocate(struct run *r, struct run_message *m)
{
    const struct run_place at = run_place_of(r, m);
    const char *name = run_site_name(r, &at);
    const int32_t error = allocate(r, m, &at, name);
    if (error)
        run_site_failed(r, &at);
    return error;
}

int32_t run_know_variable(struct run *r, uint64_t at, uint64_t bytes, const char *name)
{
    if (area_at(r, at, false))
        return 0;
    struct run_area *a = run_one_more_area(r);
    if (!a)
        return cudaErrorMemoryAllocation;
    *a = (struct run_area){
        .address = at, .bytes = bytes, .kind = MEMORY_DEVICE, .is_variable = true};
    snprintf(a->name, sizeof a->name, "%s", name);
    r->area_count++;
    return 0;
}

static int32_t bad_release(struct run *r, const struct run_message *m)
{
    const struct run_place at = run_place_of(r, m);
    const struct run_area *a = area_at(r, m->number[0], true);
    const struct run_area *there = area_at(r, m->number[0], false);
    const bool at_start = there && there->address == m->number[0];
    if (at_start && (there->leaving || there->away))
        a = there;
    if (a && a->address == m->number[0])
        run_mistake(r, "double-free", &at, false,
                    "%s is freed a second time; line %d has freed it before",
                    a->name[0] ? a->name : "this memory", a->released.line);
    else if (!there || there->is_variable)
        run_mistake(r, "bad-free", &at, false, "this address is not memory of %s",
                    getters[m->number[1] < MEMORY_KINDS ? m->number[1] : MEMORY_DEVICE]);
    else if (at_start)
        run_mistake(r, "bad-free", &at, false, "%s is memory of %s, which %s frees",
                    there->name[0] ? there->name : "this",
                    there->file ? "cudaHostRegister" : getters[there->kind],
                    there->file ? "cudaHostUnregister"
                    : there->kind == MEMORY_PINNED ? "cudaFreeHost" : "cudaFree");
    else
        run_mistake(r, "bad-free", &at, false, "the address lies in %s, but not at its start",
                    there->name[0] ? there->name : "an array");
    return cudaErrorInvalidValue;
}

/* The pages of pinned and managed memory cost nothing from now on, and are full of zeros. Those of
 * registered memory are still the program's. */
static void empty_pages(const struct run *r, const struct run_area *a)
{
    if (a->kind != MEMORY_DEVICE && !a->file)
        fallocate(r->memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)(a->address - RUN_SHARED_BASE),
                  (off_t)in_pages(a->bytes));
}

/* Takes the memory away. Of memory that nodes of graphs bring, the address stays theirs. */
int32_t run_leave_now(struct run *r, uint64_t address)
{
    struct err e;
    struct device *d = r->session.device;
    struct run_area *a = area_at(r, address, false);
    if (!a || a->away)
        return cudaErrorInvalidValue;
    d->ops->free(d, a->address, &e);
    empty_pages(r, a);
    a->leaving = false;
    a->away = a->of_graph;
    a->freed = !a->of_graph;
    return 0;
}

/* May this call release the memory? What it frees need not be there yet: a graph may bring it. */
static bool may_release(const struct run_area *a, const struct run_message *m, bool now)
{
    return a && a->address == m->number[0] && !a->leaving && !a->file && !a->is_variable &&
           !(now && a->away) &&
           (m->number[1] == MEMORY_PINNED) == (a->kind == MEMORY_PINNED) &&
           (now || a->kind == MEMORY_DEVICE);
}

/* cudaFree() waits for all that was started before. */
static int32_t release_now(struct run *r, struct run_message *m)
{
    struct run_area *a = area_at(r, m->number[0], false);
    if (m->number[0] == 0)
        return run_wait_all(r);
    if (a && a->of_graph)
        run_wait_all(r);
    if (!may_release(a, m, true))
        return bad_release(r, m);
    int32_t error = run_wait_all(r);
    if (error)
        return error;
    a->released = run_place_of(r, m);
    return run_leave_now(r, a->address);
}

/* ... and cudaFreeAsync() is an operation of its stream. */
int32_t run_release(struct run *r, struct run_message *m)
{
    struct run_area *a = area_at(r, m->number[0], false);
    if (m->number[RELEASE_STREAM] == RUN_NO_STREAM)
        return release_now(r, m);
    if (m->number[0] == 0)
        return 0;
    if (!may_release(a, m, false))
        return bad_release(r, m);
    int32_t error = run_enqueue(r, m, m->number[RELEASE_STREAM], NULL);
    if (error)
        return error;
    a->released = run_place_of(r, m);
    a->leaving = true;
    return 0;
}

static bool is_taken(const struct run_area *a)
{
    return a->kind == MEMORY_DEVICE && !a->freed && !a->away && !a->is_variable;
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
    m->number[3] = a ? a->flags : 0;
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
        if (a->is_variable && a->kind == MEMORY_MANAGED) {
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
    a = a ? a : area_at(r, address, true);
    return a && a->name[0] ? a->name
           : run_is_condition(r, address) ? "a condition" : "an array";
}

void run_find_leaks(struct run *r)
{
    for (size_t i = 0; i < r->area_count; i++) {
        const struct run_area *a = &r->areas[i];
        if (!a->freed && !a->is_variable && !a->away && !a->file)
            run_mistake(r, "not-freed", &a->got, true,
                        "%s has %" PRIu64 " bytes and is never freed",
                        a->name[0] ? a->name : "what this call gives", a->bytes);
    }
}

void run_forget_memory(struct run *r, bool all)
{
    struct err e;
    struct device *d = r->session.device;
    size_t kept = 0;
    for (size_t i = 0; i < r->area_count; i++)
        if (r->areas[i].is_variable && !all)
            r->areas[kept++] = r->areas[i];
        else if (!r->areas[i].is_variable && !r->areas[i].freed && !r->areas[i].away) {
            d->ops->free(d, r->areas[i].address, &e);
            empty_pages(r, &r->areas[i]);
        }
    run_keep_areas(r, kept);
}

/* ---- copies ---------------------------------------------------------------------------- */

/* A variable is in no area, but the simulator has it. */
static bool on_device(const struct run *r, uint64_t at, uint64_t symbol)
{
    struct err e;
    char byte;
    struct device *d = r->session.device;
    const struct run_area *a = area_at(r, at, false);
    return symbol || (a ? a->kind == MEMORY_DEVICE : d->ops->read(d, &byte, at, 1, &e) == 0);
}

/* bytes + count * each; UINT64_MAX: it is too large. */
static uint64_t plus_times(uint64_t bytes, uint64_t count, uint64_t each)
{
    return each && count > (UINT64_MAX - bytes) / each ? UINT64_MAX : bytes + count * each;
}

uint64_t run_span(const struct run_message *m, bool is_to)
{
    const uint64_t *n = m->number;
    const bool fills = m->what == RUN_FILL;
    const uint64_t width = n[fills ? FILL_WIDTH : COPY_WIDTH];
    const uint64_t height = n[fills ? FILL_HEIGHT : COPY_HEIGHT], depth = fills ? 1 : n[COPY_DEPTH];
    const uint64_t row = n[fills ? FILL_PITCH : is_to ? COPY_ROW_TO : COPY_ROW_FROM];
    if (!width || !height || !depth)
        return 0;
    return plus_times(plus_times(width, height - 1, row), depth - 1,
                      n[is_to ? COPY_SLICE_TO : COPY_SLICE_FROM]);
}

/* Rows that lie apart are done one by one: are they so few that somebody can wait for them? */
static bool has_few_rows(const struct run_message *m)
{
    enum { ROWS_MOST = 1 << 28 };
    const uint64_t *n = m->number;
    const bool fills = m->what == RUN_FILL;
    const uint64_t width = n[fills ? FILL_WIDTH : COPY_WIDTH], depth = fills ? 1 : n[COPY_DEPTH];
    const bool together = fills ? n[FILL_PITCH] == width
                                : n[COPY_ROW_TO] == width && n[COPY_ROW_FROM] == width;
    const uint64_t height = together ? 1 : n[fills ? FILL_HEIGHT : COPY_HEIGHT];
    return run_span(m, true) == 0 || plus_times(0, height, depth) <= ROWS_MOST;
}

/* The bytes from an address in the area on, with those of the areas that are mapped behind it. */
static uint64_t bytes_from(const struct run *r, const struct run_area *a, uint64_t at)
{
    uint64_t end = a->address + a->bytes;
    const struct run_area *next = a->is_mapped ? area_at(r, end, false) : NULL;
    for (; next && next->is_mapped && next->address == end; next = area_at(r, end, false))
        end += next->bytes;
    return end - at;
}

/* One side of a copy: it must be where the kind says, and all of it in its array. */
static int32_t check_side(struct run *r, const struct run_message *m, bool is_to, bool device)
{
    const uint64_t *n = m->number;
    const uint64_t at = n[is_to ? COPY_TO : COPY_FROM];
    const uint64_t bytes = run_span(m, is_to);
    const struct run_area *a = area_at(r, at, false);
    const char *const side = is_to ? "destination" : "source";
    const struct run_place place = run_place_of(r, m);
    char shadow[RUN_SHADOW_MOST + 1];
    if (device && !a && on_device(r, at, 0))
        return 0;
    if (device && !a) {
        const struct run_area *old = area_at(r, at, true);
        if (old)
            run_mistake(r, "copy-after-free", &place, false,
                        "the %s of the copy, %s, was freed in line %d", side, area_name(old),
                        old->released.line);
        else if (run_shadow_of(r, at, shadow))
            run_mistake(r, "wrong-direction", &place, false,
                        "the %s is the host's address of %s, a variable of the device: call "
                        "cudaMemcpy%sSymbol", side, shadow, is_to ? "To" : "From");
        else
            run_mistake(r, "wrong-direction", &place, false,
                        "the %s should be on the device, and it is %s", side,
                        at ? "memory of the host" : "a null pointer");
        return cudaErrorInvalidValue;
    }
    if (!device && a && a->kind == MEMORY_DEVICE) {
        run_mistake(r, "wrong-direction", &place, false,
                    "the %s should be on the host, and %s is memory of the device", side,
                    area_name(a));
        /* Where both sides are said to be the host's, the card copies nevertheless. */
        if (n[COPY_KIND] != cudaMemcpyHostToHost)
            return cudaErrorInvalidValue;
    }
    if (a && bytes > bytes_from(r, a, at)) {
        run_mistake(r, "copy-too-large", &place, false,
                    "%" PRIu64 " bytes from byte %" PRIu64 " of %s on: it has %" PRIu64, bytes,
                    at - a->address, area_name(a), a->bytes);
        return cudaErrorInvalidValue;
    }
    return 0;
}

/* For cudaMemcpyDefault, with which a card finds out itself where the memory is. */
static bool was_device(const struct run *r, uint64_t at)
{
    const struct run_area *a = area_at(r, at, false);
    return a ? a->kind == MEMORY_DEVICE : area_at(r, at, true) != NULL;
}

int32_t run_check_copy(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    const bool within = n[COPY_KIND] == cudaMemcpyDeviceToDevice;
    const bool to_device = within || n[COPY_KIND] == cudaMemcpyHostToDevice;
    const bool from_device = within || n[COPY_KIND] == cudaMemcpyDeviceToHost;
    if (!has_few_rows(m))
        return cudaErrorInvalidValue;
    if (n[COPY_SYMBOL] && (n[COPY_OFFSET] > n[COPY_SYMBOL] ||
                           n[COPY_WIDTH] > n[COPY_SYMBOL] - n[COPY_OFFSET])) {
        const struct run_place place = run_place_of(r, m);
        run_mistake(r, "copy-too-large", &place, false,
                    "%" PRIu64 " bytes from byte %" PRIu64 " of the variable on: it has %" PRIu64,
                    n[COPY_WIDTH], n[COPY_OFFSET], n[COPY_SYMBOL]);
        return cudaErrorInvalidValue;
    }
    if (run_span(m, true) == 0 || n[COPY_SYMBOL])
        return 0;
    const bool finds = n[COPY_KIND] == cudaMemcpyDefault;
    int32_t error = check_side(r, m, true, finds ? was_device(r, n[COPY_TO]) : to_device);
    return error ? error
                 : check_side(r, m, false, finds ? was_device(r, n[COPY_FROM]) : from_device);
}

static bool is_symbol(const struct run_message *m, bool is_to)
{
    return m->number[COPY_SYMBOL] && is_to != (m->number[COPY_KIND] == cudaMemcpyDeviceToHost);
}

/* Memory that is neither pinned nor the device's. */
bool run_is_pageable(const struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    bool to = !area_at(r, n[COPY_TO], false) && !on_device(r, n[COPY_TO], is_symbol(m, true));
    bool from = !area_at(r, n[COPY_FROM], false) &&
                !on_device(r, n[COPY_FROM], is_symbol(m, false));
    return to || from;
}

/* A copy of pageable memory: the call returns when it is done. */
bool run_waits_for_copy(const struct run *r, const struct run_message *m)
{
    return m->number[COPY_WAITS] || run_is_pageable(r, m);
}

static int32_t get_row(struct run *r, const struct run_message *m, uint64_t at, unsigned char *row,
                       uint64_t n)
{
    struct err e;
    struct device *d = r->session.device;
    unsigned char *shared = run_shared_at(r, at, n);
    if (shared) {
        memcpy(row, shared, n);
        return 0;
    }
    if (on_device(r, at, is_symbol(m, false)))
        return d->ops->read(d, row, at, n, &e) == 0 ? 0 : cudaErrorInvalidValue;
    return run_fetch(r, at, row, n);
}

static int32_t put_row(struct run *r, const struct run_message *m, uint64_t at,
                       const unsigned char *row, uint64_t n)
{
    struct err e;
    struct device *d = r->session.device;
    unsigned char *shared = run_shared_at(r, at, n);
    if (shared) {
        memcpy(shared, row, n);
        return 0;
    }
    if (on_device(r, at, is_symbol(m, true)))
        return d->ops->write(d, at, row, n, &e) == 0 ? 0 : cudaErrorInvalidValue;
    return run_store(r, at, row, n);
}

/* As many of the bytes as lie in one piece of memory that the program has mapped. */
static uint64_t piece_of(const struct run *r, uint64_t at, uint64_t n)
{
    const struct run_area *a = area_at(r, at, false);
    const uint64_t left = a && a->is_mapped ? a->bytes - (at - a->address) : n;
    return left < n ? left : n;
}

/* Within the device it also goes along what nobody wrote. Where the program and this process share
 * one side, no bytes go through `row`: to touch that much new memory takes as long as the copy. */
static int32_t copy_piece(struct run *r, const struct run_message *m, uint64_t to, uint64_t from,
                          unsigned char *row, uint64_t n)
{
    struct err e;
    struct device *d = r->session.device;
    if (on_device(r, to, 0) && on_device(r, from, 0))
        return device_copy(d, from, d, to, n, &e) == 0 ? 0 : cudaErrorInvalidValue;
    unsigned char *shared_to = run_shared_at(r, to, n), *shared_from = run_shared_at(r, from, n);
    if (shared_to && !shared_from)
        return get_row(r, m, from, shared_to, n);
    if (shared_from && !shared_to)
        return put_row(r, m, to, shared_from, n);
    int32_t error = get_row(r, m, from, row, n);
    return error ? error : put_row(r, m, to, row, n);
}

/* The device's memory goes to the host in pieces, which use the same few pages. */
static uint64_t at_once(const struct run *r, const struct run_message *m, uint64_t from, uint64_t n)
{
    enum { PIECE = 1 << 20 };
    return n > PIECE && on_device(r, from, is_symbol(m, false)) && !run_shared_at(r, from, n)
               ? PIECE : n;
}

static int32_t copy_row(struct run *r, const struct run_message *m, uint64_t to, uint64_t from,
                        unsigned char *row, uint64_t n)
{
    int32_t error = 0;
    for (uint64_t now; n && !error; to += now, from += now, n -= now) {
        now = piece_of(r, to, piece_of(r, from, at_once(r, m, from, n)));
        error = copy_piece(r, m, to, from, row, now);
    }
    return error;
}

/* A shape may have more rows than anybody can wait for. */
static bool may_go_on(const struct run *r)
{
    return budget_end(&r->session.budget) == BUDGET_LEFT;
}

int32_t run_copy_now(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    uint64_t width = n[COPY_WIDTH], height = n[COPY_HEIGHT];
    if (height > 1 && n[COPY_ROW_TO] == width && n[COPY_ROW_FROM] == width) { /* one piece */
        width *= height;
        height = 1;
    }
    if (run_span(m, true) == 0)
        return 0;
    unsigned char *row = mem_alloc(&allocator_libc, width);
    int32_t error = row ? 0 : cudaErrorMemoryAllocation;
    for (uint64_t z = 0; z < n[COPY_DEPTH] && !error; z++)
        for (uint64_t y = 0; y < height && !error; y++)
            error = !may_go_on(r)
                        ? cudaErrorUnknown
                        : copy_row(r, m,
                                   n[COPY_TO] + z * n[COPY_SLICE_TO] + y * n[COPY_ROW_TO],
                                   n[COPY_FROM] + z * n[COPY_SLICE_FROM] + y * n[COPY_ROW_FROM],
                                   row, width);
    mem_free(&allocator_libc, row, width);
    return error;
}

/* ---- filling --------------------------------------------------------------------------- */

/* cudaMemset() waits if the memory is pinned or managed. */
bool run_waits_for_fill(const struct run *r, const struct run_message *m)
{
    return m->number[FILL_WAITS] && run_shared_at(r, m->number[FILL_TO], 1);
}

int32_t run_check_fill(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    const struct run_area *a = area_at(r, n[FILL_TO], false);
    const struct run_place place = run_place_of(r, m);
    const uint64_t bytes = run_span(m, true);
    char shadow[RUN_SHADOW_MOST + 1];
    if (bytes == 0)
        return 0;
    if (!has_few_rows(m) || n[FILL_EACH] > sizeof n[FILL_VALUE])
        return cudaErrorInvalidValue;
    const struct run_area *old = a ? NULL : area_at(r, n[FILL_TO], true);
    if (old)
        run_mistake(r, "copy-after-free", &place, false, "%s was freed in line %d", area_name(old),
                    old->released.line);
    else if (!a && on_device(r, n[FILL_TO], 0))
        return 0;
    else if (!a && run_shadow_of(r, n[FILL_TO], shadow))
        run_mistake(r, "wrong-direction", &place, false,
                    "this is the host's address of %s, a variable of the device: get the other one "
                    "with cudaGetSymbolAddress", shadow);
    else if (!a)
        run_mistake(r, "wrong-direction", &place, false,
                    "this address is memory of the host, which the device cannot fill");
    else if (bytes > bytes_from(r, a, n[FILL_TO]))
        run_mistake(r, "copy-too-large", &place, false,
                    "%" PRIu64 " bytes from byte %" PRIu64 " of %s on: it has %" PRIu64, bytes,
                    n[FILL_TO] - a->address, area_name(a), a->bytes);
    else
        return 0;
    return cudaErrorInvalidValue;
}

/* The value's bytes, the lowest first, so often that many pieces of a row can be filled with them. */
enum { FILL_PATTERN = 1 << 14 };

static int32_t fill_row(struct run *r, uint64_t at, uint64_t width, uint64_t each,
                        const unsigned char *pattern)
{
    struct err e;
    struct device *d = r->session.device;
    unsigned char *shared = run_shared_at(r, at, width);
    for (uint64_t x = 0, now; x < width; x += now) {
        const uint64_t phase = x % each, left = width - x;
        now = left < FILL_PATTERN - phase ? left : FILL_PATTERN - phase;
        now = shared ? now : piece_of(r, at + x, now);
        if (shared)
            memcpy(shared + x, pattern + phase, now);
        else if (d->ops->write(d, at + x, pattern + phase, now, &e) != 0)
            return cudaErrorInvalidValue;
    }
    return 0;
}

int32_t run_fill_now(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number, each = n[FILL_EACH] ? n[FILL_EACH] : 1;
    unsigned char pattern[FILL_PATTERN];
    int32_t error = 0;
    if (run_span(m, true) == 0)
        return 0;
    for (uint64_t i = 0; i < FILL_PATTERN; i++)
        pattern[i] = (unsigned char)(n[FILL_VALUE] >> 8 * (i % each));
    for (uint64_t y = 0; y < n[FILL_HEIGHT] && !error && n[FILL_WIDTH]; y++)
        error = !may_go_on(r) ? cudaErrorUnknown
                              : fill_row(r, n[FILL_TO] + y * n[FILL_PITCH], n[FILL_WIDTH], each,
                                         pattern);
    return error;
}
