/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session kept as text, and compared with the same session run again. record.c owns the format of
 * a transcript and writes it; this file begins, ends and replays it.
 */
#include "repl/commands.h"
#include "repl/lecture/styled.h"
#include "repl/screen.h"
#include "repl/settings.h"
#include "repl/step/step.h"
#include "text/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIFF_SHOWN = 10 };

/* ---- transcript ----------------------------------------------------------------------- */

struct transcript_options { const char *file; bool force; };

/* If the file has a transcript already, asks whether to overwrite it, even if it is of this
 * session. -1: no. */
static int may_overwrite(struct shell *sh, const struct transcript_options *o, struct report *r)
{
    if (o->force || !transcript_is_there(o->file))
        return 0;
    if (shell_agrees_to_replace(sh, o->file))
        return 0;
    if (!shell_can_ask(sh))
        return report_fail(r, "`%.200s` is there already; `transcript %.200s --force` overwrites "
                           "it", o->file, o->file);
    return report_fail(r, "`%.200s` is kept, and no new transcript has begun. `transcript %.200s "
                       "--force` overwrites it", o->file, o->file);
}

static int run_transcript(struct session *session, const void *given, struct report *r)
{
    const struct transcript_options *o = given;
    struct shell *sh = shell_of(session);
    bool writing = sh->record.transcript.fd >= 0;
    sh->record.skip = true;
    if (sh->record.caught)
        return report_fail(r, "a transcript begins and ends on a line of its own, not within "
                           "another command");
    if (sh->safe)
        return report_fail(r, "--safe allows no writing to files");
    if (!writing && !o->file)
        return report_fail(r, "no transcript is being written; `transcript FILE` begins one");
    if (o->file && may_overwrite(sh, o, r) != 0)
        return -1;
    if (writing && transcript_end(sh, r) != 0)
        return -1;
    if (!o->file)
        return 0;
    if (transcript_begin(sh, o->file, r) != 0)
        return -1;
    screen_tell(sh, "%s gets each command and its output, until you type `transcript`", o->file);
    return 0;
}

const struct command command_transcript = {
    .name = "transcript", .kind = CLASS_SESSION,
    .summary = "write each command and its output to a file",
    .options = (const struct arg_spec[]){
        {OPTION(struct transcript_options, force), .help = "overwrite an older transcript"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct transcript_options, file), .type = ARG_FILE,
         .help = "the file; if not given, the transcript ends"}, {0}},
    .size = sizeof(struct transcript_options), .never_inside = true, .run = run_transcript};

/* ---- replay: settings ----------------------------------------------------------------- */

/* The values of all settings, as the texts that would set them. */
static void keep_settings(struct shell *sh, struct buf kept[SETTINGS_MOST])
{
    for (unsigned i = 0; settings_table[i].name; i++) {
        kept[i] = (struct buf){0};
        setting_get(sh, &settings_table[i], &kept[i]);
    }
}

static void restore_settings(struct shell *sh, struct buf kept[SETTINGS_MOST])
{
    struct buf now = {0};
    struct err ignored;
    for (unsigned i = 0; settings_table[i].name; i++) {
        buf_clear(&now);
        setting_get(sh, &settings_table[i], &now);
        if (strcmp(buf_text(&now), buf_text(&kept[i])) != 0)
            setting_put(sh, &settings_table[i], buf_text(&kept[i]), &ignored);
        buf_free(&kept[i]);
    }
    buf_free(&now);
}

/* `cudalab: NAME VALUE`, a line of the transcript. */
static int put_setting_line(struct shell *sh, struct span line, struct err *e)
{
    char text[128];
    const size_t lead = strlen(TRANSCRIPT_SETTING), n = line.n - lead;
    if (n >= sizeof text)
        return fail(e, "it has a setting that is none");
    snprintf(text, sizeof text, "%.*s", (int)n, line.at + lead);
    char *value = text + strcspn(text, " ");
    if (*value)
        *value++ = '\0';
    const struct setting *s = setting_named(text, e);
    return s ? setting_put(sh, s, value, e) : -1;
}

/* ---- replay: one command -------------------------------------------------------------- */

struct replay {
    struct shell *sh;
    struct report *report;
    const char *file;
    struct span rest;
    int line;                 /* of the last line read */
    unsigned commands, same;
};

/* The lines that follow a command, up to the next one, without their quoting. */
static void read_output(struct replay *p, struct buf *out)
{
    struct span ahead = p->rest, line;
    while (next_line(&ahead, &line) && !begins(line, TRANSCRIPT_COMMAND) &&
           !begins(line, TRANSCRIPT_SETTING)) {
        size_t quote = begins(line, "\\");
        buf_add(out, line.at + quote, line.n - quote);
        buf_putc(out, '\n');
        p->rest = ahead;
        p->line++;
    }
}

static void say_row(struct replay *p, char mark, struct span line)
{
    say(p->report, "  %c %.*s\n", mark, (int)line.n, line.at);
}

static void say_difference(struct replay *p, const struct match *m, const struct text_lines *was,
                           const struct text_lines *is)
{
    unsigned shown = 0, left = 0;
    for (unsigned i = 0; i < m->count; i++) {
        const struct match_row *row = &m->row[i];
        if (!row->same && shown++ >= DIFF_SHOWN)
            left++;
        if (row->same || shown > DIFF_SHOWN)
            continue;
        if (row->a != NO_LINE)
            say_row(p, '-', was->line[row->a]);
        if (row->b != NO_LINE)
            say_row(p, '+', is->line[row->b]);
    }
    if (left)
        say(p->report, "    and %u line%s more\n", left, left == 1 ? "" : "s");
}

