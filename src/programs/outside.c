/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file knows what lies around a kernel: the headers that stand in for those of the toolkit and
 * of the C library, and the launches in a file's host code.
 */
#include "programs/backend.h"

#include "os/asset.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* kernels/include/libc/stdio.h, or a header of our own that those need: kernels/cudalab_std.h */
const char *stand_in_name(const struct asset *a)
{
    static const char folder[] = "kernels/", inner[] = "include/";
    if (strncmp(a->name, folder, sizeof folder - 1) != 0)
        return NULL;
    const char *name = a->name + sizeof folder - 1;
    size_t n = strlen(name);
    if (strncmp(name, inner, sizeof inner - 1) == 0) {
        const char *group = strchr(name + sizeof inner - 1, '/');
        return group ? group + 1 : NULL;
    }
    return n > 2 && strcmp(name + n - 2, ".h") == 0 && !strchr(name, '/') ? name : NULL;
}

/* Finds where the `name` or `name<...>` begins that ends before `end`. `end`: there is none. */
static const char *name_before(const char *start, const char *end)
{
    const char *at = end;
    int depth = 0;
    while (at > start && (at[-1] == ' ' || at[-1] == '\n'))
        at--;
    if (at > start && at[-1] == '>')
        do {
            at--;
            depth += (*at == '>') - (*at == '<');
        } while (at > start && depth > 0 && *at != ';');
    if (depth != 0)
        return end;
    while (at > start && (isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == ':'))
        at--;
    return at;
}

bool next_launched(struct token_reader *from, const char *start, struct launched *out)
{
    struct token t;
    while (token_next(from, &t)) {
        if (!token_is(&t, "<<") || from->end - t.at < 3 || memcmp(t.at, "<<<", 3) != 0)
            continue;
        const char *name = name_before(start, t.at), *stop = t.at;
        while (stop > name && (stop[-1] == ' ' || stop[-1] == '\n'))
            stop--;
        from->at = t.at + 3;
        if (stop == name || isdigit((unsigned char)*name) || stop - name >= (int)sizeof out->name)
            continue;
        snprintf(out->name, sizeof out->name, "%.*s", (int)(stop - name), name);
        return true;
    }
    return false;
}
