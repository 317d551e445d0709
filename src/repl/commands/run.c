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
#include "repl/commands.h"
#include "repl/run/running.h"
#include "repl/screen.h"
#include "text/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MOST = 256, OUTPUT_MOST = 64 << 20, PROGRAM_MOST = 1 << 30 };
static const char library[] = "run/libcudart.so";

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

int run_compile(struct running *w, bool on_gpu, struct built *built)
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
        .words = words, .library = {(const char *)ours->data, ours->size}, .on_gpu = on_gpu,
        .arch = p->major >= 8 ? p->major * 10 + p->minor : 75,
        .deadline = limit > 0 ? s->budget.command_began + limit : 0, .stop = &s->stop,
        .progress = &s->progress};
    snprintf(w->sh->waiting.what, sizeof w->sh->waiting.what, "compiling %.40s", o->file);
    if (rc == 0 && w->sh->programs->build(&want, built, &e) != 0) {
        buf_add(&r->details, buf_text(&built->log), built->log.len);
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

void run_tell(void *ctx, bool is_err, const char *text, size_t n)
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
static int split_arguments(struct running *w, const char *program, struct words *words,
                           const char **argv)
{
    struct err e = {0};
    unsigned n = 0;
    argv[n++] = program;
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

int run_start(struct running *w, struct ended *of, const struct child_talk *talk)
{
    struct session *s = &w->sh->session;
    struct err e = {0};
    struct words words = {0};
    const char *argv[ARGUMENTS_MOST];
    const double limit = budget_limit(&s->budget);
    const struct child c = {.argv = argv, .talk = talk,
                            .input = {buf_text(&w->input), w->input.len},
                            .deadline = limit > 0 ? s->budget.command_began + limit : 0,
                            .stop = &s->stop, .progress = &s->progress, .most = OUTPUT_MOST};
    snprintf(w->sh->waiting.what, sizeof w->sh->waiting.what, "%.60s", w->options->file);
    int rc = split_arguments(w, of->built.path, &words, argv);
    if (rc == 0 && w->sh->programs->run(&c, &of->result, &e) != 0)
        rc = report_fail_err(w->report, &e);
    words_free(&words);
    return rc;
}

/* Its calls of CUDA come to us. */
static int run_on_sim(struct running *w)
{
    int fds[2];
    char folders[1000];
    struct err e = {0};
    const char *before = getenv("LD_LIBRARY_PATH");
    if (run_compile(w, false, &w->sim.built) != 0)
        return -1;
    const struct span source = {buf_text(&w->source), w->source.len};
    const struct span program = {buf_text(&w->sim.built.program), w->sim.built.program.len};
    if (run_open(&w->run, &w->sh->session, w->options->file, source, program, w->report, &e) != 0)
        return report_fail_err(w->report, &e);
    w->run.jit = w->sh->programs->jit;
    snprintf(folders, sizeof folders, "%s%s%.600s", w->sim.built.folder, before ? ":" : "",
             before ? before : "");
    const char *const variables[] = {"LD_LIBRARY_PATH", folders, RUN_SOCKET, "3", NULL};
    run_descriptors(&w->run, fds);
    const struct child_talk talk = {.fds = {fds[0], fds[1]}, .listen = w->run.socket,
                                    .serve = serve, .tell = run_tell, .ctx = w,
                                    .variables = variables};
    int rc = run_start(w, &w->sim, &talk);
    close(fds[0]);
    return rc;
}

/* ---- what came of it ------------------------------------------------------------------- */

void run_say_end(struct running *w, const struct ended *of)
{
    struct report *r = w->report;
    char name[20];
    switch (of->result.end) {
    case CHILD_EXITED:
        if (of->result.code)
            say_item(r, "exit status", "%d", of->result.code);
        json_int(&r->result, "exit_status", of->result.code);
        return;
    case CHILD_KILLED:
        w->sh->programs->signal_name(of->result.code, name);
        json_text(&r->result, "signal", name);
        report_fault(r, "host-crash", "the program's host code was ended by %s%s", name,
                     of->result.code == SIGSEGV
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
    char launches[NUM_TEXT], instructions[NUM_TEXT];
    for (unsigned i = 0; i < w->run.kernel_count; i++) {
        const struct run_kernel *k = w->run.kernels[i];
        if (!k->launches)
            continue;
        num_group((int64_t)k->launches, launches);
        num_group((int64_t)k->counters.warp_instructions, instructions);
        say_item(w->report, "kernel", "%s: %s launch%s, %s instructions by warps",
                 k->kernel->shown, launches, k->launches == 1 ? "" : "es", instructions);
    }
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

static void show_findings(struct running *w)
{
    struct report *r = w->report;
    if (!r->fault_count)
        return;
    w->findings = r->screen.len;
    say_faults(r);
    say_quotes(r, &w->run.session);
    lessons_say(r);
}

/* Its own output first, unless that is on the screen. */
static void show_output(struct running *w, const struct ended *of)
{
    struct report *r = w->report;
    if (!w->shows)
        buf_add(&r->output, buf_text(&of->result.out), of->result.out.len);
    else if (of->result.out.len && of->result.out.data[of->result.out.len - 1] != '\n')
        say(r, "\n");
}

static void show_result(struct running *w)
{
    struct report *r = w->report;
    show_output(w, &w->sim);
    say_head(r, &w->sh->session, w->options->file);
    if (!w->options->summary)
        say_kernels(w);
    run_summary(w, w->options->summary);
    json_uint(&r->result, "launches", w->run.launches);
    say_lacking(w);
    if (w->run.timed)
        say_item(r, "times", "the program measured times by events: those are of the simulator, "
                             "not of a GPU");
    json_bool(&r->result, "timed_by_simulator", w->run.timed);
    run_say_end(w, &w->sim);
    if (w->options->compare)
        run_say_differences(w);
    show_findings(w);
}

static void show_of_gpu(struct running *w)
{
    show_output(w, &w->gpu);
    json_text(&w->report->result, "ran_on", "gpu");
    run_say_end(w, &w->gpu);
}

/* ---- the command ----------------------------------------------------------------------- */

static int read_files(struct running *w)
{
    struct err e = {0};
    const struct run_options *o = w->options;
    return shell_read_text(w->sh, o->file, &w->source, &e) != 0 ||
                   (o->input && shell_read_text(w->sh, o->input, &w->input, &e) != 0)
               ? report_fail_err(w->report, &e) : 0;
}

static int run_it(struct running *w)
{
    const struct run_options *o = w->options;
    if (read_files(w) != 0)
        return -1;
    if (o->device == RUN_ON_GPU && !o->compare) {
        int rc = run_on_gpu(w);
        if (rc == 0)
            show_of_gpu(w);
        return rc;
    }
    if (run_on_sim(w) != 0)
        return -1;
    run_finish(&w->run);
    if (o->compare) {
        w->shows = false; /* the GPU's output is only compared */
        if (run_on_gpu(w) != 0)
            return -1;
    }
    show_result(w);
    return o->report_file ? run_write_report(w) : 0;
}

static void free_ended(const struct shell *sh, struct ended *of)
{
    sh->programs->built_free(&of->built);
    buf_free(&of->result.out);
    buf_free(&of->result.err);
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
    free_ended(sh, &w.sim);
    free_ended(sh, &w.gpu);
    buf_free(&w.source);
    buf_free(&w.input);
    return rc;
}

static const char *const run_devices[] = {"sim", "gpu", NULL};

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
        {OPTION(struct run_options, device), .type = ARG_CHOICE, .choices = run_devices,
         .initial = "sim", .help = "where it runs; no checker watches it on a GPU"},
        {OPTION(struct run_options, compare),
         .help = "run it on the GPU as well, and say where the outputs differ"},
        {OPTION(struct run_options, summary),
         .help = "show the most expensive kernels and lines, and all transfers"},
        {.name = "report", BIND(struct run_options, report_file), .value = "FILE",
         .type = ARG_FILE, .help = "write a report of the run: a page (.html) or JSON (.json)"},
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
