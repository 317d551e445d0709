/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set of bytes by their addresses: those that a launch or a copy has read, or has written. It has
 * a bit for each byte, in pages that come when they are needed, so that it holds scattered and
 * interleaved accesses exactly.
 */
#ifndef BASE_BYTE_SET_H
#define BASE_BYTE_SET_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum { BYTE_SET_PAGE = 4096 };

struct byte_set_page {
    uint64_t number; /* its address / BYTE_SET_PAGE */
    uint64_t bits[BYTE_SET_PAGE / 64];
};

struct byte_set { /* {0} is empty */
    struct byte_set_page **slot; /* a hash table */
    size_t slots, count;
    struct byte_set_page *last; /* that was used */
    uint64_t regions; /* where its pages lie: a bit for each region, and for others far away */
};

/* -1: memory is out, and the set may lack some of these bytes. */
int byte_set_add(struct byte_set *, uint64_t from, uint64_t n);
int byte_set_move(struct byte_set *to, struct byte_set *from); /* then `from` is empty */
void byte_set_remove(struct byte_set *, const struct byte_set *these);
bool byte_set_has(const struct byte_set *, uint64_t address);
/* A byte that both have; false: there is none. */
bool byte_set_meet(const struct byte_set *, const struct byte_set *, uint64_t *address);
void byte_set_clear(struct byte_set *); /* it is empty, and holds no memory */
uint64_t byte_set_bytes(const struct byte_set *); /* how many it has */
bool byte_set_same(const struct byte_set *, const struct byte_set *);
int byte_set_copy(struct byte_set *empty, const struct byte_set *); /* -1: it may lack some */
/* Is called for each run of bytes inside a page, until it returns false. The order is the same each
 * time, as long as the set does not change. Returns false if a call did. */
bool byte_set_each(const struct byte_set *, bool (*take)(void *, uint64_t from, unsigned n),
                   void *);

#endif
