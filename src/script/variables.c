/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variables, the arguments of the script, and putting them into a text.
 */
#include "script/script.h"

#include "base/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES_MOST = 10000, NAME_MOST = 64, TEXT_MOST = 1 << 20 };

static struct script_variable *named(const struct script *s, const char *name, size_t n)
{
    for (unsigned i = 0; i < s->variable_count; i++)
        if (strlen(s->variables[i].name) == n && memcmp(s->variables[i].name, name, n) == 0)
            return &s->variables[i];
    return NULL;
}

/* What `let` may not make: a word that means something in an expression. */
static int check_name(const char *name, struct err *e)
{
    struct value v;
    size_t n = 0;
    while (in_word(name[n]))
        n++;
    if (n && !name[strspn(name, "0123456789")])
        return fail(e, "`%.60s` is not a name: $%.60s is an argument of the script", name, name);
    if (!n || name[n] || is_digit(name[0]))
        return fail(e, "a variable can't be called `%.60s`: write letters, digits and _", name);
    if (n >= NAME_MOST)
        return fail(e, "a name has at most %d letters", NAME_MOST - 1);
    return value_word(name, &v) ? fail(e, "`%s` is a value; choose another name", name) : 0;
}

int script_set(struct script *s, const char *name, struct value *v, struct err *e)
{
    struct script_variable *known = named(s, name, strlen(name));
    if (check_name(name, e) != 0) {
        value_free(v);
        return -1;
    }
    if (v->text.len > TEXT_MOST) {
        value_free(v);
        return fail_limit(e, "$%s would have more than 1 MiB, and no variable has more", name);
    }
    if (known) {
        value_free(&known->value);
        known->value = *v;
        return 0;
    }
    char *copy = strdup(name);
    struct script_variable *all = NULL;
    if (s->variable_count < VARIABLES_MOST)
        all = realloc(s->variables, (s->variable_count + 1) * sizeof *all);
    if (all)
        s->variables = all;
    if (!all || !copy) {
        value_free(v);
        free(copy);
        return s->variable_count < VARIABLES_MOST
                   ? fail_memory(e) : fail(e, "a script has at most %d variables", VARIABLES_MOST);
    }
    s->variables[s->variable_count++] = (struct script_variable){copy, *v};
    return 0;
}

/* The value of $3. */
static const struct value *argument(const struct script *s, const char *digits, size_t n,
                                    struct value *room, struct err *e)
{
    unsigned k = 0;
    size_t read = 0;
    for (; read < n && is_digit(digits[read]); read++)
        k = k < 1000000 ? 10 * k + (unsigned)(digits[read] - '0') : k;
    if (read < n) {
        fail(e, "there is no ${%.*s}: a name does not begin with a digit", n < 60 ? (int)n : 60, digits);
        return NULL;
    }
    if (k == 0) {
        fail(e, "there is no $0: the first argument of a script is $1");
        return NULL;
    }
    if (s->dry) {
        *room = (struct value){.type = VALUE_ANY};
        return room;
    }
    if (k > s->argument_count) {
        if (s->argument_count)
            fail(e, "there is no $%u: the script has %u argument%s", k, s->argument_count,
                 s->argument_count == 1 ? "" : "s");
        else
            fail(e, "there is no $%u: the script has no arguments. Write them behind --, as in "
                 "cudalab hw.lab -- 5 foo", k);
        return NULL;
    }
    struct err ignored;
    const char *text = s->arguments[k - 1];
    *room = (struct value){.type = VALUE_WHOLE};
    if (num_looks(text)) {
        if (num_int(text, INT64_MIN, INT64_MAX, &room->whole, &ignored) == 0)
            return room;
        room->type = VALUE_REAL;
        if (num_real(text, &room->real, &ignored) == 0)
            return room;
    }
    room->type = VALUE_TEXT;
    buf_puts(&room->text, text);
    return room;
}

