/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The symbols in the program's own file: its functions and variables. A program that was stripped
 * has none.
 */
#ifndef RUN_SYMBOLS_H
#define RUN_SYMBOLS_H

#include "run/client/client.h"

#include <elf.h>

struct symbols {
    const char *file;
    size_t size;
    const Elf64_Sym *all;
    size_t count;
    const char *names;
    size_t names_size;
    uintptr_t base; /* where the program lies in memory: it is added to all values */
};

/* False: there are none. The file stays mapped. */
bool run_open_symbols(struct symbols *);

#endif
