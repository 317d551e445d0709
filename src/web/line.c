/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that the page edits. It gives each to web_line() when it is typed, so none is waited for
 * here; only an answer to a question is. The page waits for it where it can, and else starts the
 * session again with the answer at hand.
 */
#include "repl/line.h"

#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

enum { CTRL_C = 3, CTRL_D = 4 }; /* a key that is an answer stands alone in it */

/* The answer, from malloc; NULL: there is no page. */
EM_JS(char *, page_answer, (const char *question), {
    return Module.ask ? allocateUTF8(Module.ask(UTF8ToString(question))) : 0;
});

/* The lines of the session, for the command `history`. */
static struct {
    char **lines;
    int count, room;
} typed;

void line_open(struct shell *sh)
{
    (void)sh;
}

void line_close(void)
{
    while (typed.count)
        free(typed.lines[--typed.count]);
    free(typed.lines);
    typed.lines = NULL;
    typed.room = 0;
}

enum read_status line_next(struct shell *sh, const char *prompt, struct buf *line)
{
    char *answer = page_answer(prompt);
    buf_clear(line);
    if (!answer || answer[0] == CTRL_D) {
        free(answer);
        return READ_END;
    }
    if (answer[0] == CTRL_C) {
        free(answer);
        sh->session.stop = 1;
        return READ_STOPPED;
    }
    buf_puts(line, answer);
    free(answer);
    return READ_LINE;
}

void line_remember(const char *line)
{
    if (typed.count == typed.room) {
        const int room = typed.room ? 2 * typed.room : 64;
        char **more = realloc(typed.lines, (size_t)room * sizeof *more);
        if (!more)
            return;
        typed.lines = more;
        typed.room = room;
    }
    char *own = line[strspn(line, " \t")] ? strdup(line) : NULL;
    if (own)
        typed.lines[typed.count++] = own;
}

void line_history(struct report *r, int most)
{
    for (int i = typed.count > most ? typed.count - most : 0; i < typed.count; i++)
        say(r, "%5d  %s\n", i + 1, typed.lines[i]);
}

bool line_begin_with(int key)
{
    (void)key;
    return false;
}
