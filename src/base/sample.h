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

#endif
