// A small cube of numbers: cudaMalloc3D and cudaMemcpy3D.
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>

const int W = 10, H = 6, D = 4;

__global__ void add_position(cudaPitchedPtr p)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= W || y >= H || z >= D)
        return;
    char *slice = static_cast<char *>(p.ptr) + z * p.pitch * p.ysize;
    int *row = reinterpret_cast<int *>(slice + y * p.pitch);
    row[x] += 100 * z + 10 * y + x;
}

int main()
{
    std::vector<int> in(W * H * D, 1000), out(W * H * D, -1);
    for (int i = 0; i < W * H * D; i += 3)
        in[i] = 2000;

    cudaExtent size = make_cudaExtent(W * sizeof(int), H, D);
    cudaPitchedPtr dev;
    if (cudaMalloc3D(&dev, size) != cudaSuccess) {
        std::printf("cudaMalloc3D failed\n");
        return 1;
    }
    cudaMemset3D(dev, 0, size);

    cudaMemcpy3DParms to;
    std::memset(&to, 0, sizeof to);
    to.srcPtr = make_cudaPitchedPtr(in.data(), W * sizeof(int), W, H);
    to.dstPtr = dev;
    to.extent = size;
    to.kind = cudaMemcpyHostToDevice;
    if (cudaMemcpy3D(&to) != cudaSuccess)
        return 1;

    dim3 block(4, 4, 2);
    dim3 grid((W + 3) / 4, (H + 3) / 4, (D + 1) / 2);
    add_position<<<grid, block>>>(dev);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;

    // Copy only the part with x >= 2 and z >= 1 back.
    cudaMemcpy3DParms from = {};
    from.srcPtr = dev;
    from.srcPos = make_cudaPos(2 * sizeof(int), 0, 1);
    from.dstPtr = make_cudaPitchedPtr(out.data(), W * sizeof(int), W, H);
    from.dstPos = make_cudaPos(2 * sizeof(int), 0, 1);
    from.extent = make_cudaExtent((W - 2) * sizeof(int), H, D - 1);
    from.kind = cudaMemcpyDeviceToHost;
    if (cudaMemcpy3D(&from) != cudaSuccess)
        return 1;

    int untouched = 0;
    long sum = 0;
    for (int v : out) {
        if (v == -1)
            ++untouched;
        else
            sum += v;
    }
    std::printf("untouched: %d\n", untouched);
    std::printf("sum: %ld\n", sum);
    for (int z = 0; z < D; ++z) {
        std::printf("z %d:", z);
        for (int x = 0; x < W; x += 3)
            std::printf(" %d", out[(z * H + 5) * W + x]);
        std::printf("\n");
    }
    cudaFree(dev.ptr);
    return 0;
}
