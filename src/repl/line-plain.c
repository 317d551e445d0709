/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines as they come: for a system without readline.
 */
#include "repl/line.h"

#if !defined(HAVE_READLINE) && !defined(WITH_WEB)

#include "repl/prompt.h"
#include "repl/reader.h"

#include <string.h>
#include <unistd.h>

static struct reader plain; /* it has read ahead what the next line begins with */

void line_history(struct report *r, int most)
{
    (void)most;
    say(r, "this cudalab was built without readline and keeps no history\n");
}

void line_remember(const char *line)
{
    (void)line;
}

bool line_begin_with(int key)
{
    (void)key;
    return false;
}

void line_open(struct shell *sh)
{
    (void)sh;
    if (reader_open_fd(&plain, STDIN_FILENO) != 0)
        plain.ended = true;
}

void line_close(void)
{
    reader_close(&plain);
}

enum read_status line_next(struct shell *sh, const char *prompt, struct buf *line)
{
    struct sink to = prompt_talk(sh);
    struct err e;
    int number;
    sh->session.stop = 0;
    sink_write(&to, prompt, strlen(prompt));
    enum read_status s = reader_next(&plain, line, &number, &e);
    if (s == READ_STOPPED || s == READ_END)
        sink_write(&to, "\n", 1);
    else if (s != READ_LINE)
        shell_complain(sh, e.text, 0);
    return s;
}

#endif
