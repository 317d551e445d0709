/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device takes PTX, memory and launches. It may be the simulator or a GPU, and code above this
 * interface doesn't need to know which.
 *
 * A device never prints and never ends the program. Functions return -1 with a struct err.
 */
#ifndef DEV_DEVICE_H
#define DEV_DEVICE_H

#include "base/err.h"
#include "base/go-on.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/progress.h"
#include "dev/cards.h"
#include "dev/model.h"
#include "dev/timing.h"
#include "obs/count.h"
#include "obs/meeting.h"
#include "obs/touched.h"
#include "sim/sim.h"
#include "sim/texture.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device;
struct launch_want;

/* Somebody takes a launch and runs it himself, as `step` does. The launch function of the device
 * then fails with DEVICE_TAKEN. Until look_ended() nothing else changes the device: what is freed is
 * freed later, and what would be written, made or launched is refused. */
struct launch_look {
    /* Is it this launch? Who launches asks once for each launch of a command, in their order
     * (session_look_at()). Only the one that is wanted is given to a device with this struct. */
    bool (*wants)(void *self, const struct launch_want *);
    /* The device is the simulator that has the launch. It may be another one than the launch was
     * for. */
    int (*take)(void *self, struct device *, struct sim *, const struct sim_launch *, struct err *);
    void *self;
};
/* Who took a launch lets others observe it once, from its begin to its end. NULL: it can't. */
struct launch_seen {
    const struct sim_kernel *kernel;
    const struct sim_result *(*observe)(void *self, const struct sim_observer *, unsigned count,
                                        struct err *);
    void *self;
};
#define DEVICE_TAKEN "the launch is being stepped"
#define DEVICE_HELD "a launch is being stepped: `quit` ends that"

/* The settings and the command say how a launch is done. */
struct launch_how {
    const char *schedule; /* "lockstep", "random", "independent" */
    uint64_t seed;
    uint64_t step_limit;            /* 0: none */
    double time_limit;              /* seconds of the whole command, 0: none */
    double time_spent;              /* seconds that the command took before this launch */
    const volatile sig_atomic_t *stop; /* Ctrl-C */
    const struct progress *progress; /* told how far it is; may be NULL */
    unsigned cores;                 /* that the simulator may use; 0: all; the result is the same */
    int trace_warp;                 /* -1: no trace; else record this warp of block 0 */
    bool meetings;                  /* record which threads of block 0 come to which barrier */
    bool plain;                     /* launch as <<<>>> does, even a cooperative kernel */
    bool by_line;                   /* count for each source line too */
    bool counters;                  /* on a device that can't count: run it again on sim */
    unsigned runs;                  /* how often a job is timed, on a GPU */
    unsigned checks;                /* CHECK_... of dev/checks.h, or-ed */
    const struct launch_look *look; /* takes the launch; NULL: nobody does */
    struct touched *touched;        /* gets the bytes that it uses, on the simulator; may be NULL */
    /* Tells the types and dimensions of arrays: see struct sim_launch. */
    bool (*shape_of)(const void *shapes, const struct sim_array *, struct sim_shape *);
    const void *shapes;
};

/* Work that a device may be able to do in place of a launch; dev/jobs.h has the kinds. */
struct launch_job {
    int kind;
    const void *what; /* the kind's struct */
    size_t what_bytes;
    void *out; /* gets the result, in the kind's form; NULL: the struct says where it goes */
    size_t out_bytes;
    const char *lacking; /* what result->not_run says of a device that can't do it */
};

struct launch_want {
    const void *kernel; /* from kernel_at */
    const char *name;
    unsigned grid[3], block[3], cluster[3]; /* cluster: 0: as the kernel says */
    uint64_t shared_bytes;
    bool not_opted_in; /* more than 48 KiB of shared memory, without a request for it */
    bool beside;    /* it does not belong to what is timed */
    bool follows;   /* the same program has launched something before, for the time model */
    uint64_t clock; /* what the kernel's clocks show when it begins, on the simulator */
    const void *params;
    size_t param_bytes;
    const struct launch_how *how;
    const struct launch_job *job; /* NULL: a launch alone. Some jobs have no kernel */
};

