/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that travel inside the binary: kernels as CUDA C and as PTX, and help texts.
 * The table is made by build-aux/embed, sorted by name; each file ends with a NUL
 * that its size does not count.
 */
#ifndef OS_ASSET_H
#define OS_ASSET_H

#include <stdbool.h>
#include <stddef.h>

struct asset {
    const char *name; /* "kernels/trap.cu", "kernels/ptx/trap.ptx", "help/trap.txt" */
    const unsigned char *data;
    size_t size;
};

extern const struct asset assets[];
extern const size_t assets_count;

/* NULL: there is no such file, or it can't be loaded. Then asset_cure says what to do. */
const struct asset *asset_find(const char *name);
extern const char asset_cure[];

/* Are its bytes there? Only a page has to load some of them; then web/assets.c answers. Who walks the
 * table asks this before it reads an asset's bytes. */
bool asset_here(const struct asset *);

#endif
