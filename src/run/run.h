/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A student's whole program on the simulator. The program runs in a process of its own, with a
 * library of ours in place of NVIDIA's runtime (run/client). Here its requests are answered. What a
 * kernel or the host does wrong becomes a fault of the report.
 *
 * The program has a device of its own, so the arrays and kernels of the session stay as they are.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "cc/host-lines.h"
#include "cc/jit.h"
#include "own/unit.h"
#include "run/built.h"
#include "run/memory.h"
#include "run/order.h"
#include "run/sources.h"
#include "run/time.h"
#include "run/wire.h"
#include "session/session.h"

enum { RUN_USUAL_SHARED = 48 << 10 }; /* bytes of a block, for a kernel that asked for no more */

struct run_area; /* area.h */
struct run_operation; /* queue.c */
struct run_guard; /* guard.c */
struct run_graph; /* graph.h */
struct run_pool; /* pools.c */
struct run_capture; /* capture.c */
struct run_condition; /* condition.c */
struct run_made; /* jit.c */
struct run_texture; /* images.c */
struct run_repeat; /* repeat.c */
struct run_site; /* areas.c */
struct fatbin;
struct fat_entry;

/* A kernel of a module that the program has named, and its launches. */
struct run_kernel {
    const struct unit_kernel *kernel;
    struct unit *unit;
    uint64_t bound;        /* threads of a block, by __launch_bounds__; 0: none */
    int carveout;          /* in percent, and one; 0: it was not asked for */
    bool large_clusters;   /* of more blocks than all cards take */
    const char *library; /* "cuBLAS": it is not the program's own; NULL: it is */
    uint64_t launches, from_device; /* by the host, and by device code */
    struct counters counters;
    bool has_counters;
    uint64_t device_ps;    /* modelled, of all launches: what their work takes on the device */
    double modelled_s;     /* the same with the launches themselves */
    bool unmodelled;       /* some launch has no such time */
    uint64_t opted_in; /* bytes of shared memory a block that it asked for */
};

/* The place of a call in the student's file. `call`: its address in the program. */
struct run_place { char file[FAULT_FILE]; int line; uint64_t call; };

struct run_stream {
    bool used, blocking; /* blocking: it and the default stream wait for each other */
    bool of_graphs;      /* the program has no handle of it: see run_add_lane() */
    uint32_t thread;     /* the default stream of this thread of the program; 0: it is none */
    unsigned flags;
    int priority;
    size_t last;         /* the number of its last operation; 0: none */
    size_t open;         /* how many of its operations are not done */
    uint64_t until;      /* the modelled end of those that are done */
    struct run_clock clock;
};

struct run_event {
    bool used, recorded, untimed;
    size_t after;
    uint64_t at;    /* the modelled time */
    double program; /* the time of the program itself, when it was recorded */
    struct run_clock clock;
};

/* What all launches and copies cost: cost.c. */
enum run_way { RUN_WAY_IN, RUN_WAY_OUT, RUN_WAY_WITHIN, RUN_WAY_FILL, RUN_WAYS /* none */ };
extern const char *const run_way_names[RUN_WAYS];
struct run_cost {
    struct line_count *lines; /* of all kernels, sorted by file and line */
    size_t line_count, line_room;
    bool lines_lost; /* memory was out */
    struct arena names;
    struct { uint64_t count, bytes; } transfers[RUN_WAYS];
};

