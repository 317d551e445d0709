/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Occupancy as a student reads it: sentences, a table, bars.
 */
#include "labkit/occupancy/occupancy.h"

#include "base/num.h"
#include "screen/pen.h"
#include "screen/wrap.h"

#include <stdio.h>
#include <string.h>

static const char *const limit_names[LIMITS] = {"threads", "places for blocks", "registers",
                                                "shared memory"};
static const char *const limit_keys[LIMITS] = {"threads", "blocks", "registers", "shared"};

static const char *group(uint64_t n, char out[NUM_TEXT])
{
    return num_group((int64_t)n, out);
}

const char *occupancy_binds_text(const struct occupancy *o, char out[80])
{
    size_t n = 0;
    out[0] = '\0';
    for (unsigned i = 0, left = o->binds; i < LIMITS; i++) {
        if (!(o->binds >> i & 1))
            continue;
        left &= ~(1u << i);
        n += (size_t)snprintf(out + n, 80 - n, "%s%s", n == 0 ? "" : left ? ", " : " and ",
                              limit_names[i]);
    }
    return out;
}

const char *occupancy_case(const struct occupancy *o)
{
    static const enum occupancy_limit first_told[] = {LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_BLOCKS,
                                                      LIMIT_THREADS};
    if (o->blocks == 0)
        return "refused";
    if (o->warps == o->most_warps)
        return "full";
    for (unsigned i = 0; i < LIMITS; i++)
        if (o->binds >> first_told[i] & 1)
            return limit_keys[first_told[i]];
    return "threads";
}

/* ---- each limit ------------------------------------------------------------------------- */

static void put_threads(struct table *t, const struct device_props *p,
                        const struct occupancy_want *w, const struct occupancy *o)
{
    table_cell(t, "%d", p->max_threads_per_sm);
    table_cell(t, "%d: %d warp%s of %d", w->threads, o->warps_per_block,
               o->warps_per_block == 1 ? "" : "s", p->warp_size);
}

static void put_registers(struct table *t, const struct device_props *p,
                          const struct occupancy_want *w, const struct occupancy *o)
{
    char all[NUM_TEXT], given[NUM_TEXT];
    const struct capability *c = capability_of(p->major, p->minor);
    table_cell(t, "%s", group((uint64_t)p->registers_per_sm, all));
    if (!o->registers_given)
        table_cell(t, "%d per thread: %d are the most", w->registers, p->registers_per_thread);
    else if (capability_gives_blocks(c))
        table_cell(t, "%s: %d per thread, by %d", group((uint64_t)o->registers_given, given),
                   w->registers, c->register_unit);
    else
        table_cell(t, "%d x %s: %d per thread, by %d", o->warps_per_block,
                   group((uint64_t)o->registers_given, given), w->registers, c->register_unit);
}

static void put_shared(struct table *t, const struct device_props *p,
                       const struct occupancy_want *w, const struct occupancy *o)
{
    char all[NUM_TEXT], given[NUM_TEXT], asked[NUM_TEXT], kept[NUM_TEXT];
    const struct capability *c = capability_of(p->major, p->minor);
    table_cell(t, "%s B", group(p->shared_per_sm, all));
    if (p->shared_reserved)
        table_cell(t, "%s B: %s + %s kept, by %d", group(o->shared_given, given),
                   group(w->shared, asked), group(p->shared_reserved, kept), c->shared_unit);
    else
        table_cell(t, "%s B: %s, by %d", group(o->shared_given, given), group(w->shared, asked),
                   c->shared_unit);
}

static void put_limit(struct table *t, enum occupancy_limit l, const struct occupancy_told *told,
                      bool plain)
{
    const struct device_props *p = &told->card;
    const bool binds = told->is.binds >> l & 1;
    table_cell(t, "%s", limit_names[l]);
    table_cell_in(t, binds ? INK_HEADING : INK_PLAIN, "%lld%s", (long long)told->is.allows[l],
                  plain ? "" : binds ? " <" : "  ");
    if (l == LIMIT_THREADS)
        put_threads(t, p, &told->want, &told->is);
    else if (l == LIMIT_REGISTERS)
        put_registers(t, p, &told->want, &told->is);
    else if (l == LIMIT_SHARED)
        put_shared(t, p, &told->want, &told->is);
    else {
        table_cell(t, "%d", p->max_blocks_per_sm);
        table_cell(t, "1");
    }
}

void say_occupancy(struct report *r, const struct occupancy_told *told)
{
    static const struct table_column columns[] = {{.head = "limit"},
                                                  {.head = "blocks  ", .right = true, .tells = "% blocks fit"},
                                                  {.head = "an SM has", .right = true, .tells = "an SM has %"},
                                                  {.head = "a block takes", .folds = true, .tells = "a block takes %"}};
    const struct occupancy *o = &told->is;
    char binds[80];
    struct table t;
    struct buf verdict = {0};
    if (o->blocks == 0)
        buf_printf(&verdict, "0 blocks: this launch is refused; too much of %s",
                   occupancy_binds_text(o, binds));
    else
        buf_printf(&verdict, "%d block%s per SM: %d warps of %d, %d %%; the limit: %s", o->blocks,
                   o->blocks == 1 ? "" : "s", o->warps, o->most_warps,
                   (100 * o->warps + o->most_warps / 2) / o->most_warps,
                   occupancy_binds_text(o, binds));
    say_in(r, o->blocks ? INK_GOOD : INK_BAD, "  ");
    text_wrap(&r->screen, buf_text(&verdict), verdict.len, r->width, 2);
    report_said(r, &verdict);
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 2);
    for (int i = 0; i < LIMITS; i++)
        if (o->counted[i])
            put_limit(&t, (enum occupancy_limit)i, told, r->plain);
    say_table(r, &t);
}

