/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes units of files: CUDA C is compiled for the session's device, PTX is taken as it is. When
 * the device changes, what was compiled for the old one is compiled for the new one.
 */
#include "repl/loading.h"

#include "base/lines.h"
#include "base/mem.h"
#include "os/clock.h"
#include "own/arrays.h"
#include "programs/programs.h"
#include "repl/changed.h"
#include "repl/elsewhere.h"
#include "text/explain.h"
#include "text/topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPILE_SECONDS = 120 };

/* ---- what the compiler said ------------------------------------------------------------ */

void log_say(struct report *r, const struct buf *log)
{
    enum { LOG_LINES = 12 };
    struct span rest = {buf_text(log), log->len}, line;
    unsigned more = 0;
    for (int lines = 0; lines < LOG_LINES && next_line(&rest, &line); lines++)
        log_wrap(&r->screen, line, r->width);
    while (next_line(&rest, &line))
        more++;
    if (more)
        say_wrapped(r, 0, "(and %u more line%s; all of them are in the output of --json)", more,
                    more == 1 ? "" : "s");
}

void log_json(struct report *r, const struct buf *log)
{
    json_lines(&r->result, "log", buf_text(log), log->len);
}

/* The first line of a log that names an error, and is no quoted line of the source. */
static void first_error(const struct buf *log, struct span *found)
{
    struct span rest = {buf_text(log), log->len}, line;
    while (next_line(&rest, &line)) {
        char text[300];
        snprintf(text, sizeof text, "%.*s", (int)line.n, line.at);
        if (strstr(text, " error:") || strstr(text, "): error") || strstr(text, "; error   :")) {
            *found = line;
            return;
        }
    }
}

/* The error names the first one in the log. The log follows it; its first line only if that is a
 * place in this file, where editors look for it. */
static int refused(struct report *r, const char *path, const struct compiled *c,
                   const struct err *e)
{
    struct span first = {"it gave no reason", strlen("it gave no reason")};
    struct span log = {buf_text(&c->log), c->log.len}, line;
    if (c->crashed) {
        buf_add(&r->details, log.at, log.n);
        log_json(r, &c->log);
    }
    if (c->crashed)
        r->cause = CAUSE_COMPILE;
    if (!c->refused)
        return report_fail_err(r, e);
    first_error(&c->log, &first);
    if (first.at == log.at && !begins(first, path))
        next_line(&log, &line);
    buf_add(&r->details, log.at, log.n);
    log_json(r, &c->log);
    r->cause = CAUSE_COMPILE;
    return report_fail(r, "%s: %.*s", e->text, (int)first.n, first.at);
}

/* ---- a file becomes a unit ---------------------------------------------------------------- */

/* `help:NAME` is the example in a help text, `quiz:answer` the kernel of a question with the answer
 * in it. They are no files, so --safe has nothing against them. */
bool is_example_name(const char *path)
{
    return (strncmp(path, "help:", 5) == 0 || strcmp(path, "quiz:answer") == 0) && !ends_in(path, ".cu") && !ends_in(path, ".cuh") &&
           !ends_in(path, ".ptx");
}

/* The architecture for which the student's kernels are compiled. It is the device's. For old cards
 * the simulator takes newer PTX, since today's compilers make no PTX for these cards. */
static unsigned arch_of(const struct device *d)
{
    enum { SIM_LEAST = 75 };
    const unsigned own = (unsigned)(d->props.major * 10 + d->props.minor);
    return strcmp(d->kind, "sim") == 0 && own < SIM_LEAST ? SIM_LEAST : own;
}

enum compiler compiler_of(const struct settings *set)
{
    int by = 0;
    while (compiler_names[by] && strcmp(compiler_names[by], set->compiler) != 0)
        by++;
    return (enum compiler)by;
}

