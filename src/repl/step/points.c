/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words that stop a stepped launch on its way: breakpoints with conditions, and watched memory.
 */
#include "repl/step/points.h"

#include "command/command.h"
#include "repl/step/expression.h"

#include "screen/wrap.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A breakpoint or watchpoint as it was typed: with its condition, and what it watches. */
struct step_point_text {
    struct step_point_text *next; /* the one that was set before */
    struct stepped *st;
    int number;
    struct lane_expression *condition; /* NULL: there is none */
    bool watches;
    uint64_t block; /* of shared memory */
    struct lane_cell cell;
    char text[]; /* of the condition */
};

static void point_free(struct step_point_text *p)
{
    if (p)
        lane_expression_free(p->condition);
    free(p);
}

void points_free(struct stepped *st)
{
    while (st->points) {
        struct step_point_text *p = st->points;
        st->points = p->next;
        point_free(p);
    }
}

/* Where a condition has no value, it doesn't hold. */
static uint32_t holds(void *self, const struct step_lanes *lanes)
{
    const struct step_point_text *c = self;
    const struct lane_place p = {
        .block = lanes->block, .warp = lanes->warp, .lanes = lanes->lanes, .at = lanes->at};
    struct lane_number value[STEP_LANES];
    enum lane_fault fault;
    struct err ignored;
    const uint32_t has = lane_values(c->st, c->condition, &p, value, &fault, &ignored);
    uint32_t true_in = 0;
    for (unsigned lane = 0; lane < STEP_LANES; lane++)
        if ((has >> lane & 1) && lane_number_real(&value[lane]) != 0)
            true_in |= UINT32_C(1) << lane;
    return true_in;
}

int stepping_fail_in(struct report *r, const char *text, struct err *e)
{
    const size_t n = strlen(text);
    const char *at = NULL;
    for (const char *i = r->typed; i && (i = strstr(i, text)); i++)
        at = i;
    e->column = at && n && e->column ? (int)(at - r->typed) + e->column : 0;
    return report_fail_err(r, e);
}

/* With a condition, or with none for NULL. NULL: the condition is wrong, or its names are not known
 * at this line, for line 0 at any one; e says so. */
static struct step_point_text *new_point(struct stepped *st, const char *condition, int line,
                                         struct err *e)
{
    const size_t n = condition ? strlen(condition) + 1 : 1;
    struct step_point_text *p = calloc(1, sizeof *p + n);
    if (!p) {
        fail_memory(e);
        return NULL;
    }
    p->st = st;
    if (!condition)
        return p;
    memcpy(p->text, condition, n);
    p->condition = lane_expression_read(condition, e);
    if (p->condition && lane_expression_known(st, p->condition, line, e) == 0)
        return p;
    point_free(p);
    return NULL;
}

bool stepping_has_line(struct stepped *st, int line, struct report *r)
{
    const int near = step_line_near(st->stepper, line);
    if (near == line)
        return true;
    if (near)
        report_fail(r, "line %d has no instruction; line %d has", line, near);
    else
        report_fail(r, "no line of this kernel is known, so there is none to stop at");
    return false;
}

/* ---- break
 * ---------------------------------------------------------------------------------------- */

struct break_options {
    int line;
    const char *condition;
};

/* "if lane == 3": the text behind `if`. NULL: it doesn't begin so. */
static const char *behind_if(const char *text)
{
    return strncmp(text, "if", 2) == 0 && (text[2] == ' ' || text[2] == '(')
               ? text + 2 + strspn(text + 2, " ")
               : NULL;
}

/* Takes over the point, which has this number. */
static int said(struct stepped *st, struct step_point_text *p, int number, struct report *r)
{
    if (number < 0) {
        point_free(p);
        return report_fail(r, "there are 64 breakpoints already: `delete N` takes one away");
    }
    p->number = number;
    p->next = st->points;
    st->points = p;
    say_wrapped(r, 0, "%s %d is set.", p->watches ? "Watchpoint" : "Breakpoint", number);
    json_int(&r->result, "point", number);
    return 0;
}

static int run_break(struct session *s, const void *given, struct report *r)
{
    const struct break_options *o = given;
    struct stepped *st = stepping_of(s, r);
    struct err e = {0};
    if (!st)
        return -1;
    const char *text = o->condition ? behind_if(o->condition) : NULL;
    if (o->condition && !text)
        return report_fail(r, "write break LINE if CONDITION, as in break %d if lane == 3",
                           o->line);
    if (!stepping_has_line(st, o->line, r))
        return -1;
    struct step_point_text *p = new_point(st, text, o->line, &e);
    if (!p)
        return stepping_fail_in(r, text ? text : "", &e);
    return said(st, p, stepper_break(st->stepper, o->line, text ? holds : NULL, p), r);
}

