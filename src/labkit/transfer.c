/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program calls for its arrays; see transfer.h. Nothing is called here: on each device
 * the lab's arrays are cudalab's own.
 */
#include "labkit/transfer.h"

#include "labkit/run.h"

const char *const transfer_names[] = {"managed", "copy", "pinned", "mapped", NULL};
const char *const transfer_how[] = {"by pages that are touched", "by cudaMemcpy",
                                    "by cudaMemcpy, pinned", "over the bus, uncopied"};

const char *transfer_refused(enum transfer_kind kind, const struct device_props *p)
{
    if (kind == BY_PAGES && p->major < 3)
        return "managed memory needs compute capability 3.0; this device takes --mem copy";
    if (kind == BY_MAPPING && p->can_map_host == 0)
        return "this device can't map memory of the host; it takes --mem copy";
    return NULL;
}

uint64_t transfer_bytes(const struct transfer_array *a, bool in)
{
    uint64_t bytes = 0;
    for (; a->name; a++)
        bytes += (in ? a->in : a->out) ? a->bytes : 0;
    return bytes;
}
