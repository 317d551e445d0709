/* Odd-even sort of marks in one block. Equal marks keep their order. */
#include <stdio.h>
#include <string.h>
#include <cuda_runtime.h>

#define N 75

typedef struct {
    char name[4];
    int mark;
} student;

__device__ int passes_needed;

__global__ void sort(student *list, int n)
{
    extern __shared__ student s[];
    __shared__ int changed;
    int t = threadIdx.x;

    for (int i = t; i < n; i += blockDim.x)
        s[i] = list[i];
    if (t == 0)
        passes_needed = 0;
    __syncthreads();

    for (;;) {
        if (t == 0)
            changed = 0;
        __syncthreads();
        for (int phase = 0; phase < 2; phase++) {
            int i = 2 * t + phase;
            if (i + 1 < n && s[i].mark > s[i + 1].mark) {
                student tmp = s[i];
                s[i] = s[i + 1];
                s[i + 1] = tmp;
                changed = 1;
            }
            __syncthreads();
        }
        int go_on = changed;
        __syncthreads();
        if (!go_on)
            break;
        if (t == 0)
            passes_needed++;
    }
    for (int i = t; i < n; i += blockDim.x)
        list[i] = s[i];
}

int main(void)
{
    student list[N];
    for (int i = 0; i < N; i++) {
        list[i].name[0] = (char)('A' + i % 26);
        list[i].name[1] = (char)('a' + (i * 7) % 26);
        list[i].name[2] = (char)('0' + i / 26);
        list[i].name[3] = '\0';
        list[i].mark = (i * 31 + 11) % 40;
    }

    student *dev;
    cudaMalloc((void **)&dev, sizeof list);
    cudaMemcpy(dev, list, sizeof list, cudaMemcpyHostToDevice);
    sort<<<1, 38, sizeof list>>>(dev, N);
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess)
        e = cudaMemcpy(list, dev, sizeof list, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess) {
        printf("error: %s\n", cudaGetErrorString(e));
        return 1;
    }

    for (int i = 0; i < N; i++)
        printf("%s %2d%s", list[i].name, list[i].mark, i % 6 == 5 || i == N - 1 ? "\n" : ", ");
    int passes = 0;
    cudaMemcpyFromSymbol(&passes, passes_needed, sizeof passes);
    printf("passes with a change: %d\n", passes);
    cudaFree(dev);
    return 0;
}