/* ---- by the size of the block ----------------------------------------------------------- */

enum { ROWS = 12 };
static const int sizes[ROWS] = {32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024};

static void put_binds(struct json *j, const struct occupancy *o)
{
    json_array(j, "binds");
    for (int i = 0; i < LIMITS; i++)
        if (o->binds >> i & 1)
            json_text(j, NULL, limit_keys[i]);
    json_end_array(j);
}

static void json_row(struct json *j, int threads, const struct occupancy *o)
{
    json_object(j, NULL);
    json_int(j, "threads", threads);
    json_int(j, "blocks", o->blocks);
    json_int(j, "warps", o->warps);
    put_binds(j, o);
    json_end_object(j);
}

/* Bars of warps, so that the sizes that waste room stand out. */
void say_occupancy_by_threads(struct report *r, const struct occupancy_told *told)
{
    const struct device_props *p = &told->card;
    char label[ROWS][16], shown[ROWS][120], binds[80];
    struct bar bars[ROWS];
    unsigned n = 0;
    json_array(&r->result, "by_threads");
    for (int i = 0; i < ROWS && sizes[i] <= p->max_threads_per_block; i++, n++) {
        struct occupancy_want w = told->want;
        w.threads = sizes[i];
        const struct occupancy o = occupancy_of(p, &w);
        json_row(&r->result, w.threads, &o);
        const bool chosen = w.threads == told->want.threads;
        if (r->plain)
            snprintf(label[n], sizeof label[n], "%d threads", w.threads);
        else
            snprintf(label[n], sizeof label[n], "%s%4d", chosen ? ">" : " ", w.threads);
        occupancy_binds_text(&o, binds);
        if (o.blocks)
            snprintf(shown[n], sizeof shown[n],
                     r->plain ? "%d warps, %d blocks of %d warps; the limit: %s"
                              : "%d warps = %d x %d: %s",
                     o.warps, o.blocks, o.warps_per_block, binds);
        else
            snprintf(shown[n], sizeof shown[n], "refused: %s", binds);
        bars[n] = (struct bar){label[n], o.warps, shown[n]};
    }
    json_end_array(&r->result);
    say(r, "\n");
    say_heading(r, "by threads per block: warps per SM, of %d",
                p->max_threads_per_sm / p->warp_size);
    say_bars(r, bars, n);
}

/* ---- its facts -------------------------------------------------------------------------- */

static void put_limits(struct json *j, const void *found)
{
    const struct occupancy *o = &((const struct occupancy_told *)found)->is;
    json_object(j, "limits");
    for (int i = 0; i < LIMITS; i++)
        if (o->counted[i])
            json_int(j, limit_keys[i], o->allows[i]);
    json_end_object(j);
    put_binds(j, o);
}

#define TOLD(m) FACT_AT(struct occupancy_told, m)
const struct fact occupancy_facts[] = {
    {.name = "card", TOLD(card.name)},
    {.name = "threads", TOLD(want.threads)},
    {.name = "registers", TOLD(want.registers), .if_set = true},
    {.name = "shared_bytes", TOLD(want.shared), .as = AS_GROUP},
    {.name = "blocks", TOLD(is.blocks)},
    {.name = "warps", TOLD(is.warps)},
    {.name = "max_warps", TOLD(is.most_warps)},
    {.name = "occupancy", TOLD(part)},
    {.put = put_limits},
    {.name = "registers_given", TOLD(is.registers_given), .as = AS_GROUP, .if_set = true},
    {.name = "shared_given", TOLD(is.shared_given), .as = AS_GROUP, .if_set = true},
    {.name = "free", TOLD(free), .only = FACT_IN_TEXT},
    {.name = "left", TOLD(left), .only = FACT_IN_TEXT},
    {.name = "fit", TOLD(fit), .only = FACT_IN_TEXT},
    {.name = "others", TOLD(others), .only = FACT_IN_TEXT},
    {.name = "fills", TOLD(fills), .only = FACT_IN_TEXT},
    {.name = "warps_a_block", TOLD(is.warps_per_block), .only = FACT_IN_TEXT},
    {.name = "sm_registers", TOLD(card.registers_per_sm), .as = AS_GROUP, .only = FACT_IN_TEXT},
    {.name = "sm_shared", TOLD(card.shared_per_sm), .as = AS_GROUP, .only = FACT_IN_TEXT},
    {.name = "places", TOLD(card.max_blocks_per_sm), .only = FACT_IN_TEXT},
    {.name = "most_threads", TOLD(card.max_threads_per_block), .only = FACT_IN_TEXT},
    {.name = "most_registers", TOLD(card.registers_per_thread), .only = FACT_IN_TEXT},
    {.name = "most_shared", TOLD(most_shared), .as = AS_GROUP, .only = FACT_IN_TEXT},
    {.name = NULL},
};

struct occupancy_told occupancy_tell(const struct device_props *p, const struct occupancy_want *w)
{
    struct occupancy_want free_of = *w;
    const struct occupancy is = occupancy_of(p, w);
    free_of.registers = 0;
    return (struct occupancy_told){
        .card = *p, .want = *w, .is = is,
        .part = (double)is.warps / is.most_warps,
        .free = is.most_warps - is.warps,
        .left = is.most_warps - is.blocks * is.warps_per_block,
        .fit = occupancy_most_registers(p, w),
        .others = occupancy_of(p, &free_of).blocks,
        .fills = p->max_threads_per_sm / p->max_blocks_per_sm,
        .most_shared = p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block};
}
