// What is known of a kernel, and blocks that fit.
// link: -lcuda
#include "check.h"

__global__ void uses_shared(float *out)
{
    __shared__ float tile[1024];
    tile[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

static size_t shared_of(int threads) { return threads * 4; }

int main()
{
    cudaFunction_t f;
    int value, blocks, grid, block;
    OK(cuInit(0));
    cudaFree(nullptr);
    cudaGetFuncBySymbol(&f, (const void *)uses_shared);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
    printf("shared: %d\n", value);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    printf("threads: %d\n", value);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 1024, 0));
    printf("blocks of 1024: %d\n", blocks);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 256, 0));
    printf("blocks of 256: %d\n", blocks);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, nullptr, 0, 0));
    printf("best: %d\n", block);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, shared_of, 0, 512));
    printf("best of up to 512: %d\n", block);
    SHOW("too much", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
    SHOW("not to be set", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 10));
}
