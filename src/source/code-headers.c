/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the parts that are needed. It goes from the last part to the first, since each
 * part uses only those above it.
 */
#include "source/code-lines.h"

#include "os/asset.h"
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PARTS_MOST = 32 };

/* ---- which headers -------------------------------------------------------------------- */

struct span included_name(struct span line)
{
    static const char mark[] = "#include \"";
    size_t n = sizeof mark - 1;
    const char *from = line.at + n;
    const char *to = begins(line, mark) ? memchr(from, '"', line.n - n) : NULL;
    return (struct span){from, to ? (size_t)(to - from) : 0};
}

struct text_file shared_header(struct span line)
{
    struct span name = included_name(line);
    char path[100];
    snprintf(path, sizeof path, "kernels/%.*s", name.n < 80 ? (int)name.n : 0, name.at);
    const struct asset *a = begins(name, "lab_") ? asset_find(path) : NULL;
    if (!a)
        return (struct text_file){NULL, {"", 0}};
    return (struct text_file){base_name(a->name), {(const char *)a->data, a->size}};
}

/* ---- which parts ---------------------------------------------------------------------- */

static struct span defined_names(struct span line)
{
    static const char mark[] = "//: defines ";
    size_t n = begins(line, mark) ? sizeof mark - 1 : line.n;
    return (struct span){line.at + n, line.n - n};
}

static bool has_word(const struct buf *text, struct span word)
{
    const char *all = buf_text(text);
    for (size_t i = 0; word.n && i + word.n <= text->len; i++)
        if (memcmp(all + i, word.at, word.n) == 0 && (i == 0 || !in_word(all[i - 1])) &&
            !in_word(all[i + word.n]))
            return true;
    return false;
}

static bool has_any(const struct buf *text, struct span names)
{
    while (names.n) {
        struct span word = {names.at, 0};
        while (word.n < names.n && names.at[word.n] != ' ')
            word.n++;
        if (has_word(text, word))
            return true;
        size_t pass = word.n + (word.n < names.n);
        names = (struct span){names.at + pass, names.n - pass};
    }
    return false;
}

/* Sets a bit for each part that the text needs. The text of a needed part is added, since it may
 * need others. */
static uint32_t parts_needed(struct span header, struct buf *text)
{
    struct span names[PARTS_MOST], bodies[PARTS_MOST], line;
    uint32_t needed = 0;
    unsigned count = 0;
    bool open = false;
    while (next_line(&header, &line)) {
        struct span found = defined_names(line);
        if (is_marker(line))
            open = found.n && count < PARTS_MOST;
        if (is_marker(line) && open) {
            names[count] = found;
            bodies[count++] = (struct span){header.at, 0};
        } else if (open) {
            bodies[count - 1].n = (size_t)(header.at - bodies[count - 1].at);
        }
    }
    while (count-- > 0)
        if (has_any(text, names[count])) {
            needed |= UINT32_C(1) << count;
            buf_add(text, bodies[count].at, bodies[count].n);
        }
    return needed;
}

/* ---- their lines ---------------------------------------------------------------------- */

static void add_parts(struct code_lines *l, struct text_file header, uint32_t needed)
{
    struct span line;
    unsigned next = 0;
    int last = 0; /* line of this part that was added last; 0: none yet */
    bool wanted = false;
    if (needed)
        code_lines_note(l, header.name);
    for (int number = 1; next_line(&header.text, &line); number++) {
        if (is_marker(line)) {
            bool opens = defined_names(line).n && next < PARTS_MOST;
            wanted = opens && (needed >> next & 1);
            next += opens;
            last = 0;
        } else if (wanted && line.n) {
            if (!last)
                code_lines_gap(l);
            for (; last && last + 1 < number; last++)
                code_lines_add(l, last + 1, SPAN(""));
            code_lines_add(l, number, line);
            last = number;
        }
    }
}

static void add_headers(struct code_lines *l, struct span cu, const struct code_lines *own)
{
    struct span line;
    struct buf text = {0};
    for (unsigned i = 0; i < own->count; i++)
        buf_printf(&text, "%.*s\n", (int)own->at[i].text.n, own->at[i].text.at);
    while (next_line(&cu, &line)) {
        struct text_file header = shared_header(line);
        if (header.name)
            add_parts(l, header, parts_needed(header.text, &text));
    }
    l->failed = l->failed || text.failed;
    buf_free(&text);
}

void code_lines_head(struct code_lines *own, struct text_file cu)
{
    struct code_lines all = {0};
    add_headers(&all, cu.text, own);
    bool noted = all.count == 0, any = false;
    for (unsigned i = 0; i < own->count; i++) {
        struct span text = own->at[i].text;
        if (shared_header(text).name || (!any && !text.n))
            continue;
        if (!noted) {
            code_lines_gap(&all);
            code_lines_note(&all, cu.name);
            code_lines_gap(&all);
        }
        noted = any = true;
        code_lines_add(&all, own->at[i].number, text);
    }
    all.failed = all.failed || own->failed;
    code_lines_free(own);
    *own = all;
}
