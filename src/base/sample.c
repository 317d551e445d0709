/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The chances of a binomial distribution with 1/2 are built up from its middle, where they are
 * largest. So none is lost to a number that is too small to be written, however large the sample
 * is.
 */
#include "base/sample.h"

#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between two neighbours in the row, where the place is between them. */
static double at_part(const double *sorted, unsigned count, double part)
{
    const double place = part * (count - 1);
    const unsigned i = (unsigned)place;
    return i + 1 < count ? sorted[i] + (place - i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

/* All chances together, in units of the middle one. */
static double sum_of_chances(unsigned count)
{
    const unsigned middle = count / 2;
    double chance = 1, sum = 1;
    for (unsigned j = middle; j > 0; j--)
        sum += chance *= (double)j / (count - j + 1);
    chance = 1;
    for (unsigned j = middle; j < count; j++)
        sum += chance *= (double)(count - j) / (j + 1);
    return sum;
}

unsigned sample_interval(unsigned count, double confidence, double *actual)
{
    const double sum = sum_of_chances(count);
    double chance = 1, inside = 0; /* of the numbers below the median: from k to count - k */
    unsigned k = count / 2;
    inside = chance * (count % 2 ? 2 : 1);
    while (k > 1 && inside / sum < confidence) {
        chance *= (double)k / (count - k + 1);
        inside += 2 * chance;
        k--;
    }
    if (k == 0) { /* a single number */
        *actual = 0;
        return 1;
    }
    *actual = inside / sum;
    return k;
}

void sample_of(double *values, unsigned count, double confidence, struct sample *s)
{
    double sum = 0;
    qsort(values, count, sizeof *values, by_size);
    for (unsigned i = 0; i < count; i++)
        sum += values[i];
    const unsigned k = sample_interval(count, confidence, &s->confidence);
    s->count = count;
    s->least = values[0];
    s->lower = at_part(values, count, 0.25);
    s->median = at_part(values, count, 0.5);
    s->upper = at_part(values, count, 0.75);
    s->most = values[count - 1];
    s->mean = sum / count;
    s->lo = values[k - 1];
    s->hi = values[count - k];
}

static double median_of_group(const struct pairs *p, const double *values, unsigned group,
                              double *room)
{
    unsigned n = 0;
    for (unsigned i = group * p->in_a_row; i < p->count; i += p->groups * p->in_a_row)
        for (unsigned k = i; k < i + p->in_a_row && k < p->count; k++)
            room[n++] = values[k];
    qsort(room, n, sizeof *room, by_size);
    return at_part(room, n, 0.5);
}

unsigned sample_ratios(const struct pairs *p, double *ratios, double *room)
{
    unsigned n = 0;
    for (unsigned g = 0; g < p->groups && g * p->in_a_row < p->count; g++) {
        const double a = median_of_group(p, p->a, g, room);
        const double b = median_of_group(p, p->b, g, room);
        ratios[n++] = a > 0 ? b / a : 1;
    }
    return n;
}

double sample_step(const double *sorted, unsigned count)
{
    double step = 0;
    for (unsigned i = 1; i < count; i++) {
        const double gap = sorted[i] - sorted[i - 1];
        step = gap > 0 && (step <= 0 || gap < step) ? gap : step;
    }
    return step;
}

static double median_of(const double *values, unsigned count, double *room)
{
    memcpy(room, values, count * sizeof *values);
    qsort(room, count, sizeof *room, by_size);
    return at_part(room, count, 0.5);
}

double sample_drift(const double *values, unsigned count, double *room)
{
    enum { ENOUGH = 9 };
    const unsigned third = count / 3;
    if (count < ENOUGH)
        return 0;
    const double first = median_of(values, third, room);
    const double last = median_of(values + count - third, third, room);
    return first > 0 ? last / first - 1 : 0;
}
