// SPDX-License-Identifier: GPL-3.0-or-later
// Written by somebody who had not seen the checkers: see tests/unseen.t.
//@first set step-limit 3000000
// Device heap, lists, structs, alignment, null, recursion.

struct ANode { int val; ANode* next; };

// Wrong: the list is freed except for its last node.
//@ array out int 1
//@ launch a_leak_last<<<1, 1>>>(out, 5)
//@found leak leak-last
__global__ void a_leak_last(int* out, int n) {
    ANode* head = nullptr;
    for (int i = 0; i < n; i++) {
        ANode* p = (ANode*)malloc(sizeof(ANode)); // leak-last
        p->val = i * i;
        p->next = head;
        head = p;
    }
    int sum = 0;
    while (head->next) {
        ANode* dead = head;
        sum += head->val;
        head = head->next;
        free(dead);
    }
    out[0] = sum + head->val;
}

// Wrong: a scratch buffer is allocated in each round and only the last one is freed.
//@ array out int 1
//@ array in int 16 iota
//@ launch a_leak_rounds<<<1, 1>>>(out, in, 16)
//@found leak leak-rounds
__global__ void a_leak_rounds(int* out, const int* in, int n) {
    int* buf = nullptr;
    int sum = 0;
    for (int k = 1; k <= 3; k++) {
        buf = (int*)malloc(n * sizeof(int)); // leak-rounds
        for (int i = 0; i < n; i++) buf[i] = in[i] * k;
        for (int i = 0; i < n; i++) sum += buf[in[n - 1 - i]];
    }
    free(buf);
    out[0] = sum;
}

// Wrong: the next pointer is taken from the node that was freed a line before.
//@ array out int 1
//@ launch a_free_next<<<1, 1>>>(out, 4)
//@found use-after-free free-next
__global__ void a_free_next(int* out, int n) {
    __shared__ ANode* volatile head;
    head = nullptr;
    for (int i = 0; i < n; i++) {
        ANode* p = (ANode*)malloc(sizeof(ANode));
        p->val = i + 1;
        p->next = head;
        head = p;
    }
    int sum = 0;
    while (head) {
        volatile ANode* p = head;
        sum += p->val;
        free((void*)p);
        head = p->next; // free-next
    }
    out[0] = sum;
}

// Wrong: thread 0 frees the block's buffer before the barrier behind which the others read it.
//@ array out int 64
//@ launch a_free_early<<<1, 64>>>(out)
//@found use-after-free free-early
__global__ void a_free_early(int* out) {
    __shared__ int* buf;
    int t = threadIdx.x;
    if (t == 0) buf = (int*)malloc(64 * sizeof(int));
    __syncthreads();
    buf[t] = t * 3;
    __syncthreads();
    if (t == 0) free(buf);
    __syncthreads();
    out[t] = buf[63 - t]; // free-early
}

// Wrong: malloc is given the number of ints instead of bytes.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_malloc_count<<<1, 1>>>(out, in, 64)
//@found out-of-bounds malloc-count
__global__ void a_malloc_count(int* out, const int* in, int n) {
    int* buf = (int*)malloc(n);
    if (!buf) return;
    for (int i = 0; i < n; i++) buf[i] = in[i] + 1; // malloc-count
    int sum = 0;
    for (int i = 0; i < n; i++) sum += buf[in[n - 1 - i]];
    out[0] = sum;
    free(buf);
}

// Wrong: counters from malloc are raised without having been cleared.
//@ array out int 8
//@ array in int 64 random:0:7
//@ launch a_malloc_dirty<<<1, 1>>>(out, in, 64)
//@found uninitialized malloc-dirty
__global__ void a_malloc_dirty(int* out, const int* in, int n) {
    int* cnt = (int*)malloc(8 * sizeof(int));
    if (!cnt) return;
    for (int i = 0; i < n; i++) cnt[in[i] & 7] += i; // malloc-dirty
    for (int k = 0; k < 8; k++) out[k] = 0;
    for (int i = 0; i < n; i++) out[in[i] & 7] = cnt[in[i] & 7];
    free(cnt);
}

