/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"
#include <math.h>

void reference(void)
{
    float *a = array("a"), *b = array("b"), *partial = array("partial"), *norm = array("norm");
    float *pts = array("pts"), *unit = array("unit");
    double squares = 0;
    for (int i = 0; i < 1000; i++) {
        partial[i / 256] += a[i] * b[i];
        squares += (double)b[i] * b[i];
    }
    norm[0] = (float)sqrt(squares);
    norm[1] = (float)(1 / sqrt(squares));
    norm[2] = 600;
    for (int i = 0; i < 192; i += 3) {
        double x = pts[i], y = pts[i + 1], z = pts[i + 2], len = sqrt(x * x + y * y + z * z);
        unit[i] = (float)(x / len);
        unit[i + 1] = (float)(y / len);
        unit[i + 2] = (float)(z / len);
    }
}
