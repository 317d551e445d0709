// Launches in device code that fail, and child grids with mistakes.
#include <cstdio>

__global__ void write(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = n;
}

__global__ void past_the_end(int *p)
{
    p[threadIdx.x] = 7;
    if (threadIdx.x == 0)
        write<<<2, 32>>>(p, 1);
}

__global__ void too_many_threads(int *p)
{
    write<<<1, 2048>>>(p, 1);
    p[0] = cudaPeekAtLastError();
    p[1] = cudaGetLastError();
    p[2] = cudaGetLastError();
    write<<<1, 1, 1 << 20>>>(p, 1);
    p[3] = cudaGetLastError();
    printf("%s: %s\n", cudaGetErrorName((cudaError_t)p[3]), cudaGetErrorString((cudaError_t)p[3]));
}

__global__ void deeper(int *depth, int *error, int now)
{
    *depth = now;
    deeper<<<1, 1>>>(depth, error, now + 1);
    *error = cudaGetLastError();
}

__global__ void nothing()
{
}

__global__ void many(int *errors, int launches)
{
    for (int i = 0; i < launches; i++) {
        nothing<<<1, 1, 0, cudaStreamFireAndForget>>>();
        if (cudaError_t e = cudaGetLastError())
            atomicMax(errors, e);
    }
}

__global__ void old_stream(int *errors, cudaStream_t s)
{
    nothing<<<1, 1, 0, s>>>();
    *errors = cudaGetLastError();
}

__global__ void passes_stream(int *errors)
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    old_stream<<<1, 1>>>(errors, s);
}

__global__ void shared_pointer()
{
    __shared__ int tile[32];
    tile[threadIdx.x] = 0;
    if (threadIdx.x == 3)
        write<<<1, 32>>>(tile, 1);
}

__global__ void local_pointer(int n)
{
    int own[32], *hidden[2] = {nullptr, own};
    own[n] = n;
    write<<<1, 32>>>(hidden[n & 1], own[0]);
}

__global__ void for_ever()
{
    for_ever<<<1, 1>>>();
    while (true)
        __nanosleep(100);
}

__global__ void reads(const int *from, int *to)
{
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void unwritten(int *from, int *to)
{
    if (threadIdx.x == 0)
        reads<<<1, 32>>>(from, to);
}

__global__ void meets()
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __nanosleep(1);
}

// ---- races -----------------------------------------------------------------------------------

__global__ void reads_at_once(int *p, int *out)
{
    write<<<1, 1>>>(p, 5);
    *out = *p;
}

__global__ void without_barrier(int *p)
{
    p[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0)
        write<<<1, 64>>>(p, 1);
}

__global__ void with_barrier(int *p)
{
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        write<<<1, 64>>>(p, 1);
}

__global__ void one_stream(int *p)
{
    write<<<1, 32>>>(p, 1);
    write<<<1, 32>>>(p, 2);
}

__global__ void no_stream(int *p)
{
    write<<<1, 32, 0, cudaStreamFireAndForget>>>(p, 1);
    write<<<1, 32, 0, cudaStreamFireAndForget>>>(p, 2);
}

__global__ void each_block(int *p)
{
    write<<<1, 32>>>(p, blockIdx.x);
}

__global__ void tail(int *p, int *out)
{
    write<<<1, 32>>>(p, 1);
    reads<<<1, 32, 0, cudaStreamTailLaunch>>>(p, out);
    *out = 0;
}

__device__ int counter;

__global__ void copies()
{
    cudaMemcpy2DAsync(&counter, 4, &counter, 4, 4, 1, cudaMemcpyDeviceToDevice, 0);
    nothing<<<1, 1>>>();
}

// ---- copies and fills of memory --------------------------------------------------------------

__global__ void fills_past(int *p)
{
    cudaMemsetAsync(p + 4, 7, 29 * sizeof *p, 0);
}

__global__ void copies_shared(int *p)
{
    __shared__ int tile[4];
    tile[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        cudaMemcpyAsync(p, tile, sizeof tile, cudaMemcpyDeviceToDevice, 0);
}

__global__ void fills_at_once(int *p)
{
    cudaMemsetAsync(p, 0, 4 * sizeof *p, 0);
    p[0] = 1;
}

__global__ void copies_unwritten(int *from, int *to)
{
    cudaMemcpyAsync(to, from, 4 * sizeof *to, cudaMemcpyDeviceToDevice, 0);
}

__global__ void copies_from_host(int *p, int *from)
{
    p[0] = cudaMemcpyAsync(p + 4, from, 4, cudaMemcpyHostToDevice, 0);
    p[1] = cudaGetLastError();
    p[2] = cudaMemsetAsync(p + 4, 1, 4, (cudaStream_t)77777);
    p[3] = cudaGetLastError();
}

#include <cooperative_groups.h>

__global__ void after_sync(int *p)
{
    cooperative_groups::this_grid().sync();
    p[threadIdx.x] = 7;
    if (threadIdx.x == 0)
        write<<<2, 32>>>(p, 1);
}
