/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVIDIA's libraries, such as cuBLAS and cuRAND, are found at run time, as the driver is. Each has a
 * struct with one pointer for each function that cudalab calls, and a table of these functions.
 * A library is known by more than one name, since the name has its version.
 */
#ifndef DEV_GPU_VENDOR_H
#define DEV_GPU_VENDOR_H

#include "base/err.h"

#include <stddef.h>

struct vendor_function { const char *name; size_t offset; /* of its pointer in the struct */ };

struct vendor_library {
    const char *title;                       /* "cuBLAS" */
    const char *const *names;                /* NULL-terminated; the error names the first two */
    const struct vendor_function *functions; /* the last has no name */
    const struct vendor_status { int status; const char *says; } *statuses; /* as the functions */
};

/* Opens the library, and sets the pointers in the struct `functions`. NULL: the error says why. */
void *vendor_open(const struct vendor_library *, void *functions, struct err *e);
/* Puts a status that isn't 0 into words. Returns -1. */
int vendor_failed(const struct vendor_library *, const char *call, int status, struct err *e);

#endif
