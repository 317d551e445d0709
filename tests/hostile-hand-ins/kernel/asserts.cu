// tries: to flood the report by failed asserts
// gets: 0 0 fault | assert
#include <assert.h>
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    assert(!"a million times");
}
