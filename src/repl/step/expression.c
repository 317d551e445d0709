/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading an expression by recursive descent, and computing its tree for a lane; see expression.h.
 * The grammar, loosest first:
 *
 *     either   both (|| both)*
 *     both     compared (&& compared)*
 *     compared sum [== != < <= > >= sum]
 *     sum      product (+|- product)*
 *     product  single (*|/|% single)*
 *     single   - single | ! single | ( either ) | number | name | name[ either ] ...
 */
#include "repl/step/expression.h"

#include "base/mem.h"
#include "repl/step/frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 64, DEEP_MOST = 100 };

enum lane_node_kind {
    NODE_NUMBER,
    NODE_NAME,
    NODE_ELEMENT, /* of name; left is the first index */
    NODE_INDEX,   /* left; right is the next index */
    NODE_MINUS,
    NODE_NOT,
    NODE_TIMES,
    NODE_BY,
    NODE_REST,
    NODE_PLUS,
    NODE_LESS,
    NODE_SAME, /* the comparisons, in the order of `signs` */
    NODE_OTHER,
    NODE_AT_MOST,
    NODE_AT_LEAST,
    NODE_BELOW,
    NODE_ABOVE,
    NODE_BOTH,
    NODE_EITHER
};
struct lane_node {
    enum lane_node_kind kind;
    struct lane_node *left, *right;
    struct lane_number number;
    unsigned name; /* its number */
    int column;
};

/* A name in the text. */
struct lane_name {
    struct lane_name *next;
    const char *text;
    unsigned number;
    int column;
    unsigned indices;
};

/* What the names mean at an instruction, by their numbers. */
struct lane_meanings {
    struct lane_meanings *next;
    const struct sim_instruction *at;
    unsigned calls, inlined;
    bool wrong;                   /* no lane has a value there; */
    struct err why;               /* its column counts in the text */
    enum lane_name_known nearest; /* of the name that is wrong */
    struct lane_meaning of[];
};

struct lane_expression {
    struct arena memory;
    struct lane_node *root;
    struct lane_name *names; /* the last one first */
    unsigned name_count;
    const char **name;   /* by numbers */
    struct sim_row *row; /* in the place that is asked */
    bool *has_row;
    struct lane_meanings *meanings;
};

/* ---- reading ----------------------------------------------------------------------------------
 */

struct lane_reading {
    struct lane_expression *x;
    const char *text, *at;
    unsigned deep;
    struct err *e;
    bool failed;
};

static struct lane_node *either(struct lane_reading *);

/* The first fault counts. */
static struct lane_node *wrong(struct lane_reading *r, const char *at, const char *what,
                               const char *about)
{
    if (!r->failed)
        fail_at(r->e, 0, (int)(at - r->text) + 1, what, about);
    r->failed = true;
    r->at += strlen(r->at);
    return NULL;
}

static struct lane_node *node(struct lane_reading *r, enum lane_node_kind kind,
                              struct lane_node *left, struct lane_node *right)
{
    struct lane_node *n = r->failed ? NULL : arena_alloc(&r->x->memory, sizeof *n);
    if (n)
        *n = (struct lane_node){
            .kind = kind, .left = left, .right = right, .column = (int)(r->at - r->text) + 1};
    else if (!r->failed) {
        fail_memory(r->e);
        r->failed = true;
    }
    return n;
}

