/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuBLAS, level 3: matrices. All products are one kernel; what a matrix lacks in memory its view
 * says.
 */
#include "run/libraries/blas/handle.h"

#define FORMS(FUNCTION)                                                                        \
    FUNCTION(S, float, F32, _v2, , INT32) FUNCTION(S, float, F32, _v2_64, _64, INT64)          \
    FUNCTION(D, double, F64, _v2, , INT32) FUNCTION(D, double, F64, _v2_64, _64, INT64)

static int invalid(const struct task *c) { return blas_status(c->name, INVALID_VALUE); }
static bool is_operation(int t) { return t >= OP_N && t <= OP_C; }
static bool is_fill(int f) { return f == FILL_LOWER || f == FILL_UPPER; }
static bool is_side(int s) { return s == LEFT || s == RIGHT; }
static unsigned char half_of(int fill) { return fill == FILL_LOWER ? BLAS_LOWER : BLAS_UPPER; }

/* An operand as functions get it. */
struct given { const void *at; blas_int ld; int trans; };

static struct blas_view view_of(struct given g)
{
    return (struct blas_view){g.at, g.ld, .transposed = g.trans != OP_N};
}

/* Has it room for rows by columns, after its transposition? */
static bool fits(struct given g, blas_int rows, blas_int columns)
{
    return is_operation(g.trans) && g.ld >= at_least_1(g.trans == OP_N ? rows : columns);
}

/* ---- products ------------------------------------------------------------------------------ */

static int launch(const struct task *c, struct blas_product *p)
{
    enum { GRID_MOST = 65535 };
    if (!p->m || !p->n || !p->batch)
        return OK;
    const blas_int columns = (p->n + BLAS_TILE_Y - 1) / BLAS_TILE_Y;
    const dim3 grid = {(unsigned)((p->m + BLAS_TILE_X - 1) / BLAS_TILE_X),
                       (unsigned)(columns < GRID_MOST ? columns : GRID_MOST),
                       (unsigned)(p->batch < GRID_MOST ? p->batch : GRID_MOST)};
    void *args[] = {p};
    return blas_launch_on(c, K_gemm, grid, (dim3){BLAS_TILE_X, BLAS_TILE_Y, 1}, args);
}

static int multiply(const struct task *c, struct blas_product *p, const void *alpha,
                    const void *beta)
{
    int status = blas_scalar(c, alpha, &p->alpha);
    if (status || (status = blas_scalar(c, beta, &p->beta)))
        return status;
    return launch(c, p);
}

struct batch { blas_int count, step_a, step_b, step_c; bool pointers; };

static int gemm(struct task c, blas_int m, blas_int n, blas_int k, const void *alpha,
                struct given a, struct given b, const void *beta, void *to, blas_int ldc,
                struct batch batch)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (m < 0 || n < 0 || k < 0 || batch.count < 0 || !fits(a, m, k) || !fits(b, k, n) ||
        ldc < at_least_1(m))
        return invalid(&c);
    struct blas_product p = {.m = m, .n = n, .k = k, .ldc = ldc, .a = view_of(a),
                             .b = view_of(b), .c = to, .batch = batch.count,
                             .step_a = batch.step_a, .step_b = batch.step_b,
                             .step_c = batch.step_c, .pointers = batch.pointers};
    return multiply(&c, &p, alpha, beta);
}

#define GEMM(S, T, type, end, more, Int)                                                       \
    API int cublas##S##gemm##end(handle h, int trans_a, int trans_b, Int m, Int n, Int k,      \
                                 const T *alpha, const T *a, Int lda, const T *b, Int ldb,     \
                                 const T *beta, T *c, Int ldc)                                 \
    {                                                                                          \
        return gemm((struct task){h, __func__, type}, m, n, k, alpha,                          \
                    (struct given){a, lda, trans_a}, (struct given){b, ldb, trans_b}, beta, c, \
                    ldc, (struct batch){.count = 1});                                          \
    }                                                                                          \
    API int cublas##S##gemmBatched##more(handle h, int trans_a, int trans_b, Int m, Int n,     \
                                         Int k, const T *alpha, const T *const a[], Int lda,   \
                                         const T *const b[], Int ldb, const T *beta,           \
                                         T *const c[], Int ldc, Int count)                     \
    {                                                                                          \
        return gemm((struct task){h, __func__, type}, m, n, k, alpha,                          \
                    (struct given){a, lda, trans_a}, (struct given){b, ldb, trans_b}, beta,    \
                    (void *)(uintptr_t)c, ldc,                                                 \
                    (struct batch){.count = count, .pointers = true});                         \
    }                                                                                          \
    API int cublas##S##gemmStridedBatched##more(                                               \
        handle h, int trans_a, int trans_b, Int m, Int n, Int k, const T *alpha, const T *a,   \
        Int lda, long long step_a, const T *b, Int ldb, long long step_b, const T *beta, T *c, \
        Int ldc, long long step_c, Int count)                                                  \
    {                                                                                          \
        return gemm((struct task){h, __func__, type}, m, n, k, alpha,                          \
                    (struct given){a, lda, trans_a}, (struct given){b, ldb, trans_b}, beta, c, \
                    ldc, (struct batch){count, step_a, step_b, step_c, false});                \
    }
