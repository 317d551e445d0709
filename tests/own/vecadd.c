/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *a = array("a"), *b = array("b"), *c = array("c");
    for (size_t i = 0; i < count("c"); i++)
        c[i] = a[i] + b[i];
}
