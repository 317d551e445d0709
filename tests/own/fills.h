/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directives of a test kernel and what they mean for memory, shared by the
 * references (reference.h) and by the runner for a GPU (tests/gpu/own.c).
 *
 * A test is NAME.cu; each line `//! WORDS` in it is one directive, in order:
 *   array NAME TYPE COUNT [FILL]     variable NAME TYPE COUNT [FILL]
 *   fill NAME FILL                   launch K<<<GRID,BLOCK[,SHARED]>>>(ARGS)
 *   expect NAME [RTOL [ATOL]]        output TEXT          needs toolkit
 * `variable` names a module variable with the value it has once loaded; it is
 * no cudalab command, nor are the three on the last line.
 * Nothing here is taken from the program under test: the fills are written
 * anew from what is promised about them. Any mistake ends with status 2.
 */
#ifndef OWN_FILLS_H
#define OWN_FILLS_H

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIRECTIVES = 256, MAX_ARRAYS = 64, SEED = 1 };

struct directive {
    char word[16];
    char *rest;
};

struct own_array {
    char name[64];
    char type[8];
    size_t count, size; /* elements, bytes of one */
    int variable;       /* belongs to the module */
    int filled;         /* has been given bytes by a directive */
    unsigned char *data;
};

struct plan {
    const char *path;
    size_t directives, arrays;
    struct directive directive[MAX_DIRECTIVES];
    struct own_array array[MAX_ARRAYS];
};

static inline void die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(2);
}

static inline void *get_memory(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p)
        die("out of memory");
    return p;
}

/* ---- numbers ---- */

static inline uint16_t half_from_double(double value)
{
    uint16_t sign = 0;
    if (value < 0 || (value == 0 && 1 / value < 0)) {
        sign = 0x8000;
        value = -value;
    }
    if (value != value)
        return 0x7fff;
    if (value >= 65520)
        return sign | 0x7c00;
    int exponent = 0; /* value = m * 2^exponent, 1 <= m < 2 */
    double m = value;
    while (m >= 2) {
        m /= 2;
        exponent++;
    }
    while (m < 1 && exponent > -14) {
        m *= 2;
        exponent--;
    }
    double scaled = m * 1024; /* the hidden bit is 1024 where m >= 1 */
    uint32_t units = (uint32_t)scaled;
    double left = scaled - units;
    if (left > 0.5 || (left == 0.5 && (units & 1)))
        units++;
    return sign | (uint16_t)(units + ((uint32_t)(exponent + 14) << 10));
}

static inline double half_to_double(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    double m = bits & 1023;
    if (exponent == 31) {
        static const double zero = 0;
        m = m != 0 ? zero / zero : 1 / zero;
    } else {
        if (exponent)
            m += 1024;
        else
            exponent = 1;
        m /= 33554432.0; /* 2^25 = 2^15 * 2^10 */
        while (exponent--)
            m *= 2;
    }
    return bits & 0x8000 ? -m : m;
}

static inline void philox(uint32_t seed, uint64_t index, uint32_t out[4])
{
    uint32_t c[4] = {(uint32_t)index, (uint32_t)(index >> 32), 0, 0};
    uint32_t key[2] = {seed, 0};
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
        uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ key[0], (uint32_t)b,
                            (uint32_t)(a >> 32) ^ c[3] ^ key[1], (uint32_t)a};
        memcpy(c, next, sizeof c);
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    memcpy(out, c, sizeof c);
}

static inline uint64_t high_product(uint64_t a, uint64_t b)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32);
    uint64_t cross = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (cross >> 32);
}

/* ---- arrays ---- */

static inline size_t type_size(const char *type)
{
    static const struct {
        const char *name;
        size_t size;
    } table[] = {
        {"i8", 1},  {"u8", 1},  {"i16", 2}, {"u16", 2}, {"f16", 2}, {"i32", 4},
        {"u32", 4}, {"f32", 4}, {"i64", 8}, {"u64", 8}, {"f64", 8},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, type))
            return table[i].size;
    return 0;
}

static inline struct own_array *find_array(struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->arrays; i++)
        if (!strcmp(plan->array[i].name, name))
            return &plan->array[i];
    return NULL;
}

static inline void put_integer(struct own_array *a, size_t i, uint64_t value)
{
    if (a->type[0] == 'f')
        die("%s: an integer for a float", a->name);
    for (size_t b = 0; b < a->size; b++)
        a->data[i * a->size + b] = (unsigned char)(value >> 8 * b);
}

static inline void put_real(struct own_array *a, size_t i, double value)
{
    float single = (float)value;
    uint16_t half = half_from_double(value);
    if (!strcmp(a->type, "f64"))
        memcpy(a->data + i * 8, &value, 8);
    else if (!strcmp(a->type, "f32"))
        memcpy(a->data + i * 4, &single, 4);
    else
        memcpy(a->data + i * 2, &half, 2);
}

static inline void put_text(struct own_array *a, size_t i, const char *text)
{
    char *end;
    if (a->type[0] == 'f')
        put_real(a, i, strtod(text, &end));
    else if (text[0] == '-')
        put_integer(a, i, (uint64_t)strtoll(text, &end, 0));
    else
        put_integer(a, i, strtoull(text, &end, 0));
    if (end == text || (*end && *end != ','))
        die("%s: bad number %s", a->name, text);
}

