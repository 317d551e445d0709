/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that bring in a student's own files: load, reload, watch, kernels. A file is
 * compiled outside (cc/), made a unit (own/unit.h), and told here.
 */
#include "base/lines.h"
#include "cc/compile.h"
#include "cc/source.h"
#include "cc/tokens.h"
#include "programs/programs.h"
#include "repl/changed.h"
#include "repl/compile-options.h"
#include "repl/commands.h"
#include "repl/loading.h"
#include "repl/screen.h"
#include "repl/what-next.h"
#include "own/arrays.h"
#include "own/unit.h"
#include "screen/wrap.h"
#include "text/explain.h"
#include "text/topics.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { SAVED_MS = 100, ASK_MOST = 256 << 10 };

/* ---- asking ptxas ---------------------------------------------------------------------- */

/* Asks ptxas how many registers the kernels use on this GPU. It is asked once for each GPU, and the
 * cache keeps the answer. PTX of more than `most` bytes would take too long, so ptxas is not asked.
 * If ptxas refuses the PTX, the numbers stay unknown. If it could not answer, a note says why. */
static void ask_registers(struct shell *sh, struct unit *u, size_t most, struct report *r)
{
    enum { ASK_SECONDS = 60 };
    const struct session *s = &sh->session;
    const struct budget *budget = &s->budget;
    const double limit = budget_limit(budget);
    const unsigned arch = (unsigned)(s->device->props.major * 10 + s->device->props.minor);
    struct buf said = {0};
    struct err e;
    const struct sass_want want = {
        .ptx = buf_text(unit_ptx(u)), .size = unit_ptx(u)->len, .arch = arch, .safe = sh->safe,
        .cache = shell_cache(sh), .memory = shell_compiler_memory(sh),
        .deadline = budget->command_began + (limit > 0 ? limit : ASK_SECONDS),
        .stop = &s->stop, .progress = &s->progress};
    if (!sh->programs || u->asked_for == arch || unit_ptx(u)->len > most || !u->kernel_count ||
        u->kernels[0].info.registers)
        return;
    snprintf(sh->waiting.what, sizeof sh->waiting.what, "asking ptxas for registers");
    const int rc = sh->programs->usage(&want, &said, &e);
    u->asked_for = rc < 0 ? 0 : arch;
    if (rc < 0 && !s->stop)
        say_wrapped(r, 2, "note: the number of registers is not known: %s", e.text);
    for (unsigned i = 0; i < u->kernel_count; i++)
        u->kernels[i].registers = sass_registers(buf_text(&said), u->kernels[i].info.name);
    buf_free(&said);
}

/* ---- telling what there is ------------------------------------------------------------ */

static void options_json(const struct unit *u, struct json *j)
{
    char word[COMPILE_OPTION];
    const char *options = u->options;
    struct span text;
    if (!options[0])
        return;
    json_array(j, "options");
    for (char kind; (kind = option_next(&options, &text));) {
        snprintf(word, sizeof word, "-%c%.*s", kind, (int)text.n, text.at);
        json_text(j, NULL, kind == OPTION_DEBUG ? "--debug" : word);
    }
    json_end_array(j);
}

static void kernel_json(const struct unit *u, const struct unit_kernel *k, struct json *j)
{
    struct buf signature = {0};
    char why[500];
    unit_signature(k, &signature);
    json_object(j, NULL);
    json_text(j, "name", k->shown);
    json_text(j, "signature", buf_text(&signature));
    json_text(j, "file", u->path);
    if (k->line)
        json_int(j, "line", k->line);
    json_array(j, "parameters");
    for (unsigned i = 0; i < k->info.param_count; i++) {
        json_object(j, NULL);
        if (unit_param_name(k, i))
            json_text(j, "name", unit_param_name(k, i));
        json_text(j, "type", unit_param_type(k, i));
        json_uint(j, "bytes", k->info.params[i].size);
        json_end_object(j);
    }
    json_end_array(j);
    if (k->info.registers || k->registers) {
        json_uint(j, "registers", k->info.registers ? k->info.registers : k->registers);
        json_text(j, "registers_from", k->info.registers ? "driver" : "ptxas");
    }
    json_uint(j, "shared_bytes", k->info.static_shared);
    json_uint(j, "local_bytes", k->info.local_bytes);
    if (k->info.cooperative)
        json_bool(j, "cooperative", true);
    if (k->info.closed) {
        cxx_readable(k->info.closed, why, sizeof why);
        json_text(j, "closed", why);
    }
    if (u->compiler[0])
        json_text(j, "compiler", u->compiler);
    if (unit_target(u))
        json_uint(j, "arch", unit_target(u));
    options_json(u, j);
    json_end_object(j);
    buf_free(&signature);
}

