/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `similar` lists kernels of different files whose instructions agree, for an instructor who has
 * many hand-ins. Each file is compiled, and each kernel becomes its normal form (ptx/normal.h).
 * Names, comments and the order of functions are not in it. A file that does not compile is listed
 * too.
 */
#include "base/mem.h"
#include "cxx/name.h"
#include "ptx/normal.h"
#include "repl/commands.h"
#include "repl/compile-options.h"
#include "repl/loading.h"
#include "screen/picture.h"
#include "screen/wrap.h"

#include <stdlib.h>
#include <string.h>

struct similar_options {
    struct compile_given given;
    struct arg_many files;
    const char *skeleton;
    int least, instructions;
};

struct form {
    unsigned file;
    const char *kernel;
    struct ptx_normal normal;
};

struct form_pair {
    const struct form *a, *b;
    double share;
    bool same;
    uint32_t instructions; /* of the shorter one */
};

struct unread {
    const char *file, *why;
};

struct comparing {
    struct shell *sh;
    const struct similar_options *options;
    struct buf words; /* of the compiler */
    struct ptx_normal skeleton;
    struct form *forms;
    size_t form_count, form_room;
    struct form_pair *pairs;
    size_t pair_count, pair_room;
    struct unread *unread;
    size_t unread_count, unread_room;
    unsigned short_ones; /* kernels that are too short to be compared */
    struct arena arena;
    struct report *report;
};

static int no_memory(struct comparing *c)
{
    return report_fail(c->report, "out of memory");
}

/* ---- reading --------------------------------------------------------------------------- */

static int add_form(struct comparing *c, const struct form *f)
{
    if ((int)f->normal.instructions < c->options->instructions) {
        c->short_ones++;
        return 0;
    }
    if (mem_grow(&allocator_libc, (void **)&c->forms, &c->form_room, c->form_count,
                 sizeof *c->forms) != 0)
        return no_memory(c);
    c->forms[c->form_count++] = *f;
    return 0;
}

static int add_kernel(struct comparing *c, unsigned file, const struct ptx_module *m,
                      const struct ptx_function *k)
{
    struct buf name = {0};
    struct cxx_name cxx;
    struct form f = {.file = file};
    if (cxx_read(k->name, &c->arena, &cxx) == 0)
        buf_printf(&name, "%s%s", cxx.qualified, cxx.arguments);
    else
        buf_puts(&name, k->name);
    f.kernel = name.failed ? NULL : arena_text(&c->arena, buf_text(&name), name.len);
    buf_free(&name);
    if (!f.kernel || ptx_normal_of(m, k, &c->skeleton, &c->arena, &f.normal) != 0)
        return no_memory(c);
    return add_form(c, &f);
}

static int add_kernels(struct comparing *c, unsigned file, const struct ptx_module *m)
{
    int rc = 0;
    for (const struct ptx_function *k = m->functions; k && rc == 0; k = k->next)
        if (k->is_entry && k->has_body)
            rc = add_kernel(c, file, m, k);
    return rc;
}

static int add_skeleton(struct comparing *c, const struct ptx_module *m)
{
    struct ptx_normal one;
    for (const struct ptx_function *k = m->functions; k; k = k->next)
        if (k->is_entry && k->has_body &&
            (ptx_normal_of(m, k, NULL, &c->arena, &one) != 0 ||
             ptx_normal_join(&c->skeleton, &one, &c->arena) != 0))
            return no_memory(c);
    return 0;
}

/* NULL: the file has no PTX, and the report of this file says why. */
static struct ptx_module *open_file(struct comparing *c, const char *path, struct report *r)
{
    struct buf ptx = {0};
    struct err e = {0};
    struct ptx_module *m = NULL;
    if (file_to_ptx(c->sh, path, buf_text(&c->words), &ptx, r) == 0) {
        m = ptx_parse(&allocator_libc, buf_text(&ptx), ptx.len, &c->sh->session.go_on, &e);
        if (!m)
            report_fail(r, "%s: %s", path, e.text);
    }
    buf_free(&ptx);
    return m;
}

static int add_unread(struct comparing *c, const char *path, const struct report *of_file)
{
    const char *why = of_file->error.text;
    struct unread u = {path, arena_text(&c->arena, why, strlen(why))};
    if (!u.why || mem_grow(&allocator_libc, (void **)&c->unread, &c->unread_room, c->unread_count,
                           sizeof *c->unread) != 0)
        return no_memory(c);
    c->unread[c->unread_count++] = u;
    return 0;
}

