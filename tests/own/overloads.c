/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    static const int picked[10] = {1, 2, 3, 4, 5, 6, 1, 2, 3, 4};
    int *i = array("i"), *r = array("r");
    float *f = array("f");
    for (int k = 0; k < 10; k++) {
        i[k] = 2 * k + 1;
        f[k] = (float)k / 2 - 1;
        r[k] = k + 40;
        r[10 + k] = picked[k];
        r[20 + k] = 240 - k;
        r[30 + k] = k < 9 ? 9 - k : 0;
    }
}
