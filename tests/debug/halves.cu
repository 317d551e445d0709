// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    float low = 0.0f;
    float high = i + 1.0f;
    float target = i * 0.7f + 0.2f;
    int turns = 0;
    do {
        float middle = 0.5f * (low + high);
        if (middle * middle < target) {
            low = middle;
        } else {
            high = middle;
        }
        turns++;
    } while (turns < 6);
    double result = low;
    x[i] = (int)(result * 100);
}
