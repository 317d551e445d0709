/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files, fields, texts and verdicts for the judges; judge.h says what each is for.
 */
#include "judge.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void give_up(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(99);
}

/* ---- memory and texts ------------------------------------------------------------------- */

/* Each block knows the one before it, so that a checker for leaks reaches them all. */
static struct block { struct block *before; } *blocks;

void *keep_bytes(size_t size)
{
    struct block *b = calloc(1, sizeof *b + size);
    if (!b)
        give_up("out of memory");
    b->before = blocks;
    blocks = b;
    return b + 1;
}

char *keep_text(const char *text, size_t length)
{
    return memcpy(keep_bytes(length + 1), text, length);
}

char *keep_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = keep_bytes((size_t)length + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool ends(const char *text, const char *with)
{
    size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

/* ---- files ------------------------------------------------------------------------------ */

char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 16, length = 0, n;
    char *text = malloc(room);
    if (!file)
        give_up("can't read %s", path);
    while (text && (n = fread(text + length, 1, room - length - 1, file)) > 0) {
        length += n;
        char *more = room - length > 1 ? text : realloc(text, room *= 2);
        if (!more)
            free(text);
        text = more;
    }
    fclose(file);
    if (!text)
        give_up("out of memory");
    char *kept = keep_text(text, length);
    free(text);
    return kept;
}

char *cut_line(char **text)
{
    return **text ? cut_field(text, '\n') : NULL;
}

char *cut_field(char **line, char mark)
{
    char *field = *line, *end = field ? strchr(field, mark) : NULL;
    if (end)
        *end = '\0';
    if (field)
        *line = end ? end + 1 : mark == '\n' ? field + strlen(field) : NULL;
    return field;
}

/* ---- maps ------------------------------------------------------------------------------- */

static struct slot *find_slot(const struct map *map, const char *key)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *p = key; *p; p++)
        hash = (hash ^ (unsigned char)*p) * UINT64_C(1099511628211);
    size_t i = hash & (map->room - 1);
    while (map->slots[i].key && strcmp(map->slots[i].key, key) != 0)
        i = (i + 1) & (map->room - 1);
    return &map->slots[i];
}

void *map_get(const struct map *map, const char *key)
{
    return map->room ? find_slot(map, key)->value : NULL;
}

void map_set(struct map *map, const char *key, void *value)
{
    if (2 * map->count >= map->room) {
        struct map more = {.room = map->room ? 2 * map->room : 64, .count = map->count};
        more.slots = keep_bytes(more.room * sizeof *more.slots);
        for (size_t i = 0; i < map->room; i++)
            if (map->slots[i].key)
                *find_slot(&more, map->slots[i].key) = map->slots[i];
        *map = more;
    }
    struct slot *slot = find_slot(map, key);
    map->count += !slot->key;
    *slot = (struct slot){key, value};
}

/* ---- verdicts --------------------------------------------------------------------------- */

/* Control characters become `?`, so that a verdict stays one line with two tabs. */
static void put_clean(const char *text)
{
    for (; *text; text++)
        putchar((unsigned char)*text < ' ' ? '?' : *text);
}

void tell(enum verdict verdict, const char *name, const char *why_format, ...)
{
    static const char *const words[] = {"pass", "flunk", "skip"};
    char why[2000];
    va_list args;
    va_start(args, why_format);
    vsnprintf(why, sizeof why, why_format, args);
    va_end(args);
    printf("%s\t", words[verdict]);
    put_clean(name);
    putchar('\t');
    put_clean(why);
    putchar('\n');
}
