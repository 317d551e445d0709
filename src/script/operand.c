/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions, computed while they are read: numbers as the prompt takes them, texts, variables,
 * paths of the last object, elements of arrays. Whole numbers have 64 bits, and what does not fit
 * them is an error. Between whole numbers `/` drops the fraction, as in C. If one of them comes from
 * an object, it does not: there a whole number may be a float that has no fraction just now.
 */
#include "script/script.h"

#include <stdio.h>
#include <string.h>

enum { PARENTHESES_DEEP = 100, TOKEN_MOST = 400 };

void reading_skip(struct script_reading *r)
{
    while (is_blank(r->text[r->at]))
        r->at++;
}

static int wrong(struct script_reading *r, size_t at, const char *format, const char *what)
{
    fail_at(r->e, 0, (int)at + 1, format, what);
    return -1;
}

/* ---- leaves ------------------------------------------------------------------------------ */

/* A number is digits and letters; + and - belong to it behind an e that follows digits. */
static size_t number_length(const char *text)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    size_t n = 0;
    while (in_word(text[n]) || (text[n] == '.' && text[n + 1] != '.') ||
           (n && !hex && (text[n] == '+' || text[n] == '-') && strchr("eE", text[n - 1]) &&
            is_digit(text[n + 1])))
        n++;
    return n;
}

static int read_number(struct script_reading *r, struct value *v)
{
    char text[TOKEN_MOST];
    struct err why = {0};
    const size_t n = number_length(r->text + r->at);
    snprintf(text, sizeof text, "%.*s", n < sizeof text ? (int)n : TOKEN_MOST - 1, r->text + r->at);
    *v = (struct value){.type = VALUE_WHOLE};
    if (num_int(text, INT64_MIN, INT64_MAX, &v->whole, &why) != 0 || strchr(text, '.')) {
        v->type = VALUE_REAL;
        if (num_real(text, &v->real, &why) != 0)
            return wrong(r, r->at, "%s", why.text);
    }
    r->at += n;
    return 0;
}

bool reading_quoted(struct script_reading *r)
{
    reading_skip(r);
    return r->text[r->at] == '"' || r->text[r->at] == '\'';
}

/* The text between quotes, with its variables put in unless the quotes are single ones. */
static int read_quoted(struct script_reading *r, struct buf *out)
{
    const size_t from = r->at++;
    const char quote = r->text[from];
    while (r->text[r->at] && r->text[r->at] != quote) {
        const char *at = r->text + r->at;
        const bool pair = quote == '"' && at[0] == '\\' && at[1] && strchr("\"\\$", at[1]);
        const int n = quote == '"' && !pair ? script_put(r->script, at, strlen(at), out, r->e) : 0;
        if (n < 0) {
            r->e->column += (int)r->at;
            return -1;
        }
        if (n == 0)
            buf_putc(out, at[pair]);
        r->at += n > 0 ? (size_t)n : 1U + pair;
    }
    if (!r->text[r->at])
        return wrong(r, from, "this quote is not closed%s", "");
    r->at++;
    return out->failed ? fail_memory(r->e) : 0;
}

static int read_text(struct script_reading *r, struct value *v)
{
    *v = (struct value){.type = VALUE_TEXT};
    return read_quoted(r, &v->text);
}

/* A copy of a value, which the caller owns. */
static int copy_value(const struct value *from, struct value *to, struct err *e)
{
    *to = *from;
    to->text = (struct buf){0};
    buf_add(&to->text, buf_text(&from->text), from->text.len);
    return to->text.failed ? fail_memory(e) : 0;
}

static int read_variable(struct script_reading *r, struct value *v)
{
    const char *text = r->text + r->at + 1;
    bool braces;
    const size_t n = script_name(text, strlen(text), &braces);
    struct value room = {.type = VALUE_NONE};
    if (!n)
        return wrong(r, r->at, "the name behind the $ is missing%s", braces ? ", or its }" : "");
    const struct value *known = script_get(r->script, text + braces, n, &room, r->e);
    if (!known)
        r->e->column = (int)r->at + 1;
    r->at += 1 + n + 2 * braces;
    int rc = known ? copy_value(known, v, r->e) : -1;
    value_free(&room);
    return rc;
}

/* A path: names, dots, and what stands between brackets. */
static size_t path_length(const char *text)
{
    size_t n = 0;
    while (in_word(text[n]) || text[n] == '.' || text[n] == '[') {
        const size_t inside = text[n] == '[' ? strcspn(text + n, "]") : 0;
        if (text[n] == '[' && !text[n + inside])
            break;
        n += inside + 1;
    }
    return n;
}

