/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `grade EXERCISE HAND-IN...`: all hand-ins through the grader (src/grade), then one table, reports
 * for platforms, and what changed since an earlier run. Points that an instructor sets by hand are
 * in a file beside the exercise.
 */
#include "grade/grade.h"
#include "grade/compare.h"
#include "grade/marks-json.h"
#include "grade/overrides.h"
#include "grade/reports/reports.h"
#include "grade/table.h"
#include "repl/commands.h"
#include "repl/interrupt.h"
#include "repl/settings.h"
#include "repl/scripting.h"
#include "repl/shell.h"

#include <stdlib.h>
#include <string.h>

struct grade_options {
    const char *exercise;
    struct arg_many hand_ins;
    struct arg_many reports;
    bool lint, again, override, questions;
    int jobs;
    const char *compare, *marks, *student, *overrides, *open;
};

struct grading_command {
    struct shell *sh;
    const struct grade_options *options;
    struct report *report;
    struct exercise exercise;
    struct marks marks;
    struct buf overrides; /* the path */
};

static int goes_on(void *self, struct err *e)
{
    const struct session *s = self;
    return s->stop ? fail(e, "stopped") : 0;
}

/* What was asked is wrong, so nothing was graded: status 2. */
static int fail_usage(struct grading_command *g, const struct err *e)
{
    report_fail_err(g->report, e);
    g->report->cause = CAUSE_SCRIPT;
    if (g->report->alone)
        g->sh->unreadable = true;
    return -1;
}

/* The exercise is wrong, and not a hand-in. */
static int fail_exercise(struct grading_command *g, const struct err *e)
{
    struct report *r = g->report;
    buf_add(&r->details, buf_text(&g->exercise.errors), g->exercise.errors.len);
    struct err plain = {.limit = e->limit};
    fail(&plain, "%s", e->text);
    return fail_usage(g, &plain);
}

/* A name beside the exercise: saxpy.exercise and saxpy.overrides. */
static void name_overrides(struct grading_command *g)
{
    const struct grade_options *o = g->options;
    static const char ending[] = ".exercise";
    const size_t n = strlen(o->exercise);
    const bool usual = ends_in(o->exercise, ending);
    if (o->overrides)
        buf_puts(&g->overrides, o->overrides);
    else {
        buf_add(&g->overrides, o->exercise, usual ? n - (sizeof ending - 1) : n);
        buf_puts(&g->overrides, ".overrides");
    }
}

/* ---- what is told ------------------------------------------------------------------------- */

static int write_reports(struct grading_command *g)
{
    const struct grade_options *o = g->options;
    int rc = 0;
    for (unsigned i = 0; i < o->reports.count; i++) {
        struct err e = {0};
        struct buf out = {0};
        const char *place;
        const struct mark_form *form = mark_form_asked(o->reports.text[i], &place, &e);
        if (!form || marks_report(&g->marks, form, place, &out, &e) != 0)
            rc = report_fail_err(g->report, &e);
        for (size_t k = 0; k < out.len; k++)
            if (out.data[k] != '\r') /* of CSV: on a screen it has no place */
                buf_putc(&g->report->screen, out.data[k]);
        report_said(g->report, &out);
    }
    return rc;
}

/* All reports that are asked for are known before the work begins. */
static int check_reports(struct grading_command *g, bool *shown)
{
    const struct grade_options *o = g->options;
    struct err e = {0};
    *shown = false;
    for (unsigned i = 0; i < o->reports.count; i++) {
        const char *place;
        if (!mark_form_asked(o->reports.text[i], &place, &e))
            return fail_usage(g, &e);
        *shown |= !place;
    }
    return 0;
}

static int say_changes(struct grading_command *g)
{
    struct marks before;
    struct mark_changes changes;
    struct err e = {0};
    if (marks_read_file(&before, g->options->compare, &e) != 0)
        return report_fail_err(g->report, &e);
    int rc = marks_compare(&before, &g->marks, &changes, &e);
    if (rc == 0) {
        marks_say_changes(g->report, &changes);
        mark_changes_free(&changes);
    } else
        report_fail_err(g->report, &e);
    marks_free(&before);
    return rc;
}

