// exit: 3
// Check a list of records. The exit code is the number of bad records.
#include <cstdio>
#include <cuda_runtime.h>

struct Record {
    int id;
    short day;
    short month;
    double amount;
};

__device__ int bad_count;
__device__ int first_bad = 1 << 30;
__device__ double largest[4];

__global__ void check(const Record *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool good = r[i].month >= 1 && r[i].month <= 12 && r[i].day >= 1 &&
                r[i].day <= 31 && r[i].amount >= 0.0;
    if (!good) {
        atomicAdd(&bad_count, 1);
        atomicMin(&first_bad, r[i].id);
    }
}

// One thread per quarter finds the largest amount of that quarter.
__global__ void quarters(const Record *r, int n)
{
    int q = threadIdx.x;
    double best = 0.0;
    for (int i = 0; i < n; ++i)
        if ((r[i].month - 1) / 3 == q && r[i].amount > best)
            best = r[i].amount;
    largest[q] = best;
}

int main()
{
    const int n = 60;
    Record list[n];
    for (int i = 0; i < n; ++i) {
        list[i].id = 100 + i;
        list[i].day = static_cast<short>(1 + (i * 7) % 28);
        list[i].month = static_cast<short>(1 + i % 12);
        list[i].amount = (i * 13 % 50) + 0.25;
    }
    list[17].day = 0;
    list[31].month = 13;
    list[44].amount = -5.5;

    Record *dev;
    cudaMalloc(&dev, sizeof list);
    cudaMemcpy(dev, list, sizeof list, cudaMemcpyHostToDevice);
    check<<<2, 32>>>(dev, n);
    quarters<<<1, 4>>>(dev, n);

    int bad = -1, first = -1;
    double top[4];
    cudaMemcpyFromSymbol(&bad, bad_count, sizeof bad);
    cudaMemcpyFromSymbol(&first, first_bad, sizeof first);
    cudaMemcpyFromSymbol(top, largest, sizeof top);
    std::printf("bad records: %d, first id: %d\n", bad, first);
    for (int q = 0; q < 4; ++q)
        std::printf("quarter %d: %.2f\n", q + 1, top[q]);
    cudaFree(dev);
    return bad;
}
