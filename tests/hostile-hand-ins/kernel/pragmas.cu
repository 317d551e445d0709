// tries: to load a plug-in into the compiler by pragmas
// gets: 2 3
#pragma GCC plugin "/tmp/plugin.so"
#pragma clang plugin "/tmp/plugin.so"
#pragma comment(linker, "@/etc/passwd")
#pragma include_alias("math.h", "/etc/passwd")
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];

}
