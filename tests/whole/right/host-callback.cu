// Host functions in a stream. Each runs after the work that stands before it.
#include <cstdio>
#include <cuda_runtime.h>

const int N = 128;

struct Stage {
    int number;
    const int *data;
    long total;
};

__global__ void add_to_all(int *v, int amount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        v[i] += amount * (i + 1);
}

// The stream calls this on the host. It must not call the CUDA API.
static void CUDART_CB report(void *arg)
{
    Stage *s = static_cast<Stage *>(arg);
    s->total = 0;
    for (int i = 0; i < N; ++i)
        s->total += s->data[i];
    std::printf("stage %d: first %d, last %d\n", s->number, s->data[0], s->data[N - 1]);
}

static void CUDART_CB goodbye(void *)
{
    std::printf("stream is at its end\n");
}

int main()
{
    int *host, *dev;
    cudaMallocHost(&host, N * sizeof(int));
    cudaMalloc(&dev, N * sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMemsetAsync(dev, 0, N * sizeof(int), s);

    Stage stages[3];
    for (int k = 0; k < 3; ++k) {
        stages[k] = {k + 1, host, 0};
        add_to_all<<<2, 64, 0, s>>>(dev, k + 1);
        cudaMemcpyAsync(host, dev, N * sizeof(int), cudaMemcpyDeviceToHost, s);
        cudaError_t e = cudaLaunchHostFunc(s, report, &stages[k]);
        if (e != cudaSuccess) {
            std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
            return 1;
        }
    }
    cudaLaunchHostFunc(s, goodbye, nullptr);
    cudaStreamSynchronize(s);

    for (const Stage &st : stages)
        std::printf("total of stage %d: %ld\n", st.number, st.total);
    cudaStreamDestroy(s);
    cudaFreeHost(host);
    cudaFree(dev);
    return 0;
}
