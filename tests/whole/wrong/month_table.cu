// wrong: wrong-symbol
// From the day of the year to the month, by a table in device memory.
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

__device__ int month_end[12];  // OR HERE

__global__ void month_of(const int *day, int *month, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int m = 0;
        while (m < 11 && day[i] > month_end[m]) {
            m++;
        }
        month[i] = m + 1;
    }
}

int main(void)
{
    const int ends[13] = {31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365, 396};  // OR HERE
    const int n = 365;
    int day[365], month[365], length[13] = {0};
    for (int i = 0; i < n; i++) {
        day[i] = i + 1;
    }

    int *d_day, *d_month;
    CHECK(cudaMalloc((void **)&d_day, sizeof(day)));
    CHECK(cudaMalloc((void **)&d_month, sizeof(month)));
    CHECK(cudaMemcpy(d_day, day, sizeof(day), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(month_end, ends, sizeof(ends)));  // HERE

    month_of<<<(n + 127) / 128, 128>>>(d_day, d_month, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(month, d_month, sizeof(month), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        length[month[i]]++;
    }
    for (int m = 1; m <= 12; m++) {
        printf("month %2d has %d days\n", m, length[m]);
    }
    CHECK(cudaFree(d_day));
    CHECK(cudaFree(d_month));
    return 0;
}
