/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line of each point. A value goes to the option of its name, or to the first operand; or to
 * the places {n} of the text, where {n/256} is an expression over it. Every line is read before the
 * first one runs, so a misspelt option is found at once.
 */
#include "repl/sweep/sweep.h"

#include "base/near.h"
#include "command/command.h"
#include "command/variants.h"
#include "expr/expr.h"
#include "repl/inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A swept option and the value that it has at a point. */
struct setting_at {
    const char *name, *text;
    bool used; /* it stood in braces */
};

/* ---- braces ----------------------------------------------------------------------------- */

static struct setting_at *named(struct setting_at at[2], unsigned count, struct span word)
{
    for (unsigned k = 0; k < count; k++)
        if (same_text(word, at[k].name))
            return &at[k];
    return NULL;
}

static struct span word_at(const char *at)
{
    size_t n = 0;
    while (in_word(at[n]))
        n++;
    return (struct span){at, n};
}

/* How many of its names are swept, and how many are not? Other braces are the command's own. */
static void count_names(struct span inside, struct setting_at at[2], unsigned count,
                        unsigned *known, unsigned *others)
{
    *known = *others = 0;
    for (size_t i = 0; i < inside.n;) {
        const struct span word = word_at(inside.at + i);
        if (word.n && is_letter(*word.at))
            ++*(named(at, count, word) ? known : others);
        i += word.n ? word.n : 1;
    }
}

static int put_computed(struct span inside, struct setting_at at[2], unsigned count,
                        struct buf *out, struct err *e)
{
    struct buf text = {0};
    struct expr *x = NULL;
    struct expr_error why;
    static const uint64_t no_inputs[EXPR_ELEMENT_INPUTS];
    int64_t value;
    int rc = 0;
    for (size_t i = 0; i < inside.n;) {
        const struct span word = word_at(inside.at + i);
        struct setting_at *of = word.n ? named(at, count, word) : NULL;
        if (of) {
            of->used = true;
            buf_printf(&text, "(%s)", of->text);
        } else {
            buf_add(&text, inside.at + i, word.n ? word.n : 1);
        }
        i += word.n ? word.n : 1;
    }
    if (text.failed)
        rc = fail_memory(e);
    else if (expr_parse_element(buf_text(&text), true, &x, &why) != 0)
        rc = fail(e, "{%.*s}: %s", (int)inside.n, inside.at, why.text);
    else if (expr_eval_whole(x, no_inputs, &value) != EXPR_RIGHT)
        rc = fail(e, "{%.*s} has no value for %s = %s", (int)inside.n, inside.at, at[0].name,
                  at[0].text);
    else
        buf_printf(out, "%" PRId64, value);
    if (x)
        expr_free(x);
    buf_free(&text);
    return rc;
}

/* `at` is behind a brace. Returns how many bytes this slot has, 0 if it is none; -1: an error. */
static int put_slot(const char *text, struct setting_at at[2], unsigned count, struct buf *out,
                    struct err *e)
{
    const size_t n = strcspn(text, "{}");
    const struct span inside = {text, n};
    unsigned known, others;
    if (text[n] != '}')
        return 0;
    count_names(inside, at, count, &known, &others);
    if (!known || memchr(text, ',', n))
        return 0;
    struct setting_at *alone = named(at, count, trim(inside));
    if (alone) {
        alone->used = true;
        buf_puts(out, alone->text);
    } else if (others) {
        return fail(e, "{%.*s} has a name that is not swept", (int)n, text);
    } else if (put_computed(inside, at, count, out, e) != 0) {
        return -1;
    }
    return (int)n + 1;
}

static int fill_slots(const char *text, struct setting_at at[2], unsigned count, struct buf *out,
                      struct err *e)
{
    while (*text) {
        const int n = *text == '{' ? put_slot(text + 1, at, count, out, e) : 0;
        if (n < 0)
            return -1;
        if (n == 0)
            buf_putc(out, *text);
        text += n + 1;
    }
    return 0;
}

/* ---- options ---------------------------------------------------------------------------- */

static void put_quoted(struct buf *out, const char *text)
{
    const char *quote = !text[strcspn(text, " \t'\"();<>#")] ? "" : strchr(text, '\'') ? "\"" : "'";
    buf_printf(out, "%s%s%s", quote, text, quote);
}

