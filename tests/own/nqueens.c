/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static uint64_t sum;

static void hanoi(int disks, int from, int to)
{
    if (!disks)
        return;
    hanoi(disks - 1, from, 3 - from - to);
    sum = sum * 3 + (uint64_t)(disks * (from + 1));
    hanoi(disks - 1, 3 - from - to, to);
}

void reference(void)
{
    static const int known[9] = {0, 1, 0, 0, 2, 10, 4, 40, 92};
    static const int order[24] = {1234, 1243, 1324, 1342, 1432, 1423, 2134, 2143,
                                  2314, 2341, 2431, 2413, 3214, 3241, 3124, 3142,
                                  3412, 3421, 4231, 4213, 4321, 4312, 4132, 4123};
    uint64_t *moves = array("moves");
    int *acker = array("acker");
    memcpy(array("counts"), known, sizeof known);
    memcpy(array("perms"), order, sizeof order);
    for (int i = 0; i < 12; i++) {
        sum = 0;
        hanoi(i, 0, 2);
        moves[i] = sum << 12 | ((1u << i) - 1);
    }
    for (int n = 0; n < 4; n++) {
        acker[n] = acker[12 + n] = n + 1;
        acker[4 + n] = n + 2;
        acker[8 + n] = 2 * n + 3;
    }
}
