// Record a stream as a graph, then launch the graph many times.
#include <cstdio>
#include <cuda_runtime.h>

const int N = 256;

__global__ void next(unsigned *v)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    v[i] = v[i] * 1664525u + 1013904223u;
}

__global__ void mix(const unsigned *v, unsigned *w)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    w[i] ^= v[(i + 1) % N] >> 16;
}

__global__ void bump(int *counter)
{
    *counter += 1;
}

static bool good(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return true;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
    return false;
}

int main()
{
    unsigned *v, *w;
    int *counter;
    unsigned *host;
    cudaMalloc(&v, N * sizeof *v);
    cudaMalloc(&w, N * sizeof *w);
    cudaMalloc(&counter, sizeof *counter);
    cudaMallocHost(&host, N * sizeof *host);
    for (int i = 0; i < N; ++i)
        host[i] = i;
    cudaMemcpy(v, host, N * sizeof *v, cudaMemcpyHostToDevice);
    cudaMemset(w, 0, N * sizeof *w);
    cudaMemset(counter, 0, sizeof *counter);

    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    if (!good(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), "begin"))
        return 1;
    for (int k = 0; k < 3; ++k) {
        next<<<4, 64, 0, s>>>(v);
        mix<<<4, 64, 0, s>>>(v, w);
    }
    bump<<<1, 1, 0, s>>>(counter);
    cudaMemcpyAsync(host, w, N * sizeof *w, cudaMemcpyDeviceToHost, s);
    if (!good(cudaStreamEndCapture(s, &graph), "end"))
        return 1;

    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    std::printf("nodes: %zu\n", nodes);
    std::printf("host still has %u\n", host[200]);   // Nothing ran yet.
    if (!good(cudaGraphInstantiate(&exec, graph, 0), "instantiate"))
        return 1;

    for (int r = 0; r < 5; ++r)
        cudaGraphLaunch(exec, s);
    if (!good(cudaStreamSynchronize(s), "sync"))
        return 1;

    int runs = 0;
    cudaMemcpy(&runs, counter, sizeof runs, cudaMemcpyDeviceToHost);
    unsigned all = 0;
    for (int i = 0; i < N; ++i)
        all += host[i];
    std::printf("runs: %d\n", runs);
    std::printf("values: %u %u %u, sum %u\n", host[0], host[100], host[255], all);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    cudaFree(v);
    cudaFree(w);
    cudaFree(counter);
    cudaFreeHost(host);
    return 0;
}
