/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuBLAS, level 1: vectors. Each function is there for float and double, and for numbers of
 * elements of 32 and of 64 bits.
 */
#include "run/libraries/blas/handle.h"

#include <math.h>

#define FORMS(FUNCTION)                                                                        \
    FUNCTION(S, s, float, F32, _v2, INT32) FUNCTION(S, s, float, F32, _v2_64, INT64)           \
    FUNCTION(D, d, double, F64, _v2, INT32) FUNCTION(D, d, double, F64, _v2_64, INT64)

/* ---- one kernel for each element ----------------------------------------------------------- */

static int each(struct task c, enum kernel k, blas_int n, const void *alpha, const void *x,
                blas_int step_x, void *y, blas_int step_y)
{
    struct blas_scalar a = {NULL, 1};
    int status = blas_check(&c);
    if (status || (alpha && (status = blas_scalar(&c, alpha, &a))))
        return status;
    struct blas_vector vx = blas_vector(&c, x, n, step_x), vy = blas_vector(&c, y, n, step_y);
    void *args[] = {&n, &a, &vx, &vy};
    return blas_launch(&c, k, n, args);
}

static int scale(struct task c, blas_int n, const void *alpha, void *x, blas_int step)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (!alpha)
        return blas_status(c.name, INVALID_VALUE);
    return step > 0 ? each(c, K_scal, n, alpha, x, step, NULL, 0) : OK;
}

#define EACH(S, s, T, type, end, Int)                                                          \
    API int cublas##S##axpy##end(handle h, Int n, const T *alpha, const T *x, Int step_x,      \
                                 T *y, Int step_y)                                             \
    {                                                                                          \
        struct task c = {h, __func__, type};                                                   \
        int status = blas_check(&c);                                                           \
        if (!status && !alpha)                                                                 \
            status = blas_status(c.name, INVALID_VALUE);                                       \
        return status ? status : each(c, K_axpy, n, alpha, x, step_x, y, step_y);              \
    }                                                                                          \
    API int cublas##S##scal##end(handle h, Int n, const T *alpha, T *x, Int step)              \
    { return scale((struct task){h, __func__, type}, n, alpha, x, step); }                     \
    API int cublas##S##copy##end(handle h, Int n, const T *x, Int step_x, T *y, Int step_y)    \
    { return each((struct task){h, __func__, type}, K_copy, n, NULL, x, step_x, y, step_y); }  \
    API int cublas##S##swap##end(handle h, Int n, T *x, Int step_x, T *y, Int step_y)          \
    { return each((struct task){h, __func__, type}, K_swap, n, NULL, x, step_x, y, step_y); }
FORMS(EACH)

/* ---- one number ---------------------------------------------------------------------------- */

/* What BLAS gives for no elements, or steps that make no sense, is 0. */
static int reduce(struct task c, int kind, blas_int n, const void *x, blas_int step_x,
                  const void *y, blas_int step_y, void *result, size_t bytes)
{
    int status = blas_check(&c);
    if (status)
        return status;
    if (kind != BLAS_DOT && step_x <= 0)
        n = 0;
    return blas_reduce(&c, kind, n > 0 ? n : 0, blas_vector(&c, x, n, step_x),
                       blas_vector(&c, y, n, step_y), result, bytes);
}

#define REDUCE(S, s, T, type, end, Int)                                                        \
    API int cublas##S##asum##end(handle h, Int n, const T *x, Int step, T *result)             \
    {                                                                                          \
        return reduce((struct task){h, __func__, type}, BLAS_ASUM, n, x, step, NULL, 0,        \
                      result, sizeof(T));                                                      \
    }                                                                                          \
    API int cublas##S##nrm2##end(handle h, Int n, const T *x, Int step, T *result)             \
    {                                                                                          \
        return reduce((struct task){h, __func__, type}, BLAS_NRM2, n, x, step, NULL, 0,        \
                      result, sizeof(T));                                                      \
    }                                                                                          \
    API int cublas##S##dot##end(handle h, Int n, const T *x, Int step_x, const T *y,           \
                                Int step_y, T *result)                                         \
    {                                                                                          \
        return reduce((struct task){h, __func__, type}, BLAS_DOT, n, x, step_x, y, step_y,     \
                      result, sizeof(T));                                                      \
    }                                                                                          \
    API int cublasI##s##amax##end(handle h, Int n, const T *x, Int step, Int *result)          \
    {                                                                                          \
        return reduce((struct task){h, __func__, type}, BLAS_IAMAX, n, x, step, NULL, 0,       \
                      result, sizeof(Int));                                                    \
    }                                                                                          \
    API int cublasI##s##amin##end(handle h, Int n, const T *x, Int step, Int *result)          \
    {                                                                                          \
        return reduce((struct task){h, __func__, type}, BLAS_IAMIN, n, x, step, NULL, 0,       \
                      result, sizeof(Int));                                                    \
    }
