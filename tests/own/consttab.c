/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    float *x = array("x"), *y = array("y"), *w = array("weights");
    int *r = array("r"), *history = array("history"), *shift = array("shift");
    uint16_t *primes = array("primes");
    uint32_t *counter = array("counter");
    for (int i = 0; i < 60; i++)
        for (int k = 0; k < 5; k++)
            y[i] += w[k] * x[i + k] * x[i + k];
    for (int i = 0; i < 64; i++)
        r[i] = shift[i / 16] + primes[i % 8] + i / 4;
    for (int i = 0; i < 16; i++) {
        history[i] = 48 * i;
        r[i] += 48 * (15 - i);
    }
    *counter = 2064;
}
