/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a launch of a GPU once more on a simulator, for what a GPU doesn't tell: counters, traces.
 */
#ifndef DEV_GPU_REPLAY_H
#define DEV_GPU_REPLAY_H

#include "dev/gpu/mirror.h"

struct gpu_texture;

struct gpu_replay {
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

/* Counters, lines and trace are added to the result. A kernel that the simulator can't run adds
 * nothing. */
int gpu_replay(const struct gpu_replay *, const struct launch_want *, struct launch_result *,
               struct err *);

#endif
