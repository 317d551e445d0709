/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From text to operations: one pass by recursive descent, which appends each operation as
 * soon as its operands are known. The grammar, loosest first:
 *
 *     sum      product (+|- product)*
 *     product  signed (*|/ signed)*
 *     signed   (+|-)* power                    so -x^2 is -(x^2)
 *     power    primary [^ (+|-)* power]        so x^2^3 is x^(2^3)
 *     primary  number | x | pi | e | function ( sum ) | ( sum )
 *
 * A formula for the element that a thread has is in whole numbers. It has % as a product, no powers,
 * functions or fractions, and names such as threadIdx.x in place of x. A formula for an element of
 * an array has i, n, row, col and plane in place of x, and has both % and ^. It is in whole numbers
 * if the array is.
 *
 * Half of this file is about what people type instead, and what to tell them.
 */
#include "base/lines.h"
#include "base/near.h"
#include "expr/expr-ir.h"
#include <math.h> /* isfinite, no functions */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expr_parser {
    const char *text;
    int at;                    /* where reading goes on, always after white space */
    int last_start, last_end;  /* the token before that */
    int depth;
    bool whole;                /* the formula is in whole numbers */
    bool element;              /* the formula is for an element of an array */
    const char *const *names;  /* of arrays; NULL: none */
    struct expr_builder build;
    struct expr_error *error;
};

static int parse_sum(struct expr_parser *);
static int parse_power(struct expr_parser *);

/* ---- errors: the first one counts ---- */

static int wrong(struct expr_parser *, int at, const char *fmt, ...) PRINTF_LIKE(3, 4);

static int wrong(struct expr_parser *p, int at, const char *fmt, ...)
{
    if (p->error->column)
        return -1;
    p->error->column = at + 1;
    WITH_ARGS(fmt, vsnprintf(p->error->text, sizeof p->error->text, fmt, args));
    return -1;
}

/* ---- tokens ---- */

static void skip_space(struct expr_parser *p)
{
    while (p->text[p->at] == ' ' || p->text[p->at] == '\t')
        p->at++;
}

static void advance(struct expr_parser *p, int length)
{
    p->last_start = p->at;
    p->last_end = p->at += length;
    skip_space(p);
}

static int name_length(const char *s)
{
    int n = 0;
    while (is_letter(s[n]) || (n && is_digit(s[n])))
        n++;
    return n;
}

static int digits(const char *s)
{
    int n = 0;
    while (is_digit(s[n]))
        n++;
    return n;
}

/* The e of an exponent counts only with digits behind it: 2e is 2 and the constant e. */
static int number_length(const char *s)
{
    int n = digits(s);
    if (s[n] == '.')
        n += 1 + digits(s + n + 1);
    if (s[n] == 'e' || s[n] == 'E') {
        int sign = s[n + 1] == '+' || s[n + 1] == '-';
        int exponent = digits(s + n + 1 + sign);
        if (exponent)
            n += 1 + sign + exponent;
    }
    return n;
}

/* threadIdx.x is one name. */
static int whole_name_length(const struct expr_parser *p, const char *s)
{
    int n = name_length(s);
    return p->whole && !p->element && s[n] == '.' && is_letter(s[n + 1])
               ? n + 1 + name_length(s + n + 1)
               : n;
}

static int token_length(const struct expr_parser *p, const char *s)
{
    if (is_digit(*s) || *s == '.')
        return number_length(s);
    return is_letter(*s) ? whole_name_length(p, s) : *s != '\0';
}

/* ---- names ---- */

