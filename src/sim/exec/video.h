/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A decoded video instruction: vadd, vmad, vset, vadd2, vset4 and the like. shapes-video.c makes a
 * struct video and stores it in the instruction's `offset`; video.c runs it.
 */
#ifndef SIM_VIDEO_H
#define SIM_VIDEO_H

#include <stdint.h>

enum video_op {
    VIDEO_ADD, VIDEO_SUB, VIDEO_ABSDIFF, VIDEO_MIN, VIDEO_MAX, VIDEO_AVRG, VIDEO_SHL, VIDEO_SHR,
    VIDEO_MAD, VIDEO_SET
};
enum video_second { VIDEO_ALONE, VIDEO_THEN_ADD, VIDEO_THEN_MIN, VIDEO_THEN_MAX, VIDEO_MERGE };
enum video_compare { VIDEO_EQ, VIDEO_NE, VIDEO_LT, VIDEO_LE, VIDEO_GT, VIDEO_GE };

/* A part of a register: the bit at which it begins, and above that its width. A width of 3, 4 or 5
 * means 8, 16 or 32 bits. */
enum { VIDEO_AT = 31, VIDEO_WIDTH_SHIFT = 5 };

struct video {
    /* An instruction for one number: the part of the register. For two or four numbers: three bits
     * for each result, the lowest result first. They are the number of a part of a, or above those
     * of b. */
    uint32_t a : 12, b : 12;
    uint32_t d : 8; /* one number: the part that is written; else a bit for each result to write */
    uint32_t op : 4, count : 3, second : 3, compare : 3, shift : 4;
    uint32_t d_signed : 1, a_signed : 1, b_signed : 1;
    uint32_t saturates : 1, plus_one : 1, wraps : 1;
    uint32_t negates_product : 1, negates_c : 1;
};

#endif
