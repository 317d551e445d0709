/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines become statements, one after the other, each with its place. A statement that begins a part
 * of a block knows the one that ends the part, so that a block can be run, or passed over, without
 * looking at it again.
 */
#include "script/script.h"

#include "base/near.h"
#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    enum statement_kind kind;
} keywords[] = {{"let", STATEMENT_LET},   {"expect", STATEMENT_EXPECT},     {"hint", STATEMENT_HINT},
                {"if", STATEMENT_IF},     {"else", STATEMENT_ELSE},         {"end", STATEMENT_END},
                {"repeat", STATEMENT_REPEAT}, {"testcase", STATEMENT_TESTCASE}};

static const char *word_of(enum statement_kind kind)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (keywords[i].kind == kind)
            return keywords[i].word;
    return "";
}

enum statement_kind statement_kind(const char *text, size_t n)
{
    struct span line = trim((struct span){text, n});
    const struct span word = next_blank_word(&line);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (same_text(word, keywords[i].word))
            return keywords[i].kind;
    return STATEMENT_COMMAND;
}

/* What other languages write, where nothing else is meant. */
static int foreign_word(const char *text, int line, int column, struct err *e)
{
    static const struct { const char *typed, *right; } words[] = {
        {"elif", "else if"}, {"elsif", "else if"}, {"elseif", "else if"}, {"endif", "end"},
        {"fi", "end"},       {"done", "end"},      {"endfor", "end"},     {"for", "repeat i = 1..10"},
        {"foreach", "repeat i = 1..10"},           {"while", "repeat 10"}};
    const size_t n = strcspn(text, " \t");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].typed) == n && memcmp(words[i].typed, text, n) == 0)
            return fail_at(e, line, column, "there is no `%s` here: write `%s`", words[i].typed,
                           words[i].right);
    return 0;
}

/* Where a block begins or ends wrongly, a command like `testcse` or `edn` may be the reason: the
 * latest one from the statement `from` on. */
static int find_misspelt(const struct statements *s, unsigned from, const enum statement_kind *kinds,
                         size_t count, struct err *e)
{
    for (unsigned i = s->count; i-- > from;) {
        const struct statement *st = &s->all[i];
        char typed[20];
        struct near near = {.word = typed};
        snprintf(typed, sizeof typed, "%.*s", (int)strcspn(st->text, " \t"), st->text);
        for (size_t k = 0; k < count; k++)
            near_try(&near, word_of(kinds[k]));
        if (st->kind == STATEMENT_COMMAND && near.best)
            return fail_at(e, st->line, st->column, "there is no `%s` here: did you mean %s?", typed,
                           near.best);
    }
    return 0;
}

static int misspelt_begin(const struct statements *s, struct err *e)
{
    static const enum statement_kind kinds[] = {STATEMENT_TESTCASE, STATEMENT_REPEAT, STATEMENT_IF};
    return find_misspelt(s, 0, kinds, sizeof kinds / sizeof *kinds, e);
}

static int misspelt_end(const struct statements *s, unsigned block, struct err *e)
{
    const enum statement_kind kind = STATEMENT_END;
    return find_misspelt(s, block + 1, &kind, 1, e);
}

static int end_part(struct statements *s, enum statement_kind by, int line, int column,
                    struct err *e)
{
    const char *word = word_of(by);
    if (!s->deep && misspelt_begin(s, e) != 0)
        return -1;
    if (!s->deep)
        return fail_at(e, line, column, by == STATEMENT_END
                           ? "`%s` ends no block here: `if`, `repeat` or `testcase` must begin it"
                           : "`%s` belongs into an `if`, and no `if` is open here", word);
    struct statement *open = &s->all[s->open[s->deep - 1]];
    const bool last = open->kind == STATEMENT_ELSE && statement_kind(open->text + 4,
                      strlen(open->text + 4)) != STATEMENT_IF;
    if (by == STATEMENT_ELSE && open->kind != STATEMENT_IF && open->kind != STATEMENT_ELSE)
        return fail_at(e, line, column, "`else` belongs into an `if`, and the block that is open "
                       "here is the `%s` of line %d", word_of(open->kind), open->line);
    if (by == STATEMENT_ELSE && last)
        return fail_at(e, line, column, "this `if` has an `else` already, in line %d; write `else "
                       "if` for what comes between", open->line);
    open->next = s->count;
    s->deep--;
    return 0;
}

static int begin_part(struct statements *s, enum statement_kind kind, int line, int column,
                      struct err *e)
{
    if (s->deep == SCRIPT_DEEP)
        return fail_at(e, line, column, "blocks are nested more than %d deep here", SCRIPT_DEEP);
    for (unsigned i = 0; kind == STATEMENT_TESTCASE && i < s->deep; i++)
        if (s->all[s->open[i]].kind == STATEMENT_TESTCASE && misspelt_end(s, s->open[i], e) != 0)
            return -1;
        else if (s->all[s->open[i]].kind == STATEMENT_TESTCASE)
            return fail_at(e, line, column, "a testcase can't be inside another one: the one of "
                           "line %d has no `end` before this", s->all[s->open[i]].line);
    s->open[s->deep++] = s->count;
    return 0;
}

