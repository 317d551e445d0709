// SPDX-License-Identifier: GPL-3.0-or-later
//! array counts i32 9 zero
//! array moves u64 12
//! array acker i32 16
//! array perms i32 24
//! launch queens<<<9,8>>>(counts)
//! launch hanoi<<<1,12>>>(moves)
//! launch ackermann<<<1,(4,4)>>>(acker)
//! launch permute<<<1,1>>>(perms)
//! expect counts
//! expect moves
//! expect acker
//! expect perms
// Recursion on the device. Block b counts the solutions for b queens, a thread
// for each place of the first queen.

__device__ int place(int n, unsigned cols, unsigned left, unsigned right)
{
    unsigned all = (1u << n) - 1;
    if (cols == all)
        return 1;
    int found = 0;
    unsigned open = all & ~(cols | left | right);
    while (open) {
        unsigned bit = open & (0u - open);
        open ^= bit;
        found += place(n, cols | bit, ((left | bit) << 1) & all, (right | bit) >> 1);
    }
    return found;
}

__global__ void queens(int *counts)
{
    int n = blockIdx.x;
    if (threadIdx.x >= n)
        return;
    unsigned bit = 1u << threadIdx.x;
    atomicAdd(&counts[n], place(n, bit, (bit << 1) & ((1u << n) - 1), bit >> 1));
}

__device__ unsigned long long move(int disks, int from, int to, int via, unsigned long long *sum)
{
    if (disks == 0)
        return 0;
    unsigned long long m = move(disks - 1, from, via, to, sum);
    *sum = *sum * 3 + disks * (from + 1);
    return m + 1 + move(disks - 1, via, to, from, sum);
}

__global__ void hanoi(unsigned long long *moves)
{
    unsigned long long sum = 0;
    unsigned long long m = move(threadIdx.x, 0, 2, 1, &sum);
    moves[threadIdx.x] = sum << 12 | m;
}

__device__ int A(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? A(m - 1, 1) : A(m - 1, A(m, n - 1));
}

__global__ void ackermann(int *a) { a[threadIdx.y * 4 + threadIdx.x] = A(threadIdx.y % 3, threadIdx.x); }

__device__ void permutations(int *v, int k, int **out)
{
    if (k == 4)
        *(*out)++ = v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3];
    for (int i = k; i < 4; i++) {
        int t = v[k]; v[k] = v[i]; v[i] = t;
        permutations(v, k + 1, out);
        t = v[k]; v[k] = v[i]; v[i] = t;
    }
}

__global__ void permute(int *perms)
{
    int digits[4] = {1, 2, 3, 4};
    permutations(digits, 0, &perms);
}
