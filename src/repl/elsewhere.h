/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTX that was compiled elsewhere, in place of a compiler; see elsewhere.c.
 */
#ifndef REPL_ELSEWHERE_H
#define REPL_ELSEWHERE_H

#include "cc/compile.h"
#include "repl/shell.h"

/* As compile() of struct programs. */
int elsewhere_compile(struct shell *, const struct compile_want *, struct compiled *, struct err *);
/* Adds to an error which examples can be loaded. */
void elsewhere_offer(struct report *);

#endif
