// cuBLAS, level 2: each function beside a plain loop over a whole matrix.
#include "check.h"

template <class T> struct Level2;
#define LEVEL2(S, T)                                                                           \
    template <> struct Level2<T> {                                                             \
        static constexpr auto gemv = cublas##S##gemv;                                          \
        static constexpr auto gbmv = cublas##S##gbmv;                                          \
        static constexpr auto symv = cublas##S##symv;                                          \
        static constexpr auto sbmv = cublas##S##sbmv;                                          \
        static constexpr auto spmv = cublas##S##spmv;                                          \
        static constexpr auto ger = cublas##S##ger;                                            \
        static constexpr auto syr = cublas##S##syr;                                            \
        static constexpr auto syr2 = cublas##S##syr2;                                          \
        static constexpr auto spr = cublas##S##spr;                                            \
        static constexpr auto spr2 = cublas##S##spr2;                                          \
        static constexpr auto trmv = cublas##S##trmv;                                          \
        static constexpr auto tbmv = cublas##S##tbmv;                                          \
        static constexpr auto tpmv = cublas##S##tpmv;                                          \
        static constexpr auto trsv = cublas##S##trsv;                                          \
        static constexpr auto tbsv = cublas##S##tbsv;                                          \
        static constexpr auto tpsv = cublas##S##tpsv;                                          \
    };
LEVEL2(S, float)
LEVEL2(D, double)

enum { M = 13, N = 9, LD = 17, K = 2, ABOVE = 3 };

// A whole matrix, column by column.
template <class T> struct Matrix {
    int m, n;
    std::vector<T> at;
    Matrix(int m, int n) : m(m), n(n), at(m * n) {}
    T &operator()(int i, int j) { return at[i + j * m]; }
    T operator()(int i, int j) const { return at[i + j * m]; }
    Matrix flipped() const
    {
        Matrix t(n, m);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                t(j, i) = (*this)(i, j);
        return t;
    }
};

template <class T> std::vector<T> times(const Matrix<T> &a, const std::vector<T> &x)
{
    std::vector<T> y(a.m);
    for (int i = 0; i < a.m; i++)
        for (int j = 0; j < a.n; j++)
            y[i] += a(i, j) * x[j];
    return y;
}

template <class T> bool near(const std::vector<T> &a, const std::vector<T> &b)
{
    for (size_t i = 0; i < a.size(); i++)
        if (!(std::abs(a[i] - b[i]) <= 1e-3 * (1 + std::abs(b[i]))))
            return false;
    return true;
}

static bool is_in(bool lower, int i, int j) { return lower ? i >= j : i <= j; }

// The half of a as its storage has it; what is not in it is a number that shows when it is read.
template <class T> std::vector<T> dense(const Matrix<T> &a, bool lower)
{
    std::vector<T> v(LD * a.n, (T)NAN);
    for (int i = 0; i < a.m; i++)
        for (int j = 0; j < a.n; j++)
            if (is_in(lower, i, j))
                v[i + j * LD] = a(i, j);
    return v;
}
template <class T> std::vector<T> packed(const Matrix<T> &a, bool lower)
{
    std::vector<T> v;
    for (int j = 0; j < a.n; j++)
        for (int i = 0; i < a.n; i++)
            if (is_in(lower, i, j))
                v.push_back(a(i, j));
    return v;
}
template <class T> std::vector<T> band(const Matrix<T> &a, int below, int above)
{
    std::vector<T> v(LD * a.n, (T)NAN);
    for (int i = 0; i < a.m; i++)
        for (int j = 0; j < a.n; j++)
            if (i - j <= below && j - i <= above)
                v[above + i - j + j * LD] = a(i, j);
    return v;
}

template <class T> Matrix<T> keep(const Matrix<T> &a, int below, int above)
{
    Matrix<T> b = a;
    for (int i = 0; i < a.m; i++)
        for (int j = 0; j < a.n; j++)
            if (i - j > below || j - i > above)
                b(i, j) = 0;
    return b;
}

template <class T> void general(cublasHandle_t h)
{
    typedef Level2<T> F;
    const T two = 2, three = 3, zero = 0;
    Matrix<T> a(M, N);
    a.at = numbers<T>(M * N, 5);
    std::vector<T> spread(LD * N, (T)NAN);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            spread[i + j * LD] = a(i, j);
    OnDevice<T> da(spread), db(band(a, K, ABOVE));
    const Matrix<T> b = keep(a, K, ABOVE);
    for (int t = 0; t < 2; t++) {
        const cublasOperation_t op = t ? CUBLAS_OP_T : CUBLAS_OP_N;
        const int in = t ? M : N, out = t ? N : M;
        const std::vector<T> x = numbers<T>(in, 6), y = numbers<T>(out, 7);
        const std::vector<T> ax = times(t ? a.flipped() : a, x), bx = times(t ? b.flipped() : b, x);
        std::vector<T> want(out), want_band(out), backwards(x.rbegin(), x.rend());
        for (int i = 0; i < out; i++) {
            want[i] = 2 * ax[i] + 3 * y[i];
            want_band[i] = 2 * bx[i];
        }
        OnDevice<T> dx(x), dy(y), dr(backwards), nan(std::vector<T>(out, (T)NAN));
        CALL(F::gemv(h, op, M, N, &two, da, LD, dx, 1, &three, dy, 1));
        expect(dy.back() == want, t ? "gemv, transposed" : "gemv");
        CALL(F::gbmv(h, op, M, N, K, ABOVE, &two, db, LD, dr, -1, &zero, nan, 1));
        expect(nan.back() == want_band, t ? "gbmv, transposed" : "gbmv; y is not read if beta is 0");
    }
    const std::vector<T> x = numbers<T>(M, 8), y = numbers<T>(N, 9);
    OnDevice<T> dx(x), dy(y);
    CALL(F::ger(h, M, N, &two, dx, 1, dy, 1, da, LD));
    bool same = true;
    const std::vector<T> got = da.back();
    for (int i = 0; i < LD; i++)
        for (int j = 0; j < N; j++)
            same = same && (i < M ? got[i + j * LD] == a(i, j) + 2 * x[i] * y[j]
                                  : std::isnan(got[i + j * LD]));
    expect(same, "ger");
}

