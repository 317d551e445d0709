// SPDX-License-Identifier: GPL-3.0-or-later
// Names: plain, in a namespace, of a template, overloaded; and the variables of a module.
struct pair {
    int first;
    double second;
};
enum colour : unsigned short { RED, GREEN };

__device__ int counter = 5;
__device__ float grid[2][3];
__constant__ unsigned char bytes[4] = {1, 2, 254, 255};
__constant__ double pi = 3.25;
__device__ long long far = -9223372036854775807LL - 1;
__device__ pair pairs[2];
__device__ int *where;
namespace ns {
__device__ short deep[2] = {-7, 7};
__global__ void k(int *out)
{
    out[0] = 20 + deep[1];
}
namespace inner {
__global__ void only(int *out)
{
    out[0] = 30;
}
} // namespace inner
} // namespace ns

__global__ void k(int *out)
{
    out[0] = 10;
}

template <typename T> __global__ void tk(T *out)
{
    out[0] = (T)(sizeof(T) + 0.5);
}
template __global__ void tk<float>(float *);
template __global__ void tk<int>(int *);

template <int N> __global__ void many(int *out)
{
    out[0] = N;
}
template __global__ void many<3>(int *);

__global__ void ov(int *out)
{
    out[0] = 40;
}
__global__ void ov(float *out)
{
    out[0] = 41;
}

extern "C" __global__ void c_name(int *out, int add)
{
    __shared__ int both[32];
    both[threadIdx.x] = add;
    __syncthreads();
    out[0] = both[0] + counter + bytes[2] + (int)pi + (int)grid[1][2] + (int)far;
    counter += 1;
    out[1] = pairs[1].first + (where == 0);
}
