/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constant expressions, as they stand in sizes, initial values and offsets: C's operators
 * and precedences over 64-bit numbers, signed unless a U or the size says otherwise.
 * Floats may be negated and nothing else.
 */
#include "ptx/parse.h"

enum { LOOSEST = 1, ADDITIVE = 9, MULTIPLICATIVE = 10 };

static int expression(struct parser *p, int tightness, unsigned depth, struct number *out);

static int precedence(int kind)
{
    switch (kind) {
    case TOKEN_OR: return 1;
    case TOKEN_AND: return 2;
    case '|': return 3;
    case '^': return 4;
    case '&': return 5;
    case TOKEN_EQUAL: case TOKEN_NOT_EQUAL: return 6;
    case '<': case '>': case TOKEN_LESS_EQUAL: case TOKEN_GREATER_EQUAL: return 7;
    case TOKEN_SHIFT_LEFT: case TOKEN_SHIFT_RIGHT: return 8;
    case '+': case '-': return ADDITIVE;
    case '*': case '/': case '%': return MULTIPLICATIVE;
    default: return 0;
    }
}

static bool is_float(const struct number *n)
{
    return n->kind == NUMBER_F32 || n->kind == NUMBER_F64;
}

static int negate(struct parser *p, int sign, struct number *n)
{
    if (is_float(n)) {
        if (sign != '-' && sign != '+')
            return lex_fail(&p->lex, &p->lex.token, "only whole numbers can be computed with");
        if (sign == '-')
            n->bits ^= UINT64_C(1) << (n->kind == NUMBER_F32 ? 31 : 63);
        return 0;
    }
    if (sign == '-')
        n->bits = 0 - n->bits;
    else if (sign == '~')
        n->bits = ~n->bits;
    else if (sign == '!')
        n->bits = !n->bits;
    if (sign == '-' && n->kind == NUMBER_UNSIGNED && n->bits == UINT64_C(1) << 63)
        n->kind = NUMBER_SIGNED; /* -9223372036854775808 */
    return 0;
}

/* A number, a sign before one, a cast, or an expression in parentheses. */
static int primary(struct parser *p, unsigned depth, struct number *out)
{
    if (depth > MOST_NESTING)
        return lex_fail(&p->lex, &p->lex.token, "this expression is nested too deeply");
    int kind = kind_here(p);
    if (kind == TOKEN_NUMBER) {
        *out = p->lex.token.number;
        lex_next(&p->lex);
        return 0;
    }
    if (kind == '-' || kind == '+' || kind == '~' || kind == '!') {
        lex_next(&p->lex);
        return primary(p, depth + 1, out) == 0 ? negate(p, kind, out) : -1;
    }
    if (!take(p, '('))
        return unexpected(p, "a number");
    int cast = directive_here(p);
    if (cast == DIRECTIVE_TYPE + PTX_S64 || cast == DIRECTIVE_TYPE + PTX_U64) {
        lex_next(&p->lex);
        if (expect(p, ')', "')' after the type") != 0 || primary(p, depth + 1, out) != 0)
            return -1;
        if (!is_float(out))
            out->kind = cast == DIRECTIVE_TYPE + PTX_U64 ? NUMBER_UNSIGNED : NUMBER_SIGNED;
        return 0;
    }
    if (expression(p, LOOSEST, depth + 1, out) != 0)
        return -1;
    return expect(p, ')', "')'");
}

