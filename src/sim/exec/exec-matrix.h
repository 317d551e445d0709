/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of exec.c for tensor cores. The registers of all lanes of a warp hold a matrix. This
 * file moves the elements between register rows and arrays; matrix-math.h multiplies. Only exec.c
 * includes it, so it is compiled once for each instruction set, like exec.c.
 */
#ifndef SIM_EXEC_MATRIX_H
#define SIM_EXEC_MATRIX_H

#include "sim/exec/matrix-math.h"

static const struct matrix_use *matrix_of(const struct warp *w, const struct insn *in)
{
    return &w->launch->module->matrix_uses[in->target];
}

/* ---- elements ---------------------------------------------------------------------------- */

#define GATHER(name, T, R)                                                                   \
    static inline void name(struct warp *w, const struct fragment *f, const uint32_t *row,   \
                            unsigned width, T *to)                                           \
    {                                                                                        \
        const R mask = width >= 8 * sizeof(R) ? (R)~(R)0 : ((R)1 << width) - 1;              \
        for (unsigned i = 0; i < f->used; i++)                                               \
            for (unsigned k = 0; k < f->parts; k++) {                                        \
                const R *from = ROW(R, row[i]);                                              \
                T *at = to + f->reg_at[i] + f->part_at[k];                                   \
                for (unsigned lane = 0; lane < LANES; lane++) {                              \
                    const R v = from[lane] >> k * width % (8 * sizeof(R)) & mask;            \
                    memcpy(&at[f->lane_at[lane]], &v, sizeof v);                             \
                }                                                                            \
            }                                                                                \
    }
GATHER(gather_words, uint32_t, uint32_t)
GATHER(gather_doubles, double, uint64_t)

/* Writes the elements of the array `from` to the registers of the lanes in m. */
static void scatter_words(struct warp *w, const struct fragment *f, const uint32_t *row, uint32_t m,
                          const uint32_t *from)
{
    for (unsigned k = 0; k < f->registers; k++) {
        const uint32_t *low = from + f->reg_at[k], *high = low + f->part_at[f->parts - 1];
        uint32_t *D = ROW(uint32_t, row[k]), t[LANES];
        for (unsigned lane = 0; lane < LANES; lane++)
            t[lane] = low[f->lane_at[lane]];
        for (unsigned lane = 0; f->parts > 1 && lane < LANES; lane++)
            t[lane] |= high[f->lane_at[lane]] << 16;
        BLEND(D, m, t[i])
    }
}

static void scatter_doubles(struct warp *w, const struct fragment *f, const uint32_t *row,
                            uint32_t m, const double *from)
{
    for (unsigned i = 0; i < f->registers; i++) {
        double *D = ROW(double, row[i]);
        EACH_LANE(lane, m)
            D[lane] = from[f->reg_at[i] + f->lane_at[lane]];
    }
}

static void gather_matrix(struct warp *w, const struct matrix_use *u, unsigned matrix,
                          struct elements *x)
{
    const struct fragment *f = &u->fragment[matrix];
    const uint32_t *row = u->row[matrix];
    uint32_t *to = matrix == MATRIX_A ? x->a : matrix == MATRIX_B ? x->b : x->c;
    switch (f->bits) {
    case 64: gather_doubles(w, f, row, 64, x->wide[matrix]); break;
    case 32: gather_words(w, f, row, 32, to); break;
    case 16: gather_words(w, f, row, 16, to); break;
    case 8: gather_words(w, f, row, 8, to); break;
    default: gather_words(w, f, row, 4, to); break;
    }
}

/* ---- products ---------------------------------------------------------------------------- */

OP op_matrix_product ARGS
{
    const struct matrix_use *u = matrix_of(w, in);
    struct elements x;
    if (!lanes_whole(w, &m))
        return PARKED;
    for (unsigned i = MATRIX_A; i <= MATRIX_C; i++)
        gather_matrix(w, u, i, &x);
    multiply(u, &x);
    if (u->fragment[MATRIX_D].bits == 64)
        scatter_doubles(w, &u->fragment[MATRIX_D], u->row[MATRIX_D], m, x.wide[MATRIX_D]);
    else
        scatter_words(w, &u->fragment[MATRIX_D], u->row[MATRIX_D], m, x.d);
    return GO;
}

/* ---- loads and stores --------------------------------------------------------------------- */

OP op_matrix_whole ARGS
{
    (void)in;
    return lanes_whole(w, &m) ? GO : PARKED;
}