/* Writes what a kernel uses. PTX has a register for each value. Only the driver and ptxas know how
 * many registers a thread really uses. */
static void put_usage(const struct unit *u, const struct unit_kernel *k, struct buf *out)
{
    if (k->info.registers)
        buf_printf(out, ", %u registers per thread", k->info.registers);
    else if (k->registers)
        buf_printf(out, ", %u registers per thread (ptxas, sm_%u)", k->registers, u->asked_for);
    if (k->info.static_shared)
        buf_printf(out, ", %" PRIu64 " B shared", k->info.static_shared);
    if (k->info.local_bytes)
        buf_printf(out, ", %" PRIu64 " B local", k->info.local_bytes);
    if (k->info.cooperative)
        buf_puts(out, ", grid sync");
}

static void say_kernel_line(struct report *r, const struct unit *u, const struct unit_kernel *k)
{
    struct buf signature = {0}, usage = {0};
    char why[500];
    unit_signature(k, &signature);
    put_usage(u, k, &usage);
    say(r, "  ");
    say_wrapped(r, 6, "%s", buf_text(&signature));
    if (usage.len) {
        say(r, "      ");
        say_wrapped(r, 6, "%s", buf_text(&usage) + 2);
    }
    if (k->info.closed) {
        say(r, "      ");
        cxx_readable(k->info.closed, why, sizeof why);
        say_wrapped(r, 6, "can't run: %s", why);
    }
    buf_free(&usage);
    buf_free(&signature);
}

static void say_variables(struct report *r, const struct session *s, const struct unit *u)
{
    struct buf list = {0};
    char shape[80];
    for (unsigned i = 0; s->own && i < s->own->count; i++) {
        const struct array *a = s->own->all[i];
        if (a->module != u->module)
            continue;
        buf_printf(&list, "%s%s %s", list.len ? ", " : "variables: ", element_names[a->type],
                   a->name);
        if (a->dims[1])
            buf_printf(&list, "[%s]", slice_shape_text(a->dims, shape));
        else if (a->count > 1)
            buf_printf(&list, "[%llu]", (unsigned long long)a->count);
    }
    if (list.len) {
        say(r, "  ");
        say_wrapped(r, 6, "%s", buf_text(&list));
    }
    buf_free(&list);
}

/* As they are typed: " -I inc -D N=64 --debug". */
static void put_options(const char *options, struct buf *out)
{
    struct span text;
    for (char kind; (kind = option_next(&options, &text));)
        if (kind == OPTION_DEBUG)
            buf_puts(out, " --debug");
        else
            buf_printf(out, " -%c %.*s", kind, (int)text.n, text.at);
}

static bool is_last_linked(const struct session *s, const struct unit *u)
{
    bool last = false;
    for (unsigned i = 0; i < s->units->count; i++)
        if (s->units->all[i]->leader == u->leader)
            last = s->units->all[i] == u;
    return last;
}

static void say_unit(struct report *r, const struct session *s, const struct unit *u)
{
    struct buf options = {0};
    put_options(u->options, &options);
    say(r, "%s: %u kernel%s%s%s%s%s\n", u->path, u->kernel_count, u->kernel_count == 1 ? "" : "s",
        u->compiler[0] ? ", by " : "", u->compiler, options.len ? "," : "", buf_text(&options));
    buf_free(&options);
    for (unsigned i = 0; i < u->kernel_count; i++)
        say_kernel_line(r, u, &u->kernels[i]);
    if (is_last_linked(s, u)) /* the variables of all files */
        say_variables(r, s, u);
}

static bool are_linked(const struct unit *u)
{
    return unit_ptx(u) != &u->ptx;
}

static void files_json(const struct session *s, const struct unit *u, struct json *j)
{
    json_array(j, "files");
    for (unsigned i = 0; i < s->units->count; i++)
        if (s->units->all[i]->leader == u->leader)
            json_text(j, NULL, s->units->all[i]->path);
    json_end_array(j);
}

/* Writes the unit with the files that were linked with it. */
static void unit_json(const struct session *s, const struct unit *u, struct json *j)
{
    json_text(j, "file", u->path);
    if (are_linked(u))
        files_json(s, u, j);
    if (u->compiler[0])
        json_text(j, "compiler", u->compiler);
    if (unit_target(u))
        json_uint(j, "arch", unit_target(u));
    options_json(u, j);
    json_array(j, "kernels");
    for (unsigned k = 0; k < s->units->count; k++) {
        const struct unit *each = s->units->all[k];
        for (unsigned i = 0; each->leader == u->leader && i < each->kernel_count; i++)
            kernel_json(each, &each->kernels[i], j);
    }
    json_end_array(j);
    json_array(j, "variables");
    for (unsigned i = 0; s->own && i < s->own->count; i++)
        if (s->own->all[i]->module == u->module)
            json_text(j, NULL, s->own->all[i]->name);
    json_end_array(j);
}

