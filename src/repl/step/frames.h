/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions that a lane is in: the innermost one, its caller, and so on up to the kernel. Calls
 * that the compiler has inlined are frames as well, where debug information tells of them. One
 * frame is chosen, and names are looked up in it. A move chooses the innermost one again.
 */
#ifndef REPL_STEP_FRAMES_H
#define REPL_STEP_FRAMES_H

#include "repl/step/values.h"

struct lane_frame {
    char function[96];
    int line;                         /* where it is, or of the call in it; 0: not known */
    const struct sim_instruction *at; /* the next instruction, or the call */
    unsigned calls, inlined;          /* as in struct lane_place */
    bool is_inlined;                  /* into the next frame */
};
enum { FRAMES_MOST = 64 };
/* Of a lane of the warp in focus, the innermost one first; how many there are. */
unsigned frames_of(struct stepped *, unsigned lane, struct lane_frame out[FRAMES_MOST]);
/* The number of the chosen frame of the lane in focus; *out: that frame. False: the lane has ended.
 */
bool frames_chosen(struct stepped *, unsigned *number, struct lane_frame *out);

/* Where this lane of the warp in focus stands, with the lanes that stand there as well; names are
 * looked up in the chosen frame. A lane that has ended stands nowhere. False: the lane has no such
 * frame, or there is no such lane. */
bool frames_place(struct stepped *, unsigned lane, struct lane_place *);

void frames_json(struct stepped *, struct json *); /* "frames", and "frame" for the chosen one */

extern const struct command word_where, word_up, word_down, word_frame;

#endif