// Wrong: float4 loads from a pointer that is shifted by one float.
//@ array out float 8
//@ array in float 64 iota
//@ launch a_vec_shift<<<1, 8>>>(out, in, 1)
//@found misaligned vec-shift
__global__ void a_vec_shift(float* out, const float* in, int shift) {
    float4 v = reinterpret_cast<const float4*>(in + shift)[threadIdx.x]; // vec-shift
    out[threadIdx.x] = v.x * v.w;
}

// Wrong: doubles are laid behind an odd number of ints in dynamic shared memory.
//@ array out double 16
//@ array in int 16 iota
//@ launch a_carve_odd<<<1, 16, 512>>>(out, in, 17)
//@found misaligned carve-odd
extern __shared__ __align__(16) int a_mem[];
__global__ void a_carve_odd(double* out, const int* in, int ints) {
    int t = threadIdx.x;
    a_mem[t] = in[t];
    double* d = reinterpret_cast<double*>(a_mem + ints);
    d[t] = in[t] * 0.5; // carve-odd
    __syncthreads();
    out[t] = d[15 - t] + a_mem[t];
}

// Wrong: an optional output is null and is written all the same.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_null_opt<<<1, 32>>>(out, null, in)
//@found null null-opt
__global__ void a_null_opt(int* out, int* rest, const int* in) {
    int t = threadIdx.x;
    out[t] = in[t] / 3;
    rest[t] = in[t] % 3; // null-opt
}

// Wrong: the recursion's end is n == 0, but n goes down by two from an odd number.
//@ array out int 1
//@ array in int 64 iota
//@ launch a_deep<<<1, 1>>>(out, in, 1000001)
//@found stack-overflow deep
__device__ __noinline__ int a_down(const int* in, int n) { int k[8]; for (int i = 0; i < 8; i++) k[i] = in[(n + i) & 63]; if (n == 0) return 1; return a_down(in, n - 2) * 3 ^ k[in[n & 7] & 7]; } // deep
__global__ void a_deep(int* out, const int* in, int n) {
    out[0] = a_down(in, n);
}

// Right: all threads push nodes on one list by compare and swap; thread 0 walks and frees it behind the barrier.
//@ array out int 2
//@ launch a_push_all<<<1, 64>>>(out)
//@none
__global__ void a_push_all(int* out) {
    __shared__ unsigned long long head;
    int t = threadIdx.x;
    if (t == 0) head = 0;
    __syncthreads();
    ANode* p = (ANode*)malloc(sizeof(ANode));
    if (p) {
        p->val = t;
        unsigned long long old = atomicAdd(&head, 0ull), seen;
        while (true) {
            p->next = (ANode*)old;
            seen = atomicCAS(&head, old, (unsigned long long)p);
            if (seen == old) break;
            old = seen;
        }
    }
    __syncthreads();
    if (t == 0) {
        int sum = 0, n = 0;
        for (ANode* q = (ANode*)head; q;) {
            ANode* dead = q;
            sum += q->val;
            n++;
            q = q->next;
            free(dead);
        }
        out[0] = sum;
        out[1] = n;
    }
}

// Right: the block stays reachable from a __device__ pointer: no leak.
//@ array out int 1
//@ array in int 16 iota
//@ launch a_kept<<<1, 1>>>(out, in, 16)
//@none
__device__ int* a_keep;
__global__ void a_kept(int* out, const int* in, int n) {
    a_keep = (int*)malloc(n * sizeof(int));
    if (!a_keep) return;
    for (int i = 0; i < n; i++) a_keep[i] = in[i] * 2;
    out[0] = a_keep[in[3]];
}

// Right: a whole list hangs on a __device__ pointer; the inner nodes are reachable through the first.
//@ array out int 1
//@ launch a_kept_list<<<1, 1>>>(out, 6)
//@none
__device__ ANode* a_keep_list;
__global__ void a_kept_list(int* out, int n) {
    a_keep_list = nullptr;
    for (int i = 0; i < n; i++) {
        ANode* p = new ANode;
        p->val = i;
        p->next = a_keep_list;
        a_keep_list = p;
    }
    int sum = 0;
    for (ANode* p = a_keep_list; p; p = p->next) sum = sum * 2 + p->val;
    out[0] = sum;
}

