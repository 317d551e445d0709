// wrong: race
// How often does each letter occur in a text?
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

static void check(cudaError_t e, int line)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
        exit(1);
    }
}
#define CHECK(x) check((x), __LINE__)

__global__ void count_letters(const char *text, int n, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    char c = text[i];
    if (c >= 'a' && c <= 'z') {
        count[c - 'a']++;  // HERE
    }
}

int main(void)
{
    const char *text =
        "a library lends books to people who live in the town and to people "
        "who only pass through it on their way to the sea";
    const int n = (int)strlen(text);
    int h_count[26];

    char *d_text;
    int *d_count;
    CHECK(cudaMalloc((void **)&d_text, n));
    CHECK(cudaMalloc((void **)&d_count, sizeof(h_count)));
    CHECK(cudaMemcpy(d_text, text, n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_count, 0, sizeof(h_count)));

    count_letters<<<(n + 63) / 64, 64>>>(d_text, n, d_count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_count, d_count, sizeof(h_count), cudaMemcpyDeviceToHost));

    printf("e: %d\no: %d\nt: %d\n", h_count['e' - 'a'], h_count['o' - 'a'], h_count['t' - 'a']);
    CHECK(cudaFree(d_text));
    CHECK(cudaFree(d_count));
    return 0;
}
