/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `run FILE`: a whole program on the simulator. Sources are compiled as they are; a program that
 * is built already is run as it is. What it prints is shown as it comes; then follows what the
 * kernels and the host did wrong, and what the launches cost.
 */
#define _GNU_SOURCE
#include "base/lines.h"
#include "base/mem.h"
#include "base/visible.h"
#include "labkit/run.h"
#include "os/asset.h"
#include "programs/programs.h"
#include "repl/commands.h"
#include "repl/screen.h"
#include "repl/whole-options.h"
#include "run/run.h"
#include "text/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT_MOST = 64 << 20 };
static const char library[] = "run/libcudart.so";

/* A run of one program. */
struct running {
    struct shell *sh;
    struct report *report;
    const struct run_options *options;
    struct whole whole;
    struct built built;
    struct run run;
    struct buf input;
    bool shows; /* the output goes to the screen at once */
    struct child_result result;
};

/* ---- compiling ------------------------------------------------------------------------- */

/* Where the program is there already, only our runtime gets a place. */
static int build(struct running *w)
{
    struct report *r = w->report;
    struct session *s = &w->sh->session;
    const char *words[WHOLE_WORDS];
    struct arena memory = {0};
    struct err e = {0};
    const double limit = budget_limit(&s->budget);
    const struct asset *ours = asset_find(library);
    if (!ours)
        return report_fail(r, "this cudalab was built without its runtime for whole programs");
    const struct device_props *p = &s->device->props;
    const struct build_want want = {
        .words = w->whole.is_program ? NULL : words,
        .library = {(const char *)ours->data, ours->size},
        .arch = p->major >= 8 ? p->major * 10 + p->minor : 75,
        .deadline = limit > 0 ? s->budget.command_began + limit : 0, .stop = &s->stop,
        .progress = &s->progress};
    snprintf(w->sh->waiting.what, sizeof w->sh->waiting.what, "compiling %.40s", w->options->file);
    int rc = whole_words(&w->whole, w->options, &memory, words, &e);
    if (rc == 0 && (rc = w->sh->programs->build(&want, &w->built, &e)) != 0)
        buf_add(&r->details, buf_text(&w->built.log), w->built.log.len);
    arena_free(&memory);
    return rc == 0 ? 0 : report_fail_err(r, &e);
}

/* ---- running --------------------------------------------------------------------------- */

static bool serve(void *ctx)
{
    struct running *w = ctx;
    return run_serve(&w->run);
}

static void tell(void *ctx, bool is_err, const char *text, size_t n)
{
    struct running *w = ctx;
    struct buf clean = {0};
    (void)is_err;
    if (!w->shows)
        return;
    visible_add(&clean, text, n, VISIBLE_LINES);
    shell_put(w->sh, shell_out(w->sh), buf_text(&clean), clean.len, false);
    buf_free(&clean);
}

/* A program that has the runtime in it, or its folder, needs ours before all other libraries. */
static void set_preload(const struct running *w, char text[1400])
{
    const char *before = getenv("LD_PRELOAD");
    snprintf(text, 1400, "%s%s%.1000s", w->built.runtime, before && *before ? ":" : "",
             before ? before : "");
}

static int start(struct running *w, const char *const *argv)
{
    struct session *s = &w->sh->session;
    struct err e = {0};
    int fds[2];
    char folders[1400], preload[1400];
    const char *before = getenv("LD_LIBRARY_PATH");
    snprintf(folders, sizeof folders, "%s%s%.1000s", w->built.folder, before ? ":" : "",
             before ? before : "");
    set_preload(w, preload);
    const char *const variables[] = {"LD_LIBRARY_PATH", folders, RUN_SOCKET, "3",
                                     w->run.built.needs_preload ? "LD_PRELOAD" : NULL, preload,
                                     NULL};
    run_descriptors(&w->run, fds);
    const double limit = budget_limit(&s->budget);
    const struct child_talk talk = {.fds = {fds[0], fds[1]}, .listen = w->run.socket,
                                    .serve = serve, .tell = tell, .ctx = w,
                                    .variables = variables};
    const struct child c = {.argv = argv, .talk = &talk,
                            .input = {buf_text(&w->input), w->input.len},
                            .deadline = limit > 0 ? s->budget.command_began + limit : 0,
                            .stop = &s->stop, .progress = &s->progress, .most = OUTPUT_MOST};
    snprintf(w->sh->waiting.what, sizeof w->sh->waiting.what, "%.60s", w->options->file);
    int rc = w->sh->programs->run(&c, &w->result, &e);
    close(fds[0]);
    return rc == 0 ? 0 : report_fail_err(w->report, &e);
}

