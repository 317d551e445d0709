/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `ptx` shows the instructions that a kernel became, with the source lines in between, and the
 * functions that it calls; with --explain, words beside each of them.
 */
#include "cc/declare.h"
#include "repl/families.h"
#include "repl/reading.h"
#include "teach/ptx-explain.h"

#include <stdio.h>
#include <string.h>

enum { PARAMS_MOST = 64 };

/* What is to be shown, once it is found. */
struct showing {
    struct ptx_text text;
    const struct ptx_function *kernel;
    const struct unit_kernel *own; /* NULL: a lab's kernel */
    struct text_file cu;           /* the kernel's source; its name may be NULL */
    bool explain;
    char title[200];
};

/* ---- showing -------------------------------------------------------------------------- */

/* What the source calls the kernel's parameters. */
static void name_params(const struct showing *s, struct arena *arena,
                        const char *names[PARAMS_MOST])
{
    struct declared declared[PARAMS_MOST];
    const char *name = s->own ? unit_kernel_plain(s->own) : s->kernel->name;
    unsigned count = s->kernel->param_count;
    memset(names, 0, PARAMS_MOST * sizeof *names);
    if (s->own && s->own->params && count <= PARAMS_MOST) {
        for (unsigned i = 0; i < count; i++)
            names[i] = unit_param_name(s->own, i);
    } else if (s->cu.name && declared_params(s->cu.text.at, s->cu.text.n, name, arena, declared,
                                             PARAMS_MOST) == (int)count) {
        for (unsigned i = 0; i < count; i++)
            names[i] = declared[i].name[0] ? declared[i].name : NULL;
    }
}

static void show_lines(const struct showing *s, const struct ptx_function **list, unsigned count,
                       struct report *r)
{
    struct buf lines;
    buf_init(&lines);
    for (unsigned i = 0; i < count; i++) {
        buf_puts(&lines, i ? "\n" : "");
        ptx_text_lines(&s->text, list[i], &lines);
    }
    buf_add(&r->screen, buf_text(&lines), lines.len);
    json_lines(&r->result, "lines", buf_text(&lines), lines.len);
    report_said(r, &lines);
}

static int show_words(const struct showing *s, const struct ptx_function **list, unsigned count,
                      struct report *r)
{
    const char *params[PARAMS_MOST];
    struct ptx_names names;
    struct arena arena;
    arena_init(&arena, &allocator_libc);
    name_params(s, &arena, params);
    bool known = s->kernel->param_count <= PARAMS_MOST;
    int rc = ptx_names_of(&s->text, s->kernel, known ? params : NULL, &arena, &names);
    if (rc != 0)
        report_fail(r, "out of memory");
    else
        ptx_explain_head(&s->text, s->kernel, r);
    json_array(&r->result, "instructions");
    for (unsigned i = 0; rc == 0 && i < count; i++) {
        struct span name = {list[i]->name, strlen(list[i]->name)};
        say(r, "\n");
        if (i > 0)
            say(r, "%.*s, which it calls:\n", (int)name.n, name.at);
        ptx_explain(&s->text, list[i], &names, r);
    }
    json_end_array(&r->result);
    arena_free(&arena);
    return rc;
}

static int show(const struct showing *s, struct report *r)
{
    unsigned count;
    const struct ptx_function **list = ptx_text_called(&s->text, s->kernel, &count);
    int rc = 0;
    if (!list)
        return report_fail(r, "out of memory");
    say(r, "%s\n", s->title);
    json_text(&r->result, "file", s->text.ptx.name);
    json_text(&r->result, "kernel", s->own ? s->own->shown : s->kernel->name);
    if (s->explain)
        rc = show_words(s, list, count, r);
    else
        show_lines(s, list, count, r);
    mem_put(&allocator_libc, list, s->text.module->function_count * sizeof *list);
    return rc;
}

/* ---- finding -------------------------------------------------------------------------- */

static int open_text(struct showing *s, struct text_file ptx, struct reading_sources *sources,
                     struct report *r)
{
    struct err e = {0};
    s->text = (struct ptx_text){.ptx = ptx, .source = sources_find, .ctx = sources};
    return ptx_text_open(&s->text, &e) == 0 ? 0 : report_fail_err(r, &e);
}

