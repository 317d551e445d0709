/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs beside one another. Each is laid out for half of the screen; their lines are matched,
 * and a mark between them says which differ: | one in place of the other, < only at the left,
 * > only at the right. Where a half would be too narrow they stand one above the other, with
 * the marks in front.
 */
#include "repl/commands.h"
#include "repl/inner.h"
#include "text/match.h"
#include "repl/screen.h"
#include "repl/lecture/styled.h"
#include "screen/paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BESIDE_LEAST = 80, BETWEEN = 3, IN_FRONT = 2 };

/* One of the two runs: what it showed, in rows that fit its half. */
struct pane {
    const char *command;
    struct caught caught;
    struct buf folded, plain; /* the same rows with codes and without */
    struct text_lines rows, words;
    int width;
};

struct sides {
    struct shell *sh;
    struct report *report;
    struct pane a, b;
    struct match match;
    bool beside;
};

/* ---- folding -------------------------------------------------------------------------- */

/* Columns from here to the next blank; `s` is a copy, which may run ahead. */
static int word_columns(struct styled s)
{
    struct glyph g;
    int columns = 0;
    while (styled_next(&s, &g) && *g.at != ' ')
        columns += g.columns;
    return columns;
}

/* Does the row end before this glyph? It ends at a blank if the next word doesn't fit, and within a
 * word only if the word alone is too long. */
static bool ends_row(const struct styled *s, const struct glyph *g, int at, int width)
{
    int word = *g->at == ' ' ? word_columns(*s) : 0;
    return at && (at + g->columns > width || (word && word < width && at + 1 + word > width));
}

/* Each row sets its own look at its beginning and resets it at its end. */
static void fold_line(struct styled *s, struct span line, int width, struct buf *out)
{
    struct text_look drawn;
    struct glyph g;
    int at = 0;
    bool plain = true;
    styled_line(s, line);
    while (styled_next(s, &g)) {
        if (ends_row(s, &g, at, width)) {
            buf_puts(out, plain ? "\n" : "\033[0m\n");
            plain = true;
            at = 0;
            if (*g.at == ' ')
                continue;
        }
        if (plain ? !look_is_plain(&s->look) : !look_same(&drawn, &s->look)) {
            look_put(out, &s->look);
            drawn = s->look;
            plain = look_is_plain(&drawn);
        }
        buf_add(out, g.at, g.n);
        at += g.columns;
    }
    buf_puts(out, plain ? "\n" : "\033[0m\n");
}

static void fold(const char *text, size_t n, int width, struct buf *out)
{
    struct span rest = {text, n}, line;
    struct styled s;
    styled_begin(&s);
    while (next_line(&rest, &line))
        fold_line(&s, line, width, out);
}

static int make_rows(struct pane *p, struct err *e)
{
    fold(buf_text(&p->caught.shown), p->caught.shown.len, p->width, &p->folded);
    plain_text(&p->plain, buf_text(&p->folded), p->folded.len);
    if (p->caught.shown.failed || p->folded.failed || p->plain.failed)
        return fail_memory(e);
    if (text_lines(&p->rows, buf_text(&p->folded), p->folded.len, e) != 0)
        return -1;
    return text_lines(&p->words, buf_text(&p->plain), p->plain.len, e);
}

/* ---- showing -------------------------------------------------------------------------- */

static void say_bytes(struct report *r, struct span text)
{
    buf_add(&r->screen, text.at, text.n);
}

static void say_mark(struct report *r, char mark)
{
    paint(r, &r->screen, mark == ' ' ? INK_PLAIN : INK_HEADING, &mark, 1);
}

static char mark_of(const struct match_row *row)
{
    return row->same ? ' ' : row->b == NO_LINE ? '<' : row->a == NO_LINE ? '>' : '|';
}

