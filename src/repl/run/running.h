/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of a student's whole program: what the command, the run on a GPU, the summary and the
 * report of it share.
 */
#ifndef REPL_RUN_RUNNING_H
#define REPL_RUN_RUNNING_H

#include "programs/programs.h"
#include "repl/run/whole-options.h"
#include "repl/shell.h"
#include "run/run.h"

struct run_options {
    const char *file, *rest, *input, *std, *report_file, *schedule;
    int64_t seed;
    bool seed_given;
    struct arg_many folders, macros, library_folders, libraries, optimise, host, nvcc;
    int rdc;    /* 0: with it; else without */
    int device; /* RUN_ON_... */
    bool compare, summary, debug;
};
enum { RUN_ON_SIM, RUN_ON_GPU };

/* The program as it was compiled for one device, and what came of it there. */
struct ended {
    struct built built;
    struct child_result result;
};

struct running {
    struct shell *sh;
    struct report *report;
    const struct run_options *options;
    struct ended sim, gpu;
    struct run run;
    struct child_printed printed;
    struct whole whole;
    struct buf input;
    bool shows;      /* the output goes to the screen at once */
    size_t memory;   /* bytes that the program may have, and may share with us; 0: any */
    size_t findings; /* of the screen: where their text begins; 0: there are none */
};

/* ---- commands/run.c -------------------------------------------------------------------- */

/* Compiles the program for the simulator or for a GPU. -1: the report says why not. */
int run_compile(struct running *, bool on_gpu, struct built *);
/* Starts it with its arguments. `talk` NULL: it does not talk with us. */
int run_start(struct running *, struct ended *, const struct child_talk *talk);
/* What it prints is shown: for child_talk. */
void run_tell(void *running, bool is_err, const char *text, size_t n);
/* Says how the program ended, if that is worth a word. */
void run_say_end(struct running *, const struct ended *);

/* ---- rights.c --------------------------------------------------------------------------- */

/* -1: --safe does not allow this, and the report says so. */
int run_check_safe(struct running *);
/* The files that the program may read; NULL: all that cudalab may. */
const char *const *run_allowed(const struct running *);
bool run_gives_input(const struct running *); /* does it read our stdin? */
int run_keep_input(struct running *, struct err *); /* reads all of it, for two runs */
size_t run_output_most(const struct running *);
/* Divides what memory there is, under --safe. */
void run_share_memory(struct running *);
bool run_used_memory(const struct running *); /* it was ended for what it shares with us */

/* ---- on-gpu.c -------------------------------------------------------------------------- */

/* Compiles and runs it on the GPU of this computer. -1: the report says why not. */
int run_on_gpu(struct running *);
/* Says where the outputs of both runs differ. */
void run_say_differences(struct running *);

/* ---- summary.c ------------------------------------------------------------------------- */

/* How often each kernel was launched, in a line for each. */
void run_say_kernels(const struct running *);
/* What launches and copies cost: into "result", and onto the screen if `says`. */
void run_summary(struct running *, bool says);
/* The same as tables of a page. */
void run_summary_html(const struct running *, struct buf *page);

/* ---- times.c --------------------------------------------------------------------------- */

/* Says which times the program has seen, if it asked for any; the same as paragraphs of a page. */
void run_say_times(struct running *);
void run_times_html(const struct running *, struct buf *page);

/* ---- report-file.c --------------------------------------------------------------------- */

/* Writes the report that --report asks for. -1: the report says why not. */
int run_write_report(struct running *);

#endif
