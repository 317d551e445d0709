/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What printf and assert of a kernel become on a GPU. The driver's own printf doesn't say what
 * it lost when its buffer ran over, and what a killed kernel had printed is gone. So cudalab
 * puts these two functions in their place before PTX goes to the driver. They leave records in
 * memory of the host; src/dev/gpu/print.c reads them, and the text is made there.
 *
 * A record: its length in words, negative until it is complete; kind and length of the format;
 * block; thread; then the format, and a word for each argument. The characters of a %s come
 * after its address, with their number before them. All is padded to words of 8 bytes.
 *
 * How many words are in use is counted in the GPU's own memory: atomics on the host's are slow.
 */
typedef unsigned long long word;

struct ring {
    word used, lost, size, unused; /* used and lost: the host's, after the launch */
    word at[1];
};

enum { PRINTED, ASSERTED, HEAD = 4 /* words */ };
enum { USED, LOST };
enum { RING_BYTES = 16 << 20 }; /* GPU_RING_BYTES of src/dev/gpu/wire.h */

extern "C" __device__ struct ring *cudalab_ring = 0;
extern "C" __device__ word cudalab_count[2] = {0, 0};

static __device__ word block_number()
{
    return ((word)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

static __device__ unsigned thread_number()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

extern "C" __device__ __noinline__ unsigned cudalab_length_of(const char *text)
{
    unsigned n = 0;
    while (text && text[n])
        n++;
    return n;
}

static __device__ unsigned words_for(unsigned bytes)
{
    return (bytes + 7) / 8;
}

/* Copy text as words, the last one filled up with zeros; where to go on. */
extern "C" __device__ __noinline__ volatile word *
cudalab_put_text(volatile word *to, const char *text, unsigned n)
{
    for (unsigned i = 0; i < n; i += 8) {
        word w = 0;
        for (unsigned k = 0; k < 8 && i + k < n; k++)
            w |= (word)(unsigned char)text[i + k] << 8 * k;
        *to++ = w;
    }
    return to;
}

static __device__ volatile word *put_string(volatile word *to, const char *text)
{
    unsigned n = cudalab_length_of(text);
    *to++ = n;
    return cudalab_put_text(to, text, n);
}

/* Bytes of the argument that a conversion's last letter asks for; 0: no such letter. */
static __device__ unsigned size_of(char letter, bool wide)
{
    switch (letter) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'c': return wide ? 8 : 4;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
    case 'p': case 's': return 8;
    default: return 0;
    }
}

/* Flags, digits, and lengths that change nothing stand before the letter. */
static __device__ bool goes_on(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == ' ' || c == '#' || c == '.' ||
           c == 'h' || c == 'L';
}

/* Where a format's arguments are, one after the other. */
struct walk {
    const char *format;
    unsigned n, i;
    word at; /* address of the next argument */
    char kind;
    bool inside, wide; /* a conversion; with a length of 8 bytes */
};

static __device__ word take(struct walk *w, unsigned bytes)
{
    word value;
    w->at = (w->at + bytes - 1) / bytes * bytes;
    if (bytes == 8)
        value = *(const word *)w->at;
    else
        value = *(const unsigned *)w->at;
    w->at += bytes;
    return value;
}

/* On to the next argument, its bits in *value; false: there is none left. A `*` has kind 'd'. */
static __device__ bool next(struct walk *w, word *value)
{
    for (; w->i < w->n; w->i++) {
        char c = w->format[w->i];
        if (!w->inside) {
            w->inside = c == '%';
            w->wide = false;
        } else if (c == '*') {
            w->i++;
            w->kind = 'd';
            *value = take(w, 4);
            return true;
        } else if (c == 'l' || c == 'j' || c == 'z' || c == 't') {
            w->wide = true;
        } else if (!goes_on(c)) {
            unsigned bytes = size_of(c, w->wide);
            w->inside = false;
            if (bytes == 0)
                continue;
            w->i++;
            w->kind = c;
            *value = take(w, bytes);
            return true;
        }
    }
    return false;
}

/* Words that the arguments take, and how many they are; put where `to` is not null. */
extern "C" __device__ __noinline__ unsigned
cudalab_put_arguments(volatile word *to, const char *format, unsigned n, word arguments, int *count)
{
    struct walk w = {format, n, 0, arguments, 0, false, false};
    unsigned words = 0;
    word value;
    for (*count = 0; next(&w, &value); ++*count) {
        if (to)
            to[words] = value;
        words++;
        if (w.kind != 's')
            continue;
        if (to)
            put_string(to + words, (const char *)value);
        words += 1 + words_for(cudalab_length_of((const char *)value));
    }
    return words;
}

/* Room for a record, with its head; null: it is lost, and counted. */
static __device__ volatile word *begin(unsigned words, word kind, unsigned format)
{
    struct ring *ring = cudalab_ring;
    if (!ring)
        return 0;
    const word size = (RING_BYTES - sizeof *ring + sizeof ring->at) / sizeof(word);
    word at = *(volatile word *)&cudalab_count[USED];
    if (at < size)
        at = atomicAdd(&cudalab_count[USED], (word)words);
    if (at + words > size) {
        atomicAdd(&cudalab_count[LOST], (word)1);
        return 0;
    }
    volatile word *record = ring->at + at;
    record[0] = 0 - (word)words;
    record[1] = kind | (word)format << 32;
    record[2] = block_number();
    record[3] = thread_number();
    return record;
}

static __device__ void finish(volatile word *record, unsigned words)
{
    __threadfence_system();
    record[0] = words;
}

extern "C" __device__ __noinline__ __attribute__((used)) int
cudalab_vprintf(const char *format, const void *arguments)
{
    int count = -1;
    if (!format)
        return count;
    unsigned n = cudalab_length_of(format), head = HEAD + words_for(n);
    unsigned words = head + cudalab_put_arguments(0, format, n, (word)arguments, &count);
    volatile word *record = begin(words, PRINTED, n);
    if (!record)
        return count;
    cudalab_put_text(record + HEAD, format, n);
    cudalab_put_arguments(record + head, format, n, (word)arguments, &count);
    finish(record, words);
    return count;
}

extern "C" __device__ __noinline__ __attribute__((used)) void
cudalab_assertfail(const char *message, const char *file, unsigned line, const char *function,
                   size_t character)
{
    unsigned n = cudalab_length_of(message), head = HEAD + words_for(n);
    unsigned words = head + 2 + words_for(cudalab_length_of(file));
    volatile word *record = begin(words, ASSERTED, n);
    (void)function;
    (void)character;
    if (record) {
        cudalab_put_text(record + HEAD, message, n);
        record[head] = line;
        put_string(record + head + 1, file);
        finish(record, words);
    }
    asm volatile("trap;");
}
