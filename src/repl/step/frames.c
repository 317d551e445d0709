/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames, and the words that show and choose them; see frames.h. Lanes may have come to one
 * function by different ways. So the chosen frame is kept by its distance from the kernel, which is
 * the same for all lanes.
 */
#include "repl/step/frames.h"

#include "command/command.h"
#include "repl/step/variables.h"
#include "screen/wrap.h"

#include <stdio.h>
#include <string.h>

/* ---- the frames of a lane ---------------------------------------------------------------------
 */

static void readable(const struct sim_instruction *at, char out[96])
{
    cxx_readable(at->function, out, 96);
}

/* The frames of one function: itself, and before it the calls that were inlined into it. */
static unsigned add_frames(struct stepped *st, const struct sim_instruction *at, unsigned calls,
                           unsigned count, struct lane_frame out[FRAMES_MOST])
{
    struct name_frame names[FRAMES_MOST];
    const unsigned n = st->names ? (unsigned)names_frames(st->names, at->function, at->ptx_line,
                                                          at->line, names, FRAMES_MOST - count)
                                 : 0;
    for (unsigned i = 0; i + 1 < n; i++) {
        out[count] = (struct lane_frame){
            .line = names[i].line, .at = at, .calls = calls, .inlined = i, .is_inlined = true};
        snprintf(out[count].function, sizeof out[count].function, "%s", names[i].function);
        count++;
    }
    if (count < FRAMES_MOST) {
        out[count] = (struct lane_frame){.line = n ? names[n - 1].line : at->line,
                                         .at = at,
                                         .calls = calls,
                                         .inlined = n ? n - 1 : 0};
        readable(at, out[count++].function);
    }
    return count;
}

static const struct step_group *group_of(struct stepped *st, unsigned lane, struct step_warp *w)
{
    const struct step_focus f = stepper_focus(st->stepper);
    return step_look_warp(st->stepper, f.block, f.warp, w) ? step_group_of(w, lane) : NULL;
}

unsigned frames_of(struct stepped *st, unsigned lane, struct lane_frame out[FRAMES_MOST])
{
    const struct step_focus f = stepper_focus(st->stepper);
    const struct sim_instruction *code = sim_result(stepper_run(st->stepper))->code;
    struct step_warp w;
    const struct step_group *g = group_of(st, lane, &w);
    uint32_t pc;
    unsigned count = g ? add_frames(st, g->next, 0, 0, out) : 0;
    for (unsigned up = 0;
         g && count < FRAMES_MOST &&
         sim_inspect_call(stepper_run(st->stepper), f.block, f.warp, lane, up, &pc);
         up++)
        count = add_frames(st, &code[pc], up + 1, count, out);
    return count;
}

/* ---- the chosen one ---------------------------------------------------------------------------
 */

static bool is_chosen_here(const struct stepped *st)
{
    const struct step_focus f = stepper_focus(st->stepper), *was = &st->frame.focus;
    return st->frame.is_chosen && st->frame.place == stepper_place(st->stepper) &&
           f.block == was->block && f.warp == was->warp && f.lane == was->lane;
}

/* The frame that is as far from the kernel as the chosen one. */
static bool frame_of_lane(struct stepped *st, unsigned lane, unsigned *number,
                          struct lane_frame *out)
{
    struct lane_frame all[FRAMES_MOST];
    const unsigned count = frames_of(st, lane, all);
    const unsigned out_of_kernel = st->frame.from_kernel;
    *number = 0;
    if (is_chosen_here(st)) {
        if (out_of_kernel >= count)
            return false;
        *number = count - 1 - out_of_kernel;
    }
    if (count)
        *out = all[*number];
    return count != 0;
}

bool frames_chosen(struct stepped *st, unsigned *number, struct lane_frame *out)
{
    return frame_of_lane(st, stepper_focus(st->stepper).lane, number, out);
}