enum { FAULT_FILE = 512 }; /* bytes of a file's name; of a longer one there is the end */
struct fault_place { char file[FAULT_FILE]; int line; unsigned block[3], thread[3]; };
struct fault {
    char kind[24]; /* "out-of-bounds" */
    bool ends;     /* it ended the launch */
    bool benign;   /* printf-overflow and leak leave the status ok */
    const char *cure; /* "syncthreads", a constant; NULL: not known, or there are several */
    const char *where; /* of a missing barrier: "between", "loop-end", "counter"; or NULL. What an
                        * atomic must do: "larger", "smaller", "condition", "flag", "again",
                        * "guess" */
    int waits;         /* the line of a loop that waits for a lock or a flag; 0: not known */
    bool retold;       /* the message is not about the first case */
    bool others;       /* the cure is for threads that are further apart than these two, or nearer */
    bool in_shared;    /* known to be in shared memory */
    bool syncs_grid;   /* the kernel has barriers of the whole grid */
    int condition; /* the line of the condition that keeps threads from a barrier; 0: not known */
    char message[240];
    bool has_place, has_other, has_address;
    bool follows;  /* from another fault of the report, which is the one to tell */
    bool of_host;  /* a mistake of the host's code: its place has no block and no thread */
    bool in_child; /* of a grid that device code launched: its kernel is another one */
    unsigned launch; /* of the command, from 1 on, that this was found in; 0: not known */
    char kernel[64]; /* of that launch */
    struct fault_place at, other;
    int ptx_line;
    uint64_t address;
    char array[64];
    int64_t index; /* of the element */
    char element[96]; /* "tile[1][0]" */
    uint64_t given_bytes, needed_bytes; /* of dynamic shared memory; needed 0: that is not the fault */
    uint64_t count;
    uint64_t when; /* warp instructions of the launch before it, on the simulator */
    struct cause { /* what the source says, which no device knows: own/cause.h fills it in */
        const char *way; /* of a condition: "return", "continue", "loop"; NULL: not known */
        char index[48];  /* that left its array, as written; "": not known */
        char width[48];  /* the parameter that it multiplies by, as `row * width + column`; or "" */
        char size[64];   /* what to compare it with: a parameter or a number; "": not known */
        char compared[64]; /* the parameter that the kernel compares the index with; "": none */
        uint64_t given;    /* its value, which is more than there are elements */
        uint64_t elements, threads; /* of the array and of the launch; 0: not known */
        bool has_barrier; /* the file calls __syncthreads() */
        bool own_array;   /* `array` made the array, so `fill` can fill it */
    } cause;
};

struct launch_print { uint64_t block, thread; const char *text; size_t length; };

/* A step is one instruction of the traced warp: what ran, for which lanes, with what result. */
struct trace_step {
    const char *text, *file;
    int line;
    enum sim_class kind;
    enum sim_space space;
    enum sim_order order;
    uint32_t mask;
    bool has_values, is_float;
    uint32_t taken;      /* of a branch: the lanes that took it */
    uint64_t values[32]; /* of a float the bits of an f32, else extended by the type's sign */
};

/* These counters are of the instructions that one line of a source became. */
struct line_count {
    const char *file;
    int line;
    struct counters counters;
};

/* The host measures a launch on a GPU: the seconds until the call returned, and until the kernel
 * had ended. Each is measured by a wall clock and by clock(). */
struct host_clocks { double call, wait, call_cpu, wait_cpu; };

struct launch_result {
    struct fault *faults;
    unsigned fault_count;
    struct launch_print *prints; /* in order of execution */
    size_t print_count, prints_lost;
    bool has_counters;
    struct counters counters;
    bool has_time;
    double measured_s;   /* of the kernel; volatile. Of many runs the median (dev/timing.h) */
    double min_s, mean_s;
    bool has_model;
    struct model_launch modelled; /* what the model is asked for, */
    struct launch_cost cost;      /* from this, */
    struct model_time model;      /* and its answer: of the card that the simulator stands for */
    unsigned launches;   /* more than 1: counters and times add up so many launches */
    unsigned runs;       /* 0: the times are of one run, by this computer's clock */
    struct host_clocks host; /* of the last run on a GPU; all 0: not known */
    uint64_t steps;
    uint64_t child_grids;     /* that device code launched */
    struct child_kernel { const char *name; uint64_t grids; } *child_kernels; /* ... of each kernel */
    size_t child_kernel_count;
    uint64_t child_refused;   /* launches of device code that a device refuses */
    char child_why[300];      /* of the first of these: its error, why, where */
    bool partly_checked; /* the race checker had no room to watch all of it */
    struct trace_step *trace;
    size_t trace_count;
    struct line_count *lines; /* sorted */
    size_t line_count;
    struct meeting *meetings; /* in the order they came */
    size_t meeting_count;
    char not_run[160];   /* why this device can't do the job; else empty */
    struct arena memory; /* holds what the pointers above lead to */
};
void launch_result_free(struct launch_result *);
bool launch_result_failed(const struct launch_result *); /* there is a fault that isn't benign */
bool launch_result_ended(const struct launch_result *); /* a fault ended it: it changed nothing */

