/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This header is what the files of the process that works with the GPU share. Nobody else includes
 * it. A function of the type process_serves serves one kind of request (wire.h). It returns the
 * driver's status; if that is not 0, `say` says what is wrong.
 */
#ifndef DEV_GPU_PROCESS_PARTS_H
#define DEV_GPU_PROCESS_PARTS_H

#include "dev/gpu/blas.h"
#include "dev/gpu/nvml.h"
#include "dev/gpu/rand.h"
#include "dev/gpu/driver.h"
#include "dev/gpu/wire.h"

enum { SAYING = 2000 }; /* characters of what is wrong */

struct area { /* memory that a launch may change */
    enum {
        AREA_MAPPED,
        AREA_PLAIN, /* on cards that can't choose addresses */
        AREA_VARIABLE
    } kind;
    uint64_t address, bytes, handle;
    uint64_t asked;  /* bytes that were asked for; the rest fills up the last piece */
    uint64_t module; /* the module of a variable */
    bool gone;       /* freed, but a sequence may use it until it is forgotten */
};

struct gpu_image { /* a texture or a surface */
    uint64_t handle;
    bool surface;
    void *storage;        /* NULL: the texture reads the array itself */
    struct copy_box fill; /* from the array to the storage */
    bool gone;            /* as of an area */
};

struct gpu_images {
    struct gpu_image *all;
    size_t count, capacity;
};

struct driver_module {
    uint64_t id;
    void *module;
    uint64_t count; /* where it counts words used and prints lost; 0: it doesn't print */
    bool gone;      /* as of an area */
};

struct process {
    struct driver d;
    int fd, mirror, device;
    struct gpu_ring *ring;
    uint64_t ring_address;
    void *stream;
    size_t granule;
    uint64_t arena; /* 0: addresses can't be chosen */
    unsigned char *stage; /* PROCESS_STAGE bytes between the mirror and the card */
    struct area *areas;
    size_t area_count, area_capacity;
    struct gpu_images images;
    struct blas blas; /* these are opened when they are first asked for */
    struct rand rand;
    struct nvml nvml;
    struct sequence *sequences[TIMING_SEQUENCES]; /* process-times.c; NULL: there is none */
    void *times_module; /* kernels/gpu-times.cu; NULL: not loaded */
    void *memory_module; /* kernels/gpu-memory.cu; NULL: not loaded */
    struct driver_module *modules;
    size_t module_count, module_capacity;
    void *reply; /* the payload of the reply to come, from process_reply() */
    size_t reply_bytes;
    char say[SAYING];
};
enum { PROCESS_STAGE = 4 << 20 };

typedef int process_serves(struct process *, struct gpu_message *, const char *payload);

/* process-reply.c: puts a sentence and the driver's words for a status into `say`, and returns the
 * status. */
int process_refuse(struct process *, int status, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Room for the reply, all 0; NULL: there is no memory. */
void *process_reply(struct process *, size_t bytes);
/* Sends it, or what is wrong; -1: nobody takes it. */
int process_answer(struct process *, struct gpu_message *, int status);

/* process-memory.c */
void process_choose_arena(struct process *);
int process_remember(struct process *, const struct area *); /* -1: out of memory */
process_serves process_allocate, process_free, process_upload, process_download;
void process_release_areas(struct process *); /* those that are gone */

/* process-fill.c */
process_serves process_fill, process_digest;

/* image.c */
process_serves process_create_texture, process_destroy_texture;
void process_release_images(struct process *); /* those that are gone */
int process_fill_images(struct process *);   /* before a launch; the driver's status */
int process_return_images(struct process *); /* after it */

/* process-module.c */
struct driver_module *process_module(const struct process *, uint64_t id); /* NULL: there is none */
process_serves process_load, process_unload, process_find_variable, process_describe_kernel;
process_serves process_count_blocks; /* that an SM holds */
void process_release_modules(struct process *); /* those that are gone */

/* cards.c: starts the driver and describes its cards; -1 as `wanted` stands for none of them. */
int process_list_cards(struct process *, int wanted, struct gpu_ready *);

/* steps.c: does and times what a program does around a launch, step by step (JOB_STEPS of
 * dev/jobs.h). */
struct process_steps {
    struct process *process;
    const struct gpu_launch *launch; /* it also says how often the steps are timed */
    struct steps_job job;
    void *function;
    void **params; /* during the steps those of arrays lead to the program's own arrays */
};
/* Fills in the medians of all runs, and 0 for a step that does not exist. Returns the driver's
 * status, or GPU_NOT_RUN where such memory can't be allocated. Nothing stays allocated. */
int process_time_steps(struct process_steps *, double seconds[PROGRAM_STEPS]);

/* peer.c: does JOB_PEER. Returns the driver's status. */
int process_copy_to_peer(struct process *, const struct peer_job *, double seconds[PEER_WAYS]);

/* streams.c: runs a whole program with streams (JOB_STREAMS of dev/jobs.h). */
struct process_streams {
    struct process *process;
    const struct gpu_launch *launch;
    const char *job; /* a struct streams_job, at any address */
    void *function;
    void **params;
};
/* Fills in the times of each operation. Returns the driver's status, or GPU_NOT_RUN where such
 * memory can't be allocated. Nothing stays allocated. */
int process_run_streams(struct process_streams *, double *times);

/* process-launch.c */
struct launch { /* ready to start */
    struct gpu_launch g;
    uint64_t module, count; /* as in struct driver_module */
    void *function;    /* NULL: the job has none, and is this one */
    union library_job library;
    const char *given; /* all parameters, as they lie in a row */
    const char *job;   /* what the job is told */
    void **params;     /* where each of them is */
};
process_serves process_launch;
/* Makes a launch ready from the payload of its request, which has to stay. Returns the driver's
 * status. process_drop() afterwards, in each case. */
int process_prepare(struct process *, uint64_t module, const char *payload, struct launch *);
void process_drop(struct launch *);
int process_start(struct process *, struct launch *);
/* Before a run: nothing of the kernel is in the ring yet. */
int process_clear_prints(struct process *, const struct launch *);

/*
 * process-sequence.c: sequences of launches, kept to be timed. A sequence begins with its first
 * launch. From then on nothing is freed that it may use. That is freed when it is forgotten.
 */
int process_keep_memory(struct process *, uint32_t sequence); /* before a launch of it */
int process_keep_launch(struct process *, const struct gpu_message *, const char *payload,
                        double took);
/* The host has written bytes of an array. */
int process_keep_store(struct process *, uint64_t address, uint64_t bytes);
bool process_keeps(const struct process *); /* is there any sequence? */
process_serves process_forget;

/* process-times.c */
process_serves process_time;

/* process-host.c: times what the host does around a sequence. Returns the driver's status. */
int process_time_host(struct process *, const struct gpu_step *, size_t count,
                      struct timing_facts *);

#endif
