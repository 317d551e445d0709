/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * next: shows the course, one lab at a time. A file in the state folder keeps where the student
 * stopped and which steps are done. Only commands that are typed at a prompt read and write this
 * file. A script has a course of its own. It starts with the first lab, and is not kept.
 */
#include "base/lines.h"
#include "base/num.h"
#include "repl/commands.h"
#include "repl/user-file.h"
#include "repl/course.h"

#include <stdio.h>
#include <string.h>

enum { TITLE_COLUMN = 6, STEPS_COLUMN = 15, STATES = COURSE_DONE + 1 };

static const char *const state_names[STATES] = {
    [COURSE_OPEN] = "open", [COURSE_BEGUN] = "begun", [COURSE_SKIPPED] = "skipped",
    [COURSE_DONE] = "done"};

/* ---- where somebody stopped --------------------------------------------------------------- */

static bool remembers(const struct shell *sh)
{
    return shell_typed(sh) && sh->prompting && !sh->safe;
}

/* A file that can't be read or is damaged counts as missing. */
static void recall(struct shell *sh)
{
    struct buf path = {0}, text = {0};
    struct err ignored;
    if (sh->course_known || !remembers(sh))
        return;
    sh->course_known = true;
    user_state_file(&path, "course");
    if (path.len && shell_read_text(sh, buf_text(&path), &text, &ignored) == 0 &&
        text.len == strlen(buf_text(&text)))
        sh->course_resumes = course_read(buf_text(&text), &sh->course, sh->session.commands);
    buf_free(&path);
    buf_free(&text);
}

/* If it can't be written, the place is kept only until this session ends. */
static void keep(struct shell *sh)
{
    struct buf path = {0}, text = {0};
    struct err ignored;
    if (!remembers(sh))
        return;
    user_state_file(&path, "course");
    if (sh->course.session >= 0)
        course_write(&sh->course, &text);
    if (path.len && !path.failed && !text.failed) {
        user_folders(path.data);
        shell_save_own(sh, path.data, buf_text(&text), text.len, &ignored);
    }
    buf_free(&path);
    buf_free(&text);
}

void course_note(struct shell *sh, const char *command)
{
    recall(sh);
    if (course_try(&sh->course, command, sh->session.commands) && sh->course.session >= 0)
        keep(sh);
}

/* ---- a place on the screen ---------------------------------------------------------------- */

/* Text as one line. */
static void put_text(struct json *j, const char *key, const char *text, size_t n)
{
    struct buf line = {0};
    for (size_t i = 0; i < n; i++)
        buf_add(&line, text[i] == '\n' ? " " : &text[i], 1);
    json_text(j, key, buf_text(&line));
    buf_free(&line);
}

/* A section of help/course.txt behind its heading, and in the result. */
static void say_section(struct report *r, const char *heading, const char *kind, const char *name)
{
    size_t n = 0;
    const char *text = help_section("course", kind, name, &n);
    if (!text)
        return;
    while (n && text[n - 1] == '\n')
        n--;
    say_in(r, INK_HEADING, "%s ", heading);
    text_wrap(&r->screen, text, n, r->width, (int)strlen(heading) + 1);
    put_text(&r->result, kind, text, n);
}

/* What a help text says to try: a lab's, or the course's for a task. */
static void put_tries(struct json *j, const char *file, const char *task)
{
    size_t n = 0;
    const char *at = help_section(file, "try", task, &n);
    struct span text = {at ? at : "", at ? n : 0}, line, command, remark;
    json_array(j, "try");
    while (next_line(&text, &line)) {
        try_split(line, &command, &remark);
        if (command.n)
            put_text(j, NULL, command.at, command.n);
    }
    json_end_array(j);
}

