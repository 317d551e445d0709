/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions of the programs that the generator makes up. operations.def has the operations;
 * an operation is drawn among those of its type, and its operands are drawn in the same way, down
 * to variables and constants.
 */
#include <stdio.h>
#include <string.h>

#include "generate.h"

static const struct operation {
    char result;
    const char *text;
} operations[] = {
#define OP(result, text) {result, text},
#include "operations.def"
#undef OP
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const struct {
    char letter;
    const char *name, *from_bits;
} types[] = {
    {'b', "bool", "((%s & 1u) != 0u)"},
    {'c', "u8", "(u8)%s"},
    {'C', "i8", "(i8)%s"},
    {'s', "u16", "(u16)%s"},
    {'S', "i16", "(i16)%s"},
    {'u', "u32", "%s"},
    {'i', "i32", "(i32)%s"},
    {'U', "u64", "((u64)%s * 0x100000001ull)"},
    {'I', "i64", "(i64)((u64)%s * 0x9e3779b97f4a7c15ull)"},
    {'f', "float", "__uint_as_float(%s)"},
    {'d', "double", "(double)__uint_as_float(%s)"},
    {'h', "__half", "half_of(%s)"},
    {'H', "__half2", "half2_of(%s)"},
    {'B', "__nv_bfloat16", "bf16_of(%s >> 16)"},
};

static int type_index(char letter)
{
    int i = 0;
    while (types[i].letter != letter)
        i++;
    return i;
}
const char *type_name(char letter)
{
    return types[type_index(letter)].name;
}
const char *type_from_bits(char letter)
{
    return types[type_index(letter)].from_bits;
}

uint32_t constant(struct gen *g)
{
    static const uint32_t edges[] = {1,          2,          3,          31,         32,
                                     0x7f,       0x80,       0xff,       0x7fff,     0x8000,
                                     0xffff,     0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000,
                                     0x3c003c00, 0x7f800000, 0x00800000, 0x55555555, 0x10001};
    uint32_t bits = (uint32_t)draw(g);
    switch (below(g, 3)) {
    case 0: return edges[below(g, sizeof edges / sizeof *edges)];
    case 1: return 1 + bits % 100;
    default: return bits ? bits : 1;
    }
}

static void constant_of(struct gen *g, char type)
{
    static const char *const floats[] = {"0.0",  "1.0",    "-1.0",   "0.5",  "3.0",
                                         "-7.5", "1000.0", "0.0625", "1e-3", "65504.0"};
    char bits[16];
    if (type == 'f' || type == 'd') {
        const char *text = floats[below(g, sizeof floats / sizeof *floats)];
        printf(type == 'f' ? "(%sf)" : "(%s)", text);
        return;
    }
    snprintf(bits, sizeof bits, "0x%xu", (unsigned)constant(g));
    printf(type_from_bits(type), bits);
}

/* A member of the struct, or an element of a local array; false where there is none of the type. */
static bool part(struct gen *g, char type, bool assigned)
{
    if (g->has_arrays && one_in(g, 3) && (type == 'u' || type == 'f')) {
        printf(type == 'u' ? "l[" : "m[");
        expression(g, 'u', assigned ? 0 : 1);
        printf(type == 'u' ? " & 7u]" : " & 3u]");
        return true;
    }
    if (!g->has_pack || !one_in(g, 3))
        return false;
    switch (type) {
    case 'u': printf("p.a"); return true;
    case 'f': printf("p.b"); return true;
    case 'U': printf("p.c"); return true;
    case 'S': printf("p.d"); return true;
    case 'c':
        printf("p.e[");
        expression(g, 'u', 0);
        printf(" %% 3u]");
        return true;
    default: return false;
    }
}

void target(struct gen *g, char type)
{
    if (!part(g, type, true))
        printf("%c%d", type, below(g, g->copies[(int)type]));
}

static void leaf(struct gen *g, char type)
{
    if (one_in(g, 6)) {
        constant_of(g, type);
    } else if (type == 'u' && g->counters && one_in(g, 3)) {
        printf("n%d", below(g, g->counters));
    } else if (type == 'u' && g->in_kernel && one_in(g, 5)) {
        static const char *const places[] = {"t", "lane", "blockIdx.x", "w0", "w1", "size"};
        printf("%s", places[below(g, 6)]);
    } else if (part(g, type, false)) {
        return;
    } else if (g->copies[(int)type]) {
        printf("%c%d", type, below(g, g->copies[(int)type]));
    } else {
        char name[16];
        snprintf(name, sizeof name, "u%d", below(g, g->copies['u']));
        printf(type_from_bits(type), name);
    }
}

void call(struct gen *g, int helper, int depth)
{
    const struct helper *h = &g->helpers[helper];
    printf("f%d_%d(in", g->kernel, helper);
    for (const char *t = h->operands; *t; t++) {
        printf(", ");
        expression(g, *t, depth - 1);
    }
    if (h->recursive) {
        printf(", ");
        expression(g, 'u', depth - 1);
        printf(" & 3u");
    }
    printf(")");
}

/* A call of a function with that result; false where there is none. */
static bool called(struct gen *g, char type, int depth)
{
    int first = g->helper_count ? below(g, g->helper_count) : 0;
    for (int i = 0; i < g->helper_count; i++) {
        int helper = (first + i) % g->helper_count;
        if (g->helpers[helper].result == type) {
            call(g, helper, depth);
            return true;
        }
    }
    return false;
}

/* Operations that the text leaves open are drawn when it is written. */
static void fill_in(struct gen *g, const char *text, int depth)
{
    static const char *const roundings[] = {"rn", "rz", "ru", "rd"};
    for (const char *s = text; *s; s++) {
        if (*s != '$') {
            putchar(*s);
            continue;
        }
        s++;
        if (*s == 'r')
            printf("%s", roundings[below(g, 4)]);
        else if (*s == '5')
            printf("%du", below(g, 32));
        else if (*s == 'k')
            printf("0x%xu", (unsigned)constant(g));
        else
            expression(g, *s, depth - 1);
    }
}

static const char *operation_of(struct gen *g, char type)
{
    int first = 0, count = 0;
    for (int i = 0; i < OPERATIONS; i++)
        count += operations[i].result == type;
    first = below(g, count);
    for (int i = 0;; i++)
        if (operations[i].result == type && first-- == 0)
            return operations[i].text;
}

void expression(struct gen *g, char type, int depth)
{
    if (depth <= 0) {
        leaf(g, type);
    } else if (one_in(g, 12)) {
        printf("(");
        expression(g, 'b', depth - 1);
        printf(" ? ");
        expression(g, type, depth - 1);
        printf(" : ");
        expression(g, type, depth - 1);
        printf(")");
    } else if (!one_in(g, 10) || !called(g, type, depth)) {
        fill_in(g, operation_of(g, type), depth);
    }
}

void any_expression(struct gen *g, char type)
{
    static const int depths[] = {1, 1, 1, 2, 2, 2, 3};
    expression(g, type, depths[below(g, 7)]);
}
