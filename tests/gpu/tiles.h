/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a kernel for every matrix instruction (form) of tests/data/tiles.txt. The simulator and the
 * GPU run the same kernel. A block has one warp. Each block has its own operands, called a tile.
 * The warp runs the instruction once, and each lane writes up to 256 bytes. tests/h100/tiles.txt
 * has hashes of the bytes that an H100 wrote.
 *
 * A line of the list has the form and its operands. Each operand is a letter and a number of
 * registers. A matrix product has four operands: A, B, C and D. Their letter is the type of an
 * element. h is f16, b bf16, t tf32, f float, d double, 4 e4m3, 5 e5m2, i packed integers, s int.
 * A load or store of a matrix has one operand. L is a load and S is a store of 32-bit registers. D
 * and E are the same with 64 bits. X is ldmatrix, Y is stmatrix, V is movmatrix.
 */
#ifndef TESTS_GPU_TILES_H
#define TESTS_GPU_TILES_H

#include "numbers.h"
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 128, LANES_A_TILE = 32, LANE_BYTES = 256, TILE_BYTES = LANES_A_TILE * LANE_BYTES };
enum { A_AT = 0, B_AT = 64, C_AT = 128, LONGEST_TILE = 112 };

struct tile_operand {
    char type;
    unsigned registers;
};
struct tile_form {
    char name[LONGEST_TILE];
    unsigned operands; /* 4, or 1 */
    struct tile_operand at[4];
};

/* ---- operands -------------------------------------------------------------------------- */

struct tile_format {
    char type;
    int fraction, exponent; /* how many bits each has */
    unsigned bits;          /* of an element */
};

static const struct tile_format tile_formats[] = {
    {'h', 10, 5, 16}, {'b', 7, 8, 16}, {'t', 23, 8, 32}, {'f', 23, 8, 32},
    {'d', 52, 11, 64}, {'4', 3, 4, 8}, {'5', 2, 5, 8},
};

static uint64_t tile_edge(const struct tile_format *f, uint64_t random)
{
    const uint64_t one = 1, top = ((one << f->exponent) - 1) << f->fraction;
    const uint64_t edges[] = {0, ((one << (f->exponent - 1)) - 1) << f->fraction, top,
                              top | one << (f->fraction - 1), top - 1, one << f->fraction, one,
                              (one << f->fraction) - 1, 0, top | 1};
    return edges[random % (sizeof edges / sizeof *edges)] |
           (random >> 8 & 1) << (f->fraction + f->exponent);
}

/* A random element with the exponent e. If the format has no such exponent, the nearest one. */
static uint64_t tile_float(const struct tile_format *f, int e, uint64_t random)
{
    int bias = (1 << (f->exponent - 1)) - 1, field = e + bias;
    int most = (1 << f->exponent) - 2;
    field = field < 0 ? 0 : field > most ? most : field;
    return (random & ((UINT64_C(1) << f->fraction) - 1)) | (uint64_t)field << f->fraction |
           (random >> 63) << (f->fraction + f->exponent);
}

/* There are eight kinds of tiles: 0: numbers of similar size. 1: numbers of all sizes. 2: c is much
 * larger or smaller than the products. 3: random bits. 4: some infinities, NaNs and other special
 * values. 5: all numbers have the same exponent. 6: most numbers are 0. 7: very small numbers. */
static uint64_t tile_element(const struct tile_format *f, bool sum, unsigned tile, uint64_t random)
{
    const int part = (int)(random >> 32 & 0xFFFF), bias = (1 << (f->exponent - 1)) - 1;
    const int wide = sum ? (f->exponent > 5 ? 28 : 14) : bias < 14 ? bias - 1 : 13;
    switch (tile % 8) {
    case 0: return tile_float(f, sum ? part % 13 - 4 : part % 7 - 3, random);
    case 1: return tile_float(f, part % (2 * wide + 1) - wide, random);
    case 2: return tile_float(f, sum ? (int)(tile / 8 * 4) - 30 + part % 3 : part % 3 - 1, random);
    case 3: return random >> 8 & (~UINT64_C(0) >> (64 - f->bits));
    case 4: return part % 16 == 0 ? tile_edge(f, random) : tile_float(f, part % 7 - 3, random);
    case 5: return tile_float(f, sum ? part % 4 : 0, part % 5 ? random : random & ~UINT64_C(3));
    case 6: return part % 4 ? 0 : tile_float(f, (part >> 2) % (2 * wide + 1) - wide, random);
    default: return tile_float(f, -bias + part % 4, random);
    }
}

