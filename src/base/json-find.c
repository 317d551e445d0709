/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values are skipped, not stored: a text ends at its quote, an object or array at the bracket of
 * its own depth, anything else before a comma or bracket.
 */
#include "base/json-find.h"

#include "base/json-check.h"
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

static void skip_blanks(struct json_walk *r)
{
    while (r->at < r->end && (is_blank(*r->at) || *r->at == '\n'))
        r->at++;
}

static bool take(struct json_walk *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static void skip_text(struct json_walk *r)
{
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++)
        r->at += *r->at == '\\' && r->at + 1 < r->end;
    r->at += r->at < r->end;
}

static struct span take_value(struct json_walk *r)
{
    unsigned depth = 0;
    skip_blanks(r);
    const char *begin = r->at;
    while (r->at < r->end) {
        const char c = *r->at;
        if (!depth && (c == ',' || c == ']' || c == '}'))
            break;
        if (c == '"') {
            skip_text(r);
        } else {
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            r->at++;
        }
    }
    return trim((struct span){begin, (size_t)(r->at - begin)});
}

/* ---- from one to the next ---------------------------------------------------------------- */

struct json_walk json_walk(struct span value)
{
    return (struct json_walk){value.at, value.at + value.n, true};
}

/* Is there another one behind the bracket, or behind the comma? */
static bool goes_on(struct json_walk *r, char bracket)
{
    const bool more = take(r, r->first ? bracket : ',');
    r->first = false;
    return more;
}

bool json_next_member(struct json_walk *r, struct span *name, struct span *value)
{
    if (!goes_on(r, '{'))
        return false;
    skip_blanks(r);
    if (r->at == r->end || *r->at != '"')
        return false;
    const char *begin = r->at;
    skip_text(r);
    *name = (struct span){begin + 1, (size_t)(r->at - begin) - 2};
    if (!take(r, ':'))
        return false;
    *value = take_value(r);
    return true;
}

bool json_next_element(struct json_walk *r, struct span *value)
{
    while (goes_on(r, '[')) {
        *value = take_value(r);
        if (value->n)
            return true;
    }
    return false;
}

/* ---- one of them ------------------------------------------------------------------------- */

bool json_member(struct span object, unsigned k, struct span *name, struct span *value)
{
    struct json_walk walk = json_walk(object);
    while (json_next_member(&walk, name, value))
        if (k-- == 0)
            return true;
    return false;
}

static bool find_member(struct span object, struct span name, struct span *value)
{
    struct json_walk walk = json_walk(object);
    struct span is;
    while (json_next_member(&walk, &is, value))
        if (is.n == name.n && memcmp(is.at, name.at, name.n) == 0)
            return true;
    return false;
}

bool json_element(struct span array, unsigned k, struct span *value)
{
    struct json_walk walk = json_walk(array);
    while (json_next_element(&walk, value))
        if (k-- == 0)
            return true;
    return false;
}

static bool find_step(struct span from, struct span step, struct span *value)
{
    unsigned k = 0;
    for (size_t i = 0; i < step.n; i++)
        if (!is_digit(step.at[i]) || k > 1u << 20)
            return find_member(from, step, value);
        else
            k = 10 * k + (unsigned)(step.at[i] - '0');
    return step.n && json_element(from, k, value);
}

bool json_find(struct span json, struct span path, struct span *value)
{
    *value = json;
    while (path.n) {
        const char *dot = memchr(path.at, '.', path.n);
        const size_t n = dot ? (size_t)(dot - path.at) : path.n;
        if (!find_step(*value, (struct span){path.at, n}, value))
            return false;
        path = (struct span){path.at + n + (dot != NULL), path.n - n - (dot != NULL)};
    }
    return true;
}

bool json_at(struct span json, const char *path, struct span *value)
{
    return json_find(json, (struct span){path, strlen(path)}, value);
}

bool json_has(struct span json, const char *path)
{
    struct span value;
    return json_at(json, path, &value);
}

/* One escape, whose backslash is at i; returns the place of its last byte. */
static size_t put_escape(struct span text, size_t i, struct buf *out)
{
    static const char letters[] = "nrtbf", means[] = "\n\r\t\b\f";
    const char c = text.at[i + 1];
    const char *letter = strchr(letters, c);
    if (c != 'u') {
        buf_putc(out, letter ? means[letter - letters] : c);
        return i + 1;
    }
    char bytes[UTF8_MOST];
    uint32_t code;
    const size_t n = json_unicode(text.at + i + 2, text.at + text.n, &code);
    buf_add(out, bytes, utf8_put(n ? code : 0xFFFD, bytes));
    return i + 1 + n;
}

int json_string(struct span value, struct buf *out)
{
    if (value.n < 2 || value.at[0] != '"')
        return -1;
    const struct span text = {value.at, value.n - 1}; /* without the last quote */
    for (size_t i = 1; i < text.n; i++)
        if (text.at[i] == '\\' && i + 1 < text.n)
            i = put_escape(text, i, out);
        else
            buf_putc(out, text.at[i]);
    return 0;
}

void json_plain(struct span value, struct buf *out)
{
    if (!begins(value, "\"")) {
        buf_add(out, value.at, value.n);
        return;
    }
    for (size_t i = 1; i + 1 < value.n; i++) {
        const bool escaped = value.at[i] == '\\' && i + 2 < value.n;
        i += escaped;
        buf_putc(out, escaped && value.at[i] == 'n' ? ' ' : value.at[i]);
    }
}
