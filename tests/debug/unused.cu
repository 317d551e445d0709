// SPDX-License-Identifier: GPL-3.0-or-later
// away: over never
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int used = i + 1;
    int over = used * 2;
    over = used * 3;
    int last;
    last = over - 1; // set: last
    float never = i * 1.5f;
    never = never + 1;
    x[i] = used + last;
}
