/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * XORWOW, MRG32k3a and Philox4x32-10. The first two have a state for each thread; a thread's
 * sequence is a jump away from that of the thread before. A jump multiplies the state by a
 * matrix. Philox computes each word from its number. Sobol sequences come from sobol.c, and MT19937
 * from twister.c.
 */
#include "run/libraries/rand/source.h"
#include "run/libraries/rand/scramble.h"
#include "run/libraries/rand/twister.h"

#include <stdlib.h>
#include <string.h>

enum { XORWOW_THREADS = 4096, MRG_THREADS = 81920, PHILOX_THREADS = 65536 };

/* ---- XORWOW: 160 bits, and a counter ------------------------------------------------------- */

enum { BITS = 160, WORDS = 5, SEQUENCE_LOG2 = 67 };

typedef uint32_t bits_matrix[BITS][WORDS]; /* what becomes of each bit */

static void xorwow_step(uint32_t v[WORDS])
{
    const uint32_t t = v[0] ^ v[0] >> 2, last = v[4];
    memmove(v, v + 1, 4 * sizeof *v);
    v[4] = last ^ last << 4 ^ t ^ t << 1;
}

static uint32_t xorwow_next(uint32_t s[6])
{
    xorwow_step(s);
    s[5] += 362437u;
    return s[4] + s[5];
}

static void bits_apply(bits_matrix m, uint32_t v[WORDS])
{
    uint32_t sum[WORDS] = {0};
    for (unsigned i = 0; i < BITS; i++)
        for (unsigned k = 0; k < WORDS && v[i / 32] >> i % 32 & 1; k++)
            sum[k] ^= m[i][k];
    memcpy(v, sum, sizeof sum);
}

/* The matrix of 2^67 steps, by squaring that of one. */
static void xorwow_jump(bits_matrix m)
{
    bits_matrix square;
    for (unsigned i = 0; i < BITS; i++) {
        memset(m[i], 0, sizeof m[i]);
        m[i][i / 32] = UINT32_C(1) << i % 32;
        xorwow_step(m[i]);
    }
    for (int k = 0; k < SEQUENCE_LOG2; k++) {
        memcpy(square, m, sizeof square);
        for (unsigned i = 0; i < BITS; i++)
            bits_apply(m, square[i]);
        memcpy(m, square, sizeof square);
    }
}

static void xorwow_begin(uint64_t seed, uint32_t s[6])
{
    const uint32_t a = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u);
    const uint32_t b = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
    s[0] = 123456789u + a;
    s[1] = 362436069u ^ a;
    s[2] = 521288629u + b;
    s[3] = 88675123u ^ b;
    s[4] = 5783321u + a;
    s[5] = 6615241u + a + b;
}

/* ---- MRG32k3a: two recurrences modulo two primes ------------------------------------------- */

enum { SUBSEQUENCE_LOG2 = 76 };
static const uint64_t modulus[2] = {4294967087u, 4294944443u};

typedef uint64_t mod_matrix[3][3];

static uint64_t dot(const uint64_t row[3], uint64_t a, uint64_t b, uint64_t c, uint64_t m)
{
    return (row[0] * a % m + row[1] * b % m + row[2] * c % m) % m;
}

static void mod_square(mod_matrix a, uint64_t m)
{
    mod_matrix b;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b[i][k] = dot(a[i], a[0][k], a[1][k], a[2][k], m);
    memcpy(a, b, sizeof b);
}

static uint32_t mrg_next(uint32_t s[6])
{
    const uint64_t p = modulus[0], q = modulus[1];
    const uint64_t x = (1403580 * (uint64_t)s[1] + 810728 * (p - s[0])) % p;
    const uint64_t y = (527612 * (uint64_t)s[5] + 1370589 * (q - s[3])) % q;
    memmove(s, s + 1, 2 * sizeof *s);
    memmove(s + 3, s + 4, 2 * sizeof *s);
    s[2] = (uint32_t)x;
    s[5] = (uint32_t)y;
    return (uint32_t)(x <= y ? x - y + p : x - y);
}

