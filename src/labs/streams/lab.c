/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * streams: a sum of vectors that is copied and computed all at once, in frames, and in frames with
 * streams; small kernels that run at once; and programs that forget a wait. What there is to choose
 * from; the programs are in labs/streams/programs.c.
 */
#include "labs/streams/work.h"

#include <string.h>

static const struct lab_variant variants[] = {
    {"streams", "streams_add", "each frame in its stream: copies, kernel, copy back",
     .tag = IN_DEPTH},
    {"breadth", "streams_add", "the copies of all streams, then the kernels, then the copies back",
     .tag = IN_BREADTH},
    {"synced", "streams_add", "the same, with a wait for all streams before the copies back",
     .tag = IN_BREADTH | WAITS_BETWEEN},
    {"pageable", "streams_add", "with streams, but from and to memory of malloc",
     .tag = IN_DEPTH | FROM_PAGEABLE},
    {"frames", "streams_add", "frame by frame, without streams", .tag = ONE_BY_ONE},
    {"once", "streams_add", "everything at once, without streams", .tag = AT_ONCE},
    {"pipeline", "streams_add", "a stream for each kind of work, with events between them",
     .tag = BY_KIND},
    {"concurrent", "streams_add", "copied once; a small kernel for each frame, in streams",
     .tag = KERNELS},
    {"onestream", "streams_add", "the same small kernels, in one stream",
     .tag = KERNELS | ONE_STREAM},
    {"nosync", "streams_add", "the host reads z and waits for no stream", "streams", NULL,
     IN_DEPTH | WAITS_NOT},
    {"onewait", "streams_add", "the host waits for the first stream only", "streams", NULL,
     IN_DEPTH | WAITS_FOR_ONE},
    {"noevent", "streams_add", "pipeline without its events", "pipeline", NULL,
     BY_KIND | NO_EVENTS},
    {0},
};

enum { MOST_N = 1 << 24, MOST_STREAMS = 32, MOST_FRAMES = 256, MOST_ROUNDS = 100000 };
enum { MOST_WORK = 1 << 26, SMALL_N = 4096, SMALL_ROUNDS = 2000 };

static const struct arg_spec options[] = {
    {OPTION(struct streams_options, n), GIVEN(struct streams_options, n), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = MOST_N, .initial = "2^18",
     .initial_but = "4096 for concurrent and onestream", .help = "elements of each vector"},
    {OPTION(struct streams_options, streams), .value = "S", .type = ARG_INT, .lo = 1,
     .hi = MOST_STREAMS, .initial = "4", .help = "the number of streams"},
    {OPTION(struct streams_options, frames), .value = "F", .type = ARG_INT, .lo = 1,
     .hi = MOST_FRAMES, .initial = "8", .help = "parts of the vectors"},
    {OPTION(struct streams_options, rounds), GIVEN(struct streams_options, rounds), .value = "R",
     .type = ARG_INT, .lo = 0, .hi = MOST_ROUNDS, .initial = "0",
     .initial_but = "2000 for concurrent and onestream",
     .help = "rounds of work with each sum: they make the kernel longer"},
    STREAM_ASSUMED(struct streams_options, assumed),
    {0},
};

static const struct lab lab = {
    .module = "streams",
    .takes = TAKES_LADDER | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

/* Small kernels that take long show best what runs at once. */
static void choose_sizes(struct streams_lab *w)
{
    const struct streams_options *o = w->options;
    const struct lab_variant *v = lab_variant_named(&lab, o->lab.variant);
    w->small = v && (v->tag & STREAMS_PROGRAM) == KERNELS;
    w->n = w->small && !o->n_given ? SMALL_N : o->n;
    w->rounds = w->small && !o->rounds_given ? SMALL_ROUNDS : o->rounds;
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct streams_options *o = given;
    struct streams_lab w = {.run = {s, r, &o->lab, &lab}, .options = o};
    const uint64_t seed = lab_seed(s, &o->lab);
    choose_sizes(&w);
    const size_t bytes = (size_t)w.n * sizeof *w.x;
    if ((int64_t)w.n * (w.rounds + 1) > MOST_WORK)
        return report_fail(r, "%d elements with %d rounds each take too long; with this n at most "
                              "--rounds %d are possible", w.n, w.rounds, MOST_WORK / w.n - 1);
    if (streams_machine(&w.machine, &o->assumed, &s->device->props,
                        o->lab.threads ? (unsigned)o->lab.threads : 256, r))
        return -1;
    w.x = mem_alloc(&allocator_libc, bytes);
    w.y = mem_alloc(&allocator_libc, bytes);
    w.z = mem_alloc(&allocator_libc, bytes);
    int failed = w.x && w.y && w.z ? 0 : report_fail_limit(r, "out of memory; take a smaller n");
    for (int i = 0; i < w.n && !failed; i++) {
        w.x[i] = lab_drawn(seed, 2 * (uint32_t)i);
        w.y[i] = lab_drawn(seed, 2 * (uint32_t)i + 1);
    }
    if (!failed && !o->lab.calls)
        failed = streams_compare(&w);
    if (!failed)
        failed = ladder_run(&streams_ladder, &w.run);
    streams_free(&w.streams);
    mem_free(&allocator_libc, w.x, bytes);
    mem_free(&allocator_libc, w.y, bytes);
    mem_free(&allocator_libc, w.z, bytes);
    return failed ? -1 : 0;
}

const struct command lab_streams = {
    LAB_COMMAND(struct streams_options),
    .name = "streams",
    .summary = "copies and kernels at the same time, and which work waits for which",
    .options = options,
};
