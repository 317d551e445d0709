// SPDX-License-Identifier: GPL-3.0-or-later
// Thread block clusters: distributed shared memory, remote arrivals, copies between blocks.
#include <cooperative_groups.h>
#include <cstdint>
#include <utility>
namespace cg = cooperative_groups;

// The steps are macros, so that each belongs to the line of the kernel that uses it.
#define SADDR(p) (static_cast<uint32_t>(__cvta_generic_to_shared(p)))
#define MAPA(r, p, rank) asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" \
    : "=r"(r) : "r"(SADDR(p)), "r"(rank))
#define MB_INIT(m, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" \
    :: "r"(SADDR(m)), "r"(n) : "memory")
#define MB_FENCE_INIT() asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define MB_EXPECT(m, bytes) asm volatile( \
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" \
    :: "r"(SADDR(m)), "r"(bytes) : "memory")
#define MB_ARRIVE_REMOTE(r) asm volatile( \
    "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(r) : "memory")
#define MB_WAIT_CLUSTER(m, parity) do { uint32_t ok_; do { asm volatile("{\n.reg .pred p;\n" \
    "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n" \
    "selp.u32 %0, 1, 0, p;\n}" : "=r"(ok_) : "r"(SADDR(m)), "r"(parity) : "memory"); \
    } while (!ok_); } while (0)

// A histogram of 32 bins spread over the two blocks of a cluster, 16 bins each.
// Right: the cluster syncs after zeroing and after counting, and counts are atomic.
//@ array a1 i32 256 iota
//@ array h1 i32 32
//@ launch cl_hist<<<2, 64>>>(a1, h1, 256)
//@none
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_hist(const int *a, int *hist, int n)
{
    __shared__ int bins[16];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    cluster.sync();
    for (int i = rank * 64 + threadIdx.x; i < n; i += 128) {
        int bin = (a[i] * 7 + a[i] / 5) % 32;
        int *where = cluster.map_shared_rank(bins, bin / 16);
        atomicAdd(where + bin % 16, 1);
    }
    cluster.sync();
    if (threadIdx.x < 16)
        hist[rank * 16 + threadIdx.x] = bins[threadIdx.x];
}

// The same with __syncthreads after the zeroing.
// Wrong: a block counts into bins that the other block has yet to set to zero.
// Some counts may also be called uninitialized, but the missing cluster sync is the cause.
//@ array a2 i32 256 iota
//@ array h2 i32 32
//@ launch cl_hist_zero<<<2, 64>>>(a2, h2, 256)
//@found race-shared cl-hist-zero
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_hist_zero(const int *a, int *hist, int n)
{
    __shared__ int bins[16];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0; // cl-hist-zero
    __syncthreads();
    for (int i = rank * 64 + threadIdx.x; i < n; i += 128) {
        int bin = (a[i] * 7 + a[i] / 5) % 32;
        int *where = cluster.map_shared_rank(bins, bin / 16);
        atomicAdd(where + bin % 16, 1); // cl-hist-zero
    }
    cluster.sync();
    if (threadIdx.x < 16)
        hist[rank * 16 + threadIdx.x] = bins[threadIdx.x];
}

// The same with __syncthreads after the counting.
// Wrong: a block reads its bins while the other block may still count into them.
// The other block may also touch bins of a block that has ended.
//@ array a3 i32 256 iota
//@ array h3 i32 32
//@ launch cl_hist_read<<<2, 64>>>(a3, h3, 256)
//@found race-shared cl-hist-read
//@or use-after-free
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_hist_read(const int *a, int *hist, int n)
{
    __shared__ int bins[16];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    cluster.sync();
    for (int i = rank * 64 + threadIdx.x; i < n; i += 128) {
        int bin = (a[i] * 7 + a[i] / 5) % 32;
        int *where = cluster.map_shared_rank(bins, bin / 16);
        atomicAdd(where + bin % 16, 1); // cl-hist-read
    }
    __syncthreads();
    if (threadIdx.x < 16)
        hist[rank * 16 + threadIdx.x] = bins[threadIdx.x]; // cl-hist-read
}

// Each of four blocks reads the tile of the next block, three times over.
// Right: a cluster sync stands before every remote read and before every new store.
//@ array a4 i32 128 iota
//@ array o4 i32 128
//@ launch cl_ring<<<4, 32>>>(a4, o4)
//@none
extern "C" __global__ void __cluster_dims__(4, 1, 1) cl_ring(const int *a, int *out)
{
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x, v = a[rank * 32 + t];
    for (int i = 0; i < 3; ++i) {
        tile[t] = v;
        cluster.sync();
        const int *next = cluster.map_shared_rank(tile, (rank + 1) % 4);
        v = 2 * v + next[31 - t];
        cluster.sync();
    }
    out[rank * 32 + t] = v;
}

