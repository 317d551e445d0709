/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jsonget: one value out of JSON lines, for the tests, so that they need neither jq nor python.
 *
 *     jsonget .result.area            first line          jsonget 3:.faults[0].kind   third line
 *     jsonget .result.lines.#         length of an array  jsonget --check             all valid?
 *     jsonget --leaves                every value: line, path, and it as it stands
 *
 * A value is printed as it stands; a string without its quotes, with its simple escapes
 * undone. A value that isn't there prints (absent), status 1; bad JSON is status 2. The reader
 * is strict and on purpose not the one in src/: a test should not trust what it tests.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

/* Each reader takes the first byte of a thing and returns the byte after it, or NULL. */
static const char *read_value(const char *p, int depth);

static const char *blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

static const char *read_escape(const char *p)
{
    if (*p == 'u') {
        for (int i = 1; i <= 4; i++)
            if (!isxdigit((unsigned char)p[i]))
                return NULL;
        return p + 5;
    }
    return *p && strchr("\"\\/bfnrt", *p) ? p + 1 : NULL;
}

/* Length of the UTF-8 sequence at p, 0 if it is none. */
static int utf8_length(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    int n = u[0] < 0x80   ? 1
            : u[0] < 0xc2 ? 0
            : u[0] < 0xe0 ? 2
            : u[0] < 0xf0 ? 3
            : u[0] < 0xf5 ? 4
                          : 0;
    for (int i = 1; i < n; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static const char *read_string(const char *p)
{
    if (*p++ != '"')
        return NULL;
    while (p && *p != '"') {
        int n = utf8_length(p);
        if ((unsigned char)*p < 0x20 || n == 0)
            return NULL;
        p = *p == '\\' ? read_escape(p + 1) : p + n;
    }
    return p ? p + 1 : NULL;
}

static const char *read_digits(const char *p)
{
    if (!isdigit((unsigned char)*p))
        return NULL;
    while (isdigit((unsigned char)*p))
        p++;
    return p;
}

static const char *read_number(const char *p)
{
    if (*p == '-')
        p++;
    p = *p == '0' ? p + 1 : read_digits(p);
    if (p && *p == '.')
        p = read_digits(p + 1);
    if (p && (*p == 'e' || *p == 'E')) {
        p++;
        if (*p == '+' || *p == '-')
            p++;
        p = read_digits(p);
    }
    return p;
}

static const char *read_word(const char *p, const char *word)
{
    size_t n = strlen(word);
    return strncmp(p, word, n) == 0 ? p + n : NULL;
}

static const char *read_key(const char *p)
{
    p = read_string(p);
    p = p ? blanks(p) : NULL;
    return p && *p == ':' ? blanks(p + 1) : NULL;
}

static const char *read_items(const char *p, char end, int depth)
{
    p = blanks(p + 1);
    if (*p == end)
        return p + 1;
    for (;;) {
        if (end == '}')
            p = read_key(p);
        p = p ? read_value(p, depth + 1) : NULL;
        if (!p)
            return NULL;
        p = blanks(p);
        if (*p == end)
            return p + 1;
        if (*p != ',')
            return NULL;
        p = blanks(p + 1);
    }
}

static const char *read_value(const char *p, int depth)
{
    if (depth > DEPTH_MAX)
        return NULL;
    switch (*p) {
    case '{': return read_items(p, '}', depth);
    case '[': return read_items(p, ']', depth);
    case '"': return read_string(p);
    case 't': return read_word(p, "true");
    case 'f': return read_word(p, "false");
    case 'n': return read_word(p, "null");
    default: return read_number(p);
    }
}

/* From the first byte of a container to its member, by name or by place; NULL: none such. */
static const char *find_member(const char *p, const char *name, size_t length)
{
    if (*p != '{')
        return NULL;
    for (p = blanks(p + 1); *p != '}';) {
        const char *key = p + 1, *value = read_key(p);
        if (strncmp(key, name, length) == 0 && key[length] == '"')
            return value;
        p = blanks(read_value(value, 0));
        if (*p == ',')
            p = blanks(p + 1);
    }
    return NULL;
}

static const char *find_item(const char *p, long place, long *count)
{
    *count = 0;
    if (*p != '[')
        return NULL;
    for (p = blanks(p + 1); *p != ']'; (*count)++) {
        if (*count == place)
            return p;
        p = blanks(read_value(p, 0));
        if (*p == ',')
            p = blanks(p + 1);
    }
    return NULL;
}

/* Follow PATH from a value known to be good. -1: printed already (a length). */
static int follow(const char **value, const char *path)
{
    long count;
    while (*path && *value) {
        if (strcmp(path, ".#") == 0) {
            find_item(*value, -1, &count);
            printf("%ld\n", count);
            return -1;
        }
        if (*path == '[') {
            char *end;
            *value = find_item(*value, strtol(path + 1, &end, 10), &count);
            path = *end == ']' ? end + 1 : end;
        } else {
            size_t length = strcspn(++path, ".[");
            *value = find_member(*value, path, length);
            path += length;
        }
    }
    return 0;
}

static void print_string(const char *p, const char *end)
{
    static const char from[] = "nt\"\\/", to[] = "\n\t\"\\/";
    for (p++; p < end - 1; p++) {
        const char *simple = *p == '\\' ? strchr(from, p[1]) : NULL;
        putchar(simple ? to[simple - from] : *p);
        p += simple != NULL;
    }
    putchar('\n');
}

static int print_value(const char *p)
{
    if (!p) {
        puts("(absent)");
        return 1;
    }
    const char *end = read_value(p, 0);
    if (*p == '"')
        print_string(p, end);
    else
        printf("%.*s\n", (int)(end - p), p);
    return 0;
}

static bool good_line(const char *line)
{
    const char *end = *blanks(line) == '{' ? read_value(blanks(line), 0) : NULL;
    return end && *blanks(end) == '\0';
}

/* The next line without its newline, in a buffer that the caller frees; NULL at the end. */
static char *next_line(void)
{
    size_t size = 256, length = 0;
    char *line = malloc(size);
    int c = EOF;
    while (line && (c = getchar()) != EOF && c != '\n') {
        if (length + 2 > size) {
            char *more = realloc(line, size *= 2);
            if (!more)
                free(line);
            line = more;
        }
        if (line)
            line[length++] = c ? (char)c : '\1'; /* a NUL must not hide what follows */
    }
    if (!line || (c == EOF && length == 0)) {
        free(line);
        return NULL;
    }
    line[length] = '\0';
    return line;
}

/* ---- all values ------------------------------------------------------------------------- */

enum { PATH_ROOM = 1000 };

/* From the first byte of a value known to be good, whose path is so long, to what follows it. */
static const char *print_leaves(const char *p, char *path, size_t length, long line)
{
    const char end = *p == '{' ? '}' : ']';
    if (*p != '{' && *p != '[') {
        const char *after = read_value(p, 0), *from = p + (*p == '"');
        printf("%ld\t%.*s\t%.*s\n", line, (int)length, path,
               (int)(after - from - (*p == '"')), from);
        return after;
    }
    p = blanks(p + 1);
    for (long i = 0; *p != end; i++) {
        const char *key = p + 1, *value = end == '}' ? read_key(p) : p;
        int n = end == ']' ? snprintf(path + length, PATH_ROOM - length, "[%ld]", i)
                           : snprintf(path + length, PATH_ROOM - length, ".%.*s",
                                      (int)strcspn(key, "\""), key);
        size_t longer = length + (size_t)n;
        p = blanks(print_leaves(value, path, longer < PATH_ROOM ? longer : PATH_ROOM - 1, line));
        if (*p == ',')
            p = blanks(p + 1);
    }
    return p + 1;
}

static int leaves_of_all(void)
{
    char *text, path[PATH_ROOM];
    int bad = 0;
    for (long number = 1; (text = next_line()); number++) {
        if (good_line(text))
            print_leaves(blanks(text), path, 0, number);
        else
            bad = 2;
        free(text);
    }
    return bad;
}

static int check_all(void)
{
    char *line;
    int bad = 0;
    for (long number = 1; (line = next_line()); number++) {
        if (!good_line(line)) {
            printf("line %ld is not a JSON object: %.200s\n", number, line);
            bad = 2;
        }
        free(line);
    }
    return bad;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--check") == 0)
        return check_all();
    if (argc == 2 && strcmp(argv[1], "--leaves") == 0)
        return leaves_of_all();
    if (argc != 2) {
        fputs("usage: jsonget [LINE:]PATH | --check | --leaves\n", stderr);
        return 2;
    }
    const char *path = argv[1], *value;
    char *line = NULL;
    long wanted = strchr(path, ':') ? strtol(path, NULL, 10) : 1;
    if (strchr(path, ':'))
        path = strchr(path, ':') + 1;
    for (long number = 1; number <= wanted; number++) {
        free(line);
        line = next_line();
    }
    if (line && !good_line(line)) {
        printf("(not JSON) %.200s\n", line);
        free(line);
        return 2;
    }
    value = line ? blanks(line) : NULL;
    int code = value && follow(&value, path) < 0 ? 0 : print_value(value);
    free(line);
    return code;
}
