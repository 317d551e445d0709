/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The messages between cudalab and the process that works with the GPU. Both are the same program,
 * so structs travel as they are. Every request has one reply. First the process sends GPU_READY
 * without being asked: it says which cards there are, or why none can be used.
 *
 * Bytes of arrays don't travel here. They are in a file without a name that both have open, the
 * mirror. A request names the place in it.
 */
#ifndef DEV_GPU_WIRE_H
#define DEV_GPU_WIRE_H

#include "dev/device.h"

enum gpu_op {
    GPU_READY,
    GPU_ALLOCATE,  /* bytes, offset from the arena's start -> address */
    GPU_FREE,      /* address */
    GPU_UPLOAD,    /* address, offset in the mirror, bytes */
    GPU_DOWNLOAD,  /* the same */
    GPU_FILL,      /* address, bytes; payload: struct device_fill */
    GPU_DIGEST,    /* address, bytes -> payload: two numbers that tell these bytes from others */
    GPU_TEXTURE_CREATE,  /* payload: struct gpu_texture -> address: its handle */
    GPU_TEXTURE_DESTROY, /* address: the handle */
    GPU_LOAD,      /* id; payload: PTX; bytes: not 0 if it prints; offset: where in the payload the
                    * path of a library to link begins, 0: there is none */
    GPU_UNLOAD,    /* id */
    GPU_VARIABLE,  /* id; payload: name -> address, bytes */
    GPU_KERNEL,    /* id; payload: name -> payload: struct gpu_kernel */
    GPU_OCCUPANCY, /* id, offset: threads, bytes: dynamic shared memory; payload: name -> bytes: the
                    * blocks that an SM holds */
    GPU_LAUNCH,    /* id; payload: struct gpu_launch ... -> payload: struct gpu_run; for JOB_STEPS
                    * and JOB_PEER: doubles; for JOB_STREAMS: double[count][STREAM_TIMES],
                    * double[STREAM_LENGTHS] */
    GPU_TIME,      /* payload: struct timing_want, then struct gpu_step[] -> payload: struct timing_facts, then float
                    * milliseconds[sequences][runs] */
    GPU_FORGET     /* all sequences, and what was freed while they were kept */
};

/* In a reply, status is the driver's, or GPU_NOT_RUN: a job can't be done here, and nothing has
 * changed. If status is not 0, the payload says what is wrong. */
enum { GPU_NOT_RUN = -2 };
struct gpu_message {
    uint32_t op;
    int32_t status;
    uint64_t id, address, offset, bytes, payload;
};

#define GPU_ARENA_BYTES (UINT64_C(1) << 40)
enum { GPU_NO_CARD = -1 }; /* the process only says which cards there are */

struct gpu_ready {
    int driver_version;
    uint64_t arena; /* where the range of all arrays begins; 0: this card chooses addresses */
    struct device_cards cards; /* the pointers in them mean nothing to the reader */
};

/* A texture or a surface. */
struct gpu_texture {
    struct sim_texture as; /* image.address: where the array lies on the card */
    uint32_t surface;
    uint64_t handle, there; /* what a student's kernel is given, and what the card calls it */
};

struct gpu_kernel {
    int registers, local_bytes, shared_bytes;
};

/* Behind it: the kernel's name with its NUL, an offset for each parameter, the parameters' bytes,
 * the job's struct. */
struct gpu_launch {
    unsigned grid[3], block[3], cluster[3]; /* cluster: 0: as the kernel says */
    uint64_t shared_bytes;
    uint32_t not_opted_in, cooperative, runs, name_bytes, param_count, param_bytes;
    uint32_t job, job_bytes; /* 0: a launch alone */
    uint32_t sequence;       /* it is kept as a part of this one; 0: of none */
};

/* What the host did around launches. */
struct gpu_step { uint64_t kind, bytes; }; /* kind: enum host_step */

/* What a launch took: by the card's events, and by this computer's clocks. */
struct gpu_run {
    struct host_clocks clocks;
    float ms;
};

/* Memory of the host, into which kernels write their records; see kernels/gpu-print.cu. */
struct gpu_ring {
    uint64_t used, lost; /* words and printf calls; known when a launch has ended by itself */
    uint64_t size, unused;
    uint64_t at[];
};
enum { GPU_RING_BYTES = 16 << 20 };

/* ready() is called before each piece with POLLIN or POLLOUT. It returns 0 once the piece can go,
 * or -1 to give up. */
struct gpu_wait {
    int (*ready)(void *self, short events);
    void *self;
};
/* Whole messages. -1: the other side is gone and errno says why, or ready() gave up. Without a
 * gpu_wait they block. */
int gpu_send(int fd, const struct gpu_message *, const void *payload, const struct gpu_wait *);
int gpu_receive(int fd, void *to, size_t bytes, const struct gpu_wait *);

#endif
