/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A script as steps: lines that begin with `#:` are slides and belong to the command that
 * follows them; other comments are the lecturer's own and aren't shown. A line is one step,
 * however many commands stand on it.
 */
#include "repl/lecture/play.h"

#include "screen/columns.h"
#include "base/lines.h"
#include "base/mem.h"
#include "repl/files-named.h"
#include "repl/reader.h"
#include "screen/paint.h"

#include <stdlib.h>
#include <string.h>

enum { SLIDE_INDENT = 2, LISTED = 6 };

/* ---- reading -------------------------------------------------------------------------- */

static int add_step(struct play *p, const struct buf *slide, struct span command, int line,
                    struct err *e)
{
    void *steps = p->step;
    if (mem_grow(&allocator_libc, &steps, &p->capacity, p->count, sizeof *p->step) != 0)
        return fail_memory(e);
    p->step = steps;
    struct lecture_step *s = &p->step[p->count++];
    *s = (struct lecture_step){.line = line};
    if (slide->len && !(s->slide = strndup(slide->data, slide->len)))
        return fail_memory(e);
    if (command.n && !(s->command = strndup(command.at, command.n)))
        return fail_memory(e);
    return 0;
}

/* The line without the comment at its end and the blanks around it. */
static struct span without_comment(struct span line)
{
    struct err e;
    size_t at = 0, end = line.n;
    int mark;
    while ((mark = words_end(line.at, line.n, at, &end, &e)) == ';')
        at = end + 1;
    return trim((struct span){line.at, mark == '#' ? end : line.n});
}

static int take_line(struct play *p, struct buf *slide, const struct buf *text, int number,
                     struct err *e)
{
    struct span line = trim((struct span){buf_text(text), text->len});
    for (size_t i = 0; i < line.n; i++)
        if (((unsigned char)line.at[i] < 0x20 && line.at[i] != '\t') || line.at[i] == 0x7F)
            return fail(e, "`%.300s` is not a script: line %d has bytes that no text has", p->path,
                        number);
    if (begins(line, "#:")) {
        size_t lead = line.n > 2 && line.at[2] == ' ' ? 3 : 2;
        buf_add(slide, line.at + lead, line.n - lead);
        buf_putc(slide, '\n');
        return 0;
    }
    line = without_comment(line);
    if (!line.n)
        return 0;
    int rc = add_step(p, slide, line, number, e);
    buf_clear(slide);
    return rc;
}

static int read_lines(struct play *p, struct reader *r, struct buf *slide, struct err *e)
{
    struct buf line = {0};
    enum read_status s;
    int number, rc = 0;
    while (rc == 0 && (s = reader_next(r, &line, &number, e)) != READ_END)
        rc = s == READ_LINE ? take_line(p, slide, &line, number, e)
             : s == READ_STOPPED ? fail(e, "stopped") : -1;
    buf_free(&line);
    return rc;
}

int play_read(struct play *p, struct shell *sh, int fd, struct err *e)
{
    struct reader r;
    struct buf slide = {0};
    if (reader_open_fd(&r, fd) != 0)
        return fail_memory(e);
    int rc = script_check(sh, reader_beginning(&r), p->path, e);
    if (rc == 0)
        rc = read_lines(p, &r, &slide, e);
    if (rc == 0 && slide.len)
        rc = add_step(p, &slide, SPAN(""), r.lines_read, e);
    if (rc == 0 && !p->count)
        rc = fail(e, "`%.300s` has nothing to play: no command, and no slide, which is a line "
                  "`#: text`", p->path);
    buf_free(&slide);
    reader_close(&r);
    return rc;
}

void play_free(struct play *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        free(p->step[i].slide);
        free(p->step[i].command);
    }
    mem_free(&allocator_libc, p->step, p->capacity * sizeof *p->step);
    free(p->path);
    *p = (struct play){0};
}

/* ---- showing -------------------------------------------------------------------------- */

void play_show(const struct lecture_step *s, const struct report *look, struct buf *out)
{
    if (s->slide) {
        buf_printf(out, "\n%*s", SLIDE_INDENT, "");
        text_wrap(out, s->slide, strlen(s->slide), look->width, SLIDE_INDENT);
        buf_putc(out, '\n');
    }
    if (s->command) {
        struct buf wrapped = {0};
        code_wrap(&wrapped, s->command, strlen(s->command), look->width,
                  "         "); /* as wide as the prompt */
        buf_puts(out, "cudalab> ");
        paint(look, out, INK_HEADING, buf_text(&wrapped), wrapped.len);
        buf_free(&wrapped);
    }
}

/* The first line of a text, cut where it doesn't fit. */
static void put_first_line(struct buf *out, const char *text, int room)
{
    size_t n = strcspn(text, "\n");
    bool whole = columns_of(text, n) <= room;
    if (!whole)
        n = columns_fit(text, n, room - 3);
    buf_printf(out, "%.*s%s\n", (int)n, text, whole ? "" : "...");
}

void play_list(const struct play *p, const struct report *look, struct buf *out)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct lecture_step *s = &p->step[i];
        buf_printf(out, "%c%4u ", i == p->at ? '>' : ' ', i + 1);
        if (s->command)
            put_first_line(out, s->command, look->width - LISTED);
        else
            put_first_line(out, s->slide, look->width - LISTED);
    }
}

/* ---- what is typed -------------------------------------------------------------------- */

const char *const play_words[] = {"back", "skip", "list", "goto", "quit", NULL};

static bool is_word(struct span line, const char *word, const char *other)
{
    return same_text(line, word) || (other && same_text(line, other));
}

enum play_word play_word(const char *text, unsigned *n)
{
    struct span line = trim((struct span){text, strlen(text)});
    *n = 0;
    if (line.n == 0 || same_text(line, "next")) /* `next 3` is still the course's */
        return PLAY_NEXT;
    if (is_word(line, "back", "b"))
        return PLAY_BACK;
    if (is_word(line, "skip", NULL))
        return PLAY_SKIP;
    if (is_word(line, "list", NULL))
        return PLAY_LIST;
    if (is_word(line, "quit", "exit"))
        return PLAY_QUIT;
    if (!begins(line, "goto") || (line.n > 4 && line.at[4] != ' '))
        return PLAY_NONE;
    struct span number = trim((struct span){line.at + 4, line.n - 4});
    for (size_t i = 0; i < number.n; i++) {
        if (number.at[i] < '0' || number.at[i] > '9' || *n > 1000000) {
            *n = 0;
            break;
        }
        *n = *n * 10 + (unsigned)(number.at[i] - '0');
    }
    return PLAY_GOTO;
}
