/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The handle: opening, closing, limits, messages, and the names of types and faults.
 */
#include "sim/image.h"

#include <stdio.h>
#include <string.h>

/* enum sim_type begins as enum ptx_type does. */
_Static_assert((int)SIM_F64 == (int)PTX_F64, "both list the types in one order");

unsigned sim_type_size(enum sim_type t)
{
    return t > SIM_PRED && t <= SIM_F64 ? ptx_type_size((enum ptx_type)t) : 0;
}

const char *sim_type_name(enum sim_type t)
{
    return t > SIM_NONE && t <= SIM_F64 ? ptx_type_name((enum ptx_type)t) : "none";
}

static const char *const fault_names[] = {
    [SIM_FAULT_NONE] = "none", [SIM_INVALID_SHUFFLE] = "invalid-shuffle",
    [SIM_PRINTF_OVERFLOW] = "printf-overflow", [SIM_LEAK] = "leak",
    [SIM_BARRIER_DIVERGENCE] = "barrier-divergence", [SIM_OUT_OF_BOUNDS] = "out-of-bounds",
    [SIM_USE_AFTER_FREE] = "use-after-free", [SIM_HOST_POINTER] = "host-pointer",
    [SIM_MISALIGNED] = "misaligned", [SIM_NULL] = "null", [SIM_DEADLOCK] = "deadlock",
    [SIM_TIMEOUT] = "timeout", [SIM_TRAP] = "trap", [SIM_ASSERT] = "assert",
    [SIM_STACK_OVERFLOW] = "stack-overflow", [SIM_BAD_LAUNCH] = "bad-launch",
    [SIM_OUT_OF_MEMORY] = "out-of-memory", [SIM_UNSUPPORTED] = "unsupported-instruction"};

const char *sim_fault_name(enum sim_fault_kind k)
{
    return (size_t)k < sizeof fault_names / sizeof *fault_names ? fault_names[k] : "none";
}

const char *sim_fault_cure(const struct sim_fault *f)
{
    static const char *const names[] = {[SIM_CURE_BOUNDS] = "bounds", [SIM_CURE_FREE] = "free",
                                        [SIM_CURE_SHARED_BOUNDS] = "bounds",
                                        [SIM_CURE_SHARED_BYTES] = "shared-bytes",
                                        [SIM_CURE_MASK] = "branch-mask",
                                        [SIM_CURE_CHILD_POINTER] = "child-pointer",
                                        [SIM_CURE_CLUSTER_END] = "cluster-end",
                                        [SIM_CURE_MBARRIER] = "mbarrier",
                                        [SIM_CURE_COOPERATIVE] = "cooperative-launch",
                                        [SIM_CURE_OTHER_DEVICE] = "other-device"};
    return names[f->cure];
}

bool sim_fault_ends(enum sim_fault_kind k)
{
    return k >= SIM_OUT_OF_BOUNDS;
}

/* ---- the handle ---------------------------------------------------------------------- */

static const struct sim_limits default_limits = {
    SIM_LIMITS,
    .capability = 90,
    .max_threads_per_block = 1024,
    .max_block = {1024, 1024, 64},
    .max_grid = {2147483647, 65535, 65535},
    .multiprocessors = 132,
    .max_blocks_per_sm = 32,
    .max_threads_per_sm = 2048,
    .max_registers_per_thread = 255,
    .shared_per_block = 48 << 10,
    .shared_per_block_optin = 227 << 10,
    .shared_per_sm = 228 << 10,
    .constant_bytes = 64 << 10,
    .global_bytes = (uint64_t)80 << 30,
    .local_per_thread = 512 << 10,
    .printf_bytes = 1 << 20,
};

/* Copies a caller's struct, which may be older, hence shorter, or newer than the one here. */
int sim_take(struct sim *s, void *to, size_t most, const void *from)
{
    size_t size;
    memcpy(&size, from, sizeof size);
    if (size <= sizeof size)
        return sim_fail(s, 0, "the struct does not say how large it is: begin it with SIM_LAUNCH, "
                              "SIM_LIMITS or SIM_HOOKS");
    const size_t known = size < most ? size : most;
    memset(to, 0, most);
    memcpy(to, from, known);
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)from)[i])
            return sim_fail(s, 0, "the struct asks for something that this libcudasim is too old for");
    return 0;
}

void sim_limits_default(struct sim_limits *limits)
{
    const size_t most = sizeof default_limits, size = limits->size;
    memcpy(limits, &default_limits, size < most ? size : most);
    limits->size = size;
}

int sim_not_running(struct sim *s, const char *what)
{
    return s->running ? sim_fail(s, 0, "a launch is under way: finish it before %s", what) : 0;
}

void sim_set_cores(struct sim *s, unsigned most)
{
    s->cores = most;
}

int sim_set_limits(struct sim *s, const struct sim_limits *limits)
{
    struct sim_limits taken;
    if (sim_not_running(s, "the limits change") != 0 ||
        sim_take(s, &taken, sizeof taken, limits) != 0)
        return -1;
    s->limits = taken;
    return 0;
}

static int ask_to_go_on(void *self, struct err *e)
{
    const struct sim *s = self;
    return s->goes_on(s->goes_on_ctx) ? 0 : fail(e, "stopped");
}

void sim_set_go_on(struct sim *s, bool (*goes_on)(void *ctx), void *ctx)
{
    s->go_on = (struct go_on){goes_on ? ask_to_go_on : NULL, s};
    s->goes_on = goes_on;
    s->goes_on_ctx = ctx;
}

void sim_set_places(struct sim *s, sim_place_variable *place, void *ctx)
{
    s->place_variable = place;
    s->place_ctx = ctx;
}

struct sim *sim_open(const struct sim_allocator *hook)
{
    struct allocator from = allocator_libc;
    if (hook)
        from = (struct allocator){hook->resize, hook->ctx};
    struct sim *s = mem_alloc(&from, sizeof *s);
    if (!s)
        return NULL;
    s->allocator = from;
    s->limits = default_limits;
    memory_rooms(s);
    if (ops_open(s) < 0) {
        sim_close(s);
        return NULL;
    }
    return s;
}

int sim_close(struct sim *s)
{
    if (!s)
        return 0;
    if (sim_not_running(s, "it is closed") != 0)
        return -1;
    threads_close(&s->threads, &s->allocator);
    while (s->modules)
        module_free(s->modules);
    while (s->allocation_count)
        memory_drop(s, s->allocations[s->allocation_count - 1]);
    image_objects_close(s);
    mem_free(&s->allocator, s->allocations, s->allocation_capacity * sizeof *s->allocations);
    mem_free(&s->allocator, s->ops, s->op_slots * sizeof *s->ops);
    struct allocator from = s->allocator;
    mem_free(&from, s, sizeof *s);
    return 0;
}

const char *sim_message(const struct sim *s)
{
    return s->err.text;
}

int sim_message_line(const struct sim *s)
{
    return s->err.line;
}

int sim_fail(struct sim *s, int line, const char *fmt, ...)
{
    WITH_ARGS(fmt, vsnprintf(s->err.text, sizeof s->err.text, fmt, args));
    s->err.line = line;
    return -1;
}
