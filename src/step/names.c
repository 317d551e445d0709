/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scopes and variables of each function, by its entries of the debug information. What is at an
 * instruction follows from lines of the PTX: a range begins behind a label and ends at another one.
 */
#include "step/scopes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 64, RANGES_MOST = 4096, LOCATIONS_MOST = 16000 };

/* ---- ranges --------------------------------------------------------------------------------- */

static int line_of(const struct debug_names *n, const char *symbol)
{
    return symbol ? debug_label_line(&n->debug, symbol) : 0;
}

bool scope_holds(const struct name_scope *s, int line)
{
    for (; s; s = s->parent) {
        bool within = !s->range_count;
        for (unsigned i = 0; i < s->range_count; i++)
            within |= line >= s->range[i].low && line < s->range[i].high;
        if (!within)
            return false;
    }
    return true;
}

/* In .debug_ranges: two addresses each, up to two zeros. */
static unsigned read_ranges(const struct debug_names *n, uint64_t at, struct scope_range *out,
                            unsigned most)
{
    const struct debug_section *s = debug_section_named(&n->debug, ".debug_ranges");
    struct debug_reader r = {s, (size_t)at, s ? s->count : 0, !s};
    unsigned count = 0;
    while (count < most) {
        uint64_t offset;
        const char *low = s ? debug_symbol_at(s, r.at, &offset) : NULL;
        debug_fixed(&r, 8);
        const char *high = s ? debug_symbol_at(s, r.at, &offset) : NULL;
        debug_fixed(&r, 8);
        if (r.bad || !low || !high)
            break;
        out[count++] = (struct scope_range){line_of(n, low), line_of(n, high)};
    }
    return count;
}

static int add_ranges(struct debug_names *n, const struct debug_entry *e, struct name_scope *s)
{
    const struct debug_value *low = debug_find(e, AT_LOW), *high = debug_find(e, AT_HIGH),
                             *list = debug_find(e, AT_RANGES);
    struct scope_range *all = NULL;
    if (low && high && low->symbol && high->symbol) {
        s->range = arena_alloc(&n->memory, sizeof *s->range);
        if (!s->range)
            return -1;
        *s->range = (struct scope_range){line_of(n, low->symbol), line_of(n, high->symbol)};
        s->range_count = 1;
    } else if (list) {
        all = mem_alloc(&allocator_libc, sizeof *all * RANGES_MOST);
        s->range_count = all ? read_ranges(n, list->number, all, RANGES_MOST) : 0;
        s->range = arena_alloc(&n->memory, sizeof *all * (s->range_count + 1));
        if (all && s->range)
            memcpy(s->range, all, sizeof *all * s->range_count);
        mem_free(&allocator_libc, all, sizeof *all * RANGES_MOST);
        return all && s->range ? 0 : -1;
    }
    return 0;
}

/* ---- locations ------------------------------------------------------------------------------ */

/* The number of a register is its name: the first byte is the highest one. */
static const char *register_numbered(struct debug_names *n, uint64_t number)
{
    char name[9];
    unsigned length = 0;
    for (int shift = 56; shift >= 0; shift -= 8)
        if (length || number >> shift & 255)
            name[length++] = (char)(number >> shift & 255);
    return length && name[0] == '%' ? arena_text(&n->memory, name, length) : NULL;
}

static bool register_of(const struct ptx_function *f, const char *name, struct location *out)
{
    for (const struct ptx_variable *v = f->variables; v; v = v->next) {
        const size_t length = strlen(v->name);
        char *end;
        if (v->space != PTX_REG || strncmp(name, v->name, length) != 0 ||
            (!v->range && name[length]) || (v->range && (name[length] < '0' || name[length] > '9')))
            continue;
        const unsigned long index = v->range ? strtoul(name + length, &end, 10) : 0;
        if (v->range && (*end || index >= v->range))
            continue;
        out->variable = v;
        out->index = (uint32_t)index;
        return true;
    }
    return false;
}

static enum name_where space_of(const struct debug_names *n, const struct ptx_function *f,
                                const char *symbol, struct location *out)
{
    const struct ptx_variable *v = f->params;
    while (v && strcmp(v->name, symbol) != 0)
        v = v->next;
    if (v)
        return f->is_entry ? NAME_IN_PARAM : NAME_AWAY;
    for (v = f->variables; v && (v->space == PTX_REG || strcmp(v->name, symbol) != 0);)
        v = v->next;
    v = v ? v : ptx_variable_named(n->ptx, symbol);
    out->variable = v;
    return !v                       ? NAME_AWAY
           : v->space == PTX_LOCAL  ? NAME_IN_LOCAL
           : v->space == PTX_SHARED ? NAME_IN_SHARED
                                    : NAME_AWAY;
}

