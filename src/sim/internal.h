/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulator's own structures, seen by src/sim/ alone.
 *
 * A module is decoded once into flat instructions for whole warps (struct insn). A register
 * is a row of 32 values, a predicate a 32-bit mask. Control flow within a warp is kept as
 * splits and joins: a split is a set of lanes at one pc; where lanes part, a join remembers
 * at which pc (the post-dominator) they meet again and who is still expected. The code there
 * starts with a hidden MEET instruction, so nothing is checked anywhere else. Running the
 * newest split first gives the classic reconvergence stack; running any other is as legal,
 * and that is all that independent scheduling needs.
 */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "base/err.h"
#include "base/mem.h"
#include "ptx/ptx.h"
#include "sim/sim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 32, PAGE = 4096, BARRIERS = 16 };
#define ALL_LANES 0xffffffffu
#define NO_PC     UINT32_MAX

/* Windows of the generic address space. Below NULL_TOP nothing is ever mapped. */
#define NULL_TOP      UINT64_C(0x10000)
#define SHARED_WINDOW UINT64_C(0x600000000000)
#define LOCAL_WINDOW  UINT64_C(0x610000000000)
#define PARAM_WINDOW  UINT64_C(0x620000000000)
#define CODE_WINDOW   UINT64_C(0x630000000000) /* addresses of functions, CODE_STEP apart */
#define CODE_STEP     UINT64_C(16)
#define WINDOW_SIZE   UINT64_C(0x1000000)
#define GLOBAL_BASE   UINT64_C(0x700000000000)

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
    uint16_t guard;
    uint8_t bytes;       /* of memory: one element */
    uint8_t count;       /* of memory: elements of a vector */
    uint32_t guard_flip; /* ALL_LANES for @!p */
    uint32_t target;     /* branch: pc; call: its number */
    uint32_t meet;       /* branch: where its sides meet, or NO_PC */
    uint8_t space, access, type, flags;
    uint8_t shows;  /* enum sim_type of the row d, where a trace may show it */
    int64_t offset; /* memory: added to the address */
};
enum {
    INSN_UNIFORM_ADDRESS = 1,
    INSN_ADDRESS_32 = 2,
    INSN_FLIP_A = 4,
    INSN_FLIP_C = 8,
    INSN_IN_FRAME = 16, /* a .param that lies in the thread's frame */
    INSN_CARRY_IN = 32,
    INSN_CARRY_OUT = 64
};

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

/* exec.c, once for each instruction set that a machine may have: its table, and the loop
 * that runs one warp until it can't go on or has used up what it was given. */
struct exec_set {
    struct op_table ops;
    enum after (*run)(struct warp *);
};
struct exec_set exec_base(void);
struct exec_set exec_avx2(void);

/* A constant that is the address of a shared variable: set at launch, kernel by kernel. */
struct shared_use {
    struct ptx_variable *var;
    int64_t offset;
    uint32_t constant, bytes;
};

/* Where an argument or a result lies: in the thread's frame, or in a row of registers. */
struct argument {
    uint32_t at, bytes;
    bool in_row;
};

struct function {
    const struct ptx_function *ptx;
    struct argument *in, *out; /* its parameters and results, as many as ptx has */
    uint32_t entry, end;      /* pcs: [entry, end) */
    uint32_t predicates;      /* how many, number 0 included */
    uint32_t frame_bytes;     /* of predicates and register rows */
    unsigned char *constants; /* rows */
    uint32_t constant_bytes, constant_capacity;
    uint32_t local_bytes; /* a thread: depots and .param of calls */
    uint32_t params_bytes;
    const char *closed;
    int closed_line;
    int capability;
    const char *capability_what;
    bool grid_sync;
    bool allocates;         /* it has an alloca */
    bool pointed;           /* its address is taken somewhere */
    bool through_pointer;   /* it calls what a register points at */
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
    struct call *calls;
    uint32_t call_count, call_capacity;
    struct sim_kernel *kernels;
    uint32_t *kernel_function;
    size_t kernel_count;
    struct sim_variable *variables;
    size_t variable_count;
};

