/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file unpacks the format deflate (RFC 1951), which zip archives use. The data is a row of
 * blocks. A block is stored as it is, or it is written in prefix codes: one code for bytes and for
 * the lengths of matches, one code for distances. The codes stand in front of the block, or they
 * are the fixed ones of the format.
 */
#include "cc/unpack.h"

#include "base/err.h"
#include "base/mem.h"
#include "cc/unpack-parts.h"

enum { CODE_MOST = 15, QUICK = 10, SYMBOLS = 288, DISTANCES = 32, LENGTHS_CODE = 19 };
enum { END_OF_BLOCK = 256, FIRST_LENGTH = 257, LENGTHS = 29, DISTANCES_USED = 30 };
enum { ASK_EVERY = 1 << 16 }; /* symbols */

/* ---- bits ----------------------------------------------------------------------------- */

/* The bits of a byte are taken from its lowest on. Behind the end there are zeros. */
struct bit_stream {
    struct span bytes;
    uint64_t next; /* the bits that were read from the bytes and not yet taken */
    unsigned count;
    unsigned missing; /* so many of them lie behind the end */
};

static void fill(struct bit_stream *s, unsigned wanted)
{
    while (s->count < wanted) {
        if (s->bytes.n) {
            s->next |= (uint64_t)(unsigned char)*s->bytes.at++ << s->count;
            s->bytes.n--;
        } else {
            s->missing += 8;
        }
        s->count += 8;
    }
}

static void drop(struct bit_stream *s, unsigned count)
{
    s->next >>= count;
    s->count -= count;
}

static unsigned take_bits(struct bit_stream *s, unsigned count)
{
    fill(s, count);
    const unsigned taken = (unsigned)(s->next & ((UINT64_C(1) << count) - 1));
    drop(s, count);
    return taken;
}

/* Was a bit taken that is not there? */
static bool is_over(const struct bit_stream *s)
{
    return s->missing > s->count;
}

/* ---- prefix codes --------------------------------------------------------------------- */

/* The symbols are sorted by the lengths of their codes. Symbols with short codes are also found at
 * once by the next QUICK bits: the length in the low 4 bits, the symbol above. */
struct prefix_code {
    uint16_t count[CODE_MOST + 1]; /* of codes that have this length */
    uint16_t symbol[SYMBOLS];
    uint16_t quick[1 << QUICK];
};

static unsigned reversed(unsigned code, unsigned bits)
{
    unsigned r = 0;
    for (; bits; bits--, code >>= 1)
        r = r << 1 | (code & 1);
    return r;
}

static void make_quick(struct prefix_code *c, const uint8_t *lengths, unsigned n)
{
    unsigned next[CODE_MOST + 1] = {0};
    memset(c->quick, 0, sizeof c->quick);
    for (unsigned bits = 1; bits < CODE_MOST; bits++)
        next[bits + 1] = (next[bits] + c->count[bits]) << 1;
    for (unsigned symbol = 0; symbol < n; symbol++) {
        const unsigned bits = lengths[symbol];
        if (!bits || bits > QUICK)
            continue;
        for (unsigned at = reversed(next[bits]++, bits); at < 1 << QUICK; at += 1U << bits)
            c->quick[at] = (uint16_t)(symbol << 4 | bits);
    }
}

/* false: there are more codes than bits can tell apart, or fewer. One code of one bit may stand
 * alone, and a code without any symbol is complete as long as it is not used. */
static bool make_code(struct prefix_code *c, const uint8_t *lengths, unsigned n)
{
    unsigned offset[CODE_MOST + 2] = {0}, used = 0;
    int left = 1;
    memset(c->count, 0, sizeof c->count);
    for (unsigned i = 0; i < n; i++)
        c->count[lengths[i]]++;
    used = n - c->count[0];
    c->count[0] = 0;
    for (unsigned bits = 1; bits <= CODE_MOST; bits++) {
        left = 2 * left - c->count[bits];
        if (left < 0)
            return false;
        offset[bits + 1] = offset[bits] + c->count[bits];
    }
    for (unsigned i = 0; i < n; i++)
        if (lengths[i])
            c->symbol[offset[lengths[i]]++] = (uint16_t)i;
    make_quick(c, lengths, n);
    return left == 0 || used == 0 || (used == 1 && c->count[1] == 1);
}

