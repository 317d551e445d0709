/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers that are arrays: how far one is from what plain C gives, and how many elements are
 * wrong.
 */
#include "labkit/ladder.h"

#include <string.h>

/* Of two elements that are the same, also where both are infinite or no number. */
static bool same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

void attempt_array(struct attempt *to, const float *got, const float *expected, size_t n)
{
    double sum = 0;
    to->wrong = 0;
    for (size_t i = 0; i < n; i++) {
        if (same(got[i], expected[i]))
            continue;
        double off = (double)got[i] - (double)expected[i];
        sum += off * off;
        to->wrong++;
    }
    to->value = __builtin_sqrt(sum);
    to->expected = 0;
    to->error = to->value;
    to->right = to->wrong == 0;
}
