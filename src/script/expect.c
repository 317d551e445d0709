/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `expect LEFT OP RIGHT`: reads it and judges it at once. What is on the left decides how the right
 * side is read: next to a number it is an expression, next to a text or a list it is a word, next to
 * an array it is what `array` takes as FILL. The shape of an `if` is the same.
 */
#include "script/expect.h"

#include "base/json-find.h"
#include "base/near.h"
#include "base/rounding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- operators --------------------------------------------------------------------------- */

static const struct { const char *text; enum compare_op op; } operators[] = {
    {"==", OP_EQUAL}, {"!=", OP_UNEQUAL}, {"<=", OP_AT_MOST}, {">=", OP_AT_LEAST}, {"<", OP_LESS},
    {">", OP_MORE}, {"~", OP_NEAR}, {"contains", OP_CONTAINS}, {"has", OP_HAS}};

static const struct { const char *typed, *right; } foreign[] = {
    {"===", "=="}, {"=~", "contains"}, {"~=", "~"}, {"=", "=="}, {"!==", "!="}, {"<>", "!="},
    {"is", "=="}, {"equals", "=="}, {"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="},
    {"gt", ">"}, {"ge", ">="}, {"approx", "~"}, {"near", "~"}, {"include", "has"},
    {"includes", "has"}, {"contain", "contains"}};

static size_t operator_length(const char *text)
{
    size_t n = strspn(text, "=!<>~");
    while (!strspn(text, "=!<>~") && (is_letter(text[n]) || (n && text[n] == '-')))
        n++;
    return n;
}

/* OP_NONE: the text ends here. -1: what stands here is not an operator. */
static int read_operator(struct script_reading *r, enum compare_op *op, char name[EXPECTED_OP])
{
    struct near near = {.word = name};
    reading_skip(r);
    const size_t at = r->at, n = operator_length(r->text + at);
    *op = OP_NONE;
    name[0] = '\0';
    if (!r->text[at] || reading_quoted(r))
        return 0;
    if (!n || n >= EXPECTED_OP)
        return fail_at(r->e, 0, (int)at + 1, "an operator is missing before `%.40s`: write one of "
                       "== != < <= > >= ~ contains has", r->text + at);
    snprintf(name, EXPECTED_OP, "%.*s", (int)n, r->text + at);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strcmp(operators[i].text, name) == 0) {
            *op = operators[i].op;
            r->at += n;
            return 0;
        }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (strcmp(foreign[i].typed, name) == 0)
            return fail_at(r->e, 0, (int)at + 1, "`%s` is not an operator: did you mean %s?", name,
                           foreign[i].right);
    near_try(&near, "contains");
    near_try(&near, "has");
    return near.best ? fail_at(r->e, 0, (int)at + 1, "`%s` is not an operator: did you mean %s?", name,
                               near.best)
                     : fail_at(r->e, 0, (int)at + 1, "`%s` is not an operator: write one of == != < <= > "
                               ">= ~ contains has", name);
}

/* ---- what follows the right side ----------------------------------------------------------- */

static int read_tolerance(struct script_reading *r, double *out)
{
    struct value v;
    const size_t at = r->at;
    if (reading_value(r, &v) != 0)
        return -1;
    const bool fine = v.type == VALUE_ANY ||
                      (value_is_number(&v) && value_real(&v) >= 0 && is_finite(value_real(&v)));
    *out = value_real(&v);
    value_free(&v);
    return fine ? 0 : fail_at(r->e, 0, (int)at + 1, "a tolerance is a number of 0 or more");
}

int expect_options(struct script_reading *r, enum compare_op op, struct closeness *c,
                   struct expected *v)
{
    const struct closeness usual = {.rtol = 1e-5, .atol = 1e-8};
    *c = (struct closeness){.given = false};
    for (reading_skip(r); r->text[r->at]; reading_skip(r)) {
        const char *word = r->text + r->at;
        const size_t n = strcspn(word, " \t=");
        const bool rtol = n == 4 && strncmp(word, "rtol", 4) == 0;
        const bool atol = n == 4 && strncmp(word, "atol", 4) == 0;
        if (reading_quoted(r)) {
            if (v->hint.len)
                return fail_at(r->e, 0, (int)r->at + 1, "one hint is enough");
            if (reading_word(r, &v->hint) != 0)
                return -1;
        } else if (!rtol && !atol) {
            return reading_ends(r);
        } else if (op != OP_NEAR) {
            return fail_at(r->e, 0, (int)r->at + 1, "a tolerance needs the operator ~, as in expect "
                           "area ~ 24 rtol 1e-4");
        } else {
            r->at += 4 + (word[4] == '=');
            if (read_tolerance(r, rtol ? &c->rtol : &c->atol) != 0)
                return -1;
            c->given = true;
        }
    }
    if (!c->given)
        *c = usual;
    return 0;
}

