/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    float *x = array("x"), *best = array("best");
    double *dsum = array("dsum");
    uint64_t *prod = array("prod");
    uint32_t *sat = array("sat");
    unsigned char *bytes = array("bytes");
    for (int i = 0; i < 500; i++) {
        best[0] = x[i] > best[0] ? x[i] : best[0];
        best[1] = -x[i] > best[1] ? -x[i] : best[1];
    }
    *dsum = 299 * 300 / 4.0;
    for (uint64_t i = 0; i < 50; i++)
        *prod *= 2 * i + 1;
    for (uint32_t i = 0; i < 8; i++) {
        sat[i] = 64 * 5 * i < 1000 ? 64 * 5 * i : 1000;
        bytes[i] = (unsigned char)(16 * (i + 1));
    }
}
