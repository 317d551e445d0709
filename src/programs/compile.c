/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file chooses a compiler, and tries another one if the first can't compile. NVRTC is the
 * fastest. What it refuses goes to nvcc, which also knows host code and whose errors students know.
 * clang compiles where there is no toolkit, or none that works. A result is kept under a
 * fingerprint of all that went into it.
 */
#include "programs/backend.h"

#include "cc/host.h"
#include "programs/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LOG_MOST = 64 << 10, CRASH_LINES = 6 };

struct child child_of(const struct compiling *a, const char *const *argv, const struct rules *rules)
{
    const struct compile_want *w = a->want;
    return (struct child){.argv = argv, .deadline = a->deadline, .stop = w->stop,
                          .progress = w->progress, .most = PRINT_MOST,
                          .confined = w->safe ? &rules->to : NULL,
                          .memory = w->memory};
}

/* A compiler that gets no memory says so in its own words, or dies of it. */
bool ran_out_of_memory(size_t memory, const struct child_result *r, const char *who, struct err *e)
{
    static const char *const words[] = {"out of memory", "Out of memory", "bad_alloc",
                                        "memory exhausted", NULL};
    const char *loading = strstr(buf_text(&r->err), "error while loading shared libraries");
    bool out = (loading && strstr(loading, "failed to map segment")) || (r->end == CHILD_EXITED && r->code == NVRTC_OUT_OF_MEMORY &&
               strcmp(who, "NVRTC") == 0);
    for (const char *const *word = words; !out && *word; word++)
        out = strstr(buf_text(&r->err), *word) != NULL;
    if (out && memory)
        fail_limit(e, "%s needs more memory than the %zu MiB that --safe gives a compiler", who,
             memory >> 20);
    else if (out)
        fail_limit(e, "%s ran out of memory", who);
    return out;
}

/* nvcc and clang start programs of their own. If one of these crashes, they say so and exit. */
enum { NO_CRASH = 0, SIGNAL_UNKNOWN = -1 };

/* The signal that ended the compiler or one of its programs. */
static int crash_signal(const struct child_result *r)
{
    static const char nvcc_says[] = "died due to signal ";
    static const char *const words[] = {"PLEASE submit a bug report", "internal compiler error",
                                        NULL};
    enum { SHELL_ADDS = 128, SIGNALS = 64 };
    const char *said = buf_text(&r->err), *at = strstr(said, nvcc_says);
    if (r->end == CHILD_KILLED || r->code == 0)
        return r->code;
    if (at)
        return atoi(at + strlen(nvcc_says));
    if (r->code > SHELL_ADDS && r->code <= SHELL_ADDS + SIGNALS)
        return r->code - SHELL_ADDS;
    for (const char *const *word = words; *word; word++)
        if (strstr(said, *word))
            return SIGNAL_UNKNOWN;
    return NO_CRASH;
}

/* Another compiler that is here, where the student chose one; NULL: there is none to choose. */
static const char *other_compiler(const struct compiling *a)
{
    const struct compile_want *w = a->want;
    for (enum compiler c = COMPILER_NVRTC; w->by != COMPILER_AUTO && c <= COMPILER_CLANG; c++)
        if (c != w->by && compiler_path(a->have, c)[0] && !(w->safe && c == COMPILER_NVCC))
            return compiler_names[c];
    return NULL;
}

static enum served crashed(const struct compiling *a, int signal_number, const char *who)
{
    char name[20] = "an internal error", other[40] = "";
    struct buf *log = &a->out->log;
    struct span rest = {buf_text(log), log->len}, line;
    if (signal_number != SIGNAL_UNKNOWN)
        child_signal_name(signal_number, name);
    if (other_compiler(a))
        snprintf(other, sizeof other, "`set compiler %s`, or ", other_compiler(a));
    fail(a->e, "%s %s (%s) while it compiled `%.200s`; this is not a verdict on your code: try %sa "
         "smaller source", who, signal_number == SIGKILL ? "was killed" : "crashed", name,
         a->want->path, other);
    for (int i = 0; i < CRASH_LINES && next_line(&rest, &line); i++)
        continue;
    log->len -= rest.n;
    a->out->crashed = true;
    return BROKEN;
}

enum served child_ended(const struct compiling *a, const struct child_result *r, const char *who)
{
    switch (r->end) {
    case CHILD_STOPPED: fail(a->e, "interrupted"); return ENDED;
    case CHILD_OUT_OF_TIME:
        fail_limit(a->e, "%s took more than %g s and was stopped; `set time-limit` allows more", who,
             a->want->limit);
        return ENDED;
    case CHILD_FLOODED:
        fail_limit(a->e, "%s printed more than %d MiB and was stopped", who, PRINT_MOST >> 20);
        return ENDED;
    default: break;
    }
    if (r->code != 0 && ran_out_of_memory(a->want->memory, r, who, a->e))
        return ENDED;
    const int signal_number = crash_signal(r);
    return signal_number == NO_CRASH ? SERVED : crashed(a, signal_number, who);
}

