/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What shapes-video.c, which decodes, tells video.c, which runs, about an instruction of the video
 * family: vadd, vmad, vset, vadd2, vset4 and the like. It travels in the instruction's `offset`.
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

/* A part of one register: where it begins, and its width as a power of two: 3, 4 or 5. */
enum { VIDEO_AT = 31, VIDEO_WIDTH_SHIFT = 5 };

struct video {
    /* Of one number: its part. Of two or four: for each result, lowest first, three bits say which
     * part of a (the lower numbers) or b it takes. */
    uint32_t a : 12, b : 12;
    uint32_t d : 8; /* of one number: the part that is replaced; else a bit for each result */
    uint32_t op : 4, count : 3, second : 3, compare : 3, shift : 4;
    uint32_t d_signed : 1, a_signed : 1, b_signed : 1;
    uint32_t saturates : 1, plus_one : 1, wraps : 1;
    uint32_t negates_product : 1, negates_c : 1;
};

#endif
