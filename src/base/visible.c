/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table of characters that are not shown as they are. Joiners stay, which some scripts and
 * many signs need. A byte that is no UTF-8 is shown by its number, since some terminals take it
 * for a control character.
 */
#include "base/visible.h"

#include "base/lines.h"
#include "base/utf8.h"

#include <string.h>

static const struct code_range hidden[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},     {0x180E, 0x180E},
    {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},   {0xFEFF, 0xFEFF},
    {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0001, 0xE0001},
};

bool visible_hides(uint32_t code)
{
    return utf8_in(code, hidden, sizeof hidden / sizeof hidden[0]);
}

size_t visible_colour(const char *text, size_t n)
{
    size_t k = 2;
    if (n < 3 || text[0] != '\033' || text[1] != '[')
        return 0;
    while (k < n && (text[k] == ';' || is_digit(text[k])))
        k++;
    return k < n && text[k] == 'm' ? k + 1 : 0;
}

/* Bytes of a character that stays as it is; 0: *code is to be escaped. */
static size_t stays(const char *text, size_t n, unsigned keeps, uint32_t *code)
{
    const unsigned char c = (unsigned char)text[0];
    if (c >= 0x20 && c < 0x7F)
        return 1;
    if ((keeps & VISIBLE_LINES) && (c == '\n' || c == '\t'))
        return 1;
    if ((keeps & VISIBLE_COLOURS) && c == 033 && visible_colour(text, n))
        return visible_colour(text, n);
    size_t length = utf8_next(text, n, code);
    return length && !visible_hides(*code) ? length : 0;
}

size_t visible_plain(const char *text, size_t n, unsigned keeps)
{
    uint32_t code;
    size_t at = 0, length = 1;
    while (at < n && length) {
        length = stays(text + at, n - at, keeps, &code);
        at += length;
    }
    return at;
}

/* One character, or a byte that is none. Returns its bytes. */
static size_t put_escape(struct buf *out, const char *text, size_t n)
{
    static const char short_names[] = "\aa\bb\tt\nn\vv\ff\rr";
    uint32_t code;
    size_t length = utf8_next(text, n, &code);
    if (!length)
        code = (unsigned char)text[0];
    const char *name = code && code < 0x20 ? strchr(short_names, (int)code) : NULL;
    if (name)
        buf_printf(out, "\\%c", name[1]);
    else if (!length || code < 0x80)
        buf_printf(out, "\\x%02x", (unsigned)code);
    else
        buf_printf(out, code > 0xFFFF ? "\\U%08x" : "\\u%04x", (unsigned)code);
    return length ? length : 1;
}

void visible_add(struct buf *out, const char *text, size_t n, unsigned keeps)
{
    for (size_t at = 0; at < n;) {
        size_t plain = visible_plain(text + at, n - at, keeps);
        buf_add(out, text + at, plain);
        at += plain;
        if (at < n)
            at += put_escape(out, text + at, n - at);
    }
}
