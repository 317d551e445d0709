/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A module once it is decoded, seen by src/sim/ alone: flat instructions for whole warps
 * (struct insn), and what each function needs. A register is a row of 32 values, a predicate a
 * 32-bit mask.
 */
#ifndef SIM_CODE_H
#define SIM_CODE_H

#include "base/err.h"
#include "base/mem.h"
#include "ptx/ptx.h"
#include "sim/sim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 32 };
enum { RESERVED_BYTES = 1024 }; /* what the system reserves in the shared memory of a block */
#define ALL_LANES 0xffffffffu
#define NO_PC     UINT32_MAX

struct warp;
struct insn;

/* What an instruction tells the run loop. */
enum after { GO, MOVED, PARKED, FAULTED };
typedef enum after (*op_fn)(struct warp *, const struct insn *, uint32_t mask);

/*
 * Operands are byte offsets of rows: from the frame's registers, or, with bit 0 set, from
 * the function's constants. Guards are indices of predicates; number 0 is always true.
 */
struct insn {
    op_fn run;
    uint32_t d, a, b, c; /* rows; of predicates: index */
    uint32_t e;          /* second result, lane mask, ... */
    uint32_t guard;
    uint32_t guard_flip; /* ALL_LANES for @!p */
    uint32_t target;     /* branch: pc; call, texture: its number */
    uint32_t meet;       /* branch: where its sides meet, or NO_PC */
    uint8_t bytes;       /* of memory: one element */
    uint8_t count;       /* of memory: elements of a vector */
    uint8_t space, access, type, flags;
    uint8_t shows;  /* enum sim_type of the row d, where a trace may show it */
    uint8_t kept;   /* memory: which of the warp's kept shapes is that of its addresses */
    int64_t offset; /* memory: added to the address */
};
enum {
    INSN_UNIFORM_ADDRESS = 1,
    INSN_ADDRESS_32 = 2,
    INSN_FLIP_A = 4,
    INSN_FLIP_C = 8,
    INSN_IN_FRAME = 16, /* a .param that lies in the thread's frame */
    INSN_CARRY_IN = 32,
    INSN_CARRY_OUT = 64,
    INSN_AS_KEPT = 128 /* the row of its addresses is what it was when the shape was kept */
};
enum { COPY_COMMITS = 1, COPY_WAITS = 2 }; /* types of *copy.group */
enum { KEPT_SHAPES = 4 }; /* and number 0, which nobody asks for */

/* One row of the instruction table: how "add.s32" is typed and what does it. */
struct op {
    const char *name;
    op_fn run;
    enum sim_type d, a, b, c, e; /* SIM_NONE where there is none; SIM_PRED for masks */
    enum sim_class kind;
    int capability; /* 0: any */
};
struct op_table {
    const struct op *rows;
    size_t count;
};

/* What floats come to in units of the last place of sums that lie between the same two powers of 2
 * as `like`: those that make a positive sum larger, and those that make it smaller. */
struct float_units {
    float like;
    uint64_t up, down;
};

/* exec.c, once for each instruction set that a machine may have: its table, and the loop
 * that runs one warp until it can't go on or has used up what it was given. */
struct exec_set {
    struct op_table ops;
    enum after (*run)(struct warp *);
    /* Adds what values come to when they are added one by one to a sum of a size like u's. False:
     * they are none of those for which there is this way, and u is as before. */
    bool (*count_floats)(struct float_units *u, const float value[LANES]);
    /* Adds all that was counted to the sum, with the bits that the values give one by one. False:
     * the sum is of another size, or comes to be, and is as before. */
    bool (*add_units)(float *sum, const struct float_units *u);
};
struct exec_set exec_base(void);
struct exec_set exec_avx2(void);

/* A constant that is the address of a shared variable: set at launch, kernel by kernel. */
struct shared_use {
    struct ptx_variable *var;
    int64_t offset;
    uint32_t constant, bytes;
};

/* Where an argument or a result lies: in the thread's frame, or in a row of registers. A predicate
 * is in a row and has 0 bytes: `at` is its number. */
struct argument {
    uint32_t at, bytes;
    bool in_row;
};

