/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    float *a = array("a"), *b = array("b"), *c = array("c");
    int *pairs = array("pairs"), *sums = array("sums");
    unsigned char *pixels = array("pixels"), *bgra = array("bgra");
    double *dots = array("dots");
    for (int i = 0; i < 512; i++)
        c[i] = a[i] + b[i];
    for (int i = 0; i < 100; i++)
        sums[i] = 100 * pairs[2 * i] + pairs[2 * i + 1];
    for (int i = 0; i < 256; i++)
        bgra[i] =
            i % 4 == 3 ? (unsigned char)~pixels[i] : pixels[i % 4 == 1 ? i : i - i % 4 + 2 - i % 4];
    for (int i = 0; i < 32; i++)
        dots[i] = 4.0 * i * i + (2.0 * i + 1) * (2 * i + 1);
    for (int i = 0; i < 4; i++)
        c[i] = a[8 + i] + c[4 + i];
}
