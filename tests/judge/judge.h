/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the judges share. A judge is a program that compares what cudalab did with what a list
 * wants, and prints a verdict a line: pass, flunk or skip, the test's name and the reason, with
 * tabs between. The function `judged` of tests/lib.sh makes tests of these lines.
 *
 * A judge reads its input, prints and ends, so memory is only given out, never returned.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#define FORMAT(at, first) __attribute__((format(printf, at, first)))

/* Say why this judge can't judge, and end: the test that called it then fails. */
_Noreturn void give_up(const char *format, ...) FORMAT(1, 2);

void *keep_bytes(size_t size); /* zeroed */
char *keep_text(const char *text, size_t length);
char *keep_format(const char *format, ...) FORMAT(1, 2);

char *read_file(const char *path);
/* Cut the next line off the text, or the next field off the line; NULL at the end. */
char *cut_line(char **text);
char *cut_field(char **line, char mark);
bool begins(const char *text, const char *with);
bool ends(const char *text, const char *with);

/* Texts with a value each. Lines of a file are values too: a value is any pointer. */
struct map {
    struct slot { const char *key; void *value; } *slots;
    size_t room, count;
};
void *map_get(const struct map *map, const char *key); /* NULL: there is none */
void map_set(struct map *map, const char *key, void *value);

enum verdict { PASS, FLUNK, SKIP };
void tell(enum verdict verdict, const char *name, const char *why_format, ...) FORMAT(3, 4);

#endif
