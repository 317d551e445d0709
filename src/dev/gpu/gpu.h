/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the GPU device share; for them alone. All others see struct device. The files
 * are in order: each calls only those before it.
 */
#ifndef DEV_GPU_GPU_H
#define DEV_GPU_GPU_H

#include "base/buf.h"
#include "dev/gpu/link.h"
#include "dev/gpu/mirror.h"

enum { GPU_TEXT = 2100 }; /* characters of what the process says is wrong */

struct gpu_module {
    uint64_t id;
    void *twin;              /* the module on the simulator */
    char *path, *ptx;        /* as given */
    size_t ptx_bytes;
    struct buf text;         /* as the driver gets it */
    bool prints;
    struct kernel_info *kernels;
    struct gpu_kernel_of { struct gpu_module *module; size_t number; } *handles;
    size_t count;
    struct mirror **variables; /* by number; NULL: no kernel uses it, so the driver left it out */
    struct gpu_module *next;
    struct arena memory;
};

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

/* mirror.c */
struct mirror *mirror_add(struct gpu_device *, uint64_t bytes, const char *name, struct err *);
void mirror_remove(struct gpu_device *, size_t i);
struct mirror *mirror_at(const struct gpu_device *, uint64_t address, size_t bytes, struct err *);
int mirror_write(struct gpu_device *, struct mirror *, uint64_t at, const void *from, size_t bytes,
                 struct err *);
/* Memory on the card for an array's mirror. */
int mirror_allocate(struct gpu_device *, struct mirror *, struct err *);
/* GPU_UPLOAD or GPU_DOWNLOAD of some of its bytes. */
int mirror_carry(struct gpu_device *, enum gpu_op, const struct mirror *, uint64_t at,
                 uint64_t bytes, struct err *);
int mirror_freshen(struct gpu_device *, struct mirror *, struct err *);
int mirrors_freshen(struct gpu_device *, struct err *);
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

/* module.c */
void *gpu_module_load(struct gpu_device *, const char *path, const char *ptx, size_t n,
                      struct err *);
void gpu_module_unload(struct device *, void *module);
int gpu_module_send(struct gpu_device *, struct gpu_module *, struct err *);
/* Where a variable is; 0: the driver doesn't have it, since no kernel uses it. */
int gpu_variable_find(struct gpu_device *, const struct gpu_module *, const char *name,
                      uint64_t *address);
size_t gpu_kernel_count(struct device *, void *module);
const void *gpu_kernel_at(struct device *, void *module, size_t i, struct kernel_info *);
size_t gpu_variable_count(struct device *, void *module);
int gpu_variable_at(struct device *, void *module, size_t i, struct variable_info *);

/* recover.c: makes sure of a process that works, with all that there was before. */
int gpu_ensure(struct gpu_device *, struct err *);

/* launch.c */
int gpu_launch(struct device *, const struct launch_want *, struct launch_result *, struct err *);

#endif