/* One operation, perhaps with an offset behind it: what compilers write for PTX. */
static int read_location(struct debug_names *n, const struct ptx_function *f,
                         const struct debug_section *in, size_t at, size_t count,
                         struct location *out)
{
    struct debug_reader r = {in, at, at + count, false};
    uint64_t more = 0;
    *out = (struct location){.where = NAME_AWAY};
    if (!count)
        return 0;
    const unsigned op = (unsigned)debug_fixed(&r, 1);
    if (op == 0x03) {
        const char *symbol = debug_symbol_at(in, r.at, &more);
        out->offset = debug_fixed(&r, 8) + more;
        out->place = symbol;
        out->where = symbol ? space_of(n, f, symbol, out) : NAME_AWAY;
        if (r.at < r.end && debug_fixed(&r, 1) == 0x23)
            out->offset += debug_leb(&r, false);
        else if (r.at < r.end || r.bad)
            r.bad = true;
        else if (count != 9)
            r.bad = true;
    } else if (op == 0x90) {
        out->place = register_numbered(n, debug_leb(&r, false));
        if (out->place && register_of(f, out->place, out))
            out->where = NAME_IN_REGISTER;
    } else if ((op >= 0x30 && op <= 0x4f) || op == 0x10 || op == 0x11 ||
               (op >= 0x08 && op <= 0x0f)) {
        const unsigned bytes = 1u << ((op - 8) >> 1 & 3);
        uint64_t bits = op >= 0x30   ? op - 0x30
                        : op >= 0x10 ? debug_leb(&r, op == 0x11)
                                     : debug_fixed(&r, bytes);
        if (op < 0x10 && (op & 1) && bytes < 8 && bits >> (8 * bytes - 1) & 1)
            bits |= ~UINT64_C(0) << 8 * bytes;
        out->where = NAME_IS_CONSTANT;
        out->offset = bits;
        if (r.at < r.end && debug_fixed(&r, 1) != 0x9f)
            r.bad = true;
    }
    if (r.bad || r.at != r.end) /* what is not understood gives no value */
        out->where = NAME_AWAY;
    return 0;
}

bool location_same(const struct location *a, const struct location *b)
{
    return a->where == b->where && a->variable == b->variable && a->index == b->index &&
           a->offset == b->offset &&
           (a->place == b->place || (a->place && b->place && strcmp(a->place, b->place) == 0));
}

int location_find(const struct scope_variable *v, const struct ptx_operand *o)
{
    for (unsigned i = 0; i < v->location_count; i++)
        if (v->location[i].where == NAME_IN_REGISTER && o->kind == PTX_OP_REGISTER &&
            v->location[i].variable == o->var && v->location[i].index == o->index)
            return (int)v->location[i].first;
    return -1;
}

int location_add(struct debug_names *n, struct scope_variable *v, const struct ptx_operand *o)
{
    char name[40];
    const int known = location_find(v, o);
    if (known >= 0)
        return known;
    if (!o->var || v->location_count >= HELD_MOST ||
        mem_grow(&allocator_libc, (void **)&v->location, &v->capacity, v->location_count,
                 sizeof *v->location) != 0)
        return -1;
    const int length = o->var->range ? snprintf(name, sizeof name, "%s%u", o->var->name, o->index)
                                     : snprintf(name, sizeof name, "%s", o->var->name);
    struct location l = {.where = NAME_IN_REGISTER,
                         .variable = o->var,
                         .index = o->index,
                         .first = v->location_count,
                         .is_found = true};
    l.place = length > 0 && length < (int)sizeof name ? arena_text(&n->memory, name, (size_t)length)
                                                      : NULL;
    if (!l.place)
        return -1;
    v->location[v->location_count++] = l;
    return (int)l.first;
}

