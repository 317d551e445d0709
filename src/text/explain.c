/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a help file to the screen: find the section, fill in this run's numbers, break the
 * lines where the screen ends. The texts know nothing of widths, and the labs nothing of
 * texts; they meet in the slots.
 */
#include "text/explain.h"

#include "os/asset.h"
#include "screen/columns.h"
#include "base/hash.h"
#include "base/lines.h"
#include "screen/paint.h"
#include "text/topics.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    HEADING = 5,       /* columns of "Why  " and "Try  ": what follows is set in by as many */
    TRY_GAP = 2,       /* between a command and its remark */
    TRY_LONGEST = 40,  /* a command longer than this has its remark on the next line */
    REMARK_INDENT = HEADING + 4
};

/* ---- sections -------------------------------------------------------------------------- */

static const struct asset *help_file(const char *file)
{
    char path[100];
    int n = snprintf(path, sizeof path, "help/%s.txt", file);
    return n < (int)sizeof path ? asset_find(path) : NULL;
}

static bool is_heading(struct span line)
{
    return begins(line, "== ");
}

/* `== why a b` serves why with a, and why with b; `== why` serves why with nothing. */
static bool heading_serves(struct span line, const char *kind, const char *one)
{
    struct span rest = {line.at + 3, line.n - 3}, word = next_blank_word(&rest);
    if (!same_text(word, kind))
        return false;
    word = next_blank_word(&rest);
    if (!one)
        return word.n == 0;
    for (; word.n; word = next_blank_word(&rest))
        if (same_text(word, one))
            return true;
    return false;
}

/* From `text` up to the next heading, without the blank lines around it. */
static struct span section_body(struct span text)
{
    struct span rest = text, line, body = {text.at, 0};
    while (next_line(&rest, &line) && !is_heading(line))
        body.n = (size_t)(rest.at - body.at);
    while (body.n && body.at[0] == '\n') {
        body.at++;
        body.n--;
    }
    while (body.n && (body.at[body.n - 1] == '\n' || is_blank(body.at[body.n - 1])))
        body.n--;
    return body;
}

const char *help_section(const char *file, const char *kind, const char *one, size_t *size)
{
    const struct asset *asset = help_file(file);
    if (!asset)
        return NULL;
    struct span rest = {(const char *)asset->data, asset->size}, line;
    bool found = !kind && next_line(&rest, &line);
    while (!found && kind && next_line(&rest, &line))
        found = is_heading(line) && heading_serves(line, kind, one);
    if (!found)
        return NULL;
    if (!kind)
        topic_also(&rest);
    struct span body = section_body(rest);
    *size = body.n;
    return body.at;
}

int help_code(const char *file, struct buf *out)
{
    enum { CODE_INDENT = 4 };
    size_t n = 0;
    const char *prose = help_section(file, NULL, NULL, &n);
    char marker[100];
    struct span rest = {prose ? prose : "", n}, line;
    snprintf(marker, sizeof marker, "`load help:%s`", file);
    while (next_line(&rest, &line)) {
        if (begins(line, marker))
            return out->len && !out->failed ? 0 : -1;
        bool code = begins(line, "    ");
        if (code)
            buf_add(out, line.at + CODE_INDENT, line.n - CODE_INDENT);
        if (code || (out->len && !line.n))
            buf_putc(out, '\n'); /* blank lines keep their place between the others */
    }
    return -1;
}

const char *help_summary(const char *file, char *out, size_t size)
{
    const struct asset *asset = help_file(file);
    if (!asset || !size)
        return NULL;
    struct span rest = {(const char *)asset->data, asset->size}, line = {"", 0};
    next_line(&rest, &line);
    const char *colon = line.n ? memchr(line.at, ':', line.n) : NULL;
    struct span summary = line;
    if (colon)
        summary = (struct span){colon + 1, (size_t)(line.at + line.n - (colon + 1))};
    summary = trim(summary);
    snprintf(out, size, "%.*s", (int)summary.n, summary.at);
    return out;
}

/* ---- why and try ----------------------------------------------------------------------- */

/* The section for `one`, else the general one; NULL: there is neither. */
static const char *section_for(const char *file, const char *kind, const char *one, size_t *n)
{
    const char *text = one ? help_section(file, kind, one, n) : NULL;
    return text ? text : help_section(file, kind, NULL, n);
}

/* The same slots, and the columns that the tables of this report left out. */
static struct slots below_tables(const struct report *r, const struct slots *s)
{
    struct slots all = *s;
    all.left_out = &r->left_out;
    return all;
}

int help_filled(struct buf *out, const char *file, const char *kind, const char *one,
                const struct slots *s)
{
    size_t n = 0;
    const char *text = section_for(file, kind, one, &n);
    if (!text)
        return -1;
    slots_fill(out, text, n, s, NULL);
    return out->failed ? -1 : 0;
}

