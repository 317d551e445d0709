/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types from the debug information, and values as C writes them. A type may name itself through
 * pointers, so each is kept under its entry before what it is made of is read.
 */
#include "step/scopes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 32, TEXT_MOST = 200, MEMBERS_MOST = 1 << 16 };

static const struct name_type *read_type(struct debug_names *, uint64_t at, int depth);

static const struct name_type *type_behind(struct debug_names *n, const struct debug_entry *e,
                                           int depth)
{
    const struct debug_value *v = debug_find(e, AT_TYPE);
    return v && v->kind == DEBUG_ENTRY ? read_type(n, v->number, depth + 1) : NULL;
}

static const char *name_in(const struct debug_entry *e, const char *otherwise)
{
    const struct debug_value *v = debug_find(e, AT_NAME);
    return v && v->kind == DEBUG_TEXT && v->text[0] ? v->text : otherwise;
}

static uint64_t number_in(const struct debug_entry *e, unsigned what, uint64_t otherwise)
{
    const struct debug_value *v = debug_find(e, what);
    return v && v->kind == DEBUG_NUMBER ? v->number : otherwise;
}

static const char *join(struct debug_names *n, const char *a, const char *b)
{
    char text[TEXT_MOST];
    const size_t first = strnlen(a, sizeof text - 1), second = strnlen(b, sizeof text - 1 - first);
    memcpy(text, a, first);
    memcpy(text + first, b, second);
    const char *kept = arena_text(&n->memory, text, first + second);
    return kept ? kept : "";
}

static enum name_kind base_kind(uint64_t encoding)
{
    switch (encoding) {
    case 2: return NAME_BOOL;
    case 4: return NAME_FLOAT;
    case 5: return NAME_SIGNED;
    case 6: return NAME_CHAR;
    case 7: return NAME_UNSIGNED;
    case 8: return NAME_UNSIGNED;
    default: return NAME_UNKNOWN;
    }
}

/* Where in the struct: a number, or one operation that adds it. */
static uint64_t place_of(const struct debug_names *n, const struct debug_entry *e)
{
    const struct debug_value *v = debug_find(e, AT_MEMBER_AT);
    if (!v || v->kind != DEBUG_BYTES)
        return v ? v->number : 0;
    struct debug_reader r = {debug_section_named(&n->debug, ".debug_info"), v->at, v->at + v->count,
                             false};
    const uint64_t op = debug_fixed(&r, 1), number = debug_leb(&r, false);
    return (op == 0x23 || op == 0x10) && !r.bad ? number : UINT64_MAX;
}

static void fill_members(struct debug_names *n, const struct debug_entry *e, struct name_type *t,
                         int depth)
{
    const bool is_enum = t->kind == NAME_ENUM;
    uint64_t count = 0;
    for (const struct debug_entry *m = e->child; m && count < MEMBERS_MOST; m = m->next)
        count +=
            is_enum ? m->tag == TAG_ENUMERATOR : m->tag == TAG_MEMBER || m->tag == TAG_INHERITANCE;
    struct name_member *all = count ? arena_alloc(&n->memory, sizeof *all * count) : NULL;
    for (const struct debug_entry *m = e->child; all && m && t->count < count; m = m->next) {
        struct name_member *out = &all[t->count];
        if (is_enum && m->tag == TAG_ENUMERATOR) {
            *out = (struct name_member){name_in(m, "?"), NULL, number_in(m, AT_CONST_VALUE, 0)};
            t->count++;
        } else if (!is_enum && (m->tag == TAG_MEMBER || m->tag == TAG_INHERITANCE)) {
            const struct debug_value *at = debug_find(m, AT_MEMBER_AT);
            *out = (struct name_member){name_in(m, ""), type_behind(n, m, depth), place_of(n, m)};
            t->count += at || e->tag == TAG_UNION; /* else it is a static one */
        }
    }
    t->members = all;
}

