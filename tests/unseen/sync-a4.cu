// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Locks, queues, flags inside a block, named barriers, deadlocks.

// Wrong: the lock has no fences; what it guards is not ordered between the blocks.
//@ array lock int 1 zero
//@ array c int 2 zero
//@ launch a_lock_nofence<<<4, 1>>>(lock, c, 1)
//@found race-global lock-nofence
//@element c[1]
__global__ void a_lock_nofence(int* lock, int* c, int slot) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    c[slot] += 3; // lock-nofence
    atomicExch(lock, 0);
}

// Wrong: the lock is given back by a plain store that races with the others' atomicCAS.
//@ array lock int 2 zero
//@ array c int 1 zero
//@ launch a_lock_plain<<<4, 1>>>(lock, c, 1)
//@found race-global lock-plain
//@element lock[1]
__global__ void a_lock_plain(int* lock, int* c, int slot) {
    while (atomicCAS(&lock[slot], 0, 1) != 0) {}
    atomicAdd(c, 2);
    lock[slot] = 0; // lock-plain
}

// Wrong: the lock's fences have block scope, the lock is shared by blocks.
//@ array lock int 1 zero
//@ array c int 2 zero
//@ launch a_lock_fence_block<<<4, 1>>>(lock, c, 1)
//@found race-global lock-fence-block
//@element c[1]
__global__ void a_lock_fence_block(int* lock, int* c, int slot) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence_block();
    c[slot] += 3; // lock-fence-block
    __threadfence_block();
    atomicExch(lock, 0);
}

// Wrong: an early return keeps the lock; the block that comes next spins for ever.
//@ array lock int 1 zero
//@ array c int 2 zero
//@ launch a_lock_kept<<<2, 1>>>(lock, c, 4)
//@found timeout lock-kept
//@or deadlock
__global__ void a_lock_kept(int* lock, int* c, int limit) {
    while (atomicCAS(lock, 0, 1) != 0) {} // lock-kept
    __threadfence();
    c[0] += 1;
    if (c[0] < limit) return;
    __threadfence();
    atomicExch(lock, 0);
}

// Wrong: two blocks hold one lock each and want the other's.
//@ array lock int 2 zero
//@ array held int 1 zero
//@ launch a_lock_cross<<<2, 1>>>(lock, held)
//@found timeout lock-cross
//@or deadlock
__global__ void a_lock_cross(int* lock, int* held) {
    int mine = blockIdx.x & 1;
    while (atomicCAS(&lock[mine], 0, 1) != 0) {}
    atomicAdd(held, 1);
    while (atomicAdd(held, 0) < 2) {}
    while (atomicCAS(&lock[mine ^ 1], 0, 1) != 0) {} // lock-cross
    atomicExch(&lock[mine ^ 1], 0);
    atomicExch(&lock[mine], 0);
}

// Wrong: the two warps wait at two different named barriers, each for 64 threads.
//@ array out int 64 zero
//@ launch a_named_differ<<<1, 64>>>(out)
//@found deadlock named-differ
__global__ void a_named_differ(int* out) {
    int w = threadIdx.x >> 5;
    asm volatile("bar.sync %0, 64;" :: "r"(w + 1) : "memory"); // named-differ
    out[threadIdx.x] = w;
}

// Wrong: a named barrier expects 96 threads, but only two warps use it; the third waits at barrier 2 for all.
//@ array out int 96 zero
//@ launch a_named_count<<<1, 96>>>(out, 96)
//@found deadlock named-count
__global__ void a_named_count(int* out, int cnt) {
    int w = threadIdx.x >> 5;
    int id = w < 2 ? 1 : 2;
    asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(cnt) : "memory"); // named-count
    out[threadIdx.x] = id;
}

// Wrong: warp 0 spins on a flag that warp 1 sets only after a barrier that warp 0 never reaches.
//@ array out int 64 zero
//@ launch a_flag_after_bar<<<1, 64>>>(out, 1)
//@found timeout flag-after-bar
//@or deadlock
__global__ void a_flag_after_bar(int* out, int one) {
    __shared__ volatile int flag;
    int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t < 32) while (flag == 0) {} // flag-after-bar
    __syncthreads();
    if (t == 32) flag = one;
    out[t] = t;
}