static const struct {
    const char *name;
    int (*build)(struct expr_builder *, int argument);
} functions[] = {
    {"sin", expr_sin}, {"cos", expr_cos},   {"tan", expr_tan}, {"exp", expr_exp},
    {"log", expr_log}, {"sqrt", expr_sqrt}, {"abs", expr_abs},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static const struct {
    const char *name;
    double value;
} constants[] = {{"pi", 0x1.921fb54442d18p+1}, {"e", 0x1.5bf0a8b145769p+1}};
enum { CONSTANTS = sizeof constants / sizeof constants[0] };

/* Other languages have these names. Each hint ends the sentence "NAME: ...". */
static const struct {
    const char *name, *hint;
} habits[] = {
    {"ln", "write log, the natural logarithm"},
    {"log10", "write log(x)/log(10)"},
    {"log2", "write log(x)/log(2)"},
    {"pow", "write a^b for pow(a, b)"},
    {"fabs", "write abs"},
    {"cbrt", "write x^(1/3)"},
    {"square", "write x^2"},
    {"t", "the variable is x"},
    {"y", "the variable is x"},
    {"u", "the variable is x"},
    {"f", "write the expression alone, such as x^2+1"},
};

/* The inputs in their order, then short names for two of them. */
static const char *const inputs[] = {
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y", "blockIdx.z",
    "blockDim.x", "blockDim.y", "blockDim.z", "gridDim.x", "gridDim.y", "gridDim.z",
    "thread", "block", NULL};

static const char *const element_inputs[] = {"i", "n", "row", "col", "plane", NULL};

static bool same_name(const char *name, const char *s, int length)
{
    return strlen(name) == (size_t)length && memcmp(name, s, (size_t)length) == 0;
}

static int find_function(const char *s, int length)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (same_name(functions[i].name, s, length))
            return i;
    return -1;
}

static int find_input(const char *s, int length)
{
    for (int i = 0; inputs[i]; i++)
        if (same_name(inputs[i], s, length))
            return i < EXPR_INPUTS ? i : 3 * (i - EXPR_INPUTS);
    return -1;
}

static int find_element_input(struct expr_parser *p, const char *s, int length)
{
    for (int i = 0; p->names && p->names[i]; i++)
        if (same_name(p->names[i], s, length)) {
            int input = expr_input(&p->build, EXPR_ELEMENT_INPUTS + i);
            return p->whole ? input : expr_emit(&p->build, OP_FROM_BITS, input, -1, -1);
        }
    for (int i = 0; element_inputs[i]; i++)
        if (same_name(element_inputs[i], s, length)) {
            int input = expr_input(&p->build, i);
            return p->whole ? input : expr_emit(&p->build, OP_TO_REAL, input, -1, -1);
        }
    return -1;
}

/* x, pi or e: the place of its value, or -1 when the name is another. */
static int find_value(struct expr_parser *p, const char *s, int length)
{
    if (p->element) {
        int value = find_element_input(p, s, length);
        if (value >= 0 || p->whole)
            return value;
    } else if (p->whole) {
        int input = find_input(s, length);
        return input < 0 ? -1 : expr_input(&p->build, input);
    }
    if (!p->element && same_name("x", s, length))
        return 0;
    for (int i = 0; i < CONSTANTS; i++)
        if (same_name(constants[i].name, s, length))
            return expr_real(&p->build, constants[i].value);
    return -1;
}

static int nearest_name(struct expr_parser *p, const char *word)
{
    struct near n = {.word = word};
    for (int i = 0; i < FUNCTIONS; i++)
        near_try(&n, functions[i].name);
    near_try(&n, "pi");
    near_try(&n, "x");
    near_try(&n, "e");
    if (n.best)
        return wrong(p, p->at, "no name %s here: did you mean %s?", word, n.best);
    return wrong(p, p->at,
                 "no name %.30s here: there are x, pi, e and sin cos tan exp log sqrt abs", word);
}

static int unknown_input(struct expr_parser *p, const char *word)
{
    struct near n = {.word = word};
    for (int i = 0; inputs[i]; i++) {
        const char *dot = strchr(inputs[i], '.');
        near_try(&n, inputs[i]);
        if (dot && same_name(word, inputs[i], (int)(dot - inputs[i])))
            return wrong(p, p->at, "%s has parts: write %s", word, inputs[i]);
    }
    if (n.best)
        return wrong(p, p->at, "no name %s here: did you mean %s?", word, n.best);
    return wrong(p, p->at, "no name %.30s here: there are threadIdx, blockIdx, blockDim, gridDim, "
                           "each with .x .y or .z, and thread and block for short", word);
}

