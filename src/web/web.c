/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cudalab in a page. What has main() elsewhere is here a few functions that the page calls, one after
 * the other: open a session, give it a line, ask what could complete one, tell the size of the screen.
 * What commands show goes to stdout and stderr, which the page reads.
 *
 * While a command runs, the page can't call. So a launch asks now and then whether the student wants
 * it to stop, and a question to the student waits in the page (line.c).
 */
#include "web/page.h"

#include "base/json.h"
#include "os/tty.h"
#include "repl/commands.h"
#include "repl/complete.h"
#include "repl/lecture/record.h"
#include "repl/lecture/styled.h"
#include "repl/prompt.h"
#include "repl/settings.h"

#include <emscripten.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <string.h>
#include <unistd.h>

/* The page has one session. */
static struct {
    struct shell sh;
    struct conversation talk;
    struct script_place place;
    struct progress shows; /* what a long command shows of itself */
    struct buf reply;      /* the last answer to the page: JSON, or a picture */
    bool open;
    int columns, rows;
    bool plain; /* the page is read aloud */
} page;

/* ---- what the page is asked ---------------------------------------------------------------- */

/* Was Ctrl-C pressed since it was asked last? */
EM_JS(int, page_stops, (void), { return Module.stops && Module.stops() ? 1 : 0; });

bool tty_is(int fd)
{
    return page.columns && fd <= STDERR_FILENO;
}

bool tty_window(int fd, int *columns, int *rows)
{
    *columns = page.columns;
    *rows = page.rows;
    return tty_is(fd);
}

static void look(void *self, double part)
{
    struct shell *sh = self;
    if (page_stops())
        sh->session.stop = 1;
    progress_tell(&page.shows, part);
}

/* ---- what the page calls ------------------------------------------------------------------- */

static const char *prompt(void)
{
    return shell_done(&page.sh) ? NULL : conversation_prompt(&page.talk);
}

/* What a screen can show: its size, whether its ground is light, whether it is read aloud. `set plain`
 * counts until the reader is turned on or off. */
EMSCRIPTEN_KEEPALIVE void web_look(int columns, int rows, int light, int plain)
{
    page.columns = columns;
    page.rows = rows;
    setenv("COLORFGBG", light ? "0;15" : "15;0", 1);
    if (page.plain != plain)
        page.sh.session.settings.plain = page.plain = plain;
}

/* The session begins, on the screen that was told. Returns the prompt; NULL: it could not begin, or it
 * has ended. */
EMSCRIPTEN_KEEPALIVE const char *web_open(void)
{
    struct shell *sh = &page.sh;
    struct err e = {0};
    setlocale(LC_CTYPE, "");
    setenv("TERM", "xterm-256color", 1);
    umask(022); /* it begins by forbidding all */
    shell_init(sh);
    sh->session.settings.plain = page.plain;
    sh->session.commands = commands_of_all();
    sh->prompting = sh->session.settings.volatile_on = true;
    page.shows = sh->session.progress;
    sh->session.progress = (struct progress){look, sh};
    if (!sh->session.commands || shell_open(sh, &e) != 0)
        return NULL;
    conversation_begin(&page.talk, sh);
    sh->place = &page.place;
    page.open = true;
    shell_greet(sh);
    return prompt();
}

/* A line was typed, or several were pasted. */
EMSCRIPTEN_KEEPALIVE const char *web_line(const char *typed)
{
    if (!page.open || shell_done(&page.sh))
        return NULL;
    page.sh.session.stop = 0;
    conversation_take(&page.talk, typed);
    return prompt();
}

/* Ctrl-C while a line is typed. */
EMSCRIPTEN_KEEPALIVE const char *web_drop(void)
{
    conversation_drop(&page.talk);
    return prompt();
}

/* {"from":5,"names":["..."],"calls":false}: what could stand from that byte to the end of the line. */
EMSCRIPTEN_KEEPALIVE const char *web_complete(const char *line)
{
    struct completions c;
    struct json j;
    buf_clear(&page.reply);
    if (!page.open || complete_line(&page.sh, line, strlen(line), &c) != 0)
        return "{\"from\":0,\"names\":[],\"calls\":false}";
    json_begin(&j, &page.reply);
    json_object(&j, NULL);
    json_int(&j, "from", (int64_t)c.from);
    json_array(&j, "names");
    for (unsigned i = 0; i < c.count; i++)
        json_text(&j, NULL, c.names[i]);
    json_end_array(&j);
    json_bool(&j, "calls", c.calls);
    json_end_object(&j);
    completions_free(&c);
    return buf_text(&page.reply);
}

/* What commands have to say as an array of JSON objects. Nothing is shown. */
EMSCRIPTEN_KEEPALIVE const char *web_json(const char *line)
{
    struct caught c;
    caught_begin(&c, &page.sh);
    record_run(&page.sh, line, &c);
    buf_clear(&page.reply);
    buf_putc(&page.reply, '[');
    buf_add(&page.reply, buf_text(&c.objects), c.objects.len);
    buf_putc(&page.reply, ']');
    caught_free(&c);
    return page.reply.failed ? "[]" : buf_text(&page.reply);
}

/* The last screen that a command showed, as SVG; empty: there was none. */
EMSCRIPTEN_KEEPALIVE const char *web_picture(int dark)
{
    const struct record *k = &page.sh.record;
    buf_clear(&page.reply);
    if (k->shown.len)
        svg_screen(&page.reply, buf_text(&k->command), buf_text(&k->shown), k->shown.len, dark);
    return page.reply.failed ? "" : buf_text(&page.reply);
}