/* Does the source have a main()? Who wrote it may expect that it runs. */
static bool has_main(const struct buf *source)
{
    struct arena memory = {0};
    struct tokens t = {0};
    bool has = false;
    if (source->len && tokens_read(buf_text(source), source->len, &memory, &t) == 0)
        for (size_t i = 1; i + 1 < t.count && !has; i++)
            has = t.list[i - 1].kind == TOKEN_WORD && token_is(&t.list[i], "main") &&
                  token_is(&t.list[i + 1], "(");
    arena_free(&memory);
    return has;
}

/* ---- load ----------------------------------------------------------------------------- */

static void say_changed(const char *path, struct report *r)
{
    say_wrapped(r, 0, "%s has changed: loaded again", path);
}

/* Was this file loaded before, and has it changed since? */
static bool is_changed(struct shell *sh, const char *path)
{
    const struct unit *before = unit_of_path(&sh->session, path);
    return before && unit_has_changed(sh, before);
}

/* The compiler does not know the device: code that asks for it is left out. */
static void say_older(struct shell *sh, const struct unit *u, struct report *r)
{
    const unsigned target = unit_target(u);
    if (!u->device_arch || !target || target >= u->device_arch || sh->older_told)
        return;
    sh->older_told = true;
    say_wrapped(r, 2, "note: %s knows no sm_%u and compiled for sm_%u: __CUDA_ARCH__ is %u0",
                u->compiler, u->device_arch, target, target);
}

/* Says what was loaded: the unit and the files that were linked with it. */
static void say_loaded(struct shell *sh, struct unit *u, const struct buf *log, struct report *r)
{
    const struct units *all = sh->session.units;
    for (unsigned i = 0; i < all->count; i++)
        if (all->all[i]->leader == u->leader) {
            ask_registers(sh, all->all[i], ASK_MOST, r);
            say_unit(r, &sh->session, all->all[i]);
            if (has_main(&all->all[i]->source))
                say_wrapped(r, 0, "main() does not run here: only the kernels are loaded");
        }
    unit_json(&sh->session, u, &r->result);
    say_older(sh, u, r);
    log_say(r, log);
    if (log->len)
        log_json(r, log);
    what_next_loaded(&sh->session, u, r);
}

static int load_list(struct shell *sh, const struct load_list *l, struct report *r)
{
    struct unit *u = NULL;
    struct buf log = {0};
    bool changed = false;
    for (unsigned i = 0; i < l->count; i++)
        changed |= is_changed(sh, l->paths[i]);
    int rc = units_bring(sh, l, &u, &log, r);
    if (rc == 0) {
        for (unsigned i = 0; i < l->count && changed && l->count == 1; i++)
            say_changed(l->paths[i], r);
        say_loaded(sh, u, &log, r);
        if (changed)
            json_bool(&r->result, "changed", true);
    }
    buf_free(&log);
    return rc;
}

/* A file that was linked with others is loaded with them again. */
static int load_file(struct shell *sh, const char *path, const char *options, struct report *r)
{
    const struct unit *before = unit_of_path(&sh->session, path);
    struct load_list l = {.paths = &path, .count = 1, .options = options};
    int rc = 0;
    if (before && are_linked(before)) {
        rc = list_linked(&sh->session, before, &l) == 0 ? 0 : report_fail_limit(r, "out of memory");
        l.options = options;
    }
    rc = rc == 0 ? load_list(sh, &l, r) : rc;
    arena_free(&l.memory);
    return rc;
}

/* Loading frees the unit that has the path and the options. So they are copied first. */
int load_again(struct shell *sh, const struct unit *before, struct report *r)
{
    struct load_list l;
    struct buf log = {0};
    struct unit *u;
    char path[400];
    snprintf(path, sizeof path, "%s", before->path);
    int rc = list_linked(&sh->session, before, &l) != 0 ? report_fail_limit(r, "out of memory")
                                                        : units_bring(sh, &l, &u, &log, r);
    if (rc == 0) {
        say_changed(path, r);
        log_say(r, &log);
    } else if (r->status == REPORT_ERROR) {
        const struct err why = r->error;
        report_fail(r, "`%.200s` has changed and was not loaded: %s", path, why.text);
    }
    buf_free(&log);
    arena_free(&l.memory);
    return rc;
}

