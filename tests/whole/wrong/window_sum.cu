// wrong: illegal-shared
// The sum over a window of seven values around each place.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define REACH 3

static void check(cudaError_t e, int line)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
        exit(1);
    }
}
#define CHECK(x) check((x), __LINE__)

__global__ void window(const int *in, int *out, int n)
{
    extern __shared__ int s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x + REACH;
    s[t] = i < n ? in[i] : 0;
    if (threadIdx.x < REACH) {
        int left = i - REACH;
        int right = i + (int)blockDim.x;
        s[t - REACH] = left >= 0 ? in[left] : 0;
        s[t + blockDim.x] = right < n ? in[right] : 0;  // HERE
    }
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int k = -REACH; k <= REACH; k++) {
            sum += s[t + k];  // OR HERE
        }
        out[i] = sum;
    }
}

int main(void)
{
    const int n = 512;
    const int threads = 128;
    int h[512];
    for (int i = 0; i < n; i++) {
        h[i] = i % 11;
    }

    int *d_in, *d_out;
    CHECK(cudaMalloc((void **)&d_in, sizeof(h)));
    CHECK(cudaMalloc((void **)&d_out, sizeof(h)));
    CHECK(cudaMemcpy(d_in, h, sizeof(h), cudaMemcpyHostToDevice));
    const size_t room = (threads + REACH) * sizeof(int);  // OR HERE
    window<<<n / threads, threads, room>>>(d_in, d_out, n);  // OR HERE
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h, d_out, sizeof(h), cudaMemcpyDeviceToHost));

    printf("%d %d %d %d\n", h[0], h[127], h[128], h[511]);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return 0;
}
