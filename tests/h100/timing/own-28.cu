// SPDX-License-Identifier: GPL-3.0-or-later
// Each block of 512 threads sorts 1024 integers by the bitonic network in shared memory,
// with a barrier after each of the 55 steps.
//: small   array in i32 16384 random:0:1000000; array out i32 16384; launch bitonic<<<16, 512>>>(in, out)
//: middle  array in i32 262144 random:0:1000000; array out i32 262144; launch bitonic<<<256, 512>>>(in, out)
//: large   array in i32 4194304 random:0:1000000; array out i32 4194304; launch bitonic<<<4096, 512>>>(in, out)

extern "C" __global__ void bitonic(const int *in, int *out)
{
    __shared__ int v[1024];
    int t = threadIdx.x;
    int base = blockIdx.x * 1024;
    v[t] = in[base + t];
    v[t + 512] = in[base + t + 512];
    for (int size = 2; size <= 1024; size <<= 1) {
        for (int d = size >> 1; d > 0; d >>= 1) {
            __syncthreads();
            int low = 2 * t - (t & (d - 1));
            bool up = (low & size) == 0;
            int a = v[low];
            int b = v[low + d];
            if ((a > b) == up) {
                v[low] = b;
                v[low + d] = a;
            }
        }
    }
    __syncthreads();
    out[base + t] = v[t];
    out[base + t + 512] = v[t + 512];
}