static void skip_blanks(struct lane_reading *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool takes(struct lane_reading *r, const char *sign)
{
    skip_blanks(r);
    if (strncmp(r->at, sign, strlen(sign)) != 0)
        return false;
    r->at += strlen(sign);
    return true;
}

static struct lane_node *number(struct lane_reading *r)
{
    char *end, *whole_end;
    const double d = strtod(r->at, &end);
    const unsigned long long i = strtoull(r->at, &whole_end, 0);
    const bool is_real = end > whole_end;
    struct lane_node *n = node(r, NODE_NUMBER, NULL, NULL);
    r->at = is_real ? end : whole_end;
    if (is_real && *r->at == 'f')
        r->at++;
    if (n)
        n->number = (struct lane_number){
            .is_real = is_real, .whole = is_real ? 0 : (int64_t)i, .real = is_real ? d : 0};
    return n;
}

static struct lane_name *add_name(struct lane_reading *r, const char *at, size_t n)
{
    struct lane_name *u = arena_alloc(&r->x->memory, sizeof *u);
    char *text = arena_text(&r->x->memory, at, n);
    if (!u || !text) {
        fail_memory(r->e);
        r->failed = true;
        return NULL;
    }
    *u = (struct lane_name){.next = r->x->names,
                            .text = text,
                            .number = r->x->name_count++,
                            .column = (int)(at - r->text) + 1};
    return r->x->names = u;
}

static struct lane_node *name(struct lane_reading *r)
{
    const char *from = r->at;
    size_t n = *from == '%';
    while (in_word(from[n]) || from[n] == '$' || (from[n] == '.' && is_letter(from[n + 1])))
        n++;
    if (n >= NAME_MOST)
        return wrong(r, from, "no name is as long as `%.20s...`", from);
    struct lane_node *out = node(r, NODE_NAME, NULL, NULL);
    struct lane_name *u = out ? add_name(r, from, n) : NULL;
    if (!u)
        return NULL;
    out->name = u->number;
    r->at += n;
    if (!takes(r, "["))
        return out;
    struct lane_node **end = &out->left;
    out->kind = NODE_ELEMENT;
    do {
        const char *open = r->at - 1;
        struct lane_node *index = either(r);
        if (!takes(r, "]"))
            return wrong(r, open, "a ] is missing behind the index of `%s`", u->text);
        index = node(r, NODE_INDEX, index, NULL);
        if (!index)
            return NULL;
        *end = index;
        end = &index->right;
        u->indices++;
    } while (takes(r, "["));
    return out;
}

static struct lane_node *single(struct lane_reading *r)
{
    struct lane_node *n;
    if (++r->deep > DEEP_MOST)
        return wrong(r, r->at, "this is nested too deep%s", "");
    if (takes(r, "-")) {
        n = single(r);
        n = node(r, NODE_MINUS, n, NULL);
    } else if (takes(r, "!")) {
        n = single(r);
        n = node(r, NODE_NOT, n, NULL);
    } else if (takes(r, "(")) {
        const char *from = r->at - 1;
        n = either(r);
        if (!takes(r, ")"))
            n = wrong(r, from, "a ) is missing%s", "");
    } else if (is_digit(*r->at) || (*r->at == '.' && is_digit(r->at[1]))) {
        n = number(r);
    } else if (is_letter(*r->at) || *r->at == '%') {
        n = name(r);
    } else {
        n = wrong(r, r->at,
                  *r->at ? "a value is missing before `%s`" : "a value is missing at the end%s",
                  r->at);
    }
    r->deep--;
    return n;
}

static struct lane_node *product(struct lane_reading *r)
{
    struct lane_node *a = single(r);
    for (;;) {
        const enum lane_node_kind kind = takes(r, "*")   ? NODE_TIMES
                                         : takes(r, "/") ? NODE_BY
                                         : takes(r, "%") ? NODE_REST
                                                         : NODE_NUMBER;
        const int column = (int)(r->at - r->text);
        if (kind == NODE_NUMBER)
            return a;
        struct lane_node *b = single(r);
        a = node(r, kind, a, b);
        if (a)
            a->column = column;
    }
}

static struct lane_node *sum(struct lane_reading *r)
{
    struct lane_node *a = product(r);
    for (;;) {
        const bool plus = takes(r, "+");
        if (!plus && !takes(r, "-"))
            return a;
        struct lane_node *b = product(r);
        a = node(r, plus ? NODE_PLUS : NODE_LESS, a, b);
    }
}

static struct lane_node *compared(struct lane_reading *r)
{
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">", "="};
    enum { SIGNS = sizeof signs / sizeof *signs };
    struct lane_node *a = sum(r);
    for (unsigned i = 0; i < SIGNS; i++) {
        if (!takes(r, signs[i]))
            continue;
        if (i == SIGNS - 1)
            return wrong(r, r->at - 1, "write == to compare%s", "");
        struct lane_node *b = sum(r);
        return node(r, (enum lane_node_kind)(NODE_SAME + i), a, b);
    }
    return a;
}

