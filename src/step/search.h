/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stepper.c and search.c share: a stepper, and a search for the place that a move leads to.
 * This header is for src/step/ alone.
 */
#ifndef STEP_SEARCH_H
#define STEP_SEARCH_H

#include "sim/travel.h"
#include "step/stepper.h"

enum { STEP_POINTS = 64, STEP_STRETCH = 1 << 21 /* instructions between two looks at Ctrl-C */ };

/* An event as the searches see it. */
struct step_event {
    enum step_event_kind { EVENT_COMES, EVENT_PARTED, EVENT_CAME, EVENT_ACCESS } kind;
    const struct sim_at *at;
    const struct sim_access *access;
    uint32_t active; /* of the lanes that come to an instruction, those that execute it */
};

/* A breakpoint or watched memory. */
struct step_point {
    int number, line; /* line 0: memory */
    bool shared;
    uint64_t block, address, bytes;
    step_condition *condition;
    void *self;
};

/* Does an event fit what is searched? */
typedef bool step_fits(const struct stepper *, const struct step_event *);

struct step_search {
    step_fits *fits;  /* NULL: only points do */
    bool after;       /* it leads to behind the instruction */
    bool with_points; /* a breakpoint or a watched access ends it as well, */
    bool to_lane_end; /* and so does the end of the lane in focus */
    bool back;
    bool or_end; /* where nothing fits, the launch goes to its end or its begin */
};

struct stepper {
    struct sim *sim;
    struct sim_launch launch;
    void *params; /* a copy, of param_bytes */
    struct sim_travel *travel;
    struct sim_observer observer;
    struct go_on goes_on;
    uint64_t left_at;                       /* while other observers see the launch */
    struct sim_choice choices[SIM_CHOICES]; /* of it */
    unsigned choice_count;
    struct step_focus focus;
    struct step_point points[STEP_POINTS];
    int point_count, numbers, at_point;
    struct step_shape shape;
    struct step_access access;
    uint64_t access_place; /* of the instruction that made it; 0: none */
    /* The search. */
    struct step_search search;
    bool searches;
    int line;             /* that fits, or from which it goes away */
    unsigned depth;       /* calls that the lane in focus is in, where it must return from one */
    uint64_t from, until; /* of the places that count */
    bool enough, found;
    unsigned asked;          /* conditions, since the last look at Ctrl-C */
    struct step_focus where; /* of what was found, */
    const struct sim_instruction *code; /* and its instruction */
    uint64_t place;
    int point;
    const struct sim_instruction *last; /* of the lane in focus, in this stretch */
};

extern const struct sim_hooks step_hooks; /* of the observer */

/* Goes where the search leads. Without success the launch stays where it was, or goes to its end or
 * its begin. */
enum step_stop step_move(struct stepper *, struct step_search);
enum step_stop step_go_to(struct stepper *, uint64_t place);
/* After a jump: where no lane of the warp in focus is running any more, the focus goes to the warp
 * that executed the last instruction. */
enum step_stop step_follow(struct stepper *);
bool step_is_return(const struct sim_instruction *);
unsigned step_depth(const struct stepper *); /* the calls that the lane in focus is in */
bool step_is_stopped(const struct stepper *); /* by Ctrl-C */

bool step_of_warp(const struct stepper *, const struct sim_at *); /* in focus */
bool step_of_lane(const struct stepper *, const struct sim_at *);
/* Is it the first one of the instructions that stand together and are of its line? */
bool step_begins_line(const struct sim_instruction *, uint32_t pc);

#endif
