// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the exclusive prefix sums of each 512 integers by a tree in shared memory, after
// Blelloch. There is no padding against bank conflicts.
//: small   array a i32 4096 random; array b i32 4096; array total i32 8; launch scan<<<8, 256>>>(b, total, a)
//: middle  array a i32 131072 random; array b i32 131072; array total i32 256; launch scan<<<256, 256>>>(b, total, a)
//: large   array a i32 4194304 random; array b i32 4194304; array total i32 8192; launch scan<<<8192, 256>>>(b, total, a)

extern "C" __global__ void scan(int *out, int *total, const int *in)
{
    __shared__ int s[512];
    int t = threadIdx.x, base = blockIdx.x * 512, offset = 1;
    s[2 * t] = in[base + 2 * t];
    s[2 * t + 1] = in[base + 2 * t + 1];
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) {
        total[blockIdx.x] = s[511];
        s[511] = 0;
    }
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1, v = s[left];
            s[left] = s[right];
            s[right] += v;
        }
    }
    __syncthreads();
    out[base + 2 * t] = s[2 * t];
    out[base + 2 * t + 1] = s[2 * t + 1];
}
