/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the small tools at the bottom: errors, memory, strings, numbers in and out,
 * JSON, nearest names, embedded files.
 */
#include "os/asset.h"
#include "base/buf.h"
#include "base/byte-set.h"
#include "base/err.h"
#include "base/json-check.h"
#include "base/json-find.h"
#include "base/json.h"
#include "base/logarithm.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/num.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stddef.h>
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

/* ---- errors --------------------------------------------------------------------------- */

static void test_err(void)
{
    struct err e;
    char text[ERR_TEXT + 10];
    ok(fail_at(&e, 3, 7, "%d apples", 5) == -1 && e.line == 3 && e.column == 7, "a place");
    is(e.text, "5 apples", "a sentence");
    ok(fail(NULL, "unheard") == -1, "nobody listens");
    ok(fail(&e, "x") == -1 && e.line == 0 && e.column == 0, "no place");
    bool whole = true;
    for (size_t shift = 0; shift < 4; shift++) {
        memset(text, 'a', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xE2\x82\xAC", 4); /* the euro sign, three bytes */
        fail(&e, "%s", text);
        whole = whole && strlen(e.text) < ERR_TEXT && (strlen(e.text) - shift) % 3 == 0;
    }
    ok(whole, "a long sentence is cut between characters");
}

/* ---- sets of bytes --------------------------------------------------------------------- */

struct run_seen { struct byte_set set; unsigned runs, longest; };

static bool see_run(void *self, uint64_t at, unsigned n)
{
    struct run_seen *seen = self;
    seen->runs++;
    seen->longest = n > seen->longest ? n : seen->longest;
    return byte_set_add(&seen->set, at, n) == 0 && seen->runs < 1000;
}

static void test_whole_byte_set(void)
{
    struct byte_set a = {0}, b = {0};
    struct run_seen seen = {.runs = 0};
    bool added = byte_set_same(&a, &b) && byte_set_bytes(&a) == 0;
    const uint64_t from[] = {5000, 4096, 8190, 20000, 20063, 64, 12288};
    const uint64_t bytes[] = {1, 200, 4, 63, 66, 64, 4096};
    for (unsigned i = 0; i < 7; i++)
        added = added && byte_set_add(&a, from[i], bytes[i]) == 0;
    ok(added && byte_set_bytes(&a) == 1 + 200 + 4 + 129 + 64 + 4096, "its bytes are counted");
    ok(byte_set_each(&a, see_run, &seen) && seen.runs == 7 && seen.longest == 4096 &&
       byte_set_same(&a, &seen.set), "each run of bytes inside a page is seen once");
    ok(byte_set_copy(&b, &a) == 0 && byte_set_same(&a, &b) && byte_set_add(&b, 20129, 1) == 0 &&
       !byte_set_same(&a, &b) && !byte_set_same(&b, &a) && byte_set_add(&a, 20129, 1) == 0 &&
       byte_set_same(&b, &a), "a copy is the same set until one of them gets another byte");
    seen.runs = 998;
    ok(!byte_set_each(&a, see_run, &seen) && seen.runs == 1000, "who has seen enough can stop");
    byte_set_clear(&a);
    byte_set_clear(&b);
    byte_set_clear(&seen.set);
}

static void test_byte_set(void)
{
    struct byte_set a = {0}, b = {0}, all = {0};
    const uint64_t base = UINT64_C(0x10000000000);
    uint64_t at = 0;
    bool added = true;
    ok(!byte_set_has(&a, base) && !byte_set_meet(&a, &b, &at), "an empty set has nothing");
    for (uint64_t i = 0; i < 20000; i++) { /* they interleave: 4 bytes of 8 each */
        added = added && byte_set_add(&a, base + 8 * i, 4) == 0;
        added = added && byte_set_add(&b, base + 8 * i + 4, 4) == 0;
    }
    ok(added && !byte_set_meet(&a, &b, &at), "sets that interleave have no byte in common");
    ok(byte_set_has(&a, base + 8003) && !byte_set_has(&a, base + 8004), "each byte is known");
    ok(byte_set_add(&b, base + 3 * 4096 - 1, 2) == 0 && byte_set_add(&b, base + 100003, 1) == 0 &&
       byte_set_meet(&a, &b, &at) && at == base + 3 * 4096, "the lowest common byte is found");
    ok(byte_set_meet(&b, &a, &at) && at == base + 3 * 4096, "from either side");
    ok(byte_set_add(&all, base - 5000, 10000) == 0 && byte_set_has(&all, base - 5000) &&
       byte_set_has(&all, base) && byte_set_has(&all, base + 4999) &&
       !byte_set_has(&all, base + 5000) && !byte_set_has(&all, base - 5001),
       "a range over pages has its ends");
    ok(byte_set_move(&all, &a) == 0 && byte_set_has(&all, base + 8003) &&
       byte_set_has(&all, base + 4) && !byte_set_has(&all, base + 8004), "one set joins another");
    ok(!byte_set_has(&a, base) && byte_set_add(&a, base, 1) == 0 && byte_set_has(&a, base),
       "which is empty then, and can be filled again");
    byte_set_remove(&all, &a);
    ok(!byte_set_has(&all, base) && byte_set_has(&all, base + 1) && byte_set_has(&a, base),
       "bytes of one set are taken out of another");
    byte_set_clear(&a);
    byte_set_clear(&b);
    byte_set_clear(&all);
    ok(!byte_set_has(&all, base), "a set that was cleared is empty");
}

/* Pages of sets that lie near each other, far away, and so far that sets take them for near. */
static void test_far_byte_sets(void)
{
    static const uint64_t page[] = {0, 1, 1023, 1024, 5000, 65535, 65536, 65537, 66560, 1 << 20};
    enum { PAGES = sizeof page / sizeof page[0] };
    bool right = true;
    for (unsigned of_a = 1; of_a < 1u << PAGES; of_a += 5)
        for (unsigned of_b = 1; of_b < 1u << PAGES; of_b += 7) {
            struct byte_set a = {0}, b = {0}, c = {0}, d = {0};
            uint64_t at = 0, lowest = 0;
            for (unsigned i = PAGES; i-- > 0;) {
                const uint64_t byte = (page[i] + 7) * BYTE_SET_PAGE + 100;
                right = right && (!(of_a >> i & 1) || byte_set_add(&a, byte, 1) == 0) &&
                        (!(of_b >> i & 1) || byte_set_add(&b, byte, 1) == 0);
                lowest = of_a & of_b & 1u << i ? byte : lowest;
            }
            const bool meets = byte_set_meet(&a, &b, &at);
            right = right && meets == (lowest != 0) && (!meets || at == lowest) &&
                    byte_set_copy(&c, &a) == 0 && byte_set_move(&d, &b) == 0 &&
                    byte_set_meet(&c, &d, &at) == meets && byte_set_meet(&d, &c, &at) == meets;
            byte_set_clear(&a);
            byte_set_clear(&b);
            byte_set_clear(&c);
            byte_set_clear(&d);
        }
    ok(right, "sets meet where they have a common byte, however far apart their pages are");
}

/* ---- memory --------------------------------------------------------------------------- */

struct counting {
    size_t held;
    bool closed;
};

static void *count_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct counting *c = ctx;
    if (new_size && c->closed)
        return NULL;
    c->held += new_size - old_size;
    return allocator_libc.resize(NULL, p, old_size, new_size);
}

