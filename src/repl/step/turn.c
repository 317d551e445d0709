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

/* "Warp 1", "Warp 0 of block 2" */
static void put_warp(struct buf *out, const struct step_focus *f, uint64_t block, unsigned warp)
{
    buf_printf(out, "Warp %u", warp);
    if (block != f->block)
        buf_printf(out, " of block %" PRIu64, block);
}

/* Some lanes of the warp in focus: by their letters, which the view has, or by their numbers. */
static void put_lanes(struct buf *out, const struct step_warp *w, const struct step_group *g,
                      unsigned lane, bool plain)
{
    struct buf numbers = {0};
    stepping_lanes(g->mask, &numbers);
    if (plain)
        buf_printf(out, "L%s", buf_text(&numbers) + 1);
    else
        buf_printf(out, "The lanes marked %c", stepping_mark(w, (unsigned)(g - w->group), lane));
    buf_free(&numbers);
}

static bool is_many(const struct step_group *g, bool plain)
{
    return !plain || (g->mask & (g->mask - 1));
}

/* Why the lanes in focus are not the next. */
static void put_why(struct stepped *st, const struct step_warp *w, const struct step_group *g,
                    bool same_warp, bool plain, struct buf *out)
{
    const struct step_focus f = stepper_focus(st->stepper);
    if (!w->alive) {
        buf_printf(out, " Warp %u has ended.", f.warp);
    } else if (!g) {
        buf_printf(out, " Lane %u of warp %u has ended.", f.lane, f.warp);
    } else if (g->state != STEP_READY) {
        const bool parts = w->count > 1, many = parts && is_many(g, plain);
        buf_putc(out, ' ');
        if (parts)
            put_lanes(out, w, g, f.lane, plain);
        else
            buf_printf(out, "Warp %u", f.warp);
        buf_printf(out, " %s",
                   many ? stepping_state_of_many(g->state) : stepping_state_name(g->state));
        if (g->next->line)
            buf_printf(out, " at line %d", g->next->line);
        buf_putc(out, '.');
    } else if (same_warp) {
        buf_puts(out, " A warp executes one group of lanes at a time.");
    } else {
        buf_printf(out, " Warp %u could run, too.", f.warp);
    }
}

bool stepping_turn(struct stepped *st, bool plain, struct buf *out)
{
    const struct step_focus f = stepper_focus(st->stepper);
    const struct step_blocks b = step_look_blocks(st->stepper);
    struct step_coming c;
    struct step_warp shown = {.count = 0};
    if (!stepper_coming(st->stepper, &c))
        return false;
    const bool same_warp = c.block == f.block && c.warp == f.warp;
    step_look_warp(st->stepper, f.block, f.warp, &shown);
    const struct step_group *mine = step_group_of(&shown, f.lane);
    const struct step_group *next = same_warp ? group_at(&shown, &c) : NULL;
    const bool is_shown = same_warp && mine && (!next || next == mine);
    if (is_shown && b.warps == 1 && b.running == 1 && shown.count == 1)
        return false;
    if (shown.count > 1 && next) {
        put_lanes(out, &shown, next, f.lane, plain);
        buf_puts(out, is_many(next, plain) ? " run next." : " runs next.");
    } else {
        put_warp(out, &f, c.block, c.warp);
        buf_puts(out, " runs next.");
    }
    if (!is_shown)
        put_why(st, &shown, mine, same_warp, plain, out);
    return true;
}
