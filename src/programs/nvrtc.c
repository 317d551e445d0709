/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file asks NVRTC to compile, and reads its answer. nvrtc-process.c opens the library. NVRTC
 * knows no host code, so the host's functions are replaced by blanks first. Stand-ins in memory
 * replace the usual headers.
 */
#include "programs/backend.h"
#include "programs/macros.h"

#include "base/names.h"
#include "cc/fatbin.h"
#include "cc/host.h"
#include "cc/source.h"
#include "cxx/name.h"
#include "os/asset.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER = 1024 };

struct nvrtc_request {
    const struct compiling *a;
    const char *source;
    bool bare_members; /* some functions that stay say nothing of host or device */
    struct buf macros; /* the text of the header with most of the student's */
    struct buf left_out; /* stand-in headers that the student has too; \n before and behind each */
    struct buf text; /* for nvrtc-process.c */
};

/* ---- the question --------------------------------------------------------------------- */

/* The last part of ns::k<float>, without its arguments. */
static const char *plain_name(char launched[])
{
    launched[strcspn(launched, "<")] = '\0';
    const char *colon = strrchr(launched, ':');
    return colon ? colon + 1 : launched;
}

/* The kernels of a PTX are listed by the names that sources have for them. */
struct kernels {
    struct buf mangled; /* each ends with a NUL */
    unsigned count;
    const char **plain; /* sorted */
};

static int list_kernels(const struct buf *ptx, struct arena *arena, struct kernels *k)
{
    k->count = fat_kernels(FAT_PTX, (struct span){buf_text(ptx), ptx->len}, &k->mangled);
    k->plain = arena_alloc(arena, (k->count + 1) * sizeof *k->plain);
    if (!k->plain || k->mangled.failed)
        return -1;
    const char *name = buf_text(&k->mangled);
    for (unsigned i = 0; i < k->count; i++, name += strlen(name) + 1) {
        struct cxx_name cxx;
        k->plain[i] = cxx_read(name, arena, &cxx) == 0 ? cxx.plain : name;
    }
    names_sort(k->plain, k->count, sizeof *k->plain);
    return 0;
}

/* A mangled name that can't be read holds the plain one somewhere. */
static bool has_kernel(const struct kernels *k, const char *plain)
{
    if (names_find(k->plain, k->count, sizeof *k->plain, plain))
        return true;
    for (unsigned i = 0; i < k->count; i++)
        if (strncmp(k->plain[i], "_Z", 2) == 0 && strstr(k->plain[i], plain))
            return true;
    return false;
}

/* Every kernel that the host launches must be in the PTX. One that isn't is a template whose
 * arguments only the host's code tells: then a compiler that reads that code is needed. */
static bool has_all_launched(const struct compile_want *w, const struct buf *ptx)
{
    struct token_reader t = tokens_of(w->text, w->size);
    struct launched each;
    struct arena arena = {0};
    struct kernels k = {0};
    bool all = list_kernels(ptx, &arena, &k) == 0;
    while (all && next_launched(&t, w->text, &each))
        all = has_kernel(&k, plain_name(each.name));
    buf_free(&k.mangled);
    arena_free(&arena);
    return all;
}

static void add_text(struct nvrtc_request *j, const char *text)
{
    buf_add(&j->text, text, strlen(text) + 1);
}

static void add_option(struct nvrtc_request *j, const char *option, const char *value)
{
    buf_puts(&j->text, option);
    add_text(j, value);
}

/* Tells whether a source names one of these headers. The toolkit's C++ library takes a second to
 * read, so its folder is only given where the source asks for it. */
static bool asks(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strstr(text, *words))
            return true;
    return false;
}

/* Adds the folders that are searched, in this order, and the macros that come first. */
static void add_folders(struct nvrtc_request *j)
{
    static const char *const toolkit[] = {"cooperative_groups", "curand", "cuda/", "cub/", "mma.h",
                                          "thrust/", "cuda_fp16", "cuda_bf16", "cuda_fp8",
                                          "cuComplex", "cuda_pipeline", NULL};
    static const char *const library[] = {"cooperative_groups", "curand", "cuda/", "cub/", "mma.h",
                                          "thrust/", NULL};
    const struct compile_want *w = j->a->want;
    const char *slash = strrchr(w->path, '/'), *kit = j->a->have->toolkit;
    const char *options = j->a->options;
    struct span text;
    char folder[FOLDER];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - w->path) + 1 : 1,
             slash ? w->path : ".");
    if (!w->safe)
        add_option(j, "--include-path=", folder);
    for (char kind; (kind = option_next(&options, &text));) {
        if (kind == OPTION_DEBUG || (kind == 'D' && !macro_comes_first(text)))
            continue;
        buf_puts(&j->text, kind == 'I' ? "--include-path=" : "--define-macro=");
        buf_add(&j->text, text.at, text.n);
        buf_add(&j->text, "", 1);
    }
    snprintf(folder, sizeof folder, "%s/include", kit);
    if (kit[0] && (j->a->launches || asks(w->text, toolkit)))
        add_option(j, "--include-path=", folder);
    snprintf(folder, sizeof folder, "%s/include/cccl", kit);
    if (kit[0] && asks(w->text, library))
        add_option(j, "--include-path=", folder);
}

