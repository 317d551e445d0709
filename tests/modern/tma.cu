// SPDX-License-Identifier: GPL-3.0-or-later
// Warp-specialised producers and consumers with mbarriers, bulk copies and named barriers.
#include <cstdint>

// The steps are macros, so that each belongs to the line of the kernel that uses it.
#define SADDR(p) (static_cast<uint32_t>(__cvta_generic_to_shared(p)))
#define GADDR(p) (__cvta_generic_to_global(p))
#define MB_INIT(m, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" \
    :: "r"(SADDR(m)), "r"(n) : "memory")
#define MB_ARRIVE(m) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" \
    :: "r"(SADDR(m)) : "memory")
#define MB_EXPECT(m, bytes) asm volatile( \
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" \
    :: "r"(SADDR(m)), "r"(bytes) : "memory")
#define MB_WAIT(m, parity) do { uint32_t ok_; do { asm volatile("{\n.reg .pred p;\n" \
    "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}" \
    : "=r"(ok_) : "r"(SADDR(m)), "r"(static_cast<uint32_t>(parity)) : "memory"); \
    } while (!ok_); } while (0)
#define BULK_LOAD(d, s, bytes, m) asm volatile( \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" \
    :: "r"(SADDR(d)), "l"(GADDR(s)), "r"(bytes), "r"(SADDR(m)) : "memory")
#define BULK_STORE(d, s, bytes) asm volatile( \
    "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" \
    :: "l"(GADDR(d)), "r"(SADDR(s)), "r"(bytes) : "memory")
#define BULK_ADD(d, s, bytes) asm volatile( \
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" \
    :: "l"(GADDR(d)), "r"(SADDR(s)), "r"(bytes) : "memory")
#define BULK_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BULK_WAIT_READ() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
#define BULK_WAIT() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define FENCE_ASYNC() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define BAR_SYNC(id, n) asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(n) : "memory")
#define BAR_ARRIVE(id, n) asm volatile("bar.arrive %0, %1;" :: "r"(id), "r"(n) : "memory")

// One bulk copy of a tile, waited for by the whole block.
// Right: the phase completes with the arrival of thread 0 and all the expected bytes.
//@ array a1 i32 256 iota
//@ array o1 i32 128
//@ launch bulk_one<<<1, 128>>>(a1, o1)
//@none
extern "C" __global__ void bulk_one(const int *a, int *out)
{
    __shared__ alignas(128) int tile[256];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0) {
        MB_INIT(&bar, 1);
        FENCE_ASYNC();
    }
    __syncthreads();
    if (t == 0) {
        MB_EXPECT(&bar, 1024);
        BULK_LOAD(tile, a, 1024, &bar);
    }
    MB_WAIT(&bar, 0);
    out[t] = tile[255 - t] * 2 + tile[t];
}

// The same, but __syncthreads stands in the place of the wait.
// Wrong: __syncthreads does not wait for bulk copies, so the copy may still be under way.
//@ array a2 i32 256 iota
//@ array o2 i32 128
//@ launch bulk_one_sync<<<1, 128>>>(a2, o2)
//@found race-shared bulk-one-sync
extern "C" __global__ void bulk_one_sync(const int *a, int *out)
{
    __shared__ alignas(128) int tile[256];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0) {
        MB_INIT(&bar, 1);
        FENCE_ASYNC();
    }
    __syncthreads();
    if (t == 0) {
        MB_EXPECT(&bar, 1024);
        BULK_LOAD(tile, a, 1024, &bar); // bulk-one-sync
    }
    __syncthreads();
    int v = tile[255 - t] * 2 + tile[t]; // bulk-one-sync
    MB_WAIT(&bar, 0);
    out[t] = v;
}

// The same copy with more bytes expected than copied.
// Wrong: the phase lacks 16 bytes for ever, and so all threads wait for ever.
//@ array a3 i32 256 iota
//@ array o3 i32 128
//@ launch bulk_more<<<1, 128>>>(a3, o3)
//@found deadlock bulk-more
extern "C" __global__ void bulk_more(const int *a, int *out)
{
    __shared__ alignas(128) int tile[256];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0) {
        MB_INIT(&bar, 1);
        FENCE_ASYNC();
    }
    __syncthreads();
    if (t == 0) {
        MB_EXPECT(&bar, 1024);
        BULK_LOAD(tile, a, 1008, &bar);
    }
    MB_WAIT(&bar, 0); // bulk-more
    out[t] = tile[t];
}

