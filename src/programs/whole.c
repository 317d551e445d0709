/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole program is compiled by nvcc, for the host and for the device, or by clang where no nvcc
 * is (whole-clang.c). Its kernels stay PTX, not packed, and its runtime is a shared library, so
 * that ours can take its place.
 */
#include "programs/backend.h"
#include "programs/whole.h"

#include "base/mem.h"
#include "cc/elf.h"
#include "programs/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_OWN = 16, LOG_BYTES = 1 << 20, PROGRAM_MOST = 1 << 30 };

int whole_run(const struct build_want *w, const char *who, const char *const *words,
              struct buf *printed, struct built *out, struct err *e)
{
    struct child_result r;
    const struct child c = {.argv = words, .deadline = w->deadline, .stop = w->stop,
                            .progress = w->progress, .most = printed ? PRINT_MOST : LOG_BYTES,
                            .scratch = out->folder};
    if (child_run(&c, &r, e) != 0)
        return -1;
    keep_log(&out->log, &r.err, out->folder);
    if (printed)
        buf_add(printed, buf_text(&r.out), r.out.len);
    const enum child_end end = r.end;
    const int code = r.code;
    child_result_free(&r);
    switch (end) {
    case CHILD_EXITED: break;
    case CHILD_STOPPED: return fail(e, "interrupted");
    case CHILD_OUT_OF_TIME:
        return fail(e, "%s took too long; `set time-limit` allows more", who);
    default: return fail(e, "%s was ended while it compiled", who);
    }
    out->refused = code != 0;
    return code == 0 ? 0 : fail(e, "%s refused the program", who);
}
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
    const char *const runtime = w->on_gpu ? "static" : "shared";
    const char *const own[] = {nvcc, "-cudart", runtime, "--compress-mode=none", "-gencode",
                               target, "-g", "-lineinfo", "-o", out->path, "-L", out->folder,
                               NULL};
    unsigned n = 0;
    for (; own[n]; n++)
        words[n] = own[n];
    for (unsigned i = 0; i < count; i++)
        words[n++] = w->words[i];
    words[n] = NULL;
    return whole_run(w, "nvcc", words, NULL, out, e);
}

static int by_nvcc_alone(const struct build_want *w, const char *nvcc, struct built *out,
                         struct err *e)
{
    unsigned count = 0;
    while (w->words[count])
        count++;
    const size_t bytes = (count + WORDS_OWN) * sizeof(char *);
    const char **words = mem_alloc(&allocator_libc, bytes);
    int rc = words ? run_nvcc(w, nvcc, words, count, out, e) : fail_memory(e);
    mem_free(&allocator_libc, words, words ? bytes : 0);
    return rc;
}

/* As for `load`, `set compiler` chooses. NVRTC compiles no host code, so it is no choice here. */
static int compile(const struct build_want *w, struct built *out, struct err *e)
{
    const enum compiler by = w->on_gpu || w->by == COMPILER_NVRTC ? COMPILER_AUTO : w->by;
    struct compilers have;
    compilers_find(false, &have);
    if (have.nvcc[0] && by != COMPILER_CLANG)
        return by_nvcc_alone(w, have.nvcc, out, e);
    if (w->on_gpu)
        return fail(e, "a program for the GPU needs nvcc and the runtime of the CUDA Toolkit, "
                       "which is not here");
    if (have.clang[0] && by != COMPILER_NVCC)
        return whole_by_clang(w, &have, out, e);
    if (by != COMPILER_AUTO && (have.nvcc[0] || have.clang[0]))
        return fail(e, "there is no %s here; `set compiler auto` takes what there is",
                    compiler_names[by]);
    return fail(e, "a whole program needs a compiler: install clang and g++ (on Debian and Ubuntu: "
                "apt install clang g++) or the CUDA Toolkit");
}

/* One file by the names under which the programs of several toolkits ask for it. */
static int place_runtime(const struct build_want *w, struct built *out, struct err *e)
{
    static const char name[] = "libcudart.so.13";
    static const char *const others[] = {"libcudart.so.12", "libcudart.so.11.0", NULL};
    char path[sizeof out->runtime];
    int rc = scratch_write(out->folder, name, w->library.at, w->library.n);
    snprintf(out->runtime, sizeof out->runtime, "%s/%s", out->folder, name);
    for (int i = 0; others[i] && rc == 0; i++) {
        snprintf(path, sizeof path, "%s/%s", out->folder, others[i]);
        rc = symlink(name, path);
    }
    return rc == 0 ? 0 : fail(e, "cannot write to %s: %s", out->folder, strerror(errno));
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
static int place_needed(const struct build_want *w, struct span program, struct built *out,
                        struct err *e)
{
    struct elf elf;
    struct span needed;
    char file[64];
    if (w->on_gpu || !elf_open(&elf, program))
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
    if (place_runtime(w, out, e) != 0)
        return -1;
    if (!w->words)
        return place_needed(w, w->program, out, e);
    snprintf(out->path, sizeof out->path, "%s/program", out->folder);
    if ((!w->on_gpu && place_linked(w, out, e) != 0) || compile(w, out, e) != 0)
        return -1;
    if (scratch_read(out->path, PROGRAM_MOST, &out->program) != 0)
        return fail(e, "the compiler made no program");
    return place_needed(w, (struct span){buf_text(&out->program), out->program.len}, out, e);
}

void program_built_free(struct built *b)
{
    if (b->scratch)
        scratch_remove(b->scratch);
    mem_free(&allocator_libc, b->scratch, b->scratch ? sizeof *b->scratch : 0);
    buf_free(&b->log);
    buf_free(&b->program);
}