static int read_path(struct script_reading *r, struct value *v)
{
    struct buf path = {0};
    const size_t n = path_length(r->text + r->at), from = r->at;
    int rc = script_expand(r->script, r->text + from, n, &path, r->e);
    r->at += n;
    if (rc == 0 && !value_word(buf_text(&path), v))
        rc = object_find(r->script, buf_text(&path), path.len, v, r->e);
    if (rc > 0 && !r->e->column)
        r->e->column = (int)from + 1;
    buf_free(&path);
    return rc;
}

static int read_shift(struct script_reading *, struct value *);

static int read_leaf(struct script_reading *r, struct value *v)
{
    reading_skip(r);
    const char c = r->text[r->at];
    if (c == '(') {
        if (++r->deep > PARENTHESES_DEEP)
            return wrong(r, r->at, "the parentheses are nested too deep%s", "");
        r->at++;
        int rc = read_shift(r, v);
        reading_skip(r);
        if (rc == 0 && r->text[r->at] != ')')
            rc = wrong(r, r->at, "a ) is missing%s", "");
        r->deep--;
        r->at += rc == 0;
        return rc;
    }
    if (is_digit(c) || (c == '.' && is_digit(r->text[r->at + 1])))
        return read_number(r, v);
    if (c == '"' || c == '\'')
        return read_text(r, v);
    if (c == '$')
        return read_variable(r, v);
    if (is_letter(c))
        return read_path(r, v);
    return c ? wrong(r, r->at, "a value is missing before `%.20s`", r->text + r->at)
             : wrong(r, r->at, "a value is missing at the end%s", "");
}

/* ---- arithmetic -------------------------------------------------------------------------- */

static int no_number(struct script_reading *r, char op, const struct value *v, size_t at)
{
    struct buf text = {0};
    value_put(v, &text);
    fail_at(r->e, 0, (int)at + 1, "`%c` needs numbers, and `%.60s` is none", op, buf_text(&text));
    buf_free(&text);
    return -1;
}

static bool whole_result(char op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case '+': return !__builtin_add_overflow(a, b, out);
    case '-': return !__builtin_sub_overflow(a, b, out);
    case '*': return !__builtin_mul_overflow(a, b, out);
    case '<':
        if (b < 0 || b > 62 || a < 0 || a > INT64_MAX >> b)
            return false;
        *out = a << b;
        return true;
    default: break;
    }
    for (*out = 1; b > 0; b--) { /* ^; the base 0, 1 or -1 is done before */
        if (__builtin_mul_overflow(*out, a, out))
            return false;
    }
    return true;
}

/* a^b of a number with a fraction, by squaring: no libm has a say in it. */
static double real_power(double a, int64_t b)
{
    const bool under = b < 0;
    double result = 1;
    for (uint64_t k = under ? -(uint64_t)b : (uint64_t)b; k; k >>= 1, a *= a)
        result *= k & 1 ? a : 1;
    return under ? 1 / result : result;
}

static double real_rest(double a, double b)
{
    const double whole = (double)(int64_t)(a / b);
    return a - whole * b;
}

static int compute_real(struct script_reading *r, char op, struct value *a, const struct value *b,
                        size_t at)
{
    const double x = value_real(a), y = value_real(b);
    const bool huge = op == '%' && !(x / y < 9e18 && x / y > -9e18);
    if (op == '^' && b->type != VALUE_WHOLE)
        return wrong(r, at, "the power behind ^ is a whole number%s", "");
    if (op == '<')
        return wrong(r, at, "<< needs whole numbers%s", "");
    if (y == 0 && (op == '/' || op == '%'))
        return wrong(r, at, "this divides by zero%s", "");
    if (huge)
        return wrong(r, at, "the remainder of this can't be computed: the numbers are too far "
                     "apart%s", "");
    a->type = VALUE_REAL;
    a->real = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : op == '/' ? x / y
              : op == '%' ? real_rest(x, y) : real_power(x, b->whole);
    return 0;
}

static int compute_whole(struct script_reading *r, char op, struct value *a, const struct value *b,
                         size_t at)
{
    const int64_t x = a->whole, y = b->whole;
    if (op == '/' || op == '%') {
        if (y == 0)
            return wrong(r, at, "this divides by zero%s", "");
        a->whole = y == -1 ? (op == '%' ? 0 : (int64_t)(0 - (uint64_t)x))
                           : op == '/' ? x / y : x % y;
        return y == -1 && op == '/' && x == INT64_MIN
                   ? wrong(r, at, "the result does not fit 64 bits%s", "") : 0;
    }
    if (op == '^' && (x == 0 || x == 1 || x == -1) && y > 0)
        a->whole = x == -1 && y % 2 == 0 ? 1 : x;
    else if (!whole_result(op, x, y, &a->whole))
        return wrong(r, at, op == '<' ? "<< takes 0 to 62 places, and the result must fit 64 bits%s"
                                      : "the result does not fit 64 bits%s", "");
    return 0;
}

/* The smallest number % -1 is an error of the processor. */
static bool leaves_rest(int64_t a, int64_t b)
{
    return b != 0 && b != -1 && a % b != 0;
}

