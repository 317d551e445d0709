/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which bytes of a device's memory have been written: a bit for each byte of arrays and of pieces
 * of the heap.
 *
 * A page of an array is written throughout, not at all, or has its bits. What a launch adds stands
 * in a second row of bits until the launch has ended well. Memory that was never added counts as
 * written (module variables), and so do arrays whose bookkeeping found no room.
 */
#ifndef CHECK_WRITTEN_H
#define CHECK_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WRITTEN_PAGE = 4096, WRITTEN_HINTS = 64 };

/* It knows where the pointer to it stands, so that another one can be put there. */
struct written_page {
    struct written_page **place;
    size_t listed; /* its number on the list of those with fresh bits, from 1; 0: it isn't there */
    size_t words;  /* of each row; bits beyond the array's end are set */
    uint64_t *fresh;
    uint64_t bits[]; /* the fresh ones stand behind these */
};
/* Stands for pages that are written throughout. */
#define WRITTEN_ALL ((struct written_page *)(uintptr_t)1)

struct written_array {
    uint64_t address, bytes;
    bool all;                     /* every byte is written */
    bool heap, freed;             /* a piece that malloc gave, and that was given back */
    struct written_page **pages;  /* NULL: nothing of the page is written */
    size_t page_count;
};

struct written {
    struct written_array **arrays; /* by address */
    size_t count, capacity;
    size_t freed; /* pieces of the heap among them that were given back */
    struct written_array *hint[WRITTEN_HINTS]; /* by pc: the array reached last time */
    struct written_page **changed;             /* those with fresh bits */
    size_t changed_count, changed_capacity;
};

void written_add(struct written *, uint64_t address, uint64_t bytes, bool heap); /* unwritten */
void written_remove(struct written *, uint64_t address);
void written_by_host(struct written *, uint64_t address, uint64_t bytes);
/* The array at `to` was copied from one of others: it is written where that one is. */
void written_copy(struct written *, uint64_t to, const struct written *others, uint64_t from);
/* Everything there is counts as written from now on, and pieces of the heap may have gone. */
void written_all(struct written *);
void written_give_back(struct written *, uint64_t address); /* a piece of the heap */
struct written_array *written_find(const struct written *, uint64_t address);
bool written_has(const struct written *, uint64_t address, uint64_t bytes); /* all of them */
/* The i-th page of an array, whose bits change now; NULL: it counts as written throughout. */
struct written_page *written_change(struct written *, struct written_array *, uint64_t i);
/* After a launch: what was fresh is written now, or, if the launch failed, never was. */
void written_settle(struct written *, bool finished);
void written_again(struct written *); /* the launch starts over: nothing is fresh */
/* For a part of a launch: the same arrays, whose pages are only read and are copied when their bits
 * change. False: memory is out. Then the part is freed as ever. */
bool written_part(struct written *, const struct written *of);
void written_join(struct written *, struct written *part); /* takes over what is fresh there */
void written_free(struct written *);

/* ---- rows of bits ---------------------------------------------------------------------- */

static inline uint64_t bits_ones(unsigned n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* A loop over the words that n bits from bit `at` on lie in: i is a word's number, and `mask` says
 * which of its bits are meant. */
#define EACH_WORD(i, mask, at, n)                                                            \
    for (uint64_t from_ = (at), end_ = from_ + (n), i, mask;                                 \
         from_ < end_ &&                                                                     \
         (i = from_ / 64, mask = bits_between(from_, end_), true);                           \
         from_ = (i + 1) * 64)
static inline uint64_t bits_between(uint64_t from, uint64_t end)
{
    const uint64_t low = from % 64, n = end - from;
    return bits_ones(n < 64 - low ? (unsigned)n : 64 - (unsigned)low) << low;
}

static inline void bits_set(uint64_t *bits, uint64_t at, uint64_t n)
{
    EACH_WORD(i, mask, at, n)
        bits[i] |= mask;
}

/* Are all n bits set in one row or the other? */
static inline bool bits_all(const uint64_t *a, const uint64_t *b, uint64_t at, uint64_t n)
{
    EACH_WORD(i, mask, at, n)
        if (((a[i] | b[i]) & mask) != mask)
            return false;
    return true;
}

/* Is none of n bits set? */
static inline bool bits_none(const uint64_t *a, uint64_t at, uint64_t n)
{
    EACH_WORD(i, mask, at, n)
        if (a[i] & mask)
            return false;
    return true;
}

static inline bool bits_any(const uint64_t *a, const uint64_t *b, uint64_t at, unsigned n)
{
    return (a[at / 64] | b[at / 64]) >> at % 64 & bits_ones(n);
}

#endif
