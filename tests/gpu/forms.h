/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel for every form of tests/data/forms.txt, the same for the simulator and for a GPU:
 * 1024 threads, each with operands of its own out of a table made here, run the instruction once
 * and leave 64 bytes. tests/h100/forms.txt has what an H100 left, as a hash, or, where the form
 * is approximate, as the first results themselves.
 *
 * A line is the form and its operands, a letter each, the result first: h r d registers of 16, 32
 * and 64 bits, f g floats and doubles, p a predicate, q two of them, w a register and a predicate,
 * n a negated predicate, i the number 0x5A, m the mask of all lanes, 0 the number 0. A letter may
 * have a minus sign before it and a part behind it, as `r.b3 -r r.h0` without the blanks. Instead of
 * letters, `@` stands for memory: loads, stores, copies, atomics, conversions of addresses; `-` for
 * nothing at all.
 */
#ifndef TESTS_GPU_FORMS_H
#define TESTS_GPU_FORMS_H

#include "numbers.h"
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 8, THREADS = 128, COUNT = BLOCKS * THREADS, SLOTS = 4, KINDS = 6, KEPT = 128 };
enum { OUT_BYTES = 64, IN_WORDS = KINDS * SLOTS * COUNT, GIVEN = 64, LONGEST = 112 };
static const char kinds[] = "hrdfgp";

struct form {
    char name[LONGEST];
    const char *operands;
};

/* ---- operands -------------------------------------------------------------------------- */

static const uint64_t edges_h[] = {0, 1, 2, 0xFFFF, 0x7FFF, 0x8000, 15, 16, 0x3C00, 0xBC00, 0x7C00,
    0xFC00, 0x7E00, 0x7BFF, 0x0400, 0x03FF, 0x3800, 0x3F80, 0x7F80, 0xFF80, 0x7FC0, 0x0080, 0x4248};
static const uint64_t edges_r[] = {0, 1, 2, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 5, 31, 32, 33, 0xFF,
    0xFFFF, 0x10000, 0x3C003C00, 0x7C00FC00, 0x7E000001, 0x3F803F80, 0x7F800080, 0x80808080};
static const uint64_t edges_d[] = {0, 1, 2, ~0ull, INT64_MAX, 1ull << 63, 63, 64, 65, 0xFFFFFFFF,
    0x100000000, 0x7FFFFFFF, 0xFFFFFFFF80000000, 1ull << 53, (1ull << 53) + 1, 0x8080808080808080};
static const uint64_t edges_f[] = {0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
    0x7FC00000, 0x7F800001, 1, 0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x4B800000, 0x4F000000,
    0xCF000000, 0x5F000000, 0x3F000000, 0x40200000, 0x477FE000, 0x33800000, 0x40490FDB, 0x42FE0000};
static const uint64_t edges_g[] = {0, 1ull << 63, 0x3FF0000000000000, 0xBFF0000000000000,
    0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000001, 1,
    0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0x4330000000000000,
    0x43E0000000000000, 0xC3E0000000000000, 0x3FE0000000000000, 0x4004000000000000,
    0x47EFFFFFF0000000, 0x36A0000000000000, 0x3810000000000000, 0x41DFFFFFFFE00000};

#define PICK(edges) edges[more % (sizeof edges / sizeof *edges)]

static uint64_t edge(char kind, uint64_t more)
{
    switch (kind) {
    case 'h': return PICK(edges_h);
    case 'r': return PICK(edges_r);
    case 'd': return PICK(edges_d);
    case 'f': return PICK(edges_f);
    case 'g': return PICK(edges_g);
    default: return more & 1;
    }
}

