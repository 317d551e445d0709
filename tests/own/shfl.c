/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *in = array("in"), *out = array("out"), *data = array("data"), *incl = array("incl");
    double *d = array("d"), *e = array("e");
    for (int t = 0; t < 32; t++) {
        int from[13] = {t > 0 ? t - 1 : t,
                        t % 8 > 2 ? t - 3 : t,
                        t < 27 ? t + 5 : t,
                        t % 4 < 2 ? t + 2 : t,
                        t ^ 21,
                        t ^ 3,
                        t,
                        7,
                        (5 * t + 3) % 32,
                        t / 4 * 4 + 1,
                        31 - t,
                        t < 16 ? t + 16 : t,
                        t < 8       ? t ^ 1
                        : t % 8 < 7 ? t + 1
                                    : t};
        /* a xor mask beyond the width: what lies in an earlier group can be read */
        from[6] = (t ^ 12) > (t | 7) ? t : t ^ 12;
        for (int n = 0; n < 13; n++)
            out[32 * n + t] = in[from[n]];
        if (t >= 8)
            out[32 * 12 + t] = -out[32 * 12 + t];
        e[t] = d[t < 31 ? t + 1 : t];
        e[32 + t] = d[t ^ 16];
        e[64 + t] = d[t ^ 1];
    }
    for (int i = 0, sum = 0; i < 300; i++)
        incl[i] = sum += data[i];
}
