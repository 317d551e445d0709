/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths of the last command's object. A name is looked up in `result` first, then at the top. What
 * only a launch has, as counters and faults, is of the last command that launched something: a
 * `print` between the two does not hide it. A name that is in no object may be an array.
 */
#include "script/script.h"

#include "base/json-find.h"
#include "base/near.h"

#include <stdio.h>
#include <string.h>

enum { KEY_MOST = 200 };

static struct span span_of(const struct buf *b)
{
    return (struct span){buf_text(b), b->len};
}

const char *const object_keys[] = {"kind", "variant", "schedule", "kernel", "name", NULL};

/* ---- one step ---------------------------------------------------------------------------- */

/* The element of a list that `[key]` names: by its number, or the object that has this text as its
 * variant, kernel or the like. */
static bool step_into(struct span list, struct span key, struct span *value)
{
    struct buf wanted = {0};
    struct span member;
    bool found = false;
    if (key.n && strspn(key.at, "0123456789") >= key.n)
        return json_find(list, key, value);
    buf_putc(&wanted, '"');
    buf_add(&wanted, key.at, key.n);
    buf_putc(&wanted, '"');
    for (unsigned k = 0; !found && json_element(list, k, value); k++)
        for (size_t i = 0; !found && object_keys[i]; i++)
            found = json_find(*value, (struct span){object_keys[i], strlen(object_keys[i])},
                              &member) &&
                    same_text(member, buf_text(&wanted));
    buf_free(&wanted);
    return found;
}

/* How far a step reaches: up to the next dot, or an index in its brackets. */
static struct span next_step(struct span *path, bool *index)
{
    struct span step;
    *index = path->n && path->at[0] == '[';
    if (*index) {
        const char *end = memchr(path->at, ']', path->n);
        const size_t n = end ? (size_t)(end - path->at) : path->n;
        step = (struct span){path->at + 1, n - 1};
        path->at += n + (end != NULL);
        path->n -= n + (end != NULL);
    } else {
        size_t n = 0;
        while (n < path->n && path->at[n] != '.' && path->at[n] != '[')
            n++;
        step = (struct span){path->at, n};
        path->at += n;
        path->n -= n;
    }
    const bool dot = path->n && path->at[0] == '.';
    path->at += dot;
    path->n -= dot;
    return step;
}

/* *left gets the part of the path that was not found. */
static bool walk(struct span from, struct span path, struct span *value, struct span *left)
{
    bool index;
    *value = from;
    while (path.n) {
        *left = path;
        const struct span step = next_step(&path, &index);
        if (!step.n || !(index ? step_into(*value, step, value) : json_find(*value, step, value)))
            return false;
    }
    return true;
}

/* In `result` first, then at the top. */
static bool find_in(const struct buf *object, struct span path, struct span *value)
{
    struct span result, left;
    if (!object->len)
        return false;
    return (json_find(span_of(object), SPAN("result"), &result) &&
            walk(result, path, value, &left)) ||
           walk(span_of(object), path, value, &left);
}

/* ---- what is not there ------------------------------------------------------------------- */

static void try_keys(struct span object, struct near *n)
{
    struct span name, value;
    char key[KEY_MOST];
    for (unsigned k = 0; json_member(object, k, &name, &value); k++) {
        snprintf(key, sizeof key, "%.*s", name.n < KEY_MOST ? (int)name.n : KEY_MOST - 1, name.at);
        near_try(n, key);
    }
}

/* The names near to the step of the path that was not found, where it was looked for. */
static void try_step(const struct buf *object, struct span path, struct near *n, char word[KEY_MOST])
{
    struct span value, result, left = path;
    bool index;
    if (!object->len || walk(span_of(object), path, &value, &left))
        return;
    const bool first = left.at == path.at;
    struct span at = left;
    const struct span step = next_step(&at, &index);
    snprintf(word, KEY_MOST, "%.*s", step.n < KEY_MOST ? (int)step.n : KEY_MOST - 1, step.at);
    n->word = word;
    struct span inside = span_of(object), ignored;
    if (!first) {
        const struct span before = {path.at, (size_t)(left.at - path.at)};
        walk(span_of(object), before, &inside, &ignored);
    }
    try_keys(inside, n);
    if (first && json_find(span_of(object), SPAN("result"), &result))
        try_keys(result, n);
    struct span element, name;
    for (unsigned k = 0; index && json_element(inside, k, &element); k++) {
        char key[KEY_MOST] = "";
        if (json_find(element, SPAN("variant"), &name) && name.n > 2)
            snprintf(key, sizeof key, "%.*s", name.n < KEY_MOST ? (int)name.n - 2 : KEY_MOST - 1,
                     name.at + 1);
        if (key[0])
            near_try(n, key);
    }
}

