/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sample of measured numbers says: its median, its quartiles, and an interval for the median of
 * all that could be measured. The interval assumes no distribution. Its ends are two of the numbers:
 * the median is below the k-th smallest only if fewer than k of all the numbers are below the median,
 * and each of them is with the chance 1/2.
 */
#ifndef BASE_SAMPLE_H
#define BASE_SAMPLE_H

struct sample {
    unsigned count;
    double least, lower, median, upper, most, mean; /* lower, upper: the quartiles */
    double lo, hi;     /* the interval for the median */
    double confidence; /* with which it holds; less than was asked for if the sample is small */
};

/* Sorts the numbers. There is at least one. */
void sample_of(double *values, unsigned count, double confidence, struct sample *);

/* The k of the interval from the k-th smallest to the k-th largest number, at least 1, and the
 * confidence of this interval. */
unsigned sample_interval(unsigned count, double confidence, double *actual);

/*
 * How many times as long as a[i] is b[i], of pairs that were measured in turn: a b, b a, a b, ... Two
 * pairs give one ratio, of their sums. So it makes no difference which of a pair comes first, and
 * little if both become slower with time. Sorts the ratios. The result is their number, at most
 * count.
 */
unsigned sample_ratios(const double *a, const double *b, unsigned count, double *ratios);

/* The smallest difference between two of these sorted numbers that are not the same; 0: there is
 * none. */
double sample_step(const double *sorted, unsigned count);

/* By how much of itself the median of the last third is above that of the first third, in the order
 * of the measurement. `room` has space for a third. 0: there are too few. */
double sample_drift(const double *values, unsigned count, double *room);

#endif
