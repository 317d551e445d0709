/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Help: commands and settings from their tables, texts from help/, a search through all, the
 * last explanation again, and completion as a command.
 */
#include "os/asset.h"
#include "base/lines.h"
#include "base/near.h"
#include "dev/checks.h"
#include "repl/complete.h"
#include "repl/commands.h"
#include "repl/help-option.h"
#include "repl/settings.h"
#include "text/topics.h"

#include <stdio.h>
#include <string.h>

static const char *const class_titles[] = {
    [CLASS_LAB] = "Labs, in the six sessions of the course (`next` shows one after another)",
    [CLASS_KERNELS] = "Your own kernels",
    [CLASS_SESSION] = "The session",
    [CLASS_HELP] = "Help: `help NAME` explains a command or word, `help topics` lists words",
    [CLASS_STEP] = "The launch that is stepped: `help step` explains its screen"};

/* ---- help ----------------------------------------------------------------------------- */

enum { NAME_COLUMN = 16 }; /* the column where explanations start */

/* A name, and beside it what it means, broken where the screen ends. */
static void say_line(struct report *r, const char *name, const char *meaning, int column)
{
    int used = 2 + (int)strlen(name);
    say(r, "  %s", name);
    if (used + 2 > column) {
        say(r, "\n");
        used = 0;
    }
    say(r, "%*s", column - used, "");
    say_wrapped(r, column, "%s", meaning);
}

/* The labs and commands of one session of the course, in its order. */
static void say_session(struct shell *sh, int session, struct report *r)
{
    const struct command *c;
    say_in(r, INK_HEADING, "%d %s\n", session + 1, course_title(session));
    for (unsigned k = 0; (c = course_lab(session, k, sh->session.commands)); k++)
        say_line(r, c->name, c->summary, NAME_COLUMN);
}

static void say_class(struct shell *sh, int kind, struct report *r)
{
    say_wrapped(r, 0, "%s", class_titles[kind]);
    for (const struct command *const *c = sh->session.commands; *c; c++)
        if ((int)(*c)->kind == kind)
            say_line(r, (*c)->name, (*c)->summary, NAME_COLUMN);
}

static void say_all(struct shell *sh, struct report *r)
{
    if (sh->stepping) {
        say_class(sh, CLASS_STEP, r);
        say(r, "\n");
        say_wrapped(r, 0, "Other commands work, too. `help` lists them after `quit`.");
        return;
    }
    say_wrapped(r, 0, "%s", class_titles[CLASS_LAB]);
    for (int session = 0; session < COURSE_SESSIONS; session++)
        say_session(sh, session, r);
    for (int kind = CLASS_LAB + 1; kind <= CLASS_HELP; kind++) {
        if (!class_titles[kind]) /* say_session() lists these */
            continue;
        say(r, "\n");
        say_class(sh, kind, r);
    }
}

/* A text, with the list of all checkers in place of the line {checkers}. */
static void fill_text(struct buf *out, struct span text)
{
    for (struct span line; next_line(&text, &line);)
        if (same_text(line, "{checkers}")) {
            checks_describe(out);
            buf_putc(out, '\n');
        } else {
            buf_printf(out, "%.*s\n", (int)line.n, line.at);
        }
}

/* A section of a text under its heading; nothing where the text has none. */
static void say_section(struct report *r, const char *topic, const char *section,
                        const char *heading)
{
    size_t n = 0;
    const char *text = help_section(topic, section, NULL, &n);
    struct buf filled = {0};
    if (!text || !n)
        return;
    fill_text(&filled, (struct span){text, n});
    say(r, "\n");
    if (heading)
        say_in(r, INK_HEADING, "%s\n", heading);
    say_wrapped(r, 0, "%s", buf_text(&filled));
    buf_free(&filled);
}

/* What a text says: its prose, what its sources say wrongly, then what to try. */
static void say_text(struct report *r, const char *topic)
{
    say_section(r, topic, NULL, NULL);
    say_section(r, topic, "textbook", "In the textbook");
    help_try(r, topic);
}

static void say_topic(struct report *r, const char *topic)
{
    char summary[200];
    say_wrapped(r, 0, "%s: %s", topic, help_summary(topic, summary, sizeof summary));
    say_text(r, topic);
}

