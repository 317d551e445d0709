/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    int *checks = array("checks");
    for (int i = 0; i < 4; i++)
        checks[i] = 1;
}
