/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading and writing numbers. Whole numbers never pass through a double, so that 2^63-1
 * is what it says. Every form is scanned here first, and strtod only sees decimal digits
 * that were found good: it would also take hexadecimal floats, "inf" and leading blanks.
 */
#include "base/num.h"

#include "base/half.h"
#include "base/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number taken apart. Digits are left in the text. */
struct number_parts {
    bool negative, hex;
    const char *whole, *fraction; /* digits before and after the point */
    size_t whole_len, fraction_len;
    int exponent; /* of ten; held within +-100000, which is beyond any double */
    char scale;   /* 0, 'K' 'M' 'G', '^' or '<' */
    unsigned by;  /* the number after ^ or << */
};

enum number_reading { READ_OK, READ_FRACTION, READ_HUGE };

/* ---- taking the text apart ------------------------------------------------------------ */

static const char *skip_digits(const char *s)
{
    while (is_digit(*s))
        s++;
    return s;
}

static const char *scan_exponent(const char *s, struct number_parts *p)
{
    if (*s != 'e' && *s != 'E')
        return s;
    const char *digits = s + 1;
    bool minus = *digits == '-';
    if (*digits == '-' || *digits == '+')
        digits++;
    if (!is_digit(*digits))
        return s;
    for (s = digits; is_digit(*s); s++)
        if (p->exponent < 100000)
            p->exponent = p->exponent * 10 + (*s - '0');
    if (minus)
        p->exponent = -p->exponent;
    return s;
}

/* What may follow a plain whole number: K, M, G, ^N or <<N. */
static const char *scan_scale(const char *s, struct number_parts *p)
{
    if (*s == 'K' || *s == 'k' || *s == 'M' || *s == 'G') {
        p->scale = *s == 'k' ? 'K' : *s;
        return s + 1;
    }
    const char *digits = *s == '^' ? s + 1 : s[0] == '<' && s[1] == '<' ? s + 2 : s;
    if (digits == s || !is_digit(*digits))
        return s;
    p->scale = *s;
    for (s = digits; is_digit(*s); s++)
        if (p->by < 100000)
            p->by = p->by * 10 + (unsigned)(*s - '0');
    return s;
}

static const char *scan_hex(const char *s, struct number_parts *p)
{
    p->hex = true;
    p->whole = s;
    while (hex_value(*s) >= 0)
        s++;
    p->whole_len = (size_t)(s - p->whole);
    return s;
}

static const char *scan_decimal(const char *s, struct number_parts *p)
{
    p->whole = s;
    s = skip_digits(s);
    p->whole_len = (size_t)(s - p->whole);
    const char *plain_end = s;
    if (*s == '.') {
        p->fraction = s + 1;
        s = skip_digits(s + 1);
        p->fraction_len = (size_t)(s - p->fraction);
    }
    s = scan_exponent(s, p);
    return s == plain_end ? scan_scale(s, p) : s;
}

static bool take_apart(const char *s, struct number_parts *p)
{
    *p = (struct number_parts){.fraction = ""};
    p->negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        s = scan_hex(s + 2, p);
    else
        s = scan_decimal(s, p);
    return *s == '\0' && p->whole_len + p->fraction_len > 0;
}

bool num_looks(const char *text)
{
    if (*text == '-' || *text == '+')
        text++;
    return is_digit(*text) || (*text == '.' && is_digit(text[1])) || strcmp(text, "inf") == 0 ||
           strcmp(text, "infinity") == 0 || strcmp(text, "nan") == 0;
}

/* ---- whole numbers -------------------------------------------------------------------- */

static bool times(uint64_t *v, uint64_t by, uint64_t plus)
{
    if (by && *v > (UINT64_MAX - plus) / by)
        return false;
    *v = *v * by + plus;
    return true;
}

static bool add_digits(uint64_t *v, const char *digits, size_t n, unsigned base)
{
    for (size_t i = 0; i < n; i++)
        if (!times(v, base, (uint64_t)hex_value(digits[i])))
            return false;
    return true;
}

static bool raise(uint64_t *v, uint64_t base, unsigned times_over)
{
    for (unsigned i = 0; i < times_over && *v && base != 1; i++) {
        if (!times(v, base, 0))
            return false;
        if (base == 0)
            return true;
    }
    return true;
}