/* ---- the cache's key ------------------------------------------------------------------ */

struct print128 print_file(struct print128 p, const char *path)
{
    struct stat info;
    p = print_text(p, path);
    if (!path[0] || stat(path, &info) != 0)
        return p;
    int64_t facts[] = {(int64_t)info.st_size, (int64_t)info.st_mtim.tv_sec,
                       (int64_t)info.st_mtim.tv_nsec, (int64_t)info.st_ino};
    return print_add(p, facts, sizeof facts);
}

struct print128 print_environment(struct print128 p)
{
    for (const char *const *name = child_variables; *name; name++) {
        const char *value = getenv(*name);
        p = print_text(p, value ? value : "");
    }
    return p;
}

/* The environment may have options that name files to read. */
static bool has_options(void)
{
    bool has = false;
    for (const char *const *name = child_variables; *name; name++)
        has = has || (strncmp(*name, "NVCC_", 5) == 0 && getenv(*name));
    return has;
}

/* False: the inputs that we know don't determine the result, so it can't be kept. */
static bool fingerprint(const struct compile_want *w, const struct compilers *have,
                        struct print128 *p)
{
    char how[100];
    snprintf(how, sizeof how, "cudalab %s %s %d %d%s", PACKAGE_VERSION, compiler_names[w->by],
             w->arch, w->arch ? 0 : w->device, w->linked ? " linked" : "");
    *p = print_text(print_start, how);
    *p = print_file(*p, have->nvrtc);
    *p = print_file(*p, have->nvcc);
    *p = print_file(*p, have->clang);
    *p = print_file(*p, "/proc/self/exe"); /* our own headers travel in it */
    *p = print_text(*p, w->options ? w->options : "");
    *p = print_environment(*p);
    return !has_options() && source_print(w->path, w->text, w->size, w->options, p) == 0;
}

/* ---- one compiler after another ------------------------------------------------------- */

static int none_here(const struct compile_want *w, struct err *e)
{
    if (w->by != COMPILER_AUTO)
        return fail(e, "there is no %s here; `set compiler auto` takes what there is",
                    compiler_names[w->by]);
    return fail(e, "no compiler for CUDA C was found: install clang (on Debian and Ubuntu: apt "
                "install clang) or the CUDA Toolkit; labs and `load FILE.ptx` need none");
}

static bool may(const struct compile_want *w, const struct compilers *have, enum compiler c)
{
    return compiler_path(have, c)[0] && (w->by == COMPILER_AUTO || w->by == c);
}

static enum served ask_compiler(struct compiling *a, enum compiler c)
{
    buf_clear(&a->out->ptx);
    buf_clear(&a->out->log);
    a->out->crashed = false;
    return c == COMPILER_NVRTC ? by_nvrtc(a) : c == COMPILER_NVCC ? by_nvcc(a) : by_clang(a);
}

/* Does the toolkit's compiler refuse because device code launches kernels? nvcc's words come first,
 * then those of NVRTC. */
static bool refuses_launches(const struct compiling *a)
{
    const char *said = buf_text(&a->out->log);
    return strstr(said, "requires separate compilation mode") ||
           strstr(said, "the required runtime APIs are not declared");
}

/* nvcc takes `__shared__ alignas(16) float tile[32]`. clang refuses it in these words. */
bool clang_refuses_alignas(const struct buf *log)
{
    const char *said = buf_text(log);
    return strstr(said, "an attribute list cannot appear here") ||
           strstr(said, "'alignas' attribute cannot be applied");
}

/* Only sources that are refused for such a reason are compiled a second time, in another mode. So all
 * others stay as they are. */
static enum served by_compiler(struct compiling *a, enum compiler c)
{
    enum served s = ask_compiler(a, c);
    if (s == REFUSED && !a->launches && refuses_launches(a)) {
        a->launches = true;
        s = ask_compiler(a, c);
    } else if (s == REFUSED && c == COMPILER_CLANG && clang_refuses_alignas(&a->out->log)) {
        a->aligns = true;
        s = ask_compiler(a, c);
    }
    if (s != SERVED || strstr(buf_text(&a->out->ptx), ".version"))
        return s;
    fail(a->e, "%s made no PTX, though it said that all went well; `set compiler` chooses another",
         compiler_names[c]);
    return BROKEN;
}

