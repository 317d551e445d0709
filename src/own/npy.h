/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of a .npy file, NumPy's format for one array: a magic, a length, and a Python
 * dictionary with type, order and shape; the bytes of the elements follow it.
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

bool npy_named(const char *path); /* it ends in .npy */
void npy_write_head(struct buf *, enum element, const uint64_t dims[3]);
int npy_read_head(int fd, const char *path, struct npy *, struct err *); /* from the start of fd */

#endif
