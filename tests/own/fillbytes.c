/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    memset(array("bytes"), 200, 100);
    int16_t *shorts = array("shorts");
    for (int i = 0; i < 50; i++)
        shorts[i] = (int16_t)(i - 1234);
    int64_t *wide = array("wide");
    for (int i = 0; i < 20; i++)
        wide[i] = -9000000000000000001 - i;
    double *reals = array("reals");
    for (int i = 0; i < 33; i++)
        reals[i] = 0.1;
    memcpy(array("copy"), array("src"), 64);
    memcpy(array("bits"), array("src"), 64);
    memset(array("flags"), -5, 40);
}