bool is_close(double found, double wanted, const struct closeness *c)
{
    if (found == wanted)
        return true; /* equal infinities too */
    const double off = magnitude_of(found - wanted);
    return is_finite(off) && off <= c->atol + c->rtol * magnitude_of(wanted);
}

/* ---- comparing --------------------------------------------------------------------------- */

static bool ordered(enum compare_op op, int order, bool unordered)
{
    switch (op) {
    case OP_EQUAL: return !unordered && order == 0;
    case OP_UNEQUAL: return unordered || order != 0;
    case OP_LESS: return !unordered && order < 0;
    case OP_AT_MOST: return !unordered && order <= 0;
    case OP_MORE: return !unordered && order > 0;
    case OP_AT_LEAST: return !unordered && order >= 0;
    default: return false;
    }
}

static bool compare_numbers(enum compare_op op, const struct value *a, const struct value *b,
                            const struct closeness *c)
{
    const double x = value_real(a), y = value_real(b);
    if (op == OP_NEAR)
        return is_close(x, y, c);
    if (a->type == VALUE_REAL || b->type == VALUE_REAL)
        return ordered(op, (x > y) - (x < y), x != x || y != y);
    return ordered(op, (a->whole > b->whole) - (a->whole < b->whole), false);
}

/* What a list has: texts and numbers as they are, objects by their kind, variant or name. */
static void element_text_of(struct span element, struct buf *out)
{
    struct span value = element;
    for (size_t i = 0; begins(element, "{") && object_keys[i]; i++)
        if (json_find(element, (struct span){object_keys[i], strlen(object_keys[i])}, &value))
            break;
    if (begins(value, "\""))
        json_string(value, out);
    else
        buf_add(out, value.at, value.n);
}

/* A list as lines; an object as it stands. */
static void lines_of(const struct value *v, const char *between, struct buf *out)
{
    const struct span list = {buf_text(&v->text), v->text.len};
    struct span element;
    if (v->type != VALUE_JSON || !begins(list, "[")) {
        value_put(v, out);
        return;
    }
    for (unsigned k = 0; json_element(list, k, &element); k++) {
        buf_puts(out, k ? between : "");
        element_text_of(element, out);
    }
}

static bool list_has(const struct value *v, const char *wanted)
{
    const struct span list = {buf_text(&v->text), v->text.len};
    struct span element;
    struct value number;
    struct err ignored;
    double is, want;
    const bool numeric = num_looks(wanted) && num_real(wanted, &want, &ignored) == 0;
    bool has = false;
    for (unsigned k = 0; !has && json_element(list, k, &element); k++) {
        struct buf text = {0};
        element_text_of(element, &text);
        has = strcmp(buf_text(&text), wanted) == 0;
        if (!has && numeric && value_of_json(element, &number, &ignored) == 0) {
            is = value_real(&number);
            has = value_is_number(&number) && is == want;
            value_free(&number);
        }
        buf_free(&text);
    }
    return has;
}

/* The kinds of a list, as "race-shared, uninitialized", each one once. */
static void kinds_of(const struct value *v, struct buf *out)
{
    const struct span list = {buf_text(&v->text), v->text.len};
    struct span element, before;
    for (unsigned k = 0; json_element(list, k, &element); k++) {
        struct buf text = {0}, other = {0};
        bool again = false;
        element_text_of(element, &text);
        for (unsigned i = 0; !again && i < k && json_element(list, i, &before); i++) {
            buf_clear(&other);
            element_text_of(before, &other);
            again = strcmp(buf_text(&text), buf_text(&other)) == 0;
        }
        if (!again) {
            buf_puts(out, out->len ? ", " : "");
            buf_add(out, buf_text(&text), text.len);
        }
        buf_free(&text);
        buf_free(&other);
    }
    if (!out->len)
        buf_puts(out, "none");
}

/* ---- reading the right side ---------------------------------------------------------------- */

struct two_sides {
    struct value left, right;
    enum compare_op op;
    bool faults; /* the left side is the list of faults */
};

/* Nothing runs: the right side may be an expression or a word. */
static int read_any(struct script_reading *r, struct value *v)
{
    struct script_reading look = *r;
    struct err ignored = {0};
    look.e = &ignored;
    if (reading_value(&look, v) == 0) {
        reading_skip(&look);
        if (!look.text[look.at] || is_blank(look.text[look.at - 1])) {
            r->at = look.at;
            return 0;
        }
        value_free(v);
    }
    *v = (struct value){.type = VALUE_TEXT};
    if (strchr("$(0123456789.", r->text[r->at])) /* no word begins so */
        return reading_value(r, v);
    return reading_word(r, &v->text) != 0 ? -1 : fill_looks(buf_text(&v->text), r->e);
}

