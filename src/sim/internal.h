/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch as it runs, seen by src/sim/ alone. The code that it runs is in code.h.
 *
 * Control flow within a warp is kept as splits and joins: a split is a set of lanes at one pc;
 * where lanes part, a join remembers at which pc (the post-dominator) they meet again and who is
 * still expected. The code there starts with a hidden MEET instruction, so nothing is checked
 * anywhere else. Running the newest split first gives the classic reconvergence stack; running
 * any other is as legal, and that is all that independent scheduling needs.
 */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include "sim/code.h"

#include <string.h>

enum { PAGE = 4096, BARRIERS = 16, WORKSPACE_BYTES = 32 };
enum { CALL_BYTES = 16 }; /* of a thread's stack, for each call: a card keeps the way back there */

/* Windows of the generic address space. Below NULL_TOP nothing is ever mapped. */
#define NULL_TOP      UINT64_C(0x10000)
#define SHARED_WINDOW UINT64_C(0x600000000000)
#define LOCAL_WINDOW  UINT64_C(0x610000000000)
#define PARAM_WINDOW  UINT64_C(0x620000000000)
#define CODE_WINDOW   UINT64_C(0x630000000000) /* addresses of functions, CODE_STEP apart */
#define CODE_STEP     UINT64_C(16)
#define WINDOW_SIZE   UINT64_C(0x1000000)
#define SHARED_BITS   28 /* of an address within a block's shared memory: see shared.c */
#define SHARED_SPAN   (UINT64_C(1) << SHARED_BITS)
#define CLUSTER_SPAN  UINT64_C(0x100000000) /* from SHARED_WINDOW on: see cluster.c */

/* One piece of global memory. The list is sorted by address. */
struct allocation {
    uint64_t address, size;
    unsigned char *host;
    char *name;
    bool freed, constant, module_owned;
    bool going;   /* memory_drop_now() takes it off the list */
    bool heap;    /* by malloc in device code, */
    const struct sim_instruction *got_at; /* there; NULL: it may be lost without a word */
    bool reached; /* something points at it: see heap_leaks() */
};

struct saved_page {
    struct allocation *of;
    uint64_t page;
    unsigned char bytes[PAGE];
};

/* Addresses that nobody has had yet. */
struct room {
    uint64_t next, end;
};