static int say_feedback(struct grading_command *g)
{
    struct buf out = {0};
    const char *place;
    struct err e = {0};
    const struct mark_form *form = mark_form_asked("feedback", &place, &e);
    int rc = form ? 0 : -1;
    for (unsigned i = 0; rc == 0 && i < g->marks.count; i++)
        rc = marked_report(&g->marks, g->marks.of[i], form, &out, &e);
    if (rc == 0)
        say(g->report, "\n%s", buf_text(&out));
    buf_free(&out);
    return rc == 0 ? 0 : report_fail_err(g->report, &e);
}

static int tell(struct grading_command *g, const struct grade_said *said, bool shown)
{
    const struct grade_options *o = g->options;
    struct report *r = g->report;
    struct buf json = {0};
    int rc = 0;
    if (!shown) {
        say(r, "%s", buf_text(&said->text));
        if (said->kept)
            say(r, "%u hand-in%s graded before, and did not change.\n", said->kept,
                said->kept == 1 ? " was" : "s were");
        marks_say(r, &g->marks);
    }
    if (o->student && !shown)
        rc |= say_feedback(g);
    if (o->compare)
        rc |= say_changes(g);
    marks_json(&g->marks, &json);
    json_raw(&r->result, "marks", buf_text(&json), json.len);
    buf_free(&json);
    rc |= write_reports(g);
    const unsigned ungraded = marks_ungraded(&g->marks);
    if (ungraded && rc == 0)
        rc = report_fail(r, "%u hand-in%s a test that could not be graded; the note of each says why",
                         ungraded, ungraded == 1 ? " has" : "s have");
    return rc ? -1 : 0;
}

/* ---- what is asked ------------------------------------------------------------------------ */

static int check_hand_ins(struct grading_command *g)
{
    struct err e = {0};
    if (g->options->hand_ins.count)
        return 0;
    fail(&e, "grade needs hand-ins: files, folders or zip archives behind the exercise");
    return fail_usage(g, &e);
}

static int grade(struct grading_command *g)
{
    const struct grade_options *o = g->options;
    struct session *s = &g->sh->session;
    struct grade_said said = {.kept = 0};
    struct err e = {0};
    bool shown;
    const struct go_on go_on = {goes_on, s};
    const struct grade_want want = {
        .programs = g->sh->programs, .hand_ins = o->hand_ins.text, .count = o->hand_ins.count,
        .student = o->student, .journal = o->marks, .again = o->again,
        .cached = s->settings.build_cache, .jobs = (unsigned)o->jobs, .go_on = &go_on,
        .progress = &s->progress, .stop = &s->stop};
    if (check_reports(g, &shown) != 0 || check_hand_ins(g) != 0)
        return -1;
    int rc = grade_all(&g->exercise, &want, &g->marks, &said, &e);
    if (rc != 0 && g->exercise.error_count)
        rc = fail_exercise(g, &e);
    else if (rc != 0)
        rc = said.asked_wrong ? fail_usage(g, &e) : report_fail_err(g->report, &e);
    else if (overrides_apply_file(&g->marks, buf_text(&g->overrides),
                                  o->student ? OVERRIDES_OF_PART : OVERRIDES_OF_ALL, &e) != 0)
        rc = report_fail(g->report, "%s: %s", buf_text(&g->overrides), e.text);
    else
        rc = tell(g, &said, shown);
    buf_free(&said.text);
    return rc;
}