// No barrier between the init of the mbarrier and the waits of the other threads.
// Wrong: the init by thread 0 and the waits by other warps touch the same 8 bytes unordered.
// It may also be called uninitialized, but the missing order is the cause.
//@ array a4 i32 256 iota
//@ array o4 i32 128
//@ launch bulk_noinit<<<1, 128>>>(a4, o4)
//@found race-shared bulk-noinit
//@or uninitialized
//@may trap
extern "C" __global__ void bulk_noinit(const int *a, int *out)
{
    __shared__ alignas(128) int tile[256];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    if (t == 0) {
        MB_INIT(&bar, 1); // bulk-noinit
        FENCE_ASYNC();
        MB_EXPECT(&bar, 1024); // bulk-noinit
        BULK_LOAD(tile, a, 1024, &bar);
    }
    MB_WAIT(&bar, 0); // bulk-noinit
    out[t] = tile[255 - t] * 2 + tile[t];
}

// A ring of two slots: one producer thread with bulk copies, four consumer warps.
// Right: full and empty barriers go in pairs, and both sides flip their parities in step.
//@ array a5 i32 768 iota
//@ array o5 i32 128
//@ launch bulk_ring<<<1, 160>>>(a5, o5, 6)
//@none
extern "C" __global__ void bulk_ring(const int *a, int *out, int n)
{
    __shared__ alignas(128) int ring[2][128];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < 2; ++s) {
            MB_INIT(&full[s], 1);
            MB_INIT(&empty[s], 128);
        }
        FENCE_ASYNC();
    }
    __syncthreads();
    if (t < 32) {
        if (t == 0) {
            for (int i = 0; i < n; ++i) {
                int s = i & 1;
                if (i >= 2)
                    MB_WAIT(&empty[s], (i / 2 - 1) & 1);
                MB_EXPECT(&full[s], 512);
                BULK_LOAD(ring[s], a + i * 128, 512, &full[s]);
            }
        }
    } else {
        int c = t - 32, sum = 0;
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            MB_WAIT(&full[s], (i / 2) & 1);
            sum += (i + 1) * ring[s][127 - c];
            MB_ARRIVE(&empty[s]);
        }
        out[c] = sum;
    }
}

// The same ring with three slots, a stage counter with a phase bit, and one arrival a warp.
// The producer begins with parity 1, which passes on a fresh barrier.
// Right: __syncwarp gathers the reads of the warp before lane 0 arrives for it.
//@ array a6 i32 896 iota
//@ array o6 i32 128
//@ launch bulk_ring_warp<<<1, 160>>>(a6, o6, 7)
//@none
extern "C" __global__ void bulk_ring_warp(const int *a, int *out, int n)
{
    __shared__ alignas(128) int ring[3][128];
    __shared__ uint64_t full[3], empty[3];
    int t = threadIdx.x, warp = t / 32;
    if (t == 0) {
        for (int s = 0; s < 3; ++s) {
            MB_INIT(&full[s], 1);
            MB_INIT(&empty[s], 4);
        }
        FENCE_ASYNC();
    }
    __syncthreads();
    int stage = 0, phase = 0;
    if (warp == 4) {
        if (t % 32 == 0) {
            for (int i = 0; i < n; ++i) {
                MB_WAIT(&empty[stage], phase ^ 1);
                MB_EXPECT(&full[stage], 512);
                BULK_LOAD(ring[stage], a + i * 128, 512, &full[stage]);
                if (++stage == 3) {
                    stage = 0;
                    phase ^= 1;
                }
            }
        }
    } else {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            MB_WAIT(&full[stage], phase);
            sum += (i + 1) * ring[stage][(t + 64) % 128];
            __syncwarp();
            if (t % 32 == 0)
                MB_ARRIVE(&empty[stage]);
            if (++stage == 3) {
                stage = 0;
                phase ^= 1;
            }
        }
        out[t] = sum;
    }
}

