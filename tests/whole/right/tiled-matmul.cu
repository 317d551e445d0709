// Product of two matrices with shared tiles. The sizes need not fit the tile.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int TILE = 8;

__global__ void matmul(const float *A, const float *B, float *C,
                       int rows, int inner, int cols)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int t = 0; t < (inner + TILE - 1) / TILE; ++t) {
        int ac = t * TILE + tx;
        int br = t * TILE + ty;
        as[ty][tx] = (row < rows && ac < inner) ? A[row * inner + ac] : 0.0f;
        bs[ty][tx] = (br < inner && col < cols) ? B[br * cols + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    if (row < rows && col < cols)
        C[row * cols + col] = sum;
}

int main()
{
    const int rows = 30, inner = 21, cols = 26;
    std::vector<float> a(rows * inner), b(inner * cols), c(rows * cols);
    for (int i = 0; i < rows * inner; ++i)
        a[i] = float(i % 5 - 1);
    for (int i = 0; i < inner * cols; ++i)
        b[i] = float(i % 9 - 3);

    float *da, *db, *dc;
    cudaMalloc(&da, a.size() * sizeof(float));
    cudaMalloc(&db, b.size() * sizeof(float));
    cudaMalloc(&dc, c.size() * sizeof(float));
    cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);

    dim3 block(TILE, TILE);
    dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    matmul<<<grid, block>>>(da, db, dc, rows, inner, cols);
    cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);

    // Check against the plain triple loop.
    int bad = 0;
    float total = 0.0f;
    for (int r = 0; r < rows; ++r)
        for (int q = 0; q < cols; ++q) {
            float want = 0.0f;
            for (int k = 0; k < inner; ++k)
                want += a[r * inner + k] * b[k * cols + q];
            if (want != c[r * cols + q])
                ++bad;
            total += c[r * cols + q];
        }
    std::printf("grid %u x %u\n", grid.x, grid.y);
    std::printf("corner values: %.0f %.0f %.0f %.0f\n", c[0], c[cols - 1],
                c[(rows - 1) * cols], c[rows * cols - 1]);
    std::printf("total %.0f, bad %d\n", total, bad);

    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return bad != 0;
}
