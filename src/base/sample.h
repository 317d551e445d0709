/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sample of measured numbers says: its median, its quartiles, and an interval for the median
 * of all that could be measured. The interval assumes no distribution. Its ends are two of the
 * numbers: the median is below the k-th smallest only if fewer than k of all the numbers are below
 * the median, and each of them is with the chance 1/2.
 */
#ifndef BASE_SAMPLE_H
#define BASE_SAMPLE_H

struct sample {
    unsigned count;
    double least, lower, median, upper, most, mean; /* lower, upper: the quartiles */
    double lo, hi;                                  /* the interval for the median */
    double confidence; /* with which it holds; less than was asked for if the sample is small */
};

/* Sorts the numbers. There is at least one. */
void sample_of(double *values, unsigned count, double confidence, struct sample *);

/* The k of the interval from the k-th smallest to the k-th largest number, at least 1, and the
 * confidence of this interval. */
unsigned sample_interval(unsigned count, double confidence, double *actual);

/*
 * How many times as long as `a` is `b`, measured at the same times: a[i] and b[i] belong together.
 * In what one measurement shares with others, such as the place of its arrays, may lie a difference
 * that does not go away however often it is measured. So measurements that share it are a group,
 * and a group has one ratio, of its two medians. Measurement i is in group i / in_a_row % groups.
 */
struct pairs {
    const double *a, *b;
    unsigned count, groups, in_a_row;
};
/* One ratio for each group that has a measurement. Returns their number. `room` is for `count`
 * numbers. */
unsigned sample_ratios(const struct pairs *, double *ratios, double *room);

/* The smallest difference between two of these sorted numbers that are not the same; 0: there is
 * none. */
double sample_step(const double *sorted, unsigned count);

/* By how much of itself the median of the last third is above that of the first third, in the order
 * of the measurement. `room` has space for a third. 0: there are too few. */
double sample_drift(const double *values, unsigned count, double *room);

#endif
