/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `expect variant shuffle faster-than atomic by 5`, and `fewer-than` with something that is counted:
 * two variants of the last command that ran all of them. Times are measured ones if both variants
 * have them, else modelled ones. The verdict says which.
 */
#include "script/expect.h"

#include "base/json-find.h"
#include "base/near.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 80, PATH_MOST = 120 };

struct contest {
    char a[NAME_MOST], b[NAME_MOST], path[PATH_MOST];
    struct span of_a, of_b; /* their objects */
    bool fewer, slower;
    double by;
};

static int take_word(struct script_reading *r, char *out, size_t size, const char *what)
{
    struct buf word = {0};
    int rc = reading_word(r, &word);
    if (rc == 0 && (!word.len || word.len >= size))
        rc = fail(r->e, word.len ? "%s has a name that is too long" : "%s is missing, as in expect "
                  "variant shuffle faster-than atomic by 5", what);
    if (rc == 0)
        snprintf(out, size, "%s", buf_text(&word));
    buf_free(&word);
    return rc;
}

/* The object of a variant. */
static int find_variant(struct script_reading *r, const char *name, struct span *object)
{
    const struct script *s = r->script;
    const struct span last = {buf_text(&s->launched), s->launched.len};
    struct span variants, is;
    struct near near = {.word = name};
    if (!last.n || !json_find(last, SPAN("variants"), &variants))
        return fail(r->e, "the last command ran no variants: run a lab with --variant all first");
    for (unsigned k = 0; json_element(variants, k, object); k++) {
        char each[NAME_MOST];
        if (!json_find(*object, SPAN("variant"), &is) || is.n < 3 || is.n > NAME_MOST)
            continue;
        snprintf(each, sizeof each, "%.*s", (int)is.n - 2, is.at + 1);
        if (strcmp(each, name) == 0)
            return 0;
        near_try(&near, each);
    }
    return near.best ? fail(r->e, "there is no variant `%s`: did you mean %s?", name, near.best)
                     : fail(r->e, "the last command has no variant `%s`", name);
}

static bool number_at(struct span object, const char *path, double *out)
{
    struct span text;
    struct value v;
    struct err ignored;
    if (!json_at(object, path, &text) ||
        value_of_json(text, &v, &ignored) != 0)
        return false;
    const bool number = value_is_number(&v);
    *out = value_real(&v);
    value_free(&v);
    return number;
}

/* What is compared, of both. -1: one of them has none. */
static int numbers_of(struct script_reading *r, const struct contest *q, double *a, double *b,
                      const char **by)
{
    if (q->fewer) {
        *by = "counted";
        if (number_at(q->of_a, q->path, a) && number_at(q->of_b, q->path, b))
            return 0;
        return fail(r->e, "the variants %s and %s do not both have `%s`", q->a, q->b, q->path);
    }
    *by = "measured time";
    if (number_at(q->of_a, "time.median_s", a) && number_at(q->of_b, "time.median_s", b))
        return 0;
    *by = "modelled time";
    if (number_at(q->of_a, "time.modelled_s", a) && number_at(q->of_b, "time.modelled_s", b))
        return 0;
    return fail(r->e, "the variants %s and %s do not both have a time; on a GPU `set volatile on` "
                      "has times shown", q->a, q->b);
}

static int read_race(struct script_reading *r, struct contest *q)
{
    struct value by;
    if (q->fewer && take_word(r, q->path, sizeof q->path, "what is counted") != 0)
        return -1;
    q->by = 1;
    reading_skip(r);
    if (strncmp(r->text + r->at, "by", 2) != 0 || !is_blank(r->text[r->at + 2]))
        return 0;
    r->at += 2;
    if (reading_value(r, &by) != 0)
        return -1;
    q->by = value_real(&by);
    const bool fine = by.type == VALUE_ANY || (value_is_number(&by) && q->by > 0);
    value_free(&by);
    return fine ? 0 : fail(r->e, "the factor behind `by` is a number above 0");
}

/* How many times as good a is. Fewer of nothing at all is as good as can be. */
static double factor_of(double a, double b)
{
    return a > 0 ? b / a : b > 0 ? 1e300 : 1;
}

static void tell(const struct contest *q, double a, double b, struct expected *v)
{
    char number[NUM_TEXT], of_a[NUM_TEXT], of_b[NUM_TEXT];
    const char *word = q->fewer ? "times as few" : q->slower ? "times as slow" : "times as fast";
    snprintf(v->left, sizeof v->left, "variant %.50s", q->a);
    snprintf(v->op, sizeof v->op, "%s",
             q->fewer ? "fewer-than" : q->slower ? "slower-than" : "faster-than");
    buf_printf(&v->wanted, "%s %s as %s", num_f64(q->by, number), word, q->b);
    if (v->factor < 1e300)
        buf_printf(&v->found, "%s times", num_rough(v->factor, number));
    else
        buf_puts(&v->found, "none at all");
    buf_printf(&v->found, ": %s has %s, and %s has %s", q->a,
               q->fewer ? num_f64(a, of_a) : num_seconds(a, of_a), q->b,
               q->fewer ? num_f64(b, of_b) : num_seconds(b, of_b));
}

/* Is it `variant NAME faster-than`? An object may have a value `variant`, too. */
static bool begins_race(struct script_reading *r, struct contest *q, int *rc)
{
    struct script_reading look = *r;
    char word[NAME_MOST] = "";
    struct err ignored = {0};
    look.e = &ignored;
    if (strncmp(look.text + look.at, "variant", 7) != 0 || !is_blank(look.text[look.at + 7]))
        return false;
    look.at += 7;
    reading_skip(&look);
    if (strchr("=!<>~\"'", look.text[look.at]) ||
        take_word(&look, q->a, sizeof q->a, "a variant") != 0)
        return false;
    *rc = take_word(&look, word, sizeof word, "a comparison");
    q->fewer = strcmp(word, "fewer-than") == 0;
    q->slower = strcmp(word, "slower-than") == 0;
    if (strcmp(q->a, "has") == 0 || strcmp(q->a, "contains") == 0)
        return false;
    if (*rc != 0 || (!q->fewer && !q->slower && strcmp(word, "faster-than") != 0))
        *rc = fail(r->e, "behind `variant %s` comes faster-than, slower-than or fewer-than", q->a);
    r->at = look.at;
    return true;
}

int expect_variant(struct script_reading *r, struct expected *v)
{
    struct contest q = {.fewer = false};
    struct closeness none;
    double a = 0, b = 0;
    int rc = 0;
    if (!begins_race(r, &q, &rc))
        return 1;
    if (rc != 0 || take_word(r, q.b, sizeof q.b, "the other variant") != 0 ||
        read_race(r, &q) != 0 || expect_options(r, OP_NONE, &none, v) != 0)
        return -1;
    if (r->script->dry)
        return 0;
    if (find_variant(r, q.a, &q.of_a) != 0 || find_variant(r, q.b, &q.of_b) != 0 ||
        numbers_of(r, &q, &a, &b, &v->by) != 0)
        return -1;
    v->factor = q.slower ? factor_of(b, a) : factor_of(a, b);
    v->ok = v->factor >= q.by && (q.by != 1 || v->factor > 1);
    tell(&q, a, b, v);
    return 0;
}
