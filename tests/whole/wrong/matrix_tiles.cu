// wrong: race
// Product of two matrices with tiles in shared memory.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

constexpr int N = 32;
constexpr int TILE = 8;

__global__ void multiply(const int *a, const int *b, int *c)
{
    __shared__ int sa[TILE][TILE];
    __shared__ int sb[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int sum = 0;
    for (int t = 0; t < N; t += TILE) {
        sa[ty][tx] = a[row * N + t + tx];  // AND HERE
        sb[ty][tx] = b[(t + ty) * N + col];  // OR HERE
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += sa[ty][k] * sb[k][tx];  // HERE
        }
    }
    c[row * N + col] = sum;
}

int main()
{
    const size_t bytes = N * N * sizeof(int);
    std::vector<int> a(N * N), b(N * N), c(N * N);
    for (int i = 0; i < N * N; i++) {
        a[i] = i % 7;
        b[i] = i % 5 - 2;
    }

    int *da, *db, *dc;
    CHECK(cudaMalloc(&da, bytes));
    CHECK(cudaMalloc(&db, bytes));
    CHECK(cudaMalloc(&dc, bytes));
    CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
    multiply<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(da, db, dc);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));

    int bad = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int s = 0;
            for (int k = 0; k < N; k++) {
                s += a[i * N + k] * b[k * N + j];
            }
            bad += s != c[i * N + j];
        }
    }
    printf(bad == 0 ? "the product is right\n" : "the product is not right\n");
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    return 0;
}