const struct value *script_get(const struct script *s, const char *name, size_t n,
                               struct value *room, struct err *e)
{
    char word[NAME_MOST];
    struct near near = {.word = word};
    const struct script_variable *v = named(s, name, n);
    if (n == 1 && name[0] == '#') {
        *room = (struct value){.type = s->dry ? VALUE_ANY : VALUE_WHOLE,
                               .whole = s->argument_count};
        return room;
    }
    if (n && is_digit(name[0]))
        return argument(s, name, n, room, e);
    if (v)
        return &v->value;
    snprintf(word, sizeof word, "%.*s", n < NAME_MOST ? (int)n : NAME_MOST - 1, name);
    for (unsigned i = 0; i < s->variable_count; i++)
        near_try(&near, s->variables[i].name);
    if (near.best)
        fail(e, "there is no variable $%s: did you mean $%s?", word, near.best);
    else
        fail(e, "there is no variable $%s; `let %s = VALUE` makes it", word, word);
    return NULL;
}

size_t script_name(const char *text, size_t n, bool *braces)
{
    size_t k = 0;
    *braces = n && text[0] == '{';
    if (*braces) {
        while (1 + k < n && (in_word(text[1 + k]) || text[1 + k] == '#'))
            k++;
        return 1 + k < n && text[1 + k] == '}' ? k : 0;
    }
    if (n && text[0] == '#')
        return 1;
    if (n && is_digit(text[0])) { /* $12 is the argument 12: ${1}2 is another thing */
        while (k < n && is_digit(text[k]))
            k++;
        return k;
    }
    while (k < n && in_word(text[k]))
        k++;
    return k;
}

bool script_expands(const char *text)
{
    return strchr(text, '$') != NULL;
}

int script_put(const struct script *s, const char *text, size_t n, struct buf *out, struct err *e)
{
    bool braces = false;
    const size_t name = n && text[0] == '$' ? script_name(text + 1, n - 1, &braces) : 0;
    struct value room = {.type = VALUE_NONE};
    if (!name)
        return 0;
    const struct value *v = script_get(s, text + 1 + braces, name, &room, e);
    if (v)
        value_put(v, out);
    value_free(&room);
    if (v && out->len > TEXT_MOST)
        fail_limit(e, "with its variables, this line would have more than 1 MiB");
    else if (v)
        return (int)(1 + name + 2 * braces);
    e->column = 1;
    return -1;
}

int script_expand(const struct script *s, const char *text, size_t n, struct buf *out,
                  struct err *e)
{
    char quote = 0;
    for (size_t i = 0; i < n; i++) {
        const char c = text[i];
        const int put = quote != '\'' ? script_put(s, text + i, n - i, out, e) : 0;
        if (put < 0) {
            e->column += (int)i;
            return -1;
        }
        if (put > 0) {
            i += (size_t)put - 1;
        } else if (c == '\\' && i + 1 < n && text[i + 1] == '$' && quote != '\'') {
            buf_putc(out, '$');
            i++;
        } else if (c == '\\' && i + 1 < n && quote == '"') {
            buf_add(out, text + i, 2);
            i++;
        } else {
            quote = quote ? (c == quote ? 0 : quote) : c == '"' || c == '\'' ? c : 0;
            buf_putc(out, c);
        }
    }
    return out->failed ? fail_memory(e) : 0;
}

int script_let(struct script *s, const char *text, const struct script_variable **made,
               struct err *e)
{
    struct script_reading r = {.script = s, .text = text, .e = e};
    char name[NAME_MOST + 1];
    reading_skip(&r);
    r.at += text[r.at] == '$'; /* it is plain what is meant */
    size_t n = 0;
    while (text[r.at + n] && !strchr(" \t=", text[r.at + n]))
        n++;
    snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : NAME_MOST, text + r.at);
    r.at += n;
    reading_skip(&r);
    if (!name[0])
        return fail(e, "let needs a name and a value, as in let n = 2^20");
    if (check_name(name, e) != 0)
        return -1;
    if (text[r.at] != '=' || text[r.at + 1] == '=')
        return fail(e, "let needs a = behind the name, as in let %.40s = 2^20", name);
    r.at++;
    struct value v = {.type = VALUE_NONE};
    if (reading_value(&r, &v) != 0 || reading_ends(&r) != 0) {
        value_free(&v);
        return -1;
    }
    if (script_set(s, name, &v, e) != 0)
        return -1;
    if (made)
        *made = named(s, name, strlen(name));
    return 0;
}