struct function {
    const struct ptx_function *ptx;
    struct argument *in, *out; /* its parameters and results, as many as ptx has */
    uint32_t entry, end;      /* pcs: [entry, end) */
    uint32_t predicates;      /* how many, number 0 included */
    uint64_t row_bytes;       /* of declared registers; without a limit */
    uint32_t frame_bytes;     /* of predicates and all rows, those of a closed function aside */
    unsigned char *constants; /* rows */
    uint32_t constant_bytes, constant_capacity;
    uint32_t local_bytes; /* a thread: depots and .param of calls */
    uint32_t params_bytes;
    const char *closed;       /* why it can't run, or NULL */
    int closed_line;          /* of the PTX */
    const struct ptx_instruction *closed_from; /* the instruction, or NULL */
    const char *closed_file;  /* its place in the source; NULL where it is not known */
    int closed_source_line;
    bool lacks;               /* the PTX is right, but the simulator lacks what it asks for */
    const char *undefined;    /* a function that it calls and that has no code */
    int capability;
    const char *capability_what;
    uint32_t kernel; /* of an entry: its number among the kernels */
    bool grid_sync;
    bool reads_clock;
    bool needs_clock; /* more of it than how much time has passed: decode/clock.c */
    bool allocates;         /* it has an alloca */
    bool pointed;           /* its address is taken somewhere */
    bool any_number;        /* it is variadic: a call may leave out the last parameter */
    bool through_pointer;   /* it calls what a register points at */
    enum { SHARES_UNKNOWN, SHARES_YES, SHARES_NO } shares; /* of a kernel, by several cores: cores.c */
    unsigned shunned;       /* so many of its launches stay on one core */
    enum { NOT_REACHED, REACHED, MAYBE_REACHED } reached; /* MAYBE: through a pointer only */
    struct shared_use *shared; /* constants that hold addresses of shared variables */
    uint32_t shared_count, shared_capacity;
    uint32_t *calls; /* function numbers it may call */
    uint32_t call_count, call_capacity;
};

struct call {
    int32_t function; /* its number, or one of the known ones below */
    struct argument *in, *out;
    uint32_t in_count, out_count;
};
enum { CALL_VPRINTF = -2, CALL_ASSERT = -3, CALL_MALLOC = -4, CALL_FREE = -5, CALL_POINTER = -6 };
enum { CALL_RUNTIME = -7 }; /* the first function of runtime.def; the next one is -8 */

struct sim_module {
    struct sim *sim;
    struct sim_module *next;
    struct arena arena;
    struct ptx_module *ptx;
    char *path;
    struct insn *code;
    struct sim_instruction *shown;
    uint32_t count, capacity;
    struct function *functions;
    uint32_t function_count;
    uint32_t *pointed;       /* what a call through a pointer may reach, by number */
    uint32_t pointed_count, needy_count; /* the first ones of it have needs of their own */
    uint32_t *reached;       /* what module_reach() found, in order of numbers */
    uint32_t reached_count;
    struct ptx_variable **placed; /* shared variables of fixed size, in the order of their places */
    uint32_t placed_count;
    struct ptx_variable *reserved;          /* shared memory that the system reserves, or NULL */
    const struct ptx_variable *open_shared; /* the last used of those of open size */
    bool *own_files;         /* of each file that the PTX names: is it the student's? */
    bool cuda_barrier;       /* barriers of libcu++, which poll by code of a header of their own */
    bool *tile_files;        /* is it the toolkit's, with the code for tiles of several warps? */
    bool *sync_files;        /* and with the code of grid.sync()? */
    bool *library_files;     /* is it of Thrust, CUB or libcu++? */
    uint64_t work;           /* since it was last asked whether to go on */
    struct call *calls;
    uint32_t call_count, call_capacity;
    struct image_use *image_uses;
    uint32_t image_use_count, image_use_capacity;
    struct matrix_use *matrix_uses;
    uint32_t matrix_use_count, matrix_use_capacity;
    bool waits; /* some function waits for an mbarrier */
    struct sim_kernel *kernels;
    uint32_t *kernel_function;
    size_t kernel_count;
    struct sim_kernel *runtime_kernels; /* by enum runtime_kernel; NULL: no call needs them */
    struct sim_variable *variables;
    size_t variable_count;
};

