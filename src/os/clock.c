/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The monotonic clock, and the one of processor time, in seconds.
 */
#include "os/clock.h"

#include <time.h>

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double clock_cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}
