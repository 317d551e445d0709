/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *x = array("x"), *y = array("y"), *r = array("r"), *s = array("s");
    unsigned char *which = array("which");
    float *t = array("t");
    for (int i = 0; i < 64; i++) {
        int all[4] = {x[i] + y[i], x[i] - y[i], x[i] * y[i], x[i] % y[i]};
        r[i] = all[which[i]];
        s[i] = 1;
        for (int k = 0; k < i; k++)
            s[i] += i % 2 ? x[k] : -x[k];
        double b = i / 2; /* exact: area plus the rule's error for a square */
        t[i] = (float)(i % 2 ? b * b * b / 3 + b * b * b / 6 / 256 : b * b + b);
    }
}