/* The kernel of a lab's variant; without a wish its first. */
static int lab_kernel(struct showing *s, const struct command *lab, const char *wish,
                      struct report *r)
{
    const struct lab_variant *v = wish ? lab_variant_named(lab->lab, wish) : lab->lab->variants;
    const char *name = wish;
    while (!wish && v && v->name && !v->kernel)
        v++;
    if (wish && v && !v->kernel)
        return report_fail(r, "%s %s runs on the host: it has no kernel to show", lab->name, wish);
    if (v && v->name)
        name = v->kernel;
    for (const struct ptx_function *f = s->text.module->functions; f && !name; f = f->next)
        if (f->is_entry)
            name = f->name;
    s->kernel = name ? ptx_text_function(&s->text, name) : NULL;
    if (s->kernel)
        return 0;
    return wish ? no_variant(lab, s->cu, wish, r)
                : report_fail(r, "the PTX of %s has no kernel", lab->name);
}

static int show_lab(struct shell *sh, const struct command *lab, const char *wish,
                    struct showing *s, struct report *r)
{
    struct reading_sources sources;
    struct text_file ptx = lab_file("kernels/ptx/%.60s.ptx", lab->lab->module);
    s->cu = lab_file("kernels/%.60s.cu", lab->lab->module);
    if (!ptx.name || !s->cu.name)
        return report_fail(r, "the PTX of %s is not in this build", lab->name);
    snprintf(s->title, sizeof s->title, "%s%s%.100s", ptx.name, wish ? ", variant " : "",
             wish ? wish : "");
    sources_init(&sources, sh, NULL);
    int rc = open_text(s, ptx, &sources, r);
    if (rc == 0)
        rc = lab_kernel(s, lab, wish, r);
    if (rc == 0)
        rc = show(s, r);
    ptx_text_close(&s->text);
    sources_free(&sources);
    return rc;
}

static int show_own(struct shell *sh, const struct reading_wish *w, struct showing *s,
                    struct report *r)
{
    struct reading_sources sources;
    sources_init(&sources, sh, w->unit);
    s->own = w->kernel;
    s->cu = sources_of_kernel(&sources);
    const struct text_file ptx = {w->unit->path, {buf_text(&w->unit->ptx), w->unit->ptx.len}};
    snprintf(s->title, sizeof s->title, "%.90s, kernel %.90s", base_name(ptx.name),
             w->kernel->shown);
    int rc = open_text(s, ptx, &sources, r);
    s->kernel = rc == 0 ? ptx_text_function(&s->text, w->kernel->info.name) : NULL;
    if (s->kernel)
        rc = show(s, r);
    else if (rc == 0)
        rc = report_fail(r, "the PTX of %.100s is only declared", w->kernel->shown);
    ptx_text_close(&s->text);
    sources_free(&sources);
    return rc;
}

/* A lab's kernel by its own name. */
static int show_lab_kernel(struct shell *sh, const char *kernel, struct showing *s,
                           struct report *r)
{
    struct reading_sources sources;
    struct text_file ptx = lab_of_kernel(kernel, &s->cu);
    if (!ptx.name)
        return reading_no_such(sh, kernel, r);
    snprintf(s->title, sizeof s->title, "%s, kernel %.90s", ptx.name, kernel);
    sources_init(&sources, sh, NULL);
    int rc = open_text(s, ptx, &sources, r);
    s->kernel = rc == 0 ? ptx_text_function(&s->text, kernel) : NULL;
    if (s->kernel)
        rc = show(s, r);
    ptx_text_close(&s->text);
    sources_free(&sources);
    return rc;
}

/* ---- the command ---------------------------------------------------------------------- */

static int run_ptx(struct session *session, const struct args *a, struct report *r)
{
    struct shell *sh = shell_of(session);
    const char *name = arg_text(a, "NAME"), *variant = arg_text(a, "variant");
    struct showing s = {.explain = arg_flag(a, "explain")};
    struct reading_wish wish;
    if (reading_wish(sh, name, &wish, r) != 0)
        return -1;
    if (wish.lab)
        return show_lab(sh, wish.lab, variant, &s, r);
    if (variant && (wish.kernel || lab_of_kernel(name, &s.cu).name))
        return report_fail(r, "`%.100s` is a kernel, and only labs have variants; `ptx %.100s` "
                           "shows it", name, name);
    if (wish.kernel)
        return show_own(sh, &wish, &s, r);
    return show_lab_kernel(sh, name, &s, r);
}

const struct command command_ptx = {
    .name = "ptx", .kind = CLASS_READING, .summary = "the PTX of a kernel, beside its source",
    .options = (const struct arg_spec[]){
        {.name = "variant", .value = "NAME", .type = ARG_TEXT, .help = "which kernel of a lab"},
        {.name = "explain", .type = ARG_FLAG, .help = "what each instruction does, in words"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "NAME", .type = ARG_KERNEL, .required = true,
         .help = "a lab, or a kernel of a lab or of your own: k, tk<float>, FILE.cu:k"},
        {0}},
    .run = run_ptx};
