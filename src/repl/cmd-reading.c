/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading what runs: `code` shows a lab's CUDA C with the file's own line numbers, `ptx` the
 * instructions it became, with the source lines in between.
 *
 * In kernels/X.cu a line `//: variant NAME` opens the part of one variant and
 * `//: used by NAME ...` a part that those need as well; a part ends where the next begins.
 */
#include "base/asset.h"
#include "base/near.h"
#include "repl/families.h"
#include "repl/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct span {
    const char *at;
    size_t n;
};

/* The next line of a text, without its newline; false after the last. */
static bool next_line(const char **at, const char *end, struct span *line)
{
    if (*at >= end)
        return false;
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    line->at = *at;
    line->n = (size_t)((newline ? newline : end) - *at);
    *at = newline ? newline + 1 : end;
    return true;
}

static bool begins(struct span s, const char *text)
{
    size_t n = strlen(text);
    return s.n >= n && memcmp(s.at, text, n) == 0;
}

static bool has_name(struct span list, const char *name)
{
    size_t n = strlen(name);
    while (list.n) {
        size_t k = 0;
        while (k < list.n && list.at[k] != ' ')
            k++;
        if (k == n && memcmp(list.at, name, n) == 0)
            return true;
        k += k < list.n;
        list.at += k;
        list.n -= k;
    }
    return false;
}

static bool is_marker(struct span line)
{
    return begins(line, "//: ");
}

/* Does the part that this marker opens belong to the variant? */
static bool marker_serves(struct span line, const char *variant)
{
    if (begins(line, "//: variant "))
        return has_name((struct span){line.at + 12, line.n - 12}, variant);
    if (!begins(line, "//: used by "))
        return false;
    struct span names = {line.at + 12, line.n - 12};
    return has_name(names, variant) || has_name(names, "all");
}

static const struct asset *lab_file(const char *format, const char *module)
{
    char path[120];
    snprintf(path, sizeof path, format, module);
    return asset_find(path);
}

static const char *file_end(const struct asset *file)
{
    return (const char *)file->data + file->size;
}

/* The lab of that name; an error that offers the nearest one where there is none. */
static const struct command *lab_named(struct shell *sh, const char *name, struct report *r)
{
    const struct command *c = command_exact(sh, name);
    struct near n;
    if (c && c->lab && c->lab->module)
        return c;
    near_begin(&n, name);
    for (const struct command *const *all = sh->session.commands; *all; all++)
        if ((*all)->lab && (*all)->lab->module)
            near_try(&n, (*all)->name);
    if (c)
        report_fail(r, "%s has no kernel to show; name a lab, as in `code trap`", name);
    else if (n.best)
        report_fail(r, "there is no lab `%.60s`: did you mean %s?", name, n.best);
    else
        report_fail(r, "there is no lab `%.60s`; `help` lists those there are", name);
    return NULL;
}

/* ---- code ----------------------------------------------------------------------------- */

static bool file_has_variant(const struct asset *file, const char *name)
{
    const char *at = (const char *)file->data;
    struct span line;
    while (next_line(&at, file_end(file), &line))
        if (begins(line, "//: variant ") &&
            has_name((struct span){line.at + 12, line.n - 12}, name))
            return true;
    return false;
}

/* The part that holds a kernel: the marker before `NAME(` after __global__. */
static bool part_of_kernel(const struct asset *file, const char *kernel, char name[64])
{
    const char *at = (const char *)file->data;
    struct span line, marker = {"", 0};
    size_t n = strlen(kernel);
    while (next_line(&at, file_end(file), &line)) {
        if (begins(line, "//: variant "))
            marker = (struct span){line.at + 12, line.n - 12};
        for (size_t i = 1; i + n < line.n; i++)
            if (line.at[i - 1] == ' ' && memcmp(line.at + i, kernel, n) == 0 &&
                line.at[i + n] == '(' && marker.n && marker.n < 64) {
                memcpy(name, marker.at, marker.n);
                name[marker.n] = '\0';
                return true;
            }
    }
    return false;
}

