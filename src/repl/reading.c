/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and files for the commands that read. The files of labs are embedded in the program. Those
 * of a student's unit are the file that was loaded and the files beside it. What is shown of them is
 * up to the commands.
 */
#include "repl/reading.h"

#include "os/asset.h"
#include "base/lines.h"
#include "cc/source.h"
#include "programs/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BESIDE_MOST = sizeof(((struct reading_sources *)0)->beside) / sizeof(struct source_beside) };

/* ---- names ---------------------------------------------------------------------------- */

static bool has_kernel(const struct command *c)
{
    return c->lab && c->lab->module;
}

int reading_wish(struct shell *sh, const char *name, struct reading_wish *wish, struct report *r)
{
    struct err e = {0};
    const struct command *c = command_exact(sh, name);
    *wish = (struct reading_wish){NULL, NULL, NULL};
    struct unit *unit = NULL;
    const struct unit_kernel *own = unit_kernel_find(&sh->session, name, &unit, &e);
    if (c && has_kernel(c)) {
        wish->lab = c;
        if (own)
            say_wrapped(r, 2, "note: `%s` is the lab; your kernel is `%s:%s`", name,
                        base_name(unit->path), name);
        return 0;
    }
    wish->kernel = own;
    wish->unit = own ? unit : NULL;
    return e.text[0] ? report_fail_err(r, &e) : 0;
}

static void try_span(struct near *n, struct span name)
{
    char each[100];
    if (!name.n || name.n >= sizeof each)
        return;
    snprintf(each, sizeof each, "%.*s", (int)name.n, name.at);
    near_try(n, each);
}

static bool is_ptx(const struct asset *a)
{
    return strncmp(a->name, "kernels/ptx/", 12) == 0 && ends_in(a->name, ".ptx") &&
           strncmp(a->name, "kernels/ptx/example-", 20) != 0; /* of a help text, not of a lab */
}

/* The name in a line that begins an entry; n 0: the line begins none. */
static struct span entry_name(struct span line)
{
    static const char mark[] = ".entry ";
    struct span name = {line.at, 0};
    for (size_t i = 0; line.at[0] == '.' && i + sizeof mark - 1 < line.n && !name.n; i++)
        if (memcmp(line.at + i, mark, sizeof mark - 1) == 0)
            for (name.at = line.at + i + sizeof mark - 1;
                 name.at + name.n < line.at + line.n && !strchr("( ", name.at[name.n]); name.n++)
                ;
    return name;
}

static void try_lab_kernels(struct near *n)
{
    struct span line;
    for (size_t i = 0; i < assets_count; i++) {
        struct span rest = {(const char *)assets[i].data, assets[i].size};
        while (is_ptx(&assets[i]) && asset_here(&assets[i]) && next_line(&rest, &line))
            if (line.n)
                try_span(n, entry_name(line));
    }
}

int reading_no_such(struct shell *sh, const char *name, struct report *r)
{
    struct near n = {.word = name};
    const struct units *units = sh->session.units;
    const struct command *c = command_exact(sh, name);
    if (c)
        return report_fail(r, "%s has no kernel to show; name a lab, as in `code trap`, or a "
                           "kernel that you have loaded", c->name);
    for (const struct command *const *all = sh->session.commands; *all; all++)
        if (has_kernel(*all))
            near_try(&n, (*all)->name);
    for (unsigned i = 0; units && i < units->count; i++)
        for (unsigned k = 0; k < units->all[i]->kernel_count; k++)
            near_try(&n, units->all[i]->kernels[k].shown);
    try_lab_kernels(&n);
    if (n.best)
        return report_fail(r, "there is no lab or kernel `%.60s`: did you mean %s?", name, n.best);
    return report_fail(r, "there is no lab or kernel `%.60s`; `help` lists the labs, `kernels` "
                       "your own", name);
}

/* ---- labs ----------------------------------------------------------------------------- */

