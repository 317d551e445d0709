/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that opens NVRTC, the toolkit's compiler as a library: cudalab itself, started
 * anew, so that nothing of the session lies in its memory. Its job comes on stdin as texts that
 * each end with a NUL: the library's file, the source's name, the source, the architecture (~90 is
 * the nearest to 90 that the library knows), the stand-in headers to leave out, the text of the
 * header with the student's macros, the options, an empty text, and the instances of templates that
 * are wanted. First a line with the version goes to
 * stdout, then the PTX; the log goes to stderr.
 *
 * A job of a student's program has NVRTC_AS_TOLD for the architecture. Its headers come before the
 * instances, as names and texts by turns, and an empty text. Its answer is told in jit.c.
 */
#include "programs/backend.h"
#include "programs/macros.h"

#include "os/asset.h"
#include "os/fd.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char nvrtc_process_option[] = "--nvrtc-process";

enum { OPTIONS_MOST = 1000, HEADERS_MOST = 300 };

/* The library's functions; a program is a pointer to something of its own. */
struct library {
    int (*create)(void **, const char *source, const char *name, int headers,
                  const char *const *texts, const char *const *names);
    int (*compile)(void *, int options, const char *const *);
    int (*ptx_size)(void *, size_t *), (*ptx)(void *, char *);
    int (*log_size)(void *, size_t *), (*log)(void *, char *);
    int (*version)(int *, int *), (*add_name)(void *, const char *);
    int (*arch_count)(int *), (*archs)(int *); /* since CUDA 11.2, else NULL */
    int (*lowered)(void *, const char *, const char **);
    int (*cubin_size)(void *, size_t *), (*cubin)(void *, char *); /* since 11.1, else NULL */
};

struct nvrtc_job {
    struct buf text;
    size_t at;
    const char *library, *name, *source, *arch, *left_out, *macros;
    char arch_option[50];
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
    if (lib && (find_function(lib, "nvrtcGetNumSupportedArchs", &l->arch_count) != 0 ||
                find_function(lib, "nvrtcGetSupportedArchs", &l->archs) != 0))
        l->archs = NULL;
    if (lib && (find_function(lib, "nvrtcGetCUBINSize", &l->cubin_size) != 0 ||
                find_function(lib, "nvrtcGetCUBIN", &l->cubin) != 0))
        l->cubin = NULL;
    return !lib || find_function(lib, "nvrtcCreateProgram", &l->create) != 0 ||
                   find_function(lib, "nvrtcCompileProgram", &l->compile) != 0 ||
                   find_function(lib, "nvrtcGetPTXSize", &l->ptx_size) != 0 ||
                   find_function(lib, "nvrtcGetPTX", &l->ptx) != 0 ||
                   find_function(lib, "nvrtcGetProgramLogSize", &l->log_size) != 0 ||
                   find_function(lib, "nvrtcGetProgramLog", &l->log) != 0 ||
                   find_function(lib, "nvrtcAddNameExpression", &l->add_name) != 0 ||
                   find_function(lib, "nvrtcGetLoweredName", &l->lowered) != 0 ||
                   find_function(lib, "nvrtcVersion", &l->version) != 0
               ? -1
               : 0;
}

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

/* Is this one of the names? Each has a line feed before and behind it. */
static bool is_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at++)
        if (at > list && at[-1] == '\n' && at[n] == '\n')
            return true;
    return false;
}

/* The stand-in headers under the names that sources include them by, and the student's macros. */
static int list_headers(const struct nvrtc_job *j, const char *texts[HEADERS_MOST],
                        const char *names[HEADERS_MOST])
{
    int count = 0;
    texts[count] = j->macros;
    names[count++] = MACROS_HEADER;
    for (size_t i = 0; i < assets_count && count < HEADERS_MOST; i++) {
        const char *name = stand_in_name(&assets[i]);
        if (name && strncmp(assets[i].name, "kernels/include/clang/", 22) != 0 &&
            !is_listed(j->left_out, name)) {
            texts[count] = (const char *)assets[i].data;
            names[count++] = name;
        }
    }
    return count;
}

/* ---- the job ---------------------------------------------------------------------------- */

/* The next text; the empty one behind the last. */
static const char *next_text(struct nvrtc_job *j)
{
    if (j->at >= j->text.len)
        return "";
    const char *text = j->text.data + j->at;
    j->at += strlen(text) + 1;
    return text;
}

static bool is_as_told(const struct nvrtc_job *j)
{
    return strcmp(j->arch, NVRTC_AS_TOLD) == 0;
}

