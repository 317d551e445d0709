// SPDX-License-Identifier: GPL-3.0-or-later
// What two files share: functions, variables and a template.
struct point {
    float x, y;
};
__device__ int twice(int x);
__device__ float length2(point p);
extern __device__ int calls;
extern __constant__ int table[4];
extern __device__ int *where;

template <typename T> __device__ __noinline__ T three_times(T x)
{
    return x + x + x;
}