static int unknown_in_element(struct expr_parser *p, const char *word, int length)
{
    static const char *const indices[] = {"x", "j", "k", "t", "idx", "index", "I", NULL};
    struct near n = {.word = word};
    for (int i = 0; indices[i]; i++)
        if (same_name(indices[i], word, length))
            return wrong(p, p->at, "%s: the index of the element is i", word);
    if (p->whole && (find_function(word, length) >= 0 || same_name("pi", word, length)))
        return wrong(p, p->at, "%s: only arrays of floating-point numbers take it; integers "
                               "have + - * / %% ^ ( )", word);
    for (int i = 0; element_inputs[i]; i++)
        near_try(&n, element_inputs[i]);
    for (int i = 0; p->names && p->names[i]; i++)
        near_try(&n, p->names[i]);
    for (int i = 0; !p->whole && i < FUNCTIONS; i++)
        near_try(&n, functions[i].name);
    if (n.best)
        return wrong(p, p->at, "no name %s here: did you mean %s?", word, n.best);
    return wrong(p, p->at, "no name %.30s here: there are i, n, row, col and plane%s", word,
                 p->whole ? "" : ", pi, e and sin cos tan exp log sqrt abs");
}

/* noinline: else each frame of the recursion has room for these words, and the stack may be small. */
static __attribute__((noinline)) int unknown_name(struct expr_parser *p, int length)
{
    char word[40] = "", lower[40];
    snprintf(word, sizeof word, "%.*s", length < 39 ? length : 39, p->text + p->at);
    if (p->element)
        return unknown_in_element(p, word, length);
    if (p->whole)
        return unknown_input(p, word);
    for (int i = 0; i < 40; i++)
        lower[i] = near_lower(word[i]);
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; i++)
        if (strcmp(habits[i].name, lower) == 0)
            return wrong(p, p->at, "%s: %s", word, habits[i].hint);
    if (find_function(lower, length) >= 0 || same_name("pi", lower, length) ||
        same_name("x", lower, length) || same_name("e", lower, length))
        return wrong(p, p->at, "%s: write %s, names are in small letters", word, lower);
    if (word[0] == 'x' && digits(word + 1) == length - 1)
        return wrong(p, p->at, "%s: write x^%s for the power, x*%s for the product", word,
                     word + 1, word + 1);
    if (word[0] == 'x' && (find_function(word + 1, length - 1) >= 0 || word[1] == 'x'))
        return wrong(p, p->at, "%s: write x*%s", word, word + 1);
    return nearest_name(p, word);
}

/* ---- primary ---- */

/* Behind a whole operand there must not be another operand. */
static int no_operand_next(struct expr_parser *p, int value)
{
    const char *next = p->text + p->at;
    const char *last = p->text + p->last_start;
    int length = p->last_end - p->last_start, next_length = token_length(p, next);
    if (value < 0 || !(is_letter(*next) || is_digit(*next) || *next == '.' || *next == '('))
        return value;
    if (length + next_length > 60)
        return wrong(p, p->at, "write the * between two factors");
    return wrong(p, p->last_start, "%.*s: write %.*s*%.*s", (int)(next - last) + next_length, last,
                 length, last, next_length, next);
}

/* A number in the formula for an array of integers. */
static int parse_whole(struct expr_parser *p)
{
    const char *s = p->text + p->at;
    int64_t value = 0;
    int length = number_length(s);
    if (digits(s) != length)
        return wrong(p, p->at, "%.*s: the array has integers, so write whole numbers, such as "
                               "1000", length < 40 ? length : 40, s);
    for (int i = 0; i < length; i++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, s[i] - '0', &value))
            return wrong(p, p->at, "this number is too large: 9223372036854775807 is the end");
    advance(p, length);
    return expr_whole(&p->build, (uint64_t)value);
}

static int parse_number(struct expr_parser *p)
{
    const char *s = p->text + p->at;
    int length = number_length(s);
    char *end = NULL;
    double value = strtod(s, &end);
    if (p->element && p->whole)
        return parse_whole(p);
    if (p->whole && (digits(s) != length || end != s + length || value > UINT32_MAX))
        return wrong(p, p->at, "whole numbers up to 4294967295 here, such as 0 or 32");
    if (length == 1 && *s == '.')
        return wrong(p, p->at, "a point alone is not a number: write 0.5 or .5");
    if (s[length] == '.')
        return wrong(p, p->at, "a number has one decimal point, as in 1.25");
    if (end != s + length)
        return wrong(p, p->at, "numbers are decimal here: 16 or 1.6e1, not 0x10");
    if (!isfinite(value))
        return wrong(p, p->at, "this number is too large: 1.7e308 is the end");
    advance(p, length);
    return p->whole ? expr_whole(&p->build, (uint64_t)value) : expr_real(&p->build, value);
}

