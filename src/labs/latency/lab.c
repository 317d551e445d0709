/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * latency: how long one load takes, from each kind of memory, by a chase in which every load
 * waits for the one before it. A GPU measures it with its clock; the
 * simulator keeps no time and counts the loads. The screen also has what others say, each with
 * machine and year.
 */
#include "labs/latency/say.h"
#include "labs/latency/work.h"
#include "labkit/lab.h"

/* From far to near. */
static const struct lab_variant variants[] = {
    {"global", "chase_l2", "a ring larger than L2: each step goes to far memory",
     .tag = CHASE_GLOBAL},
    {"l2", "chase_l2", "a ring that L2 holds, past L1", .tag = CHASE_L2},
    {"constant-miss", "chase_constant", "each step a line of constant memory not read before",
     .tag = CHASE_CONSTANT_MISS},
    {"l1", "chase_l1", "a ring that L1 holds", .tag = CHASE_L1},
    {"constant", "chase_constant", "a ring that the constant cache holds", .tag = CHASE_CONSTANT},
    {"shared", "chase_shared", "a ring in shared memory", .tag = CHASE_SHARED},
    {"register", "chase_register", "no memory: multiply-adds that wait for one another",
     .tag = CHASE_REGISTER},
    {0},
};

static const char *const orders[] = {"random", "forward", NULL};
static const struct arg_spec options[] = {
    {OPTION(struct latency_options, steps), .type = ARG_INT, .lo = 1, .hi = 1 << 22,
     .help = "steps that are timed and counted; 1024, or each place of a miss once, if not given"},
    {OPTION(struct latency_options, bytes), .type = ARG_INT, .lo = 4, .hi = 1 << 30,
     .help = "how long the ring is, of one level"},
    {OPTION(struct latency_options, stride), .value = "BYTES", .type = ARG_INT, .lo = 4,
     .hi = 1 << 20, .help = "from one place of the ring to the next one in memory"},
    {OPTION(struct latency_options, order), .type = ARG_CHOICE, .choices = orders,
     .initial = "random", .help = "in which order the places are met"},
    {0},
};

static const struct lab lab = {
    .module = "latency",
    .takes = TAKES_VARIANT | TAKES_SEED | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
};

/* Without --variant all levels are shown: what matters is how they differ. */
static int run(struct session *s, const void *given, struct report *r)
{
    const struct latency_options *o = given;
    const struct lab_variant *v = lab_variant_named(&lab, o->lab.variant);
    if (o->lab.calls)
        return latency_calls(s, v ? v : variants, r);
    if (!v || !o->lab.variant_given)
        return latency_all(s, o, variants, r);
    return latency_one(s, o, v, r);
}

const struct command lab_latency = {
    .name = "latency",
    .kind = CLASS_LAB,
    .summary = "how long a load takes, from each memory",
    .options = options,
    .size = sizeof(struct latency_options),
    .lab = &lab,
    .run = run,
};
