/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory: one allocator hook, and arenas on top of it. An arena hands out memory
 * that is freed all at once; each lifetime (session, module, launch) has its own.
 * The hook exists so that tests can make any allocation fail.
 *
 * Sizes have 64 bits, also where addresses have 32. What can't fit there is refused.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

/* resize(ctx, NULL, 0, n) allocates, resize(ctx, p, old, 0) frees and returns NULL. */
struct allocator {
    void *(*resize)(void *ctx, void *p, size_t old_size, size_t new_size);
    void *ctx;
};

extern const struct allocator allocator_libc;

void *mem_alloc(const struct allocator *, uint64_t size); /* zeroed */
void *mem_resize(const struct allocator *, void *p, size_t old_size, size_t new_size);
void mem_free(const struct allocator *, void *p, uint64_t size);

/* Make room for one more item of `size` bytes in a growing array; -1 when memory is out. */
int mem_grow(const struct allocator *, void **items, size_t *capacity, size_t count, size_t size);

struct arena_block;
struct arena { /* {0} is an empty one */
    const struct allocator *from; /* NULL: allocator_libc */
    struct arena_block *blocks;
};

void arena_free(struct arena *);
/* Gives what one arena holds to another one that has the same allocator. */
void arena_move(struct arena *to, struct arena *from);
void *arena_alloc(struct arena *, uint64_t size); /* zeroed, aligned for anything */
void *arena_take(struct arena *, uint64_t size);  /* the same, but not zeroed: it will be written */
char *arena_text(struct arena *, const char *text, size_t length); /* a copy with a NUL */

#endif
