/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *a = array("sorted"), *keys = array("keys"), *where = array("where"),
        *lower = array("lower");
    for (int i = 0; i < 1000; i++)
        a[i] = 3 * i + i % 3;
    for (int k = 0; k < 300; k++) {
        where[k] = -1;
        for (int i = 0; i < 1000; i++) {
            if (a[i] == keys[k])
                where[k] = i;
            lower[k] += a[i] < keys[k];
        }
    }
}
