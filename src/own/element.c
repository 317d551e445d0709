/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of element types, and how an element is read, written and compared. The host is little
 * endian wherever cudalab runs, so an element's bytes are those of the C type.
 */
#include "own/element.h"

#include "base/half.h"
#include "base/near.h"
#include "base/rounding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *npy, *others;
    unsigned size;
    enum element_kind kind;
} table[] = {
#define X(name, NAME, size, kind, npy, others) {#name, npy, others, size, KIND_##kind},
    ELEMENTS(X)
#undef X
};
enum { TYPES = sizeof table / sizeof table[0] };

const char *const element_names[] = {
#define X(name, NAME, size, kind, npy, others) #name,
    ELEMENTS(X)
#undef X
    NULL};

unsigned element_size(enum element t)
{
    return table[t].size;
}

enum element_kind element_kind(enum element t)
{
    return table[t].kind;
}

const char *element_npy(enum element t)
{
    return table[t].npy;
}

/* ---- names ---------------------------------------------------------------------------- */

/* The next of the names in a list with commas; NULL after the last. */
static const char *next_name(const char *names, char out[ELEMENT_NAME])
{
    size_t n = strcspn(names, ",");
    if (!*names || n >= ELEMENT_NAME)
        return NULL;
    memcpy(out, names, n);
    out[n] = '\0';
    return names + n + (names[n] == ',');
}

/* Makes "unsigned int" of "unsigned   int"; false: it is longer than any name. */
static bool one_blank_between(const char *text, char out[ELEMENT_NAME])
{
    size_t n = 0;
    text += strspn(text, " \t");
    while (*text) {
        size_t k = strcspn(text, " \t");
        const char *next = text + k + strspn(text + k, " \t");
        if (n + k + 2 > ELEMENT_NAME)
            return false;
        memcpy(out + n, text, k);
        n += k;
        if (*next)
            out[n++] = ' ';
        text = next;
    }
    out[n] = '\0';
    return true;
}

int element_named(const char *name, enum element *t)
{
    char wanted[ELEMENT_NAME], other[ELEMENT_NAME];
    if (!one_blank_between(name, wanted))
        return -1;
    for (int i = 0; i < TYPES; i++) {
        bool found = strcmp(table[i].name, wanted) == 0;
        for (const char *at = table[i].others; !found && (at = next_name(at, other));)
            found = strcmp(other, wanted) == 0;
        if (found) {
            *t = (enum element)i;
            return 0;
        }
    }
    return -1;
}

unsigned element_of_vector(const char *type, char name[ELEMENT_NAME])
{
    static const char *const bases[] = {"char", "uchar", "short", "ushort", "int", "uint", "long",
                                        "ulong", "longlong", "ulonglong", "float", "double",
                                        "half", "__half", "__nv_bfloat16", "nv_bfloat16",
                                        NULL};
    size_t n = strlen(type);
    snprintf(name, ELEMENT_NAME, "%s", type);
    if (n < 2 || n >= ELEMENT_NAME || type[n - 1] < '1' || type[n - 1] > '4')
        return 1;
    name[n - 1] = '\0';
    for (const char *const *b = bases; *b; b++)
        if (strcmp(name, *b) == 0)
            return (unsigned)(type[n - 1] - '0');
    name[n - 1] = type[n - 1];
    return 1;
}

int element_or_near(const char *name, enum element *t, struct err *e)
{
    struct near n = {.word = name};
    char other[ELEMENT_NAME];
    if (element_named(name, t) == 0)
        return 0;
    for (int i = 0; i < TYPES; i++) {
        near_try(&n, table[i].name);
        for (const char *at = table[i].others; (at = next_name(at, other));)
            near_try(&n, other);
    }
    if (n.best)
        return fail(e, "there is no type `%.60s`: did you mean %s?", name, n.best);
    return fail(e, "there is no type `%.60s`; take i8, u8, i16, u16, i32, u32, i64, u64, f16, "
                "bf16, f32 or f64, or C's name for it", name);
}

/* ---- values --------------------------------------------------------------------------- */

uint64_t element_whole(enum element t, const void *at)
{
    uint64_t v = 0;
    unsigned unused = 64 - 8 * table[t].size;
    memcpy(&v, at, table[t].size);
    if (table[t].kind == KIND_SIGNED && unused && v >> (63 - unused))
        v |= UINT64_MAX << (64 - unused);
    return v;
}

double element_real(enum element t, const void *at)
{
    uint16_t h;
    float f;
    double d;
    switch (t) {
    case ELEMENT_F16: memcpy(&h, at, sizeof h); return half_to_double(h);
    case ELEMENT_BF16: memcpy(&h, at, sizeof h); return bf16_to_double(h);
    case ELEMENT_F32: memcpy(&f, at, sizeof f); return (double)f;
    case ELEMENT_F64: memcpy(&d, at, sizeof d); return d;
    default: break;
    }
    uint64_t v = element_whole(t, at);
    return table[t].kind == KIND_SIGNED ? (double)(int64_t)v : (double)v;
}

void element_put_real(enum element t, double v, void *to)
{
    float f = (float)v;
    uint16_t h;
    if (t == ELEMENT_F16 || t == ELEMENT_BF16) {
        h = t == ELEMENT_F16 ? half_from_double(v) : bf16_from_double(v);
        memcpy(to, &h, sizeof h);
    } else if (t == ELEMENT_F32) {
        memcpy(to, &f, sizeof f);
    } else {
        memcpy(to, &v, sizeof v);
    }
}

