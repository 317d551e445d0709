// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __noinline__ void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}
static __device__ __noinline__ int total(const int *from, int count)
{
    int sum = 0;
    const int *end = from + count;
    while (from < end) {
        sum += *from;
        from++;
    }
    return sum;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int *mine = x + i;
    int array[6] = {3, 1, 4, 1, 5, 9};
    swap(&array[i % 6], &array[1]);
    int &first = array[0];
    first += i;
    int value = *mine;
    int sum = total(array, 6);
    int other = 7;
    swap(&value, &other);
    const int &constant = other;
    mine += 128;
    *mine = sum + value + constant;
    x[i] = first;
}
