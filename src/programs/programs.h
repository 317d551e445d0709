/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other programs compile, assemble and page for cudalab, each as a child process. A cudalab that
 * was configured with --disable-compile has nothing of this room. Then pointers to this table are
 * NULL.
 */
#ifndef PROGRAMS_PROGRAMS_H
#define PROGRAMS_PROGRAMS_H

#include "cc/compile.h"
#include "cc/jit.h"
#include "cc/sass.h"
#include "programs/child.h"
#include "programs/find.h"

#include <stdbool.h>
#include <stdint.h>

struct scratch;

struct build_library { const char *name; struct span bytes; }; /* "libcublas" */
/* A whole program: its files and the student's options in nvcc's words, NULL-ended. */
struct build_want {
    const char *const *words; /* NULL: there is a program already, and only ours are placed */
    struct span program;      /* its bytes then */
    struct span library; /* our runtime, that takes the place of NVIDIA's */
    enum compiler by;
    const struct build_library *libraries; /* and of its other libraries; ended by one without name */
    int arch; /* 90 for compute_90 */
    bool on_gpu; /* with NVIDIA's runtime within it, and not ours */
    const char *cache; /* as for struct compile_want */
    uint64_t managed; /* where clang's programs have their __managed__ variables */
    bool safe; /* --safe: compilers are confined, and read only `files` of the student's */
    const char *const *files; /* NULL-ended */
    size_t memory; /* bytes that a compiler may have, 0: any */
    double deadline;
    const volatile sig_atomic_t *stop;
    const struct progress *progress;
};
struct built {
    struct buf log;
    bool refused;           /* by the compiler, for what the log says */
    bool broken;            /* the compiler can't be used here */
    char folder[300];       /* where the program and our runtime lie; "": nowhere */
    char path[320], runtime[340]; /* "": nvcc has not made it */
    struct buf program;     /* the program's bytes */
    struct buf linked;      /* what the linker said: the files that it read */
    struct scratch *scratch;
};

/* A copy of this process, for one piece of work. It fills in the result, or returns -1 and says why
 * in the error. Threads of this process are not in the copy. */
typedef int copy_work(void *self, unsigned number, struct buf *result, struct err *);
struct self_copy {
    pid_t pid; /* 0: there is none */
    int fd;    /* what the result, or the error's text, is read from, to its end */
};
enum copy_end { COPY_DONE, COPY_FAILED, COPY_BROKEN /* it crashed, or was ended */ };

struct programs {
    /* CUDA C to PTX, by NVRTC, nvcc or clang, the fastest that is there and serves, or from the
     * cache. -1: no PTX; the error says why, and the log may have the compiler's own words. */
    int (*compile)(const struct compile_want *, struct compiled *, struct err *);
    /* Is there a compiler at all? Confined, as in struct compilers. */
    bool (*has_compiler)(bool confined);
    /* PTX to SASS. -1: there is no ptxas, or it refused. Free the result always. */
    int (*assemble)(const struct sass_want *, struct sass *, struct err *);
    /* Gets what `ptxas -v` prints about all kernels in the PTX, or takes it from the cache. 1: there
     * is no ptxas, or it refuses the PTX. -1: it could not answer. */
    int (*usage)(const struct sass_want *, struct buf *said, struct err *);
    /* The file of a library of the CUDA Toolkit, "libcudadevrt.a". -1: it is in none of the folders
     * that the error names. */
    int (*find_library)(const char *name, char path[COMPILER_PATH], struct err *);
    /* Makes a folder with our runtime, and compiles a whole program into it. -1: the error says why
     * not. Free the result always. */
    int (*build)(const struct build_want *, struct built *, struct err *);
    void (*built_free)(struct built *);
    /* Runs a program of the student's, and talks with it. `files` not NULL: it is confined, and
     * reads only these and its libraries, of which some are in the folder. */
    int (*run)(const struct child *, const char *folder, const char *const *files,
               struct child_result *, struct err *);
    /* NVRTC for such a program, as confined as it is. -1: there is none, or it was ended. Free the result always. */
    int (*jit)(const struct jit_want *, struct jitted *, struct err *);
    void (*signal_name)(int signal_number, char out[20]); /* "SIGSEGV" */
    /* Another program, or this one, that is talked with while it runs (child.h). */
    int (*start)(const struct child *, struct child_running *, struct err *);
    enum child_end (*stop)(struct child_running *, double seconds, int *code);
    int (*attend)(const struct child *, int (*ended)(void), enum child_end *, int *code,
                  struct err *);
    /* Starts a copy of this process, after child_hide_memory(). -1: that is not possible. */
    int (*copy)(copy_work *, void *self, unsigned number, struct self_copy *, struct err *);
    /* Waits so many seconds for its end, and then ends it by SIGTERM and, where that does not help,
     * by SIGKILL. The code is its status or the signal that ended it. */
    enum copy_end (*copy_end)(struct self_copy *, double seconds, int *code);
    /* Text to the student's pager, which has the keyboard until it ends, Ctrl-C too. ended() tells
     * that this process must end. False: there is no pager. */
    bool (*page)(const char *text, size_t n, int (*ended)(void));
    /* For --safe: from now on this process can open only these files and those of its cache, and all
     * that it starts no more. The cache may be NULL. -1: it is not confined, though this system could. */
    int (*confine)(const char *const *files, const char *cache, struct scratch **, struct err *);
    /* For a process with this folder as its cache. take: fills the folder with what was kept for the
     * same bytes, and tells in `made` what that was. keep: what is there now is kept for them. */
    void (*made_take)(struct span of, const char *folder, struct buf *made);
    void (*made_keep)(struct span of, const char *folder, const struct buf *made);
    void (*end_confined)(struct scratch *); /* gives back what confine() made; may be NULL */
    /* A folder for the files of hand-ins, and its removal (scratch.h). */
    int (*scratch_make)(struct scratch *, struct err *);
    void (*scratch_remove)(struct scratch *);
    /* Python takes the place of this process, and tells Jupyter of this program. The words are its
     * options, NULL-ended. Only -1 returns: the error says what is missing. */
    int (*jupyter)(const char *const *words, struct err *);
    /* This program is started anew for NVRTC, with an option. False: they are no such arguments. */
    bool (*serve)(int argc, char **argv, int *status);
};
extern const struct programs programs_of_this_system;

int program_compile(const struct compile_want *, struct compiled *, struct err *);
int program_assemble(const struct sass_want *, struct sass *, struct err *);
int program_usage(const struct sass_want *, struct buf *said, struct err *);
int program_build(const struct build_want *, struct built *, struct err *);
void program_built_free(struct built *);
int program_jit(const struct jit_want *, struct jitted *, struct err *);
int program_run(const struct child *, const char *folder, const char *const *files,
                struct child_result *, struct err *);
int program_copy(copy_work *, void *self, unsigned number, struct self_copy *, struct err *);
enum copy_end program_copy_end(struct self_copy *, double seconds, int *code);
bool program_page(const char *text, size_t n, int (*ended)(void));
int program_confine(const char *const *files, const char *cache, struct scratch **, struct err *);
void program_end_confined(struct scratch *);
int program_jupyter(const char *const *words, struct err *);
void made_take(struct span of, const char *folder, struct buf *made);
void made_keep(struct span of, const char *folder, const struct buf *made);

#endif
