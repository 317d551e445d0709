/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    const int *in = array("in");
    int *out = array("out"), *who = array("who");
    for (int i = 0; i < 1024; i++) {
        int in_cluster = i % 512, rank = in_cluster / 128;
        out[i] = in[i / 512 * 512 + 511 - in_cluster];
        who[i] = in_cluster + 1000 * (3 - rank) + 10000 * rank + 100000 * 4 + 1000000 * 2;
    }
}