static int no_variant(const struct command *lab, const struct asset *file, const char *name,
                      struct report *r)
{
    struct near n;
    char best[64] = "", each[64];
    const char *at = (const char *)file->data;
    struct span line;
    near_begin(&n, name);
    for (unsigned i = 0; lab->lab->variants && lab->lab->variants[i].name; i++)
        near_try(&n, lab->lab->variants[i].name);
    if (n.best)
        snprintf(best, sizeof best, "%s", n.best);
    while (next_line(&at, file_end(file), &line)) {
        if (!begins(line, "//: variant ") || line.n - 12 >= sizeof each)
            continue;
        const char *before = n.best;
        snprintf(each, sizeof each, "%.*s", (int)(line.n - 12), line.at + 12);
        near_try(&n, each);
        if (n.best != before) {
            snprintf(best, sizeof best, "%s", each);
            n.best = best;
        }
    }
    if (*best)
        return report_fail(r, "%s has no variant `%.60s`: did you mean %s?", lab->name, name,
                           best);
    return report_fail(r, "%s has no variant `%.60s`; `help %s` lists those it has", lab->name,
                       name, lab->name);
}

/* Which part of the file a wish means; NULL in *part: the whole file. */
static int choose_part(const struct command *lab, const struct asset *file, const char *wish,
                       char name[64], const char **part, struct report *r)
{
    const struct lab_variant *v = wish ? lab_variant_named(lab->lab, wish) : lab->lab->variants;
    *part = NULL;
    if (wish && strcmp(wish, "all") == 0)
        return 0;
    if (!wish && v && v->name && !v->kernel && !file_has_variant(file, v->name))
        while (v->name && !v->kernel)
            v++; /* the first that has a kernel */
    if (wish && file_has_variant(file, wish)) {
        *part = wish;
    } else if (v && v->name && file_has_variant(file, v->name)) {
        *part = v->name;
    } else if (v && v->name && v->kernel && part_of_kernel(file, v->kernel, name)) {
        *part = name;
    } else if (wish && v && v->name) {
        return report_fail(r, "%s %s runs on the host: it has no kernel to show", lab->name,
                           wish);
    } else if (wish) {
        return no_variant(lab, file, wish, r);
    }
    return 0;
}

/* One line of code: numbered on the screen, as it is in `plain`; number 0: between two parts. */
static void say_line(struct report *r, struct buf *plain, int number, struct span line)
{
    if (number && line.n)
        say(r, "%5d  %.*s\n", number, (int)line.n, line.at);
    else if (number)
        say(r, "%5d\n", number);
    else
        say(r, "\n");
    buf_printf(plain, "%.*s\n", (int)line.n, line.at);
}

/* The lines of one variant, or of the whole file. Blank ones at a part's ends are dropped. */
static void say_part(struct report *r, const struct asset *file, const char *part,
                     struct buf *plain)
{
    const char *at = (const char *)file->data;
    struct span line;
    bool wanted = !part, any = false;
    int blank_from = 0; /* the first of the blank lines just passed */
    for (int number = 1; next_line(&at, file_end(file), &line); number++) {
        if (part && is_marker(line)) {
            wanted = marker_serves(line, part);
            any = false;
            blank_from = 0;
        } else if (wanted && line.n == 0) {
            blank_from = blank_from ? blank_from : number;
        } else if (wanted) {
            if (!any && plain->len)
                say_line(r, plain, 0, (struct span){"", 0});
            for (; any && blank_from && blank_from < number; blank_from++)
                say_line(r, plain, blank_from, (struct span){"", 0});
            say_line(r, plain, number, line);
            blank_from = 0;
            any = true;
        }
    }
}

static int run_code(struct session *session, const struct args *a, struct report *r)
{
    struct shell *sh = shell_of(session);
    char name[64];
    const char *part, *save = arg_text(a, "save");
    const struct command *lab = lab_named(sh, arg_text(a, "LAB"), r);
    if (!lab)
        return -1;
    const struct asset *file = lab_file("kernels/%.60s.cu", lab->lab->module);
    if (!file)
        return report_fail(r, "the CUDA C of %s is not in this build", lab->name);
    if (choose_part(lab, file, arg_text(a, "variant"), name, &part, r) != 0)
        return -1;
    struct buf plain;
    struct err e;
    buf_init(&plain);
    say(r, "%s.cu%s%s\n", lab->lab->module, part ? ", variant " : "", part ? part : "");
    say_part(r, file, part, &plain);
    int rc = 0;
    if (save && plain.failed)
        rc = report_fail(r, "out of memory");
    else if (save && shell_save(sh, save, buf_text(&plain), plain.len, &e) != 0)
        rc = report_fail_err(r, &e);
    if (rc != 0)
        buf_clear(&r->screen);
    else if (save)
        say(r, "saved to %s\n", save);
    else if (part)
        say(r, "\n`ptx %s --variant %s` shows its instructions; `code %s --variant all` the "
            "whole file.\n", lab->name, part, lab->name);
    buf_free(&plain);
    return rc;
}

