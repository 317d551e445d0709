/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `code` shows CUDA C with the file's own line numbers: of a lab the part of one variant
 * (source/code-lines.h) and what it needs of headers (source/code-headers.h), of a student's file a
 * kernel and what it uses (source/code-text.h). With --host it is a lab's kernel as a program
 * (source/code-host.h), with --diff two variants beside each other (source/code-diff.h).
 */
#include "repl/commands.h"
#include "repl/reading.h"
#include "source/code-diff.h"
#include "source/code-host.h"
#include "screen/pen.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* One piece of source, found. */
struct code_piece {
    struct code_lines lines;
    struct code_program program; /* with --host: where they lie */
    bool host;
    bool bare;                   /* without the comment at its head, in which all programs differ */
    const char *file;
    int first;                   /* line of that file which is shown */
    char part[64];               /* variant; "": the whole file */
    struct reading_sources sources;
};

static void piece_free(struct code_piece *p)
{
    code_program_free(&p->program);
    code_lines_free(&p->lines);
    sources_free(&p->sources);
}

/* ---- a lab's variants ----------------------------------------------------------------- */

/* The first part of a file; "": it has none. */
static void first_part(struct text_file cu, char part[64])
{
    struct span line, name = {"", 0};
    while (!name.n && next_line(&cu.text, &line))
        name = marked_variant(line);
    snprintf(part, 64, "%.*s", (int)name.n, name.at);
    part[strcspn(part, " ")] = '\0';
}

/* Which part of the file a wish means; "" in part: the whole file. */
static int choose_part(const struct command *lab, struct text_file cu, const char *wish,
                       char part[64], struct report *r)
{
    const struct lab_variant *v = wish ? lab_variant_named(lab->lab, wish) : lab->lab->variants;
    part[0] = '\0';
    if (wish && strcmp(wish, "all") == 0)
        return 0;
    if (!wish && v && v->name && !v->kernel && !code_has_variant(cu.text, v->name))
        while (v->name && !v->kernel)
            v++; /* the first that has a kernel */
    if (wish && code_has_variant(cu.text, wish))
        snprintf(part, 64, "%s", wish);
    else if (v && v->name && code_has_variant(cu.text, v->name))
        snprintf(part, 64, "%s", v->name);
    else if (v && v->name && v->kernel)
        code_variant_of(cu.text, v->kernel, part);
    else if (wish && v && v->name)
        return report_fail(r, "%s %s runs on the host: it has no kernel to show", lab->name,
                           wish);
    else if (wish)
        return no_variant(lab, cu, wish, r);
    return 0;
}

/* The kernel of a lab's variant, as a program. */
static int find_program(struct code_piece *p, const struct command *lab, const char *wish,
                        struct text_file cu, struct report *r)
{
    struct err e;
    if (wish && strcmp(wish, "all") == 0)
        return report_fail(r, "a program runs one variant: `code %s --host --variant NAME`",
                           lab->name);
    if (!p->part[0])
        first_part(cu, p->part);
    const struct lab_variant *v = p->part[0] ? lab_variant_named(lab->lab, p->part) : NULL;
    char module[64];
    lab_module_of(cu, module);
    if (code_program(lab->name, module, p->part[0] ? p->part : NULL,
                     v ? v->kernel : NULL, &p->program, &e) != 0)
        return report_fail_err(r, &e);
    struct span text = {buf_text(&p->program.text), p->program.text.len};
    p->file = p->program.file;
    p->first = p->bare ? p->program.opening + 1 : 1;
    code_lines_from(&p->lines, text, p->first, INT_MAX);
    return 0;
}

static int find_lab(struct code_piece *p, const struct command *lab, const char *wish,
                    struct report *r)
{
    struct text_file cu;
    lab_of_variant(lab->lab, wish, &cu);
    if (!cu.name)
        return report_fail(r, "the CUDA C of %s is not in this build", lab->name);
    if (choose_part(lab, cu, wish, p->part, r) != 0)
        return -1;
    if (p->host)
        return find_program(p, lab, wish, cu, r);
    p->file = cu.name;
    code_lines_of(&p->lines, cu.text, p->part[0] ? p->part : NULL);
    p->first = p->lines.count ? p->lines.at[0].number : 0;
    if (p->part[0])
        code_lines_head(&p->lines, cu);
    return 0;
}

