/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Up to 32 threads that add up one value each, step by step: the rule of each way in plain C,
 * one run of kernels/sumtree.cu held against it, and the picture of its steps.
 */
#ifndef LABS_SUMTREE_WORK_H
#define LABS_SUMTREE_WORK_H

#include "labkit/ladder/ladder.h"

enum { ADDING_MOST = 32, ADDING_STEPS = 5, ADDING_NOBODY = -1 };
enum adding_way { ADD_LINEAR, ADD_TREE, ADD_SHUFFLE, ADD_DISSEMINATION, ADD_BUTTERFLY };

/* What there is to add, and in which order where they go one by one. */
struct adding_task {
    int n, first;               /* threads; the first one that has a value */
    float start;                /* what the total begins with */
    float value[ADDING_MOST];
    int order[ADDING_MOST];     /* the thread whose turn it is */
};

/* What came of it, by the rule or by the device. */
struct adding {
    int steps;                  /* 0 where they go one by one */
    float after[ADDING_STEPS + 1][ADDING_MOST];
    int source[ADDING_STEPS + 1][ADDING_MOST];
    float before[ADDING_MOST];  /* the total that the t-th one found */
    float total;
};

bool adding_takes(enum adding_way, int n); /* all but two ways halve a power of two */
int adding_steps(int n);                   /* halvings until one is left */
int adding_in_a_row(enum adding_way, int n); /* additions that wait for one another */
int adding_in_all(enum adding_way, const struct adding *, int n);

/* One run of v->kernel. -1: the report says why. */
int adding_run(enum adding_way, const struct adding_task *, const struct trial *, struct adding *,
               struct attempt *);

void adding_draw(enum adding_way, const struct adding_task *, const struct adding *,
                 struct report *);
void adding_put(enum adding_way, const struct adding_task *, const struct adding *,
                struct json *);

#endif
