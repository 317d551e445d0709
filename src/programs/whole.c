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
#include "os/asset.h"
#include "os/fd.h"
#include "programs/kept.h"
#include "programs/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_OWN = 20, LOG_BYTES = 1 << 20, PROGRAM_MOST = 1 << 30 };

/* What a confined compiler may read and write. */
static void set_rules(const struct build_want *w, const char *compiler, const char *folder,
                      struct rules *rules)
{
    rules_begin(rules, CONFINE_ALONE);
    rules_run(rules, compiler);
    rules_headers(rules);
    rules_add(rules, folder, CONFINE_READ | CONFINE_WRITE);
    rules->to.plain = w->files;
}

/* Writes the library that a confined compiler loads first. It is written anew for each, since the
 * one before may write to the folder. The loader takes what has a blank for two names. */
static int place_seal(const struct built *out, char path[SCRATCH_PATH + 40], struct err *e)
{
    static const char name[] = "sealed.so";
    const struct asset *a = asset_find("run/sealed.so");
    snprintf(path, SCRATCH_PATH + 40, "%s/%s", out->folder, name);
    if (strpbrk(path, " :$"))
        return fail(e, "under --safe the path of temporary folders (TMPDIR) may have no blank, "
                       "colon or dollar sign");
    unlink(path);
    return a && fd_make_file(out->folder, name, a->data, a->size) == 0
               ? 0 : fail(e, "cannot write to %s", out->folder);
}

/* A source may crash a compiler, and then it does not compile. SIGKILL comes from outside: from a
 * system that is out of memory, say. */
static int say_crash(const struct child_result *r, const char *who, struct built *out, struct err *e)
{
    char name[20];
    if (r->code == SIGKILL)
        return fail(e, "%s was killed while it compiled", who);
    child_signal_name(r->code, name);
    out->refused = true;
    return fail(e, "%s crashed (%s) while it compiled; try a smaller source", who, name);
}

int whole_start(const struct build_want *w, const char *who, const char *const *words,
                size_t most, struct built *out, struct child_result *r, struct err *e)
{
    struct rules rules;
    char read[SCRATCH_PATH + 40], seal[SCRATCH_PATH + 40];
    snprintf(read, sizeof read, "%s/read" KEPT_RULES, out->folder);
    const struct child c = {.argv = words, .deadline = w->deadline, .stop = w->stop,
                            .progress = w->progress, .most = most, .scratch = out->folder,
                            .confined = w->safe ? &rules.to : NULL, .stays = true,
                            .memory = w->memory, .first = w->safe ? seal : NULL,
                            .rules = w->safe ? NULL : read};
    if (w->safe)
        set_rules(w, words[0], out->folder, &rules);
    if (w->safe && place_seal(out, seal, e) != 0)
        return -1;
    if (child_run(&c, r, e) != 0)
        return -1;
    if (r->end == CHILD_STOPPED)
        return fail(e, "interrupted");
    if (r->end == CHILD_OUT_OF_TIME)
        return fail_limit(e, "%s took too long; `set time-limit` allows more", who);
    if (r->end == CHILD_FLOODED)
        return fail_limit(e, "%s printed more than %zu MiB and was stopped", who, most >> 20);
    if ((r->end != CHILD_EXITED || r->code != 0) && ran_out_of_memory(w->memory, r, who, e))
        return -1;
    return r->end == CHILD_EXITED ? 0 : say_crash(r, who, out, e);
}

/* A shell ends so if it can't start a program, and child.c too. */
static bool never_began(int code)
{
    return code == CHILD_NOT_BEGUN || code == CHILD_NOT_BEGUN - 1;
}

