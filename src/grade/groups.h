/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which files belong to which student. Only names are looked at here; no file is read.
 */
#ifndef GRADE_GROUPS_H
#define GRADE_GROUPS_H

#include "grade/student.h"
#include "grade/tree.h"

struct group_file {
    const struct tree_file *from;
    const char *name; /* as the student named it, below the hand-in's folder */
    bool late;
    unsigned attempt;
};

/* The files of one student in one argument. */
struct group {
    const char *student, *id, *from;
    struct group_file *file;
    size_t count, capacity;
    bool inner;        /* from an archive that a student may have made, with any names in it */
    bool late;
    unsigned attempt;
    struct buf note;   /* sentences about what was left out */
    const char *wrong; /* a sentence; may be NULL */
};

struct hand_in_groups {
    struct group *at;
    size_t count, capacity;
    struct arena *memory;
};

enum group_kind { GROUP_FILE, GROUP_FOLDER, GROUP_ARCHIVE };

/* Is this the archive of a whole class? */
bool groups_of_class(const struct tree *);
/* Adds the groups of one argument. The tree must stay. */
int groups_add(struct hand_in_groups *, const struct tree *, enum group_kind, const char *argument,
               struct err *);
/* Adds an empty group that can't be judged. */
int groups_add_wrong(struct hand_in_groups *, const char *argument, const char *wrong,
                     struct err *);
/* After the last argument: leaves out files that were handed in again, and finds in folders that
 * anna-2.cu is a later hand-in than anna.cu. */
int groups_settle(struct hand_in_groups *, struct err *);
void groups_free(struct hand_in_groups *);

#endif
