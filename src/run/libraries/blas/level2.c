/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuBLAS, level 2: a matrix and a vector. The matrix may be dense, a band, or a half without gaps;
 * each of these is a view of the same kernels.
 */
#include "run/libraries/blas/handle.h"

#define FORMS(FUNCTION)                                                                        \
    FUNCTION(S, float, F32, _v2, INT32) FUNCTION(S, float, F32, _v2_64, INT64)                 \
    FUNCTION(D, double, F64, _v2, INT32) FUNCTION(D, double, F64, _v2_64, INT64)

static int invalid(const struct task *c) { return blas_status(c->name, INVALID_VALUE); }
static bool is_operation(int t) { return t >= OP_N && t <= OP_C; }
static bool is_fill(int f) { return f == FILL_LOWER || f == FILL_UPPER; }

/* ---- y = alpha A x + beta y ---------------------------------------------------------------- */

struct mv { const void *alpha, *x, *beta; blas_int step_x; void *y; blas_int step_y; };

static int mv(const struct task *c, blas_int m, blas_int n, struct blas_view a, const struct mv *v)
{
    struct blas_scalar alpha, beta;
    int status;
    if (v->step_x == 0 || v->step_y == 0)
        return invalid(c);
    if ((status = blas_scalar(c, v->alpha, &alpha)) || (status = blas_scalar(c, v->beta, &beta)))
        return status;
    blas_int rows = a.transposed ? n : m, columns = a.transposed ? m : n;
    struct blas_vector x = blas_vector(c, v->x, columns, v->step_x);
    struct blas_vector y = blas_vector(c, v->y, rows, v->step_y);
    void *args[] = {&rows, &columns, &a, &x, &y, &alpha, &beta};
    return m && n ? blas_launch(c, K_mv, rows, args) : OK;
}

static int gemv(struct task c, int trans, blas_int m, blas_int n, const void *a, blas_int lda,
                struct mv v)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (!is_operation(trans) || m < 0 || n < 0 || lda < at_least_1(m))
        return invalid(&c);
    return mv(&c, m, n, (struct blas_view){a, lda, .transposed = trans != OP_N}, &v);
}

static int gbmv(struct task c, int trans, blas_int m, blas_int n, blas_int below, blas_int above,
                const void *a, blas_int lda, struct mv v)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (!is_operation(trans) || m < 0 || n < 0 || below < 0 || above < 0 ||
        lda < below + above + 1)
        return invalid(&c);
    return mv(&c, m, n,
              (struct blas_view){a, lda, .below = below, .above = above, .storage = BLAS_BAND,
                                 .transposed = trans != OP_N}, &v);
}

/* A view of a half: dense if k < 0 and lda > 0, packed if lda is 0, else a band. */
static struct blas_view half_view(int fill, blas_int n, blas_int k, const void *a, blas_int lda)
{
    const bool lower = fill == FILL_LOWER;
    return (struct blas_view){a, lda, n, .below = lower ? k : 0, .above = lower ? 0 : k,
                              .half = lower ? BLAS_LOWER : BLAS_UPPER,
                              .storage = !lda ? BLAS_PACKED : k >= 0 ? BLAS_BAND : BLAS_DENSE};
}

enum { DENSE = -1 };

static bool is_half(int fill, blas_int n, blas_int k, blas_int lda, bool packed)
{
    return is_fill(fill) && n >= 0 && k >= DENSE &&
           (packed || lda >= (k == DENSE ? at_least_1(n) : k + 1));
}

static int symmetric(struct task c, int fill, blas_int n, blas_int k, const void *a, blas_int lda,
                     bool packed, struct mv v)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (!is_half(fill, n, k, lda, packed))
        return invalid(&c);
    struct blas_view view = half_view(fill, n, k, a, packed ? 0 : lda);
    view.mirrors = 1;
    return mv(&c, n, n, view, &v);
}