/* d: each lane's address of its element in register 0, moved by e lines. a: the address of the
 * matrix. b: the bytes from one line to the next. */
OP op_matrix_address ARGS
{
    const struct matrix_use *u = matrix_of(w, in);
    const struct fragment *f = &u->fragment[MATRIX_A];
    const uint32_t *stride = ROW(uint32_t, in->b);
    const bool narrow = in->flags & INSN_ADDRESS_32;
    const uint32_t *near = ROW(uint32_t, in->a);
    const uint64_t *far = ROW(uint64_t, in->a);
    uint64_t *D = ROW(uint64_t, in->d);
    (void)m;
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned row = place_row(f->lane[i]), column = place_column(f->lane[i]);
        const uint64_t line = (u->by_column ? column : row) + in->e;
        const uint64_t byte = (uint64_t)(u->by_column ? row : column) * f->bits / 8;
        const uint64_t at = line * stride[i] + byte + (uint64_t)in->offset;
        D[i] = narrow ? (uint32_t)(near[i] + at) : far[i] + at;
    }
    return GO;
}

/* Each lane in the mask `target` loads or stores a row of 16 bytes. */
OP op_load_rows ARGS
{
    m &= in->target;
    return m ? op_load_u32_32(w, in, m) : GO;
}
OP op_store_rows ARGS
{
    m &= in->target;
    return m ? op_store_u32_32(w, in, m) : GO;
}

/* The place of the element (row, column) of matrix k after a load by rows. Lane 8 * k + row has the
 * whole row: four words with two elements each. In a fragment, lane i has two neighbours of row
 * i / 4. */
struct half_place { unsigned word, lane, shift; };
static struct half_place place_of_half(unsigned k, unsigned row, unsigned column)
{
    return (struct half_place){column / 2, 8 * k + row, column % 2 * 16};
}
static struct half_place place_in_fragment(unsigned k, unsigned lane, unsigned half,
                                           bool transposed)
{
    const unsigned row = lane / 4, column = lane % 4 * 2 + half;
    return transposed ? place_of_half(k, column, row) : place_of_half(k, row, column);
}

/* After a load by rows, moves the elements to the fragments. */
OP op_matrix_spread ARGS
{
    const struct matrix_use *u = matrix_of(w, in);
    if (!lanes_whole(w, &m))
        return PARKED;
    for (unsigned k = 0; k < u->fragment[MATRIX_A].registers; k++) {
        uint32_t *D = ROW(uint32_t, u->row[MATRIX_A][k]);
        EACH_LANE(i, m) {
            uint32_t half[2];
            for (unsigned h = 0; h < 2; h++) {
                const struct half_place p = place_in_fragment(k, i, h, u->by_column);
                half[h] = ROW(uint32_t, u->row[MATRIX_B][p.word])[p.lane] >> p.shift & 0xffff;
            }
            D[i] = half[0] | half[1] << 16;
        }
    }
    return GO;
}

/* Before a store by rows, moves the elements of the fragments to rows. */
OP op_matrix_collect ARGS
{
    const struct matrix_use *u = matrix_of(w, in);
    if (!lanes_whole(w, &m))
        return PARKED;
    for (unsigned k = 0; k < u->fragment[MATRIX_A].registers; k++) {
        const uint32_t *A = ROW(uint32_t, u->row[MATRIX_A][k]);
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned h = 0; h < 2; h++) {
                const struct half_place p = place_in_fragment(k, i, h, u->by_column);
                uint32_t *to = &ROW(uint32_t, u->row[MATRIX_B][p.word])[p.lane];
                *to = (*to & ~(0xffffu << p.shift)) | (A[i] >> 16 * h & 0xffff) << p.shift;
            }
    }
    return GO;
}

/* movmatrix: transposes a matrix of 8 x 8 elements of 16 bits. */
OP op_matrix_turn ARGS
{
    const uint32_t *A = ROW(uint32_t, in->a);
    uint32_t *D = ROW(uint32_t, in->d), t[LANES];
    if (!lanes_whole(w, &m))
        return PARKED;
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned lane = i % 4 * 8 + i / 8, shift = i / 4 % 2 * 16;
        t[i] = (A[lane] >> shift & 0xffff) | (A[lane + 4] >> shift & 0xffff) << 16;
    }
    BLEND(D, m, t[i])
    return GO;
}

#endif