static void test_mem(void)
{
    struct counting c = {0};
    const struct allocator a = {count_resize, &c};
    struct arena arena = {.from = &a};
    bool good = true;
    for (size_t i = 0; i < 3000; i++) {
        unsigned char *p = arena_alloc(&arena, i % 97);
        good = good && p && (uintptr_t)p % _Alignof(max_align_t) == 0 && (i % 97 == 0 || p[i % 97 - 1] == 0);
        if (p)
            memset(p, 0xAA, i % 97);
    }
    ok(good, "pieces of an arena are aligned and zero");
    const char *text = arena_text(&arena, "abcdef", 3);
    is(text ? text : "", "abc", "a copied text");
    ok(arena_alloc(&arena, 3 << 20) != NULL, "a piece larger than a block");
    ok(arena_alloc(&arena, SIZE_MAX - 4) == NULL, "more than there can be");
    c.closed = true;
    ok(arena_alloc(&arena, 4 << 20) == NULL, "an allocation that fails");
    arena_free(&arena);
    ok(c.held == 0, "all given back");
    c.closed = false;
    void *items = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < 1000; i++)
        if (mem_grow(&a, &items, &capacity, i, 12) == 0)
            memset((char *)items + i * 12, 1, 12);
    ok(capacity >= 1000 && c.held == capacity * 12, "a growing array");
    c.closed = true;
    ok(mem_grow(&a, &items, &capacity, capacity, 12) == -1 && items, "it stays when growth fails");
    mem_free(&a, items, capacity * 12);
    ok(c.held == 0, "nothing held");
}

