/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole programs without the CUDA Toolkit, by clang with headers of ours. clang compiles each .cu
 * twice. The first time it makes PTX of the kernels, which goes into a fat binary of ours. The
 * second time it makes the host's object with that fat binary in it, and its code for <<<>>> calls
 * our runtime as nvcc's would.
 *
 * A __managed__ variable must lie at one address for both sides. Its section has a fixed place
 * among the memory that host and kernels share, far from the program's other parts. So code must
 * reach any address.
 */
#include "programs/whole.h"

#include "base/mem.h"
#include "cc/fatbin.h"
#include "os/fd.h"
#include "programs/backend.h"
#include "programs/kept.h"
#include "programs/line.h"
#include "programs/macros.h"
#include "programs/scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifdef __x86_64__
#define MODEL "-mcmodel=medium"
#else
#define MODEL "-mcmodel=large"
#endif

/* Clang is told a version of CUDA, from which on <<<>>> calls cudaLaunchKernel(). */
#define SDK_VERSION "-target-sdk-version=11.0"

/* What the name of an object gets for the file of its kernels. */
#define FAT_BINARY ".fatbin"

enum { PARTS_MOST = 64 };
enum language { LANGUAGE_CUDA, LANGUAGE_CXX, LANGUAGE_C };

struct part { const char *path; enum language in; char object[SCRATCH_PATH + 100]; };

/* What nvcc's words say. */
struct clang_build {
    const struct build_want *want;
    const char *clang;
    struct built *out;
    struct err *e;
    int arch;
    struct part parts[PARTS_MOST];
    unsigned part_count;
    struct buf macros;
    struct command_line both, host, link; /* words for both sides, for the host's, and at the end */
};

/* ---- nvcc's words ---------------------------------------------------------------------- */

static bool language_of(const char *path, enum language *in)
{
    static const struct { const char *end; enum language in; } known[] = {
        {".cu", LANGUAGE_CUDA}, {".cpp", LANGUAGE_CXX}, {".cc", LANGUAGE_CXX},
        {".cxx", LANGUAGE_CXX}, {".c", LANGUAGE_C}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(dot, known[i].end) == 0) {
            *in = known[i].in;
            return true;
        }
    return false;
}

static int add_part(struct clang_build *w, const char *path, enum language in)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (w->part_count == PARTS_MOST)
        return fail(w->e, "a program may have %d source files", PARTS_MOST);
    struct part *p = &w->parts[w->part_count];
    *p = (struct part){.path = path, .in = in};
    snprintf(p->object, sizeof p->object, "%s/%u-%.80s.o", w->out->folder, ++w->part_count, name);
    return 0;
}

/* What nvcc gives to the host's compiler: -Xcompiler -Wall,-fopenmp. */
static void add_for_host(struct clang_build *w, const char *words)
{
    while (*words) {
        char word[LINE_WORD];
        size_t n = strcspn(words, ",");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), words);
        line_text(&w->host, word, "");
        line_text(&w->link, word, "");
        words += n + (words[n] == ',');
    }
}

enum word_for {
    FOR_BOTH, FOR_MACROS, FOR_HOST, FOR_LINK, FOR_HOST_COMPILER, FOR_NOBODY, REFUSED_BY_CLANG
};

/* What nvcc's options are for here, by how they begin. An option that is all of the word may have
 * its value in the next word. Those that are not here are for the host. */
