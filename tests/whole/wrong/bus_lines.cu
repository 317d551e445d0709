// wrong: host-to-host-of-device
// Passengers of bus lines. The last copy says that both sides are the host's, and one is not.
#include <cstdio>
#include <cstdlib>

__global__ void count(const int *tickets, int *lines, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&lines[tickets[i]], 1);
}

int main()
{
    const int n = 500, buses = 5;
    int tickets[n], sums[buses] = {0};
    int *d_tickets, *d_lines;
    for (int i = 0; i < n; i++)
        tickets[i] = i * 7 % buses;
    if (cudaMalloc(&d_tickets, sizeof tickets) || cudaMalloc(&d_lines, sizeof sums))
        return 1;
    if (cudaMemset(d_lines, 0, sizeof sums) ||
        cudaMemcpy(d_tickets, tickets, sizeof tickets, cudaMemcpyHostToDevice))
        return 1;
    count<<<4, 128>>>(d_tickets, d_lines, n);
    if (cudaGetLastError() || cudaDeviceSynchronize())
        return 1;
    if (cudaMemcpy(sums, d_lines, sizeof sums, cudaMemcpyHostToHost)) // HERE
        printf("the copy failed\n");
    for (int i = 0; i < buses; i++)
        printf("line %d: %d\n", i, sums[i]);
    cudaFree(d_tickets);
    cudaFree(d_lines);
    return 0;
}
