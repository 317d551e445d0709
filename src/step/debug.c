/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text is read line by line. Within a section, each number of .b8, .b32 or .b64 becomes bytes,
 * and each name is kept with its place. Then the entries are made of the bytes.
 */
#include "step/debug.h"

#include <stdlib.h>
#include <string.h>

enum { SECTIONS_MOST = 64, FORMS_MOST = 256 };

/* ---- the text ------------------------------------------------------------------------------- */

struct text_line {
    const char *at, *end;
};

static bool take_line(const char **at, const char *end, struct text_line *out)
{
    if (*at >= end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    *out = (struct text_line){*at, stop ? stop : end};
    *at = stop ? stop + 1 : end;
    return true;
}

static void skip_blanks(struct text_line *l)
{
    while (l->at < l->end && (*l->at == ' ' || *l->at == '\t' || *l->at == '\r'))
        l->at++;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.';
}

static size_t name_length(const struct text_line *l)
{
    size_t n = 0;
    while (l->at + n < l->end && is_name_byte(l->at[n]))
        n++;
    return n;
}

static bool take_word(struct text_line *l, const char *word)
{
    const size_t n = strlen(word);
    if (name_length(l) != n || memcmp(l->at, word, n) != 0)
        return false;
    l->at += n;
    return true;
}

/* Numbers are decimal, perhaps with a sign, or begin with 0x. */
static bool take_number(struct text_line *l, uint64_t *out)
{
    const char *at = l->at;
    const bool minus = at < l->end && *at == '-';
    unsigned base = 10;
    at += minus;
    if (at >= l->end || *at < '0' || *at > '9')
        return false;
    if (l->end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
    }
    uint64_t n = 0;
    for (; at < l->end; at++) {
        const unsigned c = (unsigned char)*at | 32;
        const unsigned digit = *at >= '0' && *at <= '9' ? (unsigned)(*at - '0')
                               : c >= 'a' && c <= 'f'   ? c - 'a' + 10
                                                        : 99;
        if (digit >= base)
            break;
        n = n * base + digit;
    }
    l->at = at;
    *out = minus ? 0 - n : n;
    return true;
}

static int put_number(struct debug_section *s, uint64_t n, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        if (mem_grow(&allocator_libc, (void **)&s->bytes, &s->capacity, s->count, 1) != 0)
            return -1;
        s->bytes[s->count++] = i < 8 ? (unsigned char)(n >> 8 * i) : 0;
    }
    return 0;
}

static int put_symbol(struct debug *d, struct debug_section *s, struct text_line *l, unsigned bytes)
{
    const size_t n = name_length(l);
    struct debug_symbol symbol = {.at = s->count, .name = arena_text(&d->memory, l->at, n)};
    l->at += n;
    skip_blanks(l);
    if (l->at < l->end && *l->at == '+') {
        l->at++;
        skip_blanks(l);
        if (!take_number(l, &symbol.offset))
            symbol.offset = 0;
    }
    if (!symbol.name || mem_grow(&allocator_libc, (void **)&s->symbols, &s->symbol_capacity,
                                 s->symbol_count, sizeof symbol) != 0)
        return -1;
    s->symbols[s->symbol_count++] = symbol;
    return put_number(s, 0, bytes);
}

/* ".b8 1,2" or ".b64 $L__tmp4". Another line adds nothing. */
static int read_data(struct debug *d, struct debug_section *s, struct text_line l)
{
    skip_blanks(&l);
    const unsigned bytes = take_word(&l, ".b8")    ? 1
                           : take_word(&l, ".b16") ? 2
                           : take_word(&l, ".b32") ? 4
                           : take_word(&l, ".b64") ? 8
                                                   : 0;
    while (bytes) {
        uint64_t n;
        skip_blanks(&l);
        if (take_number(&l, &n)) {
            if (put_number(s, n, bytes) != 0)
                return -1;
        } else if (name_length(&l)) {
            if (put_symbol(d, s, &l, bytes) != 0)
                return -1;
        } else {
            break;
        }
        skip_blanks(&l);
        if (l.at >= l.end || *l.at != ',')
            break;
        l.at++;
    }
    return 0;
}

static struct debug_section *begin_section(struct debug *d, struct text_line *l)
{
    skip_blanks(l);
    const size_t n = name_length(l);
    if (d->section_count == SECTIONS_MOST ||
        mem_grow(&allocator_libc, (void **)&d->sections, &d->section_capacity, d->section_count,
                 sizeof *d->sections) != 0)
        return NULL;
    d->sections[d->section_count] =
        (struct debug_section){.name = arena_text(&d->memory, l->at, n)};
    l->at += n;
    return d->sections[d->section_count].name ? &d->sections[d->section_count++] : NULL;
}