int whole_run(const struct build_want *w, const char *who, const char *const *words,
              struct buf *printed, struct built *out, struct err *e)
{
    struct child_result r = {.end = CHILD_EXITED};
    out->refused = false;
    int rc = whole_start(w, who, words, printed ? PRINT_MOST : LOG_BYTES, out, &r, e);
    const int code = r.code;
    const size_t before = out->log.len;
    keep_log(&out->log, &r.err, out->folder);
    if (printed)
        buf_add(printed, buf_text(&r.out), r.out.len);
    child_result_free(&r);
    out->broken = false;
    out->refused |= rc == 0 && code != 0 && !never_began(code);
    if (rc != 0 || code == 0)
        return rc;
    if (out->refused)
        return fail(e, "%s refused the program", who);
    const char *said = buf_text(&out->log) + before;
    out->broken = true;
    fail(e, "%s can't compile here: %.*s", who, (int)strcspn(said, "\n"),
         *said ? said : "it could not be started");
    out->log.len = before;
    return -1;
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

bool whole_is_debug(const struct build_want *w)
{
    const char *const *word = w->words;
    while (*word && strcmp(*word, "-G") != 0 && strcmp(*word, "--device-debug") != 0)
        word++;
    return *word != NULL;
}

/* `words` has room for the student's and for those of ours. */
static int run_nvcc(const struct build_want *w, const char *nvcc, const char **words,
                    unsigned count, struct built *out, struct err *e)
{
    char target[64];
    snprintf(target, sizeof target, "arch=compute_%d,code=compute_%d", w->arch, w->arch);
    const char *const runtime = w->on_gpu ? "static" : "shared";
    /* Our folder has what the linker finds first, also where no driver is installed. */
    const char *const own[] = {nvcc, "-cudart", runtime, "--compress-mode=none", "-gencode",
                               target, "-g", whole_is_debug(w) ? "-G" : "-lineinfo", "-Xlinker", "--trace", "-o", out->path,
                               w->on_gpu ? NULL : "-L", out->folder, NULL};
    unsigned n = 0;
    for (; own[n]; n++)
        words[n] = own[n];
    for (unsigned i = 0; i < count; i++)
        words[n++] = w->words[i];
    words[n] = NULL;
    return whole_run(w, "nvcc", words, &out->linked, out, e);
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

static int read_program(struct built *out, struct err *e)
{
    return scratch_read(out->path, PROGRAM_MOST, &out->program) == 0
               ? 0 : fail(e, "the compiler made no program");
}

/* A confined linker can't say that its file may be executed. */
static int make_startable(const struct built *out, struct err *e)
{
    unlink(out->path);
    int fd = open(out->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    int why = fd < 0 ? errno : fd_write(fd, out->program.data, out->program.len);
    if (fd >= 0 && close(fd) != 0 && !why)
        why = errno;
    return why == 0 ? 0 : fail(e, "cannot write to %s: %s", out->folder, strerror(why));
}

/* The program was compiled before, or it is compiled now. */
static int compile_by(const struct build_want *w, const struct compilers *have, enum compiler by,
                      struct built *out, struct err *e)
{
    struct kept_program kept;
    kept_begin(&kept, w, have, by);
    const bool took = kept_take(&kept, out);
    if (!took && (by == COMPILER_NVCC ? by_nvcc_alone(w, have->nvcc, out, e)
                                      : whole_by_clang(w, have, out, e)) != 0)
        return -1;
    if (read_program(out, e) != 0)
        return -1;
    if (!took)
        kept_keep(&kept, out);
    return w->safe && !took ? make_startable(out, e) : 0;
}

/* By clang, which is one process. */
static int compile_confined(const struct build_want *w, struct built *out, struct err *e)
{
    struct compilers have;
    compilers_find(true, &have);
    if (w->by == COMPILER_NVCC)
        return fail(e, "under --safe nvcc can't be used: it runs a shell and a host compiler, "
                    "which can't be confined; `set compiler auto` takes clang");
    if (!have.clang[0])
        return fail(e, "under --safe clang compiles whole programs, and it is not here (on Debian "
                    "and Ubuntu: apt install clang g++); a program that is built already runs "
                    "without it");
    return compile_by(w, &have, COMPILER_CLANG, out, e);
}

/* As for `load`, `set compiler` chooses. NVRTC compiles no host code, so it is no choice here. */
static int compile(const struct build_want *w, struct built *out, struct err *e)
{
    if (w->safe)
        return compile_confined(w, out, e);
    const enum compiler by = w->on_gpu || w->by == COMPILER_NVRTC ? COMPILER_AUTO : w->by;
    struct compilers have;
    compilers_find(false, &have);
    if (have.nvcc[0] && by != COMPILER_CLANG) {
        int rc = compile_by(w, &have, COMPILER_NVCC, out, e);
        if (!out->broken || w->on_gpu || by == COMPILER_NVCC || !have.clang[0])
            return rc;
    } /* it can't judge, so clang may, as for `load` */
    if (w->on_gpu)
        return fail(e, "a program for the GPU needs nvcc and the runtime of the CUDA Toolkit, "
                       "which is not here");
    if (have.clang[0] && by != COMPILER_NVCC)
        return compile_by(w, &have, COMPILER_CLANG, out, e);
    if (by != COMPILER_AUTO && (have.nvcc[0] || have.clang[0]))
        return fail(e, "there is no %s here; `set compiler auto` takes what there is",
                    compiler_names[by]);
    return fail(e, "a whole program needs a compiler: install clang and g++ (on Debian and Ubuntu: "
                "apt install clang g++) or the CUDA Toolkit");
}

/* One file has the runtime, the driver API and NVRTC, by the names under which the programs of
 * several toolkits ask for them. So a program has one connection to cudalab. */
static int place_runtime(const struct build_want *w, struct built *out, struct err *e)
{
    static const char name[] = "libcudart.so.13";
    static const char *const others[] = {
        "libcudart.so.12", "libcudart.so.11.0", "libcuda.so.1", "libcuda.so", "libnvrtc.so.13",
        "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so", NULL};
    char path[sizeof out->runtime];
    int rc = fd_make_file(out->folder, name, w->library.at, w->library.n);
    snprintf(out->runtime, sizeof out->runtime, "%s/%s", out->folder, name);
    for (int i = 0; others[i] && rc == 0; i++) {
        snprintf(path, sizeof path, "%s/%s", out->folder, others[i]);
        rc = link(out->runtime, path);
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
                if (fd_make_file(out->folder, file, l->bytes.at, l->bytes.n) != 0)
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
            if (fd_make_file(out->folder, file, l->bytes.at, l->bytes.n) != 0)
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
    if (w->safe && !confine_version())
        return fail(e, "under --safe no whole program can run: this system has no Landlock to "
                    "confine it");
    out->scratch = mem_alloc(&allocator_libc, sizeof *out->scratch);
    if (!out->scratch)
        return fail_memory(e);
    if (scratch_make(out->scratch, e) != 0)
        return -1;
    snprintf(out->folder, sizeof out->folder, "%s", out->scratch->path);
    if (!w->on_gpu && place_runtime(w, out, e) != 0)
        return -1;
    if (!w->words)
        return place_needed(w, w->program, out, e);
    snprintf(out->path, sizeof out->path, "%s/program", out->folder);
    if ((!w->on_gpu && place_linked(w, out, e) != 0) || compile(w, out, e) != 0)
        return -1;
    return place_needed(w, (struct span){buf_text(&out->program), out->program.len}, out, e);
}

int program_run(const struct child *c, const char *folder, const char *const *files,
                struct child_result *r, struct err *e)
{
    struct rules rules;
    struct child confined = *c;
    if (!files)
        return child_run(c, r, e);
    rules_begin(&rules, CONFINE_STRANGER);
    rules_run(&rules, c->file ? c->file : c->argv[0]);
    rules_add(&rules, folder, CONFINE_READ);
    rules_add(&rules, "/dev/null", CONFINE_READ | CONFINE_DEVICE);
    rules_add(&rules, "/dev/urandom", CONFINE_READ);
    rules.to.plain = files;
    confined.confined = &rules.to;
    confined.stays = true;
    return child_run(&confined, r, e);
}

void program_built_free(struct built *b)
{
    if (b->scratch)
        scratch_remove(b->scratch);
    mem_free(&allocator_libc, b->scratch, b->scratch ? sizeof *b->scratch : 0);
    buf_free(&b->log);
    buf_free(&b->program);
    buf_free(&b->linked);
}
