/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Going through a lecture. At the prompt each step waits: Enter runs it, a word of the play
 * moves about in it, and anything else is a command that is run in between. Where nobody can
 * press Enter, all steps run one after the other.
 */
#include "repl/commands.h"
#include "repl/lecture/play.h"
#include "repl/prompt.h"
#include "repl/screen.h"
#include "repl/talk.h"
#include "repl/scripting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct lecture {
    struct shell *sh;
    struct play play;
    struct script_place place; /* the file, and the line of the command that runs */
    bool waits;                /* for Enter */
    bool wants_clear, clears;  /* the screen, before each step: it should, and it can */
    bool over, again;   /* again: the step is shown once more, without its slide */
    bool reading;       /* a step has run; the next Enter clears the screen */
};

/* ---- one step ------------------------------------------------------------------------- */

static void tell(struct lecture *l, const struct buf *text)
{
    struct shell *sh = l->sh;
    struct sink to = prompt_talk(sh);
    if (l->waits && !sh->talk) /* with the codes that clear the screen */
        sink_write(&to, buf_text(text), text->len);
    else
        shell_put(sh, shell_out(sh), buf_text(text), text->len, true);
}

static void tell_line(struct lecture *l, const char *text)
{
    struct report look = {0};
    struct buf out = {0};
    screen_describe(l->sh, &look);
    text_wrap(&out, text, strlen(text), look.width, 0);
    tell(l, &out);
    buf_free(&out);
}

static void show_step(struct lecture *l)
{
    struct lecture_step shown = l->play.step[l->play.at];
    struct report look = {0};
    struct buf out = {0};
    if (l->sh->json && !l->waits)
        return;
    if (l->clears && !l->again)
        buf_puts(&out, "\033[H\033[2J");
    if (l->again)
        shown.slide = NULL;
    if (!l->waits && l->sh->echo)
        shown.command = NULL; /* the echo shows it */
    screen_describe(l->sh, &look);
    play_show(&shown, &look, &out);
    tell(l, &out);
    buf_free(&out);
}

/* Run the step's commands as the script's own. They report their results themselves. */
static void run_step(struct lecture *l)
{
    struct shell *sh = l->sh;
    const struct lecture_step *s = &l->play.step[l->play.at++];
    if (!s->command)
        return;
    l->place.line = s->line;
    sh->place = &l->place;
    sh->pasted = true; /* no caret, since the command is shown further up */
    shell_run_line(sh, s->command, strlen(s->command));
    sh->place = l->place.outer;
}

/* ---- waiting -------------------------------------------------------------------------- */

static void next_step(struct lecture *l)
{
    struct shell *sh = l->sh;
    char text[120];
    int line = l->play.step[l->play.at].line, before = sh->mistakes;
    run_step(l);
    l->reading = l->clears && l->play.at < l->play.count;
    if (sh->session.stop)
        tell_line(l, "Enter goes on, back returns to the step");
    else if (sh->mistakes != before) {
        snprintf(text, sizeof text, "line %d of the script did not work. Enter goes on, back "
                 "returns to the step", line);
        tell_line(l, text);
    }
    sh->session.stop = 0;
    if (sh->quitting) /* of the script; the session goes on */
        l->play.at = l->play.count;
    sh->quitting = sh->quit_given = false;
}

static void go_back(struct lecture *l)
{
    if (l->play.at == 0) {
        tell_line(l, "this is the first step; there is none before it");
        l->again = true;
        return;
    }
    l->play.at--;
    tell_line(l, "one step back; what it did when it ran is not undone");
}

static void go_to(struct lecture *l, unsigned n)
{
    char text[100];
    if (n >= 1 && n <= l->play.count) {
        l->play.at = n - 1;
        return;
    }
    snprintf(text, sizeof text, "goto takes the number of a step, 1 to %u; `list` has them",
             l->play.count);
    tell_line(l, text);
    l->again = true;
}

static void show_list(struct lecture *l)
{
    struct report look = {0};
    struct buf out = {0};
    screen_describe(l->sh, &look);
    play_list(&l->play, &look, &out);
    if (l->sh->json)
        tell(l, &out);
    else
        screen_show(l->sh, buf_text(&out), out.len);
    buf_free(&out);
    l->again = true;
}

/* The lecturer types another command in between; the play waits at its step. */
static void step_out(struct lecture *l, const char *line)
{
    prompt_run(l->sh, line);
    l->again = true;
}

static void obey(struct lecture *l, const char *line)
{
    unsigned n;
    enum play_word word = play_word(line, &n);
    l->again = false;
    if (l->reading && word == PLAY_NEXT) {
        l->reading = false;
        return;
    }
    l->reading = l->reading && (word == PLAY_LIST || word == PLAY_NONE);
    switch (word) {
    case PLAY_NEXT: next_step(l); break;
    case PLAY_BACK: go_back(l); break;
    case PLAY_SKIP: l->play.at++; break;
    case PLAY_LIST: show_list(l); break;
    case PLAY_GOTO: go_to(l, n); break;
    case PLAY_QUIT: l->over = true; break;
    case PLAY_NONE: step_out(l, line); break;
    }
}

