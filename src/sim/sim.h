/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libcudasim: PTX and memory in; memory, printed text, tallies, events and faults out. This is the
 * library's public header. It includes instruction.h, decoded instructions, and hooks.h, what
 * observers of a launch may ask for; texture.h has textures and surfaces.
 *
 * The library knows no prompt and no lab, prints nothing, keeps no state outside the handles below,
 * and gives the same bytes for the same input on every machine. Functions that can fail return -1
 * or NULL, and sim_message() then has one sentence saying what is wrong. Faults of a kernel are
 * results, not failures.
 *
 * A program that was built with an older or a newer header works as well: structs that may grow
 * begin with their size, which SIM_LAUNCH, SIM_LIMITS and SIM_HOOKS set. Memory that a launch uses
 * can't go away under it: while a run is not finished, nothing is freed, unloaded or closed. The
 * library reads and writes numbers by the C library, whose locale has to write them with a point.
 *
 *     struct sim *s = sim_open(NULL);
 *     struct sim_module *m = sim_module_load(s, "k.ptx", text, length);
 *     sim_malloc(s, bytes, &address);
 *     sim_write(s, address, data, bytes);
 *     struct sim_launch l = {SIM_LAUNCH, .kernel = ..., .grid = ...};
 *     struct sim_run *r = sim_start(s, &l);
 *     while (sim_step(r, 1 << 20) == SIM_RUNNING) { }
 *     const struct sim_result *out = sim_result(r);
 *     sim_finish(r);
 *     sim_read(s, address, data, bytes);
 *     sim_close(s);
 */
#ifndef CUDASIM_SIM_H
#define CUDASIM_SIM_H

#include "hooks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#pragma GCC visibility push(default) /* what is declared here, the library exports */
#endif

struct sim;
struct sim_module;
struct sim_run;

/* ---- the handle ---------------------------------------------------------------------- */

/* resize(ctx, NULL, 0, n) allocates; resize(ctx, p, old, 0) frees. NULL means the C library. */
struct sim_allocator {
    void *(*resize)(void *ctx, void *p, size_t old_size, size_t new_size);
    void *ctx;
};

struct sim *sim_open(const struct sim_allocator *);
/* Frees all that the handle has. -1: a launch is not finished, and nothing happens. */
int sim_close(struct sim *);
const char *sim_message(const struct sim *); /* of the last failure */
int sim_message_line(const struct sim *);    /* its line in the PTX, 0 where there is none */

/* What the simulator stands for; checked at launch. The default is an H100. To change a part of it:
 *     struct sim_limits limits = {SIM_LIMITS};
 *     sim_limits_default(&limits);  limits.capability = 75;  sim_set_limits(s, &limits); */
#define SIM_LIMITS .size = sizeof(struct sim_limits)
struct sim_limits {
    size_t size; /* SIM_LIMITS */
    int capability; /* 90 is 9.0 */
    unsigned max_threads_per_block, max_block[3], max_grid[3];
    unsigned multiprocessors, max_blocks_per_sm, max_threads_per_sm, max_registers_per_thread;
    uint64_t shared_per_block, shared_per_block_optin, shared_per_sm, constant_bytes;
    uint64_t global_bytes, local_per_thread, printf_bytes;
    uint64_t heap_bytes; /* that malloc() of device code can give; 0: 8 MiB */
};
void sim_limits_default(struct sim_limits *);
int sim_set_limits(struct sim *, const struct sim_limits *);

/* How many cores a launch may use; 0, which is the default: all that this process may use. The bytes
 * are the same with any number. A launch whose observers can't be split stays on one core. Threads
 * that a launch has made wait for the next ones, until the handle is closed. */
enum { SIM_CORES_MOST = 256 };
void sim_set_cores(struct sim *, unsigned most);

/* Asked now and then while a module is loaded. False: that fails, as "stopped". NULL: nobody is. */
void sim_set_go_on(struct sim *, bool (*goes_on)(void *ctx), void *ctx);

/* Asked for each variable while a module is loaded. SIM_PLACED: it gets this address, and the
 * caller's bytes, which are zero, as for sim_malloc_over(). SIM_PLACE_OWN: the simulator gives both.
 * NULL: nobody is asked. */
enum sim_place_answer { SIM_PLACE_OWN, SIM_PLACED, SIM_NO_PLACE };
typedef enum sim_place_answer sim_place_variable(void *ctx, const char *name, bool is_managed,
                                                 uint64_t bytes, uint64_t *address, void **host);
void sim_set_places(struct sim *, sim_place_variable *, void *ctx);

/* Without this processor's own vector instructions: the same answers, slower. For tests; before
 * the first module is loaded. */
int sim_use_plain(struct sim *);

/* ---- memory -------------------------------------------------------------------------- */

/* Fresh memory reads as zero and counts as never written. `name` may be NULL. */
int sim_malloc(struct sim *, uint64_t bytes, const char *name, uint64_t *address);
/* At an address of the caller's choice, where nothing else is. */
int sim_malloc_at(struct sim *, uint64_t address, uint64_t bytes, const char *name);
/* The same, with the caller's bytes in place of memory of the library's own. They are the caller's
 * until the array is freed, who may read and write them while no launch is under way. */
