/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a paragraph, for the judge of prose: how many there are, their syllables, whether
 * one may be a verb, and the lines that they fill on a screen.
 */
#include "prose.h"

#include <ctype.h>
#include <string.h>

enum { COLUMNS = 76, SLOT = 6 /* what a slot shows, at most */ };

/*
 * The same text, letter by letter, without what is not prose: code in backquotes is x in
 * backquotes, `(help X)` and the address of a link are blank, and a slot is what it shows: {n word}
 * is 00 words.
 */
char *masked(const char *text)
{
    int choices = 0;
    char *m = keep_text(text, strlen(text));
    for (char *p = m; *p; p++) {
        char *end;
        if (*p == '\n') {
            *p = ' ';
        } else if (*p == '`' && (end = strchr(p + 1, '`'))) {
            memset(p + 1, 'x', (size_t)(end - p - 1));
            p = end;
        } else if ((begins(p, "(help ") || begins(p, "](")) && (end = strchr(p, ')'))) {
            memset(p, ' ', (size_t)(end - p + 1));
        } else if (*p == '{' && islower((unsigned char)p[1]) && (end = strchr(p, '}'))) {
            size_t name = 1 + strcspn(p + 1, " ?}");
            bool choice = p[name] == '?';
            choices += choice;
            memset(p, choice ? ' ' : '0', name + choice);
            if (!choice)
                *end = p + name < end ? 's' : '0';
        } else if (*p == '|' && choices) { /* of {name?this|or that}, this */
            choices--;
            for (int open = 1; *p && open; p++) {
                open += (*p == '{') - (*p == '}');
                *p = ' ';
            }
            p--;
        } else if (*p == '}') {
            *p = ' ';
        } else if (*p == '*' && p[1] == '*') {
            p[0] = p[1] = ' ';
        }
    }
    return m;
}

/* The next word from `*at` on, in lower case and without marks around it; false: none is left.
 * Tokens with an operator between them are one formula, one word. */
bool next_word(const char **at, char word[64])
{
    const char *p = *at;
    bool found = false, glued = false;
    for (;;) {
        p += strspn(p, " ");
        size_t n = strcspn(p, " "), k = 0;
        bool operator = n && n <= 3 && strspn(p, "+*/=<>^|&%") == n;
        bool any = false;
        for (size_t i = 0; i < n; i++)
            any |= isalnum((unsigned char)p[i]) || p[i] == '`';
        if (!n || (found && any && !glued))
            break;
        glued = operator || (glued && !any);
        if (any && !found) {
            for (size_t i = strspn(p, "(\"'[*-"); i < n && k < 63; i++)
                word[k++] = p[i];
            while (k && strchr(".,;:!?)\"']*", word[k - 1]))
                k--;
            word[k] = '\0';
            found = true;
        }
        p += n;
        *at = p;
    }
    return found;
}

int count_words(const char *m)
{
    int n = 0;
    for (char word[64]; next_word(&m, word);)
        n++;
    return n;
}

static bool vowel(char c)
{
    return c && strchr("aeiouy", c);
}

/* By groups of vowels. A name from a program counts as two at most, a term too, a number as one. */
int syllables(const char *word, const struct map *short_words)
{
    int n = 0, letters = 0, capitals = 0, other = 0;
    char low[64];
    size_t length = strlen(word);
    for (size_t i = 0; i <= length; i++) {
        low[i] = (char)tolower((unsigned char)word[i]);
        letters += isalpha((unsigned char)word[i]) != 0;
        capitals += isupper((unsigned char)word[i]) != 0;
        other += isdigit((unsigned char)word[i]) || (word[i] && strchr("_-`()[]<>", word[i]));
        n += vowel(low[i]) && (i == 0 || !vowel(low[i - 1]));
    }
    if (other || capitals > 1)
        return letters > 4 ? 2 : 1;
    if (length > 2 && ends(low, "e") && !vowel(low[length - 2]) && !ends(low, "le"))
        n--;
    if ((ends(low, "ed") && length > 3 && !strchr("td", low[length - 3])) ||
        (ends(low, "es") && length > 3 && !strchr("szxhgc", low[length - 3])))
        n -= !vowel(low[length - 3]);
    if (n > 2 && map_get(short_words, low))
        n = 2;
    return n > 0 ? n : 1;
}

bool has_verb(const char *m, const struct map *verbs)
{
    bool first = true;
    for (char word[64]; next_word(&m, word); first = false) {
        for (char *p = word; *p; p++)
            *p = (char)tolower((unsigned char)*p);
        if ((first && word[0] == '`') || map_get(verbs, word) || ends(word, "ed") ||
            (ends(word, "s") && !ends(word, "ss") && !ends(word, "us")) || strchr(word, '\''))
            return true;
    }
    return false;
}

/* The lines of a paragraph as a screen shows it. */
int count_lines(const char *text)
{
    int lines = 1;
    size_t column = 0;
    char *rest = keep_text(text, strlen(text));
    for (char *p = rest; *p; p++)
        *p = *p == '\n' ? ' ' : *p;
    for (char *word; (word = cut_field(&rest, ' '));) {
        size_t n = strlen(word);
        n = word[0] == '{' && n > SLOT ? SLOT : n;
        if (column && column + n > COLUMNS) {
            lines++;
            column = 0;
        }
        column += n + 1;
    }
    return lines;
}
