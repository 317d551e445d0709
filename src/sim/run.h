/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch as it runs, its observers and its faults. The header is for src/sim/ alone.
 */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sim/child.h"
#include "sim/handle.h"
#include "sim/warp.h"

enum { WORKSPACE_BYTES = 32 };
#define SHARED_BITS  28 /* of an address within a block's shared memory: see shared.c */
#define SHARED_SPAN  (UINT64_C(1) << SHARED_BITS)
#define CLUSTER_SPAN UINT64_C(0x100000000) /* from SHARED_WINDOW on: see cluster.c */

struct saved_page {
    struct allocation *of;
    uint64_t page;
    unsigned char bytes[PAGE];
};

/* The last whole warp's access of an instruction that an observer was told of, and how many alike
 * ones have come since. */
struct repeat {
    uint64_t step, apart; /* apart: the halves */
    uint32_t phase;       /* 1 + where it began within so many bytes; 0: there was none */
    uint64_t times;
};

/* An observer, with as many hooks as there are in this library; once more by kind of access. */
typedef void access_hook(void *self, const struct sim_at *, const struct sim_access *);
struct listener {
    access_hook *access[SIM_REDUCE + 1];
    void *self;
    struct repeat *repeats; /* by pc; NULL: it is told of every access */
    struct sim_hooks hooks;
};

/* The hooks, each with a number. The first ones are numbered as the accesses are. */
#define EACH_HOOK(X)                                                                         \
    X(load) X(store) X(atomic)                                                               \
    X(begin) X(end) X(block_begin) X(block_end) X(instruction) X(branch) X(shuffle)          \
    X(arrive) X(barrier) X(wait) X(sync) X(cluster_arrive) X(cluster_barrier)                \
    X(fence) X(copy_commit) X(copy_wait) X(allocate) X(release)                              \
    X(copy) X(mbarrier) X(launch) X(grid) X(proxy_fence) X(before)
enum {
#define X(hook) HOOK_##hook,
    EACH_HOOK(X)
#undef X
};
#define ASKS(hook) (1u << HOOK_##hook)

/* How often an instruction had run at two moments, and whether it is in the circle found last. */
struct still_ran {
    uint64_t at_move, at_state;
    bool in_circle;
};

/* Do all threads that are left wait at a barrier made of memory? See still.c. */
struct still {
    bool possible, cuda_barrier; /* the kernel may have such a barrier, one of libcu++ */
    op_fn yield;
    uint64_t next, quiet; /* steps: of the next look, between two */
    uint64_t done;        /* what lanes had done at the last look */
    bool probing;         /* chance is switched off now, and each split has its turn */
    bool frozen;          /* the clock stands still at `clock`; else it is ahead by so much */
    uint64_t clock, ahead;
    unsigned rounds, windows, circles;
    uint64_t state;        /* the one that should come again */
    struct still_ran *ran; /* by pc */
};

/* One piece of a block's shared memory. `tag` is the distance from the places of its bytes in the
 * block to their addresses. See shared.c. */
struct shared_piece {
    uint64_t start, size, tag;
    const struct ptx_variable *var;
};
struct shared_layout {
    struct shared_piece *piece;
    uint32_t count;
    unsigned shift;
    uint64_t half; /* of the distance between two */
    uint64_t dynamic_at;
    uint64_t system_at, system_bytes; /* the reserved memory, if the kernel uses it */
};

struct print_record {
    uint64_t block, thread;
    char *text;
    size_t length;
};

/* So many bytes of formatted text end a turn, since one instruction can make megabytes. */
enum { TEXT_PART = 8 << 20 };

/* A warp that goes first, as long as it can; or all warps of a block. See run_choose(). */
enum { EARLY_MOST = 64, ALL_WARPS = 0xffff };
struct run_chosen {
    bool goes_first; /* the current block is the one that was chosen */
    unsigned warp;   /* ALL_WARPS: the whole block */
    uint64_t from;   /* steps when it was chosen */
    uint64_t early[EARLY_MOST]; /* clusters that began before their turn, by their place in the order */
    unsigned early_count;
};