struct text_file lab_file(const char *format, const char *module)
{
    char path[120];
    snprintf(path, sizeof path, format, module);
    const struct asset *a = asset_find(path);
    if (!a)
        return (struct text_file){NULL, {"", 0}};
    return (struct text_file){base_name(a->name), {(const char *)a->data, a->size}};
}

void lab_module_of(struct text_file file, char module[64])
{
    const char *name = file.name ? file.name : "";
    snprintf(module, 64, "%.*s", (int)strcspn(name, "."), name);
}

static bool has_entry(const struct asset *a, const char *kernel)
{
    struct span rest = {(const char *)a->data, a->size}, line;
    while (next_line(&rest, &line))
        if (line.n && same_text(entry_name(line), kernel))
            return true;
    return false;
}

/* Of several files with that kernel the one with the shortest name: trap, not trap-f. */
static const struct asset *asset_of_kernel(const char *kernel)
{
    const struct asset *best = NULL;
    for (size_t i = 0; i < assets_count; i++)
        if (is_ptx(&assets[i]) && (!best || strlen(assets[i].name) < strlen(best->name)) &&
            asset_here(&assets[i]) && has_entry(&assets[i], kernel))
            best = &assets[i];
    return best;
}

struct text_file lab_of_kernel(const char *kernel, struct text_file *cu)
{
    const struct asset *a = asset_of_kernel(kernel);
    if (!a)
        return (struct text_file){NULL, {"", 0}};
    const struct text_file ptx = {base_name(a->name), {(const char *)a->data, a->size}};
    char module[64];
    lab_module_of(ptx, module);
    *cu = lab_file("kernels/%.60s.cu", module);
    return ptx;
}

struct text_file lab_of_variant(const struct lab *lab, const char *variant, struct text_file *cu)
{
    const struct lab_variant *v = variant ? lab_variant_named(lab, variant) : NULL;
    char path[80];
    snprintf(path, sizeof path, "kernels/ptx/%.60s.ptx", lab->module);
    const struct asset *own = asset_find(path);
    if (own && v && v->kernel && !has_entry(own, v->kernel) && asset_of_kernel(v->kernel))
        return lab_of_kernel(v->kernel, cu);
    *cu = lab_file("kernels/%.60s.cu", lab->module);
    return lab_file("kernels/ptx/%.60s.ptx", lab->module);
}

int no_variant(const struct command *lab, struct text_file cu, const char *name, struct report *r)
{
    struct near n = {.word = name};
    struct span line;
    for (unsigned i = 0; lab->lab->variants && lab->lab->variants[i].name; i++)
        near_try(&n, lab->lab->variants[i].name);
    while (next_line(&cu.text, &line))
        try_span(&n, marked_variant(line));
    if (n.best)
        return report_fail(r, "%s has no variant `%.60s`: did you mean %s?", lab->name, name,
                           n.best);
    return report_fail(r, "%s has no variant `%.60s`; `help %s` lists its variants", lab->name,
                       name, lab->name);
}

/* ---- sources -------------------------------------------------------------------------- */

void sources_init(struct reading_sources *s, struct shell *sh, const struct unit *u)
{
    memset(s, 0, sizeof *s);
    s->shell = sh;
    s->unit = u;
}

void sources_free(struct reading_sources *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        free(s->beside[i].path);
        buf_free(&s->beside[i].text);
    }
}

/* Reads a file in the unit's folder; b->path is NULL where memory is out. */
static void read_beside(struct reading_sources *s, const char *name, struct source_beside *b)
{
    size_t folder = (size_t)(base_name(s->unit->path) - s->unit->path), n = strlen(name);
    struct err ignored;
    b->path = malloc(folder + n + 1);
    if (!b->path)
        return;
    memcpy(b->path, s->unit->path, folder);
    memcpy(b->path + folder, name, n + 1);
    int fd = shell_open_read(s->shell, b->path, &ignored);
    b->found = fd >= 0 && source_read(fd, b->path, SOURCE_MOST, &b->text, &ignored) == 0;
}

