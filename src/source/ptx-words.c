/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An instruction is split into opcode, modifiers and operands. A table has a sentence for each
 * opcode, with slots for the operands. Words for modifiers follow the sentence. An instruction that
 * fits no row is described by its parts, so that nothing wrong is said.
 */
#include "source/ptx-words.h"

#include "base/num.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum tail { NONE, KIND, SIGNED, LANES, SILENT }; /* SILENT: modifiers add nothing */

struct words_row {
    const char *opcode, *modifier;
    unsigned operands;
    const char *words;
    enum tail tail;
};

static const struct words_row rows[] = {
#define WORDS(opcode, modifier, operands, words, tail) {opcode, modifier, operands, words, tail},
#include "source/ptx-words.def"
#undef WORDS
};

struct type_words {
    const char *name, *one, *many, *many_signed;
};

static const struct type_words types[] = {
    {"f16", "a half", "halves", "halves"},
    {"f16x2", "two halves", "two halves each", "two halves each"},
    {"bf16", "a bfloat16", "bfloat16 numbers", "bfloat16 numbers"},
    {"bf16x2", "two bfloat16 numbers", "two bfloat16 numbers each", "two bfloat16 numbers each"},
    {"tf32", "a tf32 number", "tf32 numbers", "tf32 numbers"},
    {"e4m3x2", "two e4m3 numbers", "two e4m3 numbers each", "two e4m3 numbers each"},
    {"e5m2x2", "two e5m2 numbers", "two e5m2 numbers each", "two e5m2 numbers each"},
    {"f32", "a float", "floats", "floats"},
    {"f64", "a double", "doubles", "doubles"},
    {"u8", "an unsigned 8-bit number", "8-bit whole numbers", "unsigned 8-bit whole numbers"},
    {"s8", "a signed 8-bit number", "8-bit whole numbers", "signed 8-bit whole numbers"},
    {"u16", "an unsigned 16-bit number", "16-bit whole numbers", "unsigned 16-bit whole numbers"},
    {"s16", "a signed 16-bit number", "16-bit whole numbers", "signed 16-bit whole numbers"},
    {"u32", "an unsigned 32-bit number", "whole numbers", "unsigned whole numbers"},
    {"s32", "a signed 32-bit number", "whole numbers", "signed whole numbers"},
    {"u64", "an unsigned 64-bit number", "64-bit whole numbers", "unsigned 64-bit whole numbers"},
    {"s64", "a signed 64-bit number", "64-bit whole numbers", "signed 64-bit whole numbers"},
    {"b8", "8 bits", "", ""}, {"b16", "16 bits", "", ""}, {"b32", "32 bits", "", ""},
    {"b64", "64 bits", "", ""}, {"b128", "128 bits", "", ""}, {"pred", "a predicate", "", ""},
};

struct pair {
    const char *name, *words;
};

static const struct pair spaces[] = {
    {"global", "global memory"}, {"shared", "shared memory"}, {"local", "local memory"},
    {"const", "constant memory"}, {"param", "the parameters"}, {"tex", "texture memory"},
    {"shared::cta", "shared memory"}, {"shared::cluster", "the cluster's shared memory"},
    {"param::entry", "the parameters"}, {"param::func", "the parameters"}};

static const struct pair viewers[] = {
    {"cta", "the block"}, {"gl", "the whole GPU"}, {"gpu", "the whole GPU"},
    {"sys", "the GPU and the host"}, {"cluster", "the cluster of blocks"}};

static const struct pair signs[] = {
    {"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="}, {"gt", ">"}, {"ge", ">="},
    {"lo", "<"}, {"ls", "<="}, {"hi", ">"}, {"hs", ">="}, {"equ", "=="}, {"neu", "!="},
    {"ltu", "<"}, {"leu", "<="}, {"gtu", ">"}, {"geu", ">="}};

static const struct pair joints[] = {{"and", "and"}, {"or", "or"}, {"xor", "xor"}};

