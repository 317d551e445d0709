/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *data = array("data");
    unsigned char *digits = array("digits");
    uint32_t *numbers = array("numbers");
    float *median = array("median"), *samples = array("samples");
    for (int row = 0; row < 64; row++)
        for (int i = 0; i < 16; i++)
            for (int k = 0; k < 15; k++) {
                int *p = data + row * 16 + k;
                if (p[0] > p[1]) {
                    int t = p[0];
                    p[0] = p[1];
                    p[1] = t;
                }
            }
    for (int t = 0; t < 32; t++) {
        char text[32];
        sprintf(text, "%20u", (unsigned)numbers[t] >> t);
        memcpy(digits + 20 * t, text, 20);
        for (int i = 0; i < 9; i++) {
            int less = 0;
            for (int k = 0; k < 9; k++)
                less += samples[9 * t + k] < samples[9 * t + i];
            if (less == 4)
                median[t] = samples[9 * t + i];
        }
    }
}
