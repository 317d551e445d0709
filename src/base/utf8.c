/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading and writing UTF-8 as RFC 3629 has it. What to do about bytes that are none is each
 * caller's own: they are refused, replaced, or take a column.
 */
#include "base/utf8.h"

size_t utf8_next(const char *text, size_t n, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    size_t size = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0;
    if (size == 0 || size > n)
        return 0;
    uint32_t c = size == 1 ? *s : *s & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        c = c << 6 | (s[i] & 0x3Fu);
    }
    bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    if (c < least[size] || c > 0x10FFFF || surrogate)
        return 0;
    *code = c;
    return size;
}

size_t utf8_put(uint32_t code, char *to)
{
    static const unsigned char first[UTF8_MOST] = {0, 0xC0, 0xE0, 0xF0};
    const size_t more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)(first[more] | code >> 6 * more);
    for (size_t i = more; i-- > 0;)
        *to++ = (char)(0x80 | (code >> 6 * i & 0x3F));
    return more + 1;
}

bool utf8_in(uint32_t code, const struct code_range *ranges, size_t count)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t half = from + (to - from) / 2;
        if (code > ranges[half].last)
            from = half + 1;
        else
            to = half;
    }
    return from < count && code >= ranges[from].first;
}
