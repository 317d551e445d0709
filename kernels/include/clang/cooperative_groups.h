/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cooperative groups for clang without the CUDA Toolkit: the grid, the block, and tiles of up to
 * 32 lanes. Coalesced groups, scan and reduce are the toolkit's alone, and clusters but for
 * cudalab's own kernels: this compiler can't make what a student's kernel with clusters needs.
 *
 * A grid waits in a word of memory that a cooperative launch sets up, and whose address the
 * driver leaves in two registers; any other launch leaves zero there. Block 0 adds what makes the
 * word's top bit flip when all others have added one, so that the word serves again and again.
 */
#ifndef CUDALAB_COOPERATIVE_GROUPS_H
#define CUDALAB_COOPERATIVE_GROUPS_H

#define CUDALAB_MEMBER __inline__ __attribute__((device, always_inline, nodebug))

CUDALAB_FN unsigned cudalab_thread_rank(void)
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

CUDALAB_FN unsigned cudalab_block_size(void) { return blockDim.x * blockDim.y * blockDim.z; }

CUDALAB_FN unsigned *cudalab_grid_word(void)
{
    unsigned high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    unsigned long long at = (unsigned long long)high << 32 | low;
    return at ? (unsigned *)(at + 4) : nullptr; /* its size stands before it */
}

CUDALAB_FN void cudalab_grid_sync(void)
{
    unsigned *word = cudalab_grid_word();
    if (!word)
        __trap();
    __syncthreads();
    if (cudalab_thread_rank() == 0) {
        unsigned others = gridDim.x * gridDim.y * gridDim.z - 1, before, now;
        bool first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
        asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(word), "r"(first ? 0x80000000u - others : 1u)
                     : "memory");
        do {
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
        } while (((before ^ now) & 0x80000000u) == 0);
    }
    __syncthreads();
}

namespace cooperative_groups {

class grid_group {
public:
    CUDALAB_MEMBER bool is_valid() const { return cudalab_grid_word() != nullptr; }
    CUDALAB_MEMBER void sync() const { cudalab_grid_sync(); }
    CUDALAB_MEMBER dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    CUDALAB_MEMBER dim3 dim_blocks() const { return group_dim(); }
    CUDALAB_MEMBER dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    CUDALAB_MEMBER unsigned long long num_blocks() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    CUDALAB_MEMBER unsigned long long block_rank() const
    {
        return blockIdx.x + (unsigned long long)gridDim.x *
                                (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    CUDALAB_MEMBER unsigned long long num_threads() const
    {
        return num_blocks() * cudalab_block_size();
    }
    CUDALAB_MEMBER unsigned long long size() const { return num_threads(); }
    CUDALAB_MEMBER unsigned long long thread_rank() const
    {
        return block_rank() * cudalab_block_size() + cudalab_thread_rank();
    }
};

class thread_block {
public:
    CUDALAB_MEMBER void sync() const { __syncthreads(); }
    CUDALAB_MEMBER unsigned thread_rank() const { return cudalab_thread_rank(); }
    CUDALAB_MEMBER unsigned num_threads() const { return cudalab_block_size(); }
    CUDALAB_MEMBER unsigned size() const { return cudalab_block_size(); }
    CUDALAB_MEMBER dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    CUDALAB_MEMBER dim3 thread_index() const
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    CUDALAB_MEMBER dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    CUDALAB_MEMBER dim3 dim_threads() const { return group_dim(); }
};

/* `size` lanes in a row, a power of two. Its shuffles and votes keep to the tile. */
template <unsigned tile_size, typename Parent = void> class thread_block_tile {
    static_assert(tile_size && tile_size <= 32 && (tile_size & (tile_size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 lanes");
    static CUDALAB_MEMBER unsigned first()
    {
        return cudalab_thread_rank() % 32 & ~(tile_size - 1);
    }
    static CUDALAB_MEMBER unsigned mask()
    {
        return (tile_size == 32 ? ~0u : (1u << tile_size % 32) - 1) << first();
    }

public:
    CUDALAB_MEMBER void sync() const { __syncwarp(mask()); }
    CUDALAB_MEMBER unsigned thread_rank() const { return cudalab_thread_rank() % tile_size; }
    static constexpr CUDALAB_MEMBER unsigned size() { return tile_size; }
    static constexpr CUDALAB_MEMBER unsigned num_threads() { return tile_size; }
    CUDALAB_MEMBER unsigned meta_group_rank() const { return cudalab_thread_rank() / tile_size; }
    CUDALAB_MEMBER unsigned meta_group_size() const
    {
        return (cudalab_block_size() + tile_size - 1) / tile_size;
    }
    template <typename T> CUDALAB_MEMBER T shfl(T v, int from) const
    {
        return __shfl_sync(mask(), v, from, tile_size);
    }
    template <typename T> CUDALAB_MEMBER T shfl_down(T v, unsigned by) const
    {
        return __shfl_down_sync(mask(), v, by, tile_size);
    }
    template <typename T> CUDALAB_MEMBER T shfl_up(T v, unsigned by) const
    {
        return __shfl_up_sync(mask(), v, by, tile_size);
    }
    template <typename T> CUDALAB_MEMBER T shfl_xor(T v, unsigned with) const
    {
        return __shfl_xor_sync(mask(), v, with, tile_size);
    }
    CUDALAB_MEMBER int any(int p) const { return __any_sync(mask(), p); }
    CUDALAB_MEMBER int all(int p) const { return __all_sync(mask(), p); }
    CUDALAB_MEMBER unsigned ballot(int p) const { return __ballot_sync(mask(), p) >> first(); }
};

CUDALAB_FN grid_group this_grid(void) { return grid_group(); }
CUDALAB_FN thread_block this_thread_block(void) { return thread_block(); }

template <unsigned tile_size, typename Parent>
static CUDALAB_MEMBER thread_block_tile<tile_size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<tile_size, Parent>();
}

#define CUDALAB_NEEDS_TOOLKIT                                                                     \
    __attribute__((unavailable("this part of cooperative groups needs the CUDA Toolkit")))
class CUDALAB_NEEDS_TOOLKIT coalesced_group;
CUDALAB_NEEDS_TOOLKIT __attribute__((device)) thread_block coalesced_threads(void);

#ifdef CUDALAB_CLUSTERS
/* Blocks that run side by side and reach each other's shared memory. */
class cluster_group {
public:
    CUDALAB_MEMBER void sync() const
    {
        asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" : : : "memory");
    }
    static CUDALAB_MEMBER unsigned block_rank()
    {
        unsigned rank;
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
        return rank;
    }
    static CUDALAB_MEMBER unsigned thread_rank()
    {
        return block_rank() * cudalab_block_size() + cudalab_thread_rank();
    }
    template <typename T> CUDALAB_MEMBER T *map_shared_rank(T *mine, unsigned rank) const
    {
        T *theirs;
        asm("mapa.u64 %0, %1, %2;" : "=l"(theirs) : "l"(mine), "r"(rank));
        return theirs;
    }
};
CUDALAB_FN cluster_group this_cluster(void) { return cluster_group(); }
#else
class CUDALAB_NEEDS_TOOLKIT cluster_group;
CUDALAB_NEEDS_TOOLKIT __attribute__((device)) thread_block this_cluster(void);
#endif

template <typename Group> static CUDALAB_MEMBER void sync(const Group &group) { group.sync(); }

} // namespace cooperative_groups

#endif