const struct command command_code = {
    .name = "code", .kind = CLASS_READING, .summary = "the CUDA C of a lab's kernel",
    .options = (const struct arg_spec[]){
        {.name = "variant", .value = "NAME", .type = ARG_TEXT,
         .help = "which one; `all` shows the whole file"},
        {.name = "save", .type = ARG_FILE, .help = "write the code to a file as well"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "LAB", .type = ARG_COMMAND, .required = true, .help = "the lab"}, {0}},
    .run = run_code};

/* ---- ptx ------------------------------------------------------------------------------ */

/* The line that begins an entry, cut to its name; n 0: the line begins none. */
static struct span entry_name(struct span line)
{
    const char *mark = begins(line, ".visible .entry ") ? ".visible .entry "
                       : begins(line, ".entry ")        ? ".entry "
                       : begins(line, ".weak .entry ")  ? ".weak .entry "
                                                        : NULL;
    if (!mark)
        return (struct span){line.at, 0};
    struct span name = {line.at + strlen(mark), 0};
    size_t left = line.n - strlen(mark);
    while (name.n < left && name.at[name.n] != '(' && name.at[name.n] != ' ')
        name.n++;
    return name;
}

/* From the line of .entry up to the } that closes it; n 0: no such kernel. */
static struct span entry_text(const struct asset *file, const char *kernel)
{
    const char *at = (const char *)file->data, *end = file_end(file);
    struct span line, found = {NULL, 0};
    while (next_line(&at, end, &line)) {
        struct span name = entry_name(line);
        if (!found.at && name.n && name.n == strlen(kernel) &&
            memcmp(name.at, kernel, name.n) == 0)
            found.at = line.at;
        if (found.at && line.n && line.at[0] == '}')
            return (struct span){found.at, (size_t)(line.at + line.n - found.at)};
    }
    return (struct span){NULL, 0};
}

/* The name of file number k: `.file 1 "path"`, without its folders. */
static bool file_name(const struct asset *ptx, long k, char name[100])
{
    const char *at = (const char *)ptx->data;
    struct span line;
    while (next_line(&at, file_end(ptx), &line)) {
        char text[600];
        while (line.n && (*line.at == ' ' || *line.at == '\t')) {
            line.at++;
            line.n--;
        }
        if (!begins(line, ".file") || line.n < 8 || line.n >= sizeof text)
            continue;
        snprintf(text, sizeof text, "%.*s", (int)line.n, line.at);
        char *quote = strchr(text, '"'), *last = strrchr(text, '"');
        if (strtol(text + 5, NULL, 10) != k || !quote || last == quote)
            continue;
        *last = '\0';
        const char *slash = strrchr(quote, '/');
        snprintf(name, 100, "%.99s", slash ? slash + 1 : quote + 1);
        return true;
    }
    return false;
}

static struct span source_line(const char *file, long number)
{
    const struct asset *a = lab_file("kernels/%.100s", file);
    struct span line = {"", 0};
    const char *at = a ? (const char *)a->data : "";
    for (long i = 0; a && i < number; i++)
        if (!next_line(&at, file_end(a), &line))
            return (struct span){"", 0};
    return line;
}

/* A .loc line: say the source line that what follows came from, once for each run of it. */
static void say_source(struct report *r, const struct asset *ptx, struct span loc, char last[120])
{
    char text[200], name[100], here[120];
    snprintf(text, sizeof text, "%.*s", (int)loc.n, loc.at);
    char *rest;
    long file = strtol(strstr(text, ".loc") + 4, &rest, 10), line = strtol(rest, NULL, 10);
    if (line <= 0 || !file_name(ptx, file, name))
        return;
    struct span source = source_line(name, line);
    if (!source.n)
        return; /* a header of ours or the compiler's: the line before it still stands */
    while (source.n && (*source.at == ' ' || *source.at == '\t')) {
        source.at++;
        source.n--;
    }
    snprintf(here, sizeof here, "%s:%ld", name, line);
    if (strcmp(here, last) != 0)
        say(r, "    // %s  %.*s\n", here, (int)source.n, source.at);
    snprintf(last, 120, "%s", here);
}

static void say_entry(struct report *r, const struct asset *ptx, struct span entry)
{
    const char *at = entry.at, *end = entry.at + entry.n;
    struct span line;
    char last[120] = "";
    bool blank = false;
    while (next_line(&at, end, &line)) {
        struct span bare = line;
        while (bare.n && (*bare.at == ' ' || *bare.at == '\t')) {
            bare.at++;
            bare.n--;
        }
        if (begins(bare, ".loc ") || begins(bare, ".loc\t")) {
            say_source(r, ptx, bare, last);
        } else if (bare.n || !blank) {
            say(r, "%.*s\n", (int)line.n, line.at);
            blank = bare.n == 0;
        }
    }
}

