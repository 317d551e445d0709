/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `code` shows CUDA C with the file's own line numbers: of a lab the part of one variant, of a
 * student's file a kernel and what it uses (teach/code-text.h).
 *
 * In kernels/X.cu a line `//: variant NAME` opens the part of one variant and
 * `//: used by NAME ...` a part that those need as well; a part ends where the next begins.
 */
#include "repl/families.h"
#include "repl/reading.h"
#include "teach/code-text.h"
#include "teach/explain.h"

#include <stdio.h>
#include <string.h>

/* What is shown: on the screen with numbers, in `plain` and the JSON as it is. */
struct listing {
    struct report *r;
    struct buf plain;
    int first; /* line, 0: none yet */
};

/* One line; number 0: between two parts. */
static void list_line(struct listing *l, int number, struct span line)
{
    if (line.n && line.at[line.n - 1] == '\r')
        line.n--;
    if (number && line.n) {
        say(l->r, "%5d  ", number);
        code_wrap(&l->r->screen, line.at, line.n, l->r->width, "       ");
    } else if (number) {
        say(l->r, "%5d\n", number);
    } else {
        say(l->r, "\n");
    }
    buf_printf(&l->plain, "%.*s\n", (int)line.n, line.at);
    l->first = l->first ? l->first : number;
}

/* ---- a lab's variants ----------------------------------------------------------------- */

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

/* Does the part that this marker opens belong to the variant? */
static bool marker_serves(struct span line, const char *variant)
{
    if (has_name(marked_variant(line), variant))
        return true;
    if (!begins(line, "//: used by "))
        return false;
    struct span names = {line.at + 12, line.n - 12};
    return has_name(names, variant) || has_name(names, "all");
}

static bool file_has_variant(struct text_file cu, const char *name)
{
    struct span line;
    while (next_line(&cu.text, &line))
        if (has_name(marked_variant(line), name))
            return true;
    return false;
}

static bool names_kernel(struct span line, const char *kernel)
{
    size_t n = strlen(kernel);
    for (size_t i = 1; i + n < line.n; i++)
        if (line.at[i - 1] == ' ' && memcmp(line.at + i, kernel, n) == 0 && line.at[i + n] == '(')
            return true;
    return false;
}

/* The part that holds a kernel: the marker before `NAME(` after __global__. */
static bool part_of_kernel(struct text_file cu, const char *kernel, char name[64])
{
    struct span line, marker = {"", 0};
    while (next_line(&cu.text, &line)) {
        struct span variant = marked_variant(line);
        marker = variant.n ? variant : marker;
        if (marker.n && marker.n < 64 && names_kernel(line, kernel)) {
            memcpy(name, marker.at, marker.n);
            name[marker.n] = '\0';
            return true;
        }
    }
    return false;
}

/* Which part of the file a wish means; NULL in *part: the whole file. */
static int choose_part(const struct command *lab, struct text_file cu, const char *wish,
                       char name[64], const char **part, struct report *r)
{
    const struct lab_variant *v = wish ? lab_variant_named(lab->lab, wish) : lab->lab->variants;
    *part = NULL;
    if (wish && strcmp(wish, "all") == 0)
        return 0;
    if (!wish && v && v->name && !v->kernel && !file_has_variant(cu, v->name))
        while (v->name && !v->kernel)
            v++; /* the first that has a kernel */
    if (wish && file_has_variant(cu, wish)) {
        *part = wish;
    } else if (v && v->name && file_has_variant(cu, v->name)) {
        *part = v->name;
    } else if (v && v->name && v->kernel && part_of_kernel(cu, v->kernel, name)) {
        *part = name;
    } else if (wish && v && v->name) {
        return report_fail(r, "%s %s runs on the host: it has no kernel to show", lab->name,
                           wish);
    } else if (wish) {
        return no_variant(lab, cu, wish, r);
    }
    return 0;
}

/* The lines of one variant, or of the whole file. Blank ones at a part's ends are dropped. */
static void list_part(struct listing *l, struct text_file cu, const char *part)
{
    struct span line;
    bool wanted = !part, any = false;
    int blank_from = 0; /* the first of the blank lines just passed */
    for (int number = 1; next_line(&cu.text, &line); number++) {
        if (part && begins(line, "//: ")) {
            wanted = marker_serves(line, part);
            any = false;
            blank_from = 0;
        } else if (wanted && line.n == 0) {
            blank_from = blank_from ? blank_from : number;
        } else if (wanted) {
            if (!any && l->plain.len)
                list_line(l, 0, (struct span){"", 0});
            for (; any && blank_from && blank_from < number; blank_from++)
                list_line(l, blank_from, (struct span){"", 0});
            list_line(l, number, line);
            blank_from = 0;
            any = true;
        }
    }
}