static void mrg_jump(mod_matrix both[2])
{
    const mod_matrix first[2] = {{{0, 1, 0}, {0, 0, 1}, {modulus[0] - 810728, 1403580, 0}},
                                 {{0, 1, 0}, {0, 0, 1}, {modulus[1] - 1370589, 0, 527612}}};
    memcpy(both, first, sizeof first);
    for (int k = 0; k < SUBSEQUENCE_LOG2; k++)
        for (int i = 0; i < 2; i++)
            mod_square(both[i], modulus[i]);
}

static void mrg_apply(mod_matrix both[2], uint32_t s[6])
{
    for (int i = 0; i < 2; i++) {
        const uint32_t a = s[3 * i], b = s[3 * i + 1], c = s[3 * i + 2];
        for (int k = 0; k < 3; k++)
            s[3 * i + k] = (uint32_t)dot(both[i][k], a, b, c, modulus[i]);
    }
}

static void mrg_begin(uint64_t seed, uint32_t s[6])
{
    const uint32_t x = (uint32_t)seed ^ 0x55555555u, y = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; i++) {
        s[i] = seed ? (uint32_t)(UINT64_C(12345) * (i & 1 ? y : x) % modulus[0]) : 12345;
        s[3 + i] = seed ? (uint32_t)(UINT64_C(12345) * (i & 1 ? x : y) % modulus[1]) : 12345;
    }
}

/* ---- Philox -------------------------------------------------------------------------------- */

static void philox(uint64_t seed, uint64_t counter, uint32_t thread, uint32_t out[4])
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t c[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), thread, 0};
    for (int round = 0; round < 10; round++) {
        const uint64_t x = UINT64_C(0xd2511f53) * c[0], z = UINT64_C(0xcd9e8d57) * c[2];
        const uint32_t next[4] = {(uint32_t)(z >> 32) ^ c[1] ^ key[0], (uint32_t)z,
                                  (uint32_t)(x >> 32) ^ c[3] ^ key[1], (uint32_t)x};
        memcpy(c, next, sizeof c);
        key[0] += 0x9e3779b9u;
        key[1] += 0xbb67ae85u;
    }
    memcpy(out, c, sizeof c);
}

/* Four results are a thread's, then it is the next one's turn. For doubles a thread uses two
 * counters at a time, from the one on at which it comes to its turn first in this call. */
static void philox_take(const struct source *s, enum source_use use, uint64_t element,
                        uint32_t *words)
{
    uint32_t four[4];
    const uint64_t quad = element / 4, round = quad / PHILOX_THREADS;
    const unsigned lane = (unsigned)(element % 4);
    const uint32_t thread = (uint32_t)(quad % PHILOX_THREADS);
    const uint64_t first = s->at / 4 / PHILOX_THREADS +
                           (thread < s->at / 4 % PHILOX_THREADS ? 1 : 0);
    const bool twice = use == USE_DOUBLE || use == USE_PAIR_OF_DOUBLES;
    philox(s->seed, twice ? first + 2 * (round - first) + lane / 2 : round, thread, four);
    if (use == USE_PAIR_OF_DOUBLES)
        memcpy(words, four, sizeof four);
    else if (use == USE_WORD)
        words[0] = four[lane];
    else
        memcpy(words, four + (use == USE_PAIR ? lane / 2 * 2 : lane % 2 * 2), 2 * sizeof *words);
}

/* ---- threads ------------------------------------------------------------------------------- */

static uint32_t next(const struct source *s, uint32_t state[6])
{
    return s->kind == SOURCE_XORWOW ? xorwow_next(state) : mrg_next(state);
}

static void fill_states(struct source *s)
{
    bits_matrix bits;
    mod_matrix both[2];
    if (s->kind == SOURCE_XORWOW) {
        xorwow_jump(bits);
        xorwow_begin(s->seed, s->states[0]);
    } else {
        mrg_jump(both);
        mrg_begin(s->seed, s->states[0]);
    }
    for (unsigned t = 1; t < s->threads; t++) {
        memcpy(s->states[t], s->states[t - 1], sizeof *s->states);
        if (s->kind == SOURCE_XORWOW)
            bits_apply(bits, s->states[t]);
        else
            mrg_apply(both, s->states[t]);
    }
}

