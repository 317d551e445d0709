// SPDX-License-Identifier: GPL-3.0-or-later
// One block reads, and then another block writes there. A barrier ends the reads of a block, so
// a flag behind it orders them without a fence. A write needs the fence.

// Right: each block moves its part by one place, as soon as the block after it has read.
//@ array a int 256 iota
//@ array flag int 4 zero
//@ launch rd_move_by_one<<<4, 64>>>(a, flag)
//@none
__global__ void rd_move_by_one(int *a, volatile int *flag)
{
    int t = threadIdx.x, b = blockIdx.x, v = a[b * 64 + t];
    __syncthreads();
    if (t == 0)
        flag[b] = 1;
    if (t == 0 && b < 3)
        while (flag[b + 1] == 0)
            ;
    __syncthreads();
    if (b + t < 3 + 63)
        a[b * 64 + t + 1] = v;
}

// Right: a compaction in place. Each block gets its first place from the block before it, and so it
// knows of all blocks before that one.
//@ array a int 512 random:0:7
//@ array kept int 8 zero
//@ launch rd_keep_odd<<<8, 64>>>(a, kept)
//@none
__global__ void rd_keep_odd(int *a, int *kept)
{
    __shared__ int first, odd;
    int t = threadIdx.x, b = blockIdx.x, v = a[b * 64 + t], before = 0, mine = 0;
    if (t == 0)
        odd = 0;
    __syncthreads();
    if (v & 1)
        mine = atomicAdd(&odd, 1);
    __syncthreads();
    if (t == 0) {
        if (b > 0)
            while ((before = atomicAdd(&kept[b - 1], 0)) == 0)
                ;
        first = b > 0 ? before - 1 : 0;
        atomicExch(&kept[b], first + odd + 1);
    }
    __syncthreads();
    if (v & 1)
        a[first + mine] = v;
}

// Right: the block that comes last clears what all have read.
//@ array a int 256 iota
//@ array out int 256 zero
//@ array count int 1 zero
//@ launch rd_last_clears<<<4, 64>>>(a, out, count)
//@none
__global__ void rd_last_clears(int *a, int *out, int *count)
{
    int t = threadIdx.x, b = blockIdx.x;
    out[b * 64 + t] = a[b * 64 + t];
    __syncthreads();
    const int last = __syncthreads_or(t == 0 && atomicAdd(count, 1) == 3);
    for (int i = t; last && i < 256; i += 64)
        a[i] = 0;
}

// Wrong: the block writes, and no fence follows before the flag.
//@ array a int 128 iota
//@ array flag int 1 zero
//@ launch rd_written<<<2, 64>>>(a, flag)
//@found race-global written
__global__ void rd_written(int *a, volatile int *flag)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        a[t] = t; // written
        __syncthreads();
        if (t == 0)
            flag[0] = 1;
    } else {
        if (t == 0)
            while (flag[0] == 0)
                ;
        __syncthreads();
        a[64 + t] = a[63 - t]; // written
    }
}

// Wrong: only thread 0 has read when it sets the flag.
//@ array a int 128 iota
//@ array flag int 1 zero
//@ launch rd_no_barrier<<<2, 64>>>(a, flag)
//@found race-global no-barrier
__global__ void rd_no_barrier(int *a, volatile int *flag)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        int v = a[t]; // no-barrier
        if (t == 0)
            flag[0] = 1;
        a[64 + t] = v;
    } else {
        if (t == 0)
            while (flag[0] == 0)
                ;
        __syncthreads();
        a[63 - t] = 5; // no-barrier
    }
}

// Wrong: the block sets the flag and then reads.
//@ array a int 128 iota
//@ array flag int 1 zero
//@ launch rd_too_early<<<2, 64>>>(a, flag)
//@found race-global too-early
__global__ void rd_too_early(int *a, volatile int *flag)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        __syncthreads();
        if (t == 0)
            flag[0] = 1;
        a[64 + t] = a[t]; // too-early
    } else {
        if (t == 0)
            while (flag[0] == 0)
                ;
        __syncthreads();
        a[63 - t] = 5; // too-early
    }
}

// Wrong: the block looks at a flag that says nothing of the block that reads.
//@ array a int 128 iota
//@ array flag int 2 zero
//@ launch rd_other_flag<<<2, 64>>>(a, flag)
//@found race-global other-flag
__global__ void rd_other_flag(int *a, volatile int *flag)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        int v = a[t]; // other-flag
        __syncthreads();
        if (t == 0)
            flag[0] = 1;
        a[64 + t] = v;
    } else {
        if (t == 0)
            while (flag[1] != 0)
                ;
        __syncthreads();
        a[63 - t] = 5; // other-flag
    }
}
