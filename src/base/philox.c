/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ten rounds; each multiplies two words, crosses the halves of the products over, and mixes
 * the key in, which moves on by a constant from round to round.
 */
#include "base/philox.h"

enum { ROUNDS = 10 };

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
