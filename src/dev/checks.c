/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file turns a list of checkers into bits. An unknown word is an error that offers the nearest
 * name. If it were ignored, a misspelt checker would find nothing, and the kernel would look clean.
 */
#include "dev/checks.h"

#include "base/near.h"
#include "check/checker.h"

#include <stdio.h>
#include <string.h>

const char *checks_name(unsigned i)
{
    return i < CHECKER_COUNT        ? checkers[i]->name
           : i == CHECKER_COUNT     ? "all"
           : i == CHECKER_COUNT + 1 ? "none"
                                    : NULL;
}

/* Returns the bits that word number `word` stands for. */
static unsigned bits_of(unsigned word)
{
    unsigned set = 0;
    if (word >= CHECKER_COUNT)
        return word == CHECKER_COUNT ? check_all() : 0;
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (i == word || checkers[i] == checkers[word]->form_of)
            set |= 1u << i;
    return set;
}

static int no_checker(const char *word, struct err *e)
{
    struct near n = {.word = word};
    char all[200] = "";
    for (unsigned i = 0; checks_name(i); i++)
        near_try(&n, checks_name(i));
    if (n.best)
        return fail(e, "there is no checker `%s`; did you mean `%s`?", word, n.best);
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
                 i == 0 ? "" : i + 1 < CHECKER_COUNT ? ", " : " and ", checkers[i]->name);
    return fail(e, "there is no checker `%s`; the checkers are %s, all or none", word, all);
}

static int add_word(const char *word, unsigned *set, struct err *e)
{
    for (unsigned i = 0; checks_name(i); i++)
        if (strcmp(word, checks_name(i)) == 0) {
            *set |= bits_of(i);
            return 0;
        }
    return no_checker(word, e);
}

int checks_parse(const char *list, unsigned *set, struct err *e)
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
    *set = found;
    return 0;
}

void checks_names(struct buf *out)
{
    const char *between = "";
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (!checkers[i]->extra) {
            buf_printf(out, "%s%s", between, checkers[i]->name);
            between = ",";
        }
    buf_puts(out, ", or ");
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (checkers[i]->extra)
            buf_printf(out, "%s, ", checkers[i]->name);
    buf_puts(out, "all, none");
}

void checks_put(unsigned set, struct buf *out)
{
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (set >> i & 1)
            buf_printf(out, "%s%s", out->len ? ", " : "", checkers[i]->name);
}

void checks_describe(struct buf *out)
{
    enum { NAME = 13 };
    for (unsigned i = 0; i < CHECKER_COUNT; i++) {
        const char *text = checkers[i]->help;
        buf_printf(out, "%s  %-*s", i ? "\n" : "", NAME, checkers[i]->name);
        for (; *text; text++)
            if (*text == '\n')
                buf_printf(out, "\n%*s", NAME + 2, "");
            else
                buf_putc(out, *text);
    }
}
