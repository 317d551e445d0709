/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What labs with several variants share. A lab says in a const struct ladder how one variant runs
 * once and what is told of it. Which variants run, how often and under which schedules, the table
 * of `--variant all`, what the checkers find in a variant that is wrong on purpose, the host calls
 * of `--calls`, verdicts and JSON are made here, so that all labs read alike.
 */
#ifndef LABKIT_LADDER_H
#define LABKIT_LADDER_H

#include "command/variants.h"
#include "dev/model.h"
#include "labkit/params.h"
#include "screen/facts.h"
#include <stddef.h>

struct buf;
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
    struct model_time model; /* of all its launches, on the simulator; */
    unsigned modelled;       /* how many of them have one */
    bool has_model;          /* all of them */
    double median_s, min_s, mean_s; /* of all its launches together, on a GPU; 0: not timed */
    unsigned runs; /* that these times are of */
    const char *untimed; /* what its answer needs besides, "the host's additions"; NULL: nothing */
    uint64_t cost;      /* rows go from the highest to the lowest: the modelled time, where known */
    uint64_t predicted; /* of the first column */
    bool has_predicted;
    uint64_t wrong; /* of an answer that is an array: how many elements are */
    char fault[24]; /* what stopped it or was found in it; else empty */
    bool fault_ends;       /* it ended the launch: a fault; else a finding */
    struct fault_place at; /* where that was; file is empty if it is not known */
    char not_run[160]; /* why it can't be run so, "one block has at most 1,024"; else empty */
    /* The ladder fills in these: */
    bool ok;                /* right, and nothing was found */
    float value_f32;        /* the value, where it is a float */
    struct verdict verdict; /* "right", "rounded away" or "WRONG" */
};
bool attempt_ok(const struct attempt *); /* right, and nothing was found */
/* Why it could not be tried, which is no failure: it can't be run so, or the card lacks an
 * instruction that the kernel needs. NULL: it could. */
const char *attempt_closed(const struct attempt *);
/* Of a float sum, by sum_verdict(). Where it was rounded away, the kernel did as it should, so
 * nothing failed. A variant that is wrong on purpose has no such excuse. */
void attempt_sum(struct attempt *, const struct lab_variant *, double off, double bound,
                 double magnitude);
/* An answer that is an array: it is right where every element has the same bits (or is a NaN as
 * well); its value is the two-norm of the difference. */
void attempt_array(struct attempt *, const float *got, const float *expected, size_t n);

/* lab_launch, done as the trial says. Counts, times and the first fault are added to the attempt,
 * its cost too. -1: the report says why. */
int trial_launch(const struct trial *, const struct lab_launch *, struct attempt *,
                 const struct param *);
/* What it adds to the attempt, of a launch that was made otherwise. */
void trial_note(const struct trial *, struct launch_result *, struct attempt *);
struct dot_job; /* dev/jobs.h */
struct product_job;
struct random_job;
/* The same for a dot product or a product of matrices by cuBLAS, or random numbers by cuRAND;
 * attempt->not_run: this device hasn't that library. */
int trial_dot(const struct trial *, const struct dot_job *, struct attempt *);
int trial_product(const struct trial *, const struct product_job *, struct attempt *);
int trial_random(const struct trial *, const struct random_job *, struct attempt *);

/* Are the launches of this trial to be timed? Then they are kept from now on. trial_times() is called
 * after the last of them, with what they came to: it times them all together, and forgets them. */
bool trial_keeps(const struct trial *);
int trial_times(const struct trial *, int failed, struct attempt *);

/* True, and why in not_run: this device has no managed memory, and variant `without` needs none. */
bool trial_lacks_managed(const struct trial *, const char *without, struct attempt *);

struct ladder_column {
    const char *head;
    size_t counter; /* its offset in struct counters */
};

/*
 * What a lab says of itself. Its hooks get the struct of the lab, which begins with a struct
 * lab_run, and its facts describe this struct.
 */