static void test_buf(void)
{
    struct buf b = {0};
    is(buf_text(&b), "", "an empty string");
    buf_puts(&b, "n = ");
    buf_printf(&b, "%d%c", 42, ';');
    buf_add(&b, NULL, 0);
    is(buf_text(&b), "n = 42;", "puts and printf");
    for (int i = 0; i < 300; i++)
        buf_putc(&b, 'x');
    buf_printf(&b, "%500s|", "end");
    ok(b.len == 7 + 300 + 501 && b.data[b.len] == '\0' && !b.failed, "long ones");
    buf_clear(&b);
    is(buf_text(&b), "", "cleared");
    buf_putc(&b, '>');
    char *more = buf_extend(&b, 3);
    if (more)
        memcpy(more, "yes", 3);
    is(buf_text(&b), ">yes", "extended, and filled in later");
    buf_free(&b);
}

/* ---- numbers -------------------------------------------------------------------------- */

static void test_num_in(void)
{
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {{"1048576", 1048576}, {"1e6", 1000000}, {"2^20", 1048576}, {"1<<20", 1048576},
                {"1K", 1024}, {"64k", 65536}, {"1M", 1048576}, {"2G", INT64_C(2) << 30},
                {"0x10", 16}, {"010", 10}, {"-3", -3}, {"+3", 3}, {"1e3", 1000}, {"-1e3", -1000},
                {"1.5e3", 1500}, {"100e-2", 1}, {"1.000", 1}, {"0e99999", 0},
                {"9223372036854775807", INT64_MAX}, {"-9223372036854775808", INT64_MIN},
                {"-0", 0}, {"0.0", 0}, {"3^0", 1}};
    struct err e;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int64_t v = -77;
        int rc = num_int(good[i].text, INT64_MIN, INT64_MAX, &v, &e);
        ok(rc == 0 && v == good[i].value, good[i].text);
    }
    static const char *const bad[] = {"", "abc", "-", "1.5", "1.50", "1e-1", "0x", "0xg", "12x",
                                      "1 ", " 1", "1K5", "1.5K", "2^", "1<<", "1<2", "--1", ".",
                                      "inf", "nan", "1e", "9223372036854775808", "1e400", "2^64",
                                      "1e99999999999999999999", "0x1p3", "1,000", "-2^63K"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t v;
        char what[60];
        snprintf(what, sizeof what, "no: '%s'", bad[i]);
        ok(num_int(bad[i], INT64_MIN, INT64_MAX, &v, &e) == -1 && e.text[0], what);
    }
}

