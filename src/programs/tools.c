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

/* Asks a compiler about itself. What it has said stays empty if it fails. */
static void ask(const struct compiling *a, const char *const *argv, struct child_result *said)
{
    struct rules rules;
    struct err ignored;
    rules_begin(&rules, true);
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

static enum served run_nvcc(struct compiling *a, const char *folder)
{
    const struct compile_want *w = a->want;
    struct command_line l = {.count = 0};
    struct child_result r;
    char number[16], out[SCRATCH_PATH + 10];
    snprintf(number, sizeof number, "%d", ask_nvcc_arch(a));
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

static int write_headers(const char *folder)
{
    for (size_t i = 0; i < assets_count; i++) {
        const struct asset *h = &assets[i];
        if (stand_in_name(h) && scratch_write(folder, h->name, h->data, h->size) != 0)
            return -1;
    }
    return 0;
}

/* The list of architectures begins with clang's version. So clang, which starts slowly, is asked
 * only once. */
static int ask_clang_arch(struct compiling *a, char name[64])
{
    struct child_result said = {0};
    ask(a, (const char *const[]){a->have->clang, "--print-supported-cpus",
                                 "--target=nvptx64-nvidia-cuda", NULL}, &said);
    const int arch = arch_told(a->want, &said, "sm_");
    name_compiler(name, "clang", buf_text(&said.err), "clang version ");
    child_result_free(&said);
    return arch;
}

/* Writes the command line up to the source. */
static void begin_clang(struct command_line *l, struct compiling *a, const char *folder, int arch)
{
    static const char *const options[] = {
        "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-std=c++17",
        "-Wno-unknown-cuda-version", "-Wno-unknown-pragmas", "-fdeclspec", "-O2", "-S",
        "-gline-tables-only", "-ffp-contract=fast", "-Xclang",
        "-target-feature", "-Xclang", NULL};
    const bool safe = a->want->safe;
    char number[16];
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
    char name[64];
    begin_clang(&l, a, folder, ask_clang_arch(a, name));
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
        snprintf(a->out->compiler, sizeof a->out->compiler, "%s", name);
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
