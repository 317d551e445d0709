/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This header is what the files of the GPU device share on the side that survives the process.
 * Nobody else includes it: all others see struct device. The files are listed in order: each one
 * calls only files that are listed before it.
 */
#ifndef DEV_GPU_GPU_H
#define DEV_GPU_GPU_H

#include "base/buf.h"
#include "dev/fill.h"
#include "dev/gpu/link.h"

enum { GPU_TEXT = 2100 }; /* characters of what the process says is wrong */

/*
 * A mirror keeps the bytes of an array or a variable in a file without a name that both processes
 * have open. Code above this room knows the array by an address that never changes. The array may
 * have another address on the card.
 */
struct mirror {
    uint64_t address, bytes, offset; /* offset: in the file */
    uint64_t there; /* the address on the card: a variable may move when it is loaded again */
    char *name;
    void *room;     /* this computer's memory for it; NULL: it has no bytes yet */
    const struct gpu_module *module; /* the module of a variable; NULL: an array */
    bool stale;     /* the card has newer bytes */
    bool written;   /* false: all bytes are zero */
    bool made;      /* stale, but the bytes are those of `fill`, and can be made again */
    struct device_fill fill;
    bool digested;
    uint64_t digest[2]; /* of the bytes on the card */
};

/* Nothing has changed this variable since its module was loaded. Loading it again restores it. */
static inline bool mirror_as_loaded(const struct mirror *m)
{
    return m->module && !m->written;
}

/* What the card had, and this side has not, is lost. */
static inline void mirror_forget_newer(struct mirror *m)
{
    m->digested = m->digested && (!m->stale || m->made);
    m->stale = mirror_as_loaded(m) || m->made;
}

struct gpu_module {
    uint64_t id;
    void *twin;              /* the module on the simulator */
    char *path, *ptx;        /* as given */
    size_t ptx_bytes;
    struct buf text;         /* as the driver gets it */
    size_t library;          /* where in it, behind the PTX, the path of a library to link begins;
                              * 0: there is none */
    bool prints;
    struct kernel_info *kernels;
    struct gpu_kernel_of { struct gpu_module *module; size_t number; } *handles;
    size_t count;
    struct mirror **variables; /* by number; NULL: no kernel uses it, so the driver left it out */
    struct gpu_module *next;
    struct arena memory;
};

struct gpu_replay; /* replay.c */

struct gpu_device {
    struct device base;
    struct device_cards cards;
    int driver_version;
    struct gpu_link link;
    struct device *twin;
    struct mirror **mirrors; /* in the order of their addresses, but for variables */
    size_t mirror_count, mirror_capacity;
    struct gpu_texture *textures;
    size_t texture_count, texture_capacity;
    struct gpu_module *modules; /* the last loaded first */
    uint64_t arena, next_array, next_variable, next_offset, next_id;
    unsigned sequence;       /* that launches belong to; 0: to none */
    struct gpu_replay *given; /* a launch that somebody has taken; NULL: there is none */
    struct gpu_step *steps;  /* of the host, since the first sequence was begun */
    size_t step_count, step_capacity;
};

static inline struct gpu_device *gpu_of(struct device *d)
{
    return (struct gpu_device *)d;
}

/* ask.c: one request; -1: the driver says no, or the process is gone, and the error says which. */
int gpu_request(struct gpu_device *, struct gpu_message *, const void *payload, void *to,
                size_t room, struct err *);
/* Ends the process. The next one begins to start while the student reads why. */
void gpu_start_anew(struct gpu_device *);

/* mirror.c. mirror_read takes the bytes that begin at `at`; those never written are zero. */
int mirror_read(int file, const struct mirror *, uint64_t at, void *to, uint64_t bytes);
/* A parameter of 8 bytes that points into mirror i then points to the same place from now[i] on. */
void mirrors_translate(const struct gpu_device *, const uint64_t *now, const struct kernel_info *,
                       char *params);
struct mirror *mirror_add(struct gpu_device *, uint64_t bytes, const char *name, struct err *);
void mirror_remove(struct gpu_device *, size_t i);
struct mirror *mirror_at(const struct gpu_device *, uint64_t address, uint64_t bytes, struct err *);
int mirror_write(struct gpu_device *, struct mirror *, uint64_t at, const void *from, uint64_t bytes,
                 struct err *);
/* Memory on the card for an array's mirror. */
int mirror_allocate(struct gpu_device *, struct mirror *, struct err *);
/* GPU_UPLOAD or GPU_DOWNLOAD of some of its bytes. */
int mirror_carry(struct gpu_device *, enum gpu_op, const struct mirror *, uint64_t at,
                 uint64_t bytes, struct err *);
