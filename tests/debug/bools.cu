// SPDX-License-Identifier: GPL-3.0-or-later
// away: both done
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    bool even = i % 2 == 0;
    bool small = i < 10;
    bool both = even && small;
    bool any = even || small;
    bool odd = !even;
    int count = 0;
    for (int j = 0; j < 4; j++) {
        bool hit = (i + j) % 3 == 0;
        if (hit) {
            count++;
            both = !both;
        }
        any = any && j < 2;
    }
    bool done = count > 1;
    x[i] = count + both + any + odd + done;
}
