/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which warp runs next, and why where it is not the one that is shown. The simulator executes one
 * instruction of one warp at a time.
 */
#include "repl/step/stepping.h"

#include <inttypes.h>

static const struct step_group *group_at(const struct step_warp *w, const struct step_coming *c)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->group[i].state == STEP_READY && w->group[i].next == c->code)
            return &w->group[i];
    return NULL;
}

/* "warp 1", "lanes 0-15 of warp 1", "warp 0 of block 2" */
static void put_who(struct buf *out, const struct step_focus *f, const struct step_warp *w,
                    uint64_t block, unsigned warp, const struct step_group *g)
{
    if (w->count > 1 && g) {
        stepping_lanes(g->mask, out);
        buf_puts(out, " of ");
    }
    buf_printf(out, "warp %u", warp);
    if (block != f->block)
        buf_printf(out, " of block %" PRIu64, block);
}

/* Why the lanes in focus are not the next. */
static void put_why(struct stepped *st, const struct step_warp *w, const struct step_group *g,
                    bool same_warp, struct buf *out)
{
    const struct step_focus f = stepper_focus(st->stepper);
    struct buf who = {0};
    if (!w->alive) {
        buf_printf(out, " Warp %u has ended.", f.warp);
    } else if (!g) {
        buf_printf(out, " Lane %u of warp %u has ended.", f.lane, f.warp);
    } else if (g->state != STEP_READY) {
        const bool many = w->count > 1 && (g->mask & (g->mask - 1));
        put_who(&who, &f, w, f.block, f.warp, g);
        buf_printf(out, " %c%s %s", *buf_text(&who) - 'a' + 'A', buf_text(&who) + 1,
                   many ? stepping_state_of_many(g->state) : stepping_state_name(g->state));
        if (g->next->line)
            buf_printf(out, " at line %d", g->next->line);
        buf_putc(out, '.');
    } else if (same_warp) {
        buf_puts(out, " A warp executes for one group of its lanes at a time.");
    } else {
        buf_printf(out, " Warp %u could run, too.", f.warp);
    }
    buf_free(&who);
}

bool stepping_turn(struct stepped *st, struct buf *out)
{
    const struct step_focus f = stepper_focus(st->stepper);
    const struct step_blocks b = step_look_blocks(st->stepper);
    struct step_coming c;
    struct step_warp shown = {.count = 0}, next = {.count = 0};
    if (!stepper_coming(st->stepper, &c))
        return false;
    const bool same_warp = c.block == f.block && c.warp == f.warp;
    step_look_warp(st->stepper, f.block, f.warp, &shown);
    step_look_warp(st->stepper, c.block, c.warp, &next);
    const struct step_group *mine = step_group_of(&shown, f.lane), *g = group_at(&next, &c);
    const bool is_shown = same_warp && mine && (!g || (g->mask == mine->mask));
    if (is_shown && b.warps == 1 && b.running == 1 && shown.count == 1)
        return false;
    struct buf who = {0};
    put_who(&who, &f, &next, c.block, c.warp, g);
    const bool many = next.count > 1 && g && (g->mask & (g->mask - 1));
    buf_printf(out, "%c%s %s next.", *buf_text(&who) - 'a' + 'A', buf_text(&who) + 1,
               many ? "run" : "runs");
    buf_free(&who);
    if (!is_shown)
        put_why(st, &shown, mine, same_warp, out);
    return true;
}
