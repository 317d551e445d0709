/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file is read line by line. What a line means is looked up in the marks at once, so each error
 * can offer a near name.
 */
#include "grade/overrides.h"

#include "base/near.h"
#include "base/visible.h"
#include "command/command.h"
#include "os/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An override by the words that were typed, and what they mean. */
struct override_line {
    const char *student, *test, *points, *why;
    struct marked *of;
    int at; /* the test */
    int64_t set;
};

static const char form_of_line[] = "override STUDENT TEST POINTS \"why\"";

/* ---- what a line means ------------------------------------------------------------------- */

static int find_test(const struct marks *m, struct override_line *line, struct err *e)
{
    struct near near = {.word = line->test};
    line->at = marks_test_named(m, line->test);
    if (line->at >= 0)
        return 0;
    for (unsigned i = 0; i < m->test_count; i++)
        near_try(&near, m->test[i].name);
    return fail(e,
                near.best ? "the exercise has no test `%.200s`; did you mean `%.200s`?"
                          : "the exercise has no test `%.200s`",
                line->test, near.best);
}

static int find_points(const struct marks *m, struct override_line *line, struct err *e)
{
    const struct mark_test *test = &m->test[line->at];
    char most[POINTS_TEXT];
    if (points_read(line->points, &line->set, e) != 0)
        return -1;
    return line->set <= test->points ? 0
                                     : fail(e, "the test `%.200s` gives at most %s points",
                                            test->name, points_text(test->points, most));
}

/* All but the student. */
static int find_values(const struct marks *m, struct override_line *line, struct err *e)
{
    if (find_test(m, line, e) != 0 || find_points(m, line, e) != 0)
        return -1;
    return line->why[strspn(line->why, " \t")]
               ? 0
               : fail(e, "an override needs a reason: %s", form_of_line);
}