int mirror_freshen(struct gpu_device *, struct mirror *, struct err *);
/* Has the card fill an array. 1: it can't, and nothing has changed. */
int mirror_fill(struct gpu_device *, struct mirror *, const struct device_fill *, struct err *);
/* Before a launch: all bytes that it may change are here, or can be made again. With `all`, all
 * bytes are here. */
int mirrors_ready(struct gpu_device *, bool all, struct err *);
/* After it: finds out which arrays have other bytes. */
int mirrors_launched(struct gpu_device *, struct err *);
/* Freshens all where that takes no time that anyone feels, so that they outlive the process. */
int mirrors_fetch_small(struct gpu_device *, struct err *);

/* texture.c */
int gpu_texture_make(struct gpu_device *, const struct sim_texture *, bool surface,
                     uint64_t *handle, struct err *);
int gpu_texture_destroy(struct device *, uint64_t handle, struct err *);
int gpu_textures_restore(struct gpu_device *, struct err *); /* in a new process */
int gpu_textures_forget(struct gpu_device *, const struct mirror *, struct err *); /* an array's */
/* Handles in parameters become what the card calls them. */
void gpu_textures_translate(const struct gpu_device *, const struct kernel_info *, char *params);

/* ptx.c: appends to *out the text for a driver that knows PTX up to `version` (82 is 8.2). A GPU
 * then computes what the simulator computes, and prints into the ring. *prints is set if the text
 * calls printf or assert: then its variable cudalab_ring needs the ring's address. Where the text is
 * to be linked, such a variable is visible outside of it. Lines of the given text keep their
 * numbers. */
int gpu_ptx(const char *ptx, size_t n, int version, bool linked, struct buf *out, bool *prints,
            const struct go_on *, struct err *);
/* The newest PTX that a driver knows, by what cuDriverGetVersion returns: 12020 gives 82. */
int gpu_ptx_version(int driver_version);

/* module.c */
void *gpu_module_load(struct gpu_device *, const char *path, const char *ptx, size_t n,
                      struct err *);
void gpu_module_unload(struct device *, void *module);
int gpu_module_send(struct gpu_device *, struct gpu_module *, struct err *);
/* Where a variable is; 0: the driver doesn't have it, since no kernel uses it. */
int gpu_variable_find(struct gpu_device *, const struct gpu_module *, const char *name,
                      uint64_t *address);
const void *gpu_kernel_at(struct device *, void *module, size_t i, struct kernel_info *);
int gpu_variable_at(struct device *, void *module, size_t i, struct variable_info *);

/* recover.c: makes sure of a process that works, with all that there was before. */
int gpu_ensure(struct gpu_device *, struct err *);
/* The same for what changes the device: -1 also while a launch is given away. */
int gpu_ensure_free(struct gpu_device *, struct err *);

/* print.c: adds what kernels left in the ring to result->prints, and a fault each for lost lines
 * and a failed assertion. many_grids: device code may have launched some. -1: out of memory. */
int gpu_prints(const struct gpu_ring *, const struct launch_want *, bool many_grids,
               struct launch_result *);
void gpu_ring_clear(struct gpu_ring *); /* before a launch */
/* After a launch that did not end by itself, only the records say how far the ring was used. */
void gpu_ring_abandon(struct gpu_ring *);
struct fault *gpu_fault_add(struct launch_result *, const char *kind); /* NULL: out of memory */

/* replay.c: runs a launch once more on a simulator, with the bytes that the mirrors have from
 * before the launch. It adds what a GPU doesn't tell: counters, lines, the trace, meetings at
 * barriers. A kernel that the simulator can't run adds nothing. */
int gpu_replay(const struct gpu_device *, const struct gpu_module *, const struct kernel_info *,
               const struct launch_want *, struct launch_result *, struct err *);

/* Gives the launch to its look. Always -1, with DEVICE_TAKEN or with why it can't be given. Until
 * gpu_look_ended(), arrays are as that launch has them. */
int gpu_give_launch(struct gpu_device *, const struct gpu_module *, const struct kernel_info *,
                    const struct launch_want *, struct err *);
/* Bytes of an array as the launch has them. 1: no launch is given away, or it has no such array. */
int gpu_given_read(struct gpu_device *, void *to, uint64_t from, uint64_t bytes, struct err *);
uint64_t gpu_look_address(struct device *, uint64_t address);
void gpu_look_ended(struct device *);

/* launch.c */
int gpu_launch(struct device *, const struct launch_want *, struct launch_result *, struct err *);
double gpu_seconds_left(const struct launch_how *); /* 0: no limit */

/* times.c */
int gpu_time(struct device *, const struct timing_want *, const struct launch_how *,
             struct timing *, struct err *);
void gpu_keep_launches(struct device *, unsigned sequence);
/* While the first sequence is kept. */
void gpu_note_step(struct gpu_device *, enum host_step, uint64_t bytes);

#endif
