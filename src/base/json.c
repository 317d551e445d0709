/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The JSON writer. It keeps one bit: whether a value stands before the next one. That is
 * enough, since after a closing bracket a value always stands before. It doesn't check that
 * brackets match; a test that reads the output does.
 */
#include "base/json.h"

#include "base/lines.h"
#include "base/num.h"
#include "base/utf8.h"
#include "base/visible.h"

#include <inttypes.h>
#include <string.h>

void json_begin(struct json *j, struct buf *out)
{
    j->out = out;
    j->comma = false;
}

/* One character of a string, of so many bytes. */
static void put_plain(struct buf *out, const char *s, size_t length, uint32_t code)
{
    switch (s[0]) {
    case '"': buf_puts(out, "\\\""); return;
    case '\\': buf_puts(out, "\\\\"); return;
    case '\n': buf_puts(out, "\\n"); return;
    case '\t': buf_puts(out, "\\t"); return;
    case '\r': buf_puts(out, "\\r"); return;
    default: break;
    }
    if (visible_hides(code) && code > 0xFFFF) /* as the two halves of UTF-16 */
        buf_printf(out, "\\u%04x\\u%04x", (unsigned)(0xD800 + ((code - 0x10000) >> 10)),
                   (unsigned)(0xDC00 + (code & 0x3FF)));
    else if (visible_hides(code))
        buf_printf(out, "\\u%04x", (unsigned)code);
    else
        buf_add(out, s, length);
}

static void put_string(struct buf *out, const char *text, size_t n)
{
    uint32_t code;
    buf_putc(out, '"');
    for (size_t i = 0; i < n;) {
        size_t length = utf8_next(text + i, n - i, &code);
        if (length)
            put_plain(out, text + i, length, code);
        else
            buf_puts(out, "\xEF\xBF\xBD"); /* U+FFFD, the replacement character */
        i += length ? length : 1;
    }
    buf_putc(out, '"');
}

/* What goes before a value: the comma that ends the last one, and the key. */
static void lead(struct json *j, const char *key)
{
    if (j->comma)
        buf_putc(j->out, ',');
    j->comma = true;
    if (key) {
        put_string(j->out, key, strlen(key));
        buf_putc(j->out, ':');
    }
}

static void open_bracket(struct json *j, const char *key, char bracket)
{
    lead(j, key);
    buf_putc(j->out, bracket);
    j->comma = false;
}

static void close_bracket(struct json *j, char bracket)
{
    buf_putc(j->out, bracket);
    j->comma = true;
}

void json_object(struct json *j, const char *key)
{
    open_bracket(j, key, '{');
}

void json_end_object(struct json *j)
{
    close_bracket(j, '}');
}

void json_array(struct json *j, const char *key)
{
    open_bracket(j, key, '[');
}

void json_end_array(struct json *j)
{
    close_bracket(j, ']');
}

void json_text(struct json *j, const char *key, const char *text)
{
    if (text)
        json_bytes(j, key, text, strlen(text));
    else
        json_null(j, key);
}

void json_bytes(struct json *j, const char *key, const char *text, size_t n)
{
    lead(j, key);
    put_string(j->out, text, n);
}

void json_lines(struct json *j, const char *key, const char *text, size_t n)
{
    struct span rest = {text, n}, line;
    json_array(j, key);
    while (next_line(&rest, &line))
        json_bytes(j, NULL, line.at, line.n);
    json_end_array(j);
}

void json_int(struct json *j, const char *key, int64_t v)
{
    lead(j, key);
    buf_printf(j->out, "%" PRId64, v);
}

void json_uint(struct json *j, const char *key, uint64_t v)
{
    lead(j, key);
    buf_printf(j->out, "%" PRIu64, v);
}

/* JSON has no infinity and no NaN; they go out as strings. */
static void put_number(struct json *j, const char *key, const char *text)
{
    bool word = strchr(text, 'n') != NULL;
    lead(j, key);
    buf_printf(j->out, word ? "\"%s\"" : "%s", text);
}

void json_f16(struct json *j, const char *key, uint16_t bits)
{
    char text[NUM_TEXT];
    put_number(j, key, num_f16(bits, text));
}

void json_bf16(struct json *j, const char *key, uint16_t bits)
{
    char text[NUM_TEXT];
    put_number(j, key, num_bf16(bits, text));
}

void json_f32(struct json *j, const char *key, float v)
{
    char text[NUM_TEXT];
    put_number(j, key, num_f32(v, text));
}

void json_f64(struct json *j, const char *key, double v)
{
    char text[NUM_TEXT];
    put_number(j, key, num_f64(v, text));
}

void json_bool(struct json *j, const char *key, bool v)
{
    lead(j, key);
    buf_puts(j->out, v ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
    lead(j, key);
    buf_puts(j->out, "null");
}

void json_hex(struct json *j, const char *key, uint64_t v)
{
    lead(j, key);
    buf_printf(j->out, "\"0x%" PRIx64 "\"", v);
}

void json_raw(struct json *j, const char *key, const char *json, size_t n)
{
    lead(j, key);
    buf_add(j->out, json, n);
}

void json_dims(struct json *j, const char *key, const unsigned dims[3])
{
    lead(j, key);
    buf_printf(j->out, "[%u,%u,%u]", dims[0], dims[1], dims[2]);
}