static int apply(struct marks *m, const struct override_line *line, struct err *e)
{
    struct test_mark *mark = &line->of->mark[line->at];
    const char *why = marks_text(m, line->why);
    if (!why)
        return fail_memory(e);
    mark->why = why;
    mark->override = line->set;
    return 0;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* The words of one override. 0: the line has none. */
static int take_words(const struct words *w, struct override_line *line, struct err *e)
{
    if (w->count == 0)
        return 0;
    if (strcmp(w->word[0], "override") != 0)
        return fail_at(e, 0, w->column[0],
                       near_distance(w->word[0], "override", 2) <= 2
                           ? "`%.60s` is not known; did you mean `override`?"
                           : "`%.60s` is not known; a line here is: "
                             "override STUDENT TEST POINTS \"why\"",
                       w->word[0]);
    if (w->count != 5)
        return fail_at(
            e, 0, w->column[w->count < 5 ? 0 : 5], "%s; a line is: %s",
            w->count < 5
                ? "a word is missing"
                : "there are too many words. Put a name with blanks, and the reason, in quotes",
            form_of_line);
    *line = (struct override_line){w->word[1], w->word[2], w->word[3], w->word[4], NULL, -1, 0};
    return 1;
}

/* The words of a line, up to a comment. words_free() them. */
static int split_line(struct span text, struct words *w, struct err *e)
{
    struct buf copy = {0};
    size_t end = 0;
    *w = (struct words){0};
    if (memchr(text.at, '\0', text.n))
        return fail(e, "the line has a byte of 0");
    buf_add(&copy, text.at, text.n);
    int rc = copy.failed ? fail_memory(e) : words_end(copy.data, copy.len, 0, &end, e);
    if (rc == ';')
        rc = fail_at(e, 0, (int)end + 1, "a line has one override, and no `;` outside of quotes");
    if (rc >= 0) {
        copy.data[end] = '\0';
        rc = words_split(copy.data, w, e);
    }
    buf_free(&copy);
    return rc < 0 ? -1 : 0;
}

/* Takes the override of a line apart. 0: the line has none, or it is about a student who need not
 * be there. 1: it was found. The words must stay until it is used. */
static int read_line(const struct marks *m, struct span text, enum overrides_scope scope,
                     struct words *w, struct override_line *line, struct err *e)
{
    int rc = split_line(text, w, e);
    if (rc == 0)
        rc = take_words(w, line, e);
    if (rc <= 0)
        return rc;
    if (find_values(m, line, e) != 0)
        return -1;
    if (scope == OVERRIDES_OF_PART && marks_count_of(m, line->student) == 0)
        return 0;
    line->of = marks_find(m, line->student, e);
    return line->of ? 1 : -1;
}

/* Which line set a test of a hand-in: 0 at first. */
static int *set_by(int *lines, const struct marks *m, const struct override_line *line)
{
    unsigned k = 0;
    while (m->of[k] != line->of)
        k++;
    return &lines[(size_t)k * m->test_count + (unsigned)line->at];
}

static int apply_line(struct marks *m, struct span text, int number, enum overrides_scope scope,
                      int *lines, struct err *e)
{
    struct words w;
    struct override_line line;
    int rc = read_line(m, text, scope, &w, &line, e);
    if (rc > 0) {
        int *set = set_by(lines, m, &line);
        rc = *set ? fail(e, "line %d is about the same test of the same student; keep one of them",
                         *set)
                  : apply(m, &line, e);
        *set = number;
    }
    words_free(&w);
    return rc;
}

int overrides_apply(struct marks *m, struct span text, enum overrides_scope scope, struct err *e)
{
    int *lines = calloc((size_t)m->count * m->test_count + 1, sizeof *lines);
    struct span line;
    int rc = lines ? 0 : fail_memory(e);
    for (int number = 1; rc == 0 && next_line(&text, &line); number++) {
        rc = apply_line(m, line, number, scope, lines, e);
        if (rc != 0 && e)
            e->line = number;
    }
    free(lines);
    return rc;
}

static int read_file(const char *path, struct buf *text, struct err *e)
{
    return access(path, F_OK) != 0 && errno == ENOENT ? 0
                                                      : file_read(path, OVERRIDES_MOST, text, e);
}

int overrides_apply_file(struct marks *m, const char *path, enum overrides_scope scope,
                         struct err *e)
{
    struct buf text = {0};
    int rc = read_file(path, &text, e);
    if (rc == 0)
        rc = overrides_apply(m, (struct span){buf_text(&text), text.len}, scope, e);
    buf_free(&text);
    return rc;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* A word in quotes, as a command line has it. It has no control characters. */
static void put_word(struct buf *out, const char *text)
{
    buf_puts(out, " \"");
    for (; *text; text++)
        buf_printf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    buf_putc(out, '"');
}

static void put_line(const struct marks *m, const struct override_line *line, struct buf *out)
{
    const bool alone = marks_count_of(m, line->of->student) == 1;
    char points[POINTS_TEXT];
    buf_puts(out, "override");
    put_word(out, alone ? line->of->student : line->of->id);
    put_word(out, m->test[line->at].name);
    buf_printf(out, " %s", points_text(line->set, points));
    put_word(out, line->why);
    buf_putc(out, '\n');
}

/* The text with the new line: in place of the old one, or at the end. */
static int put_lines(struct marks *m, struct span text, const struct override_line *new,
                     struct buf *out, struct err *e)
{
    struct span rest = text, line;
    bool put = false;
    for (int number = 1; next_line(&rest, &line); number++) {
        struct words w;
        struct override_line old;
        const int rc = read_line(m, line, OVERRIDES_OF_PART, &w, &old, e);
        const bool same = rc > 0 && old.of == new->of &&old.at == new->at;
        words_free(&w);
        if (rc < 0) {
            if (e)
                e->line = number;
            return -1;
        }
        if (!same)
            buf_printf(out, "%.*s\n", (int)line.n, line.at);
        else if (!put)
            put_line(m, new, out);
        put = put || same;
    }
    if (!put)
        put_line(m, new, out);
    return out->failed ? fail_memory(e) : 0;
}

int overrides_write(struct marks *m, const char *path, const char *student, const char *test,
                    const char *points, const char *why, struct err *e)
{
    struct override_line line = {student, test, points, NULL, NULL, -1, 0};
    struct buf text = {0}, now = {0}, reason = {0};
    visible_add(&reason, why, strlen(why), 0);
    line.why = buf_text(&reason);
    int rc = reason.failed ? fail_memory(e) : find_values(m, &line, e);
    if (rc == 0 && !(line.of = marks_find(m, student, e)))
        rc = -1;
    if (rc == 0)
        rc = read_file(path, &text, e);
    if (rc == 0)
        rc = put_lines(m, (struct span){buf_text(&text), text.len}, &line, &now, e);
    if (rc == 0)
        rc = file_replace(path, buf_text(&now), now.len, e);
    if (rc == 0)
        rc = apply(m, &line, e);
    buf_free(&text);
    buf_free(&now);
    buf_free(&reason);
    return rc;
}
