/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of kernels/ldlt.cu: the systems, how many floats of shared memory a thread and a
 * block take, one run held against plain C in double. A variant's tag says where a system is kept
 * and which room the launch gives it.
 */
#ifndef LABS_LDLT_WORK_H
#define LABS_LDLT_WORK_H

#include "labkit/ladder/ladder.h"
#include "labkit/shape.h"

enum ldlt_tag {
    LDLT_SHARED,        /* n (n + 1) / 2 + n floats a thread */
    LDLT_PADDED = 1,    /* one more where that number is even */
    LDLT_GLOBAL = 2,    /* no shared memory */
    LDLT_MANY = 4,      /* so many threads that they take more than 48 KiB */
    LDLT_UNASKED = 8,   /* and the program does not ask for them */
    LDLT_SHORT = 16,    /* room for the matrices alone */
    LDLT_ODD = 32       /* threads without a system, and no test for them */
};

enum { LDLT_DIM_MOST = 256, LDLT_USUAL = 128, LDLT_USUAL_ODD = 100, LDLT_48K = 48 * 1024 };

struct ldlt_task {
    int n, systems;
    struct launch_shape shape;
    unsigned floats; /* that a thread takes, in shared memory or not */
    uint64_t bytes;  /* of shared memory that the launch asks for */
};

struct ldlt_data {
    int n, systems;
    float *a, *y, *got;
    double *want;
};

unsigned ldlt_half(int n); /* floats of the lower half of a matrix */
/* -1: the report says what would fit. Close it also then. */
int ldlt_open(struct ldlt_data *, struct session *, int n, int systems, struct report *);
void ldlt_close(struct ldlt_data *);

/* The most threads whose systems fit in so many bytes. */
unsigned ldlt_threads_in(unsigned floats, uint64_t bytes);
void ldlt_choose(const struct lab_variant *, int n, int systems, int threads,
                 const struct device_props *, struct ldlt_task *);
/* Why the variant can't be run so; NULL: it can. */
const char *ldlt_closed(const struct lab_variant *, const struct ldlt_task *,
                        const struct device_props *, char out[160]);

/* got->wrong is the number of systems whose solution is not plain C's, within rounding; got->error
 * the largest difference. */
int ldlt_run(const struct trial *, const struct ldlt_task *, struct ldlt_data *, struct attempt *);

#endif