/* In .debug_loc: two addresses and a location each, up to two zeros. */
static int read_list(struct debug_names *n, const struct ptx_function *f, uint64_t at,
                     struct scope_variable *v)
{
    const struct debug_section *s = debug_section_named(&n->debug, ".debug_loc");
    struct debug_reader r = {s, (size_t)at, s ? s->count : 0, !s};
    size_t capacity = 0;
    v->is_list = true;
    while (v->location_count < LOCATIONS_MOST) {
        struct location l;
        uint64_t offset;
        const char *low = s ? debug_symbol_at(s, r.at, &offset) : NULL;
        debug_fixed(&r, 8);
        const char *high = s ? debug_symbol_at(s, r.at, &offset) : NULL;
        debug_fixed(&r, 8);
        const size_t count = (size_t)debug_fixed(&r, 2);
        if (r.bad || !low || !high || count > r.end - r.at)
            break;
        if (read_location(n, f, s, r.at, count, &l) != 0 ||
            mem_grow(&allocator_libc, (void **)&v->location, &capacity, v->location_count,
                     sizeof l) != 0)
            return -1;
        l.range = (struct scope_range){line_of(n, low), line_of(n, high)};
        l.first = v->location_count;
        for (unsigned i = 0; i < v->location_count && l.first == v->location_count; i++)
            if (location_same(&l, &v->location[i]))
                l.first = i;
        v->location[v->location_count++] = l;
        v->capacity = capacity;
        r.at += count;
    }
    return 0;
}

static int add_locations(struct debug_names *n, const struct ptx_function *f,
                         const struct debug_entry *e, struct scope_variable *v)
{
    const struct debug_section *info = debug_section_named(&n->debug, ".debug_info");
    const struct debug_value *where = debug_find(e, AT_LOCATION),
                             *constant = debug_find_through(&n->debug, e, AT_CONST_VALUE);
    size_t capacity = 0;
    if (where && where->kind != DEBUG_BYTES)
        return read_list(n, f, where->number, v);
    if (mem_grow(&allocator_libc, (void **)&v->location, &capacity, 0, sizeof *v->location) != 0)
        return -1;
    v->capacity = capacity;
    v->location_count = 1;
    v->location[0] = (struct location){.where = NAME_AWAY};
    if (where)
        return read_location(n, f, info, where->at, where->count, v->location);
    if (constant && constant->kind == DEBUG_BYTES && constant->count <= 8) {
        struct debug_reader r = {info, constant->at, info->count, false};
        v->location[0] = (struct location){.where = NAME_IS_CONSTANT,
                                           .offset = debug_fixed(&r, (unsigned)constant->count)};
    } else if (constant && constant->kind == DEBUG_NUMBER) {
        v->location[0] = (struct location){.where = NAME_IS_CONSTANT, .offset = constant->number};
    }
    return 0;
}

/* ---- scopes --------------------------------------------------------------------------------- */

static const char *name_of(const struct debug_names *n, const struct debug_entry *e)
{
    const struct debug_value *v = debug_find_through(&n->debug, e, AT_NAME);
    return v && v->kind == DEBUG_TEXT ? v->text : "";
}

static int number_of(const struct debug_names *n, const struct debug_entry *e, unsigned what)
{
    const struct debug_value *v = debug_find_through(&n->debug, e, what);
    return v && v->number < INT32_MAX ? (int)v->number : 0;
}

static int add_variable(struct debug_names *n, struct scoped_function *f, struct name_scope *in,
                        const struct debug_entry *e)
{
    const struct debug_value *type = debug_find_through(&n->debug, e, AT_TYPE);
    struct scope_variable *v = arena_alloc(&n->memory, sizeof *v);
    if (!v)
        return -1;
    *v = (struct scope_variable){.scope = in,
                                 .name = name_of(n, e),
                                 .line = number_of(n, e, AT_LINE),
                                 .is_parameter = e->tag == TAG_PARAMETER,
                                 .next = f->variables};
    if (!v->name[0])
        return 0;
    f->variables = v;
    v->type = type && type->kind == DEBUG_ENTRY ? name_type_of(n, type->number) : NULL;
    return add_locations(n, f->ptx, e, v);
}