/* What the host launches makes instances of templates: tk<float> in tk<float><<<1, 32>>>(x). */
static void add_instances(struct nvrtc_request *j)
{
    const struct compile_want *w = j->a->want;
    struct token_reader t = tokens_of(w->text, w->size);
    struct launched each;
    while (next_launched(&t, w->text, &each))
        if (strchr(each.name, '<'))
            add_text(j, each.name);
}

static void write_job(struct nvrtc_request *j)
{
    const struct compile_want *w = j->a->want;
    char number[16];
    snprintf(number, sizeof number, "%s%d", w->arch ? "" : "~", arch_wanted(w));
    add_text(j, j->a->have->nvrtc);
    add_option(j, w->path[0] == '-' ? "./" : "", w->path); /* -x.cu is no option */
    add_text(j, j->source);
    add_text(j, number);
    add_text(j, buf_text(&j->left_out));
    add_text(j, buf_text(&j->macros));
    add_text(j, option_has_debug(j->a->options) ? "--device-debug" : "-lineinfo");
    if (w->linked || j->a->launches)
        add_text(j, "-rdc=true");
    add_text(j, "-std=c++17");
    add_text(j, "--pre-include=math.h"); /* what nvcc includes unasked */
    if (j->a->launches) /* it declares what such launches call */
        add_text(j, "--pre-include=cuda_device_runtime_api.h");
    if (j->macros.len)
        add_text(j, "--pre-include=" MACROS_HEADER);
    if (j->bare_members)
        add_text(j, "-default-device");
    add_folders(j);
    add_text(j, "");
    add_instances(j);
}

/* ---- the answer ----------------------------------------------------------------------- */

/* The first line of what came is the version. */
static int take_ptx(struct compiled *out, const struct buf *answer)
{
    const char *newline = memchr(buf_text(answer), '\n', answer->len);
    size_t head = newline ? (size_t)(newline - answer->data) : 0;
    if (!newline || head >= sizeof out->compiler)
        return -1;
    memcpy(out->compiler, answer->data, head);
    out->compiler[head] = '\0';
    buf_add(&out->ptx, newline + 1, answer->len - head - 1);
    return 0;
}

/* NVRTC 13.0 ends one of its warnings with a name that it has freed before: other bytes each time.
 * The name is left out. */
static void keep_warnings(struct buf *log, const struct buf *said)
{
    static const char before_name[] = "the parameter buffer obtained at";
    const char *at = buf_text(said), *end = at + said->len, *found;
    while ((found = strstr(at, before_name))) {
        found += sizeof before_name - sizeof " obtained at";
        buf_add(log, at, (size_t)(found - at));
        at = memchr(found, '\n', (size_t)(end - found));
        if (!at)
            return;
    }
    buf_add(log, at, (size_t)(end - at));
}

static enum served judge(struct compiling *a, const struct child_result *r)
{
    keep_warnings(&a->out->log, &r->err);
    if (r->end == CHILD_EXITED && r->code == NVRTC_REFUSED) {
        snprintf(a->out->compiler, sizeof a->out->compiler, "NVRTC");
        return REFUSED;
    }
    enum served s = child_ended(a, r, "NVRTC");
    if (s != SERVED)
        return s;
    if (r->code == NVRTC_SERVED && take_ptx(a->out, &r->out) == 0) {
        if (has_all_launched(a->want, &a->out->ptx))
            return SERVED;
        fail(a->e, "NVRTC reads no host code, and so not with which types `%.200s` launches a "
                   "template: write them, as in k<float><<<1, 32>>>(x), or `set compiler auto`",
             a->want->path);
        return BROKEN;
    }
    fail(a->e, "NVRTC (%s) can't be used here", a->have->nvrtc);
    return BROKEN;
}

