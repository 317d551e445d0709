/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A block of LZ4: sequences of literals, which are copied, and of a match, which repeats bytes that
 * were unpacked before. The last sequence has only literals. nvcc stores one block, without the
 * frame that the program `lz4` puts around blocks.
 */
#include "cc/unpack.h"

#include "base/err.h"
#include "cc/unpack-parts.h"

enum { LENGTH_GOES_ON = 15, BYTE_GOES_ON = 255, SHORTEST_MATCH = 4 };

/* A length begins in half of a byte. If that is full, bytes are added up to the first below 255. */
static bool take_length(struct span *packed, unsigned half, uint64_t *length)
{
    uint64_t more = BYTE_GOES_ON;
    *length = half;
    if (half != LENGTH_GOES_ON)
        return true;
    while (more == BYTE_GOES_ON) {
        if (!take_number(packed, 1, &more))
            return false;
        *length += more;
    }
    return true;
}

int unpack_lz4(struct span packed, unsigned char *bytes, size_t size, struct err *e)
{
    struct unpacked out = {.at = bytes, .most = size};
    while (packed.n) {
        uint64_t token, length, distance;
        struct span literals;
        take_number(&packed, 1, &token);
        if (!take_length(&packed, (unsigned)token >> 4, &length) ||
            !take(&packed, length, &literals))
            return fail(e, "its LZ4 data ends too early");
        if (!append(&out, literals))
            return fail(e, "its LZ4 data has more than the %zu bytes of the code", size);
        if (!packed.n)
            break;
        if (!take_number(&packed, 2, &distance) || !take_length(&packed, token & 15, &length))
            return fail(e, "its LZ4 data ends too early");
        if (!append_again(&out, (size_t)distance, length + SHORTEST_MATCH))
            return fail(e, "its LZ4 data is wrong: a match leads out of the code");
    }
    return out.n == size ? 0 : fail(e, "its LZ4 data has only %zu of %zu bytes", out.n, size);
}
