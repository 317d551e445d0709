// Count letters with atomics. Each block has its own small table first.
#include <cstdio>
#include <cstring>
#include <string>
#include <cuda_runtime.h>

__global__ void count_letters(const char *text, int n, unsigned int *table)
{
    __shared__ unsigned int local[26];
    if (threadIdx.x < 26)
        local[threadIdx.x] = 0;
    __syncthreads();

    int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        char c = text[i];
        if (c >= 'A' && c <= 'Z')
            c = c - 'A' + 'a';
        if (c >= 'a' && c <= 'z')
            atomicAdd(&local[c - 'a'], 1u);
    }
    __syncthreads();

    if (threadIdx.x < 26 && local[threadIdx.x] > 0)
        atomicAdd(&table[threadIdx.x], local[threadIdx.x]);
}

int main()
{
    std::string text;
    for (int i = 0; i < 20; ++i)
        text += "Rain falls on the hill. The river rises, and the fields turn green! ";
    const int n = static_cast<int>(text.size());

    char *dtext;
    unsigned int *dtable;
    unsigned int table[26];
    cudaMalloc(&dtext, n);
    cudaMalloc(&dtable, sizeof table);
    cudaMemcpy(dtext, text.c_str(), n, cudaMemcpyHostToDevice);
    cudaMemset(dtable, 0, sizeof table);

    count_letters<<<5, 64>>>(dtext, n, dtable);
    cudaMemcpy(table, dtable, sizeof table, cudaMemcpyDeviceToHost);

    unsigned int letters = 0;
    for (int i = 0; i < 26; ++i) {
        letters += table[i];
        if (table[i] != 0)
            std::printf("%c %u\n", 'a' + i, table[i]);
    }
    std::printf("%u letters in %d characters\n", letters, n);
    cudaFree(dtext);
    cudaFree(dtable);
    return 0;
}
