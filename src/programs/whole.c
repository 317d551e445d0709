/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole program is compiled by nvcc, for the host and for the device. Its kernels stay PTX, not
 * packed, and its runtime is a shared library, so that ours can take its place.
 */
#include "programs/backend.h"
#include "programs/programs.h"

#include "base/mem.h"
#include "cc/elf.h"
#include "programs/scratch.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_OWN = 16, LOG_BYTES = 1 << 20, PROGRAM_MOST = 1 << 30 };

/* NVIDIA's libraries whose kernels are machine code, and which ours do not take the place of. */
static const struct { const char *name, *shown; } unserved[] = {
    {"libcufft", "cuFFT"}, {"libcufftw", "cuFFT"}, {"libcufftMp", "cuFFTMp"},
    {"libcusparse", "cuSPARSE"}, {"libcusparseLt", "cuSPARSELt"},
    {"libcusolver", "cuSOLVER"}, {"libcusolverMg", "cuSOLVER"}, {"libcublasLt", "cuBLASLt"},
    {"libnvblas", "NVBLAS"}, {"libcudnn", "cuDNN"}, {"libcutensor", "cuTENSOR"},
    {"libnppc", "NPP"}, {"libnppial", "NPP"}, {"libnppicc", "NPP"}, {"libnppidei", "NPP"},
    {"libnppif", "NPP"}, {"libnppig", "NPP"}, {"libnppim", "NPP"}, {"libnppist", "NPP"},
    {"libnppisu", "NPP"}, {"libnppitc", "NPP"}, {"libnpps", "NPP"}, {"libnvjpeg", "nvJPEG"},
    {"libnvjpeg2k", "nvJPEG2000"}, {"libnccl", "NCCL"}, {"libnvshmem_host", "NVSHMEM"},
    {"libnvinfer", "TensorRT"}, {"libcupti", "CUPTI"}, {"libcufile", "cuFile"},
    {"libnvgraph", "nvGRAPH"}, {"libnvcuvid", "the video decoder"}};

/* `words` has room for the student's and for those of ours. */
static int run_nvcc(const struct build_want *w, const char *nvcc, const char **words,
                    unsigned count, struct built *out, struct err *e)
{
    char target[64];
    snprintf(target, sizeof target, "arch=compute_%d,code=compute_%d", w->arch, w->arch);
    const char *const own[] = {nvcc, "-cudart", w->on_gpu ? "static" : "shared",
                               "--compress-mode=none", "-gencode", target, "-g", "-lineinfo",
                               "-o", out->path, "-L", out->folder, NULL};
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

/* ---- libraries --------------------------------------------------------------------------- */

/* The linker finds ours first. So a program can be linked where NVIDIA's are missing. */
static int place_linked(const struct build_want *w, struct built *out, struct err *e)
{
    char file[64];
    for (const struct build_library *l = w->libraries; l && l->name; l++)
        for (unsigned i = 0; w->words[i]; i++)
            if (strncmp(w->words[i], "-l", 2) == 0 && strcmp(w->words[i] + 2, l->name + 3) == 0) {
                snprintf(file, sizeof file, "%s.so", l->name);
                if (scratch_write(out->folder, file, l->bytes.at, l->bytes.n) != 0)
                    return fail(e, "cannot write to %s", out->folder);
            }
    return 0;
}

/* A name as a program asks for it, "libcublas.so.13", is that of a library of any version. */
static bool is_of(struct span needed, const char *name)
{
    const size_t n = strlen(name);
    return needed.n > n + 3 && memcmp(needed.at, name, n) == 0 &&
           memcmp(needed.at + n, ".so", 3) == 0;
}

/* The libraries that the program asks for when it starts. */
static int place_needed(const struct build_want *w, struct built *out, struct err *e)
{
    struct elf elf;
    struct span needed;
    char file[64];
    if (!elf_open(&elf, (struct span){buf_text(&out->program), out->program.len}))
        return 0;
    for (unsigned i = 0; elf_needed(&elf, i, &needed); i++) {
        for (const struct build_library *l = w->libraries; l && l->name; l++) {
            if (!is_of(needed, l->name) || needed.n >= sizeof file)
                continue;
            snprintf(file, sizeof file, "%.*s", (int)needed.n, needed.at);
            if (scratch_write(out->folder, file, l->bytes.at, l->bytes.n) != 0)
                return fail(e, "cannot write to %s", out->folder);
        }
        for (size_t k = 0; k < sizeof unserved / sizeof unserved[0]; k++)
            if (is_of(needed, unserved[k].name))
                return fail(e, "the program needs %s (%.*s), which the simulator cannot run; "
                               "`--device gpu` runs it on a GPU", unserved[k].shown,
                            (int)needed.n, needed.at);
    }
    return 0;
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
    if (scratch_write(out->folder, "libcudart.so.13", w->library.at, w->library.n) != 0)
        return fail(e, "cannot write to %s", out->folder);
    if ((!w->on_gpu && place_linked(w, out, e) != 0) || compile(w, out, e) != 0)
        return -1;
    if (scratch_read(out->path, PROGRAM_MOST, &out->program) != 0)
        return fail(e, "nvcc made no program");
    return w->on_gpu ? 0 : place_needed(w, out, e);
}

void program_built_free(struct built *b)
{
    if (b->scratch)
        scratch_remove(b->scratch);
    mem_free(&allocator_libc, b->scratch, b->scratch ? sizeof *b->scratch : 0);
    buf_free(&b->log);
    buf_free(&b->program);
}
