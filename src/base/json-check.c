/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each function passes what it reads, and returns false where the text is not JSON; then `at` is
 * the place.
 */
#include "base/json-check.h"

#include "base/utf8.h"

#include <string.h>

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

size_t json_unicode(const char *at, const char *end, uint32_t *code)
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
        const size_t n = json_unicode(r->at, r->end, &code);
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
    }
    return true;
}

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