/* Each dimension is one more array: those behind are the elements of those in front. */
static void fill_array(struct debug_names *n, const struct debug_entry *e, struct name_type *t,
                       const struct debug_entry *range, int depth)
{
    char text[40];
    while (range && range->tag != TAG_RANGE)
        range = range->next;
    const struct debug_entry *more = range ? range->next : NULL;
    while (more && more->tag != TAG_RANGE)
        more = more->next;
    const struct name_type *of = type_behind(n, e, depth);
    if (more && depth < DEPTH_MOST) {
        struct name_type *inner = arena_alloc(&n->memory, sizeof *inner);
        if (inner)
            fill_array(n, e, inner, more, depth + 1);
        of = inner;
    }
    const struct debug_value *bound = range ? debug_find(range, AT_UPPER_BOUND) : NULL;
    t->kind = NAME_ARRAY;
    t->of = of;
    t->count = bound ? bound->number + 1 : range ? number_in(range, AT_COUNT, 0) : 0;
    if (!of || (of->bytes && t->count > (UINT64_C(1) << 40) / of->bytes))
        t->count = 0;
    t->bytes = of ? of->bytes * t->count : 0;
    /* "int[4][8]": this dimension stands in front of the others */
    const char *inner = of && of->kind == NAME_ARRAY ? strchr(of->text, '[') : NULL;
    char name[TEXT_MOST];
    snprintf(name, sizeof name, "%.*s",
             of ? (int)(inner ? (size_t)(inner - of->text) : strlen(of->text)) : 1,
             of ? of->text : "?");
    snprintf(text, sizeof text, "[%" PRIu64 "]", t->count);
    t->text = join(n, join(n, name, text), inner ? inner : "");
}

static void fill_through(struct debug_names *n, const struct debug_entry *e, struct name_type *t,
                         int depth)
{
    const struct name_type *of = type_behind(n, e, depth);
    const bool after = of && of->kind == NAME_POINTER;
    if (of)
        *t = *of;
    else
        t->text = "void";
    if (e->tag == TAG_TYPEDEF)
        t->text = name_in(e, t->text);
    else if (e->tag != TAG_RESTRICT) {
        const char *word = e->tag == TAG_CONST ? "const" : "volatile";
        t->text =
            after ? join(n, join(n, t->text, " "), word) : join(n, join(n, word, " "), t->text);
    }
}

static void fill_pointer(struct debug_names *n, const struct debug_entry *e, struct name_type *t,
                         int depth)
{
    const struct name_type *of = type_behind(n, e, depth);
    const char *sign = e->tag == TAG_POINTER ? "*" : e->tag == TAG_REFERENCE ? "&" : "&&";
    const char *text = of ? of->text : "void";
    t->kind = NAME_POINTER;
    t->is_reference = e->tag != TAG_POINTER;
    t->bytes = number_in(e, AT_SIZE, 8);
    t->of = of;
    t->text =
        join(n, text, of && of->kind == NAME_POINTER && text[strlen(text) - 1] == '*' ? "" : " ");
    t->text = join(n, t->text, sign);
}

static const struct name_type *read_type(struct debug_names *n, uint64_t at, int depth)
{
    const struct debug_entry *e = depth < DEPTH_MOST ? debug_entry_at(&n->debug, at) : NULL;
    if (!e || n->types[e->number])
        return e ? n->types[e->number] : NULL;
    struct name_type *t = arena_alloc(&n->memory, sizeof *t);
    if (!t)
        return NULL;
    *t = (struct name_type){.text = name_in(e, "?"), .bytes = number_in(e, AT_SIZE, 0)};
    n->types[e->number] = t;
    switch (e->tag) {
    case TAG_BASE: t->kind = base_kind(number_in(e, AT_ENCODING, 0)); break;
    case TAG_ENUM:
        t->kind = NAME_ENUM;
        fill_members(n, e, t, depth);
        break;
    case TAG_STRUCT:
    case TAG_CLASS:
    case TAG_UNION:
        t->kind = NAME_STRUCT;
        fill_members(n, e, t, depth);
        break;
    case TAG_ARRAY: fill_array(n, e, t, e->child, depth); break;
    case TAG_POINTER:
    case TAG_REFERENCE:
    case TAG_RVALUE_REFERENCE: fill_pointer(n, e, t, depth); break;
    case TAG_CONST:
    case TAG_VOLATILE:
    case TAG_RESTRICT:
    case TAG_TYPEDEF: fill_through(n, e, t, depth); break;
    default: break;
    }
    return t;
}