struct sim {
    struct allocator allocator;
    struct sim_limits limits;
    struct err err;
    struct go_on go_on; /* while a module is loaded */
    bool (*goes_on)(void *ctx);
    void *goes_on_ctx;
    struct exec_set exec;
    const struct op **ops; /* open hash by name */
    size_t op_slots;
    struct sim_module *modules;
    struct allocation **allocations;
    size_t allocation_count, allocation_capacity;
    size_t frees; /* how often memory was freed */
    struct room arrays, heap, spare;
    uint64_t bytes_in_use;
    uint64_t heap_bytes;      /* in use by malloc in device code */
    uint32_t heap_freed;      /* allocations of it that are freed but still listed */
    struct image_object **images; /* textures and surfaces, by their handles */
    size_t image_count, image_capacity;
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

enum split_state { READY, AT_BARRIER, AT_CLUSTER, AT_SYNC };
struct split {
    uint32_t pc, mask;
    struct join *join;
    struct frame *frame;
    enum split_state state;
    uint32_t wait; /* AT_BARRIER: its number; AT_SYNC: the mask it named */
    bool forced;   /* let through a synchronisation that can't complete */
};

/* Do the lanes that run go in circles while others of their warp wait for them? See launch.c. */
struct circle {
    uint64_t ran;   /* since it was last looked at */
    unsigned watch; /* steps that are still compared with the mark; 0: there is none */
    uint32_t pc;
    uint64_t registers;
};

/*
 * How the addresses of a warp lie: most are evenly spaced, and that is worth knowing once. Its
 * members are as in struct sim_access; `known` only of a whole warp's.
 */
struct shape {
    bool known, even, halves;
    unsigned turn;
    uint64_t step;
};

/* The last whole warp's access of an instruction that an observer was told of, and how many alike
 * ones have come since. */
struct repeat {
    uint64_t step, apart; /* apart: the halves */
    uint32_t phase;       /* where it began within so many bytes, and 1 more; 0: there was none */
    uint64_t times;
};

/* An observer, with as many hooks as there are in this library; once more by kind of access. */
typedef void access_hook(void *self, const struct sim_at *, const struct sim_access *);
struct listener {
    struct sim_hooks hooks;
    access_hook *access[SIM_REDUCE + 1];
    void *self;
    struct repeat *repeats; /* by pc; NULL: it is told of every access */
};

/* The hooks, each with a number. The first ones are numbered as the accesses are. */
#define EACH_HOOK(X)                                                                         \
    X(load) X(store) X(atomic)                                                               \
    X(begin) X(end) X(block_begin) X(block_end) X(instruction) X(branch) X(shuffle)          \
    X(arrive) X(barrier) X(wait) X(sync) X(cluster_arrive) X(cluster_barrier)                \
    X(fence) X(copy_commit) X(copy_wait) X(allocate) X(release)
enum {
#define X(hook) HOOK_##hook,
    EACH_HOOK(X)
#undef X
};
#define ASKS(hook) (1u << HOOK_##hook)

struct warp {
    /* of the running split, kept here while it runs */
    unsigned char *base[2]; /* registers, constants */
    uint32_t pc, mask;
    uint64_t left; /* warp instructions before its turn ends */
    struct split *now;
    bool yields; /* it waits for others to do something: they should have their turn */
    struct circle circle;
    struct shape kept[1 + KEPT_SHAPES];
    /* the rest */
    struct block *block;
    struct sim_run *launch;
    struct split splits[LANES];
    unsigned split_count;
    struct join joins[LANES];
    uint32_t joins_used; /* bit set */
    uint32_t alive, existing;
    uint32_t came_to[BARRIERS]; /* lanes that came to a barrier with a count, until all have */
    uint32_t came, passed; /* at the cluster's barrier: see cluster.c */
    unsigned index;
    struct frame bottom;
    unsigned char *local; /* LANES * local_per_thread */
    uint32_t taken[LANES]; /* of it, from its end down: by alloca */
};

struct barrier {
    uint32_t arrived, threads; /* threads 0: all that are alive */
    uint32_t yes, no;          /* of a reduction: predicates brought by those that arrived */
};

/* Blocks that run side by side. */
enum { CLUSTER_MOST = 8 };
struct cluster {
    struct block *member[CLUSTER_MOST]; /* by rank; NULL: it has ended */
    unsigned left;                      /* of them */
    unsigned alive, arrived;            /* threads: not ended, and of these at the barrier */
    struct cluster *next;               /* of those to use again */
};

struct block {
    uint64_t index;
    unsigned id[3];
    struct warp *warps;
    unsigned warp_count, alive; /* threads that have not ended */
    unsigned char *shared;
    struct barrier barriers[BARRIERS];
    struct cluster *cluster;
    unsigned rank; /* in it */
    struct block *next;
    struct arena frames; /* registers of deeper frames */
    struct frame *spare; /* popped frames, to use again */
    uint64_t random;
    unsigned turn, first_warp;       /* in this round over its warps */
    bool busy;                       /* in this round a warp did more than waiting */
    bool stuck;                      /* in the last one all of it waited */
    uint64_t round_from, slice_from; /* steps when the round, and the block's slice, began */
};

/* How often an instruction had run at two moments, and whether it is in the circle found last. */
struct still_ran {
    uint64_t at_move, at_state;
    bool in_circle;
};

/* Do all that are left wait at a barrier made of memory? See still.c. */
struct still {
    bool possible, cuda_barrier; /* the kernel may have such a barrier, one of libcu++ */
    op_fn yield;
    uint64_t next, quiet; /* steps: of the next look, between two */
    uint64_t done;        /* what lanes had done at the last one */
    bool probing;         /* no chance now, and each split has its turn */
    bool frozen;          /* the clock stands still at `clock`; else it is ahead by so much */
    uint64_t clock, ahead;
    unsigned rounds, windows, circles;
    uint64_t state;        /* the one that should come again */
    struct still_ran *ran; /* by pc */
};

/* What pointers into shared memory come from: its addresses, and what they are above its bytes'
 * places in the block. See shared.c. */
struct shared_piece {
    uint64_t start, size, tag;
    const struct ptx_variable *var;
};
struct shared_layout {
    struct shared_piece *piece;
    uint32_t count;
    unsigned shift;
    uint64_t half; /* of the distance between two */
    size_t dynamic_at;
};

struct print_record {
    uint64_t block, thread;
    char *text;
    size_t length;
};

/* So many bytes of formatted text end a turn, since one instruction can make megabytes. */
enum { TEXT_PART = 8 << 20 };

struct sim_run {
    struct sim *sim;
    struct sim_module *module;
    struct sim_launch launch;
    const struct function *function;
    struct arena arena;
    enum sim_status status;
    uint64_t steps, blocks, finished, clusters, started; /* started: clusters */
    unsigned threads, warps;
    size_t shared_bytes; /* of a block */
    struct shared_layout shared;
    struct block *resident; /* list, in order of start */
    struct block *idle;     /* finished ones, to use again */
    unsigned resident_count, resident_most;
    unsigned cluster[3], cluster_blocks; /* of each */
    struct cluster *spare_clusters;
    uint64_t workspace; /* for grid synchronisation: its address, 0 where there is none */
    struct still still;
    struct block *current; /* whose turn it is */
    bool any_done;         /* in this round over the resident blocks */
    uint64_t text_made;    /* bytes that vprintf has read and formatted */
    uint64_t given;        /* warp instructions that the running warp may execute */
    struct warp *turn;     /* the running warp */
    struct sim_tally *tally;
    uint32_t *hint; /* by pc: the allocation used last, or the piece of shared memory */
    struct listener *listeners;
    unsigned listener_count, asked; /* asked: ASKS() of all that some listener has */
    const struct listener *counts; /* the only one that asks for accesses, if it counts repeats */
    struct sim_at at;         /* what hooks are given: at_pc() */
    struct sim_access access; /* and tell_access() */
    struct sim_values stored;
    struct sim_block shown_block;
    struct sim_fault *faults;
    size_t fault_count, fault_capacity;
    struct sim_print *prints;
    size_t print_count, print_capacity, prints_lost, print_bytes;
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
/* A struct of the caller's that begins with its size, into one of `most` bytes. */
int sim_take(struct sim *, void *to, size_t most, const void *from);
/* -1 while a launch is under way: "finish it before memory is freed". */
int sim_not_running(struct sim *, const char *what);
uint64_t random_next(uint64_t *state); /* splitmix64 */

/* memory.c */
void memory_rooms(struct sim *);
struct allocation *memory_find(struct sim *, uint64_t address, uint32_t *hint);
struct allocation *memory_near(struct sim *, uint64_t address); /* NULL: none is */
int memory_get(struct sim *, struct room *, uint64_t bytes, uint64_t align, const char *name,
               struct allocation **out);
void memory_drop(struct sim *, struct allocation *);
void memory_drop_later(struct sim *, struct allocation *); /* with others, at one go */
void memory_drop_now(struct sim *);
void memory_free(struct sim *, struct allocation *);
void memory_release(struct sim *, struct allocation *);
int memory_save(struct sim_run *, struct allocation *, uint64_t from, uint64_t to);
void memory_restore(struct sim_run *);

/* lanes.c: splits and joins, all of it that isn't hot */
void warp_load(struct warp *); /* of the split that runs: to the hot fields */
void warp_save(struct warp *);
bool warp_pick(struct warp *);  /* a ready split becomes the running one; false: none is */
bool warp_force(struct warp *); /* nobody is ready: is there who may go on nevertheless? */
void warp_drift(struct warp *); /* part lanes that nothing holds together */
bool warp_others_wait(const struct warp *); /* do lanes wait for those that run, or a turn? */
void warp_let_others(struct warp *); /* these have theirs, before those that run now */
void lanes_wait_at(struct warp *, uint32_t pc); /* they part now and meet again at pc */
struct split *lanes_leave(struct warp *, uint32_t mask, uint32_t pc); /* those but mask, at pc */
enum after lanes_part(struct warp *, const struct insn *, uint32_t taken);
enum after lanes_meet(struct warp *, const struct insn *);
enum after lanes_exit(struct warp *, uint32_t mask);
enum barrier_form { BARRIER_SYNC, BARRIER_POPC, BARRIER_AND, BARRIER_OR, BARRIER_ARRIVE };
enum after lanes_barrier(struct warp *, const struct insn *, uint32_t mask);
bool lanes_sync(struct warp *, const uint32_t masks[LANES], uint32_t *mask); /* false: parked */
void lanes_merge(struct warp *);
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

/* fault.c */
struct sim_fault *run_fault(struct warp *, enum sim_fault_kind, unsigned lane, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
struct sim_fault *fault_record(struct sim_run *, enum sim_fault_kind,
                               const struct sim_instruction *at); /* NULL: counted, or no room */
void fault_trap(struct warp *, unsigned lane); /* at a trap instruction */
/* One that is no thread's. */
void whole_fault(struct sim_run *, enum sim_fault_kind, const char *fmt, ...) PRINTF_LIKE(3, 4);
void run_no_end(struct sim_run *, enum sim_fault_kind, const char *why);
enum after run_out_of_memory(struct warp *);

/* start.c */
bool is_cooperative(const struct sim_run *);
void end_cooperation(struct sim_run *);
uint64_t nth_cluster(const struct sim_run *, uint64_t n);

/* still.c */
void still_begin(struct sim_run *);
void still_look(struct sim_run *); /* after a round over all resident blocks */
uint64_t still_clock(const struct sim_run *, uint64_t steps);


/* access.c: where addresses lie. A reach is host memory for a group of lanes: the byte of
 * lane i is base + address[i], as integers: base alone points nowhere. */
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
static inline unsigned char *reach_at(const struct reach *r, uint64_t address)
{
    return (unsigned char *)(r->base + (uintptr_t)address);
}
enum sim_space reach_space(const struct warp *, uint64_t address);
uint32_t reach_window(struct warp *, uint32_t mask, uint64_t address[LANES], struct reach *);
/* A byte of the thread's own frame, and of anything by its generic address (NULL: nothing). */
unsigned char *reach_frame(struct warp *, const struct frame *, unsigned lane, uint32_t offset);
unsigned char *reach_generic(struct warp *, unsigned lane, uint64_t address, uint64_t *left);

/* element.c: an array that an address was meant for; name NULL: none that a student would know */
struct target {
    const char *name;
    uint64_t size;
    int64_t off; /* of the access from the array's start */
    struct sim_shape shape;
    bool open; /* shared memory of as many bytes as the launch gave */
};
struct target target_global(struct sim_run *, const struct allocation *, uint64_t address);
struct target target_shared(struct sim_run *, int64_t address); /* within the block's window */
/* Bytes of an element, and which one it is; `bytes` are those of the access. */
unsigned target_each(const struct target *, unsigned bytes);
int64_t target_index(const struct target *, unsigned bytes);
void target_element(const struct target *, int64_t index, char out[SIM_ELEMENT]);
void target_put(const struct target *, int64_t index, struct sim_fault *);

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

/* cluster.c */
void cluster_shape(struct sim_run *);
uint64_t cluster_block(const struct sim_run *, uint64_t cluster, unsigned rank); /* its index */
struct cluster *cluster_new(struct sim_run *); /* NULL: no memory */
void cluster_retire(struct sim_run *, struct block *);
void cluster_exit(struct warp *, uint32_t mask);
bool cluster_stuck(const struct block *); /* does no block of its cluster go on? */
struct block *cluster_member(const struct warp *, unsigned rank); /* NULL: none, or it ended */
uint64_t cluster_owner(const struct warp *, unsigned rank);       /* its index; or UINT64_MAX */
/* reach_window() for addresses of shared memory that may be another block's. */
uint32_t cluster_lanes(const struct warp *, uint32_t mask, uint64_t address[LANES], struct reach *);
struct op_table cluster_ops(void);

/* exact.c */
enum after exact_run(struct warp *, const struct insn *, uint32_t mask);

/* rare.c: instructions that need no second copy for vectors */
struct op_table rare_ops(void);

/* heap.c: malloc and free of device code */
enum after heap_call(struct warp *, const struct call *, uint32_t mask);
void heap_begin(struct sim_run *);
void heap_leaks(struct sim_run *);
void heap_end(struct sim_run *);
void heap_forget(struct sim *, const struct sim_module *);

/* print.c */
enum after print_call(struct warp *, const struct call *, uint32_t mask);

/* Warp instructions so far, with those of the turn that runs. */
static inline uint64_t run_steps(const struct sim_run *r)
{
    return r->steps + r->given - (r->turn ? r->turn->left : 0);
}
/* Calls a hook of all observers that have it: TELL(run, begin, &begin). What it is given is only
 * worked out where there is one. */
#define TELL(run, hook, ...)                                                                 \
    do {                                                                                     \
        const struct listener *l_ = (run)->listeners;                                        \
        const bool asked_ = (run)->asked & ASKS(hook);                                       \
        for (unsigned left_ = asked_ ? (run)->listener_count : 0; left_; left_--, l_++)      \
            if (l_->hooks.hook)                                                              \
                l_->hooks.hook(l_->self, __VA_ARGS__);                                       \
    } while (0)
/* Does an observer want to know of such accesses? */
static inline bool asks_access(const struct sim_run *r, unsigned access)
{
    return r->asked >> (access == SIM_REDUCE ? SIM_ATOMIC : access) & 1;
}
/* What hooks are told of lanes at an instruction; the block's turn has set the block. */
static inline const struct sim_at *at_pc(struct warp *w, uint32_t mask, uint32_t pc)
{
    struct sim_at *at = &w->launch->at;
    at->code = &w->launch->module->shown[pc];
    at->pc = pc;
    at->mask = mask;
    at->warp = w->index;
    at->when = run_steps(w->launch);
    return at;
}
static inline const struct sim_at *at_now(struct warp *w, uint32_t mask)
{
    return at_pc(w, mask, w->pc - 1);
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

/* One lane after the other: i is the number of each that m has. */
#define EACH_LANE(i, m)                                                                      \
    for (uint32_t left_ = (m), i; left_ && (i = lane_first(left_), true); left_ &= left_ - 1)

/* An instruction at work, `OP op_name ARGS { .. }`, and its row in a table of struct op where
 * decode.c knows the types of what it takes. */
#define OP static enum after
#define ARGS (struct warp * w, const struct insn *in, uint32_t m)
#define OP_ROW(name, run, kind, needs) {name, run, 0, 0, 0, 0, 0, kind, needs},

#endif
