/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arithmetic of blocks and threads.
 */
#include "labkit/shape.h"

#include "dev/occupancy.h"

#define INDEX_LIMIT ((uint64_t)1 << 31)

uint64_t shape_threads(struct launch_shape s)
{
    return (uint64_t)s.blocks * s.threads;
}

uint64_t divide_up(uint64_t n, uint64_t by)
{
    return (n + by - 1) / by;
}

unsigned shape_blocks(uint64_t n, unsigned threads, bool strides, const struct device_props *p)
{
    uint64_t enough = divide_up(n, threads);
    uint64_t resident = p->multiprocessors ? 2 * (uint64_t)p->multiprocessors : enough;
    return (unsigned)(strides && resident < enough ? resident : enough);
}

unsigned blocks_at_once(unsigned threads, const struct device_props *p, unsigned *per_sm)
{
    *per_sm = (unsigned)occupancy_of(p, &(struct occupancy_want){.threads = (int)threads}).blocks;
    return *per_sm * (unsigned)(p->multiprocessors > 0 ? p->multiprocessors : 1);
}

int blocks_in_grid(unsigned blocks, const struct device_props *p, struct report *r)
{
    char most[NUM_TEXT], wanted[NUM_TEXT];
    if (!p->max_grid[0] || blocks <= (uint64_t)p->max_grid[0])
        return 0;
    num_group(p->max_grid[0], most);
    num_group(blocks, wanted);
    return report_fail(r, "%s blocks are too many: a grid has at most %s here; use more threads "
                          "per block", wanted, most);
}

int threads_in_block(unsigned threads, const struct device_props *p, struct report *r)
{
    if (!p->max_threads_per_block || threads <= (unsigned)p->max_threads_per_block)
        return 0;
    return report_fail(r, "--threads %u: a block has at most %d threads here", threads,
                       p->max_threads_per_block);
}

int shape_counted(struct launch_shape s, int n, bool strides, struct report *r)
{
    char total[NUM_TEXT];
    if (shape_threads(s) + (strides ? (uint64_t)n : 0) <= INDEX_LIMIT)
        return 0;
    return report_fail(r, "%u x %u threads are %s, but an int counts only to 2,147,483,647; take "
                          "fewer blocks%s", s.blocks, s.threads,
                       num_group((int64_t)shape_threads(s), total),
                       strides ? " or a smaller n" : "");
}

int shape_fits(struct launch_shape s, int n, bool strides, const struct device_props *p,
               struct report *r)
{
    char total[NUM_TEXT], count[NUM_TEXT], least[NUM_TEXT];
    uint64_t all = shape_threads(s);
    if (threads_in_block(s.threads, p, r) || blocks_in_grid(s.blocks, p, r) ||
        shape_counted(s, n, strides, r))
        return -1;
    if (strides || all >= (uint64_t)n)
        return 0;
    num_group((int64_t)all, total);
    num_group(n, count);
    num_group((int64_t)divide_up((uint64_t)n, s.threads), least);
    return report_fail(r,
                       "%u x %u threads are %s, and n = %s needs a thread each: at least "
                       "%s blocks; or --variant gridstride, which takes any number",
                       s.blocks, s.threads, total, count, least);
}
