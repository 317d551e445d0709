/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvcc and clang, as programs. nvcc reads the student's file where it lies; clang without the
 * toolkit needs our device header in front and stand-ins for the usual headers, which lie in a
 * scratch folder for the time it runs.
 */
#include "cc/backend.h"

#include "base/asset.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 40, WORD = 700 };

/* A command line being put together. */
struct line {
    char text[8][WORD];
    unsigned used, count;
    const char *words[WORDS];
};

static void add(struct line *l, const char *word)
{
    if (l->count < WORDS - 1)
        l->words[l->count++] = word;
}

static void add_text(struct line *l, const char *before, const char *after)
{
    if (l->used < 8) {
        snprintf(l->text[l->used], WORD, "%s%s", before, after);
        add(l, l->text[l->used++]);
    }
}

/* A file called -x.cu is a file still. */
static void add_path(struct line *l, const char *path)
{
    add_text(l, path[0] == '-' ? "./" : "", path);
}

/* "release 13.0" or "clang version 14.0.6": the number, as the program itself says it. */
static void ask_version(const char *program, const char *name, const char *after,
                        char out[64])
{
    const char *const argv[] = {program, "--version", NULL};
    const struct child c = {.argv = argv, .limit = 10, .most = 1 << 16};
    struct child_result r;
    struct err ignored;
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

/* An error that names a place in a source is the source's; any other, the compiler's own. */
static bool blames_source(const char *log)
{
    return strstr(log, "): error") || strstr(log, ": error:") || strstr(log, ": fatal error:") ||
           strstr(log, "): catastrophic error");
}

static enum served judge(struct attempt *a, const struct child_result *r, const char *who)
{
    if (r->end != CHILD_EXITED)
        return child_ended(a, r, who);
    buf_add(&a->out->log, buf_text(&r->err), r->err.len);
    if (r->code == 0)
        return SERVED;
    if (blames_source(buf_text(&r->err)))
        return REFUSED;
    const char *said = buf_text(&r->err);
    fail(a->e, "%s can't compile here: %.*s", who,
         (int)(strcspn(said, "\n") < 200 ? strcspn(said, "\n") : 200), *said ? said : "it said nothing");
    return BROKEN;
}

/* ---- nvcc ----------------------------------------------------------------------------- */

static int read_ptx(const char *path, struct buf *to)
{
    char bytes[1 << 14];
    size_t n;
    FILE *f = fopen(path, "re");
    if (!f)
        return -1;
    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
        buf_add(to, bytes, n);
    fclose(f);
    return to->len && !to->failed ? 0 : -1;
}

static enum served run_nvcc(struct attempt *a, const char *folder)
{
    const struct compile_want *w = a->want;
    struct line l = {.count = 0};
    struct child_result r;
    char number[16], out[SCRATCH_PATH + 10];
    snprintf(number, sizeof number, "%d", w->arch ? w->arch : 75);
    snprintf(out, sizeof out, "%s/out.ptx", folder);
    add(&l, a->have->nvcc);
    add_text(&l, "-arch=compute_", number);
    add(&l, "-ptx");
    add(&l, "-lineinfo");
    add(&l, "-x");
    add(&l, "cu");
    add(&l, "-o");
    add(&l, out);
    add_path(&l, w->path);
    const struct child c = {.argv = l.words, .scratch = folder, .limit = w->limit,
                            .stop = w->stop, .most = PRINT_MOST};
    enum served s = BROKEN;
    if (child_run(&c, &r, a->e) == 0)
        s = judge(a, &r, "nvcc");
    child_result_free(&r);
    if (s == SERVED && read_ptx(out, &a->out->ptx) != 0) {
        fail(a->e, "nvcc made no PTX");
        s = BROKEN;
    }
    if (s == SERVED || s == REFUSED)
        ask_version(a->have->nvcc, "nvcc", "release ", a->out->compiler);
    return s;
}

enum served by_nvcc(struct attempt *a)
{
    char folder[SCRATCH_PATH];
    if (scratch_make(folder, a->e) != 0)
        return BROKEN;
    enum served s = run_nvcc(a, folder);
    scratch_remove(folder);
    return s;
}

/* ---- clang ---------------------------------------------------------------------------- */

static int write_headers(const char *folder)
{
    static const char where[] = "kernels/";
    for (size_t i = 0; i < assets_count; i++) {
        const struct asset *h = &assets[i];
        size_t n = strlen(h->name);
        bool is_header = n > 2 && strcmp(h->name + n - 2, ".h") == 0;
        bool stands_in = strncmp(h->name, "kernels/include/", 16) == 0;
        if (strncmp(h->name, where, sizeof where - 1) == 0 && (is_header || stands_in) &&
            scratch_write(folder, h->name + sizeof where - 1, h->data, h->size) != 0)
            return -1;
    }
    return 0;
}

static enum served run_clang(struct attempt *a, const char *folder)
{
    const struct compile_want *w = a->want;
    struct line l = {.count = 0};
    struct child_result r;
    char number[16];
    int arch = w->arch ? w->arch : 70;
    snprintf(number, sizeof number, "%d", arch);
    add(&l, a->have->clang);
    static const char *const options[] = {
        "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version",
        "-fdeclspec", "-Xclang", "-target-feature", "-Xclang", NULL};
    for (const char *const *o = options; *o; o++)
        add(&l, *o);
    add(&l, arch <= 75 ? "+ptx64" : "+ptx75");
    add(&l, "-O2");
    add(&l, "-S");
    add(&l, "-gline-tables-only");
    add(&l, "-ffp-contract=fast");
    add(&l, "-fno-caret-diagnostics");
    add_text(&l, "--cuda-gpu-arch=sm_", number);
    add(&l, "-include");
    add_text(&l, folder, "/cudalab_device.h");
    add(&l, "-isystem");
    add_text(&l, folder, "/include/cuda");
    add(&l, "-idirafter");
    add_text(&l, folder, "/include/c");
    if (w->safe) {
        add(&l, "-nostdinc");
        add(&l, "-nostdinc++");
    }
    add(&l, "-o");
    add(&l, "-");
    add_path(&l, w->path);
    const struct child c = {.argv = l.words, .scratch = folder, .limit = w->limit,
                            .stop = w->stop, .most = PRINT_MOST};
    enum served s = BROKEN;
    if (child_run(&c, &r, a->e) == 0)
        s = judge(a, &r, "clang");
    if (s == SERVED)
        buf_add(&a->out->ptx, buf_text(&r.out), r.out.len);
    child_result_free(&r);
    if (s == SERVED || s == REFUSED)
        ask_version(a->have->clang, "clang", "clang version ", a->out->compiler);
    return s;
}

enum served by_clang(struct attempt *a)
{
    char folder[SCRATCH_PATH];
    if (scratch_make(folder, a->e) != 0)
        return BROKEN;
    enum served s = BROKEN;
    if (write_headers(folder) == 0)
        s = run_clang(a, folder);
    else
        fail(a->e, "the headers for clang can't be written to a temporary folder");
    scratch_remove(folder);
    return s;
}
