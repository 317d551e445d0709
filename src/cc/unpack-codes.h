/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The codes that zstd writes its numbers in (RFC 8878, chapter 4): bits in a stream that is read
 * from its end to its beginning, FSE codes and Huffman codes. A table tells for the next bits of a
 * stream what they stand for.
 */
#ifndef CC_UNPACK_CODES_H
#define CC_UNPACK_CODES_H

#include "base/lines.h"

#include <stdint.h>

/* ---- bits ----------------------------------------------------------------------------- */

/* Below 0, `left` tells how many more bits were taken than there are. Those are zeros. */
struct bits {
    struct span bytes;
    int64_t left; /* bits */
};

/* The highest bit that is set in the last byte is only a mark of the end. false: there is none. */
bool bits_open(struct bits *, struct span bytes);

unsigned bit_length(uint64_t number); /* 0 for 0, 1 for 1, 2 for 2 and 3 */

/* Eight bytes as a number, or what there is of them. */
static inline uint64_t bits_word(struct span bytes, size_t at)
{
    const unsigned char *b = (const unsigned char *)bytes.at + at;
    uint64_t word = 0;
    if (bytes.n - at >= 8)
        return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
               (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 |
               (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
    for (size_t i = bytes.n - at; i-- > 0;)
        word = word << 8 | b[i];
    return word;
}

/* The next bits, at most 32, which are not taken yet. */
static inline uint32_t bits_next(const struct bits *b, unsigned count)
{
    const uint64_t mask = (UINT64_C(1) << count) - 1;
    const int64_t from = b->left - count;
    if (from >= 0)
        return (uint32_t)(bits_word(b->bytes, (size_t)(from >> 3)) >> (from & 7) & mask);
    return -from >= 32 ? 0 : (uint32_t)(bits_word(b->bytes, 0) << -from & mask);
}

static inline uint32_t bits_take(struct bits *b, unsigned count)
{
    uint32_t taken = bits_next(b, count);
    b->left -= count;
    return taken;
}

/* ---- FSE codes ------------------------------------------------------------------------ */

enum { FSE_BITS_MOST = 9, FSE_SYMBOLS_MOST = 64 };

/* A state of the decoder stands for a symbol. The next state is `base` and the next bits. */
struct fse_state {
    uint8_t symbol, bits;
    uint16_t base;
};

struct fse {
    unsigned bits; /* of the first state */
    struct fse_state states[1 << FSE_BITS_MOST];
};

/* How often each symbol comes, of 1 << bits in all. -1: less often than once. */
void fse_make(struct fse *, const int16_t *counts, unsigned symbols, unsigned bits);
/* A code that has only one symbol, and needs no bits. */
void fse_make_single(struct fse *, uint8_t symbol);
/* Takes the description of a table. It has at most so many symbols, and its states so many bits. */
int fse_take(struct span *from, unsigned symbols, unsigned bits, struct fse *, struct err *);

static inline void fse_step(unsigned *state, const struct fse *f, struct bits *b)
{
    const struct fse_state *s = &f->states[*state];
    *state = s->base + bits_take(b, s->bits);
}

/* ---- Huffman codes -------------------------------------------------------------------- */

enum { HUFFMAN_BITS_MOST = 11 };

/* The next `bits` bits of a stream tell the next byte. Only some of them are its code. */
struct huffman {
    unsigned bits; /* 0: there is no code */
    struct huffman_byte {
        uint8_t byte, bits;
    } bytes[1 << HUFFMAN_BITS_MOST];
};

int huffman_take(struct span *from, struct huffman *, struct err *);
/* Unpacks a stream, which must have exactly n bytes. */
int huffman_unpack(const struct huffman *, struct span stream, unsigned char *out, size_t n,
                   struct err *);

#endif
