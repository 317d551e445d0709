/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The prompt. With readline: editing, history kept in a file of its own, completion from the
 * command table. Without: a plain reader of lines. Scripts never come here.
 *
 * Readline calls back without saying for whom, so this file keeps the one shell that prompts.
 */
#include "repl/prompt.h"

#include "repl/complete.h"
#include "repl/interrupt.h"
#include "repl/reader.h"
#include "repl/screen.h"
#include "repl/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "of no known version"
#endif

#define PROMPT "cudalab> "

enum { LOOK_EVERY = 200000 }; /* microseconds between looks at Ctrl-C while waiting for keys */

/* ---- where files of ours are ---------------------------------------------------------- */

/* $VARIABLE/cudalab/NAME, else $HOME/BASE/cudalab/NAME; empty: there is no home. */
static void user_file(struct buf *out, const char *variable, const char *base, const char *name)
{
    const char *dir = getenv(variable), *home = getenv("HOME");
    if (dir && *dir == '/')
        buf_printf(out, "%s/cudalab/%s", dir, name);
    else if (home && *home == '/')
        buf_printf(out, "%s/%s/cudalab/%s", home, base, name);
}

static void run_start_up_file(struct shell *sh)
{
    struct buf path;
    struct err e;
    buf_init(&path);
    user_file(&path, "XDG_CONFIG_HOME", ".config", "init");
    if (path.len && access(path.data, F_OK) == 0 && shell_run_file(sh, path.data, &e) != 0)
        shell_complain(sh, e.text, 0);
    buf_free(&path);
}

struct sink prompt_talk(const struct shell *sh)
{
    bool mixed = sh->out_is_terminal && !sh->json;
    return (struct sink){.fd = mixed ? STDOUT_FILENO : STDERR_FILENO};
}

static void say_banner(struct shell *sh)
{
    const struct session *s = &sh->session;
    struct sink to = prompt_talk(sh);
    struct report screen;
    char first[160];
    if (sh->quiet)
        return;
    report_init(&screen);
    screen_describe(sh, &screen);
    snprintf(first, sizeof first, "cudalab %s on %s (%.100s)", PACKAGE_VERSION, s->device->kind,
             s->device->props.name ? s->device->props.name : s->device->props.profile);
    const char *const lines[] = {
        first, s->why_device, "Type help for what there is, hello 2 4 to begin, Ctrl-D to leave."};
    for (int i = 0; i < 3; i++)
        if (lines[i][0])
            text_wrap(&screen.screen, lines[i], strlen(lines[i]), screen.width, 0);
    sink_write(&to, buf_text(&screen.screen), screen.screen.len);
    report_free(&screen);
}

void prompt_run(struct shell *sh, const char *text)
{
    sh->pasted = strchr(text, '\n') != NULL;
    shell_run_text(sh, text, NULL);
    sh->interrupted = false; /* Ctrl-C ends a command here, not the session */
    sh->session.stop = 0;
}

#ifdef HAVE_READLINE

static struct shell *prompting; /* for readline's callbacks */
static struct buf history_path;  /* empty: no history is kept */

/* ---- history -------------------------------------------------------------------------- */