/* Also "{ // callseq 1" and what else stands before a label on its line is none of its name. */
static int read_label(struct debug *d, struct text_line l, int line)
{
    skip_blanks(&l);
    const size_t n = name_length(&l);
    if (!n || l.at + n >= l.end || l.at[n] != ':' || (l.at + n + 1 < l.end && l.at[n + 1] == ':'))
        return 0;
    struct debug_label label = {arena_text(&d->memory, l.at, n), line};
    if (!label.name || mem_grow(&allocator_libc, (void **)&d->labels, &d->label_capacity,
                                d->label_count, sizeof label) != 0)
        return -1;
    d->labels[d->label_count++] = label;
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct debug_label *)a)->name, ((const struct debug_label *)b)->name);
}

static int read_text(struct debug *d, const char *text, size_t size)
{
    const char *at = text;
    struct text_line l;
    struct debug_section *in = NULL;
    bool open = false; /* behind the { of the section */
    for (int line = 1; take_line(&at, text + size, &l); line++) {
        if (!in) {
            skip_blanks(&l);
            if (take_word(&l, ".section")) {
                in = begin_section(d, &l);
                if (!in)
                    return d->section_count == SECTIONS_MOST ? 0 : -1;
                open = false;
            } else if (read_label(d, l, line) != 0) {
                return -1;
            }
        }
        if (in && !open) {
            const char *brace = memchr(l.at, '{', (size_t)(l.end - l.at));
            open = brace != NULL;
            l.at = brace ? brace + 1 : l.end;
        }
        if (in && open) {
            if (read_data(d, in, l) != 0)
                return -1;
            if (memchr(l.at, '}', (size_t)(l.end - l.at)))
                in = NULL;
        }
    }
    if (d->label_count)
        qsort(d->labels, d->label_count, sizeof *d->labels, by_name);
    return 0;
}

/* ---- looking up ----------------------------------------------------------------------------- */

const struct debug_section *debug_section_named(const struct debug *d, const char *name)
{
    for (size_t i = 0; i < d->section_count; i++)
        if (strcmp(d->sections[i].name, name) == 0)
            return &d->sections[i];
    return NULL;
}

int debug_label_line(const struct debug *d, const char *name)
{
    const struct debug_label key = {.name = name};
    const struct debug_label *l =
        d->label_count ? bsearch(&key, d->labels, d->label_count, sizeof key, by_name) : NULL;
    return l ? l->line : 0;
}

const char *debug_symbol_at(const struct debug_section *s, size_t at, uint64_t *offset)
{
    size_t low = 0, high = s->symbol_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->symbols[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->symbol_count || s->symbols[low].at != at)
        return NULL;
    *offset = s->symbols[low].offset;
    return s->symbols[low].name;
}

const struct debug_value *debug_find(const struct debug_entry *e, unsigned what)
{
    for (unsigned i = 0; i < e->values; i++)
        if (e->value[i].what == what)
            return &e->value[i];
    return NULL;
}

const struct debug_value *debug_find_through(const struct debug *d, const struct debug_entry *e,
                                             unsigned what)
{
    enum { STEPS = 4 };
    for (int i = 0; e && i < STEPS; i++) {
        const struct debug_value *v = debug_find(e, what), *on = debug_find(e, AT_ORIGIN);
        if (v)
            return v;
        on = on ? on : debug_find(e, AT_SPECIFICATION);
        e = on && on->kind == DEBUG_ENTRY ? debug_entry_at(d, on->number) : NULL;
    }
    return NULL;
}

