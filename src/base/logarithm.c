/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A logarithm by halving and a series: x is 2^n (1 + z) / (1 - z), and the logarithm of the
 * quotient is 2 (z + z^3 / 3 + z^5 / 5 + ...).
 */
#include "base/logarithm.h"

#define LN_2  0.69314718055994531
#define LN_10 2.3025850929940457

enum { TERMS = 40 }; /* z is at most 1 / 3 */

static double natural(double x, double *twos)
{
    *twos = 0;
    for (; x >= 2; x /= 2)
        ++*twos;
    for (; x < 1; x *= 2)
        --*twos;
    const double z = (x - 1) / (x + 1);
    double power = z, sum = 0;
    for (int k = 1; k < TERMS; k += 2, power *= z * z)
        sum += 2 * power / k;
    return sum;
}

double power_of_two(double x)
{
    double twos, rest = natural(x, &twos);
    return twos + rest / LN_2;
}

double power_of_ten(double x)
{
    double twos, rest = natural(x, &twos);
    return (twos * LN_2 + rest) / LN_10;
}
