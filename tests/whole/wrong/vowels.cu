// wrong: host-pointer
// Counts the vowels of a text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        printf("%s failed: %s\n", what, cudaGetErrorString(e));
        exit(1);
    }
}

__device__ bool is_vowel(char c)
{
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

__global__ void count_vowels(const char *text, int len, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < len && is_vowel(text[i])) {
        atomicAdd(count, 1);  // OR HERE
    }
}

int main(void)
{
    const char *text = "the train to the coast leaves at noon and it is never on time";
    int len = (int)strlen(text);
    int count = 0;
    char *d_text = NULL;

    check(cudaMalloc((void **)&d_text, len), "malloc");
    check(cudaMemcpy(d_text, text, len, cudaMemcpyHostToDevice), "copy");

    count_vowels<<<(len + 31) / 32, 32>>>(d_text, len, &count);  // HERE
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");

    printf("letters: %d\nvowels: %d\n", len, count);
    check(cudaFree(d_text), "free");
    return 0;
}
