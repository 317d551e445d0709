// The student took the row from x and the column from y, so the loads are not coalesced.
#define TILE 16

__global__ void matmul(int rows, int inner, int cols, const float *a, const float *b, float *c)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.x * TILE + tx;
    int col = blockIdx.y * TILE + ty;

    float sum = 0;
    for (int step = 0; step < (inner + TILE - 1) / TILE; step++) {
        int ka = step * TILE + ty, kb = step * TILE + tx;
        as[tx][ty] = row < rows && ka < inner ? a[row * inner + ka] : 0;
        bs[tx][ty] = kb < inner && col < cols ? b[kb * cols + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[tx][k] * bs[k][ty];
        __syncthreads();
    }
    if (row < rows && col < cols)
        c[row * cols + col] = sum;
}