FORMS(GEMM)

/* The types of GemmEx() by the numbers that cudaDataType_t has. */
enum { DATA_F32 = 0, DATA_F64 = 1, DATA_F16 = 2 };
enum { COMPUTE_F32 = 68, COMPUTE_F32_PEDANTIC = 69, COMPUTE_F64 = 70, COMPUTE_F64_PEDANTIC = 71 };

/* False: this combination is not served. */
static bool type_of(int a, int b, int c, bool of_doubles, enum type *type)
{
    if (a != b)
        return false;
    *type = of_doubles ? F64 : a == DATA_F32 ? F32 : c == DATA_F16 ? F16 : F16_F32;
    return of_doubles ? a == DATA_F64 && c == DATA_F64
                      : (a == DATA_F32 && c == DATA_F32) ||
                            (a == DATA_F16 && (c == DATA_F16 || c == DATA_F32));
}

static int unserved(const char *name)
{
    cudalab_lacking(name);
    return blas_status(name, NOT_SUPPORTED);
}

#define GEMM_EX(more, Int)                                                                     \
    API int cublasGemmEx##more(handle h, int trans_a, int trans_b, Int m, Int n, Int k,        \
                               const void *alpha, const void *a, int type_a, Int lda,          \
                               const void *b, int type_b, Int ldb, const void *beta, void *c,  \
                               int type_c, Int ldc, int compute, int algorithm)                \
    {                                                                                          \
        enum type type;                                                                        \
        const bool doubles = compute == COMPUTE_F64 || compute == COMPUTE_F64_PEDANTIC;        \
        (void)algorithm;                                                                       \
        if ((!doubles && compute != COMPUTE_F32 && compute != COMPUTE_F32_PEDANTIC) ||         \
            !type_of(type_a, type_b, type_c, doubles, &type))                                  \
            return unserved("cublasGemmEx with these types");                                  \
        return gemm((struct task){h, __func__, type}, m, n, k, alpha,                          \
                    (struct given){a, lda, trans_a}, (struct given){b, ldb, trans_b}, beta, c, \
                    ldc, (struct batch){.count = 1});                                          \
    }                                                                                          \
    API int cublasSgemmEx##more(handle h, int trans_a, int trans_b, Int m, Int n, Int k,       \
                                const float *alpha, const void *a, int type_a, Int lda,        \
                                const void *b, int type_b, Int ldb, const float *beta,         \
                                void *c, int type_c, Int ldc)                                  \
    {                                                                                          \
        enum type type;                                                                        \
        if (!type_of(type_a, type_b, type_c, false, &type))                                    \
            return unserved("cublasSgemmEx with these types");                                 \
        return gemm((struct task){h, __func__, type}, m, n, k, alpha,                          \
                    (struct given){a, lda, trans_a}, (struct given){b, ldb, trans_b}, beta, c, \
                    ldc, (struct batch){.count = 1});                                          \
    }
GEMM_EX(, INT32)
GEMM_EX(_64, INT64)

/* ---- with a symmetric matrix, or for one --------------------------------------------------- */

static int symm(struct task c, int side, int fill, blas_int m, blas_int n, const void *alpha,
                struct given a, struct given b, const void *beta, void *to, blas_int ldc)
{
    int status = blas_check(&c);
    const blas_int order = side == LEFT ? m : n;
    if (status)
        return status;
    if (!is_side(side) || !is_fill(fill) || m < 0 || n < 0 || !fits(a, order, order) ||
        !fits(b, m, n) || ldc < at_least_1(m))
        return invalid(&c);
    struct blas_view s = view_of(a);
    s.half = half_of(fill);
    s.mirrors = 1;
    struct blas_product p = {.m = m, .n = n, .k = order, .ldc = ldc, .c = to, .batch = 1,
                             .a = side == LEFT ? s : view_of(b),
                             .b = side == LEFT ? view_of(b) : s};
    return multiply(&c, &p, alpha, beta);
}

