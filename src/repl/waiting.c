/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line on stderr for whatever takes more than a second: what runs, for how long, how far it
 * is, and that Ctrl-C ends it. It is written where a person looks on and nowhere else, and is
 * wiped away before the result is shown.
 */
#include "repl/shell.h"

#include "os/clock.h"
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
    return sh->prompting && sh->out_is_terminal && !sh->json && isatty(STDERR_FILENO) &&
           screen_obeys();
}

void waiting_begin(struct shell *sh, const char *what)
{
    waiting_end(sh);
    sh->waiting.since = clock_seconds();
    sh->waiting.held = false;
    snprintf(sh->waiting.what, sizeof sh->waiting.what, "%.*s", (int)strcspn(what, " \t(<"), what);
}

static void show(struct shell *sh, double part)
{
    struct sink to = {.fd = STDERR_FILENO};
    char line[160], out[200], done[20] = "";
    int columns = screen_columns_of(STDERR_FILENO);
    if (part >= 0)
        snprintf(done, sizeof done, " %.0f %% ", part * 100);
    const double seconds = clock_seconds() - sh->waiting.since;
    const bool endless = seconds >= LONG && strcmp(sh->waiting.what, "launch") == 0;
    snprintf(line, sizeof line, "%s:%s %.1f s  (Ctrl-C stops it%s)", sh->waiting.what, done,
             seconds, endless ? "; a loop may never end" : "");
    snprintf(out, sizeof out, WIPE "%.*s", columns > 1 ? columns - 1 : 39, line);
    sink_write(&to, out, strlen(out));
}

static void see(void *self, double part)
{
    struct shell *sh = self;
    double now = clock_seconds();
    if (now - sh->waiting.since < AFTER || now - sh->waiting.shown_at < EVERY ||
        sh->waiting.held || !someone_looks(sh))
        return;
    sh->waiting.shown_at = now;
    show(sh, part);
}

void waiting_end(struct shell *sh)
{
    struct sink to = {.fd = STDERR_FILENO};
    if (sh->waiting.shown_at > 0)
        sink_write(&to, WIPE, strlen(WIPE));
    sh->waiting.shown_at = 0;
}

struct progress waiting_progress(struct shell *sh)
{
    return (struct progress){see, sh};
}