// The same without the sync at the end of the loop.
// Wrong: a block may overwrite its tile while the block before it still reads.
// The sync after the loop only keeps all blocks alive for the last reads.
//@ array a5 i32 128 iota
//@ array o5 i32 128
//@ launch cl_ring_once<<<4, 32>>>(a5, o5)
//@found race-shared cl-ring-once
extern "C" __global__ void __cluster_dims__(4, 1, 1) cl_ring_once(const int *a, int *out)
{
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x, v = a[rank * 32 + t];
    for (int i = 0; i < 3; ++i) {
        tile[t] = v; // cl-ring-once
        cluster.sync();
        const int *next = cluster.map_shared_rank(tile, (rank + 1) % 4);
        v = 2 * v + next[31 - t]; // cl-ring-once
    }
    cluster.sync();
    out[rank * 32 + t] = v;
}

// Each block stores into the tile of the other block, then reads its own.
// Right: the first sync says that the other block runs, the second orders store and read.
//@ array a6 f32 128 iota
//@ array o6 f32 128
//@ launch cl_push<<<2, 64>>>(a6, o6)
//@none
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_push(const float *a, float *out)
{
    __shared__ float tile[64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x;
    cluster.sync();
    float *other = cluster.map_shared_rank(tile, rank ^ 1);
    other[63 - t] = a[rank * 64 + t] * 0.5f;
    cluster.sync();
    out[rank * 64 + t] = tile[t];
}

// The same with __syncthreads between the remote stores and the reads.
// Wrong: the other block's stores into this tile are not ordered before the reads.
// The reads may also be called uninitialized, but the missing cluster sync is the cause.
//@ array a7 f32 128 iota
//@ array o7 f32 128
//@ launch cl_push_block<<<2, 64>>>(a7, o7)
//@found race-shared cl-push-block
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_push_block(const float *a, float *out)
{
    __shared__ float tile[64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x;
    cluster.sync();
    float *other = cluster.map_shared_rank(tile, rank ^ 1);
    other[63 - t] = a[rank * 64 + t] * 0.5f; // cl-push-block
    __syncthreads();
    float v = tile[t]; // cl-push-block
    cluster.sync();
    out[rank * 64 + t] = v;
}

// Rank 0 of four blocks gathers the sums of all blocks.
// Right: a split sync: every block arrives after its sum is stored and works on until it waits.
// The last sync keeps all blocks alive until rank 0 has read.
//@ array a8 i32 256 iota
//@ array o8 i32 65
//@ launch cl_gather<<<4, 64>>>(a8, o8)
//@none
extern "C" __global__ void __cluster_dims__(4, 1, 1) cl_gather(const int *a, int *out)
{
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x, v = a[rank * 64 + t];
    if (t == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, v * (t % 4));
    auto token = cluster.barrier_arrive();
    int own = v * v;
    cluster.barrier_wait(std::move(token));
    if (rank == 0 && t == 0) {
        int total = 0;
        for (unsigned r = 0; r < cluster.num_blocks(); ++r)
            total = total * 3 + *cluster.map_shared_rank(&sum, r);
        out[64] = total;
    }
    if (rank == 3)
        out[t] = own;
    cluster.sync();
}

// The same with the remote reads between arrive and wait.
// Wrong: the other blocks may not have added up yet when rank 0 reads.
//@ array a9 i32 256 iota
//@ array o9 i32 65
//@ launch cl_gather_early<<<4, 64>>>(a9, o9)
//@found race-shared cl-gather-early
extern "C" __global__ void __cluster_dims__(4, 1, 1) cl_gather_early(const int *a, int *out)
{
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x, v = a[rank * 64 + t];
    if (t == 0)
        sum = 0;
    __syncthreads();
    cluster.sync();
    atomicAdd(&sum, v * (t % 4)); // cl-gather-early
    auto token = cluster.barrier_arrive();
    if (rank == 0 && t == 0) {
        int total = 0;
        for (unsigned r = 0; r < cluster.num_blocks(); ++r)
            total = total * 3 + *cluster.map_shared_rank(&sum, r); // cl-gather-early
        out[64] = total;
    }
    cluster.barrier_wait(std::move(token));
    if (rank == 3)
        out[t] = v * v;
    cluster.sync();
}

// Each block fills the tile of its peer and tells it by a remote arrive on an mbarrier there.
// Right: arrive releases and wait acquires at cluster scope, 64 arrivals for 64 stores.
//@ array a10 i32 128 iota
//@ array o10 i32 128
//@ launch cl_remote<<<2, 64>>>(a10, o10)
//@none
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_remote(const int *a, int *out)
{
    __shared__ int tile[64];
    __shared__ uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), peer = rank ^ 1;
    int t = threadIdx.x;
    if (t == 0) {
        MB_INIT(&bar, 64);
        MB_FENCE_INIT();
    }
    cluster.sync();
    uint32_t remote;
    MAPA(remote, &bar, peer);
    *(cluster.map_shared_rank(tile, peer) + (t ^ 5)) = a[rank * 64 + t] * 7;
    MB_ARRIVE_REMOTE(remote);
    MB_WAIT_CLUSTER(&bar, 0);
    out[rank * 64 + t] = tile[63 - t];
    cluster.sync();
}

// The same with the arrival before the store.
// Wrong: the peer may read its tile before the store that the arrival announces.
// The read may also be called uninitialized, but the race is the cause.
//@ array a11 i32 128 iota
//@ array o11 i32 128
//@ launch cl_remote_early<<<2, 64>>>(a11, o11)
//@found race-shared cl-remote-early
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_remote_early(const int *a, int *out)
{
    __shared__ int tile[64];
    __shared__ uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), peer = rank ^ 1;
    int t = threadIdx.x;
    if (t == 0) {
        MB_INIT(&bar, 64);
        MB_FENCE_INIT();
    }
    cluster.sync();
    uint32_t remote;
    MAPA(remote, &bar, peer);
    MB_ARRIVE_REMOTE(remote);
    *(cluster.map_shared_rank(tile, peer) + (t ^ 5)) = a[rank * 64 + t] * 7; // cl-remote-early
    MB_WAIT_CLUSTER(&bar, 0);
    out[rank * 64 + t] = tile[63 - t]; // cl-remote-early
    cluster.sync();
}