static bool apply_scale(uint64_t *v, const struct number_parts *p)
{
    uint64_t base = *v;
    switch (p->scale) {
    case 'K': return times(v, UINT64_C(1) << 10, 0);
    case 'M': return times(v, UINT64_C(1) << 20, 0);
    case 'G': return times(v, UINT64_C(1) << 30, 0);
    case '<': return raise(v, 2, p->by);
    case '^': *v = 1; return raise(v, base, p->by);
    default: return true;
    }
}

/* The absolute value, where the number is whole and fits. */
static enum number_reading magnitude(const struct number_parts *p, uint64_t *v)
{
    *v = 0;
    if (p->hex)
        return add_digits(v, p->whole, p->whole_len, 16) ? READ_OK : READ_HUGE;
    size_t whole = p->whole_len, fraction = p->fraction_len;
    while (fraction && p->fraction[fraction - 1] == '0')
        fraction--;
    int exponent = p->exponent - (fraction > 100000 ? 100000 : (int)fraction);
    while (exponent < 0 && !fraction && whole && p->whole[whole - 1] == '0') {
        whole--;
        exponent++;
    }
    if (!add_digits(v, p->whole, whole, 10) || !add_digits(v, p->fraction, fraction, 10))
        return exponent < 0 ? READ_FRACTION : READ_HUGE;
    if (*v == 0)
        return READ_OK;
    if (exponent < 0)
        return READ_FRACTION;
    return raise(v, 10, (unsigned)exponent) && apply_scale(v, p) ? READ_OK : READ_HUGE;
}

static int no_number(const char *text, struct err *e)
{
    if (*text == '\0')
        return fail(e, "a number is missing; write 1000, 1e6, 2^20, 64K or 0x10");
    return fail(e, "`%.60s` is not a number; write 1000, 1e6, 2^20, 64K or 0x10", text);
}

/* Read a whole number; what a caller can't hold is told apart by the sign alone. */
static int read_whole(const char *text, bool *negative, uint64_t *v, bool *huge, struct err *e)
{
    struct number_parts p;
    if (!take_apart(text, &p))
        return no_number(text, e);
    enum number_reading r = magnitude(&p, v);
    if (r == READ_FRACTION)
        return fail(e, "`%.60s` is not a whole number; write 1000, 1e6, 2^20, 64K or 0x10", text);
    *huge = r == READ_HUGE;
    *negative = p.negative && (*v || *huge);
    return 0;
}

int num_int(const char *text, int64_t lo, int64_t hi, int64_t *out, struct err *e)
{
    bool negative, huge;
    uint64_t v;
    if (read_whole(text, &negative, &v, &huge, e) != 0)
        return -1;
    const uint64_t half = UINT64_C(1) << 63; /* the magnitude of INT64_MIN */
    huge = huge || (negative ? v > half : v >= half);
    int64_t value = huge ? 0 : negative ? (int64_t)(0 - v) : (int64_t)v;
    if (negative ? huge || value < lo : !huge && value < lo)
        return fail(e, "%.60s is too small: at least %" PRId64, text, lo);
    if (huge || value > hi)
        return fail(e, "%.60s is too big: at most %" PRId64, text, hi);
    *out = value;
    return 0;
}

int num_uint(const char *text, uint64_t lo, uint64_t hi, uint64_t *out, struct err *e)
{
    bool negative, huge;
    uint64_t v;
    if (read_whole(text, &negative, &v, &huge, e) != 0)
        return -1;
    if (negative || (!huge && v < lo))
        return fail(e, "%.60s is too small: at least %" PRIu64, text, lo);
    if (huge || v > hi)
        return fail(e, "%.60s is too big: at most %" PRIu64, text, hi);
    *out = v;
    return 0;
}

/* ---- reals ---------------------------------------------------------------------------- */

static bool is_infinite(double v)
{
    return v > 1.7976931348623157e308 || v < -1.7976931348623157e308;
}

/* Forms that strtod doesn't know; powers are products, so 2^N is exact. */
static double real_of_parts(const struct number_parts *p)
{
    double v = 0, base, result;
    for (size_t i = 0; i < p->whole_len; i++)
        v = v * (p->hex ? 16 : 10) + hex_value(p->whole[i]);
    switch (p->scale) {
    case 'K': return v * 0x1p10;
    case 'M': return v * 0x1p20;
    case 'G': return v * 0x1p30;
    default: break;
    }
    base = p->scale == '<' ? 2 : v;
    result = p->scale == '^' ? 1 : v;
    for (unsigned i = 0; p->scale && i < p->by && !is_infinite(result); i++)
        result *= base;
    return result;
}

