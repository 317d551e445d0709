/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file makes the tables of FSE codes and of Huffman codes, and reads their descriptions. A
 * table is only kept if it is complete: then no bits lead out of it.
 */
#include "cc/unpack-codes.h"

#include "base/err.h"
#include "cc/unpack-parts.h"

/* ---- bits ----------------------------------------------------------------------------- */

unsigned bit_length(uint64_t number)
{
    unsigned length = 0;
    for (; number; number >>= 1)
        length++;
    return length;
}

bool bits_open(struct bits *b, struct span bytes)
{
    unsigned last = bytes.n ? (unsigned char)bytes.at[bytes.n - 1] : 0;
    *b = (struct bits){.bytes = bytes};
    if (!last)
        return false;
    b->left = (int64_t)(bytes.n - 1) * 8 + bit_length(last) - 1;
    return true;
}

/* The description of an FSE table is read from its beginning. Behind its end there are zeros. */
static unsigned forward_bits(struct span bytes, uint64_t at, unsigned count)
{
    size_t byte = (size_t)(at / 8);
    uint64_t word = byte < bytes.n ? bits_word(bytes, byte) : 0;
    return (unsigned)(word >> at % 8 & ((1u << count) - 1));
}

/* ---- FSE codes ------------------------------------------------------------------------ */

/* Gives each symbol its states. The rare ones have the last states, and the others are spread. */
static void spread(struct fse *f, const int16_t *counts, unsigned symbols)
{
    const unsigned size = 1u << f->bits, step = (size >> 1) + (size >> 3) + 3;
    unsigned end = size, at = 0;
    for (unsigned s = 0; s < symbols; s++)
        if (counts[s] < 0)
            f->states[--end].symbol = (uint8_t)s;
    for (unsigned s = 0; s < symbols; s++)
        for (int k = 0; k < counts[s]; k++) {
            f->states[at].symbol = (uint8_t)s;
            do
                at = (at + step) & (size - 1);
            while (at >= end);
        }
}

void fse_make(struct fse *f, const int16_t *counts, unsigned symbols, unsigned bits)
{
    unsigned next[FSE_SYMBOLS_MOST];
    f->bits = bits;
    spread(f, counts, symbols);
    for (unsigned s = 0; s < symbols; s++)
        next[s] = counts[s] < 0 ? 1 : (unsigned)counts[s];
    for (unsigned i = 0; i < 1u << bits; i++) {
        struct fse_state *state = &f->states[i];
        unsigned number = next[state->symbol]++;
        state->bits = (uint8_t)(bits + 1 - bit_length(number));
        state->base = (uint16_t)((number << state->bits) - (1u << bits));
    }
}

void fse_make_single(struct fse *f, uint8_t symbol)
{
    f->bits = 0;
    f->states[0] = (struct fse_state){.symbol = symbol};
}

/*
 * A count is written as itself plus 1, so that 0 can stand for "less than once". It is at most
 * `left` + 1. That number may not fill its bits. Then the lowest values have one bit less.
 */
static int take_count(struct span bytes, uint64_t *at, unsigned left)
{
    const unsigned bits = bit_length(left + 1), half = 1u << (bits - 1);
    const unsigned saved = 2 * half - 1 - (left + 1);
    unsigned value = forward_bits(bytes, *at, bits);
    if ((value & (half - 1)) < saved) {
        *at += bits - 1;
        return (int)(value & (half - 1)) - 1;
    }
    *at += bits;
    return (int)(value < half ? value : value - saved) - 1;
}

/* After a symbol that never comes, 2 bits tell how many more do so. 3 says that 2 bits follow. */
static unsigned take_zeros(struct span bytes, uint64_t *at, unsigned most)
{
    unsigned zeros = 0, more;
    do {
        more = forward_bits(bytes, *at, 2);
        *at += 2;
        zeros += more;
    } while (more == 3 && zeros <= most);
    return zeros;
}

int fse_take(struct span *from, unsigned symbols, unsigned bits, struct fse *f, struct err *e)
{
    enum { FEWEST_BITS = 5 };
    int16_t counts[FSE_SYMBOLS_MOST] = {0};
    const unsigned own_bits = forward_bits(*from, 0, 4) + FEWEST_BITS;
    unsigned symbol = 0, left = 1u << own_bits;
    uint64_t at = 4;
    struct span description;
    if (own_bits > bits)
        return fail(e, "an FSE table is too large");
    while (left && symbol < symbols) {
        int count = take_count(*from, &at, left);
        counts[symbol++] = (int16_t)count;
        left -= count < 0 ? 1 : (unsigned)count;
        symbol += count ? 0 : take_zeros(*from, &at, symbols);
    }
    if (left || symbol > symbols || !take(from, (at + 7) / 8, &description))
        return fail(e, "an FSE table is incomplete");
    fse_make(f, counts, symbol, own_bits);
    return 0;
}

