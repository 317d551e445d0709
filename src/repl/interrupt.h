/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals, as far as the conversation wants them: Ctrl-C sets the session's `stop`.
 */
#ifndef REPL_INTERRUPT_H
#define REPL_INTERRUPT_H

#include <signal.h>

void interrupt_watch(volatile sig_atomic_t *stop);

#endif