static void say_lab_head(const struct code_piece *p, struct report *r)
{
    if (p->host)
        say(r, "%s, a whole program: %s\n", p->file, p->program.build);
    else
        say(r, "%s%s%s\n", p->file, p->part[0] ? ", variant " : "", p->part);
}

static void say_lab_foot(const struct code_piece *p, const struct command *lab, const char *shown,
                         struct report *r)
{
    const char *part = p->part;
    struct buf foot = {0};
    if (p->host)
        buf_printf(&foot, "%s`--save %s` writes it into a file.",
                   p->program.has_kernel ? "`load` takes it as well; " : "", p->file);
    else if (part[0] && !strstr(shown, "__global__")) /* but a call, and that is the host's */
        buf_printf(&foot, "`code %s --variant %s --host` shows the call; `code %s --variant all` "
                   "the whole file.", lab->name, part, lab->name);
    else if (part[0])
        buf_printf(&foot, "`ptx %s --variant %s` shows its instructions; `code %s --variant all` "
                   "the whole file.", lab->name, part, lab->name);
    if (foot.len)
        say(r, "\n");
    pen_tell(r, &foot, 0);
}

/* ---- a student's kernel --------------------------------------------------------------- */

/* A kernel by its name in the source, and by that which commands know. */
static int find_named(struct code_piece *p, struct text_file cu, const char *plain,
                      struct report *r)
{
    struct arena arena = {0};
    unsigned count = 0;
    int rc = 0;
    const struct code_part *parts = code_parts(cu.text, plain, &arena, &count);
    if (!parts)
        rc = report_fail_limit(r, "out of memory");
    else if (!count)
        rc = report_fail(r, "%s defines no kernel %.100s by itself: a header or a macro does; "
                         "`ptx` shows its instructions", base_name(cu.name), plain);
    for (unsigned i = 0; rc == 0 && i < count; i++) {
        code_lines_gap(&p->lines);
        code_lines_from(&p->lines, cu.text, parts[i].first, parts[i].last);
    }
    p->file = cu.name;
    p->first = p->lines.count ? p->lines.at[0].number : 0;
    arena_free(&arena);
    return rc;
}

static int find_own(struct code_piece *p, const struct reading_wish *w, struct shell *sh,
                    struct report *r)
{
    if (p->host)
        return report_fail(r, "--host is for labs: the host part of `%.100s` is in your own file, "
                           "and here `launch` is the host", w->kernel->shown);
    sources_init(&p->sources, sh, w->unit);
    struct text_file cu = sources_of_kernel(&p->sources);
    return cu.name ? find_named(p, cu, unit_kernel_plain(w->kernel), r)
                   : report_fail(r, "the source of `%.200s` is not next to it; `ptx %.100s` "
                                 "shows its instructions", w->unit->path, w->kernel->shown);
}

/* ---- what the words mean -------------------------------------------------------------- */

struct code_wish {
    struct reading_wish is;
    const char *name;            /* as typed */
    const char *variant;         /* NULL: none was asked for */
    const struct command *of;    /* the lab that has a kernel of this name, else NULL */
    struct text_file cu;         /* and its file */
    char part[64];
};

/* A lab's kernel by its own name: which lab's, and in which part. */
static void find_lab_of(struct code_wish *w, struct shell *sh)
{
    char module[64];
    if (w->is.lab || w->is.kernel || !lab_of_kernel(w->name, &w->cu).name || !w->cu.name)
        return;
    lab_module_of(w->cu, module);
    for (const struct command *const *c = sh->session.commands; *c; c++)
        if ((*c)->lab && (*c)->lab->module && strcmp((*c)->lab->module, module) == 0)
            w->of = *c;
    code_variant_of(w->cu.text, w->name, w->part);
}

struct code_options { const char *variant, *save, *name; struct arg_pair diff; bool host; };

static int read_wish(struct code_wish *w, struct shell *sh, const struct code_options *o,
                     struct report *r)
{
    *w = (struct code_wish){.name = o->name, .variant = o->variant};
    if (reading_wish(sh, w->name, &w->is, r) != 0)
        return -1;
    find_lab_of(w, sh);
    if (!w->is.lab && !w->is.kernel && !w->cu.name)
        return reading_no_such(sh, w->name, r);
    if (!w->variant || w->is.lab)
        return 0;
    if (w->is.kernel)
        return report_fail(r, "a kernel of your own has no variants; `code %.100s` shows it",
                           w->is.kernel->shown);
    return report_fail(r, "`%.100s` is a kernel, and only labs have variants; `code %.100s` "
                       "shows it", w->name, w->name);
}

