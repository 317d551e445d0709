/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line is appended by one write. What is left of a cut line at the end of the file is cut off
 * when the file is opened, so the next line begins at its own place.
 */
#include "grade/journal.h"

#include "base/json-check.h"
#include "base/json-find.h"
#include "grade/marks-json.h"
#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_KEY, LINE_HAND_IN, LINE };
static const char *const line_names[] = {"key", "hand_in", NULL};

/* ---- opening ----------------------------------------------------------------------------- */

static int read_line(struct journal *j, struct span text, struct err *e)
{
    struct span value[LINE];
    void *grown = j->line;
    if (json_check(text, NULL) != 0 ||
        json_fields(trim(text), line_names, LINE, "a line", value, NULL) != 0 ||
        value[LINE_KEY].n < 2 || *value[LINE_KEY].at != '"') {
        j->dropped++;
        return 0;
    }
    if (mem_grow(&allocator_libc, &grown, &j->room, j->count, sizeof *j->line) != 0)
        return fail_memory(e);
    j->line = grown;
    j->line[j->count++] = (struct journal_line){value[LINE_KEY], value[LINE_HAND_IN]};
    return 0;
}

static int read_lines(struct journal *j, struct err *e)
{
    size_t whole = j->text.len;
    while (whole && j->text.data[whole - 1] != '\n')
        whole--;
    struct span rest = {buf_text(&j->text), whole}, line;
    if (whole < j->text.len) {
        j->dropped++;
        if (ftruncate(j->fd, (off_t)whole) != 0)
            return fail(e, "the cut line at its end can't be removed: %s", strerror(errno));
    }
    while (next_line(&rest, &line))
        if (read_line(j, line, e) != 0)
            return -1;
    return 0;
}

static int read_all(struct journal *j, struct err *e)
{
    struct stat info;
    if (fstat(j->fd, &info) != 0 || !S_ISREG(info.st_mode))
        return fail(e, "it is not a regular file");
    if (flock(j->fd, LOCK_EX | LOCK_NB) != 0)
        return fail(e,
                    errno == EWOULDBLOCK ? "another grader is using it" : "it can't be locked: %s",
                    strerror(errno));
    switch (fd_read_all(j->fd, MARKS_FILE_MOST, &j->text)) {
    case FD_WHOLE: return j->text.failed ? fail_memory(e) : read_lines(j, e);
    case FD_TOO_LARGE: return fail(e, "it has more than %d MiB", MARKS_FILE_MOST >> 20);
    default: return fail(e, "%s", strerror(errno));
    }
}

int journal_open(struct journal *j, const char *path, struct err *e)
{
    struct err why;
    *j = (struct journal){
        .fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600)};
    if (j->fd < 0)
        return fail(e, "cannot open the journal `%.300s`: %s", path, strerror(errno));
    if (read_all(j, &why) == 0)
        return 0;
    journal_close(j);
    return fail(e, "cannot use the journal `%.300s`: %.200s", path, why.text);
}

void journal_close(struct journal *j)
{
    if (j->fd >= 0)
        close(j->fd);
    mem_free(&allocator_libc, j->line, j->room * sizeof *j->line);
    buf_free(&j->text);
    *j = (struct journal){.fd = -1};
}

/* ---- using it ---------------------------------------------------------------------------- */

static bool has_key(const struct journal_line *line, const char *key)
{
    struct buf text = {0};
    json_string(line->key, &text);
    const bool same =
        !text.failed && text.len == strlen(key) && memcmp(buf_text(&text), key, text.len) == 0;
    buf_free(&text);
    return same;
}

struct marked *journal_take(const struct journal *j, const char *key, struct marks *m)
{
    for (size_t k = j->count; k-- > 0;) { /* the latest one */
        struct marked *h =
            has_key(&j->line[k], key) ? marked_read(m, j->line[k].hand_in, NULL) : NULL;
        if (!h)
            continue;
        for (unsigned i = 0; i < m->test_count; i++)
            h->mark[i].why = NULL; /* overrides have a file of their own */
        return h;
    }
    return NULL;
}

static bool is_graded(const struct marks *m, const struct marked *h)
{
    for (unsigned i = 0; i < m->test_count; i++)
        if (h->mark[i].state == MARK_UNGRADED)
            return false;
    return true;
}

/* Half a line must not stay: the next one would go on in it. */
static int append(int fd, const struct buf *line)
{
    struct stat before;
    if (fstat(fd, &before) != 0)
        return errno;
    const int wrong = fd_write(fd, line->data, line->len);
    if (wrong && ftruncate(fd, before.st_size) != 0)
        return errno;
    return wrong;
}

int journal_add(struct journal *j, const char *key, const struct marks *m, const struct marked *h,
                struct err *e)
{
    struct buf line = {0};
    struct json json;
    if (!is_graded(m, h))
        return 0;
    json_begin(&json, &line);
    json_object(&json, NULL);
    json_text(&json, line_names[LINE_KEY], key);
    marked_json(m, h, &json, line_names[LINE_HAND_IN]);
    json_end_object(&json);
    buf_putc(&line, '\n');
    int rc = line.failed ? fail_memory(e) : 0;
    const int wrong = rc == 0 ? append(j->fd, &line) : 0;
    buf_free(&line);
    return wrong ? fail(e, "cannot write the journal: %s", strerror(wrong)) : rc;
}
