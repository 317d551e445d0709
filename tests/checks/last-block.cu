// SPDX-License-Identifier: GPL-3.0-or-later
// Last block: every block leaves a part of the result behind and counts
// itself; the one that finds the count complete puts the parts together.

// Right: write, fence, count; the last one fences and reads.
//@ array in int 128 iota
//@ array part int 4 zero
//@ array count int 1 zero
//@ array out int 1 zero
//@ launch lb_leaders<<<4, 32>>>(in, part, count, out)
//@none
__global__ void lb_leaders(const int *in, int *part, int *count, int *out)
{
    int v = in[blockIdx.x * 32 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = v;
        __threadfence();
        if (atomicAdd(count, 1) == gridDim.x - 1) {
            __threadfence();
            int sum = 0;
            for (int b = 0; b < gridDim.x; b++)
                sum += part[b];
            out[0] = sum;
        }
    }
}

// Right: all threads write, the barrier gathers them, the leader's fence covers them all.
//@ array a int 256 iota
//@ array count int 1 zero
//@ array out int 64 zero
//@ launch lb_whole_block<<<4, 64>>>(a, count, out)
//@nvcc
//@none
__global__ void lb_whole_block(int *a, int *count, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    a[blockIdx.x * 64 + t] *= 2;
    __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; b++)
            sum += a[b * 64 + 63 - t];
        out[t] = sum;
    }
}

// Right: the form of the programming guide, with parts that are volatile.
//@ array in int 128 value:1
//@ array part int 4 zero
//@ array count unsigned 1 zero
//@ array out int 1 zero
//@ launch lb_volatile_parts<<<4, 32>>>(in, part, count, out)
//@nvcc
//@none
__global__ void lb_volatile_parts(const int *in, volatile int *part, unsigned *count, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    int v = in[blockIdx.x * 32 + t];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    if (t == 0) {
        part[blockIdx.x] = v;
        __threadfence();
        unsigned ticket = atomicInc(count, gridDim.x);
        last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        v = t < gridDim.x ? part[t] : 0;
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_xor_sync(0xffffffffu, v, d);
        if (t == 0)
            out[0] = v;
    }
}

// Right: atomicInc wraps the counter round to zero, so a second launch finds it fresh.
//@ array part float 8 zero
//@ array count unsigned 1 zero
//@ array out float 1 zero
//@ launch lb_wrapping<<<8, 1>>>(part, count, out)
//@none
//@ launch lb_wrapping<<<8, 1>>>(part, count, out)
//@none
__global__ void lb_wrapping(float *part, unsigned *count, float *out)
{
    part[blockIdx.x] += 0.5f * blockIdx.x;
    __threadfence();
    if (atomicInc(count, gridDim.x - 1) == gridDim.x - 1) {
        __threadfence();
        float best = part[0];
        for (int b = 1; b < gridDim.x; b++)
            best = max(best, part[b]);
        out[0] = best;
    }
}

// Wrong: no fence, the atomic alone does not publish the part.
//@ array in int 128 iota
//@ array part int 4 zero
//@ array count int 1 zero
//@ array out int 1 zero
//@ launch lb_no_fence<<<4, 32>>>(in, part, count, out)
//@found race-global no-fence
__global__ void lb_no_fence(const int *in, int *part, int *count, int *out)
{
    int v = in[blockIdx.x * 32 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = v; // no-fence
        if (atomicAdd(count, 1) == gridDim.x - 1) {
            int sum = 0;
            for (int b = 0; b < gridDim.x; b++)
                sum += part[b]; // no-fence
            out[0] = sum;
        }
    }
}

// Wrong: the fence stands after the count, where it comes too late for the part.
//@ array part int 8 zero
//@ array count int 1 zero
//@ array out int 1 zero
//@ launch lb_fence_late<<<8, 1>>>(part, count, out)
//@found race-global fence-late
__global__ void lb_fence_late(int *part, int *count, int *out)
{
    part[blockIdx.x] = blockIdx.x * blockIdx.x; // fence-late
    int before = atomicAdd(count, 1);
    __threadfence();
    if (before == gridDim.x - 1) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; b++)
            sum += part[b]; // fence-late
        out[0] = sum;
    }
}

// Wrong: thread 0 counts its block without waiting for the block's other threads.
//@ array a int 256 iota
//@ array count int 1 zero
//@ array out int 64 zero
//@ launch lb_not_gathered<<<4, 64>>>(a, count, out)
//@nvcc
//@found race-global not-gathered
__global__ void lb_not_gathered(int *a, int *count, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    a[blockIdx.x * 64 + t] += 1; // not-gathered
    __threadfence();
    if (t == 0) {
        last = atomicAdd(count, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; b++)
            sum += a[b * 64 + t]; // not-gathered
        out[t] = sum;
    }
}

// Wrong: the last block but one believes that it is the last.
//@ array part int 8 zero
//@ array count int 1 zero
//@ array out int 1 zero
//@ launch lb_one_early<<<8, 1>>>(part, count, out)
//@found race-global one-early
__global__ void lb_one_early(int *part, int *count, int *out)
{
    part[blockIdx.x] = 3 * blockIdx.x; // one-early
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 2) {
        __threadfence();
        int sum = 0;
        for (int b = 0; b < gridDim.x; b++)
            sum += part[b]; // one-early
        out[0] = sum;
    }
}

// Wrong: no barrier between thread 0 finding that it is last and the others asking.
//@ array part int 4 zero
//@ array count int 1 zero
//@ array out int 128 zero
//@ launch lb_last_unsynced<<<4, 32>>>(part, count, out)
//@found race-shared last-unsynced
//@may uninitialized
__global__ void lb_last_unsynced(int *part, int *count, int *out)
{
    __shared__ int last;
    int t = threadIdx.x;
    if (t == 0) {
        part[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1; // last-unsynced
    }
    out[blockIdx.x * 32 + t] = last; // last-unsynced
}

// Wrong: the blocks count themselves by a plain increment.
//@ array part int 4 zero
//@ array count int 1 zero
//@ array out int 1 zero
//@ launch lb_plain_count<<<4, 1>>>(part, count, out)
//@found race-global plain-count
__global__ void lb_plain_count(int *part, int *count, int *out)
{
    part[blockIdx.x] = 7 * blockIdx.x; // plain-count
    __threadfence();
    int before = *count; // plain-count
    *count = before + 1; // plain-count
    __threadfence();
    if (before == gridDim.x - 1) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; b++)
            sum += part[b]; // plain-count
        out[0] = sum;
    }
}
