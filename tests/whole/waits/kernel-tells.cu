// The host reads a flag again and again, until the kernel has set it. Then it reads the kernel's
// result. It makes no call of CUDA for that.
#include "check.h"
#include <unistd.h>

const int N = 256;

__global__ void sum_up(const int *v, int *sum, volatile int *flag)
{
    atomicAdd(sum, v[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        *flag = 1;
    }
}

static bool try_flag(int *memory, bool sleeps)
{
    int *v = memory, *sum = memory + N, wanted = 0;
    volatile int *flag = memory + N + 1;
    for (int i = 0; i < N; i++)
        wanted += v[i] = 3 * i + 1;
    *sum = *flag = 0;
    sum_up<<<1, N>>>(v, sum, flag);
    CHECK(cudaGetLastError());
    while (*flag == 0)
        if (sleeps)
            usleep(10);
    bool right = *sum == wanted;
    CHECK(cudaDeviceSynchronize());
    return right;
}

int main()
{
    int *pinned, *managed;
    CHECK(cudaHostAlloc(&pinned, (N + 2) * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaMallocManaged(&managed, (N + 2) * sizeof(int)));
    bool right = true;
    for (int sleeps = 0; sleeps < 2; sleeps++)
        right = right && try_flag(pinned, sleeps) && try_flag(managed, sleeps);
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
    return result(right);
}