/* What is on the screen before the prompt: the prompt itself shows the state. */
static void tell_opened(void *self, const struct grade_opened *o)
{
    struct grading_command *g = self;
    struct report *r = g->report;
    static const char *const ends[] = {[MARK_PASSED] = "passes", [MARK_FAILED] = "fails",
                                       [MARK_UNGRADED] = "can't be judged in"};
    struct buf out = {0};
    json_text(&r->result, "student", o->student);
    json_text(&r->result, "test", o->test ? o->test : "");
    json_text(&r->result, "state", mark_state_names[o->state]);
    json_lines(&r->result, "says", buf_text(&o->says), o->says.len);
    json_lines(&r->result, "commands", buf_text(&o->lines), o->lines.len);
    if (g->sh->json)
        return;
    waiting_end(g->sh);
    if (o->right)
        buf_printf(&out, "%s passes all tests. This is the last one, \"%s\".\n", o->student, o->test);
    else if (o->test)
        buf_printf(&out, "%s %s \"%s\".\n", o->student, ends[o->state], o->test);
    else
        buf_printf(&out, "%s fails all tests.\n", o->student);
    buf_add(&out, buf_text(&o->says), o->says.len);
    buf_puts(&out, o->lines.len ? "\nThese commands make the state again:\n\n" : "");
    shell_put(g->sh, shell_out(g->sh), buf_text(&out), out.len, false);
    buf_free(&out);
}

/* A prompt for a person. It has the terminal, or what this command has as its input. */
static int open_hand_in(struct grading_command *g)
{
    const struct grade_options *o = g->options;
    struct shell *sh = g->sh;
    struct session *s = &sh->session;
    struct grade_said said = {.kept = 0};
    struct buf color = {0}, charset = {0};
    struct err e = {0};
    if (check_hand_ins(g) != 0)
        return -1;
    setting_get(sh, setting_exact("color"), &color);
    setting_get(sh, setting_exact("charset"), &charset);
    const char *const options[] = {"--color", buf_text(&color), "--charset", buf_text(&charset),
                                   sh->json ? "--json" : NULL, NULL};
    const struct go_on go_on = {goes_on, s};
    const struct grade_want want = {
        .programs = sh->programs, .hand_ins = o->hand_ins.text, .count = o->hand_ins.count,
        .go_on = &go_on, .progress = &s->progress, .stop = &s->stop};
    const struct grade_opening how = {
        .what = o->open, .options = options, .our_input = !sh->reads_stdin, .ended = interrupt_ending,
        .tell = tell_opened, .self = g};
    int rc = grade_open(&g->exercise, &want, &how, &said, &e);
    if (rc != 0 && g->exercise.error_count)
        rc = fail_exercise(g, &e);
    else if (rc != 0)
        rc = said.asked_wrong ? fail_usage(g, &e) : report_fail_err(g->report, &e);
    buf_free(&said.text);
    buf_free(&color);
    buf_free(&charset);
    return rc;
}

/* grade EXERCISE --override STUDENT TEST POINTS WHY --marks FILE */
static int set_points(struct grading_command *g)
{
    const struct grade_options *o = g->options;
    const char *const *word = o->hand_ins.text;
    struct err e = {0};
    if (o->hand_ins.count != 4)
        fail(&e, "--override needs four words: a student, a test, points, and a reason in quotes");
    else if (!o->marks)
        fail(&e, "--override needs --marks FILE, where the hand-ins' marks were kept");
    if (e.text[0])
        return fail_usage(g, &e);
    if (grade_begin(&g->exercise, &g->marks, &e) != 0 ||
        grade_from_journal(o->marks, &g->marks, &e) != 0 ||
        overrides_apply_file(&g->marks, buf_text(&g->overrides), OVERRIDES_OF_PART, &e) != 0 ||
        overrides_write(&g->marks, buf_text(&g->overrides), word[0], word[1], word[2], word[3], &e) != 0)
        return report_fail_err(g->report, &e);
    say(g->report, "%s: %s gets %s points in \"%s\".\n", buf_text(&g->overrides), word[0], word[2],
        word[1]);
    return 0;
}

static int show_questions(struct grading_command *g)
{
    struct buf out = {0};
    struct err e = {0};
    int rc = g->options->student ? grade_questions(&g->exercise, g->options->student, &out, &e)
                                 : fail(&e, "--questions needs --student ID");
    if (rc == 0) {
        json_lines(&g->report->result, "questions", buf_text(&out), out.len);
        buf_add(&g->report->screen, buf_text(&out), out.len);
        report_said(g->report, &out);
    } else
        report_fail_err(g->report, &e);
    buf_free(&out);
    return rc;
}

