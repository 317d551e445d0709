/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hostile SEED COUNT FOLDER SECRET: writes 1.cu, 2.cu, ... into FOLDER. Each tries, in one of
 * many spellings, to have a compiler read the file SECRET, the environment, or a file descriptor
 * that it was not given. What was read shows as the word that SECRET holds; where a source can
 * only ask whether a file is there, the answer is a kernel of that name.
 *
 * A source is put together from a line's beginning, a sign, a directive and a path, each drawn
 * from a table, so that spellings combine.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define PICK(d, table) (table)[draw(d, COUNT(table))]

struct dice { uint64_t state; };

static uint32_t draw(struct dice *d, size_t sides)
{
    d->state = d->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((d->state >> 33) % sides);
}

/* What stands in front of the sign. */
static const char *const beginnings[] = {
    "", "", "", " ", "\t", "\v", "\f", "\r", "int a; ", "/* */", "/* \n */", "/**/ /**/",
    "\xc2\xa0",
    "\xc2\x85", "\xe2\x80\xa8", "\xe3\x80\x80", "\xef\xbb\xbf", "\\u00a0", "\\\n", "\\ \n",
    "// comment\\ \n", "// comment\\\t\n", "// comment\\\v\n", "// comment\\\r\n", "// comment\r",
    "const char *t = R\"x(\n)x\";\n", "const char *u = R\"(\" /* )\";\n", "/* // */", "\"", "'",
    "#if 0\n#else\n", "#if 1\n", ";", "extern \"C\" {}\n", "\\\v\n", "\\\r\n", "\xe2\x80\xa9",
};
static const char *const signs[] = {
    "#", "#", "#", "# ", "#\t", "#\v", "#\f", "#\r", "#\\\n", "#\\ \n", "#\\\v\n", "#\\\r\n",
    "#/**/", "#/*\n*/", "#\xc2\xa0", "#\xc2\x85", "#\xe2\x80\xa8", "#\xe3\x80\x80", "#\\u00a0",
    "%:",
    "%\\\n:", "\?\?=", "%: ", "\xef\xbc\x83",
};
static const char *const directives[] = {
    "include ", "include ", "include", "include\\\n ", "inc\\\nlude ", "inc\\ \nlude ",
    "inc\\\r\nlude ", "include/**/", "include\xc2\xa0", "include_next ", "import ", "embed ",
    "pragma GCC dependency ", "pragma GCC system_header\n#include ", "pragma include_alias(\"x\", ",
    "pragma clang module import ", "pragma message ", "pragma push_macro(\"x\")\n#include ",
    "pragma GCC pch_preprocess ", "pragma comment(lib, ", "line 1 ", "ident ", "__include_macros ",
    "include_alias ", "using ", "pragma clang include_instead(", "pragma hdrstop ", "sccs ",
};

/* A path of the secret file, or of a place where the environment or a descriptor is. %s is the
 * secret's path. Descriptor 0 is not among them: there clang reads the source itself. */
static const char *const paths[] = {
    "%s", "%s", "%s", "%s", "/%s", "/.%s", "/proc/self/root%s", "/proc/thread-self/root%s",
    "/proc/1/root%s", "/dev/../%s", "/tmp/../%s", "../../../../../../../../../..%s",
    "/usr/lib/../..%s", "/usr/include/../..%s", "/usr/local/cuda/include/../../../..%s",
    "/proc/self/environ", "/proc/thread-self/environ", "/proc/self/task/self/environ",
    "/proc/self/cwd/secret", "/proc/self/fd/3", "/proc/self/fd/4", "/dev/fd/5",
    "/proc/self/cmdline", "/proc/self/maps", "/proc/self/mem", "/proc/1/environ", "secret",
    "./secret", "../secret", "/dev/tty", "link", "./link", "/proc/self/auxv",
};

static void write_path(struct dice *d, FILE *f, const char *secret, int quotes)
{
    static const char *const open[] = {"\"", "\"", "<", "\\\"", "'"};
    static const char *const close[] = {"\"", "\"", ">", "\\\"", "'"};
    const char *path = PICK(d, paths), *slot = strstr(path, "%s");
    size_t q = quotes ? draw(d, 3) : 0;
    fputs(open[q], f);
    if (slot)
        fprintf(f, "%.*s%s", (int)(slot - path), path, secret);
    else
        fputs(path, f);
    fputs(close[q], f);
}

/* ---- the ways ------------------------------------------------------------------------- */

static void by_directive(struct dice *d, FILE *f, const char *secret)
{
    fprintf(f, "%s%s%s", PICK(d, beginnings), PICK(d, signs), PICK(d, directives));
    write_path(d, f, secret, 1);
    fputs(draw(d, 6) ? "\n" : ")\n", f);
}

