/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whatever bytes a file of marks or of overrides has. What is read as marks must be written and read
 * back as the same bytes, and each form of report must take it. The text is split at its first NUL:
 * marks, then overrides.
 */
#include "base/json-check.h"
#include "base/json-find.h"
#include "grade/marks-json.h"
#include "grade/overrides.h"
#include "grade/reports/reports.h"
#include "grade/table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void write_all(const struct marks *m)
{
    const char *place;
    struct buf out = {0};
    struct err e;
    struct report r;
    for (unsigned k = 0; mark_form_name(k); k++)
        (void)marks_report(m, mark_form_asked(mark_form_name(k), &place, &e), NULL, &out, &e);
    report_init(&r);
    r.width = 72;
    marks_say(&r, m);
    report_free(&r);
    buf_free(&out);
}

/* Marks that were read and written must be read as the same. */
static void write_again(const struct marks *m)
{
    struct buf first = {0}, second = {0};
    struct marks again;
    struct err e;
    marks_json(m, &first);
    if (marks_read(&again, (struct span){buf_text(&first), first.len}, &e) != 0)
        abort();
    marks_json(&again, &second);
    if (first.len != second.len || memcmp(first.data, second.data, first.len) != 0)
        abort();
    marks_free(&again);
    buf_free(&first);
    buf_free(&second);
}

/* Each way through JSON that is good must stay within it. */
static void walk(struct span value, int depth)
{
    struct json_walk members = json_walk(value), elements = json_walk(value);
    struct span name, inner;
    struct buf text = {0};
    if (depth > JSON_DEPTH_MOST)
        abort();
    json_string(value, &text);
    while (begins(value, "{") && json_next_member(&members, &name, &inner))
        walk(inner, depth + 1);
    while (begins(value, "[") && json_next_element(&elements, &inner))
        walk(inner, depth + 1);
    buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *text = (const char *)data, *nul = n ? memchr(text, 0, n) : NULL;
    const struct span json = {text, nul ? (size_t)(nul - text) : n};
    const struct span lines = {nul ? nul + 1 : text + n, nul ? n - json.n - 1 : 0};
    struct marks m;
    struct err e;
    if (json_check(json, &e) == 0)
        walk(trim(json), 0);
    if (marks_read(&m, json, &e) != 0)
        return 0;
    write_again(&m);
    (void)overrides_apply(&m, lines, OVERRIDES_OF_ALL, &e);
    write_again(&m);
    write_all(&m);
    marks_free(&m);
    return 0;
}