static bool has_digit_but_zero(const struct number_parts *p)
{
    for (size_t i = 0; i < p->whole_len; i++)
        if (p->whole[i] != '0')
            return true;
    for (size_t i = 0; i < p->fraction_len; i++)
        if (p->fraction[i] != '0')
            return true;
    return false;
}

int num_real(const char *text, double *out, struct err *e)
{
    struct number_parts p;
    if (!take_apart(text, &p))
        return no_number(text, e);
    double v;
    if (p.hex || p.scale) {
        v = real_of_parts(&p);
        v = p.negative ? -v : v;
    } else
        v = strtod(text, NULL);
    if (is_infinite(v))
        return fail(e, "%.60s is too big for a number here: at most 1.8e308", text);
    if (v == 0 && has_digit_but_zero(&p))
        return fail(e, "%.60s is too near to zero for a number here: at least 4.95e-324", text);
    *out = v;
    return 0;
}

int num_real32(const char *text, float *out, struct err *e)
{
    struct number_parts p;
    double wide;
    if (num_real(text, &wide, e) != 0)
        return -1;
    /* Not by way of the double, whose own rounding could tip a tie. */
    bool plain = take_apart(text, &p) && !p.hex && !p.scale;
    float v = plain ? strtof(text, NULL) : (float)wide;
    if (is_infinite((double)v))
        return fail(e, "%.60s is too big for f32: at most 3.4028235e38", text);
    if (v == 0 && wide != 0)
        return fail(e, "%.60s is too near to zero for f32: at least 1e-45", text);
    *out = v;
    return 0;
}

/* ---- writing -------------------------------------------------------------------------- */

/*
 * Lay out "d.ddde+XX" as people write it: 0.1, 24, 1e20. Positional from 0.0001 up to
 * below 1e16, where the digits still tell the size at a glance.
 */
static const char *lay_out(const char *scientific, char out[NUM_TEXT])
{
    char digits[NUM_TEXT], *o = out;
    int n = 0;
    if (*scientific == '-')
        *o++ = *scientific++;
    for (; *scientific != 'e'; scientific++)
        if (*scientific != '.')
            digits[n++] = *scientific;
    while (n > 1 && digits[n - 1] == '0')
        n--;
    int exponent = (int)strtol(scientific + 1, NULL, 10);
    if (exponent < -4 || exponent >= 16) {
        *o++ = digits[0];
        if (n > 1)
            o += sprintf(o, ".%.*s", n - 1, digits + 1);
        sprintf(o, "e%d", exponent);
    } else if (exponent < 0)
        sprintf(o, "0.%.*s%.*s", -exponent - 1, "0000", n, digits);
    else if (n <= exponent + 1)
        sprintf(o, "%.*s%.*s", n, digits, exponent + 1 - n, "0000000000000000");
    else
        sprintf(o, "%.*s.%.*s", exponent + 1, digits, n - exponent - 1, digits + exponent + 1);
    return out;
}

static const char *unreal(double v, char out[NUM_TEXT])
{
    return strcpy(out, v != v ? "nan" : v > 0 ? "inf" : "-inf");
}

static double as_f32(const char *text)
{
    return (double)strtof(text, NULL);
}

static double as_f16(const char *text)
{
    return half_to_double(half_from_double(strtod(text, NULL)));
}

static double as_bf16(const char *text)
{
    return bf16_to_double(bf16_from_double(strtod(text, NULL)));
}

static double as_f64(const char *text)
{
    return strtod(text, NULL);
}

/* The shortest of at least `precision` + 1 and at most so many digits that reads back as v. */
static const char *shortest(double v, int precision, int digits, double (*as)(const char *),
                            char out[NUM_TEXT])
{
    char text[NUM_TEXT];
    if (v != v || is_infinite(v))
        return unreal(v, out);
    for (; precision < digits; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, v);
        if (as(text) == v)
            break;
    }
    return lay_out(text, out);
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
enum { POWERS = sizeof powers / sizeof *powers };

/* Is it certain that v does not read back from so many digits? All numbers here are exact but two:
 * `scaled`, which matters only near a tie, and `near`, where a double lies between the decimal
 * number and any number halfway between two floats, unless it is that number. */
