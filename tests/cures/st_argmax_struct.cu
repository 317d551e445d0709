// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array v f32 512 random; array where i32 2 zero; launch argmax<<<2, 256>>>(v, where)
//@ kind race-shared
//@ cure syncthreads
//@ place between
struct Best {
    float value;
    int   index;
};

__device__ Best better(Best a, Best b)
{
    return b.value > a.value ? b : a;
}

__global__ void argmax(const float *v, int *where)
{
    __shared__ Best best[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    best[t].value = v[i];
    best[t].index = i;
#ifdef CURED
    __syncthreads();
#endif
    for (int half = 128; half >= 1; half /= 2) {
        if (t < half)
            best[t] = better(best[t], best[t + half]);
        __syncthreads();
    }
    if (t == 0)
        where[blockIdx.x] = best[0].index;
}
