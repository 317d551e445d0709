/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The end of a test build that found a mistake in the program's own tables.
 */
#include "os/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void bug(const char *fmt, ...)
{
#ifdef TEST_BUILD
    va_list ap;
    va_start(ap, fmt);
    fputs("cudalab: mistake in the program: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    abort();
#else
    (void)fmt;
#endif
}
