// Each step writes the other one of two tiles, so one barrier in a step is enough.
struct matrix {
    const float *at;
    int height, width;

    __device__ float get(int row, int column) const
    {
        return row < height && column < width ? at[row * width + column] : 0.f;
    }
};

template <int S> __device__ void product(matrix left, matrix right, float *result)
{
    __shared__ float l[2][S][S + 1], r[2][S][S + 1];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * S + x, row = blockIdx.y * S + y;
    float sum = 0.f;
    int now = 0;

    for (int from = 0; from < left.width; from += S) {
        l[now][y][x] = left.get(row, from + x);
        r[now][y][x] = right.get(from + y, column);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < S; k++)
            sum = fmaf(l[now][y][k], r[now][k][x], sum);
        now = 1 - now;
    }
    if (row < left.height && column < right.width)
        result[row * right.width + column] = sum;
}

extern "C" __global__ void matmul(int rows, int inner, int cols, const float *a, const float *b, float *c)
{
    product<16>(matrix{a, rows, inner}, matrix{b, inner, cols}, c);
}
