/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file runs the programs nvcc and clang. nvcc reads the student's file where it lies. Without
 * the toolkit, clang needs our device header and stand-ins for the usual headers. They lie in a
 * scratch folder while it runs.
 */
#include "programs/backend.h"

#include "os/asset.h"
#include "os/clock.h"
#include "cc/source.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS_MOST = 100, TEXTS = OPTIONS_MOST + 10, WORDS = TEXTS + 40, WORD = 700 };

/* A command line is put together here. */
struct command_line {
    char text[TEXTS][WORD];
    unsigned used, count;
    bool overflows; /* a word was too many or too long: it must not be run without it */
    const char *words[WORDS];
};

static void add_word(struct command_line *l, const char *word)
{
    if (l->count < WORDS - 1)
        l->words[l->count++] = word;
    else
        l->overflows = true;
}

static void add_words(struct command_line *l, const char *const *words)
{
    for (; *words; words++)
        add_word(l, *words);
}

static void add_text(struct command_line *l, const char *before, const char *after)
{
    int n = l->used < TEXTS ? snprintf(l->text[l->used], WORD, "%s%s", before, after) : -1;
    if (n < 0 || n >= WORD)
        l->overflows = true;
    else
        add_word(l, l->text[l->used++]);
}

static int check_line(const struct command_line *l, const char *who, struct err *e)
{
    if (!l->overflows)
        return 0;
    return fail(e, "too much for %s's command line: there may be %d of -I and -D, each of %d bytes",
                who, OPTIONS_MOST, WORD - 3);
}

/* Adds -Iinc and -DN=64 in the form that both nvcc and clang take. */
static void add_options(struct command_line *l, const char *options)
{
    char word[WORD - 2];
    struct span text;
    for (char kind; (kind = option_next(&options, &text));) {
        if (snprintf(word, sizeof word, "%.*s", (int)text.n, text.at) >= (int)sizeof word)
            l->overflows = true;
        add_text(l, kind == 'I' ? "-I" : "-D", word);
    }
}

/* A file called -x.cu is no option, and @x.cu does not hold options. */
static void add_path(struct command_line *l, const char *path)
{
    add_text(l, strchr("-@", path[0]) ? "./" : "", path);
}

/* Asks a program for its version: "release 13.0" or "clang version 14.0.6" has the number. */
static void ask_version(const struct compiling *a, const char *program, const char *name,
                        const char *after)
{
    const char *const argv[] = {program, "--version", NULL};
    char *out = a->out->compiler;
    struct rules rules;
    rules_begin(&rules, true);
    rules_run(&rules, program);
    struct child c = child_of(a, argv, &rules);
    struct child_result r;
    struct err ignored;
    const double soon = clock_seconds() + 10;
    if (!c.deadline || c.deadline > soon)
        c.deadline = soon;
    snprintf(out, 64, "%s", name);
    const char *at = child_run(&c, &r, &ignored) == 0 ? strstr(buf_text(&r.out), after) : NULL;
    if (at) {
        at += strlen(after);
        int n = 0;
        while (isdigit((unsigned char)at[n]) || at[n] == '.')
            n++;
        snprintf(out, 64, "%s %.*s", name, n < 30 ? n : 30, at);
    }
    child_result_free(&r);
}

/* An error that names a place in a source blames the source. Any other is the compiler's own. */
static bool blames_source(const char *log)
{
    return strstr(log, "): error") || strstr(log, ": error:") || strstr(log, ": fatal error:") ||
           strstr(log, "): catastrophic error");
}

/* Keeps what was said, without the scratch folder's name, which is another one each time. */
static void keep_log(struct buf *log, const struct buf *said, const char *folder)
{
    static const char *const inside[] = {"/kernels/include/clang/", "/kernels/include/cuda/",
                                         "/kernels/include/libc/", "/kernels/", "/", NULL};
    const char *at = buf_text(said), *found;
    while ((found = strstr(at, folder))) {
        buf_add(log, at, (size_t)(found - at));
        at = found + strlen(folder);
        for (const char *const *in = inside; *in; in++)
            if (strncmp(at, *in, strlen(*in)) == 0) {
                at += strlen(*in);
                break;
            }
    }
    buf_puts(log, at);
}

