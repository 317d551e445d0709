/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How instructions that are no line of ops.def are written, and the tables that list them.
 */
#ifndef SIM_OP_H
#define SIM_OP_H

#include "sim/code.h"

/* A function that runs an instruction is written `OP op_name ARGS { .. }`. OP_ROW is its row in a
 * table of struct op; decode.c knows the types of its operands. */
#define OP static enum after
#define ARGS (struct warp * w, const struct insn *in, uint32_t m)
#define OP_ROW(name, run, kind, needs) {name, run, 0, 0, 0, 0, 0, kind, needs},

/* Waits for the lanes that `masks` name. The instruction is at an end here if they have not all
 * come, or if it has been run for all of them. See sync.c. */
#define WAIT_FOR_LANES(uses, masks)                                                          \
    do {                                                                                     \
        const enum sync came_ = lanes_sync(w, uses, masks, &m);                              \
        if (came_ != SYNC_GO)                                                                \
            return came_ == SYNC_DONE ? GO : PARKED;                                         \
    } while (0)

/* The function that gives `rows`, the table of a file. */
#define OP_TABLE(name)                                                                       \
    struct op_table name(void)                                                               \
    {                                                                                        \
        return (struct op_table){rows, sizeof rows / sizeof *rows};                          \
    }

struct op_table cluster_ops(void); /* this one is in sim/cluster.c; the next ones are similar */
struct op_table mbarrier_ops(void);
struct op_table bulk_ops(void);
struct op_table image_ops(void);
struct op_table rare_ops(void); /* instructions that need no second copy for vectors */
enum after exact_run(struct warp *, const struct insn *, uint32_t mask);
enum after video_run(struct warp *, const struct insn *, uint32_t mask);

#endif
