// SPDX-License-Identifier: GPL-3.0-or-later
//! array a i64 64 random:-9000000000000000000:9000000000000000000
//! array b i64 64 random:1:4000000000
//! array q i64 640
//! array h i32 128
//! array p u32 128
//! array fibmod u64 40
//! launch wide<<<2,32>>>(a, b, q)
//! launch high<<<1,64>>>(a, h)
//! launch power<<<4,32>>>(3, 1000000007, p)
//! launch matpow<<<1,40>>>(fibmod, 1000000000039)
//! expect q
//! expect h
//! expect p
//! expect fibmod
#include <stdint.h>
typedef long long ll;
typedef unsigned long long ull;
__global__ void wide(const ll *a, const ll *b, ll *q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ll x = a[i], y = b[i], *o = q + 10 * i;
    o[0] = x / y;
    o[1] = x % y;
    o[2] = (ll)((ull)x * (ull)y);
    o[3] = (ll)((ull)x / 10u);
    o[4] = (ll)((ull)x % 1000003u);
    o[5] = x >> (i % 64);
    o[6] = (ll)((ull)x >> (i % 64));
    o[7] = (ll)((ull)y << (i % 64));
    o[8] = __mul64hi(x, y);
    o[9] = (ll)__umul64hi((ull)x, (ull)y << 31);
}

__global__ void high(const ll *a, int *h)
{
    int i = threadIdx.x, lo = (int)a[i], up = (int)(a[i] >> 32);
    h[2 * i] = __mulhi(lo, up);
    h[2 * i + 1] = (int)__umulhi((unsigned)lo, (unsigned)up);
}

__global__ void power(uint32_t base, uint32_t m, uint32_t *p)
{
    uint32_t e = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t r = 1, b = base % m;
    for (uint32_t k = e * e * 77; k > 0; k >>= 1) {
        if (k & 1) r = r * b % m;
        b = b * b % m;
    }
    p[e] = (uint32_t)r;
}

__device__ ull mulmod(ull a, ull b, ull m)
{
    ull r = 0;
    for (; b; b >>= 1, a = (a + a) % m)
        if (b & 1) r = (r + a) % m;
    return r;
}

// [[1 1][1 0]]^n mod m, n = 7^k cut to 50 bits
__global__ void matpow(ull *out, ull m)
{
    ull n = 1, a = 1, b = 1, d = 0, ra = 1, rb = 0, rd = 1;
    for (int k = 0; k < threadIdx.x; k++) n = (n * 7) & ((1ull << 50) - 1);
    for (; n; n >>= 1) {
        ull t = mulmod(b, b, m);
        if (n & 1) {
            ull u = mulmod(rb, b, m);
            rb = (mulmod(ra, b, m) + mulmod(rb, d, m)) % m;
            ra = (mulmod(ra, a, m) + u) % m;
            rd = (u + mulmod(rd, d, m)) % m;
        }
        b = (mulmod(a, b, m) + mulmod(b, d, m)) % m;
        a = (mulmod(a, a, m) + t) % m;
        d = (t + mulmod(d, d, m)) % m;
    }
    out[threadIdx.x] = rb;
}
