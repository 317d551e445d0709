/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

void reference(void)
{
    int *a = array("a"), *log = array("log");
    qsort(a, 256, 4, ascending);
    log[0] = 128;
    log[1] = a[255] - a[0];
}
