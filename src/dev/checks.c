/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a list of checkers to bits. A word that is none of them is an error that offers the
 * nearest, since a checker left off by a slip of the keyboard would look like a clean kernel.
 */
#include "dev/checks.h"

#include "base/near.h"

#include <stdio.h>
#include <string.h>

const char *const check_names[] = {"race", "race:strict", "memory", "uninit",
                                   "sync", "all",         "none",   NULL};
static const unsigned check_bits[] = {
    CHECK_RACE, CHECK_RACE | CHECK_RACE_STRICT, CHECK_MEMORY, CHECK_UNINIT, CHECK_SYNC,
    CHECK_DEFAULT, 0};

static int add_word(const char *word, unsigned *checks, struct err *e)
{
    for (size_t i = 0; check_names[i]; i++)
        if (strcmp(word, check_names[i]) == 0) {
            *checks |= check_bits[i];
            return 0;
        }
    const char *near = near_list(word, check_names);
    if (near)
        return fail(e, "there is no checker `%s`; did you mean `%s`?", word, near);
    return fail(e, "there is no checker `%s`: there are race, race:strict, memory, uninit and "
                   "sync, and all or none", word);
}

int checks_parse(const char *list, unsigned *checks, struct err *e)
{
    unsigned found = 0;
    for (const char *at = list;; at++) {
        char word[40];
        size_t n = strcspn(at, ",");
        if (n == 0)
            return fail(e, "a checker is missing in `%s`: write, for example, race,memory", list);
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), at);
        if (add_word(word, &found, e) != 0)
            return -1;
        at += n;
        if (!*at)
            break;
    }
    *checks = found;
    return 0;
}
