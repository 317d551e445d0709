/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a line to commands run: cut it at `;`, look each command up, parse it, run it, and
 * show its report as text or as JSON. Every error is said once on stderr, after what stdout
 * had so far. A command that can't be understood runs nothing.
 */
#include "os/clock.h"
#include "os/computer.h"
#include "os/tty.h"
#include "base/lines.h"
#include "base/room.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "repl/commands.h"
#include "repl/interrupt.h"
#include "repl/prompt.h"
#include "repl/quiz/quiz.h"
#include "repl/screen.h"
#include "repl/scripting.h"
#include "repl/settings.h"
#include "repl/step/step.h"
#include "repl/talk.h"
#include "screen/wrap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM_HOLDS_S 0.2 /* seconds until the computer is asked again */

enum { REFUSED_SHOWN = 200, ALIAS_STEPS = 8 };

/* ---- errors --------------------------------------------------------------------------- */

/* A caret under the column that is meant, then the message, broken where the screen ends. */
static void complain_at_prompt(const struct shell *sh, struct buf *out, const struct buf *message,
                               int column)
{
    struct report r = {0};
    const int prompt = (int)strlen(prompt_text(sh));
    screen_describe(sh, &r);
    if (column > 0 && !sh->pasted && !sh->talk && prompt + column <= r.width)
        buf_printf(out, "%*s^\n", prompt + column - 1, "");
    text_wrap(out, buf_text(message), message->len, r.width, 0);
}

void shell_complain(struct shell *sh, const char *message, int column)
{
    struct sink to = {.fd = STDERR_FILENO};
    struct buf out = {0}, clean = {0};
    const bool placed = sh->place && !shell_watched(sh);
    if (placed) { /* a name of several lines would look like an error of another file */
        visible_add(&clean, sh->place->name, strlen(sh->place->name), 0);
        if (sh->place->alone)
            buf_puts(&clean, ": ");
        else
            buf_printf(&clean, ":%d: ", sh->place->line);
    }
    visible_add(&clean, message, strlen(message), 0);
    team_note(sh->session.team, message);
    if (shell_watched(sh))
        complain_at_prompt(sh, &out, &clean, column);
    else
        buf_printf(&out, "%s%s\n", placed ? "" : "cudalab: ", buf_text(&clean));
    shell_put(sh, &to, buf_text(&out), out.len, false);
    buf_free(&clean);
    buf_free(&out);
}

/* The first failing write is told, but not to a reader who has just walked away. */
static void check_output(struct shell *sh)
{
    char message[200];
    struct sink *bad = sh->out.error ? &sh->out : &sh->file;
    if (!bad->error)
        return;
    snprintf(message, sizeof message, "cannot write the output: %s", strerror(bad->error));
    if (bad->error != EPIPE)
        shell_complain(sh, message, 0);
    sh->failures++;
    if (bad == &sh->file) {
        close(sh->file.fd);
        sh->file.fd = -1;
        sh->quitting = !shell_watched(sh);
    }
}

/* ---- showing -------------------------------------------------------------------------- */

/* The result of a command that is no lab and wrote none is its screen, line by line. */
static void put_json(struct shell *sh, struct report *r, const char *command, bool is_lab,
                     struct buf *out)
{
    if (!is_lab && r->result_text.len == 0 && r->screen.len)
        json_lines(&r->result, "text", buf_text(&r->screen), r->screen.len);
    report_json(r, command, sh->session.device, out);
}

/* What does not fit is left out whole: half an object would be none, and could be forged. */
static void cut_short(struct shell *sh, struct report *r, bool full)
{
    struct buf *all[] = {&r->screen, &r->result_text, &r->variants_text, &r->output, &r->explain,
                           &r->tries};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        buf_clear(all[i]);
    if (full)
        report_fail_limit(r, "this output has more than the %zu bytes that a command may show "
                       "(output-limit); show a part", budget_text(&sh->session.budget));
    else
        report_fail_limit(r, "out of memory; a smaller problem may fit");
}