static struct lane_node *both(struct lane_reading *r)
{
    struct lane_node *a = compared(r);
    while (takes(r, "&&")) {
        struct lane_node *b = compared(r);
        a = node(r, NODE_BOTH, a, b);
    }
    return a;
}

static struct lane_node *either(struct lane_reading *r)
{
    struct lane_node *a = both(r);
    while (takes(r, "||")) {
        struct lane_node *b = both(r);
        a = node(r, NODE_EITHER, a, b);
    }
    return a;
}

static int make_room(struct lane_expression *x)
{
    x->name = arena_alloc(&x->memory, (x->name_count + 1) * sizeof *x->name);
    x->row = arena_alloc(&x->memory, (x->name_count + 1) * sizeof *x->row);
    x->has_row = arena_alloc(&x->memory, (x->name_count + 1) * sizeof *x->has_row);
    for (struct lane_name *u = x->names; u && x->name; u = u->next)
        x->name[u->number] = u->text;
    return x->name && x->row && x->has_row ? 0 : -1;
}

struct lane_expression *lane_expression_read(const char *text, struct err *e)
{
    struct lane_expression *x = calloc(1, sizeof *x);
    struct lane_reading r = {.x = x, .text = text, .at = text, .e = e};
    if (!x) {
        fail_memory(e);
        return NULL;
    }
    x->root = either(&r);
    skip_blanks(&r);
    if (!r.failed && *r.at)
        wrong(&r, r.at, "`%.40s` can't stand here", r.at);
    if (!r.failed && make_room(x) != 0) {
        fail_memory(e);
        r.failed = true;
    }
    if (!r.failed)
        return x;
    lane_expression_free(x);
    return NULL;
}

void lane_expression_free(struct lane_expression *x)
{
    if (x)
        arena_free(&x->memory);
    free(x);
}

/* ---- what the names mean ----------------------------------------------------------------------
 */

/* An array takes one index, or one for each of its dimensions. */
static bool takes_indices(const struct lane_name *u, const struct lane_array *a, struct err *e)
{
    if (u->indices < 2 || u->indices == a->dim_count)
        return true;
    if (a->dim_count > 1)
        fail(e, "write one index for `%s`, or %u: it has %u dimensions", u->text, a->dim_count,
             a->dim_count);
    else if (a->dim_count == 1)
        fail(e, "write one index for `%s`: it has one dimension", u->text);
    else
        fail(e, "write one index for `%s`: its row * the length of a row + its column", u->text);
    return false;
}

/* The first name that has no meaning tells why. */
static void find_meanings(struct stepped *st, const struct lane_expression *x,
                          const struct lane_place *p, struct lane_meanings *m)
{
    for (const struct lane_name *u = x->names; u; u = u->next) {
        struct err e = {0};
        struct lane_meaning *of = &m->of[u->number];
        if (!lane_name_means(st, u->text, u->indices != 0, p, of, &e) ||
            (of->is == NAME_IS_ARRAY && !takes_indices(u, &of->array, &e))) {
            m->wrong = true;
            m->why = e;
            m->why.column = u->column;
            m->nearest = of->known;
        }
    }
}

