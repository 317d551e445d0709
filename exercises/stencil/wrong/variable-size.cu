// The student declared the size of the tile as a variable, so the file does not compile.
#define BLOCK 128
#define R 2

__global__ void stencil(int n, const float *in, float *out)
{
    int size = blockDim.x + 2 * R;
    __shared__ float tile[size];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    tile[R + t] = i < n ? in[i] : 0;
    if (t < R) {
        int left = i - R, right = i + BLOCK;
        tile[t] = left >= 0 ? in[left] : 0;
        tile[R + BLOCK + t] = right < n ? in[right] : 0;
    }
    __syncthreads();
    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2] + tile[t + 3] + tile[t + 4];
}
