/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *d = array("d"), *e = array("e");
    unsigned char *text = array("text");
    for (int i = 0; i < 64; i++)
        d[i] = 63 - i;
    for (int i = 0; i < 96; i++)
        e[i] = i / 32 * 32 + 31 - i % 32;
    for (int i = 0; i < 26; i++)
        text[i] = (unsigned char)('z' - i);
}
