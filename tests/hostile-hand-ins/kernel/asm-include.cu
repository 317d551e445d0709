// tries: to have the assembler read a file
// gets: 0 0 compile | /etc/passwd. is where
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    asm(".include \"/etc/passwd\"");
}
