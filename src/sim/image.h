/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texture and surface objects as src/sim/ sees them: between image.c, which makes and reads them,
 * shapes-image.c, which decodes their instructions, and image-ops.c, which runs these.
 */
#ifndef SIM_IMAGE_H
#define SIM_IMAGE_H

#include "sim/handle.h"
#include "sim/texture.h"

/* A texture, or a surface: then only the image means anything. */
struct image_object {
    struct sim_texture as;
    bool is_surface, is_freed;
    unsigned texel_bytes, slices;
    uint64_t pitch, bytes;
};

struct image_object *image_object_at(const struct sim *, uint64_t handle); /* NULL: none */
void image_objects_close(struct sim *);

/* Where in a texture. */
struct image_point {
    bool whole;       /* at[] are whole numbers of texels, else floats, as their bits */
    uint32_t at[3];
    uint32_t layer;
    int32_t shift[3]; /* in texels, added at the end */
    float level;      /* of a texture with several */
};

/* The image that is one level, and how many bytes of the whole come before it. */
uint64_t image_level(const struct sim_image *, unsigned level, struct sim_image *);
/* The same as an object, which lies in the memory of the whole. */
struct image_object image_level_object(const struct image_object *, unsigned level,
                                       uint64_t *offset);
/* What a texture gives for a sum of weighted values, or for the mean of two levels. */
float image_rounded(const struct image_object *, double value);

/* levels.c: the level that belongs to a point whose neighbours lie so far away: along two axes of
 * the screen, in coordinates of the texture. */
float image_level_of(const struct image_object *, unsigned axes, const float away[2][3]);
/* The same as image_fetch() for a texture with several levels. */
void image_fetch_level(const struct image_object *, const unsigned char *host,
                       const struct image_point *, uint32_t out[4]);

/* Four channels as bits, of floats or of integers, from a texture whose texels lie at host. */
void image_fetch(const struct image_object *, const unsigned char *host,
                 const struct image_point *, uint32_t out[4]);
/* One channel of the four texels between which the point lies, from the lower left one round. */
void image_gather(const struct image_object *, const unsigned char *host,
                  const struct image_point *, unsigned channel, uint32_t out[4]);

/* Stores one texel. Its channels are as above. A value that an integer channel can't hold becomes
 * the nearest value that it can hold. */
void image_store(const struct image_object *, unsigned char *texel, const uint32_t value[4]);

/* An instruction's operands, which are more than a struct insn has room for: rows. */
enum image_edge { EDGE_TRAP, EDGE_CLAMP, EDGE_ZERO };
enum image_property { IMAGE_WIDTH, IMAGE_HEIGHT, IMAGE_DEPTH, IMAGE_LAYERS, IMAGE_LEVELS,
                      IMAGE_CHANNEL_TYPE, IMAGE_CHANNEL_ORDER, IMAGE_NORMALIZED };
enum image_reduction {
    REDUCES_NOT, REDUCES_ADD, REDUCES_MIN, REDUCES_MAX, REDUCES_AND, REDUCES_OR
};
struct image_use {
    uint32_t handle;
    uint64_t reference; /* the variable that has the handle; 0: it is in the row `handle` */
    uint32_t value[4]; /* results, or what is stored; 0: not wanted */
    uint32_t at[3], shift[3], layer;
    uint32_t level, away[2][3]; /* which level is read, or how far apart neighbours are */
    uint8_t values, row_bytes, bytes; /* how many; of a row's element; of these in memory */
    uint8_t axes;                     /* how many of at[] there are */
    uint8_t kind;                     /* enum sim_image_kind */
    uint8_t edge;                     /* enum image_edge */
    uint8_t channel;                  /* of a gather */
    uint8_t reduces;                  /* enum image_reduction */
    bool layered, whole, store;
    bool formatted; /* it accesses whole texels in the surface's format; else bytes */
    bool is_signed; /* a reduction by bytes has signed numbers */
    bool by_away;   /* of several levels the one that away[] gives */
    bool to_half, to_pairs; /* floats become halves, and two of them one value */
};

#endif
