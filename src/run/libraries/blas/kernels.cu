/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of our cuBLAS: plain loops. A thread computes one element of the result, or one
 * column where an element needs those before it. They read what BLAS says is read, and nothing
 * more: no C if beta is 0, no diagonal of 1. So the checkers see the program's mistakes.
 */
#include "blas.h"

typedef blas_int Int;

#define FN static __device__ __forceinline__

FN Int thread() { return (Int)blockIdx.x * blockDim.x + threadIdx.x; }
FN Int threads() { return (Int)gridDim.x * blockDim.x; }

FN float square_root(float x)
{
    float y;
    asm("sqrt.rn.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
FN double square_root(double x)
{
    double y;
    asm("sqrt.rn.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}

template <class T> FN T scalar(const blas_scalar &s)
{
    return s.at ? *(const T *)s.at : (T)s.value;
}
template <class T> FN T &item(const blas_vector &v, Int i) { return ((T *)v.at)[i * v.step]; }
template <class T> FN T size_of(T x) { return x < 0 ? -x : x; }

/* ---- elements of matrices ------------------------------------------------------------------- */

/* False: the element is not in memory, and is 0. */
FN bool place(const blas_view &v, Int i, Int j, Int *at)
{
    if (v.transposed) {
        const Int was = i;
        i = j, j = was;
    }
    if (v.half == BLAS_LOWER ? i < j : v.half == BLAS_UPPER && i > j) {
        if (!v.mirrors)
            return false;
        const Int was = i;
        i = j, j = was;
    }
    switch (v.storage) {
    case BLAS_BAND:
        *at = v.above + i - j + j * v.ld;
        return i - j <= v.below && j - i <= v.above;
    case BLAS_PACKED:
        *at = v.half == BLAS_UPPER ? i + j * (j + 1) / 2 : i + (2 * v.n - j - 1) * j / 2;
        return true;
    default: *at = i + j * v.ld; return true;
    }
}

template <class T> FN T element(const blas_view &v, Int i, Int j)
{
    Int at;
    if (v.unit && i == j)
        return 1;
    return place(v, i, j, &at) ? ((const T *)v.at)[at] : (T)0;
}

/* Is it a triangle that has its elements below the diagonal, as it is meant? */
FN bool is_lower(const blas_view &v) { return (v.half == BLAS_LOWER) != (v.transposed != 0); }

/* ---- vectors --------------------------------------------------------------------------------- */

template <class T> FN void axpy(Int n, blas_scalar alpha, blas_vector x, blas_vector y)
{
    const T a = scalar<T>(alpha);
#pragma unroll 1
    for (Int i = thread(); i < n && a != 0; i += threads())
        item<T>(y, i) += a * item<T>(x, i);
}
template <class T> FN void scal(Int n, blas_scalar alpha, blas_vector x, blas_vector)
{
    const T a = scalar<T>(alpha);
#pragma unroll 1
    for (Int i = thread(); i < n; i += threads())
        item<T>(x, i) *= a;
}
template <class T> FN void copy(Int n, blas_scalar, blas_vector x, blas_vector y)
{
#pragma unroll 1
    for (Int i = thread(); i < n; i += threads())
        item<T>(y, i) = item<T>(x, i);
}
template <class T> FN void swap(Int n, blas_scalar, blas_vector x, blas_vector y)
{
#pragma unroll 1
    for (Int i = thread(); i < n; i += threads()) {
        const T was = item<T>(x, i);
        item<T>(x, i) = item<T>(y, i);
        item<T>(y, i) = was;
    }
}
template <class T> FN void rotate(Int n, blas_vector x, blas_vector y, T xx, T xy, T yx, T yy)
{
#pragma unroll 1
    for (Int i = thread(); i < n; i += threads()) {
        const T a = item<T>(x, i), b = item<T>(y, i);
        item<T>(x, i) = xx * a + xy * b;
        item<T>(y, i) = yx * a + yy * b;
    }
}
template <class T>
FN void rot(Int n, blas_vector x, blas_vector y, blas_scalar cosine, blas_scalar sine)
{
    const T c = scalar<T>(cosine), s = scalar<T>(sine);
    rotate<T>(n, x, y, c, s, -s, c);
}
/* The parameters are a flag, h11, h21, h12, h22; the flag says which of them are meant. */
template <class T> FN void rotm(Int n, blas_vector x, blas_vector y, const blas_scalar *p)
{
    const T flag = scalar<T>(p[0]);
    if (flag == -1)
        rotate<T>(n, x, y, scalar<T>(p[1]), scalar<T>(p[3]), scalar<T>(p[2]), scalar<T>(p[4]));
    else if (flag == 0)
        rotate<T>(n, x, y, 1, scalar<T>(p[3]), scalar<T>(p[2]), 1);
    else if (flag == 1)
        rotate<T>(n, x, y, scalar<T>(p[1]), 1, -1, scalar<T>(p[4]));
}

/* ---- one number of a vector ------------------------------------------------------------------ */

/* Is `a`, at i, to be taken in place of `b`, at j? Of equals the first is. */
template <class T> FN bool precedes(int kind, T a, Int i, T b, Int j)
{
    if (j < 0 || i < 0)
        return j < 0 && i >= 0;
    return a == b ? i < j : kind == BLAS_IAMAX ? a > b : a < b;
}

template <class T> FN T biggest(Int n, const blas_vector &x)
{
    __shared__ T most[BLAS_THREADS];
    T m = 0;
#pragma unroll 1
    for (Int i = threadIdx.x; i < n; i += BLAS_THREADS)
        m = size_of(item<T>(x, i)) > m ? size_of(item<T>(x, i)) : m;
    most[threadIdx.x] = m;
#pragma unroll 1
    for (int half = BLAS_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half && most[threadIdx.x + half] > most[threadIdx.x])
            most[threadIdx.x] = most[threadIdx.x + half];
    }
    __syncthreads();
    return most[0];
}

template <class T> FN T add_up(T mine)
{
    __shared__ T sums[BLAS_THREADS];
    sums[threadIdx.x] = mine;
#pragma unroll 1
    for (int half = BLAS_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    __syncthreads();
    return sums[0];
}

/* Squares may be too large or too small for the type: then the elements are made smaller first. */
template <class T> FN T norm(Int n, const blas_vector &x)
{
    const T safe = sizeof(T) == 4 ? (T)1e15f : (T)1e150, most = biggest<T>(n, x);
    const T unit = most > safe || (most < 1 / safe && most > 0) ? most : (T)1;
    T sum = 0;
#pragma unroll 1
    for (Int i = threadIdx.x; i < n; i += BLAS_THREADS) {
        const T a = item<T>(x, i) / unit;
        sum += a * a;
    }
    return unit * square_root(add_up(sum));
}

template <class T> FN Int extreme(int kind, Int n, const blas_vector &x)
{
    __shared__ T values[BLAS_THREADS];
    __shared__ Int places[BLAS_THREADS];
    Int at = -1;
    T best = 0;
#pragma unroll 1
    for (Int i = threadIdx.x; i < n; i += BLAS_THREADS) {
        const T a = size_of(item<T>(x, i));
        if (precedes(kind, a, i, best, at))
            best = a, at = i;
    }
    values[threadIdx.x] = best;
    places[threadIdx.x] = at;
#pragma unroll 1
    for (int half = BLAS_THREADS / 2; half; half /= 2) {
        __syncthreads();
        const int t = threadIdx.x, u = threadIdx.x + half;
        if (t < half && precedes(kind, values[u], places[u], values[t], places[t]))
            values[t] = values[u], places[t] = places[u];
    }
    __syncthreads();
    return places[0] + 1;
}

/* One block. `wide`: an index has 64 bits. */
template <class T>
FN void reduce(int kind, Int n, blas_vector x, blas_vector y, void *result, int wide)
{
    T sum = 0;
    if (kind == BLAS_IAMAX || kind == BLAS_IAMIN) {
        const Int at = extreme<T>(kind, n, x);
        if (threadIdx.x == 0 && wide)
            *(Int *)result = at;
        else if (threadIdx.x == 0)
            *(int *)result = (int)at;
        return;
    }
    if (kind == BLAS_NRM2)
        sum = norm<T>(n, x);
    else {
#pragma unroll 1
        for (Int i = threadIdx.x; i < n; i += BLAS_THREADS)
            sum += kind == BLAS_DOT ? item<T>(x, i) * item<T>(y, i) : size_of(item<T>(x, i));
        sum = add_up(sum);
    }
    if (threadIdx.x == 0)
        *(T *)result = sum;
}

/* ---- a matrix and a vector ------------------------------------------------------------------- */

template <class T> FN T scaled(T sum, T beta, const T *old)
{
    return beta == 0 ? sum : sum + beta * *old;
}

/* y = alpha A x + beta y. A has m rows and n columns. */
template <class T>
FN void mv(Int m, Int n, blas_view a, blas_vector x, blas_vector y, blas_scalar alpha,
           blas_scalar beta)
{
    const T by = scalar<T>(alpha), old = scalar<T>(beta);
    const bool whole = a.storage == BLAS_DENSE && a.half == BLAS_WHOLE;
    const Int down = a.transposed ? a.ld : 1, across = a.transposed ? 1 : a.ld;
#pragma unroll 1
    for (Int i = thread(); i < m; i += threads()) {
        T sum = 0;
        const T *row = (const T *)a.at + i * down;
        if (by == 0)
            ;
        else if (whole)
            for (Int j = 0; j < n; j++)
                sum += row[j * across] * item<T>(x, j);
        else
#pragma unroll 1
            for (Int j = 0; j < n; j++) {
                Int at;
                if ((a.unit && i == j) || place(a, i, j, &at))
                    sum += element<T>(a, i, j) * item<T>(x, j);
            }
        item<T>(y, i) = scaled(by * sum, old, &item<T>(y, i));
    }
}

/* A += alpha x y', and alpha y x' too if `both`. */
template <class T>
FN void rank(Int m, Int n, blas_view a, blas_vector x, blas_vector y, blas_scalar alpha, int both)
{
    const T by = scalar<T>(alpha);
#pragma unroll 1
    for (Int t = thread(); t < m * n && by != 0; t += threads()) {
        const Int i = t % m, j = t / m;
        Int at;
        if (!place(a, i, j, &at))
            continue;
        T add = item<T>(x, i) * item<T>(y, j);
        if (both)
            add += item<T>(y, i) * item<T>(x, j);
        ((T *)a.at)[at] += by * add;
    }
}

/* X = alpha A X, in place: each element only needs those that were not replaced yet. */
template <class T>
FN void multiply(blas_view a, void *at, Int rows, Int columns, Int down, Int across,
                 blas_scalar alpha)
{
    const T by = scalar<T>(alpha);
    const bool lower = is_lower(a);
#pragma unroll 1
    for (Int c = thread(); c < columns; c += threads()) {
        T *x = (T *)at + c * across;
#pragma unroll 1
        for (Int r = 0; r < rows; r++) {
            const Int i = lower ? rows - 1 - r : r;
            T sum = 0;
#pragma unroll 1
            for (Int j = lower ? 0 : i; j < (lower ? i + 1 : rows) && by != 0; j++) {
                Int where;
                if ((a.unit && i == j) || place(a, i, j, &where))
                    sum += element<T>(a, i, j) * x[j * down];
            }
            x[i * down] = by * sum;
        }
    }
}

/* Solves A Y = alpha X, and Y takes the place of X. */
template <class T>
FN void solve(blas_view a, void *at, Int rows, Int columns, Int down, Int across,
              blas_scalar alpha)
{
    const T by = scalar<T>(alpha);
    const bool lower = is_lower(a);
#pragma unroll 1
    for (Int c = thread(); c < columns; c += threads()) {
        T *x = (T *)at + c * across;
#pragma unroll 1
        for (Int r = 0; r < rows; r++) {
            const Int i = lower ? r : rows - 1 - r;
            T left = by == 0 ? (T)0 : by * x[i * down];
#pragma unroll 1
            for (Int j = lower ? 0 : i + 1; j < (lower ? i : rows) && by != 0; j++) {
                Int where;
                if (place(a, i, j, &where))
                    left -= ((const T *)a.at)[where] * x[j * down];
            }
            x[i * down] = a.unit || by == 0 ? left : left / element<T>(a, i, i);
        }
    }
}

/* ---- matrices -------------------------------------------------------------------------------- */

template <class T>
FN void geam(Int m, Int n, blas_view a, blas_view b, T *c, Int ldc, blas_scalar alpha,
             blas_scalar beta)
{
    const T x = scalar<T>(alpha), y = scalar<T>(beta);
#pragma unroll 1
    for (Int t = thread(); t < m * n; t += threads()) {
        const Int i = t % m, j = t / m;
        const T sum = x == 0 ? (T)0 : x * element<T>(a, i, j);
        c[i + j * ldc] = y == 0 ? sum : sum + y * element<T>(b, i, j);
    }
}

template <class T>
FN void dgmm(Int m, Int n, const T *a, Int lda, blas_vector x, T *c, Int ldc, int rows)
{
#pragma unroll 1
    for (Int t = thread(); t < m * n; t += threads()) {
        const Int i = t % m, j = t / m;
        c[i + j * ldc] = a[i + j * lda] * item<T>(x, rows ? i : j);
    }
}

/* How numbers of 16 bits are read and written. */
struct half16 { unsigned short bits; };
FN float as_sum(half16 x)
{
    float y;
    asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits));
    return y;
}
FN float as_sum(float x) { return x; }
FN double as_sum(double x) { return x; }
FN void store(half16 *to, float x)
{
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    to->bits = bits;
}
FN void store(float *to, float x) { *to = x; }
FN void store(double *to, double x) { *to = x; }

/* An element of a view whose type is not that of the sum. */
template <class From> FN auto term(const blas_view &v, const void *at, Int i, Int j)
    -> decltype(as_sum(From()))
{
    Int where;
    if (v.unit && i == j)
        return 1;
    if (!place(v, i, j, &where))
        return 0;
    return as_sum(((const From *)at)[where]);
}

template <class Sum, class From>
FN Sum dot(const blas_product &p, const From *a, const From *b, Int i, Int j)
{
    Sum sum = 0;
    const bool whole = p.a.storage == BLAS_DENSE && p.a.half == BLAS_WHOLE &&
                       p.b.storage == BLAS_DENSE && p.b.half == BLAS_WHOLE;
    if (whole) {
        const Int step_a = p.a.transposed ? 1 : p.a.ld, step_b = p.b.transposed ? p.b.ld : 1;
        a += p.a.transposed ? i * p.a.ld : i;
        b += p.b.transposed ? j : j * p.b.ld;
        for (Int k = 0; k < p.k; k++, a += step_a, b += step_b)
            sum += as_sum(*a) * as_sum(*b);
        return sum;
    }
#pragma unroll 1
    for (Int k = 0; k < p.k; k++) {
        Int at;
        bool in_a = (p.a.unit && i == k) || place(p.a, i, k, &at);
        bool in_b = (p.b.unit && k == j) || place(p.b, k, j, &at);
        if (in_a && in_b)
            sum += term<From>(p.a, a, i, k) * term<From>(p.b, b, k, j);
    }
    return sum;
}

template <class Sum, class From, class To> FN void gemm(const blas_product &p)
{
    const Sum alpha = scalar<Sum>(p.alpha), beta = scalar<Sum>(p.beta);
    const Int i = (Int)blockIdx.x * blockDim.x + threadIdx.x;
    const Int column = (Int)blockIdx.y * blockDim.y + threadIdx.y;
#pragma unroll 1
    for (Int z = blockIdx.z; z < p.batch && i < p.m; z += gridDim.z)
#pragma unroll 1
        for (Int j = column; j < p.n; j += (Int)gridDim.y * blockDim.y) {
            if (p.half == BLAS_LOWER ? i < j : p.half == BLAS_UPPER && i > j)
                continue;
            To *c = p.pointers ? ((To *const *)p.c)[z] : (To *)p.c + z * p.step_c;
            c += i + j * p.ldc;
            Sum sum = 0;
            if (alpha != 0) {
                const From *a = p.pointers ? ((const From *const *)p.a.at)[z]
                                           : (const From *)p.a.at + z * p.step_a;
                const From *b = p.pointers ? ((const From *const *)p.b.at)[z]
                                           : (const From *)p.b.at + z * p.step_b;
                sum = alpha * dot<Sum, From>(p, a, b, i, j);
            }
            store(c, beta == 0 ? sum : sum + beta * as_sum(*c));
        }
}

/* ---- what the host launches ------------------------------------------------------------------ */

struct five { blas_scalar p[5]; };

#define KERNELS(T, end)                                                                        \
    extern "C" __global__ void cublas_axpy_##end(Int n, blas_scalar a, blas_vector x,          \
                                                 blas_vector y) { axpy<T>(n, a, x, y); }       \
    extern "C" __global__ void cublas_scal_##end(Int n, blas_scalar a, blas_vector x,          \
                                                 blas_vector y) { scal<T>(n, a, x, y); }       \
    extern "C" __global__ void cublas_copy_##end(Int n, blas_scalar a, blas_vector x,          \
                                                 blas_vector y) { copy<T>(n, a, x, y); }       \
    extern "C" __global__ void cublas_swap_##end(Int n, blas_scalar a, blas_vector x,          \
                                                 blas_vector y) { swap<T>(n, a, x, y); }       \
    extern "C" __global__ void cublas_rot_##end(Int n, blas_vector x, blas_vector y,           \
                                                blas_scalar c, blas_scalar s)                  \
    { rot<T>(n, x, y, c, s); }                                                                 \
    extern "C" __global__ void cublas_rotm_##end(Int n, blas_vector x, blas_vector y, five p)  \
    { rotm<T>(n, x, y, p.p); }                                                                 \
    extern "C" __global__ void cublas_reduce_##end(int kind, Int n, blas_vector x,             \
                                                   blas_vector y, void *result, int wide)      \
    { reduce<T>(kind, n, x, y, result, wide); }                                                \
    extern "C" __global__ void cublas_mv_##end(Int m, Int n, blas_view a, blas_vector x,       \
                                               blas_vector y, blas_scalar s, blas_scalar t)    \
    { mv<T>(m, n, a, x, y, s, t); }                                                            \
    extern "C" __global__ void cublas_rank_##end(Int m, Int n, blas_view a, blas_vector x,     \
                                                 blas_vector y, blas_scalar s, int both)       \
    { rank<T>(m, n, a, x, y, s, both); }                                                       \
    extern "C" __global__ void cublas_multiply_##end(blas_view a, void *x, Int rows, Int cols, \
                                                     Int down, Int across, blas_scalar s)      \
    { multiply<T>(a, x, rows, cols, down, across, s); }                                        \
    extern "C" __global__ void cublas_solve_##end(blas_view a, void *x, Int rows, Int cols,    \
                                                  Int down, Int across, blas_scalar s)         \
    { solve<T>(a, x, rows, cols, down, across, s); }                                           \
    extern "C" __global__ void cublas_geam_##end(Int m, Int n, blas_view a, blas_view b, T *c, \
                                                 Int ldc, blas_scalar s, blas_scalar t)        \
    { geam<T>(m, n, a, b, c, ldc, s, t); }                                                     \
    extern "C" __global__ void cublas_dgmm_##end(Int m, Int n, const T *a, Int lda,            \
                                                 blas_vector x, T *c, Int ldc, int rows)       \
    { dgmm<T>(m, n, a, lda, x, c, ldc, rows); }
KERNELS(float, f32)
KERNELS(double, f64)

#define PRODUCT(name, Sum, From, To)                                                           \
    extern "C" __global__ void cublas_gemm_##name(blas_product p) { gemm<Sum, From, To>(p); }
PRODUCT(f32, float, float, float)
PRODUCT(f64, double, double, double)
PRODUCT(f16, float, half16, half16)
PRODUCT(f16_f32, float, half16, float)
