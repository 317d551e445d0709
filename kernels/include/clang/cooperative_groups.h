/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cooperative groups for clang without the CUDA Toolkit: the grid, the cluster, the block, tiles
 * of it, and the lanes that run the same code together. A tile of up to 32 lanes and a group of
 * lanes are masks. Their shuffles and votes are written once, in cudalab_groups_lanes.h.
 * cudalab_groups_warps.h has tiles of several warps. Clusters are in cudalab_groups_cluster.h, for
 * compilers that know compute capability 9.0.
 *
 * A grid waits in a word of memory that a cooperative launch sets up, and whose address the
 * driver leaves in two registers; any other launch leaves zero there. Block 0 adds what makes the
 * word's top bit flip when all others have added one, so that the word serves again and again.
 */
#ifndef CUDALAB_COOPERATIVE_GROUPS_H
#define CUDALAB_COOPERATIVE_GROUPS_H

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

/* One thread of a block says that the block is there, and waits for all others. */
CUDALAB_FN unsigned cudalab_grid_add(unsigned *word)
{
    unsigned others = gridDim.x * gridDim.y * gridDim.z - 1, before;
    bool first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
    asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(word), "r"(first ? 0x80000000u - others : 1u)
                 : "memory");
    return before;
}
CUDALAB_FN void cudalab_grid_spin(unsigned *word, unsigned before)
{
    unsigned now;
    do {
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
    } while (((before ^ now) & 0x80000000u) == 0);
}

CUDALAB_FN unsigned *cudalab_grid_enter(void)
{
    unsigned *word = cudalab_grid_word();
    if (!word)
        __trap();
    __syncthreads();
    return word;
}

CUDALAB_FN void cudalab_grid_sync(void)
{
    unsigned *word = cudalab_grid_enter();
    if (cudalab_thread_rank() == 0)
        cudalab_grid_spin(word, cudalab_grid_add(word));
    __syncthreads();
}

/* The same in two halves. Only the block's first thread knows what the word was. */
CUDALAB_FN unsigned cudalab_grid_arrive(void)
{
    unsigned *word = cudalab_grid_enter();
    return cudalab_thread_rank() == 0 ? cudalab_grid_add(word) : 0;
}
CUDALAB_FN void cudalab_grid_wait(unsigned before)
{
    if (cudalab_thread_rank() == 0)
        cudalab_grid_spin(cudalab_grid_word(), before);
    __syncthreads();
}

