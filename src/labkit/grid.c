/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grids: counting, naming, and reading the order of blocks from what they printed.
 */
#include "labkit/grid.h"

#include "base/mem.h"
#include "base/num.h"
#include "screen/picture.h"
#include <stdio.h>
#include <string.h>

enum { ORDER_SHOWN = 12 };

static uint64_t product(const unsigned d[3])
{
    return (uint64_t)d[0] * d[1] * d[2];
}

int grid_read(struct grid *g, const unsigned blocks[3], const unsigned threads[3], uint64_t most,
              const char *why, const char *example, struct report *r)
{
    memcpy(g->blocks, blocks, sizeof g->blocks);
    memcpy(g->threads, threads, sizeof g->threads);
    g->block_count = product(g->blocks);
    g->block_size = product(g->threads);
    g->flat = g->block_count == g->blocks[0] && g->block_size == g->threads[0];
    if (g->block_count <= most && g->block_count * g->block_size <= most)
        return 0;
    return report_fail(r, "%s, so at most %llu threads here: take fewer blocks or threads, for "
                          "example %s", why, (unsigned long long)most, example);
}

const char *grid_text(const struct grid *g, char out[GRID_TEXT])
{
    char blocks[DIMS_TEXT], threads[DIMS_TEXT];
    snprintf(out, GRID_TEXT, "%s, %s", num_dims(g->blocks, blocks), num_dims(g->threads, threads));
    return out;
}

void grid_coordinates(const unsigned size[3], uint64_t index, unsigned out[3])
{
    out[0] = (unsigned)(index % size[0]);
    out[1] = (unsigned)(index / size[0] % size[1]);
    out[2] = (unsigned)(index / size[0] / size[1]);
}

bool grid_prints_once(const struct grid *g, const struct launch_result *result,
                      void (*line)(const struct grid *, uint64_t, uint64_t, char[128]))
{
    char expected[128];
    uint64_t all = g->block_count * g->block_size, right = 0;
    unsigned char *seen = mem_alloc(&allocator_libc, all);
    for (size_t i = 0; seen && i < result->print_count; i++) {
        const struct launch_print *p = &result->prints[i];
        uint64_t at = p->block * g->block_size + p->thread;
        line(g, p->block, p->thread, expected);
        if (at < all && !seen[at]++ && strlen(expected) == p->length &&
            memcmp(expected, p->text, p->length) == 0)
            right++;
    }
    mem_free(&allocator_libc, seen, all);
    return right == all && result->print_count == all;
}

/* The blocks in the order of their first lines, as many as are shown. */
static unsigned first_blocks(const struct launch_result *result, uint64_t order[ORDER_SHOWN])
{
    unsigned found = 0;
    for (size_t i = 0; i < result->print_count && found < ORDER_SHOWN; i++) {
        unsigned k = 0;
        while (k < found && order[k] != result->prints[i].block)
            k++;
        if (k == found)
            order[found++] = result->prints[i].block;
    }
    return found;
}

void grid_orders(const struct grid *g, const struct launch_result *result, char order[128],
                 char other[128])
{
    uint64_t seen[ORDER_SHOWN];
    unsigned found = first_blocks(result, seen);
    bool more = g->block_count > found;
    int there = 0, back = snprintf(other, 128, "%s", more ? "... " : "");
    order[0] = '\0';
    for (unsigned i = 0; i < found; i++) {
        there += snprintf(order + there, 128 - (size_t)there, "%s%llu", i ? " " : "",
                          (unsigned long long)seen[i]);
        back += snprintf(other + back, 128 - (size_t)back, "%s%llu", i ? " " : "",
                         (unsigned long long)seen[found - 1 - i]);
    }
    if (more)
        snprintf(order + there, 128 - (size_t)there, " ...");
}

void say_grid_orders(struct report *r, const char *order, const char *other)
{
    static const struct table_column columns[] = {
        {.head = "", .tells = "%:"}, {.head = "", .folds = true}};
    struct table t;
    table_begin(&t, columns, 2, 2);
    table_cell(&t, "blocks ran in the order");
    table_cell(&t, "%s", order);
    table_cell(&t, "also possible");
    table_cell(&t, "%s", other);
    say_table(r, &t);
}
