/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an array can be filled with: `zero`, `iota`, `value:V`, `list:1,2,3`, `random[:LO:HI]`,
 * `expr:2*i+1`, `file:PATH`. A fill is first read, and checked against the type of the elements.
 * After that, writing it can only fail if the device or a file fails.
 *
 * The elements of iota, random and a formula depend only on their index in the array. So an array
 * that is filled in parts has the same elements as an array that is filled at once. The caller opens
 * files, since it knows which files may be read.
 */
#ifndef OWN_FILL_H
#define OWN_FILL_H

#include "own/arrays.h"

struct expr;

/* Other arrays for a formula: there the name of an array, or NAME[i], is the element with the same
 * index. */
enum { FILL_INPUTS = 64 };
struct fill_input {
    const char *name;
    enum element type;
    uint64_t count;
    unsigned char *bytes; /* from malloc */
};
struct fill_inputs {
    struct fill_input at[FILL_INPUTS];
    unsigned count;
};

enum fill_kind { FILL_LIST, FILL_IOTA, FILL_RANDOM, FILL_FORMULA, FILL_FILE };

struct fill {
    enum fill_kind kind;
    enum element type;
    unsigned char *values; /* FILL_LIST: they are repeated to the end */
    uint64_t value_count;
    unsigned char lo[ELEMENT_BYTES], hi[ELEMENT_BYTES]; /* FILL_RANDOM */
    struct expr *formula;  /* FILL_FORMULA */
    struct fill_inputs *inputs; /* FILL_FORMULA: what it reads, from malloc; may be NULL */
    uint64_t dims[3], elements; /* FILL_FORMULA: the shape of the array, as in struct array */
    const char *path;      /* FILL_FILE: a part of the text that was read */
    int fd;                /* open at the first element */
};

extern const char *const fill_forms[]; /* how each fill begins, for completion; ends with NULL */

int fill_parse(struct fill *, const char *text, enum element, struct err *);
/* The same for a formula that reads other arrays. It takes them over; the caller frees the fill also
 * after an error. The error has a column of the text. The bytes are needed from fill_take() on, of
 * those that fill_reads(). */
int fill_parse_with(struct fill *, const char *text, enum element, struct fill_inputs *, struct err *);
bool fill_reads(const struct fill *, unsigned input);
void fill_free(struct fill *);
/* -1: it does not fit these elements. A file must be open at its start and is then at its first
 * element. */
int fill_check(struct fill *, const struct slice *, struct err *);
/* Gives a formula the shape of its array. -1: the formula uses row or col, and the array has no
 * rows. */
int fill_shape(struct fill *, const char *name, const uint64_t dims[3], uint64_t elements,
               struct err *);
int fill_write(struct session *, const struct fill *, const struct slice *, struct report *);
/* Fills n elements at an address of the device. `first` is the index in its array of the first one.
 * The bytes are made there, where the device can do so, or else here. `advice` is for a limit of
 * time. */
int fill_device(struct session *, const struct fill *, uint64_t seed, uint64_t first, uint64_t n,
                uint64_t address, const char *advice, struct report *);
/* Makes n elements in host memory. `first` is the index in the array of the first of them, `offset`
 * its distance from the start of what is filled. Do not call it for a file or a formula. */
void fill_make(const struct fill *, uint64_t seed, uint64_t first, uint64_t offset, uint64_t n,
               unsigned char *to);
/* The same for all fills. The elements of a file are read one after the other. -1: an element of a
 * formula can't be computed, or does not fit its type. */
int fill_take(const struct fill *, uint64_t seed, uint64_t first, uint64_t offset, uint64_t n,
              unsigned char *to, struct err *);
/* Makes n elements of an array in host memory, on all cores, from the element `first` on. Each part
 * may be checked: it begins `done` elements after the first. -1: a check failed, or fill_take(). */
typedef int element_check(const void *self, const void *made, uint64_t done, uint64_t n,
                       struct err *);
int fill_memory(const struct session *, const struct fill *, uint64_t seed, uint64_t first,
                uint64_t n, void *to, element_check *, const void *checks, const char *advice,
                struct report *);

#endif