/* A third is edges, a third any bits, a third numbers of the size that programs have. */
static uint64_t operand_value(char kind, unsigned slot, unsigned i)
{
    uint64_t any = mixed((uint64_t)kind << 32 | slot << 16 | i), more = mixed(any);
    if (any % 3 == 0 || kind == 'p')
        return edge(kind, more);
    bool usual = any % 3 == 1;
    switch (kind) {
    case 'h': return usual ? 0x3000 + (more & 0x9FFF) : more & 0xFFFF;
    case 'r': return usual ? (uint32_t)(int32_t)(int16_t)more : more & 0xFFFFFFFF;
    case 'f': return usual ? (more & 0x807FFFFF) | (115 + more / 0x100000000 % 15) << 23
                           : more & 0xFFFFFFFF;
    case 'd': return usual ? (uint64_t)(int64_t)(int32_t)more : more;
    default: return usual ? (more & 0x800FFFFFFFFFFFFF) | (1011 + (more >> 52) % 15) << 52 : more;
    }
}

static void operand_table(uint64_t in[IN_WORDS])
{
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned s = 0; s < SLOTS; s++)
            for (unsigned i = 0; i < COUNT; i++)
                in[(k * SLOTS + s) * COUNT + i] = operand_value(kinds[k], s, i);
}

/* ---- PTX ------------------------------------------------------------------------------- */

static void load_operand(struct buf *t, char letter, unsigned slot)
{
    const char *kind = strchr(kinds, letter == 'n' ? 'p' : letter);
    if (!kind)
        return;
    unsigned at = (unsigned)((kind - kinds) * SLOTS + slot) * COUNT * 8, n = slot + 1;
    switch (*kind) {
    case 'h': buf_printf(t, "ld.global.b16 %%h%u, [%%d10+%u];\n", n, at); break;
    case 'r': buf_printf(t, "ld.global.b32 %%r%u, [%%d10+%u];\n", n, at); break;
    case 'd': buf_printf(t, "ld.global.b64 %%d%u, [%%d10+%u];\n", n, at); break;
    case 'f': buf_printf(t, "ld.global.f32 %%f%u, [%%d10+%u];\n", n, at); break;
    case 'g': buf_printf(t, "ld.global.f64 %%g%u, [%%d10+%u];\n", n, at); break;
    default:
        buf_printf(t, "ld.global.u32 %%r13, [%%d10+%u];\nsetp.ne.u32 %%p%u, %%r13, 0;\n", at, n);
    }
}

static void put_operand(struct buf *t, char letter, unsigned n)
{
    switch (letter) {
    case 'q': buf_printf(t, "%%p%u|%%p9", n); break;
    case 'w': buf_printf(t, "%%r%u|%%p%u", n, n); break;
    case 'n': buf_printf(t, "!%%p%u", n); break;
    case 'i': buf_puts(t, "0x5A"); break;
    case 'm': buf_puts(t, "0xffffffff"); break;
    case '0': buf_puts(t, "0"); break;
    default: buf_printf(t, "%%%c%u", letter, n);
    }
}

static void store_predicate(struct buf *t, unsigned n, unsigned at)
{
    buf_printf(t, "selp.u32 %%r13, 1, 0, %%p%u;\nst.global.u32 [%%d11+%u], %%r13;\n", n, at);
}

