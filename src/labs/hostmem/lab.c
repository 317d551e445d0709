/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hostmem: pageable, pinned and mapped memory of the host, in both directions. What there is to
 * choose from; the programs are in labs/hostmem/work.c.
 */
#include "labs/hostmem/work.h"

static const struct lab_variant variants[] = {
    {"pageable", "hostmem_work", "copies from and to memory of malloc", .tag = BUFFER_PAGEABLE},
    {"pinned", "hostmem_work", "copies from and to pinned memory", .tag = BUFFER_PINNED},
    {"mapped", "hostmem_work", "no copies: the kernel reaches the host's memory",
     .tag = BUFFER_MAPPED},
    {"async", "hostmem_work", "two buffers: the host writes one while the device uses the other",
     .tag = BUFFER_PINNED | HOSTMEM_ASYNC | HOSTMEM_TWO},
    {"reuse", "hostmem_work", "the host writes the next batch into the buffer of a running copy",
     "async", NULL, BUFFER_PINNED | HOSTMEM_ASYNC},
    {"nosync", "hostmem_work", "the host reads mapped memory and does not wait", "mapped", NULL,
     BUFFER_MAPPED | HOSTMEM_HASTY},
    {0},
};

enum { MOST_N = 1 << 22, MOST_BATCHES = 256, MOST_PASSES = 4096, MOST_WORK = 1 << 26 };

static const struct arg_spec options[] = {
    {OPTION(struct hostmem_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_N,
     .initial = "65536", .help = "elements of a batch"},
    {OPTION(struct hostmem_options, batches), .value = "B", .type = ARG_INT, .lo = 1,
     .hi = MOST_BATCHES, .initial = "3", .help = "the number of batches"},
    {OPTION(struct hostmem_options, passes), .value = "P", .type = ARG_INT, .lo = 1,
     .hi = MOST_PASSES, .initial = "8", .help = "how often the kernel reads each element"},
    STREAM_ASSUMED(struct hostmem_options, assumed),
    {0},
};

static const struct lab lab = {
    .module = "hostmem",
    .takes = TAKES_LADDER | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct hostmem_options *o = given;
    struct hostmem w = {.run = {s, r, &o->lab, &lab}, .options = o, .n = o->n,
                        .batches = o->batches, .passes = o->passes};
    const size_t total = (size_t)o->n * (size_t)o->batches, bytes = total * sizeof *w.x;
    const uint64_t seed = lab_seed(s, &o->lab);
    if ((double)total * o->passes > MOST_WORK)
        return report_fail(r, "%d batches of %d elements that are read %d times are more than %d "
                              "reads; take fewer passes, fewer batches or a smaller n",
                           o->batches, o->n, o->passes, MOST_WORK);
    if (streams_machine(&w.machine, &o->assumed, &s->device->props,
                        o->lab.threads ? (unsigned)o->lab.threads : 256, r))
        return -1;
    w.machine.is.touch_mb_s = w.machine.is.host_mb_s;
    w.x = mem_alloc(&allocator_libc, bytes);
    w.z = mem_alloc(&allocator_libc, bytes);
    int failed = w.x && w.z ? 0 : report_fail_limit(r, "out of memory; take a smaller n");
    for (size_t i = 0; i < total && !failed; i++)
        w.x[i] = lab_drawn(seed, (uint32_t)i);
    if (!failed && !o->lab.calls)
        failed = hostmem_compare(&w);
    if (!failed)
        failed = ladder_run(&hostmem_ladder, &w.run);
    hostmem_close(&w);
    mem_free(&allocator_libc, w.x, bytes);
    mem_free(&allocator_libc, w.z, bytes);
    return failed ? -1 : 0;
}

const struct command lab_hostmem = {
    LAB_COMMAND(struct hostmem_options),
    .name = "hostmem",
    .summary = "pageable, pinned and mapped memory of the host, and what copies cost",
    .options = options,
};
