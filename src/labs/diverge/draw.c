/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A row a step: 32 lanes, a mark for each that is busy, and the line of the source that they run.
 * Instructions one after another of the same lanes are one step, up to a branch.
 */
#include "labs/diverge/draw.h"

#include "own/cause.h"
#include "screen/pen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 32, EIGHT = 8, STRIP = 5, FIRST = 6, LAST = 3, CODE_LEAST = 12 };

/* ---- the steps -------------------------------------------------------------------------- */

/* Does a condition decide where lanes go on? */
static bool is_branch(const struct trace_step *t)
{
    return t->kind == SIM_CLASS_BRANCH && t->text[0] == '@';
}

/* The end of a step: behind a branch, or where other lanes go on. A branch that no lane takes has
 * no lanes in the trace. */
static size_t end_of(const struct launch_result *result, size_t from)
{
    const struct trace_step *t = result->trace;
    size_t to = from;
    while (to < result->trace_count && (!t[to].mask || t[to].mask == t[from].mask))
        if (is_branch(&t[to++]))
            break;
    return to;
}

/* The line that stands for instructions from..to-1: of the branch at their end, else the one that
 * most of them have. */
static int line_of(const struct trace_step *t, size_t from, size_t to)
{
    int line = 0;
    size_t best = 0;
    if (is_branch(&t[to - 1]) && t[to - 1].line > 0)
        return t[to - 1].line;
    for (size_t i = from; i < to; i++) {
        size_t same = 0;
        for (size_t k = from; k < to; k++)
            same += t[k].line == t[i].line;
        if (t[i].line > 0 && same >= best) {
            best = same;
            line = t[i].line;
        }
    }
    return line;
}

/* A round of a loop adds to the step before it, if it is of the same lanes. */
unsigned steps_of(const struct launch_result *result, struct lane_step *steps, unsigned most)
{
    const struct trace_step *t = result->trace;
    unsigned count = 0;
    for (size_t from = 0, to; from < result->trace_count; from = to) {
        to = end_of(result, from);
        const struct lane_step step = {.mask = t[from].mask,
                                       .instructions = (unsigned)(to - from),
                                       .busy = (unsigned)__builtin_popcount(t[from].mask),
                                       .line = line_of(t, from, to),
                                       .file = t[from].file};
        struct lane_step *last = count && count <= most ? &steps[count - 1] : NULL;
        if (last && last->mask == step.mask && last->line == step.line)
            last->instructions += step.instructions;
        else if (count++ < most)
            steps[count - 1] = step;
    }
    return count;
}

/* ---- the picture ------------------------------------------------------------------------ */

/* Where things stand: the gaps between eights, and then the code, go where there is no room. */
struct step_layout { bool gaps; int busy, instructions, code; };

static struct step_layout layout_of(const struct report *r)
{
    struct step_layout at = {.gaps = r->width >= STRIP + LANES + 3 + 12};
    at.busy = STRIP + LANES + (at.gaps ? 3 : 0) + 6;
    at.instructions = at.busy + 7;
    at.code = at.instructions + 2;
    return at;
}

static int column_of(const struct step_layout *at, int lane)
{
    return STRIP + lane + (at->gaps ? lane / EIGHT : 0);
}

static struct span code_of(const struct session *s, const struct lane_step *step)
{
    return step->file && step->line > 0 ? trim(line_at(kernel_source(s, step->file), step->line))
                                        : SPAN("");
}

static void draw_head(struct report *r, const struct step_layout *at)
{
    struct pen p = pen_of(r);
    pen_put(&p, INK_HEADING, "step");
    for (int lane = 0; lane < LANES; lane += EIGHT) {
        pen_to(&p, column_of(at, lane));
        pen_put(&p, INK_HEADING, "%d", lane);
    }
    if (at->busy <= r->width)
        pen_right(&p, INK_HEADING, "busy", at->busy);
    if (at->instructions <= r->width)
        pen_right(&p, INK_HEADING, "instr", at->instructions);
    if (at->code + CODE_LEAST <= r->width) {
        pen_to(&p, at->code);
        pen_put(&p, INK_HEADING, "code");
    }
    pen_end(&p);
}

