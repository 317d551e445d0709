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
#include "cc/host.h"
#include "cc/jit.h"
#include "labkit/ladder/schedule.h"
#include "labkit/run.h"
#include "os/asset.h"
#include "repl/commands.h"
#include "repl/interrupt.h"
#include "repl/loading.h"
#include "repl/run/running.h"
#include "repl/screen.h"
#include "repl/step/step.h"
#include "text/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char library[] = "run/libcudart.so";

/* ---- compiling ------------------------------------------------------------------------- */

/* What takes the place of one of NVIDIA's libraries. */
static struct build_library served(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "run/%s.so", name);
    const struct asset *a = asset_find(path);
    return (struct build_library){a ? name : NULL,
                                  {a ? (const char *)a->data : NULL, a ? a->size : 0}};
}

enum { COMPILE_SECONDS = 120 };

/* Where the program is there already, only our libraries get a place. */
int run_compile(struct running *w, bool on_gpu, struct built *built)
{
    struct report *r = w->report;
    struct session *s = &w->sh->session;
    const char *words[WHOLE_WORDS];
    struct arena memory = {0};
    struct err e = {0};
    const double limit = budget_limit_of_compiler(&s->budget, w->sh->safe ? 0 : COMPILE_SECONDS);
    const struct asset *ours = asset_find(library);
    if (!ours)
        return report_fail(r, "this cudalab was built without its runtime for whole programs");
    const struct device_props *p = &s->device->props;
    const struct build_library libraries[] = {served("libcublas"), served("libcurand"), {NULL}};
    const struct build_want want = {
        .words = w->whole.is_program ? NULL : words,
        .program = {buf_text(&w->whole.text[0]), w->whole.text[0].len}, .libraries = libraries,
        .library = {(const char *)ours->data, ours->size}, .on_gpu = on_gpu,
        .by = compiler_of(&s->settings), .managed = RUN_MANAGED_BASE,
        .cache = shell_cache(w->sh),
        .arch = p->major >= 8 ? p->major * 10 + p->minor : 75,
        .safe = w->sh->safe, .files = run_allowed(w), .memory = shell_compiler_memory(w->sh),
        .deadline = limit > 0 ? s->budget.command_began + limit : 0, .stop = &s->stop,
        .progress = &s->progress};
    snprintf(w->sh->waiting.what, sizeof w->sh->waiting.what, "compiling %.40s", w->options->file);
    int rc = whole_words(&w->whole, w->options, &memory, words, &e);
    if (rc == 0 && (rc = w->sh->programs->build(&want, built, &e)) != 0) {
        for (unsigned i = 0; built->refused && i < w->whole.count; i++)
            old_names(w->whole.path[i], buf_text(&w->whole.text[i]), w->whole.text[i].len,
                      &built->log);
        buf_add(&r->details, buf_text(&built->log), built->log.len);
        if (built->log.len)
            log_json(r, &built->log);
        r->cause = built->refused ? CAUSE_COMPILE : CAUSE_NONE;
    }
    else if (rc == 0)
        budget_begin_command(&s->budget, 0); /* from here on the time is the program's */
    arena_free(&memory);
    return rc == 0 ? 0 : report_fail_err(r, &e);
}

/* ---- running --------------------------------------------------------------------------- */

/* What ptxas says of a module. */
static bool ask_usage(void *ctx, struct span ptx, unsigned arch, struct buf *said)
{
    struct running *w = ctx;
    struct session *s = &w->sh->session;
    struct err e;
    const double limit = budget_limit(&s->budget);
    const struct sass_want want = {
        .ptx = ptx.at, .size = ptx.n, .arch = arch, .safe = w->sh->safe,
        .cache = shell_cache(w->sh), .memory = shell_compiler_memory(w->sh),
        .deadline = limit > 0 ? s->budget.command_began + limit : 0, .stop = &s->stop,
        .progress = &s->progress};
    return w->sh->programs->usage(&want, said, &e) == 0;
}