/* ---- -I and -D -------------------------------------------------------------------------- */

struct load_options { struct compile_given given; struct arg_many files; bool debug; };
struct watch_options { struct compile_given given; const char *file; int times; };

static int gather(struct shell *sh, const struct compile_given *given, struct buf *out,
                  struct report *r)
{
    struct err e = {0};
    return compile_options(sh, given, out, &e) == 0 ? 0 : report_fail_err(r, &e);
}

static int run_load(struct session *s, const void *given, struct report *r)
{
    const struct load_options *o = given;
    struct buf options = {0};
    char *paths[MANY_MOST] = {NULL};
    struct load_list l = {.paths = (const char *const *)paths, .count = o->files.count};
    int rc = gather(shell_of(s), &o->given, &options, r);
    for (unsigned i = 0; i < l.count && rc == 0; i++)
        if (!(paths[i] = shell_beside(shell_of(s), o->files.text[i])))
            rc = report_fail_memory(r);
    if (o->debug)
        buf_printf(&options, "%c\n", OPTION_DEBUG);
    l.options = buf_text(&options);
    if (rc == 0)
        rc = l.count == 1 ? load_file(shell_of(s), l.paths[0], l.options, r)
                          : load_list(shell_of(s), &l, r);
    for (unsigned i = 0; i < l.count; i++)
        free(paths[i]);
    buf_free(&options);
    return rc;
}

static const char *const endings[] = {".cu", ".cuh", ".ptx", NULL};

const struct command command_load = {
    .name = "load", .kind = CLASS_KERNELS,
    .summary = "compile a file of your own and load its kernels",
    .options = (const struct arg_spec[]){
        FOLDERS_AND_MACROS(struct load_options),
        {OPTION(struct load_options, debug),
         .help = "compile without optimisation, with the names of local variables"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct load_options, files), .type = ARG_FILES, .required = true,
         .choices = endings, .example = "k.cu",
         .help = "CUDA C (.cu; several files are linked), PTX (.ptx), or help:NAME for the example "
                 "of a help text"}, {0}},
    .size = sizeof(struct load_options), .run = run_load};

/* ---- reload --------------------------------------------------------------------------- */

static int run_reload(struct session *s, const void *given, struct report *r)
{
    const struct file_options *o = given;
    char path[1024];
    const char *file = o->file;
    struct buf options = {0};
    if (!s->units || !s->units->count)
        return report_fail(r, "no file is loaded yet; `load FILE.cu` loads one");
    if (!file)
        file = s->units->all[s->units->count - 1]->path;
    if (!unit_of_path(s, file))
        return report_fail(r, "`%.300s` is not loaded; `load %.200s` loads it", file, file);
    snprintf(path, sizeof path, "%s", file); /* the unit that owns both goes */
    buf_puts(&options, unit_of_path(s, file)->options);
    int rc = load_file(shell_of(s), path, buf_text(&options), r);
    buf_free(&options);
    return rc;
}

const struct command command_reload = {
    .name = "reload", .kind = CLASS_KERNELS, .summary = "load a file again, as it is now",
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct file_options, file), .type = ARG_FILE,
         .help = "the file; the last loaded one if not given"}, {0}},
    .size = sizeof(struct file_options), .run = run_reload};

/* ---- watch ---------------------------------------------------------------------------- */

struct stamp {
    struct timespec changed;
    off_t size;
    ino_t file;
    struct print128 print; /* of a source and its headers */
};

static bool take_stamp(const char *path, const char *options, struct stamp *out)
{
    struct stat info;
    struct buf text = {0};
    struct err ignored;
    if (stat(path, &info) != 0)
        return false;
    *out = (struct stamp){info.st_mtim, info.st_size, info.st_ino, print_start};
    int fd = ends_in(path, ".ptx") ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && source_read(fd, path, SOURCE_MOST, &text, &ignored) == 0)
        source_print(path, buf_text(&text), text.len, options, &out->print);
    buf_free(&text);
    return true;
}

static bool same_stamp(const struct stamp *a, const struct stamp *b)
{
    return a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec &&
           a->size == b->size && a->file == b->file && a->print.high == b->print.high &&
           a->print.low == b->print.low;
}

static void nap(void)
{
    const struct timespec t = {.tv_nsec = SAVED_MS * 1000000L};
    nanosleep(&t, NULL);
}

/* Wait until the file changes. false: something ended the wait, or time ran out. An editor may
 * remove the file for a moment and write it in two steps, so it must look the same twice. */