/* Is the value real? % takes whole numbers alone. */
static bool is_real(struct lane_meanings *m, const struct lane_node *n)
{
    bool left, right;
    switch (n->kind) {
    case NODE_NUMBER: return n->number.is_real;
    case NODE_NAME: return m->of[n->name].is_real;
    case NODE_ELEMENT:
        for (const struct lane_node *i = n->left; i; i = i->right)
            if (is_real(m, i->left) && !m->wrong) {
                m->wrong = true;
                fail_at(&m->why, 0, n->column, "an index is a whole number");
            }
        return m->of[n->name].is_real;
    case NODE_MINUS: return is_real(m, n->left);
    case NODE_NOT: (void)is_real(m, n->left); return false;
    default: break;
    }
    left = is_real(m, n->left);
    right = is_real(m, n->right);
    if (n->kind == NODE_REST && (left || right) && !m->wrong) {
        m->wrong = true;
        fail_at(&m->why, 0, n->column, "%% is for whole numbers");
    }
    return n->kind < NODE_SAME && (left || right);
}

/* At an instruction, found once. NULL: memory is out. */
static struct lane_meanings *meanings_at(struct stepped *st, struct lane_expression *x,
                                         const struct lane_place *p)
{
    struct lane_meanings *m = x->meanings;
    while (m && (m->at != p->at || m->calls != p->calls || m->inlined != p->inlined))
        m = m->next;
    if (m)
        return m;
    m = arena_alloc(&x->memory, sizeof *m + x->name_count * sizeof m->of[0]);
    if (!m)
        return NULL;
    m->next = x->meanings;
    m->at = p->at;
    m->calls = p->calls;
    m->inlined = p->inlined;
    m->nearest = MEANS_VALUE;
    find_meanings(st, x, p, m);
    if (!m->wrong)
        (void)is_real(m, x->root);
    return x->meanings = m;
}

/* A line may begin at several instructions. At one of them all names must have a meaning. */
int lane_expression_known(struct stepped *st, struct lane_expression *x, int line, struct err *e)
{
    uint32_t count;
    const struct sim_instruction *code = step_look_code(st->stepper, &count);
    const struct lane_meanings *best = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct lane_place p = {.at = &code[i]};
        if ((line && code[i].line != line) || !stepper_begins_line(st->stepper, &code[i]))
            continue;
        const struct lane_meanings *m = meanings_at(st, x, &p);
        if (!m)
            return fail_memory(e);
        if (!m->wrong)
            return 0;
        if (!best || m->nearest > best->nearest)
            best = m;
    }
    if (best)
        *e = best->why;
    return best ? -1 : 0;
}

/* ---- computing --------------------------------------------------------------------------------
 */

struct lane_computing {
    struct stepped *st;
    const struct lane_expression *x;
    const struct lane_meanings *m;
    const struct lane_place *place;
    unsigned lane;
    struct err *e;
    bool has;
};

static struct lane_number whole(int64_t v)
{
    return (struct lane_number){.whole = v};
}

static struct lane_number real(double v)
{
    return (struct lane_number){.is_real = true, .real = v};
}

static bool truth(struct lane_number n)
{
    return n.is_real ? n.real != 0 : n.whole != 0;
}

static struct lane_number none(struct lane_computing *c, const char *why)
{
    if (c->has)
        fail(c->e, "%s", why);
    c->has = false;
    return whole(0);
}

static struct lane_number divided(struct lane_computing *c, struct lane_number a,
                                  struct lane_number b, bool rest)
{
    if (rest && (a.is_real || b.is_real))
        return none(c, "% is for whole numbers");
    if (a.is_real || b.is_real)
        return real(lane_number_real(&a) / lane_number_real(&b));
    if (b.whole == 0)
        return none(c, "this divides by 0");
    if (b.whole == -1)
        return rest ? whole(0) : whole((int64_t)(0 - (uint64_t)a.whole));
    return whole(rest ? a.whole % b.whole : a.whole / b.whole);
}

