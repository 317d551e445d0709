// SPDX-License-Identifier: GPL-3.0-or-later
// Double and triple buffering by __pipeline_memcpy_async and by cp.async in inline PTX.
#include <cstdint>
#include <cuda_pipeline.h>

// The steps are macros, so that each belongs to the line of the kernel that uses it.
#define SADDR(p) (static_cast<uint32_t>(__cvta_generic_to_shared(p)))
#define CP16(d, s) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" \
    :: "r"(SADDR(d)), "l"(__cvta_generic_to_global(s)) : "memory")
#define CP4(d, s) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" \
    :: "r"(SADDR(d)), "l"(__cvta_generic_to_global(s)) : "memory")
#define CP16Z(d, s, n) asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" \
    :: "r"(SADDR(d)), "l"(__cvta_generic_to_global(s)), "r"(n) : "memory")
#define CP_COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define CP_WAIT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")

// Sums turned tiles of 256 integers with two buffers.
// Right: one copy is in flight while the other buffer is read, with barriers on both sides.
//@ array a1 i32 1024 iota
//@ array o1 i32 64
//@ launch pma_two<<<1, 64>>>(a1, o1, 4)
//@none
extern "C" __global__ void pma_two(const int *a, int *out, int n)
{
    __shared__ alignas(16) int buf[2][256];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&buf[0][4 * t], a + 4 * t, 16);
    __pipeline_commit();
    for (int i = 0; i < n; ++i) {
        if (i + 1 < n)
            __pipeline_memcpy_async(&buf[(i + 1) & 1][4 * t], a + (i + 1) * 256 + 4 * t, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int j = 0; j < 4; ++j)
            sum += (j + 1) * buf[i & 1][64 * j + 63 - t];
        __syncthreads();
    }
    out[t] = sum;
}

// The same without the barrier after the wait.
// Wrong: a thread waits only for its own copies, but reads what other threads copy.
//@ array a2 i32 1024 iota
//@ array o2 i32 64
//@ launch pma_two_nosync<<<1, 64>>>(a2, o2, 4)
//@found race-shared pma-two-nosync
extern "C" __global__ void pma_two_nosync(const int *a, int *out, int n)
{
    __shared__ alignas(16) int buf[2][256];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&buf[0][4 * t], a + 4 * t, 16); // pma-two-nosync
    __pipeline_commit();
    for (int i = 0; i < n; ++i) {
        if (i + 1 < n) {
            const int *src = a + (i + 1) * 256 + 4 * t;
            __pipeline_memcpy_async(&buf[(i + 1) & 1][4 * t], src, 16); // pma-two-nosync
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        for (int j = 0; j < 4; ++j)
            sum += (j + 1) * buf[i & 1][64 * j + 63 - t]; // pma-two-nosync
        __syncthreads();
    }
    out[t] = sum;
}

