/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that try the sizes of frames; see frames.c. */
#ifndef TESTS_FUZZ_FRAMES_H
#define TESTS_FUZZ_FRAMES_H

#include "grammar.h"

enum { FRAMES_VALUE = 7 };
void frames_program(struct choices *, struct buf *ptx);

#endif
