/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The prompt: a line at a time from a person, with history and completion where readline is.
 */
#ifndef REPL_PROMPT_H
#define REPL_PROMPT_H

#include "repl/shell.h"

void prompt_history(struct report *, int most); /* the last lines typed */

#endif
