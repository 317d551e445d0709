/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the process that works with the GPU share; for them alone. Each function
 * named process_... serves one kind of request (wire.h): it returns the driver's status, and where
 * that is not 0, `say` has what to say of it.
 */
#ifndef DEV_GPU_PROCESS_PARTS_H
#define DEV_GPU_PROCESS_PARTS_H

#include "dev/gpu/blas.h"
#include "dev/gpu/driver.h"
#include "dev/gpu/image.h"
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
    uint64_t spare;  /* a copy, while a launch is repeated */
    uint32_t number; /* in place of a copy, where the area is only a number */
};

struct driver_module {
    uint64_t id;
    void *module;
    uint64_t count; /* where it counts words used and prints lost; 0: it doesn't print */
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
    struct blas blas; /* opened when it is first asked for */
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
process_serves process_create_texture, process_destroy_texture;

/* process-module.c */
struct driver_module *process_module(const struct process *, uint64_t id); /* NULL: there is none */
process_serves process_load, process_unload, process_find_variable, process_describe_kernel;
process_serves process_count_blocks; /* that an SM holds */

/* process-launch.c */
process_serves process_launch;

#endif
