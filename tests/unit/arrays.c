/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of what arrays are made of: half precision, Philox, types and their names, fills
 * recomputed from what help/random.txt says, arrays that are variables of a module, and the
 * move to another device.
 */
#include "base/half.h"
#include "base/philox.h"
#include "own/array-look.h"
#include "own/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests_run, tests_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

static void is(const char *got, const char *wanted, const char *what)
{
    ok(strcmp(got, wanted) == 0, what);
    if (strcmp(got, wanted) != 0)
        printf("# got %s, wanted %s\n", got, wanted);
}

/* ---- half precision -------------------------------------------------------------------- */

static void test_half(void)
{
    static const struct { double v; uint16_t bits; } known[] = {
        {0, 0}, {-0.0, 0x8000}, {1, 0x3C00}, {-2, 0xC000}, {65504, 0x7BFF}, {65519.99, 0x7BFF},
        {65520, 0x7C00}, {1e300, 0x7C00}, {-1e5, 0xFC00}, {0x1p-14, 0x0400}, {0x1p-24, 0x0001},
        {0x1p-25, 0x0000}, {0x1.8p-25, 0x0001}, {0x1.8p-24, 0x0002}, {0x1p-26, 0}, {1e-300, 0},
        {2049, 0x6800}, {2051, 0x6802}, {1 + 0x1p-11, 0x3C00}, {1 + 0x1.8p-10, 0x3C02},
        {0x1.ffcp-15, 0x0400}, {0x1.ff8p-15, 0x03FF}};
    bool good = true, back = true, text = true;
    char out[NUM_TEXT];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (half_from_double(known[i].v) != known[i].bits) {
            printf("# %g gave 0x%04x\n", known[i].v, half_from_double(known[i].v));
            good = false;
        }
    ok(good, "doubles round to half, to nearest, ties to even");
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        double v = half_to_double((uint16_t)bits);
        if (v != v)
            continue;
        back = back && half_from_double(v) == bits;
        num_f16((uint16_t)bits, out);
        text = text && (strchr(out, 'n') || half_from_double(strtod(out, NULL)) == bits);
    }
    ok(back, "each half is the double it reads as");
    ok(text, "and its text reads back to it");
    is(num_f16(0x2E66, out), "0.1", "the shortest such text");
    is(num_f16(0x7BFF, out), "65500", "even where it isn't the value");
    is(num_f16(0x0001, out), "6e-8", "the smallest");
}

/* ---- random ---------------------------------------------------------------------------- */

static bool philox_gives(uint32_t key, uint32_t counter, const uint32_t want[4])
{
    const uint32_t k[2] = {key, key}, c[4] = {counter, counter, counter, counter};
    uint32_t out[4];
    philox(k, c, out);
    return memcmp(out, want, sizeof out) == 0;
}

static void test_philox(void)
{
    ok(philox_gives(0, 0, (const uint32_t[]){0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}),
       "Philox: the published answer for zeros");
    ok(philox_gives(UINT32_MAX, UINT32_MAX,
                    (const uint32_t[]){0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}),
       "and for ones");
}

/* One element by the text of help/random.txt, of a range so small that 64 bits hold it. */
static int64_t whole_by_text(uint64_t seed, uint64_t index, int64_t lo, uint64_t range)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), 0, 0};
    uint32_t w[4];
    philox(key, counter, w);
    uint64_t high = (uint64_t)w[1] * range, low = (uint64_t)w[0] * range; /* range < 2^32 */
    return lo + (int64_t)((high + (low >> 32)) >> 32);
}

static void test_random(void)
{
    struct fill f;
    struct err e;
    int32_t whole[1000];
    float real[1000];
    bool good = true, inside = true;
    ok(fill_parse(&f, "random:-5:1000", ELEMENT_I32, &e) == 0, "random of whole numbers");
    fill_make(&f, 7, 100, 0, 1000, (unsigned char *)whole);
    for (uint64_t i = 0; i < 1000; i++)
        good = good && whole[i] == whole_by_text(7, 100 + i, -5, 1006);
    ok(good, "is what the text says");
    fill_free(&f);
    ok(fill_parse(&f, "random:1:1.0000002", ELEMENT_F32, &e) == 0, "a range of two numbers");
    fill_make(&f, 1, 0, 0, 1000, (unsigned char *)real);
    bool low = false, high = false;
    for (int i = 0; i < 1000; i++) {
        inside = inside && real[i] >= 1 && real[i] < 1.0000002f;
        low = low || real[i] == 1;
        high = high || real[i] == 1.0000001f;
    }
    ok(inside && low && high, "gives both and never HI, for all rounding");
    fill_free(&f);
    uint16_t half[1000];
    ok(fill_parse(&f, "random:-1:0", ELEMENT_F16, &e) == 0, "half precision up to zero");
    fill_make(&f, 1, 0, 0, 1000, (unsigned char *)half);
    for (int i = 0; i < 1000; i++)
        inside = inside && half_to_double(half[i]) >= -1 && half_to_double(half[i]) < 0;
    ok(inside, "stays below it");
    fill_free(&f);
}

/* ---- types ----------------------------------------------------------------------------- */

