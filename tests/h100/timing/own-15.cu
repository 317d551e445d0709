// SPDX-License-Identifier: GPL-3.0-or-later
// Pi as the integral of 4 / (1 + x * x), by the midpoint rule in double precision.
// Each slice costs a division; each block leaves its part.
//: small   array part f64 32; launch quadrature<<<32, 128>>>(part, 65536)
//: middle  array part f64 264; launch quadrature<<<264, 128>>>(part, 2097152)
//: large   array part f64 1056; launch quadrature<<<1056, 128>>>(part, 134217728)

extern "C" __global__ void quadrature(double *part, int slices)
{
    __shared__ double sum[128];
    double h = 1.0 / slices;
    double mine = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < slices; i += gridDim.x * blockDim.x) {
        double x = h * (i + 0.5);
        mine += 4.0 / (1.0 + x * x);
    }
    sum[threadIdx.x] = mine;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            sum[threadIdx.x] += sum[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        part[blockIdx.x] = sum[0] * h;
}
