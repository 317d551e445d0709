/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Help: the list of commands from their table, texts from help/, a search through both, the
 * last explanation again, and completion as a command.
 */
#include "base/asset.h"
#include "base/near.h"
#include "repl/complete.h"
#include "repl/families.h"
#include "repl/settings.h"
#include "repl/shell.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *const class_titles[] = {
    [CLASS_LAB] = "Labs", [CLASS_KERNELS] = "Your own kernels", [CLASS_READING] = "Reading",
    [CLASS_SESSION] = "The session", [CLASS_HELP] = "Help"};

/* The topic that an asset is the text of: help/NAME.txt; false: it is none. */
static bool topic_of(const struct asset *a, char name[64])
{
    size_t n = strlen(a->name);
    if (strncmp(a->name, "help/", 5) != 0 || n < 10 || n - 9 >= 64 ||
        strcmp(a->name + n - 4, ".txt") != 0)
        return false;
    memcpy(name, a->name + 5, n - 9);
    name[n - 9] = '\0';
    return true;
}

/* ---- help ----------------------------------------------------------------------------- */

static void say_topics(struct shell *sh, struct report *r)
{
    struct buf names;
    char name[64];
    buf_init(&names);
    for (size_t i = 0; i < assets_count; i++)
        if (topic_of(&assets[i], name) && !command_exact(sh, name))
            buf_printf(&names, "%s%s", names.len ? " " : "", name);
    if (names.len) {
        say(r, "\nTopics\n  ");
        text_wrap(&r->screen, buf_text(&names), names.len, r->width, 2);
    }
    buf_free(&names);
}

static void say_all(struct shell *sh, struct report *r)
{
    for (int kind = CLASS_LAB; kind <= CLASS_HELP; kind++) {
        say(r, "%s%s\n", kind ? "\n" : "", class_titles[kind]);
        for (const struct command *const *c = sh->session.commands; *c; c++)
            if ((int)(*c)->kind == kind)
                say(r, "  %-12s %s\n", (*c)->name, (*c)->summary);
    }
    say_topics(sh, r);
    say(r, "\n`help COMMAND` tells more; `apropos WORD` searches; Tab completes.\n");
}

static bool say_prose(struct report *r, const char *topic)
{
    size_t n = 0;
    const char *text = help_section(topic, NULL, NULL, &n);
    if (text && n)
        text_wrap(&r->screen, text, n, r->width, 0);
    return text != NULL;
}

/* The variants by name, those that are wrong on purpose after the right ones. */
static void say_variants(const struct command *c, struct report *r)
{
    enum { MEANING = 17 };
    if (!c->lab || !c->lab->variants)
        return;
    for (int wrong = 0; wrong < 2; wrong++) {
        const char *title = wrong ? "\nwrong on purpose\n" : "\nvariants\n";
        for (const struct lab_variant *v = c->lab->variants; v->name; v++) {
            if ((v->mended_by != NULL) != wrong)
                continue;
            say(r, "%s  %-*s", title, MEANING - 2, v->name);
            text_wrap(&r->screen, v->summary, strlen(v->summary), r->width, MEANING);
            title = "";
        }
    }
}

static void say_command(const struct command *c, struct report *r)
{
    struct buf usage;
    buf_init(&usage);
    say(r, "%s: %s\n\n", c->name, c->summary);
    command_usage(c, &usage, r->width);
    say(r, "%s", buf_text(&usage));
    buf_free(&usage);
    say_variants(c, r);
    size_t n = 0;
    if (help_section(c->name, NULL, NULL, &n) && n) {
        say(r, "\n");
        say_prose(r, c->name);
    }
}

static void say_setting(const struct shell *sh, const struct setting *s, struct report *r)
{
    struct buf values, now;
    buf_init(&values);
    buf_init(&now);
    setting_values(s, &values);
    setting_get(sh, s, &now);
    say(r, "set %s VALUE: %s\n", s->name, s->help);
    say(r, "  it takes %s, and is %s\n", buf_text(&values), buf_text(&now));
    buf_free(&values);
    buf_free(&now);
}

static int no_help(struct shell *sh, const char *topic, struct report *r)
{
    struct near n;
    static char const fallback[] = "`help` lists commands and topics, `apropos WORD` searches";
    char name[64], best[64] = "";
    near_begin(&n, topic);
    for (const struct command *const *c = sh->session.commands; *c; c++)
        near_try(&n, (*c)->name);
    for (const struct setting *s = settings_table; s->name; s++)
        near_try(&n, s->name);
    if (n.best)
        snprintf(best, sizeof best, "%s", n.best);
    for (size_t i = 0; i < assets_count; i++) {
        const char *before = n.best;
        if (topic_of(&assets[i], name))
            near_try(&n, name);
        if (n.best != before) {
            snprintf(best, sizeof best, "%s", name);
            n.best = best;
        }
    }
    if (*best)
        return report_fail(r, "there is no help on `%.60s`: did you mean %s?", topic, best);
    return report_fail(r, "there is no help on `%.60s`; %s", topic, fallback);
}