// Each thread copies 16 bytes for itself and reads just these.
// Right: the wait shows a thread its own copies, so no barrier is needed.
//@ array a3 i32 256 iota
//@ array o3 i32 64
//@ launch pma_own<<<1, 64>>>(a3, o3)
//@none
extern "C" __global__ void pma_own(const int *a, int *out)
{
    __shared__ int4 buf[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&buf[t], reinterpret_cast<const int4 *>(a) + t, sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    int4 v = buf[t];
    out[t] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
}

// The same with the read before the wait.
// Wrong: a thread's own copy may still be under way when the thread reads.
// Both parties are the same thread, but the copy runs beside it.
//@ array a4 i32 256 iota
//@ array o4 i32 64
//@ launch pma_own_early<<<1, 64>>>(a4, o4)
//@found race-shared pma-own-early
extern "C" __global__ void pma_own_early(const int *a, int *out)
{
    __shared__ int4 buf[64];
    int t = threadIdx.x;
    const int4 *src = reinterpret_cast<const int4 *>(a) + t;
    __pipeline_memcpy_async(&buf[t], src, sizeof(int4)); // pma-own-early
    __pipeline_commit();
    int4 v = buf[t]; // pma-own-early
    __pipeline_wait_prior(0);
    out[t] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
}

// A row filter with a halo: 64 outputs from 66 inputs, the edge by 4-byte copies.
// Right: wait and barrier come before the reads of the neighbours.
//@ array a5 i32 66 iota
//@ array o5 i32 64
//@ launch pma_halo<<<1, 64>>>(a5, o5)
//@none
extern "C" __global__ void pma_halo(const int *a, int *out)
{
    __shared__ int row[66];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&row[t], a + t, 4);
    if (t < 2)
        __pipeline_memcpy_async(&row[64 + t], a + 64 + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = row[t] * row[t] - 3 * row[t + 1] + row[t + 2];
}

// The same without the copies of the last two elements.
// Wrong: the last two threads read shared memory that was never written.
//@ array a6 i32 66 iota
//@ array o6 i32 64
//@ launch pma_halo_short<<<1, 64>>>(a6, o6)
//@found uninitialized pma-halo-short
extern "C" __global__ void pma_halo_short(const int *a, int *out)
{
    __shared__ int row[66];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&row[t], a + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = row[t] * row[t] - 3 * row[t + 1] + row[t + 2]; // pma-halo-short
}

// A ring of three slots with two copies in flight and one barrier a turn.
// Right: the slot filled at turn i was read at turn i - 1, which the barrier of turn i closes.
// Empty groups at the end keep the count for wait_group.
//@ array a7 i32 1536 iota
//@ array o7 i32 64
//@ launch cpa_ring<<<1, 64>>>(a7, o7, 6)
//@none
extern "C" __global__ void cpa_ring(const int *a, int *out, int n)
{
    __shared__ alignas(16) int ring[3][256];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 2; ++i) {
        if (i < n)
            CP16(&ring[i][4 * t], a + i * 256 + 4 * t);
        CP_COMMIT();
    }
    for (int i = 0; i < n; ++i) {
        CP_WAIT(1);
        __syncthreads();
        if (i + 2 < n)
            CP16(&ring[(i + 2) % 3][4 * t], a + (i + 2) * 256 + 4 * t);
        CP_COMMIT();
        for (int j = 0; j < 4; ++j)
            sum += (i + j) * ring[i % 3][(4 * t + j + 131) % 256];
    }
    out[t] = sum;
}

// The same with the next copy started before the barrier.
// Wrong: slow threads may still read that slot in the turn before.
//@ array a8 i32 1536 iota
//@ array o8 i32 64
//@ launch cpa_ring_early<<<1, 64>>>(a8, o8, 6)
//@found race-shared cpa-ring-early
extern "C" __global__ void cpa_ring_early(const int *a, int *out, int n)
{
    __shared__ alignas(16) int ring[3][256];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 2; ++i) {
        if (i < n)
            CP16(&ring[i][4 * t], a + i * 256 + 4 * t);
        CP_COMMIT();
    }
    for (int i = 0; i < n; ++i) {
        if (i + 2 < n)
            CP16(&ring[(i + 2) % 3][4 * t], a + (i + 2) * 256 + 4 * t); // cpa-ring-early
        CP_COMMIT();
        CP_WAIT(2);
        __syncthreads();
        for (int j = 0; j < 4; ++j)
            sum += (i + j) * ring[i % 3][(4 * t + j + 131) % 256]; // cpa-ring-early
    }
    out[t] = sum;
}

// The same ring, but no empty groups are committed at the end.
// Wrong: in the last turn wait_group 1 still allows the last tile's copy to be under way.
//@ array a9 i32 1536 iota
//@ array o9 i32 64
//@ launch cpa_ring_few<<<1, 64>>>(a9, o9, 6)
//@found race-shared cpa-ring-few
extern "C" __global__ void cpa_ring_few(const int *a, int *out, int n)
{
    __shared__ alignas(16) int ring[3][256];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 2; ++i) {
        CP16(&ring[i][4 * t], a + i * 256 + 4 * t);
        CP_COMMIT();
    }
    for (int i = 0; i < n; ++i) {
        CP_WAIT(1);
        __syncthreads();
        if (i + 2 < n) {
            CP16(&ring[(i + 2) % 3][4 * t], a + (i + 2) * 256 + 4 * t); // cpa-ring-few
            CP_COMMIT();
        }
        for (int j = 0; j < 4; ++j)
            sum += (i + j) * ring[i % 3][(4 * t + j + 131) % 256]; // cpa-ring-few
    }
    out[t] = sum;
}

// Waits for groups, but the copies were never committed to one.
// Wrong: wait_group 0 covers only committed groups, so the copies may still be under way.
//@ array a10 i32 256 iota
//@ array o10 i32 64
//@ launch cpa_nocommit<<<1, 64>>>(a10, o10)
//@found race-shared cpa-nocommit
extern "C" __global__ void cpa_nocommit(const int *a, int *out)
{
    __shared__ alignas(16) int buf[256];
    int t = threadIdx.x;
    CP16(&buf[4 * t], a + 4 * t); // cpa-nocommit
    CP_WAIT(0);
    __syncthreads();
    out[t] = buf[255 - t] + buf[t]; // cpa-nocommit
}

