/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an array can be filled with: `zero`, `iota`, `value:V`, `list:1,2,3`,
 * `random[:LO:HI]`, `file:PATH`. A fill is read and checked against the type of the elements
 * first; writing it then can fail only where the device or a file does.
 *
 * iota and random depend on an element's index in its array alone, so that filling an array in
 * parts gives the same as filling it whole. Files are opened by whoever knows what may be read.
 */
#ifndef OWN_FILL_H
#define OWN_FILL_H

#include "own/arrays.h"

enum fill_kind { FILL_LIST, FILL_IOTA, FILL_RANDOM, FILL_FILE };

struct fill {
    enum fill_kind kind;
    enum element type;
    unsigned char *values; /* FILL_LIST: repeated to the end */
    uint64_t value_count;
    unsigned char lo[ELEMENT_BYTES], hi[ELEMENT_BYTES]; /* FILL_RANDOM */
    const char *path;      /* FILL_FILE, within the text that was parsed */
    int fd;                /* open at the first element */
};

extern const char *const fill_forms[]; /* how each begins, for completion; ends with NULL */

int fill_parse(struct fill *, const char *text, enum element, struct err *);
void fill_free(struct fill *);
/* Does it fit these elements? A file is open at its start, and then at its first element. */
int fill_check(struct fill *, const struct slice *, struct err *);
int fill_write(struct session *, const struct fill *, const struct slice *, struct report *);
/* Elements in host memory: from `first`, by its index in the array, which is `offset` after the
 * start of what is filled. Of files nothing. */
void fill_make(const struct fill *, uint64_t seed, uint64_t first, uint64_t offset, uint64_t n,
               unsigned char *to);
/* The same, and a file's as well, which are read one after the other. */
int fill_take(const struct fill *, uint64_t seed, uint64_t first, uint64_t offset, uint64_t n,
              unsigned char *to, struct report *);

#endif
