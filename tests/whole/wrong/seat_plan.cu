// wrong: default-copy-too-large
// The seats of a cinema. The copy leaves it to CUDA where memory lies, and counts one row too many.
#include <cstdio>
#include <cstdlib>

const int ROWS = 12, SEATS = 20;

__global__ void reserve(int *seats)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    seats[i] = i % 3 == 0;
}

int main()
{
    const size_t bytes = ROWS * SEATS * sizeof(int);
    int *seats = nullptr, *plan = (int *)malloc((ROWS + 1) * SEATS * sizeof(int));
    if (cudaMalloc(&seats, bytes) != cudaSuccess || !plan)
        return 1;
    reserve<<<ROWS, SEATS>>>(seats);
    if (cudaGetLastError() != cudaSuccess)
        return 1;
    cudaError_t error = cudaMemcpy(plan, seats, (ROWS + 1) * SEATS * sizeof(int), // HERE
                                   cudaMemcpyDefault);
    if (error != cudaSuccess)
        printf("no plan: %s\n", cudaGetErrorString(error));
    int taken = 0;
    for (int i = 0; i < ROWS * SEATS && error == cudaSuccess; i++)
        taken += plan[i];
    printf("%d seats are taken\n", taken);
    cudaFree(seats);
    free(plan);
    return 0;
}
