/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of commands and how a typed name is looked up in it. Scripts need full names, so
 * that a command added later breaks no homework; at the prompt a beginning that only one
 * command has is enough. A name that is wrong runs nothing.
 */
#include "base/near.h"
#include "labs/labs.h"
#include "os/bug.h"
#include "repl/commands.h"
#include "repl/lecture/play.h"
#include "repl/settings.h"
#include "text/topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct command *const shell_own_commands[] = {
#define COMMAND(name) &command_##name,
#include "repl/commands.def"
#undef COMMAND
    NULL};

const struct command *const *commands_of_all(void)
{
    size_t own = 0, lab = 0;
    while (shell_own_commands[own])
        own++;
    while (all_labs[lab])
        lab++;
    const struct command **all = calloc(own + lab + 1, sizeof *all);
    if (!all)
        return NULL;
    memcpy(all, all_labs, lab * sizeof *all);
    memcpy(all + lab, shell_own_commands, own * sizeof *all);
    struct err e;
    for (size_t i = 0; i < lab + own; i++)
        if (command_check(all[i], &e) != 0)
            bug("%s", e.text);
    return all;
}

const struct command *command_exact(struct shell *sh, const char *name)
{
    for (const struct command *const *c = sh->session.commands; *c; c++)
        if (strcmp((*c)->name, name) == 0 || ((*c)->alias && strcmp((*c)->alias, name) == 0))
            return *c;
    return NULL;
}

/* At the prompt: the command that alone begins so, or NULL with the candidates in e. */
static const struct command *by_prefix(struct shell *sh, const char *name, struct err *e)
{
    const struct command *found = NULL;
    struct buf all = {0};
    unsigned count = 0;
    for (const struct command *const *c = sh->session.commands; *c; c++) {
        if (strncmp((*c)->name, name, strlen(name)) != 0)
            continue;
        buf_printf(&all, "%s%s", count++ ? ", " : "", (*c)->name);
        found = *c;
    }
    if (count > 1) {
        fail_at(e, 0, 1, "`%.60s` could be %s: type more letters", name, buf_text(&all));
        found = NULL;
    } else if (count == 0) {
        e->text[0] = '\0';
    }
    buf_free(&all);
    return found;
}

/* What other programs have taught people to type, and what it is here. */
static const struct { const char *typed, *means; } habits[] = {
    {"q", "quit"}, {"bye", "quit"}, {"logout", "quit"}, {"wq", "quit"}, {"x", "quit"},
    {"h", "help"}, {"man", "help"}, {"info", "help"}, {"usage", "help"}, {"commands", "help"},
    {"ls", "arrays"}, {"dir", "arrays"}, {"vars", "arrays"}, {"who", "arrays"},
    {"call", "launch"}, {"start", "launch"}, {"r", "run"}, {"execute", "run"}, {"exec", "run"},
    {"nvcc", "load"}, {"make", "load"}, {"compile", "load"}, {"open", "load"}, {"import", "load"},
    {"list", "code"}, {"cat", "code"}, {"type", "code"}, {"disas", "ptx"},
    {"nvdisasm", "sass"}, {"cuobjdump", "fatbin"}, {"readelf", "fatbin"},
    {"p", "print"}, {"display", "print"}, {"x/", "print"}, {"new", "array"},
    {"assert", "expect"}, {"check", "expect"}, {"for", "repeat"}, {"while", "repeat"},
    {"foreach", "repeat"}, {"elif", "else if"}, {"elseif", "else if"}, {"fi", "end"},
    {"endif", "end"}, {"done", "end"}, {"testcases", "testcase"},
    {"delete", "free"}, {"rm", "free"}, {"include", "source"}, {"options", "show"},
    {"nvidia-smi", "devices"}, {"deviceQuery", "devquery"}, {"profile", "counters"},
    {"why", "explain"}, {"tee", "output"}, {"clear", "Ctrl-L"}, {"cls", "Ctrl-L"}};