// The same with __syncwarp and the arrival of lane 0 before the reads.
// Wrong: lane 0 gives the slot back while other lanes of its warp may still read it.
//@ array a7 i32 896 iota
//@ array o7 i32 128
//@ launch bulk_ring_lane0<<<1, 160>>>(a7, o7, 7)
//@found race-shared bulk-ring-lane0
extern "C" __global__ void bulk_ring_lane0(const int *a, int *out, int n)
{
    __shared__ alignas(128) int ring[3][128];
    __shared__ uint64_t full[3], empty[3];
    int t = threadIdx.x, warp = t / 32;
    if (t == 0) {
        for (int s = 0; s < 3; ++s) {
            MB_INIT(&full[s], 1);
            MB_INIT(&empty[s], 4);
        }
        FENCE_ASYNC();
    }
    __syncthreads();
    int stage = 0, phase = 0;
    if (warp == 4) {
        if (t % 32 == 0) {
            for (int i = 0; i < n; ++i) {
                MB_WAIT(&empty[stage], phase ^ 1);
                MB_EXPECT(&full[stage], 512);
                BULK_LOAD(ring[stage], a + i * 128, 512, &full[stage]); // bulk-ring-lane0
                if (++stage == 3) {
                    stage = 0;
                    phase ^= 1;
                }
            }
        }
    } else {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            MB_WAIT(&full[stage], phase);
            __syncwarp();
            if (t % 32 == 0)
                MB_ARRIVE(&empty[stage]);
            sum += (i + 1) * ring[stage][(t + 64) % 128]; // bulk-ring-lane0
            if (++stage == 3) {
                stage = 0;
                phase ^= 1;
            }
        }
        out[t] = sum;
    }
}

// The ring of two slots, but the producer waits only for the last copy into the slot.
// Wrong: a bulk copy may overwrite a slot that consumers still read.
// Every copy has a full barrier of its own, so that no phase is missed and nothing hangs.
//@ array a8 i32 512 iota
//@ array o8 i32 128
//@ launch bulk_ring_noempty<<<1, 160>>>(a8, o8, 4)
//@found race-shared bulk-ring-noempty
extern "C" __global__ void bulk_ring_noempty(const int *a, int *out, int n)
{
    __shared__ alignas(128) int ring[2][128];
    __shared__ uint64_t full[4];
    int t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < 4; ++s)
            MB_INIT(&full[s], 1);
        FENCE_ASYNC();
    }
    __syncthreads();
    if (t < 32) {
        if (t == 0) {
            for (int i = 0; i < n; ++i) {
                int s = i & 1;
                if (i >= 2)
                    MB_WAIT(&full[i - 2], 0);
                MB_EXPECT(&full[i], 512);
                BULK_LOAD(ring[s], a + i * 128, 512, &full[i]); // bulk-ring-noempty
            }
        }
    } else {
        int c = t - 32, sum = 0;
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            MB_WAIT(&full[i], 0);
            sum += (i + 1) * ring[s][127 - c]; // bulk-ring-noempty
        }
        out[c] = sum;
    }
}

// The ring of two slots, but the consumers wait only in the first round.
// Wrong: from the second round on, they read tiles whose copies may still be under way.
//@ array a9 i32 512 iota
//@ array o9 i32 128
//@ launch bulk_ring_guard<<<1, 160>>>(a9, o9, 4)
//@found race-shared bulk-ring-guard
//@or deadlock
//@may deadlock
extern "C" __global__ void bulk_ring_guard(const int *a, int *out, int n)
{
    __shared__ alignas(128) int ring[2][128];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < 2; ++s) {
            MB_INIT(&full[s], 1);
            MB_INIT(&empty[s], 128);
        }
        FENCE_ASYNC();
    }
    __syncthreads();
    if (t < 32) {
        if (t == 0) {
            for (int i = 0; i < n; ++i) {
                int s = i & 1;
                if (i >= 2)
                    MB_WAIT(&empty[s], (i / 2 - 1) & 1); // bulk-ring-guard
                MB_EXPECT(&full[s], 512);
                BULK_LOAD(ring[s], a + i * 128, 512, &full[s]); // bulk-ring-guard
            }
        }
    } else {
        int c = t - 32, sum = 0;
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            if (i < 2)
                MB_WAIT(&full[s], 0); // bulk-ring-guard
            sum += (i + 1) * ring[s][127 - c]; // bulk-ring-guard
            MB_ARRIVE(&empty[s]);
        }
        out[c] = sum;
    }
}

