/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of an option, in parts with commas between. A part is one value, or a range:
 *
 *     2^10..2^28    powers of one base: each is the base times the one before
 *     1..32         all whole numbers, if there are at most 64; else doubling
 *     0..2:0.5      steps that add
 *     32..1024*4    steps that multiply
 */
#include "repl/sweep/sweep.h"

#include "base/logarithm.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH = 64, FAR = 8 }; /* from FAR times the least on, a list is far apart */
#define CLOSE       1e-9
#define REAL_DIGITS "%.12g" /* 0.1 three times is 0.3 */

/* Two ends, and how to come from one to the other. */
struct range {
    char lo[SWEEP_TEXT], hi[SWEEP_TEXT], step[SWEEP_TEXT];
    bool adds, multiplies; /* neither: as the two ends suggest */
};

bool sweep_is_values(const char *word)
{
    const char *name = word + strspn(word, "-"), *at = name;
    while (in_word(*at) || (*at == '-' && at > name))
        at++;
    return at > name && *at == '=';
}

void sweep_free_values(struct sweep_values *v)
{
    mem_free(&allocator_libc, v->value, v->room * sizeof *v->value);
    v->value = NULL;
    v->count = 0;
    v->room = 0;
}

/* ---- one value -------------------------------------------------------------------------- */

static int add(struct sweep_values *v, const char *text, const char *label, double number,
               struct err *e)
{
    void *grown = v->value;
    if (strlen(text) >= SWEEP_TEXT || !*text)
        return fail(e, "%s: a value has 1 to %d characters", v->name, SWEEP_TEXT - 1);
    if (v->count == SWEEP_VALUES)
        return fail(e, "%s has more than %d values; take larger steps", v->name, SWEEP_VALUES);
    if (mem_grow(&allocator_libc, &grown, &v->room, v->count, sizeof *v->value) != 0)
        return fail_memory(e);
    v->value = grown;
    struct sweep_value *to = &v->value[v->count++];
    *to = (struct sweep_value){.number = number};
    snprintf(to->text, sizeof to->text, "%s", text);
    snprintf(to->label, sizeof to->label, "%s", label);
    return 0;
}

static int add_whole(struct sweep_values *v, int64_t number, const char *label, struct err *e)
{
    char text[NUM_TEXT], grouped[NUM_TEXT];
    snprintf(text, sizeof text, "%" PRId64, number);
    return add(v, text, label ? label : num_group(number, grouped), (double)number, e);
}

int sweep_add_value(struct sweep_values *v, const char *text, struct err *e)
{
    struct err ignored;
    int64_t whole;
    double real;
    if (num_int(text, INT64_MIN, INT64_MAX, &whole, &ignored) == 0)
        return add_whole(v, whole, strchr(text, '^') ? text : NULL, e);
    if (num_real(text, &real, &ignored) == 0)
        return add(v, text, text, real, e);
    v->words = true;
    return add(v, text, text, 0, e);
}

/* ---- ranges ----------------------------------------------------------------------------- */

static int no_range(const struct sweep_values *v, const char *text, struct err *e)
{
    return fail(e, "%s: `%.60s` is not a range: write 2^10..2^20, 1..32, 0..100:10 or 32..1024*4",
                v->name, text);
}

static int take_apart(const struct sweep_values *v, const char *text, struct range *r,
                      struct err *e)
{
    const char *dots = strstr(text, ".."), *hi = dots + 2, *mark = hi + strcspn(hi, ":*");
    *r = (struct range){.adds = *mark == ':', .multiplies = *mark == '*'};
    if (strlen(text) >= SWEEP_TEXT || dots == text || mark == hi || (*mark && !mark[1]))
        return no_range(v, text, e);
    snprintf(r->lo, sizeof r->lo, "%.*s", (int)(dots - text), text);
    snprintf(r->hi, sizeof r->hi, "%.*s", (int)(mark - hi), hi);
    snprintf(r->step, sizeof r->step, "%s", *mark ? mark + 1 : "");
    return 0;
}