void element_put_whole(enum element t, uint64_t v, void *to)
{
    memcpy(to, &v, table[t].size);
}

int element_order(enum element t, const void *a, const void *b)
{
    if (table[t].kind == KIND_FLOAT) {
        double x = element_real(t, a), y = element_real(t, b);
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    }
    uint64_t x = element_whole(t, a), y = element_whole(t, b);
    if (table[t].kind == KIND_UNSIGNED)
        return x < y ? -1 : x > y;
    return (int64_t)x < (int64_t)y ? -1 : (int64_t)x > (int64_t)y;
}

/* ---- text ----------------------------------------------------------------------------- */

/* Reads nan, inf and -inf; false: the text is none of them. */
static bool parse_unreal(const char *text, double *v)
{
    const char *bare = text + (*text == '-' || *text == '+');
    bool infinite = strcmp(bare, "inf") == 0 || strcmp(bare, "infinity") == 0;
    if (!infinite && strcmp(bare, "nan") != 0)
        return false;
    const uint64_t bits = infinite ? UINT64_C(0x7FF0000000000000) : UINT64_C(0x7FF8000000000000);
    memcpy(v, &bits, sizeof bits);
    if (*text == '-')
        *v = -*v;
    return true;
}

static int parse_float(enum element t, const char *text, void *to, struct err *e)
{
    double v;
    float f;
    if (parse_unreal(text, &v)) {
        element_put_real(t, v, to);
        return 0;
    }
    if (t == ELEMENT_F32) {
        if (num_real32(text, &f, e) != 0)
            return -1;
        memcpy(to, &f, sizeof f);
        return 0;
    }
    if (num_real(text, &v, e) != 0)
        return -1;
    element_put_real(t, v, to);
    const double rounded = element_real(t, to);
    if (rounded - rounded != 0)
        return fail(e, "%.60s is out of range: %s goes to %s", text, table[t].name,
                    t == ELEMENT_F16 ? "65504" : "3.39e38");
    if (v != 0 && rounded == 0)
        return fail(e, "%.60s is too near to zero for %s: at least %s", text, table[t].name,
                    t == ELEMENT_F16 ? "6e-8" : "9.2e-41");
    return 0;
}

int element_parse(enum element t, const char *text, void *to, struct err *e)
{
    const unsigned bits = 8 * table[t].size;
    struct err why;
    if (table[t].kind == KIND_FLOAT)
        return parse_float(t, text, to, e);
    if (table[t].kind == KIND_UNSIGNED) {
        uint64_t v, most = UINT64_MAX >> (64 - bits);
        if (num_uint(text, 0, most, &v, &why) != 0)
            return fail(e, "%s (%s is a whole number from 0 to %" PRIu64 ")", why.text,
                        table[t].name, most);
        element_put_whole(t, v, to);
        return 0;
    }
    int64_t v, most = (int64_t)(UINT64_MAX >> (65 - bits));
    if (num_int(text, -most - 1, most, &v, &why) != 0)
        return fail(e, "%s (%s is a whole number from %" PRId64 " to %" PRId64 ")", why.text,
                    table[t].name, -most - 1, most);
    element_put_whole(t, (uint64_t)v, to);
    return 0;
}

const char *element_text(enum element t, const void *at, char out[NUM_TEXT])
{
    uint16_t h;
    switch (t) {
    case ELEMENT_F16: memcpy(&h, at, sizeof h); return num_f16(h, out);
    case ELEMENT_BF16: memcpy(&h, at, sizeof h); return num_bf16(h, out);
    case ELEMENT_F32: return num_f32((float)element_real(t, at), out);
    case ELEMENT_F64: return num_f64(element_real(t, at), out);
    default: break;
    }
    uint64_t v = element_whole(t, at);
    if (table[t].kind == KIND_SIGNED)
        snprintf(out, NUM_TEXT, "%" PRId64, (int64_t)v);
    else
        snprintf(out, NUM_TEXT, "%" PRIu64, v);
    return out;
}

const char *element_hex(enum element t, const void *at, char out[NUM_TEXT])
{
    uint64_t v = 0;
    memcpy(&v, at, table[t].size);
    snprintf(out, NUM_TEXT, "0x%0*" PRIx64, (int)(2 * table[t].size), v);
    return out;
}

void element_json(struct json *j, const char *key, enum element t, const void *at)
{
    uint16_t h;
    switch (t) {
    case ELEMENT_F16:
        memcpy(&h, at, sizeof h);
        json_f16(j, key, h);
        return;
    case ELEMENT_BF16:
        memcpy(&h, at, sizeof h);
        json_bf16(j, key, h);
        return;
    case ELEMENT_F32: json_f32(j, key, (float)element_real(t, at)); return;
    case ELEMENT_F64: json_f64(j, key, element_real(t, at)); return;
    default: break;
    }
    if (table[t].kind == KIND_SIGNED)
        json_int(j, key, (int64_t)element_whole(t, at));
    else
        json_uint(j, key, element_whole(t, at));
}

double element_distance(enum element t, const void *a, const void *b)
{
    if (element_kind(t) == KIND_FLOAT)
        return magnitude_of(element_real(t, a) - element_real(t, b));
    uint64_t x = element_whole(t, a), y = element_whole(t, b);
    return (double)(element_order(t, a, b) < 0 ? y - x : x - y);
}