/* a = a OP b; b is freed. */
static int compute(struct script_reading *r, char op, struct value *a, struct value *b, size_t at)
{
    const bool found = a->found || b->found;
    int rc;
    if (value_is_number(a) && value_is_number(b) && (a->type == VALUE_ANY || b->type == VALUE_ANY)) {
        a->type = VALUE_ANY;
        rc = 0;
    } else if (!value_is_number(a) || !value_is_number(b))
        rc = no_number(r, op, value_is_number(a) ? b : a, at);
    else if (a->type == VALUE_REAL || b->type == VALUE_REAL || (op == '^' && b->whole < 0) ||
             (op == '/' && found && leaves_rest(a->whole, b->whole)))
        rc = compute_real(r, op, a, b, at);
    else
        rc = compute_whole(r, op, a, b, at);
    a->found = found;
    value_free(b);
    return rc;
}

static int read_unary(struct script_reading *, struct value *);

/* Binds closer than a minus before it, as in mathematics; 2^3^2 is 2^9. */
static int read_power(struct script_reading *r, struct value *v)
{
    struct value right = {.type = VALUE_NONE};
    int rc = read_leaf(r, v);
    reading_skip(r);
    if (rc != 0 || r->text[r->at] != '^')
        return rc;
    const size_t at = r->at++;
    if (++r->deep > PARENTHESES_DEEP)
        return wrong(r, at, "there are too many powers%s", "");
    rc = read_unary(r, &right);
    r->deep--;
    return rc == 0 ? compute(r, '^', v, &right, at) : rc;
}

static int read_unary(struct script_reading *r, struct value *v)
{
    reading_skip(r);
    const size_t at = r->at;
    const bool minus = r->text[at] == '-', sign = minus || r->text[at] == '+';
    struct value number = {.type = VALUE_NONE};
    if (!sign)
        return read_power(r, v);
    if (++r->deep > PARENTHESES_DEEP)
        return wrong(r, at, "there are too many signs%s", "");
    r->at++;
    int rc = read_unary(r, &number);
    r->deep--;
    *v = (struct value){.type = VALUE_WHOLE};
    if (rc != 0)
        return rc;
    if (number.type == VALUE_REAL) { /* 0 - x would make 0 of -0 */
        v->type = VALUE_REAL;
        v->real = minus ? -number.real : number.real;
        return 0;
    }
    return compute(r, minus ? '-' : '+', v, &number, at);
}

static int read_product(struct script_reading *r, struct value *v)
{
    int rc = read_unary(r, v);
    for (reading_skip(r); rc == 0 && r->text[r->at] && strchr("*/%", r->text[r->at]);
         reading_skip(r)) {
        struct value right = {.type = VALUE_NONE};
        const size_t at = r->at++;
        rc = read_unary(r, &right);
        rc = rc == 0 ? compute(r, r->text[at], v, &right, at) : rc;
    }
    return rc;
}

static int read_sum(struct script_reading *r, struct value *v)
{
    int rc = read_product(r, v);
    for (reading_skip(r); rc == 0 && (r->text[r->at] == '+' || r->text[r->at] == '-');
         reading_skip(r)) {
        struct value right = {.type = VALUE_NONE};
        const size_t at = r->at++;
        rc = read_product(r, &right);
        rc = rc == 0 ? compute(r, r->text[at], v, &right, at) : rc;
    }
    return rc;
}

static int read_shift(struct script_reading *r, struct value *v)
{
    int rc = read_sum(r, v);
    for (reading_skip(r); rc == 0 && strncmp(r->text + r->at, "<<", 2) == 0; reading_skip(r)) {
        struct value right = {.type = VALUE_NONE};
        const size_t at = r->at;
        r->at += 2;
        rc = read_sum(r, &right);
        rc = rc == 0 ? compute(r, '<', v, &right, at) : rc;
    }
    return rc;
}

int reading_value(struct script_reading *r, struct value *v)
{
    *v = (struct value){.type = VALUE_NONE};
    const int rc = read_shift(r, v);
    if (rc != 0)
        value_free(v);
    return rc;
}

/* ---- words ------------------------------------------------------------------------------- */

int reading_word(struct script_reading *r, struct buf *out)
{
    reading_skip(r);
    if (reading_quoted(r))
        return read_quoted(r, out);
    const size_t from = r->at;
    unsigned open = 0;
    while (r->text[r->at] && (open || !is_blank(r->text[r->at]))) {
        open += r->text[r->at] == '(';
        open -= r->text[r->at] == ')' && open;
        r->at++;
    }
    return script_expand(r->script, r->text + from, r->at - from, out, r->e);
}

int reading_ends(struct script_reading *r)
{
    reading_skip(r);
    return r->text[r->at] ? wrong(r, r->at, "nothing more is expected at `%.60s`", r->text + r->at)
                          : 0;
}
