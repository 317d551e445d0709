/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running commands for another command; see inner.h. A command that would end the session, read
 * other commands, or run them itself can't be one of them (never_inside in command/command.h).
 */
#include "repl/inner.h"

#include "base/json-find.h"
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

char *inner_line(const char *typed)
{
    struct words w;
    struct err e;
    if (words_split(typed, &w, &e) != 0)
        return strdup(typed); /* inner_check() says what is wrong with it */
    char *line = strdup(w.count == 1 && w.quoted[0] ? w.word[0] : typed);
    words_free(&w);
    return line;
}

/* ---- before anything runs --------------------------------------------------------------- */

/* The command that the first word of this text names. */
static const struct command *named(struct shell *sh, const char *text, struct err *e)
{
    const struct command *c = NULL;
    struct words w;
    if (words_split(text, &w, e) != 0)
        return NULL;
    if (w.count)
        c = command_find(sh, w.word[0], e);
    else
        fail(e, "there is no command in it");
    words_free(&w);
    return c;
}

const struct command *inner_command(struct shell *sh, const char *line, struct err *e)
{
    const struct command *c = NULL;
    size_t end;
    *e = (struct err){.line = 0};
    if (words_end(line, strlen(line), 0, &end, e) < 0)
        return NULL;
    const struct span text = trim((struct span){line, end});
    char *command = strndup(text.at, text.n);
    if (!command) {
        fail_memory(e);
        return NULL;
    }
    char *expanded = shell_expand(sh, command, e);
    if (!e->text[0])
        c = named(sh, expanded ? expanded : command, e);
    free(expanded);
    free(command);
    return c;
}

static int name_command(struct shell *sh, const char *outer, const char *command, struct err *e)
{
    const struct command *c = inner_command(sh, command, e);
    if (c && c->never_inside)
        return fail(e, "%s can't run inside %s; type it as a command of its own", c->name, outer);
    return c ? 0 : -1;
}

static int read_command(struct shell *sh, const char *outer, const char *command, struct err *e)
{
    struct words w;
    struct args a;
    if (name_command(sh, outer, command, e) != 0)
        return -1;
    char *expanded = shell_expand(sh, command, e);
    const char *line = expanded ? expanded : command;
    int rc = words_split(line, &w, e);
    if (rc == 0) {
        rc = args_parse(inner_command(sh, line, e), &w, line, &a, e);
        if (rc == 0)
            args_free(&a);
        words_free(&w);
    }
    free(expanded);
    return rc;
}

/* Looks at each command of the line. */
static int look_at_all(struct shell *sh, const char *outer, const char *line, struct err *e,
                       int (*look)(struct shell *, const char *, const char *, struct err *))
{
    const size_t n = strlen(line);
    size_t at = 0, end;
    int mark, rc = 0;
    unsigned commands = 0;
    do {
        if ((mark = words_end(line, n, at, &end, e)) < 0)
            return -1;
        const struct span text = trim((struct span){line + at, end - at});
        at = end + 1;
        if (!text.n)
            continue;
        char *command = strndup(text.at, text.n);
        rc = command ? look(sh, outer, command, e) : fail_memory(e);
        free(command);
        commands++;
    } while (rc == 0 && mark == ';');
    e->column = 0; /* it counts in a part of what was typed */
    return rc || commands ? rc : fail(e, "%s has no command to run", outer);
}

int inner_names(struct shell *sh, const char *outer, const char *line, struct err *e)
{
    return look_at_all(sh, outer, line, e, name_command);
}

int inner_check(struct shell *sh, const char *outer, const char *line, struct err *e)
{
    return look_at_all(sh, outer, line, e, read_command);
}

/* ---- running ---------------------------------------------------------------------------- */

void inner_run(struct shell *sh, const char *line, struct caught *c)
{
    c->shares_time = true;
    record_run(sh, line, c);
    sh->quitting = sh->quit_given = false; /* `quit` inside does not end the session */
}

void inner_objects(const struct caught *c, struct buf *out)
{
    buf_printf(out, "[%s]", buf_text(&c->objects));
    out->failed = out->failed || c->objects.failed;
}

bool inner_find(struct span objects, const char *path, struct span *value)
{
    struct span object, found;
    bool any = false;
    for (unsigned k = 0; json_element(objects, k, &object); k++)
        if (json_at(object, path, &found)) {
            *value = found;
            any = true;
        }
    return any;
}

bool inner_failure(struct span objects, struct span *object)
{
    struct span status;
    for (unsigned k = 0; json_element(objects, k, object); k++)
        if (json_find(*object, SPAN("status"), &status) && !same_text(status, "\"ok\""))
            return true;
    return false;
}
