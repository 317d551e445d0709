// The host looks at a variable again and again, until the function of a graph has set it.
#include "check.h"
#include <atomic>

static std::atomic<int> done;

__global__ void fill(int *v)
{
    v[threadIdx.x] = 7 * threadIdx.x;
}

static void CUDART_CB set(void *)
{
    done = 1;
}

int main()
{
    const int n = 64;
    int *v;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaMallocManaged(&v, n * sizeof(int)));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    fill<<<1, n, 0, s>>>(v);
    CHECK(cudaLaunchHostFunc(s, set, nullptr));
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, s));
    while (!done)
        ;
    bool right = true;
    for (int i = 0; i < n; i++)
        right = right && v[i] == 7 * i;
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(v));
    return result(right);
}
