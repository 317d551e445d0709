/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What labs with several variants share. A lab gives one function that runs one variant once
 * and says what came out, and a few that tell of it; which variants run, how often and under
 * which schedules, the table of `--variant all`, a variant that is wrong on purpose with what
 * the checkers find in it, the host calls of `--calls`, verdicts and JSON are made here, so that
 * all labs read alike.
 */
#ifndef LABKIT_LADDER_H
#define LABKIT_LADDER_H

#include "command/command.h"
#include "labkit/params.h"
#include "screen/report.h"
#include "text/explain.h"
#include <stddef.h>

struct lab_launch;
struct lab_variant;

/* The schedules that bring out what depends on order. */
struct schedule {
    const char *name; /* lockstep, random, independent; NULL: as the settings say */
    uint64_t seed;
    char label[28];    /* as typed after `set schedule`, or "this GPU" */
    bool simulated;    /* on a simulator, also where the device is a GPU */
};

/* One run of one variant, as the lab is asked for it. */
struct trial {
    struct session *session;
    struct report *report;
    const struct lab_variant *variant;
    const struct schedule *schedule;
    bool trace, quiet, counts;     /* as in struct lab_launch */
    struct launch_result *result;  /* where its last launch is kept; NULL: nowhere */
};

/* What came out of it. */
struct attempt {
    bool right;      /* its answer checked */
    bool rounded_away; /* a float sum that is right by its bound, and of no use: see attempt_sum */
    double value, expected, error;
    const char *expected_words; /* where many values would be right: which; NULL: `expected` is */
    unsigned launches;
    bool has_counters;
    struct counters counters;
    double median_s, min_s, mean_s; /* of all its launches, on a GPU; 0 where it was not timed */
    const char *untimed; /* what its answer needs besides, "the host's additions"; NULL: nothing */
    uint64_t cost;      /* rows go from the highest to the lowest */
    uint64_t predicted; /* of the first column */
    bool has_predicted;
    uint64_t wrong; /* of an answer that is an array: how many elements are */
    char fault[24]; /* what stopped it or was found in it; else empty */
    char not_run[160]; /* why it can't be run so, "one block has at most 1,024"; else empty */
};
bool attempt_ok(const struct attempt *); /* right, and nothing was found */
/* Why this is no attempt at all, and nobody's failure: it can't be run so, or the card lacks an
 * instruction that the kernel needs. NULL: it is one. */
const char *attempt_closed(const struct attempt *);
/*
 * A float sum is right within its rounding bound. A long chain's bound promises nothing; where
 * then not even three digits are left of `magnitude`, the sum was rounded away: the kernel did as
 * it should, so nothing failed. A variant that is wrong on purpose has no such excuse.
 */
void attempt_sum(struct attempt *, const struct lab_variant *, double off, double bound,
                 double magnitude);
/* "right", "rounded away" or "WRONG", painted; "ok" and what else says so, to JSON. */
void attempt_say(const struct attempt *, struct report *, struct buf *out);
void attempt_put_ok(const struct attempt *, struct json *);
/* An answer that is an array: it is right where every element has the same bits (or is a NaN as
 * well); its value is the two-norm of the difference. */
void attempt_array(struct attempt *, const float *got, const float *expected, size_t n);

/* lab_launch, done as the trial says. Counts, times and the first fault are added to the attempt,
 * its cost too. -1: the report says why. */
int trial_launch(const struct trial *, const struct lab_launch *, struct attempt *,
                 const struct param *);
struct dot_job; /* dev/jobs.h */
/* The same for a dot product by cuBLAS; attempt->not_run: this device has none. */
int trial_dot(const struct trial *, const struct dot_job *, struct attempt *);

/* True, and why in not_run: this device has no managed memory, and variant `without` needs none. */
bool trial_lacks_managed(const struct trial *, const char *without, struct attempt *);

struct ladder_column {
    const char *head;
    size_t counter; /* its offset in struct counters */
};

/* An ARRAY's value is how far it is from what it should be, and `wrong` is its error. */
enum ladder_value { VALUE_F32, VALUE_F64, VALUE_INT, VALUE_ARRAY };

struct host_call;