/* module.c */
void module_free(struct sim_module *);
int module_goes_on(struct sim_module *, uint64_t work); /* -1: the loading is to be given up */

/* runtime.c: the number of a function of CUDA's device runtime, CALL_RUNTIME or below; -1: it has
 * no such function. */
int32_t runtime_function(const char *name);

/* runtime-ptx.c: kernels for the calls that write memory. */
enum runtime_kernel { RUNTIME_FILL, RUNTIME_COPY, RUNTIME_KERNELS };
#define RUNTIME_THREADS 256 /* of each block */
const char *runtime_name(enum runtime_kernel);
/* Their PTX, and that of functions; NULL: the module needs none. */
const char *runtime_kernels_text(const struct ptx_module *);
const char *runtime_functions_text(const struct ptx_module *);

/* reach.c: what a kernel needs of all that it can reach */
int reach_prepare(struct sim_module *); /* once all functions are decoded */
void module_reach(struct sim_module *, const struct function *kernel, bool whole);
bool module_recursive(const struct sim_module *, struct arena *, bool *known);

/* shared.c: the shared memory of the kernel that module_reach() was asked for */
struct shared_sizes {
    uint64_t fixed, dynamic_at; /* bytes of its variables; where the dynamic part begins */
    uint32_t variables;       /* of fixed size */
};
struct shared_sizes shared_measure(struct sim_module *);

/* decode.c: PTX instructions to raw ones; flow.c: where branches meet; both make code */
struct raw {
    struct insn in;
    enum sim_class kind;
    const struct ptx_instruction *from;
    uint32_t target; /* a raw index, or NO_PC */
    bool ends;       /* never goes on to the next one */
    bool names_all; /* it writes no row but those that d, b, c and e name */
    bool at_row;    /* it reaches memory, at the addresses of row a */
    bool part;       /* the instruction before it has several accesses; this is another one */
    bool rows;       /* each lane loads a row of 16 bytes of a matrix, as ldmatrix does */
    bool meet_here;  /* flow.c: lanes may meet before it, ... */
    uint32_t gather_from; /* ... those that come from this raw index on */
};
int decode_places(struct sim_module *, uint32_t number); /* for all functions before any code */
int decode_files(struct sim_module *);
int decode_variadic(struct sim_module *); /* call it before variables get their places */
int decode_function(struct sim_module *, uint32_t number);
int flow_meets(struct sim *, struct raw *, uint32_t count);

/* ops.c */
int ops_open(struct sim *);
const struct op *ops_find(const struct sim *, const char *name);
bool ops_know(const struct sim *, const char *word); /* does a name begin with this word? */

/* Does the function take `in` arguments and return `out` results? */
static inline bool call_fits(const struct function *f, uint32_t in, uint32_t out)
{
    return (in == f->ptx->param_count || (f->any_number && in + 1 == f->ptx->param_count)) &&
           out == f->ptx->return_count;
}

/* At most 2^46: the parser bounds the number of elements. */
static inline uint64_t variable_size(const struct ptx_variable *v)
{
    return (uint64_t)ptx_type_size(v->type) * (v->vector ? v->vector : 1) * v->count;
}
static inline uint64_t variable_align(const struct ptx_variable *v)
{
    return v->align ? v->align : ptx_type_size(v->type) ? ptx_type_size(v->type) : 1;
}

/*
 * Layouts. Every place in a frame, among parameters or in shared memory comes from here: the next
 * free one, aligned. A layout that has reached LAYOUT_FULL stays there, so that no sum wraps; its
 * owner compares with a limit of its own afterwards, and only then stores sizes in 32 bits.
 */
#define LAYOUT_FULL (UINT64_C(1) << 60)
static inline uint64_t layout_take(uint64_t *used, uint64_t size, uint64_t align)
{
    uint64_t at = (*used + align - 1) / align * align;
    *used = at < LAYOUT_FULL && size < LAYOUT_FULL - at ? at + size : LAYOUT_FULL;
    return at;
}

#endif
