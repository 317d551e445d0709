// SPDX-License-Identifier: GPL-3.0-or-later
//! array next i32 64 iota
//! array rank i32 64
//! array sum i32 2
//! launch build<<<1,64>>>(next, 64)
//! launch walk<<<1,1>>>(next, sum)
//! launch rankList<<<1,64>>>(next, rank)
//! expect next
//! expect rank
//! expect sum
// Lists by index instead of by pointer.

__global__ void build(int *next, int n)
{
    int i = threadIdx.x;
    next[i] = i == 21 ? -1 : (i * 5 + 7) % n;   // a cycle of all 64, cut once
}

struct Node { int value; struct Node *next; };

__global__ void walk(const int *next, int *sum)
{
    Node pool[4], *head = 0;                    // pointers to local memory
    for (int i = 0; i < 4; i++) {
        pool[i].value = i * i + 1;
        pool[i].next = head;
        head = &pool[i];
    }
    int s = 0, steps = 0;
    for (Node *p = head; p; p = p->next)
        s = s * 10 + p->value;
    for (int i = (21 * 5 + 7) % 64; i != -1; i = next[i])
        steps += i % 3 + 1;
    sum[0] = s;
    sum[1] = steps;
}

// pointer jumping: the distance of each node to the end
__global__ void rankList(const int *next, int *rank)
{
    __shared__ int hop[64], far[64];
    int i = threadIdx.x;
    hop[i] = next[i];
    far[i] = next[i] == -1 ? 0 : 1;
    for (int k = 0; k < 6; k++) {
        __syncthreads();
        int h = hop[i], d = far[i];
        if (h != -1) { d += far[h]; h = hop[h]; }
        __syncthreads();
        hop[i] = h;
        far[i] = d;
    }
    rank[i] = far[i];
}
