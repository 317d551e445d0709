// SPDX-License-Identifier: GPL-3.0-or-later
// Collatz: how many steps each number needs to reach 1. The loops of a warp end at different times,
// and a block is one warp only.
//: small   array steps i32 4096; launch collatz<<<128, 32>>>(steps, 4096)
//: middle  array steps i32 65536; launch collatz<<<2048, 32>>>(steps, 65536)
//: large   array steps i32 1048576; launch collatz<<<32768, 32>>>(steps, 1048576)

__global__ void collatz(int *steps, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long v = i + 1;
    int count = 0;
    while (v != 1) {
        if (v & 1)
            v = 3 * v + 1;
        else
            v >>= 1;
        ++count;
    }
    steps[i] = count;
}
