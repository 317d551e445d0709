// The student tests the row and the column of c, but not the index along inner.
#define TILE 16

__global__ void matmul(int rows, int inner, int cols, const float *a, const float *b, float *c)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0;
    for (int step = 0; step < (inner + TILE - 1) / TILE; step++) {
        as[ty][tx] = row < rows ? a[row * inner + step * TILE + tx] : 0;
        bs[ty][tx] = col < cols ? b[(step * TILE + ty) * cols + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    if (row < rows && col < cols)
        c[row * cols + col] = sum;
}
