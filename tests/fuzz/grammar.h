/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small PTX programs out of choices: any bytes make a well-formed one, and no loop in it goes on
 * for ever. Which instructions there are, tests/data/forms.txt says, with the operands' letters
 * explained in tests/gpu/forms.h.
 *
 * The kernel is k(x, out): 400 bytes of x are each thread's registers at first, and 240 of out
 * what they hold in the end. Memory accesses are inside x, a shared, a local and a constant array,
 * mostly.
 */
#ifndef TESTS_FUZZ_GRAMMAR_H
#define TESTS_FUZZ_GRAMMAR_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

enum { GRAMMAR_IN = 400, GRAMMAR_OUT = 240 }; /* bytes a thread */

struct choices {
    const uint8_t *at, *end;
};
unsigned choose(struct choices *, unsigned below); /* 0 once all are made */

struct grammar;
struct grammar *grammar_open(const char *forms_path); /* NULL: it can't be read */
void grammar_close(struct grammar *);
void grammar_program(const struct grammar *, struct choices *, struct buf *ptx);

#endif
