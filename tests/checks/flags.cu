// SPDX-License-Identifier: GPL-3.0-or-later
// Flags: one block tells another that its data are there, by atomics, volatile
// words, or loads and stores of PTX that acquire and release.

// Right: volatile flags, one for each pair of threads, fences on both sides.
//@ array data int 32 zero
//@ array flag int 32 zero
//@ array out int 32 zero
//@ launch flag_lanes<<<2, 32>>>(data, flag, out)
//@none
__global__ void flag_lanes(int *data, volatile int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t * t;
        __threadfence();
        flag[t] = 1;
    } else {
        while (flag[t] == 0)
            ;
        __threadfence();
        out[t] = data[t];
    }
}

// Right: the blocks pass one turn along, each reads what the one before it wrote.
//@ array a int 128 iota
//@ array turn int 1 zero
//@ launch flag_chain<<<4, 32>>>(a, turn)
//@none
__global__ void flag_chain(int *a, int *turn)
{
    int t = threadIdx.x, b = blockIdx.x;
    if (t == 0) {
        while (atomicAdd(turn, 0) != b)
            ;
        __threadfence();
    }
    __syncthreads();
    if (b > 0)
        a[32 * b + t] += a[32 * (b - 1) + 31 - t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        atomicExch(turn, b + 1);
    }
}

// Right: two blocks work on one plain word in turns.
//@ array box int 1 value:1
//@ array turn int 1 zero
//@ launch flag_turns<<<2, 1>>>(box, turn)
//@none
__global__ void flag_turns(int *box, volatile int *turn)
{
    int me = blockIdx.x;
    for (int k = 0; k < 4; k++) {
        while (*turn != 2 * k + me)
            ;
        __threadfence();
        box[0] = 3 * box[0] + me;
        __threadfence();
        *turn = 2 * k + me + 1;
    }
}

// Right: release and acquire written in PTX, at the scope of the device.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch flag_ptx<<<2, 1>>>(data, flag, out)
//@none
__global__ void flag_ptx(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 17;
        asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    } else {
        int f = 0;
        while (f == 0)
            asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(f) : "l"(flag) : "memory");
        out[0] = data[0];
    }
}

// Wrong: a volatile flag without any fence orders nothing but itself.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch flag_bare<<<2, 1>>>(data, flag, out)
//@found race-global no-fence
__global__ void flag_bare(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 42; // no-fence
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        out[0] = data[0]; // no-fence
    }
}

// Wrong: the fences reach no further than the block.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch flag_block_fence<<<2, 1>>>(data, flag, out)
//@found race-global block-fence
__global__ void flag_block_fence(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 42; // block-fence
        __threadfence_block();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        __threadfence_block();
        out[0] = data[0]; // block-fence
    }
}

// Wrong: block 2 waits for block 0 and reads the word of block 1.
//@ array data int 3 zero
//@ array flag int 3 zero
//@ array out int 1 zero
//@ launch flag_other_slot<<<3, 1>>>(data, flag, out)
//@found race-global other-slot
__global__ void flag_other_slot(int *data, int *flag, int *out)
{
    int b = blockIdx.x;
    if (b < 2) {
        data[b] = 10 + b; // other-slot
        __threadfence();
        atomicExch(&flag[b], 1);
    } else {
        while (atomicAdd(&flag[0], 0) == 0)
            ;
        __threadfence();
        out[0] = data[1]; // other-slot
    }
}

// Wrong: thread 0 waits, the other threads of its block go on and read.
//@ array data int 64 zero
//@ array flag int 1 zero
//@ array out int 64 zero
//@ launch flag_one_waits<<<2, 64>>>(data, flag, out)
//@found race-global one-waits
__global__ void flag_one_waits(int *data, int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t + 1; // one-waits
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0)
                ;
            __threadfence();
        }
        out[t] = data[t]; // one-waits
    }
}

// Wrong: the flag is set by a plain store while the other block polls it.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch flag_plain_set<<<2, 1>>>(data, flag, out)
//@found race-global plain-set
__global__ void flag_plain_set(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 42; // plain-set
        __threadfence();
        *flag = 1; // plain-set
    } else {
        while (atomicAdd(flag, 0) == 0) // plain-set
            ;
        __threadfence();
        out[0] = data[0]; // plain-set
    }
}

// Wrong: release and acquire at the scope of a block, the two are in different blocks.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch flag_cta_scope<<<2, 1>>>(data, flag, out)
//@found race-global cta-scope
__global__ void flag_cta_scope(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 17;                                                                // cta-scope
        asm volatile("st.release.cta.s32 [%0], %1;" ::"l"(flag), "r"(1) : "memory"); // cta-scope
    } else {
        int f = 0;
        while (f == 0)
            asm volatile("ld.acquire.cta.s32 %0, [%1];" // cta-scope
                         : "=r"(f)
                         : "l"(flag)
                         : "memory"); // cta-scope
        out[0] = data[0];             // cta-scope
    }
}

