// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts each 1024 integers by a bitonic network in dynamic shared memory. A block has 512
// threads.
//: small   array a i32 2048 random:-1000000:1000000; array b i32 2048; launch bitonic<<<2, 512, 4096>>>(b, a)
//: middle  array a i32 32768 random:-1000000:1000000; array b i32 32768; launch bitonic<<<32, 512, 4096>>>(b, a)
//: large   array a i32 1048576 random:-1000000:1000000; array b i32 1048576; launch bitonic<<<1024, 512, 4096>>>(b, a)

__global__ void bitonic(int *out, const int *in)
{
    extern __shared__ int s[];
    int t = threadIdx.x, base = blockIdx.x * 1024;
    s[t] = in[base + t];
    s[t + 512] = in[base + t + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int lo = 2 * t - (t & (stride - 1)), hi = lo + stride;
            bool up = (lo & size) == 0;
            int a = s[lo], b = s[hi];
            if ((a > b) == up) {
                s[lo] = b;
                s[hi] = a;
            }
        }
    __syncthreads();
    out[base + t] = s[t];
    out[base + t + 512] = s[t + 512];
}
