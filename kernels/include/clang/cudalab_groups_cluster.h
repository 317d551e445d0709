/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clusters, blocks that run side by side and reach each other's shared memory; part of
 * cooperative_groups.h. Their instructions need compute capability 9.0, which clang can compile
 * for since its version 16. cudalab's own kernels get it from build-aux/cu2ptx.
 */
#ifndef CUDALAB_GROUPS_CLUSTER_H
#define CUDALAB_GROUPS_CLUSTER_H

namespace cooperative_groups {

#define CUDALAB_CLUSTER_REGISTER(name, type, register)                                         \
    static CUDALAB_MEMBER type name()                                                          \
    {                                                                                          \
        unsigned v;                                                                            \
        asm("mov.u32 %0, %%" register ";" : "=r"(v));                                          \
        return v;                                                                              \
    }
#define CUDALAB_CLUSTER_PLACE(name, register)                                                  \
    static CUDALAB_MEMBER dim3 name()                                                          \
    {                                                                                          \
        dim3 v;                                                                                \
        asm("mov.u32 %0, %%" register ".x;" : "=r"(v.x));                                      \
        asm("mov.u32 %0, %%" register ".y;" : "=r"(v.y));                                      \
        asm("mov.u32 %0, %%" register ".z;" : "=r"(v.z));                                      \
        return v;                                                                              \
    }

class cluster_group {
public:
    struct arrival_token {};
    static CUDALAB_MEMBER arrival_token barrier_arrive()
    {
        asm volatile("barrier.cluster.arrive;" : : : "memory");
        return {};
    }
    static CUDALAB_MEMBER void barrier_wait()
    {
        asm volatile("barrier.cluster.wait;" : : : "memory");
    }
    static CUDALAB_MEMBER void barrier_wait(arrival_token &&) { barrier_wait(); }
    static CUDALAB_MEMBER void sync()
    {
        barrier_arrive();
        barrier_wait();
    }
    CUDALAB_CLUSTER_REGISTER(block_rank, unsigned, "cluster_ctarank")
    CUDALAB_CLUSTER_REGISTER(num_blocks, unsigned, "cluster_nctarank")
    CUDALAB_CLUSTER_PLACE(block_index, "cluster_ctaid")
    CUDALAB_CLUSTER_PLACE(dim_blocks, "cluster_nctaid")
    static CUDALAB_MEMBER dim3 thread_index()
    {
        const dim3 at = block_index();
        return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y,
                    at.z * blockDim.z + threadIdx.z);
    }
    static CUDALAB_MEMBER dim3 dim_threads()
    {
        const dim3 n = dim_blocks();
        return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
    }
    static CUDALAB_MEMBER unsigned thread_rank()
    {
        return block_rank() * cudalab_block_size() + cudalab_thread_rank();
    }
    static CUDALAB_MEMBER unsigned num_threads() { return num_blocks() * cudalab_block_size(); }
    static CUDALAB_MEMBER unsigned size() { return num_threads(); }
    template <class T> static CUDALAB_MEMBER T *map_shared_rank(T *mine, int rank)
    {
        T *theirs;
        asm("mapa.u64 %0, %1, %2;" : "=l"(theirs) : "l"(mine), "r"(rank));
        return theirs;
    }
    static CUDALAB_MEMBER unsigned query_shared_rank(const void *at)
    {
        unsigned rank;
        asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(at));
        return rank;
    }
};

#if !defined(CUDALAB_CLUSTERS) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900)
__attribute__((unavailable("clusters need compute capability 9.0, and this compilation is for an "
                           "older one; clang knows it since version 16")))
#endif
CUDALAB_FN cluster_group this_cluster(void) { return cluster_group(); }

} // namespace cooperative_groups

#endif