const struct debug_entry *debug_entry_at(const struct debug *d, uint64_t at)
{
    size_t low = 0, high = d->entry_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (d->entries[middle]->at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < d->entry_count && d->entries[low]->at == at ? d->entries[low] : NULL;
}

/* ---- numbers -------------------------------------------------------------------------------- */

uint64_t debug_fixed(struct debug_reader *r, unsigned bytes)
{
    uint64_t n = 0;
    if (r->bad || r->at > r->end || r->end - r->at < bytes) {
        r->bad = true;
        return 0;
    }
    for (unsigned i = 0; i < bytes && i < 8; i++)
        n |= (uint64_t)r->in->bytes[r->at + i] << 8 * i;
    r->at += bytes;
    return n;
}

uint64_t debug_leb(struct debug_reader *r, bool is_signed)
{
    uint64_t n = 0;
    unsigned shift = 0;
    for (;;) {
        const uint64_t byte = debug_fixed(r, 1);
        if (r->bad)
            return 0;
        if (shift < 64)
            n |= (byte & 127) << shift;
        shift += 7;
        if (byte & 128)
            continue;
        if (is_signed && byte & 64 && shift < 64)
            n |= ~UINT64_C(0) << shift;
        return n;
    }
}

/* ---- entries -------------------------------------------------------------------------------- */

struct debug_form {
    unsigned what, form;
};
struct shape_of_entry {
    uint64_t code;
    unsigned tag, forms;
    bool children;
    struct debug_form *form;
};
struct shapes {
    struct shape_of_entry *all;
    size_t count, capacity;
};

/* false: memory is out. */
static bool read_shapes(struct debug *d, struct shapes *out)
{
    const struct debug_section *s = debug_section_named(d, ".debug_abbrev");
    struct debug_reader r = {s, 0, s ? s->count : 0, !s};
    while (!r.bad) {
        struct debug_form forms[FORMS_MOST];
        struct shape_of_entry shape = {.code = debug_leb(&r, false)};
        if (r.bad || !shape.code)
            break;
        shape.tag = (unsigned)debug_leb(&r, false);
        shape.children = debug_fixed(&r, 1) != 0;
        while (!r.bad && shape.forms < FORMS_MOST) {
            struct debug_form f = {.what = (unsigned)debug_leb(&r, false)};
            f.form = (unsigned)debug_leb(&r, false);
            if (!f.what && !f.form)
                break;
            forms[shape.forms++] = f;
        }
        if (r.bad || shape.forms == FORMS_MOST)
            break;
        shape.form = arena_alloc(&d->memory, sizeof *forms * (shape.forms + 1));
        if (!shape.form || mem_grow(&allocator_libc, (void **)&out->all, &out->capacity, out->count,
                                    sizeof shape) != 0)
            return false;
        memcpy(shape.form, forms, sizeof *forms * shape.forms);
        out->all[out->count++] = shape;
    }
    return true;
}

static const struct shape_of_entry *shape_coded(const struct shapes *s, uint64_t code)
{
    if (code - 1 < s->count && s->all[code - 1].code == code)
        return &s->all[code - 1];
    for (size_t i = 0; i < s->count; i++)
        if (s->all[i].code == code)
            return &s->all[i];
    return NULL;
}

static const char *text_in(struct debug_reader *r)
{
    const size_t left = r->at <= r->end ? r->end - r->at : 0;
    const unsigned char *from = left ? r->in->bytes + r->at : NULL,
                        *zero = from ? memchr(from, 0, left) : NULL;
    if (!zero) {
        r->bad = true;
        return "";
    }
    r->at += (size_t)(zero - from) + 1;
    return (const char *)from;
}

static const char *text_at(const struct debug *d, const struct debug_reader *r, size_t at)
{
    uint64_t offset = 0;
    const struct debug_section *s = debug_section_named(d, ".debug_str");
    if (!s || !debug_symbol_at(r->in, at, &offset) || offset > s->count)
        return "";
    struct debug_reader in = {s, (size_t)offset, s->count, false};
    return text_in(&in);
}

/* An address, or another place: numbers of 4 bytes name places in other sections if a symbol stands
 * there. */
static void read_fixed(struct debug_reader *r, unsigned bytes, struct debug_value *v)
{
    uint64_t offset = 0;
    const char *symbol = debug_symbol_at(r->in, r->at, &offset);
    v->number = debug_fixed(r, bytes) + offset;
    v->symbol = symbol;
    if (symbol)
        v->kind = bytes == 8 ? DEBUG_ADDRESS : DEBUG_LIST;
}

static void read_bytes(struct debug_reader *r, uint64_t count, struct debug_value *v)
{
    v->kind = DEBUG_BYTES;
    v->at = r->at;
    v->count = (size_t)count;
    if (r->bad || count > r->end - r->at)
        r->bad = true;
    else
        r->at += (size_t)count;
}

static void read_value(struct debug *d, struct debug_reader *r, unsigned form,
                       struct debug_value *v)
{
    const size_t here = r->at;
    v->kind = DEBUG_NUMBER;
    switch (form) {
    case 0x01: read_fixed(r, 8, v); break; /* addr */
    case 0x03: read_bytes(r, debug_fixed(r, 2), v); break;
    case 0x04: read_bytes(r, debug_fixed(r, 4), v); break;
    case 0x05: v->number = debug_fixed(r, 2); break;
    case 0x06: read_fixed(r, 4, v); break;
    case 0x07: read_fixed(r, 8, v); break;
    case 0x08:
        v->kind = DEBUG_TEXT;
        v->text = text_in(r);
        break;
    case 0x09:
    case 0x18: read_bytes(r, debug_leb(r, false), v); break; /* block, exprloc */
    case 0x0a: read_bytes(r, debug_fixed(r, 1), v); break;
    case 0x0b: v->number = debug_fixed(r, 1); break;
    case 0x0c: v->number = debug_fixed(r, 1); break; /* flag */
    case 0x0d:
        v->is_signed = true;
        v->number = debug_leb(r, true);
        break;
    case 0x0e:
        v->kind = DEBUG_TEXT;
        v->text = text_at(d, r, here);
        debug_fixed(r, 4);
        break;
    case 0x0f: v->number = debug_leb(r, false); break;
    case 0x11:
        v->kind = DEBUG_ENTRY;
        v->number = debug_fixed(r, 1);
        break;
    case 0x12:
        v->kind = DEBUG_ENTRY;
        v->number = debug_fixed(r, 2);
        break;
    case 0x10:
    case 0x13: /* ref_addr names the section, as ".debug_info+12" */
        read_fixed(r, 4, v);
        v->kind = DEBUG_ENTRY;
        break;
    case 0x14:
        v->kind = DEBUG_ENTRY;
        v->number = debug_fixed(r, 8);
        break;
    case 0x17: read_fixed(r, 4, v); break; /* sec_offset */
    case 0x19: v->number = 1; break;       /* flag_present */
    default: r->bad = true;
    }
}

static struct debug_entry *read_entry(struct debug *d, const struct shape_of_entry *shape,
                                      struct debug_reader *r, size_t at)
{
    struct debug_entry *e = arena_alloc(&d->memory, sizeof *e);
    if (!e)
        return NULL;
    *e = (struct debug_entry){.tag = shape->tag,
                              .at = at,
                              .number = d->entry_count,
                              .value =
                                  arena_alloc(&d->memory, sizeof *e->value * (shape->forms + 1))};
    if (!e->value || mem_grow(&allocator_libc, (void **)&d->entries, &d->entry_capacity,
                              d->entry_count, sizeof *d->entries) != 0)
        return NULL;
    d->entries[d->entry_count++] = e;
    for (unsigned i = 0; i < shape->forms && !r->bad; i++) {
        e->value[i].what = shape->form[i].what;
        read_value(d, r, shape->form[i].form, &e->value[i]);
        e->values += !r->bad;
    }
    return e;
}

/* Entries of one level follow each other up to a 0; then the next one is of the level above. */
static int read_entries(struct debug *d, const struct shapes *shapes)
{
    const struct debug_section *s = debug_section_named(d, ".debug_info");
    struct debug_reader r = {s, 0, s ? s->count : 0, !s};
    const uint64_t size = debug_fixed(&r, 4), version = debug_fixed(&r, 2);
    struct debug_entry *parent = NULL, **last = &d->first;
    debug_fixed(&r, 4);
    if (debug_fixed(&r, 1) != 8 || version < 2 || version > 4 || r.bad)
        return 0;
    if (size < r.end - 4)
        r.end = (size_t)size + 4;
    while (!r.bad && r.at < r.end) {
        const size_t at = r.at;
        const uint64_t code = debug_leb(&r, false);
        if (!code) {
            if (!parent)
                return 0;
            last = &parent->next;
            parent = parent->parent;
            continue;
        }
        const struct shape_of_entry *shape = shape_coded(shapes, code);
        struct debug_entry *e = shape && !r.bad ? read_entry(d, shape, &r, at) : NULL;
        if (!e)
            return shape && !r.bad ? -1 : 0;
        e->parent = parent;
        *last = e;
        last = &e->next;
        if (shape->children) {
            parent = e;
            last = &e->child;
        }
    }
    return 0;
}

int debug_read(struct debug *d, const char *text, size_t size)
{
    struct shapes shapes = {0};
    *d = (struct debug){0};
    const int rc =
        read_text(d, text, size) == 0 && read_shapes(d, &shapes) ? read_entries(d, &shapes) : -1;
    mem_free(&allocator_libc, shapes.all, shapes.capacity * sizeof *shapes.all);
    return rc;
}

void debug_free(struct debug *d)
{
    for (size_t i = 0; i < d->section_count; i++) {
        struct debug_section *s = &d->sections[i];
        mem_free(&allocator_libc, s->bytes, s->capacity);
        mem_free(&allocator_libc, s->symbols, s->symbol_capacity * sizeof *s->symbols);
    }
    mem_free(&allocator_libc, d->sections, d->section_capacity * sizeof *d->sections);
    mem_free(&allocator_libc, d->labels, d->label_capacity * sizeof *d->labels);
    mem_free(&allocator_libc, d->entries, d->entry_capacity * sizeof *d->entries);
    arena_free(&d->memory);
}
