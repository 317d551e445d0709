// Kernels that launch kernels: sizes, parameters, streams, nesting.
#include <cstdio>

struct pair {
    char tag;
    double value;
    int more[3];
};

__global__ void add(int *out, pair p, short extra)
{
    out[threadIdx.x] = (int)p.value + p.more[2] + p.tag + extra;
}

__global__ void parameters(int *out)
{
    pair p = {'\1', 20.0, {100, 200, 300}};
    if (threadIdx.x == 0)
        add<<<1, 8>>>(out, p, 4000);
}

__global__ void sizes(int *out)
{
    extern __shared__ int tile[];
    int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    tile[threads - 1 - thread] = thread;
    __syncthreads();
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[block * threads + thread] = block * 100 + tile[thread];
}

__global__ void shared_sizes(int *out, int n)
{
    if (threadIdx.x == 0)
        sizes<<<dim3(1, n, 2), dim3(2, n), 4 * n * sizeof(int)>>>(out);
}

template <class T> __global__ void set(T *out, T v)
{
    *out = v;
}

__global__ void templates(double *out)
{
    set<double><<<1, 1>>>(out, 2.5);
    set<double><<<1, 1>>>(out + 1, 4.5);
}

// ---- order: each grid writes at which place it came ------------------------------------------

__global__ void comes(int *order, int *next, int who)
{
    order[(*next)++] = who;
}

__global__ void null_stream(int *order, int *next)
{
    if (threadIdx.x == 0)
        for (int i = 1; i <= 4; i++)
            comes<<<1, 1>>>(order, next, i);
}

__global__ void parent_of(int *order, int *next, int who)
{
    comes<<<1, 1>>>(order, next, who + 1);
    comes<<<1, 1, 0, cudaStreamTailLaunch>>>(order, next, who + 3);
    comes<<<1, 1>>>(order, next, who + 2);
}

// A grid is complete when its children and its tail launches are.
__global__ void nested(int *order, int *next)
{
    parent_of<<<1, 1>>>(order, next, 0);
    comes<<<1, 1, 0, cudaStreamTailLaunch>>>(order, next, 99);
    parent_of<<<1, 1>>>(order, next, 10);
}

__global__ void says(int who)
{
    printf("grid %d block %d\n", who, blockIdx.x);
}

__global__ void own_streams()
{
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    for (int i = 0; i < 6; i++) {
        says<<<1, 1, 0, a>>>(10 + i);
        says<<<1, 1, 0, b>>>(20 + i);
    }
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

__global__ void by_event(int *order, int *next)
{
    cudaStream_t a, b;
    cudaEvent_t first;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&first, cudaEventDisableTiming);
    comes<<<1, 1, 0, a>>>(order, next, 1);
    cudaEventRecord(first, a);
    cudaStreamWaitEvent(b, first, 0);
    comes<<<1, 1, 0, b>>>(order, next, 2);
    cudaEventDestroy(first);
}

__global__ void prints()
{
    if (blockIdx.x == 0)
        says<<<2, 1>>>(7);
    printf("parent block %d\n", blockIdx.x);
}

// ---- writes ----------------------------------------------------------------------------------

__global__ void twice(int *a)
{
    a[threadIdx.x] *= 2;
}

__global__ void total(const int *a, int n, int *sum)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    *sum = s;
}

__global__ void tail_total(int *a, int *sum)
{
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        total<<<1, 1, 0, cudaStreamTailLaunch>>>(a, blockDim.x, sum);
        twice<<<1, blockDim.x>>>(a);
    }
}

// The classic example: a quarter of the work in each of four children.
__global__ void fill(int *a, int n)
{
    if (n <= 4) {
        for (int i = 0; i < n; i++)
            a[i] = n;
        return;
    }
    fill<<<1, 1, 0, cudaStreamFireAndForget>>>(a, n / 2);
    fill<<<1, 1, 0, cudaStreamFireAndForget>>>(a + n / 2, n - n / 2);
}

// ---- values ----------------------------------------------------------------------------------

__global__ void values(int *out)
{
    size_t pending = 0;
    cudaGetDevice(&out[0]);
    cudaDeviceGetAttribute(&out[1], cudaDevAttrMaxThreadsPerBlock, 0);
    cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
    out[2] = (int)pending;
    out[3] = cudaDeviceGetAttribute(&out[4], (cudaDeviceAttr)9999, 0);
    comes<<<1, 1>>>(out + 5, out + 6, 8);
}

// The host's launch may ask for clusters. A child grid of one block has none.
__global__ void add_size(int *n)
{
    atomicAdd(n, (int)gridDim.x);
}
__global__ void in_clusters(int *n)
{
    if (blockIdx.x < 3)
        add_size<<<blockIdx.x + 1, 1>>>(n);
}

// ---- copies and fills of memory, in the order of their streams --------------------------------

__global__ void raise(int *a, int by)
{
    a[threadIdx.x] += by;
}

__global__ void copies_and_fills(int *a, int *b, int value)
{
    raise<<<1, 8>>>(a, 3);
    cudaMemcpyAsync(b, a, 8 * sizeof *a, cudaMemcpyDeviceToDevice, 0);
    cudaMemsetAsync(a, value, 6 * sizeof *a, 0);
    raise<<<1, 8>>>(a, 1);
    cudaMemcpyAsync(b + 8, a + 5, 3 * sizeof *a, cudaMemcpyDefault, cudaStreamTailLaunch);
    cudaMemsetAsync(a, 0, 0, 0);
}

__global__ void fills_many(char *a, int n)
{
    cudaMemsetAsync(a + 1, 'x', n - 2, 0);
}