static int compile_for(struct shell *sh, const struct device *d, const struct unit_from *from,
                       struct compiled *out, struct err *e)
{
    const struct settings *set = &sh->session.settings;
    const struct budget *budget = &sh->session.budget;
    const double limit = budget_limit(budget);
    const struct compile_want want = {
        .path = from->path, .text = buf_text(&from->source), .size = from->source.len,
        .no_file = from->is_example, .options = from->options, .by = compiler_of(set),
        .linked = from->linked,
        .arch = set->arch, .device = (int)arch_of(d), .safe = sh->safe,
        .cache = shell_cache(sh), .memory = shell_compiler_memory(sh),
        .limit = limit > 0 ? limit : COMPILE_SECONDS, .began = limit > 0 ? budget->command_began : clock_seconds(),
        .stop = &sh->session.stop, .progress = &sh->session.progress};
    snprintf(sh->waiting.what, sizeof sh->waiting.what, "compiling %.40s", base_name(from->path));
    return sh->programs ? sh->programs->compile(&want, out, e)
                        : elsewhere_compile(sh, &want, out, e);
}

static int compile(struct shell *sh, struct unit_from *from, struct compiled *out,
                   struct report *r)
{
    struct err e = {0};
    from->device_arch = sh->session.settings.arch ? 0 : arch_of(sh->session.device);
    if (compile_for(sh, sh->session.device, from, out, &e) == 0)
        return 0;
    if (!sh->programs)
        elsewhere_offer(r);
    return refused(r, from->path, out, &e);
}

static int read_source(struct shell *sh, const char *path, size_t most, struct buf *text,
                       struct report *r)
{
    struct err e = {0};
    int fd = shell_open_plain(sh, path, &e);
    if (fd >= 0 && source_read(fd, path, most, text, &e) == 0)
        return 0;
    if (fd >= 0) /* it is there, and it can be no source */
        r->cause = CAUSE_COMPILE;
    return report_fail_err(r, &e);
}

static int read_example(const struct shell *sh, const char *path, struct buf *text,
                        struct report *r)
{
    char name[TOPIC_NAME];
    if (strncmp(path, "quiz:", 5) == 0 && !sh->example)
        return report_fail(r, "`%s` is there only while `quiz` checks an answer", path);
    if (strncmp(path, "quiz:", 5) == 0) {
        buf_add(text, buf_text(sh->example), sh->example->len);
        return text->failed ? report_fail_limit(r, "out of memory") : 0;
    }
    if (!topic_find(path + 5, name))
        return report_fail(r, "there is no help text `%.100s`; `help topics` lists the texts",
                           path + 5);
    if (help_code(name, text) != 0)
        return report_fail(r, "the text of `help %s` has no example to load; the text of "
                           "`help kernel` has one", name);
    return 0;
}

static int load_units(struct session *s, struct unit_from *from, unsigned count, struct unit **u,
                      struct report *r)
{
    struct err e = {0};
    if (units_load(s, from, count, u, &e) == 0)
        return 0;
    session_load_failed(s, r, &e);
    if (r->status == REPORT_ERROR && !e.limit && !s->stop) /* no PTX, or what can't be linked */
        r->cause = CAUSE_COMPILE;
    return -1;
}

static int load_ptx(struct shell *sh, const char *path, struct unit **u, struct report *r)
{
    struct unit_from from = {.path = path, .compiler = ""};
    if (read_source(sh, path, PTX_MOST, &from.ptx, r) == 0)
        return load_units(&sh->session, &from, 1, u, r);
    buf_free(&from.ptx);
    return -1;
}

/* nvcc passes file names to a shell, and PTX quotes them. */
static int check_name(const char *path, struct report *r)
{
    for (const char *at = path; *at; at++)
        if (strchr("\"\\`$", *at) || (unsigned char)*at < ' ')
            return report_fail(r, "compilers can't use the name `%.300s`: rename the file with "
                                  "letters, digits, - and _", path);
    return 0;
}

