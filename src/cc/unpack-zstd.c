/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file unpacks the format zstd (RFC 8878). The data is a row of frames, and a frame is a row
 * of blocks. A block is stored as it is, or as one byte that repeats, or compressed. A compressed
 * block has two parts: first all its literals, then sequences. A sequence copies some of the
 * literals. Then it copies a match: bytes of the same frame that were unpacked before.
 *
 * All unpacked bytes stay in memory. So a match may begin anywhere in its frame. The window that a
 * frame names only limits the size of its blocks.
 */
#include "cc/unpack.h"

#include "base/err.h"
#include "base/mem.h"
#include "cc/unpack-codes.h"
#include "cc/unpack-parts.h"

enum { BLOCK_MOST = 128 << 10 };

/* The three numbers of a sequence, in the order of their tables. */
enum { LITERALS, OFFSET, MATCH, CODES };

struct zstd {
    const struct go_on *go_on;
    unsigned blocks;
    struct unpacked out; /* one frame */
    size_t block_most;
    struct span literals; /* of this block */
    /* What a block may take from the one before. */
    struct huffman huffman;
    struct fse tables[CODES];
    bool has_table[CODES];
    uint64_t recent[3]; /* distances of the last matches */
    unsigned char literal_bytes[BLOCK_MOST];
};

/* ---- literals ------------------------------------------------------------------------- */

struct literals_header {
    enum { PLAIN, REPEATED, COMPRESSED, TREELESS } kind;
    bool four_streams;
    uint64_t size, packed;
};

static bool take_literals_header(struct span *block, struct literals_header *h)
{
    struct span look = *block;
    uint64_t first, all;
    if (!take_number(&look, 1, &first))
        return false;
    unsigned form = first >> 2 & 3;
    *h = (struct literals_header){.kind = first & 3, .four_streams = form != 0};
    if (h->kind == PLAIN || h->kind == REPEATED) {
        static const uint8_t bytes[] = {1, 2, 1, 3};
        if (!take_number(block, bytes[form], &all))
            return false;
        h->size = all >> (form & 1 ? 4 : 3);
        h->packed = h->kind == PLAIN ? h->size : 1;
        return true;
    }
    static const uint8_t bytes[] = {3, 3, 4, 5}, bits[] = {10, 10, 14, 18};
    if (!take_number(block, bytes[form], &all))
        return false;
    h->size = all >> 4 & ((1u << bits[form]) - 1);
    h->packed = all >> (4 + bits[form]);
    return true;
}

/* Each stream gives the same number of bytes, except the last one. The packed sizes of the first
 * three are written before them. */
static int unpack_four_streams(struct zstd *z, struct span packed, size_t size, struct err *e)
{
    const size_t each = (size + 3) / 4;
    uint64_t sizes[4];
    struct span stream;
    bool there = 3 * each <= size;
    for (int i = 0; i < 3; i++)
        there = there && take_number(&packed, 2, &sizes[i]);
    for (size_t i = 0; i < 4 && there; i++) {
        there = take(&packed, i < 3 ? sizes[i] : packed.n, &stream);
        if (there && huffman_unpack(&z->huffman, stream, z->literal_bytes + i * each,
                                    i < 3 ? each : size - 3 * each, e) != 0)
            return -1;
    }
    return there ? 0 : fail(e, "streams of literals lead out of their block");
}

static int unpack_literals(struct zstd *z, const struct literals_header *h, struct span packed,
                           struct err *e)
{
    z->literals = (struct span){(const char *)z->literal_bytes, (size_t)h->size};
    switch (h->kind) {
    case PLAIN: z->literals = packed; return 0;
    case REPEATED: memset(z->literal_bytes, packed.at[0], (size_t)h->size); return 0;
    case COMPRESSED:
        if (huffman_take(&packed, &z->huffman, e) != 0)
            return -1;
        break;
    case TREELESS:
        if (!z->huffman.bits)
            return fail(e, "a block needs a Huffman table, and no block before it has one");
        break;
    }
    if (h->four_streams)
        return unpack_four_streams(z, packed, (size_t)h->size, e);
    return huffman_unpack(&z->huffman, packed, z->literal_bytes, (size_t)h->size, e);
}