/* C = alpha A B' + beta C, and with `both` alpha B A' is added too. */
static int syrk(struct task c, int fill, blas_int n, blas_int k, const void *alpha,
                struct given a, struct given b, const void *beta, void *to, blas_int ldc,
                bool both)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (!is_fill(fill) || n < 0 || k < 0 || !fits(a, n, k) || !fits(b, n, k) ||
        ldc < at_least_1(n))
        return invalid(&c);
    struct blas_product p = {.m = n, .n = n, .k = k, .ldc = ldc, .a = view_of(a),
                             .b = view_of(b), .c = to, .batch = 1, .half = half_of(fill)};
    p.b.transposed = !p.b.transposed;
    status = multiply(&c, &p, alpha, beta);
    if (status || !both)
        return status;
    p.a = view_of(b);
    p.b = view_of(a);
    p.b.transposed = !p.b.transposed;
    p.beta = (struct blas_scalar){NULL, 1};
    return launch(&c, &p);
}

#define SYMMETRIC(S, T, type, end, more, Int)                                                  \
    API int cublas##S##symm##end(handle h, int side, int fill, Int m, Int n, const T *alpha,   \
                                 const T *a, Int lda, const T *b, Int ldb, const T *beta,      \
                                 T *c, Int ldc)                                                \
    {                                                                                          \
        return symm((struct task){h, __func__, type}, side, fill, m, n, alpha,                 \
                    (struct given){a, lda, OP_N}, (struct given){b, ldb, OP_N}, beta, c, ldc); \
    }                                                                                          \
    API int cublas##S##syrk##end(handle h, int fill, int trans, Int n, Int k, const T *alpha,  \
                                 const T *a, Int lda, const T *beta, T *c, Int ldc)            \
    {                                                                                          \
        const struct given g = {a, lda, trans};                                                \
        return syrk((struct task){h, __func__, type}, fill, n, k, alpha, g, g, beta, c, ldc,   \
                    false);                                                                    \
    }                                                                                          \
    API int cublas##S##syr2k##end(handle h, int fill, int trans, Int n, Int k, const T *alpha, \
                                  const T *a, Int lda, const T *b, Int ldb, const T *beta,     \
                                  T *c, Int ldc)                                               \
    {                                                                                          \
        return syrk((struct task){h, __func__, type}, fill, n, k, alpha,                       \
                    (struct given){a, lda, trans}, (struct given){b, ldb, trans}, beta, c,     \
                    ldc, true);                                                                \
    }                                                                                          \
    API int cublas##S##syrkx##more(handle h, int fill, int trans, Int n, Int k,                \
                                   const T *alpha, const T *a, Int lda, const T *b, Int ldb,   \
                                   const T *beta, T *c, Int ldc)                               \
    {                                                                                          \
        return syrk((struct task){h, __func__, type}, fill, n, k, alpha,                       \
                    (struct given){a, lda, trans}, (struct given){b, ldb, trans}, beta, c,     \
                    ldc, false);                                                               \
    }
FORMS(SYMMETRIC)

/* ---- with a triangle ----------------------------------------------------------------------- */

struct factor { int side, fill, diagonal; blas_int m, n; struct given a; };

static bool is_triangle(const struct factor *t)
{
    const blas_int order = t->side == LEFT ? t->m : t->n;
    return is_side(t->side) && is_fill(t->fill) && t->m >= 0 && t->n >= 0 &&
           (t->diagonal == NON_UNIT || t->diagonal == UNIT) && fits(t->a, order, order);
}

static struct blas_view view_triangle(const struct factor *t)
{
    struct blas_view v = view_of(t->a);
    v.half = half_of(t->fill);
    v.unit = t->diagonal == UNIT;
    return v;
}

/* X, m by n, is replaced. From the right it is the transposed problem. */
static int in_place(const struct task *c, enum kernel kernel, const struct factor *t,
                    const void *alpha, void *x, blas_int ld)
{
    struct blas_view a = view_triangle(t);
    struct blas_scalar s;
    blas_int rows = t->m, columns = t->n, down = 1, across = ld;
    int status = blas_scalar(c, alpha, &s);
    if (status)
        return status;
    if (t->side == RIGHT) {
        a.transposed = !a.transposed;
        rows = t->n, columns = t->m, down = ld, across = 1;
    }
    void *args[] = {&a, &x, &rows, &columns, &down, &across, &s};
    return rows ? blas_launch(c, kernel, columns, args) : OK;
}

