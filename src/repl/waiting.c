/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line on stderr for whatever takes more than a second: what runs, for how long, how far it is,
 * and that Ctrl-C ends it. A piece of work that is slow is estimated. A command that runs others
 * many times says at which of them it is, and estimates what is left. The line is written where a
 * person looks on and nowhere else, and is wiped away before the result is shown. Between commands
 * there is none: then a prompt stands in its place.
 */
#include "repl/shell.h"

#include "os/clock.h"
#include "os/tty.h"
#include "repl/screen.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define AFTER 1.0    /* seconds without a word */
#define LONG 10.0    /* seconds that a kernel seldom takes */
#define EVERY 0.2    /* between two lines */
#define WIPE "\r\033[K"

static bool someone_looks(const struct shell *sh)
{
    const bool asked = sh->prompting || (sh->place && sh->place->alone);
    return asked && sh->out_is_terminal && !sh->json && tty_is(STDERR_FILENO) && screen_obeys();
}

void waiting_begin(struct shell *sh, const char *what)
{
    sh->waiting.held = sh->waiting.has_piece = false;
    if (sh->waiting.within[0])
        return; /* the outer command goes on, and its line too */
    waiting_end(sh);
    sh->waiting.since = clock_seconds();
    snprintf(sh->waiting.what, sizeof sh->waiting.what, "%.*s", (int)strcspn(what, " \t(<"), what);
}

void waiting_within(struct shell *sh, const char *part, double left_s)
{
    struct waiting *w = &sh->waiting;
    snprintf(w->within, sizeof w->within, "%s", part);
    w->left_s = left_s;
    w->left_since = clock_seconds();
}

/* A piece of work begins where its parts begin anew, or where nothing was known before. */
static void follow_piece(struct waiting *w, double part, double now)
{
    if (part >= 0 && (!w->has_piece || part < w->part)) {
        w->piece_since = now;
        w->piece_from = part;
    }
    w->has_piece = part >= 0;
    w->part = part;
}

/* ", about 40 s left" */
static void say_about(double seconds, const char *of_what, char text[60])
{
    enum { MINUTE = 60, HOUR = 3600 };
    if (seconds < 2 * MINUTE)
        snprintf(text, 60, ", about %.0f s %s", seconds, of_what);
    else if (seconds < 2 * HOUR)
        snprintf(text, 60, ", about %.0f minutes %s", seconds / MINUTE, of_what);
    else
        snprintf(text, 60, ", about %.0f hours %s", seconds / HOUR, of_what);
}

/* What the outer command said; else by the rate of the piece so far. "" where that is too early. */
static void estimate(const struct waiting *w, double now, char text[60])
{
    const double took = now - w->piece_since, did = w->part - w->piece_from;
    const double all = w->has_piece && took >= AFTER && did > 0 ? took / did : 0;
    const double left = w->left_s - (now - w->left_since);
    text[0] = '\0';
    if (w->within[0] && w->left_s > 0)
        say_about(left > 1 ? left : 1, "left", text);
    else if (!w->within[0] && all >= LONG)
        say_about(all, "in all", text);
}

static void show(struct shell *sh, double part, double now)
{
    struct sink to = {.fd = STDERR_FILENO};
    char line[200], out[240], done[20] = "", about[60];
    int columns = screen_columns_of(STDERR_FILENO);
    if (part >= 0)
        snprintf(done, sizeof done, " %.0f %% ", part * 100);
    estimate(&sh->waiting, now, about);
    const double seconds = now - sh->waiting.since;
    const bool endless = seconds >= LONG && !about[0] && strcmp(sh->waiting.what, "launch") == 0;
    snprintf(line, sizeof line, "%s:%s%s%s%s %.1f s%s  (Ctrl-C stops it%s)", sh->waiting.what,
             sh->waiting.within[0] ? " " : "", sh->waiting.within, sh->waiting.within[0] ? "," : "",
             done, seconds, about, endless ? "; a loop may never end" : "");
    snprintf(out, sizeof out, WIPE "%.*s", columns > 1 ? columns - 1 : 39, line);
    sink_write(&to, out, strlen(out));
}

static void see(void *self, double part)
{
    struct shell *sh = self;
    double now = clock_seconds();
    follow_piece(&sh->waiting, part, now);
    const bool runs = sh->waiting.since > 0;
    if (!runs || now - sh->waiting.since < AFTER || now - sh->waiting.shown_at < EVERY ||
        sh->waiting.held || !someone_looks(sh))
        return;
    sh->waiting.shown_at = now;
    show(sh, part, now);
}

void waiting_end(struct shell *sh)
{
    struct sink to = {.fd = STDERR_FILENO};
    if (sh->waiting.within[0])
        return; /* the line is the outer command's */
    if (sh->waiting.shown_at > 0)
        sink_write(&to, WIPE, strlen(WIPE));
    sh->waiting.shown_at = 0;
}

void waiting_leave(struct shell *sh, const struct waiting *outer)
{
    waiting_end(sh);
    const double shown_at = sh->waiting.shown_at; /* of a line that stays */
    sh->waiting = *outer;
    if (outer->within[0])
        sh->waiting.shown_at = shown_at;
}

struct progress waiting_progress(struct shell *sh)
{
    return (struct progress){see, sh};
}
