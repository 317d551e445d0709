// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 64: i32[] random 0 9, i32[] 0
extern "C" __global__ void prefixsum(const int *x, int *out) {
    __shared__ int temp[2][64];
    int tid = threadIdx.x;
    int in = 0;
    int cur = 1;
    int own = x[tid];
    temp[in][tid] = own;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int sum = temp[in][tid];
        if (tid >= d) {
            int before = temp[in][tid - d];
            sum += before;
        }
        temp[cur][tid] = sum;
        cur = 1 - cur;
        in = 1 - in;
        __syncthreads();
    }
    int inclusive = temp[in][tid];
    int exclusive = inclusive - own;
    out[tid] = inclusive;
    out[tid + 64] = exclusive;
}