static bool wait_for_save(struct shell *sh, const char *path, const char *options,
                          const struct stamp *old, double *left)
{
    struct stamp first, second;
    while (!sh->session.stop && !shell_done(sh)) {
        nap();
        *left -= SAVED_MS / 1000.0;
        if (*left <= 0)
            return false;
        if (take_stamp(path, options, &first) && !same_stamp(&first, old)) {
            nap();
            if (take_stamp(path, options, &second) && same_stamp(&first, &second))
                return true;
        }
    }
    return false;
}

/* The inner commands have reports of their own, as those of a sourced script do. */
static void load_and_launch(struct shell *sh, const char *path, const char *options)
{
    struct buf line = {0};
    int failures = sh->failures;
    buf_printf(&line, "load '%s'", path);
    struct span text;
    for (char kind; (kind = option_next(&options, &text));)
        buf_printf(&line, " -%c '%.*s'", kind, (int)text.n, text.at);
    if (!line.failed)
        shell_run_line(sh, buf_text(&line), line.len);
    if (sh->last.call && sh->failures == failures)
        shell_run_line(sh, "launch", 6);
    buf_free(&line);
}

/* Otherwise a screen without a prompt looks as if cudalab had stopped. */
static void tell_waiting(struct shell *sh, const char *path)
{
    screen_tell(sh, "%swaiting for a change of %s (Ctrl-C ends this)",
                sh->last.call ? "" : "no kernel was launched yet, so none is repeated; ", path);
}

static int watch(struct session *s, const struct watch_options *o, const char *options,
                 struct report *r)
{
    struct shell *sh = shell_of(s);
    const char *path = o->file;
    const int times = o->times ? o->times : INT_MAX;
    double left = budget_left(&s->budget, 1e9);
    struct stamp now;
    if (strchr(path, '\'') || strchr(options, '\''))
        return report_fail(r, "watch can't take a file with a quote in its name");
    if (sh->safe)
        return report_fail(r, "--safe allows no watching of files");
    if (is_example_name(path))
        return report_fail(r, "`%.100s` is an example, not a file, so it never changes. `load` loads it", path);
    if (!take_stamp(path, options, &now))
        return report_fail(r, "cannot read `%.300s`: there is no such file", path);
    for (int i = 0; i < times && !s->stop && !shell_done(sh); i++) {
        take_stamp(path, options, &now);
        load_and_launch(sh, path, options);
        if (i < times - 1)
            tell_waiting(sh, path);
        if (i < times - 1 && !wait_for_save(sh, path, options, &now, &left))
            break;
    }
    sh->no_object = true;
    return 0;
}

static int run_watch(struct session *s, const void *given, struct report *r)
{
    const struct watch_options *o = given;
    struct buf options = {0};
    int rc = gather(shell_of(s), &o->given, &options, r);
    if (rc == 0)
        rc = watch(s, o, buf_text(&options), r);
    buf_free(&options);
    return rc;
}

const struct command command_watch = {
    .name = "watch", .kind = CLASS_KERNELS,
    .summary = "load a file, and launch its kernel at each save",
    .options = (const struct arg_spec[]){
        {OPTION(struct watch_options, times), .type = ARG_INT, .lo = 1, .hi = 1000000,
         .help = "end after this number of loads; if not given, Ctrl-C ends it"},
        FOLDERS_AND_MACROS(struct watch_options),
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct watch_options, file), .type = ARG_FILE, .required = true,
         .choices = endings, .example = "k.cu", .help = "the file"}, {0}},
    .hint = "watch takes only a file, and repeats the last launch. `launch` your kernel first",
    .size = sizeof(struct watch_options), .never_inside = true, .run = run_watch};

/* ---- kernels -------------------------------------------------------------------------- */

static int run_kernels(struct session *s, const void *given, struct report *r)
{
    const struct units *all = s->units;
    (void)given;
    json_array(&r->result, "kernels");
    for (unsigned i = 0; all && i < all->count; i++) {
        ask_registers(shell_of(s), all->all[i], PTX_MOST, r);
        say_unit(r, s, all->all[i]);
        for (unsigned k = 0; k < all->all[i]->kernel_count; k++)
            kernel_json(all->all[i], &all->all[i]->kernels[k], &r->result);
    }
    json_end_array(&r->result);
    if (!all || !all->count)
        say(r, "no file is loaded; `load FILE.cu` brings its kernels\n");
    return 0;
}

const struct command command_kernels = {
    .name = "kernels", .kind = CLASS_KERNELS, .summary = "list the kernels that are loaded",
    .run = run_kernels};
