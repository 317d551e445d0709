// SPDX-License-Identifier: GPL-3.0-or-later
// Locks: spin locks, ticket locks and locks per bucket, which guard plain
// updates of words that several blocks share.

// Right: the leaders of four blocks take turns, with fences inside the lock.
//@ array lock int 1 zero
//@ array sum int 1 zero
//@ launch lock_leaders<<<4, 32>>>(lock, sum)
//@none
__global__ void lock_leaders(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        sum[0] += blockIdx.x + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

// Right: every thread tries until it was in, the lock is let go in the same pass.
//@ array lock int 1 zero
//@ array sum int 2 zero
//@ launch lock_every_thread<<<2, 32>>>(lock, sum)
//@none
__global__ void lock_every_thread(int *lock, int *sum)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            sum[0] += threadIdx.x;
            sum[1] = max(sum[1], sum[0]);
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Right: a bucket is touched only under the lock of the same number.
//@ array lock int 4 zero
//@ array bucket int 4 zero
//@ array in int 64 iota
//@ launch lock_buckets<<<2, 32>>>(lock, bucket, in)
//@none
__global__ void lock_buckets(int *lock, int *bucket, const int *in)
{
    int v = in[blockIdx.x * 32 + threadIdx.x];
    int k = v * 3 % 4;
    bool done = false;
    while (!done) {
        if (atomicExch(&lock[k], 1) == 0) {
            __threadfence();
            bucket[k] = 2 * bucket[k] + v;
            __threadfence();
            atomicExch(&lock[k], 0);
            done = true;
        }
    }
}

// Right: tickets, the holder alone moves the volatile number on.
//@ array next int 1 zero
//@ array now int 1 zero
//@ array sum int 4 zero
//@ launch lock_tickets<<<4, 1>>>(next, now, sum)
//@none
__global__ void lock_tickets(int *next, volatile int *now, int *sum)
{
    int mine = atomicAdd(next, 1);
    while (*now != mine)
        ;
    __threadfence();
    sum[0] += 10;
    sum[mine] += sum[0];
    __threadfence();
    *now = mine + 1;
}

// Right: only one thread of the grid gets a zero, so only one writes.
//@ array lock int 1 zero
//@ array out int 2 zero
//@ launch lock_first_comer<<<4, 64>>>(lock, out)
//@none
__global__ void lock_first_comer(int *lock, int *out)
{
    if (atomicExch(lock, 1) == 0) {
        out[0] = blockIdx.x;
        out[1] = threadIdx.x;
    }
}

// Wrong: no fences, so what one holder wrote is not ordered before the next one.
//@ array lock int 1 zero
//@ array sum int 1 zero
//@ launch lock_bare<<<4, 1>>>(lock, sum)
//@found race-global no-fence
__global__ void lock_bare(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    sum[0] += blockIdx.x + 1; // no-fence
    atomicExch(lock, 0);
}

// Wrong: even and odd blocks guard the same sum by different locks.
//@ array lock int 2 zero
//@ array sum int 1 zero
//@ launch lock_parity<<<4, 1>>>(lock, sum)
//@found race-global parity
__global__ void lock_parity(int *lock, int *sum)
{
    int k = blockIdx.x % 2;
    while (atomicCAS(&lock[k], 0, 1) != 0)
        ;
    __threadfence();
    sum[0] += 5; // parity
    __threadfence();
    atomicExch(&lock[k], 0);
}

// Wrong: the old value is read before the lock is taken.
//@ array lock int 1 zero
//@ array best int 1 zero
//@ launch lock_peek<<<4, 1>>>(lock, best)
//@found race-global peek
__global__ void lock_peek(int *lock, int *best)
{
    int mine = 10 + 3 * blockIdx.x;
    if (best[0] < mine) { // peek
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        best[0] = max(best[0], mine); // peek
        __threadfence();
        atomicExch(lock, 0);
    }
}

// Wrong: the second word is updated after the lock was let go.
//@ array lock int 1 zero
//@ array sum int 1 zero
//@ array calls int 1 zero
//@ launch lock_let_go_early<<<4, 1>>>(lock, sum, calls)
//@found race-global let-go-early
__global__ void lock_let_go_early(int *lock, int *sum, int *calls)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    sum[0] += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
    calls[0] += 1; // let-go-early
}

// Wrong: the holder never lets go, the other block waits for ever.
//@ array lock int 1 zero
//@ array sum int 1 zero
//@ set step-limit 100000
//@ launch lock_kept<<<2, 1>>>(lock, sum)
//@found timeout kept
__global__ void lock_kept(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) // kept
        ;                              // kept
    __threadfence();
    sum[0] += blockIdx.x;
    __threadfence();
}

// Wrong: the lock is tried once and the update made whether it was free or not.
//@ array lock int 1 zero
//@ array sum int 1 zero
//@ array out int 4 zero
//@ launch lock_tried_once<<<4, 1>>>(lock, sum, out)
//@found race-global tried-once
__global__ void lock_tried_once(int *lock, int *sum, int *out)
{
    int was = atomicCAS(lock, 0, 1);
    __threadfence();
    sum[0] += 1; // tried-once
    out[blockIdx.x] = was;
}

// Wrong: the lock is let go by a plain store, which races with the others' atomics.
//@ array lock int 1 zero
//@ array sum int 1 zero
//@ launch lock_plain_release<<<4, 1>>>(lock, sum)
//@found race-global plain-release
__global__ void lock_plain_release(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) // plain-release
        ;
    __threadfence();
    sum[0] += 2; // plain-release
    __threadfence();
    *lock = 0; // plain-release
}
