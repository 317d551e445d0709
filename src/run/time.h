/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modelled time of a program's operations, in picoseconds since the program began
 * (labkit/model.h). The host has a clock: each call of CUDA takes a moment there, and a call that
 * waits takes until the work is done. The host's own computing takes no time, since it would
 * differ from run to run.
 *
 * An operation begins when the host has called it, when all that it waits for has ended, and when
 * its engine has room for it. There is an engine for copies in each direction (or one for both) and
 * one for kernels, which run side by side while their blocks have room on the device.
 */
#ifndef RUN_TIME_H
#define RUN_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run;
struct run_kernel;
struct run_message;
struct launch_result;
struct launch_want;

enum run_engine { RUN_NO_ENGINE, RUN_KERNELS, RUN_COPIES_IN, RUN_COPIES_OUT };
enum { RUN_WHOLE_ENGINE = 1 << 16 };

struct run_span {
    uint64_t begin, end;
    enum run_engine engine;
    uint32_t share; /* of the engine: RUN_WHOLE_ENGINE is all of it */
};

struct run_time {
    uint64_t host;        /* its clock */
    struct run_span now;  /* what the operation that is done now needs; from 0 on */
    struct run_span *spans; /* that engines were busy with of late */
    size_t count, capacity;
    uint64_t clock;       /* what the clocks of the next kernel show when it begins */
    double served;        /* seconds of this computer that requests took, */
    double program;       /* and those that the program itself had before this request */
    bool told_modelled, told_host, told_clock; /* what the program has seen of time */
};

/* The host calls; it waits until then. */
void run_time_call(struct run *);
void run_time_wait(struct run *, uint64_t until);

/* Before an operation is done, which can begin then. Whoever does it says what it needs. */
void run_time_begin(struct run *, uint64_t ready);
void run_time_launch(struct run *, struct run_kernel *, const struct launch_want *,
                     const struct launch_result *);
void run_time_copy(struct run *, const struct run_message *);
void run_time_event(struct run *);
/* When it ends. */
uint64_t run_time_end(struct run *);

/* What the clocks of a kernel show when it begins. */
uint64_t run_time_clock(const struct run *);
void run_time_free(struct run *);

#endif
