/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This model computes the time that a card would need for a launch, from what the simulator counts.
 * Each part of the card that has work gets a time, as if it were alone. The launch takes a little longer
 * than the longest of them, since the parts do not overlap perfectly.
 *
 * These times are always called modelled. The formulas are in model.c, the numbers in model.def.
 */
#ifndef DEV_MODEL_H
#define DEV_MODEL_H

#include "dev/cards.h"
#include "obs/cost.h"
#include "obs/count.h"

enum model_part {
#define PART(name, label, says) MODEL_##name,
#include "dev/model.def"
    MODEL_PARTS
};
struct model_part_name { const char *name, *says; };
extern const struct model_part_name model_part_names[MODEL_PARTS];

/* A launch, as far as its time depends on it. How many registers its threads have is not known: ptxas
 * decides that, and a modelled time is the same on computers without ptxas. */
struct model_launch {
    unsigned threads;       /* of a block */
    uint64_t blocks;
    uint64_t shared_bytes;  /* of a block */
    bool follows;           /* another launch of the same program went before */
};

struct model_time {
    double seconds;
    double part[MODEL_PARTS]; /* seconds, each as if it were alone */
    enum model_part bound;    /* the longest of them */
    unsigned blocks_per_sm;
};

struct cost_card model_card(const struct device_props *, const struct model_launch *);
struct model_time model_time(const struct device_props *, const struct model_launch *,
                             const struct counters *, const struct launch_cost *);
/* The time that its parts give, after one of them was changed. */
void model_combine(struct model_time *);
void model_add(struct model_time *to, const struct model_time *); /* one launch after the other */
/* Has the card all figures that the model needs? */
bool model_knows(const struct device_props *);
/* Were its constants measured on such a card? For others they are scaled. */
bool model_is_sure(const struct device_props *);

#endif