/* Next to a text or a list the right side is one word, unless it is an expression for sure. */
static int read_right(struct script_reading *r, struct two_sides *s)
{
    reading_skip(r);
    const char next = r->text[r->at];
    const bool word = s->left.type == VALUE_TEXT || s->left.type == VALUE_JSON ||
                      s->op == OP_CONTAINS || s->op == OP_HAS;
    if (!next)
        return fail_at(r->e, 0, (int)r->at + 1, "a value is missing behind the operator");
    if (s->left.type == VALUE_ANY && !word)
        return read_any(r, &s->right);
    if (!word)
        return reading_value(r, &s->right);
    s->right = (struct value){.type = VALUE_TEXT};
    return reading_word(r, &s->right.text);
}

static int check_kind(struct script_reading *r, const struct two_sides *s)
{
    const struct script_host *host = &r->script->host;
    const char *kind = buf_text(&s->right.text);
    if (!s->faults || !host->check_fault || strcmp(kind, "none") == 0)
        return 0;
    return host->check_fault(host->self, kind, r->e);
}

static int cant_compare(struct script_reading *r, const struct two_sides *s, const char *op)
{
    static const char *const names[] = {"nothing", "a number", "a number", "a text",
                                        "true or false", "a list", "any value"};
    return fail(r->e, "`%s` can't compare %s with %s", op, names[s->left.type],
                names[s->right.type]);
}

static int judge_list(struct script_reading *r, struct two_sides *s, struct expected *v)
{
    const char *wanted = buf_text(&s->right.text);
    if (check_kind(r, s) != 0)
        return -1;
    if (s->faults)
        kinds_of(&s->left, &v->found);
    else
        lines_of(&s->left, s->op == OP_CONTAINS ? "\n" : ", ", &v->found);
    buf_add(&v->wanted, wanted, s->right.text.len);
    if (s->op == OP_HAS)
        v->ok = list_has(&s->left, wanted);
    else if (s->op == OP_CONTAINS)
        v->ok = strstr(buf_text(&v->found), wanted) != NULL;
    else if (s->op == OP_EQUAL || s->op == OP_UNEQUAL) {
        const bool none = strcmp(wanted, "none") == 0 && !value_true(&s->left);
        v->ok = (none || strcmp(buf_text(&v->found), wanted) == 0) == (s->op == OP_EQUAL);
    } else
        return cant_compare(r, s, v->op);
    if (s->faults && !v->ok)
        snprintf(v->topic, sizeof v->topic, "%.*s",
                 (int)strcspn(strcmp(buf_text(&v->found), "none") == 0 ? wanted
                                                                       : buf_text(&v->found), ","),
                 strcmp(buf_text(&v->found), "none") == 0 ? wanted : buf_text(&v->found));
    return 0;
}

static int judge_text(struct script_reading *r, const struct two_sides *s, struct expected *v)
{
    const char *found = buf_text(&s->left.text), *wanted = buf_text(&s->right.text);
    if (s->op == OP_CONTAINS)
        v->ok = strstr(found, wanted) != NULL;
    else if (s->op == OP_NEAR || s->op == OP_HAS)
        return cant_compare(r, s, v->op);
    else
        v->ok = ordered(s->op, strcmp(found, wanted), false);
    buf_puts(&v->wanted, wanted);
    buf_puts(&v->found, found);
    return 0;
}

void expected_within(const struct closeness *c, struct expected *v)
{
    char number[NUM_TEXT];
    if (c->rtol != 0)
        buf_printf(&v->within, "rtol %s", num_f64(c->rtol, number));
    if (c->atol != 0)
        buf_printf(&v->within, "%satol %s", v->within.len ? ", " : "", num_f64(c->atol, number));
}

