/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `sweep n=2^10..2^28 trap`: a command run with many values of an option (repl/sweep).
 */
#include "base/near.h"
#include "repl/commands.h"
#include "repl/sweep/sweep.h"
#include "screen/wrap.h"

#include <stdio.h>
#include <string.h>

struct sweep_options {
    struct arg_call line;
    const char *values, *show, *svg, *csv, *gnuplot;
    bool json;
};

/* ---- files ------------------------------------------------------------------------------ */

static bool on_screen(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* This is asked before the runs, which may take long. */
static int may_write(struct shell *sh, const char *path, struct report *r)
{
    struct err e;
    if (!path || on_screen(path))
        return 0;
    if (sh->safe)
        return report_fail(r, "--safe allows no writing to files");
    return shell_may_replace(sh, path, &e) == 0 ? 0 : report_fail_err(r, &e);
}

static int check_files(struct shell *sh, const struct sweep_options *o, struct report *r)
{
    if (o->svg && !ends_in(o->svg, ".svg"))
        return report_fail(r, "--svg saves a picture: let the name end in .svg");
    if (o->gnuplot && on_screen(o->gnuplot))
        return report_fail(r, "--gnuplot needs the name of a file");
    return may_write(sh, o->svg, r) || may_write(sh, o->csv, r) || may_write(sh, o->gnuplot, r) ? -1
                                                                                               : 0;
}

static int save(struct sweep *s, const char *path, struct buf *bytes)
{
    struct err e;
    int rc = bytes->failed ? report_fail_limit(s->report, "out of memory") : 0;
    if (rc == 0 && shell_save_own(s->sh, path, buf_text(bytes), bytes->len, &e) != 0)
        rc = report_fail_err(s->report, &e);
    buf_free(bytes);
    return rc;
}

static int save_all(struct sweep *s, const struct sweep_options *o)
{
    struct buf bytes = {0};
    int rc = 0;
    if (o->csv && !on_screen(o->csv)) {
        sweep_csv(s, "\r\n", &bytes);
        rc = save(s, o->csv, &bytes);
    }
    if (rc == 0 && o->gnuplot) {
        sweep_gnuplot(s, &bytes);
        rc = save(s, o->gnuplot, &bytes);
    }
    if (rc == 0 && o->svg && (rc = sweep_svg(s, &bytes)) == 0)
        rc = save(s, o->svg, &bytes);
    buf_free(&bytes);
    return rc;
}

static void say_saved(struct report *r, const char *path, const char *what)
{
    if (path)
        say_item(r, "saved", "%s: %s", path, what);
}

/* ---- the command ------------------------------------------------------------------------ */

static int fail_points(const struct sweep *s)
{
    const unsigned all = s->done * s->curves;
    const struct sweep_point *first = s->point;
    while (first->state <= POINT_RIGHT || first->meant)
        first++;
    s->report->cause = first->state == POINT_FAULT   ? CAUSE_FAULT
                       : first->state == POINT_WRONG ? CAUSE_CHECK : CAUSE_NONE;
    return report_fail(s->report, "%u of %u points failed; the first: %.400s", s->failed, all,
                       first->reason);
}

/* What there is, also where the sweep had to end early. */
static int finish(struct sweep *s, const struct sweep_options *o, int rc)
{
    struct err why = s->report->error;
    const int saved = save_all(s, o);
    if (o->csv && on_screen(o->csv)) {
        sweep_csv(s, "\n", &s->report->screen);
    } else {
        sweep_show(s);
        say_saved(s->report, saved == 0 ? o->csv : NULL, "a row for each point");
        say_saved(s->report, saved == 0 ? o->gnuplot : NULL, "a script for gnuplot");
        say_saved(s->report, saved == 0 ? o->svg : NULL, "the plot");
    }
    sweep_json(s);
    if (saved != 0)
        return -1;
    if (rc != 0) {
        s->report->error = why;
        return rc;
    }
    return s->failed ? fail_points(s) : 0;
}

/* Options that the inner command lacks too: one of sweep's own may be meant. */
static void misspelt(const char *typed, struct err *e)
{
    struct words w;
    struct err ignored;
    if (words_split(typed, &w, &ignored) != 0)
        return;
    for (unsigned i = 0; i < w.count; i++) {
        struct near n = {.word = w.word[i] + 2};
        if (w.quoted[i] || strncmp(w.word[i], "--", 2) != 0)
            continue;
        for (unsigned k = 0; k < command_option_count(&command_sweep); k++)
            near_try(&n, command_spec(&command_sweep, k)->name);
        if (n.best && strstr(e->text, w.word[i]))
            fail(e, "neither sweep nor its command has an option %.60s: did you mean --%s?",
                 w.word[i], n.best);
    }
    words_free(&w);
}

static int run_sweep(struct session *session, const void *given, struct report *r)
{
    const struct sweep_options *o = given;
    struct sweep s = {.sh = shell_of(session), .report = r};
    struct err e = {0};
    int rc;
    r->as_json = o->json;
    if (sweep_read_shown(&s, o->show, &e) != 0 ||
        sweep_read_line(s.sh, o->values, o->line.text, &s.line, &e) != 0) {
        misspelt(o->values, &e);
        misspelt(o->line.text, &e);
        rc = report_fail_err(r, &e);
    } else if ((rc = check_files(s.sh, o, r)) == 0) {
        rc = sweep_run(&s);
        if (s.done)
            rc = finish(&s, o, rc);
    }
    sweep_free(&s);
    return rc;
}

static int unexpected_in_sweep(const struct words *w, unsigned at, struct err *e)
{
    if (!*w->word[at] || sweep_is_values(w->word[at]))
        return 0;
    return fail(e, "`%.60s` has no values: write what to vary, then a command, as in "
                "sweep n=2^10..2^20 trap", w->word[at]);
}

const struct command command_sweep = {
    .name = "sweep", .kind = CLASS_SESSION,
    .summary = "run a command with many values of an option",
    .options = (const struct arg_spec[]){
        {OPTION(struct sweep_options, show), .type = ARG_TEXT, .value = "NAMES", .initial = "time",
         .choices = sweep_names,
         .help = "what to show, with commas between: time, a counter, or a name in the result"},
        {OPTION(struct sweep_options, svg), .type = ARG_FILE,
         .choices = (const char *const[]){".svg", NULL}, .help = "save the plot (.svg)"},
        {OPTION(struct sweep_options, csv), .type = ARG_FILE,
         .choices = (const char *const[]){".csv", NULL},
         .help = "save a row for each point; - shows them in place of the table"},
        {OPTION(struct sweep_options, gnuplot), .type = ARG_FILE,
         .choices = (const char *const[]){".gp", ".plt", NULL},
         .help = "save a script that makes gnuplot draw the plot"},
        {OPTION(struct sweep_options, json), .help = "print this result as one JSON object"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "OPTION=VALUES", BIND(struct sweep_options, values), .type = ARG_TEXT,
         .required = true, .example = "n=2^10..2^20",
         .help = "what to vary: n=2^10..2^28, threads=32..1024, a=0..1:0.1, "
                 "variant=atomic,shuffle"},
        {.name = "COMMAND", BIND(struct sweep_options, line), .type = ARG_LINE, .required = true,
         .example = "trap", .help = "the command, which has this option, or {OPTION} in its text; "
                                    "before it, a second option may have values too"}, {0}},
    .size = sizeof(struct sweep_options), .never_inside = true, .run = run_sweep,
    .unexpected = unexpected_in_sweep};
