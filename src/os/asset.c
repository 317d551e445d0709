/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding an embedded file by name. The table itself is generated, and sorted by name.
 */
#include "os/asset.h"

#include "base/names.h"

const struct asset *asset_find(const char *name)
{
    return names_find(assets, assets_count, sizeof *assets, name);
}
