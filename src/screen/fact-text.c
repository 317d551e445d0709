/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts in texts: a value as the table or the text wants it written, and the slots of a text.
 */
#include "screen/fact-text.h"

#include "base/num.h"
#include "os/bug.h"
#include "screen/paint.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- one value -------------------------------------------------------------------------- */

static double real_at(const struct fact *f, const void *at)
{
    switch (f->kind) {
    case FACT_F32: return (double)*(const float *)at;
    case FACT_F64: return *(const double *)at;
    case FACT_INT: return *(const int *)at;
    case FACT_UNSIGNED: return *(const unsigned *)at;
    case FACT_INT64: return (double)*(const int64_t *)at;
    case FACT_UINT64: return (double)*(const uint64_t *)at;
    default: return 0;
    }
}

static int64_t whole_at(const struct fact *f, const void *at)
{
    switch (f->kind) {
    case FACT_INT: return *(const int *)at;
    case FACT_UNSIGNED: return *(const unsigned *)at;
    case FACT_INT64: return *(const int64_t *)at;
    case FACT_UINT64: return (int64_t) * (const uint64_t *)at;
    default: return (int64_t)real_at(f, at);
    }
}

bool fact_is_set(const struct fact *f, const void *found)
{
    const void *at = (const char *)found + f->at;
    switch (f->kind) {
    case FACT_NONE: return false;
    case FACT_BOOL: return *(const bool *)at;
    case FACT_TEXT: return *(const char *const *)at && **(const char *const *)at;
    case FACT_CHARS: return *(const char *)at;
    case FACT_VERDICT: return ((const struct verdict *)at)->good;
    default: return real_at(f, at) != 0;
    }
}

static void put_plain(struct buf *out, const struct fact *f, const void *at)
{
    char text[NUM_TEXT];
    if (f->kind == FACT_F32)
        buf_puts(out, num_f32(*(const float *)at, text));
    else if (f->kind == FACT_F64)
        buf_puts(out, num_f64(*(const double *)at, text));
    else if (f->kind == FACT_UINT64)
        buf_printf(out, "%" PRIu64, *(const uint64_t *)at);
    else
        buf_printf(out, "%" PRId64, whole_at(f, at));
}

static void put_number(struct buf *out, const struct fact *f, const void *at)
{
    char text[NUM_TEXT];
    switch (f->as) {
    case AS_PLAIN: put_plain(out, f, at); break;
    case AS_GROUP: buf_puts(out, num_group(whole_at(f, at), text)); break;
    case AS_COUNT: buf_puts(out, num_count((uint64_t)whole_at(f, at), text)); break;
    case AS_VALUE:
        if (f->kind == FACT_F32)
            buf_puts(out, num_value(*(const float *)at, text));
        else if (f->kind != FACT_F64 || num_whole(real_at(f, at)))
            buf_puts(out, num_group(whole_at(f, at), text));
        else
            put_plain(out, f, at);
        break;
    case AS_ROUGH: buf_puts(out, num_rough(real_at(f, at), text)); break;
    case AS_BYTES: buf_puts(out, num_bytes((uint64_t)whole_at(f, at), text)); break;
    case AS_PERCENT: buf_printf(out, "%.1f", real_at(f, at) * 100); break;
    case AS_HEX: buf_printf(out, "0x%08" PRIx64, (uint64_t)whole_at(f, at)); break;
    }
}

enum ink fact_ink(const struct fact *f, const void *found, const struct report *r)
{
    const struct verdict *v = (const void *)((const char *)found + f->at);
    if (f->kind != FACT_VERDICT || !r || !fact_holds(f, found))
        return INK_PLAIN;
    return v->good ? INK_GOOD : INK_BAD;
}

/* A text, painted where it is a verdict and somebody sees it. */
static void put_text(struct buf *out, const char *text, enum ink ink, const struct report *r)
{
    if (r && ink != INK_PLAIN)
        paint(r, out, ink, text, strlen(text));
    else
        buf_puts(out, text);
}

