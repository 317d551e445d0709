// The student used no shared memory.
__global__ void matmul(int rows, int inner, int cols, const float *a, const float *b, float *c)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols) {
        float sum = 0;
        for (int k = 0; k < inner; k++)
            sum += a[row * inner + k] * b[k * cols + col];
        c[row * cols + col] = sum;
    }
}
