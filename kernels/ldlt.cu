/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many small systems of equations A x = y: each thread solves one system.
 *
 * A is symmetric, so the lower half of A is enough. The thread keeps it in n (n + 1) / 2 floats,
 * row after row, with the n floats of y behind them. A = L D L^t is computed in the same place: D
 * on the diagonal, L below it. The diagonal of L has only ones, so it needs no place.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by all
/* Row i of the lower half begins at this float. It has i + 1 floats. */
__device__ __forceinline__ int Row(int i)
{
    return i * (i + 1) / 2;
}

//: used by all but staged
/* Copy the lower half of A and the vector y. */
__device__ __forceinline__ void Copy_system(const float *a, const float *y, int n, float *m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            m[Row(i) + j] = a[i * n + j];
    for (int i = 0; i < n; i++)
        m[Row(n) + i] = y[i];
}

//: used by all
/* Factorize A, then solve L z = y, D w = z and L^t x = w. At the end, x is in the place of y. */
__device__ __forceinline__ void Solve(float *m, int n)
{
    float *y = m + Row(n);

    for (int i = 0; i < n; i++) {
        float *row = m + Row(i), d = row[i];
        for (int j = 0; j < i; j++) {
            float sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * m[Row(j) + k];
            row[j] = sum;   /* L[i][j] times D[j] */
        }
        for (int j = 0; j < i; j++) {
            float l = row[j] / m[Row(j) + j];
            d -= row[j] * l;
            row[j] = l;
        }
        row[i] = d;
    }
    for (int i = 0; i < n; i++) {
        float sum = y[i];
        for (int k = 0; k < i; k++)
            sum -= m[Row(i) + k] * y[k];
        y[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        float sum = y[i] / m[Row(i) + i];
        for (int k = i + 1; k < n; k++)
            sum -= m[Row(k) + i] * y[k];
        y[i] = sum;
    }
}

//: used by all but staged
/* Copy the solution back. */
__device__ __forceinline__ void Copy_back(const float *m, int n, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = m[Row(n) + i];
}

//: variant shared
/* The system of a thread is in shared memory. The launch has room for n (n + 1) / 2 + n floats. */
extern "C" __global__ void ldlt_shared(const float *a, float *y, const int n, const int systems)
{
    extern __shared__ float room[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float *m = room + threadIdx.x * (Row(n) + n);

    if (i < systems) {
        Copy_system(a + i * n * n, y + i * n, n, m);
        Solve(m, n);
        Copy_back(m, n, y + i * n);
    }
}

//: variant padded
/* The same with an odd number of floats per thread: there can be an unused float at the end. */
extern "C" __global__ void ldlt_padded(const float *a, float *y, const int n, const int systems)
{
    extern __shared__ float room[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float *m = room + threadIdx.x * ((Row(n) + n) | 1);

    if (i < systems) {
        Copy_system(a + i * n * n, y + i * n, n, m);
        Solve(m, n);
        Copy_back(m, n, y + i * n);
    }
}

//: variant staged
/* The threads of a block load and store all systems of the block together. */
extern "C" __global__ void ldlt_staged(const float *a, float *y, const int n, const int systems)
{
    extern __shared__ float room[];
    int size = (Row(n) + n) | 1, first = blockDim.x * blockIdx.x;
    int mine = systems - first < blockDim.x ? systems - first : blockDim.x;

    for (int e = threadIdx.x; e < mine * n * n; e += blockDim.x) {
        int i = e / n % n, j = e % n;
        if (j <= i)
            room[e / (n * n) * size + Row(i) + j] = a[first * n * n + e];
    }
    for (int e = threadIdx.x; e < mine * n; e += blockDim.x)
        room[e / n * size + Row(n) + e % n] = y[first * n + e];
    __syncthreads();
    if (threadIdx.x < mine)
        Solve(room + threadIdx.x * size, n);
    __syncthreads();
    for (int e = threadIdx.x; e < mine * n; e += blockDim.x)
        y[first * n + e] = room[e / n * size + Row(n) + e % n];
}

//: variant global
/* The system of a thread is in global memory, in the array `work`. */
extern "C" __global__ void ldlt_global(const float *a, float *y, const int n, const int systems,
                                       float *work)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float *m = work + i * (Row(n) + n);

    if (i < systems) {
        Copy_system(a + i * n * n, y + i * n, n, m);
        Solve(m, n);
        Copy_back(m, n, y + i * n);
    }
}

//: variant noguard
/* WRONG unless the threads of all blocks are as many as the systems: there is no test of i. */
extern "C" __global__ void ldlt_noguard(const float *a, float *y, const int n)
{
    extern __shared__ float room[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float *m = room + threadIdx.x * (Row(n) + n);

    Copy_system(a + i * n * n, y + i * n, n, m);
    Solve(m, n);
    Copy_back(m, n, y + i * n);
}