struct ladder {
    struct session *session;
    struct report *report;
    const struct args *args;
    const struct lab_variant *variants;  /* end with a NULL name */
    bool all_unless_told;                /* without --variant: all of them */
    const char *file;                    /* help/FILE.txt */
    const char *value;                   /* what the answer is called: "area" */
    enum ladder_value kind;
    const char *order;                   /* over the table of all: what the rows go by */
    const struct ladder_column *columns; /* end with a NULL head */
    const struct host_call *calls;       /* of all variants, or the next one; may be NULL */
    const struct host_call *(*calls_of)(void *self, const struct lab_variant *);
    void *self;
    int (*attempt)(void *self, const struct trial *, struct attempt *); /* -1: report says why */
    /* The rest may be NULL. `head` is the line at the top, for all variants with NULL; -1: they
     * can't run so. `tell` is the answer, on the screen, `put` the same in "result". */
    int (*head)(void *self, const struct lab_variant *);
    void (*tell)(void *self, const struct lab_variant *, const struct attempt *);
    void (*put)(void *self, const struct lab_variant *, const struct attempt *);
    /* What the launch looked like: below a right one's answer; of a wrong one, below what was found
     * in the failure that is told in full, whose steps are traced. True: this is all there is to
     * see; false: a wrong one's first warp has its steps shown as well. */
    bool (*show)(void *self, const struct lab_variant *, const struct attempt *,
                 const struct launch_result *);
    /* What the explanation may name; of all with two NULLs. */
    void (*slots)(void *self, const struct lab_variant *, const struct attempt *, struct slots *);
    /* What the kernel is launched as, for --calls: "k<<<4, 256>>>"; NULL: KERNEL<<<B, T>>>. */
    void (*call)(void *self, const struct lab_variant *, char *out, size_t size);
    /* A column more in the table of all, as a figure from elsewhere; both or none. */
    const char *beside_head;
    const char *(*beside)(void *self, const struct lab_variant *, char out[NUM_TEXT]);
};

/* All that --variant, --calls, --repeat and --trace ask for. */
int ladder_run(const struct ladder *);

/* ---- its parts -------------------------------------------------------------------------- */

/*
 * `--variant all`: the right ones from the slowest to the fastest, then the wrong ones, each
 * under schedule after schedule until it fails. -1 if one isn't as documented.
 */
int ladder_all(const struct ladder *);
int ladder_one(const struct ladder *, const struct lab_variant *);
/* A wrong one alone, under every schedule, with what was found. Always ends with -1. */
int ladder_wrong(const struct ladder *, const struct lab_variant *);

/* One run, on a simulator set up for it where the schedule says so. */
int ladder_attempt(const struct ladder *, struct trial *, struct attempt *);
/* The same, quietly. A limit that stops it says nothing of the variant: -1. */
int ladder_try(const struct ladder *, const struct lab_variant *, const struct schedule *,
               struct attempt *);
/* What a wrong one is tried under, ends with a NULL name: a range that is set, or the usual. Free
 * it by mem_put, *room bytes. NULL: no memory, the report says so. */
struct schedule *ladder_schedules(const struct ladder *, size_t *room);
/* Did this attempt at a wrong one fail as its row says? */
bool ladder_fails_so(const struct lab_variant *, const struct attempt *);
const char *ladder_value_text(const struct ladder *, double, char out[NUM_TEXT]);
void ladder_put_value(const struct ladder *, struct json *, const struct attempt *);
/* Try, where a variant asks for more than the card has: the others. */
void ladder_try_others(const struct ladder *);
/* What stands beside the value: the head of that column, NULL: nothing does; and its text. */
const char *ladder_error_head(const struct ladder *);
const char *ladder_error_text(const struct ladder *, const struct attempt *, char out[NUM_TEXT]);

void ladder_explain(const struct ladder *, const struct lab_variant *, const struct attempt *,
                    const char *which); /* Why and Try */

/* What its table has beside the answers: counters; else times, where those may be shown. */
enum ladder_shows { LADDER_COUNTERS, LADDER_TIMES, LADDER_NEITHER };
enum ladder_shows ladder_shows(const struct ladder *);

/* ---- host calls ------------------------------------------------------------------------- */

/* The runtime calls that a lab's run stands for, in order. */
struct host_call {
    const char *call;  /* may hold one %s */
    const char *moves; /* "4 bytes to the device"; NULL: nothing */
    const char *waits; /* who waits for whom */
};
/* calls end with a NULL call; argument stands in for %s. Also "calls" in the result. */
void say_calls(struct report *, const struct host_call *calls, const char *argument);

#endif
