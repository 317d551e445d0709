/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for machines without the C library's headers, and for NVRTC, which has none. Host code
 * is checked against this and thrown away.
 */
#ifndef CUDALAB_LIBC_TIME_H
#define CUDALAB_LIBC_TIME_H

#include "stddef.h"
#ifndef __CUDACC_RTC__

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1

extern "C" {

typedef long time_t;
typedef long clock_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};

clock_t clock(void);
time_t time(time_t *at);
double difftime(time_t end, time_t start);
int clock_gettime(int which, struct timespec *at);
struct tm *localtime(const time_t *at);
size_t strftime(char *to, size_t size, const char *format, const struct tm *at);
char *ctime(const time_t *at);

} /* extern "C" */
#endif

#endif
