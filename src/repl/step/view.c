/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a stepped launch is, on the screen: the source around the line in focus, the lanes of the
 * warp, values by lane, shared memory, the other warps and blocks, and which warp runs next. It is
 * made to fit the screen: where there is more to say, less of the source and of the values is
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
    CELLS_SHOWN = 16,
    LABEL = 7,       /* columns */
    ROWS_USUAL = 19, /* of the view, where source and values have their usual room */
    ROWS_LEAST = 9,
    NARROW = 50 /* columns: fewer than that need short words */
};

/* How much is shown where there is a choice; the first one that fits is taken. A tall screen begins
 * with more of the source and of the values. */
static const struct view_layout {
    int around;                      /* lines of the source above and below */
    int registers;                   /* lines of their values */
    unsigned groups, arrays, others; /* of lanes; in shared memory; warps */
} layouts[] = {{3, 4, 8, 2, 3}, {2, 3, 6, 2, 3}, {2, 2, 5, 2, 3}, {1, 2, 4, 2, 2}, {1, 1, 4, 1, 2},
               {0, 1, 4, 1, 1}, {0, 1, 3, 1, 0}, {0, 1, 2, 0, 0}, {0, 1, 1, 0, 0}};

/* ---- words ----------------------------------------------------------------------------------- */

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

static const char *const states[][2] = {
    [STEP_READY] = {"", ""},
    [STEP_WAITS_BLOCK] = {"waits at a barrier", "wait at a barrier"},
    [STEP_WAITS_CLUSTER] = {"waits at a barrier of the cluster",
                            "wait at a barrier of the cluster"},
    [STEP_WAITS_LANES] = {"waits for other lanes of the warp", "wait for other lanes of the warp"}};

const char *stepping_state_name(enum step_state state)
{
    return states[state][0];
}

const char *stepping_state_of_many(enum step_state state)
{
    return states[state][1];
}

/* "lanes 0-15", "wait at a barrier" */
static const char *state_of(const struct step_group *g)
{
    return states[g->state][(g->mask & (g->mask - 1)) != 0];
}

struct text_file stepping_source(struct stepped *st, const struct sim_instruction *c)
{
    const struct text_file none = {NULL, {"", 0}};
    return c && c->file ? sources_find(&st->sources, c->file) : none;
}

/* ---- the head, the source -------------------------------------------------------------------- */

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
    const bool narrow = r->width < NARROW && !r->plain;
    const char *apart = r->plain ? ", " : narrow ? " " : "  ", *of = narrow ? "/" : " of ";
    buf_printf(&rest, "%sblock %" PRIu64 "%s%" PRIu64 "%swarp %u%s%u%slane %u%splace %" PRIu64,
               narrow ? "" : apart, f.block, of, b.all, apart, f.warp, of, b.warps, apart, f.lane,
               apart, stepper_place(st->stepper));
    if (last != UINT64_MAX)
        buf_printf(&rest, "%s%" PRIu64, of, last);
    if (r->plain)
        buf_putc(&rest, '.');
    else if (screen_column(r) + (int)rest.len > r->width)
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
        const char *what = stepper_has_ended(st->stepper) ? "launch" : "lane in focus";
        say(r, r->plain ? "The %s has ended.\n" : "(the %s has ended)\n", what);
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

/* ---- lanes ----------------------------------------------------------------------------------- */

/* '*' is the group in focus; the others are a, b, c ... */
char stepping_mark(const struct step_warp *w, unsigned group, unsigned lane_in_focus)
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
    stepping_lanes(g->mask, &text);
    if (r->plain) {
        const bool one = !(g->mask & (g->mask - 1));
        say(r, "L%s %s", buf_text(&text) + 1, one ? "is" : "are");
        if (g->next->line)
            say(r, " at line %d", g->next->line);
        say_wrapped(r, 0, "%s%s%s.", g->next->line ? "" : " at a place without a line",
                    g->state == STEP_READY ? "" : " and ", state_of(g));
    } else {
        say(r, "%*s%c ", LABEL, "", stepping_mark(w, i, lane));
        if (g->next->line)
            buf_printf(&text, ": line %d", g->next->line);
        say_wrapped(r, LABEL + 2, "%s%s%s", buf_text(&text), g->state == STEP_READY ? "" : ", ",
                    state_of(g));
    }
    buf_free(&text);
}

/* The group in focus, then the others. */
static void say_groups(struct report *r, const struct step_warp *w, unsigned lane, unsigned most)
{
    unsigned said = 0, left = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned g = 0; g < w->count; g++) {
            const bool focus = w->group[g].mask >> lane & 1;
            if (focus != (pass == 0) ||
                (w->count == 1 && !r->plain && w->group[g].state == STEP_READY))
                continue;
            if (said < most)
                say_group(r, w, g, lane);
            left += said++ >= most;
        }
    if (left)
        say(r, "%*sand %u more group%s of lanes%s\n", r->plain ? 0 : LABEL, "", left,
            left == 1 ? "" : "s", r->plain ? "." : "");
}

