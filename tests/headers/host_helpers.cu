/* SPDX-License-Identifier: GPL-3.0-or-later */
/* the samples' helper headers where no folder has them, and cuRAND's host functions */
#include <cuda_runtime.h>
#include <curand.h>
#include <helper_cuda.h>
#include <helper_functions.h>
__global__ void k(float *p) { p[0] = 1; }
int main(int argc, char **argv)
{
    float *d;
    StopWatchInterface *timer = NULL;
    curandGenerator_t generator;
    int device = findCudaDevice(argc, (const char **)argv);
    sdkCreateTimer(&timer);
    checkCudaErrors(cudaMalloc(&d, 64));
    checkCudaErrors(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    checkCudaErrors(curandGenerateNormal(generator, d, 16, 0.0f, 1.0f));
    k<<<1, 1>>>(d);
    getLastCudaError("k failed");
    printf("%f ms on %d\n", sdkGetTimerValue(&timer), device);
    return sdkCompareL2fe(d, d, 1, 1e-5f) ? EXIT_SUCCESS : EXIT_FAILURE;
}