/* A hand-in that can't be compiled doesn't end the command. */
static int read_file(struct comparing *c, unsigned at)
{
    const char *path = c->options->files.text[at];
    struct report of_file;
    report_init(&of_file);
    struct ptx_module *m = open_file(c, path, &of_file);
    int rc = m ? add_kernels(c, at, m) : add_unread(c, path, &of_file);
    ptx_free(m);
    report_free(&of_file);
    return rc;
}

static int read_skeleton(struct comparing *c)
{
    if (!c->options->skeleton)
        return 0;
    struct ptx_module *m = open_file(c, c->options->skeleton, c->report);
    int rc = m ? add_skeleton(c, m) : -1;
    ptx_free(m);
    return rc;
}

static int may_go_on(struct comparing *c)
{
    struct err e = {0};
    return go_on(&c->sh->session.go_on, &e) == 0 ? 0 : report_fail_err(c->report, &e);
}

static int read_files(struct comparing *c)
{
    const struct arg_many *files = &c->options->files;
    for (unsigned i = 0; i < files->count; i++)
        for (unsigned k = 0; k < i; k++)
            if (strcmp(files->text[i], files->text[k]) == 0)
                return report_fail(c->report, "`%.300s` is named twice; once is enough",
                                   files->text[i]);
    for (unsigned i = 0; i < files->count; i++)
        if (read_file(c, i) != 0 || may_go_on(c) != 0)
            return -1;
    return 0;
}

/* ---- comparing ------------------------------------------------------------------------- */

static void compare(const struct form *a, const struct form *b, struct form_pair *out)
{
    const struct ptx_normal *x = &a->normal, *y = &b->normal;
    *out = (struct form_pair){
        .a = a, .b = b, .share = ptx_normal_share(x, y), .same = x->whole == y->whole,
        .instructions = x->instructions < y->instructions ? x->instructions : y->instructions};
}