static enum served judge(struct compiling *a, const struct child_result *r, const char *who,
                         const char *folder)
{
    if (r->end == CHILD_EXITED || r->end == CHILD_KILLED)
        keep_log(&a->out->log, &r->err, folder);
    enum served s = child_ended(a, r, who);
    if (s != SERVED || r->code == 0)
        return s;
    if (blames_source(buf_text(&r->err)))
        return REFUSED;
    const char *said = r->err.len ? buf_text(&r->err) : "it said nothing";
    size_t n = strcspn(said, "\n");
    fail(a->e, "%s can't compile here: %.*s", who, (int)(n < 200 ? n : 200), said);
    return BROKEN;
}

/* The source with a first line that says how it is called. */
static int named_source(const struct compile_want *w, struct buf *out)
{
    buf_printf(out, "#line 1 \"%s\"\n", w->path);
    buf_add(out, w->text, w->size);
    return out->failed ? -1 : 0;
}

/* ---- nvcc ----------------------------------------------------------------------------- */

/* nvcc reads no stdin, so a source that is no file becomes one for the time being. */
static int write_source(const struct compile_want *w, const char *folder)
{
    struct buf source = {0};
    int rc = named_source(w, &source);
    if (rc == 0)
        rc = scratch_write(folder, "source.cu", source.data, source.len);
    buf_free(&source);
    return rc;
}

static enum served run_nvcc(struct compiling *a, const char *folder)
{
    const struct compile_want *w = a->want;
    struct command_line l = {.count = 0};
    struct child_result r;
    char number[16], out[SCRATCH_PATH + 10];
    const char *const list[] = {a->have->nvcc, "--list-gpu-arch", NULL};
    snprintf(number, sizeof number, "%d", arch_ask(a, list, NULL, "compute_"));
    snprintf(out, sizeof out, "%s/out.ptx", folder);
    add_words(&l, (const char *const[]){a->have->nvcc, "-ptx", "-lineinfo", "-x", "cu", "-o", out,
                                        NULL});
    add_text(&l, "-arch=compute_", number);
    if (w->linked || a->launches)
        add_word(&l, "-rdc=true");
    add_options(&l, a->options);
    if (!w->no_file)
        add_path(&l, w->path);
    else if (write_source(w, folder) == 0)
        add_text(&l, folder, "/source.cu");
    struct child c = child_of(a, l.words, NULL);
    c.scratch = folder;
    enum served s = BROKEN;
    if (check_line(&l, "nvcc", a->e) != 0)
        return ENDED;
    if (child_run(&c, &r, a->e) == 0)
        s = judge(a, &r, "nvcc", folder);
    child_result_free(&r);
    if (s == SERVED && scratch_read(out, PRINT_MOST, &a->out->ptx) != 0) {
        fail(a->e, "nvcc made no PTX");
        s = BROKEN;
    }
    if (s == SERVED || s == REFUSED)
        ask_version(a, a->have->nvcc, "nvcc", "release ");
    return s;
}

enum served by_nvcc(struct compiling *a)
{
    struct scratch scratch;
    if (scratch_make(&scratch, a->e) != 0)
        return BROKEN;
    enum served s = run_nvcc(a, scratch.path);
    scratch_remove(&scratch);
    return s;
}

/* ---- clang ---------------------------------------------------------------------------- */

static int write_headers(const char *folder)
{
    for (size_t i = 0; i < assets_count; i++) {
        const struct asset *h = &assets[i];
        if (stand_in_name(h) && scratch_write(folder, h->name, h->data, h->size) != 0)
            return -1;
    }
    return 0;
}

