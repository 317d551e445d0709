/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names of constants and limits */
#include <cfloat>
#include <climits>
#include <cstdint>
#include <cstddef>
#include <math.h>
#include <math_constants.h>
#include <stdbool.h>
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stddef.h>
__global__ void each(float *f, double *d, int32_t *i, uint64_t *u, size_t n, std::uint8_t b)
{
    f[0] = FLT_MAX + FLT_MIN + FLT_EPSILON + INFINITY + NAN + CUDART_INF_F + CUDART_PI_F;
    d[0] = DBL_MAX + DBL_EPSILON + M_PI + M_E + M_SQRT2 + CUDART_PI + CUDART_INF + HUGE_VAL;
    i[0] = INT_MAX - CHAR_BIT + INT8_MIN + b + (f == NULL) - UINT8_MAX;
    u[0] = UINT64_MAX + ULLONG_MAX + n + SIZE_MAX;
}