/* The next symbol; -1: these bits are not a code. */
static int take_symbol(struct bit_stream *s, const struct prefix_code *c)
{
    unsigned code = 0, first = 0, index = 0;
    fill(s, CODE_MOST);
    const unsigned quick = c->quick[s->next & ((1 << QUICK) - 1)];
    if (quick) {
        drop(s, quick & 15);
        return (int)(quick >> 4);
    }
    for (unsigned bits = 1; bits <= CODE_MOST; bits++) {
        code |= s->next >> (bits - 1) & 1;
        if (code < first + c->count[bits]) {
            drop(s, bits);
            return c->symbol[index + (code - first)];
        }
        index += c->count[bits];
        first = (first + c->count[bits]) << 1;
        code <<= 1;
    }
    return -1;
}

/* ---- blocks --------------------------------------------------------------------------- */

struct deflate {
    struct bit_stream in;
    struct unpacked out;
    struct prefix_code symbols, distances;
    const struct go_on *go_on;
    unsigned work; /* symbols and blocks */
};

static int ends_early(struct err *e)
{
    return fail(e, "its deflate data ends too early");
}

static int has_more(const struct deflate *d, struct err *e)
{
    return fail(e, "its deflate data has more than %zu bytes", d->out.most);
}

/* A stored block begins at a byte. */
static int copy_stored(struct deflate *d, struct err *e)
{
    struct bit_stream *in = &d->in;
    drop(in, in->count % 8);
    const unsigned n = take_bits(in, 16), not_n = take_bits(in, 16);
    struct span bytes;
    if (is_over(in))
        return ends_early(e);
    if ((n ^ not_n) != 0xFFFF)
        return fail(e, "its deflate data is wrong: a stored block has two lengths");
    const unsigned ahead = (in->count - in->missing) / 8; /* whole bytes, read and not yet taken */
    in->bytes.at -= ahead;
    in->bytes.n += ahead;
    in->next = in->count = in->missing = 0;
    if (!take(&in->bytes, n, &bytes))
        return ends_early(e);
    return append(&d->out, bytes) ? 0 : has_more(d, e);
}

