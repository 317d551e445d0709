/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    static const uint32_t want[12] = {3, 1, 7, 1, 9, 2, 2, 0, 6, 0, 8, 1};
    int *id = array("id");
    uint16_t *ranks = array("ranks");
    for (int n = 0; n < 720; n++) {
        int x = n % 10, y = n / 10 % 12, z = n / 120;
        int block = x / 5 + 2 * (y / 4) + 6 * (z / 3), thread = x % 5 + 5 * (y % 4) + 20 * (z % 3);
        id[n] = (block * 60 + thread) * 1000 + z * 100 + y * 10 + x;
    }
    memcpy(array("dims"), want, sizeof want);
    for (int t = 0; t < 256; t++) {
        int start = t / 32 * 32;
        ranks[t] = (uint16_t)((start / 64 * 100 + start / 8 % 8) * 100 + t % 32 + 12);
    }
}
