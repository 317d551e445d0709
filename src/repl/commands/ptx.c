/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `ptx` shows the instructions that a kernel became, with the source lines in between, and the
 * functions that it calls; with --explain, words beside each of them.
 */
#include "cc/declare.h"
#include "repl/commands.h"
#include "repl/reading.h"
#include "source/ptx-explain.h"

#include <string.h>

enum { PARAMS_MOST = 64 };

/* ---- showing -------------------------------------------------------------------------- */

/* What the source calls the kernel's parameters. */
static void name_params(const struct reading_ptx *s, struct arena *arena,
                        const char *names[PARAMS_MOST])
{
    struct declared declared[PARAMS_MOST];
    struct tokens source;
    int line;
    const char *name = s->own ? unit_kernel_plain(s->own) : s->kernel->name;
    unsigned count = s->kernel->param_count;
    memset(names, 0, PARAMS_MOST * sizeof *names);
    if (s->own && s->own->params && count <= PARAMS_MOST) {
        for (unsigned i = 0; i < count; i++)
            names[i] = unit_param_name(s->own, i);
    } else if (s->cu.name &&
               declare_read(s->cu.text.at, s->cu.text.n, arena, &source) == 0 &&
               declared_kernel(&source, name, declared, PARAMS_MOST, &line) == (int)count) {
        for (unsigned i = 0; i < count; i++)
            names[i] = declared[i].name[0] ? declared[i].name : NULL;
    }
}

static void show_lines(const struct reading_ptx *s, const struct ptx_function **list,
                       unsigned count, struct report *r)
{
    struct buf lines = {0};
    for (unsigned i = 0; i < count; i++) {
        buf_puts(&lines, i ? "\n" : "");
        ptx_text_lines(&s->text, list[i], &lines);
    }
    buf_add(&r->screen, buf_text(&lines), lines.len);
    json_lines(&r->result, "lines", buf_text(&lines), lines.len);
    report_said(r, &lines);
}

static int show_words(const struct reading_ptx *s, const struct ptx_function **list, unsigned count,
                      struct report *r)
{
    const char *params[PARAMS_MOST];
    struct ptx_names names;
    struct arena arena = {0};
    name_params(s, &arena, params);
    bool known = s->kernel->param_count <= PARAMS_MOST;
    int rc = ptx_names_of(&s->text, s->kernel, known ? params : NULL, &arena, &names);
    if (rc == 0)
        ptx_explain_head(&s->text, s->kernel, r);
    json_array(&r->result, "instructions");
    for (unsigned i = 0; rc == 0 && i < count; i++) {
        struct span name = {list[i]->name, strlen(list[i]->name)};
        say(r, "\n");
        if (i > 0)
            say(r, "%.*s, which it calls:\n", (int)name.n, name.at);
        rc = ptx_explain(&s->text, list[i], &names, r);
    }
    json_end_array(&r->result);
    if (rc != 0)
        report_fail_limit(r, "out of memory");
    arena_free(&arena);
    return rc;
}

static int show(const struct reading_ptx *s, bool explain, struct report *r)
{
    unsigned count;
    const struct ptx_function **list = ptx_text_called(&s->text, s->kernel, &count);
    int rc = 0;
    if (!list)
        return report_fail_limit(r, "out of memory");
    say(r, "%s\n", s->title);
    json_text(&r->result, "file", s->text.ptx.name);
    json_text(&r->result, "kernel", s->own ? s->own->shown : s->kernel->name);
    if (explain)
        rc = show_words(s, list, count, r);
    else
        show_lines(s, list, count, r);
    return rc;
}

/* ---- the command ---------------------------------------------------------------------- */

struct ptx_options { const char *variant, *name; bool explain; };

static int run_ptx(struct session *session, const void *given, struct report *r)
{
    const struct ptx_options *o = given;
    struct reading_ptx found;
    int rc = reading_ptx_open(&found, shell_of(session), o->name, o->variant, r);
    if (rc == 0)
        rc = show(&found, o->explain, r);
    reading_ptx_close(&found);
    return rc;
}

const struct command command_ptx = {
    .name = "ptx", .kind = CLASS_READING, .summary = "the PTX of a kernel, next to its source "
                                                     "lines",
    .options = (const struct arg_spec[]){
        {OPTION(struct ptx_options, variant), .value = "NAME", .type = ARG_TEXT,
         .help = "the variant of a lab"},
        {OPTION(struct ptx_options, explain), .help = "describe each instruction in words"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "NAME", BIND(struct ptx_options, name), .type = ARG_KERNEL, .required = true,
         .example = "vecadd",
         .help = "a lab, or a kernel of a lab or of your own: k, tk<float>, FILE.cu:k"}, {0}},
    .size = sizeof(struct ptx_options), .run = run_ptx};