const struct command word_break = {
    .name = "break",
    .alias = "b",
    .kind = CLASS_STEP,
    .summary = "stop where a warp comes to a line, perhaps only under a condition",
    .operands =
        (const struct arg_spec[]){
            {.name = "LINE",
             BIND(struct break_options, line),
             .type = ARG_INT,
             .lo = 1,
             .hi = INT_MAX,
             .required = true,
             .example = "12",
             .help = "its number in the source"},
            {.name = "CONDITION",
             BIND(struct break_options, condition),
             .type = ARG_REST,
             .help = "if and what must hold for a lane, as in if lane == 3 && i > 10"},
            {0}},
    .size = sizeof(struct break_options),
    .never_inside = true,
    .run = run_break};

/* ---- watch
 * ---------------------------------------------------------------------------------------- */

struct watched_words {
    const char *what;
};

/* The `if` behind what is watched; NULL: there is none. */
static const char *find_if(const char *text)
{
    for (const char *at = text; (at = strstr(at, " if")) != NULL; at++)
        if (behind_if(at + 1))
            return at;
    return NULL;
}

static int run_watch(struct session *s, const void *given, struct report *r)
{
    const struct watched_words *o = given;
    struct stepped *st = stepping_of(s, r);
    struct lane_cell cell;
    struct err e = {0};
    char what[200];
    if (!st)
        return -1;
    const char *at = find_if(o->what), *text = at ? behind_if(at + 1) : NULL;
    const size_t n = at ? (size_t)(at - o->what) : strlen(o->what);
    snprintf(what, sizeof what, "%.*s", (int)(n < sizeof what ? n : sizeof what - 1), o->what);
    if (lane_cell_named(st, what, &cell, &e) != 0)
        return stepping_fail_in(r, what, &e);
    if (cell.whole && !cell.array.bytes)
        return report_fail(r, "write which element: watch %s[0]", cell.name);
    struct step_point_text *p = new_point(st, text, 0, &e);
    if (!p)
        return stepping_fail_in(r, text ? text : "", &e);
    const unsigned size = element_size(cell.array.type);
    p->watches = true;
    p->block = stepper_focus(st->stepper).block;
    p->cell = cell;
    return said(st, p,
                stepper_watch(st->stepper, cell.array.shared,
                              cell.array.address + (cell.whole ? 0 : cell.index * size),
                              cell.whole ? cell.array.bytes : size, size, text ? holds : NULL, p),
                r);
}

const struct command word_watch = {
    .name = "watch",
    .alias = "w",
    .kind = CLASS_STEP,
    .summary = "stop at the next access to an element, backwards at the last one",
    .operands =
        (const struct arg_spec[]){{.name = "NAME[I]",
                                   BIND(struct watched_words, what),
                                   .type = ARG_REST,
                                   .required = true,
                                   .example = "s[5]",
                                   .help = "an element, or a whole shared array or own array; perhaps if and a "
                                           "condition, as for break"},
                                  {0}},
    .size = sizeof(struct watched_words),
    .never_inside = true,
    .run = run_watch};

/* ---- delete
 * ---------------------------------------------------------------------------------------- */

struct delete_options {
    int n;
};

static int run_delete(struct session *s, const void *given, struct report *r)
{
    const struct delete_options *o = given;
    struct stepped *st = stepping_of(s, r);
    if (!st)
        return -1;
    if (!stepper_remove(st->stepper, o->n))
        return report_fail(r, "there is no breakpoint or watchpoint %d", o->n);
    struct step_point_text **p = &st->points;
    while (*p && (*p)->number != o->n)
        p = &(*p)->next;
    if (*p) {
        struct step_point_text *gone = *p;
        *p = gone->next;
        point_free(gone);
    }
    say_wrapped(r, 0, "Point %d is gone.", o->n);
    return 0;
}

const struct command word_delete = {.name = "delete",
                                    .alias = "d",
                                    .kind = CLASS_STEP,
                                    .summary = "take away a breakpoint or watchpoint",
                                    .operands =
                                        (const struct arg_spec[]){{.name = "N",
                                                                   BIND(struct delete_options, n),
                                                                   .type = ARG_INT,
                                                                   .lo = 1,
                                                                   .hi = INT_MAX,
                                                                   .required = true,
                                                                   .example = "1",
                                                                   .help = "its number"},
                                                                  {0}},
                                    .size = sizeof(struct delete_options),
                                    .never_inside = true,
                                    .run = run_delete};

/* ---- what is watched, and what has reached it ------------------------------------------------ */

static const struct step_point_text *point_of(const struct stepped *st, int number)
{
    const struct step_point_text *p = st->points;
    while (p && p->number != number)
        p = p->next;
    return p;
}

const char *cell_name(const struct lane_cell *c, char out[CELL_NAME])
{
    const struct lane_array *a = &c->array;
    uint64_t row[DECLARED_DIMS] = {c->index}, left = c->index;
    const unsigned dims = a->dim_count > 1 && a->dim_count <= DECLARED_DIMS ? a->dim_count : 1;
    for (unsigned d = dims; d-- > 0;) {
        row[d] = d && a->dims[d] ? left % a->dims[d] : left;
        left = d && a->dims[d] ? left / a->dims[d] : 0;
    }
    int n = snprintf(out, CELL_NAME, "%s", c->name);
    for (unsigned d = 0; d < dims && !c->whole && !a->is_scalar && n > 0 && n < CELL_NAME; d++)
        n += snprintf(out + n, (size_t)(CELL_NAME - n), "[%" PRIu64 "]", row[d]);
    return out;
}