static int list_lab(struct listing *l, const struct command *lab, const char *wish)
{
    char name[64];
    const char *part;
    struct text_file cu = lab_file("kernels/%.60s.cu", lab->lab->module);
    if (!cu.name)
        return report_fail(l->r, "the CUDA C of %s is not in this build", lab->name);
    if (choose_part(lab, cu, wish, name, &part, l->r) != 0)
        return -1;
    say(l->r, "%s.cu%s%s\n", lab->lab->module, part ? ", variant " : "", part ? part : "");
    list_part(l, cu, part);
    json_text(&l->r->result, "file", cu.name);
    if (part)
        say(l->r, "\n`ptx %s --variant %s` shows its instructions; `code %s --variant all` the "
            "whole file.\n", lab->name, part, lab->name);
    return 0;
}

/* ---- a student's kernel --------------------------------------------------------------- */

static void list_parts(struct listing *l, struct span text, const struct code_part *parts,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct span rest = text, line;
        if (i > 0)
            list_line(l, 0, (struct span){"", 0});
        for (int number = 1; number <= parts[i].last && next_line(&rest, &line); number++)
            if (number >= parts[i].first)
                list_line(l, number, line);
    }
}

/* A kernel by its name in the source, and by that which commands know. */
static int list_found(struct listing *l, struct text_file cu, const char *plain, const char *shown)
{
    struct arena arena;
    unsigned count = 0;
    int rc = 0;
    arena_init(&arena, &allocator_libc);
    const struct code_part *parts = code_parts(cu.text, plain, &arena, &count);
    if (!parts) {
        rc = report_fail(l->r, "out of memory");
    } else if (!count) {
        rc = report_fail(l->r, "%s defines no kernel %.100s by itself: a header or a macro does; "
                         "`ptx` shows its instructions", base_name(cu.name), plain);
    } else {
        say(l->r, "%s, kernel %s\n", base_name(cu.name), shown);
        list_parts(l, cu.text, parts, count);
        json_text(&l->r->result, "file", cu.name);
        say(l->r, "\n`ptx %s` shows its instructions, with --explain what each does.\n", shown);
    }
    arena_free(&arena);
    return rc;
}

/* A lab's kernel by its own name. */
static int list_lab_kernel(struct listing *l, const char *kernel, struct shell *sh,
                           const char *variant)
{
    struct text_file cu;
    if (!lab_of_kernel(kernel, &cu).name || !cu.name)
        return reading_no_such(sh, kernel, l->r);
    if (variant)
        return report_fail(l->r, "`%.100s` is a kernel, and only labs have variants; `code %.100s` "
                           "shows it", kernel, kernel);
    return list_found(l, cu, kernel, kernel);
}

static int list_kernel(struct listing *l, const struct reading_wish *w, struct shell *sh,
                       const char *variant)
{
    struct reading_sources sources;
    if (variant)
        return report_fail(l->r, "a kernel of your own has no variants; `code %.100s` shows it",
                           w->kernel->shown);
    sources_init(&sources, sh, w->unit);
    struct text_file cu = sources_of_kernel(&sources);
    int rc = cu.name ? list_found(l, cu, unit_kernel_plain(w->kernel), w->kernel->shown)
                     : report_fail(l->r, "the source of `%.200s` is not beside it; `ptx %.100s` "
                                   "shows its instructions", w->unit->path, w->kernel->shown);
    sources_free(&sources);
    return rc;
}

/* ---- the command ---------------------------------------------------------------------- */

static void list_json(const struct listing *l)
{
    json_int(&l->r->result, "line", l->first);
    json_lines(&l->r->result, "lines", buf_text(&l->plain), l->plain.len);
}

static int keep(struct listing *l, struct shell *sh, const char *path)
{
    struct err e;
    if (l->plain.failed)
        return report_fail(l->r, "out of memory");
    if (shell_save(sh, path, buf_text(&l->plain), l->plain.len, &e) != 0)
        return report_fail_err(l->r, &e);
    say(l->r, "saved to %s\n", path);
    return 0;
}

static int run_code(struct session *session, const struct args *a, struct report *r)
{
    struct shell *sh = shell_of(session);
    const char *name = arg_text(a, "NAME"), *save = arg_text(a, "save");
    struct listing l = {.r = r};
    struct reading_wish wish;
    if (reading_wish(sh, name, &wish, r) != 0)
        return -1;
    buf_init(&l.plain);
    const char *variant = arg_text(a, "variant");
    int rc = wish.lab      ? list_lab(&l, wish.lab, variant)
             : wish.kernel ? list_kernel(&l, &wish, sh, variant)
                           : list_lab_kernel(&l, name, sh, variant);
    if (rc == 0)
        list_json(&l);
    if (rc == 0 && save)
        rc = keep(&l, sh, save);
    if (rc != 0)
        buf_clear(&r->screen);
    buf_free(&l.plain);
    return rc;
}

const struct command command_code = {
    .name = "code", .kind = CLASS_READING, .summary = "the CUDA C of a kernel",
    .options = (const struct arg_spec[]){
        {.name = "variant", .value = "NAME", .type = ARG_TEXT,
         .help = "which one of a lab; `all` shows the whole file"},
        {.name = "save", .type = ARG_FILE, .help = "write the code to a file as well"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "NAME", .type = ARG_KERNEL, .required = true,
         .help = "a lab, or a kernel of a lab or of your own: k, tk<float>, FILE.cu:k"}, {0}},
    .run = run_code};
