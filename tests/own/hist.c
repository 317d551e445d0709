/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

void reference(void)
{
    unsigned char *text = array("text"), *image = array("image");
    uint32_t *bins = array("bins"), *h256 = array("h256"), *priv = array("priv");
    for (size_t i = 0; i < count("text"); i++)
        bins[text[i] - 'a']++;
    for (size_t i = 0; i < count("image"); i++) {
        h256[image[i]]++;
        priv[image[i]]++;
    }
}
