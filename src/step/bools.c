/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bools whose assignments the debug information leaves out.
 *
 * nvcc and NVRTC make the value of a bool from a predicate: "selp.u16 R, 1, 0, P". Often they do
 * not say then that R holds the variable. Some bools have no place at all for that reason. For
 * others an old place stays, which does not hold the new value.
 *
 * The source tells more. Such an instruction belongs to the statement on its line, and the
 * statement assigns to the variable by its name. So each assignment in the source is looked for in
 * the code. If all of them are found, R is one more place of the variable. If one is not found, the
 * variable is nowhere: no value is better than a wrong one.
 */
#include "step/scopes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a function has of such instructions. */
struct bool_code {
    int *line;          /* of each instruction: its line of the source, 0: not known */
    bool *is_anonymous; /* it makes a bool in a register that no variable is said to be in */
};

/* ---- code ----------------------------------------------------------------------------------- */

static bool makes_bool(const struct ptx_instruction *i)
{
    if (i->guard || i->operand_count != 4 || strncmp(i->opcode, "selp.", 5) != 0)
        return false;
    const struct ptx_operand *o = i->operands;
    return o[0].kind == PTX_OP_REGISTER && o[1].kind == PTX_OP_INTEGER && o[1].bits == 1 &&
           o[2].kind == PTX_OP_INTEGER && o[2].bits == 0 && o[3].kind == PTX_OP_REGISTER;
}

struct bool_register {
    const struct ptx_variable *variable;
    uint32_t index, at; /* at: the instruction that makes it */
};

static int by_register(const void *a, const void *b)
{
    const struct bool_register *x = a, *y = b;
    const uintptr_t p = (uintptr_t)x->variable, q = (uintptr_t)y->variable;
    return p != q ? (p > q) - (p < q) : (x->index > y->index) - (x->index < y->index);
}

static struct bool_register *find_register(struct bool_register *all, size_t count,
                                           const struct ptx_variable *variable, uint32_t index)
{
    const struct bool_register key = {.variable = variable, .index = index};
    return count ? bsearch(&key, all, count, sizeof key, by_register) : NULL;
}

/* A register that a variable is said to be in, or that is written twice, tells nothing. */
static void drop_named(const struct scoped_function *f, struct bool_register *all, size_t count,
                       bool *is_anonymous)
{
    for (const struct scope_variable *v = f->variables; v; v = v->next)
        for (unsigned i = 0; i < v->location_count; i++) {
            const struct location *l = &v->location[i];
            struct bool_register *r = l->where == NAME_IN_REGISTER
                                          ? find_register(all, count, l->variable, l->index)
                                          : NULL;
            if (r)
                is_anonymous[r->at] = false;
        }
    for (uint32_t i = 0; i < f->ptx->code_count; i++) {
        const struct ptx_operand *o = f->ptx->code[i].operands;
        struct bool_register *r =
            f->ptx->code[i].operand_count && o->kind == PTX_OP_REGISTER
                ? find_register(all, count, o->var, o->index)
                : NULL;
        const struct location l = {.variable = r ? r->variable : NULL, .index = r ? r->index : 0};
        if (r && r->at != i && instruction_writes(&f->ptx->code[i], &l))
            is_anonymous[r->at] = is_anonymous[i] = false;
    }
}

/* NULL: memory is out. */
static const struct bool_code *code_of(struct debug_names *n, struct scoped_function *f)
{
    const size_t count = f->ptx->code_count;
    if (f->bools)
        return f->bools;
    struct bool_code *b = arena_alloc(&n->memory, sizeof *b);
    int *line = arena_alloc(&n->memory, sizeof *line * (count + 1));
    bool *is_anonymous = arena_alloc(&n->memory, count + 1);
    struct bool_register *all = mem_alloc(&allocator_libc, sizeof *all * (count + 1));
    size_t made = 0;
    if (b && line && is_anonymous && all) {
        for (uint32_t i = 0; i < count; i++) {
            const struct ptx_instruction *c = &f->ptx->code[i];
            line[i] = c->line ? c->line : i ? line[i - 1] : 0;
            is_anonymous[i] = makes_bool(c);
            if (is_anonymous[i])
                all[made++] = (struct bool_register){c->operands[0].var, c->operands[0].index, i};
        }
        if (made)
            qsort(all, made, sizeof *all, by_register);
        drop_named(f, all, made, is_anonymous);
        *b = (struct bool_code){line, is_anonymous};
        f->bools = b;
    }
    if (all)
        mem_free(&allocator_libc, all, sizeof *all * (count + 1));
    return f->bools;
}