/* as_text: it was asked for, as what this command shows. */
static void show_json(struct shell *sh, struct report *r, const char *command, bool is_lab,
                      bool as_text)
{
    struct buf out = {0};
    out.most = budget_text(&sh->session.budget);
    put_json(sh, r, command, is_lab, &out);
    buf_putc(&out, '\n');
    if (out.failed) {
        cut_short(sh, r, out.full);
        buf_clear(&out);
        put_json(sh, r, command, true, &out);
        buf_putc(&out, '\n');
    }
    sh->session.budget.written += out.len;
    if (as_text && sh->talk)
        shell_put(sh, shell_out(sh), buf_text(&out), out.len, false);
    else if (as_text)
        sink_write(shell_out(sh), buf_text(&out), out.len);
    else
        talk_object(sh, &out);
    buf_free(&out);
}

/* Lines of someone else's: a compiler's log. Under --safe they are set in, so that none can look
 * like an error of a script. */
static void show_details(struct shell *sh, const struct report *r)
{
    struct sink to = {.fd = STDERR_FILENO};
    struct span rest = {buf_text(&r->details), r->details.len}, line;
    struct buf out = {0};
    while (next_line(&rest, &line)) {
        buf_puts(&out, sh->safe ? "  " : "");
        log_wrap(&out, line, r->width - (sh->safe ? 2 : 0));
    }
    shell_put(sh, &to, buf_text(&out), out.len, false);
    buf_free(&out);
}

/* In a script a fault is named on stderr as well, where it is looked for. */
static void complain_of_faults(struct shell *sh, const struct report *r)
{
    char message[FAULT_FILE + 400];
    for (unsigned i = 0; i < r->fault_count; i++) {
        const struct fault *f = &r->faults[i];
        if (f->benign)
            continue;
        if (f->at.file[0] && f->at.line)
            snprintf(message, sizeof message, "%s: %s (%s:%d)", f->kind, f->message, f->at.file,
                     f->at.line);
        else
            snprintf(message, sizeof message, "%s: %s", f->kind, f->message);
        shell_complain(sh, message, 0);
    }
}

static void complain_of_error(struct shell *sh, const struct report *r, int column)
{
    char text[ERR_TEXT];
    report_error_text(r, text);
    shell_complain(sh, text, r->error.column ? column + r->error.column - 1 : 0);
    show_details(sh, r);
}

/* The screen of `cudalab run` shows the findings already. */
static bool reader_sees_both(const struct shell *sh, bool as_json)
{
    return sh->place && sh->place->alone && sh->out_is_terminal && !as_json &&
           tty_is(STDERR_FILENO);
}

/* On the screen or as JSON, then on stderr what was wrong. */
static void show(struct shell *sh, struct report *r, const char *command, int column,
                 bool is_lab, bool as_json)
{
    static const char explains[] = "`explain` shows the end of it: Why and Try.\n";
    const bool has_object = !sh->no_object || r->status != REPORT_OK;
    bool left = false;
    if (sh->session.stop && sh->out_is_terminal && !as_json && !terminal_held())
        sink_write(&sh->out, "\n", 1); /* the terminal has just shown ^C */
    if (as_json && has_object)
        show_json(sh, r, command, is_lab, true);
    else if (!as_json)
        left = screen_show(sh, buf_text(&r->screen), r->screen.len);
    check_output(sh);
    if (sh->file.fd >= 0 && r->screen.len)
        screen_tell(sh, "(written to %s, until you type `output`)", sh->file_path);
    if (!as_json && shell_watched(sh) && stepping_would_find(sh, r))
        screen_tell(sh, "(`step` goes to the moment before it: help step)");
    if (left && (r->explain.len || r->tries.len))
        sink_write(shell_out(sh), explains, sizeof explains - 1);
    if (r->status == REPORT_FAULT && !shell_watched(sh) && !reader_sees_both(sh, as_json))
        complain_of_faults(sh, r);
    if (r->error.text[0])
        complain_of_error(sh, r, column);
    if (sh->talk && has_object)
        show_json(sh, r, command, is_lab, false);
    if (r->status != REPORT_OK)
        sh->failures++;
    if (r->status != REPORT_OK && sh->talk)
        sh->talk->failed = true;
    if (r->status == REPORT_ERROR && !r->as_meant)
        sh->mistakes++;
    record_take(sh, command, r);
}