struct ladder {
    const char *value; /* what the answer is called: "area" */
    enum ladder_value { VALUE_F32, VALUE_INT, VALUE_ARRAY } kind; /* an array's is its two-norm */
    const char *order;    /* over the table of all: what the rows go by; may be NULL */
    const struct ladder_column *columns; /* end with a NULL head */
    /* Texts with slots: the line at the top for one variant and for all of them. */
    const char *head, *head_of_all;
    /* A column more in the table of all, and its text; NULL: there is none. */
    const char *beside_head, *beside;
    bool own_times; /* the answer tells what all takes: the time of the kernels alone is not shown */
    /* Facts that hold for all variants, whose lines stand below the head; those of one; and what
     * else the texts may name. May be NULL, but for `facts`. */
    const struct fact *task, *facts, *words;
    int (*attempt)(void *self, const struct trial *, struct attempt *); /* -1: report says why */
    /*
     * Fill in what the facts say of a variant, or of all of them with NULL: what is known before an
     * attempt, and again after it, with `got` of struct lab_run. -1: it can't run so, and the
     * report says why.
     */
    int (*find)(void *self, const struct lab_variant *);
    /* May be NULL. What the launch looked like: below a right one's answer; of a wrong one, below
     * what was found in the failure that is told in full, whose steps are traced. True: this is all
     * there is to see; false: a wrong one's first warp has its steps shown as well. */
    bool (*show)(void *self, const struct lab_variant *, const struct launch_result *);
    /* May be NULL: then the help has them. The calls of `--calls`, as a section of the help has
     * them (labkit/lab.h). -1: the report says why. */
    int (*calls)(void *self, const struct lab_variant *, struct buf *);
};

/* One command at work. The struct of a lab begins with it. */
struct lab_run {
    struct session *session;
    struct report *report;
    const struct lab_options *options;
    const struct lab *lab;
    const struct ladder *ladder; /* ladder_run() fills in this and the rest */
    const char *variant, *kernel; /* the names of what the facts are about */
    const char *calls;            /* the section of the help that has its host calls */
    const char *why;              /* and the one that explains a right one; ->find may set it */
    unsigned runs;                /* of each variant that is timed */
    bool cut_short;               /* some variant took so long that it ran less often */
    int major, minor, limit;      /* compute capability; threads that a block can have */
    struct attempt got;           /* all 0 before there is one */
    const struct schedule *shown; /* of the failure that ->show draws; else NULL */
};

/* Rows of the facts of most labs. */
#define FACT_VARIANT {FACT(struct lab_run, variant)}
#define FACT_OK                                                        \
    {.name = "ok", FACT_AT(struct lab_run, got.ok)},                   \
    {.name = "rounded_away", FACT_AT(struct lab_run, got.rounded_away), .if_set = true}

/* Does the command run all variants? */
bool lab_runs_all(const struct lab_options *);
/* All that --variant, --calls, --repeat and --trace ask for. -1: the report says why. */
int ladder_run(const struct ladder *, struct lab_run *);

/* ---- its parts -------------------------------------------------------------------------- */

/*
 * `--variant all`: the right ones from the slowest to the fastest, then the wrong ones, each
 * under schedule after schedule until it fails. -1 if one isn't as documented.
 */
int ladder_all(struct lab_run *);
/* A wrong one alone, under every schedule, with what was found. Always ends with -1. */
int ladder_wrong(struct lab_run *, const struct lab_variant *);

/* One run, on a simulator set up for it where the schedule says so. */
int ladder_attempt(struct lab_run *, struct trial *, struct attempt *);
/* The same, quietly. A limit that stops it says nothing of the variant: -1. */
int ladder_try(struct lab_run *, const struct lab_variant *, const struct schedule *,
               struct attempt *);
/* What a wrong one is tried under, ends with a NULL name: a range that is set, or the usual. Free
 * it by mem_free, *room bytes. NULL: no memory, the report says so. */
struct schedule *ladder_schedules(const struct lab_run *, uint64_t *room);
/* Did this attempt at a wrong one fail as its row says? */
bool ladder_fails_so(const struct lab_variant *, const struct attempt *);

/* The facts of a variant and an attempt, as struct ladder has it. */
int ladder_find(struct lab_run *, const struct lab_variant *, const struct attempt *);
void ladder_slots(struct lab_run *, struct slots *); /* all facts */
void ladder_say(struct lab_run *, const struct fact *); /* a table's lines, with all slots */
void ladder_text(struct lab_run *, const char *with_slots, struct buf *out);
int ladder_head(struct lab_run *, const struct lab_variant *); /* the line at the top */
/* Writes all that was found to "result". -1: it failed, and the report says why. */
int ladder_json(struct lab_run *, const struct lab_variant *, const struct attempt *);
/* Why and Try. */
void ladder_explain(struct lab_run *, const char *which);
/* Try, where a variant asks for more than the card has: the others. */
void ladder_try_others(const struct lab_run *);

/* Value and error as facts of a struct that has a struct attempt at this place. How many. */
enum { LADDER_VALUES = 2 };
unsigned ladder_value_facts(const struct ladder *, size_t at, struct fact out[LADDER_VALUES]);
const char *ladder_value_text(const struct ladder *, double, char out[NUM_TEXT]);

/* What its table has beside the answers: counters; else times, where those may be shown. */
enum ladder_shows { LADDER_COUNTERS, LADDER_TIMES, LADDER_NEITHER };
enum ladder_shows ladder_shows(const struct lab_run *);

#endif
