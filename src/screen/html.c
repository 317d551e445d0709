/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page follows the reader's choice of dark or light, and fits a narrow window and paper.
 */
#include "screen/html.h"

#include "screen/fact-text.h"

#include <string.h>

static const char styles[] =
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "pre{font:14px/1.4 monospace;border:1px solid #8888;padding:.7rem;overflow-x:auto}"
    "table{border-collapse:collapse;font:14px/1.4 monospace}"
    "th,td{border:1px solid #8888;padding:.2rem .6rem;text-align:left;vertical-align:top}"
    ".number{text-align:right}"
    "h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}";

void html_text(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (text[i]) {
        case '<': buf_puts(out, "&lt;"); break;
        case '>': buf_puts(out, "&gt;"); break;
        case '&': buf_puts(out, "&amp;"); break;
        case '"': buf_puts(out, "&quot;"); break;
        default: buf_putc(out, text[i]); break;
        }
    }
}

void html_begin(struct buf *out, const char *title)
{
    buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    html_text(out, title, strlen(title));
    buf_printf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<h1>", styles);
    html_text(out, title, strlen(title));
    buf_puts(out, "</h1>\n");
}

void html_end(struct buf *out)
{
    buf_puts(out, "</body>\n</html>\n");
}

void html_heading(struct buf *out, const char *text)
{
    buf_puts(out, "<h2>");
    html_text(out, text, strlen(text));
    buf_puts(out, "</h2>\n");
}

void html_paragraph(struct buf *out, const char *fmt, ...)
{
    struct buf text = {0};
    WITH_ARGS(fmt, buf_vprintf(&text, fmt, args));
    buf_puts(out, "<p>");
    html_text(out, buf_text(&text), text.len);
    buf_puts(out, "</p>\n");
    buf_free(&text);
}

void html_lines(struct buf *out, const char *text, size_t n)
{
    buf_puts(out, "<pre>");
    html_text(out, text, n);
    buf_puts(out, "</pre>\n");
}

static void open_cell(struct buf *out, const char *tag, bool right)
{
    buf_printf(out, "<%s%s>", tag, right ? " class=\"number\"" : "");
}

static void row(struct buf *out, const struct fact *facts, uint64_t mask, const void *of)
{
    buf_puts(out, "<tr>");
    for (unsigned i = 0; !fact_ends(&facts[i]); i++) {
        struct buf cell = {0};
        if (!(mask >> i & 1))
            continue;
        if (fact_holds(&facts[i], of))
            fact_put(&cell, &facts[i], of, NULL, NULL);
        open_cell(out, "td", facts[i].right);
        html_text(out, buf_text(&cell), cell.len);
        buf_puts(out, "</td>");
        buf_free(&cell);
    }
    buf_puts(out, "</tr>\n");
}

void html_rows(struct buf *out, const struct fact *facts, const void *rows, size_t count,
               size_t row_size)
{
    struct table_column columns[TABLE_COLUMNS];
    uint64_t mask;
    const int n = facts_columns(facts, rows, count, row_size, columns, &mask);
    buf_puts(out, "<table>\n<tr>");
    for (int i = 0; i < n; i++) {
        open_cell(out, "th", columns[i].right);
        html_text(out, columns[i].head, strlen(columns[i].head));
        buf_puts(out, "</th>");
    }
    buf_puts(out, "</tr>\n");
    for (size_t i = 0; i < count; i++)
        row(out, facts, mask, (const char *)rows + i * row_size);
    buf_puts(out, "</table>\n");
}
