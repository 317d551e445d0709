/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What comes before what. The host and each stream have a clock, which has for each stream the
 * number of its last operation that comes before. An operation keeps the clock of its stream.
 *
 * Two operations have an order if the clock of the one with the higher number has the other one.
 * Else a device may do them at the same time, in whichever order they were done here. If both use
 * the same bytes and one of them writes there, that is a mistake.
 */
#ifndef RUN_ORDER_H
#define RUN_ORDER_H

#include "dev/device.h"
#include "run/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run;

struct run_clock { /* {0} has nothing */
    size_t *last;
    unsigned streams;
};

/* Which operation, and what comes before it. */
struct run_stamp {
    size_t number;
    unsigned stream;
    bool of_graph; /* a node of a graph: it shares its stream with others that come before */
    struct run_clock clock;
};

/* False: memory is out. */
bool run_clock_add(struct run_clock *, unsigned stream, size_t number);
bool run_clock_join(struct run_clock *, const struct run_clock *);
void run_clock_free(struct run_clock *);
bool run_clock_has(const struct run_clock *, unsigned stream, size_t number);
bool run_stamps_ordered(const struct run_stamp *, const struct run_stamp *);

/* An operation that is done, and that others may have no order with. */
struct run_done {
    struct run_stamp stamp;
    struct run_message message;
    struct touched touched;
    unsigned first_fault, end_fault; /* those of the report that came with it */
    uint64_t low, high; /* all bytes that it has touched lie from low to below high */
};

/* Is one of the operations that are done without an order with this one? */
bool run_order_meets(const struct run *, const struct run_stamp *);
/* The operation is done. Takes what it has touched, and compares that with the others. The faults of
 * the report from `first_fault` on came with it. */
void run_order_done(struct run *, const struct run_stamp *, const struct run_message *,
                    struct touched *, unsigned first_fault);
/* Drops what nothing to come can meet. */
void run_order_shorten(struct run *);
void run_order_forget(struct run *);

/* A function of the host is about to be called. The pages that it must not use yet are closed. */
void run_order_close(struct run *, const struct run_stamp *);
void run_order_open(struct run *, const struct run_stamp *);
/* The function touches this byte. Returns how the page has to be closed again: PROT_... */
int run_order_touched(struct run *, const struct run_stamp *, const struct run_message *);

#endif
