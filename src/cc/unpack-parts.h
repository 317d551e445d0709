/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What both decoders do: they take bytes from the front of the packed ones, and append bytes to the
 * unpacked ones. Either ends at the bounds.
 */
#ifndef CC_UNPACK_PARTS_H
#define CC_UNPACK_PARTS_H

#include "base/lines.h"

#include <stdint.h>
#include <string.h>

/* false: there are not so many. */
static inline bool take(struct span *from, uint64_t n, struct span *taken)
{
    if (n > from->n)
        return false;
    *taken = (struct span){from->at, (size_t)n};
    from->at += n;
    from->n -= (size_t)n;
    return true;
}

/* The next number of so many bytes, the lowest byte first. */
static inline bool take_number(struct span *from, unsigned bytes, uint64_t *number)
{
    struct span taken;
    *number = 0;
    if (!take(from, bytes, &taken))
        return false;
    for (unsigned i = bytes; i-- > 0;)
        *number = *number << 8 | (unsigned char)taken.at[i];
    return true;
}

struct unpacked {
    unsigned char *at;
    size_t n, most;
};

/* false: there is no room for so many. */
static inline bool append(struct unpacked *out, struct span bytes)
{
    if (bytes.n > out->most - out->n)
        return false;
    if (bytes.n)
        memcpy(out->at + out->n, bytes.at, bytes.n);
    out->n += bytes.n;
    return true;
}

static inline bool append_times(struct unpacked *out, char byte, uint64_t n)
{
    if (n > out->most - out->n)
        return false;
    memset(out->at + out->n, byte, (size_t)n);
    out->n += (size_t)n;
    return true;
}

/*
 * Appends `n` bytes that are the same as those `distance` bytes before. The two may overlap: then
 * the bytes repeat. After each step twice as many bytes are known, and one step copies them.
 */
static inline bool append_again(struct unpacked *out, size_t distance, uint64_t n)
{
    if (!distance || distance > out->n || n > out->most - out->n)
        return false;
    while (n) {
        size_t step = n < distance ? (size_t)n : distance;
        memcpy(out->at + out->n, out->at + out->n - distance, step);
        out->n += step;
        n -= step;
        distance += step;
    }
    return true;
}

#endif
