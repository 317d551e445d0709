/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *in = array("in"), *sum = array("sum"), *big = array("big"), *small = array("small");
    float *all = array("all");
    for (int i = 0; i < 2100; i++)
        *sum += in[i];
    for (int b = 0; b < 5; b++) {
        big[b] = small[b] = in[b * 128];
        for (int i = b * 128; i < b * 128 + 128; i++) {
            if (in[i] > big[b])
                big[b] = in[i];
            if (in[i] < small[b])
                small[b] = in[i];
        }
    }
    for (int i = 0; i < 64; i++) /* 0..31 and 32..63 */
        all[i] = i < 32 ? 496 : 1520;
}
