/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading quiz/questions.txt. An entry is a part of that text; nothing is copied but what is filled
 * in. How a question is asked and checked is in repl/quiz.
 */
#include "text/questions.h"

#include "base/hash.h"
#include "base/json-find.h"
#include "base/num.h"
#include "base/philox.h"
#include "os/asset.h"

#include <stdio.h>
#include <string.h>

const char *const quiz_kinds[] = {"number", "choice", "expression", "code", "prediction", NULL};

enum { ORDER_DRAWS = 1000 }; /* the numbers for the order of choices come after those of slots */

/* ---- entries ------------------------------------------------------------------------------ */

/* The lines up to the next heading. */
static struct span take_entry(struct span *rest)
{
    struct span entry = {rest->at, 0}, line, after = *rest;
    while (next_line(&after, &line) && !begins(line, "== ")) {
        entry.n = (size_t)(after.at - entry.at);
        *rest = after;
    }
    return entry;
}

/* The question ends where the first line is set in. */
static void split_entry(struct span entry, struct quiz_item *q)
{
    struct span rest = entry, line;
    q->text = q->body = (struct span){entry.at, 0};
    while (next_line(&rest, &line) && !begins(line, "  "))
        q->text.n = (size_t)(line.at + line.n - entry.at);
    q->body = (struct span){entry.at + q->text.n, entry.n - q->text.n};
    q->text = trim(q->text);
    while (q->text.n && q->text.at[q->text.n - 1] == '\n')
        q->text.n--;
}

static enum quiz_kind kind_of(const struct quiz_item *q)
{
    struct span value;
    if (same_text(q->name, "predict") || same_text(q->name, "predict-all"))
        return QUIZ_PREDICTION;
    if (quiz_line(q->body, "choice", 0, &value))
        return QUIZ_CHOICE;
    if (quiz_line(q->body, "|", 0, &value))
        return QUIZ_CODE;
    return quiz_line(q->body, "answer", 0, &value) && same_text(value, "expression")
               ? QUIZ_EXPRESSION
               : QUIZ_NUMBER;
}

bool quiz_next(struct quiz_walk *w, struct quiz_item *q)
{
    struct span line;
    if (!w->rest.at) {
        const struct asset *file = asset_find("quiz/questions.txt");
        w->rest = file ? (struct span){(const char *)file->data, file->size} : SPAN("");
        take_entry(&w->rest); /* what stands before the first heading */
    }
    if (w->count == QUIZ_MOST || !next_line(&w->rest, &line))
        return false;
    next_blank_word(&line);
    q->index = w->count++;
    q->lab = next_blank_word(&line);
    q->name = next_blank_word(&line);
    split_entry(take_entry(&w->rest), q);
    q->kind = kind_of(q);
    return true;
}

bool quiz_named(const char *lab, const char *name, struct quiz_item *q)
{
    struct quiz_walk w = {.count = 0};
    while (quiz_next(&w, q))
        if (same_text(q->lab, lab) && same_text(q->name, name))
            return true;
    return false;
}

/* A value goes on in the lines that are set in by six blanks. */
static struct span with_more(struct span value, struct span rest)
{
    struct span line;
    while (next_line(&rest, &line) && begins(line, "      "))
        value.n = (size_t)(line.at + line.n - value.at);
    return value;
}

bool quiz_line(struct span body, const char *word, unsigned k, struct span *value)
{
    struct span line;
    while (next_line(&body, &line)) {
        struct span rest = line, first;
        if (!begins(line, "  ") || begins(line, "   ") ||
            !same_text(first = next_blank_word(&rest), word) || k--)
            continue;
        const char *from = first.at + first.n + 1, *end = line.at + line.n;
        *value = from < end ? (struct span){from, (size_t)(end - from)} : (struct span){end, 0};
        if (strcmp(word, "|") != 0)
            *value = with_more(trim(*value), body);
        return true;
    }
    return false;
}

/* ---- choices ------------------------------------------------------------------------------ */