/* Goes one level deeper. The caller goes back by p->depth--. */
static int go_deeper(struct expr_parser *p)
{
    if (++p->depth <= EXPR_MAX_DEPTH)
        return 0;
    return wrong(p, p->at, "nested too deeply: at most %d parentheses and powers", EXPR_MAX_DEPTH);
}

/* An expression can't continue with these. Each hint says what people mean by one. */
static const struct {
    const char *start, *hint;
} strays[] = {
    {",", "numbers have a decimal point: 2.5, not 2,5"},
    {")", "this ) closes nothing: take it away, or open with ( before"},
    {"=", "an expression has no =: write what is on its right, such as x^2+1"},
    {"|", "write abs(x) for |x|"},
    {"!", "there is no factorial here: write the product, such as 2*3*4"},
    {"%", "there is no % here: only + - * / ^"},
    {"[", "write ( and ) for all brackets"},
    {"]", "write ( and ) for all brackets"},
    {"{", "write ( and ) for all brackets"},
    {"}", "write ( and ) for all brackets"},
    {"\xCF\x80", "write pi"},
    {"\xC2\xB2", "write ^2"},
    {"\xC2\xB3", "write ^3"},
    {"\xC3\x97", "write * for times"},
    {"\xC2\xB7", "write * for times"},
    {"\xE2\x88\x92", "write the - of the keyboard"},
    {"\xE2\x80\x93", "write the - of the keyboard"},
    {"\xE2\x88\x9A", "write sqrt(x)"},
};

static int stray(struct expr_parser *p)
{
    const char *s = p->text + p->at;
    for (size_t i = 0; i < sizeof strays / sizeof strays[0]; i++)
        if (strncmp(strays[i].start, s, strlen(strays[i].start)) == 0)
            return wrong(p, p->at, "%s", strays[i].hint);
    if ((unsigned char)*s > 0x20 && (unsigned char)*s < 0x7F)
        return wrong(p, p->at, "no %c here: expressions have numbers, names, + - * / ^ ( )", *s);
    return wrong(p, p->at, "byte 0x%02x: expressions are plain letters, digits and + - * / ^ ( )",
                 (unsigned char)*s);
}

static int close_parenthesis(struct expr_parser *p, int open, const char *function)
{
    char c = p->text[p->at];
    if (c == '\0')
        return wrong(p, open, "this ( is never closed: write ) where its part ends");
    if (c == ',' && *function)
        return wrong(p, p->at, "%s takes one argument: close its parenthesis here", function);
    if (c != ')')
        return stray(p);
    advance(p, 1);
    return 0;
}

/* ( sum ), alone or after the name of a function */
static int parse_parentheses(struct expr_parser *p, const char *function)
{
    int open = p->at, value;
    if (go_deeper(p))
        return -1;
    advance(p, 1);
    if (p->text[p->at] == ')')
        return wrong(p, p->at, "nothing between the parentheses: write %s(x)", function);
    value = parse_sum(p);
    p->depth--;
    if (value < 0 || close_parenthesis(p, open, function))
        return -1;
    return value;
}

bool expr_has_name(const char *name)
{
    const int n = (int)strlen(name);
    bool has = find_function(name, n) >= 0;
    for (int i = 0; element_inputs[i]; i++)
        has |= same_name(element_inputs[i], name, n);
    for (int i = 0; i < CONSTANTS; i++)
        has |= same_name(constants[i].name, name, n);
    return has;
}

/* The [i] behind the name of an array. */
static int parse_index(struct expr_parser *p, int value)
{
    const int from = p->at;
    if (p->text[p->at] != '[')
        return value;
    for (const char *token = "[i]"; *token; token++) {
        if (p->text[p->at] != *token || token_length(p, p->text + p->at) != 1)
            return wrong(p, from, "only the element with the same index can be read: write [i]");
        advance(p, 1);
    }
    return value;
}

static int parse_name(struct expr_parser *p)
{
    const char *s = p->text + p->at;
    int length = whole_name_length(p, s), value;
    int function = p->whole ? -1 : find_function(s, length);
    if (function < 0) {
        value = find_value(p, s, length);
        if (value < 0)
            return p->build.trouble ? -1 : unknown_name(p, length);
        advance(p, length);
        return p->names && value >= 0 ? parse_index(p, value) : value;
    }
    advance(p, length);
    if (p->text[p->at] != '(')
        return wrong(p, p->last_start, "%s needs parentheses: write %s(x)",
                     functions[function].name, functions[function].name);
    value = parse_parentheses(p, functions[function].name);
    return value < 0 ? -1 : functions[function].build(&p->build, value);
}