/* Words for a modifier follow the sentence. */
static const struct pair notes[] = {
    {"rn", "rounded to nearest"}, {"rz", "rounded toward zero"}, {"rm", "rounded down"},
    {"rp", "rounded up"}, {"rna", "rounded to nearest, halves away from zero"},
    {"rni", "rounded to the nearest whole number"}, {"rzi", "cut to a whole number, toward zero"},
    {"rmi", "rounded down to a whole number"}, {"rpi", "rounded up to a whole number"},
    {"approx", "not exact in the last bits"}, {"full", "not exact in the last bits"},
    {"ftz", "tiny numbers counting as 0"}, {"noftz", "tiny numbers kept"},
    {"relu", "negative ones made 0"}, {"xorsign", "with the sign of their product"},
    {"abs", "signs left out"}, {"NaN", "nan where either is nan"},
    {"satfinite", "kept within what it can hold"},
    {"oob", "what lies outside a tensor counting as 0"},
    {"cc", "the carry or borrow kept for the next instruction"},
    {"equ", "true too where one is nan"}, {"neu", "true too where one is nan"},
    {"ltu", "true too where one is nan"}, {"leu", "true too where one is nan"},
    {"gtu", "true too where one is nan"}, {"geu", "true too where one is nan"},
    {"volatile", "really done each time"}, {"nc", "through the read-only cache"},
    {"ca", "cached at every level"}, {"cg", "cached in L2 only"}, {"cs", "likely used only once"},
    {"lu", "for the last time"}, {"cv", "past all caches"}, {"wb", "cached at every level"},
    {"wt", "through to memory at once"}, {"relaxed", "safe next to other threads' accesses"},
    {"acquire", "later accesses stay after it"}, {"release", "earlier accesses stay before it"},
    {"acq_rel", "earlier accesses stay before it, later ones after it"},
    {"wrap", "$last counted modulo the width"},
    {"clamp", "$last at most the width"}};

static const struct pair specials[] = {
    {"%tid", "this thread's $x in its block"}, {"%ntid", "the block's size in $x"},
    {"%ctaid", "this block's $x in the grid"}, {"%nctaid", "the grid's size in $x, in blocks"},
    {"%laneid", "this thread's number in its warp"},
    {"%warpid", "this warp's number in its block"}, {"%nwarpid", "how many warps there can be"},
    {"%smid", "the multiprocessor that this runs on"}, {"%nsmid", "how many multiprocessors"},
    {"%gridid", "the number of this launch"}, {"%lanemask_eq", "a bit for this lane"},
    {"%lanemask_le", "bits for this lane and those below"},
    {"%lanemask_lt", "bits for the lanes below this one"},
    {"%lanemask_ge", "bits for this lane and those above"},
    {"%lanemask_gt", "bits for the lanes above this one"},
    {"%clock", "the clock, lower 32 bits"}, {"%clock_hi", "the clock, upper 32 bits"},
    {"%clock64", "the clock"}, {"%globaltimer", "nanoseconds"},
    {"%globaltimer_lo", "nanoseconds, lower 32 bits"},
    {"%globaltimer_hi", "nanoseconds, upper 32 bits"},
    {"%dynamic_smem_size", "bytes of shared memory given at the launch"},
    {"%total_smem_size", "bytes of shared memory in all"},
    {"%aggr_smem_size", "bytes of shared memory in all"},
    {"%reserved_smem_offset_begin", "where the system's part of shared memory begins"},
    {"%reserved_smem_offset_end", "where the system's part of shared memory ends"},
    {"%reserved_smem_offset_cap", "how many bytes the system's part of shared memory can have"},
    {"%reserved_smem_offset_0", "a place in the system's part of shared memory"},
    {"%reserved_smem_offset_1", "a place in the system's part of shared memory"},
    {"%is_explicit_cluster", "whether the launch named a cluster size"},
    {"%current_graph_exec", "the graph that runs this, 0 for none"}, {"WARP_SZ", "the lanes of a warp, 32"},
    {"%clusterid", "the $x of this cluster in the grid"},
    {"%nclusterid", "the grid's size in $x, in clusters"},
    {"%cluster_ctaid", "this block's $x in its cluster"},
    {"%cluster_nctaid", "the cluster's size in $x, in blocks"},
    {"%cluster_ctarank", "this block's number in its cluster"},
    {"%cluster_nctarank", "how many blocks a cluster has"}};