struct run {
    struct session session; /* with the program's device and units; its settings are the shell's */
    struct report *report;
    struct span program;     /* the bytes of its file */
    struct run_built built;
    struct run_sources sources;
    struct host_lines lines;
    bool has_lines;
    /* What ptxas says of PTX, for a kind of card, 90 for sm_90; false: nothing. May be NULL. */
    bool (*usage)(void *ctx, struct span ptx, unsigned arch, struct buf *said);
    /* May the text of this file be shown, which the program names? NULL: of every file. */
    bool (*may_read)(void *ctx, const char *path);
    /* Takes what the program has printed by now. NULL: nobody does. */
    void (*take_printed)(void *ctx);
    void *ctx;
    int socket, theirs;      /* the ends of the socket, ours and the program's */
    int memory;              /* that is shared */
    unsigned char *shared;   /* where cudalab has it */
    uint64_t shared_used;
    uint64_t shared_most;    /* bytes of pinned and managed memory at a time; 0: any */
    struct unit **modules;   /* of a module with several files, the leader */
    unsigned module_count;
    struct run_kernel **kernels;
    unsigned kernel_count;
    struct run_area *areas;
    size_t area_count;
    size_t *area_index; /* areas.c */
    size_t index_count, index_capacity, indexed;
    struct run_site *sites;
    size_t site_count, site_capacity;
    struct run_operation *operations;
    size_t operation_count, forgotten; /* those that are done have left the list */
    struct run_wanted { const char *name; uint64_t address; } *wanted; /* of the next module */
    size_t wanted_count;
    struct arena wanted_names;
    struct run_stream *streams; /* [0] is the default stream */
    unsigned stream_count;
    struct run_event *events;
    unsigned event_count;
    struct run_guard **guards; /* guard.c */
    size_t guard_count, guard_capacity;
    struct run_pool *pools; /* pools.c */
    size_t pool_count;
    uint64_t graph_memory_high, graph_memory_kept, graph_memory_kept_high;
    uint64_t stack_bytes, persisting_l2, pending_launches; /* limits.c; 0: not set */
    struct run_texture *textures; /* images.c: textures and surfaces */
    size_t texture_count;
    uint64_t textures_made; /* and ended: counts all changes of the list */
    struct run_repeat *repeats; /* repeat.c */
    size_t repeat_count;
    uint64_t repeat_bytes;
    struct run_graph **graphs;
    size_t graph_count, graph_capacity;
    uint64_t node_count; /* the number of the last node that was made */
    struct run_condition *conditions; /* condition.c */
    size_t condition_count;
    struct run_capture **captures;
    size_t capture_count;
    uint64_t capture_number;
    size_t last_default; /* the default stream's last operation */
    struct run_clock host;           /* what the host has waited for */
    struct run_done **done;          /* order.c */
    size_t done_count, done_capacity, done_pages;
    const struct run_stamp *calling; /* the function of the host that runs now; NULL: none */
    uint64_t drawn;                  /* how often the order was drawn */
    int32_t broken;      /* the error that every call returns from now on; 0: none */
    struct run_made *made; /* images that were made while the program ran */
    unsigned made_count;
    struct buf left;     /* by the last of the requests that make or load images */
    /* NVRTC, with `ctx`; NULL: this cudalab has none. */
    int (*jit)(void *ctx, const struct jit_want *, struct jitted *, struct err *);
    struct buf lacking;  /* what is not served: a function a line, or a sentence with a colon */
    uint64_t launches;
    struct run_cost cost;
    bool crashed;        /* the host has, and its place is told */
    bool out_of_time;    /* a kernel was, which is told */
    bool looked_at;      /* the session's look wanted a launch, so the program was ended there */
    struct run_time time;
    bool ended;          /* there is nobody to talk with any more */
    bool said_end;       /* the program has said that it ends, with this status */
    int status;
    struct run_unseen {  /* an error that a program without text perhaps ignored; error 0: none */
        int32_t error;
        char name[64];
        struct run_place at;
    } unseen;
    bool asks;           /* the program asks for its last error somewhere */
    uint64_t blamed;     /* the call of the last mistake; 0: none */
    bool capture_broken; /* the program went on after an error that ended a capture */
    struct run_refused { /* the last launch that was refused; error 0: none */
        int32_t error;
        struct run_place at;
        const struct run_kernel *kernel;
        char why[128];
        bool told;
    } refused;
};

/* Makes what the program needs: a device, a socket, memory. `program` has the bytes of its file,
 * which stay there, and `path` is its name in errors. -1: the error says why, also where such a
 * program can't run here. Then the files that were typed are given (sources.h). */
int run_open(struct run *, const struct session *, const char *path, struct span program,
             struct report *, struct err *);
void run_close(struct run *);
/* The descriptors for the program: its socket, and behind it the memory. */
void run_descriptors(const struct run *, int fds[2]);
/* Answers a request. False: there will be no more. */
bool run_serve(struct run *);
/* What is known only at the end: memory that was not freed, work that nobody waited for. */
void run_finish(struct run *);

/* ---- inside ---------------------------------------------------------------------------- */

/* serve.c: the program's own memory, and its stdout, while it waits for an answer. Not 0: an error
 * of CUDA. */