bool quiz_choice(const struct quiz_item *q, unsigned k, struct span *text, struct span *body)
{
    struct span next, ignored = {q->body.at + q->body.n, 0};
    if (!quiz_line(q->body, "choice", k, text))
        return false;
    const char *end = quiz_line(q->body, "choice", k + 1, &next) ? next.at : ignored.at;
    *body = (struct span){text->at + text->n, (size_t)(end - text->at) - text->n};
    return true;
}

unsigned quiz_choices(const struct quiz_item *q)
{
    struct span text;
    unsigned n = 0;
    while (n < QUIZ_CHOICES && quiz_line(q->body, "choice", n, &text))
        n++;
    return n;
}

/* The i-th number that this seed draws for an entry. */
static uint32_t drawn(const struct quiz_item *q, uint64_t seed, uint32_t i)
{
    const uint64_t h = hash_bytes(hash_bytes(HASH_START, q->lab.at, q->lab.n), q->name.at, q->name.n);
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {i, (uint32_t)h, (uint32_t)(h >> 32)};
    uint32_t four[4];
    philox(key, counter, four);
    return four[0];
}

void quiz_order(const struct quiz_item *q, uint64_t seed, unsigned order[QUIZ_CHOICES])
{
    const unsigned n = quiz_choices(q);
    for (unsigned i = 0; i < n; i++) {
        const unsigned k = drawn(q, seed, ORDER_DRAWS + i) % (i + 1);
        order[i] = order[k];
        order[k] = i;
    }
}

/* ---- values ------------------------------------------------------------------------------- */

void quiz_put(struct quiz_values *v, const char *name, const char *text)
{
    if (v->count == QUIZ_VALUES)
        return;
    struct quiz_value *one = &v->value[v->count++];
    snprintf(one->name, sizeof one->name, "%s", name);
    snprintf(one->text, sizeof one->text, "%s", text);
}

/* "2..40", or one of "4|8|16". */
static void draw_one(struct span from, uint32_t number, char out[QUIZ_VALUE])
{
    char text[QUIZ_VALUE];
    int lo, hi;
    snprintf(text, sizeof text, "%.*s", (int)from.n, from.at);
    if (sscanf(text, "%d..%d", &lo, &hi) == 2 && lo <= hi) {
        snprintf(out, QUIZ_VALUE, "%d", lo + (int)(number % (uint32_t)(hi - lo + 1)));
        return;
    }
    unsigned count = 1;
    for (const char *at = text; *at; at++)
        count += *at == '|';
    const char *at = text;
    for (unsigned k = number % count; k; k--)
        at = strchr(at, '|') + 1;
    snprintf(out, QUIZ_VALUE, "%.*s", (int)strcspn(at, "|"), at);
}

void quiz_draw(const struct quiz_item *q, uint64_t seed, struct quiz_values *v)
{
    struct span line;
    for (unsigned k = 0; quiz_line(q->body, "draw", k, &line); k++) {
        char name[32], text[QUIZ_VALUE];
        struct span word = next_blank_word(&line);
        snprintf(name, sizeof name, "%.*s", (int)word.n, word.at);
        draw_one(trim(line), drawn(q, seed, k), text);
        quiz_put(v, name, text);
    }
}

static unsigned elements(struct span array)
{
    struct span value;
    unsigned n = 0;
    while (json_element(array, n, &value))
        n++;
    return n;
}

bool quiz_find(const struct quiz_values *v, struct span path, struct span *value)
{
    struct span object;
    const unsigned count = v->objects.n ? elements(v->objects) : 0;
    unsigned k = count - 1;
    if (!count)
        return false;
    if (begins(path, "first.")) {
        k = 0;
        path = (struct span){path.at + 6, path.n - 6};
    } else if (path.n > 2 && is_digit(path.at[0]) && path.at[1] == '.') {
        k = (unsigned)(path.at[0] - '0');
        path = (struct span){path.at + 2, path.n - 2};
    }
    return json_element(v->objects, k, &object) && json_find(object, path, value);
}