static void by_macro(struct dice *d, FILE *f, const char *secret)
{
    static const char *const uses[] = {
        "#include H\n", "#include I(H)\n", "#include_next H\n", "%:include H\n",
        "#define O include\n#O H\n", "#include J(H,)\n", "#line 1 H\n",
        "#pragma GCC dependency H\n",
        "#import H\n", "#include __FILE__\n", "#include I(I)(H)\n"};
    fputs("#define I(x) x\n#define J(x, y) x##y\n#define H ", f);
    write_path(d, f, secret, 1);
    fprintf(f, "\n%s%s", PICK(d, beginnings), PICK(d, uses));
}

/* A kernel of the secret's name where the file is there: its halves are joined only then. */
static void by_question(struct dice *d, FILE *f, const char *secret)
{
    static const char *const questions[] = {"__has_include", "__has_include_next", "__has_embed",
                                            "J(__has_, include)", "J(__has_inc, lude)",
                                            "__has_in\\\nclude", "__has_include__",
                                            "defined(__has_include) && __has_include"};
    fprintf(f, "#define J(x, y) x##y\n%s%s%s %s(", PICK(d, beginnings), PICK(d, signs),
            draw(d, 2) ? "if" : "if 0\n#elif", PICK(d, questions));
    write_path(d, f, secret, 1);
    fputs(")\n__global__ void J(S3cret, Word)() { }\n#endif\n", f);
}

static void by_operator(struct dice *d, FILE *f, const char *secret)
{
    static const char *const operators[] = {"_Pragma", "J(_Prag, ma)", "__pragma", "J(_, Pragma)"};
    static const char *const pragmas[] = {"GCC dependency ", "include_alias(x, ", "message ",
                                          "clang module import ", "GCC poison ", "comment(lib, "};
    fprintf(f, "#define J(x, y) x##y\n%s%s(\"%s\\\"", PICK(d, beginnings), PICK(d, operators),
            PICK(d, pragmas));
    fprintf(f, "%s\\\"\")\n", secret);
}

static void by_assembler(struct dice *d, FILE *f, const char *secret)
{
    static const char *const words[] = {".incbin", ".include", ".file 1", ".ident", ".loadfile",
                                        ".section .text, ", ".pragma", ".global .b8 x[] ="};
    int inside = draw(d, 2) != 0;
    fprintf(f, "%s(\"%s \\\"%s\\\";\");%s\n",
            inside ? "__device__ void z() { asm volatile" : "__asm__", PICK(d, words), secret,
            inside ? " }" : "");
}

/* Crashes of a compiler make it write reports; other words make it open a file of its own. */
static void by_crash(struct dice *d, FILE *f, const char *secret)
{
    static const char *const lines[] = {
        "#pragma clang __debug crash\n", "#pragma clang __debug parser_crash\n",
        "#pragma clang __debug llvm_fatal_error\n", "#pragma clang __debug overflow_stack\n",
        "#pragma clang __debug llvm_unreachable\n", "#pragma clang __debug dump secret\n",
        "#pragma clang __debug module_map \"secret\"\n", "import \"secret\";\n",
        "import <secret>;\n",
        "@import secret;\n", "#pragma clang module load secret\n", "#pragma STDC FENV_ACCESS ON\n",
        "#pragma clang diagnostic push \"secret\"\n", "export module secret;\n",
        "#pragma GCC diagnostic error \"-fplugin=secret\"\n",
        "#pragma GCC optimize(\"-o secret\")\n",
        "#pragma clang attribute push(__attribute__((annotate(\"secret\"))))\n"};
    (void)secret;
    fputs(PICK(d, beginnings), f);
    fputs(PICK(d, lines), f);
}

static void write_source(struct dice *d, FILE *f, const char *secret)
{
    static void (*const ways[])(struct dice *, FILE *, const char *) = {
        by_directive, by_directive, by_directive, by_macro, by_question, by_operator, by_assembler,
        by_crash};
    static const char kernel[] = "__global__ void k(int *o) { *o = 1; }\n";
    if (draw(d, 2))
        fputs(kernel, f);
    PICK(d, ways)(d, f, secret);
    if (draw(d, 2))
        fputs(kernel, f);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: hostile SEED COUNT FOLDER SECRET\n");
        return 2;
    }
    struct dice d = {strtoull(argv[1], NULL, 10) * 2 + 1};
    for (long i = 1, most = atol(argv[2]); i <= most; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%ld.cu", argv[3], i);
        FILE *f = fopen(path, "w");
        if (!f)
            return 1;
        write_source(&d, f, argv[4]);
        if (fclose(f) != 0)
            return 1;
    }
    return 0;
}
