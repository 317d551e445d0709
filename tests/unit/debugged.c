/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Debug information that is cut off or changed anywhere gives names or none, and never anything
 * else: all is read and printed, at each line of the PTX.
 */
#include "step/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel with a variable of each kind of place, a list, a struct and a scope. */
static const char text[] =
    ".version 7.0\n.target sm_75, debug\n.address_size 64\n"
    ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n"
    "\t.local .align 8 .b8 \t__local_depot0[16];\n\t.reg .b64 \t%SP;\n\t.reg .b64 \t%SPL;\n"
    "\t.reg .pred %p<2>;\n\t.reg .b16 %rs<3>;\n\t.reg .b32 %r<9>;\n\t.loc 1 1 0\n$L__begin:\n"
    "\tmov.u64 %SPL, __local_depot0;\n\tcvta.local.u64 %SP, %SPL;\n\t.loc 1 2 0\n"
    "\tmov.u32 %r1, %tid.x;\n$L__tmp0:\n\t.loc 1 3 0\n\tst.u32 [%SP+4], %r1;\n\t.loc 1 4 0\n"
    "\tmov.u32 %r2, %r1;\n$L__tmp1:\n\tsetp.eq.s32 %p1, %r1, 3;\n\t@%p1 bra $L__BB;\n"
    "\t.loc 1 5 0\n\tadd.s32 %r3, %r2, 1;\n\tselp.u16 %rs1, 1, 0, %p1;\n\tmov.u16 %rs2, %rs1;\n$L__tmp2:\n\tbra.uni $L__BB;\n$L__BB:\n\t.loc 1 6 0\n"
    "\tret;\n$L__end:\n}\n"
    "\t.file 1 \"k.cu\"\n"
    "\t.section .debug_loc\n\t{\n.b64 $L__tmp1\n.b64 $L__tmp2\n.b8 5,0\n.b8 144,178,228,149,1\n"
    ".b64 $L__tmp2\n.b64 $L__end\n.b8 5\n.b8 0\n.b8 144,179,228,149,1\n.b64 0\n.b64 0\n\t}\n"
    "\t.section .debug_abbrev\n\t{\n"
    ".b8 1,17,1,0,0\n"
    ".b8 2,36,0,3,8,62,11,11,11,0,0\n"             /* a base type */
    ".b8 3,46,1,17,1,18,1,3,8,0,0\n"               /* a function */
    ".b8 4,52,0,2,10,3,8,59,11,73,19,0,0\n"        /* a variable in one place */
    ".b8 5,52,0,2,6,3,8,59,11,73,19,0,0\n"         /* in a list of places */
    ".b8 6,11,1,17,1,18,1,0,0\n"                   /* a scope */
    ".b8 7,19,1,3,8,11,11,0,0\n"                   /* a struct */
    ".b8 8,13,0,3,8,73,19,56,10,0,0\n"             /* its member */
    ".b8 9,15,0,73,19,0,0\n"                       /* a pointer */
    ".b8 10,52,0,28,13,3,8,59,11,73,19,0,0\n"      /* a constant */
    ".b8 11,1,1,73,19,0,0\n.b8 12,33,0,55,11,0,0\n" /* an array and its size */
    ".b8 0\n\t}\n"
    "\t.section .debug_info\n\t{\n.b32 190\n.b8 2\n.b8 0\n.b32 .debug_abbrev\n.b8 8\n"
    ".b8 1\n"
    ".b8 2\n.b8 105,110,116,0\n.b8 5\n.b8 4\n"                                   /* 12: int */
    ".b8 7\n.b8 83,0\n.b8 16\n.b8 8,97,0\n.b32 12\n.b8 2,35,0\n"                  /* 19: S, a */
    ".b8 8,112,0\n.b32 44\n.b8 2,35,8\n.b8 0\n"                                  /* p */
    ".b8 9\n.b32 19\n"                                                           /* 44: S * */
    ".b8 11\n.b32 12\n.b8 12,4\n.b8 0\n"                                         /* 49: int[4] */
    ".b8 3\n.b64 $L__begin\n.b64 $L__end\n.b8 107,0\n"
    ".b8 4\n.b8 5,144,177,228,149,1\n.b8 105,0\n.b8 2\n.b32 12\n"                /* i in %r1 */
    ".b8 4\n.b8 11,3\n.b64 __local_depot0\n.b8 35,4\n.b8 106,0\n.b8 3\n.b32 12\n" /* j */
    ".b8 10\n.b8 9\n.b8 99,0\n.b8 1\n.b32 12\n"                                  /* c is 9 */
    ".b8 6\n.b64 $L__tmp0\n.b64 $L__end\n"
    ".b8 5\n.b32 .debug_loc\n.b8 118,0\n.b8 4\n.b32 12\n"                        /* v */
    ".b8 4\n.b8 9,3\n.b64 __local_depot0\n.b8 115,0\n.b8 3\n.b32 19\n"           /* s */
    ".b8 0,0,0\n\t}\n";

