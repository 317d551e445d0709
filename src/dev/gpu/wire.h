/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What cudalab and the process that works with the GPU say to each other. Both are the same
 * program, so structs travel as they are. Every request has one reply; the first thing the
 * process says, unasked, is GPU_READY: which cards there are, or why none can be used.
 *
 * Bytes of arrays don't travel here. They stand in a file without a name that both have open,
 * the mirror; a request names the place in it.
 */
#ifndef DEV_GPU_WIRE_H
#define DEV_GPU_WIRE_H

#include "dev/device.h"

enum gpu_op {
    GPU_READY,
    GPU_ALLOCATE,      /* bytes, offset: from the arena's start -> address */
    GPU_FREE,      /* address */
    GPU_UPLOAD,   /* address, offset in the mirror, bytes */
    GPU_DOWNLOAD,
    GPU_TEXTURE_CREATE,  /* payload: struct gpu_texture -> address: its handle */
    GPU_TEXTURE_DESTROY, /* address: the handle */
    GPU_LOAD,     /* id; payload: PTX; bytes: not 0 if it prints */
    GPU_UNLOAD,   /* id */
    GPU_VARIABLE, /* id; payload: name -> address, bytes */
    GPU_KERNEL,   /* id; payload: name -> payload: struct gpu_kernel */
    GPU_OCCUPANCY, /* id, offset: threads, bytes of dynamic shared memory; payload: name -> bytes:
                    * blocks that an SM holds */
    GPU_LAUNCH    /* id; payload: struct gpu_launch ... -> payload: float milliseconds[runs],
                    then struct host_clocks; of JOB_STEPS: double seconds[PROGRAM_STEPS] */
};

/* In a reply status is the driver's, or GPU_NOT_RUN: a job can't be done here, and all
 * is as before. Where it is not 0 the payload is what to say of it. */
enum { GPU_NOT_RUN = -2 };
struct gpu_message {
    uint32_t op;
    int32_t status;
    uint64_t id, address, offset, bytes, payload;
};

#define GPU_ARENA_BYTES (UINT64_C(1) << 40)
enum { GPU_NO_CARD = -1 }; /* the process is only to say which there are */

struct gpu_ready {
    int driver_version;
    uint64_t arena; /* where arrays lie, by their offsets; 0: on this card addresses are given */
    struct device_cards cards; /* pointers in them mean nothing to the reader */
};

/* A texture or a surface. */
struct gpu_texture {
    struct sim_texture as; /* image.address: where the array lies on the card */
    uint32_t surface;
    uint64_t handle, there; /* as kernels are given it, and as the card knows it */
};

struct gpu_kernel {
    int registers, local_bytes, shared_bytes;
};

/* Then the kernel's name, with its NUL; an offset for each parameter; their bytes; the job's. */
struct gpu_launch {
    unsigned grid[3], block[3];
    uint64_t shared_bytes;
    uint32_t not_opted_in, cooperative, runs, name_bytes, param_count, param_bytes;
    uint32_t job, job_bytes; /* 0: a launch alone */
};

/* Memory of the host in which kernels leave their records; see kernels/gpu-print.cu. */
struct gpu_ring {
    uint64_t used, lost; /* words, printf calls: known after a launch that came to its end */
    uint64_t size, unused;
    uint64_t at[];
};
enum { GPU_RING_BYTES = 16 << 20 };

/* Asked before each piece, with POLLIN or POLLOUT: 0 once it can go, -1 to give up. */
struct gpu_wait {
    int (*ready)(void *self, short events);
    void *self;
};
/* Whole messages, or -1: the other side is gone, errno says why, or it was given up. Without a
 * gpu_wait they block. */
int gpu_send(int fd, const struct gpu_message *, const void *payload, const struct gpu_wait *);
int gpu_receive(int fd, void *to, size_t bytes, const struct gpu_wait *);

#endif
