// SPDX-License-Identifier: GPL-3.0-or-later
//! array f f32 40 iota
//! array i i32 40 iota
//! array d f64 40 iota
//! array u u8 40 iota
//! array sums i32 12
//! array caps i32 6
//! launch tk<float><<<1,40>>>(f, 0.5)
//! launch tk<int><<<1,40>>>(i, 3)
//! launch tk<double><<<2,20>>>(d, -0.25)
//! launch tk<unsigned char><<<1,40>>>(u, 7)
//! launch window<int,4><<<1,9>>>(i, sums)
//! launch window<int,1><<<1,3>>>(i, sums+9)
//! launch capacity<true><<<1,3>>>(caps)
//! launch capacity<false><<<1,3>>>(caps+3)
//! expect f
//! expect i
//! expect d
//! expect u
//! expect sums
//! expect caps

template <typename T>
__global__ void tk(T *p, T factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = p[i] * factor;
}

template <typename T, int N>
__global__ void window(const T *p, T *out)
{
    T s = 0;
#pragma unroll
    for (int k = 0; k < N; ++k)
        s += p[threadIdx.x + k];
    out[threadIdx.x] = s;
}

template <typename T, int N>
struct Stack {
    T item[N];
    int top;
    __device__ Stack() : top(0) {}
    __device__ bool push(T x)
    {
        if (top == N) return false;
        item[top++] = x;
        return true;
    }
    __device__ T pop() { return item[--top]; }
    __device__ bool empty() const { return top == 0; }
};

template <bool Short>
__global__ void capacity(int *caps)
{
    Stack<int, Short ? 4 : 8> s;
    int pushed = 0;
    while (s.push(pushed * (threadIdx.x + 1)))
        pushed++;
    int sum = 0, weight = 1;
    while (!s.empty())
        sum += s.pop() * weight++;
    caps[threadIdx.x] = sum;
}

template __global__ void tk<float>(float *, float);
template __global__ void tk<int>(int *, int);
template __global__ void tk<double>(double *, double);
template __global__ void tk<unsigned char>(unsigned char *, unsigned char);
template __global__ void window<int, 4>(const int *, int *);
template __global__ void window<int, 1>(const int *, int *);
template __global__ void capacity<true>(int *);
template __global__ void capacity<false>(int *);
