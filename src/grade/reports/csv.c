/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comma-separated values (RFC 4180) for a spreadsheet: a row for each hand-in, a column for each
 * test. Each text is in quotes. A text that a spreadsheet would compute gets an apostrophe before
 * it.
 */
#include "grade/reports/form.h"

#include <string.h>

/* Does a spreadsheet take it for a formula? So it does with the wide forms of these signs, from
 * U+FF0B to U+FF20. */
static bool is_formula(const char *text)
{
    static const char *const wide[] = {"\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\x9D",
                                       "\xEF\xBC\xA0"}; /* + - = @ */
    for (unsigned i = 0; i < sizeof wide / sizeof *wide; i++)
        if (begins_with(text, wide[i]))
            return true;
    return *text && strchr("=+-@\t\r\n", *text);
}

static void put_text(struct buf *out, const char *before, const char *text)
{
    buf_printf(out, "%s\"%s", before, is_formula(text) ? "'" : "");
    for (; *text; text++)
        buf_printf(out, *text == '"' ? "\"\"" : "%c", *text);
    buf_putc(out, '"');
}

/* A test without a mark has an empty field, and so has a sum that lacks one. */
static void put_number(struct buf *out, bool known, int64_t points)
{
    char text[POINTS_TEXT];
    buf_printf(out, ",%s", known ? points_text(points, text) : "");
}

static void put_head(const struct marks *m, struct buf *out)
{
    buf_puts(out, "\"student\",\"id\"");
    for (unsigned i = 0; i < m->test_count; i++)
        put_text(out, ",", m->test[i].name);
    buf_puts(out, ",\"points\",\"most\",\"ungraded\",\"cause\",\"overrides\",\"note\"\r\n");
}

static void put_overrides(const struct marks *m, const struct marked *h, struct buf *out)
{
    char now[POINTS_TEXT], graded[POINTS_TEXT];
    for (unsigned i = 0; i < m->test_count; i++) {
        const struct test_mark *mark = &h->mark[i];
        if (mark->why)
            buf_printf(out, "%s%s: %s, before that %s: %s", out->len ? "; " : "", m->test[i].name,
                       points_text(mark->override, now),
                       mark->state == MARK_UNGRADED ? "not graded"
                                                    : points_text(mark->points, graded),
                       mark->why);
    }
}

static void put_row(const struct marks *m, const struct marked *h, struct buf *out)
{
    const unsigned missing = marked_ungraded(m, h);
    struct buf overrides = {0};
    put_text(out, "", h->student);
    put_text(out, ",", h->id);
    for (unsigned i = 0; i < m->test_count; i++)
        put_number(out, mark_known(&h->mark[i]), mark_points(&h->mark[i]));
    put_number(out, !missing, marked_points(m, h));
    put_number(out, true, marks_most(m));
    buf_printf(out, ",%u", missing);
    put_text(out, ",", mark_cause_names[marked_cause(m, h)]);
    put_overrides(m, h, &overrides);
    put_text(out, ",", buf_text(&overrides));
    put_text(out, ",", h->note);
    buf_puts(out, "\r\n");
    out->failed = out->failed || overrides.failed;
    buf_free(&overrides);
}

static void write_csv(const struct form_ask *a, struct buf *out)
{
    put_head(a->marks, out);
    for (unsigned k = 0; k < a->marks->count; k++)
        put_row(a->marks, a->marks->of[k], out);
}

const struct mark_form form_csv = {.name = "csv",
                                   .ending = "csv",
                                   .help = "a table for a spreadsheet, by RFC 4180",
                                   .write = write_csv};