int sim_malloc_over(struct sim *, uint64_t address, uint64_t bytes, const char *name, void *host);
int sim_free(struct sim *, uint64_t address); /* not while a launch is under way */
int sim_write(struct sim *, uint64_t address, const void *from, uint64_t bytes);
int sim_read(struct sim *, uint64_t address, void *to, uint64_t bytes);

/* ---- modules ------------------------------------------------------------------------- */

unsigned sim_type_size(enum sim_type); /* bytes */
const char *sim_type_name(enum sim_type);

struct sim_param {
    const char *name;
    enum sim_type type; /* of an array (a struct by value): its element, with size = all bytes */
    unsigned offset, size, align;
    bool is_array;
};

struct sim_kernel {
    const char *name; /* as in the PTX, mangled where C++ mangled it */
    const struct sim_param *params;
    unsigned param_count, param_bytes;
    uint64_t static_shared;
    uint64_t local_bytes;   /* a thread, own frame */
    int needs_capability;   /* lowest that has every instruction the kernel can reach */
    const char *needs_what; /* the instruction that asks for it */
    bool cooperative;       /* it uses grid synchronisation */
    bool reads_clock;       /* or the timer of the device */
    bool needs_clock;       /* what it does depends on when it begins */
    unsigned cluster[3];    /* blocks of a cluster; 0: it names no size, ... */
    bool needs_cluster;     /* ... but the launch has to: see .explicitcluster */
    const char *closed;     /* why it can't run here ("unsupported instruction ..."), or NULL */
    int closed_line;        /* line in the PTX */
    const char *closed_file; /* place in the source; NULL where it is not known */
    int closed_source_line;
    bool lacks;             /* the PTX is right, but the simulator lacks what it asks for */
    const char *undefined;  /* a function that it can reach and that has no code; NULL: none */
    int line;               /* of its first instruction in the PTX */
};

struct sim_variable {
    const char *name;
    enum sim_space space; /* SIM_GLOBAL or SIM_CONST */
    enum sim_type type;
    uint64_t address, size;
    bool hidden; /* made by the compiler: string literals and the like */
};

struct sim_module *sim_module_load(struct sim *, const char *path, const char *ptx, size_t length);
int sim_module_unload(struct sim *, struct sim_module *); /* not while a launch is under way */
size_t sim_kernel_count(const struct sim_module *);
const struct sim_kernel *sim_kernel_at(const struct sim_module *, size_t i);
const struct sim_kernel *sim_kernel_find(const struct sim_module *, const char *name);
size_t sim_variable_count(const struct sim_module *);
const struct sim_variable *sim_variable_at(const struct sim_module *, size_t i);

/* ---- launching ----------------------------------------------------------------------- */

/*
 * LOCKSTEP: blocks and warps in order, a warp's lanes together wherever they can be.
 * RANDOM: blocks and warps in an order drawn from the seed. INDEPENDENT: as random, and
 * lanes of a warp drift apart between synchronisations, as they may since Volta.
 */
enum sim_schedule { SIM_LOCKSTEP, SIM_RANDOM, SIM_INDEPENDENT };

/* An array of a launch, and how its elements lie. */
struct sim_array {
    const struct sim_kernel *kernel;
    enum sim_space space;
    const char *name;
    uint64_t address, size; /* of shared memory the address says nothing */
    const void *params;     /* what the kernel is given */
};
enum { SIM_DIMS = 4 };
struct sim_shape {
    unsigned each; /* bytes of an element */
    unsigned dims; /* 0: it is not known, or there is one */
    uint64_t dim[SIM_DIMS];
    bool scalars;  /* the kernel takes it as such elements, not as structs of them */
};

#define SIM_LAUNCH .size = sizeof(struct sim_launch)
struct sim_launch {
    size_t size;          /* SIM_LAUNCH */
    const struct sim_kernel *kernel;
    unsigned grid[3], block[3];
    uint64_t shared_bytes; /* dynamic */
    const void *params;   /* param_bytes of them, laid out by sim_param.offset */
    enum sim_schedule schedule;
    uint64_t seed;
    uint64_t step_limit;  /* warp instructions, 0 means none */
    bool plain;           /* as <<<>>> does it: blocks that want to wait for all others can't */
    bool not_opted_in;    /* to more shared memory a block than comes by itself */
    const struct sim_observer *observers;
    unsigned observer_count;
    /* Who knows the shape of arrays, for what is said of their elements; may be NULL. */
    bool (*shape_of)(const void *shapes, const struct sim_array *, struct sim_shape *);
    const void *shapes;
    unsigned cluster[3];  /* its blocks; 0: as the kernel says */
    uint64_t clock;       /* what the kernel's clocks show when it begins */
};