/* "Why" or "Try" and the blanks behind it, HEADING columns together. */
static void say_section_head(struct report *r, const char *heading)
{
    say_in(r, INK_HEADING, "%s", heading);
    say(r, "%*s", HEADING - (int)strlen(heading), "");
}

/* Texts of one command are told one after the other; in between stands a blank line. */
static void begin_explain(struct report *r)
{
    if (r->explain.len)
        buf_puts(&r->explain, "\n\n");
}

/* A hash of the words of a text without its numbers, the kinds and lines of the faults, and the
 * kernel. If two runs have the same hash, the same mistake is explained in the same way. */
static uint64_t case_of(const struct report *r, const struct buf *text)
{
    uint64_t h = HASH_START;
    for (const char *p = buf_text(text); *p; p++)
        if (!is_digit(*p))
            h = hash_bytes(h, p, 1);
    for (unsigned i = 0; i < r->fault_count; i++) {
        const struct fault *f = &r->faults[i];
        const int lines[] = {f->at.line, f->has_other ? f->other.line : 0};
        h = hash_bytes(h, f->kind, strlen(f->kind));
        h = hash_bytes(h, f->at.file, strlen(f->at.file));
        h = hash_bytes(h, lines, sizeof lines);
    }
    for (unsigned i = 0; r->fault_count && i < r->launch_count; i++)
        h = hash_bytes(h, r->launches[i].kernel, strlen(r->launches[i].kernel));
    return h;
}

/* Was this explanation on the screen in one of the last commands? From now on it counts as shown. */
static bool told_before(struct report *r, const struct buf *text)
{
    enum { STILL_SEEN = 2 };
    struct told *t = r->told;
    uint64_t key = case_of(r, text);
    for (unsigned i = 0; t && i < TOLD_KEPT && i < t->count; i++)
        if (t->key[i] == key && t->now - t->when[i] <= STILL_SEEN)
            return true;
    if (t) {
        const unsigned at = t->count++ % TOLD_KEPT;
        t->key[at] = key;
        t->when[at] = t->now;
    }
    return false;
}

/* The bytes before the first blank line. */
static size_t first_paragraph(struct span text)
{
    struct span rest = text, line;
    size_t n = 0;
    while (next_line(&rest, &line) && trim(line).n)
        n = (size_t)(line.at + line.n - text.at);
    return n;
}

/* The screen has the first paragraph, unless all was asked for. */
static void say_why(struct report *r, const struct buf *text, bool again)
{
    static const char briefly[] = "As before. `explain` shows the text with the numbers of this run.";
    if (r->screen.len)
        say(r, "\n");
    say_section_head(r, "Why");
    if (again)
        say_wrapped(r, HEADING, "%s", briefly);
    else
        text_wrap(&r->screen, buf_text(text),
                  r->whole ? text->len : first_paragraph((struct span){buf_text(text), text->len}),
                  r->width, HEADING);
}

int explain_why(struct report *r, const char *file, const char *one, const struct slots *s)
{
    struct buf text = {0};
    struct slots all = s ? below_tables(r, s) : (struct slots){0};
    int rc = help_filled(&text, file, "why", one, s ? &all : NULL);
    if (rc == 0) {
        if (!r->briefly)
            say_why(r, &text, told_before(r, &text));
        begin_explain(r);
        text_wrap(&r->explain, buf_text(&text), text.len, INT_MAX, 0);
        drop_newlines(&r->explain);
    }
    buf_free(&text);
    return rc;
}

/* What has just been done needs no trying. */
static bool was_typed(const struct report *r, struct span command)
{
    const char *typed = r->typed ? r->typed : "";
    struct span line = trim((struct span){typed, strlen(typed)});
    return line.n == command.n && memcmp(line.at, command.at, line.n) == 0;
}

/* A command as the reader can type it: at the prompt, or in a shell. Where `findings` would look at
 * this run, the run comes first. */
static struct span typed_as(const struct report *r, struct span command, struct buf *text)
{
    buf_clear(text);
    const char *typed = r->typed ? r->typed : "";
    const bool quoted = memchr(command.at, '\'', command.n) || strchr(typed, '\'');
    const char *quote = quoted ? "\"" : "'";
    if (!r->alone)
        return command;
    if (begins(command, "run "))
        buf_printf(text, "cudalab %.*s", (int)command.n, command.at);
    else if (begins(command, "findings"))
        buf_printf(text, "cudalab -c %s%s; %.*s%s", quote, typed, (int)command.n, command.at, quote);
    else
        buf_printf(text, "cudalab -c %s%.*s%s", quote, (int)command.n, command.at, quote);
    return (struct span){buf_text(text), text->len};
}