/* Lanes of the warp that have ended stand nowhere, together. */
static bool place_of_ended(struct stepped *st, unsigned lane, struct lane_place *p)
{
    const struct step_focus f = stepper_focus(st->stepper);
    const struct step_blocks b = step_look_blocks(st->stepper);
    struct step_warp w = {.alive = 0};
    (void)step_look_warp(st->stepper, f.block, f.warp, &w);
    for (unsigned i = 0; i < STEP_LANES; i++)
        if (!(w.alive >> i & 1) && f.warp * STEP_LANES + i < b.threads)
            p->lanes |= UINT32_C(1) << i;
    return p->lanes >> lane & 1;
}

bool frames_place(struct stepped *st, unsigned lane, struct lane_place *p)
{
    const struct step_focus f = stepper_focus(st->stepper);
    struct step_warp w;
    struct lane_frame frame;
    unsigned number;
    const struct step_group *g = group_of(st, lane, &w);
    *p = (struct lane_place){.block = f.block, .warp = f.warp};
    if (!g)
        return place_of_ended(st, lane, p);
    p->lanes = g->mask;
    p->at = g->next;
    if (!is_chosen_here(st))
        return true;
    if (!frame_of_lane(st, lane, &number, &frame))
        return false;
    p->at = frame.at;
    p->calls = frame.calls;
    p->inlined = frame.inlined;
    for (unsigned i = 0; i < STEP_LANES && frame.calls; i++) { /* others may have another caller */
        struct lane_frame other;
        if ((p->lanes >> i & 1) && i != lane &&
            (!frame_of_lane(st, i, &number, &other) || other.at != frame.at))
            p->lanes &= ~(UINT32_C(1) << i);
    }
    return true;
}

/* ---- where ------------------------------------------------------------------------------------
 */

static void add_line(struct stepped *st, const struct sim_instruction *at, int line,
                     struct buf *text)
{
    const struct text_file file = stepping_source(st, at);
    if (line)
        buf_printf(text, ", %s%s%d", file.name ? file.name : "line ", file.name ? ":" : "", line);
}

static void say_frame(struct stepped *st, unsigned number, bool chosen, const struct lane_frame *f,
                      struct report *r)
{
    struct buf text = {0};
    buf_printf(&text, "%c%u  %s", chosen ? '>' : ' ', number, f->function);
    add_line(st, f->at, f->line, &text);
    if (f->is_inlined)
        buf_puts(&text, ", inlined");
    say_wrapped(r, 4, "%s", buf_text(&text));
    buf_free(&text);
}

/* The lanes of the warp, by the places where they stand. */
static void say_groups(struct stepped *st, const struct step_warp *w, struct report *r)
{
    for (unsigned i = 0; i < w->count; i++) {
        const struct step_group *g = &w->group[i];
        struct buf text = {0};
        char function[96];
        readable(g->next, function);
        stepping_lanes(g->mask, &text);
        buf_printf(&text, " in %s", function);
        add_line(st, g->next, g->next->line, &text);
        if (g->depth)
            buf_printf(&text, ", %u call%s below the kernel", g->depth, g->depth == 1 ? "" : "s");
        if (g->state != STEP_READY)
            buf_printf(&text, ", %s", stepping_state_name(g->state));
        say_wrapped(r, 2, "%s", buf_text(&text));
        buf_free(&text);
    }
}

static int run_where(struct session *s, const void *o, struct report *r)
{
    struct stepped *st = stepping_of(s, r);
    struct lane_frame all[FRAMES_MOST], chosen;
    struct step_warp w;
    unsigned number;
    (void)o;
    if (!st)
        return -1;
    const struct step_focus f = stepper_focus(st->stepper);
    if (!step_look_warp(st->stepper, f.block, f.warp, &w) || !w.count) {
        say(r, "No lane of this warp is running here.\n");
        return 0;
    }
    say_groups(st, &w, r);
    if (frames_chosen(st, &number, &chosen)) {
        const unsigned count = frames_of(st, f.lane, all);
        say_wrapped(r, 0, "Lane %u is in:", f.lane);
        for (unsigned i = 0; i < count; i++)
            say_frame(st, i, i == number, &all[i], r);
    }
    stepping_json(st, STEP_THERE, r);
    return 0;
}

