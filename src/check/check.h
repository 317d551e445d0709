/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All checkers together: what they keep of a device, and those that watch a launch.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "check/checker.h"

/* A checker's number in the list, and its bit in a set of them. */
enum {
#define CHECKER(NAME, name) CHECKER_##NAME,
#include "check/checkers.def"
#undef CHECKER
    CHECKER_COUNT
};
enum {
#define CHECKER(NAME, name) CHECK_##NAME = 1 << CHECKER_##NAME,
#include "check/checkers.def"
#undef CHECKER
};
extern const struct checker *const checkers[CHECKER_COUNT];
unsigned check_all(void); /* those that watch a launch for which nothing else was asked */

/* What they keep of a device. -1: memory is out. */
struct checks {
    void *kept[CHECKER_COUNT];
};
int checks_open(struct checks *);
void checks_close(struct checks *);
void checks_memory(struct checks *, enum checked_memory what, uint64_t address, uint64_t bytes);
bool checks_have_value(const struct checks *, uint64_t address, uint64_t bytes);
void checks_copied(struct checks *, uint64_t to, const struct checks *other, uint64_t from);

/* A launch and those that watch it. Their observers have to be put on. */
struct checking {
    struct findings found;
    struct sim_observer observers[CHECKER_COUNT];
    const struct checker *by[CHECKER_COUNT];
    unsigned count, set;
    bool partly; /* after the end: there was more than there was room for */
};
int checking_begin(struct checking *, struct checks *, unsigned set); /* -1: memory is out */
void checking_settle(struct checking *); /* after the launch, before findings are read */
void checking_end(struct checking *, bool finished); /* before findings_free() */
/* Is a fault that the simulator found told? One that belongs to a checker is where that watches. */
bool checking_tells(const struct checking *, enum sim_fault_kind);

#endif