static const char *value_named(const struct quiz_values *v, struct span name)
{
    for (unsigned i = 0; i < v->count; i++)
        if (same_text(name, v->value[i].name))
            return v->value[i].text;
    return NULL;
}

/* The value of a slot. {result.sum:4} has four digits. false: it has none. */
static bool put_slot(struct buf *out, struct span slot, const struct quiz_values *v)
{
    const char *colon = memchr(slot.at, ':', slot.n);
    const struct span name = {slot.at, colon ? (size_t)(colon - slot.at) : slot.n};
    const char *known = value_named(v, name);
    struct span value;
    struct buf text = {0};
    struct err ignored;
    double number;
    if (!known && !quiz_find(v, name, &value))
        return false;
    if (known)
        buf_puts(&text, known);
    else
        json_plain(value, &text);
    if (colon && num_real(buf_text(&text), &number, &ignored) == 0)
        buf_printf(out, "%.*g", colon[1] - '0', number);
    else
        buf_add(out, buf_text(&text), text.len);
    out->failed = out->failed || text.failed;
    buf_free(&text);
    return true;
}

/* Where the brace that opens at `open` is closed; NULL: nowhere. */
static const char *closing(const char *open, const char *end)
{
    unsigned depth = 0;
    for (const char *at = open; at < end; at++) {
        depth += *at == '{';
        if (*at == '}' && --depth == 0)
            return at;
    }
    return NULL;
}

bool quiz_fill(struct buf *out, struct span text, const struct quiz_values *v)
{
    bool whole = true;
    for (size_t i = 0; i < text.n; i++) {
        const char *open = text.at + i;
        if (*open == '\n') { /* it goes on in the next line */
            while (i + 1 < text.n && is_blank(text.at[i + 1]))
                i++;
            buf_putc(out, ' ');
            continue;
        }
        const char *close = *open == '{' ? closing(open, text.at + text.n) : NULL;
        const struct span inside = {open + 1, close ? (size_t)(close - open) - 1 : 0};
        struct buf name = {0};
        bool filled = inside.n != 0;
        if (filled && memchr(inside.at, '{', inside.n)) /* {result.after.{L}} */
            filled = quiz_fill(&name, inside, v);
        else if (filled)
            buf_add(&name, inside.at, inside.n);
        if (filled && put_slot(out, (struct span){buf_text(&name), name.len}, v)) {
            i += inside.n + 1;
        } else {
            buf_putc(out, *open);
            whole = whole && !close;
        }
        buf_free(&name);
    }
    return whole;
}

/* ---- conditions --------------------------------------------------------------------------- */

static bool compare(const char *a, const char *op, const char *b)
{
    struct err ignored;
    double x, y;
    if (num_real(a, &x, &ignored) != 0 || num_real(b, &y, &ignored) != 0)
        return strcmp(op, "=") == 0    ? strcmp(a, b) == 0
               : strcmp(op, "!=") == 0 ? strcmp(a, b) != 0
                                       : false;
    const double off = x < y ? y - x : x - y, size = y < 0 ? -y : y;
    return strcmp(op, "=") == 0    ? off <= size * 1e-9
           : strcmp(op, "!=") == 0 ? off > size * 1e-9
           : strcmp(op, "~") == 0  ? off <= size / 100
           : strcmp(op, "<") == 0  ? x < y
           : strcmp(op, "<=") == 0 ? x <= y
           : strcmp(op, ">") == 0  ? x > y
           : strcmp(op, ">=") == 0 ? x >= y
                                   : false;
}

bool quiz_holds(struct span condition, const struct quiz_values *v)
{
    struct buf text = {0};
    char a[QUIZ_VALUE], op[4], b[QUIZ_VALUE];
    bool holds = quiz_fill(&text, condition, v) && !text.failed &&
                 sscanf(buf_text(&text), "%199s %3s %199[^\n]", a, op, b) == 3 && compare(a, op, b);
    buf_free(&text);
    return holds;
}