static const struct { const char *begins; enum word_for what; bool has_value; } options[] = {
    {"-isystem", FOR_BOTH, true}, {"-include", FOR_BOTH, true}, {"-I", FOR_BOTH, true},
    {"-D", FOR_MACROS, true}, {"-U", FOR_MACROS, true}, {"-std=", FOR_BOTH, false},
    {"-lineinfo", FOR_NOBODY, false}, {"-G", FOR_NOBODY, false},
    {"--device-debug", FOR_NOBODY, false}, {"-l", FOR_LINK, true}, {"-L", FOR_LINK, true},
    {"-Wl,", FOR_LINK, false}, {"-Xlinker", FOR_LINK, true},
    {"-Xcompiler", FOR_HOST_COMPILER, true}, {"-Xptxas", FOR_NOBODY, true},
    {"-arch=", FOR_NOBODY, false}, {"-arch", FOR_NOBODY, true},
    {"-gencode=", FOR_NOBODY, false}, {"-gencode", FOR_NOBODY, true},
    {"-code=", FOR_NOBODY, false}, {"-code", FOR_NOBODY, true},
    {"-cudart", FOR_NOBODY, true}, {"-maxrregcount=", FOR_NOBODY, false},
    {"-maxrregcount", FOR_NOBODY, true}, {"--expt-", FOR_NOBODY, false},
    {"-expt-", FOR_NOBODY, false}, {"--extended-lambda", FOR_NOBODY, false},
    {"-extended-lambda", FOR_NOBODY, false}, {"--use_fast_math", FOR_NOBODY, false},
    {"-use_fast_math", FOR_NOBODY, false}, {"-rdc=false", FOR_NOBODY, false},
    {"-rdc", REFUSED_BY_CLANG, false}, {"--relocatable-device-code", REFUSED_BY_CLANG, false},
    {"-dc", REFUSED_BY_CLANG, false}, {"-", FOR_HOST, false}, {"", FOR_LINK, false}};

/* Takes one word, and tells if its value was the next. */
static int add_option(struct clang_build *w, const char *word, const char *next, bool *takes_next)
{
    size_t i = 0;
    while (strncmp(word, options[i].begins, strlen(options[i].begins)) != 0)
        i++; /* the last is in every word */
    const char *begin = options[i].begins;
    *takes_next = next && options[i].has_value && strcmp(word, begin) == 0;
    const char *value = *takes_next ? next : word + strlen(begin);
    const struct span macro = {value, strlen(value)};
    const enum word_for what = options[i].what;
    struct command_line *to = what == FOR_BOTH || what == FOR_MACROS ? &w->both
                              : what == FOR_HOST                     ? &w->host
                                                                     : &w->link;
    switch (what) {
    case FOR_NOBODY: return 0;
    case REFUSED_BY_CLANG:
        return fail(w->e, "device code of several files that is linked (%.30s) needs nvcc; for "
                    "clang a kernel lies in one file with all that it calls", word);
    case FOR_HOST_COMPILER:
        add_for_host(w, *takes_next ? next : word + strlen(begin) + (word[strlen(begin)] == '='));
        return 0;
    case FOR_MACROS:
        if (macro_comes_first(macro))
            break;
        (begin[1] == 'D' ? macro_define : macro_undefine)(&w->macros, macro);
        return 0;
    default: break;
    }
    line_word(to, word);
    if (*takes_next)
        line_word(to, next);
    return 0;
}

static int read_words(struct clang_build *w)
{
    enum language in;
    bool takes_next = false;
    for (const char *const *word = w->want->words; *word; word++) {
        int rc = (*word)[0] != '-' && language_of(*word, &in)
                     ? add_part(w, *word, in) : add_option(w, *word, word[1], &takes_next);
        if (rc != 0)
            return -1;
        word += takes_next ? 1 : 0;
        takes_next = false;
    }
    return line_check(&w->both, "clang", w->e) || line_check(&w->host, "clang", w->e) ||
           line_check(&w->link, "clang", w->e);
}

/* ---- compiling ------------------------------------------------------------------------- */

static int run(struct clang_build *w, const struct command_line *l, struct buf *printed)
{
    if (line_check(l, "clang", w->e) != 0)
        return -1;
    return whole_run(w->want, "clang", l->words, printed, w->out, w->e);
}

/* Clang writes down which files it reads. */
static void add_rules(struct command_line *l, const struct part *p, const char *end)
{
    line_words(l, (const char *const[]){"-MD", "-MF", NULL});
    line_text(l, p->object, end);
}

