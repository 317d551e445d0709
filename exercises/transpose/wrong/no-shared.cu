// The student used no shared memory, so the stores are not coalesced.
__global__ void transpose(int rows, int cols, const float *in, float *out)
{
    int x = 32 * blockIdx.x + threadIdx.x;
    int y = 32 * blockIdx.y + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x < cols && y + j < rows)
            out[x * rows + y + j] = in[(y + j) * cols + x];
    }
}
