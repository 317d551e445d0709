// wrong: missing-sync
// Is a number prime? Each thread tries one divisor.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static void must(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(e));
        std::exit(1);
    }
}

__global__ void tryDivisors(int number, int *composite)
{
    int d = blockIdx.x * blockDim.x + threadIdx.x + 2;
    if (d * d <= number && number % d == 0) {
        atomicExch(composite, 1);  // HERE
    }
}

int main()
{
    const int numbers[] = {10007, 10011, 32761, 40009};
    int *flag = nullptr;
    int *flagOnDevice = nullptr;
    must(cudaSetDeviceFlags(cudaDeviceMapHost), "flags");
    must(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped), "host alloc");
    must(cudaHostGetDevicePointer(&flagOnDevice, flag, 0), "device pointer");

    for (int number : numbers) {
        *flag = 0;
        tryDivisors<<<4, 64>>>(number, flagOnDevice);
        must(cudaGetLastError(), "launch");
        if (*flag) {  // AND HERE
            std::printf("%d is not prime\n", number);
        } else {
            std::printf("%d is prime\n", number);
        }
        must(cudaDeviceSynchronize(), "wait");
    }

    must(cudaFreeHost(flag), "free");
    return 0;
}
