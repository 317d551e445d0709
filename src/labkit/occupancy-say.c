/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Telling occupancy: what a student reads of it.
 */
#include "labkit/occupancy-say.h"

#include "base/num.h"
#include "screen/pen.h"
#include "screen/picture.h"

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

static int percent(const struct occupancy *o)
{
    return (100 * o->warps + o->most_warps / 2) / o->most_warps;
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
        table_cell(t, "%d a thread: %d are the most", w->registers, p->registers_per_thread);
    else if (capability_gives_blocks(c))
        table_cell(t, "%s: %d a thread, by %d a block", group((uint64_t)o->registers_given, given),
                   w->registers, c->register_unit);
    else
        table_cell(t, "%d x %s: %d a thread, by %d a warp", o->warps_per_block,
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

static void put_limit(struct table *t, enum occupancy_limit l, const struct device_props *p,
                      const struct occupancy_want *w, const struct occupancy *o)
{
    bool binds = o->binds >> l & 1;
    table_cell(t, "%s", limit_names[l]);
    table_cell_in(t, binds ? INK_HEADING : INK_PLAIN, "%lld%s", (long long)o->allows[l],
                  binds ? " <" : "  ");
    if (l == LIMIT_THREADS)
        put_threads(t, p, w, o);
    else if (l == LIMIT_REGISTERS)
        put_registers(t, p, w, o);
    else if (l == LIMIT_SHARED)
        put_shared(t, p, w, o);
    else {
        table_cell(t, "%d", p->max_blocks_per_sm);
        table_cell(t, "1");
    }
}

void say_occupancy(struct report *r, const struct device_props *p, const struct occupancy_want *w,
                   const struct occupancy *o)
{
    static const struct table_column columns[] = {{.head = "limit"},
                                                  {.head = "blocks  ", .right = true},
                                                  {.head = "an SM has", .right = true},
                                                  {.head = "a block takes", .folds = true}};
    char binds[80];
    struct table t;
    struct buf verdict;
    buf_init(&verdict);
    if (o->blocks == 0)
        buf_printf(&verdict, "0 blocks: such a launch is refused; too much of %s",
                   occupancy_binds_text(o, binds));
    else
        buf_printf(&verdict, "%d block%s an SM: %d warps of %d, %d %%; what binds: %s", o->blocks,
                   o->blocks == 1 ? "" : "s", o->warps, o->most_warps, percent(o),
                   occupancy_binds_text(o, binds));
    say_in(r, o->blocks ? INK_GOOD : INK_BAD, "  ");
    text_wrap(&r->screen, buf_text(&verdict), verdict.len, r->width, 2);
    report_said(r, &verdict);
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 2);
    for (int i = 0; i < LIMITS; i++)
        if (o->counted[i])
            put_limit(&t, (enum occupancy_limit)i, p, w, o);
    say_table(r, &t);
}

/* ---- by the size of the block ----------------------------------------------------------- */

enum { ROWS = 12 };
static const int sizes[ROWS] = {32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024};

static void json_row(struct json *j, int threads, const struct occupancy *o)
{
    json_object(j, NULL);
    json_int(j, "threads", threads);
    json_int(j, "blocks", o->blocks);
    json_int(j, "warps", o->warps);
    json_array(j, "binds");
    for (int i = 0; i < LIMITS; i++)
        if (o->binds >> i & 1)
            json_text(j, NULL, limit_keys[i]);
    json_end_array(j);
    json_end_object(j);
}

/* Bars of warps, so that the sizes that waste room stand out. */
void say_occupancy_by_threads(struct report *r, const struct device_props *p,
                              const struct occupancy_want *given)
{
    char label[ROWS][16], shown[ROWS][120], binds[80];
    struct bar bars[ROWS];
    unsigned n = 0;
    json_array(&r->result, "by_threads");
    for (int i = 0; i < ROWS && sizes[i] <= p->max_threads_per_block; i++, n++) {
        struct occupancy_want w = *given;
        w.threads = sizes[i];
        const struct occupancy o = occupancy_of(p, &w);
        json_row(&r->result, w.threads, &o);
        snprintf(label[n], sizeof label[n], "%s%4d", w.threads == given->threads ? ">" : " ",
                 w.threads);
        occupancy_binds_text(&o, binds);
        if (o.blocks)
            snprintf(shown[n], sizeof shown[n], "%d warps = %d x %d: %s", o.warps, o.blocks,
                     o.warps_per_block, binds);
        else
            snprintf(shown[n], sizeof shown[n], "refused: %s", binds);
        bars[n] = (struct bar){label[n], o.warps, shown[n]};
    }
    json_end_array(&r->result);
    say(r, "\n");
    say_heading(r, "by threads a block: warps an SM, of %d",
                p->max_threads_per_sm / p->warp_size);
    say_bars(r, bars, n);
}

/* ---- JSON, slots ------------------------------------------------------------------------ */

void json_occupancy(struct json *j, const struct occupancy_want *w, const struct occupancy *o)
{
    json_int(j, "threads", w->threads);
    if (w->registers)
        json_int(j, "registers", w->registers);
    json_uint(j, "shared_bytes", w->shared);
    json_int(j, "blocks", o->blocks);
    json_int(j, "warps", o->warps);
    json_int(j, "max_warps", o->most_warps);
    json_f64(j, "occupancy", (double)o->warps / o->most_warps);
    json_object(j, "limits");
    for (int i = 0; i < LIMITS; i++)
        if (o->counted[i])
            json_int(j, limit_keys[i], o->allows[i]);
    json_end_object(j);
    json_array(j, "binds");
    for (int i = 0; i < LIMITS; i++)
        if (o->binds >> i & 1)
            json_text(j, NULL, limit_keys[i]);
    json_end_array(j);
    if (o->registers_given)
        json_int(j, "registers_given", o->registers_given);
    if (o->shared_given)
        json_uint(j, "shared_given", o->shared_given);
}

void occupancy_slots(struct slots *s, const struct device_props *p,
                     const struct occupancy_want *w, const struct occupancy *o)
{
    char text[NUM_TEXT];
    struct occupancy_want free_of = *w;
    const int fit = occupancy_most_registers(p, w);
    free_of.registers = 0;
    slot(s, "threads", "%d", w->threads);
    slot(s, "blocks", "%d block%s", o->blocks, o->blocks == 1 ? "" : "s");
    slot(s, "warps", "%d", o->warps);
    slot(s, "most", "%d", o->most_warps);
    slot(s, "free", "%d", o->most_warps - o->warps);
    slot(s, "warps_a_block", "%d", o->warps_per_block);
    slot(s, "left", "%d", o->most_warps - o->blocks * o->warps_per_block);
    slot(s, "registers", "%d", w->registers);
    slot(s, "given", "%s", group((uint64_t)o->registers_given, text));
    slot(s, "fit", "%d", fit);
    slot(s, "others", "%d", occupancy_of(p, &free_of).blocks);
    slot(s, "sm_registers", "%s", group((uint64_t)p->registers_per_sm, text));
    slot(s, "shared", "%s", group(w->shared, text));
    slot(s, "shared_given", "%s", group(o->shared_given, text));
    slot(s, "sm_shared", "%s", group(p->shared_per_sm, text));
    slot(s, "places", "%d", p->max_blocks_per_sm);
    slot(s, "fills", "%d", p->max_threads_per_sm / p->max_blocks_per_sm);
    slot(s, "card", "%s", p->name);
    slot(s, "most_threads", "%d", p->max_threads_per_block);
    slot(s, "most_registers", "%d", p->registers_per_thread);
    slot(s, "most_shared", "%s",
         group(p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block, text));
}
