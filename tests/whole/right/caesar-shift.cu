/* Encrypt a text by a Caesar shift, then try all shifts to break it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

static void stop_on(cudaError_t e)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(e));
        exit(1);
    }
}

__device__ char shift_char(char c, int by)
{
    if (c >= 'a' && c <= 'z')
        return (char)('a' + (c - 'a' + by + 26) % 26);
    if (c >= 'A' && c <= 'Z')
        return (char)('A' + (c - 'A' + by + 26) % 26);
    return c;
}

__global__ void caesar(char *text, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        text[i] = shift_char(text[i], by);
}

/* Block number = shift. The score counts frequent letters. */
__global__ void score(const char *text, int n, int *scores)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        char c = shift_char(text[i], -(int)blockIdx.x);
        int points = 0;
        switch (c) {
        case 'e': points = 4; break;
        case 't':
        case 'a': points = 3; break;
        case 'o':
        case 'n': points = 2; break;
        case 'q':
        case 'x':
        case 'z': points = -3; break;
        default: break;
        }
        if (points)
            atomicAdd(&s, points);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        scores[blockIdx.x] = s;
}

int main(void)
{
    char text[] = "The train to Leeds leaves at ten past nine. "
                  "Take an apple, a note book and two eggs!";
    const int n = (int)strlen(text);
    char *dev;
    int *dscores, scores[26];
    stop_on(cudaMalloc((void **)&dev, n + 1));
    stop_on(cudaMalloc((void **)&dscores, sizeof scores));
    stop_on(cudaMemcpy(dev, text, n + 1, cudaMemcpyHostToDevice));

    caesar<<<(n + 31) / 32, 32>>>(dev, n, 11);
    stop_on(cudaGetLastError());
    stop_on(cudaMemcpy(text, dev, n + 1, cudaMemcpyDeviceToHost));
    printf("secret: %s\n", text);

    score<<<26, 32>>>(dev, n, dscores);
    stop_on(cudaMemcpy(scores, dscores, sizeof scores, cudaMemcpyDeviceToHost));
    int best = 0;
    for (int k = 1; k < 26; k++)
        if (scores[k] > scores[best])
            best = k;
    printf("best shift: %d with %d points\n", best, scores[best]);

    caesar<<<(n + 31) / 32, 32>>>(dev, n, -best);
    stop_on(cudaMemcpy(text, dev, n + 1, cudaMemcpyDeviceToHost));
    printf("plain: %s\n", text);
    int upper = 0;
    for (int i = 0; i < n; i++)
        upper += isupper((unsigned char)text[i]) != 0;
    printf("%d characters, %d upper case\n", n, upper);
    stop_on(cudaFree(dev));
    stop_on(cudaFree(dscores));
    return 0;
}
