/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines and blanks, as many readers of texts need them.
 */
#include "base/lines.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool next_line(struct span *text, struct span *line)
{
    if (text->n == 0)
        return false;
    const char *newline = memchr(text->at, '\n', text->n);
    line->at = text->at;
    line->n = newline ? (size_t)(newline - text->at) : text->n;
    size_t used = line->n + (newline ? 1 : 0);
    text->at += used;
    text->n -= used;
    return true;
}

struct span trim(struct span s)
{
    while (s.n && is_blank(s.at[0])) {
        s.at++;
        s.n--;
    }
    while (s.n && is_blank(s.at[s.n - 1]))
        s.n--;
    return s;
}

bool begins(struct span s, const char *text)
{
    size_t n = strlen(text);
    return s.n >= n && memcmp(s.at, text, n) == 0;
}

bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

bool same_text(struct span s, const char *text)
{
    return s.n == strlen(text) && memcmp(s.at, text, s.n) == 0;
}

void path_put(char *to, size_t room, const char *path)
{
    static const char cut[] = "...";
    const size_t n = strlen(path);
    if (n < room)
        memcpy(to, path, n + 1);
    else
        snprintf(to, room, "%s%s", cut, path + n - (room - sizeof cut));
}

bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);
    return n >= k && strcmp(name + n - k, ending) == 0;
}

struct span line_at(struct span text, int number)
{
    struct span line = {text.at, 0};
    for (int i = 0; i < number; i++)
        if (!next_line(&text, &line))
            return (struct span){text.at, 0};
    return line;
}

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct span next_blank_word(struct span *line)
{
    *line = trim(*line);
    struct span word = {line->at, 0};
    while (word.n < line->n && !is_blank(word.at[word.n]))
        word.n++;
    line->at += word.n;
    line->n -= word.n;
    return word;
}

int text_lines(struct text_lines *t, const char *text, size_t n, struct err *e)
{
    size_t count = n > 0;
    for (size_t i = 0; i + 1 < n; i++)
        count += text[i] == '\n';
    *t = (struct text_lines){.line = calloc(count + 1, sizeof *t->line)};
    if (!t->line || count > INT32_MAX)
        return fail_memory(e);
    for (struct span rest = {text, n}; next_line(&rest, &t->line[t->count]);)
        t->count++;
    return 0;
}

void text_lines_free(struct text_lines *t)
{
    free(t->line);
    *t = (struct text_lines){0};
}
