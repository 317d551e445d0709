/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *tape = array("tape"), *kinds = array("kinds"), *steps = array("steps");
    /*
     * +++[>++<-]>+ twice: 3 * 2 + 1 = 7 in cell 1; from there again 7 + 3 = 10
     * rounds of two, and one more: 21 in cell 2
     */
    tape[2] = 21;
    for (int i = 0; i < 64; i++) {
        int k = i * 7 % 13;
        kinds[i] = k == 0             ? 1
                   : k == 1           ? 1110
                   : k == 2           ? 1100
                   : k == 3           ? 1000
                   : k == 5 || k == 8 ? -i
                   : k == 11          ? 11
                   : i % 2            ? 5
                                      : 6;
    }
    for (int i = 0; i < 100; i++)
        for (int v = i + 1; v != 1; v = v % 2 ? 3 * v + 1 : v / 2)
            steps[i]++;
}