// Wrong: the queue's tail is raised without a fence behind the item; the consumer's read isn't ordered.
//@ array item int 4 zero
//@ array tail int 1 zero
//@ array out int 4 zero
//@ launch a_queue_nofence<<<2, 1>>>(item, tail, out, 4)
//@found race-global queue-nofence
__global__ void a_queue_nofence(int* item, int* tail, int* out, int n) {
    if (blockIdx.x == 0) {
        for (int i = 0; i < n; i++) {
            item[i] = 100 + i * i;
            atomicAdd(tail, 1);
        }
    } else {
        for (int i = 0; i < n; i++) {
            while (atomicAdd(tail, 0) <= i) {}
            __threadfence();
            out[i] = item[i]; // queue-nofence
        }
    }
}

// Wrong: the queue's slot is taken and then filled; the consumer in the same block sees the raised tail, not the item.
//@ array out int 64 zero
//@ launch a_queue_shared<<<1, 64>>>(out)
//@found race-shared queue-shared
__global__ void a_queue_shared(int* out) {
    __shared__ int item[32];
    __shared__ int tail;
    int t = threadIdx.x;
    if (t < 32) item[t] = -1;
    if (t == 0) tail = 0;
    __syncthreads();
    if (t < 32) {
        int p = atomicAdd(&tail, 1);
        item[p] = t * 2;
        __threadfence_block();
    } else {
        int p = t - 32;
        while (atomicAdd(&tail, 0) <= p) {}
        __threadfence_block();
        out[p] = item[p]; // queue-shared
    }
}

// Right: lock with atomicCAS, a fence behind it, and a fence before atomicExch gives it back.
//@ array lock int 1 zero
//@ array c int 1 zero
//@ launch a_lock_right<<<8, 1>>>(lock, c)
//@none
__global__ void a_lock_right(int* lock, int* c) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *c += 3;
    __threadfence();
    atomicExch(lock, 0);
}

// Right: the same lock by all lanes of two warps; each lane does its turn inside the loop.
//@ array lock int 1 zero
//@ array c int 1 zero
//@ launch a_lock_lanes<<<2, 32>>>(lock, c)
//@none
__global__ void a_lock_lanes(int* lock, int* c) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *c = *c + (int)threadIdx.x;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Right: the lock is given back by a volatile store behind a fence (a strong write, as good as an atomic).
//@ array lock int 1 zero
//@ array c int 1 zero
//@ launch a_lock_volatile<<<4, 1>>>(lock, c)
//@none
__global__ void a_lock_volatile(int* lock, int* c) {
    while (atomicExch(lock, 1) != 0) {}
    __threadfence();
    *c = *c * 2 + 1;
    __threadfence();
    *(volatile int*)lock = 0;
}

// Right: a ticket lock; the holder alone writes the turn, the others poll it.
//@ array next int 1 zero
//@ array turn int 1 zero
//@ array list int 64 zero
//@ array len int 1 zero
//@ launch a_ticket_lock<<<2, 32>>>(next, turn, list, len)
//@none
__global__ void a_ticket_lock(int* next, int* turn, int* list, int* len) {
    int me = atomicAdd(next, 1);
    bool done = false;
    while (!done) {
        if (atomicAdd(turn, 0) == me) {
            __threadfence();
            list[*len] = blockIdx.x * 100 + threadIdx.x;
            *len += 1;
            __threadfence();
            atomicAdd(turn, 1);
            done = true;
        }
    }
}