static void say_lab(struct shell *sh, int session, struct report *r)
{
    const struct command *const *all = sh->session.commands, *c;
    unsigned k = 0, count = course_labs(session, all);
    while ((c = course_lab(session, k, all)) && strcmp(c->name, sh->course.lab) != 0)
        k++;
    if (k == 0) {
        say_section(r, "Goal", "goal", course_session(session));
        say(r, "\n");
    }
    say_wrapped(r, 0, "Lab %u of %u: `%s`, %s", k + 1, count, c->name, c->summary);
    json_text(&r->result, "lab", c->name);
    json_uint(&r->result, "number", k + 1);
    json_uint(&r->result, "labs", count);
    put_tries(&r->result, c->name, NULL);
    help_try(r, c->name);
    say(r, "\n");
    say_wrapped(r, 0, "`help %s` says more. When you are done: `next`", c->name);
}

static void say_place(struct shell *sh, bool resumed, struct report *r)
{
    const int session = sh->course.session;
    say_in(r, INK_HEADING, "Session %d of %d: %s\n", session + 1, COURSE_SESSIONS,
           course_title(session));
    json_int(&r->result, "session", session + 1);
    json_text(&r->result, "title", course_title(session));
    if (resumed)
        say(r, "You stopped here.\n");
    if (sh->course.lab) {
        say_lab(sh, session, r);
        return;
    }
    const char *name = course_session(session);
    size_t n;
    say_section(r, "Task", "task", name);
    say(r, "\n");
    if (help_section("course", "try", name, &n)) {
        put_tries(&r->result, "course", name);
        explain_try(r, "course", name, NULL);
        buf_clear(&r->tries); /* the result has them already */
        say(r, "\n");
    }
    say_wrapped(r, 0, "The last task of this session. When you are done: `next`");
}

/* ---- all sessions ------------------------------------------------------------------------- */

/* Lists the steps of a session that are in this state: its labs, and then its task. Returns how
 * many there are. */
static unsigned steps_in(struct shell *sh, int session, enum course_state state, struct json *j,
                         struct buf *names)
{
    const struct command *const *all = sh->session.commands, *c;
    unsigned n = 0, count = course_labs(session, all);
    json_array(j, state_names[state]);
    for (unsigned k = 0; k <= count; k++)
        if (course_state(&sh->course, session, k, all) == state) {
            c = course_lab(session, k, all);
            buf_printf(names, "%s%s", n++ ? ", " : "", c ? c->name : "the task");
            json_text(j, NULL, c ? c->name : "task");
        }
    json_end_array(j);
    return n;
}

static void say_steps(struct shell *sh, int session, struct report *r)
{
    unsigned n[STATES], all = 0;
    for (int state = STATES - 1; state >= 0; state--) {
        struct buf names = {0};
        all += n[state] = steps_in(sh, session, (enum course_state)state, &r->result, &names);
        if (n[state]) {
            say(r, "%*s%-*s", TITLE_COLUMN, "", STEPS_COLUMN - TITLE_COLUMN, state_names[state]);
            say_wrapped(r, STEPS_COLUMN, "%s", buf_text(&names));
        }
        buf_free(&names);
    }
    json_text(&r->result, "state",
              state_names[n[COURSE_DONE] == all                         ? COURSE_DONE
                          : n[COURSE_DONE] + n[COURSE_SKIPPED] == all ? COURSE_SKIPPED
                          : n[COURSE_OPEN] == all                     ? COURSE_OPEN
                                                                      : COURSE_BEGUN]);
}

static void say_session(struct shell *sh, int i, struct report *r)
{
    const struct course_place *p = &sh->course;
    const struct command *c;
    json_object(&r->result, NULL);
    json_text(&r->result, "title", course_title(i));
    json_array(&r->result, "labs");
    for (unsigned k = 0; (c = course_lab(i, k, sh->session.commands)); k++)
        json_text(&r->result, NULL, c->name);
    json_end_array(&r->result);
    say_in(r, INK_HEADING, "  %d   %s\n", i + 1, course_title(i));
    say_steps(sh, i, r);
    if (i == p->session) {
        say(r, "%*syou are at %s\n", TITLE_COLUMN, "", p->lab ? p->lab : "the task");
        json_text(&r->result, "here", p->lab ? p->lab : "task");
    }
    json_end_object(&r->result);
}