/* `\q`, `:q`, `.quit`, `quit()`: a name with what other programs want around it. */
static void bare_name(const char *name, char bare[64])
{
    name += strspn(name, "\\:.!?/-%");
    size_t n = strcspn(name, "(;");
    snprintf(bare, 64, "%.*s", n < 63 ? (int)n : 63, name);
}

/* What a foreign word stands for here, or false. */
static bool translated(struct shell *sh, const char *name, char out[100])
{
    char bare[64];
    bare_name(name, bare);
    if (strstr(name, "<<<"))
        return snprintf(out, 100, "launch %.80s", name) > 0;
    if (command_exact(sh, bare))
        return snprintf(out, 100, "%s%s", *name == '?' ? "help " : "", bare) > 0;
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (strcmp(habits[i].typed, bare) == 0)
            return snprintf(out, 100, "%s", habits[i].means) > 0;
    return false;
}

static bool is_editor(const char *name)
{
    static const char *const editors[] = {"vi", "vim", "nvim", "nano", "emacs", "gedit", "edit"};
    for (size_t i = 0; i < sizeof editors / sizeof *editors; i++)
        if (strcmp(name, editors[i]) == 0)
            return true;
    return false;
}

/* It is a setting, or a help text has this word. */
static bool known_elsewhere(struct shell *sh, const char *name, struct err *e)
{
    const struct setting *s = setting_exact(name);
    struct buf values = {0};
    char topic[TOPIC_NAME];
    if (s) {
        setting_values(s, &values);
        fail_at(e, 0, 1, "`%.60s` is a setting, not a command: write `set %.60s VALUE`, where "
                "VALUE is %s", name, name, buf_text(&values));
        buf_free(&values);
        return true;
    }
    if (!topic_find(name, topic))
        return false;
    if (command_exact(sh, topic))
        fail_at(e, 0, 1, "there is no command `%.60s`: did you mean %s? `help %.60s` explains it",
                name, topic, name);
    else
        fail_at(e, 0, 1, "there is no command `%.60s`, but `help %.60s` explains the word", name,
                name);
    return true;
}

static void no_such(struct shell *sh, const char *name, struct err *e)
{
    struct near n = {.word = name};
    char meant[100];
    if (is_editor(name)) {
        fail_at(e, 0, 1, "there is no command `%.60s`: edit the file in a second window, and "
                "`launch` loads it again by itself", name);
        return;
    }
    if (translated(sh, name, meant)) {
        fail_at(e, 0, 1, "there is no command `%.60s`: did you mean %s?", name, meant);
        return;
    }
    for (const struct command *const *c = sh->session.commands; *c; c++) {
        near_try(&n, (*c)->name);
        if ((*c)->alias)
            near_try(&n, (*c)->alias);
    }
    for (unsigned i = 0; i < sh->alias_count; i++)
        near_try(&n, sh->aliases[i].name);
    for (unsigned i = 0; sh->play && play_words[i]; i++)
        near_try(&n, play_words[i]);
    if (n.best && n.distance > 1 && known_elsewhere(sh, name, e))
        return; /* a word of the help is meant, not a name that is somewhat like it */
    char topic[TOPIC_NAME];
    if (n.best && topic_find(name, topic))
        fail_at(e, 0, 1, "there is no command `%.60s`: did you mean %s? `help %.60s` explains the "
                "word", name, n.best, name);
    else if (n.best)
        fail_at(e, 0, 1, "there is no command `%.60s`: did you mean %s?", name, n.best);
    else if (!known_elsewhere(sh, name, e))
        fail_at(e, 0, 1, "there is no command `%.60s`; `help` lists all commands", name);
}

const struct command *command_find(struct shell *sh, const char *name, struct err *e)
{
    const struct command *c = command_exact(sh, name);
    e->text[0] = '\0';
    if (!c && shell_typed(sh) && *name)
        c = by_prefix(sh, name, e);
    if (!c && !e->text[0])
        no_such(sh, name, e);
    return c;
}
