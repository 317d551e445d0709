/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a checker keeps of each block that runs now, found by the block's number. A card runs
 * thousands of blocks at once, and each access of a warp asks for its own.
 *
 * The checker's struct begins with a struct block_entry.
 */
#ifndef CHECK_BLOCKS_H
#define CHECK_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum { BLOCK_CHAINS = 512 };

struct block_entry {
    struct block_entry *next;
    uint64_t index;
};

struct block_table {
    struct block_entry *latest; /* found last: the next event is most often of the same block */
    struct block_entry *chain[BLOCK_CHAINS];
};

static inline void block_add(struct block_table *t, struct block_entry *b, uint64_t index)
{
    b->index = index;
    b->next = t->chain[index % BLOCK_CHAINS];
    t->chain[index % BLOCK_CHAINS] = b;
}

static inline void *block_find(struct block_table *t, uint64_t index)
{
    struct block_entry *b = t->latest;
    if (b && b->index == index)
        return b;
    for (b = t->chain[index % BLOCK_CHAINS]; b && b->index != index;)
        b = b->next;
    return b ? t->latest = b : NULL;
}

/* The block ends. Returns what was kept of it, or NULL. */
static inline void *block_take(struct block_table *t, uint64_t index)
{
    struct block_entry **at = &t->chain[index % BLOCK_CHAINS], *b;
    while ((b = *at) && b->index != index)
        at = &b->next;
    if (!b)
        return NULL;
    *at = b->next;
    t->latest = NULL;
    return b;
}

/* One after the other: the next one after `b`, the first one after NULL. */
static inline void *block_after(const struct block_table *t, const struct block_entry *b)
{
    if (b && b->next)
        return b->next;
    for (uint64_t i = b ? b->index % BLOCK_CHAINS + 1 : 0; i < BLOCK_CHAINS; i++)
        if (t->chain[i])
            return t->chain[i];
    return NULL;
}

#endif
