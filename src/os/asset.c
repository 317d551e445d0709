/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding an embedded file by name. The table itself is generated and sorted by bytes,
 * so it is searched by halves.
 */
#include "os/asset.h"

#include <string.h>

const struct asset *asset_find(const char *name)
{
    size_t low = 0, high = assets_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, assets[middle].name);
        if (order == 0)
            return &assets[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
