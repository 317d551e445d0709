/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Proxy fences: does a bulk copy see what threads have stored? proxy.c has the rule.
 */
#ifndef CHECK_RACE_PROXY_H
#define CHECK_RACE_PROXY_H

#include <stdint.h>

enum proxy_memory { PROXY_SHARED, PROXY_GLOBAL, PROXY_MEMORIES };

/* The last proxy fence of a lane, and up to when the lane knew at that time of its block, of its
 * warp, and of any other thread. 0: it has not fenced. */
struct proxy_fence {
    uint64_t when, block, warp, others;
};

struct proxy_lane {
    uint64_t learned; /* when it last learned something otherwise than by a barrier of its block */
    struct proxy_fence fence[PROXY_MEMORIES];
};

#endif
