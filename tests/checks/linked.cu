// SPDX-License-Identifier: GPL-3.0-or-later
// Linked structures: lists, trees and free lists, with indices into arrays or
// with nodes out of the device's heap. Index 0 means none.

struct Node {
    int val;
    Node *next;
};

// Right: a node is its thread's own until compare-and-swap puts it at the head.
//@ array head int 1 zero
//@ array next int 65 zero
//@ launch ln_push<<<2, 32>>>(head, next)
//@none
__global__ void ln_push(int *head, int *next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int old = 0, seen;
    do {
        seen = old;
        next[i] = seen;
        old = atomicCAS(head, seen, i);
    } while (old != seen);
}

// Right: the launch before this one made the list.
//@ array out int 1 zero
//@ launch ln_walk<<<1, 1>>>(head, next, out)
//@none
__global__ void ln_walk(const int *head, const int *next, int *out)
{
    int sum = 0;
    for (int i = head[0]; i != 0; i = next[i])
        sum += i;
    out[0] = sum;
}

// Right: the second one at a node goes on upwards, fences order it after the first.
//@ array in int 8 iota
//@ array sum int 16 zero
//@ array seen int 8 zero
//@ launch ln_tree_up<<<8, 1>>>(in, sum, seen)
//@none
__global__ void ln_tree_up(const int *in, int *sum, int *seen)
{
    int n = 8 + blockIdx.x;
    sum[n] = in[blockIdx.x];
    while (n > 1) {
        __threadfence();
        n /= 2;
        if (atomicAdd(&seen[n], 1) == 0)
            break;
        __threadfence();
        sum[n] = sum[2 * n] + sum[2 * n + 1];
    }
}

// Right: links of the search tree change by compare-and-swap only, keys are never written.
//@ array key int 34 iota
//@ array left int 34 zero
//@ array right int 34 zero
//@ launch ln_insert<<<1, 32>>>(key, left, right)
//@none
__global__ void ln_insert(const int *key, int *left, int *right)
{
    int i = threadIdx.x + 2;
    int k = key[i] * 13 % 37;
    int at = 1;
    while (at != 0) {
        int *link = k < key[at] * 13 % 37 ? &left[at] : &right[at];
        at = atomicCAS(link, 0, i);
    }
}

// Right: pointer jumping, all have read before the first barrier, written before the second.
//@ array out int 64 zero
//@ launch ln_jump<<<1, 64>>>(out)
//@none
__global__ void ln_jump(int *out)
{
    __shared__ int next[64], dist[64];
    int t = threadIdx.x;
    next[t] = t < 63 ? t + 1 : 63;
    dist[t] = t < 63 ? 1 : 0;
    __syncthreads();
    for (int k = 0; k < 6; k++) {
        int d = dist[next[t]], n = next[next[t]];
        __syncthreads();
        dist[t] += d;
        next[t] = n;
        __syncthreads();
    }
    out[t] = dist[t];
}

// Right: each thread makes a list of its own and frees it, with next read before the free.
//@ array out int 4 zero
//@ launch ln_own_heap<<<2, 2>>>(out, 3)
//@none
__global__ void ln_own_heap(int *out, int n)
{
    Node *head = nullptr;
    for (int k = 0; k < n; k++) {
        Node *p = (Node *)malloc(sizeof(Node));
        p->val = k + threadIdx.x;
        p->next = head;
        head = p;
    }
    int sum = 0;
    while (head != nullptr) {
        Node *p = head->next;
        sum += head->val;
        free(head);
        head = p;
    }
    out[blockIdx.x * 2 + threadIdx.x] = sum;
}

// Right: the atomic counter hands every node of the free list out once.
//@ array top int 1 zero
//@ array pool int 64 zero
//@ array spare int 64 iota
//@ launch ln_take<<<2, 32>>>(top, spare, pool)
//@none
__global__ void ln_take(int *top, const int *spare, int *pool)
{
    int place = atomicAdd(top, 1);
    int node = spare[63 - place];
    pool[node] = 100 * blockIdx.x + threadIdx.x;
}

// Wrong: the head is read and replaced by plain accesses.
//@ array head int 1 zero
//@ array next int 65 zero
//@ launch ln_plain_push<<<2, 32>>>(head, next)
//@found race-global plain-push
__global__ void ln_plain_push(int *head, int *next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    next[i] = head[0]; // plain-push
    head[0] = i;       // plain-push
}