static int make_ptx(struct clang_build *w, const struct part *p, bool aligns, struct buf *ptx)
{
    struct command_line l = {.count = 0};
    clang_begin(&l, w->clang, w->out->folder, CLANG_PROGRAMS);
    clang_begin_device(&l, w->arch, aligns, whole_is_debug(w->want));
    macros_line(&l, &w->macros, w->out->folder);
    add_rules(&l, p, FAT_BINARY KEPT_RULES);
    line_words(&l, w->both.words);
    line_path(&l, p->path);
    return run(w, &l, ptx);
}

/* Makes the PTX of a .cu, and the fat binary that the host's object will have in it. */
static int make_fat_binary(struct clang_build *w, const struct part *p, bool *aligns)
{
    struct buf ptx = {0}, fat = {0};
    int rc = make_ptx(w, p, *aligns, &ptx);
    if (rc != 0 && w->out->refused && !*aligns && clang_refuses_alignas(&w->out->log)) {
        *aligns = true;
        buf_clear(&ptx);
        buf_clear(&w->out->log);
        rc = make_ptx(w, p, *aligns, &ptx);
    }
    if (rc == 0) {
        fatbin_of_ptx((struct span){buf_text(&ptx), ptx.len}, (unsigned)w->arch, &fat);
        rc = ptx.failed || fat.failed ? fail_memory(w->e) : 0;
    }
    char name[110]; /* each source has its own */
    snprintf(name, sizeof name, "%.100s" FAT_BINARY, p->object + strlen(w->out->folder) + 1);
    if (rc == 0 && fd_make_file(w->out->folder, name, fat.data, fat.len) != 0)
        rc = fail(w->e, "cannot write to %s", w->out->folder);
    buf_free(&ptx);
    buf_free(&fat);
    return rc;
}

static void begin_host(struct clang_build *w, struct command_line *l, const struct part *p,
                       bool aligns)
{
    if (p->in == LANGUAGE_C) {
        line_words(l, (const char *const[]){w->clang, "-x", "c", NULL});
        return;
    }
    clang_begin(l, w->clang, w->out->folder, CLANG_PROGRAMS);
    line_words(l, (const char *const[]){"--cuda-host-only", "-Xclang", SDK_VERSION, NULL});
    if (aligns)
        line_word(l, CLANG_ALIGNS);
    if (p->in == LANGUAGE_CXX) {
        line_word(l, "-DCUDALAB_PLAIN_CXX");
        return;
    }
    line_words(l, (const char *const[]){"-Xclang", "-fcuda-include-gpubinary", "-Xclang", NULL});
    line_text(l, p->object, FAT_BINARY);
}

static int make_object(struct clang_build *w, const struct part *p)
{
    struct command_line l = {.count = 0};
    bool aligns = false;
    if (p->in == LANGUAGE_CUDA && make_fat_binary(w, p, &aligns) != 0)
        return -1;
    begin_host(w, &l, p, aligns);
    macros_line(&l, &w->macros, w->out->folder);
    add_rules(&l, p, KEPT_RULES);
    line_words(&l, (const char *const[]){"-c", "-g", "-fno-pie", MODEL, NULL});
    for (unsigned i = 0; i < w->both.count; i++) /* C has versions of its own */
        if (p->in != LANGUAGE_C || strncmp(w->both.words[i], "-std=", 5) != 0)
            line_word(&l, w->both.words[i]);
    line_words(&l, w->host.words);
    line_path(&l, p->path);
    line_words(&l, (const char *const[]){"-o", p->object, NULL});
    return run(w, &l, NULL);
}

