/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The session's named arrays: those that `array` made, and the variables of loaded modules.
 * They live on the device from command to command. Of two with the same name the one that
 * came last is meant; the other stays behind it until that one goes.
 *
 * A slice is what a student names: an array, a range of it, or one element, perhaps looked
 * at as another type. All reading goes by slices, in chunks, and can be stopped.
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
    uint64_t dims[3];   /* slowest first; 0 after the last; {count} where it has no shape */
    uint64_t address;
    bool constant;      /* __constant__ */
    const void *module; /* whose variable it is and who unloads it; NULL: made by `array` */
    bool type_known;
    char *declared;     /* as the source has it, "float m[4][8]"; NULL: not known */
    bool going;         /* marked, to be dropped with others at one go */
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

struct array *array_named(const struct session *, const char *name); /* NULL: none */
struct array *array_or_near(struct session *, const char *name, struct err *);
bool array_hidden(const struct session *, const struct array *); /* behind one of its name */

/* "64", "2^20", "64x64", "4x5x6": the number of elements, and the shape as in struct array. */
int array_shape(const char *text, uint64_t dims[3], uint64_t *count, struct err *);
int array_name_check(const char *name, struct err *); /* may `array` make one of that name? */
/* A fresh one, all zeros, not in the session yet: array_keep puts it there (and frees what
 * `array` made before under that name), array_discard gives it back. */
struct array *array_new(struct session *, const char *name, enum element, const uint64_t dims[3],
                        uint64_t count, struct err *);
int array_keep(struct session *, struct array *, struct err *);
void array_discard(struct session *, struct array *);
/* Of a module's variable: only hides it again where another has its name; else an error. */
int array_free(struct session *, struct array *, struct err *);

/* A module's variable comes. dims NULL: no shape. declared may be NULL. When all have come, of two
 * with one name the last stays. */
int array_add_variable(struct session *, const void *module, const char *name, enum element,
                       bool type_known, const char *declared, const uint64_t dims[3],
                       uint64_t count, uint64_t address, bool constant, struct err *);
int arrays_drop_repeated(struct session *, const void *module, struct err *);
void arrays_drop_module(struct session *, const void *module);

uint64_t array_bytes(const struct array *);
uint64_t arrays_bytes(const struct session *); /* all that `array` made */
/* Copy what `array` made from the session's device to a new one; the session's arrays are
 * then those there. -1: nothing has changed. Variables go with their modules. */
int arrays_carry(struct session *, struct device *to, struct err *);
void arrays_free(struct session *); /* the end of the session */

/* ---- slices --------------------------------------------------------------------------- */

struct slice {
    struct array *of;
    enum element type;
    uint64_t count;   /* elements in the whole array, counted in `type` */
    uint64_t lo, hi;  /* hi included */
    uint64_t dims[3]; /* of a whole array with a shape; else dims[1] is 0 */
    bool whole;       /* no brackets were typed */
    uint64_t left_over; /* bytes at the end that make no element of the type looked at as */
};

/* NAME, NAME[I], NAME[LO..HI], NAME[..HI], NAME[LO..]; of a shape also NAME[R][C],
 * NAME[R][LO..HI]. */
int slice_parse(struct session *, const char *text, struct slice *, struct err *);
/* The same bytes as elements of another type; ranges count in that type. `text` again. */
int slice_parse_as(struct session *, const char *text, enum element, struct slice *,
                   struct err *);
uint64_t slice_count(const struct slice *);
const char *slice_shape_text(const uint64_t dims[3], char out[80]); /* "64x64" */

/* Long work on arrays asks this now and then; -1: it has to end, and the report says why. */
int work_goes_on(const struct session *, struct report *);

enum { SLICE_CHUNK = 1 << 17 }; /* elements moved at a time */
/* n elements from `first` (counted from the array's start) to or from host memory. */
int slice_read(struct session *, const struct slice *, uint64_t first, uint64_t n, void *to,
               struct report *);
int slice_write(struct session *, const struct slice *, uint64_t first, uint64_t n,
                const void *from, struct report *);

/* Long work on `count` elements, a chunk after the other. Each step gets room for the chunk,
 * `size` bytes an element, `done` elements after the start. -1: it was stopped, or a step was. */
typedef int slice_step(void *self, uint64_t done, uint64_t n, unsigned char *chunk,
                       struct report *);
int slice_by_chunks(struct session *, uint64_t count, size_t size, slice_step *, void *self,
                    struct report *);

#endif
