/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of sessions, and walking it. A place is kept by names, not by numbers: labs that are
 * added later leave a student where he or she stopped.
 */
#include "repl/course.h"

#include "base/lines.h"

#include <stdio.h>
#include <string.h>

/* The lines of src/labs/LIST: a session with its title, or a lab of the session above it. */
static const struct { const char *session, *title, *lab; } lines[] = {
#define SESSION(name, title) {#name, title, NULL},
#define LAB(id, name) {NULL, NULL, name},
#define STEP(name) {NULL, NULL, name},
#include "labs/list.h"
#undef SESSION
#undef LAB
#undef STEP
};
enum { LINES = sizeof lines / sizeof lines[0] };
_Static_assert(LINES <= 64, "a bit for each line");

static const char task[] = "task";

/* ---- what there is ---------------------------------------------------------------------- */

static int line_of(int session)
{
    int i = 0;
    while (!lines[i].session || session-- > 0)
        i++;
    return i;
}

const char *course_session(int session)
{
    return lines[line_of(session)].session;
}

const char *course_title(int session)
{
    return lines[line_of(session)].title;
}

static const struct command *named(const char *name, const struct command *const *all)
{
    while (*all && strcmp((*all)->name, name) != 0)
        all++;
    return *all;
}

const struct command *course_lab(int session, unsigned k, const struct command *const *all)
{
    for (int i = line_of(session) + 1; i < LINES && lines[i].lab; i++)
        if (k-- == 0)
            return named(lines[i].lab, all);
    return NULL;
}

unsigned course_labs(int session, const struct command *const *all)
{
    unsigned n = 0;
    while (course_lab(session, n, all))
        n++;
    return n;
}

/* ---- walking ---------------------------------------------------------------------------- */

/* Which of its session's labs it is; the task is behind the last one. */
static unsigned step_of(const struct course_place *p, const struct command *const *all)
{
    unsigned k = 0;
    const struct command *c;
    while ((c = course_lab(p->session, k, all)) && !(p->lab && strcmp(c->name, p->lab) == 0))
        k++;
    return k;
}

/* The bit of a step. Labs that this build lacks have a line all the same. */
static uint64_t bit_of(int session, unsigned step, const struct command *const *all)
{
    const struct command *c = course_lab(session, step, all);
    int i = line_of(session);
    while (c && !(lines[i].lab && strcmp(lines[i].lab, c->name) == 0))
        i++;
    return (uint64_t)1 << i;
}

static void stand_at(struct course_place *p, int session, unsigned step,
                     const struct command *const *all)
{
    const struct command *c = course_lab(session, step, all);
    p->session = session;
    p->lab = c ? c->name : NULL;
    p->begun |= bit_of(session, step, all);
}

enum course_state course_state(const struct course_place *p, int session, unsigned k,
                               const struct command *const *all)
{
    uint64_t bit = bit_of(session, k, all);
    return p->left & p->tried & bit ? COURSE_DONE
           : p->left & bit          ? COURSE_SKIPPED
           : p->begun & bit         ? COURSE_BEGUN
                                    : COURSE_OPEN;
}

bool course_try(struct course_place *p, const char *command, const struct command *const *all)
{
    const uint64_t before = p->tried;
    for (int i = 0; i < LINES; i++)
        if (lines[i].lab && strcmp(lines[i].lab, command) == 0)
            p->tried |= (uint64_t)1 << i;
    if (strcmp(command, "launch") == 0 && p->session >= 0 && !p->lab)
        p->tried |= bit_of(p->session, course_labs(p->session, all), all);
    return p->tried != before;
}

bool course_begin(struct course_place *p, int session, const struct command *const *all)
{
    if (!course_lab(session, 0, all))
        return false;
    stand_at(p, session, 0, all);
    return true;
}

