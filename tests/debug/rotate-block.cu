// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 2 64: i32[] 0 step 1, i32[] 0, i32 11
extern "C" __global__ void rotateblock(const int *x, int *out, int shift) {
    __shared__ int cells[64];
    __shared__ int checksum;
    int local = threadIdx.x;
    int global = blockIdx.x * blockDim.x + local;
    cells[local] = x[global] * 2;
    if (local == 0) {
        checksum = 0;
    }
    __syncthreads();
    int from = (local + shift) % blockDim.x;
    int got = cells[from];
    __syncthreads();
    int back = blockDim.x - 1 - local;
    cells[back] = got;
    if (got % 3 == 0) {
        atomicAdd(&checksum, got);
    }
    __syncthreads();
    int mine = cells[local];
    int check = checksum;
    out[global] = mine;
    out[global + 128] = check;
}
