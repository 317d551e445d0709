// SPDX-License-Identifier: GPL-3.0-or-later
//! array x u32 128 random:0:4294967295
//! array o u32 1408
//! array y u64 64 random:0:18446744073709551614
//! array p u64 320
//! fill o zero
//! launch bits32<<<4,32>>>(x, o)
//! launch bits64<<<1,64>>>(y, p)
//! expect o
//! expect p
// Element 0 of each input is turned into 0, element 1 into all ones.

__device__ unsigned rotl(unsigned v, unsigned k) { return v << (k & 31) | v >> (-k & 31); }

__device__ unsigned gray(unsigned v) { return v ^ (v >> 1); }

__global__ void bits32(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = i == 0 ? 0u : i == 1 ? ~0u : in[i] >> (i % 20);
    unsigned next = in[(i + 1) % 128];
    unsigned *o = &out[i * 11];
    o[0] = __popc(v);
    o[1] = __clz(v);
    o[2] = __brev(v);
    o[3] = __ffs(v);
    o[4] = __byte_perm(v, next, 0x1407 + i % 8 * 0x10);
    o[5] = __funnelshift_l(v, next, i);
    o[6] = __funnelshift_r(v, next, i + 5);
    o[7] = rotl(v, i);
    o[8] = gray(v) & ~(v & -v);
    o[9] = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    o[10] = (v != 0 && (v & (v - 1)) == 0) | (__popc(v) & 1) << 1 | (int)(v >> 31) << 2;
}

__global__ void bits64(const unsigned long long *in, unsigned long long *p)
{
    int i = threadIdx.x;
    unsigned long long v = i == 0 ? 0ull : i == 1 ? ~0ull : in[i] >> i;
    p += 5 * i;
    p[0] = __popcll(v);
    p[1] = __clzll(v);
    p[2] = __brevll(v);
    p[3] = __ffsll(v);
    unsigned lo = (unsigned)v, hi = (unsigned)(v >> 32);
    p[4] = (unsigned long long)(lo ^ 0xdeadbeefu) << 32 | (hi & 0x00ff00ffu);
}
