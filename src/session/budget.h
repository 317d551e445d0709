/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a command and a session may use: time on the wall, bytes of output, memory. There is one
 * budget a session. Whatever takes long asks it whether to go on, and whatever starts something
 * asks how many seconds are left for it. Limits of 0 are none.
 */
#ifndef SESSION_BUDGET_H
#define SESSION_BUDGET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget {
    /* limits */
    double command_s, session_s; /* seconds */
    uint64_t output;             /* bytes that a session writes; one command a quarter of them */
    uint64_t memory;             /* bytes; base/room.h holds this process to them */
    /* what was used */
    const volatile sig_atomic_t *stop; /* Ctrl-C, or a signal to end; may be NULL */
    double command_began, session_began;
    uint64_t written;
};

enum budget_end { BUDGET_LEFT, BUDGET_STOPPED, BUDGET_COMMAND_TIME, BUDGET_SESSION_TIME };

void budget_begin_session(struct budget *);
void budget_begin_command(struct budget *);
void budget_resume_command(struct budget *, double spent); /* after one that ran within it */
double budget_spent(const struct budget *); /* seconds since the command began */
/* Seconds a command may take, counted from its beginning, by both limits; 0: no limit. */
double budget_limit(const struct budget *);
/* Seconds that are left of them, above 0; with no limit `unlimited`. */
double budget_left(const struct budget *, double unlimited);
enum budget_end budget_end(const struct budget *); /* must work end, and why? */

/* Bytes that a command may show; 0: no limit. */
size_t budget_text(const struct budget *);
bool budget_has_output(const struct budget *); /* false: the session has written all it may */

#endif
