/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sequences of MT19937, and jumps in them.
 *
 * A step of the generator is a linear map of bits. Let p be its characteristic polynomial, and g the
 * remainder of x^n divided by p. Then n steps are the sum of those k steps for which g has the term
 * x^k (Haramoto and others, "Efficient jump ahead for F2-linear random number generators", 2008).
 * Sums of bits are exclusive or. Bit k of an array of words is the coefficient of x^k.
 */
#include "run/libraries/rand/twister.h"

#include <stdlib.h>
#include <string.h>

enum { MIDDLE = 397 };
static const uint32_t twist_bits = 0x9908b0df;

/* The word TWISTER_STATE places behind a. b is the next one after a, and c the one at MIDDLE. */
static uint32_t twist(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t y = (a & 0x80000000u) | (b & 0x7fffffffu);
    return c ^ y >> 1 ^ (y & 1 ? twist_bits : 0);
}

void twister_step(uint32_t state[TWISTER_STATE])
{
    const uint32_t next = twist(state[0], state[1], state[MIDDLE]);
    memmove(state, state + 1, (TWISTER_STATE - 1) * sizeof *state);
    state[TWISTER_STATE - 1] = next;
}

/* ---- polynomials --------------------------------------------------------------------------- */

/* Division is by x^31 p. Its degree is a multiple of 64, and remainders are still right modulo p.
 * The second highest term is GAP powers below the highest one. */
enum { DEGREE = 19937, WORDS = (DEGREE + 63) / 64, PADDING = WORDS * 64 - DEGREE, TERMS = 134,
       GAP = TWISTER_STATE - 1 };

struct divisor { unsigned length, power[TERMS]; }; /* the terms below the highest one */

/* Adds "from", multiplied by x^by, to a polynomial. */
static void add(uint64_t *to, const uint64_t *from, size_t n, unsigned by)
{
    const unsigned bit = by % 64;
    to += by / 64;
    for (size_t i = 0; i < n; i++)
        to[i] ^= from[i] << bit;
    for (size_t i = 0; i < n; i++)
        to[i + 1] ^= from[i] >> 1 >> (63 - bit);
}

/*
 * p is (..((u + a0) u + a1) u ... + a30) x u + a31, with u = x^623 + x^396, where a0 to a31 are the
 * bits of twist_bits. It is in Matsumoto and Nishimura's paper of 1998.
 */
static void divisor_make(struct divisor *d)
{
    uint64_t p[WORDS + TWISTER_STATE / 64 + 2] = {1};
    for (unsigned i = 0; i < 32; i++) {
        uint64_t product[WORDS + TWISTER_STATE / 64 + 2] = {0};
        const unsigned more = i == 31;
        add(product, p, WORDS, TWISTER_STATE - 1 + more);
        add(product, p, WORDS, MIDDLE - 1 + more);
        product[0] ^= twist_bits >> i & 1;
        memcpy(p, product, sizeof p);
    }
    d->length = 0;
    for (unsigned k = 0; k < DEGREE && d->length < TERMS; k++)
        if (p[k / 64] >> k % 64 & 1)
            d->power[d->length++] = k + PADDING;
}

