/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels that cudalab itself uses on a GPU. One fills an array with the bytes that the host would
 * make. Then nothing is uploaded. One makes a digest of an array's bytes. Where a launch has not
 * changed it, nothing is downloaded (src/dev/gpu/process-fill.c). One compares two pieces of memory,
 * and one waits, where launches are timed (src/dev/gpu/process-rerun.c).
 */
typedef unsigned long long word;

/* struct device_fill of src/dev/fill.h */
struct fill {
    unsigned kind, size, is_real, unused;
    word seed, first, value, range;
    double lo, span, hi, last;
};
enum { FILL_VALUE, FILL_IOTA, FILL_RANDOM };

static __device__ word thread_number()
{
    return (word)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ word threads_in_all()
{
    return (word)gridDim.x * blockDim.x;
}

static __device__ void put(char *to, unsigned size, word v)
{
    if (size == 1)
        *(unsigned char *)to = (unsigned char)v;
    else if (size == 2)
        *(unsigned short *)to = (unsigned short)v;
    else if (size == 4)
        *(unsigned *)to = (unsigned)v;
    else
        *(word *)to = v;
}

static __device__ void put_real(char *to, unsigned size, double v)
{
    if (size == 4)
        *(float *)to = (float)v;
    else
        *(double *)to = v;
}

/* The first two of the four words of Philox4x32-10 (src/base/philox.c). */
static __device__ word philox(word seed, word counter)
{
    unsigned key = (unsigned)seed, other = (unsigned)(seed >> 32);
    unsigned a = (unsigned)counter, b = (unsigned)(counter >> 32), c = 0, d = 0;
    for (int i = 0; i < 10; i++) {
        const word x = (word)a * 0xD2511F53u, y = (word)c * 0xCD9E8D57u;
        a = (unsigned)(y >> 32) ^ b ^ key;
        b = (unsigned)y;
        c = (unsigned)(x >> 32) ^ d ^ other;
        d = (unsigned)x;
        key += 0x9E3779B9u;
        other += 0xBB67AE85u;
    }
    return (word)b << 32 | a;
}

/* As random_real() of src/own/fill.c. A product and a sum round separately. */
static __device__ void put_random_real(char *to, const struct fill &f, word random)
{
    const double u = f.size == 4 ? (double)((unsigned)random >> 8) * 0x1p-24
                                 : (double)(random >> 11) * 0x1p-53;
    double v = __dadd_rn(f.lo, __dmul_rn(u, f.span));
    if (f.size == 4)
        v = (double)(float)v;
    put_real(to, f.size, v >= f.hi ? f.last : v);
}

static __device__ void put_random_whole(char *to, const struct fill &f, word random)
{
    put(to, f.size, f.value + (f.range ? __umul64hi(random, f.range) : random));
}

extern "C" __global__ void cudalab_fill(char *to, word n, struct fill f)
{
    for (word i = thread_number(); i < n; i += threads_in_all()) {
        char *const at = to + i * f.size;
        const word index = f.first + i;
        if (f.kind == FILL_VALUE)
            put(at, f.size, f.value);
        else if (f.kind == FILL_IOTA && f.is_real)
            put_real(at, f.size, (double)index);
        else if (f.kind == FILL_IOTA)
            put(at, f.size, index);
        else if (f.is_real)
            put_random_real(at, f, philox(f.seed, index));
        else
            put_random_whole(at, f, philox(f.seed, index));
    }
}

static __device__ word mix(word v)
{
    v = (v ^ v >> 33) * 0xFF51AFD7ED558CCDull;
    v = (v ^ v >> 33) * 0xC4CEB9FE1A85EC53ull;
    return v ^ v >> 33;
}

/*
 * Adds up two sums over all words of an array. Each word is mixed with its place. Two arrays that
 * differ have both sums in common only by a chance of 1 in 2^128. The array begins at a multiple
 * of 8. The bytes of an incomplete last word count as words of their own.
 */
extern "C" __global__ void cudalab_digest(const char *from, word bytes, word *sums)
{
    const word words = bytes / sizeof(word), rest = bytes % sizeof(word);
    word one = 0, two = 0;
    for (word i = thread_number(); i < words + rest; i += threads_in_all()) {
        const word v = i < words ? ((const word *)from)[i]
                                 : (word)(unsigned char)from[words * sizeof(word) + i - words];
        one += mix(v + (2 * i + 1) * 0x9E3779B97F4A7C15ull);
        two += mix((v ^ 0xD6E8FEB86659FD93ull) + (2 * i + 1) * 0xC2B2AE3D27D4EB4Full);
    }
    for (int step = 16; step > 0; step /= 2) {
        one += __shfl_down_sync(0xffffffffu, one, step);
        two += __shfl_down_sync(0xffffffffu, two, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[0], one);
        atomicAdd(&sums[1], two);
    }
}

/* One thread waits. Meanwhile the host queues what is timed, so that the GPU need not wait for the
 * host later. It touches no memory, and so it leaves the cache as it is. */
extern "C" __global__ void cudalab_wait(unsigned long long cycles)
{
    const unsigned long long begin = clock64();
    while (clock64() - begin < cycles)
        ;
}

/* Sets *differ where two pieces of memory differ. Both begin at a multiple of 8, or are read byte by
 * byte. */
extern "C" __global__ void cudalab_differ(const char *a, const char *b, unsigned long long bytes,
                                          unsigned *differ)
{
    const word thread = thread_number(), threads = threads_in_all();
    const bool whole = ((word)a | (word)b) % sizeof(word) == 0;
    const word words = whole ? bytes / sizeof(word) : 0;
    bool found = false;
    for (word i = thread; i < words; i += threads)
        found |= ((const word *)a)[i] != ((const word *)b)[i];
    for (word i = words * sizeof(word) + thread; i < bytes; i += threads)
        found |= a[i] != b[i];
    if (found)
        *differ = 1;
}