static int read_job(struct nvrtc_job *j)
{
    char bytes[1 << 14];
    ssize_t n;
    while ((n = read(STDIN_FILENO, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            buf_add(&j->text, bytes, (size_t)n);
    if (n < 0 || j->text.failed || dup2(STDERR_FILENO, STDIN_FILENO) < 0) /* for no source */
        return -1;
    j->library = next_text(j);
    j->name = next_text(j);
    j->source = next_text(j);
    j->arch = next_text(j);
    j->left_out = next_text(j);
    j->macros = next_text(j);
    if (!is_as_told(j))
        j->options[j->option_count++] = j->arch_option;
    for (const char *option; *(option = next_text(j)); j->option_count++) {
        if (j->option_count == OPTIONS_MOST)
            return -1;
        j->options[j->option_count] = option;
    }
    return 0;
}

/* Writes the option that names the architecture. */
static void choose_arch(const struct library *l, struct nvrtc_job *j)
{
    enum { MOST = 200 };
    int known[MOST], count = 0;
    const bool nearest = j->arch[0] == '~';
    int arch = atoi(j->arch + nearest);
    if (nearest && l->archs && l->arch_count(&count) == 0 && count <= MOST && l->archs(known) == 0)
        arch = arch_nearest(arch, known, (unsigned)count);
    snprintf(j->arch_option, sizeof j->arch_option, "--gpu-architecture=compute_%d", arch);
}

static int make_program(const struct library *l, struct nvrtc_job *j, void **program)
{
    const char *texts[HEADERS_MOST], *names[HEADERS_MOST], *instance;
    int headers = list_headers(j, texts, names);
    if (l->create(program, j->source, j->name, headers, texts, names) != 0)
        return -1;
    while (*(instance = next_text(j)))
        if (l->add_name(*program, instance) != 0)
            return -1;
    return 0;
}

/* ---- a job of a student's program ------------------------------------------------------- */

/* The result, the version, and all architectures. */
static int put_head(const struct library *l, int result)
{
    enum { MOST = 64, ROOM = 12 * (MOST + 3) };
    int major = 0, minor = 0, count = 0, known[MOST];
    char line[ROOM];
    l->version(&major, &minor);
    if (!l->archs || l->arch_count(&count) != 0 || count > MOST || l->archs(known) != 0)
        count = 0;
    int n = snprintf(line, sizeof line, "%d %d %d", result, major, minor);
    for (int i = 0; i < count; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, " %d", known[i]);
    line[n++] = '\n';
    return fd_write(STDOUT_FILENO, line, (size_t)n);
}

static int put_cubin(const struct library *l, void *program)
{
    size_t n = 0;
    if (!l->cubin || l->cubin_size(program, &n) != 0 || n == 0)
        return 0;
    char *bytes = malloc(n);
    int rc = bytes && l->cubin(program, bytes) == 0 ? fd_write(STDOUT_FILENO, bytes, n) : -1;
    free(bytes);
    return rc;
}

/* An expression that names nothing has an empty name. */
static int put_all(const struct library *l, void *program, struct nvrtc_job *j, size_t names)
{
    const char *expression, *name;
    int rc = put_answer(program, l->ptx_size, l->ptx, STDOUT_FILENO) ||
             fd_write(STDOUT_FILENO, "", 1);
    j->at = names;
    while (rc == 0 && *(expression = next_text(j))) {
        if (l->lowered(program, expression, &name) != 0)
            name = "";
        rc = fd_write(STDOUT_FILENO, name, strlen(name) + 1);
    }
    return rc == 0 ? put_cubin(l, program) : rc;
}

static int compile_as_told(const struct library *l, struct nvrtc_job *j)
{
    const char *texts[HEADERS_MOST], *names[HEADERS_MOST], *expression;
    void *program = NULL;
    int count = 0;
    for (; *(names[count] = next_text(j)) && count < HEADERS_MOST - 1; count++)
        texts[count] = next_text(j);
    const size_t instances = j->at;
    int result = j->name[0] ? l->create(&program, j->source, j->name, count, texts, names) : 0;
    while (!result && *(expression = next_text(j)))
        result = l->add_name(program, expression);
    if (!result && program) {
        result = l->compile(program, j->option_count, j->options);
        put_answer(program, l->log_size, l->log, STDERR_FILENO);
    }
    int rc = put_head(l, result);
    if (rc == 0 && !result && program)
        rc = put_all(l, program, j, instances);
    return rc == 0 ? NVRTC_SERVED : NVRTC_BROKEN;
}

/* ---- a job -------------------------------------------------------------------------------- */

static int compile_job(struct nvrtc_job *j)
{
    enum { OUT_OF_MEMORY = 1, BAD_OPTION = 5, BAD_SOURCE = 6 };
    struct library l;
    char line[40];
    void *program;
    int major = 0, minor = 0;
    if (read_job(j) != 0 || open_library(j->library, &l) != 0)
        return NVRTC_BROKEN;
    if (is_as_told(j))
        return compile_as_told(&l, j);
    if (l.version(&major, &minor) != 0 || make_program(&l, j, &program) != 0)
        return NVRTC_BROKEN;
    choose_arch(&l, j);
    int n = snprintf(line, sizeof line, "NVRTC %d.%d\n", major, minor);
    int refused = l.compile(program, j->option_count, j->options);
    put_answer(program, l.log_size, l.log, STDERR_FILENO);
    if (refused)
        return refused == OUT_OF_MEMORY ? NVRTC_OUT_OF_MEMORY
               : refused == BAD_OPTION || refused == BAD_SOURCE ? NVRTC_REFUSED : NVRTC_BROKEN;
    return fd_write(STDOUT_FILENO, line, (size_t)n) == 0 &&
                   put_answer(program, l.ptx_size, l.ptx, STDOUT_FILENO) == 0
               ? NVRTC_SERVED
               : NVRTC_BROKEN;
}

int nvrtc_process(void)
{
    struct nvrtc_job *j = calloc(1, sizeof *j);
    int status = j ? compile_job(j) : NVRTC_BROKEN;
    _exit(status); /* the library's own ends of the process take a while */
}
