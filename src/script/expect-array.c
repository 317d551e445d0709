/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `expect x == iota`, `expect x ~ y`: the elements of an array, compared with another array's or
 * with what a fill of `array` would make there. Both are read in chunks.
 */
#include "script/expect.h"

#include "own/fill.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 14 };

struct array_sides {
    const struct script_host *host;
    struct host_array left, right; /* right.of only if it is an array */
    bool is_array;
    struct fill fill;
    enum compare_op op;
    struct closeness close;
};

static bool is_fill(const char *word)
{
    for (const char *const *form = fill_forms; *form; form++) {
        const size_t n = strlen(*form);
        const bool open = (*form)[n - 1] == ':';
        if (open ? strncmp(word, *form, n) == 0 : strcmp(word, *form) == 0)
            return true;
    }
    return false;
}

int fill_looks(const char *word, struct err *e)
{
    struct fill f;
    if (!is_fill(word))
        return 0;
    const int rc = fill_parse(&f, word, ELEMENT_F64, e);
    fill_free(&f);
    return rc;
}

/* A fill is read and checked as `array` and `fill` do it. A formula sees the array's own index and
 * shape. */
static int open_fill(struct array_sides *s, const char *word, const char *name, struct err *e)
{
    const struct host_array *a = &s->left;
    struct array of = {.name = (char *)(uintptr_t)name, .type = a->type, .count = a->whole};
    struct slice part = {.of = &of, .type = a->type, .count = a->whole, .lo = a->lo,
                         .hi = a->lo + a->count - 1, .whole = a->count == a->whole};
    memcpy(of.dims, a->dims, sizeof of.dims);
    if (part.whole)
        memcpy(part.dims, a->dims, sizeof part.dims);
    if (fill_parse(&s->fill, word, a->type, e) != 0)
        return -1;
    if (s->fill.kind == FILL_FILE) {
        if (!s->host->open)
            return fail(e, "no file can be compared with here");
        s->fill.fd = s->host->open(s->host->self, s->fill.path, e);
        if (s->fill.fd < 0)
            return -1;
    }
    return fill_check(&s->fill, &part, e);
}

static int check_alike(const struct array_sides *s, const char *left, const char *right,
                       struct err *e)
{
    if (s->left.type != s->right.type)
        return fail(e, "%.60s is %s and %.60s %s; only elements of one type are compared", left,
                    element_names[s->left.type], right, element_names[s->right.type]);
    if (s->left.count != s->right.count)
        return fail(e, "%.60s has %llu elements and %.60s %llu; take as many of both, as in x[0..9]",
                    left, (unsigned long long)s->left.count, right,
                    (unsigned long long)s->right.count);
    return 0;
}

static bool differs(const struct array_sides *s, const unsigned char *found,
                    const unsigned char *wanted)
{
    const enum element t = s->left.type;
    const int order = element_order(t, found, wanted);
    if (order == 0)
        return false;
    if (s->op != OP_NEAR || order == 2)
        return true;
    struct closeness c = s->close;
    const double off = element_distance(t, found, wanted);
    double size = element_real(t, wanted);
    size = size < 0 ? -size : size;
    return !(off - off == 0 && off <= c.atol + c.rtol * size);
}

static int read_chunk(struct script *script, struct array_sides *s, uint64_t first, uint64_t n,
                      unsigned char *found, unsigned char *wanted, struct err *e)
{
    const struct script_host *h = s->host;
    if (h->goes_on && h->goes_on(h->self, e) != 0)
        return -1;
    if (h->elements(h->self, &s->left, first, n, found, e) != 0)
        return -1;
    return s->is_array ? h->elements(h->self, &s->right, first, n, wanted, e)
                       : fill_take(&s->fill, script->host.seed, s->left.lo + first, first, n, wanted,
                                   e);
}

static void note_first(const struct array_sides *s, uint64_t index, const unsigned char *found,
                       const unsigned char *wanted, struct expected *v)
{
    char text[NUM_TEXT];
    v->has_index = true;
    v->index = s->left.lo + index;
    buf_puts(&v->found, element_text(s->left.type, found, text));
    buf_puts(&v->wanted, element_text(s->left.type, wanted, text));
}

static int compare(struct script *script, struct array_sides *s, struct expected *v, struct err *e)
{
    const size_t size = element_size(s->left.type);
    unsigned char *room = malloc(2 * CHUNK * size);
    if (!room)
        return fail_memory(e);
    int rc = 0;
    v->count = s->left.count;
    for (uint64_t done = 0; rc == 0 && done < v->count; done += CHUNK) {
        const uint64_t n = v->count - done < CHUNK ? v->count - done : CHUNK;
        unsigned char *wanted = room + CHUNK * size;
        rc = read_chunk(script, s, done, n, room, wanted, e);
        for (uint64_t i = 0; rc == 0 && i < n; i++)
            if (differs(s, room + i * size, wanted + i * size) && v->differ++ == 0)
                note_first(s, done + i, room + i * size, wanted + i * size, v);
    }
    free(room);
    return rc;
}

static int judge_arrays(struct script_reading *r, struct array_sides *s, const char *right,
                        struct expected *v)
{
    if (expect_options(r, s->op, &s->close, v) != 0 || compare(r->script, s, v, r->e) != 0)
        return -1;
    if (s->op == OP_NEAR)
        expected_within(&s->close, v);
    v->ok = (v->differ == 0) == (s->op != OP_UNEQUAL);
    if (v->ok || s->op == OP_UNEQUAL) {
        v->has_index = false;
        buf_clear(&v->found);
        buf_clear(&v->wanted);
        buf_printf(&v->found, v->differ ? "other elements" : "the same elements");
        buf_puts(&v->wanted, right);
    }
    return 0;
}

int expect_array(struct script_reading *r, const char *left, enum compare_op op, struct expected *v)
{
    struct script *script = r->script;
    struct array_sides s = {.host = &script->host, .op = op, .fill.fd = -1};
    struct buf word = {0};
    struct value known = {.type = VALUE_NONE};
    struct err ignored = {0}, why = {0};
    reading_skip(r);
    const bool quoted = reading_quoted(r);
    if (!s.host->array || quoted || reading_word(r, &word) != 0) {
        buf_free(&word);
        return 1;
    }
    const char *right = buf_text(&word);
    const bool fills = is_fill(right), there = s.host->array(s.host->self, left, &s.left, &why) == 0;
    s.is_array = !fills && s.host->array(s.host->self, right, &s.right, &ignored) == 0;
    const bool of_object = !fills && (s.left.one || !there ||
                           (s.left.count != 1 && object_find(script, left, strlen(left), &known,
                                                             &ignored) == 0));
    value_free(&known);
    int rc = 1;
    if (fills && !there)
        rc = fail(r->e, "%s", why.text);
    else if (fills)
        rc = open_fill(&s, right, left, r->e);
    else if (s.is_array && there && !s.right.one && !of_object)
        rc = check_alike(&s, left, right, r->e);
    if (rc == 0)
        rc = judge_arrays(r, &s, right, v);
    if (fills)
        fill_free(&s.fill);
    buf_free(&word);
    return rc;
}
