/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a stepped launch is, on the screen: the source around the line in focus, the lanes of the
 * warp, values by lane, shared memory, the other warps and blocks. 20 lines of 60 columns suffice,
 * one of them for the prompt: if there is more to say, less of the source and of the registers is
 * shown. A plain screen has the same in sentences.
 */
#include "repl/step/points.h"
#include "repl/step/variables.h"

#include "cxx/name.h"
#include "screen/columns.h"
#include "screen/pen.h"
#include "screen/wrap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    OTHERS_SHOWN = 3, /* warps */
    ARRAYS_SHOWN = 2,
    CELLS_SHOWN = 16,
    LABEL = 7, /* columns */
    NUMBER = 4,
    ROWS = 19, /* on a screen of 20 */
    SOME = 4   /* lanes in equal steps, which need not be listed */
};

/* How much is shown where there is a choice; the first one that fits is taken. */
static const struct view_layout {
    int around;    /* lines of the source above and below */
    int registers; /* lines of their values */
} layouts[] = {{3, 4}, {2, 3}, {2, 2}, {1, 2}, {1, 1}, {0, 1}};

/* ---- words
 * ----------------------------------------------------------------------------------------- */

const char *stepping_why(const struct stepped *st, enum step_stop stop, char out[200])
{
    const int point = stepper_at_point(st->stepper);
    out[0] = '\0';
    switch (stop) {
    case STEP_THERE: break;
    case STEP_AT_BEGIN: snprintf(out, 200, "This is the beginning of the launch."); break;
    case STEP_AT_END: snprintf(out, 200, "The launch has ended."); break;
    case STEP_OF_THREAD:
        snprintf(out, 200, "This thread has ended. `warp N` and `lane N` show others.");
        break;
    case STEP_AT_BREAK: snprintf(out, 200, "Breakpoint %d.", point); break;
    case STEP_AT_WATCH: snprintf(out, 200, "Watchpoint %d: its memory was accessed.", point); break;
    case STEP_NOT_THERE:
        snprintf(out, 200, "There is no such place ahead. The launch has not moved.");
        break;
    case STEP_STOPPED:
        snprintf(out, 200, "Stopped on the way, before instruction %" PRIu64 ".",
                 stepper_place(st->stepper) + 1);
        break;
    case STEP_NO_MEMORY: snprintf(out, 200, "Memory is out."); break;
    }
    return out;
}

const char *stepping_state_name(enum step_state state)
{
    static const char *const names[] = {[STEP_READY] = "",
                                        [STEP_WAITS_BLOCK] = "waits at a barrier",
                                        [STEP_WAITS_CLUSTER] = "waits at a barrier of the cluster",
                                        [STEP_WAITS_LANES] = "waits for other lanes of the warp"};
    return names[state];
}

/* Lanes in equal steps of 2 or more: the step; else 0. */
static unsigned lanes_step(uint32_t mask, unsigned *first, unsigned *last)
{
    unsigned count = 0, step = 0;
    for (unsigned i = 0; i < STEP_LANES; i++) {
        if (!(mask >> i & 1))
            continue;
        if (count == 1)
            step = i - *last;
        if (count > 1 && i - *last != step)
            return 0;
        *first = count++ ? *first : i;
        *last = i;
    }
    return count >= SOME && step > 1 ? step : 0;
}

void stepping_lanes(uint32_t mask, struct buf *out)
{
    const char *between = mask && !(mask & (mask - 1)) ? "lane " : "lanes ";
    unsigned first = 0, end = 0;
    const unsigned step = lanes_step(mask, &first, &end);
    if (step) {
        buf_printf(out, "lanes %u %u ... %u", first, first + step, end);
        return;
    }
    for (unsigned i = 0; i < STEP_LANES; i++) {
        unsigned last = i;
        if (!(mask >> i & 1))
            continue;
        while (last + 1 < STEP_LANES && (mask >> (last + 1) & 1))
            last++;
        if (last == i)
            buf_printf(out, "%s%u", between, i);
        else
            buf_printf(out, "%s%u-%u", between, i, last);
        between = " ";
        i = last;
    }
    buf_puts(out, mask ? "" : "no lane");
}

bool stepping_is_float(enum sim_type t)
{
    return t == SIM_F16 || t == SIM_BF16 || t == SIM_F32 || t == SIM_F64;
}