/* For the command that had this one run: it says, and counts, what went wrong. */
static void hand_over(struct shell *sh, struct report *r, const char *command, bool is_lab)
{
    struct buf object = {0};
    if (sh->no_object && r->status == REPORT_OK)
        return;
    put_json(sh, r, command, is_lab, &object);
    record_catch(sh, r, &object);
    buf_free(&object);
}

/* What a line asked for. */
struct asked {
    const struct command *command; /* NULL: there is none of this name */
    bool as_json;
    bool of_script; /* a part of the language of scripts: the last object stays what it is */
    struct buf picture; /* the file of --svg, or nothing */
};

/* The picture is what `snap` would save now. The file may be replaced: may_draw() has asked. */
static void draw(struct shell *sh, const struct report *r, const char *command, const char *path)
{
    const bool caught = sh->record.caught;
    struct err e = {0};
    struct buf typed = {0};
    record_typed(&typed, command);
    const struct buf *shown = caught ? &r->screen : &sh->record.shown;
    if (record_picture(sh, path, buf_text(&typed), shown, false, &e) != 0) {
        shell_complain(sh, e.text, 0);
        sh->failures++;
        script_note(&sh->script, CAUSE_SCRIPT, e.text);
    } else
        screen_tell(sh, "(%s: a picture of this screen)", path);
    buf_free(&typed);
}

/* The script gets what a command found, for `expect`. */
static void hand_to_script(struct shell *sh, struct report *r, const char *command,
                           const struct asked *asked)
{
    struct buf object = {0};
    if (sh->record.caught || asked->of_script || (sh->no_object && r->status == REPORT_OK))
        return;
    object.most = budget_text(&sh->session.budget);
    put_json(sh, r, command, asked->command && asked->command->lab, &object);
    if (object.failed) { /* no expectation must hold by accident */
        cut_short(sh, r, object.full);
        buf_clear(&object);
        object.failed = object.full = false;
        put_json(sh, r, command, true, &object);
    }
    script_ran(&sh->script, buf_text(&object), object.len);
    buf_free(&object);
}

static void finish(struct shell *sh, struct report *r, const char *command, int column,
                   const struct asked *asked)
{
    const bool is_lab = asked->command && asked->command->lab;
    if (r->screen.failed || r->result_text.failed || r->variants_text.failed || r->output.failed)
        cut_short(sh, r, r->screen.full || r->result_text.full || r->variants_text.full ||
                  r->output.full);
    if (sh->place && (sh->place->name || sh->talk) && r->status == REPORT_ERROR)
        r->error.line = sh->place->line;
    if (r->status == REPORT_FAULT && shell_watched(sh) && !r->faults_said)
        say_faults(r);
    if (!sh->session.look) { /* else it has ended too early to tell */
        found_keep(sh, command, r);
        modelled_keep(sh, command, r);
    }
    if (r->explain.len || r->tries.len) {
        buf_clear(&sh->explain);
        buf_clear(&sh->tries);
        buf_add(&sh->explain, buf_text(&r->explain), r->explain.len);
        buf_add(&sh->tries, buf_text(&r->tries), r->tries.len);
    }
    hand_to_script(sh, r, command, asked);
    if (sh->record.caught)
        hand_over(sh, r, command, is_lab);
    else
        show(sh, r, command, column, is_lab, asked->as_json || r->as_json);
    if (asked->picture.len && r->status != REPORT_ERROR)
        draw(sh, r, command, buf_text(&asked->picture));
}

/* kept: the line would be refused in the same words if it came again. */
static void refuse(struct shell *sh, const char *text, size_t n, const struct err *e, bool kept,
                   bool of_script)
{
    struct report r;
    char shown[REFUSED_SHOWN + 1];
    report_init(&r);
    screen_describe(sh, &r);
    report_fail_err(&r, e);
    if (n > REFUSED_SHOWN)
        n = REFUSED_SHOWN;
    memcpy(shown, text, n);
    shown[n] = '\0';
    sh->no_object = false;
    sh->record.skip = !kept;
    finish(sh, &r, shown, 1, &(struct asked){.as_json = sh->json, .of_script = of_script});
    report_free(&r);
}

