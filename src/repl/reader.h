/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines from a script, whatever the script is: bounded memory, carriage returns dropped,
 * `\` at the end of a line continues it, the last line needs no newline. A signal and the end of
 * the session's time stop it, also while it waits for a pipe.
 */
#ifndef REPL_READER_H
#define REPL_READER_H

#include "session/budget.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/lines.h"
#include <stdbool.h>

enum { LINE_MOST = 1 << 20 };

enum read_status {
    READ_LINE,
    READ_BAD,     /* this line is none; e says why, the next one may be fine */
    READ_END,
    READ_FAILED,  /* the file can't be read on; e says why */
    READ_STOPPED  /* a signal came, or the session's time is over */
};

struct reader {
    int fd;           /* -1: from text */
    const struct budget *budget; /* asked while reading; NULL: only signals stop it */
    const char *text;
    size_t text_left;
    char *chunk;      /* bytes read ahead */
    size_t have, at;
    bool ended;
    int lines_read;
};

int reader_open_fd(struct reader *, int fd); /* -1: no memory */
void reader_open_text(struct reader *, const char *text, size_t n);
void reader_close(struct reader *);
/* The beginning of the file, before any line is read. n is 0 if the file is empty. */
struct span reader_beginning(struct reader *);
/* The next line, continuations joined; *line gets the number of its first one. */
enum read_status reader_next(struct reader *, struct buf *out, int *line, struct err *);
/* Does this line go on with the next? Its backslash is dropped then. */
bool reader_continues(struct buf *line);

#endif