int32_t run_fetch(struct run *, uint64_t from, void *to, uint64_t n);
int32_t run_store(struct run *, uint64_t to, const void *from, uint64_t n);
void run_print(struct run *, const char *text, size_t n);
void run_end_program(struct run *); /* at once, with what it has printed */
void run_protect(struct run *, uint64_t from, uint64_t n, int how);
void run_callback(struct run *, const uint64_t number[4]);
struct run_place run_place_of(struct run *, const struct run_message *);
/* The device's variable that the program has this address for. False: there is none. */
bool run_shadow_of(struct run *, uint64_t address, char name[RUN_SHADOW_MOST + 1]);
int32_t run_note_lacking(struct run *, const char *); /* see `lacking` */

/* memory.c */
int32_t run_allocate(struct run *, struct run_message *);
int32_t run_allocate_in_order(struct run *, struct run_message *); /* or at once */
int32_t run_release(struct run *, struct run_message *);
int32_t run_leave_now(struct run *, uint64_t address);
int32_t run_memory_info(const struct run *, struct run_message *);
int32_t run_point(struct run *, struct run_message *);
int32_t run_check_copy(struct run *, const struct run_message *);
int32_t run_check_fill(struct run *, const struct run_message *);
int32_t run_copy_now(struct run *, const struct run_message *);
int32_t run_fill_now(struct run *, const struct run_message *);
/* A place in the shared memory for a __managed__ variable: see sim_set_places(). */
sim_place_variable run_place_variable;
int32_t run_want_variable(struct run *, const struct run_message *, const char *name);
void run_forget_wanted(struct run *);
/* A variable of a module is memory that copies may use. */
int32_t run_know_variable(struct run *, uint64_t at, uint64_t bytes, const char *name);
/* The array that an address lies in; false: in none. */
bool run_area_range(const struct run *, uint64_t address, uint64_t *from, uint64_t *to);
/* The __managed__ variables one after the other, from *i = 0 on; false: there are no more. */
bool run_next_variable(const struct run *, size_t *i, uint64_t *from, uint64_t *to);
const char *run_area_name(const struct run *, uint64_t address);
/* Those that are there become arrays of the session, of a type that is not known. areas.c */
void run_name_arrays(struct run *);
void run_find_leaks(struct run *);
void run_forget_memory(struct run *, bool all); /* or all but __managed__ variables */
/* The bytes from the first one that a copy or a fill uses to the last; 0: it uses none. A copy has
 * two sides. What is too large for 64 bits is UINT64_MAX. */
uint64_t run_span(const struct run_message *, bool is_to);
bool run_is_pageable(const struct run *, const struct run_message *); /* a side of the copy */
bool run_waits_for_copy(const struct run *, const struct run_message *);
bool run_waits_for_fill(const struct run *, const struct run_message *); /* of the host's memory */

/* sizes.c: copies and fills that have elements for bytes. */
void run_find_short(struct run *, const struct run_message *);
void run_find_past_room(struct run *, const struct run_message *); /* of the host */
/* Adds to a fault of a kernel what sizes of calls have to do with it. */
void run_find_cause(const struct run *, struct fault *);

/* pools.c: what is registered; memory that nodes of graphs bring, and is there from then on. */
int32_t run_reserve(struct run *, struct run_message *);
int32_t run_pool_check(struct run *, uint64_t pool, uint64_t bytes);
void run_pool_took(struct run *, uint64_t pool);
void run_forget_pools(struct run *);
int32_t run_memory_request(struct run *, struct run_message *, bool *known);
int32_t run_come_now(struct run *, uint64_t address);
bool run_is_there(const struct run *, uint64_t address);

/* limits.c */
void run_usual_limits(struct run *);
int32_t run_limit_request(struct run *, struct run_message *, bool *known);

/* images.c */
int32_t run_image_request(struct run *, struct run_message *, const struct buf *bytes, bool *known);
void run_forget_textures(struct run *);
bool run_has_surfaces(const struct run *);
/* Adds the bytes of all textures to the set. False: memory is out. */
bool run_texture_bytes(const struct run *, struct byte_set *);

/* nodes.c, capture.c. A request that a captured stream takes, or a capture forbids, is *taken. */
int32_t run_graph_request(struct run *, struct run_message *, const struct buf *bytes,
                          struct buf *answer, bool *known);
int32_t run_capture_request(struct run *, struct run_message *, const struct buf *bytes,
                            struct buf *answer, bool *taken);
void run_forget_graphs(struct run *);
void run_forget_captures(struct run *);

/* condition.c: conditional nodes of graphs, and what their kernels decide. `operation` is that of
 * the node. */
int32_t run_condition(struct run *, struct run_message *);
int32_t run_condition_now(struct run *, const struct run_message *, size_t operation);
bool run_is_condition(const struct run *, uint64_t address);
void run_forget_conditions(struct run *);