/* 2^10, or 1<<10: its base and its exponent. */
static bool is_power(const char *text, int64_t *base, unsigned *exponent)
{
    char digits[SWEEP_TEXT];
    struct err ignored;
    uint64_t power;
    const bool shifted = begins_with(text, "1<<");
    const char *mark = shifted ? text + 2 : strchr(text, '^');
    if (!mark)
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)(mark - text), text);
    if (num_int(shifted ? "2" : digits, 2, INT32_MAX, base, &ignored) != 0 ||
        num_uint(mark + 1, 0, 62, &power, &ignored) != 0)
        return false;
    *exponent = (unsigned)power;
    return true;
}

static int add_powers(struct sweep_values *v, int64_t base, unsigned from, unsigned to,
                      struct err *e)
{
    char text[SWEEP_TEXT];
    for (unsigned k = from; k <= to; k++) {
        snprintf(text, sizeof text, "%" PRId64 "^%u", base, k);
        if (sweep_add_value(v, text, e) != 0)
            return -1;
    }
    return 0;
}

static int backwards(const struct sweep_values *v, const struct range *r, struct err *e)
{
    return fail(e, "%s: the range %s..%s begins above its end", v->name, r->lo, r->hi);
}

static int add_wholes(struct sweep_values *v, const struct range *r, int64_t lo, int64_t hi,
                      struct err *e)
{
    int64_t step = 2;
    struct err why;
    if (lo > hi)
        return backwards(v, r, e);
    const uint64_t wide = (uint64_t)hi - (uint64_t)lo;
    const bool each = !r->adds && !r->multiplies && wide < EACH;
    if (*r->step && num_int(r->step, r->multiplies ? 2 : 1, INT64_MAX, &step, &why) != 0)
        return fail(e, "%s: the step of %s..%s: %s", v->name, r->lo, r->hi, why.text);
    if (!each && !r->adds && lo <= 0)
        return fail(e,
                    "%s: a range from %s can't multiply; write how much to add, as in "
                    "%s..%s:%" PRIu64,
                    v->name, r->lo, r->lo, r->hi, wide / 10 + 1);
    const bool adds = each || r->adds;
    for (int64_t at = lo;;) {
        if (add_whole(v, at, NULL, e) != 0)
            return -1;
        const uint64_t left = (uint64_t)hi - (uint64_t)at;
        if (adds ? left < (uint64_t)(each ? 1 : step) : at > hi / step)
            return 0;
        at = adds ? at + (each ? 1 : step) : at * step;
    }
}

static int add_reals(struct sweep_values *v, const struct range *r, const char *part, struct err *e)
{
    double lo, hi, step;
    struct err ignored;
    char text[NUM_TEXT];
    if (num_real(r->lo, &lo, &ignored) != 0 || num_real(r->hi, &hi, &ignored) != 0 ||
        (*r->step && num_real(r->step, &step, &ignored) != 0))
        return no_range(v, part, e);
    if (!*r->step)
        return fail(e, "%s: a range with fractions needs a step: write %s..%s:0.1, or %s..%s*2",
                    v->name, r->lo, r->hi, r->lo, r->hi);
    if (lo > hi)
        return backwards(v, r, e);
    if (r->adds ? !(step > 0) : !(step > 1) || !(lo > 0))
        return fail(e,
                    "%s: this range never reaches its end: a step that is added is above 0; one "
                    "that multiplies is above 1, and so is the first value above 0",
                    v->name);
    double at = lo;
    for (unsigned k = 1; at <= hi + (r->adds ? step : at) * 1e-9; k++) {
        snprintf(text, sizeof text, REAL_DIGITS, at);
        if (add(v, text, text, at, e) != 0)
            return -1;
        at = r->adds ? lo + step * k : at * step;
    }
    return 0;
}