/* ---- one piece ------------------------------------------------------------------------ */

/* Shows the lines without the license. A program that is saved has the license. */
static void say_lines(const struct code_piece *p, struct buf *plain, struct report *r)
{
    for (unsigned i = 0; i < p->lines.count; i++) {
        const struct code_line *l = &p->lines.at[i];
        if (is_license(l->text)) {
            ;
        } else if (l->number && l->text.n) {
            say(r, "%5d  ", l->number);
            code_wrap(&r->screen, l->text.at, l->text.n, r->width, "       ");
        } else if (l->number) {
            say(r, "%5d\n", l->number);
        } else if (l->text.n) {
            say(r, "       %.*s\n", (int)l->text.n, l->text.at);
        } else {
            say(r, "\n");
        }
        buf_printf(plain, "%.*s\n", (int)l->text.n, l->text.at);
    }
}

static int find_piece(struct code_piece *p, const struct code_wish *w, struct shell *sh,
                      struct report *r)
{
    if (w->is.lab)
        return find_lab(p, w->is.lab, w->variant, r);
    if (w->is.kernel)
        return find_own(p, &w->is, sh, r);
    if (p->host && w->of)
        return find_lab(p, w->of, w->part[0] ? w->part : NULL, r);
    if (p->host)
        return report_fail(r, "`%.100s` has no host part in this build", w->name);
    if (find_named(p, w->cu, w->name, r) != 0)
        return -1;
    code_lines_head(&p->lines, w->cu);
    return 0;
}

static int show_piece(const struct code_wish *w, struct shell *sh, bool host, struct buf *plain,
                      struct report *r)
{
    struct code_piece p = {.host = host};
    const struct command *lab = w->is.lab ? w->is.lab : host ? w->of : NULL;
    int rc = find_piece(&p, w, sh, r);
    if (rc == 0 && lab)
        say_lab_head(&p, r);
    else if (rc == 0)
        say(r, "%s, kernel %s\n", base_name(p.file), w->is.kernel ? w->is.kernel->shown : w->name);
    if (rc == 0) {
        say_lines(&p, plain, r);
        json_text(&r->result, "file", p.file);
        if (host)
            json_text(&r->result, "build", p.program.build);
        json_int(&r->result, "line", p.first);
        json_lines(&r->result, "lines", buf_text(plain), plain->len);
    }
    if (rc == 0 && lab)
        say_lab_foot(&p, lab, buf_text(plain), r);
    else if (rc == 0)
        say(r, "\n`ptx %s` shows its instructions, with --explain what each does.\n",
            w->is.kernel ? w->is.kernel->shown : w->name);
    if (rc == 0 && p.lines.failed)
        rc = report_fail_limit(r, "out of memory");
    piece_free(&p);
    return rc;
}

/* ---- two of them ---------------------------------------------------------------------- */

static void say_summary(const struct command *lab, const char *name, char mark, struct report *r)
{
    const struct lab_variant *v = lab_variant_named(lab->lab, name);
    if (!v)
        return;
    say(r, "%c %s: %s%s", mark, name, v->summary, v->mended_by ? " (" : "\n");
    if (v->mended_by) {
        say_in(r, INK_BAD, "wrong on purpose");
        say(r, "; `%s` fixes it)\n", v->mended_by);
    }
}

/* As programs write differences: all lines, those of one side behind - or +. */
static void put_diff(const struct code_diff *d, struct buf *out)
{
    for (unsigned i = 0; i < d->count; i++) {
        const struct diff_row *row = &d->rows[i];
        bool both = row->mark == DIFF_SAME;
        if (row->mark != DIFF_RIGHT)
            buf_printf(out, "%c%.*s\n", both ? ' ' : '-', (int)row->left.text.n,
                       row->left.text.at);
        if (row->mark == DIFF_RIGHT || row->mark == DIFF_CHANGED)
            buf_printf(out, "+%.*s\n", (int)row->right.text.n, row->right.text.at);
    }
}