/* One piece of global memory. The list is sorted by address. */
struct allocation {
    uint64_t address, size;
    unsigned char *host;
    char *name;
    bool freed, constant, module_owned;
    bool heap; /* by malloc in device code */
};

struct saved_page {
    struct allocation *of;
    uint64_t page;
    unsigned char bytes[PAGE];
};

struct sim {
    struct allocator allocator;
    struct sim_limits limits;
    struct err err;
    struct exec_set exec;
    const struct op **ops; /* open hash by name */
    size_t op_slots;
    struct sim_module *modules;
    struct allocation **allocations;
    size_t allocation_count, allocation_capacity;
    uint64_t next_address, bytes_in_use;
    uint64_t heap_bytes;      /* in use by malloc in device code */
    uint32_t heap_freed;      /* allocations of it that are freed but still listed */
    struct sim_run *running;
};

struct frame {
    struct frame *parent;
    const struct function *of;
    uint32_t return_pc;
    uint32_t call;       /* index of the call that made it */
    uint32_t local_base; /* of its bytes in each thread's local memory */
    uint32_t lanes;      /* those still in it */
    uint32_t capacity;   /* bytes behind rows */
    unsigned char *rows; /* frame_bytes, 64-aligned */
};

struct join {
    uint32_t pc, expected, arrived;
    struct join *parent;
    struct frame *frame;
};

enum split_state { READY, AT_BARRIER, AT_SYNC };
struct split {
    uint32_t pc, mask;
    struct join *join;
    struct frame *frame;
    enum split_state state;
    uint32_t wait; /* AT_BARRIER: its number; AT_SYNC: the mask it named */
    bool forced;   /* let through a synchronisation that can't complete */
};

struct warp {
    /* of the running split, kept here while it runs */
    unsigned char *base[2]; /* registers, constants */
    uint32_t pc, mask;
    uint64_t left; /* warp instructions before its turn ends */
    struct split *now;
    bool yields; /* it waits for others to do something: they should have their turn */
    /* the rest */
    struct block *block;
    struct sim_run *launch;
    struct split splits[LANES];
    unsigned split_count;
    struct join joins[LANES];
    uint32_t joins_used; /* bit set */
    uint32_t alive, existing;
    unsigned index;
    struct frame bottom;
    unsigned char *local; /* LANES * local_per_thread */
    uint32_t taken[LANES]; /* of it, from its end down: by alloca */
};

struct barrier {
    uint32_t arrived, threads; /* threads 0: all that are alive */
    uint32_t yes, no;          /* of a reduction: predicates brought by those that arrived */
};

struct block {
    uint64_t index;
    unsigned id[3];
    struct warp *warps;
    unsigned warp_count, alive; /* threads that have not ended */
    unsigned char *shared;
    struct barrier barriers[BARRIERS];
    struct block *next;
    struct arena frames; /* registers of deeper frames */
    struct frame *spare; /* popped frames, to use again */
    uint64_t random;
    unsigned turn, first_warp;       /* in this round over its warps */
    bool busy;                       /* in this round a warp did more than waiting */
    uint64_t round_from, slice_from; /* steps when the round, and the block's slice, began */
};

struct print_record {
    uint64_t block, thread;
    char *text;
    size_t length;
};

