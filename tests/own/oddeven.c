/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int16_t *a = array("a");
    float *b = array("b");
    int *phases = array("phases");
    for (int i = 0; i < 101; i++)
        for (int k = 0; k < 100; k++)
            if (a[k] > a[k + 1]) {
                int16_t t = a[k];
                a[k] = a[k + 1];
                a[k + 1] = t;
            }
    for (int quiet = 0; quiet < 2; ++*phases) {
        quiet++;
        for (int k = *phases % 2; k < 63; k += 2)
            if (b[k] > b[k + 1]) {
                float t = b[k];
                b[k] = b[k + 1];
                b[k + 1] = t;
                quiet = 0;
            }
    }
}
