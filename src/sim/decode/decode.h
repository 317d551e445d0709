/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of this folder share. decode.c walks a function, rows.c and operands.c place what
 * it works on, shapes*.c and arith.c know the instructions that are more than a line of the table,
 * flow.c finds where branches meet, and show.c says what the outside sees.
 */
#ifndef SIM_DECODE_H
#define SIM_DECODE_H

#include "sim/handle.h"

#include <string.h>

enum { MOST_TOKENS = 16, ROW_ALIGN = 64 };
enum { WIDE_HALF = LANES * 8 }; /* bytes from the lower row to the upper row of a 128-bit value */
#define TO_END  (UINT32_MAX - 1) /* a target: where the function ends */
#define TO_NEXT (UINT32_MAX - 2) /* a target: past the instruction that follows */

/* Predicates of a frame that no register names; number 0 is always true. */
enum { CARRY_PREDICATE = 1, HIDDEN_PREDICATE = 2, FIRST_PREDICATE = 3 };

/* A list of words with numbers ends with a name NULL. The number of a word; -1: it isn't there. */
struct word_number { const char *name; int number; };
int number_of_word(const struct word_number *, const char *word);

/* "ld.global.f32" as words. */
struct op_tokens {
    char text[128];
    const char *word[MOST_TOKENS];
    unsigned count;
};

struct constant { uint64_t bits; uint32_t row, bytes; }; /* bytes 0: an empty slot */

struct decoder {
    struct sim_module *m;
    struct function *fn;
    struct arena scratch;
    struct raw *raw;
    size_t raw_count, raw_capacity;
    uint32_t *raw_at; /* first raw instruction of each PTX one */
    const struct ptx_instruction *from;
    struct sim_instruction *described; /* by PTX instruction, */
    struct sim_instruction *now;       /* and the one of `from` */
    bool writes;                       /* its first operand is a result */
    uint32_t guard;
    uint32_t guard_flip;
    uint64_t row_bytes; /* a layout of predicates and rows */
    uint32_t widen_to, widen_have; /* see result() */
    struct constant *known; /* rows of constants that are shared: a hash by value */
    size_t known_count, known_slots;
    uint32_t end;                  /* a target: what comes after the last PTX instruction */
    uint32_t stack_row;            /* where a function that uses alloca keeps how it found it */
    struct raw dummy;
    bool failed; /* memory ran out */
};

/* Turns one PTX instruction into raw ones. -1: memory ran out, or the loading is to be given up. */
typedef int decode_fn(struct decoder *, const struct op_tokens *);

/* An instruction that is more than a line of the table. */
struct instruction_shape {
    const char *name;
    decode_fn *decode;
    bool writes;    /* its first operand is a result */
    int capability; /* that it needs, where that is above 2.0 */
};
const struct instruction_shape *shape_named(const char *opcode); /* NULL: the table knows it */

decode_fn decode_table, decode_arithmetic; /* decode_arithmetic: what the table lacks */
decode_fn decode_video;
bool decode_has_parts(const struct decoder *); /* is an operand a part of a register (%r1.b0)? */
/* Words are compared so often that the call is worth saving. */
static inline bool same_word(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0;
}
bool has_token(const struct op_tokens *, const char *name);
bool one_of(const char *word, const char *const *list); /* the list ends with NULL */
struct raw *emit(struct decoder *, const char *op_name);
struct raw *emit_hidden(struct decoder *, const char *op_name);
/* All of these close the function. They keep the first reason, and return as a decoder does that has
 * no more to do. lacks: the PTX is right, but the simulator lacks what it asks for. */
