/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals, as far as the conversation wants them: Ctrl-C sets the session's `stop`, and so do
 * SIGTERM and SIGHUP, which end the session as well.
 */
#ifndef REPL_INTERRUPT_H
#define REPL_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

void interrupt_watch(volatile sig_atomic_t *stop);
int interrupt_ending(void); /* the signal that told us to end, or 0 */

/* Ctrl-Z is told instead of obeyed for a while: who edits a line gives the terminal back first,
 * then raises SIGTSTP. */
void interrupt_pause_later(bool later);
bool interrupt_pause_due(void); /* once */

/* Have what is typed while a command runs wait, unseen and as it is, for the next line; and have
 * the terminal again as it was, which a signal that ends or stops us does too. */
void terminal_hold(int fd);
bool terminal_held(void);
void terminal_release(void);

#endif
