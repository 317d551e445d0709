/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file runs the programs nvcc and clang. nvcc reads the student's file where it lies. Without
 * the toolkit, clang needs our device header and stand-ins for the usual headers. They lie in a
 * scratch folder while it runs.
 */
#include "programs/backend.h"
#include "programs/line.h"
#include "programs/macros.h"

#include "os/asset.h"
#include "os/clock.h"
#include "os/fd.h"
#include "cc/source.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Adds -Iinc and -DN=64 in the form that both nvcc and clang take. Most macros are in a header,
 * which both read after those that they read unasked. */
static int add_options(struct command_line *l, const char *options, const char *folder)
{
    char word[LINE_WORD - 2];
    struct span text;
    struct buf macros = {0};
    macros_of(options, &macros);
    int rc = macros_write(&macros, folder);
    macros_line(l, &macros, folder);
    buf_free(&macros);
    for (char kind; (kind = option_next(&options, &text));) {
        if (kind == OPTION_DEBUG || (kind == 'D' && !macro_comes_first(text)))
            continue;
        if (snprintf(word, sizeof word, "%.*s", (int)text.n, text.at) >= (int)sizeof word)
            l->overflows = true;
        line_text(l, kind == 'I' ? "-I" : "-D", word);
    }
    return rc;
}

/* Asks a compiler about itself. What it has said stays empty if it fails. */
static void ask(const struct compiling *a, const char *const *argv, struct child_result *said)
{
    struct rules rules;
    struct err ignored;
    rules_begin(&rules, CONFINE_ALONE);
    rules_run(&rules, argv[0]);
    const struct child c = child_of(a, argv, &rules);
    if (child_run(&c, said, &ignored) == 0 && said->end == CHILD_EXITED && said->code == 0)
        return;
    buf_clear(&said->out);
    buf_clear(&said->err);
}

/* Names a compiler by what it said: behind "release " or "clang version " stands its number. */
static void name_compiler(char out[64], const char *name, const char *said, const char *before)
{
    const char *at = strstr(said, before);
    snprintf(out, 64, "%s", name);
    if (at) {
        at += strlen(before);
        int n = 0;
        while (isdigit((unsigned char)at[n]) || at[n] == '.')
            n++;
        snprintf(out, 64, "%s %.*s", name, n < 30 ? n : 30, at);
    }
}

/* An error that names a place in a source blames the source. So does one of ptxas, which is about
 * assembly in it. Any other is the compiler's own. */
static bool blames_source(const char *log)
{
    return strstr(log, "): error") || strstr(log, ": error:") || strstr(log, ": fatal error:") ||
           strstr(log, "): catastrophic error") || strstr(log, "; error   :");
}

/* Keeps what was said, without the scratch folder's name, which is another one each time. */
void keep_log(struct buf *log, const struct buf *said, const char *folder)
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
        rc = fd_make_file(folder, "source.cu", source.data, source.len);
    buf_free(&source);
    return rc;
}

static int ask_nvcc_arch(struct compiling *a)
{
    struct child_result said = {0};
    if (!a->want->arch)
        ask(a, (const char *const[]){a->have->nvcc, "--list-gpu-arch", NULL}, &said);
    const int arch = arch_told(a->want, &said, "compute_");
    child_result_free(&said);
    return arch;
}

static void ask_nvcc_version(struct compiling *a)
{
    struct child_result said = {0};
    struct compiling soon = *a;
    const double most = clock_seconds() + 10;
    if (!soon.deadline || soon.deadline > most)
        soon.deadline = most;
    ask(&soon, (const char *const[]){a->have->nvcc, "--version", NULL}, &said);
    name_compiler(a->out->compiler, "nvcc", buf_text(&said.out), "release ");
    child_result_free(&said);
}

static enum served no_macros(struct compiling *a)
{
    fail(a->e, "the macros can't be written to a temporary folder");
    return BROKEN;
}

