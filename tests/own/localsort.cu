// SPDX-License-Identifier: GPL-3.0-or-later
//! array data i32 1024 random:0:9999
//! array digits u8 640
//! array numbers u32 32 random:0:4000000000
//! array median f32 32
//! array samples f32 288 random
//! launch sortRows<<<2,32>>>(data)
//! launch toDecimal<<<1,32>>>(numbers, digits)
//! launch medians<<<1,32>>>(samples, median)
//! expect data
//! expect digits
//! expect median
// Arrays of a thread's own, indexed by what comes up at run time.

#define LEN 16

__global__ void sortRows(int *data)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int a[LEN];
    for (int i = 0; i < LEN; i++)
        a[i] = data[row * LEN + i];
    for (int i = 1; i < LEN; i++) {         // insertion
        int key = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
    for (int i = 0; i < LEN; i++)
        data[row * LEN + i] = a[i];
}

// right aligned in 20 characters, as printf would do with %20u
__global__ void toDecimal(const unsigned *numbers, unsigned char *digits)
{
    char buf[12];
    int len = 0;
    unsigned v = numbers[threadIdx.x] >> threadIdx.x;
    do {
        buf[len++] = '0' + v % 10;
        v /= 10;
    } while (v);
    for (int i = 0; i < 20; i++)
        digits[threadIdx.x * 20 + i] = i < 20 - len ? ' ' : buf[19 - i];
}

__device__ float kth(float *v, int n, int k)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {                       // quickselect
        float pivot = v[k];
        int i = lo, j = hi;
        do {
            while (v[i] < pivot) i++;
            while (pivot < v[j]) j--;
            if (i <= j) {
                float t = v[i];
                v[i++] = v[j];
                v[j--] = t;
            }
        } while (i <= j);
        if (j < k) lo = i;
        if (k < i) hi = j;
    }
    return v[k];
}

__global__ void medians(const float *samples, float *median)
{
    float v[9];
    for (int i = 0; i < 9; i++)
        v[i] = samples[threadIdx.x * 9 + i];
    median[threadIdx.x] = kth(v, 9, 4);
}