/* Reads a source and compiles it. */
static int make_ptx(struct shell *sh, struct unit_from *from, struct compiled *c, struct report *r)
{
    const char *path = from->path;
    int rc = check_name(path, r);
    from->compiler = c->compiler;
    if (rc == 0)
        rc = from->is_example ? read_example(sh, path, &from->source, r)
                              : read_source(sh, path, SOURCE_MOST, &from->source, r);
    if (rc == 0 && !from->is_example)
        from->print = headers_print(path, &from->source, from->options);
    if (rc == 0 && (rc = compile(sh, from, c, r)) == 0) {
        if (!sh->programs && from->options && *from->options) /* it can only be --debug */
            say_wrapped(r, 0, "There is no compiler here, so local variables have no names.");
        from->ptx = c->ptx;
        c->ptx = (struct buf){0};
    }
    return rc;
}

static bool is_cuda(const char *path)
{
    return ends_in(path, ".cu") || ends_in(path, ".cuh") || is_example_name(path);
}

static int check_paths(const struct load_list *l, struct report *r)
{
    for (unsigned i = 0; i < l->count; i++) {
        if (!is_cuda(l->paths[i]) && (l->count > 1 || !ends_in(l->paths[i], ".ptx")))
            return report_fail(r,
                               l->count > 1
                                   ? "`%.300s` is no .cu file: only such files can be linked"
                                   : "`%.300s` is neither .cu nor .ptx; load takes CUDA C in a "
                                     "file NAME.cu, or PTX in NAME.ptx",
                               l->paths[i]);
        for (unsigned k = 0; k < i; k++)
            if (strcmp(l->paths[k], l->paths[i]) == 0)
                return report_fail(r, "`%.300s` is named twice; once is enough", l->paths[i]);
    }
    return 0;
}

static int bring_sources(struct shell *sh, const struct load_list *l, struct unit_from *from,
                         struct compiled *c, struct unit **u, struct report *r)
{
    for (unsigned i = 0; i < l->count; i++) {
        from[i] = (struct unit_from){.path = l->paths[i], .options = l->options,
                                     .is_example = is_example_name(l->paths[i]),
                                     .linked = l->count > 1};
        if (make_ptx(sh, &from[i], &c[i], r) != 0) {
            for (unsigned k = 0; k <= i; k++) {
                buf_free(&from[k].source);
                buf_free(&from[k].ptx);
            }
            return -1;
        }
    }
    return load_units(&sh->session, from, l->count, u, r);
}

int file_to_ptx(struct shell *sh, const char *path, const char *options, struct buf *ptx,
                struct report *r)
{
    struct unit_from from = {.path = path, .options = options,
                             .is_example = is_example_name(path)};
    struct compiled c = {.refused = false};
    int rc = check_paths(&(struct load_list){.paths = &path, .count = 1}, r);
    if (rc == 0)
        rc = is_cuda(path) ? make_ptx(sh, &from, &c, r)
                           : read_source(sh, path, PTX_MOST, &from.ptx, r);
    buf_free(ptx);
    *ptx = from.ptx;
    buf_free(&from.source);
    compiled_free(&c);
    return rc;
}

int units_bring(struct shell *sh, const struct load_list *l, struct unit **u, struct buf *log,
                struct report *r)
{
    struct unit_from *from = mem_alloc(&allocator_libc, l->count * sizeof *from);
    struct compiled *c = mem_alloc(&allocator_libc, l->count * sizeof *c);
    int rc = from && c ? check_paths(l, r) : report_fail_limit(r, "out of memory");
    if (rc == 0 && !is_cuda(l->paths[0]))
        rc = load_ptx(sh, l->paths[0], u, r);
    else if (rc == 0)
        rc = bring_sources(sh, l, from, c, u, r);
    for (unsigned i = 0; from && c && i < l->count; i++) {
        buf_add(log, buf_text(&c[i].log), c[i].log.len);
        compiled_free(&c[i]);
    }
    mem_free(&allocator_libc, from, l->count * sizeof *from);
    mem_free(&allocator_libc, c, l->count * sizeof *c);
    return rc;
}

