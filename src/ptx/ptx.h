/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTX text as a tree: what stands in the file, in order, nothing interpreted.
 *
 * ptx_parse() takes a module of any PTX ISA version and keeps every directive that a
 * simulator could want; it knows the grammar but no instruction: an opcode is a word with
 * dots. All memory is the module's arena, and the source may go once it is parsed.
 */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "base/err.h"
#include "base/go-on.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>

enum ptx_type {
    PTX_NONE, PTX_PRED,
    PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_B128,
    PTX_U8, PTX_U16, PTX_U32, PTX_U64,
    PTX_S8, PTX_S16, PTX_S32, PTX_S64,
    PTX_F16, PTX_F16X2, PTX_BF16, PTX_BF16X2, PTX_F32, PTX_F64,
    PTX_TEXREF, PTX_SURFREF, PTX_SAMPLERREF
}; /* same order as enum sim_type up to F64 */
enum ptx_type ptx_type_named(const char *word, size_t n); /* "u32" -> PTX_U32, else NONE */
const char *ptx_type_name(enum ptx_type);
unsigned ptx_type_size(enum ptx_type);

enum ptx_space { PTX_REG, PTX_GLOBAL, PTX_SHARED, PTX_LOCAL, PTX_CONST, PTX_PARAM, PTX_TEX };

/* One piece of an initialiser: a number, or a symbol's address (generic or not) plus offset. */
struct ptx_init {
    const char *symbol;  /* NULL: a number */
    int64_t offset;      /* the number itself where symbol is NULL (bits of a float) */
    unsigned mask_shift; /* for 0xFF(sym) style byte extracts: shift + 1, else 0 */
    bool generic;        /* generic(symbol) */
    bool is_float;       /* offset holds the bits of a double to convert to the element's type */
};

struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;
    unsigned vector;   /* 1, 2 or 4 */
    unsigned align;    /* 0: natural */
    uint64_t count;    /* elements, dimensions multiplied; 1 for a scalar */
    bool is_array, open; /* open: [] without a size (extern shared) */
    bool is_extern, is_visible, is_weak, is_common;
    bool is_managed;   /* .attribute(.managed) */
    unsigned range;    /* %r<17>: 17, registers name0..name16; 0: this one name */
    struct ptx_init *init;
    uint64_t init_count;
    int line;
    struct ptx_function *in; /* demoted or local: the function it stands in */
    struct ptx_variable *next; /* in its scope */
    uint64_t place;            /* the reader's own: where it put it; the parser leaves 0 */
};

enum ptx_operand_kind {
    PTX_OP_REGISTER,  /* name */
    PTX_OP_SYMBOL,    /* name: variable, function or label; not a declared register */
    PTX_OP_SPECIAL,   /* %tid.x: name "tid.x" (no %); WARP_SZ: name "WARP_SZ" */
    PTX_OP_INTEGER,   /* bits */
    PTX_OP_F32, PTX_OP_F64, /* bits (0f..., 0d..., decimal floats are F64) */
    PTX_OP_ADDRESS,   /* [base+offset]; base may be NULL, then offset alone */
    PTX_OP_VECTOR,    /* {a, b, ...}: items; also lists of call arguments (a, b), and a vector
                         register by its name alone: its parts */
    PTX_OP_SINK       /* _ */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;              /* -a or !p */
    const char *name;
    struct ptx_variable *var;  /* REGISTER: its declaration (with range, see index) and
                                  ADDRESS/SYMBOL: the variable where it is one */
    uint32_t index;            /* REGISTER: number within a range declaration; of vectors the
                                  parts are counted: %v1.y of .v2 %v<4> is 3 */
    uint64_t bits;
    int64_t offset;            /* ADDRESS; SYMBOL, REGISTER: name+offset */
    struct ptx_operand *base;  /* ADDRESS: REGISTER or SYMBOL */
    struct ptx_operand *items; /* VECTOR; ADDRESS: what follows the base, braces taken off:
                                  x and y of [tex, {x, y}] */
    unsigned item_count;
    struct ptx_operand *pair;  /* d|p: the p */
    const char *component;     /* what is no part of a vector register: "b0" of %r.b0; else NULL */
};