struct sim_run {
    struct sim *sim;
    struct sim_module *module;
    struct sim_launch launch;
    const struct function *function;
    struct arena arena;
    enum sim_status status;
    uint64_t steps, blocks, started, finished;
    unsigned threads, warps;
    size_t shared_bytes, dynamic_at; /* of a block; where its dynamic part begins */
    struct block *resident; /* list, in order of start */
    struct block *idle;     /* finished ones, to use again */
    unsigned resident_count, resident_most;
    uint64_t workspace; /* for grid synchronisation: its address, 0 where there is none */
    struct block *current; /* whose turn it is */
    bool any_done;         /* in this round over the resident blocks */
    uint64_t given;        /* warp instructions that the running warp may execute */
    struct warp *turn;     /* the running warp */
    struct sim_tally *tally;
    uint32_t *hint; /* last allocation used, by pc */
    unsigned wants;
    struct sim_fault *faults;
    size_t fault_count, fault_capacity;
    struct sim_print *prints;
    size_t print_count, print_capacity, prints_lost, print_bytes;
    uint64_t heap_blocks, heap_bytes; /* got from malloc, and not freed yet */
    struct saved_page **saved;
    size_t saved_count, saved_capacity;
    uint64_t *saved_set; /* hash of page addresses */
    size_t saved_slots;
    uint64_t random, block_step; /* order of blocks: a permutation by number, or */
    uint32_t *order;             /* written out, where there are few */
    unsigned char *params;
    uint32_t *tid_rows; /* [warps][3][LANES] */
    uint32_t local_per_thread;
    struct sim_result result;
};