static bool is_too_short(float v, int precision, int exponent)
{
    const double size = v < 0 ? -(double)v : (double)v;
    const int shift = precision - exponent;
    const double scaled = shift < 0 ? size / powers[-shift] : size * powers[shift];
    const double whole = (double)(int64_t)scaled, rest = scaled - whole;
    const double digits = rest < 0.5 ? whole : whole + 1;
    const double near = shift < 0 ? digits * powers[-shift] : digits / powers[shift];
    uint64_t bits;
    memcpy(&bits, &near, sizeof bits);
    const bool halfway = (bits & 0x1fffffff) == 0x10000000;
    return (rest < 0.499 || rest > 0.501) && !halfway && (float)near != (v < 0 ? -v : v);
}

/* Writing digits and reading them takes long, so counts of digits are left out that are known to be
 * too few. */
const char *num_f32(float v, char out[NUM_TEXT])
{
    enum { DIGITS = 9 };
    const double size = v < 0 ? -(double)v : (double)v;
    int exponent = 0, precision = 0;
    if (size >= 1 && size < 1e9) {
        while (size >= powers[exponent + 1])
            exponent++;
        while (precision < DIGITS - 1 && is_too_short(v, precision, exponent))
            precision++;
    } else if (size > 1.1e-6 && size < 1) {
        while (size * powers[-exponent] < 1)
            exponent--;
        while (precision < DIGITS - 1 && is_too_short(v, precision, exponent))
            precision++;
    }
    return shortest((double)v, precision, DIGITS, as_f32, out);
}

const char *num_f16(uint16_t bits, char out[NUM_TEXT])
{
    return shortest(half_to_double(bits), 0, 5, as_f16, out);
}

const char *num_bf16(uint16_t bits, char out[NUM_TEXT])
{
    return shortest(bf16_to_double(bits), 0, 4, as_bf16, out);
}

const char *num_f64(double v, char out[NUM_TEXT])
{
    return shortest(v, 0, 17, as_f64, out);
}

const char *num_group(int64_t v, char out[NUM_TEXT])
{
    char digits[NUM_TEXT];
    uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    int n = snprintf(digits, sizeof digits, "%" PRIu64, size);
    char *o = out;
    if (v < 0)
        *o++ = '-';
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            *o++ = ',';
        *o++ = digits[i];
    }
    *o = '\0';
    return out;
}

bool num_whole(double v)
{
    return v > -1e15 && v < 1e15 && v == (double)(int64_t)v;
}

const char *num_value(float v, char out[NUM_TEXT])
{
    return num_whole((double)v) ? num_group((int64_t)v, out) : num_f32(v, out);
}

const char *num_rough(double v, char out[NUM_TEXT])
{
    double size = v < 0 ? -v : v;
    bool digits = size >= 99.5 && size < 1e6;
    if (v != v || is_infinite(v))
        return unreal(v, out);
    snprintf(out, NUM_TEXT, digits ? "%.0f" : "%.2g", v == 0 ? 0.0 : v);
    return out;
}

const char *num_count(uint64_t n, char out[NUM_TEXT])
{
    if (n > INT64_MAX) {
        snprintf(out, NUM_TEXT, "%" PRIu64, n);
        return out;
    }
    num_group((int64_t)n, out);
    if (n >= 1024 && (n & (n - 1)) == 0) {
        size_t used = strlen(out);
        snprintf(out + used, NUM_TEXT - used, " (2^%d)", __builtin_ctzll(n));
    }
    return out;
}

const char *num_seconds(double seconds, char out[NUM_TEXT])
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    while (unit < 3 && seconds > -0.99995 && seconds < 0.99995 && seconds != 0) {
        seconds *= 1000;
        unit++;
    }
    snprintf(out, NUM_TEXT, seconds >= 1000 || seconds <= -1000 ? "%.0f %s" : "%#.4g %s", seconds,
             units[unit]);
    return out;
}

const char *num_bytes(uint64_t bytes, char out[NUM_TEXT])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    int unit = 0;
    double size = (double)bytes;
    while (size >= 1024 && unit < 3) {
        size /= 1024;
        unit++;
    }
    bool whole = size == (double)(uint64_t)size;
    snprintf(out, NUM_TEXT, whole ? "%.0f %s" : "%.1f %s", size, units[unit]);
    return out;
}

const char *num_dims(const unsigned d[3], char out[DIMS_TEXT])
{
    if (d[2] != 1)
        snprintf(out, DIMS_TEXT, "dim3(%u,%u,%u)", d[0], d[1], d[2]);
    else if (d[1] != 1)
        snprintf(out, DIMS_TEXT, "dim3(%u,%u)", d[0], d[1]);
    else
        snprintf(out, DIMS_TEXT, "%u", d[0]);
    return out;
}
