/* SPDX-License-Identifier: GPL-3.0-or-later */
/* each function of floats once, by its own name */
#include <math.h>
__global__ void each(float *p, int *n)
{
    float x = p[0], y = p[1], s, c;
    p[0] = sinf(x) + cosf(x) + tanf(x) + asinf(x) + acosf(x) + atanf(x) + atan2f(x, y) + sinhf(x);
    p[1] = coshf(x) + tanhf(x) + asinhf(x) + acoshf(x) + atanhf(x) + expf(x) + exp2f(x) + exp10f(x);
    p[2] = expm1f(x) + logf(x) + log2f(x) + log10f(x) + log1pf(x) + logbf(x);
    p[2] += powf(x, y) + sqrtf(x);
    p[3] = rsqrtf(x) + cbrtf(x) + rcbrtf(x) + hypotf(x, y) + rhypotf(x, y) + norm3df(x, y, x);
    p[4] = fmodf(x, y) + remainderf(x, y) + fdimf(x, y) + fminf(x, y) + fmaxf(x, y) + fmaf(x, y, x);
    p[5] = floorf(x) + ceilf(x) + truncf(x) + roundf(x) + rintf(x) + nearbyintf(x) + fabsf(x);
    p[6] = erff(x) + erfcf(x) + tgammaf(x) + lgammaf(x) + normcdff(x) + sinpif(x) + cospif(x);
    p[7] = copysignf(x, y) + nextafterf(x, y) + ldexpf(x, n[0]) + scalbnf(x, n[0]) + frexpf(x, n);
    p[8] = modff(x, p + 10) + lroundf(x) + llroundf(x) + lrintf(x) + llrintf(x) + ilogbf(x);
    sincosf(x, &s, &c);
    p[9] = s + c + isnan(x) + isinf(x) + isfinite(x) + signbit(x) + norm4df(x, y, x, y);
    sincospif(x, p + 11, p + 12);
}