static struct lane_number joined(struct lane_computing *c, enum lane_node_kind kind,
                                 struct lane_number a, struct lane_number b)
{
    const bool reals = a.is_real || b.is_real;
    const double x = lane_number_real(&a), y = lane_number_real(&b);
    const uint64_t i = (uint64_t)a.whole, k = (uint64_t)b.whole;
    const bool less = reals ? x < y : a.whole < b.whole, more = reals ? x > y : a.whole > b.whole,
               same = reals ? x == y : a.whole == b.whole;
    switch (kind) {
    case NODE_TIMES: return reals ? real(x * y) : whole((int64_t)(i * k));
    case NODE_PLUS: return reals ? real(x + y) : whole((int64_t)(i + k));
    case NODE_LESS: return reals ? real(x - y) : whole((int64_t)(i - k));
    case NODE_BY: return divided(c, a, b, false);
    case NODE_REST: return divided(c, a, b, true);
    case NODE_SAME: return whole(same);
    case NODE_OTHER: return whole(!same);
    case NODE_AT_MOST: return whole(less || same);
    case NODE_AT_LEAST: return whole(more || same);
    case NODE_BELOW: return whole(less);
    default: return whole(more);
    }
}

static struct lane_number compute(struct lane_computing *c, const struct lane_node *n);

/* Several indices as one, row by row. */
static struct lane_number flat_index(struct lane_computing *c, const char *name,
                                     const struct lane_node *n, const struct lane_array *a)
{
    const struct lane_node *i = n->left;
    struct lane_number flat = compute(c, i->left);
    if (!i->right)
        return flat;
    for (unsigned d = 0; i && d < a->dim_count; i = i->right, d++) {
        const struct lane_number one = d ? compute(c, i->left) : flat;
        char why[sizeof c->e->text];
        if (one.whole < 0 || (a->dims[d] && (uint64_t)one.whole >= a->dims[d])) {
            snprintf(why, sizeof why, "`%s` has no such element", name);
            return none(c, why);
        }
        flat = d ? whole((int64_t)((uint64_t)flat.whole * a->dims[d] + (uint64_t)one.whole)) : one;
    }
    return flat;
}

static struct lane_number of_name(struct lane_computing *c, const struct lane_node *n)
{
    const char *text = c->x->name[n->name];
    const struct lane_meaning *m = &c->m->of[n->name];
    struct lane_number out, index = {0};
    struct err why = {0};
    bool has;
    if (n->kind == NODE_ELEMENT)
        index = flat_index(c, text, n, &m->array);
    if (m->is == NAME_IS_ARRAY) { /* without an index: a variable of one element */
        has = c->has && lane_element(c->st, text, &m->array, c->place, &index, &out, &why);
    } else {
        has = lane_name_value(c->st, text, m, c->place,
                              c->x->has_row[n->name] ? &c->x->row[n->name] : NULL, c->lane, &out,
                              &why);
    }
    return has ? out : none(c, why.text);
}

static struct lane_number compute(struct lane_computing *c, const struct lane_node *n)
{
    struct lane_number a;
    switch (n->kind) {
    case NODE_NUMBER: return n->number;
    case NODE_NAME:
    case NODE_ELEMENT: return of_name(c, n);
    case NODE_NOT: return whole(!truth(compute(c, n->left)));
    case NODE_BOTH: return whole(truth(compute(c, n->left)) && truth(compute(c, n->right)));
    case NODE_EITHER: return whole(truth(compute(c, n->left)) || truth(compute(c, n->right)));
    case NODE_MINUS:
        a = compute(c, n->left);
        return a.is_real ? real(-a.real) : whole((int64_t)(0 - (uint64_t)a.whole));
    default: break;
    }
    a = compute(c, n->left);
    return joined(c, n->kind, a, compute(c, n->right));
}

