/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeping what commands showed. When a command has ended, its report becomes one text: its screen,
 * then its errors without the place in a script, so that the text does not depend on where the
 * command came from. Each command is written to the transcript at once when it has ended, so the
 * file is always complete up to there.
 */
#include "repl/lecture/record.h"

#include "repl/scripting.h"
#include "repl/settings.h"
#include "repl/shell.h"
#include "repl/lecture/styled.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void record_init(struct record *k)
{
    *k = (struct record){.transcript = {.fd = -1}};
}

void record_free(struct record *k)
{
    buf_free(&k->command);
    buf_free(&k->shown);
    if (k->transcript.fd >= 0)
        close(k->transcript.fd);
    free(k->transcript.path);
    record_init(k);
}

/* ---- one text ------------------------------------------------------------------------- */

/* Append what was written to stderr. */
static void complete_screen(struct report *r)
{
    if (r->status == REPORT_FAULT && !r->faults_said)
        say_faults(r);
    if (!r->error.text[0])
        return;
    char text[ERR_TEXT];
    report_error_text(r, text);
    text_wrap(&r->screen, text, strlen(text), r->width, 0);
    buf_add(&r->screen, buf_text(&r->details), r->details.len);
}

static void end_with_newline(struct buf *b)
{
    if (b->len && b->data[b->len - 1] != '\n')
        buf_putc(b, '\n');
}

/* ---- pictures ------------------------------------------------------------------------- */

int record_picture(struct shell *sh, const char *path, const char *command,
                   const struct buf *shown, bool dark, struct err *e)
{
    struct buf bytes = {0};
    svg_screen(&bytes, command, buf_text(shown), shown->len, dark);
    int rc = bytes.failed ? fail_memory(e) : shell_save_own(sh, path, bytes.data, bytes.len, e);
    buf_free(&bytes);
    return rc;
}

/* The first byte behind a word that may be in quotes. */
static const char *word_end(const char *at)
{
    char quote = 0;
    for (; *at && (quote || *at != ' '); at++)
        if (*at == quote)
            quote = 0;
        else if (!quote && (*at == '\'' || *at == '"'))
            quote = *at;
    return at;
}

void record_typed(struct buf *out, const char *command)
{
    for (const char *at = command; *at;) {
        const char *word = at + strspn(at, " "), *end = word_end(word);
        const bool option = strncmp(word, "--svg", 5) == 0;
        if (option && end - word == 5)
            end = word_end(end + strspn(end, " "));
        if (!option || (word + 5 < end && word[5] != '=' && word[5] != ' '))
            buf_add(out, at, (size_t)(end - at));
        at = end;
    }
}

/* ---- catching ------------------------------------------------------------------------- */

void caught_begin(struct caught *c, const struct shell *sh)
{
    *c = (struct caught){.commands = 0};
    c->shown.most = c->objects.most = budget_text(&sh->session.budget);
}

void caught_free(struct caught *c)
{
    buf_free(&c->shown);
    buf_free(&c->objects);
    buf_free(&c->details);
}

void record_catch(struct shell *sh, struct report *r, const struct buf *object)
{
    struct caught *c = sh->record.caught;
    c->commands++;
    if (c->outer && report_faults_add(c->outer, r) != 0)
        return;
    if (c->sum && report_add_up(c->sum, r) != 0)
        return;
    if (r->status == REPORT_ERROR && c->errors++ == 0) {
        c->first = r->error;
        c->cause = report_cause(r);
        buf_add(&c->details, buf_text(&r->details), r->details.len);
    }
    c->faults += r->status == REPORT_FAULT;
    c->meant += r->status != REPORT_OK && r->as_meant;
    complete_screen(r);
    end_with_newline(&r->screen);
    buf_add(&c->shown, buf_text(&r->screen), r->screen.len);
    buf_puts(&c->objects, c->objects.len ? "," : "");
    buf_add(&c->objects, buf_text(object), object->len);
}

void record_run(struct shell *sh, const char *line, struct caught *c)
{
    struct script_place place = {.name = NULL, .outer = sh->place}; /* as if it was typed */
    struct caught *before = sh->record.caught;
    sh->record.caught = c;
    sh->place = &place;
    shell_run_line(sh, line, strlen(line));
    scripting_ends(sh);
    sh->place = place.outer;
    sh->record.caught = before;
}

/* ---- the transcript ------------------------------------------------------------------- */

/* Settings that decide what commands show. Width and character set are written as they were, so
 * that a transcript from a terminal can be replayed anywhere. */
static const char *const shaping[] = {"device", "seed", "schedule", "step-limit", "counters",
                                      "compiler", "arch", "projector", "plain"};

static void put_shaping(struct shell *sh, struct buf *out)
{
    struct buf value = {0};
    for (size_t i = 0; i < sizeof shaping / sizeof shaping[0]; i++) {
        const struct setting *s = setting_exact(shaping[i]);
        buf_clear(&value);
        setting_get(sh, s, &value);
        if (strcmp(buf_text(&value), s->initial) != 0)
            buf_printf(out, TRANSCRIPT_SETTING "%s %s\n", s->name, buf_text(&value));
    }
    buf_free(&value);
}

static void put_layout(struct transcript *t, const struct report *r, struct buf *out)
{
    if (t->width != r->width)
        buf_printf(out, TRANSCRIPT_SETTING "width %d\n", r->width);
    if (t->width == 0 || t->utf8 != r->utf8)
        buf_printf(out, TRANSCRIPT_SETTING "charset %s\n", r->utf8 ? "utf8" : "ascii");
    t->width = r->width;
    t->utf8 = r->utf8;
}

