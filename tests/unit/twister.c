/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jumps in sequences of MT19937 (src/run/libraries/rand/twister.c). A short jump is compared with
 * its steps, and a long one with two jumps of half its length. So they are right up to the distance
 * of the sequences.
 */
#include "run/libraries/rand/twister.h"

#include <stdio.h>
#include <string.h>

static int tests, bad;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
    bad += !good;
}

static void begin(uint32_t state[TWISTER_STATE], uint32_t seed)
{
    state[0] = seed;
    for (uint32_t i = 1; i < TWISTER_STATE; i++)
        state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
}

static void step(uint32_t state[TWISTER_STATE], unsigned n)
{
    for (; n > 0; n--)
        twister_step(state);
}

static bool jump(uint32_t state[TWISTER_STATE], unsigned log2, unsigned times)
{
    struct twister_jump *j = twister_jump_new(log2);
    for (; j && times > 0; times--)
        twister_jump(j, state);
    twister_jump_free(j);
    return times == 0;
}

static bool same(const uint32_t a[TWISTER_STATE], const uint32_t b[TWISTER_STATE])
{
    return a[0] >> 31 == b[0] >> 31 &&
           !memcmp(a + 1, b + 1, (TWISTER_STATE - 1) * sizeof *a);
}

static uint32_t temper(uint32_t x)
{
    x ^= x >> 11;
    x ^= x << 7 & 0x9d2c5680u;
    x ^= x << 15 & 0xefc60000u;
    return x ^ x >> 18;
}

/* The C++ standard says what the 10,000th number after the seed 5489 is. */
static void steps(void)
{
    uint32_t state[TWISTER_STATE];
    begin(state, 5489);
    step(state, 10000);
    ok(temper(state[TWISTER_STATE - 1]) == 4123659995u, "steps are those of std::mt19937");
}

static void short_jumps(void)
{
    bool good = true;
    for (unsigned log2 = 0; log2 <= 15; log2++) {
        uint32_t jumped[TWISTER_STATE], stepped[TWISTER_STATE];
        begin(jumped, 4357 + log2);
        memcpy(stepped, jumped, sizeof stepped);
        step(stepped, 1u << log2);
        good = good && jump(jumped, log2, 1) && same(jumped, stepped);
    }
    ok(good, "a jump is as many steps");
}

static void long_jumps(void)
{
    static const unsigned logs[] = {15, 16, 20, 37, 300, 1023, TWISTER_JUMP_LOG2 - 1};
    bool good = true;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        uint32_t once[TWISTER_STATE], twice[TWISTER_STATE];
        begin(once, 99);
        begin(twice, 99);
        good = good && jump(once, logs[i] + 1, 1) && jump(twice, logs[i], 2) && same(once, twice);
    }
    ok(good, "a jump is two jumps of half the length");
}

/* Of each sequence, the words at these places come first. */
static void sequences(void)
{
    enum { LANES = 8 };
    static const unsigned first[LANES] = {0, 113, 170, 283, 340, 397, 510, 567};
    uint32_t begun[TWISTER_STATE], words[3 * LANES];
    struct twister *t = twister_new(7);
    bool good = t && twister_take(t, 3 * LANES, words);
    begin(begun, 7);
    for (unsigned number = 0; number < 3 && good; number++) {
        uint32_t state[TWISTER_STATE];
        memcpy(state, begun, sizeof state);
        step(state, TWISTER_STATE);
        for (unsigned lane = 0; lane < LANES; lane++)
            good = good && words[number * LANES + lane] == temper(state[first[lane]]);
        good = good && jump(begun, TWISTER_JUMP_LOG2, 1);
    }
    twister_free(t);
    ok(good, "a sequence begins a jump behind the one before");
}

static void parts(void)
{
    enum { N = 600 };
    uint32_t whole[N], part[N];
    struct twister *a = twister_new(UINT64_C(0x700000009)), *b = twister_new(9);
    bool good = a && b && twister_take(a, N, whole);
    for (size_t at = 0, n = 0; at < N && good; at += n) {
        n = at * 7 % 13;
        if (n > N - at || n == 0)
            n = 1;
        good = twister_take(b, n, part + at);
    }
    ok(good && !memcmp(whole, part, sizeof whole), "many calls give what one call gives");
    twister_free(a);
    twister_free(b);
}

int main(void)
{
    steps();
    short_jumps();
    long_jumps();
    sequences();
    parts();
    printf("1..%d\n", tests);
    return bad ? 1 : 0;
}
