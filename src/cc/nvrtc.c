/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVRTC, the toolkit's compiler as a library. It is opened in a child process: a template that
 * never ends, or a crash inside the library, must not take the prompt with it. It knows no host
 * code, so the host's functions are blanked first; the usual headers are stand-ins in memory.
 */
#include "cc/backend.h"

#include "base/asset.h"
#include "cc/host.h"

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
    int (*version)(int *, int *);
};

struct job {
    const struct attempt *a;
    const char *source;
    char folder[FOLDER]; /* of the source: where its own headers are */
    char option[3][FOLDER + 30];
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
                   find_function(lib, "nvrtcVersion", &l->version) != 0
               ? -1
               : 0;
}

/* ---- in the child --------------------------------------------------------------------- */

static int put_all(int fd, const char *at, size_t n)
{
    while (n) {
        ssize_t k = write(fd, at, n);
        if (k < 0 && errno != EINTR)
            return -1;
        at += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
    return 0;
}

static int put_answer(void *program, int (*size)(void *, size_t *), int (*get)(void *, char *),
                      int fd)
{
    size_t n = 0;
    if (size(program, &n) != 0 || n == 0)
        return -1;
    char *text = malloc(n);
    int rc = text && get(program, text) == 0 ? put_all(fd, text, strlen(text)) : -1;
    free(text);
    return rc;
}

/* The stand-in headers under the names that sources include them by. */
static int list_headers(const char *texts[HEADERS_MOST], const char *names[HEADERS_MOST])
{
    static const char where[] = "kernels/include/";
    int count = 0;
    for (size_t i = 0; i < assets_count && count < HEADERS_MOST; i++)
        if (strncmp(assets[i].name, where, sizeof where - 1) == 0) {
            texts[count] = (const char *)assets[i].data;
            names[count++] = assets[i].name + sizeof where - 1;
        }
    return count;
}

enum { CHILD_SERVED, CHILD_REFUSED, CHILD_BROKEN };

/* First a line with the version, then the PTX; the log goes to stderr. */
static int compile_in_child(void *data, int out)
{
    struct job *j = data;
    struct library l;
    const char *texts[HEADERS_MOST], *names[HEADERS_MOST];
    char line[40];
    void *program;
    int major = 0, minor = 0;
    if (open_library(j->a->have->nvrtc, &l) != 0 || l.version(&major, &minor) != 0)
        return CHILD_BROKEN;
    int headers = list_headers(texts, names);
    if (l.create(&program, j->source, j->a->want->path, headers, texts, names) != 0)
        return CHILD_BROKEN;
    int n = snprintf(line, sizeof line, "NVRTC %d.%d\n", major, minor);
    int refused = l.compile(program, j->option_count, j->options);
    put_answer(program, l.log_size, l.log, STDERR_FILENO);
    if (refused)
        return refused == 6 ? CHILD_REFUSED : CHILD_BROKEN; /* NVRTC_ERROR_COMPILATION */
    return put_all(out, line, (size_t)n) == 0 && put_answer(program, l.ptx_size, l.ptx, out) == 0
               ? CHILD_SERVED
               : CHILD_BROKEN;
}

/* ---- before and after ----------------------------------------------------------------- */

static void add_option(struct job *j, const char *option)
{
    if (j->option_count < OPTIONS_MOST)
        j->options[j->option_count++] = option;
}

/* These headers lead to the C++ library of the toolkit, which takes a second to read. */
static bool needs_toolkit_headers(const char *text)
{
    return strstr(text, "cooperative_groups") || strstr(text, "curand") || strstr(text, "cuda/") ||
           strstr(text, "cub/") || strstr(text, "mma.h");
}

static void set_options(struct job *j)
{
    const struct compile_want *w = j->a->want;
    const char *slash = strrchr(w->path, '/');
    int arch = w->arch ? w->arch : 75;
    snprintf(j->option[0], sizeof j->option[0], "--gpu-architecture=compute_%d", arch);
    add_option(j, j->option[0]);
    add_option(j, "-lineinfo");
    snprintf(j->option[1], sizeof j->option[1], "--include-path=%.*s",
             slash ? (int)(slash - w->path) + 1 : 1, slash ? w->path : ".");
    if (!w->safe)
        add_option(j, j->option[1]);
    if (w->safe || !j->a->have->toolkit[0] || !needs_toolkit_headers(w->text))
        return;
    snprintf(j->option[2], sizeof j->option[2], "--include-path=%s/include", j->a->have->toolkit);
    add_option(j, j->option[2]);
    snprintf(j->folder, sizeof j->folder, "--include-path=%s/include/cccl", j->a->have->toolkit);
    add_option(j, j->folder);
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
    if (r->code == CHILD_SERVED && take_ptx(a->out, &r->out) == 0)
        return SERVED;
    if (r->code == CHILD_REFUSED) {
        snprintf(a->out->compiler, sizeof a->out->compiler, "NVRTC");
        return REFUSED;
    }
    fail(a->e, "NVRTC (%s) can't be used here", a->have->nvrtc);
    return BROKEN;
}

enum served by_nvrtc(struct attempt *a)
{
    const struct compile_want *w = a->want;
    struct job j = {.a = a};
    struct child_result r;
    struct buf blanked;
    struct host_report host = {0};
    buf_init(&blanked);
    int unsure = host_blank(w->text, w->size, &blanked, &host);
    j.source = unsure || blanked.failed ? w->text : buf_text(&blanked);
    set_options(&j);
    const struct child c = {.call = compile_in_child, .with = &j, .limit = w->limit,
                            .stop = w->stop, .most = PRINT_MOST};
    enum served s = BROKEN;
    if (child_run(&c, &r, a->e) == 0)
        s = judge(a, &r);
    child_result_free(&r);
    buf_free(&blanked);
    return s;
}
