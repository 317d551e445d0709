/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads what NVIDIA's disassemblers print.
 */
#include "cc/sass.h"

#include "base/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD = 1000 };

/* This says where the lines that follow came from. If that code was inlined, the next line names
 * the place where it was inlined. */
struct origin {
    struct sass_line at;
    bool inlined;
};

static int add_line(struct sass *s, const struct sass_line *line)
{
    if (s->count == s->capacity) {
        unsigned more = s->capacity ? 2 * s->capacity : 256;
        struct sass_line *lines = arena_alloc(&s->memory, more * sizeof *lines);
        if (!lines)
            return -1;
        if (s->count)
            memcpy(lines, s->lines, s->count * sizeof *lines);
        s->lines = lines;
        s->capacity = more;
    }
    s->lines[s->count++] = *line;
    return 0;
}

/* `//## File "/home/ann/k.cu", line 12 inlined at ...`: the innermost place comes first. */
static int read_origin(struct sass *s, struct span line, struct origin *o)
{
    char text[FIELD], file[FIELD];
    int number;
    snprintf(text, sizeof text, "%.*s", (int)(line.n < FIELD - 1 ? line.n : FIELD - 1), line.at);
    if (sscanf(text, "//## File \"%999[^\"]\", line %d", file, &number) != 2)
        return 0;
    const char *name = arena_text(&s->memory, base_name(file), strlen(base_name(file)));
    if (!name)
        return -1;
    if (o->inlined) {
        o->at.outer_file = name;
        o->at.outer_line = number;
    } else {
        o->at = (struct sass_line){.file = name, .line = number};
    }
    o->inlined = strstr(text, " inlined at ") != NULL;
    return 0;
}

/* Reads an address and an instruction up to its semicolon. The encoding follows, and is not
 * read. */
static int read_instruction(struct sass *s, struct span line, const struct origin *o)
{
    char text[FIELD];
    int used = 0;
    unsigned address;
    snprintf(text, sizeof text, "%.*s", (int)(line.n < FIELD - 1 ? line.n : FIELD - 1), line.at);
    char *end = strchr(text, ';');
    if (!end || sscanf(text, "/*%x*/%n", &address, &used) != 1 || !used)
        return 0;
    struct span words = trim((struct span){text + used, (size_t)(end - text - used)});
    if (begins(words, "{")) /* the first of two that go together, before 5.0 */
        words = trim((struct span){words.at + 1, words.n - 1});
    struct sass_line found = o->at;
    found.address = address;
    found.text = arena_text(&s->memory, words.at, words.n);
    return found.text ? add_line(s, &found) : -1;
}

static int read_label(struct sass *s, struct span line)
{
    const struct sass_line found = {.is_label = true,
                                    .text = arena_text(&s->memory, line.at, line.n - 1)};
    return found.text ? add_line(s, &found) : -1;
}

/* nvdisasm has a section .text.NAME, cuobjdump a heading, for each function. */
static bool opens_function(struct span line, struct span *name)
{
    static const char section[] = ".text.", heading[] = "Function : ";
    if (begins(line, section) && line.at[line.n - 1] == ':')
        *name = (struct span){line.at + sizeof section - 1, line.n - sizeof section};
    else if (begins(line, heading))
        *name = (struct span){line.at + sizeof heading - 1, line.n - sizeof heading + 1};
    else
        return false;
    return true;
}

int sass_read(struct sass *s, const char *text, size_t n, const char *kernel)
{
    struct span rest = {text, n}, line, name;
    struct origin origin = {.inlined = false};
    bool wanted = false;
    int rc = 0;
    while (rc == 0 && next_line(&rest, &line)) {
        line = trim(line);
        if (!line.n)
            continue;
        if (opens_function(line, &name)) {
            wanted = same_text(name, kernel);
            origin = (struct origin){.inlined = false};
        } else if (begins(line, "//## File")) {
            rc = read_origin(s, line, &origin);
        } else if (wanted && begins(line, "/*")) {
            rc = read_instruction(s, line, &origin);
        } else if (wanted && begins(line, ".L") && line.at[line.n - 1] == ':') {
            rc = read_label(s, line);
        }
    }
    while (s->count && (s->lines[s->count - 1].is_label ||
                        strcmp(s->lines[s->count - 1].text, "NOP") == 0))
        s->count--;
    return rc;
}

void sass_free(struct sass *s)
{
    arena_free(&s->memory);
}

unsigned sass_registers(const char *said, const char *kernel)
{
    char head[600];
    snprintf(head, sizeof head, "entry function '%.500s'", kernel);
    const char *at = strstr(said, head), *used = at ? strstr(at, "Used ") : NULL;
    const char *next = at ? strstr(at + 1, "entry function '") : NULL;
    return used && (!next || used < next) ? (unsigned)strtoul(used + 5, NULL, 10) : 0;
}
