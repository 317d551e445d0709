/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Laplace equation on a grid of I x J points, by Jacobi's iteration. In each step a point
 * becomes the mean of its four neighbours. The points on the border keep their values.
 *
 * A kernel reads the old values in u and writes the new ones to v. One launch is one step. The
 * point in column i of row j is u[j * pitch + i].
 *
 * "//: variant NAME" begins the part of one variant. A part ends where the next one begins.
 */

//: variant global packed inplace
/* One thread for each point. A thread outside of the grid does nothing. */
extern "C" __global__ void laplace_global(const float *u, float *v, int I, int J, int pitch)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int j = blockDim.y * blockIdx.y + threadIdx.y;

    if (i < I && j < J) {
        int id = j * pitch + i;

        if (i == 0 || i == I - 1 || j == 0 || j == J - 1)
            v[id] = u[id];
        else
            v[id] = 0.25f * (u[id - 1] + u[id + 1] + u[id - pitch] + u[id + pitch]);
    }
}

//: variant shared
/* Each block loads its points and one more on each side into shared memory. */
extern "C" __global__ void laplace_shared(const float *u, float *v, int I, int J, int pitch)
{
    extern __shared__ float tile[];
    int wide = blockDim.x + 2, high = blockDim.y + 2;
    int left = blockDim.x * blockIdx.x - 1, top = blockDim.y * blockIdx.y - 1;

    for (int k = blockDim.x * threadIdx.y + threadIdx.x; k < wide * high;
         k += blockDim.x * blockDim.y) {
        int i = left + k % wide, j = top + k / wide;
        if (i >= 0 && i < I && j >= 0 && j < J)
            tile[k] = u[j * pitch + i];
    }
    __syncthreads();

    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int j = blockDim.y * blockIdx.y + threadIdx.y;
    if (i < I && j < J) {
        int id = j * pitch + i;
        int my = wide * (threadIdx.y + 1) + threadIdx.x + 1;   /* its place in the tile */

        if (i == 0 || i == I - 1 || j == 0 || j == J - 1)
            v[id] = tile[my];
        else
            v[id] = 0.25f * (tile[my - 1] + tile[my + 1] + tile[my - wide] + tile[my + wide]);
    }
}

//: used by vector
/* The new value of one point, as in `global`. */
__device__ __forceinline__ float New_value(const float *u, int i, int j, int I, int J, int pitch)
{
    int id = j * pitch + i;

    if (i == 0 || i == I - 1 || j == 0 || j == J - 1)
        return u[id];
    return 0.25f * (u[id - 1] + u[id + 1] + u[id - pitch] + u[id + pitch]);
}

/* Four neighbouring points of a row, by one load. The address must be a multiple of 16. */
__device__ __forceinline__ float4 Four_points(const float *from)
{
    float4 v = *(const float4 *)from;
    return make_float4(v.x, v.y, v.z, v.w);   /* part by part: clang splits a copy */
}

//: variant vector
/* Each thread computes four neighbouring points of a row. At the end of a row there may be fewer. Then
 * it computes them one by one. */
extern "C" __global__ void laplace_vector(const float *u, float *v, int I, int J, int pitch)
{
    int i = 4 * (blockDim.x * blockIdx.x + threadIdx.x);
    int j = blockDim.y * blockIdx.y + threadIdx.y;
    int id = j * pitch + i;

    if (i >= I || j >= J)
        return;
    if (i + 4 > I) {
        for (int k = i; k < I; k++)
            v[j * pitch + k] = New_value(u, k, j, I, J, pitch);
        return;
    }
    float4 my = Four_points(&u[id]), next = my;
    if (j > 0 && j < J - 1) {
        float4 up = Four_points(&u[id - pitch]), down = Four_points(&u[id + pitch]);
        float left = i > 0 ? u[id - 1] : 0.0f, right = i + 4 < I ? u[id + 4] : 0.0f;

        next.y = 0.25f * (my.x + my.z + up.y + down.y);
        next.z = 0.25f * (my.y + my.w + up.z + down.z);
        if (i > 0)
            next.x = 0.25f * (left + my.y + up.x + down.x);
        if (i + 4 < I)
            next.w = 0.25f * (my.z + right + up.w + down.w);
    }
    *(float4 *)&v[id] = make_float4(next.x, next.y, next.z, next.w);
}

//: variant noguard
/* WRONG unless the blocks fit exactly: a thread outside of the grid also reads and writes. */
extern "C" __global__ void laplace_noguard(const float *u, float *v, int I, int J, int pitch)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int j = blockDim.y * blockIdx.y + threadIdx.y;
    int id = j * pitch + i;

    if (i == 0 || i == I - 1 || j == 0 || j == J - 1)
        v[id] = u[id];
    else
        v[id] = 0.25f * (u[id - 1] + u[id + 1] + u[id - pitch] + u[id + pitch]);
}