/* The variants by name, those that are wrong on purpose after the right ones. */
static void say_variants(const struct command *c, struct report *r)
{
    if (!c->lab || !c->lab->variants)
        return;
    for (int wrong = 0; wrong < 2; wrong++) {
        const char *title = wrong ? "\nwrong on purpose\n" : "\nvariants\n";
        for (const struct lab_variant *v = c->lab->variants; v->name; v++) {
            if ((v->mended_by != NULL) != wrong)
                continue;
            say(r, "%s", title);
            say_line(r, v->name, v->summary, NAME_COLUMN + 2);
            title = "";
        }
    }
}

static void say_command(const struct command *c, struct report *r)
{
    struct buf usage = {0};
    say_wrapped(r, 0, "%s: %s", c->name, c->summary);
    command_usage(c, &usage, r->width);
    say(r, "\n%s", buf_text(&usage));
    buf_free(&usage);
    say_variants(c, r);
    say_text(r, c->name);
}

/* A setting, from its table, and the help text of that name if there is one. */
static void say_setting(struct shell *sh, const struct setting *s, struct report *r)
{
    struct buf text = {0};
    say_wrapped(r, 0, "set %s: %s", s->name, s->help);
    setting_values(s, &text);
    say_line(r, "values", buf_text(&text), NAME_COLUMN);
    buf_clear(&text);
    setting_get(sh, s, &text);
    say_line(r, "now", buf_text(&text), NAME_COLUMN);
    say_line(r, "at the start", setting_at_start(s), NAME_COLUMN);
    buf_free(&text);
}

static int no_help(struct shell *sh, const char *topic, struct report *r)
{
    struct near n = {.word = topic};
    struct topic_walk w = {.next = 0};
    for (const struct command *const *c = sh->session.commands; *c; c++)
        near_try(&n, (*c)->name);
    for (const struct setting *s = settings_table; s->name; s++)
        near_try(&n, s->name);
    while (topic_next(&w))
        near_try(&n, w.word);
    if (n.best)
        return report_fail(r, "there is no help on `%.60s`: did you mean %s?", topic, n.best);
    return report_fail(r, "there is no help on `%.60s`; `help` lists commands, `help topics` "
                       "words, `apropos WORD` searches", topic);
}

/* `help --safe`: where no option has this name, another word may have it. */
static int help_dashed(struct shell *sh, const char *option, struct report *r)
{
    char word[TOPIC_NAME], text[TOPIC_NAME] = "";
    option_bare(strcmp(option, "-h") == 0 ? "help" : option, word);
    const bool known = command_exact(sh, word) || setting_exact(word) || topic_find(word, text);
    if (!help_option(sh, NULL, option, r))
        return known ? help_on(sh, word, r) : help_no_option(sh, NULL, option, r);
    if (known && strcmp(text, NVCC_TEXT) != 0) {
        say(r, "\n");
        say_wrapped(r, 0, "`help %s` explains the word `%s`.", word, word);
    }
    return 0;
}

int help_on(struct shell *sh, const char *topic, struct report *r)
{
    struct err e;
    char text[TOPIC_NAME];
    if (topic[0] == '-' && topic[1])
        return help_dashed(sh, topic, r);
    const struct command *c = command_exact(sh, topic);
    const struct setting *s = setting_exact(topic);
    bool known = topic_find(topic, text);
    if (c && c->kind == CLASS_BLOCK && known)
        c = NULL; /* the text is that of the command to which it belongs */
    if (!c && !s && !known && shell_typed(sh)) /* a command's name can be shortened */
        c = command_find(sh, topic, &e);
    if (c)
        say_command(c, r);
    if (c && s)
        say(r, "\n");
    if (s)
        say_setting(sh, s, r);
    if (s && !c && known && strcmp(text, topic) == 0)
        say_text(r, text);
    else if (known && !s && !c)
        say_topic(r, text);
    return c || s || known ? 0 : no_help(sh, topic, r);
}

struct help_options { const char *topic, *setting; };

