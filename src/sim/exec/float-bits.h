/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bits of a float, and the float that has these bits.
 */
#ifndef SIM_EXEC_FLOAT_BITS_H
#define SIM_EXEC_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline float float_of_bits(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline uint32_t bits_of_float(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

#endif
