// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 200 random; array y f32 200 zero; launch ringDiff<<<2, 128>>>(x, y, 100)
//@ kind barrier-divergence
//@ cure barrier-all
//@ line 25
// 100 values a block, in a ring; hands back the next one's value
__device__ float nextOf(float v, float *s, int m)
{
    s[threadIdx.x] = v;
    __syncthreads();
    return s[(threadIdx.x + 1) % m];
}

__global__ void ringDiff(const float *x, float *y, int m)
{
    __shared__ float ring[128];
    int t = threadIdx.x;
    int i = blockIdx.x * m + t;
#ifdef CURED
    float mine = t < m ? x[i] : 0.0f;
    float next = nextOf(mine, ring, m);
    if (t < m)
        y[i] = next - mine;
#else
    if (t < m) {
        float mine = x[i];
        float next = nextOf(mine, ring, m);
        y[i] = next - mine;
    }
#endif
}
