/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The small kernels of tests/counts, as PTX in tests/h100/counts: which there are, how each is
 * launched, what it reads, and the fingerprint of what it leaves. Shared by tests/gpu/counts.c,
 * which asks a GPU, and tests/unit/counts.c, which asks the simulator.
 */
#ifndef TESTS_GPU_COUNTS_H
#define TESTS_GPU_COUNTS_H

#include "numbers.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COUNTS_WORDS = 1 << 16, /* ints in each of the two buffers */
    COUNTS_N = 1000         /* the third parameter: no multiple of a warp */
};

struct counts_kernel {
    char name[64];
    unsigned grid[3], block[3];
    char *ptx; /* freed by the caller */
    size_t length;
};

static void counts_input(int32_t in[COUNTS_WORDS])
{
    for (uint32_t i = 0; i < COUNTS_WORDS; i++)
        in[i] = (int32_t)(i * 2654435761u >> 8);
}

static uint64_t counts_hash(const int32_t out[COUNTS_WORDS])
{
    return hash_of(out, COUNTS_WORDS * sizeof *out);
}

static int counts_is_ptx(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && n < 64 && strcmp(entry->d_name + n - 4, ".ptx") == 0;
}

static int counts_order(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The files of the folder in alphabetical order, each to be freed, and the list; -1: no folder. */
static int counts_files(const char *folder, struct dirent ***files)
{
    return scandir(folder, files, counts_is_ptx, counts_order);
}

/* "8", "8x4" or "8x4x2"; the rest are ones. */
static int counts_size(const char *text, unsigned size[3])
{
    size[0] = size[1] = size[2] = 1;
    return sscanf(text, "%ux%ux%u", &size[0], &size[1], &size[2]);
}

/* The kernel of a file, whose first line is `// launch GRID BLOCK`; -1 where that can't be had. */
static int counts_read(const char *folder, const char *file, struct counts_kernel *k)
{
    enum { MOST = 1 << 20 };
    char path[2048], grid[32], block[32];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(k->name, sizeof k->name, "%.*s", (int)(strlen(file) - 4), file);
    k->length = 0;
    k->ptx = malloc(MOST);
    FILE *f = fopen(path, "rb");
    if (f && k->ptx) {
        k->length = fread(k->ptx, 1, MOST - 1, f);
        k->ptx[k->length] = '\0';
    }
    if (f)
        fclose(f);
    if (k->length && sscanf(k->ptx, "// launch %31s %31s", grid, block) == 2 &&
        counts_size(grid, k->grid) > 0 && counts_size(block, k->block) > 0)
        return 0;
    free(k->ptx);
    k->ptx = NULL;
    return -1;
}

#endif
