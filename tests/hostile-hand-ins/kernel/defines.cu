// tries: to change the words of the language
// gets: 0 0 compile | redefinition|error
#define true false
#define float double
#define __global__ extern "C" __global__ __attribute__((constructor))
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];

}