#define MV(S, T, type, end, Int)                                                               \
    API int cublas##S##gemv##end(handle h, int trans, Int m, Int n, const T *alpha,            \
                                 const T *a, Int lda, const T *x, Int step_x, const T *beta,   \
                                 T *y, Int step_y)                                             \
    {                                                                                          \
        return gemv((struct task){h, __func__, type}, trans, m, n, a, lda,                     \
                    (struct mv){alpha, x, beta, step_x, y, step_y});                           \
    }                                                                                          \
    API int cublas##S##gbmv##end(handle h, int trans, Int m, Int n, Int below, Int above,      \
                                 const T *alpha, const T *a, Int lda, const T *x, Int step_x,  \
                                 const T *beta, T *y, Int step_y)                              \
    {                                                                                          \
        return gbmv((struct task){h, __func__, type}, trans, m, n, below, above, a, lda,       \
                    (struct mv){alpha, x, beta, step_x, y, step_y});                           \
    }                                                                                          \
    API int cublas##S##symv##end(handle h, int fill, Int n, const T *alpha, const T *a,        \
                                 Int lda, const T *x, Int step_x, const T *beta, T *y,         \
                                 Int step_y)                                                   \
    {                                                                                          \
        return symmetric((struct task){h, __func__, type}, fill, n, DENSE, a, lda, false,      \
                         (struct mv){alpha, x, beta, step_x, y, step_y});                      \
    }                                                                                          \
    API int cublas##S##sbmv##end(handle h, int fill, Int n, Int k, const T *alpha, const T *a, \
                                 Int lda, const T *x, Int step_x, const T *beta, T *y,         \
                                 Int step_y)                                                   \
    {                                                                                          \
        return symmetric((struct task){h, __func__, type}, fill, n, k < 0 ? DENSE - 1 : k, a,  \
                         lda, false, (struct mv){alpha, x, beta, step_x, y, step_y});          \
    }                                                                                          \
    API int cublas##S##spmv##end(handle h, int fill, Int n, const T *alpha, const T *a,        \
                                 const T *x, Int step_x, const T *beta, T *y, Int step_y)      \
    {                                                                                          \
        return symmetric((struct task){h, __func__, type}, fill, n, DENSE, a, 0, true,         \
                         (struct mv){alpha, x, beta, step_x, y, step_y});                      \
    }
FORMS(MV)

/* ---- A += alpha x y' ----------------------------------------------------------------------- */

static int rank(const struct task *c, blas_int m, blas_int n, const void *alpha, const void *x,
                blas_int step_x, const void *y, blas_int step_y, struct blas_view a, int both)
{
    struct blas_scalar s;
    if (step_x == 0 || step_y == 0)
        return invalid(c);
    int status = blas_scalar(c, alpha, &s);
    if (status)
        return status;
    struct blas_vector vx = blas_vector(c, x, m, step_x), vy = blas_vector(c, y, n, step_y);
    void *args[] = {&m, &n, &a, &vx, &vy, &s, &both};
    return blas_launch(c, K_rank, m * n, args);
}

static int ger(struct task c, blas_int m, blas_int n, const void *alpha, const void *x,
               blas_int step_x, const void *y, blas_int step_y, void *a, blas_int lda)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (m < 0 || n < 0 || lda < at_least_1(m))
        return invalid(&c);
    return rank(&c, m, n, alpha, x, step_x, y, step_y, (struct blas_view){.at = a, .ld = lda}, 0);
}

static int update(struct task c, int fill, blas_int n, const void *alpha, const void *x,
                  blas_int step_x, const void *y, blas_int step_y, void *a, blas_int lda,
                  bool packed, int both)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (!is_half(fill, n, DENSE, lda, packed))
        return invalid(&c);
    return rank(&c, n, n, alpha, x, step_x, y, step_y,
                half_view(fill, n, DENSE, a, packed ? 0 : lda), both);
}