/* The cards in this machine are listed by their numbers: gpu:0 is the first. */
enum { DEVICE_CARDS = 32, DEVICE_NAME = 96 };
struct device_cards {
    int count;
    struct device_card {
        struct device_props props;
        char name[DEVICE_NAME];
    } at[DEVICE_CARDS];
};

enum { LIBRARY_PATH = 512 };
struct device {
    const struct device_ops *ops;
    struct device_props props;
    const char *kind; /* "sim" or "gpu" */
    const volatile sig_atomic_t *stop; /* Ctrl-C, for all but launches; may be NULL */
    const struct progress *progress;   /* for all but launches; may be NULL */
    const struct go_on *go_on;         /* asked while a module is loaded; may be NULL */
    uint64_t held_bytes; /* of this computer's memory that don't belong to this process */
    /* Finds a library of the CUDA Toolkit. -1: the error says where it was looked for. NULL: the
     * program that opened the device finds none. */
    int (*find_library)(const char *name, char path[LIBRARY_PATH], struct err *);
    int card;            /* the number of a GPU */
    const struct device_cards *cards; /* all GPUs; NULL: this device is none */
};

struct device_param { const char *name, *type; unsigned offset, size, align; bool is_array; };
struct kernel_info {
    const char *name;
    const struct device_param *params;
    unsigned param_count, param_bytes;
    unsigned registers; /* of a thread, as the driver says; 0: not known */
    uint64_t static_shared, local_bytes;
    bool cooperative;
    bool reads_clock;   /* on the simulator */
    bool needs_clock;   /* there, what it does depends on when it begins */
    const char *closed; /* why it can't run, or NULL */
    const char *undefined; /* the function without code that it calls, in a sentence; NULL: none */
};

/* A __device__ or __constant__ variable of a module. */
struct variable_info {
    const char *name, *type; /* as in the PTX: the type of an element, often only b8 */
    uint64_t address, size;
    bool constant, hidden; /* hidden: made by the compiler */
};

struct device_fill; /* dev/fill.h */
struct device_ops {
    void (*close)(struct device *);
    int (*allocate)(struct device *, uint64_t bytes, const char *name, uint64_t *address,
                    struct err *);
    int (*free)(struct device *, uint64_t address, struct err *);
    int (*write)(struct device *, uint64_t to, const void *from, uint64_t bytes, struct err *);
    int (*read)(struct device *, void *to, uint64_t from, uint64_t bytes, struct err *);
    /* Fills a whole array by itself. 1: it can't, and nothing has changed: the caller writes the
     * bytes. NULL: this device never does. */
    int (*fill)(struct device *, uint64_t to, uint64_t bytes, const struct device_fill *,
                struct err *);
    /* Bytes that were copied from an array, perhaps on another device, count as written only where
     * they did there. NULL: this device doesn't know what was written. */
    void (*mark_copied)(struct device *, uint64_t to, struct device *other, uint64_t from);
    /* Do these bytes have a value that a launch may read? NULL: this device doesn't know. */
    bool (*has_value)(struct device *, uint64_t address, uint64_t bytes);
    /* Makes a texture or a surface of an array's memory; its handle is an argument of 8 bytes. A
     * launch finds in it what the array has when the launch starts. Set *handle to 0; on the
     * simulator it may be the handle that is wanted. */
    int (*texture_create)(struct device *, const struct sim_texture *, bool surface,
                          uint64_t *handle, struct err *);
    int (*texture_destroy)(struct device *, uint64_t handle, struct err *);
    void *(*load)(struct device *, const char *path, const char *ptx, size_t n, struct err *);
    void (*unload)(struct device *, void *module);
    /* Kernel i of a module. NULL: it has no more. */
    const void *(*kernel_at)(struct device *, void *module, size_t i, struct kernel_info *);
    int (*variable_at)(struct device *, void *module, size_t i, struct variable_info *);
    /* How many blocks of a kernel an SM holds at once, as the driver says; NULL: no driver. */
    int (*blocks_per_sm)(struct device *, const void *kernel, unsigned threads,
                         uint64_t dynamic_shared, int *blocks, struct err *);
    int (*launch)(struct device *, const struct launch_want *, struct launch_result *,
                  struct err *);
    /* What checkers find in the launch that was taken: only the faults of the result are filled in.
     * The device is the one that take() was told; NULL: this kind is none. */
    int (*check_taken)(struct device *, const struct launch_seen *, unsigned checks,
                       struct launch_result *, struct err *);
    /* Where the launch that was taken has this byte of an array; 0: nowhere. NULL: at its address. */
    uint64_t (*look_address)(struct device *, uint64_t address);
    /* The launch that was taken is over. */
    void (*look_ended)(struct device *);
    /* From now on launches belong to this sequence, 1 or 2 (dev/timing.h); 0: to none, and all
     * sequences are forgotten. NULL, as the next one: this device measures nothing. */
    void (*keep_launches)(struct device *, unsigned sequence);
    /* Times the sequences that were kept. The settings have the limits. 1: they can't be timed, most
     * often for lack of memory, and nothing is lost; the error says why. */
    int (*time)(struct device *, const struct timing_want *, const struct launch_how *,
                struct timing *, struct err *);
};

