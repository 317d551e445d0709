/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bound of rounding.h. The hundredth more is for what products of roundings add.
 */
#include "base/rounding.h"

double rounding_bound(double chain, double magnitude)
{
    const double rounding = 1.0 / (1 << 24);
    return 1.01 * rounding * chain * magnitude;
}
