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

/* Where a student is: at a lab of a session, or at its task, which comes after its labs. Each lab
 * and each task is a step. Bit i of a set of steps is line i of src/labs/LIST: the line of a lab,
 * or the line of a session, which is for its task. */
struct course_place {
    int session;          /* -1: not begun */
    const char *lab;      /* NULL: the task */
    uint64_t begun, left; /* steps that were shown, and steps that were left for the next one */
    uint64_t tried;       /* steps whose lab, or for whose task a kernel, ran */
};

/* The k-th lab of a session, NULL after the last; `all` are the commands there are. */
const struct command *course_lab(int session, unsigned k, const struct command *const *all);
unsigned course_labs(int session, const struct command *const *all);
/* How far the student is with the k-th lab of a session. The number after the last lab is the
 * task. */
enum course_state { COURSE_OPEN, COURSE_BEGUN, COURSE_SKIPPED, COURSE_DONE };
enum course_state course_state(const struct course_place *, int session, unsigned k,
                               const struct command *const *all);
/* A command ran: its lab is tried, in each session that has it. A launch tries the task where the
 * student is. Returns whether that is new. */
bool course_try(struct course_place *, const char *command, const struct command *const *all);
/* Goes to the next step, or to the step before. false: there is none, and the place stays as it
 * was. After course_forward() the step counts as done, or as skipped if it was not tried. */
bool course_forward(struct course_place *, const struct command *const *all);
bool course_back(struct course_place *, const struct command *const *all);
/* The first place of a session; false: nothing of it is in this build. */
bool course_begin(struct course_place *, int session, const struct command *const *all);
/* Goes to a lab, or to the "task": in the session where the student is, else in the first session
 * that has it. false: no session has it. */
bool course_go(struct course_place *, const char *lab, const struct command *const *all);

/* Writes a place as text, or reads such a text. It has a line for the place, then the steps that
 * are done, skipped, begun, and tried but not left yet. false: the text is damaged. If the lab of
 * the place is now in another session, the place is in that session. If the lab no longer exists,
 * the place is the beginning of its session. */
void course_write(const struct course_place *, struct buf *out);
bool course_read(const char *text, struct course_place *, const struct command *const *all);

#endif
