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
    struct cuda_array *next;
};

/* NULL: there is no such array. */
struct cuda_array *array_of(cudaArray_const_t);
/* One to four channels of so many bits each; 0: no such format. */
unsigned array_channels(const struct cudaChannelFormatDesc *);
unsigned array_texel(const struct cudaChannelFormatDesc *); /* bytes; 0: no such format */

#endif
