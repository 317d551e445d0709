/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All compilers have these types in common. A compiler turns one want into PTX and a log (SERVED).
 * Otherwise it says that the source is wrong (REFUSED), or that the compiler itself can't be used
 * here (BROKEN).
 */
#ifndef PROGRAMS_BACKEND_H
#define PROGRAMS_BACKEND_H

#include "programs/child.h"
#include "cc/compile.h"
#include "cc/source.h"
#include "programs/rules.h"
#include "programs/scratch.h"
#include "cc/token.h"

enum served { SERVED, REFUSED, BROKEN, ENDED /* stopped, or out of time: e says so */ };

struct compiling {
    const struct compile_want *want;
    const struct compilers *have;
    struct compiled *out;
    struct err *e; /* why BROKEN or ENDED */
    const char *options; /* the student's, as this compiler's process understands them */
    double deadline; /* of all compilers together, by clock_seconds(); 0: none */
    bool launches;   /* device code launches kernels, which asks for relocatable device code */
    bool aligns;     /* alignas stands behind __shared__, where clang takes no alignas */
};
enum served by_nvrtc(struct compiling *);
enum served by_nvcc(struct compiling *);
enum served by_clang(struct compiling *);

/* arch.c: the architecture that a source is compiled for, 75 for sm_75: the student's or else the
 * device's, 75 if there is none. A source with clusters needs 90 at least. */
int arch_wanted(const struct compile_want *);
/* The highest of those known that is not above `wanted`; else the lowest; `wanted` if none is. */
int arch_nearest(int wanted, const int *known, unsigned count);
/* Chooses from those that a compiler says it knows. They stand behind `before` in what it printed:
 * "sm_" or "compute_". If the student named one, that is the result. */
int arch_told(const struct compile_want *, const struct child_result *said, const char *before);

/* The name that a stand-in header is included by, "stdio.h"; NULL: it is none. */
struct asset;
const char *stand_in_name(const struct asset *);

/* tools.c: what each call of clang begins with. The headers of ours lie in a scratch folder. */
struct command_line;
enum clang_reads {
    CLANG_KERNELS,  /* the host code is thrown away: our libc serves where there is none */
    CLANG_CONFINED, /* other people's source, which sees no headers but ours */
    CLANG_PROGRAMS  /* whole programs, by the headers of this system's C and C++ libraries */
};
/* alignas, where clang takes it only as an attribute. */
#define CLANG_ALIGNS "-Dalignas(x)=__attribute__((aligned(x)))"
int clang_headers(const char *folder); /* writes them. -1: it can't */
void clang_begin(struct command_line *, const char *clang, const char *folder, enum clang_reads);
/* For PTX on stdout. Aligns: alignas stands behind __shared__. */
void clang_begin_device(struct command_line *, int arch, bool aligns, bool debug);
/* Asks clang for its name and version, and for the architecture to compile for. */
int clang_arch(struct compiling *, char name[64]);
/* Keeps what was said, without the scratch folder's name. */
void keep_log(struct buf *log, const struct buf *said, const char *folder);
/* compile.c: the log says that clang takes no alignas where nvcc does. */
bool clang_refuses_alignas(const struct buf *log);

/* A kernel that host code launches: "tk<float>" of `tk<float><<<4, 256>>>(x)`. */
struct launched {
    char name[200];
};
bool next_launched(struct token_reader *, const char *start, struct launched *);

/* SERVED if the compiler came to its own end, whatever its exit status says. Otherwise the error
 * says what ended it, and after a crash only the first lines of the log stay. */
enum served child_ended(const struct compiling *, const struct child_result *, const char *who);
enum { PRINT_MOST = 64 << 20 };
/* compile.c: memory was too little for it, and the error says so. memory: its bound, or 0. */
bool ran_out_of_memory(size_t memory, const struct child_result *, const char *who, struct err *);

/* nvrtc-process.c: the process that opens NVRTC. This program is started anew with this option, and
 * then nvrtc_process() gives its exit status. */
extern const char nvrtc_process_option[];
enum { NVRTC_SERVED, NVRTC_REFUSED, NVRTC_BROKEN, NVRTC_OUT_OF_MEMORY };
int nvrtc_process(void);
/* In place of an architecture: the job has options, headers and names that a program of the
 * student's gave, and ours are not added. */
#define NVRTC_AS_TOLD "="

/* Adds the size and times of a file to a fingerprint. So another compiler has another fingerprint. */
struct print128 print_file(struct print128, const char *path);

/* cache.c: PTX, what ptxas says about it, and whole programs (kept.c) are kept between sessions in a
 * folder (programs.h). There is one file for each fingerprint, and 64 MiB in all. The files that
 * were not used for the longest time are removed first. A cache is not used if it can't be written,
 * if other users can write to it, or if it is damaged. Whatever is kept is the `ptx` of a struct
 * compiled. */
/* 0: it filled in the empty buffers. */
int cache_read(const char *cache, struct print128, struct compiled *);
void cache_write(const char *cache, struct print128, const struct compiled *);
/* What is kept for hand-ins (made.c) lies in a folder of its own, with 256 MiB. */
extern const char cache_of_graded[];
struct print128 made_print(struct span of); /* what it is kept under there */
/* Is the user's own cache not used because others could write to its folder? */
enum { CACHE_PATH = 600 };
bool cache_refused(char out[CACHE_PATH]);

/* compile.c: adds what compilers see of the environment. */
struct print128 print_environment(struct print128);
/* scratch.c: does a file of this path come with a compiler, with the system, or with cudalab? */
bool comes_with_system(const char *path);

/* Describes a compiler's process for this attempt. Under --safe it is confined to these rules. */
struct child child_of(const struct compiling *, const char *const *argv, const struct rules *);

/* Changes the .file names of PTX to those that a student knows: their own as typed, others in < >.
 */
int ptx_tidy_files(const struct compile_want *, struct buf *ptx);

#endif
