// cuBLAS, level 3: each function beside plain loops over whole matrices.
#include "check.h"

#include <cuda_fp16.h>

template <class T> struct Level3;
#define LEVEL3(S, T, DATA, COMPUTE)                                                            \
    template <> struct Level3<T> {                                                             \
        static constexpr auto gemm = cublas##S##gemm;                                          \
        static constexpr auto batched = cublas##S##gemmBatched;                                \
        static constexpr auto strided = cublas##S##gemmStridedBatched;                         \
        static constexpr auto symm = cublas##S##symm;                                          \
        static constexpr auto syrk = cublas##S##syrk;                                          \
        static constexpr auto syr2k = cublas##S##syr2k;                                        \
        static constexpr auto syrkx = cublas##S##syrkx;                                        \
        static constexpr auto trmm = cublas##S##trmm;                                          \
        static constexpr auto trsm = cublas##S##trsm;                                          \
        static constexpr auto geam = cublas##S##geam;                                          \
        static constexpr auto dgmm = cublas##S##dgmm;                                          \
        static constexpr auto data = DATA;                                                     \
        static constexpr auto compute = COMPUTE;                                               \
    };
LEVEL3(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
LEVEL3(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)

enum { M = 7, N = 10, K = 5, LD = 12, BATCH = 3 };

// A matrix whose columns are LD apart in memory; between them is what nobody may use.
template <class T> struct Matrix {
    int m, n;
    std::vector<T> at;
    Matrix(int m, int n, unsigned seed = 0) : m(m), n(n), at(LD * n, (T)NAN)
    {
        const std::vector<T> v = numbers<T>(m * n, seed);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                (*this)(i, j) = seed ? v[i + j * m] : (T)0;
    }
    T &operator()(int i, int j) { return at[i + j * LD]; }
    T operator()(int i, int j) const { return at[i + j * LD]; }
    Matrix flipped(bool really = true) const
    {
        if (!really)
            return *this;
        Matrix t(n, m);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                t(j, i) = (*this)(i, j);
        return t;
    }
    bool operator==(const std::vector<T> &got) const
    {
        for (size_t i = 0; i < at.size(); i++)
            if (!(got[i] == at[i] || (std::isnan(got[i]) && std::isnan(at[i]))))
                return false;
        return true;
    }
    bool near(const std::vector<T> &got) const
    {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                if (!(std::abs(got[i + j * LD] - (*this)(i, j)) < 1e-2))
                    return false;
        return true;
    }
};

// x A B + y C
template <class T>
Matrix<T> product(T x, const Matrix<T> &a, const Matrix<T> &b, T y, const Matrix<T> &c)
{
    Matrix<T> d = c;
    for (int i = 0; i < c.m; i++)
        for (int j = 0; j < c.n; j++) {
            T sum = 0;
            for (int k = 0; k < a.n; k++)
                sum += a(i, k) * b(k, j);
            d(i, j) = x * sum + (y != 0 ? y * c(i, j) : (T)0);
        }
    return d;
}

// `a` where the triangle has it, else `other`.
template <class T> Matrix<T> triangle_of(const Matrix<T> &a, bool lower, const Matrix<T> &other)
{
    Matrix<T> b = a;
    for (int i = 0; i < a.m; i++)
        for (int j = 0; j < a.n; j++)
            if (lower ? i < j : i > j)
                b(i, j) = other(i, j);
    return b;
}
template <class T> Matrix<T> nothing(int m, int n)
{
    Matrix<T> a(m, n);
    a.at.assign(a.at.size(), (T)NAN);
    return a;
}
static cublasOperation_t op(int transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

template <class T> void products(cublasHandle_t h, T two, T three, const T *alpha, const T *beta)
{
    typedef Level3<T> F;
    for (int which = 0; which < 4; which++) {
        const int ta = which & 1, tb = which >> 1;
        const Matrix<T> a(M, K, 1), b(K, N, 2), c(M, N, 3);
        OnDevice<T> da(a.flipped(ta).at), db(b.flipped(tb).at), dc(c.at), dd(c.at);
        CALL(F::gemm(h, op(ta), op(tb), M, N, K, alpha, da, LD, db, LD, beta, dc, LD));
        expect(product(two, a, b, three, c) == dc.back(), "gemm");
        CALL(cublasGemmEx(h, op(ta), op(tb), M, N, K, alpha, da, F::data, LD, db, F::data, LD,
                          beta, dd, F::data, LD, F::compute, CUBLAS_GEMM_DEFAULT));
        expect(product(two, a, b, three, c) == dd.back(), "GemmEx");
    }
    std::vector<T> as, bs, cs, want;
    for (int i = 0; i < BATCH; i++) {
        const Matrix<T> a(M, K, 10 + i), b(K, N, 20 + i), c(M, N, 30 + i);
        as.insert(as.end(), a.at.begin(), a.at.end());
        bs.insert(bs.end(), b.at.begin(), b.at.end());
        cs.insert(cs.end(), c.at.begin(), c.at.end());
        const Matrix<T> d = product(two, a, b, three, c);
        want.insert(want.end(), d.at.begin(), d.at.end());
    }
    Matrix<T> all(LD, N * BATCH);
    all.at = want;
    OnDevice<T> da(as), db(bs), dc(cs), dd(cs);
    CALL(F::strided(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, alpha, da, LD, LD * K, db, LD, LD * N,
                    beta, dc, LD, LD * N, BATCH));
    expect(all == dc.back(), "gemmStridedBatched");
    std::vector<T *> pa, pb, pc;
    for (int i = 0; i < BATCH; i++) {
        pa.push_back(da + i * LD * K);
        pb.push_back(db + i * LD * N);
        pc.push_back(dd + i * LD * N);
    }
    OnDevice<T *> dpa(pa), dpb(pb), dpc(pc);
    CALL(F::batched(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, alpha, dpa, LD, dpb, LD, beta, dpc, LD,
                    BATCH));
    expect(all == dd.back(), "gemmBatched");
}

template <class T>
void symmetric(cublasHandle_t h, bool lower, T two, T three, const T *alpha, const T *beta)
{
    typedef Level3<T> F;
    const cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    const Matrix<T> b(M, N, 4), c(M, N, 5);
    for (int left = 0; left < 2; left++) {
        const int order = left ? M : N;
        Matrix<T> a(order, order, 6);
        for (int i = 0; i < order; i++)
            for (int j = 0; j < i; j++)
                a(i, j) = a(j, i);
        OnDevice<T> da(triangle_of(a, lower, nothing<T>(order, order)).at), db(b.at), dc(c.at);
        CALL(F::symm(h, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, fill, M, N, alpha, da, LD, db,
                     LD, beta, dc, LD));
        expect((left ? product(two, a, b, three, c) : product(two, b, a, three, c)) == dc.back(),
               left ? "symm from the left" : "symm from the right");
    }
    for (int t = 0; t < 2; t++) {
        const Matrix<T> a(N, K, 7), x(N, K, 8), old(N, N, 9);
        OnDevice<T> da(a.flipped(t).at), dx(x.flipped(t).at), d1(old.at), d2(old.at), d3(old.at);
        CALL(F::syrk(h, fill, op(t), N, K, alpha, da, LD, beta, d1, LD));
        const Matrix<T> one = product(two, a, a.flipped(), three, old);
        expect(triangle_of(one, lower, old) == d1.back(), "syrk");
        CALL(F::syr2k(h, fill, op(t), N, K, alpha, da, LD, dx, LD, beta, d2, LD));
        const Matrix<T> first = product(two, a, x.flipped(), three, old);
        const Matrix<T> both = product(two, x, a.flipped(), (T)1, first);
        expect(triangle_of(both, lower, old) == d2.back(), "syr2k");
        CALL(F::syrkx(h, fill, op(t), N, K, alpha, da, LD, dx, LD, beta, d3, LD));
        expect(triangle_of(first, lower, old) == d3.back(), "syrkx");
    }
}

template <class T>
void triangles(cublasHandle_t h, bool left, bool lower, bool transposed, bool unit, T two,
               const T *alpha)
{
    typedef Level3<T> F;
    const cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    const cublasSideMode_t side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    const cublasDiagType_t diagonal = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    const int order = left ? M : N;
    const Matrix<T> b(M, N, 11);
    Matrix<T> a(order, order, 12), meant = triangle_of(a, lower, Matrix<T>(order, order));
    for (int i = 0; i < order; i++) {
        meant(i, i) = a(i, i) = unit ? (T)1 : (T)(i % 2 ? -4 : 2);
        if (unit)
            a(i, i) = (T)NAN;
    }
    const Matrix<T> turned = meant.flipped(transposed), zero(M, N);
    const Matrix<T> want = left ? product(two, turned, b, (T)0, zero)
                                : product(two, b, turned, (T)0, zero);
    OnDevice<T> da(triangle_of(a, lower, nothing<T>(order, order)).at), db(b.at), dx(b.at);
    OnDevice<T> dc(zero.at);
    CALL(F::trmm(h, side, fill, op(transposed), diagonal, M, N, alpha, da, LD, db, LD, dc, LD));
    CALL(F::trmm(h, side, fill, op(transposed), diagonal, M, N, alpha, da, LD, dx, LD, dx, LD));
    expect(want == dc.back() && want == dx.back(), left ? "trmm, left" : "trmm, right");
    CALL(F::trsm(h, side, fill, op(transposed), diagonal, M, N, alpha, da, LD, dx, LD));
    Matrix<T> solved = b;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            solved(i, j) *= two * two;
    expect(solved.near(dx.back()), left ? "trsm, left" : "trsm, right");
}

template <class T> void others(cublasHandle_t h, T two, T three, const T *alpha, const T *beta)
{
    typedef Level3<T> F;
    const Matrix<T> a(M, N, 13), b(M, N, 14);
    Matrix<T> c(M, N), left(M, N), right(M, N);
    const std::vector<T> x = numbers<T>(2 * N, 15);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            c(i, j) = two * a(i, j) + three * b(i, j);
            left(i, j) = a(i, j) * x[2 * i];
            right(i, j) = a(i, j) * x[j];
        }
    OnDevice<T> da(a.at), dt(b.flipped().at), dc(Matrix<T>(M, N).at), dx(x);
    CALL(F::geam(h, CUBLAS_OP_N, CUBLAS_OP_T, M, N, alpha, da, LD, beta, dt, LD, dc, LD));
    expect(c == dc.back(), "geam");
    CALL(F::dgmm(h, CUBLAS_SIDE_LEFT, M, N, da, LD, dx, 2, dc, LD));
    expect(left == dc.back(), "dgmm, rows");
    CALL(F::dgmm(h, CUBLAS_SIDE_RIGHT, M, N, da, LD, dx, 1, dc, LD));
    expect(right == dc.back(), "dgmm, columns");
}

template <class T> void run(cublasHandle_t h, bool on_device)
{
    const T two = 2, three = 3;
    OnDevice<T> there(std::vector<T>{two, three});
    const T *alpha = on_device ? (const T *)there : &two;
    const T *beta = on_device ? (const T *)there + 1 : &three;
    CALL(cublasSetPointerMode(h, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
    products(h, two, three, alpha, beta);
    for (int lower = 0; lower < 2; lower++)
        symmetric(h, lower, two, three, alpha, beta);
    for (int which = 0; which < 16; which++)
        triangles(h, which & 1, which & 2, which & 4, which & 8, two, alpha);
    others(h, two, three, alpha, beta);
}

// Halves are added up in float.
static void halves(cublasHandle_t h)
{
    const Matrix<float> a(M, K, 1), b(K, N, 2), c(M, N, 3);
    std::vector<__half> ha, hb, hc;
    for (float x : a.at)
        ha.push_back(__float2half(x));
    for (float x : b.at)
        hb.push_back(__float2half(x));
    for (float x : c.at)
        hc.push_back(__float2half(x));
    OnDevice<__half> da(ha), db(hb), dc(hc);
    OnDevice<float> df(c.at);
    const float two = 2, three = 3;
    CALL(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    CALL(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &two, da, CUDA_R_16F, LD, db,
                      CUDA_R_16F, LD, &three, df, CUDA_R_32F, LD, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT));
    expect(product(two, a, b, three, c) == df.back(), "GemmEx, halves to floats");
    CALL(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &two, da, CUDA_R_16F, LD, db,
                      CUDA_R_16F, LD, &three, dc, CUDA_R_16F, LD, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT));
    std::vector<float> got;
    for (__half x : dc.back())
        got.push_back(__half2float(x));
    expect(product(two, a, b, three, c) == got, "GemmEx, halves to halves");
}

int main()
{
    cublasHandle_t h;
    CALL(cublasCreate(&h));
    for (int on_device = 0; on_device < 2; on_device++) {
        printf("numbers on the %s\n", on_device ? "device" : "host");
        run<float>(h, on_device);
        run<double>(h, on_device);
    }
    halves(h);
    CALL(cublasDestroy(h));
    printf("%d wrong\n", failures);
    return failures != 0;
}
