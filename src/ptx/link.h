/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several files of PTX become one. Functions and variables that a file declares as .extern are
 * those that another file defines. The result is PTX again, so a driver takes it and so does the
 * simulator.
 */
#ifndef PTX_LINK_H
#define PTX_LINK_H

#include "base/buf.h"
#include "base/mem.h"

struct ptx_part {
    const char *path; /* for messages */
    const char *text; /* ends with a NUL and holds no other */
};

/* Which part a function or variable comes from, by its name in the result: for names_find(). */
struct link_origin {
    const char *name;
    unsigned part;
};
struct ptx_linked {
    struct buf text;
    struct link_origin *origins;
    size_t origin_count;
    struct arena memory; /* of the origins */
};

/* -1: two files define a name, or a file isn't PTX; the error says so, with mangled names. Free the
 * result in any case. */
int ptx_link(const struct ptx_part *, unsigned count, struct ptx_linked *, struct err *);
void ptx_linked_free(struct ptx_linked *);

#endif
