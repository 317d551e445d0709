/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVRTC, the toolkit's compiler as a library. It is opened in a child process: a template that
 * never ends, or a crash inside the library, must not take the prompt with it. It knows no host
 * code, so the host's functions are blanked first; the usual headers are stand-ins in memory.
 */
#include "cc/backend.h"

#include "base/asset.h"
#include "base/fd.h"
#include "cc/host.h"
#include "cc/old-names.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTIONS_MOST = 16, FOLDER = 1024, HEADERS_MOST = 100 };

/* The library's functions; a program is a pointer to something of its own. */
struct library {
    int (*create)(void **, const char *source, const char *name, int headers,
                  const char *const *texts, const char *const *names);
    int (*compile)(void *, int options, const char *const *);
    int (*ptx_size)(void *, size_t *), (*ptx)(void *, char *);
    int (*log_size)(void *, size_t *), (*log)(void *, char *);
    int (*version)(int *, int *), (*add_name)(void *, const char *);
};

struct job {
    const struct attempt *a;
    const char *source;
    bool bare_members; /* some functions that stay say nothing of host or device */
    char option[4][FOLDER + 30];
    const char *options[OPTIONS_MOST];
    int option_count;
};

static int find_function(void *from, const char *name, void *to)
{
    void *f = dlsym(from, name);
    memcpy(to, &f, sizeof f); /* a pointer to data made one to a function, as POSIX wants it */
    return f ? 0 : -1;
}

static int open_library(const char *path, struct library *l)
{
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return !lib || find_function(lib, "nvrtcCreateProgram", &l->create) != 0 ||
                   find_function(lib, "nvrtcCompileProgram", &l->compile) != 0 ||
                   find_function(lib, "nvrtcGetPTXSize", &l->ptx_size) != 0 ||
                   find_function(lib, "nvrtcGetPTX", &l->ptx) != 0 ||
                   find_function(lib, "nvrtcGetProgramLogSize", &l->log_size) != 0 ||
                   find_function(lib, "nvrtcGetProgramLog", &l->log) != 0 ||
                   find_function(lib, "nvrtcAddNameExpression", &l->add_name) != 0 ||
                   find_function(lib, "nvrtcVersion", &l->version) != 0
               ? -1
               : 0;
}

/* ---- in the child --------------------------------------------------------------------- */

static int put_answer(void *program, int (*size)(void *, size_t *), int (*get)(void *, char *),
                      int fd)
{
    size_t n = 0;
    if (size(program, &n) != 0 || n == 0)
        return -1;
    char *text = malloc(n);
    int rc = text && get(program, text) == 0 ? fd_write(fd, text, strlen(text)) : -1;
    free(text);
    return rc;
}

/* The stand-in headers under the names that sources include them by. */
static int list_headers(const char *texts[HEADERS_MOST], const char *names[HEADERS_MOST])
{
    int count = 0;
    for (size_t i = 0; i < assets_count && count < HEADERS_MOST; i++) {
        const char *name = stand_in_name(&assets[i]);
        if (name && strncmp(assets[i].name, "kernels/include/clang/", 22) != 0) {
            texts[count] = (const char *)assets[i].data;
            names[count++] = name;
        }
    }
    return count;
}

/* What the host launches makes instances of templates: tk<float> in tk<float><<<1, 32>>>(x). */
static int add_instances(const struct library *l, void *program, const struct compile_want *w)
{
    struct token_reader t = tokens_of(w->text, w->size);
    struct launched each;
    while (next_launched(&t, w->text, &each))
        if (strchr(each.name, '<') && l->add_name(program, each.name) != 0)
            return -1;
    return 0;
}

/* Every kernel that the host launches must be in the PTX. One that isn't is a template whose
 * arguments only the host's code tells: then a compiler that reads that code is needed. */
static bool has_all_launched(const struct compile_want *w, const char *ptx)
{
    struct token_reader t = tokens_of(w->text, w->size);
    struct launched each;
    while (next_launched(&t, w->text, &each)) {
        each.name[strcspn(each.name, "<")] = '\0';
        const char *colon = strrchr(each.name, ':');
        const char *plain = colon ? colon + 1 : each.name, *entry = ptx;
        bool found = false;
        while (!found && (entry = strstr(entry, ".entry "))) {
            const char *in = strstr(entry, plain), *end = strchr(entry, '(');
            found = in && end && in < end;
            entry += 7;
        }
        if (!found)
            return false;
    }
    return true;
}

enum { CHILD_SERVED, CHILD_REFUSED, CHILD_BROKEN };

