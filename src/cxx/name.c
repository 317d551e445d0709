/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file answers questions about C++ names. read.c makes a tree of a mangled name, and print.c
 * writes parts of the tree. This file keeps what callers want in an arena.
 */
#include "cxx/name.h"

#include "base/lines.h"
#include "cxx/tree.h"

#include <stdio.h>
#include <string.h>

static const char *keep_part(const struct node *n, enum name_part part, struct arena *arena)
{
    struct buf text = {0};
    const char *kept =
        node_print(n, part, &text) == 0 ? arena_text(arena, buf_text(&text), text.len) : NULL;
    buf_free(&text);
    return kept;
}

static int keep_parameters(const struct node *function, struct arena *arena, struct cxx_name *out)
{
    const char *lines = keep_part(function, PART_PARAMETERS, arena);
    struct span rest = {lines, lines ? strlen(lines) : 0}, line;
    size_t most = rest.n > 0;
    for (size_t i = 0; i < rest.n; i++)
        most += lines[i] == '\n';
    out->params = lines ? arena_alloc(arena, (most + 1) * sizeof *out->params) : NULL;
    while (out->params && next_line(&rest, &line))
        if (!(out->params[out->param_count++] = arena_text(arena, line.at, line.n)))
            return -1;
    return out->params ? 0 : -1;
}

int cxx_read(const char *mangled, struct arena *arena, struct cxx_name *out)
{
    *out = (struct cxx_name){0};
    const struct node *n = node_read(mangled, arena);
    bool good = n && n->kind == NODE_ENCODING &&
                (out->qualified = keep_part(n, PART_QUALIFIED, arena)) &&
                (out->plain = keep_part(n, PART_PLAIN, arena)) &&
                (out->arguments = keep_part(n, PART_ARGUMENTS, arena)) &&
                keep_parameters(n, arena, out) == 0 && (out->full = keep_part(n, PART_FULL, arena));
    return good ? 0 : -1;
}

const char *cxx_variable(const char *mangled, struct arena *arena)
{
    const struct node *n = node_read(mangled, arena);
    const char *plain = skip_static_prefix(mangled);
    if (!n && plain != mangled)
        return arena_text(arena, plain, strlen(plain));
    return n && n->kind != NODE_ENCODING ? keep_part(n, PART_VARIABLE, arena) : NULL;
}

static void add_readable(struct buf *out, const char *name, size_t n)
{
    struct arena arena = {0};
    struct cxx_name cxx;
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
    struct buf all = {0};
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