struct sentence {
    struct ptx_pieces is;
    const struct ptx_names *names;
    struct buf *out;
};

/* ---- taking apart --------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct span drop(struct span s, size_t n)
{
    n = n < s.n ? n : s.n;
    return (struct span){s.at + n, s.n - n};
}

/* Takes a word, up to a blank or the end of the instruction. */
static struct span take_word(struct span *text)
{
    struct span word = {text->at, 0};
    while (word.n < text->n && !is_space(word.at[word.n]) && word.at[word.n] != ';')
        word.n++;
    *text = trim(drop(*text, word.n));
    return word;
}

static void split_opcode(struct span word, struct ptx_pieces *out)
{
    for (bool first = true; word.n; first = false) {
        const char *dot = memchr(word.at, '.', word.n);
        struct span piece = {word.at, dot ? (size_t)(dot - word.at) : word.n};
        if (first)
            out->opcode = piece;
        else if (out->modifier_count < PTX_MODIFIERS)
            out->modifier[out->modifier_count++] = piece;
        word = drop(word, piece.n + 1);
    }
}

static void split_operands(struct span rest, struct ptx_pieces *out)
{
    int depth = 0;
    struct span piece = {rest.at, 0};
    for (size_t i = 0; i <= rest.n; i++) {
        char c = i < rest.n ? rest.at[i] : ';';
        depth += strchr("([{", c) && c ? 1 : strchr(")]}", c) && c ? -1 : 0;
        if (c != ';' && (c != ',' || depth > 0))
            continue;
        piece.n = (size_t)(rest.at + i - piece.at);
        piece = trim(piece);
        if (piece.n && out->operand_count < PTX_OPERANDS)
            out->operand[out->operand_count++] = piece;
        if (c == ';')
            return;
        piece.at = rest.at + i + 1;
    }
}

void ptx_take_apart(struct span text, struct ptx_pieces *out)
{
    memset(out, 0, sizeof *out);
    text = trim(text);
    if (begins(text, "@")) {
        text = drop(text, 1);
        out->guard_not = begins(text, "!");
        text = drop(text, out->guard_not);
        out->guard = take_word(&text);
    }
    split_opcode(take_word(&text), out);
    split_operands(text, out);
}

static bool has(const struct ptx_pieces *p, const char *modifier)
{
    for (unsigned i = 0; i < p->modifier_count; i++)
        if (same_text(p->modifier[i], modifier))
            return true;
    return false;
}

static const char *words_of(const struct pair *table, size_t count, struct span name)
{
    for (size_t i = 0; i < count; i++)
        if (same_text(name, table[i].name))
            return table[i].words;
    return NULL;
}

/* Finds the words of the first modifier that is in the table. */
static const char *word_among(const struct ptx_pieces *p, const struct pair *table, size_t count)
{
    const char *words = NULL;
    for (unsigned i = 0; !words && i < p->modifier_count; i++)
        words = words_of(table, count, p->modifier[i]);
    return words;
}

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define AMONG(p, table) word_among(p, table, COUNT(table))

/* Finds the k-th type among the modifiers. */
static const struct type_words *type_of(const struct ptx_pieces *p, unsigned k)
{
    for (unsigned i = 0; i < p->modifier_count; i++)
        for (size_t t = 0; t < COUNT(types); t++)
            if (same_text(p->modifier[i], types[t].name) && k-- == 0)
                return &types[t];
    return NULL;
}

/* ---- operands ------------------------------------------------------------------------- */

