/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C. The handler only sets a flag, without SA_RESTART, so that a waiting read comes back.
 * Whoever runs looks at the flag; a third Ctrl-C that nobody has looked at ends the program,
 * as if there were no handler.
 *
 * A signal handler has no argument of ours, so this file keeps the one pointer it needs.
 */
#include "repl/interrupt.h"

#include <stddef.h>

static volatile sig_atomic_t *stop_flag;

static void on_interrupt(int signal_number)
{
    if (*stop_flag >= 2) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    } else {
        *stop_flag = *stop_flag + 1;
    }
}

void interrupt_watch(volatile sig_atomic_t *stop)
{
    struct sigaction act = {.sa_handler = on_interrupt}, before;
    stop_flag = stop;
    sigemptyset(&act.sa_mask);
    /* Who started us with SIGINT ignored (nohup, a background job) wants it so. */
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
        return;
    sigaction(SIGINT, &act, NULL);
    /* A file that may not grow further is a write that fails, not a reason to be killed. */
    signal(SIGXFSZ, SIG_IGN);
}
