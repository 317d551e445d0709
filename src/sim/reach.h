/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the addresses of a warp lie, and which array each was meant for. The header is for
 * src/sim/ alone.
 */
#ifndef SIM_REACH_H
#define SIM_REACH_H

#include "sim/run.h"

/* access.c: a reach is host memory for a group of lanes. The byte of lane i is base + address[i],
 * added as integers: base alone points nowhere. */
struct reach {
    uintptr_t base;
    uint32_t lanes;
    enum sim_space space;
    unsigned rank; /* SIM_CLUSTER: of which block */
    uint64_t tag;  /* SIM_SHARED: the addresses are above their places by so much */
    bool scattered; /* over several pieces of shared memory */
};
bool reach_find(struct warp *, const struct insn *, uint32_t mask, uint64_t address[LANES],
                struct reach *);
bool reach_save(struct warp *, const struct insn *, struct allocation *, uint32_t lanes,
                const uint64_t address[LANES]);
bool reach_save_span(struct warp *, struct allocation *, uint64_t low, uint64_t end);
static inline unsigned char *reach_at(const struct reach *r, uint64_t address)
{
    return (unsigned char *)(r->base + (uintptr_t)address);
}
enum sim_space reach_space(const struct warp *, uint64_t address);
uint32_t reach_window(struct warp *, uint32_t mask, uint64_t address[LANES], struct reach *);
/* A byte of the thread's own frame, and of anything by its generic address (NULL: nothing). */
unsigned char *reach_frame(struct warp *, const struct frame *, unsigned lane, uint32_t offset);
unsigned char *reach_generic(struct warp *, unsigned lane, uint64_t address, uint64_t *left);

/* cluster.c: reach_window() for addresses of shared memory that may be another block's. */
uint32_t cluster_lanes(const struct warp *, uint32_t mask, uint64_t address[LANES], struct reach *);

/* element.c: the array that an address was meant for; name NULL: none that a student would know */
struct target {
    const char *name;
    uint64_t size;
    int64_t off; /* of the access from the array's start */
    struct sim_shape shape;
    bool open; /* shared memory of as many bytes as the launch gave */
    bool shared; /* it is in shared memory */
};
struct target target_global(struct sim_run *, const struct allocation *, uint64_t address);
struct target target_shared(struct sim_run *, int64_t address); /* within the block's window */
/* Bytes of an element, and which one it is; `bytes` are those of the access. */
unsigned target_each(const struct target *, unsigned bytes);
int64_t target_index(const struct target *, unsigned bytes);
void target_element(const struct target *, int64_t index, char out[SIM_ELEMENT]);
void target_name(const struct target *, int64_t index, struct sim_fault *);

/* shared.c */
int shared_lay_out(struct sim_run *);
static inline uint32_t shared_number(const struct sim_run *r, uint64_t address)
{
    uint64_t number = (address + r->shared.half) >> r->shared.shift;
    return number < r->shared.count ? (uint32_t)number : 0;
}
static inline const struct shared_piece *shared_piece_of(const struct sim_run *r, uint64_t address)
{
    return &r->shared.piece[shared_number(r, address)];
}
/* The variable at or before a byte of the block, and the one that holds it; NULL: none does. */
const struct ptx_variable *shared_behind(const struct sim_run *, uint64_t place, uint64_t *start);
const struct ptx_variable *shared_holds(const struct sim_run *, uint64_t place, uint64_t *start);
/* The lanes whose accesses lie within their pieces. Their addresses become places. */
uint32_t shared_inside(const struct sim_run *, uint32_t mask, unsigned bytes,
                       uint64_t address[LANES]);

#endif
