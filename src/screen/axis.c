/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places and ticks; see axis.h. A tick of a logarithmic axis is a whole power, or every second or
 * third where many do not fit. Between two powers of ten stand 2 and 5 as well, if there is room.
 */
#include "screen/axis.h"

#include "base/logarithm.h"

#include <math.h> /* its macros alone */
#include <stdio.h>
#include <string.h>

enum { FEW_DIGITS = 4, MOST_DIGITS = 15 };
#define WHOLE_MOST 1e10 /* from here on a whole number is rounded too */
#define NEARLY     1e-9 /* a power that the logarithm misses by this is still met */

double axis_place(const struct plot_axis *a, double value)
{
    if (a->scale == AXIS_LINEAR || !isfinite(value))
        return value;
    if (!(value > 0))
        return (double)NAN;
    return a->scale == AXIS_TWOS ? power_of_two(value) : power_of_ten(value);
}

void axis_widen(struct plot_axis *a, double value)
{
    const double place = axis_place(a, value);
    if (!isfinite(place))
        return;
    if (!a->any || value < a->least) {
        a->least = value;
        a->from = place;
    }
    if (!a->any || value > a->greatest) {
        a->greatest = value;
        a->to = place;
    }
    a->any = true;
}

const char *axis_value(const struct plot_axis *a, double value, char out[TICK_TEXT])
{
    char seconds[NUM_TEXT];
    if (a->seconds)
        snprintf(out, TICK_TEXT, "%.*s", TICK_TEXT - 1, num_seconds(value, seconds));
    else if (num_whole(value) && value > -WHOLE_MOST && value < WHOLE_MOST)
        snprintf(out, TICK_TEXT, "%.0f", value);
    else
        snprintf(out, TICK_TEXT, "%.*g", a->digits ? a->digits : FEW_DIGITS, value);
    return out;
}

void axis_find_digits(struct plot_axis *a)
{
    const double wide = a->greatest - a->least;
    const double size = a->greatest > -a->least ? a->greatest : -a->least;
    a->digits = FEW_DIGITS;
    for (double part = wide * 10; wide > 0 && part <= size && a->digits < MOST_DIGITS; part *= 10)
        a->digits++;
}

/* ---- ticks ------------------------------------------------------------------------------ */

static int up(double v) /* to a whole number, the way that C's casts don't go */
{
    const int whole = (int)v;
    return whole + (whole < v);
}

static int down(double v)
{
    return -up(-v);
}

/* The k-th of 1, 2, 3, 5, 10, 20, 30, 50, 100: steps that are easily counted. */
static int round_step(unsigned k)
{
    static const int first[] = {1, 2, 3, 5};
    int step = first[k % 4];
    for (; k >= 4; k -= 4)
        step *= 10;
    return step;
}

static double ten_to(int power)
{
    double v = 1;
    for (int i = 0; i < (power < 0 ? -power : power); i++)
        v *= 10;
    return power < 0 ? 1 / v : v;
}

/* digit * 10^power seconds, for powers from -9 on. */
static void say_seconds(int digit, int power, char out[TICK_TEXT])
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    const int unit = power < 0 ? (2 - power) / 3 : 0;
    snprintf(out, TICK_TEXT, "%.0f %s", digit * ten_to(power + 3 * unit), units[unit]);
}

/* digit * 10^power: 1, 20, 5000, 10^6, 2*10^6, or 10 us. */
static void say_tens(const struct plot_axis *a, int digit, int power, char out[TICK_TEXT])
{
    if (a->seconds && power >= -9)
        say_seconds(digit, power, out);
    else if (a->seconds)
        axis_value(a, digit * ten_to(power), out);
    else if (power >= -3 && power <= 3)
        snprintf(out, TICK_TEXT, "%.4g", digit * ten_to(power));
    else if (digit == 1)
        snprintf(out, TICK_TEXT, "10^%d", power);
    else
        snprintf(out, TICK_TEXT, "%d*10^%d", digit, power);
}

static void say_twos(int power, bool small, char out[TICK_TEXT])
{
    if (small)
        snprintf(out, TICK_TEXT, "%d", 1 << power);
    else
        snprintf(out, TICK_TEXT, "2^%d", power);
}

static void whole_powers(const struct plot_axis *a, unsigned most, struct ticks *t)
{
    enum { SMALL = 10 }; /* up to 2^10 a number is said in full */
    const int first = up(a->from - NEARLY), last = down(a->to + NEARLY);
    const bool small = first >= 0 && last <= SMALL;
    int step = 1;
    for (unsigned k = 0; last - first >= (int)most * step; k++)
        step = round_step(k + 1);
    for (int power = first; power <= last; power++) {
        if (power % step != 0 || t->count == TICKS_MOST)
            continue;
        struct tick *tick = &t->tick[t->count++];
        tick->at = power;
        if (a->scale == AXIS_TENS)
            say_tens(a, 1, power, tick->text);
        else
            say_twos(power, small, tick->text);
    }
}

/* 1, 2 and 5 times each power of ten. */
static void parts_of_tens(const struct plot_axis *a, unsigned most, struct ticks *t)
{
    static const int digits[] = {1, 2, 5};
    t->count = 0;
    for (int power = down(a->from - NEARLY); power <= down(a->to + NEARLY); power++)
        for (unsigned k = 0; k < 3; k++) {
            const double at = axis_place(a, digits[k] * ten_to(power));
            if (at < a->from - NEARLY || at > a->to + NEARLY)
                continue;
            if (t->count == most) {
                t->count = 0; /* there is no room for all of them */
                return;
            }
            t->tick[t->count].at = at;
            say_tens(a, digits[k], power, t->tick[t->count++].text);
        }
}

static void linear_ticks(const struct plot_axis *a, unsigned most, struct ticks *t)
{
    const double wide = a->to - a->from;
    double step = 0;
    for (int power = down(power_of_ten(wide)) - 1; step <= 0; power++)
        for (unsigned k = 0; k < 3 && step <= 0; k++) {
            static const int digits[] = {1, 2, 5};
            const double s = digits[k] * ten_to(power);
            step = wide / s < most - 1 ? s : 0;
        }
    double at = step * up(a->from / step - NEARLY);
    for (; at <= a->to + step * NEARLY && t->count < TICKS_MOST; at += step) {
        struct tick *tick = &t->tick[t->count++];
        tick->at = at > -step / 2 && at < step / 2 ? 0 : at;
        axis_value(a, tick->at, tick->text);
    }
}

static bool far_from_int(const struct plot_axis *a) /* a quotient that no int holds */
{
    const double wide = a->to - a->from;
    return !(wide > 0) || a->from / wide > 1e6 || a->from / wide < -1e6;
}

void axis_ticks(const struct plot_axis *a, unsigned most, struct ticks *t)
{
    t->count = 0;
    most = most < 2 ? 2 : most > TICKS_MOST ? TICKS_MOST : most;
    if (a->scale != AXIS_LINEAR)
        whole_powers(a, most, t);
    else if (!far_from_int(a))
        linear_ticks(a, most, t);
    const unsigned powers = t->count;
    if (a->scale == AXIS_TENS && powers < 3)
        parts_of_tens(a, most, t);
    if (t->count < 2 && powers >= 2)
        whole_powers(a, most, t);
    if (t->count >= 2)
        return;
    t->count = a->to > a->from ? 2 : 1;
    t->tick[0].at = a->from;
    axis_value(a, a->least, t->tick[0].text);
    t->tick[1].at = a->to;
    axis_value(a, a->greatest, t->tick[1].text);
}