// Copies a ragged array of 250 integers; the rest of the tile becomes zero.
// Right: a source size below 16 reads only the bytes that exist and fills up with zeros.
//@ array a11 i32 250 iota
//@ array o11 i32 64
//@ launch cpa_ragged<<<1, 64>>>(a11, o11, 250)
//@none
extern "C" __global__ void cpa_ragged(const int *a, int *out, int n)
{
    __shared__ alignas(16) int buf[256];
    int t = threadIdx.x;
    int left = n - 4 * t, bytes = left >= 4 ? 16 : left > 0 ? 4 * left : 0;
    CP16Z(&buf[4 * t], a + (bytes > 0 ? 4 * t : 0), bytes);
    CP_COMMIT();
    CP_WAIT(0);
    __syncthreads();
    out[t] = buf[255 - t] + buf[t] + buf[64 + t] + buf[128 + t];
}

// The same without the source size.
// Wrong: the copies of the last two threads read past the end of the array.
//@ array a12 i32 250 iota
//@ array o12 i32 64
//@ launch cpa_past_end<<<1, 64>>>(a12, o12)
//@found out-of-bounds cpa-past-end
extern "C" __global__ void cpa_past_end(const int *a, int *out)
{
    __shared__ alignas(16) int buf[256];
    int t = threadIdx.x;
    CP16(&buf[4 * t], a + 4 * t); // cpa-past-end
    CP_COMMIT();
    CP_WAIT(0);
    __syncthreads();
    out[t] = buf[255 - t] + buf[t] + buf[64 + t] + buf[128 + t];
}

// Copies 16 bytes from an odd offset in a row of 5 integers.
// Wrong: a copy of 16 bytes needs a source at a multiple of 16 bytes.
//@ array a13 i32 320 iota
//@ array o13 i32 64
//@ launch cpa_misaligned<<<1, 64>>>(a13, o13)
//@found misaligned cpa-misaligned
extern "C" __global__ void cpa_misaligned(const int *a, int *out)
{
    __shared__ alignas(16) int buf[256];
    int t = threadIdx.x;
    CP16(&buf[4 * t], a + 5 * t); // cpa-misaligned
    CP_COMMIT();
    CP_WAIT(0);
    __syncthreads();
    out[t] = buf[255 - t];
}

// Binds copies to an mbarrier by cp.async.mbarrier.arrive.noinc.
// Right: noinc counts each thread's arrival once its copies have landed, 64 in all.
//@ array a14 i32 256 iota
//@ array o14 i32 64
//@ launch cpa_mbar<<<1, 64>>>(a14, o14)
//@none
extern "C" __global__ void cpa_mbar(const int *a, int *out)
{
    __shared__ alignas(16) int buf[256];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    uint32_t m = SADDR(&bar), done = 0;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(m) : "memory");
    __syncthreads();
    for (int j = 0; j < 4; ++j)
        CP4(&buf[64 * j + t], a + 64 * j + t);
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(m) : "memory");
    while (!done) {
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(m) : "memory");
    }
    out[t] = buf[255 - t] - 2 * buf[t];
}

// The same without noinc.
// Wrong: each copy adds an arrival to the pending count and takes it away again.
// The 64 expected arrivals never come, and all threads wait for ever.
//@ array a15 i32 256 iota
//@ array o15 i32 64
//@ launch cpa_mbar_inc<<<1, 64>>>(a15, o15)
//@found deadlock cpa-mbar-inc
extern "C" __global__ void cpa_mbar_inc(const int *a, int *out)
{
    __shared__ alignas(16) int buf[256];
    __shared__ uint64_t bar;
    int t = threadIdx.x;
    uint32_t m = SADDR(&bar), done = 0;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(m) : "memory");
    __syncthreads();
    for (int j = 0; j < 4; ++j)
        CP4(&buf[64 * j + t], a + 64 * j + t);
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" :: "r"(m) : "memory");
    while (!done) { // cpa-mbar-inc
        asm volatile("{\n.reg .pred p;\n" // cpa-mbar-inc
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(m) : "memory"); // cpa-mbar-inc
    }
    out[t] = buf[255 - t] - 2 * buf[t];
}
