/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a device may fill an array with by itself, so that the bytes need not be made here and
 * copied. They are the bytes that own/fill.c makes. kernels/gpu-own.cu has this struct too.
 */
#ifndef DEV_FILL_H
#define DEV_FILL_H

#include <stdint.h>

enum device_fill_kind { DEVICE_FILL_VALUE, DEVICE_FILL_IOTA, DEVICE_FILL_RANDOM };

struct device_fill {
    uint32_t kind;    /* enum device_fill_kind */
    uint32_t size;    /* bytes of an element: 1, 2, 4 or 8 */
    uint32_t is_real; /* a float of 4 or 8 bytes */
    uint32_t unused;
    uint64_t seed, first; /* first: the index of the first element */
    uint64_t value;       /* the bits of all; of random whole numbers the lowest */
    uint64_t range;       /* how many whole numbers; 0: 2^64 */
    double lo, span;      /* floats from lo up to lo + span */
    double hi, last;      /* where rounding gives hi or more, it is `last` */
};

#endif
