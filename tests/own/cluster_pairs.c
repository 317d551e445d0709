/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    const int *v = array("v");
    int *best = array("best");
    for (int pair = 0; pair < 3; pair++) {
        best[pair] = -100000;
        for (int i = pair; i < 1000; i += 3)
            best[pair] = v[i] > best[pair] ? v[i] : best[pair];
    }
}