static char *ask_step(struct lecture *l)
{
    char prompt[60];
    if (!l->reading)
        show_step(l);
    snprintf(prompt, sizeof prompt, "play %u/%u%s> ", l->play.at + 1, l->play.count,
             l->reading ? " (Enter shows it)" : "");
    return prompt_read(l->sh, prompt);
}

/* Says where the play ended, and by which command it can go on from there. */
static void tell_end(struct lecture *l)
{
    const struct play *p = &l->play;
    const bool ended = p->at >= p->count;
    scripting_ends(l->sh);
    const unsigned step = ended ? p->count : p->at + 1;
    struct buf text = {0};
    if (ended)
        buf_puts(&text, "the play is at its end. ");
    else
        buf_printf(&text, "the play is left at step %u of %u. ", step, p->count);
    buf_printf(&text, "`play %s --from %u%s` %s", p->path, step, l->wants_clear ? " --clear" : "",
               ended ? "shows the last step again" : "goes on there");
    tell_line(l, buf_text(&text));
    buf_free(&text);
}

static void lecture(struct lecture *l)
{
    struct shell *sh = l->sh;
    tell_line(l, "Enter runs the command. back, skip, list, goto N move. quit leaves the play.");
    while (!l->over && !shell_done(sh) && l->play.at < l->play.count) {
        char *line = ask_step(l);
        l->over = !line;
        if (line)
            obey(l, line);
        else
            tell_line(l, "");
        free(line);
    }
    if (l->play.at >= l->play.count || !shell_done(sh))
        tell_end(l);
}

/* ---- not waiting ---------------------------------------------------------------------- */

static void run_through(struct lecture *l)
{
    struct shell *sh = l->sh;
    while (!shell_done(sh) && l->play.at < l->play.count) {
        show_step(l);
        run_step(l);
        if (sh->session.stop)
            sh->interrupted = true;
    }
}

/* ---- the command ---------------------------------------------------------------------- */

/* Can somebody press Enter, because a prompt started this? */
static bool prompt_leads_here(const struct shell *sh)
{
    const struct script_place *p = sh->place;
    while (p && p->name)
        p = p->outer;
    return p && sh->prompting && (!sh->talk || sh->talk->asks);
}

/* Sets the first step that is shown. */
static int begin_at(struct play *p, int from, struct err *e)
{
    if (from > (int)p->count)
        return fail(e, "`%.300s` has %u step%s: --from takes 1 to %u", p->path, p->count,
                    p->count == 1 ? "" : "s", p->count);
    p->at = (unsigned)from - 1;
    return 0;
}

static int read_script(struct lecture *l, struct err *e)
{
    if (!l->play.path)
        return fail_memory(e);
    l->place = (struct script_place){.name = l->play.path, .outer = l->sh->place, .live = l->waits};
    int fd = shell_open_plain(l->sh, l->play.path, e);
    if (fd < 0)
        return -1;
    int rc = shell_check_depth(l->sh, fd, l->play.path, e);
    shell_place_in(&l->place, fd);
    if (rc == 0)
        rc = play_read(&l->play, l->sh, fd, e);
    close(fd);
    return rc;
}

struct play_options { const char *file; int from; bool clear; };

static int run_play(struct session *session, const void *given, struct report *r)
{
    const struct play_options *o = given;
    struct shell *sh = shell_of(session);
    struct lecture l = {.sh = sh, .waits = prompt_leads_here(sh)};
    struct err e = {0};
    if (sh->play)
        return report_fail(r, "`%.200s` is being played, and a play can't run in a play; `source` "
                              "runs another script", sh->play->path);
    if (sh->record.caught)
        return report_fail(r, "play can't run inside side or replay; type it as a command of its "
                              "own");
    l.play.path = shell_path(sh, o->file);
    l.wants_clear = o->clear;
    l.clears = o->clear && l.waits && sh->out_is_terminal && !sh->json && screen_obeys();
    int rc = read_script(&l, &e);
    if (rc == 0)
        rc = begin_at(&l.play, o->from, &e);
    if (rc == 0) {
        sh->play = &l.play;
        if (l.waits)
            lecture(&l);
        else
            run_through(&l);
        sh->play = NULL;
        sh->leaving = false;
    }
    play_free(&l.play);
    sh->no_object = rc == 0;
    return rc ? report_fail_err(r, &e) : 0;
}

const struct command command_play = {
    .name = "play", .kind = CLASS_SESSION,
    .summary = "show a script as a lecture: one step for each Enter",
    .options = (const struct arg_spec[]){
        {OPTION(struct play_options, from), .type = ARG_INT, .initial = "1", .lo = 1,
         .hi = 1000000, .help = "the step to begin with"},
        {OPTION(struct play_options, clear), .help = "clear the screen before each step"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct play_options, file), .type = ARG_FILE, .required = true,
         .example = "hw.lab",
         .help = "the script; a relative path starts in the current folder, but in a script it "
                 "starts in the folder of that script"}, {0}},
    .size = sizeof(struct play_options), .never_inside = true, .run = run_play};
