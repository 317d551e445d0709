// The student compared no index with the number of rows or columns.
__global__ void transpose(int rows, int cols, const float *in, float *out)
{
    __shared__ float tile[32][33];

    int x = 32 * blockIdx.x + threadIdx.x;
    int y = 32 * blockIdx.y + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = 32 * blockIdx.y + threadIdx.x;
    y = 32 * blockIdx.x + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
