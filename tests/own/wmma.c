/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    static const char *const floats[] = {"halves", "short_sums"};
    int *a = array("a"), *b = array("b"), *bytes = array("bytes");
    for (int i = 0; i < 32 * 32; i++) {
        int sum = 0;
        for (int k = 0; k < 32; k++)
            sum += a[i / 32 * 32 + k] * b[k * 32 + i % 32];
        bytes[i] = sum;
        for (int k = 0; k < 2; k++)
            ((float *)array(floats[k]))[i] = (float)sum;
    }
}
