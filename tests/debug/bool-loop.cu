// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    bool found = false;
    int at = 0;
    while (!found && at < 9) {
        int v = (i * 5 + at * 3) % 11;
        found = v == 4;
        at++;
    }
    bool late = at > 5;
    if (found && !late) {
        at = -at;
    }
    x[i] = at;
}
