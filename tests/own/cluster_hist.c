/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    const int *data = array("data");
    int *bins = array("bins");
    for (int i = 0; i < 5000; i++)
        bins[data[i]]++;
}