/* What the program asks NVRTC for has the program's rights, and no more. */
static int ask_nvrtc(void *ctx, const struct jit_want *asked, struct jitted *out, struct err *e)
{
    const struct running *w = ctx;
    struct jit_want want = *asked;
    want.safe = w->sh->safe;
    want.files = run_allowed(w);
    want.memory = shell_compiler_memory(w->sh);
    return w->sh->programs->jit(&want, out, e);
}

/* A program can name any file as its source. */
static bool may_read(void *ctx, const char *path)
{
    const struct running *w = ctx;
    struct err ignored;
    return !w->sh->safe || shell_allows(w->sh, path, &ignored);
}

static void take_printed(void *ctx)
{
    const struct running *w = ctx;
    if (w->printed.take)
        w->printed.take(w->printed.self);
}

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
    if (!w->shows || !n)
        return;
    waiting_end(w->sh);
    w->sh->waiting.held = text[n - 1] != '\n';
    visible_add(&clean, text, n, VISIBLE_LINES);
    shell_put(w->sh, shell_out(w->sh), buf_text(&clean), clean.len, false);
    buf_free(&clean);
}

int run_start(struct running *w, struct ended *of, const struct child_talk *talk)
{
    struct session *s = &w->sh->session;
    struct err e = {0};
    char here[1000]; /* its name for itself: hw.cu becomes ./hw, as nvcc -o hw makes it */
    const char *argv[WHOLE_ARGUMENTS], *file = w->options->file;
    const double limit = budget_limit(&s->budget);
    const bool our_input = run_gives_input(w), has_keyboard = our_input && terminal_held();
    const struct child c = {.argv = argv, .talk = talk,
                            .file = w->whole.is_program ? NULL : of->built.path,
                            .input = {w->input.data, w->input.len},
                            .our_input = our_input, .memory = w->memory,
                            .deadline = limit > 0 ? s->budget.command_began + limit : 0,
                            .stop = &s->stop, .most = run_output_most(w),
                            /* what is typed stays whole */
                            .progress = has_keyboard ? NULL : &s->progress};
    snprintf(w->sh->waiting.what, sizeof w->sh->waiting.what, "%.60s", file);
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = w->whole.is_program ? NULL : strrchr(name, '.');
    snprintf(here, sizeof here, "%s%.*s", slash ? "" : "./",
             (int)(dot && dot > name ? dot - file : (ptrdiff_t)strlen(file)), file);
    int rc = whole_arguments(&w->whole, here, argv, &e);
    if (has_keyboard)
        terminal_release();
    if (rc == 0)
        rc = w->sh->programs->run(&c, of->built.folder, run_allowed(w), &of->result, &e);
    if (has_keyboard)
        terminal_hold(STDIN_FILENO);
    return rc == 0 ? 0 : report_fail_err(w->report, &e);
}

static int open_program(struct running *w)
{
    const struct whole *f = &w->whole;
    const struct buf *bytes = f->is_program ? &f->text[0] : &w->sim.built.program;
    struct err e = {0};
    int rc = run_open(&w->run, &w->sh->session, w->options->file,
                      (struct span){buf_text(bytes), bytes->len}, w->report, &e);
    for (unsigned i = 0; i < f->count && !f->is_program && rc == 0; i++)
        rc = run_source_give(&w->run, f->path[i],
                             (struct span){buf_text(&f->text[i]), f->text[i].len}, &e);
    return rc == 0 ? 0 : report_fail_err(w->report, &e);
}

/* Puts a folder or file before what a variable of the environment has. Under --safe the program
 * sees nothing of the environment. */
static void put_before(const struct running *w, const char *variable, const char *first,
                       struct buf *text)
{
    const char *before = w->sh->safe ? NULL : getenv(variable);
    buf_printf(text, "%s%s%s", first, before && *before ? ":" : "", before ? before : "");
}

