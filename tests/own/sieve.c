/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    unsigned char *composite = array("composite"), *dice = array("dice");
    int *primes = array("primes"), *hits = array("hits");
    uint32_t *state = array("state");
    composite[0] = composite[1] = 1;
    for (int p = 2; p < 1000; p++) {
        *primes += !composite[p];
        for (int m = 2 * p; m < 1000; m += p)
            composite[m] = 1;
    }
    for (int step = 0; step < 20; step++)
        for (int i = 0; i < 64; i++) {
            state[i] = 1664525u * state[i] + 1013904223u;
            dice[step % 10 * 64 + i] = (unsigned char)((state[i] >> 16) % 6 + 1);
        }
    for (int i = 0; i < 640; i++)
        hits[dice[i] - 1]++;
}
