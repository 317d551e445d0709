/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes up programs, the same ones from the same seed:
 *
 *     generate SEED COUNT          CUDA C with the kernels k0 to kCOUNT-1
 *     generate SEED COUNT NUMBER   with the kernel of that number alone
 *     generate SEED                the words that the kernels read, as bytes
 *     generate                     numbers for the script: words of input, of output a kernel
 *
 * Nothing in a program is undefined or left to the compiler: whatever compiles and runs it must
 * come to the same bytes. Above each kernel stands how to launch it. Each thread writes words of
 * its own from all its variables; the words after those of all threads belong to atomics.
 *
 * statements.c and expressions.c make up what stands between. Arithmetic whose last bits only
 * hardware knows (expf, division of halves) is left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

static const char variables[] = "uuuiiUUIfffdhHBbcCsS"; /* of a kernel, by their types */
static const char few[] = "uuif";                       /* of a function, besides its operands */

/* What a text has as variables: `letters`, one each. */
static void declare(struct gen *g, const char *letters, const char *from)
{
    memset(g->copies, 0, sizeof g->copies);
    g->types = letters;
    for (const char *t = letters; *t; t++) {
        char word[64];
        int number = g->copies[(int)*t]++;
        snprintf(word, sizeof word, from, below(g, 997));
        open_line(g);
        printf("%s %c%d = ", type_name(*t), *t, number);
        printf(type_from_bits(*t), word);
        printf(";\n");
    }
}

/* A function of a few operands. Its own variables begin with values of those. */
static void function(struct gen *g, int number)
{
    static const char results[] = "uuuifUdhSb", kinds[] = "uuuifUdHcS";
    struct helper h = {.result = results[below(g, 10)], .recursive = one_in(g, 4)};
    int operands = 1 + below(g, 4);
    for (int i = 0; i < operands; i++)
        h.operands[i] = kinds[below(g, 10)];
    printf("__device__ %s%s f%d_%d(const u32 *in",
           h.recursive || one_in(g, 2) ? "__noinline__ " : "", type_name(h.result), g->kernel,
           number);
    for (int i = 0; i < operands; i++)
        printf(", %s a%d", type_name(h.operands[i]), i);
    printf("%s)\n{\n", h.recursive ? ", u32 deep" : "");
    g->indent = 1;
    char letters[8];
    snprintf(letters, sizeof letters, "%s%c", few, h.result);
    declare(g, letters, "in[%d]");
    g->types = few;
    for (int i = 0; i < operands; i++) {
        char type = h.operands[i];
        line(g, "%s %c%d = a%d;", type_name(type), type, g->copies[(int)type]++, i);
    }
    statements(g, 1 + below(g, 3), 1);
    if (one_in(g, 3)) {
        open_line(g);
        printf("if (");
        any_expression(g, 'b');
        printf(") return ");
        any_expression(g, h.result);
        printf(";\n");
        statements(g, 1 + below(g, 2), 2);
    }
    if (h.recursive) {
        open_line(g);
        printf("if (deep > 0u) %c%d = f%d_%d(in", h.result, below(g, g->copies[(int)h.result]),
               g->kernel, number);
        for (int i = 0; i < operands; i++) {
            printf(", ");
            expression(g, h.operands[i], 1);
        }
        printf(", deep - 1u);\n");
    }
    open_line(g);
    printf("return ");
    any_expression(g, h.result);
    printf(";\n}\n");
    g->helpers[g->helper_count++] = h;
}

/* A function that takes a struct by value, and returns it. */
static void pack_function(struct gen *g)
{
    printf("__device__ %spack g%d(const u32 *in, pack p, u32 a0)\n{\n",
           one_in(g, 2) ? "__noinline__ " : "", g->kernel);
    g->indent = 1;
    g->has_pack = true;
    declare(g, few, "in[%d]");
    line(g, "u0 = a0;");
    statements(g, 2 + below(g, 3), 1);
    line(g, "p.a += u0 ^ u1;");
    line(g, "return p;\n}");
    g->has_pack = false;
}

/* All variables, as words: vectors and single ones. */
static void results(struct gen *g)
{
    static const char *const words[] = {"u0",
                                        "u1",
                                        "u2",
                                        "(u32)i0",
                                        "(u32)i1",
                                        "(u32)U0",
                                        "(u32)(U0 >> 32)",
                                        "(u32)U1",
                                        "(u32)(U1 >> 32)",
                                        "(u32)I0",
                                        "(u32)(I0 >> 32)",
                                        "bits(f0)",
                                        "bits(f1)",
                                        "bits(f2)",
                                        "(u32)bits(d0)",
                                        "(u32)(bits(d0) >> 32)",
                                        "bits(h0)",
                                        "bits(H0)",
                                        "bits(B0)",
                                        "(u32)b0 | (u32)c0 << 8",
                                        "(u32)(int)C0",
                                        "(u32)s0 << 16 | (u16)S0"};
    int i = 0, count = sizeof words / sizeof *words;
    line(g, "u32 *mine = out + (blockIdx.x * size + t) * %du;", THREAD_WORDS);
    while (i < count) {
        int width = one_in(g, 2) && i % 4 == 0 && i + 4 <= count   ? 4
                    : one_in(g, 2) && i % 2 == 0 && i + 2 <= count ? 2
                                                                   : 1;
        if (width == 4)
            line(g, "*(uint4 *)(mine + %d) = make_uint4(%s, %s, %s, %s);", i, words[i],
                 words[i + 1], words[i + 2], words[i + 3]);
        else if (width == 2)
            line(g, "*(uint2 *)(mine + %d) = make_uint2(%s, %s);", i, words[i], words[i + 1]);
        else
            line(g, "mine[%d] = %s;", i, words[i]);
        i += width;
    }
    if (g->has_pack)
        line(g,
             "mine[%d] = p.a ^ bits(p.b) ^ (u32)p.c ^ (u32)(p.c >> 32) ^ (u32)(int)p.d "
             "^ p.e[0] ^ p.e[1] << 8 ^ p.e[2] << 16;",
             count);
    if (g->has_arrays) {
        line(g, "u32 all = bits(m[0]) ^ bits(m[1]) * 3u ^ bits(m[2]) * 5u ^ bits(m[3]) * 7u;");
        line(g, "for (u32 j = 0u; j < 8u; j++) all = all * 31u + l[j];");
        line(g, "mine[%d] = all;", count + 1);
    }
}

