/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The longest common subsequence by a table of all pairs of lines. Equal lines at both ends are
 * taken off first, which leaves little, but not where runs count: there they may belong to others.
 * What is too much for a table is matched by position alone.
 */
#include "text/match.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 4001 * 4001 };

/* What is being matched: from line `at_a` and `at_b`, so many lines. */
struct middle {
    const struct text_lines *a, *b;
    unsigned at_a, at_b, of_a, of_b;
    bool runs;
    uint16_t *best; /* (of_a + 1) rows of of_b + 1; NULL: by position */
};

static bool same_line(const struct text_lines *a, unsigned i, const struct text_lines *b,
                      unsigned j)
{
    struct span x = a->line[i], y = b->line[j];
    return x.n == y.n && memcmp(x.at, y.at, x.n) == 0;
}

/* The label at the beginning of a line, with what stands before it: "Why", "  stores". Empty: the
 * line has none. */
static struct span label_of(struct span line)
{
    enum { LABEL_AT = 2 };
    size_t lead = 0, n;
    while (lead < line.n && line.at[lead] == ' ')
        lead++;
    for (n = lead; n < line.n && ((line.at[n] | 0x20) >= 'a' && (line.at[n] | 0x20) <= 'z');)
        n++;
    bool ends = n == line.n || line.at[n] == ' ';
    return (struct span){line.at, lead <= LABEL_AT && n > lead + 1 && ends ? n : 0};
}

/* Lines with the same label are about the same, as two texts that begin with Why. */
static bool alike(const struct text_lines *a, unsigned i, const struct text_lines *b, unsigned j)
{
    struct span x = label_of(a->line[i]), y = label_of(b->line[j]);
    return x.n && x.n == y.n && memcmp(x.at, y.at, x.n) == 0;
}

/* What it is worth to pair line i with line j; 0: nothing. Without runs, lines that are alike are
 * paired as well, if that costs no pair of equal lines. */
static uint16_t worth(const struct middle *m, unsigned i, unsigned j)
{
    enum { EQUAL = 8 };
    if (!same_line(m->a, m->at_a + i, m->b, m->at_b + j))
        return !m->runs && alike(m->a, m->at_a + i, m->b, m->at_b + j);
    if (!m->runs)
        return EQUAL;
    bool next = i + 1 < m->of_a && j + 1 < m->of_b &&
                same_line(m->a, m->at_a + i + 1, m->b, m->at_b + j + 1);
    return next ? 3 : 2;
}

static uint16_t *best_at(const struct middle *m, unsigned i, unsigned j)
{
    return &m->best[(size_t)i * (m->of_b + 1) + j];
}

/* best[i][j] is what the pairs from line i and from line j on are worth together. */
static int fill_table(struct middle *m, struct err *e)
{
    uint64_t cells = ((uint64_t)m->of_a + 1) * (m->of_b + 1);
    if (cells > CELLS_MOST)
        return 0;
    m->best = calloc((size_t)cells, sizeof *m->best);
    if (!m->best)
        return fail_memory(e);
    for (unsigned i = m->of_a; i-- > 0;)
        for (unsigned j = m->of_b; j-- > 0;) {
            uint16_t down = *best_at(m, i + 1, j), right = *best_at(m, i, j + 1);
            uint16_t pair = worth(m, i, j), best = down > right ? down : right;
            if (pair && pair + *best_at(m, i + 1, j + 1) > best)
                best = (uint16_t)(pair + *best_at(m, i + 1, j + 1));
            *best_at(m, i, j) = best;
        }
    return 0;
}

static void add_row(struct match *out, int a, int b, bool same)
{
    out->row[out->count++] = (struct match_row){a, b, same};
    out->differing += !same;
}

/* Lines without a partner stand side by side as long as both texts have some. */
static void add_gap(struct match *out, const struct middle *m, unsigned a_from, unsigned a_to,
                    unsigned b_from, unsigned b_to)
{
    while (a_from < a_to || b_from < b_to) {
        int a = a_from < a_to ? (int)(m->at_a + a_from++) : NO_LINE;
        int b = b_from < b_to ? (int)(m->at_b + b_from++) : NO_LINE;
        add_row(out, a, b, a != NO_LINE && b != NO_LINE &&
                same_line(m->a, (unsigned)a, m->b, (unsigned)b));
    }
}

static void walk(struct match *out, const struct middle *m)
{
    unsigned i = 0, j = 0, gap_a = 0, gap_b = 0;
    while (m->best && i < m->of_a && j < m->of_b) {
        uint16_t pair = worth(m, i, j);
        if (pair && *best_at(m, i, j) == pair + *best_at(m, i + 1, j + 1)) {
            add_gap(out, m, gap_a, i, gap_b, j);
            add_row(out, (int)(m->at_a + i), (int)(m->at_b + j),
                    same_line(m->a, m->at_a + i, m->b, m->at_b + j));
            gap_a = ++i;
            gap_b = ++j;
        } else if (*best_at(m, i + 1, j) >= *best_at(m, i, j + 1)) {
            i++;
        } else {
            j++;
        }
    }
    add_gap(out, m, gap_a, m->of_a, gap_b, m->of_b);
}

int match_lines(struct match *out, const struct text_lines *a, const struct text_lines *b,
                bool runs, struct err *e)
{
    struct middle m = {.a = a, .b = b, .runs = runs};
    unsigned least = a->count < b->count ? a->count : b->count, head = 0, tail = 0;
    *out = (struct match){.row = calloc((size_t)a->count + b->count + 1, sizeof *out->row)};
    if (!out->row)
        return fail_memory(e);
    while (!runs && head < least && same_line(a, head, b, head))
        head++;
    while (!runs && tail < least - head && same_line(a, a->count - 1 - tail, b, b->count - 1 - tail))
        tail++;
    m.at_a = m.at_b = head;
    m.of_a = a->count - head - tail;
    m.of_b = b->count - head - tail;
    if (fill_table(&m, e) != 0)
        return -1;
    for (unsigned i = 0; i < head; i++)
        add_row(out, (int)i, (int)i, true);
    walk(out, &m);
    for (unsigned i = tail; i > 0; i--)
        add_row(out, (int)(a->count - i), (int)(b->count - i), true);
    free(m.best);
    return 0;
}

void match_free(struct match *m)
{
    free(m->row);
    *m = (struct match){0};
}