/* sim.c */
int sim_fail(struct sim *, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
uint64_t random_next(uint64_t *state); /* splitmix64 */

/* memory.c */
struct allocation *memory_find(struct sim *, uint64_t address, uint32_t *hint);
struct allocation *memory_near(struct sim *, uint64_t address); /* for messages */
int memory_get(struct sim *, uint64_t bytes, uint64_t align, const char *name,
               struct allocation **out);
void memory_drop(struct sim *, struct allocation *);
void memory_free(struct sim *, struct allocation *);
void memory_release(struct sim *, struct allocation *);
int memory_save(struct sim_run *, struct allocation *, uint64_t from, uint64_t to);
void memory_restore(struct sim_run *);

/* module.c */
void module_reach(struct sim_module *, const struct function *kernel);
size_t module_shared(struct sim_module *, size_t *dynamic_at);
const struct ptx_variable *module_shared_at(struct sim_module *, uint64_t address,
                                            size_t dynamic_at);
const struct ptx_variable *module_shared_holds(struct sim_module *, uint64_t address,
                                               uint64_t *start); /* or the dynamic one, or NULL */
void module_set_shared(struct sim_module *, size_t dynamic_at);

/* decode.c: PTX instructions to raw ones; flow.c: where branches meet; both make code */
struct raw {
    struct insn in;
    enum sim_class kind;
    const struct ptx_instruction *from;
    uint32_t target; /* a raw index, or NO_PC */
    bool ends;       /* never goes on to the next one */
    bool meet_here;  /* flow.c: lanes may meet before it */
};
int decode_places(struct sim_module *, uint32_t number); /* for all functions before any code */
int decode_function(struct sim_module *, uint32_t number);
int flow_meets(struct sim *, struct raw *, uint32_t count);

/* ops.c */
int ops_open(struct sim *);
const struct op *ops_find(const struct sim *, const char *name);

/* lanes.c: splits and joins, all of it that isn't hot */
void warp_load(struct warp *); /* of the split that runs: to the hot fields */
void warp_save(struct warp *);
bool warp_pick(struct warp *);  /* a ready split becomes the running one; false: none is */
bool warp_force(struct warp *); /* nobody is ready: let a waiting synchronisation through */
bool lanes_let_end(struct warp *);
void warp_drift(struct warp *); /* part lanes that nothing holds together */
void lanes_wait_at(struct warp *, uint32_t pc); /* they part now and meet again at pc */
struct split *lanes_leave(struct warp *, uint32_t mask, uint32_t pc); /* those but mask, at pc */
enum after lanes_part(struct warp *, const struct insn *, uint32_t taken);
enum after lanes_meet(struct warp *);
enum after lanes_exit(struct warp *, uint32_t mask);
enum barrier_form { BARRIER_SYNC, BARRIER_POPC, BARRIER_AND, BARRIER_OR, BARRIER_ARRIVE };
enum after lanes_barrier(struct warp *, const struct insn *, uint32_t mask);
bool lanes_sync(struct warp *, const uint32_t masks[LANES], uint32_t *mask); /* false: parked */
void lanes_absent(struct warp *, uint32_t mask); /* they shuffle from lanes that take no part */

/* call.c */
enum after lanes_call(struct warp *, const struct insn *, uint32_t mask);
enum after lanes_call_pointer(struct warp *, const struct insn *, uint32_t mask);
enum after lanes_return(struct warp *);
unsigned char *call_place(struct warp *, const struct frame *, const struct argument *,
                          unsigned lane);
uint64_t call_value(struct warp *, const struct call *, unsigned lane, unsigned i);
void call_give(struct warp *, const struct call *, unsigned lane, uint64_t value);
void frames_leave(struct warp *, struct frame *, uint32_t mask);

/* launch.c */
struct sim_fault *run_fault(struct warp *, enum sim_fault_kind, unsigned lane, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
enum after run_out_of_memory(struct warp *);
void observe(struct warp *, struct sim_event *);
void observe_at(struct warp *, struct sim_event *, uint32_t pc);
void observe_block(struct sim_run *, const struct block *, enum sim_event_kind);
uint64_t run_steps(const struct sim_run *); /* with those of the turn that runs */

/* access.c: where addresses lie. A reach is host memory for a group of lanes: the byte of
 * lane i is base + address[i], as integers: base alone points nowhere. */
struct reach {
    uintptr_t base;
    uint32_t lanes;
    enum sim_space space;
};
bool reach_find(struct warp *, const struct insn *, uint32_t mask, uint64_t address[LANES],
                struct reach *);
bool reach_save(struct warp *, const struct insn *, struct allocation *, uint32_t lanes,
                const uint64_t address[LANES]);
static inline unsigned char *reach_at(const struct reach *r, uint64_t address)
{
    return (unsigned char *)(r->base + (uintptr_t)address);
}
enum sim_space reach_space(const struct warp *, uint64_t address);
uint32_t reach_window(uint32_t mask, uint64_t address[LANES], enum sim_space *);
/* A byte of the thread's own frame, and of anything by its generic address (NULL: nothing). */
unsigned char *reach_frame(struct warp *, const struct frame *, unsigned lane, uint32_t offset);
unsigned char *reach_generic(struct warp *, unsigned lane, uint64_t address, uint64_t *left);

/* exact.c */
enum after exact_run(struct warp *, const struct insn *, uint32_t mask);

/* rare.c: instructions that need no second copy for vectors */
struct op_table rare_ops(void);

/* heap.c: malloc and free of device code */
enum after heap_call(struct warp *, const struct call *, uint32_t mask);
void heap_end(struct sim_run *);

/* print.c */
enum after print_call(struct warp *, const struct call *, uint32_t mask);

static inline uint32_t variable_bytes(const struct ptx_variable *v)
{
    return (uint32_t)(ptx_type_size(v->type) * (v->vector ? v->vector : 1) * v->count);
}
static inline const struct insn *code_of(const struct warp *w)
{
    return w->launch->module->code;
}
/* Those of the lanes that name the same mask as the first one: a group that votes together. */
static inline uint32_t lanes_alike(const uint32_t masks[LANES], uint32_t lanes)
{
    uint32_t first = masks[__builtin_ctz(lanes)], same = 0;
    for (int i = 0; i < LANES; i++)
        same |= (uint32_t)(masks[i] == first) << i;
    return same & lanes;
}
/* A row of the running split, and a predicate of it. */
static inline void *row_of(const struct warp *w, uint32_t offset)
{
    return w->base[offset & 1u] + (offset & ~1u);
}
static inline uint32_t *predicate_of(const struct warp *w, uint32_t index)
{
    return (uint32_t *)(void *)w->base[0] + index;
}
static inline unsigned lane_first(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}
static inline unsigned lanes_in(uint32_t mask)
{
    return (unsigned)__builtin_popcount(mask);
}

#endif
