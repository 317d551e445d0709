/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line as words. One small scanner knows what encloses what: quotes, parentheses and
 * <<< >>>. The end of a command and the end of a word are both "a mark outside all of them".
 * Nothing here knows what the words mean.
 */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

struct scan {
    char quote;     /* the quote we are in, or 0 */
    size_t quote_at;
    int depth;      /* open parentheses */
    size_t paren_at;
    bool launch;    /* between <<< and >>> */
    size_t launch_at;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool outside(const struct scan *s)
{
    return !s->quote && s->depth == 0 && !s->launch;
}

static bool starts(const char *text, size_t n, size_t i, const char *mark)
{
    size_t k = strlen(mark);
    return n - i >= k && memcmp(text + i, mark, k) == 0;
}

/* Inside a quote: \" and \\ in double quotes stand for themselves. Returns bytes passed. */
static size_t step_quoted(struct scan *s, const char *text, size_t n, size_t i)
{
    bool pair = s->quote == '"' && text[i] == '\\' && i + 1 < n &&
                (text[i + 1] == '"' || text[i + 1] == '\\');
    if (pair)
        return 2;
    if (text[i] == s->quote)
        s->quote = 0;
    return 1;
}

/* Pass one mark or letter; returns the bytes passed. */
static size_t step(struct scan *s, const char *text, size_t n, size_t i)
{
    char c = text[i];
    if (s->quote)
        return step_quoted(s, text, n, i);
    if (c == '"' || c == '\'') {
        s->quote = c;
        s->quote_at = i;
    } else if (c == '(') {
        if (s->depth++ == 0)
            s->paren_at = i;
    } else if (c == ')' && s->depth > 0) {
        s->depth--;
    } else if (!s->launch && s->depth == 0 && starts(text, n, i, "<<<")) {
        s->launch = true;
        s->launch_at = i;
        return 3;
    } else if (s->launch && s->depth == 0 && starts(text, n, i, ">>>")) {
        s->launch = false;
        return 3;
    }
    return 1;
}

static int unclosed(const struct scan *s, struct err *e)
{
    if (s->quote)
        return fail_at(e, 0, (int)s->quote_at + 1,
                       "the quote %c in column %d is not closed; a second %c must end it",
                       s->quote, (int)s->quote_at + 1, s->quote);
    if (s->depth)
        return fail_at(e, 0, (int)s->paren_at + 1,
                       "the ( in column %d is not closed; a ) must end it, or put the text in "
                       "quotes", (int)s->paren_at + 1);
    return fail_at(e, 0, (int)s->launch_at + 1,
                   "the <<< in column %d is not closed; >>> must end it", (int)s->launch_at + 1);
}

int words_end(const char *text, size_t n, size_t from, size_t *end, struct err *e)
{
    struct scan s = {0};
    size_t i = from;
    while (i < n) {
        bool word_starts = i == from || is_blank(text[i - 1]);
        if (outside(&s) && (text[i] == ';' || (text[i] == '#' && word_starts))) {
            *end = i;
            return text[i];
        }
        i += step(&s, text, n, i);
    }
    *end = n;
    return outside(&s) ? 0 : unclosed(&s, e);
}

char words_open(const char *text, size_t n)
{
    struct scan s = {0};
    for (size_t i = 0; i < n;)
        i += step(&s, text, n, i);
    return s.quote ? s.quote : s.depth ? ')' : s.launch ? '>' : 0;
}

/* Copy one word to `to`, without its outermost quotes; returns where it ended. */
static size_t take_word(struct scan *s, const char *line, size_t n, size_t i, char *to)
{
    size_t k = 0;
    while (i < n && !(outside(s) && is_blank(line[i]))) {
        bool bare = s->depth == 0 && !s->launch; /* quotes deeper in are not ours to remove */
        char before = s->quote;
        size_t passed = step(s, line, n, i);
        bool is_mark = bare && before != s->quote;
        bool is_pair = bare && before && passed == 2;
        if (is_pair)
            to[k++] = line[i + 1];
        else if (!is_mark)
            for (size_t j = 0; j < passed; j++)
                to[k++] = line[i + j];
        i += passed;
    }
    to[k] = '\0';
    return i;
}

/* Every word takes at least one byte and a blank, so half the line is room enough. */
static int make_room(struct words *w, size_t n)
{
    size_t most = n / 2 + 2;
    size_t each = sizeof *w->word + sizeof *w->column + sizeof *w->quoted;
    char *memory = calloc(1, most * each + n + most);
    if (!memory)
        return -1;
    w->memory = memory;
    w->word = (char **)(void *)memory;
    w->column = (int *)(void *)(memory + most * sizeof *w->word);
    w->quoted = (bool *)(memory + most * (sizeof *w->word + sizeof *w->column));
    return 0;
}

int words_split(const char *line, struct words *w, struct err *e)
{
    size_t n = strlen(line);
    *w = (struct words){0};
    if (make_room(w, n) != 0)
        return fail_memory(e);
    char *to = (char *)(w->quoted + n / 2 + 2);
    struct scan s = {0};
    size_t i = 0;
    while (true) {
        while (i < n && is_blank(line[i]))
            i++;
        if (i >= n)
            break;
        w->word[w->count] = to;
        w->column[w->count] = (int)i + 1;
        w->quoted[w->count] = line[i] == '"' || line[i] == '\'';
        i = take_word(&s, line, n, i, to);
        to += strlen(to) + 1;
        w->count++;
    }
    if (outside(&s))
        return 0;
    words_free(w);
    return unclosed(&s, e);
}

void words_free(struct words *w)
{
    free(w->memory);
    *w = (struct words){0};
}