static void put_output(struct buf *out, const struct buf *shown)
{
    struct buf text = {0};
    struct span line;
    plain_text(&text, buf_text(shown), shown->len);
    for (struct span rest = {buf_text(&text), text.len}; next_line(&rest, &line);) {
        bool quoted = begins(line, TRANSCRIPT_COMMAND) || begins(line, TRANSCRIPT_SETTING) ||
                      begins(line, "\\");
        buf_puts(out, quoted ? "\\" : "");
        buf_add(out, line.at, line.n);
        buf_putc(out, '\n');
    }
    out->failed = out->failed || text.failed;
    buf_free(&text);
}

static bool has_control_bytes(const char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < 0x20 && *text != '\t') || *text == 0x7F)
            return true;
    return false;
}

static void forget_transcript(struct transcript *t)
{
    free(t->path);
    *t = (struct transcript){.fd = -1};
}

/* A transcript with a gap would be worse than none, so it ends where it was complete. */
static void give_up(struct shell *sh, const char *why)
{
    struct err e;
    struct transcript *t = &sh->record.transcript;
    fail(&e, "cannot write the transcript `%.300s`: %s; it ends here", t->path, why);
    close(t->fd);
    forget_transcript(t);
    shell_complain(sh, e.text, 0);
    sh->failures++;
}

static void write_command(struct shell *sh, const char *command, const struct report *r)
{
    struct transcript *t = &sh->record.transcript;
    struct sink to = {.fd = t->fd};
    struct buf out = {0};
    put_layout(t, r, &out);
    buf_printf(&out, TRANSCRIPT_COMMAND "%s\n", command);
    put_output(&out, &r->screen);
    if (out.failed)
        give_up(sh, "out of memory");
    else if (sink_write(&to, buf_text(&out), out.len) != 0)
        give_up(sh, strerror(to.error));
    else
        t->commands++;
    buf_free(&out);
}

void record_take(struct shell *sh, const char *command, struct report *r)
{
    struct record *k = &sh->record;
    if (k->skip || (sh->no_object && r->status == REPORT_OK))
        return; /* the commands that it ran are written already */
    /* A command that was only refused leaves the picture that `snap` is to save. */
    const bool refused = r->status == REPORT_ERROR && !r->screen.len && !r->details.len;
    complete_screen(r);
    end_with_newline(&r->screen);
    if (k->transcript.fd >= 0 && !has_control_bytes(command))
        write_command(sh, command, r);
    if (!r->screen.len || (refused && k->shown.len))
        return;
    buf_clear(&k->command);
    buf_puts(&k->command, command);
    struct buf shown = r->screen;
    r->screen = k->shown;
    k->shown = shown;
}

enum content { CONTENT_NONE, CONTENT_TRANSCRIPT, CONTENT_OTHER };

static enum content content_of(int fd)
{
    char begin[sizeof TRANSCRIPT_FIRST - 1];
    ssize_t n = read(fd, begin, sizeof begin);
    if (n == 0)
        return CONTENT_NONE;
    return n == (ssize_t)sizeof begin && memcmp(begin, TRANSCRIPT_FIRST, sizeof begin) == 0
               ? CONTENT_TRANSCRIPT : CONTENT_OTHER;
}

bool transcript_is_there(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool there = fd >= 0 && content_of(fd) == CONTENT_TRANSCRIPT;
    if (fd >= 0)
        close(fd);
    return there;
}

static int open_transcript(const char *path, struct report *r)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return report_fail(r, "cannot write `%.300s`: it is not a regular file", path);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return report_fail(r, "cannot write `%.300s`: %s", path, strerror(errno));
    if (content_of(fd) == CONTENT_OTHER) {
        close(fd);
        return report_fail(r, "`%.300s` is there already and no transcript: choose another name",
                           path);
    }
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
        report_fail(r, "cannot write `%.300s`: %s", path, strerror(errno));
        close(fd);
        return -1;
    }
    return fd;
}

int transcript_begin(struct shell *sh, const char *path, struct report *r)
{
    struct transcript *t = &sh->record.transcript;
    struct buf head = {0};
    if (!team_speaks(sh->session.team))
        return 0; /* rank 0 of mpirun writes it */
    int fd = open_transcript(path, r);
    if (fd < 0)
        return -1;
    struct sink to = {.fd = fd};
    buf_puts(&head, TRANSCRIPT_FIRST "\n");
    put_shaping(sh, &head);
    int rc = head.failed ? report_fail_limit(r, "out of memory") : 0;
    if (rc == 0 && sink_write(&to, buf_text(&head), head.len) != 0)
        rc = report_fail(r, "cannot write `%.300s`: %s", path, strerror(to.error));
    buf_free(&head);
    char *copy = rc == 0 ? strdup(path) : NULL;
    if (!copy) {
        close(fd);
        return rc ? rc : report_fail_limit(r, "out of memory");
    }
    *t = (struct transcript){.fd = fd, .path = copy};
    return 0;
}

int transcript_end(struct shell *sh, struct report *r)
{
    struct transcript *t = &sh->record.transcript;
    int rc = 0;
    say(r, "%s: %u command%s\n", t->path, t->commands, t->commands == 1 ? "" : "s");
    json_text(&r->result, "file", t->path);
    json_uint(&r->result, "commands", t->commands);
    if (close(t->fd) != 0)
        rc = report_fail(r, "cannot write the transcript `%.300s`: %s", t->path, strerror(errno));
    forget_transcript(t);
    return rc;
}