static void say_beside(struct sides *s, struct span left, char mark, struct span right)
{
    struct report *r = s->report;
    int room = s->a.width - styled_columns(left);
    say_bytes(r, left);
    if (mark != ' ' || right.n) {
        say(r, "%*s ", room, "");
        say_mark(r, mark);
    }
    if (right.n) {
        say(r, " ");
        say_bytes(r, right);
    }
    say(r, "\n");
}

/* What was typed at either side, over a line. */
static void say_titles(struct sides *s)
{
    struct buf left = {0}, right = {0};
    fold(s->a.command, strlen(s->a.command), s->a.width, &left);
    fold(s->b.command, strlen(s->b.command), s->b.width, &right);
    say_columns(s->report, &left, &right, s->a.width + BETWEEN, ' ');
    for (int i = 0; i < s->a.width + BETWEEN + s->b.width; i++)
        say(s->report, "-");
    say(s->report, "\n");
    buf_free(&left);
    buf_free(&right);
}

static void say_both(struct sides *s)
{
    say_titles(s);
    for (unsigned i = 0; i < s->match.count; i++) {
        const struct match_row *row = &s->match.row[i];
        struct span none = {"", 0};
        say_beside(s, row->a == NO_LINE ? none : s->a.rows.line[row->a], mark_of(row),
                   row->b == NO_LINE ? none : s->b.rows.line[row->b]);
    }
}

static void say_above(struct sides *s, const struct pane *p)
{
    struct report *r = s->report;
    say_in(r, INK_HEADING, "%s", p->command);
    say(r, "\n");
    for (int i = 0; i < p->width + IN_FRONT; i++)
        say(r, "-");
    say(r, "\n");
    for (unsigned i = 0; i < s->match.count; i++) {
        const struct match_row *row = &s->match.row[i];
        int line = p == &s->a ? row->a : row->b;
        if (line == NO_LINE)
            continue;
        struct span text = p->rows.line[line];
        if (text.n || !row->same) {
            say_mark(r, mark_of(row));
            say(r, text.n ? " " : "");
        }
        say_bytes(r, text);
        say(r, "\n");
    }
}

static void say_sum(struct sides *s)
{
    struct report *r = s->report;
    say(r, "\n");
    if (!s->match.differing)
        say(r, "both show the same\n");
    else
        say_wrapped(r, 0, "%u of %u lines differ: | in both, < only in the %s, > only in the %s",
                    s->match.differing, s->match.count, s->beside ? "left one" : "first",
                    s->beside ? "right one" : "second");
}

/* ---- the result ----------------------------------------------------------------------- */

static void put_objects(struct json *j, const char *key, const struct pane *p)
{
    struct buf array = {0};
    inner_objects(&p->caught, &array);
    if (!array.failed)
        json_raw(j, key, buf_text(&array), array.len);
    buf_free(&array);
}

static void put_result(struct sides *s)
{
    struct json *j = &s->report->result;
    put_objects(j, "a", &s->a);
    put_objects(j, "b", &s->b);
    json_bool(j, "same", s->match.differing == 0);
    json_uint(j, "differing", s->match.differing);
}

static int verdict(struct sides *s)
{
    const struct caught *a = &s->a.caught, *b = &s->b.caught;
    struct report *r = s->report;
    r->faults_said = true; /* in the panes */
    if (s->sh->session.stop)
        return report_fail(r, "stopped before both had run");
    r->cause = a->errors ? a->cause : b->errors ? b->cause : CAUSE_NONE;
    if (a->errors && b->errors)
        return report_fail(r, "`%.60s`: %.200s; and `%.60s`: %.200s", s->a.command, a->first.text,
                           s->b.command, b->first.text);
    if (a->errors || b->errors)
        return report_fail(r, "`%.60s`: %.400s", a->errors ? s->a.command : s->b.command,
                           a->errors ? a->first.text : b->first.text);
    if (!a->faults && !b->faults)
        return 0;
    r->status = REPORT_FAULT;
    return -1;
}

/* ---- the command ---------------------------------------------------------------------- */

