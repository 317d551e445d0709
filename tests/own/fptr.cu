// SPDX-License-Identifier: GPL-3.0-or-later
//! array x i32 64 random:-50:50
//! array y i32 64 random:1:9
//! array which u8 64 random:0:3
//! array r i32 64
//! array s i32 64
//! array t f32 64
//! launch viaArray<<<2,32>>>(x, y, which, r)
//! launch viaTemplate<<<1,64>>>(x, s)
//! launch integrate<<<1,64>>>(t)
//! expect r
//! expect s
//! expect t
// Functions called through pointers on the device.

typedef int (*op_t)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ int mod(int a, int b) { return a % b; }

__global__ void viaArray(const int *x, const int *y, const unsigned char *which, int *r)
{
    op_t table[4] = {add, sub, mul, mod};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    r[i] = table[which[i]](x[i], y[i]);
}

template <op_t F>
__device__ int fold(const int *x, int n, int start)
{
    int acc = start;
    for (int i = 0; i < n; i++)
        acc = F(acc, x[i]);
    return acc;
}

__global__ void viaTemplate(const int *x, int *s)
{
    int n = threadIdx.x;
    s[n] = n % 2 ? fold<add>(x, n, 1) : fold<sub>(x, n, 1);
}

typedef float (*func)(float);
__device__ float square(float t) { return t * t; }
__device__ float line(float t) { return 2.0f * t + 1.0f; }

__device__ __noinline__ float trapezoid(func f, float a, float b, int n)
{
    float h = (b - a) / n, sum = 0.5f * (f(a) + f(b));
    for (int i = 1; i < n; i++)
        sum += f(a + i * h);
    return sum * h;
}

__global__ void integrate(float *t)
{
    func f = threadIdx.x & 1 ? square : line;
    t[threadIdx.x] = trapezoid(f, 0.0f, threadIdx.x / 2, 16);
}
