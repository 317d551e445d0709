// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    int sum = 0;
    float mean = 0.5f;
    for (int j = 0; j < 4; j++) {
        int value = x[i + j];
        sum += value;
        mean = mean * 0.5f + value;
        for (int l = j; l > 0; l--) {
            int twice = 2 * l;
            sum -= twice;
        }
    }
    int turns = sum & 7;
    while (turns > 0) {
        turns--;
        sum++;
    }
    do {
        int last = sum;
        sum += last & 3;
        turns++;
    } while (turns < 3);
    x[i] = sum + (int)mean;
}
