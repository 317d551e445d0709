// A lock for each thread, as in cuda::semaphore: a thread that does not get it sleeps longer and
// longer, by the clock. Threads of one warp wait for each other.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t e = (call);                                        \
        if (e != cudaSuccess) {                                        \
            printf("%s, line %d\n", cudaGetErrorString(e), __LINE__);  \
            exit(1);                                                   \
        }                                                              \
    } while (0)

__device__ int free_places = 1;
__device__ int sum;

__device__ unsigned long long now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ void acquire()
{
    while (atomicExch(&free_places, 0) == 0) {
        unsigned long long began = now();
        while (*(volatile int *)&free_places == 0)
            if (now() - began > 40000)
                __nanosleep((unsigned)((now() - began) / 4));
    }
    __threadfence();
}

__device__ void release()
{
    __threadfence();
    atomicExch(&free_places, 1);
}

__global__ void add_in_turn()
{
    acquire();
    sum += threadIdx.x;
    release();
}

int main()
{
    int out;
    add_in_turn<<<2, 40>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&out, sum, sizeof out));
    printf("%d\n", out);
    return 0;
}