const struct command word_where = {.name = "where",
                                   .alias = "bt",
                                   .kind = CLASS_STEP,
                                   .never_inside = true,
                                   .summary =
                                       "in which functions and lines the lanes of the warp are",
                                   .run = run_where};

void frames_json(struct stepped *st, struct json *j)
{
    struct lane_frame all[FRAMES_MOST], chosen;
    unsigned number;
    if (!frames_chosen(st, &number, &chosen))
        return;
    const unsigned count = frames_of(st, stepper_focus(st->stepper).lane, all);
    json_uint(j, "frame", number);
    json_array(j, "frames");
    for (unsigned i = 0; i < count; i++) {
        json_object(j, NULL);
        json_text(j, "function", all[i].function);
        if (all[i].line)
            json_int(j, "line", all[i].line);
        json_bool(j, "inlined", all[i].is_inlined);
        json_end_object(j);
    }
    json_end_array(j);
}

/* ---- up, down, frame --------------------------------------------------------------------------
 */

static int choose(struct stepped *st, int64_t number, struct report *r)
{
    struct lane_frame all[FRAMES_MOST];
    const struct step_focus f = stepper_focus(st->stepper);
    const unsigned count = frames_of(st, f.lane, all);
    if (!count)
        return report_fail(r, "lane %u has ended, so it is in no function", f.lane);
    if (number < 0)
        return report_fail(r, "this is the innermost function already");
    if (number >= count)
        return report_fail(r,
                           count == 1 ? "lane %u is in no other function"
                                      : "lane %u is in %u functions: `where` lists them",
                           f.lane, count);
    st->frame.is_chosen = number > 0;
    st->frame.place = stepper_place(st->stepper);
    st->frame.focus = f;
    st->frame.from_kernel = count - 1 - (unsigned)number;
    say_frame(st, (unsigned)number, true, &all[number], r);
    struct step_warp w;
    const struct step_group *g = group_of(st, f.lane, &w);
    if (g)
        (void)variables_say(st, g, STEP_NAMES, r);
    stepping_json(st, STEP_THERE, r);
    return 0;
}

struct frame_options {
    int64_t n;
};

static int choose_further(struct session *s, int64_t by, struct report *r)
{
    struct stepped *st = stepping_of(s, r);
    struct lane_frame chosen;
    unsigned number = 0;
    if (!st)
        return -1;
    (void)frames_chosen(st, &number, &chosen);
    return choose(st, (int64_t)number + by, r);
}

static int run_up(struct session *s, const void *given, struct report *r)
{
    return choose_further(s, ((const struct frame_options *)given)->n, r);
}

static int run_down(struct session *s, const void *given, struct report *r)
{
    return choose_further(s, -((const struct frame_options *)given)->n, r);
}

static int run_frame(struct session *s, const void *given, struct report *r)
{
    struct stepped *st = stepping_of(s, r);
    return st ? choose(st, ((const struct frame_options *)given)->n, r) : -1;
}

#define WORD_OF_FRAMES(word, low, usual, does, means)                         \
    const struct command word_##word = {                                      \
        .name = #word,                                                        \
        .kind = CLASS_STEP,                                                \
        .summary = does,                                                      \
        .operands = (const struct arg_spec[]){{.name = "N",                   \
                                               BIND(struct frame_options, n), \
                                               .type = ARG_INT,               \
                                               .lo = low,                     \
                                               .hi = FRAMES_MOST,             \
                                               .initial = usual,              \
                                               .help = means},                \
                                              {0}},                           \
        .size = sizeof(struct frame_options),                                 \
        .never_inside = true,                                                 \
        .run = run_##word}
WORD_OF_FRAMES(up, 1, "1", "take the variables of the calling function", "how many calls");
WORD_OF_FRAMES(down, 1, "1", "take the variables of the function that was called",
               "how many calls");
WORD_OF_FRAMES(frame, 0, "0", "take the variables of another function that the lane is in",
               "its number, as `where` has it");