/* A format of a text, "%11s", or of a double, "%.9g"; the compiler can't see which. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void put_formatted_text(struct buf *out, const char *format, const char *text)
{
    buf_printf(out, format, text);
}

static void put_formatted_number(struct buf *out, const char *format, double v)
{
    buf_printf(out, format, v);
}
#pragma GCC diagnostic pop

static void put_as_table_says(struct buf *out, const struct fact *f, const void *found,
                              const struct report *r)
{
    const void *at = (const char *)found + f->at;
    switch (f->kind) {
    case FACT_NONE: break;
    case FACT_BOOL: buf_puts(out, *(const bool *)at ? "yes" : "no"); break;
    case FACT_TEXT: buf_puts(out, *(const char *const *)at); break;
    case FACT_CHARS: buf_puts(out, at); break;
    case FACT_VERDICT:
        put_text(out, ((const struct verdict *)at)->text, fact_ink(f, found, r), r);
        break;
    default:
        if (f->format && !(f->as == AS_VALUE && num_whole(real_at(f, at))))
            put_formatted_number(out, f->format, real_at(f, at));
        else
            put_number(out, f, at);
    }
}

void fact_put(struct buf *out, const struct fact *f, const void *found, const char *format,
              const struct report *r)
{
    struct buf text = {0};
    if (!format) {
        put_as_table_says(out, f, found, r);
        return;
    }
    if (strcmp(format, ",") == 0) {
        char digits[NUM_TEXT];
        buf_puts(out, num_group(whole_at(f, (const char *)found + f->at), digits));
        return;
    }
    if (format[strlen(format) - 1] != 's') {
        put_formatted_number(out, format, real_at(f, (const char *)found + f->at));
        return;
    }
    put_as_table_says(&text, f, found, NULL);
    put_formatted_text(out, format, buf_text(&text));
    buf_free(&text);
}

/* ---- slots ------------------------------------------------------------------------------ */

void slots_facts(struct slots *s, const struct fact *facts, const void *found)
{
    if (s->tables < SLOT_TABLES)
        s->table[s->tables++] = (struct slot_table){facts, found};
}

static const struct fact *fact_named(const struct slot_table *t, struct span name, bool holding)
{
    for (const struct fact *f = t->facts; !fact_ends(f); f++)
        if (f->name && f->only != FACT_IN_JSON && !f->put && same_text(name, f->name) &&
            (!holding || fact_holds(f, t->found)))
            return f;
    return NULL;
}

/* The first of the tables that has a fact of this name. */
static const struct fact *find_fact(const struct slots *s, struct span name, bool holding,
                                    const void **found)
{
    const struct fact *f = NULL;
    for (unsigned i = 0; i < s->tables && !f; i++) {
        f = fact_named(&s->table[i], name, holding);
        *found = s->table[i].found;
    }
    return f;
}

/* The value of a slot; false: there is none of that name. */
static bool put_slot(struct buf *out, struct span name, const char *format, const struct slots *s,
                     const struct report *r)
{
    const void *found;
    const struct fact *f = find_fact(s, name, true, &found);
    if (f)
        fact_put(out, f, found, format, r);
    return f != NULL;
}

/* How long the text is up to this mark or its end, without what stands in inner braces. */
static size_t up_to(struct span text, char mark)
{
    size_t n = 0;
    for (int depth = 0; n < text.n && (depth || text.at[n] != mark); n++)
        depth += (text.at[n] == '{') - (text.at[n] == '}');
    return n;
}