static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* The history file, there and ours alone; empty where there can be none. */
static void history_file(const struct shell *sh, struct buf *path)
{
    const char *given = getenv("CUDALAB_HISTORY");
    if (sh->safe)
        return;
    if (given)
        buf_puts(path, given);
    else
        user_file(path, "XDG_STATE_HOME", ".local/state", "history");
    if (!path->len || path->failed)
        return;
    if (!given)
        make_folders(path->data);
    int fd = open(path->data, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        buf_clear(path); /* no history then, and no complaint */
    else
        close(fd);
}

void prompt_history(struct report *r, int most)
{
    int first = history_length > most ? history_length - most : 0;
    for (int i = first; i < history_length; i++) {
        HIST_ENTRY *entry = history_get(history_base + i);
        if (entry)
            say(r, "%5d  %s\n", history_base + i, entry->line);
    }
}

static void remember(const char *line)
{
    HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
    if (!line[strspn(line, " \t\n")] || (last && strcmp(last->line, line) == 0))
        return;
    add_history(line);
    if (history_path.len)
        append_history(1, history_path.data);
}

/* ---- readline's callbacks ------------------------------------------------------------- */

static int on_signal(void)
{
    if (!prompting->session.stop)
        return 0; /* the window changed its size, or the like */
    prompting->session.stop = 0;
    rl_replace_line("", 0);
    rl_crlf();
    rl_on_new_line();
    rl_redisplay();
    return 0;
}

/* Readline wants the longest common beginning first, then the names, all from malloc. */
static char **as_matches(const struct completions *c)
{
    char **matches = calloc(c->count + 2, sizeof *matches);
    if (!matches)
        return NULL;
    size_t common = strlen(c->names[0]);
    for (unsigned i = 1; i < c->count; i++)
        for (size_t k = 0; k < common; k++)
            if (c->names[i][k] != c->names[0][k])
                common = k;
    matches[0] = strndup(c->names[0], common);
    for (unsigned i = 0; c->count > 1 && i < c->count; i++)
        matches[i + 1] = strdup(c->names[i]);
    return matches;
}

static char **on_complete(const char *text, int start, int end)
{
    struct completions c;
    char **matches = NULL;
    (void)text;
    rl_attempted_completion_over = 1; /* never the names of files where none are due */
    if (complete_line(prompting, rl_line_buffer, (size_t)end, &c) == 0 && c.count &&
        c.from == (size_t)start)
        matches = as_matches(&c);
    rl_filename_completion_desired = c.files;
    size_t n = c.count == 1 ? strlen(c.names[0]) : 0;
    if (n && c.names[0][n - 1] == '/')
        rl_completion_suppress_append = 1;
    completions_free(&c);
    return matches;
}

static void set_up_readline(struct shell *sh)
{
    prompting = sh;
    rl_readline_name = "cudalab";
    if (sh->safe)
        setenv("INPUTRC", "/dev/null", 1); /* no file of the user's is read */
    rl_attempted_completion_function = on_complete;
    rl_completer_word_break_characters = " \t\n;=\"'";
    rl_signal_event_hook = on_signal;
    /* A Ctrl-C just before readline begins to wait interrupts nothing: look now and then. */
    rl_event_hook = on_signal;
    rl_set_keyboard_input_timeout(LOOK_EVERY);
    if (prompt_talk(sh).fd != STDOUT_FILENO) {
        rl_outstream = stderr;
        rl_variable_bind("enable-bracketed-paste", "off");
    }
}

char *prompt_read(struct shell *sh, const char *prompt)
{
    struct sink to = prompt_talk(sh);
    sh->session.stop = 0;
    char *line = readline(prompt);
    if (line)
        remember(line);
    else
        sink_write(&to, "\n", 1);
    return line;
}

static void converse(struct shell *sh)
{
    set_up_readline(sh);
    buf_init(&history_path);
    history_file(sh, &history_path);
    stifle_history(10000);
    if (history_path.len)
        read_history(history_path.data);
    for (char *line; !shell_done(sh) && (line = prompt_read(sh, PROMPT)); free(line))
        prompt_run(sh, line);
    if (history_path.len)
        history_truncate_file(history_path.data, 10000);
    rl_clear_history();
    buf_free(&history_path);
}

#else /* the plain line reader */

void prompt_history(struct report *r, int most)
{
    (void)most;
    say(r, "this cudalab was built without readline and keeps no history\n");
}

static struct reader *keys; /* what is typed; a play reads on where the prompt stopped */

char *prompt_read(struct shell *sh, const char *prompt)
{
    struct buf line;
    struct err e;
    struct sink to = prompt_talk(sh);
    enum read_status s;
    int number;
    buf_init(&line);
    do {
        sh->session.stop = 0;
        sink_write(&to, prompt, strlen(prompt));
        s = reader_next(keys, &line, &number, &e);
        if (s == READ_STOPPED || s == READ_END)
            sink_write(&to, "\n", 1);
        else if (s != READ_LINE)
            shell_complain(sh, e.text, 0);
    } while (s == READ_STOPPED || s == READ_BAD);
    char *typed = s == READ_LINE ? strdup(buf_text(&line)) : NULL;
    buf_free(&line);
    return typed;
}

static void converse(struct shell *sh)
{
    struct reader r;
    if (reader_open_fd(&r, STDIN_FILENO) != 0)
        return;
    keys = &r;
    for (char *line; !shell_done(sh) && (line = prompt_read(sh, PROMPT)); free(line))
        prompt_run(sh, line);
    reader_close(&r);
}

#endif

void shell_prompt(struct shell *sh)
{
    struct place prompt = {.name = NULL};
    if (!sh->no_init && !sh->safe)
        run_start_up_file(sh);
    say_banner(sh);
    sh->place = &prompt;
    int before = sh->failures; /* a slip at the prompt is no failure of the session */
    converse(sh);
    sh->failures = before;
    sh->place = NULL;
}
