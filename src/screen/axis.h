/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An axis of a plot: where a value lies on it, where its ticks are, and how they read. On a
 * logarithmic axis equal steps multiply by 2 or by 10. Terminals and SVG files draw the same axes.
 */
#ifndef SCREEN_AXIS_H
#define SCREEN_AXIS_H

#include "base/num.h"
#include <stdbool.h>

enum axis_scale { AXIS_LINEAR, AXIS_TWOS, AXIS_TENS };

struct plot_axis {
    enum axis_scale scale;
    bool seconds;            /* its values are seconds: 10 us */
    bool any;                /* it has a value */
    double least, greatest;  /* of its values, */
    double from, to;         /* and their places */
    int digits;              /* that tell its values apart; 0: four */
};

enum { TICKS_MOST = 16, TICK_TEXT = 24 };
struct ticks {
    unsigned count;
    struct tick {
        double at; /* its place */
        char text[TICK_TEXT];
    } tick[TICKS_MOST];
};

/* Where the value lies: itself, or its logarithm. Not finite: nowhere. */
double axis_place(const struct plot_axis *, double value);
void axis_widen(struct plot_axis *, double value); /* the axis reaches to the value too */
/* As many digits as its ends need to differ, where they are close together. */
void axis_find_digits(struct plot_axis *);
/* Round values, at most `most` of them; the ends where fewer than two round ones lie between. */
void axis_ticks(const struct plot_axis *, unsigned most, struct ticks *);
/* A value of the axis with its unit, in as many digits as the axis has, or whole. */
const char *axis_value(const struct plot_axis *, double value, char out[TICK_TEXT]);

#endif
