/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes that mpirun started together, as one of them sees them. Each is a rank. All ranks
 * read the same commands. A command that shares its work among them has them meet: there each tells
 * the others how its share went. Rank 0 alone speaks and writes files.
 *
 * Ranks may come to different commands, for example when one could not read a script. They notice
 * when they meet, and meet no more. So none waits for one that never comes. This file knows no MPI:
 * src/mpi has the calls.
 */
#ifndef SESSION_TEAM_H
#define SESSION_TEAM_H

#include "base/err.h"
#include "base/go-on.h"
#include <stdbool.h>
#include <stddef.h>

enum { TEAM_MOST = 4096, TEAM_AT = 120, TEAM_KIND = 24, TEAM_TEXT = 240, TEAM_VALUES = 8 };

/* What a rank tells all others when they meet. */
struct team_word {
    char at[TEAM_AT];     /* the command it is at; "" at the end of the session */
    int status;           /* 0: all went well */
    char kind[TEAM_KIND]; /* else of a fault, and what is wrong */
    char text[TEAM_TEXT];
    double value[TEAM_VALUES]; /* the command's own */
};

struct team {
    const struct team_ops *ops;
    unsigned rank, size;
    unsigned local, locals; /* on this computer, a node */
    unsigned node, nodes;
    bool apart;             /* they were at different commands */
    bool given_up;          /* this rank no longer waits for the others */
    char complaint[TEAM_TEXT]; /* the first error of a rank that does not speak */
};

/* What an engine of MPI does. Functions that wait ask go_on, and return -1 when it says no. */
struct team_ops {
    int (*join)(struct team *, struct err *);
    int (*gather)(const struct team *, const struct team_word *mine, struct team_word *all,
                  const struct go_on *, struct err *);
    int (*add)(double *value, const struct go_on *, struct err *); /* those of all ranks */
    void (*leave)(void);
    void (*end_all)(int status); /* ends all ranks at once */
};

/* How many processes mpirun has started, by the environment; 1 where there was no mpirun. */
unsigned team_started(void);
/* Does this process speak and write files? team NULL: there is no other. */
static inline bool team_speaks(const struct team *t)
{
    return !t || t->rank == 0;
}

/* All ranks come together, and each gets the words of all. -1: they don't; the error says why. */
int team_meet(struct team *, const struct team_word *mine, struct team_word *all,
              const struct go_on *, struct err *);
void team_note(struct team *, const char *complaint); /* keeps the first one; NULL: no team */
/* The device of a rank, where `spec` leaves the choice: GPU number (local rank mod count). */
const char *team_device(const struct team *, const char *spec, char chosen[16]);
/* The last meeting. `status` is what this process would end with. Returns what it ends with; where
 * another rank failed and this one speaks, says[] gets a sentence. */
int team_end(struct team *, int status, const struct go_on *, char says[TEAM_TEXT + 40]);

#endif
