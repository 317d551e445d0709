/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/libraries/rand/poisson.h"

#include <math.h>
#include <stdlib.h>

/* The table of the numbers first, first + 1, ... that have a chance above 0. */
struct poisson_table { unsigned first, length; double *height, *chance; unsigned *other; };

static double chance_of(double mean, unsigned n)
{
    return exp(-mean + n * log(mean) - lgamma(n + 1.0));
}

static bool make_room(struct poisson_table *t, double mean)
{
    unsigned end = (unsigned)mean;
    t->first = 0;
    while (chance_of(mean, t->first) == 0 && t->first < end)
        t->first++;
    while (chance_of(mean, end) > 0)
        end++;
    t->length = end - t->first;
    t->height = calloc(t->length, sizeof *t->height);
    t->chance = calloc(t->length, sizeof *t->chance);
    t->other = calloc(t->length, sizeof *t->other);
    return t->height && t->chance && t->other;
}

/* A column that is not full is filled by the highest number that has more than a column holds.
 * That one may have too little then, and is filled later. */
static void fill(struct poisson_table *t, double mean)
{
    const double width = 1.0 / t->length;
    unsigned donors = t->length;
    for (unsigned i = 0; i < t->length; i++) {
        t->chance[i] = chance_of(mean, t->first + i);
        t->height[i] = (i + 1) * width;
        t->other[i] = i;
    }
    for (bool again = true; again;) {
        again = false;
        for (unsigned i = 0; i < t->length; i++) {
            if (t->chance[i] >= width || t->other[i] != i)
                continue;
            while (donors > 0 && t->chance[donors - 1] <= width)
                donors--;
            if (!donors)
                return;
            t->height[i] = i * width + t->chance[i];
            t->other[i] = donors - 1;
            t->chance[donors - 1] -= width - t->chance[i];
            t->chance[i] = width;
            again = true;
        }
    }
}

bool poisson_of(double mean, size_t n, uint32_t *words)
{
    struct poisson_table t;
    const bool made = make_room(&t, mean);
    if (made)
        fill(&t, mean);
    for (size_t i = 0; i < n && made; i++) {
        const double u = words[i] * 0x1p-32 + 0x1p-32;
        const double column = floor(t.length * u);
        const unsigned c = column < t.length ? (unsigned)column : t.length - 1;
        words[i] = t.first + (u < t.height[c] ? c : t.other[c]);
    }
    free(t.height);
    free(t.chance);
    free(t.other);
    return made;
}