/* The names that a formula can use, for error messages. */
static const char *variable_of(const struct expr_parser *p)
{
    return p->element ? "i" : p->whole ? "a name" : "x";
}

/* Says what is wrong where an operand should stand and something else does. */
static int no_operand(struct expr_parser *p)
{
    char c = p->text[p->at];
    int after = p->last_end > 0 ? p->text[p->last_start] : 0;
    if (p->element && c == '\0' && !after)
        return wrong(p, p->at, "nothing here: write what the element i is, such as 2*i+1");
    if (p->whole && c == '\0' && !after)
        return wrong(p, p->at, "nothing here: write which element a thread has, such as "
                               "blockIdx.x * blockDim.x + threadIdx.x");
    if (c == '\0' && !after)
        return wrong(p, p->at, "nothing here: write an expression of x, such as x^2+1");
    if (c == '\0')
        return wrong(p, p->at, "something must follow %c: a number, %s, or (", after,
                     variable_of(p));
    if (c == '*' && after == '*' && !p->whole)
        return wrong(p, p->last_start, "write x^2 for x**2: ^ is the power");
    if ((c == '*' || c == '/' || c == '^') && !after)
        return wrong(p, p->at, "something is missing before %c: a number or %s", c,
                     variable_of(p));
    if (after && strchr("*/^)", c))
        return wrong(p, p->at, "%c cannot follow %c: between them goes a number, %s, or (", c,
                     after, variable_of(p));
    return stray(p);
}

static int parse_primary(struct expr_parser *p)
{
    char c = p->text[p->at];
    if (is_digit(c) || c == '.')
        return no_operand_next(p, parse_number(p));
    if (is_letter(c))
        return no_operand_next(p, parse_name(p));
    if (c == '(')
        return no_operand_next(p, parse_parentheses(p, ""));
    return no_operand(p);
}

/* ---- operators ---- */

/* Whole numbers have 32 bits, and the operations 64. */
static int combine(struct expr_parser *p, char op, int at, int left, int right)
{
    static const char operators[] = "+-*/%";
    static const enum expr_op real[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_FREM},
                              signs[] = {OP_IADD, OP_ISUB, OP_IMUL, OP_SDIV, OP_SREM},
                              whole[] = {OP_IADD, OP_ISUB, OP_IMUL, OP_IDIV, OP_IREM};
    const size_t which = (size_t)(strchr(operators, op) - operators);
    if (!p->whole)
        return expr_emit(&p->build, real[which], left, right, -1);
    if ((op == '/' || op == '%') && expr_is_zero(&p->build, right))
        return wrong(p, at, "nothing can be divided by 0");
    if (p->element)
        return expr_emit(&p->build, signs[which], left, right, -1);
    int wide = expr_emit(&p->build, whole[which], left, right, -1);
    return expr_emit(&p->build, OP_IAND, wide, expr_whole(&p->build, UINT32_MAX), -1);
}

/* Any number of signs, in a loop: ten thousand of them are no nesting. */
static int parse_signed(struct expr_parser *p)
{
    bool minus = false;
    for (; p->text[p->at] == '-' || p->text[p->at] == '+'; advance(p, 1))
        minus ^= p->text[p->at] == '-';
    int value = parse_power(p);
    if (!minus || value < 0)
        return value;
    return p->whole ? combine(p, '-', p->at, expr_whole(&p->build, 0), value)
                    : expr_emit(&p->build, OP_NEG, value, -1, -1);
}

static int parse_power(struct expr_parser *p)
{
    int base = parse_primary(p), exponent;
    if (base < 0 || p->text[p->at] != '^')
        return base;
    if (p->whole && !p->element)
        return wrong(p, p->at, "in C ^ is not a power: write the product");
    if (go_deeper(p))
        return -1;
    advance(p, 1);
    exponent = parse_signed(p);
    p->depth--;
    if (exponent >= 0 && p->whole)
        return expr_emit(&p->build, OP_SPOW, base, exponent, -1);
    return exponent < 0 ? -1 : expr_pow(&p->build, base, exponent);
}