enum sim_fault_kind {
    SIM_FAULT_NONE,
    /* findings: the launch goes on */
    SIM_INVALID_SHUFFLE, SIM_PRINTF_OVERFLOW, SIM_LEAK, SIM_BARRIER_DIVERGENCE,
    /* the rest end it */
    SIM_OUT_OF_BOUNDS, SIM_USE_AFTER_FREE, SIM_HOST_POINTER, SIM_MISALIGNED, SIM_NULL,
    SIM_DEADLOCK, SIM_TIMEOUT, SIM_TRAP, SIM_ASSERT, SIM_STACK_OVERFLOW, SIM_BAD_LAUNCH,
    SIM_OUT_OF_MEMORY, SIM_UNSUPPORTED
};
const char *sim_fault_name(enum sim_fault_kind); /* "out-of-bounds" */
bool sim_fault_ends(enum sim_fault_kind);
struct sim_fault;
const char *sim_fault_cure(const struct sim_fault *); /* "bounds"; NULL: it isn't known */

/* What mends a fault, where that is one thing. */
enum sim_cure { SIM_CURE_UNKNOWN, SIM_CURE_BOUNDS, SIM_CURE_FREE, SIM_CURE_SHARED_BYTES,
                SIM_CURE_SHARED_BOUNDS, SIM_CURE_MASK, SIM_CURE_CHILD_POINTER,
                SIM_CURE_CLUSTER_END, SIM_CURE_MBARRIER, SIM_CURE_COOPERATIVE,
                SIM_CURE_OTHER_DEVICE, SIM_CURES };

struct sim_place {
    const char *file; /* NULL where not known */
    int line;
    unsigned block[3], thread[3];
};

enum { SIM_ELEMENT = 96 };
struct sim_fault {
    enum sim_fault_kind kind;
    enum sim_cure cure;
    char message[240];
    struct sim_place at, other;
    bool has_place, has_other, has_address;
    bool in_child; /* of a grid that device code launched */
    int ptx_line;
    uint64_t address;
    const char *array; /* the allocation or variable it lies in or next to, or NULL */
    int64_t index;     /* of its element */
    char element[SIM_ELEMENT]; /* "tile[1][0]" */
    uint64_t given, needed; /* SIM_CURE_SHARED_BYTES: bytes of the launch, and for this access */
    uint64_t count;
    uint64_t when; /* warp instructions executed before the case that is told */
};

/* How often each instruction ran; indexed like sim_instruction. */
struct sim_tally {
    uint64_t warps;    /* executions by a warp, with or without active lanes */
    uint64_t lanes;    /* lanes whose guard was true */
    uint64_t off;      /* lanes that were active, but whose guard was false */
    uint64_t diverged; /* of a branch: executions whose lanes went both ways */
    uint64_t absent;   /* lanes that have no thread, in the last warp of a block */
};

struct sim_print {
    uint64_t block, thread; /* linear; the blocks of a child grid count on from the grids before */
    const char *text;       /* one printf call's output, not always a whole line */
    size_t length;
};

/* The child grids that device code launched. A launch that a device refuses leaves the kernel an
 * error code; here is the first of them. */
struct sim_children {
    uint64_t grids, refused;
    const struct sim_kernel *kernels; /* those of the module, and the grids of each; both live as */
    const uint64_t *of_kernel;        /* long as the run */
    size_t kernel_count;              /* 0: nothing was launched */
    const char *error; /* "cudaErrorInvalidConfiguration"; NULL: none was refused */
    const char *why;   /* in words */
    const char *file;  /* of the launch, or NULL */
    int line;
};

struct sim_result {
    const struct sim_fault *faults;
    unsigned fault_count;
    const struct sim_print *prints; /* in order of execution */
    size_t print_count, prints_lost;
    const struct sim_instruction *code;
    const struct sim_tally *tally;
    uint32_t code_count;
    uint64_t steps; /* warp instructions executed */
};

enum sim_status { SIM_RUNNING, SIM_DONE, SIM_FAULTED };

/* A launch that can't start at all is a run that is SIM_FAULTED at once (bad-launch, ...). */
struct sim_run *sim_start(struct sim *, const struct sim_launch *);
enum sim_status sim_step(struct sim_run *, uint64_t steps);
double sim_part(const struct sim_run *); /* of its blocks, those that have ended: 0 to 1 */
void sim_stop(struct sim_run *, enum sim_fault_kind, const char *message); /* between steps */
const struct sim_result *sim_result(struct sim_run *);
struct sim_children sim_children(const struct sim_run *);
/* Fills in the array or shared variable that an address of an event lies in or next to, and its
 * element; false where it has no name. For observers, while the launch runs. */
bool sim_element_at(struct sim_run *, enum sim_space, uint64_t address, unsigned bytes,
                    struct sim_fault *);
/* Bytes of an element of the array of global memory there; 0: not known, or it may hold structs. */
unsigned sim_scalar_at(struct sim_run *, uint64_t address);
void sim_finish(struct sim_run *); /* after a fault that ends the launch: memory as before it */

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