/* The entries of a function, without recursion: a scope's are followed by those behind it. */
static int add_scopes(struct debug_names *n, struct scoped_function *f,
                      const struct debug_entry *top)
{
    struct name_scope *in = arena_alloc(&n->memory, sizeof *in);
    if (!in)
        return -1;
    *in = (struct name_scope){.function = name_of(n, top)};
    if (add_ranges(n, top, in) != 0)
        return -1;
    f->scope = in;
    for (const struct debug_entry *e = top->child; e;) {
        if ((e->tag == TAG_PARAMETER || e->tag == TAG_VARIABLE) && add_variable(n, f, in, e) != 0)
            return -1;
        if ((e->tag == TAG_BLOCK || e->tag == TAG_INLINED) && in->depth < DEPTH_MOST) {
            struct name_scope *s = arena_alloc(&n->memory, sizeof *s);
            if (!s)
                return -1;
            *s = (struct name_scope){
                .parent = in, .next = f->scopes, .depth = in->depth + 1, .function = in->function};
            if (e->tag == TAG_INLINED) {
                s->is_inlined = true;
                s->function = name_of(n, e);
                s->call_line = number_of(n, e, AT_CALL_LINE);
            }
            if (add_ranges(n, e, s) != 0)
                return -1;
            f->scopes = s;
            if (e->child) {
                in = s;
                e = e->child;
                continue;
            }
        }
        while (e && !e->next) {
            e = e->parent;
            if (!e || e == top)
                return 0;
            in = in->parent;
        }
        e = e->next;
    }
    return 0;
}

static int add_function(struct debug_names *n, const struct debug_entry *e)
{
    const struct debug_value *low = debug_find(e, AT_LOW);
    const int line = low ? line_of(n, low->symbol) : 0;
    struct ptx_function *at = NULL;
    for (struct ptx_function *f = n->ptx->functions; f && line; f = f->next)
        if (f->has_body && line >= f->line && line <= f->end_line)
            at = f;
    if (!at || n->functions[at->number])
        return 0;
    struct scoped_function *f = arena_alloc(&n->memory, sizeof *f);
    if (!f)
        return -1;
    *f = (struct scoped_function){.ptx = at};
    n->functions[at->number] = f;
    return add_scopes(n, f, e);
}

static int add_functions(struct debug_names *n)
{
    n->functions = arena_alloc(&n->memory, sizeof *n->functions * (n->ptx->function_count + 1));
    if (!n->functions)
        return -1;
    for (size_t i = 0; i < n->debug.entry_count; i++)
        if (n->debug.entries[i]->tag == TAG_FUNCTION && add_function(n, n->debug.entries[i]) != 0)
            return -1;
    return 0;
}

struct debug_names *names_read(const char *text, size_t size, struct err *e)
{
    struct debug_names *n = mem_alloc(&allocator_libc, sizeof *n);
    if (!n) {
        fail_memory(e);
        return NULL;
    }
    n->ptx = ptx_parse(&allocator_libc, text, size, NULL, e);
    if (n->ptx &&
        (debug_read(&n->debug, text, size) != 0 ||
         !(n->types = arena_alloc(&n->memory, sizeof *n->types * (n->debug.entry_count + 1))) ||
         add_functions(n) != 0))
        fail_memory(e);
    else if (n->ptx && !n->debug.first)
        fail(e, "this PTX has no debug information; `load --debug FILE.cu` gives it");
    else if (n->ptx)
        return n;
    names_free(n);
    return NULL;
}

void names_set_source(struct debug_names *n, names_source *source, void *ctx)
{
    n->source = source;
    n->source_ctx = ctx;
}

void names_free(struct debug_names *n)
{
    if (!n)
        return;
    for (unsigned i = 0; n->ptx && n->functions && i < n->ptx->function_count; i++)
        for (struct scope_variable *v = n->functions[i] ? n->functions[i]->variables : NULL; v;
             v = v->next) {
            mem_free(&allocator_libc, v->location, v->capacity * sizeof *v->location);
            mem_free(&allocator_libc, v->made, v->made_capacity * sizeof *v->made);
        }
    debug_free(&n->debug);
    ptx_free(n->ptx);
    arena_free(&n->memory);
    mem_free(&allocator_libc, n, sizeof *n);
}

/* ---- at an instruction ---------------------------------------------------------------------- */

static const struct name_scope *innermost(const struct scoped_function *f, int line)
{
    const struct name_scope *best = f->scope;
    for (const struct name_scope *s = f->scopes; s; s = s->next)
        if (s->depth > best->depth && scope_holds(s, line))
            best = s;
    return best;
}

/* The line of the source that executes in a scope: of an inlined call, where it is called. 0: it is
 * not known. */