void stepping_value_text(const struct step_value *v, char out[NUM_TEXT])
{
    float f;
    double d;
    switch (v->type) {
    case SIM_PRED: snprintf(out, NUM_TEXT, "%s", v->bits ? "true" : "false"); break;
    case SIM_F16: num_f16((uint16_t)v->bits, out); break;
    case SIM_BF16: num_bf16((uint16_t)v->bits, out); break;
    case SIM_F32:
        memcpy(&f, &v->bits, sizeof f);
        num_f32(f, out);
        break;
    case SIM_F64:
        memcpy(&d, &v->bits, sizeof d);
        num_f64(d, out);
        break;
    case SIM_S8: snprintf(out, NUM_TEXT, "%d", (int8_t)v->bits); break;
    case SIM_S16: snprintf(out, NUM_TEXT, "%d", (int16_t)v->bits); break;
    case SIM_B32:
    case SIM_S32: snprintf(out, NUM_TEXT, "%d", (int32_t)v->bits); break;
    case SIM_B64:
    case SIM_S64: snprintf(out, NUM_TEXT, "%" PRId64, (int64_t)v->bits); break;
    default: snprintf(out, NUM_TEXT, "%" PRIu64, v->bits);
    }
}

struct text_file stepping_source(struct stepped *st, const struct sim_instruction *c)
{
    const struct text_file none = {NULL, {"", 0}};
    return c && c->file ? sources_find(&st->sources, c->file) : none;
}

/* ---- the head, the source
 * --------------------------------------------------------------------------- */

static void say_head_line(struct stepped *st, struct report *r)
{
    const struct step_shape *shape = stepper_shape(st->stepper);
    const struct step_focus f = stepper_focus(st->stepper);
    const struct step_blocks b = step_look_blocks(st->stepper);
    const uint64_t last = stepper_last_place(st->stepper);
    char grid[DIMS_TEXT], block[DIMS_TEXT], name[96];
    cxx_readable(shape->kernel->name, name, sizeof name);
    name[strcspn(name, "(")] = '\0';
    say_in(r, INK_HEADING, "%s<<<%s, %s>>>", name, num_dims(shape->grid, grid),
           num_dims(shape->block, block));
    struct buf rest = {0};
    buf_printf(&rest, "  block %" PRIu64 " of %" PRIu64 "  warp %u of %u  lane %u  place %" PRIu64,
               f.block, b.all, f.warp, b.warps, f.lane, stepper_place(st->stepper));
    if (last != UINT64_MAX)
        buf_printf(&rest, " of %" PRIu64, last);
    if (screen_column(r) + (int)rest.len > r->width)
        say(r, "\n");
    say_wrapped(r, 0, "%s", buf_text(&rest));
    buf_free(&rest);
}

static void say_source_line(struct report *r, int number, bool here, struct span text)
{
    char lead[16];
    if (r->plain) {
        const struct span bare = trim(text);
        if (here)
            say_wrapped(r, 0, "It is at line %d: %.*s", number, (int)bare.n, bare.at);
        return;
    }
    snprintf(lead, sizeof lead, "%c%5d  ", here ? '>' : ' ', number);
    if (here)
        say_in(r, INK_HEADING, "%s", lead);
    else
        say(r, "%s", lead);
    const size_t fits = columns_fit(text.at, text.n, r->width - 8);
    say(r, "%.*s\n", (int)fits, text.at);
}

static void say_source(struct stepped *st, int around, struct report *r)
{
    const struct sim_instruction *next = stepper_next(st->stepper);
    const struct text_file file = stepping_source(st, next);
    if (!next) {
        say(r, "%s\n",
            stepper_has_ended(st->stepper) ? "(the launch has ended)"
                                           : "(the lane in focus has ended)");
        return;
    }
    for (int i = next->line - around; file.name && next->line && i <= next->line + around; i++) {
        const struct span text = i > 0 ? line_at(file.text, i) : (struct span){"", 0};
        if (text.n || i == next->line)
            say_source_line(r, i, i == next->line, text);
    }
    const char *text = next->text ? next->text : "(code of the simulator)";
    if (r->plain) {
        say_wrapped(r, 0, "The next instruction is %s", text);
        return;
    }
    say(r, "   next  ");
    say(r, "%.*s\n", (int)columns_fit(text, strlen(text), r->width - 10), text);
}

/* ---- lanes
 * ------------------------------------------------------------------------------------------- */

/* '*' is the group in focus; the others are a, b, c ... */
static char mark_of_group(const struct step_warp *w, unsigned group, unsigned lane_in_focus)
{
    char other = 'a';
    for (unsigned i = 0; i < w->count; i++) {
        const bool focus = w->group[i].mask >> lane_in_focus & 1;
        if (i == group)
            return focus ? '*' : other;
        other = (char)(other + !focus);
    }
    return '?';
}