static void tile_fill(unsigned char *at, const struct tile_operand *o, bool sum, unsigned tile,
                      uint64_t seed)
{
    const struct tile_format *f = NULL;
    for (unsigned i = 0; i < sizeof tile_formats / sizeof *tile_formats; i++)
        if (tile_formats[i].type == o->type)
            f = &tile_formats[i];
    unsigned bytes = o->registers * (o->type == 'd' ? 8 : 4), size = f ? f->bits / 8 : 4;
    for (unsigned k = 0; k < bytes / size; k++) {
        uint64_t random = mixed(seed + k);
        uint64_t v = f                   ? tile_element(f, sum, tile, random)
                     : o->type == 'i'    ? (tile % 8 == 6 ? 0x80808080 : random)
                     : tile % 4 == 3     ? (random & 1 ? 0x7FFFFFFF : 0x80000000) ^ (random >> 50)
                     : tile % 4 == 2     ? random
                                         : (uint64_t)(int64_t)(int16_t)random;
        memcpy(at + k * size, &v, size);
    }
}

/* Makes the operands of all tiles. For a product, each lane has A, B and C at A_AT, B_AT and C_AT.
 * For a load or a store, the first tile has numbers that show where they were in memory. The other
 * tiles have random bits. */
static void tile_table(const struct tile_form *f, unsigned char *in)
{
    for (unsigned i = 0; i < TILES * LANES_A_TILE; i++) {
        unsigned char *lane = in + (size_t)i * LANE_BYTES;
        const unsigned tile = i / LANES_A_TILE;
        for (unsigned k = 0; k < LANE_BYTES / 8 && f->operands == 1; k++) {
            uint64_t place = (i * LANE_BYTES + k * 8) / 2, any = mixed(i * 1000 + k);
            uint64_t v = (place & 0xFFFF) | (place + 1) << 16 | (place + 2) << 32 |
                         (place + 3) << 48;
            memcpy(lane + k * 8, tile ? &any : &v, 8);
        }
        for (unsigned k = 0; k < 3 && f->operands == 4; k++)
            tile_fill(lane + k * 64, &f->at[k], k == 2, tile, ((uint64_t)i * 4 + k) * 100);
    }
}

/* ---- PTX ------------------------------------------------------------------------------- */

static void tile_registers(struct buf *t, char letter, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        buf_printf(t, "%s%%%c%u", i ? ", " : "{", letter, i);
    buf_puts(t, "}");
}

static bool tile_wide(const struct tile_operand *o)
{
    return o->type == 'd' || o->type == 'D' || o->type == 'E';
}

/* Declares the registers of an operand; their names begin with the letter. tile_move() loads or
 * stores them, beginning with byte `at` of the lane. */
static void tile_declare(struct buf *t, char letter, const struct tile_operand *o)
{
    buf_printf(t, ".reg .b%u %%%c<%u>;\n", tile_wide(o) ? 64 : 32, letter, o->registers);
}

static void tile_move(struct buf *t, char letter, const struct tile_operand *o, unsigned at,
                      bool load)
{
    unsigned bytes = tile_wide(o) ? 8 : 4;
    for (unsigned i = 0; i < o->registers; i++)
        if (load)
            buf_printf(t, "ld.global.b%u %%%c%u, [%%x1+%u];\n", 8 * bytes, letter, i, at + i * bytes);
        else
            buf_printf(t, "st.global.b%u [%%x2+%u], %%%c%u;\n", 8 * bytes, at + i * bytes, letter, i);
}

static void tile_product(struct buf *t, const struct tile_form *f)
{
    for (unsigned i = 0; i < 4; i++) {
        tile_declare(t, (char)('a' + i), &f->at[i]);
        if (i < 3)
            tile_move(t, (char)('a' + i), &f->at[i], i * 64, true);
    }
    buf_printf(t, "%s ", f->name);
    for (unsigned i = 0; i < 4; i++) {
        tile_registers(t, "dabc"[i], f->at[(i + 3) % 4].registers);
        buf_puts(t, i < 3 ? ", " : ";\n");
    }
    tile_move(t, 'd', &f->at[3], 0, false);
}

