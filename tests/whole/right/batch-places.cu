// Many ranges of managed memory are moved by one call, and the pool of a place is asked for by the
// place and by the device's number.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t error = (call);                                                              \
        if (error != cudaSuccess) {                                                              \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                          \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

const int PARTS = 4, N = 1 << 16;

__global__ void count(int *v, int from)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = from + i % 7;
}

static const char *where(const int *v)
{
    int place = cudaInvalidDeviceId;
    CHECK(cudaMemRangeGetAttribute(&place, sizeof place,
                                   cudaMemRangeAttributeLastPrefetchLocation, v,
                                   N * sizeof *v));
    return place == cudaCpuDeviceId ? "host" : place == 0 ? "device" : "nowhere";
}

int main()
{
    int *part[PARTS];
    void *list[PARTS];
    size_t bytes[PARTS];
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    for (int i = 0; i < PARTS; i++) {
        CHECK(cudaMallocManaged(&part[i], N * sizeof(int)));
        list[i] = part[i];
        bytes[i] = N * sizeof(int);
    }
    cudaMemLocation places[2] = {};
    places[0].type = cudaMemLocationTypeDevice;
    places[1].type = cudaMemLocationTypeHost;
    size_t first[2] = {0, 3};
    CHECK(cudaMemPrefetchBatchAsync(list, bytes, PARTS, places, first, 2, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < PARTS; i++)
        printf("part %d: %s\n", i, where(part[i]));
    for (int i = 0; i < PARTS; i++)
        count<<<N / 256, 256, 0, stream>>>(part[i], 10 * i);
    CHECK(cudaGetLastError());
    CHECK(cudaMemPrefetchBatchAsync(list, bytes, 2, &places[1], first, 1, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    long long sum = 0;
    for (int i = 0; i < PARTS; i++)
        for (int k = 0; k < N; k++)
            sum += part[i][k];
    printf("part 0: %s, part 2: %s, sum %lld\n", where(part[0]), where(part[2]), sum);
    printf("in the default stream: %s\n",
           cudaGetErrorName(cudaMemPrefetchBatchAsync(list, bytes, 1, places, first, 1, 0, 0)));
    for (int i = 0; i < PARTS; i++)
        CHECK(cudaFree(part[i]));

    cudaMemPool_t usual, same, own, now;
    cudaMemPoolProps kind = {};
    kind.allocType = cudaMemAllocationTypePinned;
    kind.location.type = cudaMemLocationTypeDevice;
    CHECK(cudaMemGetDefaultMemPool(&usual, &places[0], cudaMemAllocationTypePinned));
    CHECK(cudaDeviceGetDefaultMemPool(&same, 0));
    CHECK(cudaMemPoolCreate(&own, &kind));
    CHECK(cudaMemSetMemPool(&places[0], cudaMemAllocationTypePinned, own));
    CHECK(cudaMemGetMemPool(&now, &places[0], cudaMemAllocationTypePinned));
    int *v;
    unsigned long long used;
    CHECK(cudaMallocAsync(&v, 1000 * sizeof *v, stream));
    CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
    printf("the default pool is the device's: %s, and ours is set: %s, used %s\n",
           usual == same ? "yes" : "no", now == own ? "yes" : "no", used >= 4000 ? "yes" : "no");
    CHECK(cudaFreeAsync(v, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemSetMemPool(&places[0], cudaMemAllocationTypePinned, usual));
    CHECK(cudaMemPoolDestroy(own));
    CHECK(cudaStreamDestroy(stream));
    return 0;
}
