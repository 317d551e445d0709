/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

/* ten rounds on counter (step, 0, sequence, 0) */
static uint32_t word(uint64_t seed, uint32_t sequence, uint32_t step, int which)
{
    uint32_t c[4] = {step, 0, sequence, 0}, k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
        c[0] = (uint32_t)(b >> 32) ^ c[1] ^ k0;
        c[1] = (uint32_t)b;
        c[2] = (uint32_t)(a >> 32) ^ c[3] ^ k1;
        c[3] = (uint32_t)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c[which];
}

void reference(void)
{
    uint32_t *raw = array("raw");
    float *u = array("u"), *range = array("range");
    range[0] = 1;
    for (uint32_t i = 0; i < 64; i++) {
        for (int k = 0; k < 8; k++)
            raw[8 * i + k] = word(1234567890123, i, k / 4, k % 4);
        raw[8 * i + 6] >>= 1;
        raw[8 * i + 7] %= 1000;
        for (int k = 0; k < 4; k++) {
            float x = (float)((word(42, i, 1, k) + 0.5) / 4294967296.0);
            u[4 * i + k] = x;
            range[0] = x < range[0] ? x : range[0];
            range[1] = x > range[1] ? x : range[1];
        }
    }
}
