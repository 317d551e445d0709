// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 512 iota; array partial i32 4 zero; array done u32 1 zero; array out i32 1 zero; launch lastBlockSum<<<4, 128>>>(x, partial, done, out)
//@ kind race-global
//@ cure grid-sync
//@ place between
//@ says __threadfence.. before it and after it.*second kernel
// the block that finishes last adds up the blocks' sums
__global__ void lastBlockSum(const int *x, int *partial, unsigned int *done, int *out)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    atomicAdd(&s, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();

    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s;
#ifdef CURED
        __threadfence();
        unsigned int ticket = atomicAdd(done, 1u);
        __threadfence();
#else
        unsigned int ticket = atomicAdd(done, 1u);
#endif
        if (ticket == gridDim.x - 1) {
            int sum = 0;
            for (int b = 0; b < (int)gridDim.x; b++)
                sum += partial[b];
            *out = sum;
        }
    }
}
