/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the prompt shows while a command takes its time.
 */
#ifndef REPL_WAITING_H
#define REPL_WAITING_H

#include "base/progress.h"
#include <stdbool.h>

struct shell;

struct waiting {
    char what[64];          /* "trap", "compiling k.cu" */
    double since, shown_at; /* shown_at 0: nothing stands on the screen */
};

void waiting_begin(struct shell *, const char *what); /* a command, or a part of it */
void waiting_end(struct shell *);                     /* its line is wiped away */
struct progress waiting_progress(struct shell *);

#endif
