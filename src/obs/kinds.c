/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kind of an instruction, from its text: the operation, and the type that it ends with.
 */
#include "obs/cost.h"

#include <string.h>

const char *const cost_kind_says[COST_KINDS] = {
#define KIND(name, says) [COST_##name] = says,
#include "obs/kinds.def"
#undef KIND
};

/* The operation of a text, up to the first blank: "mad.lo.s32". */
struct opcode {
    const char *at;
    size_t n;
};

static struct opcode opcode_of(const char *text)
{
    if (*text == '@')
        text += strcspn(text, " \t");
    text += strspn(text, " \t");
    return (struct opcode){text, strcspn(text, " \t;")};
}

/* Its first word is one of these, which blanks divide. */
static bool is_one_of(struct opcode o, const char *words)
{
    const size_t n = strcspn(o.at, ".; \t");
    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (length == n && strncmp(at, o.at, n) == 0)
            return true;
        at += length;
    }
    return false;
}

static bool has(struct opcode o, const char *part)
{
    const size_t n = strlen(part);
    for (size_t i = 0; i + n <= o.n; i++)
        if (strncmp(o.at + i, part, n) == 0)
            return true;
    return false;
}

static bool is_float(struct opcode o)
{
    return has(o, ".f32") || has(o, ".f16") || has(o, ".bf16");
}

static bool is_64(struct opcode o)
{
    return has(o, ".s64") || has(o, ".u64") || has(o, ".b64");
}

static enum cost_kind divides(struct opcode o)
{
    if (has(o, ".f64"))
        return COST_DIV_F64;
    if (is_float(o))
        return has(o, ".approx") || has(o, ".full") ? COST_SPECIAL : COST_DIV_F32;
    return is_64(o) ? COST_DIV_INT64 : COST_DIV_INT;
}

/* A cast from one integer to another takes none of its own in most cases. */
static enum cost_kind converts(struct opcode o)
{
    return has(o, ".f") || has(o, ".bf") || has(o, "x2") ? COST_CONVERT : COST_FREE;
}

static enum cost_kind computes(struct opcode o)
{
    if (is_one_of(o, "setp set selp slct and or xor not lop3 shl shr shf min max prmt bfe bfi"))
        return has(o, ".f64") ? COST_F64 : COST_LOGIC;
    if (has(o, ".f64"))
        return COST_F64;
    if (has(o, "f16"))
        return COST_F16;
    if (is_float(o))
        return COST_F32;
    if (is_one_of(o, "mul mad mul24 mad24 dp4a dp2a"))
        return COST_MUL;
    return is_64(o) ? COST_INT64 : COST_INT;
}

enum cost_kind cost_kind_of(const struct sim_instruction *i)
{
    const struct opcode o = opcode_of(i->text);
    switch (i->kind) {
    case SIM_CLASS_BRANCH:
    case SIM_CLASS_CALL:
    case SIM_CLASS_EXIT: return COST_BRANCH;
    case SIM_CLASS_BARRIER:
    case SIM_CLASS_ARRIVE:
    case SIM_CLASS_MBARRIER: return COST_BARRIER;
    case SIM_CLASS_FENCE: return COST_FENCE;
    case SIM_CLASS_SHUFFLE: return COST_SHUFFLE;
    case SIM_CLASS_VOTE: return COST_VOTE;
    case SIM_CLASS_TEXTURE: return COST_TEXTURE;
    case SIM_CLASS_LOAD: return i->space == SIM_PARAM ? COST_FREE : COST_MEMORY;
    case SIM_CLASS_STORE: return i->space == SIM_PARAM ? COST_FREE : COST_MEMORY;
    case SIM_CLASS_ATOMIC:
    case SIM_CLASS_BULK: return COST_MEMORY;
    case SIM_CLASS_HIDDEN: return COST_FREE;
    case SIM_CLASS_ALU: break;
    }
    if (is_one_of(o, "mov cvta isspacep"))
        return COST_FREE;
    if (is_one_of(o, "cvt"))
        return converts(o);
    if (is_one_of(o, "div rem sqrt rcp"))
        return divides(o);
    if (is_one_of(o, "rsqrt sin cos lg2 ex2 tanh"))
        return COST_SPECIAL;
    if (is_one_of(o, "popc clz bfind brev fns"))
        return COST_BITS;
    if (is_one_of(o, "mma wmma wgmma"))
        return COST_TENSOR;
    if (is_one_of(o, "redux match vote"))
        return COST_VOTE;
    return computes(o);
}