/* The settings are those of the shell, except for what this run was given. */
static int set_schedule(struct running *w)
{
    const struct run_options *o = w->options;
    struct settings *set = &w->run.session.settings;
    struct schedule_range range;
    struct err e = {0};
    if (o->schedule && schedule_read(o->schedule, &range, &e) != 0)
        return report_fail_err(w->report, &e);
    if (o->schedule && strlen(o->schedule) >= sizeof set->schedule)
        return report_fail(w->report, "a schedule takes at most %zu letters",
                           sizeof set->schedule - 1);
    if (o->schedule)
        snprintf(set->schedule, sizeof set->schedule, "%s", o->schedule);
    if (o->seed_given)
        set->seed = (uint64_t)o->seed;
    return 0;
}

/* Its calls of CUDA come to us. */
static int run_with(struct running *w, const char *folders, const char *preload)
{
    int fds[2];
    const char *const variables[] = {"LD_LIBRARY_PATH", folders, RUN_SOCKET, "3",
                                     w->run.built.needs_preload ? "LD_PRELOAD" : NULL, preload,
                                     NULL};
    run_descriptors(&w->run, fds);
    const struct child_talk talk = {.fds = {fds[0], fds[1]}, .listen = w->run.socket,
                                    .shared = (size_t)RUN_SHARED_BYTES, .serve = serve,
                                    .tell = run_tell, .printed = &w->printed, .ctx = w,
                                    .variables = variables};
    return set_schedule(w) || run_start(w, &w->sim, &talk) ? -1 : 0;
}

static int run_on_sim(struct running *w)
{
    struct buf folders = {0}, preload = {0};
    struct err e;
    if (run_compile(w, false, &w->sim.built) != 0 || open_program(w) != 0)
        return -1;
    w->run.jit = w->sh->programs->jit ? ask_nvrtc : NULL;
    run_share_memory(w);
    w->run.shared_most = w->memory;
    w->run.usage = ask_usage;
    w->run.may_read = may_read;
    w->run.take_printed = take_printed;
    w->run.ctx = w;
    put_before(w, "LD_LIBRARY_PATH", w->sim.built.folder, &folders);
    put_before(w, "LD_PRELOAD", w->sim.built.runtime, &preload);
    int rc = -1;
    if (folders.failed || preload.failed) {
        fail_memory(&e);
        report_fail_err(w->report, &e);
    } else
        rc = run_with(w, buf_text(&folders), buf_text(&preload));
    buf_free(&folders);
    buf_free(&preload);
    return rc;
}

/* ---- what came of it ------------------------------------------------------------------- */

static void say_flood(struct report *r, size_t most)
{
    const bool mib = most % (1 << 20) == 0;
    report_fail_limit(r, "the program printed more than %zu %s and was stopped", mib ? most >> 20 : most,
                mib ? "MiB" : "bytes");
}

/* What a signal says of the host's code, and the section of help/findings.txt about it. */
struct crash {
    int signal;
    const char *sentence, *lesson;
};

static const struct crash *crash_of(int number)
{
    static const struct crash all[] = {
        {SIGSEGV, ": it used an address that the host cannot reach", NULL},
        {SIGBUS, ": it used memory that is not there, or an address that is not aligned",
         "host-bus"},
        {SIGABRT, ": it called abort, as a failed assert or an exception that nothing catches does",
         "host-abort"},
        {SIGFPE, ": it divided an integer by 0, or the quotient was too large", "host-division"},
        {SIGILL, ": it executed an instruction that the processor does not have",
         "host-instruction"},
        {0, "", "host-signal"}};
    unsigned i = 0;
    while (all[i].signal && all[i].signal != number)
        i++;
    return &all[i];
}

/* A signal has ended it. Where that was may be told already. */
static void say_killed(struct running *w, const struct ended *of)
{
    struct report *r = w->report;
    char name[20];
    w->sh->programs->signal_name(of->result.code, name);
    json_text(&r->result, "signal", name);
    if (w->run.crashed)
        return;
    if (of->result.code == SIGKILL && run_used_memory(w))
        report_fail_limit(r, "the program's pinned and managed memory has more than the %zu MiB that "
                    "--safe gives it, and the program was stopped", w->memory >> 20);
    else {
        const struct crash *known = crash_of(of->result.code);
        const struct fault like = {.kind = "host-crash", .cure = known->lesson};
        report_fault_like(r, &like, "the program's host code was ended by %s%s", name,
                          known->sentence);
    }
}