static int tests;

static void check(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
}

enum { LINES = 40, FOUND = 16 };

/* Where a changed type is that of bools, the source tells of their values. */
static bool source(void *ctx, const char *path, struct source_text *out)
{
    static const char lines[] = "k\nint i = t;\nint j = i, c = 9; S s;\nint v = i;\ni = v == 3;\n}\n";
    (void)ctx;
    (void)path;
    *out = (struct source_text){lines, sizeof lines - 1};
    return true;
}

/* All that is said at each line; NULL: there is no debug information. */
static struct debug_names *walk(const char *ptx, size_t size, struct buf *said)
{
    static const unsigned char zeros[4096];
    struct err e = {0};
    struct debug_names *n = names_read(ptx, size, &e);
    if (n)
        names_set_source(n, source, NULL);
    for (int line = 0; n && line < LINES; line++) {
        struct name_variable v[FOUND];
        const size_t count = names_at(n, "k", line, v, FOUND);
        buf_printf(said, "%d:", line);
        for (size_t i = 0; i < count && i < FOUND; i++) {
            const struct name_type *t = names_shown(&v[i]);
            buf_printf(said, " %s %s %d %d %s+%llu", t ? t->text : "?", v[i].name, v[i].state,
                       v[i].where, v[i].place ? v[i].place : "", (unsigned long long)v[i].offset);
            if (t && t->bytes <= sizeof zeros)
                names_print(t, zeros, said);
        }
        buf_putc(said, '\n');
    }
    return n;
}

static void whole(void)
{
    struct buf said = {0};
    struct debug_names *n = walk(text, sizeof text - 1, &said);
    const char *at = buf_text(&said);
    check(n != NULL, "it is read");
    check(strstr(at, "int v 2 1 %r2+0") != NULL, "a list's variable is in its first register");
    check(strstr(at, "int i 2 1 %r1+0") != NULL, "a variable is in a register");
    check(strstr(at, "int j 2 2 __local_depot0+4") != NULL, "another in local memory");
    check(strstr(at, "S s ") != NULL && strstr(at, "{a = 0, p = 0x0}") != NULL, "a struct has members");
    check(strstr(at, "int c ") != NULL, "and there is a constant");
    if (getenv("SHOW"))
        printf("%s", at);
    names_free(n);
    buf_free(&said);
}

static void cut(void)
{
    unsigned read = 0;
    for (size_t size = 0; size < sizeof text - 1; size++) {
        struct buf said = {0};
        char *part = malloc(size + 1);
        if (!part)
            return;
        memcpy(part, text, size);
        part[size] = '\0';
        struct debug_names *n = walk(part, size, &said);
        read += n != NULL;
        names_free(n);
        buf_free(&said);
        free(part);
    }
    check(read > 0, "cut off after each byte");
}

static void changed(void)
{
    static char copy[sizeof text];
    static const char others[] = "0129,.{}$ \n-+";
    unsigned read = 0;
    for (size_t at = 0; at < sizeof text - 1; at++)
        for (size_t i = 0; i < sizeof others - 1; i++) {
            struct buf said = {0};
            memcpy(copy, text, sizeof text);
            copy[at] = others[i];
            struct debug_names *n = walk(copy, sizeof text - 1, &said);
            read += n != NULL;
            names_free(n);
            buf_free(&said);
        }
    check(read > 0, "with each byte changed");
}

/* As if "int" were "bool". */
static void bools(void)
{
    static char copy[sizeof text];
    struct buf said = {0};
    memcpy(copy, text, sizeof text);
    char *at = strstr(copy, ".b8 5\n.b8 4\n");
    if (at)
        at[4] = '2';
    struct debug_names *n = walk(copy, sizeof text - 1, &said);
    check(n && strstr(buf_text(&said), "int i 2 1 %rs1+0") != NULL,
          "a bool is in the register that its assignment in the source writes");
    if (getenv("SHOW"))
        printf("%s", buf_text(&said));
    names_free(n);
    buf_free(&said);
}

/* Two bytes changed at once, in many ways: counts, sizes and places that fit together no longer. */
static void changed_twice(void)
{
    static char copy[sizeof text];
    static const char others[] = "0123456789,.{}$ \n-+";
    enum { TIMES = 20000 };
    uint64_t seed = 1;
    unsigned read = 0;
    for (unsigned i = 0; i < TIMES; i++) {
        struct buf said = {0};
        memcpy(copy, text, sizeof text);
        for (int k = 0; k < 2; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            copy[(seed >> 33) % (sizeof text - 1)] = others[(seed >> 20) % (sizeof others - 1)];
        }
        struct debug_names *n = walk(copy, sizeof text - 1, &said);
        read += n != NULL;
        names_free(n);
        buf_free(&said);
    }
    check(read > 0, "with any two bytes changed");
}

int main(void)
{
    whole();
    bools();
    changed_twice();
    cut();
    changed();
    printf("1..%d\n", tests);
    return 0;
}
