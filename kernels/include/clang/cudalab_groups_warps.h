/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tiles of 2, 4, ... 32 warps; part of cooperative_groups.h.
 *
 * Such a tile has no instruction of its own. Its warps meet in shared memory: in the room that the
 * program gave to this_thread_block(), or else in one that this file has. The warp that comes last
 * does what is left to do for all of them, and lets the others go on. Values of up to 8 bytes fit
 * into a warp's slot, as in the toolkit's headers.
 */
#ifndef CUDALAB_GROUPS_WARPS_H
#define CUDALAB_GROUPS_WARPS_H

namespace cooperative_groups {

CUDALAB_FN cudalab_tile_room *cudalab_own_room(void)
{
    static __shared__ cudalab_tile_room room;
    return &room;
}

template <unsigned tile_size> class cudalab_tile<tile_size, true> {
    static constexpr unsigned warps = tile_size / 32;
    cudalab_tile_room *room;
    unsigned meta_rank, meta_size;

    static CUDALAB_MEMBER unsigned warp() { return cudalab_thread_rank() / 32; }
    static CUDALAB_MEMBER unsigned first_warp() { return warp() & ~(warps - 1); }
    static CUDALAB_MEMBER unsigned bits_of_all()
    {
        return (warps == 32 ? ~0u : (1u << warps % 32) - 1) << first_warp();
    }
    CUDALAB_MEMBER unsigned *arrived() const { return &room->arrived[__builtin_ctz(warps) - 1]; }

    /* Tells whether this warp is the last one, which must call release(). Each other warp waits
     * until its own bit is gone. Nobody but itself can set that again. */
    CUDALAB_MEMBER bool arrive_last() const
    {
        const unsigned mine = 1u << warp();
        unsigned now = 0;
        __syncwarp();
        if (cudalab_lane() == 0)
            asm volatile("atom.acq_rel.cta.or.b32 %0, [%1], %2;"
                         : "=r"(now) : "l"(arrived()), "r"(mine) : "memory");
        now = __shfl_sync(~0u, now, 0);
        const bool last = (~(now | mine) & bits_of_all()) == 0;
        if (!last && cudalab_lane() == 0)
            do
                asm volatile("ld.acquire.cta.u32 %0, [%1];"
                             : "=r"(now) : "l"(arrived()) : "memory");
            while (now & mine);
        __syncwarp();
        return last;
    }
    CUDALAB_MEMBER void release() const
    {
        __syncwarp();
        if (cudalab_lane() == 0)
            asm volatile("red.release.cta.and.b32 [%0], %1;"
                         : : "l"(arrived()), "r"(~bits_of_all()) : "memory");
    }
    template <class T> CUDALAB_MEMBER T *slot(unsigned of_warp) const
    {
        static_assert(sizeof(T) <= sizeof room->slot[0],
                      "a tile of more than 32 threads takes values of up to 8 bytes");
        return reinterpret_cast<T *>(&room->slot[of_warp]);
    }

public:
    static constexpr bool cudalab_several_warps = true;
    /* A block's threads come here together, and no warp waits in an older tile any more. */
    CUDALAB_MEMBER cudalab_tile(const thread_block &block)
        : room(block.cudalab_room() ? block.cudalab_room() : cudalab_own_room()),
          meta_rank(block.thread_rank() / tile_size),
          meta_size((block.size() + tile_size - 1) / tile_size)
    {
        __syncthreads();
        if (block.thread_rank() == 0)
            for (unsigned &word : room->arrived)
                word = 0;
        __syncthreads();
    }
    template <unsigned larger, class Parent>
    CUDALAB_MEMBER cudalab_tile(const thread_block_tile<larger, Parent> &tile)
        : room(tile.cudalab_room()), meta_rank(tile.thread_rank() / tile_size),
          meta_size(larger / tile_size) {}

    CUDALAB_MEMBER cudalab_tile_room *cudalab_room() const { return room; }
    CUDALAB_MEMBER unsigned meta_group_rank() const { return meta_rank; }
    CUDALAB_MEMBER unsigned meta_group_size() const { return meta_size; }
    static CUDALAB_MEMBER unsigned thread_rank()
    {
        return cudalab_thread_rank() & (tile_size - 1);
    }
    CUDALAB_MEMBER void sync() const
    {
        if (arrive_last())
            release();
    }
    template <class T> CUDALAB_MEMBER T shfl(T v, unsigned rank) const
    {
        T *const place = slot<T>(first_warp() + rank / 32);
        __syncwarp(); /* lanes may still read what is there */
        if (thread_rank() == rank)
            *place = v;
        sync();
        const T result = *place;
        sync();
        return result;
    }

    /* One value of each warp goes in. The lanes of the last warp, one for each value, call
     * `between`; a warp gets what its lane made of that. */
    template <class T, class F> CUDALAB_MEMBER T cudalab_collect(T of_warp, F &&between) const
    {
        T *const mine = slot<T>(warp());
        __syncwarp();
        if (cudalab_lane() == 0)
            *mine = of_warp;
        if (arrive_last()) {
            if (cudalab_lane() < warps) {
                T *const theirs = slot<T>(first_warp() + cudalab_lane());
                *theirs = between(*theirs);
            }
            release();
        }
        return *mine;
    }
    /* The warps' lanes in the function above */
    typedef thread_block_tile<warps> cudalab_lanes;

    CUDALAB_MEMBER int any(int p) const
    {
        return cudalab_collect(__any_sync(~0u, p),
                               [](int warp_has) { return cudalab_lanes().any(warp_has); });
    }
    CUDALAB_MEMBER int all(int p) const
    {
        return cudalab_collect(__all_sync(~0u, p),
                               [](int warp_has) { return cudalab_lanes().all(warp_has); });
    }
};

} // namespace cooperative_groups

#endif
