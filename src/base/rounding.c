/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bound of rounding.h. The hundredth more is for what products of roundings add.
 */
#include "base/rounding.h"

enum sum_verdict sum_verdict(double off, double bound, double magnitude)
{
    if (!(magnitude_of(off) <= bound))
        return SUM_WRONG;
    return magnitude_of(off) <= magnitude / 1000 ? SUM_RIGHT : SUM_ROUNDED_AWAY;
}

const char *sum_verdict_says(enum sum_verdict v)
{
    static const char *const says[] = {
        [SUM_WRONG] = "WRONG", [SUM_RIGHT] = "right", [SUM_ROUNDED_AWAY] = "rounded away"};
    return says[v];
}

double rounding_bound(double chain, double magnitude)
{
    const double rounding = 1.0 / (1 << 24);
    return 1.01 * rounding * chain * magnitude;
}