static enum served run_nvcc(struct compiling *a, const char *folder)
{
    const struct compile_want *w = a->want;
    struct command_line l = {.count = 0};
    struct child_result r;
    char number[16], out[SCRATCH_PATH + 10];
    snprintf(number, sizeof number, "%d", ask_nvcc_arch(a));
    snprintf(out, sizeof out, "%s/out.ptx", folder);
    line_words(&l, (const char *const[]){a->have->nvcc, "-ptx",
                                         option_has_debug(a->options) ? "-G" : "-lineinfo", "-x",
                                         "cu", "-o", out, NULL});
    line_text(&l, "-arch=compute_", number);
    if (w->linked || a->launches)
        line_word(&l, "-rdc=true");
    if (add_options(&l, a->options, folder) != 0)
        return no_macros(a);
    if (!w->no_file)
        line_path(&l, w->path);
    else if (write_source(w, folder) == 0)
        line_text(&l, folder, "/source.cu");
    struct child c = child_of(a, l.words, NULL);
    c.scratch = folder;
    enum served s = BROKEN;
    if (line_check(&l, "nvcc", a->e) != 0)
        return ENDED;
    if (child_run(&c, &r, a->e) == 0)
        s = judge(a, &r, "nvcc", folder);
    child_result_free(&r);
    if (s == SERVED && scratch_read(out, PRINT_MOST, &a->out->ptx) != 0) {
        fail(a->e, "nvcc made no PTX");
        s = BROKEN;
    }
    if (s == SERVED || s == REFUSED)
        ask_nvcc_version(a);
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

int clang_headers(const char *folder)
{
    for (size_t i = 0; i < assets_count; i++) {
        const struct asset *h = &assets[i];
        if (stand_in_name(h) && fd_make_file(folder, h->name, h->data, h->size) != 0)
            return -1;
    }
    return 0;
}

/* The list of architectures begins with clang's version. So clang, which starts slowly, is asked
 * only once. */
int clang_arch(struct compiling *a, char name[64])
{
    struct child_result said = {0};
    ask(a, (const char *const[]){a->have->clang, "--print-supported-cpus",
                                 "--target=nvptx64-nvidia-cuda", NULL}, &said);
    const int arch = arch_told(a->want, &said, "sm_");
    name_compiler(name, "clang", buf_text(&said.err), "clang version ");
    child_result_free(&said);
    return arch;
}

void clang_begin(struct command_line *l, const char *clang, const char *folder,
                 enum clang_reads reads)
{
    static const char *const options[] = {
        "-x", "cuda", "-nocudainc", "-nocudalib", "-std=c++17", "-Wno-unknown-cuda-version",
        "-Wno-unknown-pragmas", "-fdeclspec", "-ffp-contract=fast", NULL};
    line_word(l, clang);
    line_words(l, options);
    line_word(l, "-isystem");
    line_text(l, folder, "/kernels/include/clang");
    line_word(l, "-isystem");
    line_text(l, folder, "/kernels/include/cuda");
    if (reads != CLANG_PROGRAMS) {
        line_word(l, reads == CLANG_CONFINED ? "-isystem" : "-idirafter");
        line_text(l, folder, "/kernels/include/libc");
    }
    line_word(l, "-include");
    line_text(l, folder, "/kernels/cudalab_device.h");
    line_words(l, (const char *const[]){"-include", "cuda_runtime.h", NULL});
    if (reads == CLANG_PROGRAMS)
        line_word(l, "-DCUDALAB_WHOLE_PROGRAM");
    if (reads == CLANG_CONFINED)
        line_words(l, (const char *const[]){"-nostdinc", "-nostdinc++", NULL});
}

void clang_begin_device(struct command_line *l, int arch, bool aligns, bool debug)
{
    char number[16];
    snprintf(number, sizeof number, "%d", arch);
    line_words(l, (const char *const[]){"--cuda-device-only", debug ? "-O0" : "-O2", "-S",
                                        debug ? "-g" : "-gline-tables-only", "-Xclang",
                                        "-target-feature", "-Xclang", NULL});
    line_word(l, arch <= 75 ? "+ptx64" : arch < 89 ? "+ptx75" : arch <= 90 ? "+ptx78" : "+ptx86");
    line_text(l, "--cuda-gpu-arch=sm_", number);
    if (aligns)
        line_word(l, CLANG_ALIGNS);
    line_words(l, (const char *const[]){"-o", "-", NULL});
}

/* Writes the command line up to the source. */
static int begin_clang(struct command_line *l, struct compiling *a, const char *folder, int arch)
{
    clang_begin(l, a->have->clang, folder, a->want->safe ? CLANG_CONFINED : CLANG_KERNELS);
    clang_begin_device(l, arch, a->aligns, option_has_debug(a->options));
    if (a->want->linked)
        line_word(l, "-fgpu-rdc");
    return add_options(l, a->options, folder);
}

static enum served ask_clang(struct compiling *a, const char *const *argv, struct span source,
                             const char *folder)
{
    struct rules rules;
    struct child_result r;
    rules_begin(&rules, CONFINE_ALONE);
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
    char name[64];
    if (begin_clang(&l, a, folder, clang_arch(a, name)) != 0)
        return no_macros(a);
    if (w->safe || w->no_file) {
        named_source(w, &source);
        line_word(&l, "-");
    } else {
        line_path(&l, w->path);
    }
    if (source.failed) {
        fail_memory(a->e);
        s = BROKEN;
    } else if (line_check(&l, "clang", a->e) != 0) {
        s = ENDED;
    } else {
        s = ask_clang(a, l.words, (struct span){source.data, source.len}, folder);
    }
    buf_free(&source);
    if (s == SERVED || s == REFUSED)
        snprintf(a->out->compiler, sizeof a->out->compiler, "%s", name);
    return s;
}

enum served by_clang(struct compiling *a)
{
    struct scratch scratch;
    if (scratch_make(&scratch, a->e) != 0)
        return BROKEN;
    enum served s = BROKEN;
    if (clang_headers(scratch.path) == 0)
        s = run_clang(a, scratch.path);
    else
        fail(a->e, "the headers for clang can't be written to a temporary folder");
    scratch_remove(&scratch);
    return s;
}
