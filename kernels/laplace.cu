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
