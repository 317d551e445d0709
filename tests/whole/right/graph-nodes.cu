// Build a graph node by node: copy in, two kernels side by side, join, copy out.
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <cuda_runtime.h>

#define CK(x)                                                                \
    do {                                                                     \
        cudaError_t e = (x);                                                 \
        if (e != cudaSuccess) {                                              \
            std::printf("%s: %s\n", #x, cudaGetErrorName(e));                \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

__global__ void scale(const int *in, int *out, int factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * factor;
}

__global__ void join(const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] - b[n - 1 - i];
}

static cudaGraphNode_t kernel_node(cudaGraph_t g, const cudaGraphNode_t *after,
                                   size_t count, void *func, void **args)
{
    cudaKernelNodeParams p = {};
    p.func = func;
    p.gridDim = dim3(2);
    p.blockDim = dim3(64);
    p.kernelParams = args;
    cudaGraphNode_t node;
    CK(cudaGraphAddKernelNode(&node, g, after, count, &p));
    return node;
}

int main()
{
    int n = 100;
    int host[100], result[100];
    for (int i = 0; i < n; ++i)
        host[i] = i;
    int *in, *a, *b, *out;
    CK(cudaMalloc(&in, sizeof host));
    CK(cudaMalloc(&a, sizeof host));
    CK(cudaMalloc(&b, sizeof host));
    CK(cudaMalloc(&out, sizeof host));

    cudaGraph_t g;
    CK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t copy_in, copy_out, empty;
    CK(cudaGraphAddMemcpyNode1D(&copy_in, g, nullptr, 0, in, host, sizeof host,
                                cudaMemcpyHostToDevice));
    int three = 3, five = 5;
    void *args_a[] = {&in, &a, &three, &n};
    void *args_b[] = {&in, &b, &five, &n};
    void *args_j[] = {&a, &b, &out, &n};
    cudaGraphNode_t ka = kernel_node(g, &copy_in, 1, (void *)scale, args_a);
    cudaGraphNode_t kb = kernel_node(g, &copy_in, 1, (void *)scale, args_b);
    cudaGraphNode_t both[] = {ka, kb};
    CK(cudaGraphAddEmptyNode(&empty, g, both, 2));
    cudaGraphNode_t kj = kernel_node(g, &empty, 1, (void *)join, args_j);
    CK(cudaGraphAddMemcpyNode1D(&copy_out, g, &kj, 1, result, out, sizeof host,
                                cudaMemcpyDeviceToHost));

    size_t nodes = 0;
    CK(cudaGraphGetNodes(g, nullptr, &nodes));
    cudaGraphNodeType type;
    CK(cudaGraphNodeGetType(kj, &type));
    std::printf("nodes: %zu, join is a kernel: %d\n", nodes, type == cudaGraphNodeTypeKernel);

    cudaGraphExec_t exec;
    CK(cudaGraphInstantiate(&exec, g, 0));
    for (int round = 0; round < 2; ++round) {
        CK(cudaGraphLaunch(exec, 0));
        CK(cudaDeviceSynchronize());
        std::printf("round %d: %d %d %d\n", round, result[0], result[50], result[99]);

        // The second round uses another factor.
        int ten = 10;
        void *args_new[] = {&in, &b, &ten, &n};
        cudaKernelNodeParams p = {};
        p.func = (void *)scale;
        p.gridDim = dim3(4);
        p.blockDim = dim3(32);
        p.kernelParams = args_new;
        CK(cudaGraphExecKernelNodeSetParams(exec, kb, &p));
    }
    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphDestroy(g));
    for (int *p : {in, a, b, out})
        CK(cudaFree(p));
    return 0;
}