/* a / b and a % b, which have no answer for b = 0 and overflow once. */
static uint64_t divide(int kind, uint64_t a, uint64_t b, bool is_signed)
{
    if (!is_signed)
        return kind == '/' ? a / b : a % b;
    if (b == UINT64_MAX)
        return kind == '/' ? 0 - a : 0;
    return (uint64_t)(kind == '/' ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
}

static uint64_t shift_right(uint64_t a, uint64_t by, bool is_signed)
{
    uint64_t fill = is_signed && a >> 63 ? UINT64_MAX : 0;
    if (by > 63)
        return fill;
    return by ? a >> by | fill << (64 - by) : a;
}

static uint64_t less(uint64_t a, uint64_t b, bool is_signed)
{
    return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t compute(int kind, uint64_t a, uint64_t b, bool is_signed)
{
    switch (kind) {
    case TOKEN_OR: return a || b;
    case TOKEN_AND: return a && b;
    case '|': return a | b;
    case '^': return a ^ b;
    case '&': return a & b;
    case TOKEN_EQUAL: return a == b;
    case TOKEN_NOT_EQUAL: return a != b;
    case '<': return less(a, b, is_signed);
    case '>': return less(b, a, is_signed);
    case TOKEN_LESS_EQUAL: return !less(b, a, is_signed);
    case TOKEN_GREATER_EQUAL: return !less(a, b, is_signed);
    case TOKEN_SHIFT_LEFT: return b > 63 ? 0 : a << b;
    case TOKEN_SHIFT_RIGHT: return shift_right(a, b, is_signed);
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: return divide(kind, a, b, is_signed);
    }
}

static int combine(struct parser *p, const struct ptx_token *operator, struct number *a,
                   const struct number *b)
{
    if (is_float(a) || is_float(b))
        return lex_fail(&p->lex, operator, "only whole numbers can be computed with");
    if ((operator->kind == '/' || operator->kind == '%') && b->bits == 0)
        return lex_fail(&p->lex, operator, "this divides by zero");
    bool is_signed = a->kind == NUMBER_SIGNED && b->kind == NUMBER_SIGNED;
    a->bits = compute(operator->kind, a->bits, b->bits, is_signed);
    bool is_truth = precedence(operator->kind) < 3 || (precedence(operator->kind) | 1) == 7;
    a->kind = is_signed || is_truth ? NUMBER_SIGNED : NUMBER_UNSIGNED;
    return 0;
}

/* condition ? one : other, with the condition read already */
static int choose(struct parser *p, unsigned depth, struct number *condition)
{
    struct number one, other;
    if (expression(p, LOOSEST, depth + 1, &one) != 0 || expect(p, ':', "':'") != 0 ||
        expression(p, LOOSEST, depth + 1, &other) != 0)
        return -1;
    *condition = condition->bits ? one : other;
    return 0;
}

/* Operators at least as tight as asked for; those of one tightness go from left to right. */
static int expression(struct parser *p, int tightness, unsigned depth, struct number *out)
{
    if (primary(p, depth, out) != 0)
        return -1;
    for (;;) {
        struct ptx_token operator = p->lex.token;
        int here = precedence(operator.kind);
        struct number right;
        if (!here || here < tightness)
            break;
        lex_next(&p->lex);
        if (expression(p, here + 1, depth + 1, &right) != 0 ||
            combine(p, &operator, out, &right) != 0)
            return -1;
    }
    if (tightness == LOOSEST && take(p, '?'))
        return choose(p, depth, out);
    return 0;
}

int constant(struct parser *p, struct number *out)
{
    return expression(p, LOOSEST, 0, out);
}

int whole_constant(struct parser *p, uint64_t *bits)
{
    struct ptx_token first = p->lex.token;
    struct number n;
    if (constant(p, &n) != 0)
        return -1;
    if (is_float(&n))
        return lex_fail(&p->lex, &first, "a whole number belongs here");
    *bits = n.bits;
    return 0;
}

int size_constant(struct parser *p, uint64_t most, const char *what, uint64_t *size)
{
    struct ptx_token first = p->lex.token;
    struct number n;
    /* additive, so that the > of %r<8> closes and does not compare */
    if (expression(p, ADDITIVE, 0, &n) != 0)
        return -1;
    if (is_float(&n) || (n.kind == NUMBER_SIGNED && (int64_t)n.bits < 0))
        return lex_fail(&p->lex, &first, "%s is a whole number from 0", what);
    if (n.bits > most)
        return lex_fail(&p->lex, &first, "%s is too big: %llu, where at most %llu are possible",
                        what, (unsigned long long)n.bits, (unsigned long long)most);
    *size = n.bits;
    return 0;
}

int offset_sum(struct parser *p, int64_t *offset)
{
    while (kind_here(p) == '+' || kind_here(p) == '-') {
        struct ptx_token sign = p->lex.token;
        struct number n;
        lex_next(&p->lex);
        if (expression(p, MULTIPLICATIVE, 0, &n) != 0) /* no + or - outside parentheses */
            return -1;
        if (is_float(&n))
            return lex_fail(&p->lex, &sign, "an offset is a whole number");
        uint64_t sum = (uint64_t)*offset + (sign.kind == '-' ? 0 - n.bits : n.bits);
        *offset = (int64_t)sum;
    }
    return 0;
}
