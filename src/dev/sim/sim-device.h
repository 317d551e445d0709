/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of the simulator's device share this header, and nobody else includes it. All others
 * see struct device.
 */
#ifndef DEV_SIM_SIM_DEVICE_H
#define DEV_SIM_SIM_DEVICE_H

#include "dev/device.h"
#include "dev/checks.h"

struct sim_device {
    struct device base;
    struct sim *sim;
    struct sim_limits limits;
    struct checks checks; /* what the checkers keep from launch to launch */
    struct err stopped;   /* why the loading of a module had to stop */
    bool taken;           /* a launch of it runs elsewhere: see struct launch_look */
    struct later {        /* what is to be freed after it */
        struct later *next;
        void *module; /* NULL: an array */
        uint64_t address;
    } *later;
};

static inline struct sim_device *sim_of(struct device *d)
{
    return (struct sim_device *)d;
}

/* Fails with the library's own message. */
static inline int sim_device_failed(struct device *d, struct err *e)
{
    return fail(e, "%s", sim_message(sim_of(d)->sim));
}

/* -1: a launch was taken, so nothing may change. */
static inline int sim_device_free_of_looks(struct device *d, struct err *e)
{
    return sim_of(d)->taken ? fail(e, DEVICE_HELD) : 0;
}

/* launch.c */
int sim_device_check_taken(struct device *, const struct launch_seen *, unsigned checks,
                           struct launch_result *, struct err *);
int sim_device_launch(struct device *, const struct launch_want *, struct launch_result *,
                      struct err *);

/* result.c: copies into memory of the result; -1: out of memory. The library's faults and the
 * checkers' findings become one list. */
int sim_copy_faults(struct launch_result *, const struct sim_result *, const struct checking *,
                    const struct sim_kernel *);
int sim_copy_children(struct launch_result *, const struct sim_children *);
int sim_copy_prints(struct launch_result *, const struct sim_result *);
int sim_copy_counts(struct launch_result *, struct count_each *, const struct sim_result *);

/* trace.c: an observer that records the steps of one warp of block 0. */
struct tracer {
    struct launch_result *result;
    size_t capacity;
    unsigned warp;
    bool over; /* the grid of the launch has ended: child grids are not traced */
};
struct sim_observer sim_tracer(struct tracer *);

#endif
