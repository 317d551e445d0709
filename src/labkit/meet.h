/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who came to which barrier, as launches with `meetings` record it: letters for barriers, drawn by
 * warp and lane, with the lines they stand at.
 */
#ifndef LABKIT_MEET_H
#define LABKIT_MEET_H

#include "labkit/run.h"

/* `threads` is the block's size. To the screen, and as "barriers" to the result. */
void say_meetings(struct report *, const struct launch_result *, unsigned threads);

#endif
