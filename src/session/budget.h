/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a command and a session may use: seconds, bytes of output, memory. A session has one budget.
 * Code that takes long asks it whether to go on, and code that starts something asks how many
 * seconds are left for it. A limit of 0 means no limit.
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
    uint64_t output;             /* bytes that a session may write; a command may write a quarter */
    uint64_t memory;             /* bytes; base/room.h holds this process to them */
    /* what was used */
    const volatile sig_atomic_t *stop; /* Ctrl-C, or a signal to end; may be NULL */
    double command_began, session_began;
    uint64_t written;
};

enum budget_end { BUDGET_LEFT, BUDGET_STOPPED, BUDGET_COMMAND_TIME, BUDGET_SESSION_TIME };

void budget_begin_session(struct budget *);
/* `spent`: how many seconds the command took already, before a command within it; or 0. */
void budget_begin_command(struct budget *, double spent);
double budget_spent(const struct budget *); /* seconds since the command began */
/* Seconds that a command may take by both limits, counted from its begin; 0: no limit. */
double budget_limit(const struct budget *);
/* The same for a compiler, which may take at least so many seconds of the command's limit. */
double budget_limit_of_compiler(const struct budget *, double least);
/* Seconds that are left of these, above 0; `unlimited` where there is no limit. */
double budget_left(const struct budget *, double unlimited);
enum budget_end budget_end(const struct budget *); /* does work have to end, and why? */

/* Bytes that a command may show; 0: no limit. */
size_t budget_text(const struct budget *);
bool budget_has_output(const struct budget *); /* false: the session has written all it may */

#endif
