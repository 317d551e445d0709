// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 8: i32[] 0
__noinline__ __device__ int ack(int m, int n, int depth, int *deepest) {
    if (depth > *deepest) {
        *deepest = depth;
    }
    if (m == 0) {
        return n + 1;
    }
    if (n == 0) {
        return ack(m - 1, 1, depth + 1, deepest);
    }
    int inside = ack(m, n - 1, depth + 1, deepest);
    int value = ack(m - 1, inside, depth + 1, deepest);
    return value;
}

extern "C" __global__ void ackermann(int *out) {
    int t = threadIdx.x;
    int m = t / 4 + 1;
    int n = t % 4;
    int deepest = 0;
    int answer = ack(m, n, 0, &deepest);
    out[t] = answer;
    out[t + 8] = deepest;
}
