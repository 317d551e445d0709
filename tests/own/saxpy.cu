// SPDX-License-Identifier: GPL-3.0-or-later
//! array x f32 777 iota
//! array y f32 777 value:0.5
//! array z f32 777 iota
//! array p f32 777
//! launch saxpy<<<4,256>>>(777, 2.5, x, y)
//! launch saxpy_stride<<<(2,1,1),(32,1,1)>>>(770, -3, x, z+7)
//! launch poly<<<25,32>>>(x, p, 777)
//! expect y
//! expect z
//! expect p
// y = a*x + y, once with a thread an element and once with a stride loop;
// all values are small halves, so nothing is rounded

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    y[i] = a * x[i] + y[i];
}

__global__ void saxpy_stride(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}

// Horner: 2t^3 - t^2 + 3t - 7 with t = i mod 16
__global__ void poly(const float *x, float *p, int n)
{
    const float c[4] = {2.0f, -1.0f, 3.0f, -7.0f};
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float t = (float)((int)x[i] % 16);
        float r = 0.0f;
        for (int k = 0; k < 4; ++k)
            r = r * t + c[k];
        p[i] = r;
    }
}
