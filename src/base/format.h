/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a kernel's printf writes: one set of rules for the simulator, which finds the arguments
 * in a thread's memory, and for a GPU, which hands them over in a record.
 */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

struct format_source {
    /* The next argument, 4 or 8 bytes; false: there is none, and the text ends here. */
    bool (*take)(void *self, void *out, size_t bytes);
    /* The string at an address that was taken; NULL: none there. */
    const char *(*text)(void *self, uint64_t address, size_t *length);
    void *self;
};

/* How many arguments were taken, which is what a device's printf returns. Set out->most: a width
 * can ask for any number of bytes, and out->full then tells that the text does not fit. */
int format_like_printf(const struct format_source *, const char *format, size_t n, struct buf *out);

#endif
