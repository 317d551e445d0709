/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that travel inside the binary: kernels as CUDA C and as PTX, and help texts.
 * The table is made by build-aux/embed, sorted by name; each file ends with a NUL
 * that its size does not count.
 */
#ifndef OS_ASSET_H
#define OS_ASSET_H

#include <stddef.h>

struct asset {
    const char *name; /* "kernels/trap.cu", "kernels/ptx/trap.ptx", "help/trap.txt" */
    const unsigned char *data;
    size_t size;
};

extern const struct asset assets[];
extern const size_t assets_count;

const struct asset *asset_find(const char *name); /* NULL: no such file */

#endif