const struct name_type *name_type_of(struct debug_names *n, uint64_t at)
{
    return read_type(n, at, 0);
}

/* ---- values --------------------------------------------------------------------------------- */

static uint64_t bits_of(const unsigned char *from, uint64_t bytes)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < bytes && i < 8; i++)
        bits |= (uint64_t)from[i] << 8 * i;
    return bits;
}

static int64_t extended(uint64_t bits, uint64_t bytes)
{
    const unsigned shift = bytes < 8 ? (unsigned)(64 - 8 * bytes) : 0;
    return bytes ? (int64_t)(bits << shift) >> shift : 0;
}

static void print_float(const unsigned char *from, uint64_t bytes, struct buf *out)
{
    float f;
    double d;
    if (bytes == sizeof f) {
        memcpy(&f, from, sizeof f);
        buf_printf(out, "%.9g", (double)f);
    } else if (bytes == sizeof d) {
        memcpy(&d, from, sizeof d);
        buf_printf(out, "%.17g", d);
    } else {
        buf_puts(out, "?");
    }
}

static void print_char(int64_t c, struct buf *out)
{
    if (c >= ' ' && c < 127)
        buf_printf(out, "'%c'", (char)c);
    else
        buf_printf(out, "%" PRId64, c);
}

static void print_enum(const struct name_type *t, uint64_t bits, struct buf *out)
{
    const int64_t value = extended(bits, t->bytes);
    for (uint64_t i = 0; t->members && i < t->count; i++)
        if (extended(t->members[i].at, t->bytes) == value) {
            buf_puts(out, t->members[i].name);
            return;
        }
    buf_printf(out, "%" PRId64, value);
}

static void print_value(const struct name_type *, const unsigned char *, uint64_t, struct buf *,
                        int);

static void print_parts(const struct name_type *t, const unsigned char *from, struct buf *out,
                        int depth)
{
    enum { PARTS_MOST = 64 };
    const bool is_array = t->kind == NAME_ARRAY;
    buf_putc(out, '{');
    for (uint64_t i = 0; i < t->count && (is_array || t->members); i++) {
        const struct name_type *each = is_array ? t->of : t->members[i].type;
        const uint64_t at = is_array && each ? i * each->bytes : is_array ? 0 : t->members[i].at;
        buf_puts(out, i ? ", " : "");
        if (i == PARTS_MOST) {
            buf_puts(out, "...");
            break;
        }
        if (!is_array && t->members[i].name[0])
            buf_printf(out, "%s = ", t->members[i].name);
        if (!each || at > t->bytes || each->bytes > t->bytes - at)
            buf_putc(out, '?');
        else
            print_value(each, from + at, each->bytes, out, depth + 1);
    }
    buf_putc(out, '}');
}

static void print_value(const struct name_type *t, const unsigned char *from, uint64_t bytes,
                        struct buf *out, int depth)
{
    enum { NESTED_MOST = 8 };
    const uint64_t bits = bits_of(from, bytes);
    if (depth > NESTED_MOST) {
        buf_puts(out, "...");
        return;
    }
    switch (t->kind) {
    case NAME_SIGNED: buf_printf(out, "%" PRId64, extended(bits, bytes)); break;
    case NAME_UNSIGNED: buf_printf(out, "%" PRIu64, bits); break;
    case NAME_BOOL: buf_puts(out, bits ? "true" : "false"); break;
    case NAME_CHAR: print_char(extended(bits, bytes), out); break;
    case NAME_FLOAT: print_float(from, bytes, out); break;
    case NAME_POINTER: buf_printf(out, "0x%" PRIx64, bits); break;
    case NAME_ENUM: print_enum(t, bits, out); break;
    case NAME_ARRAY:
    case NAME_STRUCT: print_parts(t, from, out, depth); break;
    default: buf_putc(out, '?');
    }
}

const struct name_type *names_shown(const struct name_variable *v)
{
    return v->type && v->type->is_reference ? v->type->of : v->type;
}

void names_print(const struct name_type *t, const void *bytes, struct buf *out)
{
    print_value(t, bytes, t->bytes, out, 0);
}