template <class T> void symmetric(cublasHandle_t h, bool lower)
{
    typedef Level2<T> F;
    const cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    const T two = 2, three = 3;
    Matrix<T> a(N, N);
    a.at = numbers<T>(N * N, 10);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            a(i, j) = a(j, i);
    const std::vector<T> x = numbers<T>(N, 11), y = numbers<T>(N, 12), ax = times(a, x);
    const std::vector<T> bx = times(keep(a, K, K), x);
    std::vector<T> want(N), want_band(N);
    for (int i = 0; i < N; i++) {
        want[i] = 2 * ax[i] + 3 * y[i];
        want_band[i] = 2 * bx[i] + 3 * y[i];
    }
    OnDevice<T> da(dense(a, lower)), dp(packed(a, lower)), dx(x), dy(y);
    OnDevice<T> db(band(a, lower ? K : 0, lower ? 0 : K)), y1(y), y2(y);
    CALL(F::symv(h, fill, N, &two, da, LD, dx, 1, &three, y1, 1));
    expect(y1.back() == want, "symv");
    CALL(F::spmv(h, fill, N, &two, dp, dx, 1, &three, y2, 1));
    expect(y2.back() == want, "spmv");
    CALL(F::sbmv(h, fill, N, K, &two, db, LD, dx, 1, &three, dy, 1));
    expect(dy.back() == want_band, "sbmv");
    OnDevice<T> dv(y);
    Matrix<T> one = a, both = a;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            one(i, j) += 2 * x[i] * x[j];
            both(i, j) = one(i, j) + 3 * (x[i] * y[j] + y[i] * x[j]);
        }
    CALL(F::spr(h, fill, N, &two, dx, 1, dp));
    expect(dp.back() == packed(one, lower), "spr");
    CALL(F::spr2(h, fill, N, &three, dx, 1, dv, 1, dp));
    expect(dp.back() == packed(both, lower), "spr2");
    CALL(F::syr(h, fill, N, &two, dx, 1, da, LD));
    CALL(F::syr2(h, fill, N, &three, dx, 1, dv, 1, da, LD));
    const std::vector<T> got = da.back(), expected = dense(both, lower);
    bool same = true;
    for (size_t i = 0; i < got.size(); i++)
        same = same && (got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i])));
    expect(same, "syr, syr2: the other half stays");
}

template <class T> void triangle(cublasHandle_t h, bool lower, bool transposed, bool unit)
{
    typedef Level2<T> F;
    const cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    const cublasOperation_t op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasDiagType_t diagonal = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    Matrix<T> a(N, N), meant(N, N);
    a.at = numbers<T>(N * N, 13);
    for (int i = 0; i < N; i++)
        a(i, i) = (T)(i % 2 ? 4 : -2);
    meant = keep(a, lower ? N : 0, lower ? 0 : N);
    for (int i = 0; unit && i < N; i++) {
        meant(i, i) = 1;
        a(i, i) = (T)NAN;
    }
    const Matrix<T> in_band = keep(meant, K, K);
    const std::vector<T> x = numbers<T>(N, 14);
    const std::vector<T> ax = times(transposed ? meant.flipped() : meant, x);
    const std::vector<T> bx = times(transposed ? in_band.flipped() : in_band, x);
    OnDevice<T> da(dense(a, lower)), dp(packed(a, lower));
    OnDevice<T> db(band(a, lower ? K : 0, lower ? 0 : K)), x1(x), x2(x), x3(x);
    CALL(F::trmv(h, fill, op, diagonal, N, da, LD, x1, 1));
    CALL(F::tpmv(h, fill, op, diagonal, N, dp, x2, 1));
    CALL(F::tbmv(h, fill, op, diagonal, N, K, db, LD, x3, 1));
    expect(x1.back() == ax && x2.back() == ax && x3.back() == bx, "trmv, tpmv, tbmv");
    CALL(F::trsv(h, fill, op, diagonal, N, da, LD, x1, 1));
    CALL(F::tpsv(h, fill, op, diagonal, N, dp, x2, 1));
    CALL(F::tbsv(h, fill, op, diagonal, N, K, db, LD, x3, 1));
    expect(near(x1.back(), x) && near(x2.back(), x) && near(x3.back(), x), "trsv, tpsv, tbsv");
}

template <class T> void run(cublasHandle_t h)
{
    general<T>(h);
    for (int lower = 0; lower < 2; lower++) {
        symmetric<T>(h, lower);
        for (int which = 0; which < 4; which++)
            triangle<T>(h, lower, which & 1, which & 2);
    }
}

int main()
{
    cublasHandle_t h;
    CALL(cublasCreate(&h));
    run<float>(h);
    run<double>(h);
    CALL(cublasDestroy(h));
    printf("%d wrong\n", failures);
    return failures != 0;
}