static int no_such_option(const struct command *c, const char *name, struct err *e)
{
    struct near n = {.word = name};
    for (unsigned i = 0; command_spec(c, i); i++)
        near_try(&n, command_spec(c, i)->name);
    if (n.best)
        return fail(e, "%s has no option %s to sweep: did you mean %s?", c->name, name, n.best);
    return fail(e,
                "%s has no option %s to sweep; `help %s` lists its options, and {%s} in the "
                "command stands for the value too",
                c->name, name, c->name, name);
}

/* What stands between the command's name and the value; NULL: it has no option of this name. */
static const char *before_value(const struct command *c, const char *name, char out[64])
{
    const unsigned options = command_option_count(c);
    for (unsigned i = 0; i < options; i++) {
        const struct arg_spec *spec = command_spec(c, i);
        if (strcmp(spec->name, name) == 0 && spec->type != ARG_FLAG && spec->type != ARG_PAIR)
            return command_option_name(spec, out);
    }
    const struct arg_spec *first = command_spec(c, options);
    return first && near_same(first->name, name) ? "" : NULL;
}

static int put_options(struct shell *sh, const char *filled, const struct setting_at at[2],
                       unsigned count, struct buf *out, struct err *e)
{
    const size_t first = strcspn(filled, " \t");
    char option[64];
    buf_add(out, filled, first);
    for (unsigned k = 0; k < count; k++) {
        if (at[k].used)
            continue;
        size_t end;
        if (words_end(filled, strlen(filled), 0, &end, e) == ';')
            return fail(e, "write {%s} where the value belongs: there are several commands",
                        at[k].name);
        const struct command *c = inner_command(sh, filled, e);
        const char *before = c ? before_value(c, at[k].name, option) : NULL;
        if (!before)
            return c ? no_such_option(c, at[k].name, e) : -1;
        buf_printf(out, " %s%s", before, *before ? " " : "");
        put_quoted(out, at[k].text);
    }
    buf_puts(out, filled + first);
    return 0;
}

int sweep_put_line(struct shell *sh, const struct sweep_line *l, unsigned x, unsigned k,
                   struct buf *out, struct err *e)
{
    struct setting_at at[2] = {{.name = l->x.name, .text = l->x.value[x].text}};
    struct buf filled = {0};
    unsigned count = 1;
    if (l->curve.count)
        at[count++] = (struct setting_at){.name = l->curve.name, .text = l->curve.value[k].text};
    *e = (struct err){.line = 0};
    int rc = fill_slots(l->inner, at, count, &filled, e);
    if (rc == 0)
        rc = put_options(sh, buf_text(&filled), at, count, out, e);
    if (rc == 0 && (filled.failed || out->failed))
        rc = fail_memory(e);
    buf_free(&filled);
    return rc;
}

/* ---- all variants ----------------------------------------------------------------------- */

/* The right variants that launch a kernel, in place of `all`. */
static int add_variants(const struct lab *lab, struct sweep_values *v, struct err *e)
{
    for (const struct lab_variant *one = lab->variants; one->name; one++)
        if (!one->mended_by && one->kernel && sweep_add_value(v, one->name, e) != 0)
            return -1;
    return v->count ? 0 : fail(e, "no variant of this lab can be swept");
}

static bool is_all(const struct sweep_values *v)
{
    return strcmp(v->name, "variant") == 0 && v->count == 1 && strcmp(v->value[0].text, "all") == 0;
}

/* Takes `--variant all` or `--variant=all` out of the command. Was it there? */
static bool take_all(char *inner)
{
    struct words w;
    struct err ignored;
    bool found = false;
    if (words_split(inner, &w, &ignored) != 0)
        return false;
    for (unsigned i = 1; i < w.count && !found; i++) {
        const bool pair = strcmp(w.word[i], "--variant") == 0 && i + 1 < w.count &&
                          strcmp(w.word[i + 1], "all") == 0;
        found = pair || strcmp(w.word[i], "--variant=all") == 0;
        const unsigned next = i + 1 + pair;
        if (found) {
            char *to = inner + w.column[i] - 1,
                 *from = next < w.count ? inner + w.column[next] - 1 : inner + strlen(inner);
            memmove(to, from, strlen(from) + 1);
        }
    }
    words_free(&w);
    for (size_t n = strlen(inner); found && n && inner[n - 1] == ' ';)
        inner[--n] = '\0';
    return found;
}

