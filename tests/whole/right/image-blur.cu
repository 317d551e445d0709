// Blur a picture of uchar4 pixels with a 3 x 3 mask. Alpha stays as it is.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__constant__ int mask[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};

__device__ int clamp_to(int v, int high)
{
    return v < 0 ? 0 : v > high ? high : v;
}

__global__ void blur(const uchar4 *in, uchar4 *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int3 sum = make_int3(0, 0, 0);
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        int xx = clamp_to(x + k % 3 - 1, w - 1);
        int yy = clamp_to(y + k / 3 - 1, h - 1);
        uchar4 p = in[yy * w + xx];
        sum.x += mask[k] * p.x;
        sum.y += mask[k] * p.y;
        sum.z += mask[k] * p.z;
    }
    out[y * w + x] = make_uchar4(sum.x / 16, sum.y / 16, sum.z / 16, in[y * w + x].w);
}

__global__ void to_grey(const uchar4 *in, unsigned char *grey, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        grey[i] = static_cast<unsigned char>((in[i].x * 3 + in[i].y * 6 + in[i].z) / 10);
}

static void show(const char *name, uchar4 p)
{
    std::printf("%s: %d %d %d %d\n", name, p.x, p.y, p.z, p.w);
}

int main()
{
    const int w = 36, h = 22, n = w * h;
    std::vector<uchar4> pic(n);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            bool square = (x / 6 + y / 6) % 2 == 0;
            uchar4 p;
            p.x = square ? 240 : 16;
            p.y = static_cast<unsigned char>(x * 7);
            p.z = static_cast<unsigned char>(255 - y * 11);
            p.w = static_cast<unsigned char>(x + y);
            pic[y * w + x] = p;
        }

    uchar4 *a, *b;
    unsigned char *dgrey;
    cudaMalloc(&a, n * sizeof(uchar4));
    cudaMalloc(&b, n * sizeof(uchar4));
    cudaMalloc(&dgrey, n);
    cudaMemcpy(a, pic.data(), n * sizeof(uchar4), cudaMemcpyHostToDevice);

    dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
    blur<<<grid, block>>>(a, b, w, h);
    blur<<<grid, block>>>(b, a, w, h);
    to_grey<<<(n + 99) / 100, 100>>>(a, dgrey, n);

    std::vector<unsigned char> grey(n);
    cudaMemcpy(pic.data(), a, n * sizeof(uchar4), cudaMemcpyDeviceToHost);
    cudaMemcpy(grey.data(), dgrey, n, cudaMemcpyDeviceToHost);
    show("corner", pic[0]);
    show("on a line", pic[2 * w + 6]);
    show("inside", pic[9 * w + 9]);
    show("end", pic[n - 1]);
    long sum = 0;
    for (unsigned char g : grey)
        sum += g;
    std::printf("sum of grey: %ld\n", sum);
    cudaFree(a);
    cudaFree(b);
    cudaFree(dgrey);
    return cudaGetLastError() != cudaSuccess;
}
