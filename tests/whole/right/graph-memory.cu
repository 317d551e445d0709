// A graph that gets its own scratch memory and frees it again.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CK(x)                                                                \
    do {                                                                     \
        cudaError_t e = (x);                                                 \
        if (e != cudaSuccess) {                                              \
            std::printf("%s: %s\n", #x, cudaGetErrorName(e));                \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

__global__ void fill(int *v, int k) { v[threadIdx.x] = k + threadIdx.x; }
__global__ void sum(const int *v, int *out)
{
    int s = 0;
    for (int i = 0; i < 64; ++i)
        s += v[i];
    *out += s;
}

int main()
{
    int *out, result = 0;
    CK(cudaMalloc(&out, sizeof *out));
    CK(cudaMemset(out, 0, sizeof *out));

    // Node by node.
    cudaGraph_t g;
    CK(cudaGraphCreate(&g, 0));
    cudaMemAllocNodeParams room = {};
    room.poolProps.allocType = cudaMemAllocationTypePinned;
    room.poolProps.location.type = cudaMemLocationTypeDevice;
    room.poolProps.location.id = 0;
    room.bytesize = 64 * sizeof(int);
    cudaGraphNode_t get, write, read, give;
    CK(cudaGraphAddMemAllocNode(&get, g, nullptr, 0, &room));
    int *scratch = static_cast<int *>(room.dptr);
    int k = 5;
    void *fill_args[] = {&scratch, &k}, *sum_args[] = {&scratch, &out};
    cudaKernelNodeParams p = {};
    p.func = (void *)fill;
    p.gridDim = dim3(1);
    p.blockDim = dim3(64);
    p.kernelParams = fill_args;
    CK(cudaGraphAddKernelNode(&write, g, &get, 1, &p));
    p.func = (void *)sum;
    p.blockDim = dim3(1);
    p.kernelParams = sum_args;
    CK(cudaGraphAddKernelNode(&read, g, &write, 1, &p));
    CK(cudaGraphAddMemFreeNode(&give, g, &read, 1, scratch));
    void *freed = nullptr;
    CK(cudaGraphMemFreeNodeGetParams(give, &freed));
    std::printf("the node frees it: %d\n", freed == scratch);

    cudaGraphExec_t exec;
    CK(cudaGraphInstantiate(&exec, g, 0));
    for (int i = 0; i < 3; ++i)
        CK(cudaGraphLaunch(exec, 0));
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    std::printf("three launches: %d\n", result);

    // By capture.
    cudaStream_t s;
    cudaGraph_t captured;
    cudaGraphExec_t second;
    int *other;
    CK(cudaStreamCreate(&s));
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CK(cudaMallocAsync(&other, 64 * sizeof(int), s));
    fill<<<1, 64, 0, s>>>(other, 100);
    sum<<<1, 1, 0, s>>>(other, out);
    CK(cudaFreeAsync(other, s));
    CK(cudaStreamEndCapture(s, &captured));
    size_t nodes = 0;
    CK(cudaGraphGetNodes(captured, nullptr, &nodes));
    std::printf("nodes: %zu\n", nodes);
    CK(cudaGraphInstantiate(&second, captured, 0));
    CK(cudaGraphLaunch(second, s));
    CK(cudaGraphLaunch(second, s));
    CK(cudaStreamSynchronize(s));
    CK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    std::printf("two more: %d\n", result);

    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphExecDestroy(second));
    CK(cudaGraphDestroy(g));
    CK(cudaGraphDestroy(captured));
    CK(cudaStreamDestroy(s));
    CK(cudaFree(out));
    return 0;
}