/* A sweep over all variants has a curve for each; also where a lab runs all of them unless told. */
static int spread_variants(struct shell *sh, struct sweep_line *l, struct err *e)
{
    const struct command *c = inner_command(sh, l->inner, e);
    const struct lab *lab = c ? c->lab : NULL;
    if (!c)
        return -1;
    if (!lab || !lab->variants)
        return 0;
    struct sweep_values *v = is_all(&l->x) ? &l->x : &l->curve;
    const bool sweeps = strcmp(l->x.name, "variant") == 0 || strcmp(l->curve.name, "variant") == 0;
    const bool every =
        !sweeps && (take_all(l->inner) || (lab->all_unless_told && !strstr(l->inner, "--variant")));
    if (every && l->curve.count)
        return fail(e,
                    "two options are swept, so the command needs one variant: write --variant "
                    "%s, or another",
                    lab->variants->name);
    if (!is_all(v) && !every)
        return 0;
    snprintf(v->name, sizeof v->name, "variant");
    v->words = l->every = true;
    v->count = 0;
    return add_variants(lab, v, e);
}

/* ---- what was typed --------------------------------------------------------------------- */

/* The rest may begin with the values of a second option. What follows is the command. */
static int take_rest(const char *rest, const struct words *w, struct sweep_line *l, struct err *e)
{
    const bool second = sweep_is_values(w->word[0]);
    if (second && sweep_read_values(w->word[0], &l->curve, e) != 0)
        return -1;
    if (w->count == second)
        return fail(e,
                    "the command is missing: write it after the values, as in sweep %s=1,2 %s trap",
                    l->x.name, w->word[0]);
    if (second && sweep_is_values(w->word[1]))
        return fail(e, "at most two options can be swept, and %.60s is a third one", w->word[1]);
    l->inner = inner_line(rest + w->column[second] - 1);
    return l->inner ? 0 : fail_memory(e);
}

static int take_words(const char *values, const char *rest, struct sweep_line *l, struct err *e)
{
    struct words w;
    if (!sweep_is_values(values))
        return fail(e, "`%.60s` has no values: write %s=1,2,4 or %s=2^10..2^20", values, values,
                    values);
    if (sweep_read_values(values, &l->x, e) != 0 || words_split(rest, &w, e) != 0)
        return -1;
    int rc = take_rest(rest, &w, l, e);
    words_free(&w);
    return rc;
}

/* Every line, with every value. */
static int check_lines(struct shell *sh, const struct sweep_line *l, struct err *e)
{
    struct buf line = {0};
    int rc = 0;
    const unsigned curves = l->curve.count ? l->curve.count : 1;
    for (unsigned i = 0; i < l->x.count * curves && rc == 0; i++) {
        buf_clear(&line);
        rc = sweep_put_line(sh, l, i / curves, i % curves, &line, e);
        if (rc == 0)
            rc = inner_check(sh, "sweep", buf_text(&line), e);
    }
    buf_free(&line);
    return rc;
}

int sweep_read_line(struct shell *sh, const char *values, const char *rest, struct sweep_line *l,
                    struct err *e)
{
    *l = (struct sweep_line){.inner = NULL};
    if (take_words(values, rest, l, e) != 0 || inner_names(sh, "sweep", l->inner, e) != 0 ||
        spread_variants(sh, l, e) != 0)
        return -1;
    if (l->curve.count && strcmp(l->x.name, l->curve.name) == 0)
        return fail(e, "%s is swept twice; once is enough", l->x.name);
    if (l->curve.count && l->x.words && !l->curve.words) { /* numbers belong on the axis */
        const struct sweep_values first = l->x;
        l->x = l->curve;
        l->curve = first;
    }
    if (l->curve.count > SWEEP_CURVES)
        return fail(e, "%s has %u values, and a plot has at most %d curves", l->curve.name,
                    l->curve.count, SWEEP_CURVES);
    return check_lines(sh, l, e);
}

void sweep_free_line(struct sweep_line *l)
{
    sweep_free_values(&l->x);
    sweep_free_values(&l->curve);
    free(l->inner);
    l->inner = NULL;
}
