/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file puts a whole program together from the three files that it is made of.
 */
#include "source/code-host.h"

#include "os/asset.h"
#include "source/code-lines.h"

#include <stdio.h>
#include <string.h>

enum { INCLUDES_DEEP = 4 };

static struct span file_of_build(const char *format, const char *name, int n)
{
    char path[160];
    snprintf(path, sizeof path, format, n, name);
    const struct asset *a = asset_find(path);
    return a ? (struct span){(const char *)a->data, a->size} : (struct span){NULL, 0};
}

/* Writes a line, but never two blank lines in a row. */
static void put_line(struct buf *out, struct span line)
{
    bool blank_before = out->len < 2 || memcmp(out->data + out->len - 2, "\n\n", 2) == 0;
    if (line.n || !blank_before)
        buf_printf(out, "%.*s\n", (int)line.n, line.at);
}

/* ---- the kernel ----------------------------------------------------------------------- */

/* Writes a line of a kernel file. The kernels' own headers replace the lines that include them. */
static void put_code(struct buf *out, struct span line, int deep)
{
    struct span name = included_name(line), inner;
    struct span text = {NULL, 0};
    if (name.n && name.n < 80 && deep < INCLUDES_DEEP)
        text = file_of_build("kernels/%.*s", name.at, (int)name.n);
    if (!text.at && !begins(line, "/* SPDX-License-Identifier"))
        put_line(out, line);
    while (text.at && next_line(&text, &inner))
        put_code(out, inner, deep + 1);
}

/* Writes what a kernel file includes before its first part. */
static void put_includes(struct buf *out, struct span cu)
{
    struct span line;
    while (next_line(&cu, &line) && !is_marker(line))
        if (begins(line, "#include") && !shared_header(line).name)
            put_code(out, line, 0);
    put_line(out, SPAN(""));
}

/* Writes the kernel, and what it needs of headers that labs share. */
static int put_kernel(struct buf *out, struct span cu, const char *variant)
{
    struct code_lines lines = {0};
    code_lines_of(&lines, cu, variant);
    code_lines_head(&lines, (struct text_file){"", cu});
    if (variant)
        put_includes(out, cu);
    for (unsigned i = 0; i < lines.count; i++)
        if (!is_note(&lines.at[i]))
            put_code(out, lines.at[i].text, 0);
    int rc = lines.failed ? -1 : 0;
    code_lines_free(&lines);
    return rc;
}

/* Finds the name of the first kernel in a text: the word before the bracket of its parameters. */
static struct span first_kernel(const char *text)
{
    const char *open = strstr(text, "__global__");
    while (open && (open = strchr(open + 1, '('))) {
        const char *from = open;
        while (from > text && in_word(from[-1]))
            from--;
        struct span name = {from, (size_t)(open - from)};
        if (name.n && !same_text(name, "__launch_bounds__"))
            return name;
    }
    return SPAN("");
}

/* ---- the host part -------------------------------------------------------------------- */

/* Writes a line with the kernel's name in place of each word KERNEL. */
static void put_host_line(struct buf *out, struct span line, const char *kernel)
{
    static const char mark[] = "KERNEL";
    size_t n = sizeof mark - 1;
    struct buf filled = {0};
    for (size_t i = 0; i < line.n;) {
        bool starts = i + n <= line.n && memcmp(line.at + i, mark, n) == 0 &&
                      (i == 0 || !in_word(line.at[i - 1])) &&
                      (i + n == line.n || !in_word(line.at[i + n]));
        if (starts)
            buf_puts(&filled, kernel);
        else
            buf_putc(&filled, line.at[i]);
        i += starts ? n : 1;
    }
    put_line(out, (struct span){buf_text(&filled), filled.len});
    out->failed = out->failed || filled.failed;
    buf_free(&filled);
}

/* Writes the lines of a variant, or of a lab without variants, but not the opening comment. Options
 * for nvcc go to `options`. */
static void put_host(struct buf *out, struct span host, const char *name, const char *kernel,
                     struct buf *options)
{
    static const char nvcc[] = "//: nvcc ";
    struct span line;
    bool wanted = true;
    while (next_line(&host, &line) && line.n)
        ;
    while (next_line(&host, &line)) {
        if (begins(line, nvcc) && wanted)
            buf_printf(options, " %.*s", (int)(line.n - sizeof nvcc + 1),
                       line.at + sizeof nvcc - 1);
        else if (is_marker(line) && !begins(line, nvcc))
            wanted = marker_serves(line, name);
        else if (wanted && !is_marker(line))
            put_host_line(out, line, kernel);
    }
}

