/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arithmetic of occupancy, one function for each limit.
 */
#include "dev/occupancy.h"

static int64_t up(int64_t n, int64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* ---- a limit each ----------------------------------------------------------------------- */

static int64_t by_threads(const struct device_props *p, const struct occupancy *o, int threads)
{
    return threads > p->max_threads_per_block ? 0 : o->most_warps / o->warps_per_block;
}

/* Before 2.0 a block gets its registers in one piece, for an even number of warps. */
static int64_t by_block_registers(const struct device_props *p, const struct capability *c,
                                  int registers, struct occupancy *o)
{
    int64_t warps = up(o->warps_per_block, c->partitions);
    o->registers_given = up(warps * registers * p->warp_size, c->register_unit);
    return p->registers_per_sm / o->registers_given;
}

/*
 * Since then a warp gets them, from one of the parts that the SM's registers lie in. Whether a
 * block may have so many is checked as though all parts had to give alike.
 */
static int64_t by_warp_registers(const struct device_props *p, const struct capability *c,
                                 int registers, int partitions, struct occupancy *o)
{
    o->registers_given = up((int64_t)registers * p->warp_size, c->register_unit);
    if (o->registers_given * up(o->warps_per_block, partitions) > p->registers_per_block)
        return 0;
    int64_t a_part = p->registers_per_sm / c->partitions;
    return a_part / o->registers_given * c->partitions / o->warps_per_block;
}

static int64_t by_registers(const struct device_props *p, const struct capability *c,
                            int registers, struct occupancy *o)
{
    if (registers > p->registers_per_thread)
        return 0;
    if (capability_gives_blocks(c))
        return by_block_registers(p, c, registers, o);
    /* 6.0 has two parts, but refuses what cards with four parts of that architecture refuse. */
    return by_warp_registers(p, c, registers, c->major == 6 ? 4 : c->partitions, o);
}

static int64_t by_shared(const struct device_props *p, const struct capability *c,
                         uint64_t shared, struct occupancy *o)
{
    uint64_t most = p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
    o->shared_given = (uint64_t)up((int64_t)(shared + p->shared_reserved), c->shared_unit);
    return shared > most ? 0 : (int64_t)(p->shared_per_sm / o->shared_given);
}

/* ---- all of them ------------------------------------------------------------------------ */

static void find_least(struct occupancy *o)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < LIMITS; i++)
        if (o->counted[i] && o->allows[i] < least)
            least = o->allows[i];
    for (int i = 0; i < LIMITS; i++)
        if (o->counted[i] && o->allows[i] == least)
            o->binds |= 1u << i;
    o->blocks = (int)least;
    o->warps = o->blocks * o->warps_per_block;
}

struct occupancy occupancy_of(const struct device_props *p, const struct occupancy_want *want)
{
    const struct capability *c = capability_of(p->major, p->minor);
    struct occupancy o = {.counted = {[LIMIT_THREADS] = true, [LIMIT_BLOCKS] = true}};
    o.most_warps = p->max_threads_per_sm / p->warp_size;
    o.warps_per_block = (want->threads + p->warp_size - 1) / p->warp_size;
    o.allows[LIMIT_THREADS] = by_threads(p, &o, want->threads);
    o.allows[LIMIT_BLOCKS] = p->max_blocks_per_sm ? p->max_blocks_per_sm : c->blocks_per_sm;
    o.counted[LIMIT_REGISTERS] = c && want->registers > 0;
    if (o.counted[LIMIT_REGISTERS])
        o.allows[LIMIT_REGISTERS] = by_registers(p, c, want->registers, &o);
    o.counted[LIMIT_SHARED] = c && (want->shared > 0 || p->shared_reserved > 0);
    if (o.counted[LIMIT_SHARED])
        o.allows[LIMIT_SHARED] = by_shared(p, c, want->shared, &o);
    find_least(&o);
    return o;
}

int occupancy_most_registers(const struct device_props *p, const struct occupancy_want *want)
{
    struct occupancy_want try = *want;
    try.registers = 0;
    const int most = occupancy_of(p, &try).blocks;
    for (try.registers = p->registers_per_thread; try.registers > 0; try.registers--)
        if (occupancy_of(p, &try).blocks == most)
            return try.registers;
    return 0;
}