static void say_lanes(struct stepped *st, const struct step_warp *w, unsigned most,
                      struct report *r)
{
    const unsigned lane = stepper_focus(st->stepper).lane;
    const uint32_t ended = w->existing & ~w->alive;
    char row[STEP_LANES + 1] = "";
    for (unsigned i = 0; i < STEP_LANES; i++) {
        row[i] = !(w->existing >> i & 1) ? ' ' : '.';
        for (unsigned g = 0; g < w->count; g++)
            if (w->group[g].mask >> i & 1)
                row[i] = stepping_mark(w, g, lane);
    }
    if (!r->plain) {
        const char *end = row + STEP_LANES;
        while (end > row && end[-1] == ' ')
            end--;
        say(r, "lanes  %.*s\n", (int)(end - row), row);
    }
    say_groups(r, w, lane, most);
    if (ended) {
        struct buf text = {0};
        stepping_lanes(ended, &text);
        if (r->plain)
            say_wrapped(r, 0, "L%s %s ended.", buf_text(&text) + 1,
                        ended & (ended - 1) ? "have" : "has");
        else {
            say(r, "%*s. ", LABEL, "");
            say_wrapped(r, LABEL + 2, "%s: ended", buf_text(&text));
        }
        buf_free(&text);
    }
}

/* ---- values by lane -------------------------------------------------------------------------- */

/* Does this value look like an address? Nobody reads those by lane. */
static bool is_wide(enum sim_type t)
{
    return t == SIM_B64 || t == SIM_U64 || t == SIM_B128;
}

/* Of the lanes at the line in focus: elsewhere these registers may have other meanings. */
int stepping_say_registers(struct stepped *st, const struct step_group *group, int most,
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
            stepping_say_predicate(r, names.name[i], has, is_true);
            lines++;
        } else if (has)
            lines += stepping_say_row(r, names.name[i], text, has);
    }
    return lines;
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* The cells around the first that was just accessed; all if there are few. Behind such a cell
 * stands r or w. */