/* A call that the compiler inlined. */
struct ptx_call {
    int file, line;
    const struct ptx_call *outer; /* the call that this one was inlined for; NULL: it was not */
};

struct ptx_instruction {
    const char *opcode;       /* "ld.global.nc.v2.f32" */
    const char *guard;        /* register name or NULL */
    struct ptx_variable *guard_var;
    uint32_t guard_index;
    bool guard_negated;
    struct ptx_operand *operands;
    unsigned operand_count;   /* call: (ret), name, (args)[, proto] as they stand */
    const char *text;         /* as written, one line, single blanks, with its ';' */
    int ptx_line;
    int file, line;           /* .loc in force, 0: none */
    const struct ptx_call *call; /* ... and its inlined_at: the innermost call; NULL: none */
    struct ptx_variable *locals; /* the first one declared in this instruction's inner { } scope */
};
bool ptx_is_call(const struct ptx_instruction *); /* call, or a form of it such as call.uni */

struct ptx_label { const char *name; uint32_t at; /* index of the next instruction */ };

/* .branchtargets / .calltargets / .callprototype; of two with one name the last */
struct ptx_targets {
    const char *name;
    const char **labels; /* none for a .callprototype */
    unsigned count;
};

struct ptx_function {
    const char *name;
    bool is_entry, is_visible, is_extern, is_weak, has_body, noreturn;
    struct ptx_variable *params, *returns; /* linked in order */
    unsigned param_count, return_count; /* the parts of a vector register count one by one */
    struct ptx_variable *variables; /* everything declared inside but .params of call scopes,
                                       which are here too: names of nested scopes are resolved */
    struct ptx_instruction *code;
    uint32_t code_count;
    struct ptx_label *labels; /* by name; a second one of a name, in another { }, is "name@9",
                                 and so are the operands that mean it */
    uint32_t label_count;
    struct ptx_targets *targets; /* by name */
    uint32_t target_count;
    unsigned maxntid[3], reqntid[3], minnctapersm, maxnreg;
    unsigned cluster[3];            /* .reqnctapercluster: in blocks; 0: it names no size */
    bool explicit_cluster;          /* .explicitcluster: it is to be launched with clusters */
    bool blocks_are_clusters;       /* .blocksareclusters: the grid is counted in clusters */
    const char *broken; /* the error in its body, which then is empty; NULL: there is none */
    int broken_line;
    int line, end_line; /* in the PTX: first line of the declaration, line of the closing brace */
    uint32_t number;    /* in the module, from 0 */
    struct ptx_function *next;
};

struct ptx_named { const char *name; void *is; };

struct ptx_module {
    struct arena arena;
    int version_major, version_minor, target; /* 75 for sm_75 */
    char target_suffix;                       /* 'a' in sm_90a, or 0 */
    unsigned address_size;
    struct ptx_variable *variables; /* module scope, in order */
    struct ptx_function *functions; /* in order; a declaration and its definition are one */
    struct ptx_named *variables_by_name, *functions_by_name;
    unsigned variable_count, function_count;
    const char **files;             /* by .file number; files[0] unused; NULL holes */
    unsigned file_count;
};

/* NULL on failure, with the line in err. It asks now and then whether to go on; or never: NULL. */
struct ptx_module *ptx_parse(const struct allocator *, const char *text, size_t n,
                             const struct go_on *, struct err *);
void ptx_free(struct ptx_module *);
struct ptx_function *ptx_function_named(const struct ptx_module *, const char *name);
struct ptx_variable *ptx_variable_named(const struct ptx_module *, const char *name);
const struct ptx_targets *ptx_targets_named(const struct ptx_function *, const char *name);
int64_t ptx_label_at(const struct ptx_function *, const char *name); /* -1: none */

#endif
