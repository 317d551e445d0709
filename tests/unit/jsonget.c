/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jsonget: one value out of JSON lines, for the tests, so that they need neither jq nor python.
 *
 *     jsonget .result.area            first line          jsonget 3:.faults[0].kind   third line
 *     jsonget .result.lines.#         length of an array  jsonget --check             all valid?
 *     jsonget --leaves                every value: line, path, and it as it stands
 *     jsonget --schema FILE           what in each line does not fit this JSON schema
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

/* ---- schemas ---------------------------------------------------------------------------- */

/* The part of JSON Schema that tests/schemas uses. A keyword that is not known here is an error, so
 * that no rule is passed over. */
struct fitting {
    char path[PATH_ROOM];
    long line;
    int bad;
};

static void misfit(struct fitting *f, const char *why, const char *p)
{
    const char *end = p ? read_value(p, 0) : NULL;
    printf("line %ld: %s %s%s%.*s\n", f->line, *f->path ? f->path : "all of it", why, p ? ": " : "",
           p ? (int)(end - p < 200 ? end - p : 200) : 0, p ? p : "");
    f->bad = 2;
}

static bool same_value(const char *a, const char *b)
{
    const size_t n = (size_t)(read_value(a, 0) - a);
    return (size_t)(read_value(b, 0) - b) == n && memcmp(a, b, n) == 0;
}

static bool is_in(const char *list, const char *value)
{
    const char *item;
    long count;
    for (long i = 0; (item = find_item(list, i, &count)); i++)
        if (same_value(item, value))
            return true;
    return false;
}

static bool has_type(const char *type, const char *value)
{
    static const char *const names[] = {"{object", "[array", "\"string", "tboolean", "fboolean",
                                        "nnull"};
    const size_t n = strcspn(++type, "\"");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*value == *names[i])
            return strlen(names[i] + 1) == n && strncmp(type, names[i] + 1, n) == 0;
    const size_t digits = strspn(value, "-0123456789");
    return strncmp(type, "number", n) == 0 ||
           (strncmp(type, "integer", n) == 0 && !(value[digits] && strchr(".eE", value[digits])));
}

static bool has_some_type(const char *types, const char *value)
{
    const char *type;
    long count;
    if (*types != '[')
        return has_type(types, value);
    for (long i = 0; (type = find_item(types, i, &count)); i++)
        if (has_type(type, value))
            return true;
    return false;
}

static void fit(struct fitting *f, const char *schema, const char *value);

/* A member or an element: `step` leads from the path to it. */
static void fit_inside(struct fitting *f, const char *schema, const char *value, const char *step)
{
    const size_t length = strlen(f->path);
    snprintf(f->path + length, PATH_ROOM - length, "%s", step);
    if (schema)
        fit(f, schema, value);
    else
        misfit(f, "is not known", NULL);
    f->path[length] = '\0';
}

static void fit_members(struct fitting *f, const char *schema, const char *value)
{
    const char *known = find_member(schema, "properties", 10), *name,
               *required = find_member(schema, "required", 8),
               *more = find_member(schema, "additionalProperties", 20);
    char step[200];
    long count;
    for (long i = 0; required && (name = find_item(required, i, &count)); i++)
        if (!find_member(value, name + 1, strcspn(name + 1, "\"")))
            misfit(f, "lacks", name);
    for (const char *p = blanks(value + 1); *p != '}';) {
        const char *key = p + 1, *member = read_key(p),
                   *rule = known ? find_member(known, key, strcspn(key, "\"")) : NULL;
        snprintf(step, sizeof step, ".%.*s", (int)strcspn(key, "\""), key);
        if (find_member(value, key, strcspn(key, "\"")) != member)
            misfit(f, "has a member twice", p);
        else if (rule || (more && *more == 'f'))
            fit_inside(f, rule, member, step);
        p = blanks(read_value(member, 0));
        if (*p == ',')
            p = blanks(p + 1);
    }
}

static void fit_number(struct fitting *f, const char *schema, const char *value)
{
    const double x = strtod(value, NULL);
    const char *least = find_member(schema, "minimum", 7),
               *most = find_member(schema, "maximum", 7),
               *step = find_member(schema, "multipleOf", 10);
    if (least && x < strtod(least, NULL))
        misfit(f, "is too small", value);
    if (most && x > strtod(most, NULL))
        misfit(f, "is too large", value);
    const double steps = step ? x / strtod(step, NULL) : 0;
    const double rest = steps - (double)(long long)(steps + 0.5);
    if (rest > 1e-6 || rest < -1e-6)
        misfit(f, "has too many digits", value);
}

static void fit(struct fitting *f, const char *schema, const char *value)
{
    static const char *const keywords = " $comment type enum properties required items minLength "
                                        "additionalProperties minimum maximum multipleOf ";
    const char *type = find_member(schema, "type", 4), *choices = find_member(schema, "enum", 4),
               *items = find_member(schema, "items", 5), *item,
               *least = find_member(schema, "minLength", 9);
    char word[40];
    long count;
    for (const char *p = blanks(schema + 1); *p != '}';) {
        snprintf(word, sizeof word, " %.*s ", (int)strcspn(p + 1, "\""), p + 1);
        if (!strstr(keywords, word))
            misfit(f, "has a rule with an unknown keyword", p);
        p = blanks(read_value(read_key(p), 0));
        if (*p == ',')
            p = blanks(p + 1);
    }
    if ((type && !has_some_type(type, value)) || (choices && !is_in(choices, value))) {
        misfit(f, "has a wrong value", value);
        return;
    }
    if (*value == '{')
        fit_members(f, schema, value);
    for (long i = 0; items && *value == '[' && (item = find_item(value, i, &count)); i++) {
        snprintf(word, sizeof word, "[%ld]", i);
        fit_inside(f, items, item, word);
    }
    if (*value == '"' && least && read_value(value, 0) - value - 2 < strtol(least, NULL, 10))
        misfit(f, "is too short", value);
    if (*value == '-' || isdigit((unsigned char)*value))
        fit_number(f, schema, value);
}

/* A whole file, with blanks for its newlines; NULL: it is no JSON object. */
static char *read_schema(const char *name)
{
    FILE *in = fopen(name, "r");
    char *text = NULL;
    if (in && (text = calloc(1, 1 << 16)) != NULL) {
        const size_t n = fread(text, 1, (1 << 16) - 1, in);
        for (size_t i = 0; i < n; i++)
            text[i] = text[i] == '\n' ? ' ' : text[i];
    }
    if (in)
        fclose(in);
    if (!text || !good_line(text)) {
        printf("%s is not a JSON schema\n", name);
        free(text);
        return NULL;
    }
    return text;
}

static int fit_all(const char *name)
{
    char *schema = read_schema(name), *line;
    struct fitting f = {.bad = schema ? 0 : 2};
    while (schema && (line = next_line())) {
        f.line++;
        if (good_line(line))
            fit(&f, blanks(schema), blanks(line));
        else
            misfit(&f, "is not a JSON object", NULL);
        free(line);
    }
    free(schema);
    return f.bad;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--schema") == 0)
        return fit_all(argv[2]);
    if (argc == 2 && strcmp(argv[1], "--check") == 0)
        return check_all();
    if (argc == 2 && strcmp(argv[1], "--leaves") == 0)
        return leaves_of_all();
    if (argc != 2) {
        fputs("usage: jsonget [LINE:]PATH | --check | --leaves | --schema FILE\n", stderr);
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
