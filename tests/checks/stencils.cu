// SPDX-License-Identifier: GPL-3.0-or-later
// Stencils: every cell anew from its neighbours, in tiles with halos, in two
// dimensions, and over several steps.

// Right: tile and halo are filled before the barrier and only read after it.
//@ array in float 128 iota
//@ array out float 128 zero
//@ launch sten_halo<<<2, 64>>>(in, out)
//@none
__global__ void sten_halo(const float *in, float *out)
{
    __shared__ float s[66];
    int t = threadIdx.x;
    int i = blockIdx.x * 64 + t;
    s[t + 1] = in[i];
    if (t == 0)
        s[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 63)
        s[65] = i < 127 ? in[i + 1] : 0.0f;
    __syncthreads();
    out[i] = (s[t] + s[t + 1] + s[t + 2]) / 3.0f;
}

// Right: two rows take turns, one barrier between steps is enough.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch sten_two_rows<<<1, 64>>>(in, out, 5)
//@none
__global__ void sten_two_rows(const int *in, int *out, int steps)
{
    __shared__ int row[2][64];
    int t = threadIdx.x;
    int left = (t + 63) % 64, right = (t + 1) % 64;
    row[0][t] = in[t];
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        int *now = row[k % 2], *next = row[(k + 1) % 2];
        next[t] = now[left] + now[right] - now[t];
        __syncthreads();
    }
    out[t] = row[steps % 2][t];
}

// Right: in place, for all have read into registers before anybody writes.
//@ array a int 64 iota
//@ launch sten_registers<<<1, 64>>>(a)
//@none
__global__ void sten_registers(int *a)
{
    int t = threadIdx.x;
    int v = a[t];
    if (t > 0)
        v += a[t - 1];
    if (t < 63)
        v += a[t + 1];
    __syncthreads();
    a[t] = v;
}

// Right: red cells read black ones only, and the other way round after a barrier.
//@ array a float 66 value:1
//@ launch sten_red_black<<<1, 32>>>(a, 3)
//@none
__global__ void sten_red_black(float *a, int steps)
{
    int t = threadIdx.x;
    for (int k = 0; k < 2 * steps; k++) {
        int i = 1 + 2 * t + k % 2;
        a[i] = 0.5f * (a[i - 1] + a[i + 1]);
        __syncthreads();
    }
}

// Wrong: no barrier between filling the tile and reading the neighbours' cells.
//@ array in float 64 iota
//@ array out float 64 zero
//@ launch sten_no_barrier<<<1, 64>>>(in, out)
//@found race-shared no-barrier
//@may uninitialized
__global__ void sten_no_barrier(const float *in, float *out)
{
    __shared__ float s[66];
    int t = threadIdx.x;
    s[t + 1] = in[t]; // no-barrier
    if (t == 0) {
        s[0] = 0.0f;
        s[65] = 0.0f; // no-barrier
    }
    float mid = s[t + 1];
    out[t] = (s[t] + mid + s[t + 2]) / 3.0f; // no-barrier
}

// Wrong: in place in global memory, neighbours are read while their owners write.
//@ array a int 64 iota
//@ launch sten_in_place<<<2, 32>>>(a)
//@found race-global in-place
__global__ void sten_in_place(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < 63)
        a[i] = (a[i - 1] + a[i + 1]) / 2; // in-place
}

// Wrong: __syncthreads holds one block, cells at the seam belong to another.
//@ array a int 64 iota
//@ array b int 64 zero
//@ launch sten_seam<<<2, 32>>>(a, b)
//@found race-global seam
__global__ void sten_seam(const int *a, int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = 2 * a[i]; // seam
    __syncthreads();
    int v = b[i];
    if (blockIdx.x == 1)
        v += b[i - 1]; // seam
    __syncthreads();
    if (blockIdx.x == 1)
        b[i] = v;
}

// Wrong: the time loop lacks the barrier between its reads and its write.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch sten_one_of_two<<<1, 64>>>(in, out, 4)
//@found race-shared one-of-two
__global__ void sten_one_of_two(const int *in, int *out, int steps)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        int v = s[(t + 63) % 64] + s[(t + 1) % 64]; // one-of-two
        s[t] = v;                                   // one-of-two
        __syncthreads();
    }
    out[t] = s[t];
}

// Wrong: nobody fills the right halo cell.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch sten_right_halo<<<1, 64>>>(in, out)
//@found uninitialized right-halo
__global__ void sten_right_halo(const int *in, int *out)
{
    __shared__ int s[66];
    int t = threadIdx.x;
    s[t + 1] = in[t];
    if (t == 0)
        s[0] = 0;
    __syncthreads();
    int left = s[t];
    int right = s[t + 2]; // right-halo
    out[t] = left + right;
}

// Wrong: the block is 16 by 4, and rows are in different warps that no barrier holds.
//@ array in int 64 iota
//@ array out int 64 zero
//@ launch sten_rows<<<1, (16, 4)>>>(in, out)
//@found race-shared rows
__global__ void sten_rows(const int *in, int *out)
{
    __shared__ int s[4][16];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[y * 16 + x]; // rows
    __syncwarp();
    int v = 0;
    if (y > 0)
        v += s[y - 1][x]; // rows
    if (x > 0)
        v += s[y][x - 1];
    out[y * 16 + x] = v;
}
