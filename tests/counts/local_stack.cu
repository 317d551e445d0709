// SPDX-License-Identifier: GPL-3.0-or-later
// A stack a thread, of its own depth.
// launch 1 64
extern "C" __global__ void local_stack(const int *in, int *out, int n)
{
    int stack[32], top = 0, t = threadIdx.x, sum = 0;
    stack[top++] = in[t] & 31;
#pragma unroll 1
    while (top > 0) {
        int v = stack[--top];
        sum = sum * 3 + v;
        if (v > 3) {
            stack[top++] = v / 2;
            stack[top++] = v / 3;
        }
    }
    out[t] = sum;
}