static int run_help(struct session *session, const struct args *a, struct report *r)
{
    struct shell *sh = shell_of(session);
    const char *topic = arg_text(a, "TOPIC");
    struct err e;
    char summary[200];
    if (!topic) {
        say_all(sh, r);
        return 0;
    }
    /* A name may be a command, a topic and a setting at once: `counters`, `echo`. */
    const struct setting *set = setting_named(topic, &e);
    const struct command *c = command_exact(sh, topic);
    bool is_topic = help_summary(topic, summary, sizeof summary) != NULL;
    if (!c && !is_topic && !set && sh->place && !sh->place->name)
        c = command_find(sh, topic, &e);
    if (c) {
        say_command(c, r);
    } else if (is_topic) {
        say(r, "%s: %s\n\n", topic, summary);
        say_prose(r, topic);
    }
    if (set && (c || is_topic))
        say(r, "\n");
    if (set)
        say_setting(sh, set, r);
    return c || is_topic || set ? 0 : no_help(sh, topic, r);
}

const struct command command_help = {
    .name = "help", .alias = "?", .kind = CLASS_HELP,
    .summary = "what there is, and how to use it",
    .operands = (const struct arg_spec[]){
        {.name = "TOPIC", .type = ARG_TOPIC, .help = "a command or a topic; a list if not given"},
        {0}},
    .run = run_help};

/* ---- apropos -------------------------------------------------------------------------- */

static bool has_word(const char *text, size_t n, const char *word)
{
    size_t k = strlen(word);
    for (size_t i = 0; i + k <= n; i++) {
        size_t same = 0;
        while (same < k && near_lower(text[i + same]) == near_lower(word[same]))
            same++;
        if (same == k)
            return true;
    }
    return false;
}

static bool command_has(const struct command *c, const char *word)
{
    struct buf usage;
    buf_init(&usage);
    buf_printf(&usage, "%s\n", c->summary);
    command_usage(c, &usage, INT_MAX);
    bool found = has_word(buf_text(&usage), usage.len, word);
    buf_free(&usage);
    return found;
}

static bool text_has(const char *topic, const char *word)
{
    char path[100];
    snprintf(path, sizeof path, "help/%.63s.txt", topic);
    const struct asset *a = asset_find(path);
    return a && has_word((const char *)a->data, a->size, word);
}

static int run_apropos(struct session *session, const struct args *a, struct report *r)
{
    struct shell *sh = shell_of(session);
    const char *word = arg_text(a, "WORD");
    char name[64], summary[200];
    int found = 0;
    for (const struct command *const *c = sh->session.commands; *c; c++)
        if (command_has(*c, word) || text_has((*c)->name, word)) {
            say(r, "  %-12s %s\n", (*c)->name, (*c)->summary);
            found++;
        }
    for (size_t i = 0; i < assets_count; i++)
        if (topic_of(&assets[i], name) && !command_exact(sh, name) &&
            has_word((const char *)assets[i].data, assets[i].size, word)) {
            say(r, "  %-12s %s\n", name, help_summary(name, summary, sizeof summary));
            found++;
        }
    if (!found)
        return report_fail(r, "nothing here tells of `%.60s`; try another word, or `help`", word);
    return 0;
}

const struct command command_apropos = {
    .name = "apropos", .kind = CLASS_HELP, .summary = "search all help for a word",
    .operands = (const struct arg_spec[]){
        {.name = "WORD", .type = ARG_REST, .required = true, .help = "what to look for"}, {0}},
    .run = run_apropos};

/* ---- explain, complete ---------------------------------------------------------------- */

static int run_explain(struct session *session, const struct args *a, struct report *r)
{
    struct shell *sh = shell_of(session);
    (void)a;
    if (!sh->explain.len)
        return report_fail(r, "nothing has been explained yet; run a lab first, as in `trap`");
    text_wrap(&r->screen, buf_text(&sh->explain), sh->explain.len, r->width, 0);
    return 0;
}

const struct command command_explain = {
    .name = "explain", .kind = CLASS_HELP, .summary = "the last lab's explanation again, whole",
    .run = run_explain};

/* A line in quotes may end with a blank, which means: the next word. */
static int run_complete(struct session *session, const struct args *a, struct report *r)
{
    const char *line = arg_given(a, "LINE") ? arg_text(a, "LINE") : "";
    struct completions c;
    size_t n = strlen(line);
    if (n > 1 && strchr("\"'", line[0]) && line[n - 1] == line[0]) {
        line++;
        n -= 2;
    }
    if (complete_line(shell_of(session), line, n, &c) == 0)
        for (unsigned i = 0; i < c.count; i++)
            say(r, "%s\n", c.names[i]);
    completions_free(&c);
    return 0;
}

const struct command command_complete = {
    .name = "complete", .kind = CLASS_HELP, .summary = "what Tab would offer after a line",
    .operands = (const struct arg_spec[]){
        {.name = "LINE", .type = ARG_REST,
         .help = "the line so far; in quotes where it ends with a blank"},
        {0}},
    .run = run_complete};
