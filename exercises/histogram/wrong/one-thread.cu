// The student avoids the race by letting one thread do all the work.
__global__ void histogram(int n, const unsigned char *data, unsigned int *bins)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < n; i++)
            bins[data[i]]++;
    }
}
