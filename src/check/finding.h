/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a checker found in a launch: one finding for each kind and pair of source lines, the
 * first case in full and a count of all, in the order in which they first came. While the launch
 * runs, the two orders of a pair of lines are two findings. At its end they are merged if one cure
 * removes both.
 *
 * A kernel that races does so a million times; counting one more of a known pair is cheap, and
 * the sentence about it is made once.
 */
#ifndef CHECK_FINDING_H
#define CHECK_FINDING_H

#include "base/mem.h"
#include "sim/sim.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct finding;

/* A kind of fault that a checker finds. */
struct finding_kind {
    const char *name; /* "race-shared" */
    /* What removes it, by numbers that the checker has: the first where it says nothing. NULL: that
     * isn't known. */
    const char *const *cures;
    /* Does another finding tell the same mistake as this one of its own? NULL: none does. */
    bool (*told_by)(const struct finding *own, const struct finding *other);
};

/* Where a barrier is missing: between two lines; between what one line reads and what it writes; at
 * the end of a loop's body; at the end of a function that is called again. Or what an atomic operation has to do: store the larger or the smaller
 * value, store on another condition, or be the access to a lock or a flag. AGAIN: it is there, and
 * the access before it is to be one, too. GUESS: the same for atomicCAS, which compares the value.
 * COUNTER: for blocks, an atomic counter lies between the two accesses, but no fence. */
enum {
    FINDING_BETWEEN = 1, FINDING_SPLIT = 2, FINDING_LOOP_END = 4,
    FINDING_LARGER = 8, FINDING_SMALLER = 16, FINDING_ON_CONDITION = 32, FINDING_FLAG = 64,
    FINDING_AGAIN = 128, FINDING_CALL_END = 256, FINDING_GUESS = 512,
    FINDING_COUNTER = 1024
};

struct finding {
    const struct finding_kind *kind;
    unsigned cure;          /* a number of kind->cures */
    unsigned joined;        /* the cure in view of the other findings, while that is worked out */
    unsigned where;         /* the places together; 0: that does not apply */
    unsigned apart;         /* the cure for the two threads alone that the sentence names */
    bool retold;            /* the sentence is about a later case than the first one */
    enum sim_space space;   /* where the bytes are */
    int waits;              /* the line of the loop that waits for a lock or a flag; 0: none does */
    bool changes;           /* one instruction loads what the other stores to */
    bool merged;            /* another finding includes it: the same two lines in opposite order */
    bool at_once;           /* lanes meet in one execution of one instruction */
    struct sim_fault fault; /* where and what; it has no kind and no cure of the simulator's */
};

/* A thread at an instruction. */
struct finding_side {
    const struct sim_instruction *code;
    unsigned block[3], thread[3];
};

/* Two instructions that were found together. They are likely to be found again, and then nothing
 * has to be searched. */
struct finding_pair {
    const struct sim_instruction *at, *other; /* other: NULL, there is just one */
    const struct finding_kind *kind;
    unsigned by_code; /* the caller's: what it found out about the two */
    bool seen, lost;       /* lost: there is no room for the finding */
    size_t number;         /* of the finding */
};

enum { FINDING_PAIRS = 256 };
struct findings {
    bool in_child; /* a child grid runs now */
    struct finding *items; /* with names that live as long as the module and its arrays */
    size_t count, capacity;
    bool lost; /* memory ran out: there is more than stands here */
    struct finding_pair pair[FINDING_PAIRS]; /* found lately, by a hash of both */
};

void findings_free(struct findings *);

/* What is known of the two; `seen` is false where they have to be added. */
static inline struct finding_pair *findings_pair(struct findings *f,
                                                 const struct finding_kind *kind,
                                                 const struct sim_instruction *at,
                                                 const struct sim_instruction *other)
{
    const uintptr_t mix = (uintptr_t)at / 8 * 5 + (uintptr_t)other / 8;
    struct finding_pair *p = &f->pair[mix % FINDING_PAIRS];
    if (p->at != at || p->other != other || p->kind != kind)
        *p = (struct finding_pair){.at = at, .other = other, .kind = kind};
    return p;
}

/* The finding of a pair that was seen; NULL: there is no room for it. */
static inline struct finding *findings_of(struct findings *f, const struct finding_pair *p)
{
    return p->lost ? NULL : &f->items[p->number];
}

/* The finding of this kind at these two instructions (other: NULL, there is just one), counted
 * once more; *fresh where it is new, and the caller fills in what there is to say. NULL: there
 * is no room for it. */
struct finding *findings_add(struct findings *, const struct finding_kind *,
                             const struct finding_side *at, const struct finding_side *other,
                             uint64_t when, bool *fresh);
/* Is the i-th finding told, or does another one tell the same mistake? */
bool findings_tell(const struct findings *, size_t i);

/* Threads of a block by their number in it. */
void finding_thread(const unsigned block_size[3], unsigned number, unsigned thread[3]);
void finding_block(const unsigned grid[3], uint64_t number, unsigned block[3]);

/* "s[4]", or what else to call the bytes of an access, as a student would. */
enum { FINDING_NAME = 96 };
void finding_name(struct sim_run *, enum sim_space, uint64_t address, unsigned bytes,
                  struct sim_fault *, char out[FINDING_NAME]);
/* ... and whose they are: " of block 3" behind it. */
void finding_owner(const unsigned grid[3], uint64_t block, char name[FINDING_NAME]);
/* "thread 5", "thread (1,2,0)", with " of block 3" where wanted; as it is written beside another one,
 * or NULL. */
void finding_who(const struct sim_place *, const struct sim_place *beside, bool with_block,
                 char out[64]);

#endif