int close_function(struct decoder *, const char *fmt, ...) PRINTF_LIKE(2, 3);
int lacks(struct decoder *, const char *fmt, ...) PRINTF_LIKE(2, 3);
void lacks_at(struct decoder *, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
int unsupported(struct decoder *); /* for this instruction; one of no such name is wrong */
void need(struct decoder *, int capability);

/* rows.c */
bool rows_full(struct decoder *); /* are there too many by now? Then the function is closed */
unsigned row_size(enum sim_type);
uint32_t new_row(struct decoder *, unsigned bytes);
uint32_t constant_row(struct decoder *, uint64_t bits, unsigned bytes, bool fresh);
/* From parameter to parameter as a call counts them: of a vector register part by part. */
void next_formal(const struct ptx_variable **, unsigned *part);

/* operands.c */
uint32_t register_row(const struct ptx_operand *, unsigned *size);
uint32_t source(struct decoder *, const struct ptx_operand *, enum sim_type);
uint32_t result(struct decoder *, const struct ptx_operand *, unsigned bytes);
void finish_result(struct decoder *, uint32_t row, unsigned bytes, bool is_signed);
bool is_predicate(const struct ptx_operand *);
uint32_t predicate(struct decoder *, const struct ptx_operand *, uint8_t *flags, uint8_t flip);

/* clock.c: does the function use a clock only to tell how much time has passed? */
bool clock_is_relative(struct arena *, const struct function *);

/* waits.c: if the code from raw instruction `first` to the branch back to it only waits by a clock,
 * the branch becomes one that passes over turns. */
void waits_find(struct decoder *, struct raw *branch, uint32_t first);

/* show.c: what is to be known of a PTX instruction once it is decoded, and of each piece of it */
int decode_describe(struct decoder *, const char *opcode); /* its first word */
void decode_show(const struct decoder *, const struct raw *, struct sim_instruction *);
/* What a trace may show of an instruction: its result, as the register was declared. */
uint8_t decode_shown_type(const struct raw *);

/* shapes-memory.c: does the word say for whom memory is ordered? Then it is kept. */
bool decode_scope(struct decoder *, const char *word);

/* shapes.c: an operand of the instruction (a sink where there is none), and are there enough? */
const struct ptx_operand *arg(const struct decoder *, unsigned i);
int wants(struct decoder *, unsigned least); /* -1: the function is closed for it */

/* shapes-memory.c: the registers of {a, b, c, d} or of one alone, how many; and how wide one is.
 * `item` has room for `count` registers. */
unsigned rows_of_vector(struct decoder *, const struct ptx_operand *, unsigned count,
                        const struct ptx_operand *item[]);
unsigned register_size(const struct ptx_operand *, enum sim_type);

/* shapes-memory.c: what the words of a load, store or atomic say. The address may change the
 * space. */
struct access {
    enum ptx_space space;
    bool generic, cluster; /* cluster: shared memory that may be another block's */
    bool wide;             /* a 128-bit value; it is handled as two 64-bit values */
    unsigned count;
    enum sim_type type;
};
bool read_space(struct decoder *, const char *word, struct access *); /* false: it is no space */
/* Reads [register+4], [symbol+4] or [4]. Sets flags, row and offset, and the space of the
 * access. */
void read_address(struct decoder *, struct access *, const struct ptx_operand *, struct insn *);
void set_vector_row(struct insn *, unsigned k, uint32_t row);
/* Makes the instruction. `in` has the rows, flags and offset; the access has all else. */
struct raw *emit_access(struct decoder *, const char *op_name, const struct insn *in,
                        const struct access *, enum sim_access_kind);

/* Decoders in shapes-memory.c, shapes-async.c, shapes-image.c, shapes-matrix.c and
 * shapes-call.c. */
decode_fn decode_load, decode_store, decode_atomic, decode_async, decode_cvta, decode_isspacep;
decode_fn decode_mapa, decode_policy, decode_stack, decode_mov;
decode_fn decode_mbarrier, decode_copy, decode_async_access;
decode_fn decode_texture, decode_surface, decode_image_query;
decode_fn decode_surface_reduction, decode_istypep;
decode_fn decode_mma, decode_wmma, decode_ldmatrix, decode_movmatrix;
decode_fn decode_bra, decode_brx, decode_exit, decode_trap, decode_call;

/* Room for one more in an array that lives in an arena. */
static inline int arena_grow(struct arena *a, void **items, uint32_t *capacity, uint32_t count,
                              size_t size)
{
    if (count < *capacity)
        return 0;
    uint32_t wider = *capacity ? *capacity * 2 : 8;
    void *more = arena_alloc(a, wider * size);
    if (!more)
        return -1;
    if (count)
        memcpy(more, *items, count * size);
    *items = more;
    *capacity = wider;
    return 0;
}

/* module.c */
int module_reserve(struct sim_module *, uint32_t more);
int64_t module_function(const struct sim_module *, const char *name);
uint64_t module_point(struct sim_module *, uint32_t number); /* the address of a function */

#endif
