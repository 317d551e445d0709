/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The language of scripts as commands: let, expect, hint, and the words that make blocks. What they
 * mean is in script/. Here they get a line in the help, and what they found is told.
 */
#include "repl/commands.h"
#include "repl/screen.h"
#include "repl/scripting.h"
#include "text/explain.h"
#include "text/topics.h"

#include <stdio.h>
#include <string.h>

#define HELP "help" /* its links lead to texts that are only known when it runs */
#define TEXT BIND(struct scripting_options, text), .type = ARG_REST

/* ---- let --------------------------------------------------------------------------------- */

static void value_json(const struct value *v, const char *key, struct json *j)
{
    switch (v->type) {
    case VALUE_ANY:
    case VALUE_NONE: json_null(j, key); break;
    case VALUE_WHOLE: json_int(j, key, v->whole); break;
    case VALUE_REAL: json_f64(j, key, v->real); break;
    case VALUE_TRUTH: json_bool(j, key, v->whole != 0); break;
    case VALUE_TEXT: json_bytes(j, key, buf_text(&v->text), v->text.len); break;
    case VALUE_JSON: json_raw(j, key, buf_text(&v->text), v->text.len); break;
    }
}

static void say_variable(const struct script_variable *v, struct report *r)
{
    struct buf value = {0};
    value_put(&v->value, &value);
    say(r, "%s = %s\n", v->name, buf_text(&value));
    buf_free(&value);
}

static int list_variables(const struct script *s, struct report *r)
{
    json_object(&r->result, "variables");
    for (unsigned i = 0; i < s->variable_count; i++) {
        say_variable(&s->variables[i], r);
        value_json(&s->variables[i].value, s->variables[i].name, &r->result);
    }
    json_end_object(&r->result);
    if (!s->variable_count)
        say(r, "no variables; `let n = 2^20` makes one\n");
    return 0;
}

static int run_let(struct session *session, const void *given, struct report *r)
{
    const struct scripting_options *o = given;
    struct shell *sh = shell_of(session);
    const struct script_variable *made = NULL;
    struct buf value = {0};
    struct err e = {0};
    if (!o->text)
        return list_variables(&sh->script, r);
    if (script_let(&sh->script, o->text, &made, &e) != 0) {
        e.column = 0; /* it counts in a part of the line */
        return report_fail_err(r, &e);
    }
    json_text(&r->result, "name", made->name);
    value_json(&made->value, "value", &r->result);
    value_put(&made->value, &value);
    screen_tell(sh, "%s is %s", made->name, buf_text(&value));
    buf_free(&value);
    return 0;
}

const struct command command_let = {
    .name = "let", .kind = CLASS_SESSION, .summary = "give a value a name, for $NAME",
    .operands = (const struct arg_spec[]){
        {.name = "NAME=VALUE", TEXT,
         .help = "the name and its value, as in n = 2^20; all variables if not given"}, {0}},
    .size = sizeof(struct scripting_options), .never_inside = true, .run = run_let};

/* ---- expect ------------------------------------------------------------------------------ */

/* A number as it stands, else a text. */
static void side_json(const struct buf *side, const char *key, struct json *j)
{
    struct value v;
    struct err ignored;
    const char *text = buf_text(side);
    const struct span json = {text, side->len};
    const bool number = side->len && (is_digit(text[0]) || (text[0] == '-' && is_digit(text[1]))) &&
                        text[strspn(text, "0123456789.eE+-")] == '\0';
    if (number && value_of_json(json, &v, &ignored) == 0) {
        value_json(&v, key, j);
        value_free(&v);
    } else
        json_bytes(j, key, text, side->len);
}

static void expected_json(const struct expected *v, struct json *j)
{
    json_bool(j, "ok", v->ok);
    json_text(j, "left", v->left);
    json_text(j, "op", v->op);
    side_json(&v->wanted, "wanted", j);
    side_json(&v->found, "found", j);
    if (v->within.len)
        json_text(j, "within", buf_text(&v->within));
    if (v->has_index) {
        json_uint(j, "index", v->index);
        json_uint(j, "differ", v->differ);
        json_uint(j, "count", v->count);
    }
    if (v->by)
        json_text(j, "by", v->by);
    if (v->factor > 0 && v->factor < 1e300)
        json_f64(j, "factor", v->factor);
    if (v->hint.len && !v->ok)
        json_text(j, "hint", buf_text(&v->hint));
}

/* The first sentence of the help text: it says what is counted, or what the fault is. */
static bool first_sentence(const char *word, char topic[TOPIC_NAME], struct buf *out)
{
    static const char link[] = " (" HELP " ";
    size_t size;
    const char *text = topic_find(word, topic) ? help_section(topic, NULL, NULL, &size) : NULL;
    bool ended = false;
    for (size_t i = 0; text && i < size && !ended; i++) {
        if (strncmp(text + i, link, strlen(link)) == 0) /* the reader gets one link, to this text */
            i += strcspn(text + i, ")") + 1;
        const bool last = i + 1 == size || text[i + 1] == ' ' || text[i + 1] == '\n';
        ended = text[i] == '.' && last;
        if (text[i] != '\n' || out->len)
            buf_putc(out, text[i] == '\n' ? ' ' : text[i]);
    }
    return ended;
}

