/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *next = array("next"), *rank = array("rank"), *sum = array("sum");
    for (int i = 0; i < 64; i++)
        next[i] = i == 21 ? -1 : (5 * i + 7) % 64;
    sum[0] = ((10 * 10 + 5) * 10 + 2) * 10 + 1;
    for (int i = 0; i < 64; i++) {
        sum[1] += i % 3 + 1; /* each node once */
        for (int k = next[i]; k != -1; k = next[k])
            rank[i]++;
    }
}