uint32_t lane_values(struct stepped *st, struct lane_expression *x, const struct lane_place *p,
                     struct lane_number value[STEP_LANES], enum lane_fault *fault, struct err *e)
{
    const struct lane_meanings *m = meanings_at(st, x, p);
    uint32_t has = 0;
    *fault = LANE_RIGHT;
    if (!m || m->wrong) {
        *fault = LANE_WRONG;
        if (m)
            *e = m->why;
        else
            fail_memory(e);
        return 0;
    }
    for (unsigned i = 0; i < x->name_count; i++)
        x->has_row[i] = lane_name_row(st, x->name[i], &m->of[i], p, &x->row[i]);
    for (unsigned lane = 0; lane < STEP_LANES; lane++) {
        struct lane_computing c = {
            .st = st, .x = x, .m = m, .place = p, .lane = lane, .e = e, .has = true};
        if (!(p->lanes >> lane & 1))
            continue;
        value[lane] = compute(&c, x->root);
        has |= (uint32_t)c.has << lane;
        *fault = c.has ? *fault : LANE_NONE;
    }
    return has;
}

enum lane_fault lane_value(struct stepped *st, const char *text, struct lane_number *out,
                           struct err *e)
{
    const unsigned lane = stepper_focus(st->stepper).lane;
    struct lane_expression *x = lane_expression_read(text, e);
    struct lane_number value[STEP_LANES];
    struct lane_place p;
    enum lane_fault fault = LANE_WRONG;
    if (x && frames_place(st, lane, &p)) {
        p.lanes = UINT32_C(1) << lane;
        if (lane_values(st, x, &p, value, &fault, e))
            *out = value[lane];
    } else if (x) {
        fail(e, "no lane is running here, so there is no value");
        fault = LANE_NONE;
    }
    lane_expression_free(x);
    return fault;
}

/* The index of an element, in the lane in focus. */
static int index_in_focus(struct stepped *st, struct lane_expression *x, struct lane_cell *out,
                          struct err *e)
{
    const unsigned lane = stepper_focus(st->stepper).lane;
    const struct lane_array *a = &out->array;
    const struct lane_node *n = x->root;
    const char *name = x->name[n->name];
    struct lane_number value[STEP_LANES];
    struct lane_place p;
    enum lane_fault fault = LANE_RIGHT;
    if (!frames_place(st, lane, &p))
        return fail(e, "no lane is running here, so there is no value");
    p.lanes = UINT32_C(1) << lane;
    (void)lane_values(st, x, &p, value, &fault, e); /* it may have no value: its block has not begun */
    if (fault == LANE_WRONG)
        return -1;
    struct err why = {0};
    struct lane_computing c = {.st = st, .x = x, .m = meanings_at(st, x, &p), .place = &p,
                               .lane = lane, .e = &why, .has = true};
    const struct lane_number i = flat_index(&c, name, n, a);
    const uint64_t size = element_size(a->type);
    if (!c.has)
        return fail(e, "%s", why.text);
    if (i.is_real || i.whole < 0 || (uint64_t)i.whole >= UINT64_C(1) << 40 ||
        (a->bytes && (uint64_t)i.whole >= a->bytes / size))
        return fail(e, "`%s` has no such element", name);
    out->index = (uint64_t)i.whole;
    return 0;
}

int lane_cell_named(struct stepped *st, const char *text, struct lane_cell *out, struct err *e)
{
    struct lane_expression *x = lane_expression_read(text, e);
    const struct lane_node *n = x ? x->root : NULL;
    int rc = -1;
    *out = (struct lane_cell){.whole = true};
    if (!x)
        return -1;
    const bool named = n->kind == NODE_NAME || n->kind == NODE_ELEMENT;
    const char *name = named ? x->name[n->name] : text;
    if (!named || !lane_array_named(st, name, &out->array)) {
        fail(e,
             "there is no array `%.60s` here: watch an element of a shared array or of an array that "
             "the kernel gets, as in watch s[5]",
             name);
    } else if (!out->array.type_known) {
        fail(e, "the type of the elements of `%s` is not known", name);
    } else if (n->kind == NODE_NAME) {
        out->whole = !out->array.is_scalar;
        rc = 0;
    } else {
        rc = index_in_focus(st, x, out, e);
        out->whole = false;
    }
    snprintf(out->name, sizeof out->name, "%s", name);
    lane_expression_free(x);
    return rc;
}