static bool is_ptx(const struct asset *a)
{
    size_t n = strlen(a->name);
    return strncmp(a->name, "kernels/ptx/", 12) == 0 && n > 4 &&
           strcmp(a->name + n - 4, ".ptx") == 0;
}

/* No kernel and no lab is called so: offer the nearest of both. */
static int no_kernel(struct shell *sh, const char *name, struct report *r)
{
    char best[100] = "", each[100];
    struct near n;
    near_begin(&n, name);
    for (const struct command *const *c = sh->session.commands; *c; c++)
        if ((*c)->lab && (*c)->lab->module)
            near_try(&n, (*c)->name);
    if (n.best)
        snprintf(best, sizeof best, "%s", n.best);
    for (size_t i = 0; i < assets_count; i++) {
        const char *at = (const char *)assets[i].data;
        struct span line;
        while (is_ptx(&assets[i]) && next_line(&at, file_end(&assets[i]), &line)) {
            struct span entry = entry_name(line);
            const char *before = n.best;
            if (!entry.n || entry.n >= sizeof each)
                continue;
            snprintf(each, sizeof each, "%.*s", (int)entry.n, entry.at);
            near_try(&n, each);
            if (n.best != before) {
                snprintf(best, sizeof best, "%s", each);
                n.best = best;
            }
        }
    }
    if (*best)
        return report_fail(r, "there is no kernel or lab `%.60s`: did you mean %s?", name, best);
    return report_fail(r, "there is no kernel or lab `%.60s`; `help` lists the labs", name);
}

static int say_kernel(struct shell *sh, const char *kernel, struct report *r)
{
    for (size_t i = 0; i < assets_count; i++) {
        struct span entry = {NULL, 0};
        if (is_ptx(&assets[i]))
            entry = entry_text(&assets[i], kernel);
        if (entry.n) {
            say(r, "%s, kernel %s\n", assets[i].name + 12, kernel);
            say_entry(r, &assets[i], entry);
            return 0;
        }
    }
    return no_kernel(sh, kernel, r);
}

/* A lab without a wish shows its first kernel. */
static int say_lab(const struct command *lab, const char *wish, struct report *r)
{
    const struct asset *ptx = lab_file("kernels/ptx/%.60s.ptx", lab->lab->module);
    const struct asset *file = lab_file("kernels/%.60s.cu", lab->lab->module);
    const struct lab_variant *v = wish ? lab_variant_named(lab->lab, wish) : lab->lab->variants;
    struct span entry = {NULL, 0}, line;
    if (!ptx || !file)
        return report_fail(r, "the PTX of %s is not in this build", lab->name);
    while (!wish && v && v->name && !v->kernel)
        v++;
    if (wish && v && !v->kernel)
        return report_fail(r, "%s %s runs on the host: it has no kernel to show", lab->name, wish);
    if (v && v->name)
        entry = entry_text(ptx, v->kernel);
    else if (wish)
        entry = entry_text(ptx, wish);
    const char *at = (const char *)ptx->data;
    while (!wish && !entry.n && next_line(&at, file_end(ptx), &line)) {
        struct span name = entry_name(line);
        char kernel[100];
        snprintf(kernel, sizeof kernel, "%.*s", (int)name.n, name.at);
        if (name.n)
            entry = entry_text(ptx, kernel);
    }
    if (!entry.n)
        return wish ? no_variant(lab, file, wish, r)
                    : report_fail(r, "the PTX of %s has no kernel", lab->name);
    say(r, "%s.ptx%s%s\n", lab->lab->module, wish ? ", variant " : "", wish ? wish : "");
    say_entry(r, ptx, entry);
    return 0;
}

static int run_ptx(struct session *session, const struct args *a, struct report *r)
{
    struct shell *sh = shell_of(session);
    const char *name = arg_text(a, "NAME"), *variant = arg_text(a, "variant");
    const struct command *c = command_exact(sh, name);
    if (c && c->lab && c->lab->module)
        return say_lab(c, variant, r);
    if (variant)
        return lab_named(sh, name, r) ? 0 : -1;
    return say_kernel(sh, name, r);
}

const struct command command_ptx = {
    .name = "ptx", .kind = CLASS_READING, .summary = "the PTX of a kernel, beside its source",
    .options = (const struct arg_spec[]){
        {.name = "variant", .value = "NAME", .type = ARG_TEXT, .help = "which kernel of a lab"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "NAME", .type = ARG_COMMAND, .required = true, .help = "a lab or a kernel"},
        {0}},
    .run = run_ptx};
