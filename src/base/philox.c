/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ten rounds; each multiplies two words, crosses the halves of the products over, and mixes
 * the key in, which moves on by a constant from round to round.
 *
 * For many counters in a row the innermost loop goes over a few of them, so that compilers make it
 * a loop over vectors. It is compiled for several kinds of x86 processors, with the same result.
 */
#include "base/philox.h"

#include <stdbool.h>
#include <string.h>

enum { ROUNDS = 10, SIDE_BY_SIDE = 16 };

static void one_round(uint32_t v[4], const uint32_t key[2])
{
    uint64_t a = (uint64_t)v[0] * 0xD2511F53u, b = (uint64_t)v[2] * 0xCD9E8D57u;
    uint32_t first = (uint32_t)(b >> 32) ^ v[1] ^ key[0];
    uint32_t third = (uint32_t)(a >> 32) ^ v[3] ^ key[1];
    v[0] = first;
    v[1] = (uint32_t)b;
    v[2] = third;
    v[3] = (uint32_t)a;
}

void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4])
{
    uint32_t k[2] = {key[0], key[1]};
    for (int i = 0; i < 4; i++)
        out[i] = counter[i];
    for (int i = 0; i < ROUNDS; i++) {
        one_round(out, k);
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
}

/* ---- many counters in a row ------------------------------------------------------------- */

typedef void words_of(const uint32_t key[2], uint64_t first, uint32_t low[SIDE_BY_SIDE],
                      uint32_t high[SIDE_BY_SIDE]);

static inline __attribute__((always_inline)) void
words(const uint32_t key[2], uint64_t first, uint32_t low[SIDE_BY_SIDE],
      uint32_t high[SIDE_BY_SIDE])
{
    uint32_t a[SIDE_BY_SIDE], b[SIDE_BY_SIDE], c[SIDE_BY_SIDE] = {0}, d[SIDE_BY_SIDE] = {0};
    uint32_t k = key[0], l = key[1];
    for (unsigned i = 0; i < SIDE_BY_SIDE; i++) {
        a[i] = (uint32_t)(first + i);
        b[i] = (uint32_t)((first + i) >> 32);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < SIDE_BY_SIDE; i++) {
            const uint64_t x = (uint64_t)a[i] * 0xD2511F53u, y = (uint64_t)c[i] * 0xCD9E8D57u;
            a[i] = (uint32_t)(y >> 32) ^ b[i] ^ k;
            b[i] = (uint32_t)y;
            c[i] = (uint32_t)(x >> 32) ^ d[i] ^ l;
            d[i] = (uint32_t)x;
        }
        k += 0x9E3779B9u;
        l += 0xBB67AE85u;
    }
    memcpy(low, a, sizeof a);
    memcpy(high, b, sizeof b);
}

static void words_anywhere(const uint32_t key[2], uint64_t first, uint32_t *low, uint32_t *high)
{
    words(key, first, low, high);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void words_avx2(const uint32_t key[2], uint64_t first,
                                                       uint32_t *low, uint32_t *high)
{
    words(key, first, low, high);
}
__attribute__((target("avx512f"))) static void words_avx512(const uint32_t key[2], uint64_t first,
                                                            uint32_t *low, uint32_t *high)
{
    words(key, first, low, high);
}
static words_of *words_here(void)
{
    return __builtin_cpu_supports("avx512f") ? words_avx512
           : __builtin_cpu_supports("avx2")  ? words_avx2
                                             : words_anywhere;
}
#else
static words_of *words_here(void)
{
    return words_anywhere;
}
#endif

void philox_row(const uint32_t key[2], uint64_t first, size_t n, uint32_t *low, uint32_t *high)
{
    words_of *const of = words_here();
    uint32_t rest[2][SIDE_BY_SIDE];
    size_t i = 0;
    for (; n - i >= SIDE_BY_SIDE; i += SIDE_BY_SIDE)
        of(key, first + i, low + i, high + i);
    if (i == n)
        return;
    of(key, first + i, rest[0], rest[1]);
    memcpy(low + i, rest[0], (n - i) * sizeof *low);
    memcpy(high + i, rest[1], (n - i) * sizeof *high);
}
