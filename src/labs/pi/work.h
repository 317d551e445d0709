/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of kernels/pi.cu: how many threads and launches a variant gets, one run of it, and
 * what tells right from wrong. An estimate alone does not: points that were drawn twice give one as
 * well. So each thread leaves the first point of each launch, and these must differ. The hits of
 * Philox are counted in plain C too.
 */
#ifndef LABS_PI_WORK_H
#define LABS_PI_WORK_H

#include "labkit/ladder/ladder.h"
#include "labkit/shape.h"

enum pi_tag { PI_SEQUENCE, PI_SEEDS, PI_OWN, PI_SAVED, PI_HOST, PI_NORMAL, PI_ONESEED, PI_UNSAVED };
enum pi_generator { PI_XORWOW, PI_PHILOX, PI_MRG };
extern const char *const pi_generators[]; /* by enum pi_generator, NULL-terminated */

#define PI_VALUE 3.14159265358979323846
enum { PI_MOST = 1 << 26, PI_BOUNDS = 3, PI_MOST_THREADS = 1 << 20 };

struct pi_task {
    enum pi_generator generator;
    int n, launches;
    struct launch_shape shape;
    unsigned all; /* threads */
    uint64_t seed;
};

/* What one run left. */
struct pi_found {
    float (*first)[2];      /* of each launch and thread, in this order: pi_close() frees them */
    size_t points, distinct; /* first points, and how many of them differ */
    uint64_t hits, plain;   /* in the quarter circle; and as plain C counts them */
    uint64_t border;        /* points so close to the circle that rounding decides */
    bool has_plain;
    uint64_t within[PI_BOUNDS]; /* normal numbers up to 1, 2, 3 in size */
    double mean;                /* of their sizes */
};

/* -1: the report says what would do. 0 blocks, threads or launches: choose. */
int pi_choose(const struct lab_variant *, int n, int blocks, int threads, int launches,
              const struct device_props *, struct pi_task *, struct report *);
/* Why a wrong variant would show nothing; NULL: it shows it. */
const char *pi_shows_nothing(const struct lab_variant *, const struct pi_task *);

/* The standard deviation of the estimate: what chance alone makes of it. */
double pi_sigma(const struct lab_variant *, int n);

/* `found` has what the last run left, or zeros. got->wrong: so many points came again. */
int pi_run(const struct trial *, const struct pi_task *, struct attempt *, struct pi_found *);
void pi_close(struct pi_found *);

#endif
