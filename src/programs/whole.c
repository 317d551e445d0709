/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole program is compiled by nvcc, for the host and for the device. Its kernels stay PTX, not
 * packed, and its runtime is a shared library, so that ours can take its place.
 */
#include "programs/backend.h"
#include "programs/programs.h"

#include "base/mem.h"
#include "programs/scratch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_OWN = 16, LOG_BYTES = 1 << 20, PROGRAM_MOST = 1 << 30 };

/* `words` has room for the student's and for those of ours. */
static int run_nvcc(const struct build_want *w, const char *nvcc, const char **words,
                    unsigned count, struct built *out, struct err *e)
{
    char target[64];
    snprintf(target, sizeof target, "arch=compute_%d,code=compute_%d", w->arch, w->arch);
    /* Our folder comes first: a computer without a GPU may have no libcuda. */
    const char *const own[] = {nvcc, "-cudart", w->on_gpu ? "static" : "shared",
                               "--compress-mode=none", "-gencode", target, "-g", "-lineinfo",
                               "-o", out->path, w->on_gpu ? NULL : "-L", out->folder, NULL};
    unsigned n = 0;
    for (; own[n]; n++)
        words[n] = own[n];
    for (unsigned i = 0; i < count; i++)
        words[n++] = w->words[i];
    words[n] = NULL;
    struct child_result r;
    const struct child c = {.argv = words, .deadline = w->deadline, .stop = w->stop,
                            .progress = w->progress, .most = LOG_BYTES};
    if (child_run(&c, &r, e) != 0)
        return -1;
    buf_add(&out->log, buf_text(&r.err), r.err.len);
    const enum child_end end = r.end;
    const int code = r.code;
    child_result_free(&r);
    switch (end) {
    case CHILD_EXITED: break;
    case CHILD_STOPPED: return fail(e, "interrupted");
    case CHILD_OUT_OF_TIME: return fail(e, "nvcc took too long; `set time-limit` allows more");
    default: return fail(e, "nvcc was ended while it compiled");
    }
    out->refused = code != 0;
    return code == 0 ? 0 : fail(e, "nvcc refused the program");
}

static int compile(const struct build_want *w, struct built *out, struct err *e)
{
    struct compilers have;
    unsigned count = 0;
    compilers_find(false, &have);
    if (!have.nvcc[0])
        return fail(e, "a whole program needs nvcc of the CUDA Toolkit, which is not on the PATH; "
                       "`load` compiles kernels without it");
    while (w->words[count])
        count++;
    const size_t bytes = (count + WORDS_OWN) * sizeof(char *);
    const char **words = mem_alloc(&allocator_libc, bytes);
    int rc = words ? run_nvcc(w, have.nvcc, words, count, out, e) : fail_memory(e);
    mem_free(&allocator_libc, words, words ? bytes : 0);
    return rc;
}

/* One file has all of CUDA, under the names by which programs ask for its parts. So a program that
 * uses several of them has one connection to cudalab. */
static int place_library(const struct build_want *w, const char *folder, struct err *e)
{
    static const char first[] = "libcudart.so.13";
    static const char *const others[] = {"libcuda.so.1", "libcuda.so", "libnvrtc.so.13",
                                         "libnvrtc.so.12", "libnvrtc.so", NULL};
    char path[340];
    int rc = scratch_write(folder, first, w->library.at, w->library.n);
    for (int i = 0; others[i] && rc == 0; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, others[i]);
        rc = symlink(first, path);
    }
    return rc == 0 ? 0 : fail(e, "cannot write to %s", folder);
}

int program_build(const struct build_want *w, struct built *out, struct err *e)
{
    out->scratch = mem_alloc(&allocator_libc, sizeof *out->scratch);
    if (!out->scratch)
        return fail_memory(e);
    if (scratch_make(out->scratch, e) != 0)
        return -1;
    snprintf(out->folder, sizeof out->folder, "%s", out->scratch->path);
    snprintf(out->path, sizeof out->path, "%s/program", out->folder);
    if (place_library(w, out->folder, e) != 0 || compile(w, out, e) != 0)
        return -1;
    return scratch_read(out->path, PROGRAM_MOST, &out->program) == 0
               ? 0 : fail(e, "nvcc made no program");
}

void program_built_free(struct built *b)
{
    if (b->scratch)
        scratch_remove(b->scratch);
    mem_free(&allocator_libc, b->scratch, b->scratch ? sizeof *b->scratch : 0);
    buf_free(&b->log);
    buf_free(&b->program);
}
