/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The prompt: the banner, questions, and commands that take several lines. Scripts never come here.
 */
#include "repl/prompt.h"

#include "base/lines.h"
#include "repl/interrupt.h"
#include "repl/line.h"
#include "repl/screen.h"
#include "repl/settings.h"
#include "repl/step/step.h"
#include "repl/talk.h"
#include "repl/user-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MORE "       > " /* what is open stands before the > */

enum { CONTINUED_MOST = 1000 /* lines of one command */ };

static void run_start_up_file(struct shell *sh)
{
    struct buf path = {0};
    struct err e;
    user_file(&path, "XDG_CONFIG_HOME", ".config", "init");
    if (path.len && access(path.data, F_OK) == 0 && shell_run_file(sh, path.data, &e) != 0)
        shell_complain(sh, e.text, 0);
    buf_free(&path);
}

struct sink prompt_talk(const struct shell *sh)
{
    bool mixed = (sh->out_is_terminal && !sh->json) || sh->talk;
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
        first, s->why_device, "Type next for the course, help for all commands, Ctrl-D to leave."};
    for (int i = 0; i < 3; i++)
        if (lines[i][0])
            text_wrap(&screen.screen, lines[i], strlen(lines[i]), screen.width, 0);
    shell_put(sh, &to, buf_text(&screen.screen), screen.screen.len, false);
    report_free(&screen);
}

/* ---- for who asks something else ------------------------------------------------------ */

char *prompt_read(struct shell *sh, const char *prompt)
{
    struct buf line = {0};
    char *typed = NULL;
    enum read_status s;
    if (sh->talk)
        return talk_ask(sh, prompt);
    do
        s = line_next(sh, prompt, &line);
    while ((s == READ_STOPPED || s == READ_BAD) && !interrupt_ending());
    if (s == READ_LINE)
        typed = strdup(buf_text(&line));
    if (typed && !strchr(typed, '\n'))
        line_remember(typed);
    buf_free(&line);
    return typed;
}

char *prompt_answer(struct shell *sh, const char *question)
{
    struct buf line = {0};
    char *answer = NULL;
    if (sh->talk)
        return talk_ask(sh, question);
    if (line_next(sh, question, &line) == READ_LINE) {
        const struct span text = trim((struct span){buf_text(&line), line.len});
        answer = strndup(text.at, text.n);
    }
    buf_free(&line);
    return answer;
}

bool prompt_agrees(struct shell *sh, const char *question)
{
    char *answer = prompt_answer(sh, question);
    const bool yes = answer && (strcmp(answer, "y") == 0 || strcmp(answer, "yes") == 0 ||
                                strcmp(answer, "Y") == 0);
    free(answer);
    return yes;
}

/* Ctrl-C ends a command here, not the session; returns whether it did. */
static bool run_typed(struct shell *sh, const char *text, bool pasted)
{
    sh->pasted = pasted;
    shell_run_text(sh, text, NULL);
    bool stopped = sh->session.stop;
    sh->interrupted = false;
    sh->session.stop = 0;
    return stopped;
}

void prompt_run(struct shell *sh, const char *text)
{
    run_typed(sh, text, strchr(text, '\n') != NULL);
}

/* ---- commands of several lines -------------------------------------------------------- */

/* Is a block begun in these lines, and not ended? */
static bool has_open_block(const struct buf *lines)
{
    struct statements block = {0};
    struct err ignored;
    const bool open = statements_read(&block, buf_text(lines), lines->len, 1, &ignored) == 0 &&
                      block.deep > 0;
    statements_free(&block);
    return open;
}

/* Where the last line begins. */
static size_t last_line(const struct buf *command)
{
    size_t at = command->len;
    while (at && command->data[at - 1] != '\n')
        at--;
    return at;
}

/* What a command that goes on waits for: the quote or parenthesis that is open in it, a blank
 * after a backslash, `.` for the `end` of a block; 0: it is whole. */
static char waits_for(struct buf *command)
{
    struct err ignored;
    size_t at = last_line(command), end;
    int mark;
    if (command->len > LINE_MOST || command->failed)
        return 0; /* it will be refused */
    if (reader_continues(command))
        return ' ';
    while ((mark = words_end(buf_text(command), command->len, at, &end, &ignored)) == ';')
        at = end + 1;
    if (mark >= 0 && has_open_block(command)) {
        buf_putc(command, '\n');
        return '.';
    }
    if (mark >= 0)
        return 0;
    char closes = words_open(buf_text(command) + at, command->len - at);
    const char *launch = strstr(buf_text(command) + at, "<<<");
    if (closes == '>' && launch && strchr(launch, '>'))
        return 0; /* `k<<<1, 32>>(x)` is no line that goes on: it says itself what is missing */
    buf_putc(command, ' '); /* for the end of its line */
    return closes == ')' ? '(' : closes == '>' ? '<' : closes;
}

