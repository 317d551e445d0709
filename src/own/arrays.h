/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The session's named arrays: those that `array` made, and the variables of loaded modules. They
 * stay on the device from command to command. If two have the same name, the name means the one
 * that came last; the other is hidden until that one goes.
 *
 * A slice is what a student names: an array, a range of it, or one element, perhaps read as another
 * type. All reading is done by slices, in chunks, and can be stopped.
 */
#ifndef OWN_ARRAYS_H
#define OWN_ARRAYS_H

#include "own/element.h"
#include "session/session.h"

#include <time.h>

struct array {
    char *name;
    enum element type;
    uint64_t count;
    uint64_t dims[3];   /* slowest first; 0 after the last; {count} without a shape */
    uint64_t address;
    bool constant;      /* __constant__ */
    const void *module; /* the module whose variable it is; NULL: `array` made it */
    bool type_known;
    char *declared;     /* "float m[4][8]", as in the source; NULL: not known */
    bool going;         /* marked for removal */
    struct array *next; /* in its bucket */
};

struct arrays {
    struct array **all; /* in the order in which they came */
    unsigned count;
    size_t capacity;
    struct array **buckets; /* by a hash of the name; in each the last that came is first */
    size_t bucket_count;
    uint64_t bytes; /* of all that `array` made */
};

struct array *array_named(const struct session *, const char *name); /* NULL: there is none */
struct array *array_or_near(struct session *, const char *name, struct err *);
bool array_hidden(const struct session *, const struct array *); /* by a later one of its name */

/* Reads "64", "2^20", "64x64", "4x5x6": the number of elements and the shape as in struct array. */
int array_shape(const char *text, uint64_t dims[3], uint64_t *count, struct err *);
int array_name_check(const char *name, struct err *); /* -1: `array` can't use that name */
/* Makes one of zeros that is not in the session yet. array_keep adds it, and frees what `array`
 * made before under that name. array_discard frees it. */
struct array *array_new(struct session *, const char *name, enum element, const uint64_t dims[3],
                        uint64_t count, struct err *);
int array_keep(struct session *, struct array *, struct err *);
void array_discard(struct session *, struct array *);
/* A module's variable is not freed: it is hidden again where another has its name, else that is an
 * error. */
int array_free(struct session *, struct array *, struct err *);

/* Adds a module's variable. dims may be NULL: no shape. declared may be NULL. After all are added,
 * arrays_drop_repeated keeps the last of those with the same name. */
int array_add_variable(struct session *, const void *module, const char *name, enum element,
                       bool type_known, const char *declared, const uint64_t dims[3],
                       uint64_t count, uint64_t address, bool constant, struct err *);
int arrays_drop_repeated(struct session *, const void *module, struct err *);
void arrays_drop_module(struct session *, const void *module);

uint64_t array_bytes(const struct array *);
uint64_t arrays_bytes(const struct session *); /* of all that `array` made */
/* Copies what `array` made from the session's device to a new one; then the session's arrays are
 * the copies. -1: nothing has changed. Variables move with their modules. */
int arrays_carry(struct session *, struct device *to, struct err *);
void arrays_free(struct session *); /* the end of the session */

/* ---- slices --------------------------------------------------------------------------- */

struct slice {
    struct array *of;
    enum element type;
    uint64_t count;   /* elements in the whole array, counted in `type` */
    uint64_t lo, hi;  /* hi included */
    uint64_t dims[3]; /* the shape of a whole array; dims[1] is 0 where there is none */
    bool whole;       /* no brackets were typed */
    uint64_t left_over; /* bytes at the end that are too few for an element of the type */
};

/* Reads NAME, NAME[I], NAME[LO..HI], NAME[..HI], NAME[LO..]; with a shape also NAME[R][C] and
 * NAME[R][LO..HI]. The bytes are read as the type `as`, and ranges count its elements; NULL: as the
 * array's own type. */
int slice_parse(struct session *, const char *text, const enum element *as, struct slice *,
                struct err *);
uint64_t slice_count(const struct slice *);
const char *slice_shape_text(const uint64_t dims[3], char out[80]); /* "64x64" */

/* Long work on arrays calls this now and then; -1: it has to end, and the report says why. */
int work_goes_on(const struct session *, struct report *);
#define WORK_ADVICE "take a smaller part of the array" /* where it takes too long */

enum { SLICE_CHUNK = 1 << 17 }; /* elements moved at a time */
/* Copy n elements from number `first` of the array on, to or from host memory. */
int slice_read(struct session *, const struct slice *, uint64_t first, uint64_t n, void *to,
               struct report *);
int slice_write(struct session *, const struct slice *, uint64_t first, uint64_t n,
                const void *from, struct report *);

/* Does long work on `count` elements, chunk by chunk. Each step gets room for a chunk of n elements
 * of `size` bytes, which begins `done` elements after the start. -1: a step failed, or it was
 * stopped. */
typedef int slice_step(void *self, uint64_t done, uint64_t n, unsigned char *chunk,
                       struct report *);
int slice_by_chunks(struct session *, uint64_t count, size_t size, slice_step *, void *self,
                    struct report *);

#endif
