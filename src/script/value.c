/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A value of the language: a whole number of 64 bits, a number with a fraction, a text, true or
 * false, or a piece of JSON that only `has` and `contains` look into.
 */
#include "script/script.h"

#include "base/json-find.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void value_free(struct value *v)
{
    buf_free(&v->text);
    *v = (struct value){.type = VALUE_NONE};
}

bool value_is_number(const struct value *v)
{
    return v->type == VALUE_WHOLE || v->type == VALUE_REAL || v->type == VALUE_ANY;
}

bool value_word(const char *text, struct value *v)
{
    static const struct { const char *word; struct value value; } words[] = {
        {"true", {.type = VALUE_TRUTH, .whole = 1}},
        {"false", {.type = VALUE_TRUTH}},
        {"none", {.type = VALUE_NONE}},
        {"nan", {.type = VALUE_REAL, .real = (double)NAN}},
        {"inf", {.type = VALUE_REAL, .real = (double)INFINITY}}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i].word) == 0) {
            *v = words[i].value;
            return true;
        }
    return false;
}

double value_real(const struct value *v)
{
    return v->type == VALUE_REAL ? v->real : (double)v->whole;
}

bool value_true(const struct value *v)
{
    switch (v->type) {
    case VALUE_NONE: return false;
    case VALUE_REAL: return v->real != 0;
    case VALUE_TEXT: return v->text.len > 0;
    case VALUE_JSON: return v->text.len > 2; /* [] and {} are empty */
    default: return v->whole != 0;
    }
}

void value_put(const struct value *v, struct buf *out)
{
    char number[NUM_TEXT];
    switch (v->type) {
    case VALUE_NONE: buf_puts(out, "none"); break;
    case VALUE_ANY: buf_puts(out, "1"); break; /* it can stand in a fill, or in brackets */
    case VALUE_WHOLE: buf_printf(out, "%" PRId64, v->whole); break;
    case VALUE_REAL: buf_puts(out, num_f64(v->real, number)); break;
    case VALUE_TRUTH: buf_puts(out, v->whole ? "true" : "false"); break;
    default: buf_add(out, buf_text(&v->text), v->text.len); break;
    }
}

/* "nan" and the infinities are texts in JSON; here they are the numbers that they stand for. */
static bool odd_number(struct value *v)
{
    static const char *const names[] = {"nan", "inf", "-inf"};
    const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; i++)
        if (strcmp(buf_text(&v->text), names[i]) == 0) {
            buf_free(&v->text);
            v->type = VALUE_REAL;
            v->real = values[i];
            return true;
        }
    return false;
}

static int number_of(struct span json, struct value *v, struct err *e)
{
    char text[64];
    struct err ignored;
    if (json.n >= sizeof text)
        return fail(e, "a number has %zu digits, which is too many", json.n);
    snprintf(text, sizeof text, "%.*s", (int)json.n, json.at);
    v->type = VALUE_WHOLE;
    if (!strpbrk(text, ".eE") && num_int(text, INT64_MIN, INT64_MAX, &v->whole, &ignored) == 0)
        return 0;
    v->type = VALUE_REAL;
    return num_real(text, &v->real, e);
}

int value_of_json(struct span json, struct value *v, struct err *e)
{
    *v = (struct value){.found = true};
    json = trim(json);
    if (!json.n)
        return fail(e, "the object is not valid JSON");
    if (json.at[0] == '"') {
        v->type = VALUE_TEXT;
        json_string(json, &v->text);
        odd_number(v);
        return v->text.failed ? fail_memory(e) : 0;
    }
    if (json.at[0] == '[' || json.at[0] == '{') {
        v->type = VALUE_JSON;
        buf_add(&v->text, json.at, json.n);
        return v->text.failed ? fail_memory(e) : 0;
    }
    if (same_text(json, "true") || same_text(json, "false")) {
        v->type = VALUE_TRUTH;
        v->whole = json.at[0] == 't';
        return 0;
    }
    return same_text(json, "null") ? 0 : number_of(json, v, e);
}