/* Splits %tid.x into %tid and x. n 0: the register has no such end. */
static struct span axis_of(struct span *reg)
{
    size_t n = reg->n;
    if (n < 3 || reg->at[n - 2] != '.' || !strchr("xyz", reg->at[n - 1]))
        return (struct span){reg->at, 0};
    reg->n = n - 2;
    return (struct span){reg->at + n - 1, 1};
}

const char *ptx_special_name(struct span reg)
{
    static const struct pair c_names[] = {
        {"%tid.x", "threadIdx.x"}, {"%tid.y", "threadIdx.y"}, {"%tid.z", "threadIdx.z"},
        {"%ntid.x", "blockDim.x"}, {"%ntid.y", "blockDim.y"}, {"%ntid.z", "blockDim.z"},
        {"%ctaid.x", "blockIdx.x"}, {"%ctaid.y", "blockIdx.y"}, {"%ctaid.z", "blockIdx.z"},
        {"%nctaid.x", "gridDim.x"}, {"%nctaid.y", "gridDim.y"}, {"%nctaid.z", "gridDim.z"},
        {"WARP_SZ", "warpSize"}};
    return words_of(c_names, COUNT(c_names), reg);
}

static void add_span(struct buf *out, struct span s)
{
    buf_add(out, s.at, s.n);
}

/* Writes 0f3F800000 as 1, and 0d... likewise. false: it is no such number. */
static bool add_float(struct buf *out, struct span s)
{
    char digits[20], text[NUM_TEXT];
    bool single = s.n == 10 && (begins(s, "0f") || begins(s, "0F"));
    bool twice = s.n == 18 && (begins(s, "0d") || begins(s, "0D"));
    if (!single && !twice)
        return false;
    memcpy(digits, s.at + 2, s.n - 2);
    digits[s.n - 2] = '\0';
    uint64_t bits = strtoull(digits, NULL, 16);
    uint32_t low = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &bits, sizeof d);
    buf_puts(out, single ? num_f32(f, text) : num_f64(d, text));
    return true;
}

static bool starts_name(char c)
{
    return c == '%' || c == '_' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Finds what is shown for a name, in the sorted list. NULL: the name itself is shown. */
static const char *shown_name(const struct ptx_names *names, struct span name)
{
    unsigned low = 0, high = names ? names->count : 0;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        const char *here = names->list[middle].ptx;
        int c = strncmp(here, name.at, name.n);
        c = c ? c : here[name.n] != '\0';
        if (c == 0)
            return names->list[middle].shown;
        low = c < 0 ? middle + 1 : low;
        high = c < 0 ? high : middle;
    }
    return NULL;
}

static void add_name(struct sentence *s, struct span name)
{
    const char *shown = ptx_special_name(name);
    if (!shown)
        shown = shown_name(s->names, name);
    if (shown)
        buf_puts(s->out, shown);
    else
        add_span(s->out, name);
}

/* Writes a register, symbol or number. `base+0` is written as the base, `base+-4` as `base-4`. */
static void add_sum(struct sentence *s, struct span o)
{
    size_t n = 0;
    while (n < o.n && !strchr("+-, ", o.at[n]))
        n++;
    struct span rest = trim(drop(o, n));
    if (!o.n || !starts_name(o.at[0])) {
        add_span(s->out, o);
        return;
    }
    add_name(s, (struct span){o.at, n});
    if (same_text(rest, "+0"))
        return;
    if (begins(rest, "+-"))
        rest = drop(rest, 1);
    add_span(s->out, rest);
}

static void add_operand(struct sentence *s, struct span o)
{
    const char *bar = memchr(o.at, '|', o.n);
    if (bar)
        o = trim((struct span){o.at, (size_t)(bar - o.at)});
    if (begins(o, "!")) {
        buf_puts(s->out, "not ");
        o = drop(o, 1);
    }
    if (!add_float(s->out, o))
        add_sum(s, o);
}

static void add_address(struct sentence *s, struct span o)
{
    if (o.n >= 2 && o.at[0] == '[' && o.at[o.n - 1] == ']')
        o = trim((struct span){o.at + 1, o.n - 2});
    add_sum(s, o);
}

