/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const void *item)
{
    return *(const char *const *)item;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(name_of(a), name_of(b));
}

static int to_name(const void *name, const void *item)
{
    return strcmp(name, name_of(item));
}

void names_sort(void *items, size_t count, size_t size)
{
    if (count)
        qsort(items, count, size, by_name);
}

void *names_find(const void *items, size_t count, size_t size, const char *name)
{
    return count ? bsearch(name, items, count, size, to_name) : NULL;
}
