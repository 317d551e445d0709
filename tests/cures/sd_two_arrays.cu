// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array k i32 128 iota; array v f32 128 iota; launch swapPairs<<<1, 128, 512>>>(k, v)
//@ cured array k i32 128 iota; array v f32 128 iota; launch swapPairs<<<1, 128, 1024>>>(k, v)
//@ kind out-of-bounds
//@ cure shared-bytes
//@ says gives 512 bytes to the dynamic shared memory, and this access needs at least 516 bytes.*add up their bytes
// two arrays in one dynamic buffer, and the launch gives the bytes of one
__global__ void swapPairs(int *k, float *v)
{
    extern __shared__ int both[];
    int *keys = both;
    float *values = (float *)(keys + blockDim.x);
    int t = threadIdx.x;
    keys[t] = k[t];
    values[t] = v[t];
    __syncthreads();
    k[t] = keys[t ^ 1];
    v[t] = values[t ^ 1];
}
