/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A decoded instruction as libcudasim shows it, for observers and for what is said of faults.
 * sim.h includes this header.
 */
#ifndef CUDASIM_INSTRUCTION_H
#define CUDASIM_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum sim_type {
    SIM_NONE, SIM_PRED,
    SIM_B8, SIM_B16, SIM_B32, SIM_B64, SIM_B128,
    SIM_U8, SIM_U16, SIM_U32, SIM_U64,
    SIM_S8, SIM_S16, SIM_S32, SIM_S64,
    SIM_F16, SIM_F16X2, SIM_BF16, SIM_BF16X2, SIM_F32, SIM_F64
};

enum sim_space {
    SIM_REG, SIM_GENERIC, SIM_GLOBAL, SIM_SHARED, SIM_LOCAL, SIM_CONST, SIM_PARAM,
    SIM_CLUSTER /* the shared memory of another block of the cluster */
};

enum sim_class {
    SIM_CLASS_ALU, SIM_CLASS_BRANCH, SIM_CLASS_BARRIER, SIM_CLASS_SHUFFLE, SIM_CLASS_VOTE,
    SIM_CLASS_LOAD, SIM_CLASS_STORE, SIM_CLASS_ATOMIC, SIM_CLASS_FENCE, SIM_CLASS_TEXTURE,
    SIM_CLASS_CALL, SIM_CLASS_EXIT, SIM_CLASS_ARRIVE, /* at a barrier of which the wait counts */
    SIM_CLASS_HIDDEN, /* the simulator's own; never counted */
    SIM_CLASS_MBARRIER, SIM_CLASS_BULK /* the read of an asynchronous copy other than cp.async */
};

/* What instructions compute, as far as one may want to follow a value through them. */
enum sim_operation {
    SIM_OP_OTHER, SIM_OP_ADD, SIM_OP_AND, SIM_OP_BFE, SIM_OP_BFI, SIM_OP_CVT, SIM_OP_FMA,
    SIM_OP_MAD, SIM_OP_MAX, SIM_OP_MIN, SIM_OP_MOV, SIM_OP_OR, SIM_OP_PRMT, SIM_OP_SELP,
    SIM_OP_SHL, SIM_OP_SHR, SIM_OP_SUB, SIM_OP_XOR
};

/* How an instruction orders memory, and for which threads: as written. An atomic of which nothing
 * is written is relaxed. */
enum sim_order {
    SIM_WEAK, SIM_VOLATILE, SIM_RELAXED, SIM_ACQUIRE, SIM_RELEASE, SIM_ACQ_REL
};
enum sim_scope { SIM_NO_SCOPE, SIM_BLOCK_SCOPE, SIM_CLUSTER_SCOPE, SIM_GPU_SCOPE, SIM_ALL_SCOPE };

/* How a thread waits for an asynchronous copy. GROUP: for a group of cp.async. BULK: for a group of
 * cp.async.bulk. BULK_READ: only until such a group has read its source. MBARRIER: for a phase of
 * an mbarrier. */
enum sim_async {
    SIM_NOT_ASYNC, SIM_ASYNC_GROUP, SIM_ASYNC_BULK, SIM_ASYNC_BULK_READ, SIM_ASYNC_MBARRIER
};

/* What is called: code of the module, by its name or through a pointer, or a function of CUDA. */
enum sim_callee {
    SIM_NO_CALL, SIM_CALL_FUNCTION, SIM_CALL_POINTER, SIM_CALL_PRINT, SIM_CALL_ASSERT,
    SIM_CALL_MALLOC, SIM_CALL_FREE,
    SIM_CALL_RUNTIME /* of CUDA's device runtime: a launch of a child grid, for example */
};

/* The registers of an instruction, by numbers that hold within its function; 0 is no register. */
struct sim_operands {
    uint32_t guard;
    uint32_t base;      /* of an address: the register or the variable that it begins with, */
    const char *symbol;
    int64_t offset;     /* and the number that is added */
    uint32_t written, read;
    uint32_t number[]; /* first those written, then those read, an entry for each operand */
};

/* One decoded instruction as the outside sees it; a pc is an index into these. */
struct sim_instruction {
    const char *text;     /* "add.s32 %r1, %r2, 1;" */
    const char *function; /* the kernel or device function it stands in */
    const char *file;     /* the student's file, or NULL */
    const struct sim_operands *operands; /* NULL: a hidden one */
    int line;             /* innermost line in that file, 0 means none */
    int ptx_line;
    enum sim_class kind;
    enum sim_operation operation;
    enum sim_space space; /* of a memory instruction, as written */
    enum sim_order order; /* of a fence never SIM_WEAK */
    enum sim_scope scope;
    enum sim_callee callee;
    uint8_t async;        /* enum sim_async: it is part of such a copy, or waits for one */
    uint8_t bytes;        /* a lane, vectors whole */
    uint8_t elements;     /* of the vector, or 1 */
    bool part;            /* one more access of the instruction before it; it is not counted */
    uint32_t target;      /* pc that a branch leads to */
    bool rows;            /* lanes load rows of 16 bytes and exchange their parts, as in ldmatrix */
    bool tiles;           /* from NVIDIA's own code for groups of threads, such as cg::reduce() */
    bool group_sync;      /* from NVIDIA's own code of grid.sync() */
    int outer_line;       /* of inlined code, the line of the outermost call; else as `line` */
    bool of_library;      /* from Thrust, CUB or libcu++, and in no function of the student's */
};

#endif