const struct lane_cell *points_watched(const struct stepped *st)
{
    const struct step_point_text *p = st->points;
    const uint64_t block = stepper_focus(st->stepper).block;
    while (p && (!p->watches || p->cell.whole || (p->cell.array.shared && p->block != block)))
        p = p->next;
    return p ? &p->cell : NULL;
}

bool points_hit(struct stepped *st, struct step_hit *h, struct lane_cell *cell)
{
    const struct step_point_text *p = stepper_hit(st->stepper, h) ? point_of(st, h->point) : NULL;
    if (!p)
        return false;
    *cell = p->cell;
    if (cell->whole) {
        cell->index = (h->address - cell->array.address) / element_size(cell->array.type);
        cell->whole = false;
    }
    return true;
}

static bool is_written(const struct step_hit *h)
{
    return h->one_cell && h->access.kind != STEP_READ;
}

void points_hit_text(struct stepped *st, char out[WHY_TEXT])
{
    static const char *const did[] = {
        [STEP_READ] = "read", [STEP_WRITE] = "wrote", [STEP_UPDATE] = "updated"};
    struct step_hit h;
    struct lane_cell cell;
    char name[CELL_NAME], value[NUM_TEXT];
    unsigned char now[ELEMENT_BYTES];
    struct buf text = {0};
    if (!points_hit(st, &h, &cell))
        return;
    buf_printf(&text, "Watchpoint %d: ", h.point);
    stepping_lanes(h.lanes, &text);
    buf_printf(&text, " of warp %u", h.access.warp);
    if (!cell.array.shared && step_look_blocks(st->stepper).all > 1)
        buf_printf(&text, " of block %" PRIu64, h.access.block);
    buf_printf(&text, " %s %s%s", did[h.access.kind], cell_name(&cell, name),
               h.one_cell ? "" : " and other elements");
    if (h.access.code->line)
        buf_printf(&text, " at line %d", h.access.code->line);
    if (h.one_cell && cells_read(st, &cell.array, cell.index, 1, now)) {
        buf_printf(&text, ": %s", element_text(cell.array.type, now, value));
        if (is_written(&h) && h.has_before)
            buf_printf(&text, ", before %s", element_text(cell.array.type, h.before, value));
    }
    snprintf(out, WHY_TEXT, "%s.", buf_text(&text));
    buf_free(&text);
}

void points_hit_json(struct stepped *st, struct json *j)
{
    static const char *const words[] = {
        [STEP_READ] = "read", [STEP_WRITE] = "write", [STEP_UPDATE] = "update"};
    struct step_hit h;
    struct lane_cell cell;
    char name[CELL_NAME];
    unsigned char now[ELEMENT_BYTES];
    if (!points_hit(st, &h, &cell))
        return;
    json_object(j, "watched");
    json_int(j, "point", h.point);
    json_text(j, "element", cell_name(&cell, name));
    json_text(j, "access", words[h.access.kind]);
    json_uint(j, "block", h.access.block);
    json_uint(j, "warp", h.access.warp);
    json_hex(j, "lanes", h.lanes);
    if (h.access.code->line)
        json_int(j, "line", h.access.code->line);
    if (h.one_cell && cells_read(st, &cell.array, cell.index, 1, now))
        element_json(j, "now", cell.array.type, now);
    if (is_written(&h) && h.has_before)
        element_json(j, "before", cell.array.type, h.before);
    json_end_object(j);
}

int points_list(struct stepped *st, struct report *r)
{
    int number, line;
    char name[CELL_NAME];
    json_array(&r->result, "points");
    for (unsigned i = 0; stepper_point(st->stepper, i, &number, &line); i++) {
        const struct step_point_text *p = point_of(st, number);
        const bool has_condition = p && p->condition;
        json_object(&r->result, NULL);
        json_int(&r->result, "point", number);
        if (line)
            json_int(&r->result, "line", line);
        else if (p)
            json_text(&r->result, "watches", cell_name(&p->cell, name));
        if (has_condition)
            json_text(&r->result, "condition", p->text);
        json_end_object(&r->result);
        struct buf text = {0};
        if (line)
            buf_printf(&text, "Breakpoint %d is at line %d", number, line);
        else
            buf_printf(&text, "Watchpoint %d watches %s", number, p ? cell_name(&p->cell, name) : "");
        if (!line && p && p->cell.array.shared && step_look_blocks(st->stepper).all > 1)
            buf_printf(&text, " of block %" PRIu64, p->block);
        say_wrapped(r, 2, "%s%s%s.", buf_text(&text), has_condition ? ", if " : "",
                    has_condition ? p->text : "");
        buf_free(&text);
    }
    json_end_array(&r->result);
    if (!stepper_point(st->stepper, 0, &number, &line))
        say_wrapped(r, 0, "There is no breakpoint and no watchpoint.");
    return 0;
}