FORMS(REDUCE)

/* ---- rotations ----------------------------------------------------------------------------- */

static int rotate(struct task c, blas_int n, void *x, blas_int step_x, void *y, blas_int step_y,
                  const void *cosine, const void *sine)
{
    struct blas_scalar cs, sn;
    int status = blas_check(&c);
    if (status || (status = blas_scalar(&c, cosine, &cs)) || (status = blas_scalar(&c, sine, &sn)))
        return status;
    struct blas_vector vx = blas_vector(&c, x, n, step_x), vy = blas_vector(&c, y, n, step_y);
    void *args[] = {&n, &vx, &vy, &cs, &sn};
    return blas_launch(&c, K_rot, n, args);
}

static int rotate_modified(struct task c, blas_int n, void *x, blas_int step_x, void *y,
                           blas_int step_y, const void *param)
{
    struct { struct blas_scalar p[5]; } five;
    int status = blas_check(&c);
    for (int i = 0; i < 5 && !status; i++) {
        const char *at = param;
        status = blas_scalar(&c, at ? at + (size_t)i * bytes_of(c.type) : NULL, &five.p[i]);
    }
    if (status)
        return status;
    struct blas_vector vx = blas_vector(&c, x, n, step_x), vy = blas_vector(&c, y, n, step_y);
    void *args[] = {&n, &vx, &vy, &five};
    return blas_launch(&c, K_rotm, n, args);
}

/* The rotation that turns (a, b) into (r, 0). r takes the place of a, and b gets a number of which
 * both sine and cosine can be found again. */
static void make_rotation(double *a, double *b, double *c, double *s)
{
    const double size_a = fabs(*a), size_b = fabs(*b), unit = size_a + size_b;
    if (unit == 0) {
        *c = 1;
        *s = *a = *b = 0;
        return;
    }
    double r = unit * sqrt(*a / unit * (*a / unit) + *b / unit * (*b / unit));
    r = (size_a > size_b ? *a : *b) < 0 ? -r : r;
    *c = *a / r;
    *s = *b / r;
    *b = size_a > size_b ? *s : *c != 0 ? 1 / *c : 1;
    *a = r;
}

/* What the modified rotation keeps while it is made: D is scaled so that it stays in range. */
struct modified { double flag, h11, h21, h12, h22; };

/* A flag of -1 says that all four numbers are meant; the others have a 1 in two places. */
static void make_all(struct modified *m)
{
    if (m->flag == 0)
        m->h11 = m->h22 = 1;
    else if (m->flag == 1) {
        m->h21 = -1;
        m->h12 = 1;
    }
    m->flag = -1;
}

static void keep_in_range(struct modified *m, double *d1, double *d2, double *x1)
{
    const double step = 4096, most = step * step, least = 1 / most;
    while (*d1 != 0 && (*d1 <= least || *d1 >= most)) {
        const double by = *d1 <= least ? step : 1 / step;
        make_all(m);
        *d1 *= by * by;
        *x1 /= by;
        m->h11 /= by;
        m->h12 /= by;
    }
    while (*d2 != 0 && (fabs(*d2) <= least || fabs(*d2) >= most)) {
        const double by = fabs(*d2) <= least ? step : 1 / step;
        make_all(m);
        *d2 *= by * by;
        m->h21 /= by;
        m->h22 /= by;
    }
}