int list_linked(const struct session *s, const struct unit *u, struct load_list *l)
{
    *l = (struct load_list){.count = 0};
    for (unsigned i = 0; i < s->units->count; i++)
        l->count += s->units->all[i]->leader == u->leader;
    const char **paths = arena_alloc(&l->memory, l->count * sizeof *paths);
    const char *options = arena_text(&l->memory, u->options, strlen(u->options));
    for (unsigned i = 0, n = 0; paths && i < s->units->count; i++) {
        const struct unit *each = s->units->all[i];
        if (each->leader == u->leader &&
            !(paths[n++] = arena_text(&l->memory, each->path, strlen(each->path))))
            paths = NULL;
    }
    l->paths = paths;
    l->options = options;
    return paths && options ? 0 : -1;
}

/* ---- another device -------------------------------------------------------------------- */

static bool is_for_another(const struct shell *sh, const struct unit *u, const struct device *d)
{
    return sh->programs && u->device_arch && !sh->session.settings.arch &&
           u->device_arch != arch_of(d);
}

/* The PTX of each unit for this device. Empty: the unit keeps what it has, since its source does
 * not compile any more. */
static struct buf *compile_anew(struct shell *sh, const struct device *d)
{
    const struct units *all = sh->session.units;
    const unsigned count = all ? all->count : 0;
    struct buf *ptx = mem_alloc(&allocator_libc, (count + 1) * sizeof *ptx);
    for (unsigned i = 0; ptx && i < count; i++) {
        const struct unit *u = all->all[i];
        const struct unit_from from = {.path = u->path, .options = u->options,
                                       .source = u->source, .is_example = u->is_example,
                                       .linked = unit_ptx(u) != &u->ptx};
        struct compiled c = {.refused = false};
        struct err ignored;
        if (is_for_another(sh, u, d) && compile_for(sh, d, &from, &c, &ignored) == 0) {
            ptx[i] = c.ptx;
            c.ptx = (struct buf){0};
        }
        compiled_free(&c);
    }
    return ptx;
}

static void swap_ptx(const struct units *all, unsigned count, struct buf *ptx)
{
    for (unsigned i = 0; i < count; i++)
        if (ptx[i].len) {
            const struct buf before = all->all[i]->ptx;
            all->all[i]->ptx = ptx[i];
            ptx[i] = before;
        }
}

/* Links files again after their PTX was exchanged. What can't be linked keeps what it has. */
static void link_again(const struct units *all, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct unit *u = all->all[i];
        struct ptx_linked fresh = {.origins = NULL};
        struct err ignored;
        if (u != u->leader || !u->linked.text.len)
            continue;
        if (unit_link(all, u, &fresh, &ignored) == 0) {
            const struct ptx_linked before = u->linked;
            u->linked = fresh;
            fresh = before;
        }
        ptx_linked_free(&fresh);
    }
}

static int move_to(struct session *s, struct device *to, unsigned count, struct buf *ptx,
                   struct err *e)
{
    struct err ignored;
    swap_ptx(s->units, count, ptx);
    link_again(s->units, count);
    const bool moved = units_move(s, s->device, to, e) == 0;
    if (moved && arrays_carry(s, to, e) == 0) {
        for (unsigned i = 0; i < count; i++)
            if (ptx[i].len)
                s->units->all[i]->device_arch = arch_of(to);
        return 0;
    }
    swap_ptx(s->units, count, ptx);
    link_again(s->units, count);
    if (moved)
        units_move(s, to, s->device, &ignored);
    return -1;
}

int session_move(struct shell *sh, struct device *to, struct err *e)
{
    const unsigned count = sh->session.units ? sh->session.units->count : 0;
    struct buf *ptx = compile_anew(sh, to);
    int rc = ptx ? move_to(&sh->session, to, count, ptx, e) : fail_memory(e);
    for (unsigned i = 0; ptx && i < count; i++)
        buf_free(&ptx[i]);
    mem_free(&allocator_libc, ptx, (count + 1) * sizeof *ptx);
    return rc;
}
