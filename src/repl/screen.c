/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the screen can show, and whether what is longer than it goes to the pager.
 */
#include "repl/screen.h"

#include "base/lines.h"
#include "os/tty.h"
#include "programs/programs.h"
#include "repl/interrupt.h"
#include "repl/prompt.h"
#include "repl/pages.h"
#include "screen/columns.h"
#include "screen/wrap.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OFF_TERMINAL = 80, PROJECTOR = 72, WIDEST = 100, NARROWEST = 40, ROWS_OFF_TERMINAL = 20 };

int screen_columns_of(int fd)
{
    int columns, rows;
    return tty_window(fd, &columns, &rows) ? columns : 0;
}

/* Does what is printed go to a terminal, not to a pipe or an `output FILE`? */
static bool on_terminal(const struct shell *sh)
{
    return sh->out_is_terminal && sh->file.fd < 0;
}

int screen_columns(const struct shell *sh)
{
    const struct settings *set = &sh->session.settings;
    const int columns = on_terminal(sh) ? screen_columns_of(sh->out.fd) : 0;
    int w = OFF_TERMINAL;
    if (columns)
        w = columns < NARROWEST ? NARROWEST : columns;
    return set->width ? set->width : w;
}

/* Lines of text don't grow with a terminal beyond what an eye can follow. */
static int width(const struct shell *sh)
{
    const struct settings *set = &sh->session.settings;
    int w = screen_columns(sh);
    if (!set->width && w > WIDEST)
        w = WIDEST;
    return set->projector && w > PROJECTOR ? PROJECTOR : w;
}

/* A script and a transcript have the same bytes on every screen. */
static int rows(const struct shell *sh)
{
    int across, down;
    const bool known = on_terminal(sh) && !sh->replaying && sh->record.transcript.fd < 0 &&
                       tty_window(sh->out.fd, &across, &down) && down > 1;
    return known ? down - 1 : ROWS_OFF_TERMINAL;
}

static bool has_utf8(const struct shell *sh)
{
    const char *charset = sh->session.settings.charset;
    if (strcmp(charset, "auto") != 0)
        return strcmp(charset, "utf8") == 0;
    /* A script gives the same bytes in every locale. */
    return on_terminal(sh) && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

bool screen_obeys(void)
{
    const char *term = environment("TERM");
    return *term && strcmp(term, "dumb") != 0;
}

/* ---- colours -------------------------------------------------------------------------- */

/* Off a terminal, only where they were asked for in so many words. */
static bool wants_colours(const struct shell *sh)
{
    const char *color = sh->session.settings.color;
    if (strcmp(color, "auto") != 0)
        return strcmp(color, "always") == 0;
    return on_terminal(sh) && !*environment("NO_COLOR") && screen_obeys();
}

static int colours(const struct shell *sh)
{
    const char *term = environment("TERM"), *more = environment("COLORTERM");
    if (!wants_colours(sh))
        return 0;
    bool many = strstr(term, "256color") || strstr(term, "direct") ||
                strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0;
    return many && !sh->session.settings.projector ? 256 : 16;
}

/* COLORFGBG, which some terminals set, ends in the background: 7 and 9 to 15 are light. Terminals
 * that don't set it are taken for dark. A front end may change its ground at any time. */
static enum ground ground_of(const struct shell *sh)
{
    const char *theme = sh->session.settings.theme;
    const char *ground = strrchr(environment("COLORFGBG"), ';');
    if (strcmp(theme, "auto") != 0)
        return strcmp(theme, "light") == 0 ? GROUND_LIGHT : GROUND_DARK;
    if (!ground || !ground[1] || ground[1 + strspn(ground + 1, "0123456789")])
        return sh->talk ? GROUND_UNKNOWN : GROUND_DARK;
    long number = strtol(ground + 1, NULL, 10);
    return number == 7 || (number >= 9 && number <= 15) ? GROUND_LIGHT : GROUND_DARK;
}

void screen_describe(const struct shell *sh, struct report *r)
{
    r->width = width(sh);
    r->rows = rows(sh);
    r->utf8 = has_utf8(sh);
    r->colours = colours(sh);
    r->ground = ground_of(sh);
    r->bold = sh->session.settings.projector;
    r->plain = sh->session.settings.plain;
    /* A transcript has the same bytes whoever wrote it, so nothing volatile is shown meanwhile. */
    r->volatile_on = sh->session.settings.volatile_on && sh->record.transcript.fd < 0;
}

/* ---- the pager ------------------------------------------------------------------------ */

/* How many rows the text needs on a terminal with this many columns. The terminal breaks lines that
 * are too long. */
static size_t rows_of(const char *text, size_t n, int columns)
{
    struct span rest = {text, n}, line;
    size_t rows = 0;
    while (next_line(&rest, &line)) {
        int wide = columns_of(line.at, line.n);
        rows += columns > 0 && wide > columns ? (size_t)((wide + columns - 1) / columns) : 1;
    }
    return rows;
}

/* Is the text too long for the screen? The prompt needs the last row. */
static bool wants_pager(const struct shell *sh, const char *text, size_t n)
{
    int columns, rows;
    if (!sh->prompting || !shell_watched(sh) || sh->safe || !on_terminal(sh) ||
        !tty_is(STDIN_FILENO) || !screen_obeys() || !tty_window(sh->out.fd, &columns, &rows))
        return false;
    return rows > 1 && rows_of(text, n, columns) > (size_t)rows - 1;
}

/* Does the student want another pager than ours? */
static bool names_pager(void)
{
    return getenv("CUDALAB_PAGER") || getenv("PAGER");
}

bool screen_show(struct shell *sh, const char *text, size_t n)
{
    if (wants_pager(sh, text, n)) {
        if (!names_pager() && terminal_held())
            return !pages_show(sh, text, n, colours(sh) > 0);
        if (sh->programs && sh->programs->page(text, n, interrupt_ending))
            return false; /* whether it was read to its end is not known */
    }
    shell_put(sh, shell_out(sh), text, n, colours(sh) > 0);
    return false;
}

/* ---- a line for the student ------------------------------------------------------------- */

void screen_tell(struct shell *sh, const char *fmt, ...)
{
    struct sink to = prompt_talk(sh);
    struct buf text = {0}, wrapped = {0};
    va_list ap;
    if (!shell_watched(sh) || !sh->prompting || !sh->out_is_terminal || sh->json ||
        sh->record.caught)
        return;
    va_start(ap, fmt);
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    text_wrap(&wrapped, buf_text(&text), text.len, width(sh), 0);
    shell_put(sh, &to, buf_text(&wrapped), wrapped.len, false);
    buf_free(&text);
    buf_free(&wrapped);
}