static int trsm(struct task c, const struct factor *t, const void *alpha, void *b, blas_int ldb)
{
    int status = blas_check(&c);
    if (status)
        return status;
    return is_triangle(t) && ldb >= at_least_1(t->m) ? in_place(&c, K_solve, t, alpha, b, ldb)
                                                    : invalid(&c);
}

static int trmm(struct task c, const struct factor *t, const void *alpha, const void *b,
                blas_int ldb, void *to, blas_int ldc)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (!is_triangle(t) || ldb < at_least_1(t->m) || ldc < at_least_1(t->m))
        return invalid(&c);
    if (b == to)
        return ldb == ldc ? in_place(&c, K_multiply, t, alpha, to, ldb) : invalid(&c);
    const struct blas_view plain = view_of((struct given){b, ldb, OP_N});
    struct blas_product p = {.m = t->m, .n = t->n, .k = t->side == LEFT ? t->m : t->n, .ldc = ldc,
                             .a = t->side == LEFT ? view_triangle(t) : plain,
                             .b = t->side == LEFT ? plain : view_triangle(t), .c = to,
                             .batch = 1};
    status = blas_scalar(&c, alpha, &p.alpha);
    return status ? status : launch(&c, &p); /* beta is 0 */
}

#define TRIANGLES(S, T, type, end, more, Int)                                                  \
    API int cublas##S##trsm##end(handle h, int side, int fill, int trans, int diagonal, Int m, \
                                 Int n, const T *alpha, const T *a, Int lda, T *b, Int ldb)    \
    {                                                                                          \
        return trsm((struct task){h, __func__, type},                                          \
                    &(struct factor){side, fill, diagonal, m, n, {a, lda, trans}}, alpha, b, \
                    ldb);                                                                      \
    }                                                                                          \
    API int cublas##S##trmm##end(handle h, int side, int fill, int trans, int diagonal, Int m, \
                                 Int n, const T *alpha, const T *a, Int lda, const T *b,       \
                                 Int ldb, T *c, Int ldc)                                       \
    {                                                                                          \
        return trmm((struct task){h, __func__, type},                                          \
                    &(struct factor){side, fill, diagonal, m, n, {a, lda, trans}}, alpha, b, \
                    ldb, c, ldc);                                                              \
    }
FORMS(TRIANGLES)

/* ---- sums, and products with a diagonal ---------------------------------------------------- */

static int geam(struct task c, blas_int m, blas_int n, const void *alpha, struct given a,
                const void *beta, struct given b, void *to, blas_int ldc)
{
    struct blas_scalar x, y;
    int status = blas_check(&c);
    if (status)
        return status;
    if (m < 0 || n < 0 || !fits(a, m, n) || !fits(b, m, n) || ldc < at_least_1(m) ||
        (to == a.at && (a.trans != OP_N || a.ld != ldc)) ||
        (to == b.at && (b.trans != OP_N || b.ld != ldc)))
        return invalid(&c);
    if ((status = blas_scalar(&c, alpha, &x)) || (status = blas_scalar(&c, beta, &y)))
        return status;
    struct blas_view va = view_of(a), vb = view_of(b);
    void *args[] = {&m, &n, &va, &vb, &to, &ldc, &x, &y};
    return blas_launch(&c, K_geam, m * n, args);
}

static int dgmm(struct task c, int side, blas_int m, blas_int n, const void *a, blas_int lda,
                const void *x, blas_int step, void *to, blas_int ldc)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (!is_side(side) || m < 0 || n < 0 || lda < at_least_1(m) || ldc < at_least_1(m))
        return invalid(&c);
    int rows = side == LEFT;
    struct blas_vector v = blas_vector(&c, x, rows ? m : n, step);
    void *args[] = {&m, &n, &a, &lda, &v, &to, &ldc, &rows};
    return blas_launch(&c, K_dgmm, m * n, args);
}

#define OTHERS(S, T, type, end, more, Int)                                                     \
    API int cublas##S##geam##more(handle h, int trans_a, int trans_b, Int m, Int n,            \
                                  const T *alpha, const T *a, Int lda, const T *beta,          \
                                  const T *b, Int ldb, T *c, Int ldc)                          \
    {                                                                                          \
        return geam((struct task){h, __func__, type}, m, n, alpha,                             \
                    (struct given){a, lda, trans_a}, beta, (struct given){b, ldb, trans_b}, c, \
                    ldc);                                                                      \
    }                                                                                          \
    API int cublas##S##dgmm##more(handle h, int side, Int m, Int n, const T *a, Int lda,       \
                                  const T *x, Int step, T *c, Int ldc)                         \
    { return dgmm((struct task){h, __func__, type}, side, m, n, a, lda, x, step, c, ldc); }
FORMS(OTHERS)
