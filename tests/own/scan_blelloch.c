/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *data = array("data"), *blocks = array("blocks"), sum = 0;
    for (int i = 0; i < 2048; i++) {
        int old = data[i];
        if (i % 512 == 0)
            blocks[i / 512] = sum;
        data[i] = sum;
        sum += old;
    }
}
