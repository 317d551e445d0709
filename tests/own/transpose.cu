// SPDX-License-Identifier: GPL-3.0-or-later
//! array in f32 2048 iota
//! array a f32 2048
//! array b f32 2048
//! array c i32 4095
//! array ints i32 4095 random:-1000:1000
//! launch naive<<<(4,2),(16,16)>>>(in, a, 64, 32)
//! launch tiled<float><<<(2,1),(32,8)>>>(in, b, 64, 32)
//! launch tiled<int><<<(3,2),(32,8)>>>(ints, c, 65, 63)
//! expect a
//! expect b
//! expect c
// width is the number of columns of the input

#define TILE 32
#define ROWS 8

__global__ void naive(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

template <typename T>
__global__ void tiled(const T *in, T *out, int width, int height)
{
    __shared__ T tile[TILE][TILE + 1];      // one more against bank conflicts

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];

    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

template __global__ void tiled<float>(const float *, float *, int, int);
template __global__ void tiled<int>(const int *, int *, int, int);
