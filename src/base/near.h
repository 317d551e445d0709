/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Did you mean: the nearest of a list of names by Damerau-Levenshtein distance,
 * within 2 edits (1 for names of up to four letters); ties go to the earlier name.
 * Capitals count as their small letters, those of ASCII alone, whatever the locale says.
 */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include <stdbool.h>
#include <stddef.h>

int near_distance(const char *a, const char *b, int limit); /* limit + 1 when farther */

enum { NEAR_NAME = 128 };

struct near { /* begins as {.word = what is typed} */
    const char *word;
    const char *best; /* a copy in `kept`; NULL while nothing is near */
    char kept[NEAR_NAME];
    int distance;
    bool unchanged; /* letters were only left out or added: better than one that is as near */
};
bool near_try(struct near *, const char *name); /* is it nearer than all before? */
char near_lower(char c);
bool near_same(const char *a, const char *b); /* but for capitals: TRAP is trap */
const char *near_list(const char *word, const char *const *names); /* NULL-terminated list */

#endif