/* nvcc may accept what NVRTC refuses. If nvcc can't judge, clang may. Else NVRTC's words count. */
static enum served by_toolkit(struct compiling *a)
{
    const struct compile_want *w = a->want;
    enum served first = BROKEN, second;
    if (may(w, a->have, COMPILER_NVRTC))
        first = by_compiler(a, COMPILER_NVRTC);
    if (first == SERVED || first == ENDED || w->safe || !may(w, a->have, COMPILER_NVCC))
        return first;
    struct buf said = a->out->log;
    a->out->log = (struct buf){0};
    second = by_compiler(a, COMPILER_NVCC);
    if (second != BROKEN || first != REFUSED || may(w, a->have, COMPILER_CLANG)) {
        buf_free(&said);
        return second;
    }
    buf_free(&a->out->log);
    a->out->log = said;
    snprintf(a->out->compiler, sizeof a->out->compiler, "NVRTC");
    return REFUSED;
}

static enum served by_any(struct compiling *a)
{
    enum served s = by_toolkit(a);
    if (s == BROKEN && may(a->want, a->have, COMPILER_CLANG))
        s = by_compiler(a, COMPILER_CLANG);
    return s;
}

/* A header of the toolkit that has no stand-in. */
static void note_missing(struct buf *log)
{
    static const char *const toolkit[] = {"cub/", "thrust/", "cuda/", "cuda_", "npp",
                                          "nvml.h", NULL};
    static const char before[] = "fatal error: '";
    const char *at = strstr(buf_text(log), before);
    char name[100];
    if (!at)
        return;
    at += sizeof before - 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "'"), at);
    for (const char *const *start = toolkit; *start; start++)
        if (strncmp(name, *start, strlen(*start)) == 0) {
            buf_printf(log, "note: `%s` comes with the CUDA Toolkit; cudalab has nothing in its "
                       "place for clang\n", name);
            return;
        }
}

static int refused(struct compiling *a)
{
    const struct compile_want *w = a->want;
    a->out->refused = true;
    if (a->out->log.len > LOG_MOST) {
        a->out->log.len = LOG_MOST;
        buf_puts(&a->out->log, "\n(and more)\n");
    }
    old_names(w->path, w->text, w->size, &a->out->log);
    note_missing(&a->out->log);
    if (strstr(buf_text(&a->out->log), "reference to __global__ function"))
        buf_puts(&a->out->log, "note: clang can't compile kernels that launch kernels; nvcc and "
                               "NVRTC can\n");
    return fail(a->e, "%s refuses `%.300s`", a->out->compiler, w->path);
}

/* Other people's source is compiled only by a process that can read nothing else. */
static int check_safe(const struct compile_want *w, struct err *e)
{
    if (!confine_version())
        return fail(e, "under --safe `%.200s` can't be compiled: this system has no Landlock to "
                    "confine a compiler; compile it to PTX elsewhere, or load it without --safe",
                    w->path);
    if (w->by == COMPILER_NVCC)
        return fail(e, "under --safe nvcc can't be used: it runs a shell and a host compiler, "
                    "which can't be confined; `set compiler auto` takes NVRTC or clang");
    return 0;
}

/* A confined compiler runs in another folder, so each -I gets its path from the root. */
static int place_options(const struct compile_want *w, struct buf *out)
{
    const char *options = w->options;
    struct span text;
    for (char kind; (kind = option_next(&options, &text));) {
        char *typed = strndup(text.at, text.n);
        char *real = typed && kind == 'I' && w->safe ? realpath(typed, NULL) : NULL;
        buf_printf(out, "%c%s\n", kind, real ? real : typed ? typed : "");
        free(real);
        free(typed);
    }
    return out->failed ? -1 : 0;
}

int program_compile(const struct compile_want *w, struct compiled *out, struct err *e)
{
    struct compilers have;
    struct print128 print;
    if (w->safe && check_safe(w, e) != 0)
        return -1;
    compilers_find(w->safe, &have);
    const bool cachable = w->cache && fingerprint(w, &have, &print);
    if (cachable && cache_read(w->cache, print, out) == 0)
        return 0;
    if (!may(w, &have, COMPILER_NVRTC) && !may(w, &have, COMPILER_NVCC) &&
        !may(w, &have, COMPILER_CLANG))
        return none_here(w, e);
    struct compiling a = {.want = w, .have = &have, .out = out, .e = e,
                          .deadline = w->limit > 0 ? w->began + w->limit : 0};
    struct buf options = {0};
    char shared[CACHE_PATH];
    sigset_t before;
    if (place_options(w, &options) != 0)
        return fail_memory(e);
    a.options = buf_text(&options);
    signals_hold(&before);
    enum served s = by_any(&a);
    signals_release(&before);
    buf_free(&options);
    if (s == REFUSED)
        return refused(&a);
    if (s != SERVED)
        return -1;
    if (ptx_tidy_files(w, &out->ptx) != 0 || out->log.failed)
        return fail_memory(e);
    if (cachable)
        cache_write(w->cache, print, out);
    if (w->cache == cache_of_user && cache_refused(shared))
        buf_printf(&out->log, "note: nothing is kept in `%s`: others can write there\n", shared);
    return 0;
}