/* ---- the sentence --------------------------------------------------------------------- */

static void add_numbers(struct sentence *s)
{
    const struct type_words *t = type_of(&s->is, 0);
    unsigned count = has(&s->is, "v2") ? 2 : has(&s->is, "v4") ? 4 : has(&s->is, "v8") ? 8 : 1;
    if (count == 1)
        buf_puts(s->out, t ? t->one : "a number");
    else if (t && *t->many_signed)
        buf_printf(s->out, "%u %s", count, t->many_signed);
    else
        buf_printf(s->out, "%u times %s", count, t ? t->one : "a number");
}

static void add_text(struct buf *out, const char *text, const char *if_none)
{
    buf_puts(out, text ? text : if_none);
}

static void add_noun(struct sentence *s, unsigned k)
{
    const struct type_words *t = type_of(&s->is, k);
    add_text(s->out, t ? t->one : NULL, "a number");
}

/* Fills in one slot. Returns how many characters after the $ it took. */
static size_t add_slot(struct sentence *s, const char *slot)
{
    if (*slot >= '0' && *slot <= '9')
        add_operand(s, s->is.operand[*slot - '0']);
    else if (slot[0] == 'a')
        add_address(s, s->is.operand[slot[1] - '0']);
    else if (*slot == 'n')
        add_numbers(s);
    else if (*slot == 't' || *slot == 'u')
        add_noun(s, *slot == 'u');
    else if (*slot == 's')
        add_text(s->out, AMONG(&s->is, spaces), "memory");
    else if (*slot == 'c')
        add_text(s->out, AMONG(&s->is, signs), "against");
    else if (*slot == 'b')
        add_text(s->out, AMONG(&s->is, joints), "with");
    else if (*slot == 'w')
        add_text(s->out, AMONG(&s->is, viewers), "the whole GPU");
    return *slot == 'a' ? 2 : 1;
}

static void fill(struct sentence *s, const char *words)
{
    for (; *words; words++) {
        if (*words == '$')
            words += add_slot(s, words + 1);
        else
            buf_putc(s->out, *words);
    }
}

static const char *special_words(struct span reg, struct span *axis)
{
    const char *words = words_of(specials, COUNT(specials), reg);
    *axis = SPAN("");
    if (words)
        return words;
    *axis = axis_of(&reg);
    return axis->n ? words_of(specials, COUNT(specials), reg) : NULL;
}

/* Writes the words of a special register, with its axis for $x. */
static void add_special(struct buf *out, const char *words, struct span axis)
{
    for (; *words; words++) {
        bool slot = words[0] == '$' && words[1] == 'x';
        if (slot)
            add_span(out, axis);
        else
            buf_putc(out, *words);
        words += slot;
    }
}

/* mov has many uses: a special register, an address, a pair of registers, or just a copy. */
static void say_mov(struct sentence *s)
{
    struct span to = s->is.operand[0], from = s->is.operand[1], axis;
    const char *special = special_words(from, &axis);
    if (begins(from, "{")) {
        fill(s, "$0 = $1 put side by side, the first one lowest");
    } else if (begins(to, "{")) {
        fill(s, "$0 = the parts of $1, the lowest first");
    } else if (special) {
        fill(s, "$0 = $1, ");
        add_special(s->out, special, axis);
    } else if (from.n && from.at[0] != '%' && starts_name(from.at[0])) {
        fill(s, "$0 = the address of $1");
    } else {
        fill(s, "$0 = $1");
    }
}

static bool is_call_slot(struct span address, const char *name)
{
    return begins(drop(address, 1), name);
}

/* Parameters are the kernel's own, or those of calls. Compilers give the latter fixed names. */
static void say_param(struct sentence *s, bool load)
{
    struct span at = s->is.operand[load ? 1 : 0];
    if (load && is_call_slot(at, "retval"))
        fill(s, "$0 = what the call gave back, $n");
    else if (load)
        fill(s, "$0 = the parameter $a1, $n");
    else if (is_call_slot(at, "func_retval"))
        fill(s, "what this function gives back = $1, $n");
    else
        fill(s, "$a0, for the call that follows, = $1, $n");
}