static void test_num_ranges(void)
{
    struct err e;
    int64_t i;
    uint64_t u;
    double d;
    num_int("5000", 1, 1024, &i, &e);
    is(e.text, "5000 is too big: at most 1024", "too big");
    num_int("0", 1, 1024, &i, &e);
    is(e.text, "0 is too small: at least 1", "too small");
    num_int("-1e30", -5, 1024, &i, &e);
    is(e.text, "-1e30 is too small: at least -5", "far too small");
    num_int("abc", 1, 2, &i, &e);
    is(e.text, "`abc` is not a number; write 1000, 1e6, 2^20, 64K or 0x10", "no number");
    ok(num_uint("18446744073709551615", 0, UINT64_MAX, &u, &e) == 0 && u == UINT64_MAX, "2^64-1");
    ok(num_uint("-3", 0, UINT64_MAX, &u, &e) == -1, "-3 is not 2^64-3");
    ok(num_uint("-0", 0, 9, &u, &e) == 0 && u == 0, "-0 is 0");
    ok(num_real("-.5", &d, &e) == 0 && d == -.5, "-.5");
    ok(num_real("2^20", &d, &e) == 0 && d == 1048576, "2^20 as a real");
    ok(num_real("0x10", &d, &e) == 0 && d == 16, "0x10 as a real");
    ok(num_real("0.1", &d, &e) == 0 && d == 0.1, "0.1");
    ok(num_real("1e400", &d, &e) == -1 && strstr(e.text, "too big"), "1e400");
    ok(num_real("1e-400", &d, &e) == -1 && strstr(e.text, "zero"), "1e-400");
    ok(num_real("0e-400", &d, &e) == 0 && d == 0, "0e-400");
    ok(num_real("inf", &d, &e) == -1 && num_real("nan", &d, &e) == -1 &&
           num_real("0x1p3", &d, &e) == -1 && num_real("1e5x", &d, &e) == -1, "no reals");
    ok(num_looks("-3") && num_looks("-.5") && num_looks("-1e3") && num_looks("2^20") &&
           num_looks("0x1f") && num_looks("-inf"), "look like numbers");
    ok(!num_looks("-n") && !num_looks("--") && !num_looks("-") && !num_looks("") &&
           !num_looks("-.x") && !num_looks("info"), "don't");
}

/* Digits without the zeros around them. */
static void only_digits(const char *text, char out[NUM_TEXT])
{
    size_t n = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= (n ? '0' : '1') && *text <= '9')
            out[n++] = *text;
    while (n && out[n - 1] == '0')
        n--;
    out[n] = '\0';
}

/* The fewest digits that read back, found by trying all counts of digits. */
static bool is_shortest(float v)
{
    char text[NUM_TEXT], tried[NUM_TEXT], fewest[NUM_TEXT], shown[NUM_TEXT];
    for (int precision = 0; precision < 9; precision++) {
        snprintf(tried, sizeof tried, "%.*e", precision, (double)v);
        if (strtof(tried, NULL) == v)
            break;
    }
    only_digits(tried, fewest);
    only_digits(num_f32(v, text), shown);
    return strcmp(fewest, shown) == 0 && strtof(text, NULL) == v;
}

static void test_shortest(void)
{
    uint32_t random = 11;
    unsigned wrong = 0;
    for (int i = 0; i < 60000; i++) {
        float v;
        random = random * 1664525u + 1013904223u;
        memcpy(&v, &random, sizeof v);
        wrong += v == v && v - v == 0 && !is_shortest(v);
        wrong += !is_shortest((float)random / 4294967296.0f);
        wrong += !is_shortest((float)(random >> 12) / (random & 1 ? 1000.0f : 64.0f));
    }
    for (int exponent = -24; exponent < 40; exponent++) /* where floats have other distances */
        for (int i = -2; i <= 2; i++) {
            uint32_t bits = (uint32_t)(exponent + 127) << 23;
            float v;
            bits = i < 0 ? bits - (uint32_t)-i : bits + (uint32_t)i;
            memcpy(&v, &bits, sizeof v);
            wrong += !is_shortest(v) + !is_shortest(-v);
        }
    ok(wrong == 0, "floats have the fewest digits that read back");
}

