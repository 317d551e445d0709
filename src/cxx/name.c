/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of C++ functions in PTX, in three steps: mangle-read.c makes a tree of the text,
 * mangle-print.c writes parts of it, and this file keeps in an arena what callers ask for.
 */
#include "cxx/name.h"
#include "cxx/tree.h"

#include <stdio.h>
#include <string.h>

static const char *keep(struct arena *arena, const struct buf *text)
{
    return text->failed ? NULL : arena_text(arena, buf_text(text), text->len);
}

static const char *keep_part(const struct node *encoding, enum name_part part, struct arena *arena,
                             struct buf *text)
{
    buf_clear(text);
    return node_print_part(encoding, part, text) == 0 ? keep(arena, text) : NULL;
}

static int keep_parameters(const struct node *encoding, struct arena *arena, struct buf *text,
                           struct cxx_name *out)
{
    enum { MOST = 4096 }; /* a kernel's parameters take at most 32,764 bytes */
    unsigned room = 0;
    for (out->param_count = 0; out->param_count < MOST; out->param_count++) {
        buf_clear(text);
        int more = node_print_parameter(encoding, out->param_count, text);
        if (more <= 0)
            return more;
        if (out->param_count == room) {
            room = room ? 2 * room : 8;
            const char **params = arena_get(arena, room * sizeof *params);
            if (!params)
                return -1;
            for (unsigned i = 0; i < out->param_count; i++)
                params[i] = out->params[i];
            out->params = params;
        }
        if (!(out->params[out->param_count] = keep(arena, text)))
            return -1;
    }
    return -1;
}

static const char *keep_full(const struct node *encoding, struct arena *arena, struct buf *text,
                             const struct cxx_name *name)
{
    buf_clear(text);
    if (node_print_part(encoding, PART_NAME, text) != 0)
        return NULL;
    buf_putc(text, '(');
    for (unsigned i = 0; i < name->param_count; i++)
        buf_printf(text, "%s%s", i ? ", " : "", name->params[i]);
    buf_putc(text, ')');
    if (node_print_part(encoding, PART_QUALIFIERS, text) != 0)
        return NULL;
    return keep(arena, text);
}

int cxx_read(const char *mangled, struct arena *arena, struct cxx_name *out)
{
    *out = (struct cxx_name){0};
    bool variable;
    const struct node *encoding = node_read(mangled, arena, &variable);
    if (!encoding || variable)
        return -1;
    struct buf text;
    buf_init(&text);
    bool good = (out->qualified = keep_part(encoding, PART_QUALIFIED, arena, &text)) &&
                (out->plain = keep_part(encoding, PART_PLAIN, arena, &text)) &&
                (out->arguments = keep_part(encoding, PART_ARGUMENTS, arena, &text)) &&
                keep_parameters(encoding, arena, &text, out) == 0 &&
                (out->full = keep_full(encoding, arena, &text, out));
    buf_free(&text);
    return good ? 0 : -1;
}

const char *cxx_variable(const char *mangled, struct arena *arena)
{
    bool variable;
    const struct node *name = node_read(mangled, arena, &variable);
    if (!name || !variable)
        return NULL;
    struct buf text;
    buf_init(&text);
    const char *kept = keep_part(name, PART_NAME, arena, &text);
    buf_free(&text);
    return kept;
}

static void add_readable(struct buf *out, const char *name, size_t n)
{
    struct arena arena;
    struct cxx_name cxx;
    arena_init(&arena, &allocator_libc);
    const char *mangled = arena_text(&arena, name, n);
    if (mangled && cxx_read(mangled, &arena, &cxx) == 0)
        buf_puts(out, cxx.full);
    else
        buf_add(out, name, n);
    arena_free(&arena);
}

void cxx_readable(const char *text, char *out, size_t size)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_$.";
    struct buf all;
    buf_init(&all);
    while (*text) {
        size_t word = strspn(text, letters), n = word ? word : strcspn(text, letters);
        if (strncmp(text, "_Z", 2) == 0)
            add_readable(&all, text, n);
        else
            buf_add(&all, text, n);
        text += n;
    }
    snprintf(out, size, "%s", buf_text(&all));
    buf_free(&all);
}