static enum served run_nvrtc(struct compiling *a, struct nvrtc_request *j)
{
    const char *const argv[] = {"/proc/self/exe", nvrtc_process_option, NULL};
    struct rules rules;
    struct child_result r;
    buf_clear(&j->text);
    write_job(j);
    if (j->text.failed) {
        fail_memory(a->e);
        return BROKEN;
    }
    rules_begin(&rules, CONFINE_ALONE);
    rules_run(&rules, argv[0]);
    rules_toolkit(&rules, a->have);
    rules_options(&rules, a->options);
    struct child c = child_of(a, argv, &rules);
    c.input = (struct span){j->text.data, j->text.len};
    enum served s = child_run(&c, &r, a->e) == 0 ? judge(a, &r) : BROKEN;
    child_result_free(&r);
    return s;
}

/* ---- headers of NVIDIA's samples ------------------------------------------------------ */

static bool folder_has(struct span folder, const char *name)
{
    char path[FOLDER];
    return snprintf(path, sizeof path, "%.*s/%s", (int)folder.n, folder.at, name) < FOLDER &&
           access(path, R_OK) == 0;
}

/* Is there a header of this name next to the source, or in a folder that -I names? */
static bool student_has(const struct compiling *a, const char *name)
{
    const struct compile_want *w = a->want;
    const char *slash = strrchr(w->path, '/'), *options = a->options;
    const struct span here = slash ? (struct span){w->path, (size_t)(slash - w->path)}
                                   : SPAN(".");
    struct span text;
    bool has = !w->safe && folder_has(here, name);
    for (char kind; !has && (kind = option_next(&options, &text));)
        has = kind == 'I' && folder_has(text, name);
    return has;
}

/* A student's helper_cuda.h comes before our own. Tells the name of one that the source includes,
 * NULL: none. */
static const char *leave_out(struct nvrtc_request *j)
{
    static const char samples[] = "helper_";
    const char *included = NULL;
    for (size_t i = 0; i < assets_count && strstr(j->a->want->text, samples); i++) {
        const char *name = stand_in_name(&assets[i]);
        if (!name || strncmp(name, samples, sizeof samples - 1) != 0 || !student_has(j->a, name))
            continue;
        buf_printf(&j->left_out, "%s%s\n", j->left_out.len ? "" : "\n", name);
        if (!included && strstr(j->a->want->text, name))
            included = name;
    }
    return included;
}

/* NVRTC reads no host functions, and most of these headers have some. Then ours stand in. */
static enum served run_with_helpers(struct compiling *a, struct nvrtc_request *j)
{
    const char *own = leave_out(j);
    if (j->left_out.failed) {
        fail_memory(a->e);
        return BROKEN;
    }
    enum served s = run_nvrtc(a, j);
    if (s != REFUSED || !own)
        return s;
    buf_clear(&a->out->log);
    buf_clear(&j->left_out);
    s = run_nvrtc(a, j);
    if (s == SERVED)
        buf_printf(&a->out->log, "note: NVRTC can't read your `%s`, so cudalab's own header of "
                   "this name is used\n", own);
    return s;
}

/* Does a launch stay where the host's functions are replaced by blanks? */
static bool device_launches(const struct buf *blanked)
{
    const char *text = buf_text(blanked);
    struct token_reader t = tokens_of(text, blanked->len);
    struct launched each;
    return next_launched(&t, text, &each);
}

enum served by_nvrtc(struct compiling *a)
{
    const struct compile_want *w = a->want;
    struct buf blanked = {0};
    struct host_report host = {.blanked = false};
    int unsure = host_blank(w->text, w->size, &blanked, &host);
    bool other = w->by == COMPILER_AUTO && a->have->nvcc[0] && !w->safe;
    struct nvrtc_request j = {.a = a, .source = unsure ? w->text : buf_text(&blanked),
                              .bare_members = host.bare_members};
    enum served s = BROKEN;
    macros_of(a->options, &j.macros);
    a->launches = a->launches || (!unsure && !blanked.failed && device_launches(&blanked));
    if (blanked.failed || j.macros.failed)
        fail_memory(a->e);
    else if (other && (unsure || host.has_old_words))
        fail(a->e, "the host code of `%.200s` is for nvcc to judge", w->path);
    else
        s = run_with_helpers(a, &j);
    if (s == SERVED && host.has_old_words)
        old_names(w->path, w->text, w->size, &a->out->log);
    buf_free(&blanked);
    buf_free(&j.text);
    buf_free(&j.left_out);
    buf_free(&j.macros);
    return s;
}
