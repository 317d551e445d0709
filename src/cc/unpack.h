/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unpacking of what is stored in one of three formats. nvcc uses zstd and LZ4 in fat binaries, and
 * zip archives use deflate. The decoders are written from the descriptions of the formats: RFC 8878,
 * the text on LZ4's blocks, and RFC 1951.
 *
 * The packed bytes may be damaged, or made to do harm. Then unpacking fails with an error. It never
 * reads or writes outside of what it is given, and it always ends.
 */
#ifndef CC_UNPACK_H
#define CC_UNPACK_H

#include "base/go-on.h"
#include "base/lines.h"

#include <stddef.h>

/* One block of LZ4 without a frame. -1: it is damaged, or has not exactly `size` bytes. */
int unpack_lz4(struct span packed, unsigned char *out, size_t size, struct err *e);
/* Frames of zstd without a dictionary. Their checksums are not checked. -1: as above, or the work
 * should not go on. */
int unpack_zstd(struct span packed, unsigned char *out, size_t size, const struct go_on *,
                struct err *e);
/* Deflate data, which fills all packed bytes. -1: as above. */
int unpack_deflate(struct span packed, unsigned char *out, size_t size, const struct go_on *,
                   struct err *e);

#endif
