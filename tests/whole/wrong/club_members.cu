// wrong: launch-failed
// args: 90
// All members of a club get one year older.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

typedef struct {
    int id;
    int age;
} Member;

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
        exit(1);
    }
}

__global__ void birthday(Member *m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        m[i].age++;
    }
}

int main(int argc, char **argv)
{
    const int threads = 256;
    int n = argc > 1 ? atoi(argv[1]) : 90;
    if (n < 1 || n > 10000) {
        printf("give a number from 1 to 10000\n");
        return 1;
    }

    Member *h = (Member *)malloc(n * sizeof(Member));
    if (h == NULL) return 1;
    for (int i = 0; i < n; i++) {
        h[i].id = i;
        h[i].age = 20 + i % 30;
    }

    Member *d;
    check(cudaMalloc((void **)&d, n * sizeof(Member)), "malloc");
    check(cudaMemcpy(d, h, n * sizeof(Member), cudaMemcpyHostToDevice), "copy in");
    int blocks = n / threads;  // OR HERE
    birthday<<<blocks, threads>>>(d, n);  // HERE
    check(cudaMemcpy(h, d, n * sizeof(Member), cudaMemcpyDeviceToHost), "copy out");

    printf("member %d is %d\n", h[0].id, h[0].age);
    printf("member %d is %d\n", h[n - 1].id, h[n - 1].age);
    check(cudaFree(d), "free");
    free(h);
    return 0;
}
