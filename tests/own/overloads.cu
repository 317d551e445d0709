// SPDX-License-Identifier: GPL-3.0-or-later
//! array i i32 10 iota
//! array f f32 10 iota
//! array r i32 40 zero
//! launch ov(int*)<<<1,10>>>(i)
//! launch ov(float*)<<<1,10>>>(f)
//! launch ns::k<<<1,10>>>(r)
//! launch k<<<1,10>>>(r+10)
//! launch outer::inner::k<<<1,10>>>(r+20, 100)
//! launch plain_c<<<1,10>>>(r+30, 9)
//! expect i
//! expect f
//! expect r

__global__ void ov(int *p)
{
    p[threadIdx.x] = p[threadIdx.x] * 2 + 1;
}

__global__ void ov(float *p)
{
    p[threadIdx.x] = p[threadIdx.x] / 2 - 1;
}

__device__ int pick(int) { return 1; }
__device__ int pick(long long) { return 2; }
__device__ int pick(float) { return 3; }
__device__ int pick(double) { return 4; }
__device__ int pick(const char *) { return 5; }
__device__ int pick(unsigned char) { return 6; }

namespace ns {
__device__ int offset = 40;
__global__ void k(int *r)
{
    r[threadIdx.x] = threadIdx.x + offset;
}
}

__global__ void k(int *r)
{
    unsigned char c = 'x';
    int values[10] = {pick(1), pick(2LL), pick(3.0f), pick(4.0), pick("five"), pick(c),
                      pick(c + 1), pick('a' + 0LL), pick(1 / 2.0f), pick(true + 0.5)};
    r[threadIdx.x] = values[threadIdx.x];
}

namespace outer {
namespace inner {
__device__ int twice(int x) { return 2 * x; }
__global__ void k(int *r, int base)
{
    using ns::offset;
    r[threadIdx.x] = twice(base) + offset - int(threadIdx.x);
}
}
}

extern "C" __global__ void plain_c(int *r, int n)
{
    int i = threadIdx.x;
    if (i < n)
        r[i] = n - i;
}
