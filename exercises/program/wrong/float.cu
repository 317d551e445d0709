// The student computes in float, and adds in float.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error));                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void heights(int n, float *area)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = (i + 0.5f) / n;
        area[i] = 4 / (1 + x * x) / n;
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: pi STRIPS THREADS\n");
        return 1;
    }
    int n = atoi(argv[1]), threads = atoi(argv[2]);
    if (n < 1 || threads < 1) {
        fprintf(stderr, "both numbers must be at least 1\n");
        return 1;
    }
    float *area = (float *)malloc(n * sizeof(float));
    if (area == NULL) {
        fprintf(stderr, "there is not enough memory\n");
        return 1;
    }
    float *d_area;
    CHECK(cudaMalloc(&d_area, n * sizeof(float)));
    heights<<<(n + threads - 1) / threads, threads>>>(n, d_area);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(area, d_area, n * sizeof(float), cudaMemcpyDeviceToHost));
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += area[i];
    printf("pi is about %.10f\n", sum);
    CHECK(cudaFree(d_area));
    free(area);
    return 0;
}