struct sim_run {
    struct sim *sim;
    struct sim_module *module;
    struct sim_launch launch;
    const struct function *function;
    struct arena arena, of_grid; /* of_grid: what the grid needs that runs now */
    struct run_grid *grid, host_grid; /* the grid that runs now; the one that the host launched */
    struct run_grid *prepared;        /* they have a buffer for their parameters, but no stream yet */
    unsigned pending;             /* child grids that have not begun */
    uint64_t child_grids, streams; /* how many were launched; made by device code */
    uint64_t *child_kernels;       /* ... of each kernel of the module; NULL: there are none */
    uint64_t refused;              /* launches of device code; the first of them: */
    struct sim_children first_refused;
    char why_refused[160];
    uint64_t blocks_before;       /* of the grids that have ended */
    uint64_t seed;                /* of the launch; launch.seed is that of the grid */
    uint64_t error_texts;         /* their address, 0 where nothing asked for them */
    enum sim_status status;
    uint64_t steps, blocks, finished, clusters, started; /* started: clusters */
    uint64_t until;        /* clusters before this number may start here */
    unsigned threads, warps;
    uint64_t shared_bytes; /* of a block */
    struct shared_layout shared;
    struct block *resident; /* list, in order of start */
    struct block *idle;     /* finished ones, to use again */
    unsigned resident_count, resident_most;
    unsigned cluster[3], cluster_blocks; /* of each */
    struct cluster *spare_clusters;
    uint64_t workspace; /* for grid synchronisation: its address, 0 where there is none */
    struct still still;
    struct block *current; /* whose turn it is */
    struct run_chosen chosen;
    bool any_done;         /* in this round over the resident blocks */
    bool mixed;            /* a cluster was left before its end, so others may come in between */
    bool trial;            /* is the launch big enough for several cores? */
    struct cores *cores;   /* its workers, while it has some: see cores.h */
    struct worker *worker; /* this is the run of a worker; else NULL */
    struct touched_bytes *touched; /* what it touches, where that is noted; else NULL */
    uint64_t text_made;    /* bytes that vprintf has read and formatted */
    uint64_t given;        /* warp instructions that the running warp may execute */
    struct warp *turn;     /* the running warp */
    bool time_asked;       /* by that warp, in its last part of a turn */
    struct sim_tally *tally;
    uint32_t *hint; /* by pc: the allocation used last, or the piece of shared memory */
    struct listener *listeners;
    unsigned listener_count, asked; /* asked: ASKS() of all that some listener has */
    struct listener *of_accesses; /* copies of those that ask for accesses, side by side */
    unsigned of_accesses_count;
    const struct listener *counts; /* the only one of these, if it counts repeats */
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

/* memory.c */
int memory_save(struct sim_run *, struct allocation *, uint64_t from, uint64_t to);
void memory_restore(struct sim_run *);

/* launch.c */
void run_turns(struct sim_run *, uint64_t steps); /* so many warp instructions, or few more */
bool run_has_block(struct sim_run *); /* if none has begun, one begins; nothing of it has run */
/* From here on the warp goes first, or all warps of the block do: until none of them can go on, or
 * lets others have a turn. A block that has not begun begins. Then the usual order goes on. False: it
 * can't go on here. */
bool run_choose(struct sim_run *, uint64_t block, unsigned warp);
void run_rewind(struct sim_run *);                /* nothing of it has run yet */
void run_copy(struct sim_run *to, const struct sim_run *); /* the same grid, with nothing run */
void run_free(struct sim_run *);                  /* all that is its own */
void run_tell_repeated(struct sim_run *);
bool run_is_watched(const struct sim_run *, struct block *); /* are its instructions to be told? */

/* heap.c */
void heap_begin(struct sim_run *);
void heap_leaks(struct sim_run *);
void heap_end(struct sim_run *);
uint64_t heap_allocate(struct warp *, uint64_t bytes); /* 0: the heap is full */
bool heap_free(struct warp *, unsigned lane, uint64_t address); /* false: it is a fault */

/* fault.c */
struct sim_fault *run_fault(struct warp *, enum sim_fault_kind, unsigned lane, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* Gives a fault its second thread, which is at another instruction. */
void fault_other(const struct warp *, struct sim_fault *, const struct sim_instruction *,
                 unsigned lane);
/* The same, for an instruction that ends so; the result is FAULTED. */
enum after fault_stop(struct warp *, enum sim_fault_kind, unsigned lane, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
struct sim_fault *fault_record(struct sim_run *, enum sim_fault_kind,
                               const struct sim_instruction *at); /* NULL: counted, or no room */
void fault_trap(struct warp *, unsigned lane); /* at a trap instruction */
/* A fault that no single thread makes. */
void whole_fault(struct sim_run *, enum sim_fault_kind, const char *fmt, ...) PRINTF_LIKE(3, 4);
void run_no_end(struct sim_run *, enum sim_fault_kind, const char *why);
enum after run_out_of_memory(struct sim_run *); /* the result is FAULTED */

/* start.c */
bool is_cooperative(const struct sim_run *);
uint64_t block_bytes(const struct sim_run *); /* that one block takes on this computer */
int start_grid(struct sim_run *); /* the grid that launch and grid describe; -1: a fault */
void end_grid(struct sim_run *);  /* gives back what it had, but for its blocks */
/* Would a device refuse it? Then *why says why; its kind is SIM_FAULT_NONE where memory is out. */
bool launch_refused(struct sim *, const struct sim_launch *, struct sim_fault *why);
uint64_t nth_cluster(const struct sim_run *, uint64_t n);
void run_tell_begin(struct sim_run *);
/* Observers of a run: room for so many, each of them, and what follows from all. -1: no memory. */
int listeners_room(struct sim_run *, unsigned count);
int listeners_add(struct sim_run *, const struct sim_hooks *, void *self);
void listeners_ready(struct sim_run *);

/* still.c */
void still_begin(struct sim_run *);
void still_look(struct sim_run *); /* after a round over all resident blocks */
/* wait.c: passes over turns of a loop that only waits by a clock; all lanes go back to its start. */
void wait_pass_turns(struct warp *, const struct insn *branch);

uint64_t still_clock(const struct sim_run *, uint64_t steps);

/* cluster.c */
void cluster_shape(struct sim_run *);
uint64_t cluster_block(const struct sim_run *, uint64_t cluster, unsigned rank); /* its index */
struct cluster *cluster_new(struct sim_run *); /* NULL: no memory */
void cluster_retire(struct sim_run *, struct block *);
void cluster_exit(struct warp *, uint32_t mask);
bool cluster_stuck(const struct block *); /* does no block of its cluster go on? */
struct block *cluster_member(const struct warp *, unsigned rank); /* NULL: none, or it ended */
uint64_t cluster_owner(const struct warp *, unsigned rank);       /* its index; or UINT64_MAX */

/* Warp instructions so far, with those of the turn that runs. */
static inline uint64_t run_steps(const struct sim_run *r)
{
    return r->steps + r->given - (r->turn ? r->turn->left : 0);
}
/* Calls a hook of all observers that have it: TELL(run, begin, &begin). The arguments are only
 * computed where an observer has the hook. */
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
/* What hooks are told of lanes at an instruction. The block is set when its turn begins. */
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

#endif