// One thread of each block arrives, but both arrive at rank 0.
// Wrong: nobody ever arrives at the mbarrier of rank 1, and its threads wait for ever.
// Rank 0 expects both arrivals and goes on to the last cluster sync, where it waits too.
//@ array o12 i32 64 zero
//@ launch cl_remote_rank<<<2, 32>>>(o12)
//@found deadlock cl-remote-rank
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_remote_rank(int *out)
{
    __shared__ uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x;
    if (t == 0) {
        MB_INIT(&bar, rank == 0 ? 2 : 1);
        MB_FENCE_INIT();
    }
    cluster.sync();
    uint32_t remote;
    MAPA(remote, &bar, 0);
    if (t == 0)
        MB_ARRIVE_REMOTE(remote);
    MB_WAIT_CLUSTER(&bar, 0); // cl-remote-rank
    out[rank * 32 + t] = t;
    cluster.sync(); // cl-remote-rank
}

// Each block sends its tile to the peer by an asynchronous bulk copy between shared memories.
// Right: a proxy fence comes before the copy, and the peer's mbarrier counts the bytes.
// The last sync keeps the source alive.
//@ array a13 i32 128 iota
//@ array o13 i32 128
//@ launch cl_bulk<<<2, 64>>>(a13, o13)
//@none
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_bulk(const int *a, int *out)
{
    __shared__ alignas(128) int mine[64];
    __shared__ alignas(128) int theirs[64];
    __shared__ uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), peer = rank ^ 1;
    int t = threadIdx.x;
    if (t == 0) {
        MB_INIT(&bar, 1);
        MB_FENCE_INIT();
        MB_EXPECT(&bar, 256);
    }
    mine[t] = a[rank * 64 + t] * a[rank * 64 + t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    cluster.sync();
    if (t == 0) {
        uint32_t dst, mbar;
        MAPA(dst, theirs, peer);
        MAPA(mbar, &bar, peer);
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                     "[%0], [%1], 256, [%2];" :: "r"(dst), "r"(SADDR(mine)), "r"(mbar) : "memory");
    }
    MB_WAIT_CLUSTER(&bar, 0);
    out[rank * 64 + t] = theirs[63 - t] - mine[t];
    cluster.sync();
}

// Rank 0 loads one tile into both blocks by a multicast bulk copy.
// Right: each block expects the bytes on its own mbarrier before the sync that frees the copy.
//@ array a14 i32 64 iota
//@ array o14 i32 128
//@ launch cl_multicast<<<2, 64>>>(a14, o14)
//@none
extern "C" __global__ void __cluster_dims__(2, 1, 1) cl_multicast(const int *a, int *out)
{
    __shared__ alignas(128) int tile[64];
    __shared__ uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x;
    if (t == 0) {
        MB_INIT(&bar, 1);
        MB_FENCE_INIT();
        MB_EXPECT(&bar, 256);
    }
    cluster.sync();
    if (rank == 0 && t == 0) {
        uint16_t mask = 3;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1], 256, [%2], %3;"
                     :: "r"(SADDR(tile)), "l"(__cvta_generic_to_global(a)), "r"(SADDR(&bar)),
                     "h"(mask) : "memory");
    }
    MB_WAIT_CLUSTER(&bar, 0);
    out[rank * 64 + t] = tile[63 - t] + 1000 * static_cast<int>(rank);
    cluster.sync();
}
