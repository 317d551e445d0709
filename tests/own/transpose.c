/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static void turn(const uint32_t *in, uint32_t *out, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            out[x * height + y] = in[y * width + x];
}

void reference(void)
{
    turn(array("in"), array("a"), 64, 32);
    turn(array("in"), array("b"), 64, 32);
    turn(array("ints"), array("c"), 65, 63);
}