/* streams.c. Where a request has its stream; NULL: it has none. The default stream of a thread
 * becomes a stream like others, or an error is returned. */
uint64_t *run_stream_in(struct run_message *);
int32_t run_resolve_stream(struct run *, struct run_message *);
struct run_stream *run_stream_of(struct run *, uint64_t handle, size_t *index); /* NULL: none */
bool run_stream_blocks(const struct run *, uint64_t stream); /* it and the default stream wait */
/* The index of a stream for an operation that has none, and comes behind what the clock has. 0:
 * memory is out. */
size_t run_add_lane(struct run *, const struct run_clock *);
int32_t run_stream_request(struct run *, struct run_message *, bool *known);

/* queue.c: operations are done as late as CUDA allows. */
int32_t run_enqueue(struct run *, const struct run_message *, uint64_t stream, const void *params);
/* The same, but nothing is done yet: call run_make_room() before the first. The operation comes
 * behind the `after`, of which none is done; its stream may be RUN_NO_STREAM. *number is its
 * number. */
int32_t run_enqueue_after(struct run *, const struct run_message *, uint64_t stream,
                          const void *params, const size_t *after, unsigned count,
                          size_t *number);
void run_make_room(struct run *);
/* Does at once what belongs to an operation that is being done, a node of a body say. */
int32_t run_do_within(struct run *, size_t operation, const struct run_message *,
                      const void *params);
bool run_order_is_drawn(struct run *); /* else each run has the same one */
/* Does an operation that nobody waits for, and all that comes before it. */
void run_do_open(struct run *, size_t operation);
/* The device may begin with what nobody waits for, if the schedule is a drawn one. */
void run_begin_some(struct run *);
/* All that comes later in the stream comes behind what the clock has. */
int32_t run_stream_behind(struct run *, uint64_t stream, const struct run_clock *);
int32_t run_wait_all(struct run *);
bool run_is_idle(const struct run *); /* nothing is left to be done */
int32_t run_queue_request(struct run *, struct run_message *, bool *known);
/* Is an operation open that has no order with this one? */
/* The first open operation from place *i of the list on, which becomes its place; NULL: none. */
const struct run_message *run_open_at(const struct run *, size_t *i);
bool run_open_meets(const struct run *, const struct run_stamp *);
const struct run_stamp *run_stamp_of(const struct run *, size_t number); /* NULL: it is forgotten */
void run_find_unwaited(struct run *);
void run_forget_queue(struct run *);

/* guard.c: memory of both while an operation is open. */
void run_guard_begin(struct run *, size_t operation, const struct run_message *,
                     const void *params);
void run_guard_end(struct run *, size_t operation);
void run_guard_forget(struct run *);
/* Has the host touched what the operation may use? Then it is compared with what it did use. */
bool run_guard_was_touched(const struct run *, size_t operation);
void run_guard_judge(struct run *, size_t operation, const struct touched *);
void run_guard_again(struct run *); /* closes the pages that were opened for something else */
int32_t run_touched(struct run *, struct run_message *);

/* launch.c */
int32_t run_load(struct run *, struct run_message *, struct buf *bytes);
/* Loads a module of one or several files, and takes what they have in buffers. */
int32_t run_load_parts(struct run *, struct unit_from *, unsigned count, struct err *);
/* The PTX for this device, of any of its containers; NULL: there is none. */
const struct fat_entry *run_choose_ptx(const struct run *, const struct fatbin *);
int32_t run_find_kernel(struct run *, struct run_message *, const char *name, struct buf *answer);
int32_t run_name_kernel(const struct run *, struct run_message *, struct buf *answer);
int32_t run_find_variable(struct run *, struct run_message *, const char *name);
int32_t run_launch_now(struct run *, const struct run_message *, const void *params,
                       struct touched *); /* NULL: nobody asks what it touches */
const char *run_kernel_name(const struct run *, uint64_t number);
struct run_kernel *run_kernel_of(const struct run *, uint64_t number); /* NULL: there is none */

/* refusal.c: the error of a launch that the device refuses, and why; 0: it may begin. */
int32_t run_check_launch(struct run *, const struct run_message *);

/* errors.c: the program went on after this error. And the end of the program. */
int32_t run_ignored(struct run *, const struct run_message *, const char *name);
void run_finish_errors(struct run *);

/* repeat.c: launches that come again with the same bytes. The launch is the message's; NULL: it
 * can't be kept. */
