/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running a lab's kernels: its module loaded once a session, arrays that go away with the
 * command, typed parameters checked against the kernel, and every launch told to the report.
 */
#ifndef LABKIT_RUN_H
#define LABKIT_RUN_H

#include "command/command.h"
#include "command/variants.h"
#include "labkit/params.h"
#include "screen/wrap.h"
#include "screen/report.h"
#include "session/session.h"
#include <time.h>

/* Arrays of the running command: freed by session_end_command. */
int lab_array(struct session *, uint64_t bytes, const char *name, const void *from,
              uint64_t *address, struct report *);
uint64_t lab_seed(const struct session *, const struct lab_options *); /* --seed, or the setting */
#define LAB_ADVICE "take a smaller n" /* where something takes too long */
int lab_host_goes_on(const struct session *, struct report *);
/* As session_goes_on(), while something is loaded: `self` is the session. struct go_on has this one. */
int session_loading_goes_on(void *self, struct err *);
/* Loading failed for the reason in the error: a timeout is a fault. Always -1. */
int session_load_failed(const struct session *, struct report *, const struct err *);
void lab_arrays_free(struct session *); /* all of them, before the command ends */
/* Its kernels are counted; and what it launches is timed so often, 0: not said. */
void session_begin_command(struct session *, bool counting, unsigned runs);
void session_end_command(struct session *);
void session_leave_device(struct session *); /* the labs' arrays and modules go, and the device */

/* For a while, launches run on a simulator of their own: what chance brings out there can be
 * repeated. -1: the report says why not. Nothing of the GPU's is lost. */
struct gpu_aside {
    struct device *device;
    struct loaded_module *loaded;
    uint64_t *arrays;
    unsigned loaded_count, array_count;
};
int session_put_gpu_aside(struct session *, struct gpu_aside *, struct report *);
/* The same for any device, with a simulator of another card. */
int session_put_aside(struct session *, const struct device_props *card, struct gpu_aside *,
                      struct report *);
void session_take_gpu_back(struct session *, struct gpu_aside *);
bool session_on_gpu(const struct session *);

/* A module by name ("trap": the asset kernels/ptx/trap.ptx), or from text under that name. */
int lab_module(struct session *, const char *name, void **module, struct report *);
int lab_module_text(struct session *, const char *name, const char *ptx, size_t n, void **module,
                    struct report *); /* replaces an earlier one of that name */
/* What cudaMemcpyToSymbol and cudaMemcpyFromSymbol do: a module's variable, by its name. */
int lab_symbol_store(struct session *, const char *module, const char *symbol, const void *from,
                     uint64_t bytes, struct report *);
int lab_symbol_fetch(struct session *, const char *module, const char *symbol, void *to,
                     uint64_t bytes, struct report *);

/* Where a variable of a lab's module lies. */
int lab_variable(struct session *, const char *module, const char *name, uint64_t *address,
                 struct report *);

struct lab_launch {
    const char *module, *kernel;
    unsigned grid[3], block[3]; /* 0 counts as 1 in y and z */
    uint64_t shared_bytes;
    const char *schedule;       /* NULL: the setting */
    uint64_t seed;
    bool trace;                 /* record a warp of block 0 */
    unsigned warp;              /* which one */
    bool counts;                /* its counters are what the lab is about, wherever it runs */
    bool as_written;            /* as a program has it: unchecked, and not opted in to more shared
                                   memory; what the device refuses is a fault */
    bool together;              /* requests of whole warps are counted: if the setting lets the
                                   lanes of a warp run apart, they run together all the same */
    bool quiet;                 /* don't add counters, faults and output to the report */
    bool meetings;              /* record who of block 0 comes to which barrier */
    bool plain;                 /* as <<<>>> does it, where blocks want to wait for all others */
    const struct launch_job *job; /* in place of a launch; NULL: none */
    uint64_t step_limit;        /* where no end is to be expected: it is stopped after so many warp
                                   instructions, by a GPU after two seconds; 0: the setting */
};
/* -1: it could not be launched, and the report says why. A fault that ended it: 0 with
 * result->faults (and in the report, unless quiet). Free the result with launch_result_free. */
int lab_launch(struct session *, const struct lab_launch *, struct launch_result *result,
               struct report *, const struct param *);
struct dot_job; /* dev/jobs.h */
struct product_job;
struct random_job;
struct peer_job;
/* A copy to another card; its times by enum peer_way. result->not_run says why there is none. It
 * is not told to the report. */
int lab_peer_copy(struct session *, const struct peer_job *, double *seconds,
                  struct launch_result *, struct report *);
/* A dot product, or a product of matrices, by cuBLAS. It is told to the report unless quiet or
 * result->not_run says why there is none; else as lab_launch. */
int lab_cublas_dot(struct session *, const struct dot_job *, bool quiet,
                   struct launch_result *, struct report *);
int lab_cublas_product(struct session *, const struct product_job *, bool quiet,
                       struct launch_result *, struct report *);
/* Random numbers by the host's functions of cuRAND, likewise. */
int lab_curand_uniform(struct session *, const struct random_job *, bool quiet,
                       struct launch_result *, struct report *);

/* How a launch is done by the settings; schedule NULL and seed 0: theirs too. */
struct launch_how session_how(struct session *, const char *schedule, uint64_t seed, bool trace);
/* Each launch of a kernel is numbered here, and a look is asked for it. NULL: nobody takes it. */
const struct launch_look *session_look_at(struct session *, const struct launch_want *);
/* What was found in this launch has its number from now on. */
void session_number_faults(const struct session *, const struct launch_want *,
                           struct launch_result *);
bool session_lanes_apart(struct session *); /* by the setting, on the simulator */
void say_together(struct report *, struct session *); /* if a launch is .together for that reason */
/* A launch that is all laid out, within the command's time limit, told to the report. */
int session_launch(struct session *, const struct launch_want *, bool quiet,
                   struct launch_result *, struct report *);

void say_head(struct report *, const struct session *, const char *left); /* device at the right */
void say_time(struct report *, const struct launch_result *); /* of a GPU, where times are shown */
uint64_t counter_at(const struct counters *, size_t offset); /* by a struct counter_name */
void say_counters(struct report *, const struct counters *); /* all that aren't zero */
void say_faults(struct report *); /* the report's faults: what, where, who else, how often */
void say_quotes(struct report *, const struct session *); /* and the lines that they point to */
void say_trace(struct report *, const struct launch_result *, unsigned most); /* 0: all */
/* meet.c: draws which threads came to which barrier, and adds "barriers" to the result. The launch was
 * made with `meetings`; a block has `threads`. */
void say_meetings(struct report *, const struct launch_result *, unsigned threads);

#endif