static void make_fixed(struct deflate *d)
{
    uint8_t lengths[SYMBOLS];
    for (unsigned i = 0; i < SYMBOLS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_code(&d->symbols, lengths, SYMBOLS);
    memset(lengths, 5, DISTANCES);
    make_code(&d->distances, lengths, DISTANCES);
}

/* The lengths of the codes are themselves written in a code. Some of its symbols repeat a length.
 */
static int take_lengths(struct deflate *d, uint8_t *lengths, unsigned n)
{
    static const uint8_t fewest[] = {3, 3, 11}, bits[] = {2, 3, 7};
    for (unsigned i = 0; i < n;) {
        const int symbol = take_symbol(&d->in, &d->symbols);
        if (symbol < 0 || is_over(&d->in) || (symbol == 16 && i == 0))
            return -1;
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        const uint8_t length = symbol == 16 ? lengths[i - 1] : 0;
        unsigned times = fewest[symbol - 16] + take_bits(&d->in, bits[symbol - 16]);
        if (times > n - i)
            return -1;
        while (times--)
            lengths[i++] = length;
    }
    return 0;
}

static int take_codes(struct deflate *d)
{
    static const uint8_t order[LENGTHS_CODE] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[SYMBOLS + DISTANCES] = {0};
    const unsigned symbols = take_bits(&d->in, 5) + 257, distances = take_bits(&d->in, 5) + 1;
    const unsigned given = take_bits(&d->in, 4) + 4;
    for (unsigned i = 0; i < given; i++)
        lengths[order[i]] = (uint8_t)take_bits(&d->in, 3);
    if (symbols > LENGTHS + FIRST_LENGTH || distances > DISTANCES_USED ||
        !make_code(&d->symbols, lengths, LENGTHS_CODE))
        return -1;
    memset(lengths, 0, sizeof lengths);
    if (take_lengths(d, lengths, symbols + distances) != 0 || !lengths[END_OF_BLOCK] ||
        !make_code(&d->symbols, lengths, symbols))
        return -1;
    return make_code(&d->distances, lengths + symbols, distances) ? 0 : -1;
}

/* The bytes of a match were unpacked before. */
static int copy_match(struct deflate *d, unsigned symbol, struct err *e)
{
    static const uint16_t length[LENGTHS] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                             15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                             67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t length_bits[LENGTHS] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    const unsigned n =
        symbol < LENGTHS ? length[symbol] + take_bits(&d->in, length_bits[symbol]) : 0;
    const int of_distance = take_symbol(&d->in, &d->distances);
    if (!n || of_distance < 0 || of_distance >= DISTANCES_USED)
        return fail(e, "its deflate data is wrong: a match has no such code");
    const unsigned base = (unsigned)of_distance, bits = base < 4 ? 0 : base / 2 - 1;
    const unsigned distance =
        1 + take_bits(&d->in, bits) + (base < 4 ? base : (2 + (base & 1)) << bits);
    if (is_over(&d->in))
        return ends_early(e);
    if (distance > d->out.n)
        return fail(e, "its deflate data is wrong: a match begins before the data");
    return append_again(&d->out, distance, n) ? 0 : has_more(d, e);
}

static int copy_coded(struct deflate *d, struct err *e)
{
    for (;;) {
        const int symbol = take_symbol(&d->in, &d->symbols);
        const char byte = (char)symbol;
        if (is_over(&d->in))
            return ends_early(e);
        if (symbol < 0)
            return fail(e, "its deflate data is wrong: these bits are not a code");
        if (symbol == END_OF_BLOCK)
            return 0;
        if (symbol < END_OF_BLOCK && !append(&d->out, (struct span){&byte, 1}))
            return has_more(d, e);
        if (symbol > END_OF_BLOCK && copy_match(d, (unsigned)symbol - FIRST_LENGTH, e) != 0)
            return -1;
        if (++d->work % ASK_EVERY == 0 && go_on(d->go_on, e) != 0)
            return -1;
    }
}

static int unpack_block(struct deflate *d, bool *last, struct err *e)
{
    enum { STORED, FIXED, OWN_CODES };
    *last = take_bits(&d->in, 1);
    const unsigned kind = take_bits(&d->in, 2);
    if (is_over(&d->in))
        return ends_early(e);
    if (++d->work % ASK_EVERY == 0 && go_on(d->go_on, e) != 0)
        return -1;
    if (kind == STORED)
        return copy_stored(d, e);
    if (kind == FIXED)
        make_fixed(d);
    else if (kind != OWN_CODES || take_codes(d) != 0)
        return is_over(&d->in) ? ends_early(e)
                               : fail(e, "its deflate data is wrong: a block has no valid codes");
    return copy_coded(d, e);
}

static int unpack_all(struct deflate *d, struct err *e)
{
    for (bool last = false; !last;)
        if (unpack_block(d, &last, e) != 0)
            return -1;
    if (d->out.n != d->out.most)
        return fail(e, "its deflate data has only %zu of %zu bytes", d->out.n, d->out.most);
    return d->in.bytes.n || d->in.count - d->in.missing >= 8
               ? fail(e, "its deflate data ends before its last byte")
               : 0;
}

int unpack_deflate(struct span packed, unsigned char *out, size_t size, const struct go_on *g,
                   struct err *e)
{
    struct deflate *d = mem_alloc(&allocator_libc, sizeof *d);
    if (!d)
        return fail_memory(e);
    d->in.bytes = packed;
    d->out = (struct unpacked){.at = out, .most = size};
    d->go_on = g;
    const int rc = unpack_all(d, e);
    mem_free(&allocator_libc, d, sizeof *d);
    return rc;
}
