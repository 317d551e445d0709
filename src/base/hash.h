/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * FNV-1a of 64 bits: a number that tells bytes from other bytes. Begin with HASH_START and go on
 * from what came out. Nobody is kept from making two texts with one number: it is for finding
 * what changed, not for trusting it (cc/source.h has one of 128 bits, for names of kept files).
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        h = (h ^ at[i]) * HASH_PRIME;
    return h;
}

/* Another number, in an eighth of the time: eight bytes are one step, and what the product
 * carries only upwards is brought down again. */
static inline uint64_t hash_words(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (; n >= 8; n -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        h = (h ^ word) * HASH_PRIME;
        h ^= h >> 29;
    }
    return hash_bytes(h, at, n);
}

#endif
