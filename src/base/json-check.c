/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
<<<<<<< HEAD
 * Each function takes one part of the grammar from the front of the text. Nesting is kept as a row
 * of brackets, so a deep text needs no deep stack.
=======
 * Each function passes what it reads, and returns false where the text is not JSON; then `at` is
 * the place.
>>>>>>> reports
 */
#include "base/json-check.h"

#include "base/utf8.h"

#include <string.h>

<<<<<<< HEAD
static void skip_blanks(struct span *s)
{
    while (s->n && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
        s->at++, s->n--;
}

static bool take_char(struct span *s, char c)
{
    if (!s->n || *s->at != c)
        return false;
    s->at++, s->n--;
    return true;
}

static bool take_digits(struct span *s)
{
    if (!s->n || !is_digit(*s->at))
        return false;
    while (s->n && is_digit(*s->at))
        s->at++, s->n--;
    return true;
}

static bool take_number(struct span *s)
{
    take_char(s, '-');
    if (!take_char(s, '0') && !take_digits(s))
        return false;
    if (take_char(s, '.') && !take_digits(s))
        return false;
    if (!take_char(s, 'e') && !take_char(s, 'E'))
        return true;
    if (!take_char(s, '+'))
        take_char(s, '-');
    return take_digits(s);
}

static bool take_escape(struct span *s)
{
    if (!s->n)
        return false;
    const char c = *s->at;
    s->at++, s->n--;
    for (int i = 0; c == 'u' && i < 4; i++, s->at++, s->n--)
        if (!s->n || hex_value(*s->at) < 0)
            return false;
    return c == 'u' || (c && strchr("\"\\/bfnrt", c));
}

static bool take_text(struct span *s)
{
    if (!take_char(s, '"'))
        return false;
    while (!take_char(s, '"')) {
        uint32_t code;
        const size_t n = s->n ? utf8_next(s->at, s->n, &code) : 0;
        if (!n || code < 0x20)
            return false;
        s->at += n, s->n -= n;
        if (code == '\\' && !take_escape(s))
            return false;
    }
    return true;
}

static bool take_word(struct span *s)
{
    static const char *const words[] = {"true", "false", "null", NULL};
    for (const char *const *w = words; *w; w++)
        if (begins(*s, *w)) {
            s->at += strlen(*w), s->n -= strlen(*w);
            return true;
        }
    return false;
}

/* A value that holds no others. */
static bool take_plain(struct span *s)
{
    return s->n && (*s->at == '"' ? take_text(s)
                                  : *s->at == '-' || is_digit(*s->at) ? take_number(s) : take_word(s));
}

static bool take_name(struct span *s)
{
    skip_blanks(s);
    if (!take_text(s))
        return false;
    skip_blanks(s);
    return take_char(s, ':');
}

/* Takes the brackets that close after a value, up to the comma before the next one. */
static bool close_brackets(struct span *s, const char *open, unsigned *depth)
{
    while (*depth) {
        const char kind = open[*depth - 1];
        skip_blanks(s);
        if (take_char(s, ','))
            return kind == '[' || take_name(s);
        if (!take_char(s, kind == '[' ? ']' : '}'))
            return false;
        --*depth;
=======
struct json_reading {
    const char *at, *end;
    int depth;
    const char *why;
};

static bool stop(struct json_reading *r, const char *why)
{
    if (!r->why)
        r->why = why;
    return false;
}

static void pass_blanks(struct json_reading *r)
{
    while (r->at < r->end && (is_blank(*r->at) || *r->at == '\n'))
        r->at++;
}

static bool sees(const struct json_reading *r, char c)
{
    return r->at < r->end && *r->at == c;
}

static bool pass(struct json_reading *r, char c)
{
    if (!sees(r, c))
        return false;
    r->at++;
    return true;
}

/* ---- texts ------------------------------------------------------------------------------- */

/* Four digits behind \u; -1: they are not there. */
static long read_unit(const char *at, const char *end)
{
    long unit = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        const int digit = hex_value(at[i]);
        if (digit < 0)
            return -1;
        unit = 16 * unit + digit;
    }
    return unit;
}

/* The character that \uXXXX or two of them stand for, from the first X on. Returns the bytes, 0:
 * none, or half of a pair. */
static size_t read_code(const char *at, const char *end, uint32_t *code)
{
    const long first = read_unit(at, end);
    *code = (uint32_t)first;
    if (first < 0 || (first >= 0xDC00 && first <= 0xDFFF))
        return 0;
    if (first < 0xD800 || first > 0xDFFF)
        return 4;
    const long second =
        end - at >= 6 && at[4] == '\\' && at[5] == 'u' ? read_unit(at + 6, end) : -1;
    if (second < 0xDC00 || second > 0xDFFF)
        return 0;
    *code = 0x10000 + (((uint32_t)first - 0xD800) << 10) + ((uint32_t)second - 0xDC00);
    return 10;
}

static bool pass_escape(struct json_reading *r)
{
    uint32_t code;
    if (pass(r, 'u')) {
        const size_t n = read_code(r->at, r->end, &code);
        r->at += n;
        return n || stop(r, "\\u needs four hexadecimal digits, and both halves of a pair");
    }
    if (r->at == r->end || !strchr("\"\\/bfnrt", *r->at) || !*r->at)
        return stop(r, "a text has a wrong escape");
    r->at++;
    return true;
}

static bool pass_character(struct json_reading *r)
{
    uint32_t code;
    if (pass(r, '\\'))
        return pass_escape(r);
    if ((unsigned char)*r->at < 0x20)
        return stop(r, "a text has a control character");
    const size_t n = utf8_next(r->at, (size_t)(r->end - r->at), &code);
    r->at += n;
    return n || stop(r, "a text has a byte that is not UTF-8");
}

static bool pass_string(struct json_reading *r)
{
    if (!pass(r, '"'))
        return stop(r, "a text in quotes is missing");
    while (!sees(r, '"')) {
        if (r->at == r->end)
            return stop(r, "a text is not closed");
        if (!pass_character(r))
            return false;
    }
    r->at++;
    return true;
}

/* ---- numbers and words ------------------------------------------------------------------- */

static bool pass_digits(struct json_reading *r)
{
    const char *begin = r->at;
    while (r->at < r->end && is_digit(*r->at))
        r->at++;
    return r->at > begin || stop(r, "a digit is missing");
}

static bool pass_number(struct json_reading *r)
{
    pass(r, '-');
    if (!pass(r, '0') && !pass_digits(r))
        return false;
    if (pass(r, '.') && !pass_digits(r))
        return false;
    if (pass(r, 'e') || pass(r, 'E')) {
        if (!pass(r, '+'))
            pass(r, '-');
        return pass_digits(r);
>>>>>>> reports
    }
    return true;
}

<<<<<<< HEAD
bool json_is_valid(struct span s)
{
    char open[JSON_DEPTH_MOST];
    unsigned depth = 0;
    do {
        skip_blanks(&s);
        const char c = s.n ? *s.at : '\0';
        if (c != '[' && c != '{') {
            if (!take_plain(&s) || !close_brackets(&s, open, &depth))
                return false;
            continue;
        }
        if (depth == JSON_DEPTH_MOST)
            return false;
        open[depth++] = c;
        s.at++, s.n--;
        skip_blanks(&s);
        if (s.n && *s.at == (c == '[' ? ']' : '}')) {
            if (!close_brackets(&s, open, &depth))
                return false;
        } else if (c == '{' && !take_name(&s)) {
            return false;
        }
    } while (depth);
    skip_blanks(&s);
    return !s.n;
}

bool json_is_object(struct span s)
{
    skip_blanks(&s);
    return begins(s, "{") && json_is_valid(s);
=======
static bool pass_word(struct json_reading *r)
{
    static const char *const words[] = {"true", "false", "null"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i]);
        if ((size_t)(r->end - r->at) >= n && memcmp(r->at, words[i], n) == 0) {
            r->at += n;
            return true;
        }
    }
    return stop(r, "a value is missing");
}

/* ---- values ------------------------------------------------------------------------------ */

static bool pass_value(struct json_reading *);

static bool pass_item(struct json_reading *r, char end)
{
    pass_blanks(r);
    if (end == ']')
        return pass_value(r);
    if (!pass_string(r))
        return false;
    pass_blanks(r);
    return pass(r, ':') ? pass_value(r) : stop(r, "a colon is missing");
}

static bool pass_items(struct json_reading *r, char end)
{
    if (++r->depth > JSON_DEPTH_MOST)
        return stop(r, "it is nested too deeply");
    r->at++;
    pass_blanks(r);
    if (!sees(r, end))
        do {
            if (!pass_item(r, end))
                return false;
            pass_blanks(r);
        } while (pass(r, ','));
    r->depth--;
    return pass(r, end) ||
           stop(r, end == '}' ? "a comma or } is missing" : "a comma or ] is missing");
}

static bool pass_value(struct json_reading *r)
{
    pass_blanks(r);
    if (sees(r, '{'))
        return pass_items(r, '}');
    if (sees(r, '['))
        return pass_items(r, ']');
    if (sees(r, '"'))
        return pass_string(r);
    return r->at < r->end && (*r->at == '-' || is_digit(*r->at)) ? pass_number(r) : pass_word(r);
}

int json_check(struct span text, struct err *e)
{
    struct json_reading r = {.at = text.at, .end = text.at + text.n};
    bool good = pass_value(&r);
    pass_blanks(&r);
    if (good && r.at < r.end)
        good = stop(&r, "something follows its end");
    if (good)
        return 0;
    int line = 1;
    const char *begin = text.at;
    for (const char *at = text.at; at < r.at; at++)
        if (*at == '\n') {
            line++;
            begin = at + 1;
        }
    return fail_at(e, line, (int)(r.at - begin) + 1, "line %d, column %d is not JSON: %s", line,
                   (int)(r.at - begin) + 1, r.why);
}

/* ---- the characters of a text ------------------------------------------------------------- */

static void put_code(struct buf *out, uint32_t code)
{
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const int n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    buf_putc(out, (char)(n == 1 ? code : lead[n] | code >> 6 * (n - 1)));
    for (int i = n - 2; i >= 0; i--)
        buf_putc(out, (char)(0x80 | (code >> 6 * i & 0x3F)));
}

int json_string(struct span value, struct buf *out)
{
    static const char names[] = "\bb\ff\nn\rr\tt";
    const char *at = value.at + 1, *end = value.at + value.n - 1;
    if (value.n < 2 || *value.at != '"')
        return -1;
    while (at < end) {
        uint32_t code;
        const char *stop_at = memchr(at, '\\', (size_t)(end - at));
        const size_t plain = (size_t)((stop_at ? stop_at : end) - at);
        buf_add(out, at, plain);
        at += plain;
        if (at == end)
            break;
        if (at[1] == 'u') {
            at += 2 + read_code(at + 2, end, &code);
            put_code(out, code);
        } else {
            const char *name = strchr(names, at[1]);
            buf_putc(out, name ? name[-1] : at[1]);
            at += 2;
        }
    }
    return 0;
>>>>>>> reports
}