static void say_call(struct sentence *s)
{
    struct span name = {"", 0}, list[2];
    unsigned lists = 0;
    bool returns = begins(s->is.operand[0], "(");
    for (unsigned i = 0; i < s->is.operand_count; i++) {
        struct span o = s->is.operand[i];
        if (begins(o, "(") && lists < 2)
            list[lists++] = o;
        else if (!begins(o, "(") && !name.n)
            name = o;
    }
    buf_puts(s->out, begins(name, "%") ? "call the function whose address is " : "call ");
    add_name(s, name);
    if (lists > returns) {
        buf_puts(s->out, " with ");
        add_span(s->out, list[lists - 1]);
    }
    if (returns) {
        buf_puts(s->out, "; what it gives back is in ");
        add_span(s->out, list[0]);
    }
}

static bool say_by_hand(struct sentence *s)
{
    const struct ptx_pieces *p = &s->is;
    bool load = same_text(p->opcode, "ld"), store = same_text(p->opcode, "st");
    bool two = p->operand_count >= 2;
    bool param = has(p, "param") || has(p, "param::func") || has(p, "param::entry");
    if (two && same_text(p->opcode, "mov"))
        say_mov(s);
    else if (two && param && (load || store))
        say_param(s, load);
    else if (p->operand_count && same_text(p->opcode, "call"))
        say_call(s);
    else if (p->operand_count == 2 && same_text(p->opcode, "cvt") &&
             type_of(p, 0) && type_of(p, 0) == type_of(p, 1))
        fill(s, "$0 = $1");
    else
        return false;
    return true;
}

/* ---- what is said after it ------------------------------------------------------------ */

/* Compilers write the mask of all 32 lanes in these ways. */
static bool is_all_lanes(struct span mask)
{
    return same_text(mask, "-1") || same_text(mask, "0xffffffff") ||
           same_text(mask, "0xFFFFFFFF") || same_text(mask, "4294967295");
}

static void add_lanes(struct sentence *s)
{
    struct span mask = s->is.operand[s->is.operand_count - 1];
    if (!has(&s->is, "sync"))
        return;
    if (is_all_lanes(mask)) {
        buf_puts(s->out, ", all 32 lanes taking part");
        return;
    }
    buf_puts(s->out, ", the lanes of mask ");
    add_operand(s, mask);
    buf_puts(s->out, " taking part");
}

static void add_kind(struct sentence *s, enum tail tail)
{
    const struct type_words *t = type_of(&s->is, 0);
    const char *many = t ? tail == SIGNED ? t->many_signed : t->many : "";
    if (*many)
        buf_printf(s->out, ", %s", many);
}

static void add_notes(struct sentence *s)
{
    const struct type_words *t = type_of(&s->is, 0);
    for (unsigned i = 0; i < s->is.modifier_count; i++) {
        const char *words = words_of(notes, COUNT(notes), s->is.modifier[i]);
        if (words && strncmp(words, "$last", 5) == 0) {
            buf_puts(s->out, ", ");
            add_operand(s, s->is.operand[s->is.operand_count ? s->is.operand_count - 1 : 0]);
            buf_puts(s->out, words + 5);
        } else if (words) {
            buf_printf(s->out, ", %s", words);
        } else if (same_text(s->is.modifier[i], "sat")) {
            buf_puts(s->out, t && strchr("us", t->name[0]) ? ", kept within what it can hold"
                                                           : ", kept within 0 and 1");
        }
    }
    const char *who = AMONG(&s->is, viewers);
    bool ordered = has(&s->is, "acquire") || has(&s->is, "release") || has(&s->is, "acq_rel") ||
                   has(&s->is, "relaxed") || same_text(s->is.opcode, "atom") ||
                   same_text(s->is.opcode, "red");
    if (who && ordered)
        buf_printf(s->out, ", for %s", who);
}