static void draw_code(struct pen *p, const struct step_layout *at, struct span code)
{
    size_t room = (size_t)(p->report->width - at->code);
    if (at->code + CODE_LEAST > p->report->width || !code.n)
        return;
    pen_to(p, at->code);
    if (code.n > room)
        pen_put(p, INK_PLAIN, "%.*s...", (int)room - 3, code.at);
    else
        pen_text(p, INK_PLAIN, code.at, code.n);
}

static void draw_step(struct report *r, const struct step_layout *at, unsigned number,
                      const struct lane_step *step, uint32_t there, struct span code)
{
    struct pen p = pen_of(r);
    char text[16];
    pen_put(&p, INK_PLAIN, "%3u", number);
    for (int lane = 0; lane < LANES; lane++) {
        bool busy = step->mask >> lane & 1;
        if (!(there >> lane & 1))
            continue;
        pen_to(&p, column_of(at, lane));
        pen_put(&p, busy ? INK_GOOD : INK_DIM, "%c", busy ? '#' : '.');
    }
    snprintf(text, sizeof text, "%u", step->busy);
    if (at->busy <= r->width)
        pen_right(&p, INK_PLAIN, text, at->busy);
    snprintf(text, sizeof text, "%u", step->instructions);
    if (at->instructions <= r->width)
        pen_right(&p, INK_PLAIN, text, at->instructions);
    draw_code(&p, at, code);
    pen_end(&p);
}

/* Says a step: "Step 2, 5 instructions: lanes 0 to 3 are busy. The line: x[i] += 1;". */
static void tell_step(struct report *r, unsigned number, const struct lane_step *step,
                      struct span code)
{
    struct buf text = {0};
    bool any = false;
    buf_printf(&text, "Step %u, %u instruction%s, %u busy lane%s:", number, step->instructions,
               step->instructions == 1 ? "" : "s", step->busy, step->busy == 1 ? "" : "s");
    for (int lane = 0, last; lane < LANES; lane = last + 1) {
        for (last = lane; last < LANES && step->mask >> last & 1; last++)
            ;
        if (last == lane)
            continue;
        buf_printf(&text, last - lane > 1 ? "%s %d to %d" : "%s %d", any ? "," : "", lane,
                   last - 1);
        any = true;
    }
    buf_puts(&text, ".");
    if (code.n)
        buf_printf(&text, " Code: %.*s", (int)code.n, code.at);
    pen_tell(r, &text, 0);
}

void steps_draw(const struct lane_step *steps, unsigned count, uint32_t there,
                const struct session *s, struct report *r)
{
    const struct step_layout at = layout_of(r);
    unsigned left_out = count > FIRST + LAST + 1 ? count - FIRST - LAST : 0;
    if (!r->plain)
        draw_head(r, &at);
    for (unsigned i = 0; i < count; i++) {
        struct span code = code_of(s, &steps[i]);
        if (left_out && i == FIRST) {
            say(r, r->plain ? "%u steps more.\n" : "     and %u steps more\n", left_out);
            i += left_out - 1;
            continue;
        }
        if (r->plain)
            tell_step(r, i + 1, &steps[i], code);
        else
            draw_step(r, &at, i + 1, &steps[i], there, code);
    }
}

void steps_put(const struct lane_step *steps, unsigned count, struct json *j)
{
    char mask[16];
    json_array(j, "steps");
    for (unsigned i = 0; i < count; i++) {
        json_object(j, NULL);
        snprintf(mask, sizeof mask, "0x%08" PRIx32, steps[i].mask);
        json_text(j, "mask", mask);
        json_uint(j, "busy", steps[i].busy);
        json_uint(j, "instructions", steps[i].instructions);
        json_int(j, "line", steps[i].line);
        json_end_object(j);
    }
    json_end_array(j);
}