static int judge_values(struct script_reading *r, struct two_sides *s, struct closeness *c,
                        struct expected *v)
{
    if (s->left.type == VALUE_JSON)
        return judge_list(r, s, v);
    if (s->left.type == VALUE_TEXT && s->right.type == VALUE_TEXT)
        return judge_text(r, s, v);
    if (s->left.type == VALUE_ANY || s->right.type == VALUE_ANY) {
        v->ok = true;
        return s->right.type == VALUE_TEXT ? check_kind(r, s) : 0;
    }
    const bool numbers = value_is_number(&s->left) && value_is_number(&s->right);
    const bool alike = s->left.type == s->right.type && s->left.type != VALUE_TEXT;
    const bool nothing = s->left.type == VALUE_NONE || s->right.type == VALUE_NONE;
    const bool equality = s->op == OP_EQUAL || s->op == OP_UNEQUAL;
    if (s->op == OP_CONTAINS || s->op == OP_HAS)
        return fail(r->e, "`%s` looks into a text or a list, and the left side is neither", v->op);
    if (!numbers && !(equality && (alike || nothing)))
        return cant_compare(r, s, v->op);
    v->ok = numbers ? compare_numbers(s->op, &s->left, &s->right, c)
                    : (s->left.type == s->right.type && s->left.whole == s->right.whole) ==
                          (s->op == OP_EQUAL);
    value_put(&s->right, &v->wanted);
    value_put(&s->left, &v->found);
    if (s->op == OP_NEAR)
        expected_within(c, v);
    return 0;
}

/* ---- the left side ------------------------------------------------------------------------- */

/* The help text about what the left side counts. */
static void topic_of(const char *left, char topic[64])
{
    static const struct { const char *part, *topic; } topics[] = {
        {"conflicts", "bank"},      {"wavefronts", "bank"},      {"sectors", "coalescing"},
        {"divergent", "divergence"}, {"atomic", "atomics"},      {"registers", "register"},
        {"local_", "local"},        {"barriers", "barrier"},     {"shuffles", "shuffle"},
        {"_requests", "counter"},   {"warp_instructions", "counter"}};
    for (size_t i = 0; !topic[0] && i < sizeof topics / sizeof *topics; i++)
        if (strstr(left, topics[i].part))
            snprintf(topic, 64, "%s", topics[i].topic);
}

/* These say how a command ended. Who asks for them has seen it. Each command has a status, so that of
 * a later command says nothing about one that failed before. */
static bool is_about_end(const struct script *s, const char *left)
{
    struct buf why = {0};
    const bool failed = object_failed(s, &why);
    buf_free(&why);
    return strcmp(left, "status") == 0 ? failed
                                       : strcmp(left, "cause") == 0 || strncmp(left, "error", 5) == 0 ||
                                             strncmp(left, "faults", 6) == 0;
}

static void keep_left(const struct script_reading *r, size_t from, size_t to, struct expected *v)
{
    const struct span left = trim((struct span){r->text + from, to - from});
    const size_t most = sizeof v->left - 1;
    snprintf(v->left, sizeof v->left, "%.*s", (int)(left.n < most ? left.n : most), left.at);
}

/* There is no such value. After a command that failed the hand-in is wrong, else the script is. */
static int no_value(struct script_reading *r, struct expected *v)
{
    struct buf why = {0};
    const bool failed = object_failed(r->script, &why);
    if (!failed) {
        buf_free(&why);
        return -1;
    }
    v->ok = false;
    const struct span rest = trim((struct span){r->text + r->at, strlen(r->text + r->at)});
    buf_add(&v->wanted, rest.at, rest.n);
    if (!rest.n)
        buf_puts(&v->wanted, "a value");
    r->at += strlen(r->text + r->at);
    buf_puts(&v->found, "nothing, since the command failed");
    if (why.len)
        buf_printf(&v->found, ": %s", buf_text(&why));
    buf_free(&why);
    return 0;
}

/* Everything behind LEFT and OP. */
static int judge(struct script_reading *r, struct two_sides *s, struct expected *v)
{
    struct closeness c;
    if (s->op == OP_NONE) {
        v->ok = value_true(&s->left);
        value_put(&s->left, &v->found);
        buf_puts(&v->wanted, "true");
        return expect_options(r, s->op, &c, v);
    }
    s->faults = strcmp(v->left, "faults") == 0;
    if (read_right(r, s) != 0 || expect_options(r, s->op, &c, v) != 0)
        return -1;
    return judge_values(r, s, &c, v);
}

/* The left side as it stands, up to the operator, where it is a single name: it may be an array. */
static bool single_name(struct script_reading *r, char name[EXPECTED_LEFT])
{
    const char *from = r->text + r->at;
    size_t n = 0;
    while (in_word(from[n]) || from[n] == ':' || (n && strchr(".[]$", from[n]) && from[n]))
        n++;
    struct buf expanded = {0};
    struct err ignored;
    const bool fits = n && script_expand(r->script, from, n, &expanded, &ignored) == 0 &&
                      expanded.len < EXPECTED_LEFT;
    if (fits)
        snprintf(name, EXPECTED_LEFT, "%s", buf_text(&expanded));
    buf_free(&expanded);
    if (fits)
        r->at += n;
    return fits;
}