static void test_num_out(void)
{
    char t[NUM_TEXT];
    is(num_f32(0.1f, t), "0.1", "f32 0.1");
    is(num_f32(1e20f, t), "1e20", "f32 1e20");
    is(num_f32(24, t), "24", "f32 24");
    is(num_f32(16777216, t), "16777216", "f32 2^24");
    is(num_f32(100, t), "100", "f32 100");
    is(num_f32(-1.5e-10f, t), "-1.5e-10", "f32 -1.5e-10");
    is(num_f32(1e-45f, t), "1e-45", "the smallest f32");
    is(num_f32(3.4028235e38f, t), "3.4028235e38", "the largest f32");
    is(num_f64(0.1, t), "0.1", "f64 0.1");
    is(num_f64(1.0 / 3, t), "0.3333333333333333", "f64 1/3");
    is(num_f64(-0.0, t), "-0", "f64 -0");
    is(num_f64(0.0001, t), "0.0001", "f64 0.0001");
    is(num_f64(0.00001, t), "1e-5", "f64 0.00001");
    is(num_f64(123.456, t), "123.456", "f64 123.456");
    is(num_f64(1e15, t), "1000000000000000", "f64 1e15");
    is(num_f64(1e16, t), "1e16", "f64 1e16");
    is(num_f64(1e308 * 10, t), "inf", "inf");
    is(num_f64(-1e308 * 10, t), "-inf", "-inf");
    is(num_f64(1e308 * 10 * 0, t), "nan", "nan");
    is(num_group(1048576, t), "1,048,576", "1,048,576");
    is(num_group(-999, t), "-999", "-999");
    is(num_group(INT64_MIN, t), "-9,223,372,036,854,775,808", "the smallest");
    uint32_t random = 7;
    bool good = true;
    for (int i = 0; i < 20000; i++) {
        float v;
        random = random * 1664525u + 1013904223u;
        memcpy(&v, &random, sizeof v);
        good = good && (v != v || strtof(num_f32(v, t), NULL) == v);
    }
    ok(good, "20000 floats read back as they were");
    test_shortest();
}

