// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 64: i32[] 0 step 1, i32[] 0
extern "C" __global__ void shflsum(const int *x, int *out) {
    const unsigned full = 0xffffffffu;
    int tid = threadIdx.x;
    int lane = tid & 31;
    int warp = tid >> 5;
    int sum = x[tid];
    for (int offset = 16; offset > 0; offset >>= 1) {
        int other = __shfl_down_sync(full, sum, offset);
        sum += other;
    }
    int total = __shfl_sync(full, sum, 0);
    int biggest = x[tid] % 13;
    for (int mask = 1; mask < 32; mask <<= 1) {
        int partner = __shfl_xor_sync(full, biggest, mask);
        biggest = partner > biggest ? partner : biggest;
    }
    float share = (float)x[tid] / total;
    int left = __shfl_up_sync(full, tid, 1);
    if (lane == 0) {
        left = -1;
        out[128 + warp] = total;
    }
    out[tid] = left + biggest;
    out[tid + 64] = (int)(share * 1000.0f);
}