static int ask_clang_arch(struct compiling *a)
{
    const char *const list[] = {a->have->clang, "--print-supported-cpus",
                                "--target=nvptx64-nvidia-cuda", NULL};
    struct rules rules;
    rules_begin(&rules, true);
    rules_run(&rules, a->have->clang);
    return arch_ask(a, list, &rules, "sm_");
}

/* Writes the command line up to the source. */
static void begin_clang(struct command_line *l, struct compiling *a, const char *folder)
{
    static const char *const options[] = {
        "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-std=c++17",
        "-Wno-unknown-cuda-version", "-Wno-unknown-pragmas", "-fdeclspec", "-O2", "-S",
        "-gline-tables-only", "-ffp-contract=fast", "-Xclang",
        "-target-feature", "-Xclang", NULL};
    const bool safe = a->want->safe;
    char number[16];
    const int arch = ask_clang_arch(a);
    snprintf(number, sizeof number, "%d", arch);
    add_word(l, a->have->clang);
    add_words(l, options);
    add_word(l, arch <= 75 ? "+ptx64" : arch < 89 ? "+ptx75" : arch <= 90 ? "+ptx78" : "+ptx86");
    add_text(l, "--cuda-gpu-arch=sm_", number);
    if (a->want->linked)
        add_word(l, "-fgpu-rdc");
    if (a->aligns)
        add_word(l, "-Dalignas(x)=__attribute__((aligned(x)))");
    add_word(l, "-isystem");
    add_text(l, folder, "/kernels/include/clang");
    add_word(l, "-isystem");
    add_text(l, folder, "/kernels/include/cuda");
    add_word(l, safe ? "-isystem" : "-idirafter");
    add_text(l, folder, "/kernels/include/libc");
    add_word(l, "-include");
    add_text(l, folder, "/kernels/cudalab_device.h");
    add_words(l, (const char *const[]){"-include", "cuda_runtime.h", "-o", "-", NULL});
    if (safe)
        add_words(l, (const char *const[]){"-nostdinc", "-nostdinc++", NULL});
    add_options(l, a->options);
}

static enum served ask_clang(struct compiling *a, const char *const *argv, struct span source,
                             const char *folder)
{
    struct rules rules;
    struct child_result r;
    rules_begin(&rules, true);
    rules_run(&rules, a->have->clang);
    rules_add(&rules, folder, CONFINE_READ);
    rules_options(&rules, a->options);
    struct child c = child_of(a, argv, &rules);
    c.scratch = folder;
    c.input = source;
    enum served s = child_run(&c, &r, a->e) == 0 ? judge(a, &r, "clang", folder) : BROKEN;
    if (s == SERVED)
        buf_add(&a->out->ptx, buf_text(&r.out), r.out.len);
    child_result_free(&r);
    return s;
}

/* Other people's source comes on stdin, with a first line that says how it is called: its name
 * is no word of the command line. */
static enum served run_clang(struct compiling *a, const char *folder)
{
    const struct compile_want *w = a->want;
    struct command_line l = {.count = 0};
    struct buf source = {0};
    enum served s;
    begin_clang(&l, a, folder);
    if (w->safe || w->no_file) {
        named_source(w, &source);
        add_word(&l, "-");
    } else {
        add_path(&l, w->path);
    }
    if (source.failed) {
        fail_memory(a->e);
        s = BROKEN;
    } else if (check_line(&l, "clang", a->e) != 0) {
        s = ENDED;
    } else {
        s = ask_clang(a, l.words, (struct span){source.data, source.len}, folder);
    }
    buf_free(&source);
    if (s == SERVED || s == REFUSED)
        ask_version(a, a->have->clang, "clang", "clang version ");
    return s;
}

enum served by_clang(struct compiling *a)
{
    struct scratch scratch;
    if (scratch_make(&scratch, a->e) != 0)
        return BROKEN;
    enum served s = BROKEN;
    if (write_headers(scratch.path) == 0)
        s = run_clang(a, scratch.path);
    else
        fail(a->e, "the headers for clang can't be written to a temporary folder");
    scratch_remove(&scratch);
    return s;
}
