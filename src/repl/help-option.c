/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `help --calls`, `help -arch`, `help trap -n`: what an option means. The options of commands are
 * in the commands' tables, the options of nvcc in its help text. Dashes and a value do not matter.
 */
#include "repl/help-option.h"
#include "base/near.h"
#include "command/command.h"
#include "screen/pen.h"
#include "text/topics.h"

#include <stdio.h>
#include <string.h>

struct option_search {
    struct shell *shell;
    const struct command *of; /* NULL: all commands */
    const char *name;         /* of the option, without dashes */
    struct report *report;
    unsigned found;
};

void option_bare(const char *word, char out[TOPIC_NAME])
{
    const char *name = word + strspn(word, "-");
    snprintf(out, TOPIC_NAME, "%.*s", (int)strcspn(name, "= "), name);
}

/* ---- of commands -------------------------------------------------------------------------- */

static const struct arg_spec *option_of(const struct command *c, const char *name)
{
    for (unsigned i = 0; i < command_option_count(c); i++)
        if (strcmp(command_spec(c, i)->name, name) == 0)
            return command_spec(c, i);
    return NULL;
}

/* What the help of a command says of the option; empty: it has none. */
static void put_option(const struct option_search *s, const struct command *c, bool limits,
                       struct buf *out)
{
    const struct arg_spec *spec = s->of && c != s->of ? NULL : option_of(c, s->name);
    buf_clear(out);
    if (spec)
        command_option_usage(c, spec, limits, out, s->report->width);
}

/* A command, with all others in which the option means the same; limits and defaults of its value
 * are told where they are the same too. Nothing where an earlier command has been told with it. */
static void tell_command(struct option_search *s, const struct command *const *all, unsigned i)
{
    struct buf text = {0}, exact = {0}, other = {0}, names = {0};
    bool first = true, same = true;
    put_option(s, all[i], false, &text);
    put_option(s, all[i], true, &exact);
    for (unsigned k = 0; text.len && all[k]; k++) {
        put_option(s, all[k], false, &other);
        if (strcmp(buf_text(&other), buf_text(&text)) != 0)
            continue;
        put_option(s, all[k], true, &other);
        first = first && k >= i;
        same = same && strcmp(buf_text(&other), buf_text(&exact)) == 0;
        buf_printf(&names, "%s%s", names.len ? ", " : "", all[k]->name);
    }
    if (names.len && first) {
        if (s->found++)
            say(s->report, "\n");
        say_wrapped(s->report, 4, "In %s:", buf_text(&names));
        say(s->report, "%s", buf_text(same ? &exact : &text));
    }
    buf_free(&text);
    buf_free(&exact);
    buf_free(&other);
    buf_free(&names);
}

static void find_in_commands(struct option_search *s)
{
    const struct command *const *all = s->shell->session.commands;
    for (unsigned i = 0; all[i]; i++)
        tell_command(s, all, i);
}

/* ---- of nvcc ------------------------------------------------------------------------------ */

/* The options have a line each in the text, set in by four blanks. What one means may go on in
 * lines that are set in by more. The next of them; false: there are no more. */
static bool next_option(struct span *text, char name[TOPIC_NAME], struct span *lines)
{
    enum { SET_IN = 4 };
    struct span line;
    *lines = (struct span){text->at, 0};
    for (struct span rest = *text; next_line(&rest, &line); *text = rest) {
        const size_t blanks = (size_t)(trim(line).at - line.at);
        const bool begins = line.n > SET_IN && blanks == SET_IN && line.at[SET_IN] == '-';
        if (lines->n && (begins || blanks <= SET_IN))
            return true;
        if (begins) {
            char word[TOPIC_NAME];
            snprintf(word, sizeof word, "%.*s", (int)(line.n - SET_IN), line.at + SET_IN);
            option_bare(word, name);
            lines->at = line.at;
        }
        if (begins || lines->n)
            lines->n = (size_t)(line.at + line.n - lines->at);
    }
    return lines->n > 0;
}

static struct span nvcc_text(void)
{
    size_t n = 0;
    const char *text = help_section(NVCC_TEXT, NULL, NULL, &n);
    return (struct span){text ? text : "", text ? n : 0};
}

static void find_in_nvcc(struct option_search *s)
{
    struct span rest = nvcc_text(), lines;
    char name[TOPIC_NAME];
    bool any = false;
    while (next_option(&rest, name, &lines)) {
        if (strcmp(name, s->name) != 0)
            continue;
        if (!any)
            say_wrapped(s->report, 0, "%sOf nvcc (help nvcc-options):\n", s->found ? "\n" : "");
        say_wrapped(s->report, 0, "%.*s\n", (int)lines.n, lines.at);
        any = true;
    }
    s->found += any;
}

/* ---- both --------------------------------------------------------------------------------- */

bool help_option(struct shell *sh, const struct command *of, const char *option, struct report *r)
{
    char name[TOPIC_NAME];
    struct option_search s = {.shell = sh, .of = of, .name = name, .report = r};
    option_bare(option, name);
    find_in_commands(&s);
    if (!of)
        find_in_nvcc(&s);
    return s.found > 0;
}

int help_no_option(struct shell *sh, const struct command *of, const char *option,
                   struct report *r)
{
    char name[TOPIC_NAME], other[TOPIC_NAME];
    struct near n = {.word = name};
    const char *dash = "--";
    struct span rest = nvcc_text(), lines;
    option_bare(option, name);
    for (const struct command *const *c = sh->session.commands; *c; c++)
        for (unsigned i = 0; (!of || *c == of) && i < command_option_count(*c); i++)
            near_try(&n, command_spec(*c, i)->name);
    while (!of && next_option(&rest, other, &lines))
        if (near_try(&n, other))
            dash = "-"; /* as nvcc has them */
    if (n.best)
        return report_fail(r, "there is no option `%.60s`: did you mean `help %s%s%s%s`?", option,
                           of ? of->name : "", of ? " " : "", n.best[1] ? dash : "-", n.best);
    if (of)
        return report_fail(r, "%s has no option `%.60s`; `help %s` lists its options", of->name,
                           option, of->name);
    return report_fail(r, "there is no help on the option `%.60s`; `help NAME` lists the options "
                          "of a command, `help nvcc-options` lists options of nvcc, and `cudalab "
                          "--help` lists the options of cudalab", option);
}
