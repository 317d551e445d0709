// SPDX-License-Identifier: GPL-3.0-or-later
//! array c i8 256 iota
//! array s i16 256 random:-32768:32767
//! array out i32 1536
//! array a i32 96 random:-2147483648:2147483647
//! array b i32 96 random:1:1000
//! array dm i32 768
//! array w u32 6
//! launch small<<<1,256>>>(c, s, out)
//! launch divmod<<<3,32>>>(a, b, dm)
//! launch wrap<<<1,1>>>(w, 4294967295, 2147483647, -128, 65535)
//! expect out
//! expect dm
//! expect w
#include <cuda_runtime.h>

__global__ void small(const signed char *c, const short *s, int *out)
{
    int i = threadIdx.x;
    signed char x = c[i];
    unsigned char ux = (unsigned char)x;
    short y = s[i];
    unsigned short uy = (unsigned short)y;
    int *o = out + 6 * i;
    o[0] = x * y;                                   // promoted to int
    o[1] = (signed char)(x + 100);                  // back to eight bits
    o[2] = (unsigned char)(ux * 3 + 7) >> 2;
    o[3] = (short)(uy << 3) - (x >> 1);
    o[4] = (unsigned short)~uy + (ux ^ 0x5a);
    x += 77;
    y -= 30000;
    ux <<= 1;
    uy /= 3;
    o[5] = (x < 0) * 1000000 + (y > 0 ? uy : -uy) + ux % 10;
}

__global__ void divmod(const int *a, const int *b, int *o)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = a[i], y = b[i];
    unsigned u = (unsigned)x;
    o += i * 8;
    o[0] = x / y;
    o[1] = x % y;
    o[2] = x / -y;
    o[3] = x % 7;                                   // by constants: multiplications
    o[4] = x / 16;
    o[5] = (int)(u / 7u + u % 10u);
    o[6] = (int)(u / (unsigned)y ^ u % (unsigned)y);
    o[7] = ((x % y) + y) % y;                       // never negative
}

__global__ void wrap(unsigned *w, unsigned most, int big, char least, unsigned short us)
{
    w[0] = most + 2u;
    w[1] = (unsigned)big + 1u;
    w[2] = most * most;
    w[3] = (unsigned)((int)least >> 3);
    w[4] = (unsigned char)(-least);
    us++;
    w[5] = us - 1;
}
