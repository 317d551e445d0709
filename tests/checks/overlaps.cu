// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses of different kinds and widths that share some of their bytes: plain stores beside
// atomics, vectors beside numbers, words beside bytes.

// Wrong: block 0 clears the counters while others may have counted already.
//@ array bins int 64 value:3
//@ launch over_clear_late<<<4, 64>>>(bins)
//@found race-global over-clear-late
__global__ void over_clear_late(int *bins)
{
    if (blockIdx.x == 0)
        bins[threadIdx.x] = 0; // over-clear-late
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], 1);
}

// Right: shared counters are cleared, and a barrier is between.
//@ array bins int 16 zero
//@ launch over_clear_shared<<<4, 64>>>(bins)
//@none
__global__ void over_clear_shared(int *bins)
{
    __shared__ int mine[16];
    if (threadIdx.x < 16)
        mine[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&mine[threadIdx.x % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// Right: one block clears the sum and says so; the others wait for that before they add.
//@ array sum int 1 value:9
//@ array ready int 1 zero
//@ launch over_clear_flag<<<4, 32>>>(sum, ready)
//@none
__global__ void over_clear_flag(int *sum, int *ready)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *sum = 0;
        __threadfence();
        atomicExch(ready, 1);
    } else {
        while (atomicAdd(ready, 0) == 0) {
        }
        __threadfence();
    }
    atomicAdd(sum, 1);
}

// Right: whoever comes last clears the ticket for the next launch.
//@ array ticket u32 1 zero
//@ array out int 8 zero
//@ launch over_last_clears<<<8, 1>>>(ticket, out)
//@none
__global__ void over_last_clears(unsigned *ticket, int *out)
{
    out[blockIdx.x] = 1;
    __threadfence();
    if (atomicAdd(ticket, 1) == gridDim.x - 1) {
        __threadfence();
        *ticket = 0;
    }
}

// Wrong: thread 1 reads a number that lies in the second half of the pair of thread 0.
//@ array out float 8 zero
//@ array in float 8 iota
//@ launch over_pair_tail<<<1, 2>>>(in, out)
//@found race-global over-pair-tail
//@element out[1]
__global__ void over_pair_tail(const float *in, float *out)
{
    if (threadIdx.x == 0)
        *(float2 *)out = make_float2(in[0], in[1]);
    else
        out[4] = out[1] + 1; // over-pair-tail
}

// Wrong: vectors of shared memory that half overlap.
//@ array out int 32 zero
//@ launch over_quads<<<1, 8>>>(out)
//@found race-shared over-quads
//@element s[4]
__global__ void over_quads(int *out)
{
    __shared__ __align__(16) int s[40];
    int t = threadIdx.x;
    if (t == 0)
        s[4] = 7;
    if (t == 1)
        *(int4 *)(s + 4) = make_int4(t, t + 1, t + 2, t + 3); // over-quads
    __syncthreads();
    out[t] = s[4 + t % 4];
}

// Wrong: a word is put together of four bytes, one of which was never written.
//@ array in u8 64 iota
//@ array text u8 64
//@ array out u32 16 zero
//@ launch over_words<<<1, 16>>>(in, text, out, 62)
//@found uninitialized over-words
//@element text[62]
__global__ void over_words(const unsigned char *in, unsigned char *text, unsigned *out, int n)
{
    for (int i = threadIdx.x; i < n; i += 16)
        text[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = ((const unsigned *)text)[threadIdx.x] * 3; // over-words
}

// Wrong: a pair of ints is read as one long, and only the lower one is written.
//@ array pair int 2
//@ array out i64 1 zero
//@ launch over_long<<<1, 1>>>(pair, out, 5)
//@found uninitialized over-long
//@element pair[1]
__global__ void over_long(int *pair, long long *out, int v)
{
    pair[0] = v;
    *out = *(long long *)pair + 1; // over-long
}

struct over_record {
    char kind;
    int value;
};

// Right: a struct with padding lies in an array of bytes, and is copied whole.
//@ array room u8 64
//@ array out u8 64
//@ launch over_records<<<1, 4>>>(room, out)
//@none
__global__ void over_records(unsigned char *room, unsigned char *out)
{
    over_record *r = (over_record *)room + threadIdx.x, *to = (over_record *)out;
    r->kind = (char)threadIdx.x;
    r->value = 3 * threadIdx.x;
    __syncthreads();
    to[threadIdx.x] = ((over_record *)room)[3 - threadIdx.x];
}

// Right: the same where the kernel says what lies there.
//@ array room u8 64
//@ array out u8 64
//@ launch over_typed<<<1, 4>>>(room, out)
//@none
__global__ void over_typed(over_record *room, over_record *out)
{
    room[threadIdx.x].kind = (char)threadIdx.x;
    room[threadIdx.x].value = 3 * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = room[3 - threadIdx.x];
}

// Right: of a word three bytes are written and the same three are read.
//@ array in u8 8 iota
//@ array text u8 8
//@ array out int 2 zero
//@ launch over_three<<<1, 1>>>(in, text, out)
//@none
__global__ void over_three(const unsigned char *in, unsigned char *text, int *out)
{
    for (int i = 0; i < 3; i++)
        text[i] = in[i];
    out[0] = text[0] | text[1] << 8 | text[2] << 16;
}

// Wrong: each lane waits for all others but not for itself.
//@ array out int 32 zero
//@ launch over_others<<<1, 32>>>(out)
//@found barrier-divergence over-others
__global__ void over_others(int *out)
{
    out[threadIdx.x] = threadIdx.x;
    __syncwarp(~(1u << threadIdx.x)); // over-others
}

struct over_wide { double first, second; short third; char fourth; };
__device__ void over_set(over_wide *w, int t)
{
    w->first = t;
    w->second = t + 1;
    w->third = t + 2;
    w->fourth = t + 3;
}
__device__ int over_sum(const over_wide *w)
{
    return w->first + w->second + w->third + w->fourth;
}

// Right: the struct ends in five bytes of padding, of which the compiler copies four as a word.
//@ array out int 32 zero
//@ launch over_end<<<1, 32>>>(out)
//@none
__global__ void over_end(int *out)
{
    __shared__ over_wide all[32], copy[32];
    int t = threadIdx.x;
    over_set(&all[t], t);
    __syncthreads();
    copy[t] = all[31 - t];
    __syncthreads();
    out[t] = over_sum(&copy[t]);
}

// Wrong: the last struct is copied, and nobody has written it.
//@ array out int 32 zero
//@ launch over_absent<<<1, 32>>>(out)
//@found uninitialized over-absent
__global__ void over_absent(int *out)
{
    __shared__ over_wide all[33], copy[32];
    int t = threadIdx.x;
    over_set(&all[t], t);
    __syncthreads();
    copy[t] = all[t + 1]; // over-absent
    __syncthreads();
    out[t] = over_sum(&copy[t]);
}

// Right: memcpy() of a struct goes by bytes.
//@ array from int 64
//@ array to int 64 zero
//@ launch over_fill<<<1, 32>>>(from)
//@ launch over_bytes<<<1, 32>>>(from, to)
//@none
__global__ void over_fill(over_record *from)
{
    from[threadIdx.x].kind = (char)threadIdx.x;
    from[threadIdx.x].value = 3 * threadIdx.x;
}
__global__ void over_bytes(const over_record *from, over_record *to)
{
    memcpy(&to[threadIdx.x], &from[31 - threadIdx.x], sizeof *to);
}

// Wrong: an array of characters has no padding.
//@ array from u8 64
//@ array to u8 64 zero
//@ launch over_letters<<<1, 32>>>(from, to)
//@found uninitialized over-letters
__global__ void over_letters(const char *from, char *to)
{
    int t = 2 * threadIdx.x;
    to[t] = from[t], to[t + 1] = from[t + 1]; // over-letters
}