// Wrong: pointer jumping that writes while others still read in the same step.
//@ array out int 64 zero
//@ launch ln_jump_in_place<<<1, 64>>>(out)
//@found race-shared jump-in-place
__global__ void ln_jump_in_place(int *out)
{
    __shared__ int next[64];
    int t = threadIdx.x;
    next[t] = t < 63 ? t + 1 : 63;
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        next[t] = next[next[t]]; // jump-in-place
        __syncthreads();
    }
    out[t] = next[t];
}

// Wrong: no fence between filling the node and putting it at the head.
//@ array head int 1 zero
//@ array val int 4 zero
//@ array out int 1 zero
//@ launch ln_publish<<<2, 1>>>(head, val, out)
//@found race-global publish
__global__ void ln_publish(int *head, int *val, int *out)
{
    if (blockIdx.x == 0) {
        val[3] = 33; // publish
        atomicExch(head, 3);
    } else {
        int i = 0;
        while (i == 0)
            i = atomicAdd(head, 0);
        __threadfence();
        out[0] = val[i]; // publish
    }
}

// Wrong: upwards in the tree without fences, the sums of the other side are not ordered.
//@ array in int 8 iota
//@ array sum int 16 zero
//@ array seen int 8 zero
//@ launch ln_tree_unfenced<<<8, 1>>>(in, sum, seen)
//@found race-global tree-unfenced
__global__ void ln_tree_unfenced(const int *in, int *sum, int *seen)
{
    int n = 8 + blockIdx.x;
    sum[n] = in[blockIdx.x]; // tree-unfenced
    while (n > 1) {
        n /= 2;
        if (atomicAdd(&seen[n], 1) == 0)
            break;
        sum[n] = sum[2 * n] + sum[2 * n + 1]; // tree-unfenced
    }
}

// Wrong: the link to the next node is read out of a node that was just freed.
//@ array out int 1 zero
//@ launch ln_freed_link<<<1, 1>>>(out, 3)
//@found use-after-free freed-link
__global__ void ln_freed_link(int *out, int n)
{
    Node *head = nullptr;
    for (int k = 0; k < n; k++) {
        Node *p = (Node *)malloc(sizeof(Node));
        p->val = k;
        p->next = head;
        head = p;
    }
    int sum = 0;
    while (head != nullptr) {
        sum += head->val;
        free(head);
        head = head->next; // freed-link
    }
    out[0] = sum;
}

// Wrong: only the first node of the list is freed.
//@ array out int 1 zero
//@ launch ln_lost_tail<<<1, 1>>>(out, 3)
//@found leak lost-tail
__global__ void ln_lost_tail(int *out, int n)
{
    Node *head = nullptr;
    for (int k = 0; k < n; k++) {
        Node *p = (Node *)malloc(sizeof(Node)); // lost-tail
        p->val = k;
        p->next = head;
        head = p;
    }
    int sum = 0;
    for (Node *p = head; p != nullptr; p = p->next)
        sum += p->val;
    free(head);
    out[0] = sum;
}

// Wrong: the walk looks one node ahead, and there is none after the last.
//@ array out int 1 zero
//@ launch ln_look_ahead<<<1, 8>>>(out)
//@found null look-ahead
__global__ void ln_look_ahead(int *out)
{
    __shared__ Node node[8];
    int t = threadIdx.x;
    node[t].val = t * t;
    node[t].next = t < 7 ? &node[t + 1] : nullptr;
    __syncthreads();
    if (t == 0) {
        int rise = 0;
        for (Node *p = node; p != nullptr; p = p->next)
            rise += p->next->val - p->val; // look-ahead
        out[0] = rise;
    }
}

// Wrong: 48 threads take from a free list of 32.
//@ array top int 1 zero
//@ array spare int 32 iota
//@ array out int 48 zero
//@ launch ln_empty_list<<<2, 24>>>(top, spare, out)
//@found out-of-bounds empty-list
__global__ void ln_empty_list(int *top, const int *spare, int *out)
{
    int place = atomicAdd(top, 1);
    int node = spare[place]; // empty-list
    out[blockIdx.x * 24 + threadIdx.x] = node;
}