static int take_literals(struct zstd *z, struct span *block, struct err *e)
{
    struct literals_header h;
    struct span packed;
    if (!take_literals_header(block, &h) || !take(block, h.packed, &packed))
        return fail(e, "literals lead out of their block");
    if (h.size > z->block_most)
        return fail(e, "a block has too many literals");
    return unpack_literals(z, &h, packed, e);
}

/* ---- sequences ------------------------------------------------------------------------ */

/*
 * A number is written as a code, the symbol of an FSE table, and as some bits. The smallest number
 * of a code follows the largest one of the code before. An offset's code is the number of its bits.
 */
static const uint8_t literals_bits[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
    1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const uint32_t literals_base[] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18,
    20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
static const uint8_t match_bits[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const uint32_t match_base[] = {
    3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
    29, 30, 31, 32, 33, 34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051,
    4099, 8195, 16387, 32771, 65539};

static const int16_t literals_counts[] = {
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
static const int16_t offset_counts[] = {
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
static const int16_t match_counts[] = {
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};

#define COUNTS(a) .usual_counts = (a), .usual_symbols = sizeof(a) / sizeof *(a)
static const struct sequence_code {
    unsigned symbols, bits_most;
    const int16_t *usual_counts; /* of the table that need not be written */
    unsigned usual_symbols, usual_bits;
} codes[CODES] = {
    [LITERALS] = {.symbols = 36, .bits_most = 9, COUNTS(literals_counts), .usual_bits = 6},
    [OFFSET] = {.symbols = 32, .bits_most = 8, COUNTS(offset_counts), .usual_bits = 5},
    [MATCH] = {.symbols = 53, .bits_most = 9, COUNTS(match_counts), .usual_bits = 6},
};

static int take_table(struct zstd *z, unsigned code, unsigned mode, struct span *block,
                      struct err *e)
{
    enum { USUAL, SINGLE, WRITTEN, AS_BEFORE };
    const struct sequence_code *c = &codes[code];
    uint64_t symbol;
    switch (mode) {
    case USUAL: fse_make(&z->tables[code], c->usual_counts, c->usual_symbols, c->usual_bits); break;
    case SINGLE:
        if (!take_number(block, 1, &symbol) || symbol >= c->symbols)
            return fail(e, "a code of sequences has a wrong symbol");
        fse_make_single(&z->tables[code], (uint8_t)symbol);
        break;
    case WRITTEN:
        if (fse_take(block, c->symbols, c->bits_most, &z->tables[code], e) != 0)
            return -1;
        break;
    case AS_BEFORE:
        if (!z->has_table[code])
            return fail(e, "a block needs an FSE table, and no block before it has one");
        break;
    }
    z->has_table[code] = true;
    return 0;
}

/* 1, 2 and 3 stand for the distances of the last matches. A match without literals before it does
 * not go on with the last distance, so there they stand for the others, and for one byte less. */
static uint64_t distance_of(uint64_t recent[3], uint64_t offset, bool has_literals)
{
    enum { OLDEST = 2, ONE_LESS = 3, OWN = 4 };
    const uint64_t which = offset > 3 ? OWN : offset - (has_literals ? 1 : 0);
    const uint64_t distance = which == OWN        ? offset - 3
                              : which == ONE_LESS ? recent[0] - 1
                                                  : recent[which];
    if (which >= OLDEST)
        recent[2] = recent[1];
    if (which > 0)
        recent[1] = recent[0];
    recent[0] = distance;
    return distance;
}

static int run_sequence(struct zstd *z, uint64_t literals, uint64_t offset, uint64_t match,
                        struct err *e)
{
    struct span copied;
    uint64_t distance = distance_of(z->recent, offset, literals != 0);
    if (!take(&z->literals, literals, &copied))
        return fail(e, "a sequence has more literals than its block");
    if (!append(&z->out, copied) || distance > z->out.n ||
        !append_again(&z->out, (size_t)distance, match))
        return fail(e, "a sequence leads out of the frame");
    return 0;
}

static int run_sequences(struct zstd *z, uint64_t count, struct span stream, struct err *e)
{
    unsigned state[CODES];
    struct bits b;
    if (!bits_open(&b, stream))
        return fail(e, "the stream of sequences has no end");
    for (unsigned code = 0; code < CODES; code++)
        state[code] = bits_take(&b, z->tables[code].bits);
    for (uint64_t i = 0; i < count; i++) {
        const unsigned literals = z->tables[LITERALS].states[state[LITERALS]].symbol;
        const unsigned offset = z->tables[OFFSET].states[state[OFFSET]].symbol;
        const unsigned match = z->tables[MATCH].states[state[MATCH]].symbol;
        const uint64_t offset_number = (UINT64_C(1) << offset) + bits_take(&b, offset);
        const uint64_t match_number = match_base[match] + bits_take(&b, match_bits[match]);
        const uint64_t literals_number =
            literals_base[literals] + bits_take(&b, literals_bits[literals]);
        if (i + 1 < count) {
            fse_step(&state[LITERALS], &z->tables[LITERALS], &b);
            fse_step(&state[MATCH], &z->tables[MATCH], &b);
            fse_step(&state[OFFSET], &z->tables[OFFSET], &b);
        }
        if (b.left < 0)
            return fail(e, "the stream of sequences ends too early");
        if (run_sequence(z, literals_number, offset_number, match_number, e) != 0)
            return -1;
    }
    return b.left == 0 ? 0 : fail(e, "the stream of sequences goes on behind the last one");
}

static bool take_count(struct span *block, uint64_t *count)
{
    uint64_t first, more = 0;
    if (!take_number(block, 1, &first))
        return false;
    bool there = first < 128 || take_number(block, first < 255 ? 1 : 2, &more);
    *count = first < 128   ? first
             : first < 255 ? (first - 128) << 8 | more
                           : more + 0x7f00;
    return there;
}

static int unpack_block(struct zstd *z, struct span block, struct err *e)
{
    uint64_t count, modes = 0;
    if (take_literals(z, &block, e) != 0)
        return -1;
    if (!take_count(&block, &count) || (count && !take_number(&block, 1, &modes)))
        return fail(e, "a block ends before its sequences");
    if (modes & 3)
        return fail(e, "a block has a mode of sequences that does not exist");
    for (unsigned code = 0; code < CODES && count; code++)
        if (take_table(z, code, modes >> (6 - 2 * code) & 3, &block, e) != 0)
            return -1;
    if (count ? run_sequences(z, count, block, e) != 0 : block.n != 0)
        return count ? -1 : fail(e, "a block goes on behind its end");
    return append(&z->out, z->literals) ? 0 : fail(e, "it has more bytes than the code");
}

/* ---- frames --------------------------------------------------------------------------- */

struct frame_header {
    uint64_t block_most, size;
    bool has_size, has_checksum;
};

static int take_frame_header(struct span *from, struct frame_header *h, struct err *e)
{
    enum { CHECKSUM = 4, RESERVED = 8, NO_WINDOW = 32 };
    static const uint8_t dictionary_bytes[] = {0, 1, 2, 4}, size_bytes[] = {0, 2, 4, 8};
    uint64_t flags, window = 0, dictionary;
    *h = (struct frame_header){.size = 0};
    if (!take_number(from, 1, &flags) || (!(flags & NO_WINDOW) && !take_number(from, 1, &window)) ||
        !take_number(from, dictionary_bytes[flags & 3], &dictionary))
        return fail(e, "the header of a frame is cut off");
    unsigned bytes = !(flags >> 6) && flags & NO_WINDOW ? 1 : size_bytes[flags >> 6];
    if (!take_number(from, bytes, &h->size))
        return fail(e, "the header of a frame is cut off");
    h->size += bytes == 2 ? 256 : 0;
    if (flags & RESERVED || dictionary)
        return fail(e, "a frame needs %s", dictionary ? "a dictionary" : "a newer version of zstd");
    h->has_size = bytes;
    h->has_checksum = flags & CHECKSUM;
    window = flags & NO_WINDOW ? h->size : (8 + (window & 7)) << (7 + (window >> 3));
    h->block_most = window < BLOCK_MOST ? window : BLOCK_MOST;
    return 0;
}

static int take_block(struct zstd *z, struct span *from, bool *last, struct err *e)
{
    enum { STORED, REPEATED_BYTE, PACKED, BLOCKS = 64 };
    uint64_t header;
    struct span block;
    const size_t before = z->out.n;
    if (++z->blocks % BLOCKS == 0 && go_on(z->go_on, e) != 0)
        return -1;
    if (!take_number(from, 3, &header))
        return fail(e, "a frame ends before its last block");
    const unsigned kind = header >> 1 & 3;
    const uint64_t size = header >> 3;
    *last = header & 1;
    if (kind > PACKED || size > z->block_most)
        return fail(e, "a block is %s", kind > PACKED ? "of an unknown kind" : "too large");
    if (!take(from, kind == REPEATED_BYTE ? 1 : size, &block))
        return fail(e, "a block is cut off");
    if (kind == PACKED && unpack_block(z, block, e) != 0)
        return -1;
    if (kind == STORED ? !append(&z->out, block)
                       : kind == REPEATED_BYTE && !append_times(&z->out, block.at[0], size))
        return fail(e, "it has more bytes than the code");
    return z->out.n - before <= z->block_most ? 0 : fail(e, "a block is too large");
}

static int take_frame(struct zstd *z, struct span *from, struct err *e)
{
    enum { CHECKSUM_BYTES = 4 };
    static const uint64_t first_distances[] = {1, 4, 8};
    struct frame_header h;
    struct span checksum;
    if (take_frame_header(from, &h, e) != 0)
        return -1;
    z->block_most = (size_t)h.block_most;
    z->huffman.bits = 0;
    memset(z->has_table, 0, sizeof z->has_table);
    memcpy(z->recent, first_distances, sizeof z->recent);
    for (bool last = false; !last;)
        if (take_block(z, from, &last, e) != 0)
            return -1;
    if (h.has_size && h.size != z->out.n)
        return fail(e, "a frame has another size than its header says");
    return !h.has_checksum || take(from, CHECKSUM_BYTES, &checksum)
               ? 0
               : fail(e, "a frame has no checksum");
}

static int take_frames(struct zstd *z, struct span packed, struct unpacked *all, struct err *e)
{
    enum { FRAME = 0xfd2fb528, SKIPPED = 0x184d2a50 }; /* the latter with any last four bits */
    while (packed.n) {
        uint64_t magic, size;
        struct span skipped;
        if (!take_number(&packed, 4, &magic))
            return fail(e, "it has bytes behind its last frame");
        if ((magic & ~UINT64_C(15)) == SKIPPED) {
            if (!take_number(&packed, 4, &size) || !take(&packed, size, &skipped))
                return fail(e, "a frame is cut off");
            continue;
        }
        if (magic != FRAME)
            return fail(e, "it is not zstd");
        z->out = (struct unpacked){.at = all->at + all->n, .most = all->most - all->n};
        if (take_frame(z, &packed, e) != 0)
            return -1;
        all->n += z->out.n;
    }
    return all->n == all->most
               ? 0
               : fail(e, "it has only %zu of the code's %zu bytes", all->n, all->most);
}

int unpack_zstd(struct span packed, unsigned char *bytes, size_t size, const struct go_on *g,
                struct err *e)
{
    struct unpacked out = {.at = bytes, .most = size};
    struct zstd *z = mem_alloc(&allocator_libc, sizeof *z);
    if (!z)
        return fail_memory(e);
    z->go_on = g;
    int rc = take_frames(z, packed, &out, e);
    mem_free(&allocator_libc, z, sizeof *z);
    return rc;
}
