/* Transpose a matrix. A plain kernel and a kernel with a padded tile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

#define DIM 16
#define ROWS 4

__global__ void plain(const int *in, int *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x];
}

/* Each thread moves DIM / ROWS items. The extra column avoids bank conflicts. */
__global__ void tiled(const int *in, int *out, int w, int h)
{
    __shared__ int tile[DIM][DIM + 1];
    int x = blockIdx.x * DIM + threadIdx.x;
    int y = blockIdx.y * DIM + threadIdx.y;
    for (int j = 0; j < DIM; j += ROWS)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * DIM + threadIdx.x;
    y = blockIdx.x * DIM + threadIdx.y;
    for (int j = 0; j < DIM; j += ROWS)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(void)
{
    const int w = 50, h = 37;
    const size_t bytes = sizeof(int) * w * h;
    int *in = (int *)malloc(bytes);
    int *one = (int *)malloc(bytes);
    int *two = (int *)malloc(bytes);
    int *din, *dout;

    for (int i = 0; i < w * h; i++)
        in[i] = i;
    cudaMalloc((void **)&din, bytes);
    cudaMalloc((void **)&dout, bytes);
    cudaMemcpy(din, in, bytes, cudaMemcpyHostToDevice);

    dim3 b1(8, 8), g1((w + 7) / 8, (h + 7) / 8);
    plain<<<g1, b1>>>(din, dout, w, h);
    cudaMemcpy(one, dout, bytes, cudaMemcpyDeviceToHost);

    cudaMemset(dout, 0xff, bytes);
    dim3 b2(DIM, ROWS), g2((w + DIM - 1) / DIM, (h + DIM - 1) / DIM);
    tiled<<<g2, b2>>>(din, dout, w, h);
    cudaMemcpy(two, dout, bytes, cudaMemcpyDeviceToHost);

    int right = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (one[x * h + y] == in[y * w + x])
                right++;
    printf("right items: %d of %d\n", right, w * h);
    printf("kernels agree: %s\n", memcmp(one, two, bytes) == 0 ? "yes" : "no");
    printf("start of row 1:");
    for (int i = 0; i < 6; i++)
        printf(" %d", two[h + i]);
    printf("\n");

    cudaFree(din);
    cudaFree(dout);
    free(in);
    free(one);
    free(two);
    return 0;
}
