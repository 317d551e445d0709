// Paint on a surface object, then read it and print it as text.
#include <cstdio>
#include <cuda_runtime.h>

const int W = 32, H = 12;

__global__ void paint(cudaSurfaceObject_t surf)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    int dx = x - 15, dy = 2 * (y - 5);
    int d2 = dx * dx + dy * dy;
    int ink = d2 < 40 ? 2 : d2 < 120 ? 1 : 0;
    surf2Dwrite(ink, surf, x * static_cast<int>(sizeof(int)), y);
}

// Mark each cell of ink whose right neighbour has another ink.
__global__ void mark_edges(cudaSurfaceObject_t in, cudaSurfaceObject_t out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    int mine = 0, right = 0;
    surf2Dread(&mine, in, x * 4, y);
    if (x + 1 < W)
        right = surf2Dread<int>(in, (x + 1) * 4, y);
    surf2Dwrite(mine != right ? 3 : mine, out, x * 4, y);
}

static cudaSurfaceObject_t make_surface(cudaArray_t *array)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    if (cudaMallocArray(array, &format, W, H, cudaArraySurfaceLoadStore) != cudaSuccess)
        return 0;
    cudaResourceDesc desc = {};
    desc.resType = cudaResourceTypeArray;
    desc.res.array.array = *array;
    cudaSurfaceObject_t surf = 0;
    cudaCreateSurfaceObject(&surf, &desc);
    return surf;
}

int main()
{
    cudaArray_t one, two;
    cudaSurfaceObject_t s1 = make_surface(&one);
    cudaSurfaceObject_t s2 = make_surface(&two);

    dim3 block(16, 4), grid(W / 16, H / 4);
    paint<<<grid, block>>>(s1);
    mark_edges<<<grid, block>>>(s1, s2);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        std::printf("failed\n");
        return 1;
    }

    int host[H][W];
    cudaMemcpy2DFromArray(host, sizeof host[0], two, 0, 0, sizeof host[0], H,
                          cudaMemcpyDeviceToHost);
    int count[4] = {0, 0, 0, 0};
    for (int y = 0; y < H; ++y) {
        for (int x = 0; x < W; ++x) {
            ++count[host[y][x]];
            std::putchar(".o#|"[host[y][x]]);
        }
        std::putchar('\n');
    }
    std::printf("%d empty, %d light, %d dark, %d edge\n", count[0], count[1], count[2], count[3]);
    cudaDestroySurfaceObject(s1);
    cudaDestroySurfaceObject(s2);
    cudaFreeArray(one);
    cudaFreeArray(two);
    return 0;
}
