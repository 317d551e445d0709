/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *in = array("in"), *out = array("out"), *kept = array("kept"), *found = array("found");
    int64_t *check = array("check");
    for (int i = 0; i < 1024; i++) {
        if (in[i] <= 0)
            continue;
        out[(*kept)++] = in[i];
        ++*found;
        check[0] += in[i];
        check[1] += in[i] * in[i];
    }
}
