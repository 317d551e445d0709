/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    static const float want[8] = {5, -2, 1.5f, 3, 255, 24, 16, 3};
    float *aos = array("aos"), *px = array("px");
    for (float *p = aos; p < aos + 256; p += 4) {
        p[0] += 0.5f * p[3];
        p[1] += 2 * p[3];
        p[2] -= 4 * p[3];
    }
    for (int i = 0; i < 64; i++)
        px[i] += 0.125f;
    memcpy(array("out"), want, sizeof want);
}
