/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The course: six sessions of two hours, each with the labs that it walks through. Their order is
 * in src/labs/LIST; what a session is for and its last task are in help/course.txt.
 */
#ifndef REPL_COURSE_H
#define REPL_COURSE_H

#include "base/buf.h"
#include "command/command.h"

#include <stdint.h>

enum {
#define SESSION(name, title) COURSE_##name,
#define LAB(id, name)
#define STEP(name)
#include "labs/list.h"
#undef SESSION
#undef LAB
#undef STEP
    COURSE_SESSIONS,
    COURSE_NAME = 24
};

/* A session's name, as in help/course.txt (== goal NAME, == task NAME), and its title. */
const char *course_session(int session);
const char *course_title(int session);

/* Where somebody is: at a lab of a session, or behind its last one, at its task. The steps are
 * the labs and the tasks: a bit for each line of src/labs/LIST, a session's own for its task. */
struct course_place {
    int session;          /* -1: not begun */
    const char *lab;      /* NULL: the task */
    uint64_t begun, left; /* steps that were shown, and steps that were left for the next one */
    uint64_t tried;       /* steps whose lab, or for whose task a kernel, ran */
};

/* The k-th lab of a session, NULL after the last; `all` are the commands there are. */
const struct command *course_lab(int session, unsigned k, const struct command *const *all);
unsigned course_labs(int session, const struct command *const *all);
/* How far somebody is with the k-th lab of a session; its task comes after the last lab. */
enum course_state { COURSE_OPEN, COURSE_BEGUN, COURSE_SKIPPED, COURSE_DONE };
enum course_state course_state(const struct course_place *, int session, unsigned k,
                               const struct command *const *all);
/* A command ran: its lab is tried, in each session that has it, and by a kernel of the student's own
 * the task that they are at. Returns whether that is new. */
bool course_try(struct course_place *, const char *command, const struct command *const *all);
/* The next place, or the one before; false: there is none, and the place stays as it was. To go
 * on means that the step is done, or skipped if it was not tried. */
bool course_forward(struct course_place *, const struct command *const *all);
bool course_back(struct course_place *, const struct command *const *all);
/* The first place of a session; false: nothing of it is in this build. */
bool course_begin(struct course_place *, int session, const struct command *const *all);

/* A place as text, and back: a line for the place, then the steps that are done, and skipped, and
 * begun, and tried but not left yet. Text that is damaged gives false. A lab that has moved to another session is found there;
 * one that isn't there any more gives its session's beginning. */
void course_write(const struct course_place *, struct buf *out);
bool course_read(const char *text, struct course_place *, const struct command *const *all);

#endif