/* `help trap --calls`, `help nvcc -arch` */
static int help_on_option_of(struct shell *sh, const char *topic, const char *option,
                             struct report *r)
{
    const struct command *c = command_exact(sh, topic);
    if (!c)
        return help_on(sh, option, r);
    return help_option(sh, c, option, r) ? 0 : help_no_option(sh, c, option, r);
}

static int run_help(struct session *session, const void *given, struct report *r)
{
    const struct help_options *o = given;
    struct shell *sh = shell_of(session);
    struct err e = {0};
    const char *topic = o->topic, *name = o->setting;
    if (!topic) {
        say_all(sh, r);
        return 0;
    }
    if (!name)
        return help_on(sh, topic, r);
    if (name[0] == '-')
        return help_on_option_of(sh, topic, name, r);
    if (strcmp(topic, "set") != 0 && strcmp(topic, "show") != 0) {
        char joined[TOPIC_NAME], text[TOPIC_NAME]; /* `help memory wall` is `help memory-wall` */
        snprintf(joined, sizeof joined, "%.30s-%.30s", topic, name);
        if (topic_find(joined, text))
            return help_on(sh, joined, r);
        return report_fail(r, "help explains one thing at a time: write `help %.60s` or "
                              "`help %.60s`", topic, name);
    }
    const struct setting *s = setting_named(name, &e);
    if (!s)
        return report_fail_err(r, &e);
    say_setting(sh, s, r);
    if (!command_exact(sh, name))
        say_text(r, name);
    return 0;
}

const struct command command_help = {
    .name = "help", .alias = "?", .kind = CLASS_HELP,
    .summary = "list all commands, or explain one",
    .operands = (const struct arg_spec[]){
        {.name = "TOPIC", BIND(struct help_options, topic), .type = ARG_TOPIC,
         .help = "a command, an option, a setting or a topic; a list of all commands if not given"},
        {.name = "SETTING", BIND(struct help_options, setting), .type = ARG_SETTING,
         .help = "a setting after the topic `set`, as in `help set device`, or an option of a "
                 "command, as in `help trap --calls`"}, {0}},
    .size = sizeof(struct help_options), .run = run_help};

/* ---- apropos -------------------------------------------------------------------------- */

enum { FOUND_COLUMN = 26 };

/* Capitals don't matter. Two words may also stand on two lines, or have a hyphen between them. */
static bool same_letter(char a, char b)
{
    return near_lower(a) == near_lower(b) || (b == ' ' && (a == '\n' || a == '-'));
}

static bool is_inside_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* starts: only where a word of the text begins so. */
static bool has_word(struct span text, const char *word, bool starts)
{
    size_t k = strlen(word);
    for (size_t i = 0; i + k <= text.n; i++) {
        size_t same = 0;
        if (starts && i && is_inside_word(text.at[i - 1]))
            continue;
        while (same < k && same_letter(text.at[i + same], word[same]))
            same++;
        if (same == k)
            return true;
    }
    return false;
}

/* Where the words of a search were found, the best place first. A word that begins with the word
 * that is searched comes before one that only contains it: `race`, then `trace`. */
enum help_place {
    IS_NAME, STARTS_IN_NAME, STARTS_IN_HEAD, IN_HEAD, STARTS_IN_TEXT, IN_TEXT, PLACES
};

/* A search for words. Each word ends with a NUL byte. */
struct help_search {
    struct shell *shell;
    const char *word[TOPIC_NAME / 2];
    unsigned words;
    struct report *report;
    unsigned found;
    enum help_place place; /* what is shown now */
};

/* What there is to search of a command, an option, a setting or a topic. */
struct help_entry {
    const char *shown, *name, *meaning;
    const char *topic; /* its help text; NULL: none */
};

/* Is each word in at least one of the texts? */
static bool has_all(const struct help_search *s, const struct span *texts, unsigned count,
                    bool starts)
{
    for (unsigned w = 0; w < s->words; w++) {
        bool has = false;
        for (unsigned i = 0; i < count && !has; i++)
            has = has_word(texts[i], s->word[w], starts);
        if (!has)
            return false;
    }
    return true;
}