static void shared_memory(struct gen *g)
{
    static const char *const arrays[] = {"u32 words",     "u64 longs",    "double doubles",
                                         "uint4 fours",   "float4 quads", "u8 bytes",
                                         "__half halves", "i16 shorts",   "float floats"};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        line(g, "__shared__ %s[%d];", arrays[i], MOST_THREADS);
    line(g, "__shared__ u32 sums[32];");
    line(g, "__shared__ u64 long_sums[16];");
    line(g, "__shared__ float float_sums[16];");
    line(g, "__shared__ double double_sums[16];");
    line(g, "__shared__ __half2 half_sums[16];");
}

static void kernel(struct gen *g)
{
    int threads = 32 << below(g, 3);
    if (one_in(g, 4))
        threads = 96;
    printf("\n");
    int functions = below(g, 3);
    for (int i = 0; i < functions; i++)
        function(g, i);
    bool packs = one_in(g, 3), arrays = one_in(g, 2);
    if (packs)
        pack_function(g);
    printf("// launch k%d<<<%d, %d>>>\n", g->kernel, BLOCKS, threads);
    printf("extern \"C\" __global__ void k%d(const u32 *%sin, u32 *out)\n{\n", g->kernel,
           one_in(g, 2) ? "__restrict__ " : "");
    g->indent = 1;
    shared_memory(g);
    line(g, "const u32 t = threadIdx.x, size = blockDim.x, lane = t & 31u;");
    line(g, "u32 *tail = out + %d * %du;", BLOCKS * MOST_THREADS, THREAD_WORDS);
    line(g, "u32 w0 = in[%d + blockIdx.x], w1 = in[%d];", below(g, 900), below(g, 900));
    declare(g, variables, "in[(t * 7u + blockIdx.x * 131u + %du) & 1023u]");
    if (packs) {
        line(g, "pack p = {u1, f1, U1, S0, {c0, (u8)u2, (u8)i1}};");
        g->has_pack = true;
    }
    if (arrays) {
        line(g, "u32 l[8];");
        line(g, "float m[4] = {f0, f1, f2, 1.0f};");
        line(g, "for (u32 j = 0u; j < 8u; j++) l[j] = u0 * j + u1;");
        g->has_arrays = true;
    }
    g->in_kernel = g->uniform = true;
    statements(g, 3 + below(g, 4), 3);
    if (packs) {
        open_line(g);
        printf("p = g%d(in, p, ", g->kernel);
        any_expression(g, 'u');
        printf(");\n");
    }
    statements(g, 2 + below(g, 3), 3);
    results(g);
    printf("}\n");
}

/* Words of all kinds: any bits, small numbers, floats and halves of middling size, edges */
static void input(struct gen *g)
{
    for (int i = 0; i < INPUT_WORDS; i++) {
        uint32_t any = (uint32_t)draw(g), word = any;
        switch (below(g, 6)) {
        case 0: word = any % 64; break;
        case 1: word = constant(g); break;
        case 2: word = (any & 0x807fffffu) | (uint32_t)(117 + below(g, 21)) << 23; break;
        case 3: word = (any & 0x83ff83ffu) | (uint32_t)(10 + below(g, 11)) * 0x04000400u; break;
        case 4: word = any % 64 == 0 ? 0 : 0u - any % 100; break;
        default: break;
        }
        for (int byte = 0; byte < 4; byte++)
            putchar((int)(word >> 8 * byte & 255));
    }
}

static void begin(struct gen *g, uint64_t seed, int number)
{
    *g =
        (struct gen){.chance = seed * UINT64_C(0x100000001b3) + (uint64_t)number, .kernel = number};
    draw(g);
    g->chance = draw(g);
}

int main(int argc, char *argv[])
{
    struct gen g;
    if (argc == 1) {
        printf("%d %d\n", INPUT_WORDS, KERNEL_WORDS);
        return 0;
    }
    uint64_t seed = strtoull(argv[1], NULL, 10);
    if (argc == 2) {
        begin(&g, seed, -1);
        input(&g);
        return 0;
    }
    int count = atoi(argv[2]);
    printf("// generate %s\n#include \"prelude.cuh\"\n", argv[1]);
    for (int i = 0; i < count; i++) {
        if (argc > 3 && atoi(argv[3]) != i)
            continue;
        begin(&g, seed, i);
        kernel(&g);
    }
    return 0;
}
