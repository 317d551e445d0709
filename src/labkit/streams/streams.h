/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs with streams, for labs: a list of calls (obs/streams.h) that is built, run on either
 * device, drawn, and told call by call.
 *
 * On a GPU the process there makes the calls, and where times may be shown they are measured. On
 * the simulator the kernels run for their results. When each operation begins and ends is modelled:
 * copies by the card's link, kernels by counted instructions and sectors and the peaks of the card.
 * What is done is done in the order of that timeline, so a missing wait gives a wrong result.
 */
#ifndef LABKIT_STREAMS_STREAMS_H
#define LABKIT_STREAMS_STREAMS_H

#include "dev/jobs.h"
#include "labkit/ladder/ladder.h"
#include "labkit/params.h"
#include "labkit/run.h"

/* What the model assumes and a student may change; a card's own link where `link` is 0. The others
 * begin as labkit/model.h has them. */
struct stream_assumed { double link, host_rate, call; }; /* GB/s, GB/s, us */
#define STREAM_ASSUMED(S, m)                                                                  \
    {.name = "link", BIND(S, m.link), .value = "GB/S", .type = ARG_REAL, .initial = "0",       \
     .help = "what the link moves in each direction; 0 is the peak of this card's link"},     \
    {.name = "host-rate", BIND(S, m.host_rate), .value = "GB/S", .type = ARG_REAL,             \
     .initial = "10", .help = "how fast the CPU copies pageable memory (assumed)"},           \
    {.name = "call", BIND(S, m.call), .value = "US", .type = ARG_REAL, .initial = "1",         \
     .help = "how long each call takes on the host (assumed)"}

struct streams_machine {
    struct stream_machine is;
    double link_gb_s, host_gb_s, call_us;
    bool link_assumed;    /* neither typed nor known */
    bool engines_assumed; /* how many copy engines the card has is not known */
};
/* -1: an assumption makes no sense, and the report says so. */
int streams_machine(struct streams_machine *, const struct stream_assumed *,
                    const struct device_props *, unsigned threads, struct report *);

struct streams {
    struct stream_plan plan;
    struct stream_op *ops; /* plan.count of them */
    size_t room;
    bool broken;           /* there was no memory, or the list is too long */
    const char *names[STREAM_ARRAYS];     /* "x" */
    uint32_t *data[STREAM_ARRAYS];        /* all that the host writes, or gets what it reads */
    /* What a run leaves: */
    struct stream_span *spans;
    bool measured;
    struct stream_race race; /* the first, where there are races */
    int64_t races;
    int32_t *with;           /* of each operation: as streams_races() has it */
};
void streams_free(struct streams *);
/* An array of the program: `size` elements on each side, `total` in data. Returns its number. */
uint32_t streams_array(struct streams *, const char *name, enum host_memory, uint64_t size,
                       uint32_t *data, uint64_t total);
/* Appends an operation. */
void streams_add(struct streams *, struct stream_op);
uint32_t streams_event(struct streams *); /* a new one */

/* The program's kernel. Its first parameters are the arrays, then the number of elements. */
struct streams_kernel {
    struct lab_launch launch; /* the grid is each operation's own */
    const struct param *params;
    uint64_t instructions, load_sectors, store_sectors; /* of a whole block, counted */
};
/* Counts what one block does. -1: the report says why. */
int streams_count(struct streams_kernel *, const struct streams *, const struct trial *);
/* Sets how long each kernel takes on this machine. */
void streams_time_kernels(struct streams *, const struct streams_kernel *,
                          const struct streams_machine *, const struct device_props *);

/* The timeline and the races alone. -1: the report says why. */
int streams_lay_out(struct streams *, const struct streams_machine *, uint64_t seed,
                    struct report *);
/* The program as the trial says. Afterwards `data` of the arrays that the host reads has what it
 * found, and got->cost is the modelled time. -1: the report says why; else look at got->not_run and
 * got->fault. */
int streams_run(struct streams *, const struct streams_kernel *, const struct streams_machine *,
                const struct trial *, struct attempt *got);

double streams_us(const struct streams *); /* from the first call to the end of all */
/* How much of that time copies in, copies out and kernels were under way. */
struct streams_use { double in, out, kernels; };
struct streams_use streams_use(const struct streams *);

/* A row for the host and one for each stream, over time. */
void say_streams(const struct streams *, struct report *);
/* A row for copies in each direction and one for kernels: which stream each works for. Nothing where
 * there are more streams than letters. */
void say_stream_engines(const struct streams *, struct report *);
void put_streams(const struct streams *, struct json *); /* the same as "timeline" */
/* The calls as a section of the help has them (labkit/lab.h), after `before` calls. */
void streams_calls(const struct streams *, const struct streams_kernel *, unsigned before,
                   struct buf *);
/* Is there a race? Then `out` has what nothing orders: "the kernel from 0 on, in s2, wait for the copy
 * of hx to dx from 0 on, in s1". */
bool streams_find_race(const struct streams *, char *out, size_t size);

#endif