static void run_pane(struct sides *s, struct pane *p)
{
    struct settings *set = &s->sh->session.settings;
    int before = set->width;
    set->width = p->width;
    p->caught.outer = s->report;
    inner_run(s->sh, p->command, &p->caught);
    set->width = before;
}

/* The width of the terminal, up to what a projector shows or a transcript can hold. */
static void lay_out(struct sides *s)
{
    const struct shell *sh = s->sh;
    bool bounded = sh->session.settings.projector || sh->record.transcript.fd >= 0;
    int columns = bounded ? s->report->width : screen_columns(sh);
    s->beside = columns >= BESIDE_LEAST;
    s->a.width = s->beside ? (columns - BETWEEN) / 2 : columns - IN_FRONT;
    s->b.width = s->a.width;
}

/* Both outputs must be complete. */
static int check_panes(struct sides *s)
{
    const struct caught *a = &s->a.caught, *b = &s->b.caught;
    struct session *session = &s->sh->session;
    if (a->shown.full || a->objects.full || b->shown.full || b->objects.full)
        return report_fail(s->report, "one side has more than the %zu bytes that a command may "
                                      "show (output-limit)", budget_text(&session->budget));
    return session->stop ? 0 : session_goes_on(session, "compare what takes less", s->report);
}

static int show_sides(struct sides *s)
{
    struct err e;
    if (make_rows(&s->a, &e) != 0 || make_rows(&s->b, &e) != 0 ||
        match_lines(&s->match, &s->a.words, &s->b.words, false, &e) != 0)
        return report_fail_err(s->report, &e);
    if (s->beside) {
        say_both(s);
    } else {
        say_above(s, &s->a);
        say(s->report, "\n");
        say_above(s, &s->b);
    }
    say_sum(s);
    put_result(s);
    return verdict(s);
}

static void pane_init(struct pane *p, const char *command, const struct shell *sh)
{
    *p = (struct pane){.command = command};
    caught_begin(&p->caught, sh);
}

static void pane_free(struct pane *p)
{
    caught_free(&p->caught);
    buf_free(&p->folded);
    buf_free(&p->plain);
    text_lines_free(&p->rows);
    text_lines_free(&p->words);
}

struct side_options { const char *a, *b; };

static int run_side(struct session *session, const void *given, struct report *r)
{
    const struct side_options *o = given;
    struct sides s = {.sh = shell_of(session), .report = r};
    int rc;
    if (s.sh->record.caught && s.sh->record.caught->outer)
        return report_fail(r, "side can't run inside side; type it as a command of its own");
    pane_init(&s.a, o->a, s.sh);
    pane_init(&s.b, o->b, s.sh);
    lay_out(&s);
    run_pane(&s, &s.a);
    run_pane(&s, &s.b);
    if (check_panes(&s) != 0)
        rc = -1;
    else if (!s.a.caught.commands && !s.sh->session.stop)
        rc = report_fail(r, "the first of the two commands shows nothing");
    else if (!s.b.caught.commands && !s.sh->session.stop)
        rc = report_fail(r, "the second of the two commands shows nothing");
    else
        rc = show_sides(&s);
    match_free(&s.match);
    pane_free(&s.a);
    pane_free(&s.b);
    return rc;
}

const struct command command_side = {
    .name = "side", .kind = CLASS_SESSION, .summary = "show two runs side by side, with the "
                                                      "differences marked",
    .operands = (const struct arg_spec[]){
        {.name = "A", BIND(struct side_options, a), .type = ARG_TEXT, .required = true,
         .help = "a command, in quotes"},
        {.name = "B", BIND(struct side_options, b), .type = ARG_TEXT, .required = true,
         .help = "another one, run after it"}, {0}},
    .hint = "put each of the two commands in quotes, as in side 'hello 2 2' 'hello 2 3'",
    .size = sizeof(struct side_options), .never_inside = true, .run = run_side};
