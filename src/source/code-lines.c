/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file lists the lines to show, and finds the parts that markers make of a lab's file.
 */
#include "source/code-lines.h"

#include <stdio.h>
#include <string.h>

void code_lines_free(struct code_lines *l)
{
    mem_free(&allocator_libc, l->at, l->capacity * sizeof *l->at);
    arena_free(&l->notes);
    *l = (struct code_lines){0};
}

void code_lines_add(struct code_lines *l, int number, struct span text)
{
    void *at = l->at;
    if (text.n && text.at[text.n - 1] == '\r')
        text.n--;
    if (mem_grow(&allocator_libc, &at, &l->capacity, l->count, sizeof *l->at) != 0) {
        l->failed = true;
        return;
    }
    l->at = at;
    l->at[l->count++] = (struct code_line){number, text};
}

void code_lines_gap(struct code_lines *l)
{
    if (l->count)
        code_lines_add(l, 0, SPAN(""));
}

void code_lines_note(struct code_lines *l, const char *file)
{
    char text[100];
    int n = snprintf(text, sizeof text, "/* %.80s: */", file);
    const char *kept = arena_text(&l->notes, text, (size_t)n);
    l->failed = l->failed || !kept;
    if (kept)
        code_lines_add(l, 0, (struct span){kept, (size_t)n});
}

bool is_note(const struct code_line *line)
{
    return !line->number && line->text.n;
}

void code_lines_from(struct code_lines *l, struct span text, int first, int last)
{
    struct span line;
    for (int number = 1; number <= last && next_line(&text, &line); number++)
        if (number >= first)
            code_lines_add(l, number, line);
}

/* ---- markers -------------------------------------------------------------------------- */

static const char used_by[] = "//: used by ";

static bool has_name(struct span list, const char *name)
{
    size_t n = strlen(name);
    while (list.n) {
        size_t k = 0;
        while (k < list.n && list.at[k] != ' ')
            k++;
        if (k == n && memcmp(list.at, name, n) == 0)
            return true;
        k += k < list.n;
        list.at += k;
        list.n -= k;
    }
    return false;
}

bool is_marker(struct span line)
{
    return begins(line, "//: ");
}

bool is_license(struct span line)
{
    return begins(line, "/* SPDX-License-Identifier") || begins(line, "// SPDX-License-Identifier");
}

static void add_blanks(struct code_lines *l, int from, int end)
{
    for (; from && from < end; from++)
        code_lines_add(l, from, SPAN(""));
}

struct span marked_variant(struct span line)
{
    static const char mark[] = "//: variant ";
    size_t n = begins(line, mark) ? sizeof mark - 1 : line.n;
    return trim((struct span){line.at + n, line.n - n});
}

bool marker_serves(struct span line, const char *variant)
{
    static const char all_but[] = "all but ";
    size_t n = sizeof used_by - 1, but = sizeof all_but - 1;
    if (has_name(marked_variant(line), variant))
        return true;
    if (!begins(line, used_by))
        return false;
    struct span names = trim((struct span){line.at + n, line.n - n});
    if (begins(names, all_but))
        return !has_name((struct span){names.at + but, names.n - but}, variant);
    return has_name(names, variant) || has_name(names, "all");
}

bool code_has_variant(struct span file, const char *variant)
{
    struct span line;
    while (next_line(&file, &line))
        if (has_name(marked_variant(line), variant))
            return true;
    return false;
}

void code_lines_of(struct code_lines *l, struct span file, const char *variant)
{
    struct span line;
    bool wanted = !variant, any = false;
    int blank_from = 0; /* the first of the blank lines just passed */
    for (int number = 1; next_line(&file, &line); number++) {
        if (variant && is_marker(line)) {
            wanted = marker_serves(line, variant);
            any = false;
            blank_from = 0;
        } else if (is_marker(line) || is_license(line)) {
            add_blanks(l, any ? blank_from : 0, number);
            blank_from = 0;
        } else if (wanted && line.n == 0) {
            blank_from = blank_from ? blank_from : number;
        } else if (wanted) {
            if (!any)
                code_lines_gap(l);
            add_blanks(l, any ? blank_from : 0, number);
            code_lines_add(l, number, line);
            blank_from = 0;
            any = true;
        }
    }
}

static bool names_kernel(struct span line, const char *kernel)
{
    size_t n = strlen(kernel);
    for (size_t i = 1; i + n < line.n; i++)
        if (line.at[i - 1] == ' ' && memcmp(line.at + i, kernel, n) == 0 && line.at[i + n] == '(')
            return true;
    return false;
}

bool code_variant_of(struct span file, const char *kernel, char variant[64])
{
    struct span line, marker = {"", 0};
    while (next_line(&file, &line)) {
        struct span found = marked_variant(line);
        marker = found.n ? found : marker;
        if (marker.n && names_kernel(line, kernel)) {
            snprintf(variant, 64, "%.*s", (int)marker.n, marker.at);
            variant[strcspn(variant, " ")] = '\0';
            return true;
        }
    }
    return false;
}
