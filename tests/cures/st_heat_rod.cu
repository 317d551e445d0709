// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array rod f64 192 random; launch heat<<<1, 192>>>(rod, 20)
//@ kind race-shared
//@ cure syncthreads
//@ place split
// heat in a rod of 192 cells, both ends are held fixed
__global__ void heat(double *rod, int steps)
{
    __shared__ double u[192];
    int i = threadIdx.x;
    u[i] = rod[i];
    __syncthreads();

    for (int k = 0; k < steps; k++) {
#ifdef CURED
        double next = u[i];
        if (i > 0 && i < 191)
            next = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
        __syncthreads();
        u[i] = next;
#else
        if (i > 0 && i < 191)
            u[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
#endif
        __syncthreads();
    }
    rod[i] = u[i];
}
