/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PTX that a name means, parsed, with the sources it came from: of a lab, of a lab's kernel
 * by its own name, or of a student's unit. What is shown of it is up to `ptx` and `sass`.
 */
#include "repl/reading.h"

#include "programs/programs.h"

#include <stdio.h>
#include <string.h>

static int open_text(struct reading_ptx *s, struct text_file ptx, struct report *r)
{
    struct err e = {0};
    s->text = (struct ptx_text){.ptx = ptx, .source = sources_find, .ctx = &s->sources};
    return ptx_text_open(&s->text, &e) == 0 ? 0 : report_fail_err(r, &e);
}

/* The variant that is wished for; without a wish the first that has a kernel. */
static const struct lab_variant *variant_of(const struct lab *lab, const char *wish)
{
    if (wish)
        return lab_variant_named(lab, wish);
    const struct lab_variant *v = lab->variants;
    while (v && v->name && !v->kernel)
        v++;
    return v && v->name ? v : NULL;
}

/* The kernel of a lab's variant; without a wish its first. */
static int lab_kernel(struct reading_ptx *s, const struct command *lab, const char *wish,
                      struct report *r)
{
    const struct lab_variant *v = variant_of(lab->lab, wish);
    const char *name = wish;
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
    if (wish && v)
        return report_fail(r, "%s %s has no kernel of its own: it calls %s of a library", lab->name,
                           wish, v->kernel);
    return wish ? no_variant(lab, s->cu, wish, r)
                : report_fail(r, "the PTX of %s has no kernel", lab->name);
}

static int open_lab(struct reading_ptx *s, const struct command *lab, const char *wish,
                    struct report *r)
{
    struct text_file ptx = lab_of_variant(lab->lab, wish, &s->cu);
    if (!ptx.name || !s->cu.name)
        return report_fail(r, "the PTX of %s is not in this build", lab->name);
    const struct lab_variant *v = variant_of(lab->lab, wish);
    const char *shown = wish ? wish : v ? v->name : NULL;
    snprintf(s->title, sizeof s->title, "%s%s%.100s", ptx.name, shown ? ", variant " : "",
             shown ? shown : "");
    return open_text(s, ptx, r) == 0 ? lab_kernel(s, lab, wish, r) : -1;
}

static int open_own(struct reading_ptx *s, const struct reading_wish *w, struct report *r)
{
    const struct text_file ptx = {w->unit->path, {buf_text(&w->unit->ptx), w->unit->ptx.len}};
    s->own = w->kernel;
    s->cu = sources_of_kernel(&s->sources);
    snprintf(s->title, sizeof s->title, "%.90s, kernel %.90s", base_name(ptx.name),
             w->kernel->shown);
    if (open_text(s, ptx, r) != 0)
        return -1;
    s->kernel = ptx_text_function(&s->text, w->kernel->info.name);
    return s->kernel ? 0 : report_fail(r, "the PTX of %.100s is only declared", w->kernel->shown);
}

/* A lab's kernel by its own name. */
static int open_lab_kernel(struct reading_ptx *s, struct text_file ptx, const char *kernel,
                           struct report *r)
{
    snprintf(s->title, sizeof s->title, "%s, kernel %.90s", ptx.name, kernel);
    if (open_text(s, ptx, r) != 0)
        return -1;
    s->kernel = ptx_text_function(&s->text, kernel);
    return s->kernel ? 0 : report_fail(r, "the PTX of %.100s is only declared", kernel);
}

int reading_ptx_open(struct reading_ptx *s, struct shell *sh, const char *name,
                     const char *variant, struct report *r)
{
    struct reading_wish wish;
    struct text_file ptx;
    memset(s, 0, sizeof *s);
    if (reading_wish(sh, name, &wish, r) != 0)
        return -1;
    sources_init(&s->sources, sh, wish.kernel ? wish.unit : NULL);
    if (wish.lab)
        return open_lab(s, wish.lab, variant, r);
    ptx = lab_of_kernel(name, &s->cu);
    if (variant && (wish.kernel || ptx.name))
        return report_fail(r, "`%.100s` is a kernel, and only labs have variants; give its name "
                           "alone", name);
    if (wish.kernel)
        return open_own(s, &wish, r);
    return ptx.name ? open_lab_kernel(s, ptx, name, r) : reading_no_such(sh, name, r);
}

void reading_ptx_close(struct reading_ptx *s)
{
    ptx_text_close(&s->text);
    sources_free(&s->sources);
}

int reading_assemble(const struct reading_ptx *s, struct shell *sh, unsigned arch,
                     bool usage_only, struct sass *out, struct err *e)
{
    enum { ASSEMBLE_SECONDS = 60 };
    const struct budget *budget = &sh->session.budget;
    const double limit = budget_limit(budget);
    const struct sass_want want = {
        .ptx = s->text.ptx.text.at, .size = s->text.ptx.text.n, .kernel = s->kernel->name,
        .arch = arch, .usage_only = usage_only, .safe = sh->safe,
        .memory = shell_compiler_memory(sh),
        .deadline = budget->command_began + (limit > 0 ? limit : ASSEMBLE_SECONDS),
        .stop = &sh->session.stop, .progress = &sh->session.progress};
    snprintf(sh->waiting.what, sizeof sh->waiting.what, "assembling %.40s", s->kernel->name);
    if (!sh->programs)
        return fail(e, "this cudalab was built without the programs that make SASS of PTX "
                    "(configure --disable-compile); `ptx` needs none");
    if (sh->programs->assemble(&want, out, e) == 0)
        return 0;
    return strstr(e->text, "gpu-name") ? fail(e, "the ptxas here makes no code for sm_%u: CUDA 13 "
                                              "begins at 75", arch)
                                       : -1;
}