/* ---- what came of it ------------------------------------------------------------------- */

static void say_end(struct running *w)
{
    struct report *r = w->report;
    char name[20];
    switch (w->result.end) {
    case CHILD_EXITED:
        if (w->result.code)
            say_item(r, "exit status", "%d", w->result.code);
        json_int(&r->result, "exit_status", w->result.code);
        return;
    case CHILD_KILLED:
        w->sh->programs->signal_name(w->result.code, name);
        json_text(&r->result, "signal", name);
        report_fault(r, "host-crash", "the program's host code was ended by %s%s", name,
                     w->result.code == SIGSEGV
                         ? ": it used an address that the host cannot reach" : "");
        return;
    case CHILD_OUT_OF_TIME:
        report_fault(r, "timeout", "the program did not end within %g s",
                     budget_limit(&w->sh->session.budget));
        return;
    case CHILD_STOPPED: report_fail(r, "stopped"); return;
    case CHILD_FLOODED:
        report_fail(r, "the program printed more than %d MiB and was stopped", OUTPUT_MOST >> 20);
        return;
    }
}

static void say_kernels(struct running *w)
{
    struct report *r = w->report;
    char launches[NUM_TEXT], instructions[NUM_TEXT];
    json_array(&r->result, "kernels");
    for (unsigned i = 0; i < w->run.kernel_count; i++) {
        const struct run_kernel *k = w->run.kernels[i];
        if (!k->launches)
            continue;
        json_object(&r->result, NULL);
        json_text(&r->result, "kernel", k->kernel->shown);
        json_uint(&r->result, "launches", k->launches);
        if (k->has_counters)
            report_counters_json(&r->result, &k->counters);
        json_end_object(&r->result);
        num_group((int64_t)k->launches, launches);
        num_group((int64_t)k->counters.warp_instructions, instructions);
        say_item(r, "kernel", "%s: %s launch%s, %s instructions by warps", k->kernel->shown,
                 launches, k->launches == 1 ? "" : "es", instructions);
    }
    json_end_array(&r->result);
    json_uint(&r->result, "launches", w->run.launches);
}

static void say_lacking(struct running *w)
{
    struct span rest = {buf_text(&w->run.lacking), w->run.lacking.len}, line;
    json_array(&w->report->result, "not_served");
    while (next_line(&rest, &line)) {
        json_bytes(&w->report->result, NULL, line.at, line.n);
        say_item(w->report, "not served", "%.*s returned cudaErrorNotSupported: cudalab does not "
                                          "have this function", (int)line.n, line.at);
    }
    json_end_array(&w->report->result);
}

static void show_result(struct running *w)
{
    struct report *r = w->report;
    if (!w->shows)
        buf_add(&r->output, buf_text(&w->result.out), w->result.out.len);
    else if (w->result.out.len && w->result.out.data[w->result.out.len - 1] != '\n')
        say(r, "\n");
    say_head(r, &w->sh->session, w->options->file);
    say_kernels(w);
    say_lacking(w);
    say_end(w);
    if (r->fault_count) {
        say_faults(r);
        say_quotes(r, &w->run.session);
        lessons_say(r);
    }
}

/* ---- the command ----------------------------------------------------------------------- */

static int open_program(struct running *w)
{
    const struct whole *f = &w->whole;
    const struct buf *bytes = f->is_program ? &f->text[0] : &w->built.program;
    struct err e = {0};
    int rc = run_open(&w->run, &w->sh->session, w->options->file,
                      (struct span){buf_text(bytes), bytes->len}, w->report, &e);
    for (unsigned i = 0; i < f->count && !f->is_program && rc == 0; i++)
        rc = run_source_give(&w->run, f->path[i],
                             (struct span){buf_text(&f->text[i]), f->text[i].len}, &e);
    return rc == 0 ? 0 : report_fail_err(w->report, &e);
}

