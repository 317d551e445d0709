/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of a .npy file, NumPy's format for one array: a magic number, a length, and a Python
 * dictionary with type, order and shape. The bytes of the elements follow.
 */
#ifndef OWN_NPY_H
#define OWN_NPY_H

#include "base/buf.h"
#include "own/element.h"

struct npy {
    enum element type;
    uint64_t dims[3]; /* as in struct array */
    uint64_t count;
    uint64_t start;   /* where the elements begin in the file */
};

bool npy_named(const char *path); /* does it end in .npy? */
void npy_write_head(struct buf *, enum element, const uint64_t dims[3]);
int npy_read_head(int fd, const char *path, struct npy *, struct err *); /* fd is at its start */

#endif
