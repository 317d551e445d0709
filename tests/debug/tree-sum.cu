// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 2 64: i32[] random 0 50, i32[] 0
extern "C" __global__ void treesum(const int *x, int *out) {
    __shared__ int sums[64];
    __shared__ int where[64];
    unsigned tid = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + tid;
    int mine = x[gid] + x[gid + 128];
    sums[tid] = mine;
    where[tid] = (int)gid;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            int right = sums[tid + s];
            int rightAt = where[tid + s];
            bool better = right > sums[tid];
            if (better) {
                sums[tid] = right;
                where[tid] = rightAt;
            }
        }
        __syncthreads();
    }
    int best = sums[0];
    int bestAt = where[0];
    if (tid == 0) {
        out[blockIdx.x * 2] = best;
        out[blockIdx.x * 2 + 1] = bestAt;
    }
    out[gid + 64] = best - mine;
}
