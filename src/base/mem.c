/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The allocator hook and the arenas. An arena is a list of blocks, newest first; memory is
 * cut from the newest, and a request that doesn't fit there starts another block, each twice
 * the one before up to a megabyte. Nothing is given back before arena_free(). Whatever is big is
 * asked for in room.h first: it is refused where the computer has no memory for it.
 */
#include "base/mem.h"

#include "base/room.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
    struct arena_block *next;
    size_t size; /* of the whole block, this header included */
    size_t used;
    max_align_t bytes[];
};

static void *libc_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    (void)ctx;
    if (new_size == 0) {
        free(p);
        return NULL;
    }
    return new_size > old_size && !room_for(new_size - old_size) ? NULL : realloc(p, new_size);
}

const struct allocator allocator_libc = {libc_resize, NULL};

/* An empty piece of memory still needs an address of its own, so it costs one byte. */
static size_t at_least_one(size_t size)
{
    return size ? size : 1;
}

void *mem_alloc(const struct allocator *a, uint64_t bytes)
{
    const size_t size = (size_t)bytes;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    if (a->resize == libc_resize && size >= ROOM_ASKS) /* zeros that nobody touches cost nothing */
        return room_for(size) ? calloc(1, size) : NULL;
    void *p = a->resize(a->ctx, NULL, 0, at_least_one(size));
    if (p)
        memset(p, 0, at_least_one(size));
    return p;
}

void *mem_resize(const struct allocator *a, void *p, size_t old_size, size_t new_size)
{
    if (!p)
        old_size = 0;
    else
        old_size = at_least_one(old_size);
    return a->resize(a->ctx, p, old_size, at_least_one(new_size));
}

void mem_free(const struct allocator *a, void *p, uint64_t size)
{
    if (p)
        a->resize(a->ctx, p, at_least_one((size_t)size), 0);
}

int mem_grow(const struct allocator *a, void **items, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return 0;
    size_t more = *capacity ? *capacity * 2 : 16;
    if (more <= count)
        more = count + 1;
    if (size && more > SIZE_MAX / 2 / size)
        return -1;
    void *p = *items ? mem_resize(a, *items, *capacity * size, more * size)
                     : mem_resize(a, NULL, 0, more * size);
    if (!p)
        return -1;
    *items = p;
    *capacity = more;
    return 0;
}

static const struct allocator *allocator_of(const struct arena *arena)
{
    return arena->from ? arena->from : &allocator_libc;
}

void arena_free(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *block = arena->blocks;
        arena->blocks = block->next;
        mem_free(allocator_of(arena), block, block->size);
    }
}

void arena_move(struct arena *to, struct arena *from)
{
    struct arena_block **end = &to->blocks;
    while (*end)
        end = &(*end)->next;
    *end = from->blocks;
    from->blocks = NULL;
}

static int add_block(struct arena *arena, size_t wanted)
{
    size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < wanted + sizeof(struct arena_block))
        size = wanted + sizeof(struct arena_block);
    struct arena_block *block = mem_resize(allocator_of(arena), NULL, 0, size);
    if (!block)
        return -1;
    block->next = arena->blocks;
    block->size = size;
    block->used = sizeof(struct arena_block);
    arena->blocks = block;
    return 0;
}

static size_t whole_units(size_t size)
{
    const size_t unit = _Alignof(max_align_t);
    return (at_least_one(size) + unit - 1) / unit * unit;
}

void *arena_take(struct arena *arena, uint64_t bytes)
{
    if (bytes > SIZE_MAX / 4)
        return NULL;
    const size_t size = whole_units((size_t)bytes);
    if (!arena->blocks || size > arena->blocks->size - arena->blocks->used)
        if (add_block(arena, size) != 0)
            return NULL;
    struct arena_block *block = arena->blocks;
    void *p = (char *)block + block->used;
    block->used += size;
    return p;
}

void *arena_alloc(struct arena *arena, uint64_t bytes)
{
    void *p = arena_take(arena, bytes);
    return p ? memset(p, 0, whole_units((size_t)bytes)) : NULL;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? arena_alloc(arena, length + 1) : NULL;
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}