static int check_exercise(struct grading_command *g)
{
    struct err e = {0};
    struct exercise *x = &g->exercise;
    if (grade_lint(x, g->sh->programs, &g->sh->session.stop, &e) != 0)
        return fail_exercise(g, &e);
    say(g->report, "%s: an exercise of the kind %s with %u testcase%s. It has no mistakes.\n",
        g->options->exercise, exercise_kinds[x->kind], x->test_count, x->test_count == 1 ? "" : "s");
    return 0;
}

static int run_grade(struct session *s, const void *given, struct report *r)
{
    struct shell *sh = shell_of(s);
    struct grading_command g = {.sh = sh, .options = given, .report = r};
    struct err e = {0};
    int rc;
    if (!sh->programs)
        return report_fail(r, "this cudalab was built without compilers, so it starts no process");
    if (sh->safe)
        return report_fail(r, "under --safe nothing can be graded: start cudalab without it; the "
                           "hand-ins run under --safe");
    name_overrides(&g);
    const int read = exercise_read(&g.exercise, g.options->exercise, &e);
    g.exercise.check_fault = scripting_check_fault;
    if (read != 0)
        rc = fail_exercise(&g, &e);
    else if (g.options->lint)
        rc = check_exercise(&g);
    else if (g.options->questions)
        rc = show_questions(&g);
    else if (g.options->override)
        rc = set_points(&g);
    else if (g.options->open)
        rc = open_hand_in(&g);
    else
        rc = grade(&g);
    marks_free(&g.marks);
    exercise_free(&g.exercise);
    buf_free(&g.overrides);
    return rc;
}

static void put_forms(struct buf *out)
{
    for (unsigned k = 0; mark_form_name(k); k++)
        buf_printf(out, "%s`%s` (%s)", k ? ", " : "", mark_form_name(k), mark_form_help(k));
}

static const char *const exercise_endings[] = {".exercise", NULL};

const struct command command_grade = {
    .name = "grade", .kind = CLASS_KERNELS,
    .summary = "grade students' hand-ins by an exercise",
    .options = (const struct arg_spec[]){
        {.name = "report", BIND(struct grade_options, reports), .value = "FORM[:FILE]",
         .type = ARG_MANY, .choice = mark_form_name, .help_more = put_forms,
         .help = "write a report, on the screen or to a file; may be repeated. The forms: "},
        {OPTION(struct grade_options, lint), .help = "only look for mistakes in the exercise"},
        {OPTION(struct grade_options, compare), .value = "OLD.json", .type = ARG_FILE,
         .help = "say whose marks are not as in an earlier report in the form json"},
        {OPTION(struct grade_options, jobs), .value = "N", .type = ARG_INT, .lo = 0, .hi = 256,
         .initial = "0", .help = "hand-ins that run at once; 0: one for each processor core"},
        {OPTION(struct grade_options, marks), .value = "FILE", .type = ARG_FILE,
         .help = "keep the marks of each hand-in there, and take those that are there already"},
        {OPTION(struct grade_options, again), .help = "grade all, also what --marks has already"},
        {OPTION(struct grade_options, student), .value = "NAME", .type = ARG_TEXT,
         .help = "only the hand-in of this student, with its feedback"},
        {OPTION(struct grade_options, open), .value = "STUDENT[:TEST]", .type = ARG_TEXT,
         .help = "a prompt in the state of the first test that this student fails, or of that test"},
        {OPTION(struct grade_options, questions),
         .help = "print the questions for the student that --student names"},
        {OPTION(struct grade_options, override),
         .help = "set points by hand: the words behind the exercise are a student, a test, points "
                 "and a reason"},
        {OPTION(struct grade_options, overrides), .value = "FILE", .type = ARG_FILE,
         .help = "where such points are; default: the exercise's name with .overrides"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "EXERCISE", BIND(struct grade_options, exercise), .type = ARG_FILE,
         .choices = exercise_endings, .required = true, .example = "saxpy.exercise",
         .help = "the file that says what is right"},
        {.name = "HAND-IN", BIND(struct grade_options, hand_ins), .type = ARG_FILES,
         .help = "a file, a folder or a zip archive; of one student or of a class"},
        {0}},
    .size = sizeof(struct grade_options), .run = run_grade};