void shell_refuse_line(struct shell *sh, const char *text, size_t n, const struct err *e)
{
    refuse(sh, text, n, e, false, false);
}

void shell_refuse_statement(struct shell *sh, const struct statement *st, const struct err *e)
{
    refuse(sh, st->text, strlen(st->text), e, false, true);
}

void shell_tell(struct shell *sh, const char *command, shell_fills *fill, const void *what)
{
    struct report r;
    report_init(&r);
    screen_describe(sh, &r);
    fill(sh, what, &r);
    sh->no_object = false;
    sh->record.skip = true;
    finish(sh, &r, command, 0, &(struct asked){.as_json = sh->json, .of_script = true});
    report_free(&r);
}

/* ---- one command ---------------------------------------------------------------------- */

/* `trap --help` is what other programs taught people to type. */
static bool asks_for_help(const struct words *w)
{
    return w->count == 2 && !w->quoted[1] &&
           (strcmp(w->word[1], "--help") == 0 || strcmp(w->word[1], "-h") == 0);
}

/* Words that begin with ~/ and aren't in quotes stand for a place at home; `paths` holds them.
 * Under --safe ~/ stays: an error that quotes the path would tell where the operator's home is. */
static void expand_home(const struct shell *sh, struct words *w, struct buf *paths)
{
    if (sh->safe)
        return;
    for (unsigned i = 1; i < w->count; i++)
        if (!w->quoted[i] && strncmp(w->word[i], "~/", 2) == 0) {
            shell_home_path(w->word[i], paths);
            buf_putc(paths, '\0');
        }
    const char *at = paths->failed ? NULL : paths->data;
    for (unsigned i = 1; at && i < w->count; i++)
        if (!w->quoted[i] && strncmp(w->word[i], "~/", 2) == 0) {
            w->word[i] = (char *)(uintptr_t)at;
            at += strlen(at) + 1;
        }
}

/* May a picture go to this file? This is asked before the run, which may take long. */
static int may_draw(struct shell *sh, const char *path, struct asked *asked, struct report *r)
{
    struct err e;
    if (!ends_in(path, ".svg"))
        return report_fail(r, "--svg saves a picture: let the name end in .svg");
    if (sh->safe)
        return report_fail(r, "--safe allows no writing to files");
    if (shell_may_replace(sh, path, &e) != 0)
        return report_fail_err(r, &e);
    buf_puts(&asked->picture, path);
    return asked->picture.failed ? report_fail_limit(r, "out of memory") : 0;
}

static int run_words(struct shell *sh, const struct words *w, const char *line, struct report *r,
                     struct asked *asked)
{
    struct err e = {0};
    struct args a;
    const struct command *c = command_find(sh, w->word[0], &e);
    asked->command = c;
    if (!c)
        return report_fail_err(r, &e);
    if (asks_for_help(w) && c->kind != CLASS_HELP) {
        struct words help = {.word = (char *[]){(char[]){"help"}, w->word[0]},
                             .column = w->column, .quoted = w->quoted, .count = 2};
        return run_words(sh, &help, line, r, asked);
    }
    if (args_parse(c, w, line, &a, &e) != 0) {
        sh->unreadable |= r->alone; /* the process's own arguments are wrong */
        return report_fail_err(r, &e);
    }
    const struct lab_options *o = c->lab ? a.options : NULL;
    struct quiz_guess guess;
    asked->as_json = sh->json || (o && o->json);
    if (o && o->svg && may_draw(sh, o->svg, asked, r) != 0) {
        args_free(&a);
        return -1;
    }
    if (predict_ask(sh, c, a.options, asked->as_json, &guess) != 0) {
        args_free(&a);
        return report_fail(r, "stopped");
    }
    session_begin_command(&sh->session, guess.asked || (o && o->counters),
                          o && o->repeat_given ? (unsigned)o->repeat : 0);
    r->whole = o && o->whole;
    int rc = c->run(&sh->session, a.options, r);
    session_end_command(&sh->session);
    predict_compare(sh, c, &guess, r);
    args_free(&a);
    if (rc != 0 && r->status == REPORT_OK)
        return report_fail(r, "%s failed without a reason; please report this",
                           c->name);
    return rc;
}

