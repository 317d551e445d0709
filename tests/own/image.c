/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static int inside(int v, int n)
{
    return v < 0 ? 0 : v >= n ? n - 1 : v;
}

void reference(void)
{
    unsigned char *rgb = array("rgb"), *grey = array("grey"), *blurred = array("blurred");
    unsigned char *tinted = array("tinted");
    int16_t *edges = array("edges");
    for (int i = 0; i < 1500; i++) {
        grey[i] =
            (unsigned char)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) / 256);
        /* the tint: r 64, g 0, b -255, add 256 */
        tinted[3 * i] = rgb[3 * i];
        tinted[3 * i + 1] = rgb[3 * i + 1];
        tinted[3 * i + 2] = (unsigned char)((rgb[3 * i + 2] * -255 + 256 + 65536) / 256);
    }
    for (int i = 0; i < 1500; i++) {
        int x = i % 50, y = i / 50, sum = 0, n = 0, s[3][3];
        for (int r = y - 2; r <= y + 2; r++)
            for (int c = x - 2; c <= x + 2; c++)
                if (r == inside(r, 30) && c == inside(c, 50)) {
                    sum += grey[50 * r + c];
                    n++;
                }
        blurred[i] = (unsigned char)(sum / n);
        for (int k = 0; k < 9; k++)
            s[k / 3][k % 3] = grey[50 * inside(y + k / 3 - 1, 30) + inside(x + k % 3 - 1, 50)];
        int across = s[0][2] + 2 * s[1][2] + s[2][2] - s[0][0] - 2 * s[1][0] - s[2][0];
        int down = s[2][0] + 2 * s[2][1] + s[2][2] - s[0][0] - 2 * s[0][1] - s[0][2];
        edges[i] = (int16_t)(abs(across) + abs(down));
    }
}