// Wrong: the reader's fence is for its block, the writer is in another.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch flag_reader_block_fence<<<2, 1>>>(data, flag, out)
//@found race-global reader-fence
__global__ void flag_reader_block_fence(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 17; // reader-fence
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        __threadfence_block();
        out[0] = data[0]; // reader-fence
    }
}

// Right: the same within one block.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ launch flag_block_fences<<<1, 64>>>(data, flag, out)
//@none
__global__ void flag_block_fences(int *data, volatile int *flag, int *out)
{
    if (threadIdx.x == 0) {
        data[0] = 17;
        __threadfence_block();
        *flag = 1;
    } else if (threadIdx.x == 32) {
        while (*flag == 0)
            ;
        __threadfence_block();
        out[0] = data[0];
    }
}

// Wrong: an atomic for the block alone, by threads of two blocks.
//@ array sum int 1 zero
//@ launch atomic_block_scope<<<2, 32>>>(sum)
//@found race-global block-scope
__global__ void atomic_block_scope(int *sum)
{
    atomicAdd_block(sum, 1); // block-scope
}

// Wrong: one of the two is for its block alone.
//@ array sum int 1 zero
//@ launch atomic_mixed_scope<<<2, 32>>>(sum)
//@found race-global mixed-scope
__global__ void atomic_mixed_scope(int *sum)
{
    if (blockIdx.x == 0)
        atomicAdd_block(sum, 1); // mixed-scope
    else
        atomicAdd(sum, 1); // mixed-scope
}

// Right: each block has a counter of its own, and the scopes may be mixed.
//@ array sum int 2 zero
//@ launch atomic_own_block<<<2, 64>>>(sum)
//@none
__global__ void atomic_own_block(int *sum)
{
    if (threadIdx.x < 32)
        atomicAdd_block(&sum[blockIdx.x], 1);
    else
        atomicAdd(&sum[blockIdx.x], 1);
}

// Right: for the whole system, across blocks.
//@ array sum int 1 zero
//@ launch atomic_system_scope<<<2, 32>>>(sum)
//@none
__global__ void atomic_system_scope(int *sum)
{
    atomicAdd_system(sum, 1);
}

// Right: one volatile word of 64 bits carries both the value and the flag that it is there.
//@ array words u64 64 zero
//@ array out int 64 zero
//@ launch flag_in_word<<<2, 64>>>(words, out)
//@none
__global__ void flag_in_word(volatile unsigned long long *words, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        words[t] = (unsigned long long)(t * t) << 32 | 1;
    } else {
        unsigned long long w;
        do
            w = words[t];
        while ((w & 1) == 0);
        out[t] = (int)(w >> 32);
    }
}

// Right: the same, with the loop left from its middle, and a sum handed from block to block.
//@ array words u64 8 zero
//@ array out int 8 zero
//@ launch flag_in_word_chain<<<8, 32>>>(words, out)
//@none
__global__ void flag_in_word_chain(volatile unsigned long long *words, int *out)
{
    int b = blockIdx.x, before = 0, tries = 0;
    if (threadIdx.x != 0)
        return;
    while (b > 0) {
        unsigned long long w = words[b - 1];
        if (w >> 32 == 7) {
            before = (int)w;
            break;
        }
        tries++;
    }
    out[b] = before + tries * 0;
    words[b] = 7ull << 32 | (unsigned)(before + b);
}

// Wrong: the word is read once, and what it holds depends on who came first.
//@ array words u64 64 zero
//@ array out int 64 zero
//@ launch flag_read_once<<<2, 64>>>(words, out)
//@found race-global read-once
__global__ void flag_read_once(volatile unsigned long long *words, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0)
        words[t] = (unsigned long long)(t * t) << 32 | 1; // read-once
    else
        out[t] = (int)(words[t] >> 32); // read-once
}

// Wrong: the flag in a volatile word of its own, with no fence, tells nothing of the value.
//@ array words u64 2 zero
//@ array out int 1 zero
//@ launch flag_beside_word<<<2, 1>>>(words, out)
//@found race-global beside-word
__global__ void flag_beside_word(volatile unsigned long long *words, int *out)
{
    if (blockIdx.x == 0) {
        words[0] = 17; // beside-word
        words[1] = 1;
    } else {
        while (words[1] == 0)
            ;
        out[0] = (int)words[0]; // beside-word
    }
}

// Wrong: the flag is set to 1 and waited for to become 2.
//@ array data int 1 zero
//@ array flag int 1 zero
//@ array out int 1 zero
//@ set step-limit 100000
//@ launch flag_never_two<<<2, 1>>>(data, flag, out)
//@found timeout never-two
__global__ void flag_never_two(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) != 2) // never-two
            ;                           // never-two
        __threadfence();
        out[0] = data[0];
    }
}