static void store_result(struct buf *t, char letter, unsigned n, unsigned at)
{
    switch (letter) {
    case 'h': buf_printf(t, "st.global.b16 [%%d11+%u], %%h%u;\n", at, n); break;
    case 'r': buf_printf(t, "st.global.b32 [%%d11+%u], %%r%u;\n", at, n); break;
    case 'd': buf_printf(t, "st.global.b64 [%%d11+%u], %%d%u;\n", at, n); break;
    case 'f': buf_printf(t, "st.global.f32 [%%d11+%u], %%f%u;\n", at, n); break;
    case 'g': buf_printf(t, "st.global.f64 [%%d11+%u], %%g%u;\n", at, n); break;
    case 'w': buf_printf(t, "st.global.b32 [%%d11+%u], %%r%u;\n", at, n); /* and its predicate */
        store_predicate(t, n, at + 8);
        break;
    case 'q': store_predicate(t, 9, at + 8); /* and the first one */
        store_predicate(t, n, at);
        break;
    case 'p': store_predicate(t, n, at); break;
    }
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Finds the letter of the operand that begins at `p`, or the end of the list. */
static const char *next_operand(const char *p)
{
    return p + strcspn(p, "hrdfgpqwnim0");
}

/* The place after the letter at `p` and after its part. */
static const char *behind_operand(const char *p)
{
    return p[1] == '.' ? p + 3 + strspn(p + 3, "0123456789") : p + 1;
}

/* Writes the operands with these numbers of registers, or else numbered from 0. */
static void put_operands(struct buf *t, const char *p, const unsigned *numbers)
{
    for (unsigned i = 0; *p; i++) {
        const char *letter = next_operand(p), *end = behind_operand(letter);
        buf_printf(t, "%s%.*s", i ? ", " : " ", (int)(letter - p), p);
        put_operand(t, *letter, numbers ? numbers[i] : i);
        buf_printf(t, "%.*s", (int)(end - letter - 1), letter + 1);
        p = end;
    }
}

/* Carries come from an addition before, and go into one after. */
static void put_plain(struct buf *t, const struct form *f)
{
    const char *letters = f->operands;
    unsigned slot = 0;
    bool takes_carry = starts(f->name, "addc") || starts(f->name, "madc");
    bool takes_borrow = starts(f->name, "subc");
    for (const char *p = behind_operand(letters); *p; p = behind_operand(p)) {
        p = next_operand(p);
        load_operand(t, *p, slot++);
    }
    if (takes_carry || takes_borrow)
        buf_printf(t, "ld.global.b32 %%r15, [%%d10+%u];\nld.global.b32 %%r16, [%%d10+%u];\n"
                   "%s.cc.u32 %%r15, %%r15, %%r16;\n", SLOTS * COUNT * 8, (SLOTS + 1) * COUNT * 8,
                   takes_borrow ? "sub" : "add");
    buf_puts(t, f->name);
    put_operands(t, letters, NULL);
    buf_puts(t, ";\n");
    if (strstr(f->name, ".cc"))
        buf_printf(t, "%sc.u32 %%r15, 0, 0;\nst.global.b32 [%%d11+8], %%r15;\n",
                   f->name[0] == 's' ? "sub" : "add");
    store_result(t, letters[0], 0, 0);
}

/* ---- memory ---------------------------------------------------------------------------- */

static bool has_part(const char *name, const char *part)
{
    size_t n = strlen(part);
    for (const char *p = name; (p = strstr(p, part)); p += n)
        if (p > name && p[-1] == '.' && (p[n] == '.' || p[n] == '\0'))
            return true;
    return false;
}

static const char *space_of(const char *name)
{
    static const char *const spaces[] = {"global", "shared", "local", "const", "param"};
    for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (has_part(name, spaces[i]))
            return spaces[i];
    return strstr(name, ".shared::cta") ? "shared" : "";
}

static char letter_of(const char *type)
{
    if (strcmp(type, "f32") == 0)
        return 'f';
    if (strcmp(type, "f64") == 0)
        return 'g';
    if (strstr(type, "64"))
        return 'd';
    return strstr(type, "32") || strstr(type, "16x2") ? 'r' : 'h';
}

static const unsigned vector_register[] = {0, 5, 6, 7};

static void put_vector(struct buf *t, char letter, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        buf_printf(t, "%s%%%c%u%s", i ? ", " : count > 1 ? "{" : "", letter, vector_register[i],
                   i + 1 < count ? "" : count > 1 ? "}" : "");
}

/* %d14: the thread's 64 bytes of this space, to be used with that space's instructions. */
static void put_address(struct buf *t, const char *space)
{
    if (strcmp(space, "shared") == 0)
        buf_puts(t, "mov.u64 %d14, room;\nmul.wide.u32 %d12, %r10, 64;\n"
                    "add.u64 %d14, %d14, %d12;\n");
    else if (strcmp(space, "local") == 0)
        buf_puts(t, "mov.u64 %d14, own;\n");
    else if (strcmp(space, "const") == 0)
        buf_puts(t, "mov.u64 %d14, cells;\nand.b32 %r13, %r10, 3;\nmul.wide.u32 %d12, %r13, 16;\n"
                    "add.u64 %d14, %d14, %d12;\n");
    else
        buf_puts(t, "mov.u64 %d14, %d11;\n"); /* global, generic */
}

/* 64 bytes, from the thread's part of the table into its part of the space. */
static void fill_space(struct buf *t, const char *space)
{
    if (strcmp(space, "const") == 0 || strcmp(space, "param") == 0)
        return;
    for (unsigned at = 0; at < 64; at += 8)
        buf_printf(t, "ld.global.b64 %%d15, [%%d13+%u];\nst%s%s.b64 [%%d14+%u], %%d15;\n", at,
                   *space ? "." : "", space, at);
}

static unsigned vector_count(const char *name)
{
    return has_part(name, "v4") ? 4 : has_part(name, "v2") ? 2 : 1;
}

static void put_load(struct buf *t, const struct form *f, const char *space, const char *type)
{
    unsigned count = vector_count(f->name);
    char letter = letter_of(type);
    const char *at = strcmp(space, "param") == 0 ? "given+16" : "%d14";
    if (has_part(f->name, "nc")) { /* what this launch doesn't write */
        buf_puts(t, "mov.u64 %d14, %d13;\n");
    } else {
        put_address(t, space);
        fill_space(t, space);
    }
    buf_printf(t, "%s ", f->name);
    put_vector(t, letter, count);
    buf_printf(t, ", [%s];\n", at);
    if (count == 1 && strchr("bus", *type)) { /* registers may be wider than what is loaded */
        buf_printf(t, "%s %%d9, [%s];\n", f->name, at);
        store_result(t, 'd', 9, 32);
    }
    for (unsigned i = 0; i < count; i++)
        store_result(t, letter, vector_register[i], 8 * i);
}

static void put_store(struct buf *t, const struct form *f, const char *space, const char *type)
{
    unsigned count = vector_count(f->name);
    char letter = letter_of(type);
    bool away = *space && strcmp(space, "global") != 0;
    put_address(t, space);
    if (away)
        fill_space(t, space);
    for (unsigned i = 0; i < count; i++) {
        load_operand(t, letter, i);
        buf_printf(t, "mov.b%s %%%c%u, %%%c%u;\n",
                   letter == 'h' ? "16" : letter == 'r' || letter == 'f' ? "32" : "64", letter,
                   vector_register[i], letter, i + 1);
    }
    buf_printf(t, "%s [%%d14], ", f->name);
    put_vector(t, letter, count);
    buf_puts(t, ";\n");
    if (count == 1 && strchr("bus", *type)) {
        load_operand(t, 'd', 0);
        buf_printf(t, "%s [%%d14+32], %%d1;\n", f->name);
    }
    for (unsigned at = 0; away && at < 64; at += 8)
        buf_printf(t, "ld.%s.b64 %%d15, [%%d14+%u];\nst.global.b64 [%%d11+%u], %%d15;\n", space,
                   at, at);
}

/* The cell at 32, what it held at 0, what it holds then at 8. A cas succeeds every other time. */
static void put_atomic(struct buf *t, const struct form *f, const char *space, const char *type)
{
    char letter = letter_of(type);
    const char *bits = letter == 'h' ? "16" : letter == 'r' || letter == 'f' ? "32" : "64";
    bool gives = starts(f->name, "atom"), cas = has_part(f->name, "cas");
    put_address(t, space);
    fill_space(t, space);
    load_operand(t, letter, 0);
    load_operand(t, letter, 1);
    if (cas)
        buf_printf(t, "and.b32 %%r13, %%r10, 1;\nsetp.eq.u32 %%p8, %%r13, 1;\n"
                   "@%%p8 ld%s%s.b%s %%%c1, [%%d14+32];\n", *space ? "." : "", space, bits, letter);
    buf_printf(t, "%s ", f->name);
    if (gives)
        buf_printf(t, "%%%c0, ", letter);
    buf_printf(t, "[%%d14+32], %%%c1", letter);
    if (cas)
        buf_printf(t, ", %%%c2", letter);
    buf_puts(t, ";\n");
    buf_printf(t, "ld%s%s.b64 %%d15, [%%d14+32];\n", *space ? "." : "", space);
    if (!*space || strcmp(space, "global") == 0)
        buf_puts(t, "st.global.b64 [%d11+32], 0;\n");
    if (gives)
        store_result(t, letter, 0, 0);
    buf_puts(t, "st.global.b64 [%d11+8], %d15;\n");
}

/* An address of a space, made generic and back: both read the same. */
static void put_cvta(struct buf *t, const char *space)
{
    put_address(t, space);
    fill_space(t, space);
    buf_printf(t, "cvta.%s.u64 %%d1, %%d14;\nld.b64 %%d2, [%%d1+8];\n"
               "cvta.to.%s.u64 %%d3, %%d1;\nld.%s.b64 %%d4, [%%d3];\n"
               "st.global.b64 [%%d11], %%d2;\nst.global.b64 [%%d11+8], %%d4;\n", space, space,
               space);
}

static void put_isspacep(struct buf *t, const struct form *f)
{
    static const char *const spaces[] = {"shared", "local", "const", "global"};
    for (unsigned i = 0; i < 4; i++) {
        put_address(t, spaces[i]);
        if (i < 3)
            buf_printf(t, "cvta.%s.u64 %%d14, %%d14;\n", spaces[i]);
        buf_printf(t, "%s %%p1, %%d14;\n", f->name);
        store_predicate(t, 1, 8 * i);
    }
}

/* Whole pieces, then such of which only a part is read. `.cg` copies 16 bytes only. */
static void put_async(struct buf *t, const struct form *f)
{
    bool small = has_part(f->name, "ca");
    put_address(t, "shared");
    buf_puts(t, "and.b32 %r1, %r10, 15;\nshr.u32 %r2, %r1, 1;\nsetp.lt.u32 %p1, %r1, 5;\n");
    for (unsigned at = 0; at < 64; at += 8)
        buf_printf(t, "st.shared.b64 [%%d14+%u], -1;\n", at);
    if (small)
        buf_printf(t, "%s [%%d14], [%%d13+4], 4;\n%s [%%d14+8], [%%d13+16], 8, %%r2;\n", f->name,
                   f->name);
    buf_printf(t, "%s [%%d14+16], [%%d13+16], 16;\n%s [%%d14+32], [%%d13+32], 16, %%r1;\n"
               "%s [%%d14+48], [%%d13+48], 16, %%p1;\ncp.async.commit_group;\n"
               "cp.async.wait_group 0;\n", f->name, f->name, f->name);
    for (unsigned at = 0; at < 64; at += 8)
        buf_printf(t, "ld.shared.b64 %%d15, [%%d14+%u];\nst.global.b64 [%%d11+%u], %%d15;\n", at,
                   at);
}

static void put_memory(struct buf *t, const struct form *f)
{
    const char *space = space_of(f->name), *type = strrchr(f->name, '.') + 1;
    if (starts(f->name, "ld"))
        put_load(t, f, space, type);
    else if (starts(f->name, "st"))
        put_store(t, f, space, type);
    else if (starts(f->name, "cvta"))
        put_cvta(t, space);
    else if (starts(f->name, "isspacep"))
        put_isspacep(t, f);
    else if (starts(f->name, "cp.async"))
        put_async(t, f);
    else
        put_atomic(t, f, space, type);
}

static void form_ptx(struct buf *t, const struct form *f)
{
    /* Votes and shuffles without a mask are not for sm_70 and later. */
    bool old = (starts(f->name, "vote.") || starts(f->name, "shfl.")) && !strstr(f->name, ".sync");
    buf_printf(t, ".version %s\n.target %s\n.address_size 64\n.const .align 16 .b8 cells[128] = {",
               old ? "6.0" : "8.6", old ? "sm_60" : "sm_90");
    for (unsigned i = 0; i < 128; i++)
        buf_printf(t, "%s%u", i ? "," : "", (unsigned)(mixed(i) & 0xFF));
    buf_printf(t, "};\n.visible .entry k(.param .u64 in, .param .u64 out, "
               ".param .align 16 .b8 given[%d])\n{\n.reg .b16 %%h<10>;\n.reg .b32 %%r<20>;\n"
               ".reg .b64 %%d<20>;\n.reg .f32 %%f<10>;\n.reg .f64 %%g<10>;\n.reg .pred %%p<10>;\n"
               ".shared .align 16 .b8 room[%d];\n.local .align 16 .b8 own[64];\n"
               "ld.param.u64 %%d10, [in];\nld.param.u64 %%d11, [out];\n"
               "mov.u32 %%r10, %%tid.x;\nmov.u32 %%r11, %%ctaid.x;\n"
               "mad.lo.u32 %%r12, %%r11, %d, %%r10;\nmul.wide.u32 %%d12, %%r12, 64;\n"
               "add.u64 %%d11, %%d11, %%d12;\nadd.u64 %%d13, %%d10, %%d12;\n"
               "mul.wide.u32 %%d12, %%r12, 8;\nadd.u64 %%d10, %%d10, %%d12;\n", GIVEN,
               THREADS * 64, THREADS);
    if (f->operands[0] == '@')
        put_memory(t, f);
    else if (f->operands[0] == '-')
        buf_printf(t, "%s;\nst.global.u32 [%%d11], %%r12;\n", f->name);
    else
        put_plain(t, f);
    buf_puts(t, "ret;\n}\n");
}

/* ---- results --------------------------------------------------------------------------- */

static void given_bytes(unsigned char given[GIVEN])
{
    for (unsigned i = 0; i < GIVEN; i++)
        given[i] = (unsigned char)mixed(1000 + i);
}

/* What arithmetic gives is one NaN here: which of them it is, is nobody's promise. */
static uint64_t one_nan(uint64_t bits, unsigned fraction, unsigned exponent)
{
    uint64_t infinite = ((1ull << exponent) - 1) << fraction;
    uint64_t size = bits & ((1ull << (fraction + exponent)) - 1);
    return size > infinite ? infinite | 1ull << (fraction - 1) : bits;
}

static void settle_at(unsigned char *at, unsigned fraction, unsigned exponent)
{
    uint64_t bits;
    memcpy(&bits, at, sizeof bits);
    bits = one_nan(bits, fraction, exponent);
    memcpy(at, &bits, sizeof bits);
}

static void form_settle(const struct form *f, unsigned char *out)
{
    bool moves = starts(f->name, "mov") || starts(f->name, "sel") || starts(f->name, "slct");
    bool converts = starts(f->name, "cvt.") && strchr("hr", f->operands[0]);
    bool adds = f->operands[0] == '@' && strstr(f->name, "add.f64");
    for (unsigned i = 0; i < COUNT; i++, out += OUT_BYTES)
        if (adds)
            settle_at(out + 8, 52, 11);
        else if (f->operands[0] == 'g' && !moves)
            settle_at(out, 52, 11);
        else if ((f->operands[0] == 'f' && !moves) || (converts && has_part(f->name, "tf32")))
            settle_at(out, 23, 8);
        else if (converts && has_part(f->name, "bf16") && has_part(f->name, "f64"))
            settle_at(out, 7, 8);
        else if (converts && has_part(f->name, "f16") && has_part(f->name, "f64"))
            settle_at(out, 10, 5);
}

static uint64_t form_hash(const unsigned char *out)
{
    return hash_of(out, (size_t)COUNT * OUT_BYTES);
}

static bool form_approximate(const struct form *f)
{
    return strstr(f->name, ".approx") || strstr(f->name, ".full");
}

/* The k-th result of an approximate form, as bits. */
static uint64_t form_result(const unsigned char *out, unsigned k)
{
    uint64_t bits;
    memcpy(&bits, out + (size_t)k * OUT_BYTES, sizeof bits);
    return bits;
}

/* The next line's form; false at the end. */
static bool form_read(FILE *file, struct form *f)
{
    char *space;
    if (!fgets(f->name, sizeof f->name, file))
        return false;
    f->name[strcspn(f->name, "\n")] = '\0';
    if (!(space = strchr(f->name, ' ')))
        return false;
    *space = '\0';
    f->operands = space + 1;
    return true;
}

#endif
