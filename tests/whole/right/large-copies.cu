// Copies and fills that are longer than the pieces in which a simulator may do them, from and to memory
// of each kind, and of sizes that no piece divides.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CK(x)                                                                \
    do {                                                                     \
        cudaError_t e = (x);                                                 \
        if (e != cudaSuccess) {                                              \
            std::printf("%s: %s\n", #x, cudaGetErrorName(e));                \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

const size_t bytes = (3 << 20) + 5;

__global__ void add(unsigned char *v, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        v[i] += 1;
}

unsigned char at(size_t i, int how) { return (unsigned char)(i * 7 + i / 255 + how); }

// To the device, one more there, and back.
void there_and_back(const char *name, unsigned char *from, unsigned char *to)
{
    unsigned char *d;
    size_t wrong = 0;
    for (size_t i = 0; i < bytes; ++i)
        from[i] = at(i, 3);
    std::memset(to, 0, bytes);
    CK(cudaMalloc(&d, bytes));
    CK(cudaMemcpy(d, from, bytes, cudaMemcpyHostToDevice));
    add<<<(unsigned)((bytes + 255) / 256), 256>>>(d, bytes);
    CK(cudaMemcpy(to, d, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < bytes; ++i)
        wrong += to[i] != at(i, 4);
    std::printf("%s: %zu wrong\n", name, wrong);
    CK(cudaFree(d));
}

// Fills rows with a number of 1, 2 or 4 bytes, by a node of a graph.
void fill(unsigned each, size_t width, size_t height)
{
    const unsigned number = 0x04030201;
    const size_t pitch = (width * each + 511) / 512 * 512;
    unsigned char *d, *host = (unsigned char *)std::malloc(pitch * height);
    size_t wrong = 0;
    CK(cudaMalloc(&d, pitch * height));
    CK(cudaMemset(d, 9, pitch * height));
    cudaGraph_t g;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    cudaMemsetParams p = {};
    p.dst = d;
    p.pitch = pitch;
    p.value = each == 4 ? number : number & ((1u << 8 * each) - 1);
    p.elementSize = each;
    p.width = width;
    p.height = height;
    CK(cudaGraphCreate(&g, 0));
    CK(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &p));
    CK(cudaGraphInstantiate(&exec, g, 0));
    CK(cudaGraphLaunch(exec, 0));
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(host, d, pitch * height, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < pitch * height; ++i)
        wrong += host[i] != (i % pitch < width * each ? i % pitch % each + 1 : 9);
    std::printf("%zu x %zu numbers of %u bytes: %zu wrong\n", height, width, each, wrong);
    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphDestroy(g));
    CK(cudaFree(d));
    std::free(host);
}

int main()
{
    unsigned char *plain = (unsigned char *)std::malloc(bytes), *other, *pinned, *managed;
    const size_t page = 4096, whole = (bytes + page - 1) / page * page;
    unsigned char *registered = (unsigned char *)std::aligned_alloc(page, whole);
    other = (unsigned char *)std::malloc(bytes);
    CK(cudaMallocHost(&pinned, bytes));
    CK(cudaMallocManaged(&managed, bytes));
    CK(cudaHostRegister(registered, whole, cudaHostRegisterDefault));
    there_and_back("plain", plain, other);
    there_and_back("plain to pinned", plain, pinned);
    there_and_back("pinned to plain", pinned, plain);
    there_and_back("registered to pinned", registered, pinned);
    there_and_back("managed to registered", managed, registered);
    std::memset(pinned, 0, bytes);
    CK(cudaMemcpy(pinned, registered, bytes, cudaMemcpyDefault));
    std::printf("pinned from registered: %s\n", std::memcmp(pinned, registered, bytes) ? "wrong"
                                                                                         : "right");
    CK(cudaMemset(managed, 77, bytes));
    CK(cudaDeviceSynchronize());
    size_t wrong = 0;
    for (size_t i = 0; i < bytes; ++i)
        wrong += managed[i] != 77;
    std::printf("managed memory filled: %zu wrong\n", wrong);
    fill(1, 100003, 3);
    fill(2, 100003, 2);
    fill(4, 300007, 1);
    CK(cudaHostUnregister(registered));
    CK(cudaFreeHost(pinned));
    CK(cudaFree(managed));
    std::free(registered);
    std::free(plain);
    std::free(other);
    return 0;
}