static void make_modified(double *d1, double *d2, double *x1, double y1, struct modified *m)
{
    const double p2 = *d2 * y1, p1 = *d1 * *x1, q2 = p2 * y1, q1 = p1 * *x1;
    *m = (struct modified){.flag = -1};
    if (*d1 >= 0 && p2 == 0) {
        m->flag = -2; /* nothing is to be turned */
        return;
    }
    if (*d1 >= 0 && fabs(q1) > fabs(q2)) {
        m->h21 = -y1 / *x1;
        m->h12 = p2 / p1;
        const double u = 1 - m->h12 * m->h21;
        if (u > 0) {
            m->flag = 0;
            *d1 /= u;
            *d2 /= u;
            *x1 *= u;
        }
    } else if (*d1 >= 0 && q2 >= 0) {
        m->flag = 1;
        m->h11 = p1 / p2;
        m->h22 = *x1 / y1;
        const double u = 1 + m->h11 * m->h22, was = *d2 / u;
        *d2 = *d1 / u;
        *d1 = was;
        *x1 = y1 * u;
    }
    if (m->flag == -1) {
        *m = (struct modified){.flag = -1};
        *d1 = *d2 = *x1 = 0;
        return;
    }
    keep_in_range(m, d1, d2, x1);
}

/* The numbers of rotg() and rotmg() lie where the pointer mode says. They are computed here. */
static int number_in(const struct task *c, const void *at, double *out)
{
    union { float f; double d; } u = {0};
    if (!at)
        return blas_status(c->name, INVALID_VALUE);
    int status = OK;
    if (blas_on_device(c))
        status = blas_fetch(c, &u, at, bytes_of(c->type));
    else if (c->type == F64)
        u.d = *(const double *)at;
    else
        u.f = *(const float *)at;
    *out = c->type == F64 ? u.d : (double)u.f;
    return status;
}

static int number_out(const struct task *c, void *at, double value)
{
    union { float f; double d; } u = {0};
    if (!at)
        return blas_status(c->name, INVALID_VALUE);
    if (c->type == F64)
        u.d = value;
    else
        u.f = (float)value;
    if (blas_on_device(c))
        return blas_store(c, at, &u, bytes_of(c->type));
    if (c->type == F64)
        *(double *)at = u.d;
    else
        *(float *)at = u.f;
    return OK;
}

static int rotg(struct task c, void *const at[4])
{
    double n[4] = {0};
    int status = blas_check(&c);
    for (int i = 0; i < 2 && !status; i++)
        status = number_in(&c, at[i], &n[i]);
    if (!status)
        make_rotation(&n[0], &n[1], &n[2], &n[3]);
    for (int i = 0; i < 4 && !status; i++)
        status = number_out(&c, at[i], n[i]);
    return status;
}

static int rotmg(struct task c, void *const at[3], const void *y1, void *param)
{
    double n[4] = {0};
    struct modified m;
    int status = blas_check(&c);
    if (!status && !param)
        status = blas_status(c.name, INVALID_VALUE);
    for (int i = 0; i < 4 && !status; i++)
        status = number_in(&c, i < 3 ? at[i] : y1, &n[i]);
    if (status)
        return status;
    make_modified(&n[0], &n[1], &n[2], n[3], &m);
    for (int i = 0; i < 3 && !status; i++)
        status = number_out(&c, at[i], n[i]);
    const double out[] = {m.flag, m.h11, m.h21, m.h12, m.h22};
    for (int i = 0; i < 5 && !status; i++) {
        const bool meant = i == 0 || m.flag == -1 || (m.flag == 0 && (i == 2 || i == 3)) ||
                           (m.flag == 1 && (i == 1 || i == 4));
        if (meant)
            status = number_out(&c, (char *)param + (size_t)i * bytes_of(c.type), out[i]);
    }
    return status;
}

#define ROTATE(S, s, T, type, end, Int)                                                        \
    API int cublas##S##rot##end(handle h, Int n, T *x, Int step_x, T *y, Int step_y,           \
                                const T *cosine, const T *sine)                                \
    {                                                                                          \
        return rotate((struct task){h, __func__, type}, n, x, step_x, y, step_y, cosine,       \
                      sine);                                                                   \
    }                                                                                          \
    API int cublas##S##rotm##end(handle h, Int n, T *x, Int step_x, T *y, Int step_y,          \
                                 const T *param)                                               \
    { return rotate_modified((struct task){h, __func__, type}, n, x, step_x, y, step_y, param); }
FORMS(ROTATE)

#define MAKE(S, T, type)                                                                       \
    API int cublas##S##rotg_v2(handle h, T *a, T *b, T *c, T *s)                               \
    { return rotg((struct task){h, __func__, type}, (void *const[]){a, b, c, s}); }            \
    API int cublas##S##rotmg_v2(handle h, T *d1, T *d2, T *x1, const T *y1, T *param)          \
    { return rotmg((struct task){h, __func__, type}, (void *const[]){d1, d2, x1}, y1, param); }
MAKE(S, float, F32)
MAKE(D, double, F64)
