// SPDX-License-Identifier: GPL-3.0-or-later
// Grid sync: barriers over all blocks of a grid,
// made by hand out of atomics.

// Right: block barrier, fence, count, wait, fence, block barrier.
//@ array a int 128 zero
//@ array count int 1 zero
//@ array out int 128 zero
//@ launch gs_hand<<<4, 32>>>(a, count, out)
//@none
__global__ void gs_hand(int *a, int *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 3 * i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    out[i] = a[127 - i];
}

// Right: the count grows from round to round and so does what is waited for.
//@ array a int 64 iota
//@ array count int 1 zero
//@ launch gs_hand_rounds<<<2, 32>>>(a, count, 3)
//@none
__global__ void gs_hand_rounds(int *a, int *count, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int goal = 0;
    for (int k = 0; k < 2 * rounds; k++) {
        if (k % 2 == blockIdx.x)
            a[i] += a[63 - i];
        goal += gridDim.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1);
            while (*(volatile int *)count < goal)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// Right: the last one resets the count and opens the gate for the others.
//@ array a int 4 iota
//@ array count int 1 zero
//@ array gate int 1 zero
//@ array out int 4 zero
//@ launch gs_gate<<<4, 1>>>(a, count, gate, out)
//@none
//@ launch gs_gate<<<4, 1>>>(a, count, gate, out)
//@none
__global__ void gs_gate(int *a, int *count, volatile int *gate, int *out)
{
    int b = blockIdx.x;
    a[b] += 5;
    int old = *gate;
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        __threadfence();
        atomicExch(count, 0);
        __threadfence();
        *gate = old + 1;
    } else {
        while (*gate == old)
            ;
        __threadfence();
    }
    out[b] = a[(b + 1) % 4];
}

// Wrong: counting by atomics without fences does not publish the words written before.
//@ array a int 128 zero
//@ array count int 1 zero
//@ array out int 128 zero
//@ launch gs_hand_no_fence<<<4, 32>>>(a, count, out)
//@found race-global hand-no-fence
__global__ void gs_hand_no_fence(int *a, int *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 3 * i; // hand-no-fence
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x)
            ;
    }
    __syncthreads();
    out[i] = a[127 - i]; // hand-no-fence
}

// Wrong: only thread 0 waits, no block barrier keeps its fellows back.
//@ array a int 128 zero
//@ array count int 1 zero
//@ array out int 128 zero
//@ launch gs_fellows<<<4, 32>>>(a, count, out)
//@found race-global fellows
__global__ void gs_fellows(int *a, int *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 3 * i; // fellows
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x)
            ;
        __threadfence();
    }
    out[i] = a[127 - i]; // fellows
}

// Wrong: the leader counts its block before its fellows have written.
//@ array a int 256 zero
//@ array count int 1 zero
//@ array out int 256 zero
//@ launch gs_leader_early<<<4, 64>>>(a, count, out)
//@found race-global leader-early
__global__ void gs_leader_early(int *a, int *count, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 3 * i; // leader-early
    __threadfence();
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    out[i] = a[255 - i]; // leader-early
}

// A barrier of the grid that is good for one use.
__device__ void gs_meet(int *count)
{
    __threadfence();
    int n = atomicAdd(count, 1) + 1;
    while (n < gridDim.x)
        n = atomicAdd(count, 0);
    __threadfence();
}

// Wrong: the second time the count is already full, the first comer does not wait.
//@ array a int 4 iota
//@ array b int 4 zero
//@ array count int 1 zero
//@ array out int 4 zero
//@ launch gs_full_count<<<4, 1>>>(a, b, count, out)
//@found race-global full-count
__global__ void gs_full_count(int *a, int *b, int *count, int *out)
{
    int i = blockIdx.x;
    a[i] *= 2;
    gs_meet(count);
    b[i] = a[(i + 1) % 4]; // full-count
    gs_meet(count);
    out[i] = b[(i + 1) % 4]; // full-count
}

// Wrong: one more arrival is waited for than there are blocks.
//@ array a int 4 zero
//@ array count int 1 zero
//@ array out int 4 zero
//@ set step-limit 100000
//@ launch gs_one_more<<<4, 1>>>(a, count, out)
//@found timeout one-more
__global__ void gs_one_more(int *a, int *count, int *out)
{
    int b = blockIdx.x;
    a[b] = 9 * b;
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) <= gridDim.x) // one-more
        ;                                    // one-more
    __threadfence();
    out[b] = a[3 - b];
}