/* To start a driver takes its time. Who waits for it may be told so, and may stop it. NULL: nobody. */
struct device_waits {
    const volatile sig_atomic_t *stop;
    const struct progress *progress;
};

/* A kind of device; device.c lists them. */
struct device_kind {
    const char *name;   /* "gpu": what --device takes, alone or before a colon */
    const char *which;  /* what stands after the colon: "N" */
    const char *chosen; /* a sentence for when `auto` chose it */
    /* `which` is NULL without a colon */
    struct device *(*open)(const char *which, const struct device_waits *, struct err *);
    int (*find)(struct err *); /* a quick look whether `auto` should try it; -1: no */
    /* NULL: it needs no card */
    int (*list)(struct device_cards *, const struct device_waits *, struct err *);
    const char *option; /* starts the process that works with the device; NULL: it needs none */
    int (*serve)(int argc, char **argv); /* what that process does; its exit status */
};
extern const struct device_kind device_sim, device_gpu;

/* Takes "auto", "sim", "sim:PROFILE", "gpu" or "gpu:N"; why says in a sentence what auto chose. */
struct device *device_open(const char *spec, char why[200], const struct device_waits *,
                           struct err *);
void device_close(struct device *);
/* -1: no card in this machine works, and the error says why. */
int device_list_cards(struct device_cards *, const struct device_waits *, struct err *);
/* A device may need a process of its own. It is this program, started with an option of the kind:
 * main() gives its arguments here. False: they are no such option. */
bool device_serve(int argc, char **argv, int *status);
/* The program to start for it. It is NULL (dev/program.c) in programs whose main() does not. */
extern const char *const device_program;

/* Copies memory within a device or to another one; what nobody wrote counts as such there too. */
int device_copy(struct device *from, uint64_t at, struct device *to, uint64_t address,
                uint64_t bytes, struct err *);

/* Finds a module's kernel by its name; NULL: there is none. */
const void *device_find_kernel(struct device *, void *module, const char *name,
                               struct kernel_info *);
/* The address of a module's variable, even of a hidden one; 0: there is none of that name. */
uint64_t device_find_variable(struct device *, void *module, const char *name);

/* The simulator as a device (dev/sim/device.c), with the limits of any card. */
struct device *sim_device_open(const struct device_props *, struct err *);
/* What a program may set with cudaDeviceSetLimit(), in bytes. */
enum sim_device_limit { SIM_DEVICE_STACK, SIM_DEVICE_PRINTF, SIM_DEVICE_HEAP };
/* Sets a limit, unless `bytes` is 0. The result is the limit that holds; 0: it can't be set. */
uint64_t sim_device_limit(struct device *, enum sim_device_limit, uint64_t bytes);
/* Allocates at an address that the caller chooses. `host`: bytes of the caller in place of memory of
 * its own, or NULL. The caller may write there without a call, so all of them count as written. */
int sim_device_allocate_at(struct device *, uint64_t address, uint64_t bytes, const char *name,
                           void *host, struct err *);
/* Asked for the place of each variable that is loaded: see sim_set_places(). */
void sim_device_set_places(struct device *, sim_place_variable *, void *ctx);

#endif
