// Host and kernel find the greatest number in managed memory at the same time. The host reads, and
// then compares and swaps.
#include "check.h"

const int N = 1024;

__global__ void find(int *most, int *last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax_system(most, i);
    atomicExch_system(last, i);
}

int main()
{
    int *numbers;
    CHECK(cudaMallocManaged(&numbers, 2 * sizeof(int)));
    numbers[0] = -1;
    numbers[1] = 0;
    find<<<N / 128, 128>>>(&numbers[0], &numbers[1]);
    CHECK(cudaGetLastError());
    for (int i = N; i < 2 * N; i++) {
        int old, expected;
        do {
            expected = numbers[0];
            old = __sync_val_compare_and_swap(&numbers[0], expected, expected > i ? expected : i);
        } while (old != expected);
        __sync_lock_test_and_set(&numbers[1], i);
    }
    CHECK(cudaDeviceSynchronize());
    bool right = numbers[0] == 2 * N - 1 && numbers[1] >= 0 && numbers[1] < 2 * N;
    CHECK(cudaFree(numbers));
    return result(right);
}