static void say_diff(const struct command *lab, const struct code_piece pair[2],
                     const struct code_diff *d, struct report *r)
{
    const unsigned *rows = d->marked;
    say(r, "%s, %s and %s%s: %u line%s changed, %u only in %s, %u only in %s\n",
        lab->lab->module, d->left, d->right, pair[0].host ? " as programs" : "",
        rows[DIFF_CHANGED], rows[DIFF_CHANGED] == 1 ? "" : "s", rows[DIFF_LEFT], d->left,
        rows[DIFF_RIGHT], d->right);
    say_summary(lab, d->left, '-', r);
    say_summary(lab, d->right, '+', r);
    say(r, "\n");
    say_code_diff(r, d);
    json_text(&r->result, "lab", lab->name);
    json_code_diff(&r->result, d);
    if (lab->lab->takes & TAKES_VARIANT)
        say(r, "\n`%s --variant all` runs both, and counts what each one does.\n", lab->name);
}

static int show_diff(const struct code_wish *w, const struct arg_pair *names, bool host,
                     struct buf *plain, struct report *r)
{
    struct code_piece pair[2] = {{.host = host, .bare = host}, {.host = host, .bare = host}};
    struct err e;
    const struct command *lab = w->is.lab;
    struct code_diff d = {.left = names->first, .right = names->second};
    if (!lab)
        return report_fail(r, "--diff compares two variants of a lab, as in `code trap --diff "
                           "atomic shuffle`; `%.100s` is a kernel", w->name);
    if (w->variant)
        return report_fail(r, "--diff names both variants itself; leave --variant out");
    if (strcmp(names->first, names->second) == 0 || strcmp(names->first, "all") == 0 ||
        strcmp(names->second, "all") == 0)
        return report_fail(r, "--diff %.60s %.60s: name two different variants of %s", names->first,
                           names->second, lab->name);
    int rc = find_lab(&pair[0], lab, names->first, r) || find_lab(&pair[1], lab, names->second, r)
                 ? -1
                 : 0;
    if (rc == 0 && code_diff(&pair[0].lines, &pair[1].lines, &d, &e) != 0)
        rc = report_fail_err(r, &e);
    if (rc == 0) {
        say_diff(lab, pair, &d, r);
        put_diff(&d, plain);
    }
    code_diff_free(&d);
    piece_free(&pair[0]);
    piece_free(&pair[1]);
    return rc;
}

/* ---- the command ---------------------------------------------------------------------- */

static int keep(struct shell *sh, const char *path, const struct buf *plain, struct report *r)
{
    struct err e;
    if (plain->failed)
        return report_fail_limit(r, "out of memory");
    if (shell_save(sh, path, buf_text(plain), plain->len, &e) != 0)
        return report_fail_err(r, &e);
    say(r, "saved to %s\n", path);
    return 0;
}

static int run_code(struct session *session, const void *given, struct report *r)
{
    const struct code_options *o = given;
    struct shell *sh = shell_of(session);
    struct code_wish wish;
    struct buf plain = {0};
    if (read_wish(&wish, sh, o, r) != 0)
        return -1;
    int rc = o->diff.first ? show_diff(&wish, &o->diff, o->host, &plain, r)
                           : show_piece(&wish, sh, o->host, &plain, r);
    if (rc == 0 && o->save)
        rc = keep(sh, o->save, &plain, r);
    if (rc != 0)
        buf_clear(&r->screen);
    buf_free(&plain);
    return rc;
}

const struct command command_code = {
    .name = "code", .kind = CLASS_READING, .summary = "the source code of a kernel in CUDA C",
    .options = (const struct arg_spec[]){
        {OPTION(struct code_options, variant), .value = "NAME", .type = ARG_TEXT,
         .help = "the variant of a lab; `all` shows the whole file"},
        {OPTION(struct code_options, diff), .value = "V W", .type = ARG_PAIR,
         .help = "show the differences between two variants of a lab"},
        {OPTION(struct code_options, host),
         .help = "show a whole program with a main function, in which every call is checked"},
        {OPTION(struct code_options, save), .type = ARG_FILE,
         .help = "also write the code to a file"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "NAME", BIND(struct code_options, name), .type = ARG_KERNEL, .required = true,
         .example = "vecadd",
         .help = "a lab, or a kernel of a lab or of your own: k, tk<float>, FILE.cu:k"}, {0}},
    .size = sizeof(struct code_options), .run = run_code};
