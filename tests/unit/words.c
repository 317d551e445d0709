/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words for PTX instructions, and the lines beside them. tests/data/ptx-words.txt has an instruction a line, some with
 * `=>` and the sentence that it must get; the others must get a whole one. An opcode that the
 * table lacks is told by its parts.
 */
#include "source/ptx-text.h"
#include "source/ptx-words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LONGEST = 400 };

static unsigned tests_run, tests_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %u - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

static void is(const char *got, const char *wanted, const char *what)
{
    ok(strcmp(got, wanted) == 0, what);
    if (strcmp(got, wanted) != 0)
        printf("# got    %s\n# wanted %s\n", got, wanted);
}

static const char *words(const char *text, struct buf *out)
{
    static const struct ptx_name list[] = {
        {"_ZZ3sumE1s", "s"}, {"k_param_0", "x"}, {"k_param_1", "n"}};
    const struct ptx_names names = {list, sizeof list / sizeof *list};
    buf_clear(out);
    ptx_words((struct span){text, strlen(text)}, &names, out);
    return buf_text(out);
}

/* Is something missing: a slot, an operand, a row of the table? */
static bool has_hole(const char *text, const char *sentence)
{
    static const char *const holes[] = {"$ ", "$0", "$1", "?", "%s", "  ", ", ,", ",,", " ,",
                                        "against", "a number", NULL};
    struct ptx_pieces p;
    ptx_take_apart((struct span){text, strlen(text)}, &p);
    size_t n = p.opcode.n, end = strlen(sentence);
    for (const char *const *h = holes; *h; h++)
        if (strstr(sentence, *h))
            return true;
    return end < 8 || sentence[end - 1] == ' ' || sentence[end - 1] == ',' ||
           (p.operand_count > 0 && strncmp(sentence, p.opcode.at, n) == 0 &&
            strncmp(sentence + n, " on ", 4) == 0);
}

static void test_list(const char *path, struct buf *out)
{
    char line[LONGEST];
    unsigned count = 0, compared = 0, holes = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *wanted = strstr(line, " => ");
        if (*line == '#' || !*line)
            continue;
        if (wanted) {
            *wanted = '\0';
            is(words(line, out), wanted + 4, line);
            compared++;
        }
        if (has_hole(line, words(line, out)) && ++holes)
            printf("# %s: %s\n", line, buf_text(out));
        count++;
    }
    if (f)
        fclose(f);
    ok(count >= 250 && compared >= 40, "the list is there");
    ok(holes == 0, "every instruction of it has words without a hole");
}

/* The same for all instructions that the simulator runs. */
static void test_isa(const char *path, struct buf *out)
{
    char line[LONGEST];
    unsigned count = 0, holes = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line == '#' || strncmp(line, "closed ", 7) == 0)
            continue;
        if (has_hole(line, words(line, out)) && ++holes)
            printf("# %s: %s\n", line, buf_text(out));
        count++;
    }
    if (f)
        fclose(f);
    ok(count >= 250 && holes == 0, "every instruction of isa.txt has words without a hole");
}

static void test_unknown(struct buf *out)
{
    is(words("frob.shared.u32 %r1, %r2;", out),
       "frob on %r1 and %r2, an unsigned 32-bit number, shared memory",
       "an opcode without words is told by its parts");
    is(words("frob;", out), "frob", "and one without parts by its name");
    is(words("add.s32 %r1;", out), "add on %r1, a signed 32-bit number", "too few operands");
    is(words("", out), "", "nothing");
    is(words("@%p1", out), "only lanes where %p1 is true: ", "a guard alone");
    is(words("mov.u32 %r1, [", out), "%r1 = [", "a bracket that is not closed");
}

static void test_specials(void)
{
    const char *name = ptx_special_name((struct span){"%tid.x", 6});
    ok(name && strcmp(name, "threadIdx.x") == 0, "%tid.x has a name in C");
    ok(!ptx_special_name((struct span){"%laneid", 7}), "%laneid has none");
}

static struct text_file source_of(void *ctx, const char *path)
{
    (void)path;
    return *(struct text_file *)ctx;
}

/* Seconds to show a function of n instructions, each from a line of its own. */
static double seconds_for(unsigned n)
{
    struct buf source = {0}, ptx = {0}, shown = {0};
    struct err e;
    buf_puts(&ptx, ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
                   ".reg .b32 %r<2>;\n");
    for (unsigned i = 1; i <= n; i++) {
        buf_printf(&source, "line %u\n", i);
        buf_printf(&ptx, ".loc 1 %u 0\nmov.u32 %%r1, %u;\n", i, i);
    }
    buf_puts(&ptx, "ret;\n}\n.file 1 \"k.cu\"\n");
    struct text_file file = {"k.cu", {buf_text(&source), source.len}};
    struct ptx_text t = {.ptx = {"k.ptx", {buf_text(&ptx), ptx.len}}, .source = source_of,
                         .ctx = &file};
    clock_t start = clock();
    bool good = ptx_text_open(&t, &e) == 0;
    if (good)
        ptx_text_lines(&t, ptx_text_function(&t, "k"), &shown);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    good = good && strstr(buf_text(&shown), "k.cu:7  line 7\n");
    ptx_text_close(&t);
    buf_free(&source);
    buf_free(&ptx);
    buf_free(&shown);
    return good ? seconds : -1;
}

/* Eight times as many lines take eight times as long, and a little; 64 times, if each were looked
 * for from the file's start. */
static void test_long(void)
{
    double few = 1e9, many = 1e9;
    for (int i = 0; i < 3; i++) {
        double a = seconds_for(4000), b = seconds_for(32000);
        few = a < few ? a : few;
        many = b < many ? b : many;
    }
    ok(few >= 0 && many >= 0, "a function of 32,000 lines is shown with its source");
    ok(many < 32 * (few + 1e-4), "and no line is looked for from the start");
    printf("# 4,000: %.4f s, 32,000: %.4f s\n", few, many);
}

int main(void)
{
    const char *top = getenv("top_srcdir");
    char path[1024];
    struct buf out = {0};
    snprintf(path, sizeof path, "%s/tests/data/ptx-words.txt", top ? top : ".");
    test_list(path, &out);
    snprintf(path, sizeof path, "%s/tests/data/isa.txt", top ? top : ".");
    test_isa(path, &out);
    test_unknown(&out);
    test_specials();
    test_long();
    printf("1..%u\n", tests_run);
    buf_free(&out);
    return tests_failed != 0;
}