static void test_num_seconds(void)
{
    static const struct { double seconds; const char *text; } cases[] = {
        {0, "0.000 s"}, {1, "1.000 s"}, {0.99996, "1.000 s"}, {0.9999, "999.9 ms"},
        {12.3e-3, "12.30 ms"}, {9.9996e-4, "1.000 ms"}, {1e-6, "1.000 us"},
        {123.45e-9, "123.5 ns"}, {5e-13, "0.0005000 ns"}, {-2e-3, "-2.000 ms"},
        {59.99, "59.99 s"}, {12345, "12345 s"}};
    char t[NUM_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        is(num_seconds(cases[i].seconds, t), cases[i].text, cases[i].text);
}

static double powers(double base, int power)
{
    double v = 1;
    for (int i = 0; i < (power < 0 ? -power : power); i++)
        v *= base;
    return power < 0 ? 1 / v : v;
}

static void test_logarithm(void)
{
    bool near = true;
    for (int k = -60; k <= 60; k++) {
        const double off = power_of_two(powers(2, k)) - k;
        const double tens = power_of_ten(powers(10, k / 4)) - k / 4;
        near = near && off < 1e-12 && off > -1e-12 && tens < 1e-12 && tens > -1e-12;
    }
    ok(near, "logarithms of powers are whole");
}

/* ---- JSON, names, files --------------------------------------------------------------- */

static void test_json(void)
{
    const unsigned dims[3] = {1, 2, 3};
    struct buf b = {0};
    struct json j;
    json_begin(&j, &b);
    json_object(&j, NULL);
    json_text(&j, "a", "q\"\\\n\t\x01");
    json_bytes(&j, "b", "\xC3\xA9\xFF\xE2\x82\xED\xA0\x80", 8);
    json_array(&j, "c");
    json_int(&j, NULL, -1);
    json_f64(&j, NULL, 0.1);
    json_f32(&j, NULL, 0.1f);
    json_f64(&j, NULL, 1e308 * 10);
    json_object(&j, NULL);
    json_end_object(&j);
    json_end_array(&j);
    json_bool(&j, "d", true);
    json_null(&j, "e");
    json_hex(&j, "f", 255);
    json_uint(&j, "g", UINT64_MAX);
    json_dims(&j, "h", dims);
    json_raw(&j, "i", "[]", 2);
    json_text(&j, "k", NULL);
    json_end_object(&j);
    is(buf_text(&b),
       "{\"a\":\"q\\\"\\\\\\n\\t\\u0001\",\"b\":\"\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
       "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\",\"c\":[-1,0.1,0.1,\"inf\",{}],\"d\":true,"
       "\"e\":null,\"f\":\"0xff\",\"g\":18446744073709551615,\"h\":[1,2,3],\"i\":[],\"k\":null}",
       "one of each");
    buf_free(&b);
}

static bool is_json(const char *text, size_t n)
{
    struct err e;
    return json_check((struct span){text, n}, &e) == 0;
}

/* Of each text, all that it begins with is tried too: only the whole may be valid. */
static void test_json_check(void)
{
    static const char *const valid[] = {
        "{}", "[]", "\"\"", "0", "-1.5e+30", " [ 1 , [ ] , { } ] ", "{\"a\" : [true,false,null]}",
        "[[[1],2],{\"a\":{\"b\":[]}}]", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fF\"", "\"\xc3\xbc\"",
        "\t\r\n{\"\":0E1}\n"};
    static const char *const wrong[] = {
        "", " ", "{", "}", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
        "{1:1}", "[1}", "{\"a\":1]", "01", "1.", ".5", "+1", "1e", "-", "--1", "tru", "nul",
        "\"\n\"", "\"\\x\"", "\"\\u12g4\"", "\"\xff\"", "\"\xc3\"", "{}{}", "1 2", "'a'", "NaN", "\"",
        "\"\\\"", "[\"a\":1]", "{\"a\",1}", "/**/1"};
    char deep[2 * (JSON_DEPTH_MOST + 1)];
    bool good = true;
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
        good &= is_json(valid[i], strlen(valid[i]));
    ok(good, "valid JSON");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (is_json(wrong[i], strlen(wrong[i])))
            good = false, printf("# %s\n", wrong[i]);
    ok(good && !is_json("\"\0\"", 3), "what is no JSON");
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        const size_t n = strcspn(valid[i], "{["), last = strlen(valid[i]);
        for (size_t cut = 0; n < last && cut < last - 1; cut++)
            good &= !is_json(valid[i], cut) || valid[i][cut] == ' ' ||
                    valid[i][cut] == '\n';
    }
    ok(good, "an object or array that is cut off");
    for (size_t n = JSON_DEPTH_MOST; n <= JSON_DEPTH_MOST + 1; n++) {
        memset(deep, '[', n);
        memset(deep + n, ']', n);
        ok(is_json(deep, 2 * n) == (n == JSON_DEPTH_MOST), "a deep array");
    }
}

static void test_json_find(void)
{
    static const char text[] = "{\"a\":{\"x\":[1,{\"y\":\"q,}\\\"\"}]},\"b\": 2 ,\"c\":[]}";
    const struct span all = {text, sizeof text - 1};
    struct span name, value;
    struct buf plain = {0};
    ok(json_find(all, (struct span){"a.x.1.y", 7}, &value), "a path");
    json_plain(value, &plain);
    is(buf_text(&plain), "q,}\"", "its value as people read it");
    ok(!json_find(all, (struct span){"a.x.2", 5}, &value), "no third element");
    ok(!json_find(all, (struct span){"b.x", 3}, &value), "a number has no members");
    bool names = true;
    static const char *const wanted[] = {"a", "b", "c"};
    for (unsigned k = 0; k < 3; k++)
        names = names && json_member(all, k, &name, &value) && same_text(name, wanted[k]);
    ok(names && same_text(value, "[]"), "the members in their order");
    ok(!json_member(all, 3, &name, &value), "no fourth member");
    ok(!json_member((struct span){"{}", 2}, 0, &name, &value), "none of an empty object");
    ok(!json_member((struct span){"[1]", 3}, 0, &name, &value), "none of an array");
    buf_free(&plain);
}