/* The column where remarks start: after the longest command that leaves its remark room. */
static int remark_column(const struct report *r, struct span text)
{
    struct span line, command, remark;
    struct buf shown = {0};
    int longest = 0;
    while (next_line(&text, &line)) {
        try_split(line, &command, &remark);
        const struct span as = typed_as(r, command, &shown);
        int wide = columns_of(as.at, as.n);
        int left = r->width - HEADING - wide - TRY_GAP;
        bool room = left >= REMARK_LEAST || left >= columns_of(remark.at, remark.n) + 2;
        if (wide > longest && wide <= TRY_LONGEST && room && !was_typed(r, command))
            longest = wide;
    }
    buf_free(&shown);
    return HEADING + longest + TRY_GAP;
}

static unsigned wrap_remark(struct span remark, int width, struct buf *lines)
{
    unsigned count = 0;
    buf_clear(lines);
    text_wrap(lines, remark.at, remark.n, width, 0);
    for (size_t i = 0; i < lines->len; i++)
        count += lines->data[i] == '\n';
    return count;
}

/* A remark is a comment in each of its lines, so that all of it can be pasted. If it needs several
 * lines, they are about equally long: no line has only the end of `i < n`. */
static void say_remark(struct report *r, struct span remark, int at)
{
    struct buf lines = {0};
    int width = r->width - at - 2;
    const unsigned count = wrap_remark(remark, width, &lines);
    while (count > 1 && width > 2 && wrap_remark(remark, width - 1, &lines) == count)
        width--;
    wrap_remark(remark, width, &lines);
    struct span rest = {buf_text(&lines), lines.len}, line;
    for (int indent = 0; next_line(&rest, &line); indent = at)
        say(r, "%*s# %.*s\n", indent, "", (int)line.n, line.at);
    buf_free(&lines);
}

static void say_try(struct report *r, struct span command, struct span remark, int at)
{
    int used = HEADING + columns_of(command.at, command.n);
    paint(r, &r->screen, INK_COMMAND, command.at, command.n);
    if (remark.n == 0) {
        say(r, "\n");
        return;
    }
    bool fits = used + TRY_GAP <= at && at + 2 + columns_of(remark.at, remark.n) <= r->width;
    if (!fits && (used + TRY_GAP > at || r->width - at < REMARK_LEAST)) {
        at = REMARK_INDENT;
        say(r, "\n");
        used = 0;
    }
    say(r, "%*s", at - used, "");
    say_remark(r, remark, at);
}

static struct span next_try(struct span *rest, struct span *remark)
{
    struct span line, command = {"", 0};
    while (!command.n && next_line(rest, &line))
        try_split(line, &command, remark);
    return command;
}

static void say_tries(struct report *r, struct span text)
{
    struct span command, remark;
    struct buf shown = {0};
    int at = remark_column(r, text);
    bool first = true;
    while ((command = next_try(&text, &remark)).n) {
        if (was_typed(r, command))
            continue;
        if (first)
            say_section_head(r, "Try");
        else
            say(r, "%*s", HEADING, "");
        say_try(r, typed_as(r, command, &shown), remark, at);
        first = false;
    }
    buf_free(&shown);
}

/* Adds a line to "try". Several texts may suggest the same command, so a command that is there
 * already is not added again. */
static void keep_try(struct report *r, struct span command, struct span remark)
{
    struct span rest = {buf_text(&r->tries), r->tries.len}, line, other, ignored;
    while (next_line(&rest, &line)) {
        try_split(line, &other, &ignored);
        if (other.n == command.n && memcmp(other.at, command.at, other.n) == 0)
            return;
    }
    buf_printf(&r->tries, "%.*s%s%.*s\n", (int)command.n, command.at, remark.n ? "  " : "",
               (int)remark.n, remark.at);
}

int explain_try(struct report *r, const char *file, const char *one, const struct slots *s)
{
    struct buf text = {0};
    int rc = help_filled(&text, file, "try", one, s);
    struct span rest = {buf_text(&text), text.len}, command, remark;
    if (rc == 0 && !r->briefly)
        say_tries(r, rest);
    while (rc == 0 && (command = next_try(&rest, &remark)).n)
        keep_try(r, command, remark);
    buf_free(&text);
    return rc;
}

void explain_again(struct report *r, const struct buf *why, const struct buf *tries)
{
    buf_add(&r->explain, buf_text(why), why->len);
    buf_add(&r->tries, buf_text(tries), tries->len);
    if (why->len) {
        say_section_head(r, "Why");
        text_wrap(&r->screen, buf_text(why), why->len, r->width, HEADING);
    }
    if (tries->len) {
        say(r, "\n");
        say_tries(r, (struct span){buf_text(tries), tries->len});
    }
}

void help_try(struct report *r, const char *file)
{
    size_t n = 0;
    const char *text = help_section(file, "try", NULL, &n);
    if (!text || !n)
        return;
    if (r->screen.len)
        say(r, "\n");
    say_tries(r, (struct span){text, n});
}
