/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The local variables of CUDA C by their names, from the debug information of a module's PTX: which
 * there are at an instruction, where each of them is, and its value in a lane.
 *
 *     struct debug_names *n = names_read(text, size, &e);
 *     const struct sim_instruction *at = stepper_next(s);
 *     const size_t count = names_at(n, at->function, at->ptx_line, found, MOST);
 *     for each of them, if it is set and not away:
 *         unsigned char bytes[256];
 *         if (names_value(stepper_run(s), block, warp, lane, &found[i], bytes, sizeof bytes))
 *             names_print(names_shown(&found[i]), bytes, &buf);
 *
 * A value is given only where it is the variable's. A compiler says for which part of the text a
 * register holds a variable; the way that the lanes may have come is followed as well.
 */
#ifndef STEP_NAMES_H
#define STEP_NAMES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/near.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_names;
struct sim_run;

/* NULL: the PTX has no debug information, or can't be read; e says so. */
struct debug_names *names_read(const char *ptx, size_t size, struct err *e);
void names_free(struct debug_names *);

/* The source's text by the path that the PTX has; false: it is not at hand. Compilers do not say
 * where many a bool is, and then the source tells. Without it such bools are away. */
struct source_text {
    const char *at;
    size_t size;
};
typedef bool names_source(void *ctx, const char *path, struct source_text *);
void names_set_source(struct debug_names *, names_source *, void *ctx);

enum name_kind {
    NAME_UNKNOWN,
    NAME_SIGNED,
    NAME_UNSIGNED,
    NAME_BOOL,
    NAME_CHAR,
    NAME_FLOAT,
    NAME_POINTER,
    NAME_ENUM,
    NAME_ARRAY,
    NAME_STRUCT
};
struct name_type {
    enum name_kind kind;
    const char *text; /* "const float *" */
    uint64_t bytes;
    const struct name_type *of; /* of an array: its elements; of a pointer; may be NULL */
    uint64_t count;             /* of an array; of a struct: its members; of an enum: its names */
    const struct name_member *members;
    bool is_reference; /* a pointer that the source does not show as one */
};
struct name_member {
    const char *name;
    const struct name_type *type; /* of an enum's: NULL */
    uint64_t at;                  /* in the struct; of an enum's, its value */
};

enum name_where {
    NAME_AWAY, /* the compiler keeps it nowhere here: it is optimised away */
    NAME_IN_REGISTER,
    NAME_IN_LOCAL,
    NAME_IN_PARAM,
    NAME_IN_SHARED,
    NAME_IS_CONSTANT
};
enum name_state {
    NAME_NOT_SET, /* the lane has not come to its declaration or first assignment */
    NAME_MAYBE,   /* some ways lead here on which it is not set; on all others this is its value */
    NAME_SET
};
struct name_variable {
    const char *name;
    const struct name_type *type; /* NULL: not known */
    const char *function;         /* whose variable it is; that may be an inlined one */
    int line;                     /* of its declaration */
    unsigned depth;               /* how many scopes it stands in */
    bool is_parameter, is_hidden; /* hidden: an inner scope has another one of its name */
    bool is_outer;                /* of the function that the one here was inlined into, */
    unsigned inlined;             /* by so many calls */
    unsigned calls; /* of a function so many calls further out: whoever asks for a value
                     * of such a function's variable sets it */
    enum name_where where;
    enum name_state state;
    const char *place; /* a register, or a variable of the PTX */
    uint64_t offset;   /* in that variable; of a constant, its bits */
};

/* Those that are there before the instruction of this line of the PTX is executed, the innermost
 * scope's first; how many there are. Not const: it keeps what it works out. */
size_t names_at(struct debug_names *, const char *function, int ptx_line, struct name_variable *,
                size_t most);

/* The functions that an instruction is of, where calls were inlined: the innermost first, the one
 * that it really is in last; how many there are. line: of the source, of the instruction. */
struct name_frame {
    const char *function;
    int line; /* where it is, or of the call in it */
};
size_t names_frames(const struct debug_names *, const char *function, int ptx_line, int line,
                    struct name_frame *, size_t most);

/* Does a function have a variable of this name? */
bool names_have(const struct debug_names *, const char *name);
void names_try(const struct debug_names *, struct near *); /* tries all names of variables */

/* false: it is away or not set, or has more bytes than `size`. A reference has the bytes of what it
 * names, and names_shown() is the type of that. */
bool names_value(const struct sim_run *, uint64_t block, unsigned warp, unsigned lane,
                 const struct name_variable *, void *bytes, size_t size);
const struct name_type *names_shown(const struct name_variable *); /* NULL: not known */
/* The value as C writes it: 3, 'a', 1.5, {1, 2}, {x = 1, y = 2}, RED, 0x7f00. */
void names_print(const struct name_type *, const void *bytes, struct buf *);

#endif