/* `texts` is "right|WRONG": the first where the fact holds and is set, else the second. */
static bool put_choice(struct buf *out, struct span name, struct span texts, const struct slots *s,
                       const struct report *r)
{
    const void *found;
    size_t first = up_to(texts, '|');
    if (!find_fact(s, name, false, &found))
        return false;
    const struct fact *f = find_fact(s, name, true, &found);
    if (f && fact_is_set(f, found))
        slots_fill(out, texts.at, first, s, r);
    else if (first < texts.n)
        slots_fill(out, texts.at + first + 1, texts.n - first - 1, s, r);
    return true;
}

/* `text` is `"head"?shown|left out`: writes `shown` if the table shows the column with this head,
 * else `left out`. */
static bool put_if_shown(struct buf *out, struct span text, const struct slots *s,
                         const struct report *r)
{
    const char *end = text.n > 1 ? memchr(text.at + 1, '"', text.n - 1) : NULL;
    if (!end || end + 1 == text.at + text.n || end[1] != '?')
        return false;
    struct span head = {text.at + 1, (size_t)(end - text.at - 1)}, line;
    struct span texts = {end + 2, (size_t)(text.at + text.n - end - 2)};
    struct span rest = {"", 0};
    bool shown = true;
    if (s->left_out)
        rest = (struct span){buf_text(s->left_out), s->left_out->len};
    while (next_line(&rest, &line))
        shown = shown && !(line.n == head.n && memcmp(line.at, head.at, head.n) == 0);
    size_t first = up_to(texts, '|');
    if (shown)
        slots_fill(out, texts.at, first, s, r);
    else if (first < texts.n)
        slots_fill(out, texts.at + first + 1, texts.n - first - 1, s, r);
    return true;
}

/* `text` stands between the braces: a name, a name and a noun, a name and a format. */
static bool put_value(struct buf *out, struct span text, const struct slots *s,
                      const struct report *r)
{
    static const char column[] = "column \"";
    char format[16];
    size_t before = out->len, n = 0;
    if (begins(text, column))
        return put_if_shown(out, (struct span){text.at + 7, text.n - 7}, s, r);
    while (n < text.n && !strchr(" :?", text.at[n]))
        n++;
    struct span name = {text.at, n};
    const char mark = n < text.n ? text.at[n] : '\0';
    if (mark == '?')
        return put_choice(out, name, (struct span){text.at + n + 1, text.n - n - 1}, s, r);
    if (mark == ':')
        snprintf(format, sizeof format, "%.*s", (int)(text.n - n - 1), text.at + n + 1);
    if (!put_slot(out, name, mark == ':' ? format : NULL, s, r))
        return false;
    if (mark == ' ' && !out->failed) {
        bool one = out->len == before + 1 && out->data[before] == '1';
        bool hisses = text.n > 2 && text.at[text.n - 1] == 'h' && strchr("cs", text.at[text.n - 2]);
        buf_add(out, text.at + n, text.n - n);
        buf_puts(out, one ? "" : hisses ? "es" : "s"); /* 2 launches */
    }
    return true;
}

/* Put what the brace at the head of text stands for; how many bytes it took. */
static size_t fill_one(struct buf *out, struct span text, const struct slots *s,
                       const struct report *r)
{
    if (text.n > 1 && text.at[1] == '{') {
        buf_putc(out, '{');
        return 2;
    }
    size_t n = 1 + up_to((struct span){text.at + 1, text.n - 1}, '}') + 1;
    if (n <= text.n && s && put_value(out, (struct span){text.at + 1, n - 2}, s, r))
        return n;
    if (n <= text.n && s)
        bug("no table has the slot %.*s", (int)n, text.at);
    buf_putc(out, '{');
    return 1;
}

void slots_fill(struct buf *out, const char *text, size_t n, const struct slots *s,
                const struct report *r)
{
    for (size_t i = 0; i < n;) {
        const char *brace = memchr(text + i, '{', n - i);
        size_t plain = brace ? (size_t)(brace - (text + i)) : n - i;
        buf_add(out, text + i, plain);
        i += plain;
        if (brace)
            i += fill_one(out, (struct span){text + i, n - i}, s, r);
    }
}