// Right: thread 0 allocates, all use, and thread 63 frees behind the barrier.
//@ array out int 64
//@ launch a_other_frees<<<1, 64>>>(out)
//@none
__global__ void a_other_frees(int* out) {
    __shared__ int* buf;
    int t = threadIdx.x;
    if (t == 0) buf = new int[64];
    __syncthreads();
    int* mine = buf;
    if (!mine) return;
    mine[t] = t * 3;
    __syncthreads();
    out[t] = mine[63 - t];
    __syncthreads();
    if (t == 63) delete[] mine;
}

// Right: ints at odd places are put together from bytes.
//@ array out u32 16
//@ array in u8 80 iota
//@ launch a_bytes_int<<<1, 16>>>(out, in, 3)
//@none
__global__ void a_bytes_int(unsigned* out, const unsigned char* in, int off) {
    const unsigned char* p = in + off + 4 * threadIdx.x;
    unsigned v;
    memcpy(&v, p, 4);
    out[threadIdx.x] = v;
}

// Right: a null pointer is given, tested, and not used; free(nullptr) does nothing.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_null_tested<<<1, 32>>>(out, null, in)
//@none
__global__ void a_null_tested(int* out, int* rest, const int* in) {
    int t = threadIdx.x;
    out[t] = in[t] / 3;
    if (rest) rest[t] = in[t] % 3;
    if (t == 0) free(rest);
}

// Right: a recursion, a few calls deep, with a small frame.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_shallow<<<1, 32>>>(out, in, 10)
//@none
__device__ __noinline__ int a_tree(const int* in, int lo, int n) {
    if (n <= 0) return in[lo & 31];
    int l = a_tree(in, lo * 2 + 1, n - 3);
    return l * 5 - a_tree(in, lo * 2 + 2, n - 2);
}
__global__ void a_shallow(int* out, const int* in, int n) {
    out[threadIdx.x] = a_tree(in, threadIdx.x, n);
}

// Right: the largest float by an integer atomic on its bits (none is negative but the start, which is less as an int too).
//@ array out int 32
//@ array in float 32 iota
//@ launch a_float_bits<<<1, 32>>>(out, in)
//@none
__global__ void a_float_bits(int* out, const float* in) {
    __shared__ int best;
    int t = threadIdx.x;
    if (t == 0) best = __float_as_int(-1.0f);
    __syncthreads();
    float f = in[t];
    atomicMax(&best, __float_as_int(f));
    __syncthreads();
    out[t] = (int)__int_as_float(best) + t;
}

// Right: each thread allocates an odd number of bytes and frees it; memory is written before it is read.
//@ array out int 32
//@ array in int 32 iota
//@ launch a_odd_sizes<<<1, 32>>>(out, in)
//@none
__global__ void a_odd_sizes(int* out, const int* in) {
    int n = in[threadIdx.x] + 1;
    unsigned char* p = (unsigned char*)malloc(n);
    if (!p) { out[threadIdx.x] = -1; return; }
    for (int i = 0; i < n; i++) p[i] = (unsigned char)(n - i);
    int sum = 0;
    for (int i = 0; i < n; i++) sum += p[p[i] - 1];
    out[threadIdx.x] = sum;
    free(p);
}

// Right: an aligned struct of 16 bytes in shared memory, moved as a whole.
//@ array out float 64
//@ array in float 64 iota
//@ launch a_aligned_struct<<<1, 16>>>(out, in)
//@none
struct __align__(16) AQuad { float a, b, c, d; };
__global__ void a_aligned_struct(float* out, const float* in) {
    __shared__ AQuad q[16];
    int t = threadIdx.x;
    AQuad v;
    v.a = in[4 * t]; v.b = in[4 * t + 1]; v.c = in[4 * t + 2]; v.d = in[4 * t + 3];
    q[t] = v;
    __syncthreads();
    AQuad w = q[15 - t];
    out[4 * t] = w.d; out[4 * t + 1] = w.c; out[4 * t + 2] = w.b; out[4 * t + 3] = w.a;
}
