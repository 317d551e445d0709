// tries: to take in the bytes of a file by #embed
// gets: 0 0 compile | unrecognized preprocessing directive|embed
__device__ const char text[] = {
#embed "/etc/passwd"
};
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    out[0] = text[n];
}
