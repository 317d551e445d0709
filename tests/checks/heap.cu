// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of malloc and new that outlives its launch: kept where a later launch finds it, or lost.

struct Node {
    int value;
    Node *next;
};

__device__ int *heap_box;
__device__ Node *heap_list, *heap_ring;

// Right: a __device__ pointer keeps the memory, and a later launch frees it.
//@ launch heap_keeps<<<1, 32>>>()
//@none
//@ array out int 32 zero
//@ launch heap_uses<<<1, 32>>>(out)
//@none
//@ launch heap_gives_back<<<1, 1>>>()
//@none
__global__ void heap_keeps()
{
    if (threadIdx.x == 0)
        heap_box = (int *)malloc(32 * sizeof(int));
    __syncthreads();
    heap_box[threadIdx.x] = threadIdx.x;
}
__global__ void heap_uses(int *out)
{
    out[threadIdx.x] = heap_box[threadIdx.x];
}
__global__ void heap_gives_back()
{
    free(heap_box);
    heap_box = NULL;
}

// Right: an array keeps a pointer for each thread, some into the middle.
//@ array kept u64 32 zero
//@ launch heap_in_array<<<1, 32>>>(kept)
//@none
__global__ void heap_in_array(unsigned long long *kept)
{
    int *p = (int *)malloc(8 * sizeof(int));
    p[0] = threadIdx.x;
    kept[threadIdx.x] = (unsigned long long)(p + threadIdx.x % 8);
}

// Right: of a list only the head is known.
//@ launch heap_builds_list<<<1, 1>>>(40)
//@none
__global__ void heap_builds_list(int n)
{
    for (int i = 0; i < n; i++) {
        Node *one = new Node;
        one->value = i;
        one->next = heap_list;
        heap_list = one;
    }
}

// Wrong: the rest of a list behind the node that goes.
//@ launch heap_cuts_list<<<1, 1>>>()
//@found leak cuts-list
__global__ void heap_cuts_list()
{
    Node *head = NULL;
    for (int i = 0; i < 4; i++) {
        Node *one = new Node; // cuts-list
        one->value = i;
        one->next = head;
        head = one;
    }
    heap_ring = NULL;
    delete head;
}

// Wrong: pieces that only point at each other.
//@ launch heap_makes_ring<<<1, 1>>>(1)
//@none
//@ launch heap_drops_ring<<<1, 1>>>()
//@found leak makes-ring
__global__ void heap_makes_ring(int value)
{
    Node *a = new Node, *b = new Node; // makes-ring
    a->value = b->value = value;
    a->next = b;
    b->next = a;
    heap_ring = a;
}
__global__ void heap_drops_ring()
{
    heap_ring = NULL;
}

// Wrong: a second launch overwrites the only pointer of the first.
//@ array slot u64 1 zero
//@ launch heap_overwrites<<<1, 1>>>(slot)
//@none
//@ launch heap_again<<<1, 1>>>(slot)
//@found leak overwrites
__global__ void heap_overwrites(unsigned long long *slot)
{
    int *p = (int *)malloc(64); // overwrites
    p[0] = 1;
    slot[0] = (unsigned long long)p;
}
__global__ void heap_again(unsigned long long *slot)
{
    slot[0] = 0;
}

// Wrong: a pointer in shared memory goes with its block.
//@ launch heap_in_shared<<<2, 32>>>()
//@nvcc
//@found leak in-shared
__global__ void heap_in_shared()
{
    __shared__ int *p;
    if (threadIdx.x == 0)
        p = (int *)malloc(128); // in-shared
    __syncthreads();
    p[threadIdx.x] = threadIdx.x;
}