static void list(struct shell *sh, struct report *r)
{
    json_array(&r->result, "sessions");
    for (int i = 0; i < COURSE_SESSIONS; i++)
        say_session(sh, i, r);
    json_end_array(&r->result);
    say(r, "\n");
    say_wrapped(r, 0, "`next` goes on. `next 3` begins session 3.");
}

/* ---- the command -------------------------------------------------------------------------- */

static int no_such_place(const char *place, struct report *r)
{
    static const char *const options[] = {"here", "back", "list", "restart", NULL};
    for (int i = 0; options[i]; i++)
        if (strcmp(options[i], place) == 0)
            return report_fail(r, "the course has no `%.60s`: did you mean --%s?", place, place);
    return report_fail(r, "the course has no `%.60s`: write a session from 1 to %d or a lab, as in "
                          "`next 3` or `next banks`", place, COURSE_SESSIONS);
}

/* To a session by its number, to a lab by its name. */
static int jump(struct shell *sh, const char *place, struct report *r)
{
    struct err ignored;
    int64_t number;
    if (num_int(place, 1, COURSE_SESSIONS, &number, &ignored) != 0)
        return course_go(&sh->course, place, sh->session.commands) ? 0 : no_such_place(place, r);
    if (course_begin(&sh->course, (int)number - 1, sh->session.commands))
        return 0;
    return report_fail(r, "session %.60s has no lab in this cudalab; `next --list` shows the "
                          "sessions", place);
}

struct next_options { bool here, back, list, restart; const char *place; };

static int move(struct shell *sh, const struct next_options *o, struct report *r)
{
    const struct command *const *all = sh->session.commands;
    struct course_place *p = &sh->course;
    if (o->place)
        return jump(sh, o->place, r);
    if (o->back)
        return course_back(p, all) ? 0 : report_fail(r, "this is the first lab of the course; `next` "
                                                        "goes on");
    if ((o->here || sh->course_resumes) && p->session >= 0)
        return 0;
    return course_forward(p, all)
               ? 0
               : report_fail(r, "that was the last task: the course is done; `next --back` goes "
                                "back, `next --restart` begins again");
}

static int run_next(struct session *session, const void *given, struct report *r)
{
    const struct next_options *o = given;
    struct shell *sh = shell_of(session);
    int wishes = o->back + o->here + o->list + o->restart + (o->place != NULL);
    if (wishes > 1)
        return report_fail(r, "next takes only one of --back, --here, --list, --restart and a "
                              "session or lab");
    recall(sh);
    if (o->list) {
        list(sh, r);
        return 0;
    }
    if (o->restart) {
        sh->course = (struct course_place){.session = -1};
        sh->course_resumes = false;
        keep(sh);
        say(r, "The course begins again. `next` shows its first lab.\n");
        return 0;
    }
    bool resumed = sh->course_resumes && !o->place && !o->back;
    int rc = move(sh, o, r);
    sh->course_resumes = false;
    keep(sh); /* also after the last task, which is done now */
    if (rc == 0)
        say_place(sh, resumed, r);
    return rc;
}

const struct command command_next = {
    .name = "next", .kind = CLASS_HELP, .summary = "the next lab of the course, and what to type there",
    .options = (const struct arg_spec[]){
        {OPTION(struct next_options, here), .help = "show again the place where you are"},
        {OPTION(struct next_options, back), .help = "go back to the lab before"},
        {OPTION(struct next_options, list), .help = "show all sessions, and which labs are done, "
                                "skipped, begun or open"},
        {OPTION(struct next_options, restart), .help = "forget your place, and begin again"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "SESSION|LAB", BIND(struct next_options, place), .type = ARG_TEXT,
         .help = "begin this session, 1 to 6, or go to this lab; `task` goes to the "
                 "task"}, {0}},
    .size = sizeof(struct next_options), .run = run_next};
