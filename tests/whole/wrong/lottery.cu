// wrong: event-unrecorded
// Tickets get numbers on the GPU. The host looks for the ones that win.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

class Check {
public:
    void operator()(cudaError_t e) const
    {
        if (e != cudaSuccess) {
            std::printf("stopped: %s\n", cudaGetErrorString(e));
            std::exit(1);
        }
    }
};

__global__ void drawTickets(int *ticket, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned x = i * 1103515245u + 12345u;
        ticket[i] = (x >> 16) % 50;
    }
}

int main()
{
    const Check check;
    const int n = 1000;
    const int lucky = 7;
    int *tickets, *deviceTickets;
    cudaStream_t stream;
    cudaEvent_t drawn;

    check(cudaMallocHost(&tickets, n * sizeof(int)));
    check(cudaMalloc(&deviceTickets, n * sizeof(int)));
    check(cudaStreamCreate(&stream));
    check(cudaEventCreate(&drawn));
    std::memset(tickets, 0, n * sizeof(int));

    drawTickets<<<8, 128, 0, stream>>>(deviceTickets, n);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(tickets, deviceTickets, n * sizeof(int), cudaMemcpyDeviceToHost, stream));  // OR HERE

    check(cudaEventSynchronize(drawn));  // HERE
    int winners = 0;
    for (int i = 0; i < n; i++) {
        if (tickets[i] == lucky) {  // OR HERE
            winners++;
        }
    }
    std::printf("winners: %d\n", winners);

    check(cudaStreamSynchronize(stream));
    check(cudaEventDestroy(drawn));
    check(cudaStreamDestroy(stream));
    check(cudaFree(deviceTickets));
    check(cudaFreeHost(tickets));
    return 0;
}
