/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that look random and are the same in each run and on each machine, for tests that try
 * many cases. The state is the seed at first; each draw moves it on.
 */
#ifndef UNIT_DRAW_H
#define UNIT_DRAW_H

#include <stdint.h>

static inline uint64_t draw(uint64_t *state)
{
    uint64_t v = *state += UINT64_C(0x9e3779b97f4a7c15);
    v = (v ^ v >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    v = (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
    return v ^ v >> 31;
}

#endif
