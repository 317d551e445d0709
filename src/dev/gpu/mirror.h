/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mirrors: the bytes of arrays and variables, in a file without a name that both processes have
 * open. What is above this file knows an array or variable by an address that stays the same for
 * good; a process may have it elsewhere.
 */
#ifndef DEV_GPU_MIRROR_H
#define DEV_GPU_MIRROR_H

#include "dev/device.h"

struct gpu_module;

struct mirror {
    uint64_t address, bytes, offset; /* offset: in the file */
    uint64_t there; /* its address on the card: a variable may move when it is loaded again */
    char *name;
    void *room;     /* this computer's memory for it, once it has bytes */
    const struct gpu_module *module; /* the module of a variable; NULL: an array */
    bool stale;     /* the card has newer bytes */
    bool written;   /* else all zeros */
};

/* A variable that nothing has changed since its module was loaded: loading it again makes it. */
static inline bool mirror_as_loaded(const struct mirror *m)
{
    return m->module && !m->written;
}

/* The bytes of a mirror that begin at `at`. Bytes past what was ever written are zero. */
int mirror_read(int file, const struct mirror *, uint64_t at, void *to, size_t bytes);

/* Parameters of 8 bytes that point into a mirror move to where each mirror is now. */
void mirrors_translate(struct mirror *const *, size_t count, const uint64_t *now,
                       const struct kernel_info *, char *params);

#endif
