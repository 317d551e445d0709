/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes by their numbers, and values by lane or by element: in columns, or in a sentence where one
 * has them all. A plain screen has sentences only.
 */
#include "repl/step/stepping.h"

#include "screen/wrap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LABEL = 7, /* columns */
    NUMBER = 4,
    ROWS_FEW = 16, /* of a screen */
    SOME = 4,      /* lanes in equal steps, which need not be listed */
    DIFFERENT = 4  /* values of which a sentence tells the lanes */
};

/* ---- lanes ----------------------------------------------------------------------------------- */

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

/* ---- one value ------------------------------------------------------------------------------- */

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

/* ---- values in sentences --------------------------------------------------------------------- */

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

static bool is_same(const struct lane_text *a, const struct lane_text *b)
{
    return strcmp(a->text, b->text) == 0;
}

/* The lanes of `has` with the value of the first of them. */
static uint32_t lanes_alike(const struct lane_text t[STEP_LANES], uint32_t has)
{
    const unsigned first = (unsigned)__builtin_ctz(has);
    uint32_t alike = 0;
    for (unsigned i = first; i < STEP_LANES; i++)
        alike |= (uint32_t)((has >> i & 1) && is_same(&t[i], &t[first])) << i;
    return alike;
}

static unsigned count_different(const struct lane_text t[STEP_LANES], uint32_t has)
{
    unsigned n = 0;
    for (; has; has &= ~lanes_alike(t, has))
        n++;
    return n;
}

/* "3 in lanes 0-15, 4 in lanes 16-31" */
static void put_by_value(struct buf *out, const struct lane_text t[STEP_LANES], uint32_t has,
                         const char *last)
{
    const char *between = "";
    while (has) {
        const uint32_t alike = lanes_alike(t, has);
        buf_printf(out, "%s%s in ", between, t[__builtin_ctz(has)].text);
        stepping_lanes(alike, out);
        has &= ~alike;
        between = has & ~(has ? lanes_alike(t, has) : 0) ? ", " : last;
    }
}

static void put_list(struct buf *out, const struct lane_text *t, uint32_t has)
{
    const char *between = "";
    for (unsigned i = 0; i < STEP_LANES; i++)
        if (has >> i & 1) {
            buf_printf(out, "%s%s", between, t[i].text);
            between = ", ";
        }
}

/* A row of values as a sentence: "i is 3 in lanes 0-15 and 4 in lanes 16-31." */
static int say_sentence(struct report *r, const char *name, const struct lane_text t[STEP_LANES],
                        uint32_t has)
{
    struct buf text = {0};
    int64_t step;
    if (count_different(t, has) <= DIFFERENT) {
        buf_printf(&text, "%s is ", name);
        put_by_value(&text, t, has, " and ");
    } else if (is_even(t, has, &step)) {
        buf_printf(&text, "%s is %s to %s in steps of %" PRId64 " in ", name,
                   t[__builtin_ctz(has)].text, t[31 - __builtin_clz(has)].text, step);
        stepping_lanes(has, &text);
    } else {
        buf_printf(&text, "%s has these values in ", name);
        stepping_lanes(has, &text);
        buf_puts(&text, ": ");
        put_list(&text, t, has);
    }
    say_wrapped(r, 0, "%s.", buf_text(&text));
    buf_free(&text);
    return 1;
}

/* "s[3]", "s[0] to s[15]" */
static void put_elements(struct buf *out, const char *name, uint64_t first, uint64_t last)
{
    buf_printf(out, "%s[%" PRIu64 "]", name, first);
    if (last > first)
        buf_printf(out, " to %s[%" PRIu64 "]", name, last);
}

/* The cells with this mark, by ranges. */
static void put_marked(struct buf *out, const char *name, uint64_t first, const char *mark,
                       unsigned count)
{
    const char *between = "";
    for (unsigned i = 0; i < count; i++) {
        unsigned last = i;
        if (mark[i] == ' ')
            continue;
        while (last + 1 < count && mark[last + 1] == mark[i])
            last++;
        buf_puts(out, between);
        put_elements(out, name, first + i, first + last);
        between = ", ";
        i = last;
    }
}

