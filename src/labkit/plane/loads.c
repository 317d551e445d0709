/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loads of a plane's kernels, worked out warp by warp. A warp is 32 threads of a block in the
 * order of their numbers: x first, then y.
 */
#include "labkit/plane/plane.h"

enum { WARP = 32 };

static unsigned bits_of(unsigned kinds)
{
    unsigned n = 0;
    for (; kinds; kinds &= kinds - 1)
        n++;
    return n;
}

uint64_t plane_loads(const struct plane_shape *p,
                     unsigned (*kinds)(const struct plane_shape *, unsigned x, unsigned y))
{
    const unsigned threads = p->tile[0] * p->tile[1];
    uint64_t loads = 0;
    for (unsigned block = 0; block < p->blocks[0] * p->blocks[1]; block++) {
        const unsigned left = block % p->blocks[0] * p->tile[0];
        const unsigned top = block / p->blocks[0] * p->tile[1];
        unsigned seen = 0;
        for (unsigned t = 0; t < threads; t++) {
            const unsigned x = (left + t % p->tile[0]) * p->each, y = top + t / p->tile[0];
            if (x < p->wide && y < p->high)
                seen |= kinds(p, x, y);
            if (t % WARP == WARP - 1 || t == threads - 1) {
                loads += bits_of(seen);
                seen = 0;
            }
        }
    }
    return loads;
}

/* Of the block whose first point is at `corner`. */
static uint64_t tile_loads(const struct plane_shape *p, const unsigned corner[2], bool outside)
{
    const unsigned threads = p->tile[0] * p->tile[1], wide = p->tile[0] + 2;
    const unsigned size = wide * (p->tile[1] + 2);
    uint64_t loads = 0;
    bool any = false;
    for (unsigned k = 0; k < size; k++) {
        const unsigned i = corner[0] + k % wide, j = corner[1] + k / wide; /* one more than it is */
        const unsigned thread = k % threads;
        any |= outside || (i > 0 && i <= p->wide && j > 0 && j <= p->high);
        if (thread % WARP == WARP - 1 || thread == threads - 1 || k == size - 1) {
            loads += any;
            any = false;
        }
    }
    return loads;
}

uint64_t plane_tile_loads(const struct plane_shape *p, bool outside)
{
    uint64_t loads = 0;
    for (unsigned y = 0; y < p->blocks[1]; y++)
        for (unsigned x = 0; x < p->blocks[0]; x++) {
            const unsigned corner[2] = {x * p->tile[0], y * p->tile[1]};
            loads += tile_loads(p, corner, outside);
        }
    return loads;
}