#define RANK(S, T, type, end, Int)                                                             \
    API int cublas##S##ger##end(handle h, Int m, Int n, const T *alpha, const T *x,            \
                                Int step_x, const T *y, Int step_y, T *a, Int lda)             \
    {                                                                                          \
        return ger((struct task){h, __func__, type}, m, n, alpha, x, step_x, y, step_y, a,     \
                   lda);                                                                       \
    }                                                                                          \
    API int cublas##S##syr##end(handle h, int fill, Int n, const T *alpha, const T *x,         \
                                Int step, T *a, Int lda)                                       \
    {                                                                                          \
        return update((struct task){h, __func__, type}, fill, n, alpha, x, step, x, step, a,   \
                      lda, false, 0);                                                          \
    }                                                                                          \
    API int cublas##S##syr2##end(handle h, int fill, Int n, const T *alpha, const T *x,        \
                                 Int step_x, const T *y, Int step_y, T *a, Int lda)            \
    {                                                                                          \
        return update((struct task){h, __func__, type}, fill, n, alpha, x, step_x, y, step_y,  \
                      a, lda, false, 1);                                                       \
    }                                                                                          \
    API int cublas##S##spr##end(handle h, int fill, Int n, const T *alpha, const T *x,         \
                                Int step, T *a)                                                \
    {                                                                                          \
        return update((struct task){h, __func__, type}, fill, n, alpha, x, step, x, step, a,   \
                      0, true, 0);                                                             \
    }                                                                                          \
    API int cublas##S##spr2##end(handle h, int fill, Int n, const T *alpha, const T *x,        \
                                 Int step_x, const T *y, Int step_y, T *a)                     \
    {                                                                                          \
        return update((struct task){h, __func__, type}, fill, n, alpha, x, step_x, y, step_y,  \
                      a, 0, true, 1);                                                          \
    }
FORMS(RANK)

/* ---- x = A x, and A x = b, for triangles --------------------------------------------------- */

struct of_half { int fill, trans, diagonal; blas_int n, k, lda; const void *a; bool packed; };

static int triangle(struct task c, enum kernel kernel, const struct of_half *t, void *x,
                    blas_int step)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (!is_operation(t->trans) || !is_half(t->fill, t->n, t->k, t->lda, t->packed) ||
        (t->diagonal != NON_UNIT && t->diagonal != UNIT) || step == 0)
        return invalid(&c);
    struct blas_view a = half_view(t->fill, t->n, t->k, t->a, t->packed ? 0 : t->lda);
    a.transposed = t->trans != OP_N;
    a.unit = t->diagonal == UNIT;
    struct blas_vector v = blas_vector(&c, x, t->n, step);
    struct blas_scalar one = {NULL, 1};
    blas_int rows = t->n, columns = 1, across = 0;
    void *args[] = {&a, &v.at, &rows, &columns, &v.step, &across, &one};
    return rows ? blas_launch(&c, kernel, 1, args) : OK;
}

#define TRIANGLE(S, T, type, end, Int, name, kernel)                                           \
    API int cublas##S##tr##name##end(handle h, int fill, int trans, int diagonal, Int n,       \
                                     const T *a, Int lda, T *x, Int step)                      \
    {                                                                                          \
        return triangle((struct task){h, __func__, type}, kernel,                              \
                        &(struct of_half){fill, trans, diagonal, n, DENSE, lda, a, false}, x, \
                        step);                                                                 \
    }                                                                                          \
    API int cublas##S##tb##name##end(handle h, int fill, int trans, int diagonal, Int n,       \
                                     Int k, const T *a, Int lda, T *x, Int step)               \
    {                                                                                          \
        return triangle((struct task){h, __func__, type}, kernel,                              \
                        &(struct of_half){fill, trans, diagonal, n, k < 0 ? DENSE - 1 : k,    \
                                           lda, a, false}, x, step);                           \
    }                                                                                          \
    API int cublas##S##tp##name##end(handle h, int fill, int trans, int diagonal, Int n,       \
                                     const T *a, T *x, Int step)                               \
    {                                                                                          \
        return triangle((struct task){h, __func__, type}, kernel,                              \
                        &(struct of_half){fill, trans, diagonal, n, DENSE, 0, a, true}, x,    \
                        step);                                                                 \
    }
#define TRIANGLES(S, T, type, end, Int)                                                        \
    TRIANGLE(S, T, type, end, Int, mv, K_multiply) TRIANGLE(S, T, type, end, Int, sv, K_solve)
FORMS(TRIANGLES)