static void say_why(const struct expected *v, struct report *r)
{
    char topic[TOPIC_NAME];
    struct buf sentence = {0};
    if (v->topic[0] && first_sentence(v->topic, topic, &sentence)) {
        buf_printf(&r->details, "%s (%s %s)\n", buf_text(&sentence), HELP, topic);
        json_text(&r->result, "why", buf_text(&sentence));
    }
    if (v->hint.len)
        buf_printf(&r->details, "Hint: %s\n", buf_text(&v->hint));
    buf_free(&sentence);
}

static int run_expect(struct session *session, const void *given, struct report *r)
{
    const struct scripting_options *o = given;
    struct shell *sh = shell_of(session);
    struct expected v;
    struct buf text = {0};
    struct err e = {0};
    sh->script.host.seed = (uint64_t)session->settings.seed;
    if (script_expect(&sh->script, o->text ? o->text : "", &v, &e) != 0) {
        e.column = 0;
        return report_fail_err(r, &e);
    }
    script_judged(&sh->script, &v);
    expected_json(&v, &r->result);
    expected_say(&v, &text);
    if (v.ok) {
        screen_tell(sh, "as expected: %s", buf_text(&text));
    } else {
        say_why(&v, r);
        report_fail(r, "%s", buf_text(&text));
        r->cause = CAUSE_CHECK;
    }
    buf_free(&text);
    const bool ok = v.ok;
    expected_free(&v);
    return ok ? 0 : -1;
}

const struct command command_expect = {
    .name = "expect", .kind = CLASS_SESSION, .summary = "check what the last command found",
    .operands = (const struct arg_spec[]){
        {.name = "CONDITION", TEXT, .example = "area ~ 24 rtol 1e-4",
         .help = "what must hold, as in area ~ 24, faults == none or x == iota; a hint in quotes "
                 "may follow"}, {0}},
    .size = sizeof(struct scripting_options), .never_inside = true, .run = run_expect};

static int run_hint(struct session *session, const void *given, struct report *r)
{
    const struct scripting_options *o = given;
    struct err e = {0};
    if (script_hint(&shell_of(session)->script, o->text ? o->text : "", &e) == 0)
        return 0;
    e.column = 0;
    return report_fail_err(r, &e);
}

const struct command command_hint = {
    .name = "hint", .kind = CLASS_BLOCK, .summary = "what to tell if this testcase fails",
    .operands = (const struct arg_spec[]){
        {.name = "TEXT", TEXT, .example = "\"use a barrier\"", .help = "the hint, in quotes"}, {0}},
    .size = sizeof(struct scripting_options), .never_inside = true, .run = run_hint};

/* ---- blocks ------------------------------------------------------------------------------ */

/* Blocks are taken before a command is looked up. These come here by an alias. */
static int run_block_word(struct session *session, const void *given, struct report *r)
{
    (void)session;
    (void)given;
    return report_fail(r, "blocks can't be begun or ended by an alias: write the word itself");
}

#define BLOCK_WORD .size = sizeof(struct scripting_options), \
    .never_inside = true, .run = run_block_word

const struct command command_if = {
    .name = "if", .kind = CLASS_SESSION, .summary = "run the lines up to `end` if a condition holds",
    .operands = (const struct arg_spec[]){
        {.name = "CONDITION", TEXT, .example = "$n > 100",
         .help = "as after expect; `not` before it turns it round"}, {0}}, BLOCK_WORD};

const struct command command_else = {
    .name = "else", .kind = CLASS_BLOCK, .summary = "what an `if` runs when its condition does not hold",
    .operands = (const struct arg_spec[]){
        {.name = "IF", TEXT, .help = "`else if CONDITION` asks again"}, {0}}, BLOCK_WORD};

const struct command command_repeat = {
    .name = "repeat", .kind = CLASS_SESSION, .summary = "run the lines up to `end` several times",
    .operands = (const struct arg_spec[]){
        {.name = "TIMES", TEXT, .example = "i = 1..10",
         .help = "how many times, or a variable and its first and last value"}, {0}}, BLOCK_WORD};

const struct command command_testcase = {
    .name = "testcase", .kind = CLASS_SESSION, .summary = "the lines up to `end` are one test, worth points",
    .operands = (const struct arg_spec[]){
        {.name = "NAME", TEXT, .example = "\"sizes\" points 2",
         .help = "its name in quotes; then points N, hidden and needs \"OTHER\", each if wanted"},
        {0}}, BLOCK_WORD};

const struct command command_end = {
    .name = "end", .kind = CLASS_BLOCK, .summary = "end the block of if, repeat or testcase", BLOCK_WORD};
