/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays of CUDA: memory of the device, row behind row, and what its texels are. A cudaArray_t
 * leads to such a struct.
 */
#ifndef RUN_CLIENT_ARRAY_H
#define RUN_CLIENT_ARRAY_H

#include "run/client/client.h"

struct cuda_array {
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent; /* as it was asked for */
    unsigned flags;
    size_t texel, row, slice, slices; /* bytes of a texel, a row, a slice; how many slices */
    uint64_t address;
    bool is_level; /* of a mipmapped array, which has the memory */
    struct cuda_array *next;
};

/* A cudaMipmappedArray_t leads to such a struct. Its levels are arrays, one behind the other. */
struct cuda_mipmap {
    struct cuda_array whole; /* as the first level */
    unsigned levels;
    struct cuda_array **level;
    struct cuda_mipmap *next;
};

/* NULL: there is no such array. */
struct cuda_array *array_of(cudaArray_const_t);
struct cuda_mipmap *mipmap_of(cudaMipmappedArray_const_t);
/* What an array of this shape is, which has no memory yet, and how many bytes it needs. */
cudaError_t array_plan(const struct cudaChannelFormatDesc *, struct cudaExtent, unsigned flags,
                       struct cuda_array *, size_t *bytes);
/* It has a handle from now on, until it is dropped. NULL: memory is out. */
struct cuda_array *array_keep(const struct cuda_array *);
void array_drop(struct cuda_array *);
/* One to four channels of so many bits each; 0: no such format. */
unsigned array_channels(const struct cudaChannelFormatDesc *);
unsigned array_texel(const struct cudaChannelFormatDesc *); /* bytes; 0: no such format */

#endif
