/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Near 0 the area is a series whose terms are all positive. Far out it is a continued fraction,
 * which keeps every digit of a small area. Each is used where it converges fast.
 */
#include "labs/normcdf/normal.h"

#define DENSITY_AT_0 0.39894228040143268 /* 1 / sqrt(2 pi) */

enum { TERMS = 24, FRACTIONS = 200 };

const float normal_coefficient[NORMAL_COEFFICIENTS] = {
    0.2316419f,    0.31938153f,  -0.356563782f, 1.781477937f,
    -1.821255978f, 1.330274429f, 0.39894228f};

/* e^y for -100 <= y <= 0: a power of 2, and a series for what is left. */
static double exponential(double y)
{
    int halvings = (int)(0.5 - y * 1.4426950408889634);
    double left = y + halvings * 0.693147180369123816490 + halvings * 1.90821492927058770002e-10;
    double sum = 1, term = 1;
    for (int k = 1; k < TERMS; k++) {
        term *= left / k;
        sum += term;
    }
    while (halvings-- > 0)
        sum *= 0.5;
    return sum;
}

static double density(double x)
{
    return DENSITY_AT_0 * exponential(-0.5 * x * x);
}

double normal_tail(double x)
{
    x = x < 0 ? -x : x;
    if (x < 3) {
        double sum = x, term = x;
        for (int k = 3; term > 1e-18; k += 2) {
            term *= x * x / k;
            sum += term;
        }
        return 0.5 - density(x) * sum;
    }
    double below = x;
    for (int k = FRACTIONS; k > 0; k--)
        below = x + k / below;
    return density(x) / below;
}

double normal_formula_tail(double x)
{
    const float *c = normal_coefficient;
    x = x < 0 ? -x : x;
    double t = 1 / (1 + c[0] * x), sum = 0;
    for (int k = 5; k >= 1; k--)
        sum = t * sum + c[k];
    return c[6] * exponential(-0.5 * x * x) * t * sum;
}
