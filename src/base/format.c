/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One conversion at a time: its stars are replaced by their numbers, its length modifiers by
 * what the host needs, and the host's own printf does the rest.
 */
#include "base/format.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static bool is_long(const char *spec, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (spec[i] == 'l' || spec[i] == 'j' || spec[i] == 'z' || spec[i] == 't')
            return true;
    return false;
}

/* The bytes that a width or a precision alone asks for. Of a text the precision only takes away. */
static size_t least_bytes(const char *spec, size_t n)
{
    size_t number = 0, most = 0;
    for (size_t i = 1; i < n; i++) {
        bool digit = spec[i] >= '0' && spec[i] <= '9';
        number = !digit ? 0 : number > SIZE_MAX / 20 ? number
                                                     : 10 * number + (size_t)(spec[i] - '0');
        if (spec[i] == '.' && spec[n - 1] == 's')
            break;
        most = number > most ? number : most;
    }
    return most;
}

/* Flags, width and precision without length modifiers, ready for the host's own printf. */
static void host_spec(char *out, size_t size, const char *spec, size_t n, const char *end)
{
    size_t k = 0;
    for (size_t i = 0; i + 1 < n && k + 8 < size; i++)
        if (!strchr("lhjztL", spec[i]))
            out[k++] = spec[i];
    snprintf(out + k, size - k, "%s", end);
}

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
static bool convert_text(const char *f, const char *text, size_t n, struct buf *out)
{
    char *copy = mem_alloc(&allocator_libc, n + 1); /* the device's text need not end in a NUL */
    if (!copy)
        return false;
    memcpy(copy, text, n);
    bool done = buf_printf(out, f, copy) == 0;
    mem_free(&allocator_libc, copy, n + 1);
    return done;
}

static bool convert(const struct format_source *a, const char *spec, size_t n, struct buf *out)
{
    char f[64], end[8] = {spec[n - 1], 0};
    uint64_t wide = 0;
    uint32_t word = 0;
    double real = 0;
    if (!buf_room(out, least_bytes(spec, n)))
        return false; /* the host's printf would pad it for seconds */
    switch (spec[n - 1]) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X':
        snprintf(end, sizeof end, "ll%c", spec[n - 1]);
        host_spec(f, sizeof f, spec, n, end);
        if (is_long(spec, n)) {
            if (!a->take(a->self, &wide, 8))
                return false;
        } else {
            if (!a->take(a->self, &word, 4))
                return false;
            bool sign = spec[n - 1] == 'd' || spec[n - 1] == 'i';
            int half = n > 3 && spec[n - 2] == 'h'   ? (spec[n - 3] == 'h' ? 2 : 1)
                       : n > 2 && spec[n - 2] == 'h' ? 1
                                                     : 0;
            if (half)
                word = half == 2 ? (sign ? (uint32_t)(int8_t)word : (uint8_t)word)
                                 : (sign ? (uint32_t)(int16_t)word : (uint16_t)word);
            wide = sign ? (uint64_t)(int64_t)(int32_t)word : word;
        }
        return buf_printf(out, f, (long long)wide) == 0;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        host_spec(f, sizeof f, spec, n, end);
        return a->take(a->self, &real, 8) && buf_printf(out, f, real) == 0;
    case 'c':
        host_spec(f, sizeof f, spec, n, end);
        return a->take(a->self, &word, 4) && buf_printf(out, f, (int)(unsigned char)word) == 0;
    case 'p':
        return a->take(a->self, &wide, 8) &&
               buf_printf(out, "0x%llx", (unsigned long long)wide) == 0;
    case 's': {
        size_t length;
        if (!a->take(a->self, &wide, 8))
            return false;
        const char *text = a->text(a->self, wide, &length);
        host_spec(f, sizeof f, spec, n, end);
        return convert_text(f, text ? text : "(null)", text ? length : 6, out);
    }
    default: return buf_add(out, spec, n) == 0;
    }
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* A `*` in a specification takes an int from the arguments. A negative precision is none. */
static size_t resolve_stars(const struct format_source *a, const char *spec, size_t n, char *out,
                            size_t size)
{
    size_t k = 0;
    for (size_t i = 0; i < n && k + 14 < size; i++) {
        int32_t v;
        if (spec[i] == '*' && a->take(a->self, &v, 4)) {
            bool none = v < 0 && k && out[k - 1] == '.';
            k -= none;
            k += none ? 0 : (size_t)snprintf(out + k, size - k, "%d", v);
        } else if (spec[i] != '*') {
            out[k++] = spec[i];
        }
    }
    out[k] = 0;
    return k;
}

/* A device's printf returns how many arguments it took. */
struct counted {
    const struct format_source *from;
    int taken;
};

static bool take_counted(void *self, void *out, size_t bytes)
{
    struct counted *c = self;
    c->taken++;
    return c->from->take(c->from->self, out, bytes);
}

static const char *text_of(void *self, uint64_t address, size_t *length)
{
    const struct counted *c = self;
    return c->from->text(c->from->self, address, length);
}

int format_like_printf(const struct format_source *from, const char *text, size_t n,
                       struct buf *out)
{
    struct counted counted = {from, 0};
    const struct format_source itself = {take_counted, text_of, &counted}, *a = &itself;
    for (size_t i = 0; i < n; i++) {
        size_t end = i + 1;
        char spec[64];
        if (text[i] != '%') {
            buf_putc(out, text[i]);
            continue;
        }
        if (end < n && text[end] == '%') {
            buf_putc(out, '%');
            i = end;
            continue;
        }
        while (end < n && strchr("-+ #0123456789.*lhjztL", text[end]))
            end++;
        if (end >= n) {
            buf_add(out, text + i, n - i);
            break;
        }
        size_t k = resolve_stars(a, text + i, end + 1 - i, spec, sizeof spec);
        if (k == 0 || !convert(a, spec, k, out))
            break;
        i = end;
    }
    return counted.taken;
}
