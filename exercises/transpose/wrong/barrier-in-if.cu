// The student put the barrier and the second loop into the test of the column.
__global__ void transpose(int rows, int cols, const float *in, float *out)
{
    __shared__ float tile[32][33];

    int x = 32 * blockIdx.x + threadIdx.x;
    int y = 32 * blockIdx.y + threadIdx.y;
    if (x < cols) {
        for (int j = 0; j < 32; j += 8) {
            if (y + j < rows)
                tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
        }
        __syncthreads();
        x = 32 * blockIdx.y + threadIdx.x;
        y = 32 * blockIdx.x + threadIdx.y;
        for (int j = 0; j < 32; j += 8) {
            if (x < rows && y + j < cols)
                out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
        }
    }
}