static void say_group(struct report *r, const struct step_warp *w, unsigned i, unsigned lane)
{
    const struct step_group *g = &w->group[i];
    struct buf text = {0};
    if (!r->plain)
        buf_printf(&text, "%c ", mark_of_group(w, i, lane));
    stepping_lanes(g->mask, &text);
    if (g->next->line)
        buf_printf(&text, ": line %d", g->next->line);
    if (g->state != STEP_READY)
        buf_printf(&text, ", %s", stepping_state_name(g->state));
    say(r, "%*s", r->plain ? 0 : LABEL, "");
    say_wrapped(r, r->plain ? 0 : LABEL + 2, "%s", buf_text(&text));
    buf_free(&text);
}

static void say_lanes(struct stepped *st, const struct step_warp *w, struct report *r)
{
    const unsigned lane = stepper_focus(st->stepper).lane;
    char row[STEP_LANES + 1] = "";
    for (unsigned i = 0; i < STEP_LANES; i++) {
        row[i] = !(w->existing >> i & 1) ? ' ' : '.';
        for (unsigned g = 0; g < w->count; g++)
            if (w->group[g].mask >> i & 1)
                row[i] = mark_of_group(w, g, lane);
    }
    if (!r->plain) {
        const char *end = row + STEP_LANES;
        while (end > row && end[-1] == ' ')
            end--;
        say(r, "lanes  %.*s\n", (int)(end - row), row);
    }
    for (unsigned g = 0; g < w->count; g++)
        if (w->count > 1 || r->plain || w->group[g].state != STEP_READY)
            say_group(r, w, g, lane);
    if (w->existing & ~w->alive) {
        struct buf text = {0};
        stepping_lanes(w->existing & ~w->alive, &text);
        say(r, "%*s", r->plain ? 0 : LABEL, "");
        say_wrapped(r, r->plain ? 0 : LABEL + 2, "%s%s: ended", r->plain ? "" : ". ",
                    buf_text(&text));
        buf_free(&text);
    }
}

/* ---- values by lane
 * ----------------------------------------------------------------------------------- */

/* Whole numbers that grow by the same step from lane to lane. */
static bool is_even(const struct lane_text t[STEP_LANES], uint32_t has, int64_t *step)
{
    int64_t before = 0, value;
    struct err ignored;
    unsigned count = 0;
    for (unsigned i = 0; i < STEP_LANES; i++) {
        if (!(has >> i & 1)) {
            if (count && has >> i)
                return false; /* a gap */
            continue;
        }
        if (!is_digit(t[i].text[*t[i].text == '-']) ||
            num_int(t[i].text, INT64_MIN / 2, INT64_MAX / 2, &value, &ignored) != 0)
            return false;
        if (count == 1)
            *step = value - before;
        if (count > 1 && value - before != *step)
            return false;
        before = value;
        count++;
    }
    return count > 2;
}

int stepping_say_cells(struct report *r, const char *name, const struct lane_text t[],
                       unsigned count, uint64_t first, const char *mark)
{
    int wide = 1;
    unsigned each = STEP_LANES;
    for (unsigned i = 0; i < count; i++)
        wide = (int)strlen(t[i].text) > wide ? (int)strlen(t[i].text) : wide;
    while (each > 1 && LABEL + NUMBER + (int)each * (wide + 1 + (mark != NULL)) > r->width)
        each /= 2;
    for (unsigned i = 0; i < count; i++) {
        if (i % each == 0 && (int)strlen(name) >= LABEL && i == 0)
            say(r, "%s\n", name);
        if (i % each == 0)
            say(r, "%-*s%*" PRIu64 ":", LABEL, i || (int)strlen(name) >= LABEL ? "" : name,
                NUMBER - 1, first + i);
        const bool ends = i % each == each - 1 || i == count - 1;
        say(r, " %*s", wide, t[i].text);
        if (mark && (mark[i] != ' ' || !ends))
            say(r, "%c", mark[i]);
        say(r, "%s", ends ? "\n" : "");
    }
    return (int)((count + each - 1) / each);
}

int stepping_say_row(struct report *r, const char *name, const struct lane_text t[STEP_LANES],
                     uint32_t has)
{
    struct lane_text cell[STEP_LANES];
    unsigned first = 0, last = 0, count = 0;
    int64_t step = 0;
    bool same = true;
    for (unsigned i = 0; i < STEP_LANES; i++) {
        cell[i] = (struct lane_text){"."};
        if (!(has >> i & 1))
            continue;
        first = count++ ? first : i;
        last = i;
        cell[i] = t[i];
        same = same && strcmp(t[i].text, t[first].text) == 0;
    }
    if (!same && !is_even(t, has, &step)) {
        return stepping_say_cells(r, name, cell, STEP_LANES, 0, NULL);
    }
    say(r, "%-*s%s", LABEL, name, (int)strlen(name) < LABEL ? "" : "  ");
    if (same)
        say_wrapped(r, LABEL, "%s in %s", t[first].text,
                    count == 1          ? "one lane"
                    : has == UINT32_MAX ? "all lanes"
                                        : "all these lanes");
    else
        say_wrapped(r, LABEL, "%s to %s in steps of %" PRId64, t[first].text, t[last].text, step);
    return 1;
}

