/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *data = array("data"), *values = array("values"), *lengths = array("lengths");
    int *runs = array("runs"), *tri = array("tri");
    memcpy(array("unpacked"), data, 800);
    for (int i = 0; i < 200; i++) {
        if (i == 0 || data[i] != data[i - 1])
            values[(*runs)++] = data[i];
        lengths[*runs - 1]++;
    }
    for (int p = 0; p < 64; p++)
        for (int a = p - 1; a > 0; a--) /* the smallest a wins */
            for (int b = a; a + b < p; b++)
                if (a * a + b * b == (p - a - b) * (p - a - b))
                    tri[p] = 1000 * a + b;
}
