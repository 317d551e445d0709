/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels vecadd, trap_atomic, trap_tree and matmul of tests/data/bench.cu, in OpenCL C:
 * the same work, step by step. Only adding to a float has to be made of a cas here.
 */

__kernel void vecadd(__global const float *a, __global const float *b, __global float *c, int n)
{
    int t = get_global_id(0);
    if (t < n)
        c[t] = a[t] + b[t];
}

void atomic_add_float(volatile __global uint *to, float x)
{
    uint old, seen = *to;
    do {
        old = seen;
        seen = atomic_cmpxchg(to, old, as_uint(as_float(old) + x));
    } while (seen != old);
}

float f(float x)
{
    return x * x + 1;
}

__kernel void trap_atomic(volatile __global uint *sum, float h, int n)
{
    int i = get_global_id(0);
    if (i < n)
        atomic_add_float(sum, f(i * h));
}

__kernel void trap_tree(volatile __global uint *sum, float h, int n)
{
    __local float s[256];
    int t = get_local_id(0), i = get_global_id(0);
    s[t] = i < n ? f(i * h) : 0;
    for (int half_size = 128; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < half_size)
            s[t] += s[t + half_size];
    }
    if (t == 0)
        atomic_add_float(sum, s[0]);
}

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float s[16][16], u[16][16];
    int i = get_local_id(1), j = get_local_id(0);
    int row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[i][j] = a[n * row + k + j];
        u[i][j] = b[n * (k + i) + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int m = 0; m < 16; m++)
            sum += s[i][m] * u[m][j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[n * row + column] = sum;
}