/* ---- Huffman codes -------------------------------------------------------------------- */

enum { BYTES = 256, WEIGHTS_MOST = BYTES - 1 }; /* the last weight follows from the others */

/* A byte with weight w has one code word of the length `bits` + 1 - w; with weight 0, none. */
struct weights {
    uint8_t of[BYTES];
    unsigned count;
};

static int take_plain_weights(struct span *from, unsigned count, struct weights *w, struct err *e)
{
    struct span halves;
    if (!take(from, (count + 1) / 2, &halves))
        return fail(e, "a Huffman table is cut off");
    for (unsigned i = 0; i < count; i++) {
        unsigned char two = (unsigned char)halves.at[i / 2];
        w->of[i] = i % 2 ? two & 15 : two >> 4;
    }
    w->count = count;
    return 0;
}

/* Two states take turns. When the bits have run out, the other state has the last weight. */
static int unpack_weights(const struct fse *f, struct bits *b, struct weights *w, struct err *e)
{
    unsigned states[2] = {bits_take(b, f->bits), 0};
    states[1] = bits_take(b, f->bits);
    for (unsigned turn = 0; b->left >= 0; turn ^= 1) {
        if (w->count + 2 > WEIGHTS_MOST)
            return fail(e, "a Huffman table has more than %d weights", WEIGHTS_MOST);
        w->of[w->count++] = f->states[states[turn]].symbol;
        fse_step(&states[turn], f, b);
        if (b->left < 0)
            w->of[w->count++] = f->states[states[!turn]].symbol;
    }
    return 0;
}

static int take_packed_weights(struct span *from, unsigned n, struct weights *w, struct err *e)
{
    enum { WEIGHT_BITS = 6 };
    struct span packed;
    struct fse table;
    struct bits b;
    if (!take(from, n, &packed))
        return fail(e, "a Huffman table is cut off");
    if (fse_take(&packed, HUFFMAN_BITS_MOST + 1, WEIGHT_BITS, &table, e) != 0)
        return -1;
    if (!bits_open(&b, packed))
        return fail(e, "a Huffman table has no weights");
    return unpack_weights(&table, &b, w, e);
}

/* Weight w counts as 1 << (w - 1). All weights come to a power of two; so the last one is known. */
static int complete(struct weights *w, unsigned *bits, struct err *e)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < w->count; i++) {
        if (w->of[i] > HUFFMAN_BITS_MOST)
            return fail(e, "a Huffman table has codes of more than %d bits", HUFFMAN_BITS_MOST);
        sum += w->of[i] ? 1u << (w->of[i] - 1) : 0;
    }
    *bits = bit_length(sum);
    unsigned rest = (1u << *bits) - sum;
    if (!sum || *bits > HUFFMAN_BITS_MOST || (rest & (rest - 1)))
        return fail(e, "a Huffman table is incomplete");
    w->of[w->count++] = (uint8_t)bit_length(rest);
    return 0;
}

int huffman_take(struct span *from, struct huffman *h, struct err *e)
{
    enum { PLAIN = 128 };
    struct weights w = {.count = 0};
    uint64_t header;
    h->bits = 0;
    if (!take_number(from, 1, &header))
        return fail(e, "a Huffman table is cut off");
    int rc = header < PLAIN ? take_packed_weights(from, (unsigned)header, &w, e)
                            : take_plain_weights(from, (unsigned)header - PLAIN + 1, &w, e);
    unsigned bits = 0, at = 0;
    if (rc != 0 || complete(&w, &bits, e) != 0)
        return -1;
    for (unsigned weight = 1; weight <= bits; weight++)
        for (unsigned i = 0; i < w.count; i++)
            for (unsigned k = 0; w.of[i] == weight && k < 1u << (weight - 1); k++)
                h->bytes[at++] = (struct huffman_byte){(uint8_t)i, (uint8_t)(bits + 1 - weight)};
    h->bits = bits;
    return 0;
}

int huffman_unpack(const struct huffman *h, struct span stream, unsigned char *out, size_t n,
                   struct err *e)
{
    struct bits b;
    if (!bits_open(&b, stream))
        return fail(e, "a stream of literals has no end");
    for (size_t i = 0; i < n; i++) {
        const struct huffman_byte *next = &h->bytes[bits_next(&b, h->bits)];
        out[i] = next->byte;
        b.left -= next->bits;
    }
    return b.left == 0 ? 0 : fail(e, "a stream of literals has another length than it should");
}
