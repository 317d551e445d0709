/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static int steps(float cx, float cy)
{
    float x = 0, y = 0;
    int k = 0;
    for (; k < 100 && x * x + y * y <= 4; k++) {
        float next = (x * x - y * y) + cx;
        y = 2 * x * y + cy;
        x = next;
    }
    return k;
}

static int fixed_steps(int cx, int cy)
{
    int x = 0, y = 0, k = 0;
    for (; k < 255; k++) {
        int xx = x * x >> 12, yy = y * y >> 12;
        if (xx + yy > 4 << 12)
            break;
        y = (2 * x * y >> 12) + cy;
        x = xx - yy + cx;
    }
    return k;
}

void reference(void)
{
    int *iter = array("iter");
    uint16_t *fixed = array("fixed");
    unsigned char *shade = array("shade");
    for (int i = 0; i < 1536; i++) {
        int px = i % 48, py = i / 48;
        iter[i] = steps((float)(px - 32) / 16, (float)(py - 16) / 16);
        fixed[i] = (uint16_t)fixed_steps(px * 3 * 4096 / 48 - 8192, py * 2 * 4096 / 32 - 4096);
        shade[i] = iter[i] == 100 ? ' ' : (unsigned char)".:-=+*#%@"[iter[i] % 9];
    }
}