static bool is_flow(struct span opcode)
{
    return same_text(opcode, "bra") || same_text(opcode, "brx") || same_text(opcode, "call") ||
           same_text(opcode, "ret");
}

/* Says what a shuffle's third operand does, and that a jump is one of the whole warp. */
static void add_rest(struct sentence *s)
{
    struct span parts = s->is.operand[3];
    if (is_flow(s->is.opcode) && has(&s->is, "uni"))
        buf_puts(s->out, ", all lanes of the warp alike");
    if (!same_text(s->is.opcode, "shfl") || !parts.n || same_text(parts, "31") ||
        same_text(parts, "0"))
        return;
    buf_puts(s->out, ", within parts of the warp as ");
    add_operand(s, parts);
    buf_puts(s->out, " says");
}

/* Says what the second register of `%p1|%p2` is. */
static void add_second(struct sentence *s)
{
    struct span o = s->is.operand[0];
    const char *bar = o.n ? memchr(o.at, '|', o.n) : NULL;
    if (!bar)
        return;
    struct span second = trim((struct span){bar + 1, (size_t)(o.at + o.n - bar - 1)});
    bool joined = AMONG(&s->is, joints) != NULL;
    const char *opposite = joined ? "the same, compared the other way" : "the opposite";
    const char *what = same_text(s->is.opcode, "setp")    ? opposite
                       : same_text(s->is.opcode, "shfl")  ? "whether that lane exists"
                       : same_text(s->is.opcode, "match") ? "whether all have the same"
                       : same_text(s->is.opcode, "elect") ? "whether it is this one"
                       : same_text(s->is.opcode, "lop3")  ? "whether it is not 0"
                                                          : "a second result";
    if (!same_text(second, "_"))
        buf_printf(s->out, "; %.*s = %s", (int)second.n, second.at, what);
    if (same_text(s->is.opcode, "lop3") && joined && s->is.operand_count > 5) {
        buf_printf(s->out, ", %s ", AMONG(&s->is, joints));
        add_operand(s, s->is.operand[5]);
    }
}

/* Describes an instruction that fits no row by its type, space and operands. */
static void say_parts(struct sentence *s)
{
    const char *space = AMONG(&s->is, spaces);
    const struct type_words *t = type_of(&s->is, 0);
    add_span(s->out, s->is.opcode);
    if (s->is.operand_count)
        buf_puts(s->out, " on ");
    for (unsigned i = 0; i < s->is.operand_count; i++) {
        buf_puts(s->out, i == 0 ? "" : i + 1 == s->is.operand_count ? " and " : ", ");
        add_operand(s, s->is.operand[i]);
    }
    if (t)
        buf_printf(s->out, ", %s", t->one);
    if (space)
        buf_printf(s->out, ", %s", space);
}

static const struct words_row *row_for(const struct ptx_pieces *p)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (same_text(p->opcode, rows[i].opcode) && p->operand_count >= rows[i].operands &&
            (!*rows[i].modifier || has(p, rows[i].modifier)))
            return &rows[i];
    return NULL;
}

static void say_instruction(struct sentence *s)
{
    bool by_hand = say_by_hand(s);
    const struct words_row *row = by_hand ? NULL : row_for(&s->is);
    if (row)
        fill(s, row->words);
    else if (!by_hand)
        say_parts(s);
    if (row && (row->tail == KIND || row->tail == SIGNED))
        add_kind(s, row->tail);
    if (row && row->tail == LANES)
        add_lanes(s);
    if (!row || row->tail != SILENT)
        add_notes(s);
    add_rest(s);
    add_second(s);
}

void ptx_words(struct span text, const struct ptx_names *names, struct buf *out)
{
    struct sentence s = {.names = names, .out = out};
    ptx_take_apart(text, &s.is);
    if (s.is.guard.n)
        buf_printf(out, "only lanes where %.*s is %s: ", (int)s.is.guard.n, s.is.guard.at,
                   s.is.guard_not ? "false" : "true");
    say_instruction(&s);
}
