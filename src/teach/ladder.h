/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What labs with several variants share: the table of `--variant all`, a variant that is
 * wrong on purpose tried under several schedules, and the host calls of `--calls`.
 *
 * A lab gives one function that runs one variant once and says what came out; order,
 * layout, verdicts and JSON are made here, so that the tables of all labs read alike.
 */
#ifndef TEACH_LADDER_H
#define TEACH_LADDER_H

#include "teach/report.h"
#include <stddef.h>

struct lab_variant;

/* The schedules that bring out what depends on order. */
struct schedule {
    const char *name; /* lockstep, random, independent; NULL: as the settings say */
    uint64_t seed;
    const char *label; /* as typed after `set schedule`, or "this GPU" */
    bool simulated;    /* on a simulator, also where the device is a GPU */
};

/* One run of one variant. */
struct attempt {
    bool ok; /* its answer checked */
    float value;
    double error;
    bool has_counters;
    struct counters counters;
    double median_s, min_s, mean_s; /* on a GPU; 0 where it was not timed */
    uint64_t cost; /* rows go from the highest to the lowest */
    uint64_t predicted; /* of the first column */
    bool has_predicted;
    char fault[24]; /* what stopped it; else empty */
};

struct ladder_column {
    const char *head;
    size_t counter; /* its offset in struct counters */
};

struct ladder {
    struct session *session;
    struct report *report;
    const struct lab_variant *variants;  /* end with a NULL name */
    const char *value;                   /* what the answer is called: "area" */
    const struct ladder_column *columns; /* end with a NULL head */
    int (*attempt)(void *self, const struct lab_variant *, const struct schedule *,
                   struct attempt *); /* -1: the report says why */
    void *self;
};

/*
 * `--variant all`: the right ones from the slowest to the fastest, then the wrong ones, each
 * under schedule after schedule until it fails. -1 if one isn't as documented.
 */
int ladder_all(const struct ladder *);

/* What its table has beside the answers: counters; else times, where those may be shown. */
enum ladder_shows { LADDER_COUNTERS, LADDER_TIMES, LADDER_NEITHER };
enum ladder_shows ladder_shows(const struct ladder *);

/*
 * A wrong one alone, under every schedule, a line each. The first that failed is left in
 * *how and *what (else the last). Always ends in an error: -1.
 */
int ladder_wrong(const struct ladder *, const struct lab_variant *, struct schedule *how,
                 struct attempt *what);

/* The runtime calls that a lab's run stands for, in order. */
struct host_call {
    const char *call;  /* may hold one %s */
    const char *moves; /* "4 bytes to the device"; NULL: nothing */
    const char *waits; /* who waits for whom */
};
/* calls end with a NULL call; argument stands in for %s. Also "calls" in the result. */
void say_calls(struct report *, const struct host_call *calls, const char *argument);

#endif
