// Each thread moves the elements whose numbers differ by the number of threads.
//: launch <<<8, 128>>>
__global__ void transpose(int rows, int cols, const float *in, float *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += gridDim.x * blockDim.x)
        out[i % cols * rows + i / cols] = in[i];
}