static int add_range(struct sweep_values *v, const char *part, struct err *e)
{
    struct range r;
    struct err ignored;
    int64_t lo, hi, base[2];
    unsigned exponent[2];
    if (take_apart(v, part, &r, e) != 0)
        return -1;
    if (!r.adds && !r.multiplies && is_power(r.lo, &base[0], &exponent[0]) &&
        is_power(r.hi, &base[1], &exponent[1]) && base[0] == base[1])
        return exponent[0] > exponent[1] ? backwards(v, &r, e)
                                         : add_powers(v, base[0], exponent[0], exponent[1], e);
    if (num_int(r.lo, INT64_MIN, INT64_MAX, &lo, &ignored) == 0 &&
        num_int(r.hi, INT64_MIN, INT64_MAX, &hi, &ignored) == 0 &&
        (!*r.step || num_int(r.step, INT64_MIN, INT64_MAX, &base[0], &ignored) == 0))
        return add_wholes(v, &r, lo, hi, e);
    return add_reals(v, &r, part, e);
}

/* ---- all of them ------------------------------------------------------------------------ */

static bool rises(const struct sweep_values *v)
{
    for (unsigned i = 1; i < v->count; i++)
        if (!(v->value[i].number > v->value[i - 1].number))
            return false;
    return true;
}

/* Does each value multiply the one before? At least more or less: values that are far apart have
 * their middle one closer to the first. */
static bool multiplies(const struct sweep_values *v)
{
    const struct sweep_value *all = v->value;
    const double first = all[0].number, last = all[v->count - 1].number;
    bool evenly = true;
    for (unsigned i = 2; i < v->count && evenly; i++) {
        const double off =
            all[i].number * all[i - 2].number / (all[i - 1].number * all[i - 1].number);
        evenly = off > 1 - CLOSE && off < 1 + CLOSE;
    }
    return evenly || (last >= first * FAR && all[(v->count - 1) / 2].number < (first + last) / 3);
}

static enum axis_scale scale_of(const struct sweep_values *v)
{
    bool twos = true;
    if (v->words || v->count < 3 || !(v->value[0].number > 0) || !rises(v) || !multiplies(v))
        return AXIS_LINEAR;
    for (unsigned i = 0; i < v->count && twos; i++) {
        const double power = power_of_two(v->value[i].number);
        const double off = power - (double)(int64_t)(power + 0.5);
        twos = off < CLOSE && off > -CLOSE;
    }
    return twos ? AXIS_TWOS : AXIS_TENS;
}

/* Up to the next comma that is in no parentheses. */
static size_t part_length(const char *text)
{
    size_t n = 0;
    int depth = 0;
    for (; text[n] && (depth > 0 || text[n] != ','); n++)
        depth += (text[n] == '(') - (text[n] == ')');
    return n;
}

int sweep_read_values(const char *word, struct sweep_values *v, struct err *e)
{
    const char *name = word + strspn(word, "-"), *equals = strchr(name, '='), *at = equals + 1;
    char part[2 * SWEEP_TEXT];
    *v = (struct sweep_values){.count = 0};
    if ((size_t)(equals - name) >= sizeof v->name)
        return fail(e, "`%.60s` is too long for the name of an option", name);
    snprintf(v->name, sizeof v->name, "%.*s", (int)(equals - name), name);
    for (;; at++) {
        const size_t n = part_length(at);
        if (n == 0 || n >= sizeof part)
            return fail(e,
                        "%s: write values after the =, with commas between them, as in "
                        "%s=1,2,4 or %s=2^10..2^20",
                        v->name, v->name, v->name);
        snprintf(part, sizeof part, "%.*s", (int)n, at);
        if ((strstr(part, "..") ? add_range : sweep_add_value)(v, part, e) != 0)
            return -1;
        at += n;
        if (!*at)
            break;
    }
    v->scale = scale_of(v);
    return 0;
}