/* The best first. Those that agree as well are in the order of the files. */
static int by_share(const void *a, const void *b)
{
    const struct form_pair *x = a, *y = b;
    if (x->same != y->same)
        return x->same ? -1 : 1;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static int add_pair(struct comparing *c, const struct form_pair *p)
{
    if (!p->a || p->share * 100 < c->options->least)
        return 0;
    if (mem_grow(&allocator_libc, (void **)&c->pairs, &c->pair_room, c->pair_count,
                 sizeof *c->pairs) != 0)
        return no_memory(c);
    c->pairs[c->pair_count++] = *p;
    return 0;
}

/* Of each other file the kernel that agrees best. */
static int compare_with_others(struct comparing *c, const struct form *a)
{
    const struct form *end = c->forms + c->form_count;
    for (const struct form *b = a + 1; b < end;) {
        struct form_pair best = {.a = NULL}, now;
        const unsigned file = b->file;
        for (; b < end && b->file == file; b++) {
            compare(a, b, &now);
            if (file != a->file && (!best.a || by_share(&now, &best) < 0))
                best = now;
        }
        if (add_pair(c, &best) != 0)
            return -1;
    }
    return may_go_on(c);
}

static int compare_all(struct comparing *c)
{
    for (size_t i = 0; i < c->form_count; i++)
        if (compare_with_others(c, &c->forms[i]) != 0)
            return -1;
    if (c->pair_count)
        qsort(c->pairs, c->pair_count, sizeof *c->pairs, by_share);
    return 0;
}

/* ---- telling --------------------------------------------------------------------------- */

static const char *file_of(const struct comparing *c, const struct form *f)
{
    return c->options->files.text[f->file];
}

static void say_pairs(struct comparing *c)
{
    static const struct table_column columns[] = {
        {.head = "share", .right = true, .tells = "share %"},
        {.head = "instructions", .right = true, .gives_way = 1, .tells = "% instructions"},
        {.head = "kernel", .tells = "kernel %"},
        {.head = "and kernel", .folds = true, .tells = "and kernel %"}};
    struct table t;
    if (!c->pair_count)
        return;
    table_begin(&t, columns, 4, 2);
    for (size_t i = 0; i < c->pair_count; i++) {
        const struct form_pair *p = &c->pairs[i];
        if (p->same)
            table_cell(&t, "same");
        else
            table_cell(&t, "%.0f %%", p->share * 100);
        table_cell(&t, "%u", p->instructions);
        table_cell(&t, "%s:%s", file_of(c, p->a), p->a->kernel);
        table_cell(&t, "%s:%s", file_of(c, p->b), p->b->kernel);
    }
    say_table(c->report, &t);
}

static void say_all(struct comparing *c)
{
    struct report *r = c->report;
    say_wrapped(r, 2, "%u files, %zu kernels: %zu pair%s of kernels agree%s in at least %d %% of "
                      "their runs of %d instructions", c->options->files.count, c->form_count,
                c->pair_count, c->pair_count == 1 ? "" : "s", c->pair_count == 1 ? "s" : "",
                c->options->least, PTX_RUN);
    say_pairs(c);
    if (c->short_ones)
        say_wrapped(r, 2, "%u kernel%s with fewer than %d instructions %s left out, because such "
                          "kernels often agree by chance; --instructions sets this number",
                    c->short_ones, c->short_ones == 1 ? "" : "s", c->options->instructions,
                    c->short_ones == 1 ? "is" : "are");
    for (size_t i = 0; i < c->unread_count; i++)
        say_wrapped(r, 2, "not compared: %s", c->unread[i].why);
}

static void tell_json(struct comparing *c)
{
    struct json *j = &c->report->result;
    json_array(j, "pairs");
    for (size_t i = 0; i < c->pair_count; i++) {
        const struct form_pair *p = &c->pairs[i];
        json_object(j, NULL);
        json_text(j, "a", file_of(c, p->a));
        json_text(j, "b", file_of(c, p->b));
        json_text(j, "kernel_a", p->a->kernel);
        json_text(j, "kernel_b", p->b->kernel);
        json_uint(j, "instructions", p->instructions);
        json_f64(j, "share", p->share);
        json_bool(j, "same", p->same);
        json_end_object(j);
    }
    json_end_array(j);
    json_array(j, "not_compared");
    for (size_t i = 0; i < c->unread_count; i++) {
        json_object(j, NULL);
        json_text(j, "file", c->unread[i].file);
        json_text(j, "why", c->unread[i].why);
        json_end_object(j);
    }
    json_end_array(j);
    json_uint(j, "kernels", c->form_count);
    json_uint(j, "short_kernels", c->short_ones);
    json_uint(j, "run", PTX_RUN);
}

static int run_all(struct comparing *c)
{
    struct err e = {0};
    if (c->options->files.count < 2)
        return report_fail(c->report, "similar compares two files or more");
    if (compile_options(c->sh, &c->options->given, &c->words, &e) != 0)
        return report_fail_err(c->report, &e);
    if (read_skeleton(c) != 0 || read_files(c) != 0 || compare_all(c) != 0)
        return -1;
    say_all(c);
    tell_json(c);
    return 0;
}

static int run_similar(struct session *s, const void *given, struct report *r)
{
    struct comparing c = {.sh = shell_of(s), .options = given, .report = r};
    int rc = run_all(&c);
    mem_free(&allocator_libc, c.forms, c.form_room * sizeof *c.forms);
    mem_free(&allocator_libc, c.pairs, c.pair_room * sizeof *c.pairs);
    mem_free(&allocator_libc, c.unread, c.unread_room * sizeof *c.unread);
    arena_free(&c.arena);
    buf_free(&c.words);
    return rc;
}

static const char *const endings[] = {".cu", ".cuh", ".ptx", NULL};

const struct command command_similar = {
    .name = "similar", .kind = CLASS_KERNELS,
    .summary = "kernels of different files whose instructions agree",
    .options = (const struct arg_spec[]){
        {OPTION(struct similar_options, least), .value = "PERCENT", .type = ARG_INT, .lo = 1,
         .hi = 100, .initial = "80", .help = "list pairs that agree in so many percent"},
        {OPTION(struct similar_options, instructions), .value = "N", .type = ARG_INT, .lo = 1,
         .hi = 1000000, .initial = "30", .help = "leave out kernels with fewer instructions"},
        {OPTION(struct similar_options, skeleton), .value = "FILE", .type = ARG_FILE,
         .choices = endings,
         .help = "a file that all students were given: its code does not count"},
        FOLDERS_AND_MACROS(struct similar_options), {0}},
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct similar_options, files), .type = ARG_FILES, .required = true,
         .choices = endings, .example = "a.cu b.cu",
         .help = "the files to compare: CUDA C (.cu) or PTX (.ptx)"}, {0}},
    .size = sizeof(struct similar_options), .run = run_similar};
