/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory with a limit, and a number of the allocation that fails: see limit.h.
 */
#include "limit.h"

#include <stdio.h>
#include <stdlib.h>

static void must(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

/* Memory is the C library's, so that the address sanitizer sees each piece by itself; its size
 * stands in front of it. */
enum { FRONT = 16 };

static void *limit_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct limit *l = ctx;
    char *whole = p ? (char *)p - FRONT : NULL;
    must(!p || *(size_t *)(void *)whole == old_size, "memory was of another size");
    if (new_size == 0) {
        l->in_use -= old_size;
        free(whole);
        return NULL;
    }
    if (++l->requests == l->fails_at || new_size > l->bytes ||
        l->in_use - old_size > l->bytes - new_size)
        return NULL;
    if (!(whole = realloc(whole, FRONT + new_size)))
        return NULL;
    *(size_t *)(void *)whole = new_size;
    l->in_use += new_size - old_size;
    return whole + FRONT;
}

struct sim_allocator limit_allocator(struct limit *l)
{
    return (struct sim_allocator){limit_resize, l};
}

void limit_end(const struct limit *l)
{
    must(l->in_use == 0, "memory was left over");
}