/* ---- all of it ------------------------------------------------------------------------ */

static unsigned count_variants(struct span cu)
{
    struct span line;
    unsigned count = 0;
    while (next_line(&cu, &line)) {
        struct span names = marked_variant(line);
        for (size_t i = 0; i < names.n; i++)
            count += names.at[i] != ' ' && (i == 0 || names.at[i - 1] == ' ');
    }
    return count;
}

/* A lab of many kernels has a program for each, with the name of the kernel. If variants share a
 * kernel, all programs but the first have the name of their variant. */
static void name_program(struct code_program *p, const char *lab, const char *variant,
                         const char *kernel, struct span cu, const char *options)
{
    char name[64], first[64];
    if (count_variants(cu) < 2)
        snprintf(name, sizeof name, "%s", lab);
    else if (!code_variant_of(cu, kernel, first) || strcmp(first, variant) == 0)
        snprintf(name, sizeof name, "%s", kernel);
    else
        snprintf(name, sizeof name, "%.30s_%.30s", lab, variant);
    snprintf(p->file, sizeof p->file, "%s.cu", name);
    snprintf(p->build, sizeof p->build, "nvcc -o %s %s.cu%s", name, name, options);
}

/* Says how cudalab runs the same. A part that is a kernel of the lab is no --variant of it. */
static void put_opening(struct code_program *p, const char *lab, const char *variant,
                        bool is_kernel)
{
    int stem = (int)strlen(p->file) - 3;
    buf_puts(&p->text, "/* SPDX-License-Identifier: GPL-3.0-or-later */\n/*\n");
    if (is_kernel)
        buf_printf(&p->text, " * %s: a kernel of cudalab's `%s` as a program.\n *\n", p->file, lab);
    else
        buf_printf(&p->text, " * %s: `%s%s%s` of cudalab as a program.\n *\n", p->file, lab,
                   variant ? " --variant " : "", variant ? variant : "");
    buf_printf(&p->text, " *     %s\n *     ./%.*s\n */\n", p->build, stem, p->file);
    p->opening = 7;
}

static int put_program(struct code_program *p, const char *lab, const char *variant,
                       const char *kernel, struct span cu, struct span host)
{
    char name[64];
    struct buf body = {0}, tail = {0}, options = {0};
    bool many = count_variants(cu) > 1;
    int rc = put_kernel(&body, cu, variant);
    struct span first = first_kernel(buf_text(&body));
    p->has_kernel = first.n > 0;
    if (p->has_kernel || !variant)
        snprintf(name, sizeof name, "%.*s", kernel ? 63 : (int)first.n,
                 kernel ? kernel : first.at);
    else /* a library has the kernel */
        snprintf(name, sizeof name, "%s_%s", lab, variant);
    put_host(&tail, host, variant ? variant : lab, name, &options);
    name_program(p, lab, variant, name, cu, buf_text(&options));
    put_opening(p, lab, many ? variant : NULL, many && !kernel);
    struct span shared = file_of_build("kernels/host/%.*s", "check.h", 7), line;
    while (next_line(&shared, &line))
        put_code(&p->text, line, 0);
    buf_printf(&p->text, "\n%s\n%s", buf_text(&body), buf_text(&tail));
    if (body.failed || tail.failed || options.failed || p->text.failed)
        rc = -1;
    buf_free(&body);
    buf_free(&tail);
    buf_free(&options);
    return rc;
}

int code_program(const char *lab, const char *module, const char *variant, const char *kernel,
                 struct code_program *p, struct err *e)
{
    int n = (int)strlen(module);
    struct span cu = file_of_build("kernels/%.*s.cu", module, n);
    struct span host = file_of_build("kernels/host/%.*s.cu", module, n);
    if (!cu.at || !host.at)
        return fail(e, "%s has no host part in this build; `%s --calls` or `code %s` show what "
                    "there is", lab, lab, lab);
    return put_program(p, lab, variant, kernel, cu, host) == 0 ? 0 : fail_memory(e);
}

void code_program_free(struct code_program *p)
{
    buf_free(&p->text);
}