// The empty barriers expect all 160 threads, but only the 128 consumers arrive.
// Wrong: the producer waits for ever for the first slot to come back, the consumers for a tile.
//@ array a10 i32 768 iota
//@ array o10 i32 128
//@ launch bulk_ring_count<<<1, 160>>>(a10, o10, 6)
//@found deadlock bulk-ring-count
extern "C" __global__ void bulk_ring_count(const int *a, int *out, int n)
{
    __shared__ alignas(128) int ring[2][128];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < 2; ++s) {
            MB_INIT(&full[s], 1);
            MB_INIT(&empty[s], 160);
        }
        FENCE_ASYNC();
    }
    __syncthreads();
    if (t < 32) {
        if (t == 0) {
            for (int i = 0; i < n; ++i) {
                int s = i & 1;
                if (i >= 2)
                    MB_WAIT(&empty[s], (i / 2 - 1) & 1); // bulk-ring-count
                MB_EXPECT(&full[s], 512);
                BULK_LOAD(ring[s], a + i * 128, 512, &full[s]);
            }
        }
    } else {
        int c = t - 32, sum = 0;
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            MB_WAIT(&full[s], (i / 2) & 1); // bulk-ring-count
            sum += (i + 1) * ring[s][127 - c];
            MB_ARRIVE(&empty[s]);
        }
        out[c] = sum;
    }
}

// Fills a tile, sends it out by a bulk store, and uses the tile again.
// Right: a proxy fence and a barrier come before the store, a read wait and one after it.
//@ array a11 i32 256 iota
//@ array o11 i32 256
//@ launch bulk_store<<<1, 64>>>(a11, o11, 4)
//@none
extern "C" __global__ void bulk_store(const int *a, int *out, int n)
{
    __shared__ alignas(128) int tile[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; ++i) {
        tile[t] = a[i * 64 + 63 - t] * (i + 1);
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            BULK_STORE(out + i * 64, tile, 256);
            BULK_COMMIT();
            BULK_WAIT_READ();
        }
        __syncthreads();
    }
    if (t == 0)
        BULK_WAIT();
}

// The same without the wait for the reads of the bulk store.
// Wrong: the next filling may overwrite the tile while the bulk store still reads it.
//@ array a12 i32 256 iota
//@ array o12 i32 256
//@ launch bulk_store_nowait<<<1, 64>>>(a12, o12, 4)
//@found race-shared bulk-store-nowait
extern "C" __global__ void bulk_store_nowait(const int *a, int *out, int n)
{
    __shared__ alignas(128) int tile[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; ++i) {
        tile[t] = a[i * 64 + 63 - t] * (i + 1); // bulk-store-nowait
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            BULK_STORE(out + i * 64, tile, 256); // bulk-store-nowait
            BULK_COMMIT();
        }
        __syncthreads();
    }
    if (t == 0)
        BULK_WAIT();
}

// One bulk store without a barrier between the filling and the store.
// Wrong: thread 0 starts the store while other warps still fill the tile.
//@ array a13 i32 64 iota
//@ array o13 i32 64
//@ launch bulk_store_nosync<<<1, 64>>>(a13, o13)
//@found race-shared bulk-store-nosync
extern "C" __global__ void bulk_store_nosync(const int *a, int *out)
{
    __shared__ alignas(128) int tile[64];
    int t = threadIdx.x;
    tile[t] = a[63 - t] * 3; // bulk-store-nosync
    FENCE_ASYNC();
    if (t == 0) {
        BULK_STORE(out, tile, 256); // bulk-store-nosync
        BULK_COMMIT();
        BULK_WAIT();
    }
}

// One bulk store with a barrier but without the proxy fence.
// Wrong: the ordinary stores need not be visible to the asynchronous proxy that reads the tile.
// On a real device the bytes mostly come out right all the same.
//@ array a14 i32 64 iota
//@ array o14 i32 64
//@ launch bulk_store_nofence<<<1, 64>>>(a14, o14)
//@found race-shared bulk-store-nofence
extern "C" __global__ void bulk_store_nofence(const int *a, int *out)
{
    __shared__ alignas(128) int tile[64];
    int t = threadIdx.x;
    tile[t] = a[63 - t] * 3; // bulk-store-nofence
    __syncthreads();
    if (t == 0) {
        BULK_STORE(out, tile, 256); // bulk-store-nofence
        BULK_COMMIT();
        BULK_WAIT();
    }
}

// Four blocks add their tiles to one array by bulk reductions.
// Right: the additions are atomic element by element, and integers add in any order.
//@ array a15 i32 256 iota
//@ array o15 i32 64 value:1
//@ launch bulk_reduce<<<4, 64>>>(a15, o15)
//@none
extern "C" __global__ void bulk_reduce(const int *a, int *out)
{
    __shared__ alignas(128) int tile[64];
    int t = threadIdx.x;
    tile[t] = a[blockIdx.x * 64 + t] * (t % 3 + 1);
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_ADD(out, tile, 256);
        BULK_COMMIT();
        BULK_WAIT();
    }
}

