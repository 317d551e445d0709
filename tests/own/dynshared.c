/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *out = array("out"), *big = array("big");
    float *fl = array("fl");
    unsigned char *words = array("words");
    for (int g = 0; g < 64; g++) {
        int t = g % 32, next = (t + 1) % 32, k = 63 - t;
        out[g] = next * next + g / 32;
        fl[g] = k % 2 ? (float)-(k / 2) : (float)(k / 2) * 0.5f;
    }
    big[0] = 16384 / 256 * (255 * 256 / 2);
    big[1] = 0x55;
    big[2] = 16383 ^ 0x55;
    for (int i = 0; i < 40; i++)
        words[i] = (unsigned char)((39 - i) * 7);
}
