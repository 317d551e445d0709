/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static int64_t signed_high(int64_t a, int64_t b)
{
    uint64_t h = high_product((uint64_t)a, (uint64_t)b);
    return (int64_t)(h - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0));
}

static uint64_t times(uint64_t a, uint64_t b, uint64_t m)
{
    uint64_t r = 0; /* m < 2^40: 20 bits at a time */
    for (int shift = 40; shift >= 0; shift -= 20)
        r = ((r << 20) % m + a * (b >> shift & 0xfffff) % m) % m;
    return r;
}

/* F(n) and F(n+1) by doubling */
static void fibonacci(uint64_t n, uint64_t m, uint64_t f[2])
{
    f[0] = 0, f[1] = 1;
    for (int bit = 50; bit >= 0; bit--) {
        uint64_t x = times(f[0], (2 * f[1] + m - f[0]) % m, m);
        uint64_t y = (times(f[0], f[0], m) + times(f[1], f[1], m)) % m;
        f[0] = n >> bit & 1 ? y : x;
        f[1] = n >> bit & 1 ? (x + y) % m : y;
    }
}

void reference(void)
{
    int64_t *a = array("a"), *b = array("b"), *q = array("q");
    int32_t *h = array("h");
    uint32_t *p = array("p");
    uint64_t *f = array("fibmod"), n = 1;
    for (int i = 0; i < 64; i++) {
        uint64_t x = (uint64_t)a[i], y = (uint64_t)b[i];
        int64_t o[10] = {a[i] / b[i],
                         a[i] % b[i],
                         (int64_t)(x * y),
                         (int64_t)(x / 10),
                         (int64_t)(x % 1000003),
                         a[i] >> i,
                         (int64_t)(x >> i),
                         (int64_t)(y << i),
                         signed_high(a[i], b[i]),
                         (int64_t)high_product(x, y << 31)};
        memcpy(q + 10 * i, o, sizeof o);
        int32_t lo = (int32_t)x, up = (int32_t)(x >> 32);
        h[2 * i] = (int32_t)((int64_t)lo * up >> 32);
        h[2 * i + 1] = (int32_t)((uint64_t)(uint32_t)lo * (uint32_t)up >> 32);
    }
    for (uint32_t e = 0; e < 128; e++) {
        uint64_t r = 1;
        for (uint32_t k = 0; k < e * e * 77; k++)
            r = r * 3 % 1000000007;
        p[e] = (uint32_t)r;
    }
    for (int k = 0; k < 40; k++) {
        uint64_t both[2];
        fibonacci(n, 1000000000039, both);
        f[k] = both[0];
        n = n * 7 & ((1ull << 50) - 1);
    }
}