/* ---- the source ----------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* How often a line of the source assigns to anything: "=", "+=" and the others, not "==". */
static unsigned count_assignments(const char *at, size_t n)
{
    unsigned count = 0;
    for (size_t i = 0; i < n; i++) {
        const char before = i ? at[i - 1] : ' ', behind = i + 1 < n ? at[i + 1] : ' ';
        const bool shifts = i > 1 && (before == '<' || before == '>') && at[i - 2] == before;
        if (at[i] == '=' && behind != '=' && before != '=' && before != '!' &&
            ((before != '<' && before != '>') || shifts))
            count++;
    }
    return count;
}

/* Is the name, which ends at `i`, assigned to here? In its declaration that may be "b(...)". */
static bool assigns_behind(const char *at, size_t n, size_t i, bool declares)
{
    while (i < n && (at[i] == ' ' || at[i] == '\t'))
        i++;
    if (i < n && strchr("&|^", at[i]) && i + 1 < n && at[i + 1] == '=')
        return true;
    if (i < n && declares && (at[i] == '(' || at[i] == '{'))
        return true;
    return i < n && at[i] == '=' && !(i + 1 < n && at[i + 1] == '=');
}

static unsigned count_assignments_to(const char *at, size_t n, const char *name, bool declares)
{
    const size_t length = strlen(name);
    unsigned count = 0;
    for (size_t i = 0; i + length <= n; i++) {
        const char before = i ? at[i - 1] : ' ';
        if (memcmp(at + i, name, length) != 0 || is_word(before) || before == '.' ||
            (before == '>' && i > 1 && at[i - 2] == '-') ||
            (i + length < n && is_word(at[i + length])))
            continue;
        count += assigns_behind(at, n, i + length, declares);
    }
    return count;
}

static size_t without_comment(const char *at, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (at[i] == '/' && at[i + 1] == '/')
            return i;
    return n;
}

/* ---- assignments in the code ----------------------------------------------------------------- */

struct bool_search {
    struct debug_names *n;
    struct scoped_function *f;
    struct scope_variable *v;
    const struct bool_code *code;
    int file; /* of the source, by the number that the PTX has */
};

static bool is_of(const struct bool_search *s, uint32_t i, int line)
{
    const struct ptx_instruction *c = &s->f->ptx->code[i];
    return s->code->line[i] == line && (!c->line || c->file == s->file) &&
           scope_holds(s->v->scope, c->ptx_line);
}

/* Does the compiler say of this line that the variable has a place from here on? */
static bool is_said(const struct bool_search *s, int line)
{
    const struct ptx_function *f = s->f->ptx;
    for (unsigned j = 0; j < s->v->location_count; j++) {
        const struct location *l = &s->v->location[j];
        const uint32_t at = instruction_at(f, l->range.low);
        if (s->v->is_list && ((at < f->code_count && is_of(s, at, line)) ||
                              (at > 0 && is_of(s, at - 1, line))))
            return true;
        for (uint32_t i = 0; !s->v->is_list && l->where == NAME_IN_REGISTER && i < f->code_count; i++)
            if (is_of(s, i, line) && instruction_writes(&f->code[i], l))
                return true;
        if (!s->v->is_list && l->where == NAME_IS_CONSTANT && line == s->v->line)
            return true;
    }
    return false;
}

static bool same_register(const struct ptx_operand *a, const struct ptx_operand *b)
{
    return a->var == b->var && a->index == b->index && a->negated == b->negated;
}

static int add_made(struct bool_search *s, uint32_t at, bool again)
{
    struct scope_variable *v = s->v;
    const struct ptx_operand *o = &s->f->ptx->code[at].operands[0];
    const int j = location_add(s->n, v, o);
    if (j < 0 || mem_grow(&allocator_libc, (void **)&v->made, &v->made_capacity, v->made_count,
                          sizeof *v->made) != 0)
        return -1;
    v->made[v->made_count++] = (struct bool_made){at, (unsigned)j, again};
    return 0;
}

/* The value that this line assigns, if one predicate alone becomes a bool there and no call can
 * have taken it. -1: it is not found. */
static int find_made(struct bool_search *s, int line)
{
    const struct ptx_function *f = s->f->ptx;
    const struct ptx_operand *from = NULL;
    bool called = false;
    for (uint32_t i = 0; i < f->code_count; i++) {
        if (!is_of(s, i, line))
            continue;
        if (ptx_is_call(&f->code[i]))
            called = from != NULL;
        if (!s->code->is_anonymous[i])
            continue;
        if (from && !same_register(from, &f->code[i].operands[3]))
            return -1;
        from = &f->code[i].operands[3];
    }
    if (!from || called)
        return -1;
    bool again = false;
    for (uint32_t i = 0; i < f->code_count; i++)
        if (is_of(s, i, line) && s->code->is_anonymous[i]) {
            if (add_made(s, i, again) != 0)
                return -1;
            again = true;
        }
    return 0;
}

