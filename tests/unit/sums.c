/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The quick way to add rows of floats to a sum gives the bits of one addition after the other, or it
 * declines. The sum for which they are counted may be of another size than that to which they are
 * added. One to four random rows of many kinds: values that cancel, that lie half way, that are tiny,
 * infinite or no numbers, and sums at both ends of a power of 2.
 */
#include "sim/handle.h"

#include <stdio.h>
#include <string.h>

enum { TRIES = 200000, ROWS_MOST = 4 };

static uint64_t state = 1;

static float unit(void) /* from 0 up to 1 */
{
    return (float)(random_next(&state) >> 40) * 0x1p-24f;
}

static float of_bits(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static float times_power(float v, unsigned most, int from) /* a power of 2 from 2^from on */
{
    const uint32_t power = (uint32_t)(127 + from + (int)(random_next(&state) % most));
    return v * of_bits(power << 23);
}

static float value(unsigned kind)
{
    switch (kind) {
    case 0: return of_bits((uint32_t)random_next(&state));
    case 1: return unit();
    case 2: return unit() - 0.5f;
    case 3: return (float)(random_next(&state) % 64) * 0.125f;
    case 4: return (float)(int)(random_next(&state) % 64) - 32;
    case 5: return (unit() - 0.5f) * 0x1p-120f;
    default: return times_power(unit(), 50, -30);
    }
}

static float first_sum(unsigned kind)
{
    switch (kind) {
    case 0: return of_bits((uint32_t)random_next(&state));
    case 1: return -times_power(unit(), 40, -8);
    case 2: return times_power(1 + (float)(int)(random_next(&state) % 5) * 0x1p-23f, 40, -8);
    case 3: return times_power(2 - (float)(int)(1 + random_next(&state) % 5) * 0x1p-23f, 40, -8);
    case 4: return unit() * 0x1p-100f;
    default: return times_power(unit(), 40, -8);
    }
}

static float flushed(float v)
{
    return __builtin_fabsf(v) < 0x1p-126f ? __builtin_copysignf(0, v) : v;
}

static float one_by_one(float sum, const float *row, int count)
{
    for (int i = 0; i < count; i++)
        sum = flushed(flushed(sum) + flushed(row[i]));
    return sum != sum ? of_bits(0x7fffffff) : sum;
}

static bool same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool add_quickly(const struct exec_set *exec, float *sum, float like, const float *row,
                        int rows)
{
    struct float_units units = {.like = like};
    for (int i = 0; i < rows; i++)
        if (!exec->count_floats(&units, row + i * LANES))
            return false;
    return exec->add_units(sum, &units);
}

/* Returns how many it added; a wrong one counts as -TRIES. */
static long try_rows(const struct exec_set *exec)
{
    long added = 0;
    state = 1;
    for (long n = 0; n < TRIES; n++) {
        const unsigned kind = (unsigned)(random_next(&state) % 8);
        const int rows = random_next(&state) % 2 ? 1 : 1 + (int)(random_next(&state) % ROWS_MOST);
        float row[ROWS_MOST * LANES];
        for (int i = 0; i < rows * LANES; i++)
            row[i] = value(kind);
        const float before = first_sum((unsigned)(random_next(&state) % 8));
        const float like = random_next(&state) % 4 ? before * (1 + unit() * 0x1p-10f)
                                                   : first_sum(5);
        float sum = before;
        const bool quick = add_quickly(exec, &sum, like, row, rows);
        const float right = quick ? one_by_one(before, row, rows * LANES) : before;
        added += !same(sum, right) ? -TRIES : quick;
    }
    return added;
}

int main(void)
{
    struct sim *s = sim_open(NULL);
    const struct exec_set base = exec_base();
    if (!s)
        return 1;
    const long plain = try_rows(&base), here = try_rows(&s->exec);
    printf("%sok 1 - any machine's way gives the bits of one addition after the other\n",
           plain > TRIES / 5 ? "" : "not ");
    printf("%sok 2 - this machine's way declines the same rows, and gives the same\n",
           here == plain ? "" : "not ");
    printf("1..2\n# %ld of %d\n", plain, TRIES);
    sim_close(s);
    return plain <= TRIES / 5 || here != plain;
}
