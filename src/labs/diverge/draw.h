/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of a warp as a picture: which lanes are busy in each, and which are idle. */
#ifndef LABS_DIVERGE_DRAW_H
#define LABS_DIVERGE_DRAW_H

#include "dev/device.h"
#include "screen/report.h"

struct session;

/* Instructions one after another that the same lanes ran, up to a branch. */
struct lane_step {
    uint32_t mask;
    unsigned instructions, busy;
    int line;         /* of the source: of the branch at its end, or of most instructions */
    const char *file;
};
/* What a trace has of them: at most `most`, and how many there were. */
unsigned steps_of(const struct launch_result *, struct lane_step *, unsigned most);
/* The lanes of `there` are those that the warp has. */
void steps_draw(const struct lane_step *, unsigned count, uint32_t there, const struct session *,
                struct report *);
void steps_put(const struct lane_step *, unsigned count, struct json *);

#endif
