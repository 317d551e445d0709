/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This header has what a device says of itself, what all cards of one compute capability share, and
 * the cards that cudalab knows by name. Both tables are in cards.def.
 */
#ifndef DEV_CARDS_H
#define DEV_CARDS_H

#include "base/lines.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A device describes itself by these. A member that is 0, -1 or NULL is not known, and not shown.
 */
struct device_props {
    const char *profile;      /* "h100", the name behind sim: */
    const char *name;         /* "NVIDIA H100 80GB HBM3" */
    const char *architecture; /* "Hopper" */
    int major, minor;         /* compute capability */
    uint64_t global_bytes, shared_per_block, shared_per_block_optin, shared_per_sm;
    uint64_t shared_reserved; /* bytes of each block's that the system keeps */
    uint64_t const_bytes, l2_bytes;
    int registers_per_block, registers_per_sm, registers_per_thread, warp_size;
    int max_threads_per_block, max_threads_per_sm, max_blocks_per_sm;
    int max_block[3];
    int64_t max_grid[3];
    int multiprocessors, cores_per_sm, clock_khz, memory_clock_khz, bus_bits;
    int max_texture_1d;
    int persisting_bytes; /* of the L2 cache, that can be kept for some data */
    int window_bytes;     /* of such data, at most */
    int f64_per_sm;       /* double precision results a clock and multiprocessor */
    int copy_engines;     /* they copy while a kernel runs */
    int link_generation, link_lanes; /* of PCI Express */
    int integrated, can_map_host, concurrent_kernels, ecc, kernel_timeout; /* 1, 0, -1 unknown */
    int reads_host_pages; /* 1: kernels can read what malloc gave; not on every computer */
};
/* What the link moves in each direction, in megabytes (10^6 bytes) a second; 0: not known. It is
 * the peak by the standard: the headers of packets take a part of it. */
uint64_t device_link_mb_s(const struct device_props *);
bool device_drifts(const struct device_props *); /* lanes of a warp run on their own: since 7.0 */

/* ---- compute capabilities ---------------------------------------------------------------- */

/* In place of a rate these say: there is no such instruction; it takes several instructions; no
 * guide has the rate. */
enum { RATE_NONE = 0, RATE_SEVERAL = -1, RATE_UNKNOWN = -2 };
enum { SPLITS_MOST = 11 };

struct capability {
    int major, minor;
    const char *architecture;
    int year;            /* of the architecture's first card */
    const char *such_as; /* a card that has it */
    int threads_per_sm, blocks_per_sm;
    int registers_per_sm, registers_per_block, registers_per_thread;
    int shared_per_sm;   /* bytes */
    int cores_per_sm, f64_per_sm;
    int register_unit;   /* a warp (before 2.0 a block) gets a multiple of it */
    int partitions;      /* of an SM's registers; each serves as many warps */
    int shared_unit, shared_reserved; /* bytes; the latter of each block, for the system */
    struct {             /* results a clock and SM; float and double ones are above */
        const char *column; /* of the guide's table: "3.0" has 3.2 too; NULL: no guide has it */
        const char *guide;  /* "NVIDIA's guide for CUDA 11.5, 2021" */
        int f16, special, int_add, int_mul;
    } rates;
    int l1_and_shared_kb; /* what an SM has for both; 0: L1 lies apart; -1: not known */
    int shared_kb[SPLITS_MOST]; /* how much of it may be shared memory; ends with -1 */
};
extern const struct capability capabilities[]; /* oldest first */
extern const size_t capability_count;

/* Finds the capability of a card. For a card that is newer than the table it is the last capability
 * before the card's. NULL: it is below 1.0. */
const struct capability *capability_of(int major, int minor);
/* The first capability in its guide's column, whose figures hold for the column; NULL: no guide. */
const struct capability *capability_column(const struct capability *);
/* Before 2.0 registers were given to blocks; since then to warps. */
bool capability_gives_blocks(const struct capability *);
bool capability_by_cuda_13(const struct capability *); /* CUDA 13 still compiles for it */

/* Reads a capability as a student types it: 86, 8.6, sm_86, compute_86, or the name of a card. 86
 * means 8.6. */
bool capability_read(struct span word, unsigned *cc);

/* ---- cards -------------------------------------------------------------------------------- */

struct card {
    const char *profile, *name;
    int major, minor;
    uint64_t global_bytes, l2_bytes;
    int multiprocessors, clock_mhz, memory_clock_mhz, bus_bits, copy_engines;
    int ecc, integrated, kernel_timeout;
    int link_generation, link_lanes;
    int persisting_bytes, window_bytes;
};
extern const struct card card_list[]; /* oldest first */
extern const size_t card_count;
extern const char *const card_names[]; /* their profiles; ends with NULL */

const struct card *card_named(const char *profile); /* NULL: there is none */
bool card_is_simulated(const struct card *);        /* the simulator can stand for it */
extern const char device_default_profile[];         /* of "sim" */
/* A card that the simulator can stand for; profile NULL: the default. NULL: the error offers the
 * others. */
const struct card *card_simulated(const char *profile, struct err *);
struct device_props card_props(const struct card *); /* with all that its capability says */

#endif
