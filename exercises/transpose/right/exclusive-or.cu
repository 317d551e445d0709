// The columns of a row are exchanged by an exclusive or, so no padding is needed.
static const int SIDE = 32, STEP = 8;

__device__ int place(int row, int column)
{
    return row * SIDE + (column ^ row);
}

__global__ void transpose(int rows, int cols, const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[SIDE * SIDE];
    const int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;

    for (int r = threadIdx.y; r < SIDE && top + r < rows; r += STEP)
        if (left + threadIdx.x < cols)
            tile[place(r, threadIdx.x)] = in[(top + r) * cols + left + threadIdx.x];
    __syncthreads();
    for (int c = threadIdx.y; c < SIDE && left + c < cols; c += STEP)
        if (top + threadIdx.x < rows)
            out[(left + c) * rows + top + threadIdx.x] = tile[place(threadIdx.x, c)];
}
