/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `run FILE.cu`: a whole program, compiled as it is and run on the simulator. What it prints is
 * shown as it comes; then follows what the kernels and the host did wrong, and what the launches
 * cost.
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
#include "run/run.h"
#include "text/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MOST = 256, OUTPUT_MOST = 64 << 20, PROGRAM_MOST = 1 << 30 };
static const char library[] = "run/libcudart.so";

struct run_options {
    const char *file, *rest, *input, *O, *std;
    struct arg_many folders, macros, libraries;
};

/* A run of one program. */
struct running {
    struct shell *sh;
    struct report *report;
    const struct run_options *options;
    struct built built;
    struct run run;
    struct buf source, input;
    bool shows; /* the output goes to the screen at once */
    struct child_result result;
};

/* ---- compiling ------------------------------------------------------------------------- */

enum { WORDS = 300 };

static int add_each(const char *words[WORDS], unsigned *n, const struct arg_many *all,
                    const char *flag, struct arena *arena, struct report *r)
{
    for (unsigned i = 0; i < all->count; i++) {
        const size_t room = strlen(all->text[i]) + 3;
        char *word = arena_alloc(arena, room);
        if (!word || *n + 2 > WORDS)
            return report_fail(r, "too many options for the compiler");
        snprintf(word, room, "%s%s", flag, all->text[i]);
        words[(*n)++] = word;
    }
    return 0;
}

static int compile(struct running *w)
{
    struct report *r = w->report;
    struct session *s = &w->sh->session;
    const struct run_options *o = w->options;
    const char *words[WORDS] = {NULL};
    struct arena arena = {0};
    struct err e = {0};
    char optimise[16], standard[40];
    unsigned n = 0;
    const double limit = budget_limit(&s->budget);
    const struct asset *ours = asset_find(library);
    if (!ours)
        return report_fail(r, "this cudalab was built without its runtime for whole programs");
    if (o->O) { /* a call that is inlined has the line of the function that it came from */
        snprintf(optimise, sizeof optimise, "-O%.8s", o->O);
        words[n++] = optimise;
        words[n++] = "-Xcompiler";
        words[n++] = "-fno-inline";
    }
    if (o->std) {
        snprintf(standard, sizeof standard, "-std=%.30s", o->std);
        words[n++] = standard;
    }
    int rc = add_each(words, &n, &o->folders, "-I", &arena, r) ||
             add_each(words, &n, &o->macros, "-D", &arena, r);
    words[n++] = o->file;
    rc = rc || add_each(words, &n, &o->libraries, "-l", &arena, r);
    const struct device_props *p = &s->device->props;
    const struct build_want want = {
        .words = words, .library = {(const char *)ours->data, ours->size},
        .arch = p->major >= 8 ? p->major * 10 + p->minor : 75,
        .deadline = limit > 0 ? s->budget.command_began + limit : 0, .stop = &s->stop,
        .progress = &s->progress};
    snprintf(w->sh->waiting.what, sizeof w->sh->waiting.what, "compiling %.40s", o->file);
    if (rc == 0 && w->sh->programs->build(&want, &w->built, &e) != 0) {
        buf_add(&r->details, buf_text(&w->built.log), w->built.log.len);
        rc = report_fail_err(r, &e);
    }
    arena_free(&arena);
    return rc;
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

/* The words of the rest of the line, as a shell would have them, without its expansions. */
static int split_arguments(struct running *w, struct words *words, const char **argv)
{
    struct err e = {0};
    unsigned n = 0;
    argv[n++] = w->built.path;
    if (words_split(w->options->rest ? w->options->rest : "", words, &e) != 0)
        return report_fail_err(w->report, &e);
    for (unsigned i = 0; i < words->count; i++) {
        if (n == ARGUMENTS_MOST - 1)
            return report_fail(w->report, "too many arguments for the program");
        argv[n++] = words->word[i];
    }
    argv[n] = NULL;
    return 0;
}

static int start(struct running *w, const char *const *argv)
{
    struct session *s = &w->sh->session;
    struct err e = {0};
    int fds[2];
    char folders[1000];
    const char *before = getenv("LD_LIBRARY_PATH");
    snprintf(folders, sizeof folders, "%s%s%.600s", w->built.folder, before ? ":" : "",
             before ? before : "");
    const char *const variables[] = {"LD_LIBRARY_PATH", folders, RUN_SOCKET, "3", NULL};
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
        say_item(w->report, "not served", "%.*s returned %s: cudalab does not have this function",
                 (int)line.n, line.at, run_lacking_error(line.at));
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

static int run_it(struct running *w)
{
    struct words words = {0};
    struct err e = {0};
    const char *argv[ARGUMENTS_MOST];
    int rc = 0;
    if (shell_read_text(w->sh, w->options->file, &w->source, &e) != 0 ||
        (w->options->input && shell_read_text(w->sh, w->options->input, &w->input, &e) != 0))
        rc = report_fail_err(w->report, &e);
    if (rc == 0)
        rc = compile(w) || split_arguments(w, &words, argv);
    const struct span source = {buf_text(&w->source), w->source.len};
    const struct span program = {buf_text(&w->built.program), w->built.program.len};
    if (rc == 0 && run_open(&w->run, &w->sh->session, w->options->file, source, program,
                            w->report, &e) != 0)
        rc = report_fail_err(w->report, &e);
    w->run.jit = w->sh->programs->jit;
    if (rc == 0)
        rc = start(w, argv);
    if (rc == 0) {
        run_finish(&w->run);
        show_result(w);
    }
    words_free(&words);
    return rc;
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
    buf_free(&w.source);
    buf_free(&w.input);
    return rc;
}

const struct command command_run = {
    .name = "run", .kind = CLASS_KERNELS,
    .summary = "compile a whole program and run it, with every checker",
    .options = (const struct arg_spec[]){
        {.name = "I", BIND(struct run_options, folders), .value = "DIR", .type = ARG_MANY,
         .help = "a folder in which headers are searched; may be repeated"},
        {.name = "D", BIND(struct run_options, macros), .value = "NAME[=VALUE]", .type = ARG_MANY,
         .help = "define a macro; may be repeated"},
        {.name = "l", BIND(struct run_options, libraries), .value = "NAME", .type = ARG_MANY,
         .help = "a library to link; may be repeated"},
        {OPTION(struct run_options, O), .value = "LEVEL", .type = ARG_TEXT,
         .help = "how much the compiler optimises the host code, 0 to 3; default: 0"},
        {OPTION(struct run_options, std), .value = "NAME", .type = ARG_TEXT,
         .help = "the version of C++, as in c++20"},
        {OPTION(struct run_options, input), .value = "FILE", .type = ARG_FILE,
         .help = "what the program reads from stdin; default: nothing"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct run_options, file), .type = ARG_FILE, .required = true,
         .help = "a program in CUDA C++, with its main()"},
        {.name = "ARGUMENTS", BIND(struct run_options, rest), .type = ARG_REST,
         .help = "for the program"},
        {0}},
    .size = sizeof(struct run_options), .run = run_run};