/* Once for each file; one that can't be read is remembered too. */
static struct text_file find_beside(struct reading_sources *s, const char *name)
{
    const struct text_file none = {NULL, {"", 0}};
    unsigned i = 0;
    while (i < s->count && strcmp(base_name(s->beside[i].path), name) != 0)
        i++;
    if (i == BESIDE_MOST)
        return none;
    struct source_beside *b = &s->beside[i];
    if (i == s->count) {
        read_beside(s, name, b);
        s->count += b->path != NULL;
    }
    return b->path && b->found ? (struct text_file){b->path, {buf_text(&b->text), b->text.len}}
                               : none;
}

/* The text that was compiled; name NULL: the unit is PTX that was loaded as it is. */
static struct text_file compiled_source(const struct unit *u)
{
    return (struct text_file){u->source.len ? u->path : NULL,
                              {buf_text(&u->source), u->source.len}};
}

struct text_file sources_find(void *sources, const char *path)
{
    struct reading_sources *s = sources;
    const struct unit *u = s->unit;
    const char *name = base_name(path);
    if (!u)
        return lab_file("kernels/%.100s", name);
    if (u->source.len && strcmp(base_name(u->path), name) == 0)
        return compiled_source(u);
    return find_beside(s, name);
}

/* Of PTX that was loaded as it is: the first file that it names and that is at hand. */
static struct text_file source_of_ptx(struct reading_sources *s)
{
    struct text_file found = {NULL, {"", 0}};
    struct span rest = {buf_text(unit_ptx(s->unit)), unit_ptx(s->unit)->len}, line;
    while (!found.name && next_line(&rest, &line)) {
        char path[1024];
        struct span bare = trim(line);
        const char *from = begins(bare, ".file") ? memchr(bare.at, '"', bare.n) : NULL;
        size_t left = from ? (size_t)(bare.at + bare.n - from) - 1 : 0;
        const char *to = from ? memchr(from + 1, '"', left) : NULL;
        if (!to || to - from > (long)sizeof path)
            continue;
        snprintf(path, sizeof path, "%.*s", (int)(to - from - 1), from + 1);
        found = sources_find(s, path);
    }
    return found;
}

struct text_file sources_of_kernel(struct reading_sources *s)
{
    return s->unit->source.len ? compiled_source(s->unit) : source_of_ptx(s);
}

const char *unit_kernel_plain(const struct unit_kernel *k)
{
    return k->is_cxx ? k->name.plain : k->info.name;
}

/* ---- a kernel's PTX --------------------------------------------------------------------- */

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
    const struct buf *text = unit_ptx(w->unit);
    const struct text_file ptx = {w->unit->path, {buf_text(text), text->len}};
    s->own = w->kernel;
    s->cu = sources_of_kernel(&s->sources);
    snprintf(s->title, sizeof s->title, "%.90s, kernel %.90s", base_name(ptx.name),
             w->kernel->shown);
    if (open_text(s, ptx, r) != 0)
        return -1;
    s->kernel = ptx_text_function(&s->text, w->kernel->info.name);
    return s->kernel ? 0 : report_fail(r, "%.100s is only declared in the PTX; it has no code",
    w->kernel->shown);
}

/* A lab's kernel by its own name. */
static int open_lab_kernel(struct reading_ptx *s, struct text_file ptx, const char *kernel,
                           struct report *r)
{
    snprintf(s->title, sizeof s->title, "%s, kernel %.90s", ptx.name, kernel);
    if (open_text(s, ptx, r) != 0)
        return -1;
    s->kernel = ptx_text_function(&s->text, kernel);
    return s->kernel ? 0 : report_fail(r, "%.100s is only declared in the PTX; it has no code",
    kernel);
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