static int link_parts(struct clang_build *w)
{
    struct command_line l = {.count = 0};
    char managed[24];
    snprintf(managed, sizeof managed, "0x%" PRIx64, w->want->managed);
    line_words(&l, (const char *const[]){w->clang, "--driver-mode=g++", "-no-pie", "-Wl,--trace",
                                         NULL});
    line_text(&l, "-Wl,--section-start=cudalab_managed=", managed);
    for (unsigned i = 0; i < w->part_count; i++)
        line_word(&l, w->parts[i].object);
    line_text(&l, "-L", w->out->folder); /* for -lcuda and -lnvrtc */
    line_words(&l, w->link.words);
    line_text(&l, w->out->folder, "/libcudart.so.13");
    line_words(&l, (const char *const[]){"-pthread", "-ldl", "-lm", "-o", w->out->path, NULL});
    return w->want->safe ? whole_link_confined(w->want, &l, w->out, w->e)
                         : run(w, &l, &w->out->linked);
}

/* ---- what is missing ------------------------------------------------------------------- */

/* clang can be there without a library of C++, which comes with g++. */
static int blame_library(struct clang_build *w)
{
    static const char source[] = "#include <cstdio>\n#include <vector>\nint main() {}\n";
    struct built tried = {0};
    struct err ignored;
    struct command_line l = {.count = 0};
    const char *said = buf_text(&w->out->log);
    if (!strstr(said, "file not found") && !strstr(said, "cannot find"))
        return -1;
    snprintf(tried.folder, sizeof tried.folder, "%s", w->out->folder);
    line_words(&l, (const char *const[]){w->clang, "--driver-mode=g++", "-x", "c++", NULL});
    if (w->want->safe) /* it starts no linker */
        line_word(&l, "-fsyntax-only");
    line_text(&l, w->out->folder, "/tried.cpp");
    line_word(&l, "-o");
    line_text(&l, w->out->folder, "/tried");
    if (fd_make_file(w->out->folder, "tried.cpp", source, sizeof source - 1) == 0 &&
        (strstr(said, "cannot find -lstdc++") ||
         (whole_run(w->want, "clang", l.words, NULL, &tried, &ignored) != 0 && tried.refused)))
        fail(w->e, "clang finds no library of C++ here: install g++ (on Debian and Ubuntu: apt "
             "install g++)");
    buf_free(&tried.log);
    return -1;
}

static int find_arch(struct clang_build *w, const struct compilers *have)
{
    const struct compile_want want = {.path = "", .text = "", .device = w->want->arch,
                                      .stop = w->want->stop, .progress = w->want->progress,
                                      .safe = w->want->safe, .memory = w->want->memory};
    struct compiling a = {.want = &want, .have = have, .e = w->e, .deadline = w->want->deadline};
    char name[64];
    return clang_arch(&a, name);
}

static int build(struct clang_build *w)
{
    if (clang_headers(w->out->folder) != 0)
        return fail(w->e, "the headers for clang can't be written to %s", w->out->folder);
    if (macros_write(&w->macros, w->out->folder) != 0)
        return fail(w->e, "cannot write to %s", w->out->folder);
    for (unsigned i = 0; i < w->part_count; i++)
        if (make_object(w, &w->parts[i]) != 0)
            return w->out->refused ? blame_library(w) : -1;
    return link_parts(w) == 0 ? 0 : w->out->refused ? blame_library(w) : -1;
}

int whole_by_clang(const struct build_want *want, const struct compilers *have, struct built *out,
                   struct err *e)
{
    struct clang_build *w = mem_alloc(&allocator_libc, sizeof *w);
    if (!w)
        return fail_memory(e);
    w->want = want;
    w->clang = have->clang;
    w->out = out;
    w->e = e;
    w->arch = find_arch(w, have);
    if (want->safe) /* a cache has it for other folders, too (kept.c) */
        line_words(&w->both, (const char *const[]){"-fdebug-compilation-dir", ".", NULL});
    int rc = read_words(w) == 0 ? build(w) : -1;
    buf_free(&w->macros);
    mem_free(&allocator_libc, w, sizeof *w);
    return rc;
}
