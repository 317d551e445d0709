// cudaMemset of managed and pinned memory is done when it returns.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t e = (call);                                        \
        if (e != cudaSuccess) {                                        \
            printf("%s, line %d\n", cudaGetErrorString(e), __LINE__);  \
            exit(1);                                                   \
        }                                                              \
    } while (0)

int main()
{
    unsigned char *managed, *pinned;
    CHECK(cudaMallocManaged(&managed, 5000));
    CHECK(cudaMallocHost(&pinned, 5000));
    CHECK(cudaMemset(managed, 7, 5000));
    CHECK(cudaMemset(pinned, 9, 5000));
    printf("%d %d\n", managed[4999], pinned[0]);
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(pinned));
}
