/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a checker is: an observer of launches that judges what it sees.
 *
 * A checker is one file that ends in a const struct checker, and one line in checkers.def. Lists of
 * checkers, help, completion and the launches themselves walk that list.
 */
#ifndef CHECK_CHECKER_H
#define CHECK_CHECKER_H

#include "check/finding.h"

/* What the host does to memory. Memory that it allocates is unwritten. */
enum checked_memory { MEMORY_ALLOCATED, MEMORY_FREED, MEMORY_WRITTEN };

struct checker {
    const char *name; /* as --check has it */
    const char *help; /* one sentence, without a full stop; it may be broken into lines */
    bool extra;       /* it only watches where it is asked for by name */
    const struct checker *form_of; /* where both are asked for, it takes the place of that one */
    /* Kinds of faults, up to SIM_FAULT_NONE, that the simulator finds itself, and that are told
     * where this checker watches. */
    const enum sim_fault_kind *simulated;

    /* What it keeps of a device from launch to launch; open: NULL where memory is out. A form of
     * another checker shares that one's. Each of these may be missing. */
    void *(*open)(void);
    void (*close)(void *kept);
    void (*memory)(void *kept, enum checked_memory what, uint64_t address, uint64_t bytes);
    /* An array of another device was copied to `to`; `other` is kept of that device. */
    void (*copied)(void *kept, uint64_t to, const void *other, uint64_t from);
    void (*unwatched)(void *kept); /* a launch begins that it does not watch */
    /* Do all of these bytes have a value that a launch may read? */
    bool (*has_value)(const void *kept, uint64_t address, uint64_t bytes);

    /* A launch. begin: what its hooks are given; NULL: memory is out. NULL hooks: it has nothing to
     * see. `partly`: there was more than it had room for. */
    const struct sim_hooks *hooks;
    void *(*begin)(void *kept, struct findings *);
    bool (*partly)(const void *self);
    void (*settle)(struct findings *); /* what findings say about one another */
    void (*end)(void *self, bool finished);
};

/* The line of the condition that keeps threads from the barrier of this fault; 0: not known. */
int sync_condition(const struct sim_result *, const struct sim_fault *);

#define CHECKER(NAME, name) extern const struct checker check_##name;
#include "check/checkers.def"
#undef CHECKER

#endif