/* `else` and `end` have nothing behind them, but for `else if COND`. */
static int check_rest(enum statement_kind kind, struct span text, int line, int column,
                      struct err *e)
{
    struct span rest = text;
    next_blank_word(&rest);
    rest = trim(rest);
    if (!rest.n || (kind == STATEMENT_ELSE && statement_kind(rest.at, rest.n) == STATEMENT_IF))
        return 0;
    return fail_at(e, line, column, "`%s` is a line of its own: put a ; between it and `%.*s`",
                   word_of(kind), rest.n > 40 ? 40 : (int)rest.n, rest.at);
}

static int make_room(struct statements *s, struct err *e)
{
    if (s->count < s->room)
        return 0;
    const unsigned room = s->room ? 2 * s->room : 16;
    struct statement *all = realloc(s->all, room * sizeof *all);
    if (!all)
        return fail_memory(e);
    s->all = all;
    s->room = room;
    return 0;
}

int statements_add(struct statements *s, const char *text, size_t n, int line, int column,
                   struct err *e)
{
    const struct span bare = trim((struct span){text, n});
    if (!bare.n)
        return 0;
    column += (int)(bare.at - text);
    const enum statement_kind kind = statement_kind(bare.at, bare.n);
    if (make_room(s, e) != 0)
        return -1;
    char *copy = strndup(bare.at, bare.n);
    if (!copy)
        return fail_memory(e);
    int rc = 0;
    if (kind == STATEMENT_ELSE || kind == STATEMENT_END)
        rc = check_rest(kind, bare, line, column, e);
    else if (kind == STATEMENT_COMMAND)
        rc = foreign_word(copy, line, column, e);
    if (rc == 0 && (kind == STATEMENT_ELSE || kind == STATEMENT_END))
        rc = end_part(s, kind, line, column, e);
    if (rc == 0 && (kind == STATEMENT_IF || kind == STATEMENT_ELSE || kind == STATEMENT_REPEAT ||
                    kind == STATEMENT_TESTCASE))
        rc = begin_part(s, kind, line, column, e);
    if (rc != 0) {
        free(copy);
        return -1;
    }
    s->all[s->count] = (struct statement){.kind = kind, .text = copy, .line = line,
                                          .column = column, .next = s->count + 1};
    s->count++;
    return 0;
}

/* The statements of one line, cut at `;`, up to a comment. */
static int read_line(struct statements *s, const struct buf *line, int number, struct err *e)
{
    size_t at = 0, end = 0;
    int mark = ';';
    while (mark == ';') {
        mark = words_end(buf_text(line), line->len, at, &end, e);
        if (mark < 0) {
            e->line = number;
            return -1;
        }
        if (statements_add(s, buf_text(line) + at, end - at, number, (int)at + 1, e) != 0)
            return -1;
        at = end + 1;
    }
    return 0;
}

int statements_read(struct statements *s, const char *text, size_t n, int number, struct err *e)
{
    struct span rest = {text, n}, line;
    struct buf whole = {0};
    int begun = number, rc = 0;
    while (rc == 0 && next_line(&rest, &line)) {
        const struct span bare = line.n && line.at[line.n - 1] == '\r'
                                     ? (struct span){line.at, line.n - 1} : line;
        const bool goes_on = bare.n && bare.at[bare.n - 1] == '\\';
        buf_add(&whole, bare.at, bare.n - goes_on);
        number++;
        if (goes_on)
            continue;
        rc = whole.failed ? fail_memory(e) : read_line(s, &whole, begun, e);
        buf_clear(&whole);
        begun = number;
    }
    if (rc == 0 && whole.len)
        rc = read_line(s, &whole, begun, e);
    buf_free(&whole);
    return rc;
}

int statements_ended(const struct statements *s, struct err *e)
{
    if (!s->deep)
        return 0;
    const struct statement *open = &s->all[s->open[s->deep - 1]];
    if (misspelt_end(s, s->open[s->deep - 1], e) != 0)
        return -1;
    if (!open->line)
        return fail_at(e, 0, 0, "this `%s` has no `end`", word_of(open->kind));
    return fail_at(e, open->line, open->column, "the `%s` of line %d has no `end`",
                   word_of(open->kind), open->line);
}

void statements_free(struct statements *s)
{
    for (unsigned i = 0; i < s->count; i++)
        free(s->all[i].text);
    free(s->all);
    *s = (struct statements){0};
}