/* ---- one variable ----------------------------------------------------------------------------- */

static int last_line(const struct bool_search *s)
{
    int last = 0;
    for (uint32_t i = 0; i < s->f->ptx->code_count; i++)
        if (s->code->line[i] > last && is_of(s, i, s->code->line[i]))
            last = s->code->line[i];
    return last;
}

static bool is_shadowed(const struct bool_search *s, int last)
{
    for (const struct scope_variable *v = s->f->variables; v; v = v->next)
        if (v != s->v && v->line >= s->v->line && v->line <= last &&
            strcmp(v->name, s->v->name) == 0)
            for (const struct name_scope *in = v->scope; in; in = in->parent)
                if (in == s->v->scope)
                    return true;
    return false;
}

/* Looks for each assignment of the source. -1: one of them is not found. */
static int find_assignments(struct bool_search *s)
{
    struct source_text text = {0};
    const struct ptx_module *m = s->n->ptx;
    const char *path = s->file > 0 && (unsigned)s->file < m->file_count ? m->files[s->file] : NULL;
    if (!path || !s->n->source || !s->n->source(s->n->source_ctx, path, &text))
        return -1;
    const int last = last_line(s);
    if (is_shadowed(s, last))
        return -1;
    const char *at = text.at, *end = text.at + text.size;
    for (int line = 1; at < end && line <= last; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t size = (size_t)((stop ? stop : end) - at), n = without_comment(at, size);
        const bool declares = line == s->v->line;
        const unsigned count = line < s->v->line || (declares && s->v->is_parameter)
                                   ? 0
                                   : count_assignments_to(at, n, s->v->name, declares);
        if (count > 1 || (count && !is_said(s, line) &&
                          (count_assignments(at, n) > 1 || find_made(s, line) != 0)))
            return -1;
        at = stop ? stop + 1 : end;
    }
    return 0;
}

/* Copies of such a register hold the value as well. */
static int add_copies(struct bool_search *s)
{
    const struct ptx_function *f = s->f->ptx;
    for (bool more = s->v->made_count > 0; more;) {
        more = false;
        for (uint32_t i = 0; i < f->code_count; i++) {
            const struct ptx_instruction *c = &f->code[i];
            if (c->guard || c->operand_count != 2 || strncmp(c->opcode, "mov.", 4) != 0 ||
                c->operands[0].kind != PTX_OP_REGISTER || location_find(s->v, &c->operands[0]) >= 0 ||
                location_find(s->v, &c->operands[1]) < 0)
                continue;
            if (location_add(s->n, s->v, &c->operands[0]) < 0)
                return -1;
            more = true;
        }
    }
    return 0;
}

/* A place for the whole scope becomes one from the beginning of the scope on. */
static int become_list(struct scope_variable *v)
{
    const struct name_scope *in = v->scope;
    while (in && !in->range_count)
        in = in->parent;
    if (v->is_list)
        return 0;
    if (!in || in->range_count != 1)
        return -1;
    for (unsigned i = 0; i < v->location_count; i++)
        v->location[i].range = in->range[0];
    if (v->location_count && v->location[0].where == NAME_AWAY)
        v->location[0].is_found = true;
    v->is_list = true;
    return 0;
}

static bool is_in_memory(const struct scope_variable *v)
{
    for (unsigned i = 0; i < v->location_count; i++)
        if (v->location[i].where != NAME_IN_REGISTER && v->location[i].where != NAME_IS_CONSTANT &&
            v->location[i].where != NAME_AWAY)
            return true;
    return false;
}

void bools_find(struct debug_names *n, struct scoped_function *f, struct scope_variable *v)
{
    struct bool_search s = {.n = n, .f = f, .v = v};
    bool any = false;
    if (v->is_searched || !v->type || v->type->kind != NAME_BOOL)
        return;
    v->is_searched = true;
    s.code = is_in_memory(v) ? NULL : code_of(n, f);
    for (uint32_t i = 0; s.code && i < f->ptx->code_count; i++)
        if (scope_holds(v->scope, f->ptx->code[i].ptx_line)) {
            s.file = s.file ? s.file : f->ptx->code[i].file;
            any |= s.code->is_anonymous[i];
        }
    if (!any)
        return;
    v->is_lost = find_assignments(&s) != 0 || become_list(v) != 0 || add_copies(&s) != 0;
}