// Producer and consumer warps with named barriers, arrive on one side and sync on the other.
// Barriers 1 and 2 say that a slot is full, 3 and 4 that it is free again.
// Right: each barrier counts the 32 threads that arrive and the 32 that wait.
//@ array a16 i32 192 iota
//@ array o16 i32 32
//@ launch ws_named<<<1, 64>>>(a16, o16, 6)
//@none
extern "C" __global__ void ws_named(const int *a, int *out, int n)
{
    __shared__ int slot[2][32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            if (i >= 2)
                BAR_SYNC(3 + s, 64);
            slot[s][lane] = a[i * 32 + lane] + i;
            BAR_ARRIVE(1 + s, 64);
        }
    } else {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            BAR_SYNC(1 + s, 64);
            sum += (i + 1) * slot[s][31 - lane];
            if (i + 2 < n)
                BAR_ARRIVE(3 + s, 64);
        }
        out[lane] = sum;
    }
}

// The same, but the consumer gives the slot back before it reads.
// Wrong: the producer may overwrite the slot during the read.
//@ array a17 i32 192 iota
//@ array o17 i32 32
//@ launch ws_named_early<<<1, 64>>>(a17, o17, 6)
//@found race-shared ws-named-early
extern "C" __global__ void ws_named_early(const int *a, int *out, int n)
{
    __shared__ int slot[2][32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            if (i >= 2)
                BAR_SYNC(3 + s, 64);
            slot[s][lane] = a[i * 32 + lane] + i; // ws-named-early
            BAR_ARRIVE(1 + s, 64);
        }
    } else {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            BAR_SYNC(1 + s, 64);
            if (i + 2 < n)
                BAR_ARRIVE(3 + s, 64);
            sum += (i + 1) * slot[s][31 - lane]; // ws-named-early
        }
        out[lane] = sum;
    }
}

// Two producer warps fill slots by ordinary stores, two consumer warps drain them, by mbarriers.
// Right: every thread of one side arrives after its access, and every thread of the other waits.
//@ array a18 i32 320 iota
//@ array o18 i32 64
//@ launch mb_plain<<<1, 128>>>(a18, o18, 5)
//@none
extern "C" __global__ void mb_plain(const int *a, int *out, int n)
{
    __shared__ int slot[2][64];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    if (t < 2) {
        MB_INIT(&full[t], 64);
        MB_INIT(&empty[t], 64);
    }
    __syncthreads();
    if (t < 64) {
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            MB_WAIT(&empty[s], ((i / 2) & 1) ^ 1);
            slot[s][t] = a[i * 64 + t] - i;
            MB_ARRIVE(&full[s]);
        }
    } else {
        int c = t - 64, sum = 0;
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            MB_WAIT(&full[s], (i / 2) & 1);
            sum += (i + 1) * slot[s][c ^ 33];
            MB_ARRIVE(&empty[s]);
        }
        out[c] = sum;
    }
}

// The same with the producers' arrival before their store.
// Wrong: the consumers may read a slot before the store that the arrival announces.
// In the first round the read may also be called uninitialized, but the race is the cause.
//@ array a19 i32 320 iota
//@ array o19 i32 64
//@ launch mb_plain_early<<<1, 128>>>(a19, o19, 5)
//@found race-shared mb-plain-early
extern "C" __global__ void mb_plain_early(const int *a, int *out, int n)
{
    __shared__ int slot[2][64];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    if (t < 2) {
        MB_INIT(&full[t], 64);
        MB_INIT(&empty[t], 64);
    }
    __syncthreads();
    if (t < 64) {
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            MB_WAIT(&empty[s], ((i / 2) & 1) ^ 1);
            MB_ARRIVE(&full[s]);
            slot[s][t] = a[i * 64 + t] - i; // mb-plain-early
        }
    } else {
        int c = t - 64, sum = 0;
        for (int i = 0; i < n; ++i) {
            int s = i & 1;
            MB_WAIT(&full[s], (i / 2) & 1);
            sum += (i + 1) * slot[s][c ^ 33]; // mb-plain-early
            MB_ARRIVE(&empty[s]);
        }
        out[c] = sum;
    }
}