static void test_utf8(void)
{
    static const struct { const char *text; size_t size; uint32_t code; } cases[] = {
        {"a", 1, 'a'}, {"\x7F", 1, 0x7F}, {"\xC2\x80", 2, 0x80}, {"\xDF\xBF", 2, 0x7FF},
        {"\xE0\xA0\x80", 3, 0x800}, {"\xED\x9F\xBF", 3, 0xD7FF}, {"\xEE\x80\x80", 3, 0xE000},
        {"\xF0\x90\x80\x80", 4, 0x10000}, {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
        {"\xC3\xA9x", 2, 0xE9}, {"\x80", 0, 0}, {"\xC1\xBF", 0, 0}, {"\xE0\x9F\xBF", 0, 0},
        {"\xF0\x8F\xBF\xBF", 0, 0}, {"\xED\xA0\x80", 0, 0}, {"\xF4\x90\x80\x80", 0, 0},
        {"\xF8\x88\x80\x80\x80", 0, 0}, {"\xE2\x82", 0, 0}, {"\xE2\x82x", 0, 0}};
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t code = 0;
        size_t size = utf8_next(cases[i].text, strlen(cases[i].text), &code);
        wrong += size != cases[i].size || code != cases[i].code;
    }
    ok(wrong == 0, "characters of every length, and what is none");
}

static void test_near(void)
{
    static const char *const names[] = {"help", "history", "set", "show", "trap", "tree", NULL};
    ok(near_distance("trap", "tarp", 2) == 1, "a swap is one edit");
    ok(near_distance("trap", "trap", 2) == 0 && near_distance("", "ab", 2) == 2, "none, and two");
    ok(near_distance("kitten", "sitting", 2) == 3 && near_distance("kitten", "sitting", 5) == 3,
       "three, beyond the limit and within");
    const char *found = near_list("hitsory", names);
    is(found ? found : "", "history", "hitsory");
    found = near_list("trpa", names);
    is(found ? found : "", "trap", "trpa");
    ok(!near_list("xyzzy", names) && !near_list("hp", names), "nothing near");
    static const char *const cards[] = {"?", "a100", "h100", NULL};
    found = near_list("H100", cards);
    is(found ? found : "", "h100", "H100 is h100 in capitals");
    ok(!near_list("x", cards), "one letter is near to no other");
}

/* The table that build-aux/embed makes elsewhere. */
#ifdef OWN_ASSETS
const struct asset assets[] = {{"a", (const unsigned char *)"1", 1},
                               {"b/c", (const unsigned char *)"22", 2},
                               {"d", (const unsigned char *)"", 0}};
const size_t assets_count = 3;
#endif

static void test_asset(void)
{
    bool good = true;
    for (size_t i = 0; i < assets_count; i++)
        good = good && asset_find(assets[i].name) == &assets[i];
    ok(good, "each file is found by its name");
    ok(!asset_find("") && !asset_find("zzz") && !asset_find("b"), "others are not");
}

int main(void)
{
    test_err();
    test_byte_set();
    test_far_byte_sets();
    test_whole_byte_set();
    test_mem();
    test_buf();
    test_num_in();
    test_num_ranges();
    test_num_out();
    test_num_seconds();
    test_logarithm();
    test_json();
    test_json_check();
    test_json_find();
    test_utf8();
    test_near();
    test_asset();
    printf("1..%d\n", tests_run);
    return tests_failed != 0;
}
