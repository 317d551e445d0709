/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of facts: to JSON, to lines of the screen, to the rows of a table.
 */
#include "screen/facts.h"

#include "screen/fact-text.h"
#include "screen/wrap.h"
#include <string.h>

bool fact_ends(const struct fact *f)
{
    return !f->name && !f->label && !f->head && !f->put && !f->draw;
}

bool fact_holds(const struct fact *f, const void *found)
{
    bool set = !f->when_size;
    for (size_t i = 0; i < f->when_size; i++)
        set = set || ((const char *)found)[f->when_at + i];
    return set && (!f->if_set || fact_is_set(f, found));
}

static void put_json(const struct fact *f, const void *found, struct json *j)
{
    const void *at = (const char *)found + f->at;
    switch (f->kind) {
    case FACT_NONE: break;
    case FACT_BOOL: json_bool(j, f->name, *(const bool *)at); break;
    case FACT_INT: json_int(j, f->name, *(const int *)at); break;
    case FACT_INT64: json_int(j, f->name, *(const int64_t *)at); break;
    case FACT_UNSIGNED:
        if (f->as == AS_HEX)
            json_hex(j, f->name, *(const unsigned *)at);
        else
            json_uint(j, f->name, *(const unsigned *)at);
        break;
    case FACT_UINT64:
        if (f->as == AS_HEX)
            json_hex(j, f->name, *(const uint64_t *)at);
        else
            json_uint(j, f->name, *(const uint64_t *)at);
        break;
    case FACT_F32: json_f32(j, f->name, *(const float *)at); break;
    case FACT_F64: json_f64(j, f->name, *(const double *)at); break;
    case FACT_TEXT: json_text(j, f->name, *(const char *const *)at); break;
    case FACT_CHARS: json_text(j, f->name, at); break;
    case FACT_VERDICT: json_bool(j, f->name, ((const struct verdict *)at)->good); break;
    }
}

void facts_json(const struct fact *f, const void *found, struct json *j)
{
    for (; !fact_ends(f); f++)
        if ((f->name || f->put) && f->only != FACT_IN_TEXT && fact_holds(f, found))
            f->put ? f->put(j, found) : put_json(f, found, j);
}

static void say_line(const struct fact *f, const void *found, const struct slots *s,
                     struct report *r)
{
    struct buf line = {0};
    if (f->says)
        slots_fill(&line, f->says, strlen(f->says), s, r);
    else
        fact_put(&line, f, found, NULL, r);
    say_item_text(r, f->label, &line);
}

void facts_say_slots(const struct fact *f, const void *found, const struct slots *s,
                     struct report *r)
{
    for (; !fact_ends(f); f++)
        if (f->draw && fact_holds(f, found))
            f->draw(r, found);
        else if (f->label && fact_holds(f, found))
            say_line(f, found, s, r);
}

void facts_tell(const struct fact *facts, const void *found, struct report *r)
{
    struct slots s = {0};
    slots_facts(&s, facts, found);
    facts_say_slots(facts, found, &s, r);
    facts_json(facts, found, &r->result);
}

/* ---- rows of a table -------------------------------------------------------------------- */

static bool any_row_has(const struct fact *f, const char *rows, size_t count, size_t row_size)
{
    for (size_t i = 0; i < count; i++)
        if (fact_holds(f, rows + i * row_size))
            return true;
    return false;
}

int facts_columns(const struct fact *facts, const void *rows, size_t count, size_t row_size,
                  struct table_column columns[TABLE_COLUMNS], uint64_t *mask)
{
    int n = 0;
    *mask = 0;
    for (const struct fact *f = facts; !fact_ends(f); f++) {
        if (!f->head || (!f->stays && !any_row_has(f, rows, count, row_size)))
            continue;
        columns[n++] = (struct table_column){f->head, f->right, f->folds, f->gives_way, f->tells};
        *mask |= UINT64_C(1) << (f - facts);
    }
    return n;
}

void facts_cells(const struct fact *facts, uint64_t mask, const void *row, const struct report *r,
                 struct table *t)
{
    for (unsigned i = 0; !fact_ends(&facts[i]); i++) {
        struct buf cell = {0};
        if (!(mask >> i & 1))
            continue;
        if (fact_holds(&facts[i], row))
            fact_put(&cell, &facts[i], row, NULL, NULL);
        else
            buf_puts(&cell, "-");
        table_cell_in(t, fact_ink(&facts[i], row, r), "%s", buf_text(&cell));
        buf_free(&cell);
    }
}

void facts_say_rows(const struct fact *facts, const void *rows, size_t count, size_t row_size,
                    int indent, struct report *r)
{
    struct table_column columns[TABLE_COLUMNS];
    struct table t;
    uint64_t mask;
    table_begin(&t, columns, facts_columns(facts, rows, count, row_size, columns, &mask), indent);
    for (size_t i = 0; i < count; i++)
        facts_cells(facts, mask, (const char *)rows + i * row_size, r, &t);
    say_table(r, &t);
}

void facts_json_rows(const struct fact *facts, const char *key, const void *rows, size_t count,
                     size_t row_size, struct json *j)
{
    json_array(j, key);
    for (size_t i = 0; i < count; i++) {
        json_object(j, NULL);
        facts_json(facts, (const char *)rows + i * row_size, j);
        json_end_object(j);
    }
    json_end_array(j);
}
