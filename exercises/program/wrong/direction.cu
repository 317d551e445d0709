// The student copies in the wrong direction.
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

__global__ void heights(int n, double *area)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double x = (i + 0.5) / n;
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
    double *area = (double *)malloc(n * sizeof(double));
    if (area == NULL) {
        fprintf(stderr, "there is not enough memory\n");
        return 1;
    }
    double *d_area;
    CHECK(cudaMalloc(&d_area, n * sizeof(double)));
    heights<<<(n + threads - 1) / threads, threads>>>(n, d_area);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(area, d_area, n * sizeof(double), cudaMemcpyHostToDevice));
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += area[i];
    printf("pi is about %.10f\n", sum);
    CHECK(cudaFree(d_area));
    free(area);
    return 0;
}