bool object_failed(const struct script *s, struct buf *why)
{
    struct span status, message;
    if (!s->object.len || !json_find(span_of(&s->object), SPAN("status"), &status) ||
        same_text(status, "\"ok\""))
        return false;
    if (json_find(span_of(&s->object), SPAN("faults.0.kind"), &message)) {
        json_string(message, why);
        buf_puts(why, ": ");
        if (json_find(span_of(&s->object), SPAN("faults.0.message"), &message))
            json_string(message, why);
    } else if (json_find(span_of(&s->object), SPAN("error.message"), &message))
        json_string(message, why);
    return true;
}

/* Is it a member of this member? */
static bool is_within(const struct buf *object, const char *member, struct span name)
{
    struct span inside, value;
    return object->len && json_at(span_of(object), member, &inside) &&
           json_find(inside, name, &value);
}

static int not_found(struct script *s, struct span path, struct err *e)
{
    char word[KEY_MOST] = "";
    struct near n = {.word = word};
    try_step(&s->object, path, &n, word);
    if (!n.best)
        try_step(&s->launched, path, &n, word);
    for (unsigned i = 0; !n.best && word[0] && i < s->variable_count; i++)
        if (same_text(path, s->variables[i].name)) {
            fail(e, "`%s` is a variable: write $%s", word, word);
            return 1;
        }
    if (is_within(&s->launched, "counters", path) || is_within(&s->launched, "time", path)) {
        fail(e, "the last command has no `%.*s`: did you mean %s.%.*s?", (int)path.n, path.at,
             is_within(&s->launched, "time", path) ? "time" : "counters", (int)path.n, path.at);
        return 1;
    }
    if (!s->object.len)
        fail(e, "there is no `%.*s`: no command has run yet", (int)path.n, path.at);
    else if (n.best)
        fail(e, "the last command has no `%.*s`: did you mean %s?", (int)path.n, path.at, n.best);
    else
        fail(e, "the last command has no `%.*s`, and there is no such array; --json shows what it "
             "has", (int)path.n, path.at);
    return 1;
}

/* ---- finding ----------------------------------------------------------------------------- */

/* An element of an array, or an array of one element. */
static int find_element(struct script *s, const char *path, struct value *v, struct err *e)
{
    struct host_array a;
    struct err ignored;
    unsigned char bytes[ELEMENT_BYTES];
    if (!s->host.array || s->host.array(s->host.self, path, &a, &ignored) != 0)
        return 1;
    if (a.count != 1 || (s->host.index_needed && !a.one))
        return fail(e, "`%.60s` has %llu element%s: compare it with an array or with value:5, or "
                    "take one element, as in %.40s[0]", path, (unsigned long long)a.count, a.count == 1 ? "" : "s",
                    strchr(path, '[') ? "x" : path);
    if (s->host.elements(s->host.self, &a, 0, 1, bytes, e) != 0)
        return -1;
    *v = (struct value){.found = true, .type = VALUE_REAL, .real = element_real(a.type, bytes)};
    const uint64_t whole = element_kind(a.type) == KIND_FLOAT ? 0 : element_whole(a.type, bytes);
    if (element_kind(a.type) == KIND_SIGNED || (element_kind(a.type) == KIND_UNSIGNED &&
                                                whole <= INT64_MAX)) {
        v->type = VALUE_WHOLE;
        v->whole = (int64_t)whole;
    }
    return 0;
}

int object_find(struct script *s, const char *path, size_t n, struct value *v, struct err *e)
{
    const struct span wanted = {path, n};
    struct span value;
    if (s->dry) {
        *v = (struct value){.type = VALUE_ANY};
        return 0;
    }
    if (n >= KEY_MOST)
        return fail(e, "a path has at most %d letters", KEY_MOST - 1);
    if (find_in(&s->object, wanted, &value))
        return value_of_json(value, v, e);
    const int rc = find_element(s, path, v, e);
    if (rc <= 0)
        return rc;
    if (find_in(&s->launched, wanted, &value))
        return value_of_json(value, v, e);
    return not_found(s, wanted, e);
}
