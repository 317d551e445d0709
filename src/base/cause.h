/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why something did not go well, as a grader asks: is the hand-in wrong, or is it the script? The
 * numbers are the exit statuses that --grade gives; the names are those of the JSON field `cause`.
 */
#ifndef BASE_CAUSE_H
#define BASE_CAUSE_H

enum failure_cause {
    CAUSE_NONE,    /* all is well */
    CAUSE_CHECK,   /* it ran, and the result is not what it should be */
    CAUSE_SCRIPT,  /* the script is wrong: a misspelt command, a bad option, a missing file */
    CAUSE_COMPILE, /* a source does not compile */
    CAUSE_FAULT,   /* a launch faulted, or a checker found something */
    CAUSE_LIMIT    /* a limit was reached: time, steps, memory, output */
};

const char *cause_name(enum failure_cause); /* NULL: CAUSE_NONE has none */
enum failure_cause cause_named(const char *name); /* CAUSE_NONE: no cause has this name */

/* In the last sentence of a session that has used up its time or output. A grader reads it. */
#define SESSION_ENDS "ends here ("

#endif
