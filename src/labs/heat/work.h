/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heat lab: a plate with heaters, its steps in plain C and on the device, and its frames.
 */
#ifndef LABS_HEAT_WORK_H
#define LABS_HEAT_WORK_H

#include "labkit/plane/plane.h"

enum heat_tag { BY_LOADS, BY_FOURS, BY_TEXTURE, BY_TILE };
enum heat_border { INSULATED, COLD }; /* in the order of their names */
enum { FRAMES_MOST = 20 };

struct heat_options {
    struct lab_options lab;
    unsigned size[3], tile[3];
    int steps, frames, border;
    double k;
    const char *heaters; /* NULL: the usual */
};

struct heat {
    struct lab_run run;
    const struct heat_options *options;
    struct plane_shape shape, used; /* used: with the blocks of this variant */
    float *start, *fixed; /* fixed: a heater's temperature, else 0 */
    float k, outside;     /* outside: below 0 if the plate is insulated */
    struct plane_map *frame; /* so many as `frames` */
    uint64_t handle[2];   /* the two arrays as textures, while a kernel reads them so */
    uint64_t fixed_at;
    struct plane_steps now;
    /* What the facts say: */
    unsigned steps, done, frames, cells, heaters, side, pitch, threads;
    double mean, coldest;
    uint64_t tile_bytes, bytes, row_bytes, pitch_bytes, halo;
    bool tiled, textured, insulated, swings;
    const char *border;
};

extern const char *const heat_borders[];
extern const struct ladder heat_ladder;

#endif