/* The distance from one row or column of the matrix to the next, in elements. */
static unsigned tile_stride(const char *name)
{
    return strstr(name, ".b1") || strstr(name, "k128") ? 128
           : strstr(name, ".f64")                      ? 12
           : strstr(name, "k32.") && strstr(name, "4") ? 64
                                                       : 48;
}

/* Copies the tile to shared memory. %r3 gets its address there. */
static void tile_to_shared(struct buf *t)
{
    buf_puts(t, "mov.u32 %r3, room;\nmad.lo.u32 %r4, %r1, 256, %r3;\n");
    for (unsigned k = 0; k < LANE_BYTES; k += 8)
        buf_printf(t, "ld.global.b64 %%x5, [%%x1+%u];\nst.shared.b64 [%%r4+%u], %%x5;\n", k, k);
    buf_puts(t, "bar.warp.sync 0xffffffff;\n");
}

static void tile_from_shared(struct buf *t)
{
    buf_puts(t, "bar.warp.sync 0xffffffff;\n");
    for (unsigned k = 0; k < LANE_BYTES; k += 8)
        buf_printf(t, "ld.shared.b64 %%x5, [%%r4+%u];\nst.global.b64 [%%x2+%u], %%x5;\n", k, k);
}

static void tile_matrix(struct buf *t, const struct tile_form *f)
{
    const struct tile_operand *o = &f->at[0];
    const bool store = strchr("SEY", o->type), shared = strstr(f->name, ".shared");
    const bool rows = strchr("XY", o->type);
    tile_declare(t, 'd', o);
    if (store || o->type == 'V')
        tile_move(t, 'd', o, 0, true);
    if (shared)
        tile_to_shared(t);
    if (rows) /* each lane has the address of a row; the order is mixed, and rows repeat */
        buf_puts(t, "mul.lo.u32 %r5, %r1, 37;\nand.b32 %r5, %r5, 63;\nshl.b32 %r5, %r5, 4;\n"
                    "add.u32 %r5, %r5, %r3;\n");
    const char *place = rows ? "%r5" : shared ? "%r3" : store ? "%x4" : "%x3";
    buf_printf(t, "%s ", f->name);
    if (store)
        buf_printf(t, "[%s], ", place);
    if (o->type == 'V')
        buf_puts(t, "%d0, %d0");
    else
        tile_registers(t, 'd', o->registers);
    if (!store && o->type != 'V')
        buf_printf(t, ", [%s]", place);
    if (!rows && o->type != 'V')
        buf_printf(t, ", %u", tile_stride(f->name));
    buf_puts(t, ";\n");
    if (store && shared)
        tile_from_shared(t);
    if (!store)
        tile_move(t, 'd', o, 0, false);
}

/* Registers with addresses: the lane reads at x1 and writes at x2; the tile's bytes begin at x3 and
 * x4. */
static void tile_ptx(struct buf *t, const struct tile_form *f)
{
    buf_puts(t, ".version 8.7\n.target sm_90\n.address_size 64\n"
                ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                ".reg .b64 %x<8>;\n.reg .b32 %r<8>;\n.shared .align 256 .b8 room[8192];\n"
                "ld.param.u64 %x3, [in];\nld.param.u64 %x4, [out];\n"
                "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
                "mul.wide.u32 %x5, %r2, 8192;\nadd.u64 %x3, %x3, %x5;\nadd.u64 %x4, %x4, %x5;\n"
                "mul.wide.u32 %x5, %r1, 256;\nadd.u64 %x1, %x3, %x5;\nadd.u64 %x2, %x4, %x5;\n");
    if (f->operands == 4)
        tile_product(t, f);
    else
        tile_matrix(t, f);
    buf_puts(t, "ret;\n}\n");
}

/* ---- the list and the hashes ------------------------------------------------------------ */

static bool tile_read(FILE *from, struct tile_form *f)
{
    char line[256];
    if (!fgets(line, sizeof line, from))
        return false;
    memset(f, 0, sizeof *f);
    f->operands = (unsigned)sscanf(
        line, "%111s %c%u %c%u %c%u %c%u", f->name, &f->at[0].type, &f->at[0].registers,
        &f->at[1].type, &f->at[1].registers, &f->at[2].type, &f->at[2].registers, &f->at[3].type,
        &f->at[3].registers) / 2;
    return f->operands == 4 || f->operands == 1;
}

static uint64_t tile_hash(const unsigned char *left)
{
    return hash_of(left, (size_t)TILES * TILE_BYTES);
}

#endif