/* First a line with the version, then the PTX; the log goes to stderr. */
static int compile_in_child(void *data, int out)
{
    struct job *j = data;
    struct library l;
    const char *texts[HEADERS_MOST], *names[HEADERS_MOST];
    char line[40], name[FOLDER];
    void *program;
    int major = 0, minor = 0;
    if (open_library(j->a->have->nvrtc, &l) != 0 || l.version(&major, &minor) != 0)
        return CHILD_BROKEN;
    int headers = list_headers(texts, names);
    const char *path = j->a->want->path;
    snprintf(name, sizeof name, "%s%s", path[0] == '-' ? "./" : "", path); /* -x.cu is no option */
    if (l.create(&program, j->source, name, headers, texts, names) != 0)
        return CHILD_BROKEN;
    if (add_instances(&l, program, j->a->want) != 0)
        return CHILD_BROKEN;
    int n = snprintf(line, sizeof line, "NVRTC %d.%d\n", major, minor);
    int refused = l.compile(program, j->option_count, j->options);
    put_answer(program, l.log_size, l.log, STDERR_FILENO);
    if (refused)
        return refused == 5 || refused == 6 ? CHILD_REFUSED : CHILD_BROKEN; /* option, source */
    return fd_write(out, line, (size_t)n) == 0 && put_answer(program, l.ptx_size, l.ptx, out) == 0
               ? CHILD_SERVED
               : CHILD_BROKEN;
}

/* ---- before and after ----------------------------------------------------------------- */

static void add_option(struct job *j, const char *option)
{
    if (j->option_count < OPTIONS_MOST)
        j->options[j->option_count++] = option;
}

static void add_text(struct job *j, int slot, const char *before, const char *after)
{
    snprintf(j->option[slot], sizeof j->option[slot], "%s%s", before, after);
    add_option(j, j->option[slot]);
}

/* These lead to the toolkit's own headers; its C++ library takes a second to read, so it is
 * only looked at where it is asked for. */
static bool asks(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strstr(text, *words))
            return true;
    return false;
}

static void set_options(struct job *j)
{
    static const char *const toolkit[] = {"cooperative_groups", "curand", "cuda/", "cub/", "mma.h",
                                          "thrust/", "cuda_fp16", "cuda_bf16", "cuda_fp8", NULL};
    static const char *const library[] = {"cooperative_groups", "curand", "cuda/", "cub/", "mma.h",
                                          "thrust/", NULL};
    const struct compile_want *w = j->a->want;
    const char *slash = strrchr(w->path, '/'), *kit = j->a->have->toolkit;
    char number[16], folder[FOLDER];
    snprintf(number, sizeof number, "%d", toolkit_arch(w));
    add_text(j, 0, "--gpu-architecture=compute_", number);
    add_option(j, "-lineinfo");
    add_option(j, "-std=c++17");
    add_option(j, "--pre-include=math.h"); /* what nvcc includes unasked */
    if (j->bare_members)
        add_option(j, "-default-device");
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - w->path) + 1 : 1,
             slash ? w->path : ".");
    if (w->safe) {
        add_option(j, "--no-source-include");
        return;
    }
    add_text(j, 1, "--include-path=", folder);
    snprintf(folder, sizeof folder, "%s/include", kit);
    if (kit[0] && asks(w->text, toolkit))
        add_text(j, 2, "--include-path=", folder);
    snprintf(folder, sizeof folder, "%s/include/cccl", kit);
    if (kit[0] && asks(w->text, library))
        add_text(j, 3, "--include-path=", folder);
}

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

static enum served judge(struct attempt *a, const struct child_result *r)
{
    if (r->end != CHILD_EXITED)
        return child_ended(a, r, "NVRTC");
    buf_add(&a->out->log, buf_text(&r->err), r->err.len);
    if (r->code == CHILD_SERVED && take_ptx(a->out, &r->out) == 0) {
        if (has_all_launched(a->want, buf_text(&a->out->ptx)))
            return SERVED;
        fail(a->e, "NVRTC reads no host code, and so not with which types `%.200s` launches a "
                   "template: write them, as in k<float><<<1, 32>>>(x), or `set compiler auto`",
             a->want->path);
        return BROKEN;
    }
    if (r->code == CHILD_REFUSED) {
        snprintf(a->out->compiler, sizeof a->out->compiler, "NVRTC");
        return REFUSED;
    }
    fail(a->e, "NVRTC (%s) can't be used here", a->have->nvrtc);
    return BROKEN;
}

static enum served run_nvrtc(struct attempt *a, struct job *j)
{
    const struct compile_want *w = a->want;
    const struct child c = {.call = compile_in_child, .with = j, .limit = w->limit,
                            .began = w->began,
                            .stop = w->stop, .progress = w->progress,
                            .most = PRINT_MOST};
    struct child_result r;
    set_options(j);
    enum served s = child_run(&c, &r, a->e) == 0 ? judge(a, &r) : BROKEN;
    child_result_free(&r);
    return s;
}

enum served by_nvrtc(struct attempt *a)
{
    const struct compile_want *w = a->want;
    struct buf blanked;
    struct host_report host = {.blanked = false};
    buf_init(&blanked);
    int unsure = host_blank(w->text, w->size, &blanked, &host);
    bool other = w->by == COMPILER_AUTO && a->have->nvcc[0] && !w->safe;
    struct job j = {.a = a, .source = unsure ? w->text : buf_text(&blanked),
                    .bare_members = host.bare_members};
    enum served s = BROKEN;
    if (blanked.failed)
        fail_memory(a->e);
    else if (other && (unsure || host.has_old_words))
        fail(a->e, "the host code of `%.200s` is for nvcc to judge", w->path);
    else
        s = run_nvrtc(a, &j);
    if (s == SERVED && host.has_old_words)
        old_names(w->path, w->text, w->size, &a->out->log);
    buf_free(&blanked);
    return s;
}
