// wrong: leak
// Looks for keys in a list. The answer is the first place, or -1.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                  \
    do {                                                             \
        cudaError_t err_ = (call);                                   \
        if (err_ != cudaSuccess) {                                   \
            fprintf(stderr, "line %d: %s\n", __LINE__,               \
                    cudaGetErrorString(err_));                       \
            exit(1);                                                 \
        }                                                            \
    } while (0)

__global__ void search(const int *list, int n, int key, int *place)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && list[i] == key) {
        atomicMin(place, i);
    }
}

static int find(const int *d_list, int n, int key)
{
    int place = INT_MAX;
    int *d_place;
    CHECK(cudaMalloc((void **)&d_place, sizeof(int)));  // HERE
    CHECK(cudaMemcpy(d_place, &place, sizeof(int), cudaMemcpyHostToDevice));
    search<<<(n + 127) / 128, 128>>>(d_list, n, key, d_place);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&place, d_place, sizeof(int), cudaMemcpyDeviceToHost));
    if (place == INT_MAX) {
        return -1;  // OR HERE
    }
    CHECK(cudaFree(d_place));
    return place;
}

int main(void)
{
    int list[600];
    const int n = 600;
    const int keys[4] = {0, 99, 1000, 42};
    for (int i = 0; i < n; i++) {
        list[i] = (i * 7) % 100;
    }

    int *d_list;
    CHECK(cudaMalloc((void **)&d_list, sizeof(list)));
    CHECK(cudaMemcpy(d_list, list, sizeof(list), cudaMemcpyHostToDevice));
    for (int k = 0; k < 4; k++) {
        printf("key %d: %d\n", keys[k], find(d_list, n, keys[k]));
    }
    CHECK(cudaFree(d_list));
    return 0;
}