/* The text of an alias in place of its name; NULL: the line has none. */
static char *expand_alias(const struct shell *sh, const char *line)
{
    size_t n = strcspn(line, " \t");
    for (unsigned i = 0; i < sh->alias_count; i++) {
        const struct alias *a = &sh->aliases[i];
        if (strlen(a->name) != n || memcmp(a->name, line, n) != 0)
            continue;
        size_t size = strlen(a->text) + strlen(line + n) + 1;
        char *whole = malloc(size);
        if (whole)
            snprintf(whole, size, "%s%s", a->text, line + n);
        return whole;
    }
    return NULL;
}

char *shell_expand(const struct shell *sh, const char *line, struct err *e)
{
    char *expanded = NULL, *next;
    for (int i = 0; (next = expand_alias(sh, expanded ? expanded : line)); i++) {
        free(expanded);
        expanded = next;
        if (i == ALIAS_STEPS) {
            fail(e, "`%.60s` is an alias that leads back to itself, or through more than %d "
                 "others; `alias` lists them", line, ALIAS_STEPS);
            break;
        }
    }
    return expanded;
}

static void open_report(struct shell *sh, struct report *r)
{
    report_init(r);
    screen_describe(sh, r);
    r->alone = sh->place && sh->place->alone;
    r->screen.most = r->result_text.most = r->variants_text.most = r->output.most =
        budget_text(&sh->session.budget);
}

/* Memory is bounded by the setting, and by what the computer has now, which is asked now and then:
 * others take of it too. */
static void bound_memory(struct shell *sh)
{
    const uint64_t wanted = sh->session.budget.memory;
    uint64_t most = sh->room_given;
    double now = clock_seconds();
    if (sh->room_at <= 0 || now - sh->room_at > ROOM_HOLDS_S) {
        sh->room = computer_room() + sh->session.device->held_bytes;
        sh->room_at = now;
    }
    most = sh->room < most ? sh->room : most;
    room_bound(wanted && wanted < most ? wanted : most);
}

/* The commands of `side` and `sweep` share its time. Those of a script have their own each, and it is none of
 * the command's that reads the script. */
static bool shares_time(const struct shell *sh)
{
    return sh->record.caught && sh->record.caught->shares_time;
}

static void run_one(struct shell *sh, const char *command, int column)
{
    const struct waiting outer = sh->waiting;
    struct budget *budget = &sh->session.budget;
    const double outer_spent = budget_spent(budget);
    struct buf paths = {0};
    struct report r;
    struct words w;
    struct err e = {0};
    struct asked asked = {.as_json = sh->json};
    open_report(sh, &r);
    bound_memory(sh);
    if (!shares_time(sh))
        budget_begin_command(budget, 0);
    /* At the prompt, an explanation that was on the screen a moment ago is not repeated. In a script,
     * a lecture and a transcript, and in what another command runs, all explanations are complete. */
    sh->told.now++;
    if (shell_typed(sh) && !sh->json && !sh->record.caught && sh->record.transcript.fd < 0)
        r.told = &sh->told;
    char *expanded = shell_expand(sh, command, &e);
    if (!e.text[0])
        expanded = scripting_expand(sh, command, expanded, &e);
    const char *line = expanded ? expanded : command;
    asked.of_script = statement_kind(line, strlen(line)) != STATEMENT_COMMAND;
    if (!asked.of_script && !sh->record.caught)
        script_begins(&sh->script);
    sh->no_object = sh->record.skip = false;
    r.typed = line;
    waiting_begin(sh, line);
    if (e.text[0] || words_split(line, &w, &e) != 0) {
        report_fail_err(&r, &e);
    } else {
        expand_home(sh, &w, &paths);
        run_words(sh, &w, line, &r, &asked);
        words_free(&w);
    }
    waiting_leave(sh, &outer);
    if (expanded)
        r.error.column = 0; /* it counts in a text that nobody typed */
    const struct command *c = asked.command;
    if (c && (c->lab || c == &command_launch) && (r.status != REPORT_ERROR || r.launch_count))
        course_note(sh, c->name);
    if (asked.of_script && report_cause(&r) != CAUSE_CHECK)
        script_note(&sh->script, report_cause(&r), r.error.text);
    finish(sh, &r, command, column, &asked);
    if (!shares_time(sh))
        budget_begin_command(budget, outer_spent);
    report_free(&r);
    buf_free(&paths);
    buf_free(&asked.picture);
    free(expanded);
}

