/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands about the session itself: settings, other scripts, aliases, history, where output
 * goes, and the end.
 */
#include "repl/commands.h"
#include "repl/line.h"
#include "repl/prompt.h"
#include "repl/screen.h"
#include "repl/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- set, show ------------------------------------------------------------------------ */

/* A value that is stored as `typed` is not shown; `set seed 2^20` shows which number that is. */
static void show_setting(struct shell *sh, const struct setting *s, const char *typed,
                         struct report *r)
{
    struct buf value = {0};
    setting_get(sh, s, &value);
    if (!typed || strcmp(buf_text(&value), typed) != 0) {
        say(r, "%-12s %-12s ", s->name, buf_text(&value));
        say_wrapped(r, 26, "%s", s->help);
    }
    buf_free(&value);
}

struct show_options { const char *name; };

static int run_show(struct session *session, const void *given, struct report *r)
{
    const struct show_options *o = given;
    struct shell *sh = shell_of(session);
    struct err e = {0};
    if (!o->name) {
        for (const struct setting *s = settings_table; s->name; s++) {
            show_setting(sh, s, NULL, r);
            setting_json(sh, s, s->name, &r->result);
        }
        return 0;
    }
    const struct setting *s = setting_named(o->name, &e);
    if (!s)
        return report_fail_err(r, &e);
    show_setting(sh, s, NULL, r);
    json_text(&r->result, "name", s->name);
    setting_json(sh, s, "value", &r->result);
    return 0;
}

struct set_options { const char *name, *value; };

static int run_set(struct session *session, const void *given, struct report *r)
{
    const struct set_options *o = given;
    struct shell *sh = shell_of(session);
    struct err e = {0};
    if (!o->name)
        return run_show(session, &(struct show_options){0}, r);
    const struct setting *s = setting_named(o->name, &e);
    if (!s)
        return report_fail_err(r, &e);
    if (!o->value) {
        struct buf values = {0};
        setting_values(s, &values);
        report_fail(r, "a value for %s is missing: it takes %s", s->name, buf_text(&values));
        buf_free(&values);
        return -1;
    }
    if (setting_put(sh, s, o->value, &e) != 0)
        return report_fail_err(r, &e);
    show_setting(sh, s, o->value, r);
    if (!r->screen.len)
        screen_tell(sh, "%s is now %s", s->name, o->value);
    json_text(&r->result, "name", s->name);
    setting_json(sh, s, "value", &r->result);
    return 0;
}

/* `set var i = 3`, as in gdb. */
static int unexpected_in_set(const struct words *w, unsigned at, struct err *e)
{
    (void)at;
    if (strcmp(w->word[1], "var") != 0 && strcmp(w->word[1], "variable") != 0)
        return 0;
    return fail(e, "a launch runs as it is, so no variable of a kernel can be changed: `fill` changes "
                   "an array before the launch");
}

const struct command command_set = {
    .name = "set", .kind = CLASS_SESSION, .summary = "change a setting, or show all of them",
    .operands = (const struct arg_spec[]){
        {.name = "NAME", BIND(struct set_options, name), .type = ARG_SETTING,
         .help = "the setting"},
        {.name = "VALUE", BIND(struct set_options, value), .type = ARG_TEXT,
         .help = "its new value"}, {0}},
    .size = sizeof(struct set_options), .run = run_set, .unexpected = unexpected_in_set};

const struct command command_show = {
    .name = "show", .kind = CLASS_SESSION, .summary = "show the settings and what they mean",
    .operands = (const struct arg_spec[]){
        {.name = "NAME", BIND(struct show_options, name), .type = ARG_SETTING,
         .help = "one setting; all if not given"}, {0}},
    .size = sizeof(struct show_options), .run = run_show};

/* ---- source --------------------------------------------------------------------------- */