namespace cooperative_groups {

/*
 * What all groups are, and what a function takes that serves any of them. Each group knows its
 * own size and rank better; this class looks up what kind of group it was.
 */
class thread_group {
protected:
    enum kind_of_group : unsigned char { A_GRID, A_BLOCK, SOME_LANES };
    kind_of_group kind;
    unsigned mask, meta_rank, meta_size;
    CUDALAB_MEMBER thread_group(kind_of_group k, unsigned m = 0, unsigned rank = 0,
                                unsigned size = 1)
        : kind(k), mask(m), meta_rank(rank), meta_size(size) {}
    friend CUDALAB_MEMBER thread_group tiled_partition(const thread_group &, unsigned);

public:
    CUDALAB_MEMBER unsigned long long size() const;
    CUDALAB_MEMBER unsigned long long num_threads() const { return size(); }
    CUDALAB_MEMBER unsigned long long thread_rank() const;
    CUDALAB_MEMBER void sync() const;
};

class grid_group : public thread_group {
public:
    struct arrival_token { unsigned before; };
    CUDALAB_MEMBER grid_group() : thread_group(A_GRID) {}
    CUDALAB_MEMBER bool is_valid() const { return cudalab_grid_word() != nullptr; }
    CUDALAB_MEMBER void sync() const { cudalab_grid_sync(); }
    CUDALAB_MEMBER arrival_token barrier_arrive() const { return {cudalab_grid_arrive()}; }
    CUDALAB_MEMBER void barrier_wait(arrival_token &&t) const { cudalab_grid_wait(t.before); }
    static CUDALAB_MEMBER dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static CUDALAB_MEMBER dim3 dim_blocks() { return group_dim(); }
    static CUDALAB_MEMBER dim3 dim_threads()
    {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static CUDALAB_MEMBER dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static CUDALAB_MEMBER dim3 thread_index()
    {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    static CUDALAB_MEMBER unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static CUDALAB_MEMBER unsigned long long block_rank()
    {
        return blockIdx.x + (unsigned long long)gridDim.x *
                                (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static CUDALAB_MEMBER unsigned long long num_threads()
    {
        return num_blocks() * cudalab_block_size();
    }
    static CUDALAB_MEMBER unsigned long long size() { return num_threads(); }
    static CUDALAB_MEMBER unsigned long long thread_rank()
    {
        return block_rank() * cudalab_block_size() + cudalab_thread_rank();
    }
};

/* Where tiles of several warps meet. The block's threads share it. */
struct cudalab_tile_room {
    unsigned arrived[8];         /* a word for each size of tile, and a bit in it for each warp */
    unsigned long long slot[32]; /* what each warp tells the others */
};

class thread_block : public thread_group {
    cudalab_tile_room *room; /* nullptr: the program gave none */

public:
    struct arrival_token {};
    CUDALAB_MEMBER thread_block(cudalab_tile_room *given = nullptr)
        : thread_group(A_BLOCK), room(given) {}
    CUDALAB_MEMBER cudalab_tile_room *cudalab_room() const { return room; }
    static CUDALAB_MEMBER void sync() { __syncthreads(); }
    CUDALAB_MEMBER arrival_token barrier_arrive() const { return {}; }
    CUDALAB_MEMBER void barrier_wait(arrival_token &&) const { __syncthreads(); }
    static CUDALAB_MEMBER unsigned thread_rank() { return cudalab_thread_rank(); }
    static CUDALAB_MEMBER unsigned num_threads() { return cudalab_block_size(); }
    static CUDALAB_MEMBER unsigned size() { return cudalab_block_size(); }
    static CUDALAB_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static CUDALAB_MEMBER dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static CUDALAB_MEMBER dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static CUDALAB_MEMBER dim3 dim_threads() { return group_dim(); }
};

CUDALAB_FN grid_group this_grid(void) { return grid_group(); }
CUDALAB_FN thread_block this_thread_block(void) { return thread_block(); }

/* Room for tiles of several warps: that of a cudalab_tile_room, as far as the block needs it. */
template <unsigned most_threads = 1024> struct __align__(8) block_tile_memory {
    char room[32 + most_threads / 4];
};
template <unsigned most_threads>
CUDALAB_FN thread_block this_thread_block(block_tile_memory<most_threads> &memory)
{
    return thread_block(reinterpret_cast<cudalab_tile_room *>(&memory));
}

} // namespace cooperative_groups

#include "cudalab_groups_lanes.h"
#include "cudalab_groups_warps.h"

namespace cooperative_groups {

CUDALAB_MEMBER unsigned long long thread_group::size() const
{
    return kind == A_GRID    ? grid_group::size()
           : kind == A_BLOCK ? thread_block::size()
                             : (unsigned)__popc(mask);
}
CUDALAB_MEMBER unsigned long long thread_group::thread_rank() const
{
    return kind == A_GRID    ? grid_group::thread_rank()
           : kind == A_BLOCK ? thread_block::thread_rank()
                             : cudalab_rank_in(mask);
}
CUDALAB_MEMBER void thread_group::sync() const
{
    if (kind == A_GRID)
        grid_group().sync();
    else if (kind == A_BLOCK)
        __syncthreads();
    else
        __syncwarp(mask);
}

template <class Group> static CUDALAB_MEMBER void sync(const Group &group) { group.sync(); }
template <class Group> static CUDALAB_MEMBER auto thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <class Group> static CUDALAB_MEMBER auto group_size(const Group &group)
{
    return group.num_threads();
}

/* A function's result without const and &, to be kept. */
template <class T> struct cudalab_value { typedef T type; };
template <class T> struct cudalab_value<const T> { typedef T type; };
template <class T> struct cudalab_value<T &> { typedef typename cudalab_value<T>::type type; };
template <class T> struct cudalab_value<T &&> { typedef typename cudalab_value<T>::type type; };

/* One thread of the group calls the function, the one of rank 0; the others may get its result. */
template <class Group, class F, class... A>
static CUDALAB_MEMBER void invoke_one(const Group &group, F &&f, A &&...arguments)
{
    if (group.thread_rank() == 0)
        f(static_cast<A &&>(arguments)...);
}
template <class Group, class F, class... A>
static CUDALAB_MEMBER auto invoke_one_broadcast(const Group &group, F &&f, A &&...arguments)
{
    typename cudalab_value<decltype(f(static_cast<A &&>(arguments)...))>::type result{};
    if (group.thread_rank() == 0)
        result = f(static_cast<A &&>(arguments)...);
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

#include "cudalab_groups_cluster.h"

#endif
