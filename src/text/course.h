/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The course: six sessions of two hours, each with the labs that it walks through, in order. What
 * a session is for and its last task are in help/course.txt. A lab that this build lacks is
 * passed over, and so is a session that has none.
 */
#ifndef TEXT_COURSE_H
#define TEXT_COURSE_H

#include "command/command.h"

enum { COURSE_SESSIONS = 6, COURSE_NAME = 24 };

struct course_session {
    const char *name;  /* in help/course.txt: == goal NAME, == task NAME */
    const char *title;
    const char *const *labs; /* commands, NULL-terminated; they need not all exist */
};
extern const struct course_session course_sessions[COURSE_SESSIONS];

/* Where somebody is: at a lab of a session, or behind its last one, at its task. */
struct course_place {
    int session;         /* 0 to 5; -1: not begun */
    const char *lab;     /* NULL: the task */
};

/* `all` are the commands there are, NULL-terminated. The k-th lab of a session that exists. */
const struct command *course_lab(const struct course_session *, unsigned k,
                                 const struct command *const *all);
unsigned course_labs(const struct course_session *, const struct command *const *all);
/* The next or the last place; false: there is none, and the place stays as it was. */
bool course_forward(struct course_place *, const struct command *const *all);
bool course_back(struct course_place *, const struct command *const *all);
/* The first place of a session; false: nothing of it is in this build. */
bool course_begin(struct course_place *, int session, const struct command *const *all);

/* A place as one line of text, and back. Text that is damaged gives false; a lab that isn't there
 * any more gives its session's beginning. */
void course_write(const struct course_place *, char out[80]);
bool course_read(const char *text, struct course_place *, const struct command *const *all);

#endif