/* "s[0] to s[15] are 1, 2, ...", and which of them have a mark. */
static int say_elements(struct report *r, const char *name, const struct lane_text t[],
                        unsigned count, uint64_t first, const char *mark)
{
    struct buf text = {0};
    bool same = true;
    for (unsigned i = 1; i < count; i++)
        same = same && is_same(&t[i], &t[0]);
    put_elements(&text, name, first, first + count - 1);
    buf_puts(&text, count == 1 ? " is " : " are ");
    if (same)
        buf_printf(&text, "%s%s", count > 2 ? "all " : "", t[0].text);
    for (unsigned i = 0; i < count && !same; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", t[i].text);
    say_wrapped(r, 0, "%s.", buf_text(&text));
    buf_clear(&text);
    unsigned marked = 0;
    char what = ' ';
    for (unsigned i = 0; mark && i < count; i++)
        if (mark[i] != ' ') {
            marked++;
            what = mark[i];
        }
    if (marked) {
        put_marked(&text, name, first, mark, count);
        say_wrapped(r, 0, "Of these, %s %s just %s.", buf_text(&text), marked == 1 ? "was" : "were",
                    what == 'w' ? "written" : "read");
    }
    buf_free(&text);
    return 1;
}

/* ---- values in columns ----------------------------------------------------------------------- */

static int say_columns_of(struct report *r, const char *name, const struct lane_text t[],
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

int stepping_say_cells(struct report *r, const char *name, const struct lane_text t[],
                       unsigned count, uint64_t first, const char *mark)
{
    return r->plain ? say_elements(r, name, t, count, first, mark)
                    : say_columns_of(r, name, t, count, first, mark);
}

/* A line of as many values as fit, for a screen of few rows. */
static int say_beginning(struct report *r, const char *name, const struct lane_text t[STEP_LANES],
                         uint32_t has)
{
    struct buf text = {0};
    put_by_value(&text, t, has, ", ");
    say(r, "%-*s%s", LABEL, name, (int)strlen(name) < LABEL ? "" : "  ");
    const int fits = r->width - screen_column(r);
    if ((int)text.len > fits)
        say(r, "%.*s...\n", fits > 3 ? fits - 3 : 0, buf_text(&text));
    else
        say(r, "%s\n", buf_text(&text));
    buf_free(&text);
    return 1;
}

int stepping_say_row(struct report *r, const char *name, const struct lane_text t[STEP_LANES],
                     uint32_t has)
{
    struct lane_text cell[STEP_LANES];
    unsigned first = 0, last = 0, count = 0;
    int64_t step = 0;
    bool same = true;
    if (r->plain && has)
        return say_sentence(r, name, t, has);
    for (unsigned i = 0; i < STEP_LANES; i++) {
        cell[i] = (struct lane_text){"."};
        if (!(has >> i & 1))
            continue;
        first = count++ ? first : i;
        last = i;
        cell[i] = t[i];
        same = same && strcmp(t[i].text, t[first].text) == 0;
    }
    if (!same && !is_even(t, has, &step) && r->rows < ROWS_FEW)
        return say_beginning(r, name, t, has);
    if (!same && !is_even(t, has, &step))
        return say_columns_of(r, name, cell, STEP_LANES, 0, NULL);
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

void stepping_say_predicate(struct report *r, const char *name, uint32_t has, uint32_t is_true)
{
    struct buf text = {0};
    struct lane_text texts[STEP_LANES];
    for (unsigned i = 0; i < STEP_LANES; i++)
        snprintf(texts[i].text, sizeof texts[i].text, "%s", is_true >> i & 1 ? "true" : "false");
    if (r->plain) {
        say_sentence(r, name, texts, has);
        return;
    }
    stepping_lanes(is_true, &text);
    say(r, "%-*s", LABEL, name);
    if (!is_true || is_true == has)
        say_wrapped(r, LABEL, "%s in %s", is_true ? "true" : "false",
                    has == UINT32_MAX ? "all lanes" : "all these lanes");
    else
        say_wrapped(r, LABEL, "true in %s", buf_text(&text));
    buf_free(&text);
}