static int parse_product(struct expr_parser *p)
{
    int left = parse_signed(p);
    const char *operators = p->whole || p->element ? "*/%" : "*/";
    while (left >= 0 && p->text[p->at] && strchr(operators, p->text[p->at])) {
        int at = p->at;
        advance(p, 1);
        int right = parse_signed(p);
        left = right < 0 ? -1 : combine(p, p->text[at], at, left, right);
    }
    return left;
}

static int parse_sum(struct expr_parser *p)
{
    int left = parse_product(p);
    while (left >= 0 && (p->text[p->at] == '+' || p->text[p->at] == '-')) {
        int at = p->at;
        advance(p, 1);
        int right = parse_product(p);
        left = right < 0 ? -1 : combine(p, p->text[at], at, left, right);
    }
    return left;
}

/* ---- the whole ---- */

/* Puts the trouble that the builder had into words. */
static int explain_trouble(struct expr_parser *p)
{
    if (p->build.trouble == EXPR_NO_MEMORY)
        return wrong(p, p->at, "no memory left for this expression: try a shorter one");
    if (p->build.trouble == EXPR_TOO_BIG)
        return wrong(p, p->at, "too much arithmetic by here: at most %d operations",
                     EXPR_MAX_CODE);
    return -1;
}

static int parse_all(struct expr_parser *p)
{
    skip_space(p);
    int result = expr_emit(&p->build, OP_X, -1, -1, -1); /* at place 0, always */
    if (result == 0)
        result = parse_sum(p);
    if (result >= 0 && p->text[p->at])
        result = stray(p);
    p->build.expr->result = result;
    return p->build.trouble ? explain_trouble(p) : result < 0 ? -1 : 0;
}

static int build(struct expr_parser *p, struct expr *e)
{
    const size_t table_size = (size_t)EXPR_TABLE * sizeof *p->build.table;
    e->text = mem_alloc(e->from, e->text_size);
    p->build.table = mem_alloc(e->from, table_size);
    if (!e->text || !p->build.table)
        p->build.trouble = EXPR_NO_MEMORY;
    else
        memcpy(e->text, p->text, e->text_size);
    int failed = p->build.trouble ? explain_trouble(p) : parse_all(p);
    if (p->build.table)
        mem_free(e->from, p->build.table, table_size);
    if (failed)
        return -1;
    expr_assign_registers(e);
    return 0;
}

static int parse_kind(const struct allocator *from, bool whole, bool element,
                      const char *const *names, const char *text, struct expr **out,
                      struct expr_error *error)
{
    struct expr_parser p = {.text = text, .whole = whole, .element = element, .names = names,
                            .error = error};
    size_t length = strlen(text);
    *out = NULL;
    *error = (struct expr_error){0};
    if (length > EXPR_MAX_TEXT)
        return wrong(&p, EXPR_MAX_TEXT, "too long: an expression has at most %d bytes",
                     EXPR_MAX_TEXT);
    struct expr *e = mem_alloc(from, sizeof *e);
    if (!e) {
        p.build.trouble = EXPR_NO_MEMORY;
        return explain_trouble(&p);
    }
    e->from = from;
    e->text_size = length + 1;
    e->checked = whole && element;
    p.build.expr = e;
    if (build(&p, e)) {
        expr_free(e);
        return -1;
    }
    *out = e;
    return 0;
}

int expr_parse_with(const struct allocator *from, const char *text, struct expr **out,
                    struct expr_error *error)
{
    return parse_kind(from, false, false, NULL, text, out, error);
}

int expr_parse(const char *text, struct expr **out, struct expr_error *error)
{
    return parse_kind(&allocator_libc, false, false, NULL, text, out, error);
}

int expr_parse_index(const char *text, struct expr **out, struct expr_error *error)
{
    return parse_kind(&allocator_libc, true, false, NULL, text, out, error);
}

int expr_parse_element(const char *text, bool whole, struct expr **out, struct expr_error *error)
{
    return parse_kind(&allocator_libc, whole, true, NULL, text, out, error);
}

int expr_parse_named(const char *text, bool whole, const char *const *names, struct expr **out,
                     struct expr_error *error)
{
    return parse_kind(&allocator_libc, whole, true, names, text, out, error);
}