static int run_it(struct running *w)
{
    struct err e = {0};
    char here[1000]; /* a name without a folder would be searched on the PATH */
    const char *argv[WHOLE_ARGUMENTS], *file = w->options->file, *program = w->built.path;
    if (whole_read(w->sh, w->options, &w->whole, &e) != 0 ||
        (w->options->input && shell_read_text(w->sh, w->options->input, &w->input, &e) != 0))
        return report_fail_err(w->report, &e);
    if (w->whole.is_program) {
        snprintf(here, sizeof here, "%s%.900s", strchr(file, '/') ? "" : "./", file);
        program = here;
    }
    if (whole_arguments(&w->whole, program, argv, &e) != 0)
        return report_fail_err(w->report, &e);
    if (build(w) || open_program(w) || start(w, argv))
        return -1;
    run_finish(&w->run);
    show_result(w);
    return 0;
}

static int run_run(struct session *s, const void *given, struct report *r)
{
    struct shell *sh = shell_of(s);
    struct running w = {.sh = sh, .report = r, .options = given,
                        .shows = !sh->json && !sh->record.caught};
    if (sh->safe)
        return report_fail(r, "--safe runs no programs");
    if (!sh->programs)
        return report_fail(r, "this cudalab was built without compilers");
    w.run.socket = w.run.theirs = w.run.memory = -1;
    int rc = run_it(&w);
    run_close(&w.run);
    sh->programs->built_free(&w.built);
    buf_free(&w.result.out);
    buf_free(&w.result.err);
    whole_free(&w.whole);
    buf_free(&w.input);
    return rc;
}

const struct command command_run = {
    .name = "run", .kind = CLASS_KERNELS,
    .summary = "run a whole program, compiled if needed, with every checker",
    .options = (const struct arg_spec[]){
        {.name = "I", BIND(struct run_options, folders), .value = "DIR", .type = ARG_MANY,
         .help = "a folder in which headers are searched; may be repeated"},
        {.name = "D", BIND(struct run_options, macros), .value = "NAME[=VALUE]", .type = ARG_MANY,
         .help = "define a macro; may be repeated"},
        {.name = "l", BIND(struct run_options, libraries), .value = "NAME", .type = ARG_MANY,
         .help = "a library to link; may be repeated"},
        {.name = "L", BIND(struct run_options, library_folders), .value = "DIR", .type = ARG_MANY,
         .help = "a folder in which libraries are searched; may be repeated"},
        {.name = "O", BIND(struct run_options, optimise), .value = "LEVEL", .type = ARG_MANY,
         .help = "how much the compiler optimises the host code, 0 to 3; default: 0"},
        {OPTION(struct run_options, std), .value = "NAME", .type = ARG_TEXT,
         .help = "the version of C++, as in c++20"},
        {OPTION(struct run_options, rdc), .type = ARG_CHOICE, .choices = whole_yes_no,
         .help = "true: kernels use functions and variables of other sources; default: false"},
        {.name = "Xcompiler", BIND(struct run_options, host), .value = "OPTION", .type = ARG_MANY,
         .help = "an option for the compiler of the host code; may be repeated"},
        {OPTION(struct run_options, nvcc), .value = "OPTIONS", .type = ARG_MANY,
         .help = "other options for nvcc, in quotes; may be repeated"},
        {OPTION(struct run_options, input), .value = "FILE", .type = ARG_FILE,
         .help = "what the program reads from stdin; default: nothing"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct run_options, file), .type = ARG_FILE, .required = true,
         .help = "a source with its main() in CUDA C++, or a program that is built already"},
        {.name = "ARGUMENTS", BIND(struct run_options, rest), .type = ARG_REST,
         .help = "more sources, then arguments for the program; -- may separate them"},
        {0}},
    .hint = "--nvcc \"OPTIONS\" gives nvcc its other options",
    .one_dash = true,
    .size = sizeof(struct run_options), .run = run_run};