static int run_source(struct session *session, const void *given, struct report *r)
{
    const struct file_options *o = given;
    struct shell *sh = shell_of(session);
    struct err e = {0};
    char *path = shell_path(sh, o->file);
    int rc = path ? shell_run_file(sh, path, &e) : fail_memory(&e);
    free(path);
    sh->no_object = rc == 0;
    return rc ? report_fail_err(r, &e) : 0;
}

const struct command command_source = {
    .name = "source", .kind = CLASS_SESSION, .summary = "run the commands in a file",
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct file_options, file), .type = ARG_FILE, .required = true,
         .example = "hw.lab",
         .help = "the script; a relative path starts in the current folder, but in a script it "
                 "starts in the folder of that script"}, {0}},
    .size = sizeof(struct file_options), .never_inside = true, .run = run_source};

/* ---- echo, alias ---------------------------------------------------------------------- */

/* Text in one pair of quotes loses them, as it would in a shell. */
static void say_unquoted(struct report *r, const char *text)
{
    struct words w;
    struct err e;
    bool one = words_split(text, &w, &e) == 0;
    say(r, "%s\n", one && w.count == 1 && w.quoted[0] ? w.word[0] : text);
    if (one)
        words_free(&w);
}

struct echo_options { const char *text; };

static int run_echo(struct session *session, const void *given, struct report *r)
{
    const struct echo_options *o = given;
    (void)session;
    if (o->text)
        say_unquoted(r, o->text);
    else
        say(r, "\n");
    return 0;
}

const struct command command_echo = {
    .name = "echo", .kind = CLASS_SESSION, .summary = "print a line of text",
    .operands = (const struct arg_spec[]){
        {.name = "TEXT", BIND(struct echo_options, text), .type = ARG_REST,
         .help = "the text to print"}, {0}},
    .size = sizeof(struct echo_options), .run = run_echo};

static struct alias *alias_named(struct shell *sh, const char *name)
{
    for (unsigned i = 0; i < sh->alias_count; i++)
        if (strcmp(sh->aliases[i].name, name) == 0)
            return &sh->aliases[i];
    return NULL;
}

static int put_alias(struct shell *sh, const char *name, const char *text)
{
    struct alias *a = alias_named(sh, name);
    char *copy = strdup(text);
    if (a && copy) {
        free(a->text);
        a->text = copy;
        return 0;
    }
    char *name_copy = strdup(name);
    struct alias *all = realloc(sh->aliases, (sh->alias_count + 1) * sizeof *all);
    if (all)
        sh->aliases = all;
    if (!all || !copy || !name_copy) {
        free(copy);
        free(name_copy);
        return -1;
    }
    sh->aliases[sh->alias_count++] = (struct alias){name_copy, copy};
    return 0;
}

struct alias_options { const char *name, *text; };

static int run_alias(struct session *session, const void *given, struct report *r)
{
    const struct alias_options *o = given;
    struct shell *sh = shell_of(session);
    const char *name = o->name, *text = o->text;
    if (!name) {
        for (unsigned i = 0; i < sh->alias_count; i++)
            say(r, "%-12s %s\n", sh->aliases[i].name, sh->aliases[i].text);
        return 0;
    }
    if (command_exact(sh, name))
        return report_fail(r, "%s is a command already; choose another name", name);
    if (text && put_alias(sh, name, text) != 0)
        return report_fail_limit(r, "out of memory");
    struct alias *known = alias_named(sh, name);
    if (!known)
        return report_fail(r, "there is no alias %.60s; `alias %.60s TEXT` makes it", name, name);
    if (text)
        screen_tell(sh, "`%s` now stands for `%s`", name, text);
    else
        say(r, "%-12s %s\n", known->name, known->text);
    return 0;
}

const struct command command_alias = {
    .name = "alias", .kind = CLASS_SESSION, .summary = "give a command a short name",
    .operands = (const struct arg_spec[]){
        {.name = "NAME", BIND(struct alias_options, name), .type = ARG_TEXT,
         .help = "the new name; all aliases if not given"},
        {.name = "TEXT", BIND(struct alias_options, text), .type = ARG_REST,
         .help = "the command that it stands for"}, {0}},
    .size = sizeof(struct alias_options), .never_inside = true, .run = run_alias};

