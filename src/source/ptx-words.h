/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a PTX instruction does, in a student's words: "%f4 = a float from global memory at
 * %rd4". Each is read by itself; what a register holds is not known here.
 */
#ifndef SOURCE_PTX_WORDS_H
#define SOURCE_PTX_WORDS_H

#include "base/buf.h"
#include "base/lines.h"

/* What to say for a name in the PTX: k_param_0 is "x". */
struct ptx_name {
    const char *ptx, *shown;
};
struct ptx_names {
    const struct ptx_name *list; /* sorted by the PTX's names */
    unsigned count;
};

/* One sentence, without a full stop, for one instruction as it is written, its ; included. What
 * has no words of its own gets those of its parts. */
void ptx_words(struct span text, const struct ptx_names *, struct buf *out);

/* "%tid.x" is "threadIdx.x"; NULL: C has no name for it. */
const char *ptx_special_name(struct span reg);

/* An instruction as its pieces; they lie in the text. */
enum { PTX_MODIFIERS = 16, PTX_OPERANDS = 12 };
struct ptx_pieces {
    struct span guard; /* "%p1", n 0: none */
    bool guard_not;
    struct span opcode, modifier[PTX_MODIFIERS]; /* "ld" and "global", "f32" */
    unsigned modifier_count;
    struct span operand[PTX_OPERANDS];
    unsigned operand_count;
};
void ptx_take_apart(struct span text, struct ptx_pieces *);

#endif
