/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nothing included at all */
__global__ void k(float *p, int n)
{
    int i = threadIdx.x;
    if (i < n)
        atomicAdd(p, expf(p[i]));
    printf("%d\n", i);
}
int main()
{
    float *p = (float *)malloc(16);
    cudaMalloc(&p, 16);
    k<<<1, 4>>>(p, 4);
    return cudaDeviceSynchronize();
}
