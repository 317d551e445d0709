/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programs here and those of tests/unit use the same operands and the same hash on every
 * machine. The operands are pseudorandom numbers. Of a result, only the hash is kept.
 */
#ifndef GPU_NUMBERS_H
#define GPU_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* splitmix64 */
static inline uint64_t mixed(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* FNV-1a */
static inline uint64_t hash_of(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
    return hash;
}

#endif
