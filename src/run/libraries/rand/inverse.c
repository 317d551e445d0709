/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/libraries/rand/inverse.h"

#include <math.h>

/* A first guess for y > 0 with erfc(y) = c < 1/2: formula 26.2.23 of Abramowitz and Stegun, whose
 * error is below 0.00045. */
static double guess(double c)
{
    const double t = sqrt(-2 * log(c / 2));
    const double top = 2.515517 + t * (0.802853 + t * 0.010328);
    const double bottom = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    return (t - top / bottom) / sqrt(2);
}

/* The y with erfc(y) = c, for c above 0 and below 3/2. Halley's method triples the right digits.
 * Near c = 1 it is applied to erf, as 1 - c has no error there. */
static double inverse_erfc(double c)
{
    const double half_root_of_pi = 0.88622692545275801365;
    const bool small = c < 0.5;
    double y = small ? guess(c) : (1 - c) * half_root_of_pi;
    for (int i = 0; i < (small ? 2 : 4); i++) {
        const double off = small ? c - erfc(y) : erf(y) - (1 - c);
        const double step = off * half_root_of_pi * exp(y * y);
        y -= step / (1 + y * step);
    }
    return y;
}

/* A point of the upper half is mirrored, so that points near the end lose no digits. */
float inverse_float(const uint32_t *point, bool wide)
{
    const uint32_t x = wide ? point[1] : point[0];
    const bool upper = x > UINT32_C(0x80000000);
    const float p = (float)(upper ? UINT32_MAX - x : x) * 0x1p-32f + 0x1p-33f;
    const float y = (float)inverse_erfc(2.0f * p);
    return (upper ? 1.4142135f : -1.4142135f) * y;
}

double inverse_double(const uint32_t *point, bool wide)
{
    const uint64_t whole = wide ? point[0] | (uint64_t)point[1] << 32 : point[0];
    const uint64_t x = wide ? whole >> 11 : whole;
    const uint64_t most = wide ? (UINT64_C(1) << 53) - 1 : UINT32_MAX;
    const bool upper = x > most / 2 + 1;
    const double unit = wide ? 0x1p-53 : 0x1p-32;
    const double y = inverse_erfc(2 * ((double)(upper ? most - x : x) * unit + unit / 2));
    return (upper ? 1.4142135623730951 : -1.4142135623730951) * y;
}