/* 1: it is no array that is compared. */
static int try_array(struct script_reading *r, struct expected *v)
{
    struct script_reading look = *r;
    struct err ignored = {0};
    char name[EXPECTED_LEFT], op_name[EXPECTED_OP];
    enum compare_op op;
    look.e = &ignored;
    if (!single_name(&look, name) || read_operator(&look, &op, op_name) != 0 ||
        (op != OP_EQUAL && op != OP_UNEQUAL && op != OP_NEAR))
        return 1;
    look.e = r->e;
    snprintf(v->left, sizeof v->left, "%s", name);
    snprintf(v->op, sizeof v->op, "%s", op_name);
    const int rc = expect_array(&look, name, op, v);
    if (rc <= 0)
        *r = look;
    return rc;
}

static int judge_all(struct script_reading *r, struct expected *v)
{
    struct two_sides s = {.op = OP_NONE};
    reading_skip(r);
    if (!r->text[r->at])
        return fail(r->e, "expect needs a condition, as in expect area ~ 24 rtol 1e-4");
    int rc = expect_variant(r, v);
    if (rc <= 0)
        return rc;
    rc = try_array(r, v);
    if (rc <= 0)
        return rc;
    const size_t from = r->at;
    rc = reading_value(r, &s.left);
    keep_left(r, from, r->at, v);
    v->about_end = is_about_end(r->script, v->left);
    if (rc > 0)
        return no_value(r, v);
    if (rc == 0)
        rc = read_operator(r, &s.op, v->op);
    if (rc == 0)
        rc = judge(r, &s, v);
    if (rc == 0 && !v->topic[0])
        topic_of(v->left, v->topic);
    value_free(&s.left);
    value_free(&s.right);
    return rc < 0 ? -1 : rc > 0 ? no_value(r, v) : 0;
}

int script_expect(struct script *s, const char *text, struct expected *v, struct err *e)
{
    struct script_reading r = {.script = s, .text = text, .e = e};
    *v = (struct expected){.ok = false};
    *e = (struct err){.line = 0};
    int rc = judge_all(&r, v);
    if (rc == 0 && (v->wanted.failed || v->found.failed || v->hint.failed))
        rc = fail_memory(e);
    if (rc != 0)
        expected_free(v);
    return rc == 0 ? 0 : -1;
}

int script_condition(struct script *s, const char *text, bool *holds, struct err *e)
{
    struct expected v;
    struct span rest = trim((struct span){text, strlen(text)}), after = rest;
    const bool turned = same_text(next_blank_word(&after), "not");
    char *own = strndup(turned ? after.at : rest.at, turned ? after.n : rest.n);
    if (!own)
        return fail_memory(e);
    const int rc = script_expect(s, own, &v, e);
    free(own);
    if (rc != 0) {
        e->column += e->column ? (int)((turned ? after.at : rest.at) - text) : 0;
        return -1;
    }
    *holds = v.ok != turned;
    expected_free(&v);
    return 0;
}

void expected_free(struct expected *v)
{
    buf_free(&v->wanted);
    buf_free(&v->found);
    buf_free(&v->within);
    buf_free(&v->hint);
}

/* ---- telling ------------------------------------------------------------------------------- */

enum { SHOWN_MOST = 160 };

/* A text of many lines or bytes is shown by its beginning. */
static void put_short(struct buf *out, const struct buf *text)
{
    size_t n = strcspn(buf_text(text), "\n");
    const bool cut = n < text->len || n > SHOWN_MOST;
    n = n > SHOWN_MOST ? SHOWN_MOST : n;
    while (n && cut && ((unsigned char)text->data[n] & 0xC0) == 0x80)
        n--;
    if (text->len)
        buf_add(out, buf_text(text), n);
    else
        buf_puts(out, "an empty text");
    buf_puts(out, cut ? "..." : "");
}

void expected_say(const struct expected *v, struct buf *out)
{
    const bool plain = !v->op[0] || v->by || v->has_index || strcmp(v->op, "==") == 0;
    buf_puts(out, v->left);
    if (v->has_index)
        buf_printf(out, ": %llu of %llu elements differ, first at [%llu]",
                   (unsigned long long)v->differ, (unsigned long long)v->count,
                   (unsigned long long)v->index);
    buf_printf(out, ": wanted %s%s", plain ? "" : v->op, plain ? "" : " ");
    put_short(out, &v->wanted);
    if (v->within.len)
        buf_printf(out, " (%s)", buf_text(&v->within));
    buf_puts(out, ", found ");
    put_short(out, &v->found);
    if (v->by)
        buf_printf(out, " (%s)", v->by);
}