/* type -1: a name that no element has. */
static void test_vector(const char *text, unsigned width, const char *of, int type)
{
    char name[ELEMENT_NAME];
    enum element t;
    ok(element_of_vector(text, name) == width, text);
    is(name, of, "its name");
    ok(element_named(name, &t) == 0 ? (int)t == type : type < 0, "and its type");
}

static void test_types(void)
{
    enum element t;
    struct err e;
    unsigned char at[ELEMENT_BYTES];
    char text[NUM_TEXT];
    ok(element_named("unsigned  char", &t) == 0 && t == ELEMENT_U8, "two words, two blanks");
    ok(element_named("size_t", &t) == 0 && t == ELEMENT_U64, "size_t");
    ok(element_named("float2", &t) != 0, "no vectors");
    test_vector("float4", 4, "float", ELEMENT_F32);
    test_vector("ulonglong2", 2, "ulonglong", ELEMENT_U64);
    test_vector("__half2", 2, "__half", ELEMENT_F16);
    test_vector("int5", 1, "int5", -1);
    test_vector("u8", 1, "u8", ELEMENT_U8);
    ok(element_or_near("flaot", &t, &e) != 0 && strstr(e.text, "did you mean float?"), "near");
    ok(element_parse(ELEMENT_I64, "-9223372036854775808", at, &e) == 0, "the least i64");
    is(element_text(ELEMENT_I64, at, text), "-9223372036854775808", "is exact");
    ok(element_parse(ELEMENT_I64, "9223372036854775808", at, &e) != 0, "one more than the most");
    ok(element_parse(ELEMENT_F16, "65519", at, &e) == 0 && at[1] == 0x7B, "65519 is an f16");
    ok(element_parse(ELEMENT_F16, "65520", at, &e) != 0, "65520 is none");
    ok(element_parse(ELEMENT_F32, "1.00000017881393432617187500001", at, &e) == 0, "past a tie");
    is(element_hex(ELEMENT_F32, at, text), "0x3f800002", "is rounded once, not twice");
    ok(element_parse(ELEMENT_F64, "-inf", at, &e) == 0, "-inf");
    is(element_text(ELEMENT_F64, at, text), "-inf", "is itself");
}

/* ---- arrays of a session ---------------------------------------------------------------- */

static int a_module, b_module; /* only their addresses matter */

static void test_variables(struct session *s)
{
    struct err e = {0};
    const uint64_t dims[3] = {2, 3, 0};
    uint64_t address = 0;
    ok(s->device->ops->allocate(s->device, 64, "m", &address, &e) == 0, "memory of a module");
    ok(array_add_variable(s, &a_module, "ns::m", ELEMENT_F32, true, "float m[2][3]", dims, 6,
                          address, false, &e) == 0, "a variable with a shape");
    struct array *m = array_named(s, "ns::m");
    ok(m && m->dims[1] == 3 && strcmp(m->declared, "float m[2][3]") == 0, "is an array");
    ok(array_free(s, m, &e) != 0 && strstr(e.text, "variable"), "that can't be freed by itself");
    struct array *x = array_new(s, "x", ELEMENT_I32, (const uint64_t[]){4, 0, 0}, 4, &e);
    ok(x && array_keep(s, x, &e) == 0, "an array x");
    ok(array_add_variable(s, &b_module, "x", ELEMENT_U8, false, NULL, NULL, 8, address, true,
                          &e) == 0, "and a variable x");
    ok(array_named(s, "x") != x && array_hidden(s, x), "the one that came last is meant");
    ok(array_free(s, array_named(s, "x"), &e) == 0 && array_named(s, "x") == x,
       "free gives the other back");
    arrays_drop_module(s, &b_module);
    ok(array_named(s, "x") == x && s->own->count == 2, "a module goes with its variables");
    ok(!array_or_near(s, "ns::n", &e) && strstr(e.text, "did you mean ns::m?"), "a near name");
}

static void test_carry(struct session *s)
{
    struct err e = {0};
    char why[200];
    int32_t values[4] = {3, 1, 4, 1}, back[4] = {0};
    struct array *x = array_named(s, "x");
    struct device *fresh = device_open("sim:a100", why, NULL, &e);
    s->device->ops->write(s->device, x->address, values, sizeof values, &e);
    ok(fresh && arrays_carry(s, fresh, &e) == 0, "to another device");
    device_close(s->device);
    s->device = fresh;
    ok(fresh->ops->read(fresh, back, x->address, sizeof back, &e) == 0 &&
       memcmp(values, back, sizeof back) == 0, "with its bytes");
    ok(s->own->count == 2, "a module's variables are not touched: units_move() takes them");
}

int main(void)
{
    struct session s = {.settings.seed = 1};
    struct err e;
    test_half();
    test_philox();
    test_random();
    test_types();
    s.device = device_open("sim", s.why_device, NULL, &e);
    if (s.device) {
        test_variables(&s);
        test_carry(&s);
        arrays_free(&s);
        device_close(s.device);
    }
    ok(s.device && !s.own, "the session's arrays are freed at its end");
    printf("1..%d\n", tests_run);
    return tests_failed != 0;
}
