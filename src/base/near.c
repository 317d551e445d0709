/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nearest name. An edit is one letter added, dropped or changed, or two neighbours swapped.
 * Only three rows of the usual table are kept; a word longer than any name in the program
 * is near nothing.
 */
#include "base/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, SHORT_WORD = 4 };

static int least(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* One row: the distances of the first i letters of a to every beginning of b. */
static int fill_row(const char *a, int i, const char *b, int b_len, const int *before_last,
                    const int *last, int *row)
{
    int smallest = row[0] = i;
    for (int j = 1; j <= b_len; j++) {
        int change = last[j - 1] + (a[i - 1] != b[j - 1]);
        row[j] = least(last[j] + 1, row[j - 1] + 1, change);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = least(row[j], before_last[j - 2] + 1, row[j]);
        if (row[j] < smallest)
            smallest = row[j];
    }
    return smallest;
}

int near_distance(const char *a, const char *b, int limit)
{
    size_t a_len = strlen(a), b_len = strlen(b);
    if (a_len > LONGEST || b_len > LONGEST)
        return strcmp(a, b) == 0 ? 0 : limit + 1;
    if (abs((int)a_len - (int)b_len) > limit)
        return limit + 1;
    int rows[3][LONGEST + 1];
    for (int j = 0; j <= (int)b_len; j++)
        rows[0][j] = j;
    /* Row i looks back two rows, so one good row is not enough to stop; two far ones are. */
    int smallest_before = 0;
    for (int i = 1; i <= (int)a_len; i++) {
        int smallest = fill_row(a, i, b, (int)b_len, rows[(i + 1) % 3], rows[(i - 1) % 3],
                                rows[i % 3]);
        if (smallest > limit && smallest_before > limit)
            return limit + 1;
        smallest_before = smallest;
    }
    int distance = rows[a_len % 3][b_len];
    return distance > limit ? limit + 1 : distance;
}

char near_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool near_same(const char *a, const char *b)
{
    for (; *a && near_lower(*a) == near_lower(*b); a++)
        b++;
    return !*a && !*b;
}

/* Has the first word all letters of the second one, in their order? */
static bool has_letters(const char *first, const char *second)
{
    for (; *first && *second; first++)
        second += near_lower(*first) == near_lower(*second);
    return !*second;
}

bool near_try(struct near *n, const char *name)
{
    bool is_short = strlen(n->word) <= SHORT_WORD || strlen(name) <= SHORT_WORD;
    const bool is_letter = strlen(n->word) < 2 && !(*n->word >= '0' && *n->word <= '9');
    int limit = is_letter || strlen(name) < 2 ? 0 : is_short ? 1 : 2; /* any letter is near to one */
    int distance = near_same(n->word, name) ? 0 : near_distance(n->word, name, limit);
    const bool unchanged = has_letters(name, n->word) || has_letters(n->word, name);
    if (distance > limit || (n->best && distance > n->distance) ||
        (n->best && distance == n->distance && (n->unchanged || !unchanged)))
        return false;
    snprintf(n->kept, sizeof n->kept, "%s", name);
    n->best = n->kept;
    n->distance = distance;
    n->unchanged = unchanged;
    return true;
}

const char *near_list(const char *word, const char *const *names)
{
    struct near n = {.word = word};
    const char *best = NULL;
    for (; *names; names++)
        if (near_try(&n, *names))
            best = *names;
    return best;
}