struct run_repeat *run_repeat_of(struct run *, const struct run_message *, const void *params);
/* The launch before it was the same, and so is memory: it is done, and this is its result. NULL: it
 * has to be executed. */
const struct launch_result *run_repeat_take(struct run *, struct run_repeat *, struct touched *);
/* Is it worth to be kept, since it came before say? Then note what it touches. */
bool run_repeat_wants(const struct run *, const struct run_repeat *);
void run_repeat_before(struct run *, struct run_repeat *);
/* True: the result belongs to it now. */
bool run_repeat_keep(struct run *, struct run_repeat *, const struct touched *,
                     const struct launch_result *);
void run_forget_repeats(struct run *);

/* functions.c: what is asked about kernels, and what a launch may not ask of them */
int32_t run_function(struct run *, struct run_message *, struct buf *answer);
void run_find_bound(struct run_kernel *); /* of its threads */
int32_t run_check_cluster(const struct run_kernel *, const uint64_t cluster[3]);
int32_t run_check_cooperative(struct run *, const struct run_kernel *, uint64_t blocks,
                              uint64_t threads, uint64_t dynamic);

/* text.c: what the student's text says. Does the program look at what this call returned? */
enum run_look { RUN_LOOK_UNKNOWN, RUN_LOOKED, RUN_NOT_LOOKED };
enum run_look run_look_of(const struct run *, const struct run_place *, const char *name);
/* The variable that a call gives memory to, as the text has it; empty: that is not sure. It is the
 * call of this number at its line. in_order: so it is in the text, unless that has a choice. */
void run_name_of(const struct run *, const struct run_place *, unsigned number, bool in_order,
                 char *name, size_t room);
/* Is the size that this call has there a number of elements, as the text has it elsewhere? */
bool run_counts_elements(const struct run *, const struct run_place *, const char *name);
/* Loads PTX as a module, the last one from now on. */
int32_t run_load_text(struct run *, const char *path, struct span source, struct span ptx);

/* libraries.c: what libraries of ours do in place of NVIDIA's. */
int32_t run_load_library(struct run *, struct run_message *, const struct buf *bytes);
/* The library that a module is of; NULL: none, it is the program's. */
const char *run_library_of(const struct unit *);
/* A fault of such a kernel is told at the call of the program, which led to it. */
void run_blame_caller(struct run *, const struct run_message *, const struct run_kernel *,
                      struct fault *);
int32_t run_library_mistake(struct run *, const struct run_message *, const struct buf *bytes);
/* What must be known of counts and numbers, from 0 on for each library that did something; NULL:
 * there are no more. */
const char *run_library_note(const struct run *, unsigned number);

/* jit.c */
int32_t run_image(struct run *, struct run_message *, const struct buf *bytes);
int32_t run_link(struct run *, struct run_message *, const struct buf *bytes);
int32_t run_jit(struct run *, struct run_message *, const struct buf *bytes);
int32_t run_compiler(struct run *, struct run_message *, struct buf *answer);
int32_t run_give_left(const struct run *, struct buf *answer);
void run_forget_made(struct run *);

/* cost.c */
void run_cost_launch(struct run_cost *, const struct launch_result *);
void run_cost_copy(struct run_cost *, const struct run *, const struct run_message *);
enum run_way run_cost_way(const struct run *, const struct run_message *); /* of a copy or a fill */
uint64_t run_cost_bytes(const struct run_message *);
void run_cost_free(struct run_cost *);

/* facts.c */
int32_t run_properties(const struct run *, struct buf *answer);
int32_t run_attribute(const struct run *, struct run_message *);
/* old-properties.c: the same as the program's toolkit has them. */
int32_t run_properties_as(const struct run *, const struct run_message *, struct buf *answer);

/* mistakes.c: a mistake of the host. `at` is the call. */
void run_mistake(struct run *, const char *kind, const struct run_place *at, bool benign,
                 const char *fmt, ...) PRINTF_LIKE(5, 6);
/* The same with a lesson of its own in help/findings.txt. */
void run_mistake_with_cure(struct run *, const char *kind, const char *cure,
                           const struct run_place *at, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* The same of two calls. */
void run_mistake_of_two(struct run *, const char *kind, const struct run_place *at,
                        const struct run_place *other, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* As the function of this name calls it: of the runtime, of the driver, or of NVRTC. */
const char *run_error_name(const char *function, int32_t error);
/* What a function that is not served returns. */
const char *run_lacking_error(const char *function);

#endif