bool course_forward(struct course_place *p, const struct command *const *all)
{
    if (p->session >= 0)
        p->left |= bit_of(p->session, step_of(p, all), all);
    if (p->session >= 0 && p->lab) {
        stand_at(p, p->session, step_of(p, all) + 1, all);
        return true;
    }
    for (int i = p->session + 1; i < COURSE_SESSIONS; i++)
        if (course_begin(p, i, all))
            return true;
    return false;
}

bool course_back(struct course_place *p, const struct command *const *all)
{
    if (p->session < 0)
        return false;
    unsigned step = step_of(p, all);
    if (step > 0) {
        stand_at(p, p->session, step - 1, all);
        return true;
    }
    for (int i = p->session; i-- > 0;)
        if (course_lab(i, 0, all)) {
            stand_at(p, i, course_labs(i, all), all);
            return true;
        }
    return false;
}

/* ---- as text ---------------------------------------------------------------------------- */

/* A line: a word, and the names of the steps whose bits are set. */
static void write_steps(struct buf *out, const char *word, uint64_t steps)
{
    if (!steps)
        return;
    buf_puts(out, word);
    for (int i = 0; i < LINES; i++)
        if (steps & (uint64_t)1 << i)
            buf_printf(out, lines[i].lab ? " %s" : " task:%s",
                       lines[i].lab ? lines[i].lab : lines[i].session);
    buf_putc(out, '\n');
}

void course_write(const struct course_place *p, struct buf *out)
{
    buf_printf(out, "%s %s\n", course_session(p->session), p->lab ? p->lab : task);
    write_steps(out, "done", p->left & p->tried);
    write_steps(out, "skipped", p->left & ~p->tried);
    write_steps(out, "begun", p->begun & ~p->left);
    write_steps(out, "tried", p->tried & ~p->left);
}

static bool is_step(int line, struct span word)
{
    size_t n = strlen(task) + 1;
    if (lines[line].lab)
        return same_text(word, lines[line].lab);
    return begins(word, "task:") &&
           same_text((struct span){word.at + n, word.n - n}, lines[line].session);
}

static uint64_t read_steps(struct span words)
{
    uint64_t steps = 0;
    for (struct span word; (word = next_blank_word(&words)).n;)
        for (int i = 0; i < LINES; i++)
            steps |= (uint64_t)is_step(i, word) << i;
    return steps;
}

/* The place of a lab in any session, the one that is named first. */
static bool find_lab(struct course_place *p, int first, struct span lab,
                     const struct command *const *all)
{
    const struct command *c;
    for (int i = 0; i < COURSE_SESSIONS; i++) {
        int session = (first + i) % COURSE_SESSIONS;
        for (unsigned step = 0; (c = course_lab(session, step, all)); step++)
            if (same_text(lab, c->name)) {
                stand_at(p, session, step, all);
                return true;
            }
    }
    return false;
}

static bool read_place(struct span line, struct course_place *p, const struct command *const *all)
{
    struct span session = next_blank_word(&line), lab = next_blank_word(&line);
    int i = 0;
    while (i < COURSE_SESSIONS && !same_text(session, course_session(i)))
        i++;
    if (!lab.n || next_blank_word(&line).n)
        return false;
    if (find_lab(p, i % COURSE_SESSIONS, lab, all))
        return true;
    if (i == COURSE_SESSIONS || !course_lab(i, 0, all))
        return false;
    stand_at(p, i, same_text(lab, task) ? course_labs(i, all) : 0, all);
    return true;
}

bool course_read(const char *text, struct course_place *p, const struct command *const *all)
{
    struct span rest = {text, strlen(text)}, line;
    if (!next_line(&rest, &line) || !read_place(line, p, all))
        return false;
    while (next_line(&rest, &line)) {
        struct span word = next_blank_word(&line);
        bool done = same_text(word, "done"), tried = same_text(word, "tried");
        uint64_t steps = done || tried || same_text(word, "skipped") ? read_steps(line) : 0;
        p->left |= tried ? 0 : steps;
        p->tried |= done || tried ? steps : 0;
        if (same_text(word, "begun"))
            p->begun |= read_steps(line);
    }
    return true;
}
