// One thread counts all.
//: launch <<<1, 1>>>
__global__ void histogram(int n, const unsigned char *data, unsigned int *bins)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    for (int i = 0; i < n; i++)
        bins[data[i]]++;
}