// Right: producers fill slots and raise each slot's own flag; consumers take tickets and wait for their slot.
//@ array slot int 32 zero
//@ array ready int 32 zero
//@ array head int 2 zero
//@ array out int 32 zero
//@ launch a_slots_flags<<<2, 32>>>(slot, ready, head, out)
//@none
__global__ void a_slots_flags(int* slot, int* ready, int* head, int* out) {
    int t = threadIdx.x;
    int p = atomicAdd(&head[blockIdx.x], 1);
    if (blockIdx.x == 0) {
        slot[p] = 7 * t + 1;
        __threadfence();
        atomicExch(&ready[p], 1);
    } else {
        while (atomicAdd(&ready[p], 0) == 0) {}
        __threadfence();
        out[p] = slot[p];
    }
}

// Right: a producer warp arrives (and goes on), a consumer warp waits at the same named barrier; and back.
//@ array out int 96 zero
//@ array in int 96 iota
//@ launch a_named_pc<<<1, 64>>>(out, in, 3)
//@none
__global__ void a_named_pc(int* out, const int* in, int rounds) {
    __shared__ int buf[32];
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; k++) {
            if (k > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
            buf[lane] = in[k * 32 + lane] * 2;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        }
    } else {
        for (int k = 0; k < rounds; k++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[k * 32 + lane] = buf[31 - lane];
            if (k + 1 < rounds) asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}

// Right: warp 1 polls a volatile shared flag; block-scope fences are enough within a block.
//@ array out int 64 zero
//@ launch a_flag_shared<<<1, 64>>>(out, 5)
//@none
__global__ void a_flag_shared(int* out, int mul) {
    __shared__ volatile int flag;
    __shared__ int data[32];
    int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t < 32) {
        data[t] = t * mul;
        __syncwarp();
        if (t == 0) {
            __threadfence_block();
            flag = 1;
        }
    } else {
        while (flag == 0) {}
        __threadfence_block();
        out[t] = data[63 - t];
    }
}

// Right: lane 0 works while the other lanes of its warp spin on its flag (lanes advance on their own since 7.0).
//@ array out int 32 zero
//@ launch a_spin_lanes<<<1, 32>>>(out, 11)
//@none
__global__ void a_spin_lanes(int* out, int x) {
    __shared__ int data;
    __shared__ volatile int flag;
    int lane = threadIdx.x;
    if (lane == 0) flag = 0;
    __syncwarp();
    if (lane != 0) {
        while (flag == 0) {}
        __threadfence_block();
        out[lane] = data + lane;
    } else {
        data = x * x;
        __threadfence_block();
        flag = 1;
        out[0] = x;
    }
}

// Right: nodes are pushed on a list of indices by atomicCAS; the links are read only behind the barrier.
//@ array next int 64
//@ array out int 2
//@ launch a_stack_cas<<<1, 64>>>(next, out)
//@none
__global__ void a_stack_cas(int* next, int* out) {
    __shared__ int head;
    int t = threadIdx.x;
    if (t == 0) head = -1;
    __syncthreads();
    int old = atomicAdd(&head, 0), seen;
    while (true) {
        next[t] = old;
        seen = atomicCAS(&head, old, t);
        if (seen == old) break;
        old = seen;
    }
    __syncthreads();
    if (t == 0) {
        int sum = 0, len = 0;
        for (int i = head; i >= 0; i = next[i]) sum += i, len++;
        out[0] = sum;
        out[1] = len;
    }
}

// Right: a home-made barrier of four blocks, fence and counter, generation by generation.
//@ array x int 128 iota
//@ array y int 128 zero
//@ array gate u32 1 zero
//@ launch a_own_gate<<<4, 32>>>(x, y, gate, 4)
//@none
__global__ void a_own_gate(int* x, int* y, unsigned* gate, int rounds) {
    int i = blockIdx.x * 32 + threadIdx.x, n = gridDim.x * 32;
    int *a = x, *b = y;
    for (int k = 0; k < rounds; k++) {
        b[i] = a[(i + 1) % n] + a[(i + n - 1) % n];
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(gate, 1);
            while (atomicAdd(gate, 0) < (k + 1) * gridDim.x) {}
            __threadfence();
        }
        __syncthreads();
        int* c = a; a = b; b = c;
    }
}
