// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a f32 512 random; array b f32 512 zero; launch centre<<<4, 128>>>(a, b)
//@ kind race-shared
//@ cure syncthreads
//@ place between
// subtracts from each value the mean of the block's 128 values
__global__ void centre(const float *a, float *b)
{
    __shared__ float mean;
    int first = blockIdx.x * blockDim.x;

    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int k = 0; k < (int)blockDim.x; ++k)
            sum += a[first + k];
        mean = sum / blockDim.x;
    }
#ifdef CURED
    __syncthreads();
#endif
    b[first + threadIdx.x] = a[first + threadIdx.x] - mean;
}
