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
#include "run/memory.h"
#include "run/wire.h"
#include "session/session.h"

struct run_area; /* memory.c */
struct run_operation; /* queue.c */
struct run_guard; /* guard.c */
struct run_made; /* jit.c */
struct fatbin;
struct fat_entry;

/* A kernel of a module that the program has named, and its launches. */
struct run_kernel {
    const struct unit_kernel *kernel;
    uint64_t launches;
    struct counters counters;
    bool has_counters;
    uint64_t opted_in; /* bytes of shared memory a block that it asked for */
    uint64_t cost;     /* of the next launch in microseconds; 0: not known */
};

/* The place of a call in the student's file. */
struct run_place { char file[128]; int line; };

struct run_stream {
    bool used, blocking; /* blocking: it and the default stream wait for each other */
    size_t last;         /* the number of its last operation; 0: none */
};

/* What all launches and copies cost: cost.c. */
enum run_way { RUN_WAY_IN, RUN_WAY_OUT, RUN_WAY_WITHIN, RUN_WAY_FILL, RUN_WAYS };
extern const char *const run_way_names[RUN_WAYS];
struct run_cost {
    struct line_count *lines; /* of all kernels, sorted by file and line */
    size_t line_count, line_room;
    bool lines_lost; /* memory was out */
    struct arena names;
    struct { uint64_t count, bytes; } transfers[RUN_WAYS];
};

struct run_event { bool used, recorded; size_t after; double at; };

struct run {
    struct session session; /* with the program's device and units; its settings are the shell's */
    struct report *report;
    struct span program, source; /* the program's file, and the student's text */
    struct host_lines lines;
    bool has_lines;
    int socket, theirs;      /* the ends of the socket, ours and the program's */
    int memory;              /* that is shared */
    unsigned char *shared;   /* where cudalab has it */
    uint64_t shared_used;
    const char *source_path; /* of the student's file; NULL: a program that was built before */
    struct unit **modules;
    unsigned module_count;
    struct run_kernel **kernels;
    unsigned kernel_count;
    struct run_area *areas;
    size_t area_count;
    struct run_operation *operations;
    size_t operation_count, forgotten; /* those that are done have left the list */
    struct run_stream *streams; /* [0] is the default stream */
    unsigned stream_count;
    struct run_event *events;
    unsigned event_count;
    struct run_guard **guards; /* guard.c */
    size_t guard_count;
    size_t last_default; /* the default stream's last operation */
    int32_t broken;      /* the error that every call returns from now on; 0: none */
    struct run_made *made; /* images that were made while the program ran */
    unsigned made_count;
    struct buf left;     /* by the last of the requests that make or load images */
    /* NVRTC; NULL: this cudalab has none. */
    int (*jit)(const struct jit_want *, struct jitted *, struct err *);
    struct buf lacking;  /* functions that are not served, a line each */
    uint64_t launches;
    struct run_cost cost;
    bool timed;          /* the program asked for the time between two events */
    bool ended;          /* the program has said that it ends, with this status */
    int status;
};

/* Makes what the program needs: a device, a socket, memory. `program` has the bytes of its file,
 * which stay there. -1: the error says why. */
int run_open(struct run *, const struct session *, const char *source_path, struct span source,
             struct span program, struct report *, struct err *);
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
int32_t run_store(struct run *, uint64_t to, uint64_t pitch, uint64_t row, const void *from,
                  uint64_t n);
void run_print(struct run *, const char *text, size_t n);
void run_protect(struct run *, uint64_t from, uint64_t n, int how);
void run_callback(struct run *, const uint64_t number[4]);
struct run_place run_place_of(struct run *, const struct run_message *);

/* memory.c */
int32_t run_allocate(struct run *, struct run_message *);
int32_t run_release(struct run *, struct run_message *);
int32_t run_memory_info(const struct run *, struct run_message *);
int32_t run_point(struct run *, struct run_message *);
int32_t run_check_copy(struct run *, const struct run_message *);
int32_t run_check_fill(struct run *, const struct run_message *);
int32_t run_copy_now(struct run *, const struct run_message *);
int32_t run_fill_now(struct run *, const struct run_message *);
/* A variable of a module is memory that copies may use. */
int32_t run_know_variable(struct run *, uint64_t at, uint64_t bytes, const char *name);
int32_t run_share_variable(struct run *, struct run_message *, uint64_t at); /* __managed__ */
void run_share_in(struct run *);  /* before a launch: the host's bytes for kernels */
void run_share_out(struct run *); /* after it */
/* The array that an address lies in; false: in none. */
bool run_area_range(const struct run *, uint64_t address, uint64_t *from, uint64_t *to);
/* The __managed__ variables one after the other, from *i = 0 on; false: there are no more. */
bool run_next_variable(const struct run *, size_t *i, uint64_t *from, uint64_t *to);
const char *run_area_name(const struct run *, uint64_t address);
void run_find_leaks(struct run *);
void run_forget_memory(struct run *);
bool run_waits_for_copy(const struct run *, const struct run_message *); /* of pageable memory */

/* queue.c: operations are done as late as CUDA allows. */
int32_t run_enqueue(struct run *, const struct run_message *, uint64_t stream, void *params);
int32_t run_wait_stream(struct run *, uint64_t stream);
int32_t run_wait_all(struct run *);
int32_t run_queue_request(struct run *, struct run_message *, bool *known);
void run_find_unwaited(struct run *);
void run_forget_queue(struct run *);

/* guard.c: memory of both while an operation is open. */
void run_guard_begin(struct run *, size_t operation, const struct run_message *,
                     const void *params);
void run_guard_end(struct run *, size_t operation);
void run_guard_forget(struct run *);
int32_t run_touched(struct run *, struct run_message *);

/* launch.c */
int32_t run_load(struct run *, struct run_message *, struct buf *bytes);
/* Loads a module of one or several files, and takes what they have in buffers. */
int32_t run_load_parts(struct run *, struct unit_from *, unsigned count, struct err *);
const struct fat_entry *run_choose_ptx(const struct run *, const struct fatbin *);
int32_t run_find_kernel(struct run *, struct run_message *, const char *name, struct buf *answer);
int32_t run_kernel_name(const struct run *, struct run_message *, struct buf *answer);
int32_t run_find_variable(struct run *, struct run_message *, const char *name);
int32_t run_check_launch(struct run *, const struct run_message *);
int32_t run_launch_now(struct run *, const struct run_message *, const void *params);
int32_t run_function(struct run *, struct run_message *, struct buf *answer);

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
void run_cost_free(struct run_cost *);

/* facts.c */
int32_t run_properties(const struct run *, struct buf *answer);
int32_t run_attribute(const struct run *, struct run_message *);

/* mistakes.c: a mistake of the host. `at` is the call. */
void run_mistake(struct run *, const char *kind, const struct run_place *at, bool benign,
                 const char *fmt, ...) PRINTF_LIKE(5, 6);
/* As the function of this name calls it: of the runtime, of the driver, or of NVRTC. */
const char *run_error_name(const char *function, int32_t error);
/* What a function that is not served returns. */
const char *run_lacking_error(const char *function);

#endif