/* Is the only word this name, or another word that leads to the text? */
static bool is_name(const struct help_search *s, const char *name, struct span also)
{
    const char *word = s->word[0];
    size_t k = strlen(word);
    if (s->words > 1)
        return false;
    if (near_same(name, word))
        return true;
    for (size_t i = 0; i + k <= also.n; i++) {
        bool alone = (i == 0 || also.at[i - 1] == ' ' || also.at[i - 1] == '\n') &&
                     (i + k == also.n || also.at[i + k] == ' ' || also.at[i + k] == '\n');
        size_t same = 0;
        while (alone && same < k && same_letter(also.at[i + same], word[same]))
            same++;
        if (same == k)
            return true;
    }
    return false;
}

/* The other words that lead to a text; empty: there are none. */
static struct span also_of(const char *topic)
{
    char path[TOPIC_NAME + 16];
    snprintf(path, sizeof path, "help/%.63s.txt", topic ? topic : "");
    const struct asset *a = topic ? asset_find(path) : NULL;
    struct span text = {a ? (const char *)a->data : "", a ? a->size : 0}, line;
    return next_line(&text, &line) ? topic_also(&text) : SPAN("");
}

/* The same search with the help text as one more text. */
static enum help_place place_in_text(const struct help_search *s, struct span in[4],
                                     const char *topic)
{
    char path[TOPIC_NAME + 16];
    snprintf(path, sizeof path, "help/%.63s.txt", topic);
    const struct asset *a = asset_find(path);
    struct buf filled = {0};
    if (!a)
        return PLACES;
    fill_text(&filled, (struct span){(const char *)a->data, a->size});
    in[3] = (struct span){buf_text(&filled), filled.len};
    enum help_place place = has_all(s, in, 4, true)    ? STARTS_IN_TEXT
                            : has_all(s, in, 4, false) ? IN_TEXT
                                                       : PLACES;
    buf_free(&filled);
    return place;
}

static enum help_place place_of(const struct help_search *s, const struct help_entry *h)
{
    const struct span also = also_of(h->topic);
    struct span in[4] = {{h->name, strlen(h->name)}, {h->meaning, strlen(h->meaning)}, also};
    if (is_name(s, h->name, also))
        return IS_NAME;
    bool named = false;
    for (unsigned w = 0; w < s->words; w++)
        named = named || has_word(in[0], s->word[w], true) || has_word(in[2], s->word[w], true);
    if (has_all(s, in, 3, true))
        return named ? STARTS_IN_NAME : STARTS_IN_HEAD;
    if (has_all(s, in, 3, false))
        return IN_HEAD;
    return h->topic && s->place >= STARTS_IN_TEXT ? place_in_text(s, in, h->topic) : PLACES;
}

static void look_in(struct help_search *s, const char *shown, const char *name, const char *meaning,
                    const char *topic)
{
    const struct help_entry h = {shown, name, meaning, topic};
    if (place_of(s, &h) != s->place)
        return;
    say_line(s->report, shown, meaning, FOUND_COLUMN);
    s->found++;
}

static void find_commands(struct help_search *s)
{
    for (const struct command *const *c = s->shell->session.commands; *c; c++)
        look_in(s, (*c)->name, (*c)->name, (*c)->summary, (*c)->name);
}

/* How many commands have this option with this meaning, and which is the first of them? Options
 * that commands share are found once. */
static unsigned sharing(const struct help_search *s, const struct arg_spec *spec,
                        const struct buf *meaning, const struct command **first)
{
    struct buf other = {0};
    unsigned count = 0;
    for (const struct command *const *c = s->shell->session.commands; *c; c++)
        for (unsigned i = 0; i < command_option_count(*c); i++) {
            const struct arg_spec *has = command_spec(*c, i);
            buf_clear(&other);
            if (strcmp(has->name, spec->name) == 0)
                command_meaning(has, &other);
            if (!other.len || strcmp(buf_text(&other), buf_text(meaning)) != 0)
                continue;
            if (count++ == 0)
                *first = *c;
        }
    buf_free(&other);
    return count;
}