static void say_shared_cells(struct report *r, const char *name, const struct step_shared *s,
                             const struct lane_array *a, const struct step_access *access,
                             uint64_t cell)
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
    if (cell && cell - 1 - s->at < s->bytes) { /* in the middle */
        const uint64_t at = (cell - 1 - s->at) / size;
        first = at > CELLS_SHOWN / 2 ? at - CELLS_SHOWN / 2 : 0;
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

static void say_shared(struct stepped *st, unsigned most, struct report *r)
{
    const struct step_focus f = stepper_focus(st->stepper);
    struct step_access access;
    struct step_shared s;
    struct lane_array a;
    unsigned shown = 0;
    const bool has =
        stepper_access(st->stepper, &access) && access.shared && access.block == f.block;
    for (unsigned i = 0; stepping_shared_array(st, i, &s, &a) && shown < most; i++) {
        const char *name = s.name ? stepping_shared_name(s.name) : "shared";
        const bool here = has && is_in(&access, &s);
        if (!s.data || !a.type_known || !s.bytes)
            continue;
        say_shared_cells(r, name, &s, &a, here ? &access : NULL, st->cell);
        shown++;
        if (here) {
            struct buf lanes = {0};
            stepping_lanes(access.mask, &lanes);
            if (r->plain) {
                say_wrapped(r, 0, "Warp %u did this in %s.", access.warp, buf_text(&lanes));
            } else {
                say(r, "%*s", LABEL, "");
                say_wrapped(r, LABEL, "%c: just %s by warp %u, %s", access.store ? 'w' : 'r',
                            access.store ? "written" : "read", access.warp, buf_text(&lanes));
            }
            buf_free(&lanes);
        }
    }
}

/* ---- the others ------------------------------------------------------------------------------ */

static void say_warp(struct report *r, unsigned number, const struct step_warp *w)
{
    struct buf text = {0};
    const char *between = "";
    for (unsigned i = 0; i < w->count; i++) {
        const struct step_group *g = &w->group[i];
        buf_puts(&text, between);
        if (g->next->line)
            buf_printf(&text, "%sline %d", r->plain ? "at " : "", g->next->line);
        if (w->count > 1) {
            buf_puts(&text, r->plain ? " in " : " ");
            stepping_lanes(g->mask, &text);
        }
        if (g->state != STEP_READY)
            buf_printf(&text, "%s%s", r->plain ? " and " : " ",
                       w->count > 1 ? state_of(g) : stepping_state_name(g->state));
        between = r->plain ? ", " : "; ";
    }
    if (r->plain) {
        say_wrapped(r, 0, w->alive ? "Warp %u is %s." : "Warp %u has ended%s.", number,
                    buf_text(&text));
    } else {
        say(r, "warp %-3u", number);
        say_wrapped(r, 9, "%s", w->alive ? buf_text(&text) : "ended");
    }
    buf_free(&text);
}

static void say_blocks(const struct step_blocks *b, struct report *r)
{
    const uint64_t left = b->all - b->ended - b->running;
    if (b->all < 2)
        return;
    if (r->plain)
        say_wrapped(r, 0,
                    "Of %" PRIu64 " blocks, %" PRIu64 " %s ended, %" PRIu64
                    " %s running, and %" PRIu64 " %s not begun.",
                    b->all, b->ended, b->ended == 1 ? "has" : "have", b->running,
                    b->running == 1 ? "is" : "are", left, left == 1 ? "has" : "have");
    else
        say_wrapped(r, 0, "blocks %" PRIu64 " ended, %" PRIu64 " running, %" PRIu64 " not begun",
                    b->ended, b->running, left);
}

static void say_others(struct stepped *st, unsigned most, struct report *r)
{
    const struct step_focus f = stepper_focus(st->stepper);
    const struct step_blocks b = step_look_blocks(st->stepper);
    struct step_warp w;
    unsigned shown = 0, left = 0;
    for (unsigned i = 0; i < b.warps; i++) {
        if (i == f.warp || !step_look_warp(st->stepper, f.block, i, &w))
            continue;
        if (shown == most) {
            left++;
            continue;
        }
        say_warp(r, i, &w);
        shown++;
    }
    if (left && shown)
        say(r, "%sand %u more warp%s%s\n", r->plain ? "" : "       ", left, left == 1 ? "" : "s",
            r->plain ? "." : "");
    say_blocks(&b, r);
}

void stepping_say_warps(struct stepped *st, struct report *r)
{
    const struct step_focus f = stepper_focus(st->stepper);
    const struct step_blocks b = step_look_blocks(st->stepper);
    struct step_warp w;
    struct buf turn = {0};
    for (unsigned i = 0; i < b.warps; i++)
        if (step_look_warp(st->stepper, f.block, i, &w))
            say_warp(r, i, &w);
    say_blocks(&b, r);
    if (stepping_turn(st, true, &turn))
        say_wrapped(r, 0, "%s", buf_text(&turn));
    buf_free(&turn);
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

/* ---- all of it ------------------------------------------------------------------------------- */

/* What is the same in each layout. */
struct step_view {
    enum step_stop stop;
    struct buf turn; /* which warp runs next */
};

static size_t first_sentence(const struct buf *text)
{
    const char *end = strstr(buf_text(text), ". ");
    return end ? (size_t)(end - buf_text(text)) + 1 : text->len;
}

static void say_place(struct stepped *st, const struct step_view *v, const struct view_layout *by,
                      struct report *r)
{
    const struct step_focus f = stepper_focus(st->stepper);
    const struct sim_fault *fault = step_look_fault(st->stepper);
    struct step_warp w;
    char why[200];
    say_head_line(st, r);
    choices_say(st, r);
    if (*stepping_why(st, v->stop, why))
        say_wrapped(r, 0, "%s", why);
    if (fault)
        say_wrapped(r, 0, "A fault ends it: %s: %s.", sim_fault_name(fault->kind), fault->message);
    say_source(st, by->around, r);
    if (step_look_warp(st->stepper, f.block, f.warp, &w)) {
        say_lanes(st, &w, by->groups, r);
        const struct step_group *group = step_group_of(&w, f.lane);
        if (group && !variables_say(st, group, by->registers, r))
            stepping_say_registers(st, group, by->registers, r);
        say_shared(st, by->arrays, r);
    }
    displays_say(st, r);
    if (by->others)
        say_others(st, by->others, r);
    if (v->turn.len)
        say_wrapped(r, 0, "%.*s", by->others ? (int)v->turn.len : (int)first_sentence(&v->turn),
                    buf_text(&v->turn));
}

static int lines_in(const struct buf *text)
{
    int n = 0;
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

/* The k-th layout to try on so many rows. */
static struct view_layout layout_of(int rows, unsigned k, bool *last)
{
    const unsigned usual = sizeof layouts / sizeof *layouts;
    const int more = rows > ROWS_USUAL ? (rows - ROWS_USUAL + 1) / 2 : 0;
    struct view_layout l = layouts[k < (unsigned)more ? 0 : k - (unsigned)more];
    *last = k == (unsigned)more + usual - 1;
    if (k < (unsigned)more) {
        l.around += more - (int)k;
        l.registers += more / 2;
        l.groups += (unsigned)more;
        l.others += (unsigned)more;
    }
    return l;
}

int stepping_show(struct stepped *st, enum step_stop stop, struct report *r)
{
    const size_t before = r->screen.len;
    const int rows = r->rows - 1 > ROWS_LEAST ? r->rows - 1 : ROWS_LEAST;
    struct step_view v = {.stop = stop};
    bool last = false;
    if (stop == STEP_NO_MEMORY)
        return report_fail_memory(r);
    stepping_turn(st, r->plain, &v.turn);
    for (unsigned k = 0; !last; k++) {
        const struct view_layout by = layout_of(rows, k, &last);
        forget(&r->screen, before);
        say_place(st, &v, &by, r);
        if (lines_in(&r->screen) <= rows)
            break;
    }
    buf_free(&v.turn);
    say_output(st, r);
    stepping_json(st, stop, r);
    st->printed = step_print_count(st->stepper);
    return 0;
}
