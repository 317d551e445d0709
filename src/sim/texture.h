/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures and surfaces of libcudasim: the second public header, for those who use them.
 *
 * An image is memory, from sim_malloc(), that is read by coordinates. A texture object says how:
 * what lies between texels and what beyond the edge. A surface object lets kernels write. Both
 * are handles of 64 bits that a kernel has as a parameter, as cudaTextureObject_t.
 *
 *     struct sim_texture t = {.image = {.kind = SIM_IMAGE_2D, .width = 16, .height = 8,
 *                                       .channel = SIM_CHANNEL_F32, .channels = 1}};
 *     sim_malloc(s, sim_image_bytes(&t.image), "t", &t.image.address);
 *     sim_texture_make(s, &t, &handle);
 */
#ifndef CUDASIM_TEXTURE_H
#define CUDASIM_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#pragma GCC visibility push(default) /* what is declared here, the library exports */
#endif

struct sim;

enum sim_image_kind { SIM_IMAGE_1D = 1, SIM_IMAGE_2D, SIM_IMAGE_3D, SIM_IMAGE_CUBE };

enum sim_channel {
    SIM_CHANNEL_U8, SIM_CHANNEL_S8, SIM_CHANNEL_U16, SIM_CHANNEL_S16, SIM_CHANNEL_U32,
    SIM_CHANNEL_S32, SIM_CHANNEL_F16, SIM_CHANNEL_F32
};

/* Row after row, slice after slice; a layer is a slice, of a cube map six of them: +x -x +y ...
 * Levels follow one another. Each has half the width, height and depth of the one before it, at
 * least 1, and as many layers. */
struct sim_image {
    enum sim_image_kind kind;
    unsigned width, height, depth; /* texels; what it hasn't got may be 0 */
    unsigned layers;               /* 0: it has none */
    bool memory; /* of one dimension: linear memory, as tex1Dfetch reads it, and nothing else */
    enum sim_channel channel;
    unsigned channels;             /* 1, 2 or 4 */
    uint64_t address;
    uint64_t pitch;                /* bytes from row to row; 0: no gaps */
    unsigned levels;               /* 0 or 1: there is one */
};
uint64_t sim_image_bytes(const struct sim_image *); /* 0: there is no such image */

/* What is read beyond the edge: the other side, the edge, the mirror image, the border's colour.
 * With coordinates that aren't normalised, the first and the third are as the second. */
enum sim_beyond { SIM_WRAP, SIM_CLAMP, SIM_MIRROR, SIM_BORDER };

struct sim_texture {
    struct sim_image image;
    bool linear;     /* between texels; else the one that the coordinate falls into */
    bool normalized; /* coordinates from 0 to 1; else in texels */
    bool as_float;   /* integers of 8 and 16 bits are read as numbers up to 1 */
    enum sim_beyond beyond[3];
    float border[4];
    /* Of several levels: the one nearest to the number that is asked for, or what lies between two.
     * To that number the bias is added, and it is kept within the range. */
    bool between_levels;
    float least_level, most_level, bias;
};

/* The first handle of a simulator, and how far apart they are. */
#define SIM_FIRST_HANDLE UINT64_C(0x640000000000)
#define SIM_HANDLE_STEP  UINT64_C(16)

/* What can't be about it, as a sentence; NULL: nothing. Where its memory lies is not looked at. */
const char *sim_texture_wrong(const struct sim_texture *);
/* *handle is 0, or where it has been before: so that one simulator can stand in for another. */
int sim_texture_make(struct sim *, const struct sim_texture *, uint64_t *handle);
int sim_surface_make(struct sim *, const struct sim_image *, uint64_t *handle);
int sim_texture_free(struct sim *, uint64_t handle); /* of either; the memory stays */

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