void run_say_end(struct running *w, const struct ended *of)
{
    struct report *r = w->report;
    switch (of->result.end) {
    case CHILD_EXITED:
        if (of->result.code)
            say_item(r, "exit status", "%d", of->result.code);
        json_int(&r->result, "exit_status", of->result.code);
        return;
    case CHILD_KILLED:
        say_killed(w, of);
        return;
    case CHILD_OUT_OF_TIME:
        if (w->run.out_of_time) /* in a kernel, whose fault says so */
            return;
        report_fault(r, "host-timeout", "the program did not end within %g s",
                     budget_limit(&w->sh->session.budget));
        return;
    case CHILD_STOPPED: report_fail(r, "stopped"); return;
    case CHILD_FLOODED:
        say_flood(r, run_output_most(w));
        return;
    }
}

/* Libraries of ours did what NVIDIA's would have done. */
static void say_libraries(struct running *w)
{
    const char *note;
    json_array(&w->report->result, "libraries");
    for (unsigned i = 0; (note = run_library_note(&w->run, i)) != NULL; i++) {
        json_text(&w->report->result, NULL, note);
        say_item(w->report, "library", "%s", note);
    }
    json_end_array(&w->report->result);
}

static void say_lacking(struct running *w)
{
    struct span rest = {buf_text(&w->run.lacking), w->run.lacking.len}, line;
    json_array(&w->report->result, "not_served");
    while (next_line(&rest, &line)) {
        json_bytes(&w->report->result, NULL, line.at, line.n);
        if (memchr(line.at, ':', line.n))
            say_item(w->report, "not served", "%.*s", (int)line.n, line.at);
        else
            say_item(w->report, "not served", "%.*s returned %s: cudalab does not have this "
                     "function", (int)line.n, line.at, run_lacking_error(line.at));
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

static void say_warnings(struct report *r, const struct buf *log)
{
    log_say(r, log);
    if (log->len)
        log_json(r, log);
}

static void show_result(struct running *w)
{
    struct report *r = w->report;
    show_output(w, &w->sim);
    say_head(r, &w->sh->session, w->options->file);
    if (!w->options->summary)
        run_say_kernels(w);
    say_libraries(w);
    run_summary(w, w->options->summary);
    json_uint(&r->result, "launches", w->run.launches);
    say_lacking(w);
    run_say_times(w);
    say_warnings(r, &w->sim.built.log);
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
    return whole_read(w->sh, o, &w->whole, &e) != 0 ||
                   (o->input && shell_read_text(w->sh, o->input, &w->input, &e) != 0) ||
                   (o->compare && run_keep_input(w, &e) != 0)
               ? report_fail_err(w->report, &e) : 0;
}

/* `step` wanted a launch of this program: it has it now, or there was none. Always -1, or 0 where
 * nothing is wrong with the program. */
static int look_ended(struct running *w)
{
    struct report *r = w->report;
    const struct child_result *c = &w->sim.result;
    char name[20];
    if (w->shows && c->out.len && c->out.data[c->out.len - 1] != '\n')
        run_tell(w, false, "\n", 1);
    if (r->status != REPORT_OK)
        return -1;
    switch (c->end) {
    case CHILD_EXITED:
        if (w->run.launches && !w->run.session.launch_number)
            return report_fail(r, "the program launches only kernels of a library, which has no source "
                                  "to step through");
        return c->code ? report_fail(r, "the program ended with exit status %d before that launch",
                                     c->code) : 0;
    case CHILD_KILLED:
        w->sh->programs->signal_name(c->code, name);
        return report_fail(r, "the program was ended by %s before that launch", name);
    case CHILD_OUT_OF_TIME:
        return report_fail_limit(r, "the program did not make that launch within %g s",
                                 budget_limit(&w->sh->session.budget));
    case CHILD_STOPPED:
    case CHILD_FLOODED: run_say_end(w, &w->sim);
    }
    return -1;
}

static int run_it(struct running *w)
{
    const struct run_options *o = w->options;
    if (read_files(w) != 0)
        return -1;
    if (o->device == RUN_ON_GPU && w->sh->session.look)
        return report_fail(w->report, "a program on a GPU can't be stepped: without --device gpu it "
                                      "runs on the simulator");
    if (o->device == RUN_ON_GPU && !o->compare) {
        int rc = run_on_gpu(w);
        if (rc == 0)
            show_of_gpu(w);
        return rc;
    }
    if (run_on_sim(w) != 0)
        return -1;
    if (w->sh->session.look)
        return look_ended(w);
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

/* What it has beside its process and its folder, which end with the command. */
static void free_running(void *running)
{
    struct running *w = running;
    run_close(&w->run);
    whole_free(&w->whole);
    buf_free(&w->input);
    mem_free(&allocator_libc, w, sizeof *w);
}

static int run_run(struct session *s, const void *given, struct report *r)
{
    struct shell *sh = shell_of(s);
    if (!sh->programs)
        return report_fail(r, "this cudalab was built without compilers");
    struct running *w = mem_alloc(&allocator_libc, sizeof *w);
    if (!w)
        return report_fail_memory(r);
    *w = (struct running){.sh = sh, .report = r, .options = given,
                          .shows = !sh->json && (s->look || !sh->record.caught),
                          .run = {.socket = -1, .theirs = -1, .memory = -1}};
    const int rc = run_check_safe(w) == 0 ? run_it(w) : -1;
    const struct buf *out = &w->sim.result.out;
    const bool looked_at = w->run.looked_at;
    if (looked_at)
        stepping_keep(sh, &w->run.session, w, free_running,
                      w->shows ? SPAN("") : (struct span){buf_text(out), out->len});
    free_ended(sh, &w->sim);
    free_ended(sh, &w->gpu);
    if (!looked_at)
        free_running(w);
    return rc;
}

static const char *const run_devices[] = {"sim", "gpu", NULL};

const struct command command_run = {
    .name = "run", .kind = CLASS_KERNELS,
    .summary = "run a whole program with every checker",
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
        {OPTION(struct run_options, schedule), .value = "S", .type = ARG_TEXT,
         .choices = schedule_names,
         .help = "the order of threads and streams; default: the setting"},
        {OPTION(struct run_options, seed), GIVEN(struct run_options, seed), .value = "N",
         .type = ARG_INT, .lo = 0, .hi = INT64_MAX,
         .help = "of a random order; default: the setting"},
        {OPTION(struct run_options, rdc), .type = ARG_CHOICE, .choices = whole_yes_no,
         .help = "true: kernels use functions and variables of other sources; default: false"},
        {.name = "Xcompiler", BIND(struct run_options, host), .value = "OPTION", .type = ARG_MANY,
         .help = "an option for the compiler of the host code; may be repeated"},
        {OPTION(struct run_options, nvcc), .value = "OPTIONS", .type = ARG_MANY,
         .help = "other options for nvcc, in quotes; may be repeated"},
        {OPTION(struct run_options, debug),
         .help = "compile kernels without optimisation, with the names of local variables"},
        {OPTION(struct run_options, device), .type = ARG_CHOICE, .choices = run_devices,
         .initial = "sim", .help = "where it runs; no checker watches it on a GPU"},
        {OPTION(struct run_options, compare),
         .help = "run it on the GPU as well, and say where the outputs differ"},
        {OPTION(struct run_options, summary),
         .help = "show the most expensive kernels and lines, and all transfers"},
        {.name = "report", BIND(struct run_options, report_file), .value = "FILE",
         .type = ARG_FILE, .help = "write a report of the run: a page (.html) or JSON (.json)"},
        {OPTION(struct run_options, input), .value = "FILE", .type = ARG_FILE,
         .help = "what the program reads from stdin; default: what cudalab does not read"},
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