/* ---- history, output, quit ------------------------------------------------------------ */

struct history_options { int n; };

static int run_history(struct session *session, const void *given, struct report *r)
{
    const struct history_options *o = given;
    struct shell *sh = shell_of(session);
    if (!sh->prompting || sh->safe)
        return report_fail(r, "there is no history in a script or under --safe; it is kept at "
                           "the prompt");
    sh->record.skip = sh->record.transcript.fd >= 0; /* replayed, it would show other lines */
    line_history(r, o->n);
    return 0;
}

const struct command command_history = {
    .name = "history", .kind = CLASS_SESSION, .summary = "show the commands that you typed before",
    .operands = (const struct arg_spec[]){
        {.name = "N", BIND(struct history_options, n), .type = ARG_INT, .lo = 1, .hi = 1000000,
         .initial = "20", .help = "how many lines"}, {0}},
    .size = sizeof(struct history_options), .run = run_history};

/* Ends the file that was written so far, and begins the other; fd -1: there is none. */
static void send_output(struct shell *sh, int fd, char *path)
{
    if (sh->file.fd >= 0) {
        shell_wrote(sh, sh->file.fd);
        if (close(sh->file.fd) != 0)
            sh->file.error = errno;
    }
    free(sh->file_path);
    sh->file.fd = fd;
    sh->file_path = path;
}

static int run_output(struct session *session, const void *given, struct report *r)
{
    const struct file_options *o = given;
    struct shell *sh = shell_of(session);
    const char *path = o->file;
    struct err e = {0};
    int fd = -1;
    if (sh->safe)
        return report_fail(r, "--safe allows no writing to files");
    if (!team_speaks(sh->session.team))
        return 0; /* it shows nothing anyhow */
    if (sh->file.fd >= 0)
        shell_wrote(sh, sh->file.fd); /* so that it can be begun again without a question */
    if (path && shell_may_replace(sh, path, &e) != 0)
        return report_fail_err(r, &e);
    if (path && (fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
        return report_fail(r, "cannot write `%.300s`: %s", path, strerror(errno));
    if (path)
        screen_tell(sh, "%s gets what the next commands show, until you type `output`", path);
    else if (sh->file_path)
        screen_tell(sh, "%s is complete; output goes to the screen again", sh->file_path);
    send_output(sh, fd, path ? strdup(path) : NULL);
    return 0;
}

const struct command command_output = {
    .name = "output", .kind = CLASS_SESSION, .summary = "write the output of the next commands to "
                                                        "a file",
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct file_options, file), .type = ARG_FILE,
         .help = "the file; if not given, output goes to the screen again"}, {0}},
    .size = sizeof(struct file_options), .never_inside = true, .run = run_output};

struct quit_options { int n; bool n_given; };

static int run_quit(struct session *session, const void *given, struct report *r)
{
    const struct quit_options *o = given;
    struct shell *sh = shell_of(session);
    (void)r;
    sh->record.skip = true;
    bool file_only = sh->safe && !shell_typed(sh);
    sh->quitting = !file_only;
    sh->leaving = file_only;
    sh->quit_given = o->n_given;
    sh->quit_code = o->n;
    return 0;
}

const struct command command_quit = {
    .name = "quit", .alias = "exit", .kind = CLASS_SESSION, .summary = "end the session",
    .operands = (const struct arg_spec[]){
        {.name = "N", BIND(struct quit_options, n), GIVEN(struct quit_options, n), .type = ARG_INT,
         .lo = 0, .hi = 255, .help = "the exit status; if not given, 0, or 1 if a command "
                                     "failed"}, {0}},
    .size = sizeof(struct quit_options), .never_inside = true, .run = run_quit};
