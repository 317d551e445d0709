/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes a type apart without a compiler: words and stars.
 */
#include "own/type-text.h"

#include <stdio.h>
#include <string.h>

void type_bare(const char *type, char out[TYPE_ROOM])
{
    static const char *const words[] = {"const", "volatile", "__restrict__", "restrict", NULL};
    size_t n = 0;
    while (*type && n < TYPE_ROOM - 1) {
        size_t k = strcspn(type, " *&");
        bool dropped = false;
        for (const char *const *w = words; k && *w; w++)
            dropped = dropped || (strlen(*w) == k && memcmp(type, *w, k) == 0);
        if (!k)
            k = 1;
        if (!dropped && !(*type == ' ' && (n == 0 || out[n - 1] == ' ')))
            for (size_t i = 0; i < k && n < TYPE_ROOM - 1; i++)
                out[n++] = type[i];
        type += k;
    }
    while (n && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
}

bool type_is_pointer(const char *type)
{
    size_t n = strlen(type);
    return n && (type[n - 1] == '*' || type[n - 1] == '&' || type[n - 1] == ']');
}

bool type_pointee(const char *type, char out[TYPE_ROOM])
{
    size_t n = strlen(type);
    if (!type_is_pointer(type))
        return false;
    if (type[n - 1] == ']')
        n = strcspn(type, "[");
    else
        n--;
    while (n && type[n - 1] == ' ')
        n--;
    snprintf(out, TYPE_ROOM, "%.*s", (int)n, type);
    return true;
}