static int line_in(const struct name_scope *inner, const struct name_scope *s, int line)
{
    for (; inner && inner != s; inner = inner->parent)
        if (inner->is_inlined)
            line = inner->call_line;
    return inner ? line : 0;
}

/* How many inlined calls lead from one scope to the other, which is further in. */
static unsigned inlined_between(const struct name_scope *inner, const struct name_scope *s)
{
    unsigned count = 0;
    for (; inner && inner != s; inner = inner->parent)
        count += inner->is_inlined;
    return count;
}

uint32_t instruction_at(const struct ptx_function *f, int line)
{
    uint32_t low = 0, high = f->code_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (f->code[middle].ptx_line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int source_line(const struct ptx_function *f, uint32_t i)
{
    while (i > 0 && !f->code[i].line)
        i--;
    return f->code[i].line;
}

static void fill_in(struct debug_names *n, struct scoped_function *f, struct scope_variable *v,
                    uint32_t at, const struct name_scope *inner, struct name_variable *out)
{
    const int line = line_in(inner, v->scope, source_line(f->ptx, at));
    const unsigned inlined = inlined_between(inner, v->scope);
    const struct location *l;
    *out = (struct name_variable){.name = v->name,
                                  .type = v->type,
                                  .function = v->scope->function,
                                  .line = v->line,
                                  .depth = v->scope->depth,
                                  .is_parameter = v->is_parameter,
                                  .is_outer = inlined > 0,
                                  .inlined = inlined};
    out->state = flow_state(n, f, v, at, &l);
    if (!v->is_parameter && line && line < v->line)
        out->state = NAME_NOT_SET;
    else if (!v->is_parameter && line > v->line && out->state == NAME_NOT_SET)
        out->state = NAME_SET; /* or the compiler has left out its first value: it is nowhere */
    if (l) {
        out->where = l->where;
        out->place = l->place;
        out->offset = l->offset;
    }
}

static int innermost_first(const void *a, const void *b)
{
    const struct name_variable *x = a, *y = b;
    return x->depth != y->depth ? (x->depth < y->depth) - (x->depth > y->depth)
                                : (x->line > y->line) - (x->line < y->line);
}

size_t names_at(struct debug_names *n, const char *function, int ptx_line,
                struct name_variable *out, size_t most)
{
    const struct ptx_function *p = ptx_function_named(n->ptx, function);
    struct scoped_function *f = p ? n->functions[p->number] : NULL;
    const uint32_t at = f ? instruction_at(p, ptx_line) : 0;
    size_t count = 0;
    if (!f || at >= p->code_count)
        return 0;
    const struct name_scope *inner = innermost(f, ptx_line);
    for (struct scope_variable *v = f->variables; v; v = v->next)
        if (scope_holds(v->scope, ptx_line) && ++count <= most)
            fill_in(n, f, v, at, inner, &out[count - 1]);
    const size_t filled = count < most ? count : most;
    if (filled)
        qsort(out, filled, sizeof *out, innermost_first);
    for (size_t i = 0; i < filled; i++)
        for (size_t k = 0; k < i && !out[i].is_hidden; k++)
            out[i].is_hidden = strcmp(out[i].name, out[k].name) == 0 &&
                               out[k].depth > out[i].depth && out[k].state != NAME_NOT_SET &&
                               !out[i].is_outer;
    return count;
}

size_t names_frames(const struct debug_names *n, const char *function, int ptx_line, int line,
                    struct name_frame *out, size_t most)
{
    const struct ptx_function *p = ptx_function_named(n->ptx, function);
    const struct scoped_function *f = p ? n->functions[p->number] : NULL;
    size_t count = 0;
    for (const struct name_scope *s = f ? innermost(f, ptx_line) : NULL; s && count < most;
         s = s->parent)
        if (s->is_inlined || !s->parent) {
            out[count++] = (struct name_frame){s->function, line};
            line = s->call_line;
        }
    return count;
}

bool names_have(const struct debug_names *n, const char *name)
{
    struct near near = {.word = name};
    names_try(n, &near);
    return near.best && strcmp(near.best, name) == 0;
}

void names_try(const struct debug_names *n, struct near *near)
{
    for (unsigned i = 0; i < n->ptx->function_count; i++)
        for (const struct scope_variable *v = n->functions[i] ? n->functions[i]->variables : NULL;
             v; v = v->next)
            near_try(near, v->name);
}