static void echo_command(struct shell *sh, const char *command)
{
    struct buf out = {0};
    if (!sh->echo || sh->json || shell_watched(sh) || sh->record.caught)
        return;
    buf_printf(&out, "cudalab> %s\n", command);
    shell_put(sh, shell_out(sh), buf_text(&out), out.len, false);
    buf_free(&out);
}

static void run_command(struct shell *sh, const char *text, size_t n, int column)
{
    while (n && (*text == ' ' || *text == '\t')) {
        text++;
        column++;
        n--;
    }
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (!n)
        return;
    sh->commands_run++;
    if (shell_spent(sh))
        return;
    char *command = strndup(text, n);
    if (!command) {
        shell_complain(sh, "out of memory", column);
        sh->failures++;
        script_note(&sh->script, CAUSE_LIMIT, "out of memory");
        return;
    }
    echo_command(sh, command);
    run_one(sh, command, column);
    free(command);
}

void shell_run_command(struct shell *sh, const char *text, int column)
{
    run_command(sh, text, strlen(text), column);
}

/* ---- a line --------------------------------------------------------------------------- */

/* Is this a line of text at all? A comment may be in any character set. */
static int check_bytes(const char *text, size_t n, struct err *e)
{
    bool comment = false;
    uint32_t code;
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)text[i];
        size_t k = utf8_next(text + i, n - i, &code);
        comment = comment || (c == '#' && (i == 0 || text[i - 1] == ' '));
        if (c == 0)
            return fail_at(e, 0, (int)i + 1, "column %zu has a NUL byte: a script is plain text, "
                           "in UTF-8", i + 1);
        if ((c < 0x20 && c != '\t') || c == 0x7F)
            return fail_at(e, 0, (int)i + 1, "column %zu has the control byte 0x%02x: a script "
                           "is plain text, in UTF-8", i + 1, c);
        if (k == 0 && !comment)
            return fail_at(e, 0, (int)i + 1, "column %zu has the byte 0x%02x, which is not "
                           "UTF-8: save the script as UTF-8 text", i + 1, c);
        i += k ? k : 1;
    }
    return 0;
}

/* Has the command that runs this line no time left, or no room for more? */
static bool outer_is_over(const struct shell *sh)
{
    return shares_time(sh) && (budget_end(&sh->session.budget) != BUDGET_LEFT ||
                               sh->record.caught->shown.failed ||
                               sh->record.caught->objects.failed);
}

void shell_run_line(struct shell *sh, const char *text, size_t n)
{
    struct err e = {0};
    size_t at = 0, end;
    if (check_bytes(text, n, &e) != 0) {
        shell_refuse_line(sh, text, n, &e);
        return;
    }
    while (at < n && !shell_stops(sh) && !sh->session.stop && !outer_is_over(sh)) {
        int mark = words_end(text, n, at, &end, &e);
        if (mark < 0) {
            refuse(sh, text, n, &e, at == 0 && n <= REFUSED_SHOWN, false);
            return;
        }
        if (scripting_takes(sh, text + at, end - at))
            scripting_add(sh, text + at, end - at, (int)at + 1);
        else
            run_command(sh, text + at, end - at, (int)at + 1);
        if (mark != ';')
            return;
        at = end + 1;
    }
}
