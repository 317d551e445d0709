/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch that ran on a GPU, once more on a simulator of its own, for what a GPU doesn't tell:
 * counters and traces.
 */
#ifndef DEV_GPU_REPLAY_H
#define DEV_GPU_REPLAY_H

#include "dev/device.h"

struct gpu_module;
struct gpu_texture;

/* An array or variable of a GPU, and where its bytes stand in the mirrors' file. */
struct mirror {
    uint64_t address, bytes, offset;
    uint64_t there; /* its address on the card: a variable may move when it is loaded again */
    char *name;
    const struct gpu_module *module; /* of a variable; NULL: an array */
    bool stale;   /* newer on the card */
    bool written; /* else all zeros */
};

/* Bytes of a mirror, from `at` on. */
int mirror_read(int file, const struct mirror *, uint64_t at, void *to, size_t bytes);

struct replay {
    const struct device_props *props;
    const char *path, *ptx;
    size_t ptx_bytes;
    const struct gpu_module *module;
    const struct kernel_info *kernel;
    struct mirror *const *mirrors; /* with the bytes from before the launch */
    size_t mirror_count;
    const struct gpu_texture *textures;
    size_t texture_count;
    int file;
};

/* Parameters of 8 bytes that point into a mirror, moved to where each of them is now. */
void mirrors_translate(struct mirror *const *, size_t count, const uint64_t *now,
                       const struct kernel_info *, char *params);

/* Counters, lines and trace are added to the result. One that can't be run there adds nothing. */
int gpu_replay(const struct replay *, const struct launch_want *, struct launch_result *,
               struct err *);

#endif
