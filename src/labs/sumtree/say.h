/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the sumtree lab shows: the values and their order, and the facts of its variants.
 */
#ifndef LABS_SUMTREE_SAY_H
#define LABS_SUMTREE_SAY_H

#include "command/command.h"
#include "labs/sumtree/work.h"

struct sumtree_options {
    struct lab_options lab;
    int n;
    const char *order, *fill; /* NULL: not typed */
};

struct sumtree {
    struct lab_run run;
    const struct sumtree_options *options;
    struct adding_task task, book; /* as asked; with the textbook's values */
    struct adding last;            /* what the device left */
    /* What the facts say: */
    struct adding_task now;        /* one of these two */
    const char *fill;
    enum adding_way way;
    bool linear, halves;           /* halves: it goes in steps */
    int steps, tree, in_a_row, in_all;
};

/* -1: the report says why. */
int sumtree_open(struct sumtree *);
extern const struct ladder sumtree_ladder;

#endif