static inline void fill_list(struct own_array *a, const char *text)
{
    size_t given = 0;
    for (const char *p = text; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        if (given == a->count)
            die("%s: the list is too long", a->name);
        put_text(a, given++, p);
    }
    for (size_t i = given; i < a->count; i++)
        memcpy(a->data + i * a->size, a->data + (i - given) * a->size, a->size);
}

static inline void fill_random(struct own_array *a, const char *range)
{
    double lo = 0, hi = 1;
    long long first = 0, last = 99;
    const char *whole = a->type[0] == 'u' ? "%llu:%llu" : "%lld:%lld";
    if (range && (sscanf(range, "%lf:%lf", &lo, &hi) != 2 ||
                  (a->type[0] != 'f' && sscanf(range, whole, &first, &last) != 2)))
        die("%s: bad range %s", a->name, range);
    for (size_t i = 0; i < a->count; i++) {
        uint32_t w[4];
        philox(SEED, i, w);
        uint64_t both = (uint64_t)w[1] << 32 | w[0];
        if (!strcmp(a->type, "f64"))
            put_real(a, i, lo + (double)(both >> 11) / 9007199254740992.0 * (hi - lo));
        else if (a->type[0] == 'f')
            put_real(a, i, lo + (double)(w[0] >> 8) / 16777216.0 * (hi - lo));
        else
            put_integer(a, i,
                        (uint64_t)first + high_product(both, (uint64_t)last - (uint64_t)first + 1));
    }
}

static inline void fill_file(struct own_array *a, const char *path)
{
    size_t bytes = a->count * a->size;
    FILE *file = fopen(path, "rb");
    if (!file || fread(a->data, 1, bytes, file) != bytes || fgetc(file) != EOF)
        die("%s: %s has not exactly %zu bytes", a->name, path, bytes);
    fclose(file);
}

static inline void fill_array(struct own_array *a, const char *fill)
{
    a->filled = 1;
    if (!strcmp(fill, "zero"))
        memset(a->data, 0, a->count * a->size);
    else if (!strcmp(fill, "iota"))
        for (size_t i = 0; i < a->count; i++)
            if (a->type[0] == 'f')
                put_real(a, i, (double)i);
            else
                put_integer(a, i, i);
    else if (!strncmp(fill, "value:", 6))
        for (size_t i = 0; i < a->count; i++)
            put_text(a, i, fill + 6);
    else if (!strncmp(fill, "list:", 5))
        fill_list(a, fill + 5);
    else if (!strcmp(fill, "random"))
        fill_random(a, NULL);
    else if (!strncmp(fill, "random:", 7))
        fill_random(a, fill + 7);
    else if (!strncmp(fill, "file:", 5))
        fill_file(a, fill + 5);
    else
        die("%s: unknown fill %s", a->name, fill);
}

/* `NAME TYPE COUNT [FILL]`; an array of the same name is replaced */
static inline struct own_array *make_array(struct plan *plan, const char *rest, int variable)
{
    char name[64], type[16], fill[512] = "";
    size_t count;
    if (sscanf(rest, "%63s %15s %zu %511s", name, type, &count, fill) < 3)
        die("%s: bad array: %s", plan->path, rest);
    if (!strcmp(type, "int"))
        strcpy(type, "i32");
    if (!strcmp(type, "float"))
        strcpy(type, "f32");
    if (!strcmp(type, "double"))
        strcpy(type, "f64");
    if (!type_size(type))
        die("%s: no type %s", plan->path, type);
    struct own_array *a = find_array(plan, name);
    if (!a) {
        if (plan->arrays == MAX_ARRAYS)
            die("%s: too many arrays", plan->path);
        a = &plan->array[plan->arrays++];
    }
    free(a->data);
    memset(a, 0, sizeof *a);
    strcpy(a->name, name);
    strcpy(a->type, type);
    a->count = count;
    a->size = type_size(type);
    a->variable = variable;
    a->data = get_memory(count * a->size);
    if (fill[0])
        fill_array(a, fill);
    return a;
}

/* `NAME FILL` */
static inline struct own_array *fill_named(struct plan *plan, const char *rest)
{
    char name[64], fill[512];
    if (sscanf(rest, "%63s %511s", name, fill) != 2)
        die("%s: bad fill: %s", plan->path, rest);
    struct own_array *a = find_array(plan, name);
    if (!a)
        die("%s: no array %s", plan->path, name);
    fill_array(a, fill);
    return a;
}

/* ---- the file ---- */

static inline void read_plan(struct plan *plan, const char *path)
{
    static char line[4096];
    memset(plan, 0, sizeof *plan);
    plan->path = path;
    FILE *file = fopen(path, "r");
    if (!file)
        die("%s: cannot be read", path);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (strncmp(line, "//! ", 4))
            continue;
        if (plan->directives == MAX_DIRECTIVES)
            die("%s: too many directives", path);
        struct directive *d = &plan->directive[plan->directives++];
        size_t length = strcspn(line + 4, " ");
        if (length >= sizeof d->word)
            die("%s: unknown directive: %s", path, line);
        memcpy(d->word, line + 4, length);
        const char *rest = line + 4 + length;
        rest += *rest == ' ';
        d->rest = get_memory(strlen(rest) + 1);
        strcpy(d->rest, rest);
    }
    fclose(file);
}

static inline void write_raw(const struct own_array *a, const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.raw", folder, a->name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(a->data, a->size, a->count, file) != a->count || fclose(file))
        die("%s: cannot be written", path);
}

#endif