/* Does this value look like an address? Nobody reads those by lane. */
static bool is_wide(enum sim_type t)
{
    return t == SIM_B64 || t == SIM_U64 || t == SIM_B128;
}

static void say_predicate(struct report *r, const char *name, uint32_t has, uint32_t is_true)
{
    struct buf text = {0};
    stepping_lanes(is_true, &text);
    say(r, "%-*s", LABEL, name);
    if (!is_true || is_true == has)
        say_wrapped(r, LABEL, "%s in %s", is_true ? "true" : "false",
                    has == UINT32_MAX ? "all lanes" : "all these lanes");
    else
        say_wrapped(r, LABEL, "true in %s", buf_text(&text));
    buf_free(&text);
}

/* Of the lanes at the line in focus: elsewhere these registers may have other meanings. */
static void say_registers(struct stepped *st, const struct step_group *group, int most,
                          struct report *r)
{
    struct step_names names;
    struct lane_text text[STEP_LANES];
    int lines = 0;
    step_names_of_line(st->stepper, &names);
    for (unsigned i = names.count; i-- > 0 && lines < most;) {
        struct step_value v = {.type = SIM_NONE};
        uint32_t has = 0, is_true = 0;
        for (unsigned lane = 0; lane < STEP_LANES; lane++)
            if ((group->mask >> lane & 1) &&
                step_look_register(st->stepper, lane, names.name[i], &v) && !is_wide(v.type)) {
                stepping_value_text(&v, text[lane].text);
                has |= UINT32_C(1) << lane;
                is_true |= (uint32_t)(v.bits != 0) << lane;
            }
        if (has && v.type == SIM_PRED) {
            say_predicate(r, names.name[i], has, is_true);
            lines++;
        } else if (has)
            lines += stepping_say_row(r, names.name[i], text, has);
    }
}

/* ---- shared memory
 * --------------------------------------------------------------------------------------- */

/* The cells around the first that was just accessed; all if there are few. Behind such a cell
 * stands r or w. */
static void say_shared_cells(struct report *r, const char *name, const struct step_shared *s,
                             const struct lane_array *a, const struct step_access *access)
{
    struct lane_text text[CELLS_SHOWN];
    char mark[CELLS_SHOWN];
    const uint64_t size = element_size(a->type), all = s->bytes / size;
    uint64_t first = 0;
    for (unsigned i = 0; access && i < STEP_LANES; i++)
        if ((access->mask >> i & 1) && access->address[i] - s->at < s->bytes) {
            first = (access->address[i] - s->at) / size;
            break;
        }
    first = all <= CELLS_SHOWN ? 0 : first + CELLS_SHOWN > all ? all - CELLS_SHOWN : first;
    const unsigned count = all < CELLS_SHOWN ? (unsigned)all : CELLS_SHOWN;
    for (unsigned i = 0; i < count; i++) {
        element_text(a->type, s->data + (first + i) * size, text[i].text);
        mark[i] = ' ';
        for (unsigned lane = 0; access && lane < STEP_LANES; lane++)
            if ((access->mask >> lane & 1) &&
                access->address[lane] < s->at + (first + i + 1) * size &&
                access->address[lane] + access->bytes > s->at + (first + i) * size)
                mark[i] = access->store ? 'w' : 'r';
    }
    stepping_say_cells(r, name, text, count, first, mark);
}

static bool is_in(const struct step_access *access, const struct step_shared *s)
{
    for (unsigned i = 0; access && i < STEP_LANES; i++)
        if ((access->mask >> i & 1) && access->address[i] - s->at < s->bytes)
            return true;
    return false;
}

