// The student forgot that 8 rows of threads have a tile of 32 rows.
__global__ void transpose(int rows, int cols, const float *in, float *out)
{
    __shared__ float tile[32][33];

    int x = 32 * blockIdx.x + threadIdx.x;
    int y = 32 * blockIdx.y + threadIdx.y;
    if (x < cols && y < rows)
        tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = 32 * blockIdx.y + threadIdx.x;
    y = 32 * blockIdx.x + threadIdx.y;
    if (x < rows && y < cols)
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