/* The results before the offset are left out, one turn after the other. */
static bool begin(struct source *s)
{
    s->begun = true;
    s->at = s->offset;
    if (s->kind == SOURCE_PHILOX || source_is_quasi(s))
        return true;
    if (s->kind == SOURCE_MT19937) {
        s->twister = twister_new(s->seed);
        s->begun = s->twister != NULL;
        return s->begun;
    }
    s->threads = s->kind == SOURCE_XORWOW || s->order == ORDER_LEGACY ? XORWOW_THREADS
                                                                      : MRG_THREADS;
    free(s->states);
    s->states = malloc(s->threads * sizeof *s->states);
    if (!s->states) {
        s->begun = false;
        return false;
    }
    fill_states(s);
    s->turn = (unsigned)(s->offset % s->threads);
    for (unsigned t = 0; t < s->threads; t++)
        for (uint64_t k = s->offset / s->threads + (t < s->turn ? 1 : 0); k > 0; k--)
            next(s, s->states[t]);
    return true;
}

bool source_is_quasi(const struct source *s)
{
    return s->kind == SOURCE_SOBOL32 || s->kind == SOURCE_SOBOL64;
}

bool source_has_pairs(const struct source *s)
{
    return !source_is_quasi(s) && s->kind != SOURCE_MT19937;
}

unsigned source_words(const struct source *s, enum source_use use)
{
    if (!source_has_pairs(s))
        return s->kind == SOURCE_SOBOL64 ? 2 : 1;
    switch (use) {
    case USE_WORD: return 1;
    case USE_DOUBLE: return s->kind == SOURCE_MRG ? 1 : 2;
    case USE_PAIR: return 2;
    default: return s->kind == SOURCE_MRG ? 2 : 4;
    }
}

bool source_is_second(const struct source *s)
{
    return s->kind == SOURCE_PHILOX && (s->begun ? s->at : s->offset) % 2;
}

size_t source_pairs(const struct source *s, size_t n)
{
    return source_has_pairs(s) ? (n + source_is_second(s) + 1) / 2 : n;
}

/* Of the place at which a call begins, NVIDIA's library uses 32 bits on the host if the points are
 * scrambled. */
static bool quasi_take(struct source *s, size_t n, uint32_t *words)
{
    const bool wide = s->kind == SOURCE_SOBOL64;
    const size_t points = n / s->dimensions;
    const struct scramble *scrambled = s->scrambled ? scramble() : NULL;
    if (s->scrambled && !scrambled)
        return false;
    if (scrambled && s->of_host)
        s->at &= UINT32_MAX;
    for (unsigned d = 0; d < s->dimensions; d++, words += points * (wide ? 2 : 1)) {
        uint64_t v[64];
        sobol_vectors(d, v);
        sobol_points(scrambled ? scrambled->vectors[d] : v, scrambled ? scrambled->constants[d] : 0,
                     wide, s->at, points, words);
    }
    s->at += points;
    return true;
}

bool source_take(struct source *s, enum source_use use, size_t n, uint32_t *words)
{
    const unsigned each = source_words(s, use);
    const bool pairs = use == USE_PAIR || use == USE_PAIR_OF_DOUBLES;
    if (!s->begun && !begin(s))
        return false;
    if (source_is_quasi(s))
        return quasi_take(s, n, words);
    if (s->kind == SOURCE_MT19937)
        return twister_take(s->twister, n, words);
    const size_t count = pairs ? source_pairs(s, n) : n;
    for (size_t i = 0; i < count; i++, words += each) {
        if (s->kind == SOURCE_PHILOX) {
            philox_take(s, use, pairs ? (s->at / 2 + i) * 2 : s->at + i, words);
            continue;
        }
        for (unsigned k = 0; k < each; k++)
            words[k] = next(s, s->states[s->turn]);
        s->turn = (s->turn + 1) % s->threads;
    }
    s->at += s->kind == SOURCE_PHILOX ? n : count;
    return true;
}

void source_restart(struct source *s, bool is_other)
{
    if (s->kind == SOURCE_MT19937) {
        if (is_other)
            source_free(s);
        return;
    }
    if (s->begun)
        s->offset = s->at;
    s->lost = s->lost || (s->begun && s->kind == SOURCE_PHILOX);
    s->begun = false;
}

void source_free(struct source *s)
{
    free(s->states);
    s->states = NULL;
    twister_free(s->twister);
    s->twister = NULL;
    s->begun = false;
}