static void say_shared(struct stepped *st, struct report *r)
{
    const struct step_focus f = stepper_focus(st->stepper);
    struct step_access access;
    struct step_shared s;
    struct lane_array a;
    unsigned shown = 0;
    const bool has =
        stepper_access(st->stepper, &access) && access.shared && access.block == f.block;
    for (unsigned i = 0; stepping_shared_array(st, i, &s, &a) && shown < ARRAYS_SHOWN; i++) {
        const char *name = s.name ? stepping_shared_name(s.name) : "shared";
        const bool here = has && is_in(&access, &s);
        if (!s.data || !a.type_known || !s.bytes)
            continue;
        say_shared_cells(r, name, &s, &a, here ? &access : NULL);
        shown++;
        if (here) {
            struct buf lanes = {0};
            stepping_lanes(access.mask, &lanes);
            say(r, "%*s", LABEL, "");
            say_wrapped(r, LABEL, "%c: just %s by warp %u, %s", access.store ? 'w' : 'r',
                        access.store ? "written" : "read", access.warp, buf_text(&lanes));
            buf_free(&lanes);
        }
    }
}

/* ---- the others
 * ----------------------------------------------------------------------------------------- */

static void say_warp(struct report *r, unsigned number, const struct step_warp *w)
{
    struct buf text = {0};
    if (!w->alive)
        buf_puts(&text, "ended");
    for (unsigned i = 0; i < w->count; i++) {
        buf_puts(&text, i ? "; " : "");
        if (w->group[i].next->line)
            buf_printf(&text, "line %d", w->group[i].next->line);
        if (w->count > 1) {
            buf_puts(&text, " ");
            stepping_lanes(w->group[i].mask, &text);
        }
        if (w->group[i].state != STEP_READY)
            buf_printf(&text, " %s", stepping_state_name(w->group[i].state));
    }
    say(r, "warp %-3u", number);
    say_wrapped(r, 9, "%s", buf_text(&text));
    buf_free(&text);
}

static void say_others(struct stepped *st, struct report *r)
{
    const struct step_focus f = stepper_focus(st->stepper);
    const struct step_blocks b = step_look_blocks(st->stepper);
    struct step_warp w;
    unsigned shown = 0, left = 0;
    for (unsigned i = 0; i < b.warps; i++) {
        if (i == f.warp || !step_look_warp(st->stepper, f.block, i, &w))
            continue;
        if (shown == OTHERS_SHOWN) {
            left++;
            continue;
        }
        say_warp(r, i, &w);
        shown++;
    }
    if (left)
        say(r, "       and %u more warps\n", left);
    if (b.all > 1)
        say_wrapped(r, 0, "blocks %" PRIu64 " ended, %" PRIu64 " running, %" PRIu64 " not begun",
                    b.ended, b.running, b.all - b.ended - b.running);
}

static void say_output(struct stepped *st, struct report *r)
{
    const size_t count = step_print_count(st->stepper);
    for (size_t i = st->printed; i < count; i++) {
        const struct sim_print *p = step_print_at(st->stepper, i);
        say(r, "printf ");
        say_wrapped(r, 9, "%.*s", (int)p->length, p->text);
    }
}

/* ---- all of it
 * ------------------------------------------------------------------------------------------ */

static void say_place(struct stepped *st, enum step_stop stop, const struct view_layout *by,
                      struct report *r)
{
    const struct step_focus f = stepper_focus(st->stepper);
    const struct sim_fault *fault = step_look_fault(st->stepper);
    struct step_warp w;
    char why[200];
    say_head_line(st, r);
    choices_say(st, r);
    if (*stepping_why(st, stop, why))
        say_wrapped(r, 0, "%s", why);
    if (fault)
        say_wrapped(r, 0, "A fault ends it: %s: %s.", sim_fault_name(fault->kind), fault->message);
    say_source(st, by->around, r);
    if (step_look_warp(st->stepper, f.block, f.warp, &w)) {
        say_lanes(st, &w, r);
        const struct step_group *group = step_group_of(&w, f.lane);
        if (group && !variables_say(st, group, by->registers, r))
            say_registers(st, group, by->registers, r);
        say_shared(st, r);
    }
    say_others(st, r);
}

static unsigned lines_in(const struct buf *text)
{
    unsigned n = 0;
    for (size_t i = 0; i < text->len; i++)
        n += buf_text(text)[i] == '\n';
    return n;
}

static void forget(struct buf *text, size_t from)
{
    text->len = from;
    if (text->data)
        text->data[from] = '\0';
}

int stepping_show(struct stepped *st, enum step_stop stop, struct report *r)
{
    const size_t before = r->screen.len;
    if (stop == STEP_NO_MEMORY)
        return report_fail_memory(r);
    for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        forget(&r->screen, before);
        say_place(st, stop, &layouts[i], r);
        if (lines_in(&r->screen) <= ROWS)
            break;
    }
    say_output(st, r);
    stepping_json(st, stop, r);
    st->printed = step_print_count(st->stepper);
    return 0;
}