/* The square of a polynomial has a zero behind each bit. */
static uint64_t spread(uint32_t bits)
{
    uint64_t x = bits;
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

/* So many words from the top are divided at once that what is added for them lies below them. */
static void square(uint64_t g[WORDS], const struct divisor *d)
{
    enum { AT_ONCE = GAP / 64 };
    uint64_t wide[2 * WORDS];
    for (size_t i = 0; i < WORDS; i++) {
        wide[2 * i] = spread((uint32_t)g[i]);
        wide[2 * i + 1] = spread((uint32_t)(g[i] >> 32));
    }
    for (size_t end = 2 * WORDS; end > WORDS;) {
        const size_t n = end - WORDS < AT_ONCE ? end - WORDS : AT_ONCE;
        end -= n;
        for (unsigned k = 0; k < d->length; k++)
            add(wide, wide + end, n, (unsigned)(end - WORDS) * 64 + d->power[k]);
    }
    memcpy(g, wide, WORDS * sizeof *g);
}

/* ---- jumps --------------------------------------------------------------------------------- */

/* Four bits of g have a table of sums, and four tables are read at once. */
enum { TABLES = 4, DIGIT = 4, AT_ONCE = TABLES * DIGIT };

struct twister_jump {
    uint64_t g[WORDS];
    uint32_t sequence[TWISTER_STATE + AT_ONCE];
    uint32_t sum[TABLES][1 << DIGIT][TWISTER_STATE];
    uint32_t steps[TWISTER_STATE + WORDS * 64];
};

struct twister_jump *twister_jump_new(unsigned log2)
{
    struct divisor d;
    struct twister_jump *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    divisor_make(&d);
    j->g[0] = 2;
    for (unsigned i = 0; i < log2; i++)
        square(j->g, &d);
    return j;
}

void twister_jump_free(struct twister_jump *j)
{
    free(j);
}

/* Goes on with a sequence of which TWISTER_STATE words are there. */
static void extend(uint32_t *s, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        s[TWISTER_STATE + k] = twist(s[k], s[k + 1], s[k + MIDDLE]);
}

/* The state k steps on is the words from k on. */
static void make_sums(struct twister_jump *j)
{
    for (unsigned t = 0; t < TABLES; t++)
        for (unsigned bit = 0; bit < DIGIT; bit++) {
            const uint32_t *state = j->sequence + t * DIGIT + bit;
            for (unsigned below = 0; below < 1u << bit; below++)
                for (unsigned i = 0; i < TWISTER_STATE; i++)
                    j->sum[t][below | 1u << bit][i] = j->sum[t][below][i] ^ state[i];
        }
}

static void add_states(uint32_t *restrict to, const uint32_t *a, const uint32_t *b,
                       const uint32_t *c, const uint32_t *d)
{
    for (unsigned i = 0; i < TWISTER_STATE; i++)
        to[i] ^= a[i] ^ b[i] ^ c[i] ^ d[i];
}

/* From the highest bits of g on, the sum so far makes AT_ONCE steps, and the next ones are added. */
void twister_jump(struct twister_jump *j, uint32_t state[TWISTER_STATE])
{
    const unsigned mask = (1u << DIGIT) - 1;
    uint32_t *s = j->steps;
    memcpy(j->sequence, state, TWISTER_STATE * sizeof *state);
    extend(j->sequence, AT_ONCE);
    make_sums(j);
    memset(s, 0, TWISTER_STATE * sizeof *s);
    for (unsigned at = WORDS * 64; at > 0;) {
        at -= AT_ONCE;
        const unsigned bits = (unsigned)(j->g[at / 64] >> at % 64);
        const uint32_t *a = j->sum[0][bits & mask], *b = j->sum[1][bits >> DIGIT & mask];
        const uint32_t *c = j->sum[2][bits >> 2 * DIGIT & mask];
        const uint32_t *d = j->sum[3][bits >> 3 * DIGIT & mask];
        extend(s, AT_ONCE);
        s += AT_ONCE;
        add_states(s, a, b, c, d);
    }
    memcpy(state, s, TWISTER_STATE * sizeof *s);
}

/* ---- sequences ----------------------------------------------------------------------------- */

/* A round has a turn of each sequence. After ROUNDS rounds all words of the states are taken. */
enum { SEQUENCES = 8192, LANES = 8, ROUNDS = TWISTER_STATE / LANES };

struct twister {
    unsigned round, turn, lane;
    uint32_t last[TWISTER_STATE]; /* the beginning of the sequence that began last */
    unsigned begun;
    struct twister_jump *jump;
    uint32_t states[SEQUENCES][TWISTER_STATE];
};

struct twister *twister_new(uint64_t seed)
{
    struct twister *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->last[0] = (uint32_t)seed;
    for (unsigned i = 1; i < TWISTER_STATE; i++)
        t->last[i] = 1812433253u * (t->last[i - 1] ^ t->last[i - 1] >> 30) + i;
    return t;
}

void twister_free(struct twister *t)
{
    if (t)
        twister_jump_free(t->jump);
    free(t);
}

/* The next sequence begins. */
static bool begin(struct twister *t)
{
    if (t->begun == 1 && !(t->jump = twister_jump_new(TWISTER_JUMP_LOG2)))
        return false;
    if (t->begun > 0)
        twister_jump(t->jump, t->last);
    memcpy(t->states[t->begun++], t->last, sizeof t->last);
    return true;
}

/* All words of a state go on. Those at the end use those at the beginning. */
static void renew(uint32_t s[TWISTER_STATE])
{
    for (unsigned k = 0; k < TWISTER_STATE; k++)
        s[k] = twist(s[k], s[(k + 1) % TWISTER_STATE], s[(k + MIDDLE) % TWISTER_STATE]);
}

/* Eleven times, each lane takes seven words in a row. These are 56 words of about 56.7. The eight
 * words between them are taken first. */
static unsigned place(unsigned round, unsigned lane)
{
    static const unsigned first[LANES] = {0, 113, 170, 283, 340, 397, 510, 567};
    enum { ROW = 7, TIMES = (ROUNDS - 1) / ROW };
    if (round == 0)
        return first[lane];
    const unsigned time = (round - 1) / ROW;
    return TWISTER_STATE * time / TIMES + 1 + lane * ROW + (round - 1) % ROW;
}

static uint32_t temper(uint32_t x)
{
    x ^= x >> 11;
    x ^= x << 7 & 0x9d2c5680u;
    x ^= x << 15 & 0xefc60000u;
    return x ^ x >> 18;
}

bool twister_take(struct twister *t, size_t n, uint32_t *words)
{
    for (size_t i = 0; i < n; i++) {
        if (t->round == 0 && t->lane == 0) {
            if (t->turn == t->begun && !begin(t))
                return false;
            renew(t->states[t->turn]);
        }
        words[i] = temper(t->states[t->turn][place(t->round, t->lane)]);
        t->lane = (t->lane + 1) % LANES;
        t->turn = (t->turn + (t->lane == 0)) % SEQUENCES;
        t->round = (t->round + (t->turn == 0 && t->lane == 0)) % ROUNDS;
    }
    return true;
}
