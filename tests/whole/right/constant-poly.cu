// Evaluate a polynomial. Its terms are in constant memory.
#include <stdio.h>
#include <cuda_runtime.h>

#define MAX_TERMS 8
#define N 40

__constant__ int terms[MAX_TERMS];
__constant__ int count;

__global__ void evaluate(const int *x, long long *y, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n)
        return;
    long long v = 0;
    for (int k = count - 1; k >= 0; k--)
        v = v * x[i] + terms[k];
    y[i] = v;
}

static int run(const char *name, const int *dx, long long *dy)
{
    long long y[N];
    evaluate<<<2, 32>>>(dx, dy, N);
    cudaError_t e = cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess) {
        printf("%s: %s\n", name, cudaGetErrorString(e));
        return 1;
    }
    printf("%s:", name);
    for (int i = 0; i < N; i += 8)
        printf(" %lld", y[i]);
    printf(" ... %lld\n", y[N - 1]);
    return 0;
}

int main(void)
{
    int x[N];
    int *dx;
    long long *dy;
    for (int i = 0; i < N; i++)
        x[i] = i - 16;
    cudaMalloc((void **)&dx, sizeof x);
    cudaMalloc((void **)&dy, N * sizeof(long long));
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);

    int failed = 0;
    int first[4] = {7, -3, 0, 2};
    int n = 4;
    cudaMemcpyToSymbol(terms, first, sizeof first);
    cudaMemcpyToSymbol(count, &n, sizeof n);
    failed += run("cubic", dx, dy);

    // Append two terms behind the first four.
    int more[2] = {1, -1};
    n = 6;
    cudaMemcpyToSymbol(terms, more, sizeof more, sizeof first);
    cudaMemcpyToSymbol(count, &n, sizeof n);
    failed += run("quintic", dx, dy);

    int back[MAX_TERMS];
    cudaMemcpyFromSymbol(back, terms, sizeof back);
    printf("terms:");
    for (int i = 0; i < MAX_TERMS; i++)
        printf(" %d", back[i]);
    printf("\n");
    cudaFree(dx);
    cudaFree(dy);
    return failed;
}
