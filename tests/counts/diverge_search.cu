// SPDX-License-Identifier: GPL-3.0-or-later
// Binary search in a row of even numbers, every lane its own way.
// launch 2 64
extern "C" __global__ void diverge_search(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, key = in[blockIdx.x * 64 + t] & 255, low = 0, high = 128;
    s[t] = 2 * t;
    s[t + 64] = 2 * t + 128;
    __syncthreads();
#pragma unroll 1
    while (low < high) {
        int middle = (low + high) / 2;
        if (s[middle] == key)
            break;
        if (s[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    out[blockIdx.x * 64 + t] = low;
}
