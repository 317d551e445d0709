// SPDX-License-Identifier: GPL-3.0-or-later
//! array a i16 101 random:-300:300
//! array b f32 64 random:-1:1
//! array phases i32 1
//! launch oddEven<<<1,64>>>(a, 101)
//! launch oddEvenEarly<<<1,32>>>(b, 64, phases)
//! expect a
//! expect b
//! expect phases
// Odd-even transposition sort in one block; the second kernel stops as soon as
// two phases running changed nothing.

__device__ void swap(float &x, float &y)
{
    float t = x;
    x = y;
    y = t;
}

__global__ void oddEven(short *a, int n)
{
    for (int phase = 0; phase < n; phase++) {
        int i = 2 * threadIdx.x + (phase & 1);
        if (i + 1 < n && a[i] > a[i + 1]) {
            short t = a[i];
            a[i] = a[i + 1];
            a[i + 1] = t;
        }
        __syncthreads();
    }
}

__global__ void oddEvenEarly(float *b, int n, int *phases)
{
    int quiet = 0, phase = 0;
    while (true) {
        int i = 2 * threadIdx.x + phase % 2;
        int changed = 0;
        if (i < n - 1 && b[i] > b[i + 1]) {
            swap(b[i], b[i + 1]);
            changed = 1;
        }
        phase++;
        if (__syncthreads_or(changed))
            quiet = 0;
        else if (++quiet == 2)
            break;
    }
    if (threadIdx.x == 0)
        *phases = phase;
}
