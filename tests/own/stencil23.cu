// SPDX-License-Identifier: GPL-3.0-or-later
//! array u f32 600 random:0:1
//! array v f32 600 zero
//! array cube i32 1000 iota
//! array sum i32 1000 zero
//! launch quantise<<<5,120>>>(u)
//! launch jacobi<<<(4,3),(8,8)>>>(u, v, 30, 20)
//! launch jacobi<<<(4,3),(8,8)>>>(v, u, 30, 20)
//! launch seven<<<(3,3,3),(4,4,4)>>>(cube, sum, 10)
//! expect u
//! expect v
//! expect sum

__global__ void quantise(float *u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    u[i] = rintf(u[i] * 64.0f);
}

__device__ __forceinline__ int at(int x, int y, int w) { return y * w + x; }

__global__ void jacobi(const float *old, float *now, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        now[at(x, y, w)] = old[at(x, y, w)];
        return;
    }
    now[at(x, y, w)] = 0.25f * (old[at(x - 1, y, w)] + old[at(x + 1, y, w)]
                                + old[at(x, y - 1, w)] + old[at(x, y + 1, w)]);
}

#define IDX(x, y, z) (((z) * n + (y)) * n + (x))

// centre times six less its six neighbours, zero on the boundary
__global__ void seven(const int *a, int *r, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    bool inside = x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1;
    if (inside) {
        int me = a[IDX(x, y, z)];
        me = me * me % 101;
        int s = 6 * me;
        s -= a[IDX(x - 1, y, z)] + a[IDX(x + 1, y, z)];
        s -= a[IDX(x, y - 1, z)] + a[IDX(x, y + 1, z)];
        s -= a[IDX(x, y, z - 1)] + a[IDX(x, y, z + 1)];
        r[IDX(x, y, z)] = s;
    }
}