static void find_options(struct help_search *s)
{
    struct buf meaning = {0};
    char option[64], name[100];
    for (const struct command *const *c = s->shell->session.commands; *c; c++)
        for (unsigned i = 0; i < command_option_count(*c); i++) {
            const struct arg_spec *spec = command_spec(*c, i);
            const struct command *first = *c;
            buf_clear(&meaning);
            command_meaning(spec, &meaning);
            const struct help_entry h = {NULL, spec->name, buf_text(&meaning), NULL};
            if (place_of(s, &h) != s->place)
                continue;
            unsigned shared = sharing(s, spec, &meaning, &first);
            if (first != *c)
                continue;
            command_option_name(spec, option);
            if (shared > 1)
                snprintf(name, sizeof name, "%s (%u commands)", option, shared);
            else
                snprintf(name, sizeof name, "%s %s", (*c)->name, option);
            look_in(s, name, spec->name, buf_text(&meaning), NULL);
        }
    buf_free(&meaning);
}

static void find_settings(struct help_search *s)
{
    char name[TOPIC_NAME];
    for (const struct setting *set = settings_table; set->name; set++) {
        snprintf(name, sizeof name, "set %.50s", set->name);
        look_in(s, name, set->name, set->help, NULL);
    }
}

static void find_topics(struct help_search *s)
{
    struct topic_walk w = {.next = 0};
    char summary[200];
    while (topic_next(&w))
        if (strcmp(w.word, w.name) == 0 && !command_exact(s->shell, w.name))
            look_in(s, w.name, w.name, help_summary(w.name, summary, sizeof summary), w.name);
}

struct apropos_options { const char *word; };

/* Takes off the quotes around a word. */
static void unquote(char *word)
{
    size_t n = strlen(word);
    if (n < 2 || (word[0] != '\'' && word[0] != '"') || word[n - 1] != word[0])
        return;
    memmove(word, word + 1, n - 2);
    word[n - 2] = '\0';
}

static void split_words(struct help_search *s, char *text)
{
    for (char *at = text; *(at += strspn(at, " \t"));) {
        s->word[s->words++] = at;
        at += strcspn(at, " \t");
        if (*at)
            *at++ = '\0';
    }
}

static int run_apropos(struct session *session, const void *given, struct report *r)
{
    const struct apropos_options *o = given;
    char words[TOPIC_NAME];
    struct help_search s = {.shell = shell_of(session), .report = r};
    snprintf(words, sizeof words, "%s", o->word);
    unquote(words);
    split_words(&s, words);
    for (unsigned place = 0; s.words && place < PLACES; place++) {
        s.place = place;
        find_topics(&s);
        find_commands(&s);
        find_options(&s);
        find_settings(&s);
    }
    if (!s.found)
        return report_fail(r, "no help text contains `%.60s`; try another word, or `help`",
                           o->word);
    return 0;
}

const struct command command_apropos = {
    .name = "apropos", .kind = CLASS_HELP, .summary = "search all help texts for a word",
    .operands = (const struct arg_spec[]){
        {.name = "WORD", BIND(struct apropos_options, word), .type = ARG_REST, .required = true,
         .example = "warp", .help = "the word, or several words"}, {0}},
    .size = sizeof(struct apropos_options), .run = run_apropos};

/* ---- complete -------------------------------------------------------------------------- */

struct complete_options { const char *line; };

/* A line in quotes may end with a blank, which means: the next word. */
static int run_complete(struct session *session, const void *given, struct report *r)
{
    const struct complete_options *o = given;
    const char *line = o->line ? o->line : "";
    struct completions c;
    size_t n = strlen(line);
    if (n > 1 && strchr("\"'", line[0]) && line[n - 1] == line[0]) {
        line++;
        n -= 2;
    }
    if (complete_line(shell_of(session), line, n, &c) != 0)
        c.count = 0;
    for (unsigned i = 0; i < c.count; i++)
        say(r, "%s\n", c.names[i]);
    json_lines(&r->result, "text", buf_text(&r->screen), r->screen.len);
    completions_json(&c, &r->result);
    completions_free(&c);
    return 0;
}

const struct command command_complete = {
    .name = "complete", .kind = CLASS_HELP, .summary = "show what the Tab key would offer after a "
                                                       "line",
    .operands = (const struct arg_spec[]){
        {.name = "LINE", BIND(struct complete_options, line), .type = ARG_REST,
         .help = "the line so far; in quotes if it ends with a blank"}, {0}},
    .size = sizeof(struct complete_options), .run = run_complete};
