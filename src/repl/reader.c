/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading scripts. A line that can't be one (too long, or with bytes no text has) is read to
 * its end and refused by itself, so that whatever follows still runs.
 */
#include "repl/reader.h"

#include "command/command.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, CONTINUED_MOST = 10000, NO_LINE = 64 << 20, LOOK_MS = 200 };

int reader_open_fd(struct reader *r, int fd)
{
    *r = (struct reader){.fd = fd, .chunk = malloc(CHUNK)};
    return r->chunk ? 0 : -1;
}

void reader_open_text(struct reader *r, const char *text, size_t n)
{
    *r = (struct reader){.fd = -1, .text = text, .text_left = n};
}

void reader_close(struct reader *r)
{
    free(r->chunk);
    *r = (struct reader){.fd = -1, .ended = true};
}

/* Has reading to end? A command's own time doesn't count here. */
static bool must_stop(const struct reader *r)
{
    enum budget_end end = r->budget ? budget_end(r->budget) : BUDGET_LEFT;
    return end == BUDGET_STOPPED || end == BUDGET_SESSION_TIME;
}

/* Are there bytes, or comes the end? A page has no pipes, and no poll(): read() waits there. */
static int bytes_there(int fd, int patience)
{
#ifdef WITH_WEB
    (void)fd, (void)patience;
    return 1;
#else
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, patience);
#endif
}

/* A pipe may keep us waiting: look up now and then. */
static enum read_status wait_for_bytes(const struct reader *r)
{
    const int patience = r->budget && r->budget->session_s > 0 ? LOOK_MS : -1;
    int ready = 0;
    while (r->budget && ready <= 0 && !must_stop(r)) {
        ready = bytes_there(r->fd, patience);
        if (ready < 0 && errno != EINTR)
            break;
    }
    return must_stop(r) ? READ_STOPPED : READ_LINE;
}

/* Have bytes at hand; READ_LINE means yes. */
static enum read_status fill(struct reader *r, struct err *e)
{
    if (r->at < r->have)
        return READ_LINE;
    if (r->ended)
        return READ_END;
    if (wait_for_bytes(r) != READ_LINE)
        return READ_STOPPED;
    ssize_t k = read(r->fd, r->chunk, CHUNK);
    if (k < 0) {
        if (errno == EINTR)
            return READ_STOPPED;
        fail(e, "cannot read on: %s", strerror(errno));
        return READ_FAILED;
    }
    r->at = 0;
    r->have = (size_t)k;
    r->ended = k == 0;
    return k ? READ_LINE : READ_END;
}

struct span reader_beginning(struct reader *r)
{
    struct err ignored;
    if (fill(r, &ignored) != READ_LINE)
        return SPAN("");
    return (struct span){r->chunk + r->at, r->have - r->at};
}

/* What is at hand, up to and with a newline; returns whether there was one. */
static bool take_chunk(struct reader *r, const char **bytes, size_t *n)
{
    const char *from = r->fd < 0 ? r->text : r->chunk + r->at;
    size_t left = r->fd < 0 ? r->text_left : r->have - r->at;
    const char *newline = left ? memchr(from, '\n', left) : NULL;
    size_t passed = newline ? (size_t)(newline - from) + 1 : left;
    *bytes = from;
    *n = newline ? passed - 1 : passed;
    if (r->fd < 0) {
        r->text += passed;
        r->text_left -= passed;
    } else {
        r->at += passed;
    }
    return newline != NULL;
}

/* One line as it stands in the file, appended to out. */
static enum read_status physical(struct reader *r, struct buf *out, struct err *e)
{
    bool any = false, too_long = false, ended = false;
    uint64_t passed = 0;
    while (!ended) {
        if (passed > NO_LINE) {
            fail(e, "the first %d MiB have no end of a line, so this is not a script",
            NO_LINE >> 20);
            return READ_FAILED;
        }
        enum read_status s = r->fd < 0 ? (r->text_left ? READ_LINE : READ_END) : fill(r, e);
        if (s == READ_END && any)
            break;
        if (s != READ_LINE)
            return s;
        const char *bytes;
        size_t n;
        ended = take_chunk(r, &bytes, &n);
        any = true;
        passed += n;
        too_long = too_long || out->len + n > LINE_MOST;
        if (!too_long)
            buf_add(out, bytes, n);
    }
    r->lines_read++;
    if (out->len && out->data[out->len - 1] == '\r')
        out->data[--out->len] = '\0';
    if (too_long) {
        fail(e, "this line is longer than 1 MiB; the longest a command can be is %d bytes",
             LINE_MOST);
        return READ_BAD;
    }
    if (out->failed) {
        fail_memory(e);
        return READ_BAD;
    }
    return READ_LINE;
}

static bool is_comment_end(const char *text, size_t n)
{
    size_t at = 0, end;
    struct err e;
    int mark;
    if (!memchr(text, '#', n))
        return false;
    while ((mark = words_end(text, n, at, &end, &e)) == ';')
        at = end + 1;
    return mark == '#';
}

bool reader_continues(struct buf *line)
{
    if (!line->len || line->data[line->len - 1] != '\\')
        return false;
    if (is_comment_end(line->data, line->len))
        return false;
    line->data[--line->len] = '\0';
    return true;
}

enum read_status reader_next(struct reader *r, struct buf *out, int *line, struct err *e)
{
    buf_clear(out);
    *line = r->lines_read + 1;
    bool first = r->lines_read == 0, more = false;
    do {
        if (r->lines_read - *line >= CONTINUED_MOST) {
            fail(e, "one command goes on over more than %d lines; split it", CONTINUED_MOST);
            return READ_BAD;
        }
        enum read_status s = physical(r, out, e);
        if (s == READ_END && more)
            return READ_LINE;
        if (s != READ_LINE)
            return s;
        if (first && out->len >= 3 && memcmp(out->data, "\xEF\xBB\xBF", 3) == 0) {
            memmove(out->data, out->data + 3, out->len - 2); /* a byte order mark */
            out->len -= 3;
        }
        first = false;
        more = reader_continues(out);
    } while (more);
    return READ_LINE;
}
