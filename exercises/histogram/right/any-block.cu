// This one works for blocks of any size. Bins that a block did not meet cost nothing.
enum { BINS = 256 };

__global__ void histogram(int n, const unsigned char *data, unsigned int *bins)
{
    __shared__ unsigned mine[BINS];
    const unsigned me = threadIdx.x, all = blockDim.x;

    for (unsigned b = me; b < BINS; b += all)
        mine[b] = 0u;
    __syncthreads();

    unsigned at = blockIdx.x * all + me;
    while (at < (unsigned)n) {
        const unsigned char value = data[at];
        atomicInc(mine + value, 0xffffffffu);
        at += all * gridDim.x;
    }
    __syncthreads();

    for (unsigned b = me; b < BINS; b += all) {
        if (mine[b] > 0)
            atomicAdd(bins + b, mine[b]);
    }
}