char prompt_open_end(const char *text, size_t n)
{
    struct span rest = {text, n}, line;
    struct buf command = {0};
    char open = 0;
    while (next_line(&rest, &line)) {
        buf_add(&command, line.at, line.n);
        open = waits_for(&command);
        if (!open)
            buf_clear(&command);
    }
    buf_free(&command);
    return open;
}

/* Says once why the line goes on. What is pasted goes on by itself. */
static void say_open(struct shell *sh, char open)
{
    struct sink to = prompt_talk(sh);
    char text[80];
    snprintf(text, sizeof text, "`%s` is missing. Go on with the line, or press Ctrl-C.\n",
             open == '.' ? "end" : open == '(' ? ")" : open == '<' ? ">>>" : open == '"' ? "\"" : "'");
    if (open != ' ')
        sink_write(&to, text, strlen(text));
}

const char *prompt_text(const struct shell *sh)
{
    return sh->stepping ? "step> " : "cudalab> ";
}

static bool is_empty(const struct buf *command)
{
    return trim((struct span){buf_text(command), command->len}).n == 0;
}

void conversation_begin(struct conversation *c, struct shell *sh)
{
    *c = (struct conversation){.sh = sh, .more = MORE};
}

void conversation_free(struct conversation *c)
{
    buf_free(&c->command);
}

const char *conversation_prompt(const struct conversation *c)
{
    return c->lines ? c->more : prompt_text(c->sh);
}

/* The command is whole, or nothing more comes. Returns whether Ctrl-C ended it. */
static bool run_command(struct conversation *c)
{
    struct shell *sh = c->sh;
    line_remember(buf_text(&c->command));
    const char *again = is_empty(&c->command) ? stepping_again(sh) : NULL;
    char *text = strdup(again ? again : buf_text(&c->command)); /* a move keeps its own text */
    const bool pasted = c->lines > 1;
    conversation_drop(c);
    const bool stopped = text && run_typed(sh, text, pasted);
    free(text);
    return stopped;
}

/* One line of a command, which runs if it is whole then. Returns whether Ctrl-C ended it. */
static bool take_line(struct conversation *c, const char *line, size_t n, bool more_follow)
{
    char *open = &c->more[sizeof MORE - 4];
    buf_add(&c->command, line, n);
    *open = waits_for(&c->command);
    if (!c->lines && !more_follow && *open)
        say_open(c->sh, *open);
    return (++c->lines == CONTINUED_MOST || !*open) && run_command(c);
}

void conversation_take(struct conversation *c, const char *typed)
{
    bool left = true;
    while (left && !shell_done(c->sh)) {
        const size_t n = strcspn(typed, "\n");
        left = typed[n] == '\n';
        if (take_line(c, typed, n, left))
            return; /* with a command goes what was pasted behind it */
        typed += n + left;
    }
}

void conversation_drop(struct conversation *c)
{
    buf_clear(&c->command);
    c->lines = 0;
}

bool conversation_end(struct conversation *c)
{
    if (!c->lines)
        return true;
    run_command(c); /* it says itself what is missing */
    return false;
}

static void converse(struct shell *sh)
{
    struct conversation c;
    struct buf typed = {0};
    bool ended = false;
    conversation_begin(&c, sh);
    line_open(sh);
    while (!shell_done(sh) && !ended) {
        enum read_status s = line_next(sh, conversation_prompt(&c), &typed);
        ended = s == READ_FAILED || (s == READ_END && conversation_end(&c));
        if (s == READ_STOPPED && c.lines)
            line_remember(buf_text(&c.command)); /* Up brings it back */
        if (s == READ_LINE)
            conversation_take(&c, buf_text(&typed));
        else
            conversation_drop(&c);
    }
    line_close();
    terminal_release();
    conversation_free(&c);
    buf_free(&typed);
}

void shell_greet(struct shell *sh)
{
    if (!sh->no_init && !sh->safe)
        run_start_up_file(sh);
    sh->interrupted = false; /* Ctrl-C may have ended that file */
    say_banner(sh);
}

void shell_prompt(struct shell *sh)
{
    struct script_place prompt = {.name = NULL};
    sh->place = &prompt;
    int before = sh->failures; /* a slip at the prompt is no failure of the session */
    converse(sh);
    sh->failures = before;
    sh->place = NULL;
}
