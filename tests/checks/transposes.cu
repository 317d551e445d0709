// SPDX-License-Identifier: GPL-3.0-or-later
// Transposes: square and oblong matrices, turned by way of a tile in shared
// memory, or in place.

// Right: a padded tile and one barrier.
//@ array in int 256 iota
//@ array out int 256 zero
//@ launch tr_padded<<<(2, 2), (8, 8)>>>(in, out)
//@none
__global__ void tr_padded(const int *in, int *out)
{
    __shared__ int tile[8][9];
    int x = threadIdx.x, y = threadIdx.y;
    int bx = blockIdx.x * 8, by = blockIdx.y * 8;
    tile[y][x] = in[(by + y) * 16 + bx + x];
    __syncthreads();
    out[(bx + y) * 16 + by + x] = tile[x][y];
}

// Right: one warp and a small tile, __syncwarp is enough for it.
//@ array in float 64 iota
//@ array out float 64 zero
//@ launch tr_one_warp<<<1, 32>>>(in, out)
//@none
__global__ void tr_one_warp(const float *in, float *out)
{
    __shared__ float tile[8][8];
    int t = threadIdx.x;
    for (int i = t; i < 64; i += 32)
        tile[i / 8][i % 8] = in[i];
    __syncwarp();
    for (int i = t; i < 64; i += 32)
        out[i] = tile[i % 8][i / 8];
}

// Right: in place, each pair of cells belongs to the one thread above the diagonal.
//@ array a int 256 iota
//@ launch tr_pairs<<<4, (16, 4)>>>(a)
//@none
__global__ void tr_pairs(int *a)
{
    int x = threadIdx.x, y = blockIdx.x * 4 + threadIdx.y;
    if (x > y) {
        int upper = a[y * 16 + x];
        a[y * 16 + x] = a[x * 16 + y];
        a[x * 16 + y] = upper;
    }
}

// Right: the tile serves two matrices in turn, with a barrier before it is filled again.
//@ array in int 128 iota
//@ array out int 128 zero
//@ launch tr_tile_twice<<<1, (8, 8)>>>(in, out)
//@none
__global__ void tr_tile_twice(const int *in, int *out)
{
    __shared__ int tile[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    for (int m = 0; m < 2; m++) {
        tile[y][x] = in[m * 64 + y * 8 + x];
        __syncthreads();
        out[m * 64 + y * 8 + x] = tile[x][y];
        __syncthreads();
    }
}

// Wrong: no barrier between filling the tile and reading it turned.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch tr_unsynced<<<1, (8, 8)>>>(in, out)
//@found race-shared unsynced
//@may uninitialized
__global__ void tr_unsynced(const int *in, int *out)
{
    __shared__ int tile[8][9];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 8 + x];  // unsynced
    out[y * 8 + x] = tile[x][y]; // unsynced
}

// Wrong: the second round fills the tile while others still read the first round.
//@ array in int 192 iota
//@ array out int 192 zero
//@ launch tr_second_round<<<1, (8, 8)>>>(in, out)
//@found race-shared second-round
__global__ void tr_second_round(const int *in, int *out)
{
    __shared__ int tile[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    for (int m = 0; m < 3; m++) {
        tile[y][x] = in[m * 64 + y * 8 + x]; // second-round
        __syncthreads();
        out[m * 64 + y * 8 + x] = tile[x][y]; // second-round
    }
}

// Wrong: in place, both threads of a pair swap the same two cells.
//@ array a int 64 iota
//@ launch tr_both_swap<<<1, (8, 8)>>>(a)
//@found race-global both-swap
__global__ void tr_both_swap(int *a)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x != y) {
        int v = a[x * 8 + y]; // both-swap
        a[y * 8 + x] = v;     // both-swap
    }
}

// Wrong: in place by 2 x 2 tiles, the other block's tile is read while it is written.
//@ array a int 256 iota
//@ launch tr_tiles_in_place<<<(2, 2), (8, 8)>>>(a)
//@found race-global tiles-in-place
__global__ void tr_tiles_in_place(int *a)
{
    __shared__ int tile[8][9];
    int x = threadIdx.x, y = threadIdx.y;
    int bx = blockIdx.x * 8, by = blockIdx.y * 8;
    tile[y][x] = a[(by + y) * 16 + bx + x]; // tiles-in-place
    __syncthreads();
    a[(bx + y) * 16 + by + x] = tile[x][y]; // tiles-in-place
}

// Wrong: the turned matrix has rows of 16, not of 32.
//@ array in int 512 iota
//@ array out int 512 zero
//@ launch tr_row_length<<<8, (32, 2)>>>(in, out)
//@found out-of-bounds row-length
__global__ void tr_row_length(const int *in, int *out)
{
    int x = threadIdx.x, y = blockIdx.x * 2 + threadIdx.y;
    int v = in[y * 32 + x];
    out[x * 32 + y] = v; // row-length
}