static void result_row(struct replay *p, const char *command, int line, unsigned differing)
{
    struct json *j = &p->report->result;
    json_object(j, NULL);
    json_text(j, "command", command);
    json_int(j, "line", line);
    json_bool(j, "same", differing == 0);
    json_uint(j, "differing", differing);
    json_end_object(j);
}

static int compare(struct replay *p, const char *command, int line, const struct buf *before,
                   const struct buf *now)
{
    struct text_lines was = {0}, is = {0};
    struct match m = {0};
    struct err e;
    int rc = text_lines(&was, buf_text(before), before->len, &e);
    if (rc == 0)
        rc = text_lines(&is, buf_text(now), now->len, &e);
    if (rc == 0)
        rc = match_lines(&m, &was, &is, false, &e);
    if (rc == 0) {
        say(p->report, "%s  %s\n", m.differing ? "differs" : "same   ", command);
        say_difference(p, &m, &was, &is);
        result_row(p, command, line, m.differing);
        p->same += m.differing == 0;
    } else {
        report_fail_err(p->report, &e);
    }
    match_free(&m);
    text_lines_free(&was);
    text_lines_free(&is);
    return rc;
}

static int replay_command(struct replay *p, struct span line)
{
    struct caught c = {0};
    struct buf command = {0}, before = {0}, now = {0};
    int rc = 0, at = p->line;
    buf_add(&command, line.at + strlen(TRANSCRIPT_COMMAND), line.n - strlen(TRANSCRIPT_COMMAND));
    read_output(p, &before);
    record_run(p->sh, buf_text(&command), &c);
    plain_text(&now, buf_text(&c.shown), c.shown.len);
    p->commands++;
    if (command.failed || before.failed || now.failed)
        rc = report_fail_limit(p->report, "out of memory");
    else if (!p->sh->session.stop)
        rc = compare(p, buf_text(&command), at, &before, &now);
    buf_free(&now);
    buf_free(&before);
    buf_free(&command);
    caught_free(&c);
    return rc;
}

/* ---- replay: the file ----------------------------------------------------------------- */

static int replay_line(struct replay *p, struct span line)
{
    struct err e;
    if (begins(line, TRANSCRIPT_COMMAND))
        return replay_command(p, line);
    if (!begins(line, TRANSCRIPT_SETTING) || put_setting_line(p->sh, line, &e) == 0)
        return 0;
    return report_fail(p->report, "%.200s:%d: %s", p->file, p->line, e.text);
}

static int replay_lines(struct replay *p)
{
    struct shell *sh = p->sh;
    struct span line;
    int rc = 0;
    json_text(&p->report->result, "file", p->file);
    json_array(&p->report->result, "replayed");
    while (rc == 0 && !sh->session.stop && !sh->quitting && next_line(&p->rest, &line)) {
        p->line++;
        rc = replay_line(p, line);
    }
    sh->quitting = sh->quit_given = false; /* a `quit` ends the transcript, not this session */
    json_end_array(&p->report->result);
    json_uint(&p->report->result, "commands", p->commands);
    json_uint(&p->report->result, "same", p->same);
    json_bool(&p->report->result, "ok", rc == 0 && p->commands && p->same == p->commands);
    if (rc != 0)
        return rc;
    if (!p->commands && !sh->session.stop)
        return report_fail(p->report, "`%.300s` has no command to replay; a transcript has `%s` "
                           "before each command", p->file, TRANSCRIPT_COMMAND);
    say(p->report, "%u of %u the same\n", p->same, p->commands);
    if (sh->session.stop)
        return report_fail(p->report, "stopped after %u command%s", p->commands,
                           p->commands == 1 ? "" : "s");
    unsigned differ = p->commands - p->same;
    p->report->cause = differ ? CAUSE_CHECK : CAUSE_NONE;
    return differ ? report_fail(p->report, "%u of %u commands show%s something else than in "
                                "`%.200s`", differ, p->commands, differ == 1 ? "s" : "", p->file)
                  : 0;
}

static int replay_text(struct replay *p)
{
    struct buf kept[SETTINGS_MOST];
    if (!begins(p->rest, TRANSCRIPT_FIRST))
        return report_fail(p->report, "`%.300s` is not a transcript: one begins with `%s`", p->file,
                           TRANSCRIPT_FIRST);
    if (p->sh->stepping)
        return report_fail(p->report, "a launch is being stepped: `quit` ends that");
    keep_settings(p->sh, kept);
    p->sh->session.settings.volatile_on = false;
    p->sh->replaying = true;
    int rc = replay_lines(p);
    stepping_end(p->sh); /* a transcript may end before the launch is left */
    restore_settings(p->sh, kept);
    p->sh->replaying = false;
    return rc;
}

static int run_replay(struct session *session, const void *given, struct report *r)
{
    const struct file_options *o = given;
    struct shell *sh = shell_of(session);
    struct replay p = {.sh = sh, .report = r, .file = o->file};
    struct buf text = {0};
    struct err e;
    if (sh->record.caught)
        return report_fail(r, "replay can't run inside side or replay; type it as a command of "
                              "its own");
    if (sh->record.transcript.path && strcmp(sh->record.transcript.path, p.file) == 0)
        return report_fail(r, "`%.300s` is being written; `transcript` ends it", p.file);
    int rc = shell_read_text(sh, p.file, &text, &e);
    p.rest = (struct span){buf_text(&text), text.len};
    rc = rc == 0 ? replay_text(&p) : report_fail_err(r, &e);
    buf_free(&text);
    return rc;
}

const struct command command_replay = {
    .name = "replay", .kind = CLASS_SESSION,
    .summary = "run a transcript again and show the differences",
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct file_options, file), .type = ARG_FILE, .required = true,
         .help = "the transcript"}, {0}},
    .size = sizeof(struct file_options), .never_inside = true, .run = run_replay};
