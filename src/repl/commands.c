/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of commands and how a typed name is looked up in it. Scripts need full names, so
 * that a command added later breaks no homework; at the prompt a beginning that only one
 * command has is enough. A name that is wrong runs nothing.
 */
#include "base/near.h"
#include "repl/families.h"
#include "repl/play.h"
#include "repl/shell.h"

#include <string.h>

const struct command *const shell_own_commands[] = {
    &command_load,   &command_reload, &command_watch, &command_kernels,   /* own kernels */
    &command_launch, &command_counters,
    &command_array,  &command_fill,  &command_print,  &command_compare,
    &command_save,   &command_free,  &command_arrays,
    &command_code,   &command_ptx,                                        /* reading */
    &command_set,    &command_show,  &command_devices, &command_source, &command_echo, /* session */
    &command_alias,  &command_history, &command_output,
    &command_play, &command_side, &command_snap, &command_transcript, &command_replay, &command_quit,
    &command_help,   &command_apropos, &command_explain, &command_complete, /* help */
    NULL};

static bool is_called(const struct command *c, const char *name)
{
    return strcmp(c->name, name) == 0 || (c->alias && strcmp(c->alias, name) == 0);
}

const struct command *command_exact(struct shell *sh, const char *name)
{
    for (const struct command *const *c = sh->session.commands; *c; c++)
        if (is_called(*c, name))
            return *c;
    return NULL;
}

/* At the prompt: the command that alone begins so, or NULL with the candidates in e. */
static const struct command *by_prefix(struct shell *sh, const char *name, struct err *e)
{
    const struct command *found = NULL;
    struct buf all;
    unsigned count = 0;
    buf_init(&all);
    for (const struct command *const *c = sh->session.commands; *c; c++) {
        if (strncmp((*c)->name, name, strlen(name)) != 0)
            continue;
        buf_printf(&all, "%s%s", count++ ? ", " : "", (*c)->name);
        found = *c;
    }
    if (count > 1) {
        fail_at(e, 0, 1, "`%.60s` could be %s: type more of it", name, buf_text(&all));
        found = NULL;
    } else if (count == 0) {
        e->text[0] = '\0';
    }
    buf_free(&all);
    return found;
}

static void no_such(struct shell *sh, const char *name, struct err *e)
{
    struct near n;
    near_begin(&n, name);
    for (const struct command *const *c = sh->session.commands; *c; c++) {
        near_try(&n, (*c)->name);
        if ((*c)->alias)
            near_try(&n, (*c)->alias);
    }
    for (unsigned i = 0; i < sh->alias_count; i++)
        near_try(&n, sh->aliases[i].name);
    for (unsigned i = 0; sh->play && play_words[i]; i++)
        near_try(&n, play_words[i]);
    if (n.best)
        fail_at(e, 0, 1, "there is no command `%.60s`: did you mean %s?", name, n.best);
    else
        fail_at(e, 0, 1, "there is no command `%.60s`; `help` lists those there are", name);
}

const struct command *command_find(struct shell *sh, const char *name, struct err *e)
{
    const struct command *c = command_exact(sh, name);
    e->text[0] = '\0';
    if (!c && sh->place && !sh->place->name && *name)
        c = by_prefix(sh, name, e);
    if (!c && !e->text[0])
        no_such(sh, name, e);
    return c;
}
